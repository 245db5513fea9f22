//! Encodings of bytes rather than of characters, which PHP lists among the others.

use super::BAD;
use phlox_ext_standard_file::base64;

const LINE: usize = 76;

/// Base64 in lines of the length that PHP writes.
pub fn encode_base64(bytes: &[u8]) -> Vec<u8> {
    base64::encode(bytes).chunks(LINE).collect::<Vec<_>>().join(&b"\r\n"[..])
}

/// The bytes; what is no symbol is [`BAD`] and does not end the text.
pub fn decode_base64(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let (mut group, mut count) = (0u32, 0);
    for &byte in text {
        let value = match byte {
            b'\r' | b'\n' | b' ' | b'\t' | b'=' => continue,
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => {
                codes.push(BAD);
                continue;
            }
        };
        group = group << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            codes.extend([group >> 16 & 0xff, group >> 8 & 0xff, group & 0xff]);
            (group, count) = (0, 0);
        }
    }
    match count {
        2 => codes.push(group >> 4 & 0xff),
        3 => codes.extend([group >> 10 & 0xff, group >> 2 & 0xff]),
        _ => {}
    }
    codes
}

/// Quoted-printable text.
pub fn encode_quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut column = 0;
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            0 => {
                out.push(0);
                column = 0;
                continue;
            }
            b'\n' | b'\r' => {
                rest = if *byte == b'\r' { tail.strip_prefix(b"\n").unwrap_or(tail) } else { tail };
                out.extend_from_slice(b"\r\n");
                column = 0;
                continue;
            }
            _ => {}
        }
        if column >= 72 {
            out.extend_from_slice(b"=\r\n");
            column = 0;
        }
        if *byte < 0x20 || *byte == b'=' || *byte > 0x7E {
            out.extend_from_slice(format!("={byte:02X}").as_bytes());
            column += 3;
        } else {
            out.push(*byte);
            column += 1;
        }
    }
    out
}

/// The bytes of quoted-printable text.
pub fn decode_quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    let digit = |byte: u8| (byte as char).to_digit(16);
    while let [byte, tail @ ..] = rest {
        rest = tail;
        let (b'=', [next, after @ ..]) = (byte, tail) else {
            out.push(*byte);
            continue;
        };
        rest = after;
        match (digit(*next), next, after) {
            (Some(high), _, [last, after @ ..]) => {
                rest = after;
                match digit(*last) {
                    Some(low) => out.push((high << 4 | low) as u8),
                    None => out.extend([b'=', *next, *last]),
                }
            }
            (_, b'\r', [last, after @ ..]) => {
                rest = after;
                if *last != b'\n' {
                    out.push(*last);
                }
            }
            (_, b'\n', _) => {}
            _ => out.extend([b'=', *next]),
        }
    }
    out
}

/// Uuencoded text, with its first and last line.
pub fn encode_uuencode(bytes: &[u8]) -> Vec<u8> {
    let symbol = |bits: u32| if bits & 63 == 0 { b'`' } else { (bits & 63) as u8 + 32 };
    let mut out = b"begin 0644 filename\n".to_vec();
    if bytes.is_empty() {
        out.push(b' ');
    }
    for line in bytes.chunks(45) {
        out.push(symbol(line.len() as u32));
        for group in line.chunks(3) {
            let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | byte as u32) << (8 * (3 - group.len()));
            out.extend((0..4).map(|place| symbol(bits >> (18 - 6 * place))));
        }
        out.push(b'\n');
    }
    // PHP does not write the line that ends uuencoded text.
    out
}

/// The bytes of uuencoded text.
pub fn decode_uuencode(text: &[u8]) -> Vec<u8> {
    const BEGIN: &[u8] = b"begin ";
    let mut out = Vec::new();
    let Some(start) = text.windows(BEGIN.len()).position(|part| part == BEGIN) else { return out };
    let line_end = text[start..].iter().position(|&byte| byte == b'\n').map(|at| start + at + 1);
    let mut rest = &text[line_end.unwrap_or(text.len())..];
    let bits = |byte: u8| u32::from(byte.wrapping_sub(32) & 63);
    while let [length, tail @ ..] = rest {
        rest = tail;
        let mut left = bits(*length) as usize;
        // A line has one group at least, of which an empty one uses nothing, and a byte that ends it.
        loop {
            // The last group must have a byte after it.
            let ([a, b, c, d, after @ ..], true) = (rest, rest.len() > 4) else { return out };
            let group = bits(*a) << 18 | bits(*b) << 12 | bits(*c) << 6 | bits(*d);
            let bytes = [(group >> 16) as u8, (group >> 8) as u8, group as u8];
            out.extend_from_slice(&bytes[..left.min(3)]);
            left = left.saturating_sub(3);
            rest = after;
            if left == 0 {
                break;
            }
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    out
}

/// A character as it is, or as an entity beyond ASCII.
pub fn put_entity(out: &mut Vec<u8>, code: u32) -> bool {
    match code {
        0..0x80 => out.push(code as u8),
        _ => match phlox_ext_standard::html::entity_name(code).filter(|_| code <= 0x2666) {
            Some(name) => out.extend_from_slice(format!("&{name};").as_bytes()),
            None => out.extend_from_slice(format!("&#{code};").as_bytes()),
        },
    }
    true
}

/// Entities as the characters that they mean; other bytes are characters of Latin-1.
pub fn decode_entities(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::new();
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        if *byte == b'&'
            && let Some(end) = tail.iter().take(16).position(|&byte| byte == b';')
            && let Some(code) = entity(&tail[..end])
        {
            codes.push(code);
            rest = &tail[end + 1..];
            continue;
        }
        codes.push(*byte as u32);
        rest = tail;
    }
    codes
}

fn entity(name: &[u8]) -> Option<u32> {
    let name = std::str::from_utf8(name).ok()?;
    match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
        .filter(|code| *code <= 0x10FFFF),
        None => phlox_ext_standard::html::entity_code(name),
    }
}
