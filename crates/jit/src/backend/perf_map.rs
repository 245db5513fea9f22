//! Names of compiled code for Linux' `perf`, which reads them from `/tmp/perf-PID.map`: a line with address, length and name for
//! each piece of code (`tools/perf/Documentation/jit-interface.txt` in Linux' source).

use crate::backend::worker::Compiled;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Gives an entry to all code that is compiled from now on. `perf` looks names up only for memory that belongs to no file; if
/// there is no memory for code yet, it is made so, which makes it writable and executable at once.
pub fn turn_on() {
    IS_ON.store(true, Ordering::Relaxed);
}

pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Adds an entry for compiled code, if the map is on. A map that cannot be written is silently left incomplete.
pub fn note(compiled: &Compiled, name: impl FnOnce() -> String) {
    if let (true, Ok(address)) = (is_on(), &compiled.code) {
        let path = format!("/tmp/perf-{}.map", std::process::id());
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = writeln!(file, "{address:x} {:x} {}", compiled.bytes, name());
        }
    }
}
