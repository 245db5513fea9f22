//! The `hash` extension: message digests by name, HMAC, key derivation and incremental hashing.
//!
//! Haval, Snefru and Tiger with four passes are not there. Algorithms that are not in [`algorithm::ALGORITHMS`] are unknown to `hash()`, as PHP reports them.
#![forbid(unsafe_code)]

mod algorithm;
mod files;
mod functions;
mod mhash;
mod murmur;
mod xxhash;

use phlox_runtime::Extension;

pub static EXTENSION: Extension = Extension {
    name: "hash",
    functions: &[functions::FUNCTIONS, files::FUNCTIONS, mhash::FUNCTIONS],
    classes: &[functions::CLASSES],
    constants: &[functions::CONSTANTS, mhash::CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};
