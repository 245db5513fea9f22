//! Sources of scripts in other encodings (`zend.multibyte`).
//!
//! The compiler reads encodings that are supersets of ASCII. A source in another encoding is converted to UTF-8 first,
//! and the strings of its unit to the internal encoding afterwards.

use crate::detect::detect;
use crate::encoding::{Encoding, Kind, Substitute, decode, encode, find};
use crate::state::{configured_internal, parse_list};
use phlox_runtime::Vm;
use phlox_runtime::source_encoding::Recoded;
use phlox_runtime::source_encoding::{DETECT_UNICODE, SCRIPT_ENCODING};

/// Encodings of several bytes a character whose later bytes may be those of ASCII characters, or that switch.
const UNREADABLE: &[&str] = &[
    "BIG-5",
    "CP950",
    "CP936",
    "GB18030",
    "GB18030-2022",
    "HZ",
    "JIS",
    "ISO-2022-KR",
    "ISO-2022-JP",
    "ISO-2022-JP-2004",
    "ISO-2022-JP-MS",
    "CP50220",
    "CP50221",
    "CP50222",
    "CP932",
    "SJIS",
    "SJIS-win",
    "SJIS-2004",
    "SJIS-mac",
    "SJIS-Mobile#DOCOMO",
    "SJIS-Mobile#KDDI",
    "SJIS-Mobile#SOFTBANK",
    "ISO-2022-JP-MOBILE#KDDI",
];

fn is_readable(encoding: &Encoding) -> bool {
    let wide = matches!(
        encoding.kind,
        Kind::Utf16(_) | Kind::Ucs2(_) | Kind::Utf32(_) | Kind::Ucs4(_) | Kind::Utf7 | Kind::Utf7Imap
    );
    let transfer = matches!(encoding.kind, Kind::Base64 | Kind::Uuencode | Kind::HtmlEntities | Kind::QuotedPrintable);
    !wide && !transfer && !UNREADABLE.contains(&encoding.name)
}

/// The marks that a source may begin with, longer ones first.
const MARKS: &[(&[u8], &str)] = &[
    (b"\0\0\xfe\xff", "UTF-32BE"),
    (b"\xff\xfe\0\0", "UTF-32LE"),
    (b"\xfe\xff", "UTF-16BE"),
    (b"\xff\xfe", "UTF-16LE"),
    (b"\xef\xbb\xbf", "UTF-8"),
];

fn convert(text: &[u8], from: &Encoding, to: &Encoding) -> Vec<u8> {
    encode(to, &decode(from, text), Substitute::QUESTION_MARK).0
}

/// The encoding that the settings name for sources.
fn configured(vm: &Vm, source: &[u8]) -> Option<&'static Encoding> {
    let list = parse_list(vm, &vm.ini.get(&SCRIPT_ENCODING)).ok()?;
    match list.as_slice() {
        [] => None,
        [only] => Some(only),
        several => detect(&[source], several, false, false),
    }
}

/// Converts a source whose encoding is known or declared.
pub fn recode(vm: &Vm, source: &[u8], is_eval: bool) -> Option<Recoded> {
    let target = configured_internal(vm);
    if is_eval {
        return recoded(source, 0, 0, target, target);
    }
    let marked = vm.ini.get(&DETECT_UNICODE).then(|| MARKS.iter().find(|(mark, _)| source.starts_with(mark)));
    if let Some((mark, name)) = marked.flatten() {
        return recoded(source, mark.len(), mark.len(), find(name.as_bytes())?, target);
    }
    if let Some((from, name)) = declared(source) {
        if let Some(encoding) = find(name) {
            return recoded(source, 0, from, encoding, target);
        }
    }
    recoded(source, 0, 0, configured(vm, source)?, target)
}

/// The source without its first `skip` bytes, of which those from `from` on are in `script`.
fn recoded(
    source: &[u8],
    skip: usize,
    from: usize,
    script: &'static Encoding,
    target: &'static Encoding,
) -> Option<Recoded> {
    let utf8 = find(b"UTF-8")?;
    let (readable, texts) = match (is_readable(script), is_readable(target)) {
        (true, _) if script == target => (script, None),
        (_, true) => (target, None),
        (true, false) => (script, Some((script, target))),
        (false, false) => (utf8, Some((utf8, target))),
    };
    // A byte order mark stays if nothing is converted.
    if script == readable && texts.is_none() {
        return None;
    }
    let body = &source[from..];
    let body = if script == readable { body.to_vec() } else { convert(body, script, readable) };
    Some(Recoded {
        source: [&source[skip..from], &body].concat(),
        texts: texts.map(|(from, to)| Box::new(move |text: &[u8]| convert(text, from, to)) as Box<_>),
    })
}

/// The encoding that a `declare` at the beginning names, and where the text behind it begins.
fn declared(source: &[u8]) -> Option<(usize, &[u8])> {
    let mut rest = source.strip_prefix(b"<?php")?;
    loop {
        rest = without_space(rest)?;
        let word = rest.get(..7).filter(|word| word.eq_ignore_ascii_case(b"declare"))?;
        let list = without_space(&rest[word.len()..])?.strip_prefix(b"(")?;
        let end = list.iter().position(|&byte| byte == b')')?;
        rest = &list[end + 1..];
        let named = list[..end].split(|&byte| byte == b',').find_map(|directive| {
            let equals = directive.iter().position(|&byte| byte == b'=')?;
            let (name, value) = (directive[..equals].trim_ascii(), directive[equals + 1..].trim_ascii());
            let quote = *value.first().filter(|byte| matches!(byte, b'\'' | b'"'))?;
            let value = value.strip_suffix(&[quote])?.get(1..)?;
            name.eq_ignore_ascii_case(b"encoding").then_some(value)
        });
        if let Some(name) = named {
            return Some((source.len() - rest.len(), name));
        }
        rest = without_space(rest)?.strip_prefix(b";")?;
    }
}

/// The text behind white space and comments.
fn without_space(mut text: &[u8]) -> Option<&[u8]> {
    loop {
        text = text.trim_ascii_start();
        text = match text {
            [b'/', b'*', comment @ ..] => &comment[comment.windows(2).position(|pair| pair == b"*/")? + 2..],
            [b'#', b'[', ..] => return Some(text),
            [b'#', ..] | [b'/', b'/', ..] => &text[text.iter().position(|&byte| byte == b'\n')?..],
            _ => return Some(text),
        };
    }
}
