//! The extension "Core": the classes, functions, constants and settings that are part of the language.
//!
//! Generator and Fiber live with the interpreter, the string comparisons with the other string functions.
#![forbid(unsafe_code)]

mod classes;
mod constants;
mod functions;
mod ini;

pub use classes::iterator;
use phlox_runtime::{ConstValue, FnDef, IniDef, NativeClass};

/// All functions.
pub const FUNCTIONS: &[&[FnDef]] = &[
    phlox_ext_standard::CORE_FUNCTIONS,
    functions::arguments::FUNCTIONS,
    functions::classes::FUNCTIONS,
    functions::constants::FUNCTIONS,
    functions::engine::FUNCTIONS,
    functions::errors::FUNCTIONS,
    functions::members::FUNCTIONS,
    functions::symbols::FUNCTIONS,
];

/// The classes of this crate; the engine adds the interpreter's.
pub const CLASSES: [&[NativeClass]; 6] = [
    classes::interfaces::CLASSES,
    classes::exceptions::CLASSES,
    classes::closure::CLASSES,
    classes::weak::CLASSES,
    classes::attributes::CLASSES,
    classes::iterator::CLASSES,
];

pub const CONSTANTS: &[(&str, ConstValue)] = constants::CONSTANTS;

pub const SETTINGS: &[IniDef] = ini::SETTINGS;

/// What the core's settings do when they change.
pub fn startup(vm: &phlox_runtime::Vm) {
    ini::watch(vm);
    let binary = std::env::current_exe().map(|path| path.into_os_string().into_encoded_bytes()).unwrap_or_default();
    vm.constants.borrow_mut().insert("PHP_BINARY".into(), phlox_runtime::Val::str(&binary));
}
