//! Entities to characters.

use super::{Charset, Doctype, Flags, is_allowed};
use phlox_runtime::PhpStr;

/// Replaces the entities of the five special characters, or with `all` every one that the charset can write.
pub(super) fn decode(text: &PhpStr, all: bool, flags: Flags, charset: Charset) -> PhpStr {
    if !text.contains(&b'&') {
        return text.clone();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'&'
            && let Some(length) = decode_one(&mut out, &text[at + 1..], all, flags, charset)
        {
            at += 1 + length;
            continue;
        }
        out.push(text[at]);
        at += 1;
    }
    out.into()
}

/// The number of `&#39;` or `&#x27;` between `#` and `;`.
pub(super) fn numeric_code(text: &str) -> Option<u32> {
    let (digits, radix) = match text.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    u32::from_str_radix(significant, radix).ok().filter(|&code| code <= 0x10ffff)
}

/// Decodes the entity whose `&` was just read; gives its length. Nothing is written when it stays as it is.
fn decode_one(out: &mut Vec<u8>, rest: &[u8], all: bool, flags: Flags, charset: Charset) -> Option<usize> {
    const LONGEST_NAME: usize = 40;
    let end = rest.iter().take(LONGEST_NAME).position(|&b| b == b';')?;
    let body = std::str::from_utf8(&rest[..end]).ok()?;
    let codes = match body.strip_prefix('#') {
        Some(number) => {
            let code = numeric_code(number)?;
            let carriage_return = flags.doctype == Doctype::Html5 && code == 13;
            if !is_allowed(code, flags.doctype) || carriage_return {
                return None;
            }
            vec![code]
        }
        None => match flags.doctype.entities().codes.get(body) {
            Some(codes) => codes.clone(),
            None if body == "apos" && flags.doctype == Doctype::Xhtml => vec![0x27],
            None => return None,
        },
    };
    let special = codes.len() == 1 && matches!(codes[0], 0x22 | 0x26 | 0x27 | 0x3c | 0x3e);
    if !all && !special || !codes.iter().all(|&code| flags.converts_quote(code)) {
        return None;
    }
    let before = out.len();
    // PHP decodes entities of two characters to UTF-8 only.
    if codes.len() > 1 && !matches!(charset, Charset::Utf8) {
        return None;
    }
    if !codes.iter().all(|&code| charset.push(out, code)) {
        out.truncate(before);
        return None;
    }
    Some(end + 1)
}
