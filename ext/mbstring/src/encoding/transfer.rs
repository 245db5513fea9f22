//! Encodings of bytes rather than of characters, which PHP lists among the others.

use phlox_ext_standard_file::base64;

const LINE: usize = 76;

pub fn encode_base64(bytes: &[u8]) -> Vec<u8> {
    base64::encode(bytes).chunks(LINE).collect::<Vec<_>>().join(&b"\r\n"[..])
}

pub fn decode_base64(text: &[u8]) -> Vec<u8> {
    base64::decode(text, false).unwrap_or_default()
}

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

pub fn decode_quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    let digit = |byte: u8| (byte as char).to_digit(16);
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match (byte, tail) {
            (b'=', [b'\r', b'\n', tail @ ..]) | (b'=', [b'\n' | b'\r', tail @ ..]) => rest = tail,
            (b'=', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    out.push((high << 4 | low) as u8);
                    rest = after;
                }
                _ => out.push(b'='),
            },
            _ => out.push(*byte),
        }
    }
    out
}

pub fn encode_uuencode(bytes: &[u8]) -> Vec<u8> {
    let symbol = |bits: u32| if bits & 63 == 0 { b'`' } else { (bits & 63) as u8 + 32 };
    let mut out = b"begin 0644 filename\n".to_vec();
    for line in bytes.chunks(45) {
        out.push(symbol(line.len() as u32));
        for group in line.chunks(3) {
            let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | byte as u32) << (8 * (3 - group.len()));
            out.extend((0..4).map(|place| symbol(bits >> (18 - 6 * place))));
        }
        out.push(b'\n');
    }
    out.extend_from_slice(b"`\nend\n");
    out
}

pub fn decode_uuencode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let lines = text.split(|&byte| byte == b'\n').skip_while(|line| !line.starts_with(b"begin ")).skip(1);
    for line in lines {
        let Some((&length, symbols)) = line.split_first() else { break };
        let length = (length.wrapping_sub(32) & 63) as usize;
        if length == 0 {
            break;
        }
        let mut bytes = Vec::new();
        for group in symbols.chunks(4) {
            let bits = group.iter().fold(0u32, |bits, byte| bits << 6 | (byte.wrapping_sub(32) & 63) as u32);
            let bits = bits << (6 * (4 - group.len()));
            bytes.extend_from_slice(&[(bits >> 16) as u8, (bits >> 8) as u8, bits as u8]);
        }
        bytes.truncate(length);
        out.extend_from_slice(&bytes);
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
