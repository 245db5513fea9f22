//! The `pcre` extension: `preg_*` on PCRE2.
#![forbid(unsafe_code)]

mod matching;
mod pattern;
mod replace;
mod split;
mod state;

use phlox_runtime::{ConstValue, Extension};

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("PREG_PATTERN_ORDER", ConstValue::Int(1)),
    ("PREG_SET_ORDER", ConstValue::Int(2)),
    ("PREG_OFFSET_CAPTURE", ConstValue::Int(256)),
    ("PREG_UNMATCHED_AS_NULL", ConstValue::Int(512)),
    ("PREG_SPLIT_NO_EMPTY", ConstValue::Int(1)),
    ("PREG_SPLIT_DELIM_CAPTURE", ConstValue::Int(2)),
    ("PREG_SPLIT_OFFSET_CAPTURE", ConstValue::Int(4)),
    ("PREG_GREP_INVERT", ConstValue::Int(1)),
    ("PREG_NO_ERROR", ConstValue::Int(0)),
    ("PREG_INTERNAL_ERROR", ConstValue::Int(1)),
    ("PREG_BACKTRACK_LIMIT_ERROR", ConstValue::Int(2)),
    ("PREG_RECURSION_LIMIT_ERROR", ConstValue::Int(3)),
    ("PREG_BAD_UTF8_ERROR", ConstValue::Int(4)),
    ("PREG_BAD_UTF8_OFFSET_ERROR", ConstValue::Int(5)),
    ("PREG_JIT_STACKLIMIT_ERROR", ConstValue::Int(6)),
    ("PCRE_VERSION", ConstValue::LibraryStr(phlox_pcre::version)),
    ("PCRE_VERSION_MAJOR", ConstValue::LibraryInt(|| version_part(0))),
    ("PCRE_VERSION_MINOR", ConstValue::LibraryInt(|| version_part(1))),
    ("PCRE_JIT_SUPPORT", ConstValue::Bool(true)),
];

/// One number of the version of the linked PCRE2, such as "10.46 2025-08-27".
fn version_part(at: usize) -> i64 {
    let number = phlox_pcre::version().split([' ', '.', '-']).nth(at);
    number.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "pcre",
    functions: &[matching::FUNCTIONS, replace::FUNCTIONS, split::FUNCTIONS, state::FUNCTIONS],
    classes: &[],
    constants: &[CONSTANTS],
    ini: &[&state::BACKTRACK_LIMIT.def, &state::RECURSION_LIMIT.def, &pattern::JIT.def],
    startup: None,
    shutdown: None,
};
