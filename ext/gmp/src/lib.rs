//! The `gmp` extension: integers of any size, on `num-bigint`.
#![forbid(unsafe_code)]

mod chance;
mod functions;
mod number;
mod random;
mod text;
mod theory;

use phlox_ext_standard::about;
use phlox_runtime::ConstValue::{Int, Str};
use phlox_runtime::{ConstValue, Extension, Vm};

/// The release of GMP whose results these are.
const VERSION: &str = "6.3.0";

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("GMP_ROUND_ZERO", Int(functions::ROUND_ZERO)),
    ("GMP_ROUND_PLUSINF", Int(functions::ROUND_PLUS)),
    ("GMP_ROUND_MINUSINF", Int(functions::ROUND_MINUS)),
    ("GMP_VERSION", Str(VERSION)),
    ("GMP_MSW_FIRST", Int(functions::MOST_FIRST)),
    ("GMP_LSW_FIRST", Int(functions::LEAST_FIRST)),
    ("GMP_LITTLE_ENDIAN", Int(functions::LITTLE_ENDIAN)),
    ("GMP_BIG_ENDIAN", Int(functions::BIG_ENDIAN)),
    ("GMP_NATIVE_ENDIAN", Int(functions::NATIVE_ENDIAN)),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "gmp",
    functions: &[functions::FUNCTIONS, chance::FUNCTIONS, functions::BITS],
    classes: &[number::CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| {
        vec![("gmp support", "enabled".to_owned()), ("GMP version", VERSION.to_owned())]
    });
}
