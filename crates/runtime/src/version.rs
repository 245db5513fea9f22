//! The version of PHP whose behaviour the engine has.

/// The version as PHP shows it; the other constants are its parts.
pub const PHP_VERSION: &str = "8.4.24";
/// The value of `PHP_MAJOR_VERSION`.
pub const MAJOR: i64 = part(0);
/// The value of `PHP_MINOR_VERSION`.
pub const MINOR: i64 = part(1);
/// The value of `PHP_RELEASE_VERSION`.
pub const RELEASE: i64 = part(2);
/// The value of `PHP_VERSION_ID`.
pub const ID: i64 = MAJOR * 10_000 + MINOR * 100 + RELEASE;

/// A component of the version, counted from 0.
const fn part(wanted: usize) -> i64 {
    let text = PHP_VERSION.as_bytes();
    let (mut at, mut number, mut value) = (0, 0, 0);
    while at < text.len() {
        if text[at] == b'.' {
            number += 1;
        } else if number == wanted {
            value = value * 10 + (text[at] - b'0') as i64;
        }
        at += 1;
    }
    value
}
