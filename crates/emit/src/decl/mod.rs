//! Declarations: files and namespaces, functions, classes and what belongs to them.

pub(crate) mod attributes;
pub(crate) mod class_members;
pub(crate) mod classes;
pub(crate) mod closures;
pub(crate) mod constexpr;
pub(crate) mod functions;
pub(crate) mod hooks;
pub(crate) mod magic_methods;
pub(crate) mod params;
pub(crate) mod program;
pub(crate) mod seen;
pub(crate) mod traits;
pub(crate) mod types;

/// A name as messages show it: without the part behind a NUL byte, which names of anonymous classes have.
pub(crate) fn show(bytes: &[u8]) -> String {
    let bytes = bytes.split(|&b| b == 0).next().unwrap_or(bytes);
    phlox_text::shown(bytes).into_owned()
}
