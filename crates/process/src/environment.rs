//! Changes of the process's environment, for the first moments of a server's worker.

use std::ffi::OsStr;

/// Removes all variables from the environment. Only for a process in which no second thread runs code yet that reads or changes the
/// environment.
pub fn clear_environment() {
    let names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    for name in names {
        // SAFETY: no other thread uses the environment (rule 8 of SAFETY.md).
        unsafe { std::env::remove_var(name) };
    }
}

/// Sets a variable of the environment, under the same condition as [`clear_environment`]. Names and values that the system cannot hold
/// are passed over.
pub fn set_variable(name: &OsStr, value: &OsStr) {
    let is_holdable = |text: &OsStr| !text.as_encoded_bytes().contains(&0);
    if name.is_empty() || name.as_encoded_bytes().contains(&b'=') || !is_holdable(name) || !is_holdable(value) {
        return;
    }
    // SAFETY: no other thread uses the environment (rule 8 of SAFETY.md), and the name is one that the library accepts.
    unsafe { std::env::set_var(name, value) };
}
