//! The `bcmath` extension: decimal arithmetic of any precision, cut off and never rounded.
#![forbid(unsafe_code)]

mod decimal;
mod functions;
mod number;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "bcmath",
    functions: &[functions::FUNCTIONS],
    classes: &[number::CLASSES],
    constants: &[],
    ini: &[&functions::SCALE.def],
    startup: None,
    shutdown: None,
};
