//! The log of slow requests.

use crate::config::Pool;
use crate::config::check::open_log;
use crate::scoreboard::Worker;
use crate::{log, notice, system_error};
use std::io::Write;

/// Writes down which script takes long.
pub fn write(config: &Pool, process: i32, worker: &Worker) {
    notice!("about to trace {process}");
    let path = config.slowlog.as_deref().unwrap_or_default();
    match open_log(path) {
        Ok(mut file) => {
            let time = log::time();
            let mut text = format!("\n{time} [pool {}] pid {process}\nscript_filename = ", config.name).into_bytes();
            text.extend_from_slice(&worker.script);
            text.push(b'\n');
            // There is nobody to tell that the log cannot be written.
            let _ = file.write_all(&text);
        }
        Err(failure) => system_error!(failure, "unable to open slowlog ({path})"),
    }
    notice!("finished trace of {process}");
}
