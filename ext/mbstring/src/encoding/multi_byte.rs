//! The East Asian encodings, over the tables of `encoding_rs`.

use super::BAD;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding as Table, GB18030, GBK, SHIFT_JIS};

/// A character set in the form that it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    ShiftJis,
    EucJp,
    /// Escape sequences between ASCII, JIS X 0201 and JIS X 0208.
    Iso2022Jp,
    Gb18030,
    Gbk,
    EucCn,
    /// GB 2312 between `~{` and `~}`.
    Hz,
    Big5,
    EucKr,
    Uhc,
    Iso2022Kr,
}

/// The character set that a stateful encoding is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// Nothing has been written yet.
    #[default]
    Start,
    Ascii,
    Roman,
    Kana,
    Double,
}

fn table(set: Set) -> &'static Table {
    match set {
        Set::ShiftJis => SHIFT_JIS,
        Set::EucJp | Set::Iso2022Jp => EUC_JP,
        Set::Gb18030 => GB18030,
        Set::Gbk | Set::EucCn | Set::Hz => GBK,
        Set::Big5 => BIG5,
        Set::EucKr | Set::Uhc | Set::Iso2022Kr => EUC_KR,
    }
}

/// Must both bytes of a character be from 0xA1 on?
fn is_euc(set: Set) -> bool {
    matches!(set, Set::EucCn | Set::Hz | Set::EucKr | Set::Iso2022Kr)
}

fn lookup(table: &'static Table, bytes: &[u8]) -> u32 {
    let (text, malformed) = table.decode_without_bom_handling(bytes);
    let mut characters = text.chars();
    match (malformed, characters.next(), characters.next()) {
        (false, Some(character), None) => character as u32,
        _ => BAD,
    }
}

/// How many bytes the character beginning with these has.
fn width(set: Set, bytes: &[u8]) -> usize {
    let (lead, next) = (bytes[0], bytes.get(1).copied().unwrap_or(0));
    match set {
        _ if lead < 0x80 => 1,
        Set::ShiftJis if (0xA1..0xE0).contains(&lead) || lead == 0x80 || lead == 0xA0 || lead >= 0xFD => 1,
        Set::EucJp if lead == 0x8F => 3,
        Set::Gb18030 if next.is_ascii_digit() => 4,
        Set::Gbk if lead == 0x80 || lead == 0xFF => 1,
        _ if is_euc(set) && !(0xA1..0xFF).contains(&lead) => 1,
        _ => 2,
    }
}

pub fn decode(text: &[u8], set: Set) -> Vec<u32> {
    match set {
        Set::Iso2022Jp => return decode_iso2022_jp(text),
        Set::Hz => return decode_hz(text),
        Set::Iso2022Kr => return decode_iso2022_kr(text),
        _ => {}
    }
    let table = table(set);
    let mut codes = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        if rest[0] < 0x80 {
            codes.push(rest[0] as u32);
            rest = &rest[1..];
            continue;
        }
        let width = width(set, rest);
        let Some(bytes) = rest.get(..width) else {
            codes.push(BAD);
            break;
        };
        let outside = is_euc(set) && !bytes.iter().all(|byte| (0xA1..0xFF).contains(byte));
        codes.push(if outside { BAD } else { lookup(table, bytes) });
        // An ASCII character is not swallowed by a broken one before it.
        let swallowed = width == 2 && codes.last() == Some(&BAD) && bytes[1] < 0x40;
        rest = &rest[if swallowed { 1 } else { width }..];
    }
    codes
}

fn encode_one(table: &'static Table, code: u32) -> Option<Vec<u8>> {
    let character = char::from_u32(code)?;
    let mut buffer = [0; 4];
    let (bytes, _, unmappable) = table.encode(character.encode_utf8(&mut buffer));
    (!unmappable).then(|| bytes.into_owned())
}

pub fn put(out: &mut Vec<u8>, code: u32, set: Set, shift: &mut Shift) -> bool {
    if code < 0x80 && !matches!(set, Set::Iso2022Jp | Set::Hz | Set::Iso2022Kr) {
        out.push(code as u8);
        return true;
    }
    match set {
        Set::Iso2022Jp => return put_iso2022_jp(out, code, shift),
        Set::Hz => return put_hz(out, code, shift),
        Set::Iso2022Kr => return put_iso2022_kr(out, code, shift),
        _ => {}
    }
    let Some(bytes) = encode_one(table(set), code) else { return false };
    if is_euc(set) && !bytes.iter().all(|byte| (0xA1..0xFF).contains(byte)) {
        return false;
    }
    out.extend_from_slice(&bytes);
    true
}

pub fn end(out: &mut Vec<u8>, set: Set, shift: &mut Shift) {
    match set {
        Set::Iso2022Jp => change_japanese(out, shift, Shift::Ascii),
        Set::Hz if *shift == Shift::Double => out.extend_from_slice(b"~}"),
        Set::Iso2022Kr if *shift == Shift::Double => out.push(0x0F),
        _ => {}
    }
}

/// The sequences that announce a set.
const JAPANESE: [(&[u8], Shift); 6] = [
    (b"\x1B(B", Shift::Ascii),
    (b"\x1B(J", Shift::Roman),
    (b"\x1B(I", Shift::Kana),
    (b"\x1B$@", Shift::Double),
    (b"\x1B$B", Shift::Double),
    (b"\x1B$(B", Shift::Double),
];

fn decode_iso2022_jp(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut shift = Shift::Ascii;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        if *byte == 0x1B {
            match JAPANESE.iter().find(|(sequence, _)| rest.starts_with(sequence)) {
                Some((sequence, next)) => {
                    shift = *next;
                    rest = &rest[sequence.len()..];
                }
                None => {
                    codes.push(BAD);
                    rest = tail;
                }
            }
            continue;
        }
        rest = tail;
        match (shift, byte) {
            (_, 0..0x21 | 0x7F) => codes.push(*byte as u32),
            (_, 0xA1..0xE0) => codes.push(0xFF61 + (*byte as u32 - 0xA1)),
            (_, 0x80..) => codes.push(BAD),
            (Shift::Kana, 0x21..0x60) => codes.push(0xFF61 + (*byte as u32 - 0x21)),
            (Shift::Kana, _) => codes.push(BAD),
            (Shift::Roman, 0x5C) => codes.push(0xA5),
            (Shift::Roman, 0x7E) => codes.push(0x203E),
            (Shift::Double, _) => {
                let Some((next, tail)) = tail.split_first() else {
                    codes.push(BAD);
                    break;
                };
                rest = tail;
                codes.push(lookup(EUC_JP, &[byte | 0x80, next | 0x80]));
            }
            _ => codes.push(*byte as u32),
        }
    }
    codes
}

fn change_japanese(out: &mut Vec<u8>, shift: &mut Shift, wanted: Shift) {
    let current = if *shift == Shift::Start { Shift::Ascii } else { *shift };
    if current != wanted {
        let row = JAPANESE.iter().rfind(|(sequence, next)| *next == wanted && sequence.len() == 3);
        out.extend_from_slice(row.map_or(&b""[..], |row| row.0));
    }
    *shift = wanted;
}

fn put_iso2022_jp(out: &mut Vec<u8>, code: u32, shift: &mut Shift) -> bool {
    match code {
        0..0x80 => {
            change_japanese(out, shift, Shift::Ascii);
            out.push(code as u8);
        }
        0xA5 | 0x203E => {
            change_japanese(out, shift, Shift::Roman);
            out.push(if code == 0xA5 { 0x5C } else { 0x7E });
        }
        0xFF61..=0xFF9F => {
            change_japanese(out, shift, Shift::Kana);
            out.push((code - 0xFF61) as u8 + 0x21);
        }
        _ => match encode_one(EUC_JP, code).as_deref() {
            Some([lead @ 0xA1..=0xFE, trail]) => {
                change_japanese(out, shift, Shift::Double);
                out.extend_from_slice(&[lead & 0x7F, trail & 0x7F]);
            }
            _ => return false,
        },
    }
    true
}

fn decode_hz(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut double = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        match (rest, double) {
            ([b'~', b'{', tail @ ..], _) => (double, rest) = (true, tail),
            ([b'~', b'}', tail @ ..], _) => (double, rest) = (false, tail),
            ([b'~', b'\n', tail @ ..], _) => rest = tail,
            ([b'~', b'~', tail @ ..], false) => {
                codes.push(b'~' as u32);
                rest = tail;
            }
            ([lead @ 0x21..0x7E, trail, tail @ ..], true) => {
                codes.push(lookup(GBK, &[lead | 0x80, trail | 0x80]));
                rest = tail;
            }
            _ => {
                codes.push(if *byte < 0x80 && *byte != b'~' && !(double && *byte >= 0x21) {
                    *byte as u32
                } else {
                    BAD
                });
                rest = tail;
            }
        }
    }
    codes
}

fn put_hz(out: &mut Vec<u8>, code: u32, shift: &mut Shift) -> bool {
    if code < 0x80 {
        if *shift == Shift::Double {
            out.extend_from_slice(b"~}");
            *shift = Shift::Ascii;
        }
        out.extend_from_slice(if code == b'~' as u32 { b"~~" } else { &[] });
        if code != b'~' as u32 {
            out.push(code as u8);
        }
        return true;
    }
    match encode_one(GBK, code).as_deref() {
        Some([lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE]) => {
            if *shift != Shift::Double {
                out.extend_from_slice(b"~{");
                *shift = Shift::Double;
            }
            out.extend_from_slice(&[lead & 0x7F, trail & 0x7F]);
            true
        }
        _ => false,
    }
}

const KOREAN_HEADER: &[u8] = b"\x1B$)C";

fn decode_iso2022_kr(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut double = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        if let Some(tail) = rest.strip_prefix(KOREAN_HEADER) {
            rest = tail;
            continue;
        }
        rest = tail;
        match byte {
            0x0E => double = true,
            0x0F => double = false,
            0x21..=0x7E if double => {
                let Some((next, tail)) = tail.split_first() else {
                    codes.push(BAD);
                    break;
                };
                rest = tail;
                codes.push(lookup(EUC_KR, &[byte | 0x80, next | 0x80]));
            }
            0x1B | 0x80.. => codes.push(BAD),
            _ => codes.push(*byte as u32),
        }
    }
    codes
}

fn put_iso2022_kr(out: &mut Vec<u8>, code: u32, shift: &mut Shift) -> bool {
    let bytes = match code {
        0..0x80 => Some(vec![code as u8]),
        _ => encode_one(EUC_KR, code).filter(|bytes| bytes.iter().all(|byte| (0xA1..0xFF).contains(byte))),
    };
    let Some(bytes) = bytes else { return false };
    if *shift == Shift::Start {
        out.extend_from_slice(KOREAN_HEADER);
        *shift = Shift::Ascii;
    }
    let wanted = if bytes.len() == 2 { Shift::Double } else { Shift::Ascii };
    if *shift != wanted {
        out.push(if wanted == Shift::Double { 0x0E } else { 0x0F });
        *shift = wanted;
    }
    out.extend(bytes.iter().map(|byte| byte & 0x7F));
    true
}
