//! The `gettext` extension: translations out of catalogs, as the C library looks them up.
#![forbid(unsafe_code)]

mod catalog;
mod functions;
mod lookup;
mod plural;

use phlox_ext_standard::about;
use phlox_runtime::{Extension, Vm};

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "gettext",
    functions: &[functions::FUNCTIONS],
    classes: &[],
    constants: &[],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| vec![("GetText Support", "enabled".to_owned())]);
}
