//! The extension "Reflection": classes that describe functions, classes and their members.
//!
//! Every reflector object holds a subject (`subject.rs`) as its native data; a file per kind of subject has the
//! methods, and `render` has what `__toString` prints.
#![forbid(unsafe_code)]

mod attributes;
mod class_constants;
mod classes;
mod constants;
mod enums;
mod extensions;
mod functions;
mod generators;
mod instances;
mod lazy_objects;
mod methods;
mod modifiers;
mod parameters;
mod properties;
mod property_values;
mod references;
mod render;
mod static_members;
mod subject;
mod types;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "Reflection",
    functions: &[],
    classes: &[
        modifiers::CLASSES,
        functions::CLASSES,
        generators::GENERATOR_CLASSES,
        methods::CLASSES,
        classes::CLASSES,
        properties::CLASSES,
        class_constants::CLASSES,
        parameters::CLASSES,
        types::CLASSES,
        extensions::CLASSES,
        references::CLASSES,
        attributes::CLASSES,
        enums::CLASSES,
        generators::FIBER_CLASSES,
        constants::CLASSES,
    ],
    constants: &[],
    ini: &[],
    startup: None,
    shutdown: None,
};
