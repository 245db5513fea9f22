//! The extensions that are built in, in the order that `get_loaded_extensions` shows.

use phlox_runtime::Extension;

/// What the interpreter itself provides: Generator and Fiber.
static INTERPRETER: Extension = Extension {
    name: "Core",
    functions: &[phlox_ext_standard::CORE_FUNCTIONS],
    classes: &[phlox_oracle::generators::CLASSES, phlox_oracle::fibers::CLASSES],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// All extensions.
pub static EXTENSIONS: &[&Extension] =
    &[&INTERPRETER, &phlox_ext_random::EXTENSION, &phlox_ext_standard::EXTENSION];
