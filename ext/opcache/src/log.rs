//! OPcache's own log: what is wrong with its configuration is said there, and not as PHP's errors.

use phlox_ext_standard_file::http;
use phlox_runtime::Vm;
use phlox_runtime::ini::{IniAccess, IniQuantity, IniString};
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;

/// The level of the least important messages that are written.
pub static LOG_VERBOSITY_LEVEL: IniQuantity = IniQuantity::new("opcache.log_verbosity_level", "1", IniAccess::System);
/// The file that messages are written to, if it is not the standard error output.
pub static ERROR_LOG: IniString = IniString::new("opcache.error_log", "", IniAccess::System);

/// The level of warnings: more important messages have smaller ones.
const WARNING: i64 = 2;

/// A time in UTC as C's `asctime` writes it: `Sat Nov  7 10:24:23 2026`.
pub fn plain_time(timestamp: i64) -> String {
    let text = http::date(timestamp, true);
    let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [weekday, day, month, year, clock, _] => {
            format!("{weekday} {month} {:>2} {clock} {year}", day.trim_start_matches('0'))
        }
        _ => text,
    }
}

/// Writes a warning, unless `opcache.log_verbosity_level` leaves it out.
pub fn warn(vm: &Vm, text: &str) {
    if vm.ini.get(&LOG_VERBOSITY_LEVEL) < WARNING {
        return;
    }
    let line = format!("{} ({}): Warning {text}\n", plain_time(http::now()), std::process::id());
    let path = vm.ini.get(&ERROR_LOG);
    let named = !path.is_empty() && &path[..] != b"stderr";
    let path = std::ffi::OsStr::from_bytes(&path);
    let file = named.then(|| OpenOptions::new().append(true).create(true).open(path).ok()).flatten();
    // There is no other place where a log that cannot be written could be complained about.
    let _ = match file {
        Some(mut file) => file.write_all(line.as_bytes()),
        None => std::io::stderr().write_all(line.as_bytes()),
    };
}
