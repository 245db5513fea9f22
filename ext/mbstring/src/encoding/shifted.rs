//! The encodings that shift between character sets of one byte and of two.

use super::BAD;
use super::charset::{Charset, Set};

/// How characters of two bytes are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Escape sequences between ASCII, JIS X 0201 and JIS X 0208 as a set of EUC-JP's kind has it.
    Japanese(Set),
    /// GB 2312 between `~{` and `~}`.
    Hz,
    Korean,
}

/// The character set that a text is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// Nothing has been written yet.
    #[default]
    Start,
    Ascii,
    Roman,
    Kana,
    Double,
    /// JIS X 0212
    Supplement,
}

pub fn decode(text: &[u8], form: Form) -> Vec<u32> {
    match form {
        Form::Japanese(set) => decode_iso2022_jp(text, Charset::of(set)),
        Form::Hz => decode_hz(text),
        Form::Korean => decode_iso2022_kr(text),
    }
}

pub fn put(out: &mut Vec<u8>, code: u32, form: Form, shift: &mut Shift) -> bool {
    match form {
        Form::Japanese(set) => put_iso2022_jp(out, code, Charset::of(set), shift),
        Form::Hz => put_hz(out, code, shift),
        Form::Korean => put_iso2022_kr(out, code, shift),
    }
}

pub fn end(out: &mut Vec<u8>, form: Form, shift: &mut Shift) {
    match form {
        Form::Japanese(_) => change_japanese(out, shift, Shift::Ascii),
        Form::Hz if *shift == Shift::Double => out.extend_from_slice(b"~}"),
        Form::Korean if *shift == Shift::Double => out.push(0x0F),
        _ => {}
    }
}

/// The sequences that announce a set.
const JAPANESE: [(&[u8], Shift); 7] = [
    (b"\x1B(B", Shift::Ascii),
    (b"\x1B(J", Shift::Roman),
    (b"\x1B(I", Shift::Kana),
    (b"\x1B$@", Shift::Double),
    (b"\x1B$B", Shift::Double),
    (b"\x1B$(B", Shift::Double),
    (b"\x1B$(D", Shift::Supplement),
];

fn decode_iso2022_jp(text: &[u8], set: &Charset) -> Vec<u32> {
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
            (Shift::Double | Shift::Supplement, _) => {
                let Some((next, tail)) = tail.split_first() else {
                    codes.push(BAD);
                    break;
                };
                rest = tail;
                codes.push(match shift {
                    Shift::Double => set.pair(byte | 0x80, next | 0x80),
                    _ => set.triple([0x8F, byte | 0x80, next | 0x80]),
                });
            }
            _ => codes.push(*byte as u32),
        }
    }
    codes
}

fn change_japanese(out: &mut Vec<u8>, shift: &mut Shift, wanted: Shift) {
    let current = if *shift == Shift::Start { Shift::Ascii } else { *shift };
    if current != wanted {
        let row = JAPANESE
            .iter()
            .rfind(|(sequence, next)| *next == wanted && (sequence.len() == 3 || wanted == Shift::Supplement));
        out.extend_from_slice(row.map_or(&b""[..], |row| row.0));
    }
    *shift = wanted;
}

fn put_iso2022_jp(out: &mut Vec<u8>, code: u32, set: &Charset, shift: &mut Shift) -> bool {
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
        _ => match set.bytes(code).as_deref() {
            Some([lead @ 0xA1..=0xFE, trail]) => {
                change_japanese(out, shift, Shift::Double);
                out.extend_from_slice(&[lead & 0x7F, trail & 0x7F]);
            }
            Some([0x8F, lead, trail]) => {
                change_japanese(out, shift, Shift::Supplement);
                out.extend_from_slice(&[lead & 0x7F, trail & 0x7F]);
            }
            _ => return false,
        },
    }
    true
}

fn decode_hz(text: &[u8]) -> Vec<u32> {
    let set = Charset::of(Set::Hz);
    let mut codes = Vec::new();
    let mut double = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match (byte, tail, double) {
            (b'~', [], _) => break,
            (b'~', [next, after @ ..], _) => {
                rest = after;
                match (next, double) {
                    (b'}', true) => double = false,
                    (b'{', false) => double = true,
                    (b'~', false) => codes.push(u32::from(b'~')),
                    (b'\n', _) => {}
                    _ => codes.push(BAD),
                }
            }
            (0x21..=0x29 | 0x30..=0x77, [trail, after @ ..], true) => {
                rest = after;
                codes.push(double_byte(set, *byte, *trail));
            }
            (0..0x80, _, false) => codes.push((*byte).into()),
            _ => codes.push(BAD),
        }
    }
    codes
}

/// A character that both sets of 94 by 94 write with seven bits.
fn double_byte(set: &Charset, lead: u8, trail: u8) -> u32 {
    if (0x21..0x7F).contains(&trail) { set.pair(lead | 0x80, trail | 0x80) } else { BAD }
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
    match Charset::of(Set::Hz).bytes(code).as_deref() {
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
    let set = Charset::of(Set::Ksx1001);
    let mut codes = Vec::new();
    let mut double = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        if let Some(tail) = rest.strip_prefix(KOREAN_HEADER) {
            double = false;
            rest = tail;
            continue;
        }
        rest = tail;
        match (byte, tail) {
            (0x1B, _) => {
                codes.push(BAD);
                rest = &tail[broken_header(tail)..];
            }
            (0x0E, _) => double = true,
            (0x0F, _) => double = false,
            (0x21..=0x7E, [trail, after @ ..]) if double => {
                rest = after;
                codes.push(double_byte(set, *byte, *trail));
            }
            (0..0x80, _) if !double => codes.push((*byte).into()),
            _ => codes.push(BAD),
        }
    }
    codes
}

/// How much behind an escape that announces nothing belongs to it.
fn broken_header(tail: &[u8]) -> usize {
    match tail {
        [b'$', b')', _, ..] => 3,
        [b'$', _, _, ..] => 2,
        [_, b')', _, ..] => 3,
        [b'$', ..] => tail.len(),
        [_, _, _, ..] => 1,
        [] => 0,
        _ => 1,
    }
}

fn put_iso2022_kr(out: &mut Vec<u8>, code: u32, shift: &mut Shift) -> bool {
    let bytes = match code {
        0..0x80 => Some(vec![code as u8]),
        _ => Charset::of(Set::Ksx1001).bytes(code).or_else(|| {
            // What the set lacks PHP writes as it is, where that looks like two bytes of it.
            let [_, _, lead, trail] = code.to_be_bytes();
            let fits = code < 0x7F00 && lead > 0x20 && (0x21..0x7F).contains(&trail);
            fits.then(|| vec![lead | 0x80, trail | 0x80])
        }),
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
