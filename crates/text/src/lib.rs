//! Bytes inside Rust's text. PHP's names and values are bytes of any encoding; its messages are put together by `format!`,
//! which takes UTF-8 only. A byte that is no UTF-8 travels as a character of its own (as Python's `surrogateescape` does it)
//! and is a byte again where the message ends up.

#![forbid(unsafe_code)]

use std::borrow::Cow;

/// The byte 0x80 as a character; the others up to 0xff follow. They are the last private ones that Unicode has, and those
/// that a text itself contains travel byte by byte, so that nothing is taken for what it is not.
const FIRST: u32 = 0x10_ff80;
/// How the characters for bytes begin in UTF-8; one of these two bytes follows, then one of 64.
const LEAD: [u8; 2] = [0xf4, 0x8f];
const THIRD: [u8; 2] = [0xbe, 0xbf];

/// A name as far as PHP's messages show it: C's texts end at a NUL.
pub fn until_nul(name: &[u8]) -> &[u8] {
    name.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// Bytes as text for messages; [`raw_bytes`] gives them back.
pub fn shown(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(is_stand_in)
    {
        return text.into();
    }
    let mut text = String::with_capacity(bytes.len() * 2);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if is_stand_in(letter) {
                push_bytes(&mut text, letter.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                text.push(letter);
            }
        }
        push_bytes(&mut text, chunk.invalid());
    }
    text.into()
}

fn is_stand_in(letter: char) -> bool {
    letter as u32 >= FIRST
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    text.extend(bytes.iter().filter_map(|&byte| char::from_u32(FIRST + byte as u32 - 0x80)));
}

/// The bytes that a text made with [`shown`] stands for.
pub fn raw_bytes(text: &[u8]) -> Cow<'_, [u8]> {
    let stand_in = |at: usize| match text.get(at..at + 4) {
        Some(&[first, second, third, last]) if [first, second] == LEAD && THIRD.contains(&third) => {
            Some((third - THIRD[0]) << 6 | last & 0x3f | 0x80)
        }
        _ => None,
    };
    let mut bytes = Vec::new();
    let mut done = 0;
    for at in memchr::memchr_iter(LEAD[0], text) {
        if let Some(byte) = stand_in(at) {
            bytes.extend_from_slice(&text[done..at]);
            bytes.push(byte);
            done = at + 4;
        }
    }
    if done == 0 {
        return text.into();
    }
    bytes.extend_from_slice(&text[done..]);
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let every: Vec<u8> = (0..=255).collect();
        let stand_in = "a\u{10ff80}b\u{10ffff}\u{10ff7f}".as_bytes();
        for bytes in [&b""[..], b"plain", "tëxt".as_bytes(), b"latin \xfc\xe9", b"\xf4\x8f\xbe", stand_in, &every] {
            assert_eq!(&*raw_bytes(shown(bytes).as_bytes()), bytes);
        }
        let message = format!("Class \"{}\" not found ({})", shown(b"\xfc"), shown(b"\xf4\x8f\xbe"));
        assert_eq!(&*raw_bytes(message.as_bytes()), b"Class \"\xfc\" not found (\xf4\x8f\xbe)");
    }

    #[test]
    fn text_is_not_copied() {
        assert!(matches!(shown("tëxt".as_bytes()), Cow::Borrowed(_)));
        assert!(matches!(raw_bytes("tëxt \u{10ff00}".as_bytes()), Cow::Borrowed(_)));
    }
}
