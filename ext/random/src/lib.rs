//! The `random` extension: the global generator's functions and the object interface.
#![forbid(unsafe_code)]

mod classes;
pub mod engine;
mod functions;
mod generators;
pub mod randomizer;

use phlox_runtime::{ConstValue, Extension};

pub static EXTENSION: Extension = Extension {
    name: "random",
    functions: &[functions::FUNCTIONS],
    classes: &[classes::CLASSES, randomizer::CLASSES],
    constants: &[&[("MT_RAND_MT19937", ConstValue::Int(0)), ("MT_RAND_PHP", ConstValue::Int(1))]],
    ini: &[],
    startup: None,
    shutdown: None,
};
