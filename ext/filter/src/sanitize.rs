//! Filters that change texts.

use crate::flags::*;
use phlox_runtime::{Call, PhpResult, PhpStr, Val};

fn strip(text: &[u8], flags: i64) -> Vec<u8> {
    let drops = |byte: u8| {
        (flags & STRIP_HIGH != 0 && byte >= 127)
            || (flags & STRIP_LOW != 0 && byte < 32)
            || (flags & STRIP_BACKTICK != 0 && byte == b'`')
    };
    text.iter().copied().filter(|&byte| !drops(byte)).collect()
}

fn encode_entities(text: &[u8], encodes: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for &byte in text {
        if encodes(byte) {
            out.extend_from_slice(format!("&#{byte};").as_bytes());
        } else {
            out.push(byte);
        }
    }
    out
}

/// Bytes that flags want as entities.
fn is_flagged(byte: u8, flags: i64) -> bool {
    (flags & ENCODE_AMP != 0 && byte == b'&')
        || (flags & ENCODE_LOW != 0 && byte < 32)
        || (flags & ENCODE_HIGH != 0 && byte >= 127)
}

/// The empty text, or null where that is asked for.
fn empty(flags: i64) -> Val {
    if flags & EMPTY_STRING_NULL != 0 { Val::NULL } else { "".into() }
}

pub fn string(text: &[u8], flags: i64) -> Val {
    let quotes = flags & NO_ENCODE_QUOTES == 0;
    let encodes = |byte: u8| (quotes && matches!(byte, b'\'' | b'"')) || is_flagged(byte, flags);
    let encoded = encode_entities(&strip(text, flags), encodes);
    let stripped = phlox_ext_standard::strings::tags::strip(&encoded, &[], true);
    if stripped.is_empty() { empty(flags) } else { stripped.into() }
}

pub fn encoded(text: &[u8], flags: i64) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in strip(text, flags) {
        if byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    out
}

pub fn special_chars(text: &[u8], flags: i64) -> Vec<u8> {
    let encodes = |byte: u8| byte < 32 || b"'\"<>&".contains(&byte) || (flags & ENCODE_HIGH != 0 && byte >= 127);
    encode_entities(&strip(text, flags), encodes)
}

pub fn full_special_chars(call: &Call<'_>, text: &PhpStr, flags: i64) -> PhpResult<Val> {
    const QUOTES: i64 = 3;
    let quotes = if flags & NO_ENCODE_QUOTES == 0 { QUOTES } else { 0 };
    call.vm.call_value(&"htmlentities".into(), vec![text.into(), Val::int(quotes), Val::NULL, Val::FALSE])
}

pub fn unsafe_raw(text: &PhpStr, flags: i64) -> Val {
    if text.is_empty() {
        return empty(flags);
    }
    if flags == 0 {
        return text.into();
    }
    encode_entities(&strip(text, flags), |byte| is_flagged(byte, flags)).into()
}

fn keep(text: &[u8], allowed: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| byte.is_ascii_digit() || allowed.contains(byte)).collect()
}

pub fn email(text: &[u8]) -> Vec<u8> {
    let wanted = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-=?^_`{|}~@.[]".contains(byte);
    text.iter().copied().filter(wanted).collect()
}

pub fn url(text: &[u8]) -> Vec<u8> {
    let wanted = |byte: &u8| byte.is_ascii_alphanumeric() || b"$-_.+!*'(),{}|\\^~[]`<>#%\";/?:@&=".contains(byte);
    text.iter().copied().filter(wanted).collect()
}

pub fn number_int(text: &[u8]) -> Vec<u8> {
    keep(text, b"+-")
}

pub fn number_float(text: &[u8], flags: i64) -> Vec<u8> {
    let mut allowed = b"+-".to_vec();
    for (flag, bytes) in [(ALLOW_FRACTION, &b"."[..]), (ALLOW_THOUSAND, b","), (ALLOW_SCIENTIFIC, b"eE")] {
        if flags & flag != 0 {
            allowed.extend_from_slice(bytes);
        }
    }
    keep(text, &allowed)
}
