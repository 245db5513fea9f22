//! The `fileinfo` extension: what a file is, by libmagic's rules, which are PHP's copy of them.
#![forbid(unsafe_code)]

mod annotation;
mod ascii;
mod cdf;
mod compare;
mod compiled;
mod der;
mod document;
mod encoding;
mod fetch;
mod finfo;
mod format;
mod formats;
mod identify;
mod input;
mod kind;
mod load;
#[cfg(test)]
mod mutation;
mod output;
mod parse;
mod pattern;
mod rule;
mod scan;
mod show;
mod soft;
mod state;
mod strength;
mod time;

use phlox_ext_standard::about;
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{ConstValue, Extension, Vm};

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("FILEINFO_NONE", Int(0)),
    ("FILEINFO_SYMLINK", Int(0x2)),
    ("FILEINFO_MIME", Int(output::MIME as i64)),
    ("FILEINFO_MIME_TYPE", Int(output::MIME_TYPE as i64)),
    ("FILEINFO_MIME_ENCODING", Int(output::MIME_ENCODING as i64)),
    ("FILEINFO_DEVICES", Int(output::DEVICES as i64)),
    ("FILEINFO_CONTINUE", Int(output::CONTINUE as i64)),
    ("FILEINFO_PRESERVE_ATIME", Int(0x80)),
    ("FILEINFO_RAW", Int(output::RAW as i64)),
    ("FILEINFO_APPLE", Int(output::APPLE as i64)),
    ("FILEINFO_EXTENSION", Int(output::EXTENSION as i64)),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "fileinfo",
    functions: &[finfo::FUNCTIONS],
    classes: &[finfo::CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: Some(startup),
    shutdown: None,
};

/// The version of libmagic whose rules and behaviour these are.
const LIBMAGIC: &str = "545";

fn startup(vm: &Vm) {
    about::describe(vm, EXTENSION.name, |_| {
        vec![("fileinfo support", "enabled".to_owned()), ("libmagic", LIBMAGIC.to_owned())]
    });
}

/// Rules of libmagic's compiled format, packed as this crate's data has them; for the example that writes the data.
pub fn pack(compiled_rules: &[u8]) -> Option<Vec<u8>> {
    // PHP's array of them has bytes behind the last rule.
    let whole = compiled_rules.len() - compiled_rules.len() % compiled::RECORD;
    compiled::read(&compiled_rules[..whole]).map(|rules| compiled::pack(&rules))
}
