//! Characters to entities.

use super::{Charset, Doctype, Flags, is_allowed, replacement};
use phlox_runtime::PhpStr;

/// Escapes the special characters, or with `all` everything that has an entity. Invalid text gives an empty
/// string unless the flags say what to do with it.
pub(super) fn encode(text: &PhpStr, all: bool, flags: Flags, charset: Charset, double: bool) -> PhpStr {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    let substitute = replacement(charset);
    let mut at = 0;
    while at < text.len() {
        let (code, length) = match charset.next(&text[at..]) {
            Ok(character) => character,
            Err(invalid) => {
                if flags.substitute {
                    out.extend_from_slice(&substitute);
                } else if !flags.ignore {
                    return PhpStr::empty();
                }
                at += invalid;
                continue;
            }
        };
        let raw = &text[at..at + length];
        at += length;
        if code == 0x26 && !double {
            if let Some(length) = existing_entity(&text[at..], flags) {
                out.extend_from_slice(&text[at - 1..at + length]);
                at += length;
                continue;
            }
        }
        match flags.doctype.special(code).filter(|_| flags.converts_quote(code)) {
            Some(entity) => out.extend_from_slice(entity.as_bytes()),
            None if flags.replace_disallowed && code != u32::MAX && !is_allowed(code, flags.doctype) => {
                out.extend_from_slice(&substitute);
            }
            None if all && !matches!(code, 0x22 | 0x27) => {
                at += push_named(&mut out, code, raw, &text[at..], flags.doctype, charset);
            }
            None => out.extend_from_slice(raw),
        }
    }
    if out == text.as_bytes() { text.clone() } else { out.into() }
}

/// Writes the character's entity, or the character; HTML 5 has entities for some pairs. Gives the bytes of the
/// second character that were used.
fn push_named(out: &mut Vec<u8>, code: u32, raw: &[u8], rest: &[u8], doctype: Doctype, charset: Charset) -> usize {
    let names = &doctype.entities().names;
    if doctype == Doctype::Html5 && !rest.is_empty() {
        if let Ok((second, length)) = charset.next(rest) {
            if let Some(name) = names.get(&[code, second][..]) {
                out.extend_from_slice(format!("&{name};").as_bytes());
                return length;
            }
        }
    }
    match names.get(&[code][..]) {
        Some(name) => out.extend_from_slice(format!("&{name};").as_bytes()),
        None => out.extend_from_slice(raw),
    }
    0
}

/// Length of an entity whose `&` was just read, if it is one already.
fn existing_entity(rest: &[u8], flags: Flags) -> Option<usize> {
    let end = rest.iter().position(|&b| b == b';')?;
    let body = std::str::from_utf8(&rest[..end]).ok()?;
    let valid = match body.strip_prefix('#') {
        Some(number) => {
            let code = super::decode::numeric_code(number)?;
            // Only the strict modes ask whether the character may be written so.
            !flags.replace_disallowed || is_allowed(code, flags.doctype)
        }
        None => {
            let shaped = !body.is_empty() && body.bytes().all(|b| b.is_ascii_alphanumeric());
            shaped
                && (flags.doctype.entities().codes.contains_key(body)
                    || flags.doctype == Doctype::Xhtml && body == "apos")
        }
    };
    valid.then_some(end + 1)
}
