//! The `hash` extension: message digests by name, HMAC, key derivation and incremental hashing.
//!
//! Algorithms that are not in [`algorithm::ALGORITHMS`] are unknown to `hash()`, as PHP reports them.
#![forbid(unsafe_code)]

mod algorithm;
mod functions;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "hash",
    functions: &[functions::FUNCTIONS],
    classes: &[functions::CLASSES],
    constants: &[functions::CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};
