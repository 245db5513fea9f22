//! The extension "Core": the classes, functions, constants and settings that are part of the language.
//!
//! Generator and Fiber live with the interpreter, the string comparisons with the other string functions.
#![forbid(unsafe_code)]

mod classes;
mod constants;
mod functions;
mod ini;

pub use classes::iterator;
use ini::ENABLE_GC;
pub use ini::SETTINGS;
use phlox_ext_standard_file::stream::open::ALLOW_URL_INCLUDE;
use phlox_runtime::{ConstValue, FnDef, NativeClass};
use std::sync::OnceLock;

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

/// Raises deprecations of settings, and defines constants whose values depend on the process.
pub fn startup(vm: &phlox_runtime::Vm) {
    if vm.ini.get(&ALLOW_URL_INCLUDE) {
        let _ = vm.deprecated(b"Directive 'allow_url_include' is deprecated");
    }
    phlox_value::set_gc_enabled(vm.ini.get(&ENABLE_GC));
    static BINARY: OnceLock<Vec<u8>> = OnceLock::new();
    let path = || std::env::current_exe().map(|path| path.into_os_string().into_encoded_bytes()).unwrap_or_default();
    let binary = BINARY.get_or_init(path);
    vm.constants.borrow_mut().insert("PHP_BINARY".into(), phlox_runtime::Val::str(binary));
}
