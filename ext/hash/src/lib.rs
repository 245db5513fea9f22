//! The `hash` extension: message digests by name, HMAC, key derivation and incremental hashing.
//!
//! Algorithms that are not in [`algorithm::ALGORITHMS`] are unknown to `hash()`, as PHP reports them.
#![forbid(unsafe_code)]

mod algorithm;
mod blocks;
mod files;
mod functions;
mod haval;
mod mhash;
mod murmur;
mod saved;
mod snefru;
mod tiger;
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
