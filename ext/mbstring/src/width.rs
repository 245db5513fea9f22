//! The width of characters in columns of a terminal.

use unicode_width::UnicodeWidthChar;

/// 2 for the wide characters of East Asia, else 1.
pub fn width(code: u32) -> i64 {
    let wide = code >= 0x1100 && char::from_u32(code).and_then(UnicodeWidthChar::width) == Some(2);
    1 + wide as i64
}
