//! The transformation formats of Unicode.

use super::BAD;
use phlox_ext_standard_file::base64;

/// Order of bytes. `Marked`: a byte order mark at the beginning decides; without one it is big-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Marked,
    Big,
    Little,
}

/// The code points of UTF-8; each malformed sequence becomes `BAD`.
pub fn decode_utf8(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        codes.extend(chunk.valid().chars().map(|character| character as u32));
        if !chunk.invalid().is_empty() {
            codes.push(BAD);
        }
    }
    codes
}

/// Writes a code point in UTF-8; false if it is above U+10FFFF.
pub fn put_utf8(out: &mut Vec<u8>, code: u32) -> bool {
    match (char::from_u32(code), code) {
        (Some(character), _) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        // Halves of pairs, which UCS-2 may hold, are written as they are.
        (None, 0xD800..=0xDFFF) => {
            out.extend_from_slice(&[0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]);
        }
        _ => return false,
    }
    true
}

/// Units of `size` bytes after any mark; the flag: a unit was cut short.
fn units(text: &[u8], order: Order, size: usize) -> (Vec<u32>, bool) {
    let mark = match size {
        2 => 0xFFFE,
        _ => 0xFFFE_0000,
    };
    let big = |unit: &[u8]| unit.iter().fold(0, |value, &byte| value << 8 | byte as u32);
    let little = |unit: &[u8]| unit.iter().rev().fold(0, |value, &byte| value << 8 | byte as u32);
    let marked = order == Order::Marked;
    let first = text.get(..size).map(big);
    let swap = order == Order::Little || (marked && first == Some(mark));
    let skip = if marked && (swap || first == Some(0xFEFF)) { size } else { 0 };
    let chunks = text[skip..].chunks_exact(size);
    let cut = !chunks.remainder().is_empty();
    (chunks.map(|unit| if swap { little(unit) } else { big(unit) }).collect(), cut)
}

/// The code points of UTF-16; lone surrogates and a unit that is cut off become `BAD`.
pub fn decode_utf16(text: &[u8], order: Order) -> Vec<u32> {
    let (units, cut) = units(text, order, 2);
    let mut codes = Vec::with_capacity(units.len());
    let mut rest = &units[..];
    while let [unit, tail @ ..] = rest {
        rest = tail;
        match (unit, tail) {
            (0xD800..=0xDBFF, [low @ 0xDC00..=0xDFFF, tail @ ..]) => {
                codes.push(0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF));
                rest = tail;
            }
            (0xD800..=0xDFFF, _) => codes.push(BAD),
            _ => codes.push(*unit),
        }
    }
    if cut {
        codes.push(BAD);
    }
    codes
}

/// The units of UCS-2; one that is cut off becomes `BAD`.
pub fn decode_ucs2(text: &[u8], order: Order) -> Vec<u32> {
    let (mut codes, cut) = units(text, order, 2);
    if cut {
        codes.push(BAD);
    }
    codes
}

/// The code points of UTF-32 or, with a higher `limit`, of UCS-4; what lies above the limit becomes `BAD`.
pub fn decode_utf32(text: &[u8], order: Order, limit: u32) -> Vec<u32> {
    let (mut codes, cut) = units(text, order, 4);
    for code in &mut codes {
        let surrogate = limit == 0x10FFFF && (0xD800..0xE000).contains(code);
        if *code > limit || surrogate {
            *code = BAD;
        }
    }
    if cut {
        codes.push(BAD);
    }
    codes
}

fn put_unit(out: &mut Vec<u8>, unit: u32, order: Order, size: usize) {
    let bytes = unit.to_be_bytes();
    match order {
        Order::Little => out.extend(bytes[4 - size..].iter().rev()),
        _ => out.extend_from_slice(&bytes[4 - size..]),
    }
}

/// Writes a code point in UTF-16; false if it is above U+10FFFF.
pub fn put_utf16(out: &mut Vec<u8>, code: u32, order: Order) -> bool {
    match code {
        0..=0xFFFF => put_unit(out, code, order, 2),
        0x10000..=0x10FFFF => {
            put_unit(out, 0xD800 + ((code - 0x10000) >> 10), order, 2);
            put_unit(out, 0xDC00 + (code & 0x3FF), order, 2);
        }
        _ => return false,
    }
    true
}

/// Writes a code point in UCS-2; false if it is above U+FFFF.
pub fn put_ucs2(out: &mut Vec<u8>, code: u32, order: Order) -> bool {
    let fits = code <= 0xFFFF;
    if fits {
        put_unit(out, code, order, 2);
    }
    fits
}

/// Writes a code point in UTF-32 or UCS-4; false if it is above the limit.
pub fn put_utf32(out: &mut Vec<u8>, code: u32, order: Order, limit: u32) -> bool {
    let fits = code <= limit;
    if fits {
        put_unit(out, code, order, 4);
    }
    fits
}

fn base64_value(byte: u8, imap: bool) -> Option<u32> {
    match byte {
        b',' if imap => Some(63),
        b'/' if imap => None,
        _ => base64::value(byte).map(u32::from),
    }
}

/// `imap`: the variant for names of mailboxes, with `&` instead of `+` and `,` instead of `/`.
pub fn decode_utf7(text: &[u8], imap: bool) -> Vec<u32> {
    let shift = if imap { b'&' } else { b'+' };
    let mut codes = Vec::new();
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        if *byte != shift {
            let plain = if imap { (0x20..0x7F).contains(byte) } else { *byte < 0x80 };
            codes.push(if plain { *byte as u32 } else { BAD });
            continue;
        }
        if let [b'-', tail @ ..] = rest {
            codes.push(shift as u32);
            rest = tail;
            continue;
        }
        // PHP ignores a `+` at the end.
        if imap || !rest.is_empty() {
            rest = decode_shifted(&mut codes, rest, imap);
        }
    }
    codes
}

/// UTF-16 in Base64, up to what ends it; gives what follows.
fn decode_shifted<'a>(codes: &mut Vec<u32>, text: &'a [u8], imap: bool) -> &'a [u8] {
    let (mut bits, mut count) = (0u32, 0);
    let mut high = None;
    let mut rest = text;
    while let Some(value) = rest.first().and_then(|&byte| base64_value(byte, imap)) {
        rest = &rest[1..];
        bits = bits << 6 | value;
        count += 6;
        if count >= 16 {
            count -= 16;
            push_unit(codes, bits >> count & 0xFFFF, &mut high, imap);
            bits &= (1 << count) - 1;
        }
    }
    // The remaining bits must be zero padding.
    let cut = count >= 6 || bits != 0 || high.is_some();
    match rest {
        [b'-', tail @ ..] => {
            codes.extend(cut.then_some(BAD));
            tail
        }
        [] => {
            // IMAP's variant requires a `-` at the end.
            let open = imap && count < 6;
            codes.extend((cut && !(open && count == 0)).then_some(BAD));
            codes.extend(open.then_some(BAD));
            rest
        }
        [_, tail @ ..] if imap => {
            codes.push(BAD);
            tail
        }
        [byte, tail @ ..] => {
            codes.extend(cut.then_some(BAD));
            match byte {
                0x80.. => {
                    codes.push(BAD);
                    tail
                }
                _ => rest,
            }
        }
    }
}

/// A unit of UTF-16 behind those before it; `high`: the first half of a pair that waits for the second.
fn push_unit(codes: &mut Vec<u32>, unit: u32, high: &mut Option<u32>, imap: bool) {
    match (high.take(), unit) {
        (Some(first), 0xDC00..=0xDFFF) => return codes.push(0x10000 + ((first & 0x3FF) << 10) + (unit & 0x3FF)),
        (Some(_), _) => codes.push(BAD),
        (None, _) => {}
    }
    // IMAP's variant forbids Base64 for characters that can be written directly.
    let needless = imap && (0x20..0x7F).contains(&unit) && unit != u32::from(b'&');
    match unit {
        0xD800..=0xDBFF => *high = Some(unit),
        0xDC00..=0xDFFF => codes.push(BAD),
        _ => codes.push(if needless { BAD } else { unit }),
    }
}

/// Is the text what an encoder would write?
pub fn is_well_formed_utf7(text: &[u8], imap: bool) -> bool {
    !decode_utf7(text, imap).contains(&BAD) && (imap || has_plain_marks(text))
}

/// Does Base64 follow each `+` (or `-`, or the end), and only characters that UTF-7 writes directly stand outside of it?
fn has_plain_marks(text: &[u8]) -> bool {
    let is_base64 = |byte: u8| base64_value(byte, false).is_some();
    let is_direct =
        |byte: u8| byte.is_ascii_alphanumeric() || b" \t\r\n\0'(),-./:?!\"#$%&*;<=>@[]^_`{|}".contains(&byte);
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = match (byte, tail) {
            (b'+', []) => tail,
            (b'+', [b'-', tail @ ..]) => tail,
            (b'+', [next, ..]) if is_base64(*next) => {
                let length = tail.iter().take_while(|&&byte| is_base64(byte)).count();
                &tail[length..]
            }
            _ if is_direct(*byte) => tail,
            _ => return false,
        };
    }
    true
}

/// The state of an encoder of UTF-7: whether it is between `+` and `-`, and the bits that wait.
#[derive(Default)]
pub struct Utf7State {
    shifted: bool,
    bits: u32,
    count: u32,
}

impl Utf7State {
    /// Writes a code point in UTF-7, or in IMAP's variant of it; false if it is no character.
    pub fn put(&mut self, out: &mut Vec<u8>, code: u32, imap: bool) -> bool {
        if code > 0x10FFFF || (0xD800..0xE000).contains(&code) {
            return false;
        }
        let direct = match (imap, u8::try_from(code)) {
            (true, Ok(byte)) => (0x20..0x7F).contains(&byte),
            (false, Ok(byte)) => byte.is_ascii_alphanumeric() || b" \t\r\n\0'(),-./:?".contains(&byte),
            _ => false,
        };
        let shift = if imap { b'&' } else { b'+' };
        if direct {
            let next = code as u8;
            self.leave(out, imap, imap || next == b'-' || base64_value(next, imap).is_some());
            out.push(next);
            if imap && next == shift {
                out.push(b'-');
            }
            return true;
        }
        if imap && !self.shifted && code == shift as u32 {
            out.extend_from_slice(&[shift, b'-']);
            return true;
        }
        if !self.shifted {
            self.shifted = true;
            out.push(shift);
        }
        let mut units = Vec::new();
        put_utf16(&mut units, code, Order::Big);
        for byte in units {
            self.bits = self.bits << 8 | byte as u32;
            self.count += 8;
            while self.count >= 6 {
                self.count -= 6;
                out.push(symbol(self.bits >> self.count, imap));
            }
        }
        true
    }

    fn leave(&mut self, out: &mut Vec<u8>, imap: bool, mark: bool) {
        if !self.shifted {
            return;
        }
        if self.count > 0 {
            out.push(symbol(self.bits << (6 - self.count), imap));
        }
        if mark {
            out.push(b'-');
        }
        *self = Utf7State::default();
    }

    /// Ends a text: what waits in Base64 is written.
    pub fn end(&mut self, out: &mut Vec<u8>, imap: bool) {
        self.leave(out, imap, true);
    }
}

fn symbol(bits: u32, imap: bool) -> u8 {
    match base64::DIGITS[(bits & 63) as usize] {
        b'/' if imap => b',',
        symbol => symbol,
    }
}
