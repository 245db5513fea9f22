//! The classes: their declarations, and what their objects hold.

pub mod data;
mod exceptions;
mod instant;
mod instant_functions;
mod instant_methods;
mod interval;
mod period;
mod zone;

pub use exceptions::CLASSES as EXCEPTIONS;
pub use instant::CLASSES as INSTANTS;
pub use instant_functions::FUNCTIONS as INSTANT_FUNCTIONS;
pub use interval::{CLASSES as INTERVALS, FUNCTIONS as INTERVAL_FUNCTIONS};
pub use period::CLASSES as PERIODS;
pub use zone::{CLASSES as ZONES, FUNCTIONS as ZONE_FUNCTIONS};
