//! The log of slow requests. The master notices them and asks the worker, which writes down what its script is about.

use crate::config::Pool;
use crate::config::check::open_log;
use crate::{log, system_error};
use std::fs::File;
use std::io::Write;

/// The signal by which the master asks. Without a handler it does nothing.
pub const SIGNAL: nix::sys::signal::Signal = nix::sys::signal::Signal::SIGURG;

/// A worker's part of the log.
pub struct SlowLog {
    file: File,
    pool: String,
    /// The most functions that are written down.
    pub depth: usize,
}

impl SlowLog {
    /// Opens the log of a pool; `None` if it has none, or if it cannot be opened, which the log says. A worker does this before it becomes
    /// another user, who may not be allowed to.
    pub fn open(pool: &Pool) -> Option<SlowLog> {
        let path = pool.slowlog.as_deref().filter(|_| pool.request_slowlog_timeout.0 > 0)?;
        let file = open_log(path).map_err(|failure| system_error!(failure, "unable to open slowlog ({path})")).ok()?;
        let depth = usize::try_from(pool.request_slowlog_trace_depth).unwrap_or(0);
        Some(SlowLog { file, pool: pool.name.clone(), depth })
    }

    /// Hears the master's signal from now on.
    ///
    /// # Errors
    /// If the system refuses; the error is its number.
    pub fn listen(&self) -> Result<(), i32> {
        phlox_process::hear_wish(SIGNAL as i32)
    }

    /// Writes down what a script is about: the active functions, the innermost first, with the files and lines that they were called
    /// in.
    pub fn write<'a>(&self, script: &[u8], functions: impl Iterator<Item = (&'a [u8], &'a [u8], i64)>) {
        let (time, process) = (log::time(), std::process::id());
        let mut text = format!("\n{time} [pool {}] pid {process}\nscript_filename = ", self.pool).into_bytes();
        text.extend_from_slice(script);
        text.push(b'\n');
        for (number, (function, file, line)) in functions.enumerate() {
            // php-fpm shows the address of the function's frame, by which nobody can find anything; here it is the frame's number.
            text.extend_from_slice(format!("[0x{number:016x}] ").as_bytes());
            text.extend_from_slice(function);
            text.extend_from_slice(b"() ");
            text.extend_from_slice(if file.is_empty() { b"unknown" } else { file });
            text.extend_from_slice(format!(":{line}\n").as_bytes());
        }
        // There is nobody to tell that the log cannot be written.
        let _ = (&self.file).write_all(&text);
    }
}
