//! Base 64 as PHP's parts write and read it, over the `base64` crate.

use ::base64::Engine;
use ::base64::alphabet;
use ::base64::engine::DecodePaddingMode;
use ::base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};

/// The digits in order.
pub const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes digits that were cleaned before: without padding, and with any bits in the unused part of the last digit.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The value of a digit.
#[inline]
pub fn value(digit: u8) -> Option<u8> {
    Some(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Encodes bytes with padding, on one line.
pub fn encode(bytes: &[u8]) -> Vec<u8> {
    STANDARD.encode(bytes).into_bytes()
}

/// Undoes [`encode`]. Other bytes are skipped, or with `strict` only white space is.
pub fn decode(text: &[u8], strict: bool) -> Option<Vec<u8>> {
    // Text in the canonical form needs no further look.
    if let Ok(bytes) = STANDARD.decode(text) {
        return Some(bytes);
    }
    let mut digits = Vec::with_capacity(text.len());
    let mut padding = 0usize;
    for &byte in text {
        match byte {
            b'=' => padding += 1,
            _ if value(byte).is_some() => {
                if padding > 0 && strict {
                    return None;
                }
                digits.push(byte);
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ if strict => return None,
            _ => {}
        }
    }
    let count = digits.len();
    // One digit alone holds no byte, and padding must complete the group if it is there.
    if strict && (count % 4 == 1 || padding > 0 && (padding > 2 || !(count + padding).is_multiple_of(4))) {
        return None;
    }
    if count % 4 == 1 {
        digits.pop();
    }
    LENIENT.decode(digits).ok()
}
