//! Characters to entities.

use super::{Charset, Doctype, Flags, is_allowed, is_known, replacement};
use phlox_runtime::{PhpStr, StrBuilder};

/// ASCII that is allowed everywhere and has no entity before HTML 5.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 0x7f {
        plain[byte] = matches!(byte as u8, b'\t' | b'\n' | b'\r' | b' '..=b'~')
            && !matches!(byte as u8, b'&' | b'<' | b'>' | b'"' | b'\'');
        byte += 1;
    }
    plain
};

/// Escapes the special characters, or with `all` everything that has an entity. Invalid text gives an empty
/// string unless the flags say what to do with it.
pub(super) fn encode(text: &PhpStr, all: bool, flags: Flags, charset: Charset, double: bool) -> PhpStr {
    let mut out = StrBuilder::with_capacity(text.len() + text.len() / 8);
    let substitute = replacement(charset);
    // HTML 5 has names for other characters of ASCII, too.
    let has_plain = !(all && flags.doctype == Doctype::Html5);
    let mut at = 0;
    while at < text.len() {
        if has_plain {
            let plain = text[at..].iter().take_while(|&&byte| PLAIN[byte as usize]).count();
            out.extend_from_slice(&text[at..at + plain]);
            at += plain;
            if at == text.len() {
                break;
            }
        }
        let (code, length) = match charset.next(&text[at..]) {
            Ok(character) => character,
            Err(invalid) => {
                match (flags.ignore, flags.substitute) {
                    (true, _) => {}
                    (false, true) => out.extend_from_slice(&substitute),
                    (false, false) => return PhpStr::empty(),
                }
                at += invalid;
                continue;
            }
        };
        let raw = &text[at..at + length];
        at += length;
        if code == 0x26
            && !double
            && let Some(length) = existing_entity(&text[at..], flags)
        {
            out.extend_from_slice(&text[at - 1..at + length]);
            at += length;
            continue;
        }
        if all
            && flags.doctype == Doctype::Html5
            && let Some((name, length)) = pair_entity(code, &text[at..], charset)
        {
            out.extend_from_slice(format!("&{name};").as_bytes());
            at += length;
            continue;
        }
        if all && code == 0x27 && flags.single_quotes && flags.doctype == Doctype::Xhtml {
            // Among all entities of XHTML there is no name for the apostrophe.
            out.extend_from_slice(b"&#039;");
            continue;
        }
        match flags.doctype.special(code).filter(|_| flags.converts_quote(code)) {
            Some(entity) => out.extend_from_slice(entity.as_bytes()),
            None if flags.replace_disallowed && is_known(code, charset, all) && !is_allowed(code, flags.doctype) => {
                out.extend_from_slice(&substitute);
            }
            None if all && !matches!(code, 0x22 | 0x27) => match flags.doctype.entities().names.get(&[code][..]) {
                Some(name) => out.extend_from_slice(format!("&{name};").as_bytes()),
                None => out.extend_from_slice(raw),
            },
            None => out.extend_from_slice(raw),
        }
    }
    if *out == *text.as_bytes() { text.clone() } else { out.finish() }
}

/// The characters that are escaped everywhere.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut at = 0;
    while at < b"&<>\"'".len() {
        special[b"&<>\"'"[at] as usize] = true;
        at += 1;
    }
    special
};

/// The special characters of a text whose other characters stay as they are.
pub(super) fn encode_special(text: &PhpStr, flags: Flags) -> PhpStr {
    let next = |from: usize| text[from..].iter().position(|&byte| SPECIAL[byte as usize]).map(|skip| from + skip);
    let Some(mut at) = next(0) else { return text.clone() };
    let mut out = StrBuilder::with_capacity(text.len() + text.len() / 8);
    let mut copied = 0;
    loop {
        let code = text[at].into();
        if let Some(entity) = flags.doctype.special(code).filter(|_| flags.converts_quote(code)) {
            out.extend_from_slice(&text[copied..at]);
            out.extend_from_slice(entity.as_bytes());
            copied = at + 1;
        }
        match next(at + 1) {
            Some(following) => at = following,
            None => break,
        }
    }
    out.extend_from_slice(&text[copied..]);
    out.finish()
}

/// HTML 5 has entities for some pairs: the name, and the bytes of the second character.
fn pair_entity(code: u32, rest: &[u8], charset: Charset) -> Option<(&'static str, usize)> {
    if rest.is_empty() {
        return None;
    }
    let (second, length) = charset.next(rest).ok()?;
    let name = Doctype::Html5.entities().names.get(&[code, second][..])?;
    Some((name, length))
}

/// May the character be written as a number?
fn may_be_numeric(code: u32, doctype: Doctype) -> bool {
    match doctype {
        Doctype::Html401 => true,
        // HTML 5 permits surrogates as numbers, but no carriage return.
        Doctype::Html5 => code != 13 && (is_allowed(code, doctype) || (0xd800..0xe000).contains(&code)),
        Doctype::Xml1 | Doctype::Xhtml => is_allowed(code, doctype),
    }
}

/// Length of an entity whose `&` was just read, if it is one already.
fn existing_entity(rest: &[u8], flags: Flags) -> Option<usize> {
    let end = rest.iter().position(|&b| b == b';')?;
    let body = std::str::from_utf8(&rest[..end]).ok()?;
    let valid = match body.strip_prefix('#') {
        Some(number) => {
            let code = super::decode::numeric_code(number)?;
            // Only with the flag for disallowed characters is it checked whether the character may be written as a
            // number.
            !flags.replace_disallowed || may_be_numeric(code, flags.doctype)
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
