//! Changes of the process's environment, for the first moments of a server's worker.

use std::ffi::OsStr;

/// Whether this is the only thread of the process, so that nobody else uses the environment meanwhile.
fn is_alone() -> bool {
    crate::threads().len() == 1
}

/// Removes all variables from the environment. Does nothing, and gives false, in a process with more than one thread.
pub fn clear_environment() -> bool {
    let alone = is_alone();
    let names: Vec<_> = if alone { std::env::vars_os().map(|(name, _)| name).collect() } else { Vec::new() };
    for name in names {
        // SAFETY: there is no other thread that could use the environment (rule 8 of SAFETY.md).
        unsafe { std::env::remove_var(name) };
    }
    alone
}

/// Sets a variable of the environment; false, and nothing is done, for names and values that the system cannot hold, and in a process
/// with more than one thread.
pub fn set_variable(name: &OsStr, value: &OsStr) -> bool {
    let is_holdable = |text: &OsStr| !text.as_encoded_bytes().contains(&0);
    let is_possible =
        !name.is_empty() && !name.as_encoded_bytes().contains(&b'=') && is_holdable(name) && is_holdable(value);
    if !is_possible || !is_alone() {
        return false;
    }
    // SAFETY: there is no other thread that could use the environment (rule 8 of SAFETY.md), and the name is one that the library
    // accepts.
    unsafe { std::env::set_var(name, value) };
    true
}
