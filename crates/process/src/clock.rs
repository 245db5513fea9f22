//! The time as the system's time zone and the C library's formats show it.

use std::ffi::CString;
use std::mem::zeroed;

/// Longest text that [`format_time`] gives.
const TEXT_MAX: usize = 512;

/// A moment, in seconds since 1970, in local time and a format of `strftime`. Empty if the text is longer than 512 bytes or the format has
/// a zero byte.
pub fn format_time(format: &str, seconds: i64) -> String {
    let Ok(format) = CString::new(format) else { return String::new() };
    let mut text = [0u8; TEXT_MAX];
    // SAFETY: the structures lie in this frame (rule 3 of SAFETY.md), the format ends with a zero, and the library writes no more bytes
    // than it is told.
    let length = unsafe {
        let mut parts: libc::tm = zeroed();
        if libc::localtime_r(&seconds, &mut parts).is_null() {
            return String::new();
        }
        libc::strftime(text.as_mut_ptr().cast(), TEXT_MAX, format.as_ptr(), &parts)
    };
    String::from_utf8_lossy(&text[..length]).into_owned()
}
