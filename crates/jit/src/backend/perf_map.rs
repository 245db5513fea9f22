//! Names of compiled code for Linux' `perf`, which looks for them in `/tmp/perf-PID.map`: a line with address, length and name for
//! each piece (`tools/perf/Documentation/jit-interface.txt` in Linux' source).

use crate::backend::worker::Compiled;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Code that is compiled from here on gets an entry. `perf` looks for code that was made only in memory without a name: where there
/// is none yet, code lies in such memory, which is writable, too.
pub fn turn_on() {
    IS_ON.store(true, Ordering::Relaxed);
}

pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Adds compiled code, if there is some and the map is wanted. A file that cannot be written is nobody's fault but the map's.
pub fn note(compiled: &Compiled, name: impl FnOnce() -> String) {
    if let (true, Ok(address)) = (is_on(), &compiled.code) {
        let path = format!("/tmp/perf-{}.map", std::process::id());
        if let Ok(mut file) = OpenOptions::new().create(true).append(true).open(path) {
            let _ = writeln!(file, "{address:x} {:x} {}", compiled.bytes, name());
        }
    }
}
