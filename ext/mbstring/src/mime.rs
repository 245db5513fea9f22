//! Words of mail headers: `=?UTF-8?B?...?=`.

use crate::encoding::{BAD, Encoding, Kind, Substitute, decode, encode, find};
use crate::state::{current_language, internal};
use phlox_runtime::{Call, FnDef, PhpResult, Throw, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "mb_encode_mimeheader(string $string, #[not_null] ?string $charset = null, #[not_null] ?string $transfer_encoding = null, string $newline = \"\\r\\n\", int $indent = 0): string",
        mb_encode_mimeheader,
    ),
    FnDef::new("mb_decode_mimeheader(string $string): string", mb_decode_mimeheader),
];

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
    if is_one_plain_word(&codes) {
        return Ok(call.str(0).into());
    }
    let indent = usize::try_from(call.int(4)).ok().filter(|&indent| indent < INDENT_MAX).unwrap_or(0);
    let newline = phlox_runtime::until_nul(&newline);
    let newline = &newline[..newline.len().min(NEWLINE_MAX)];
    Ok(encode_header(&codes, charset, base64, newline, indent).into())
}

/// A header's value as encoded words, where it needs them.
pub fn encode_header(
    codes: &[u32],
    charset: &'static Encoding,
    base64: bool,
    newline: &[u8],
    indent: usize,
) -> Vec<u8> {
    if is_one_plain_word(codes) {
        return codes.iter().map(|&code| code as u8).collect();
    }
    let mut header = Header { charset, base64, newline, indent, out: Vec::new(), line_start: 0 };
    if let Some(first) = header.plain_words(codes) {
        header.encoded_words(&codes[first..]);
    }
    header.out
}

/// Bytes of a line end, and columns of an indent, beyond which the given ones are not taken unchanged.
const NEWLINE_MAX: usize = 8;
const INDENT_MAX: usize = 74;

/// Values are read in pieces of this many characters. A piece without a space, except near its beginning, is encoded.
const PIECE: usize = 90;
const PIECE_ROOM: usize = 5;

const SPACE: u32 = b' ' as u32;

/// Can the character stand in a header as it is?
fn is_plain(code: u32) -> bool {
    (0x20..0x7F).contains(&code) && ![b'?', b'=', b'_'].map(u32::from).contains(&code)
}

/// A value without anything to encode or to break, but for spaces in front of it.
fn is_one_plain_word(codes: &[u32]) -> bool {
    let is_inside = |&code: &u32| code != SPACE && is_plain(code);
    codes.iter().skip_while(|&&code| code == SPACE).all(is_inside)
}

struct Header<'a> {
    charset: &'a Encoding,
    base64: bool,
    newline: &'a [u8],
    /// Columns of the first line that the header's name takes.
    indent: usize,
    out: Vec<u8>,
    line_start: usize,
}

impl Header<'_> {
    fn column(&self) -> usize {
        self.out.len() - self.line_start + self.indent
    }

    /// Writes the separator before a word: a new line, or a space unless the word is the first.
    fn separate(&mut self, breaks: bool) {
        if breaks {
            self.out.extend_from_slice(self.newline);
            self.out.push(b' ');
            self.indent = 0;
            self.line_start = self.out.len();
        } else if !self.out.is_empty() {
            self.out.push(b' ');
        }
    }

    fn put_plain(&mut self, codes: &[u32]) {
        self.out.extend(codes.iter().map(|&code| code as u8));
    }

    /// Writes words of plain characters up to the first that is not one; from there on everything is encoded.
    fn plain_words(&mut self, codes: &[u32]) -> Option<usize> {
        const WORD_MAX: usize = 74;
        let mut start = 0;
        loop {
            let end = (start + PIECE).min(codes.len());
            let (mut word, mut at) = (start, start);
            while at < end && codes[at] == SPACE && at - word <= WORD_MAX {
                at += 1;
            }
            while at < end {
                let code = codes[at];
                at += 1;
                if !is_plain(code) || (code == SPACE && at - word > WORD_MAX) {
                    return Some(word);
                }
                if code == SPACE {
                    self.separate(self.column() + (at - word) > WORD_MAX + 1);
                    self.put_plain(&codes[word..at - 1]);
                    word = at;
                    at += codes[at..end].iter().take_while(|&&code| code == SPACE).count();
                }
            }
            if end == codes.len() {
                if word < end && !self.out.is_empty() {
                    self.separate(self.column() + (at - word) > WORD_MAX);
                }
                self.put_plain(&codes[word..]);
                return None;
            }
            if word - start < PIECE_ROOM {
                return Some(word);
            }
            start = word;
        }
    }

    /// Writes all characters in encoded words, one a line, as many in each as there is room for.
    fn encoded_words(&mut self, codes: &[u32]) {
        const COLUMN_MAX: usize = 55;
        const LINE: usize = 73;
        self.separate(self.column() + self.charset.mime.len() > COLUMN_MAX);
        let kind = if self.base64 { 'B' } else { 'Q' };
        let mut rest = codes;
        while !rest.is_empty() {
            self.out.extend_from_slice(format!("=?{}?{kind}?", self.charset.mime).as_bytes());
            let room = LINE.saturating_sub(self.column());
            let mut count = 1;
            while count < rest.len() && self.payload(&rest[..count + 1]).len() <= room {
                count += 1;
            }
            let payload = self.payload(&rest[..count]);
            self.out.extend_from_slice(&payload);
            self.out.extend_from_slice(b"?=");
            rest = &rest[count..];
            if !rest.is_empty() {
                self.separate(true);
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

/// An encoded word at the beginning: its encoding, its bytes, and where it ends, which may be behind the text.
fn encoded_word(text: &[u8]) -> Option<(&'static Encoding, Vec<u8>, usize)> {
    const SHORTEST: usize = 6;
    let rest = text.strip_prefix(b"=?").filter(|_| text.len() >= SHORTEST)?;
    let charset_end = rest.iter().position(|&byte| byte == b'?')?;
    let [kind, b'?', payload @ ..] = &rest[charset_end + 1..] else { return None };
    let encoding = find(&rest[..charset_end])?;
    let start = text.len() - payload.len();
    let end = payload.windows(2).position(|pair| pair == b"?=").unwrap_or_else(|| {
        // A word that is cut off may lack the last sign.
        payload.len() - usize::from(payload.ends_with(b"?"))
    });
    let bytes = match kind {
        b'B' | b'b' => from_base64(&payload[..end]),
        b'Q' | b'q' => from_quoted(&payload[..end]),
        _ => return None,
    };
    Some((encoding, bytes, start + end + 2))
}

/// The bytes of an encoded word of kind Q. A malformed escape loses the two characters behind its `=`.
fn from_quoted(mut text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let mut bytes = Vec::with_capacity(text.len());
    while let [first, rest @ ..] = text {
        text = rest;
        let [second, third, behind @ ..] = rest else {
            bytes.push(if *first == b'_' { b' ' } else { *first });
            continue;
        };
        match (*first, *second, *third) {
            (b'_', ..) => bytes.push(b' '),
            (b'=', b'\r', b'\n') => text = behind,
            (b'=', b'\r' | b'\n', _) => text = &rest[1..],
            (b'=', high, low) => {
                text = behind;
                match (digit(high), digit(low)) {
                    (Some(high), Some(low)) => bytes.push(high << 4 | low),
                    _ => bytes.push(b'='),
                }
            }
            (other, ..) => bytes.push(other),
        }
    }
    bytes
}

/// The bytes of an encoded word of kind B; a question mark for each character that does not belong there.
fn from_base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut count, mut bits) = (0, 0u32);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'\r' | b'\n' | b' ' | b'\t' | b'=' => continue,
            _ => {
                bytes.push(b'?');
                continue;
            }
        };
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (count, bits) = (0, 0);
        }
    }
    match count {
        3 => bytes.extend_from_slice(&((bits >> 2) as u16).to_be_bytes()),
        2 => bytes.push((bits >> 4) as u8),
        _ => {}
    }
    bytes
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn mb_decode_mimeheader(call: &mut Call<'_>) -> PhpResult<Val> {
    let codes = decode_header(&call.str(0));
    Ok(encode(internal(call.vm), &codes, Substitute::QUESTION_MARK).0.into())
}

/// The characters of a header with its encoded words decoded. Space between two encoded words is dropped, and lines are
/// joined.
fn decode_header(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    let mut space_pending = false;
    let mut at = 0;
    while at < text.len() {
        if let Some((encoding, bytes, length)) = encoded_word(&text[at..]) {
            codes.extend(decode(encoding, &bytes));
            let behind = text.get(at + length..).unwrap_or_default();
            let blank = behind.iter().take_while(|&&byte| is_blank(byte)).count();
            space_pending = blank > 0;
            at += length + blank;
            continue;
        }
        if std::mem::take(&mut space_pending) {
            codes.push(SPACE);
        }
        let is_line_end = |byte: u8| matches!(byte, b'\r' | b'\n');
        if !is_line_end(text[at]) {
            let ends = |&byte: &u8| byte == b'=' || is_line_end(byte);
            let end = text[at + 1..].iter().position(ends).map_or(text.len(), |length| at + 1 + length);
            // Outside of words a header is ASCII.
            codes.extend(text[at..end].iter().map(|&byte| if byte.is_ascii() { byte.into() } else { BAD }));
            at = end;
        }
        if text.get(at).is_some_and(|&byte| is_line_end(byte)) {
            at += text[at..].iter().take_while(|&&byte| is_blank(byte)).count();
            if at < text.len() {
                codes.push(SPACE);
            }
        }
    }
    codes
}
