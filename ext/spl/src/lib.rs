//! The extension "SPL": autoloading, exceptions, iterators and data structures.
#![forbid(unsafe_code)]

mod autoload;
mod exceptions;
mod functions;
mod observer;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "SPL",
    functions: &[autoload::FUNCTIONS, functions::FUNCTIONS],
    classes: &[exceptions::CLASSES, observer::CLASSES],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};
