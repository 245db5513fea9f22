//! The encodings that shift between character sets of one byte and of two.

use super::BAD;
use super::charset::{Charset, Set};

/// How characters of two bytes are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
    Double,
}

/// The code points of a text; what is malformed becomes `BAD`.
pub fn decode(text: &[u8], form: Form) -> Vec<u32> {
    match form {
        Form::Hz => decode_hz(text),
        Form::Korean => decode_iso2022_kr(text),
    }
}

/// Writes a code point; false if the encoding does not have it.
pub fn put(out: &mut Vec<u8>, code: u32, form: Form, shift: &mut Shift) -> bool {
    match form {
        Form::Hz => put_hz(out, code, shift),
        Form::Korean => put_iso2022_kr(out, code, shift),
    }
}

/// Ends a text: returns to ASCII if characters of two bytes were announced.
pub fn end(out: &mut Vec<u8>, form: Form, shift: Shift) {
    match form {
        Form::Hz if shift == Shift::Double => out.extend_from_slice(b"~}"),
        Form::Korean if shift == Shift::Double => out.push(0x0F),
        _ => {}
    }
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

/// How many bytes behind an ESC belong to an incomplete announcement.
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
    let known = || Charset::of(Set::Ksx1001).bytes(code);
    let bytes = match code {
        0..0x80 => vec![code as u8],
        _ => match known() {
            Some(bytes) => bytes.iter().map(|byte| byte & 0x7F).collect(),
            // PHP writes a code point that the set lacks unchanged if its two bytes look like a pair of the set.
            None if (0x2121..=0x8080).contains(&code) => (code as u16).to_be_bytes().to_vec(),
            None => return false,
        },
    };
    if *shift == Shift::Start {
        out.extend_from_slice(KOREAN_HEADER);
        *shift = Shift::Ascii;
    }
    let wanted = if bytes.len() == 2 { Shift::Double } else { Shift::Ascii };
    if *shift != wanted {
        out.push(if wanted == Shift::Double { 0x0E } else { 0x0F });
        *shift = wanted;
    }
    out.extend_from_slice(&bytes);
    true
}
