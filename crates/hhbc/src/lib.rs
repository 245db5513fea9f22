//! HHBC: the instruction table and the compilation unit.
//!
//! Knows no PHP source and no runtime values. Start at [`ops`] and [`unit`].
#![forbid(unsafe_code)]

#[macro_use]
pub mod ops;
pub mod ids;
pub mod instr;
pub mod unit;

pub use ids::*;
pub use instr::*;
pub use unit::*;
