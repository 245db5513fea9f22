//! Words of mail headers: `=?UTF-8?B?...?=`.

use crate::convert::to_internal;
use crate::encoding::{Encoding, Kind, Substitute, decode, encode, find};
use crate::state::{current_language, internal};
use phlox_runtime::{Call, FnDef, PhpResult, Throw, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "mb_encode_mimeheader(string $string, ?string $charset = null, ?string $transfer_encoding = null, string $newline = \"\\r\\n\", int $indent = 0): string",
        mb_encode_mimeheader,
    ),
    FnDef::new("mb_decode_mimeheader(string $string): string", mb_decode_mimeheader),
];

/// Columns of a line.
const LINE: usize = 74;

struct Words<'a> {
    charset: &'a Encoding,
    base64: bool,
    newline: &'a [u8],
    out: Vec<u8>,
    column: usize,
}

fn not_a_charset(call: &Call<'_>, name: &[u8]) -> Throw {
    let name = phlox_runtime::shown(name);
    call.value_error(1, &format!("\"{name}\" cannot be used for MIME header encoding"))
}

fn mb_encode_mimeheader(call: &mut Call<'_>) -> PhpResult<Val> {
    let language = current_language(call.vm);
    let mut base64 = language.header == "BASE64";
    let charset = match call.opt_str(1) {
        None => find(language.charset.as_bytes()).unwrap_or_else(|| internal(call.vm)),
        Some(name) => match find(&name) {
            None => {
                return Err(call.value_error(
                    1,
                    &format!("must be a valid encoding, \"{}\" given", crate::state::as_c_text(&name)),
                ));
            }
            Some(encoding) => {
                base64 = true;
                let carries_bytes = matches!(encoding.kind, Kind::QuotedPrintable | Kind::Base64 | Kind::Uuencode);
                if encoding.mime.is_empty() || carries_bytes {
                    return Err(not_a_charset(call, &name));
                }
                encoding
            }
        },
    };
    match call.opt_str(2).as_ref().and_then(|name| name.first().copied()) {
        Some(b'B' | b'b') => base64 = true,
        Some(b'Q' | b'q') => base64 = false,
        _ => {}
    }
    let newline = call.str(3);
    let codes = decode(internal(call.vm), &call.str(0));
    let indent = usize::try_from(call.int(4)).unwrap_or(0).min(LINE);
    Ok(encode_header(&codes, charset, base64, &newline, indent).into())
}

/// A header's value as encoded words, where it needs them.
pub fn encode_header(
    codes: &[u32],
    charset: &'static Encoding,
    base64: bool,
    newline: &[u8],
    indent: usize,
) -> Vec<u8> {
    let mut words = Words { charset, base64, newline, out: Vec::new(), column: indent };
    words.write(codes);
    words.out
}

impl Words<'_> {
    fn write(&mut self, codes: &[u32]) {
        let is_plain = |code: &u32| (0x20..0x7F).contains(code) && *code != b'=' as u32 || *code == 0x09;
        // Words of plain characters stay as they are up to the first that is not.
        let mut rest = codes;
        while let Some(end) = rest.iter().position(|&code| code == b' ' as u32).or(Some(rest.len()))
            && !rest.is_empty()
            && rest[..end].iter().all(is_plain)
        {
            let word: Vec<u8> = rest[..end].iter().map(|&code| code as u8).collect();
            let more = end < rest.len();
            if self.column + word.len() > LINE && self.column > 1 && !self.out.is_empty() {
                if self.out.last() == Some(&b' ') {
                    self.out.pop();
                }
                self.break_line();
            }
            self.column += word.len() + more as usize;
            self.out.extend_from_slice(&word);
            if more {
                self.out.push(b' ');
            }
            rest = &rest[(end + 1).min(rest.len())..];
        }
        if !rest.is_empty() {
            self.encoded_words(rest);
        }
    }

    fn break_line(&mut self) {
        self.out.extend_from_slice(self.newline);
        self.out.push(b' ');
        self.column = 1;
    }

    fn encoded_words(&mut self, codes: &[u32]) {
        let frame = self.charset.mime.len() + 7;
        let mut rest = codes;
        let mut first = true;
        while !rest.is_empty() {
            if self.column + frame + 12 > LINE && self.column > 1 {
                if first && self.out.last() == Some(&b' ') {
                    self.out.pop();
                }
                self.break_line();
            }
            let room = (LINE + if self.base64 { 0 } else { 2 }).saturating_sub(self.column + frame);
            let mut count = 1;
            while count < rest.len() && self.payload(&rest[..count + 1]).len() <= room {
                count += 1;
            }
            let payload = self.payload(&rest[..count]);
            let kind = if self.base64 { 'B' } else { 'Q' };
            let head = format!("=?{}?{kind}?", self.charset.mime);
            self.out.extend_from_slice(&[head.as_bytes(), &payload, b"?="].concat());
            self.column += frame + payload.len();
            rest = &rest[count..];
            first = false;
            if !rest.is_empty() {
                self.break_line();
            }
        }
    }

    fn payload(&self, codes: &[u32]) -> Vec<u8> {
        let (bytes, _) = encode(self.charset, codes, Substitute::QUESTION_MARK);
        if self.base64 {
            let base64 = find(b"BASE64").unwrap_or(self.charset);
            let codes: Vec<u32> = bytes.iter().map(|&byte| byte as u32).collect();
            let mut text = encode(base64, &codes, Substitute::NONE).0;
            text.retain(|byte| !byte.is_ascii_whitespace());
            return text;
        }
        let mut out = Vec::new();
        for byte in bytes {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'!' | b'*' | b'+' | b'-' | b'/' => out.push(byte),
                _ => out.extend_from_slice(format!("={byte:02X}").as_bytes()),
            }
        }
        out
    }
}

/// An encoded word at the beginning: charset, bytes, and length.
fn encoded_word(text: &[u8]) -> Option<(&[u8], Vec<u8>, usize)> {
    let rest = text.strip_prefix(b"=?")?;
    let charset_end = rest.iter().position(|&byte| byte == b'?')?;
    let (charset, rest) = (&rest[..charset_end], &rest[charset_end + 1..]);
    let [kind, b'?', rest @ ..] = rest else { return None };
    let end = rest.windows(2).position(|pair| pair == b"?=").unwrap_or(rest.len());
    let payload = &rest[..end];
    find(charset)?;
    let bytes = match kind {
        b'B' | b'b' => {
            let codes = decode(find(b"BASE64")?, payload);
            codes.into_iter().map(|code| code as u8).collect()
        }
        b'Q' | b'q' => {
            let spaced: Vec<u8> = payload.iter().map(|&byte| if byte == b'_' { b' ' } else { byte }).collect();
            let codes = decode(find(b"Quoted-Printable")?, &spaced);
            codes.into_iter().map(|code| code as u8).collect()
        }
        _ => return None,
    };
    let length = text.len() - rest.len() + (end + 2).min(rest.len());
    Some((charset, bytes, length))
}

fn mb_decode_mimeheader(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut out = Vec::new();
    let mut rest = &text[..];
    let mut after_word = false;
    // Bytes of neighbouring words in one charset may share a character.
    let mut pending: Option<(Vec<u8>, Vec<u8>)> = None;
    while !rest.is_empty() {
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some((charset, bytes, length)) = encoded_word(&rest[blank..]) {
            if blank > 0 && !after_word {
                out.push(b' ');
            }
            match &mut pending {
                Some((current, held)) if current.eq_ignore_ascii_case(charset) => held.extend_from_slice(&bytes),
                _ => {
                    if let Some((charset, held)) = pending.take() {
                        out.extend_from_slice(&to_internal(call.vm, &held, &charset));
                    }
                    pending = Some((charset.to_vec(), bytes));
                }
            }
            rest = &rest[blank + length..];
            after_word = true;
            continue;
        }
        if let Some((charset, held)) = pending.take() {
            out.extend_from_slice(&to_internal(call.vm, &held, &charset));
        }
        after_word = false;
        if blank > 0 {
            let folded = rest[..blank].iter().any(|byte| matches!(byte, b'\r' | b'\n'));
            out.extend_from_slice(if folded { b" " } else { &rest[..blank] });
            rest = &rest[blank..];
            continue;
        }
        // Outside of words a header is ASCII.
        out.push(if rest[0].is_ascii() { rest[0] } else { b'?' });
        rest = &rest[1..];
    }
    if let Some((charset, held)) = pending {
        out.extend_from_slice(&to_internal(call.vm, &held, &charset));
    }
    Ok(out.into())
}
