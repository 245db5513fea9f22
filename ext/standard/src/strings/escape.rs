//! Escaping and byte-level encodings: slashes, hexadecimal, quoted-printable, uuencode, shell arguments, tags.

use super::words::char_mask;
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, StrBuilder, Val, Vm};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("addslashes(string $string): string", addslashes)
        .fast_path(|args| Some(slashed(args.first()?.as_str()?))),
    FnDef::new("stripslashes(string $string): string", stripslashes)
        .fast_path(|args| Some(unslashed(args.first()?.as_str()?))),
    FnDef::new("addcslashes(string $string, string $characters): string", addcslashes),
    FnDef::new("stripcslashes(string $string): string", stripcslashes),
    FnDef::new("quotemeta(string $string): string", quotemeta),
    FnDef::new("bin2hex(string $string): string", bin2hex).fast_path(|args| Some(hex(args.first()?.as_str()?).into())),
    FnDef::new("hex2bin(string $string): string|false", hex2bin)
        .fast_path(|args| from_hex(args.first()?.as_str()?).map(Val::from)),
    FnDef::new("chr(int $codepoint): string", chr).fast_path(|args| Some(Val::str(&[args.first()?.as_int()? as u8]))),
    FnDef::new("ord(string $character): int", ord)
        .fast_path(|args| Some(Val::int(args.first()?.as_str()?.first().copied().unwrap_or(0).into()))),
    FnDef::new("quoted_printable_encode(string $string): string", quoted_printable_encode),
    FnDef::new("quoted_printable_decode(string $string): string", quoted_printable_decode),
    FnDef::new("convert_uuencode(string $string): string", convert_uuencode),
    FnDef::new("convert_uudecode(string $string): string|false", convert_uudecode),
    FnDef::new("str_rot13(string $string): string", str_rot13),
    FnDef::new("escapeshellarg(string $arg): string", escapeshellarg),
    FnDef::new("escapeshellcmd(string $command): string", escapeshellcmd),
    FnDef::new(
        "#[\\Deprecated(since: '8.2', message: 'visit the php.net documentation for various alternatives')] utf8_encode(string $string): string",
        utf8_encode,
    ),
    FnDef::new(
        "#[\\Deprecated(since: '8.2', message: 'visit the php.net documentation for various alternatives')] utf8_decode(string $string): string",
        utf8_decode,
    ),
];

/// The text with a backslash before quotes, backslashes and NUL bytes.
fn slashed(text: &PhpStr) -> Val {
    let special = |byte: &u8| matches!(byte, 0 | b'\'' | b'"' | b'\\');
    let more = text.iter().filter(|byte| special(byte)).count();
    if more == 0 {
        return text.into();
    }
    let mut out = StrBuilder::with_capacity(text.len() + more);
    for &byte in text.iter() {
        match byte {
            0 => out.extend_from_slice(b"\\0"),
            b'\'' | b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            _ => out.push(byte),
        }
    }
    out.into()
}

fn addslashes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(slashed(&call.str(0)))
}

fn unslashed(text: &PhpStr) -> Val {
    if !text.contains(&b'\\') {
        return text.into();
    }
    let mut out = StrBuilder::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
        } else if let Some(next) = bytes.next() {
            out.push(if next == b'0' { 0 } else { next });
        }
    }
    out.into()
}

fn stripslashes(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(unslashed(&call.str(0)))
}

/// C escapes with a letter.
const NAMED_ESCAPES: [(u8, u8); 7] =
    [(b'\n', b'n'), (b'\t', b't'), (b'\r', b'r'), (0x07, b'a'), (0x0b, b'v'), (0x08, b'b'), (0x0c, b'f')];

fn addcslashes(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.is_empty() {
        return Ok(text.into());
    }
    let mask = char_mask(call, &call.str(1))?;
    let mut out = Vec::with_capacity(text.len());
    for &byte in text.iter() {
        if !mask[byte as usize] {
            out.push(byte);
            continue;
        }
        out.push(b'\\');
        match NAMED_ESCAPES.iter().find(|(raw, _)| *raw == byte) {
            Some((_, letter)) => out.push(*letter),
            None if (32..127).contains(&byte) => out.push(byte),
            None => out.extend_from_slice(format!("{byte:03o}").as_bytes()),
        }
    }
    Ok(out.into())
}

fn stripcslashes(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' || at + 1 >= text.len() {
            out.push(text[at]);
            at += 1;
            continue;
        }
        let rest = &text[at + 1..];
        let digits_from = |start: usize, most: usize, radix: u32| {
            rest[start..].iter().take(most).take_while(|&&b| (b as char).is_digit(radix)).count()
        };
        let value_of = |digits: &[u8], radix: u32| {
            digits.iter().fold(0u32, |value, &b| value * radix + (b as char).to_digit(radix).unwrap_or(0)) as u8
        };
        at += 1;
        if let Some((raw, _)) = NAMED_ESCAPES.iter().find(|(_, letter)| *letter == rest[0]) {
            out.push(*raw);
            at += 1;
        } else if rest[0] == b'x' && digits_from(1, 2, 16) > 0 {
            let count = digits_from(1, 2, 16);
            out.push(value_of(&rest[1..1 + count], 16));
            at += 1 + count;
        } else if digits_from(0, 3, 8) > 0 {
            let count = digits_from(0, 3, 8);
            out.push(value_of(&rest[..count], 8));
            at += count;
        } else {
            out.push(rest[0]);
            at += 1;
        }
    }
    Ok(out.into())
}

fn quotemeta(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut out = Vec::with_capacity(text.len());
    for &byte in text.iter() {
        if b".\\+*?[^]$()".contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    Ok(out.into())
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> PhpStr {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    PhpStr::build(bytes.len() * 2, |out| {
        for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
            pair[0] = DIGITS[(byte >> 4) as usize];
            pair[1] = DIGITS[(byte & 15) as usize];
        }
    })
}

fn bin2hex(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(hex(&call.str(0)).into())
}

/// The bytes that pairs of hexadecimal digits stand for.
fn from_hex(text: &[u8]) -> Option<PhpStr> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let mut out = StrBuilder::with_capacity(text.len() / 2);
    for pair in text.chunks_exact(2) {
        out.push((digit(pair[0])? << 4 | digit(pair[1])?) as u8);
    }
    Some(out.finish())
}

fn hex2bin(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if !text.len().is_multiple_of(2) {
        call.warning("Hexadecimal input string must have an even length")?;
        return Ok(Val::FALSE);
    }
    match from_hex(&text) {
        Some(bytes) => Ok(bytes.into()),
        None => {
            call.warning("Input string must be hexadecimal string")?;
            Ok(Val::FALSE)
        }
    }
}

fn chr(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&[call.int(0) as u8]))
}

fn ord(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.str(0).first().copied().unwrap_or(0).into()))
}

fn str_rot13(call: &mut Call<'_>) -> PhpResult<Val> {
    let rotate = |byte: &u8| match byte {
        b'a'..=b'z' => (byte - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (byte - b'A' + 13) % 26 + b'A',
        other => *other,
    };
    Ok(call.str(0).iter().map(rotate).collect::<Vec<u8>>().into())
}

fn quoted_printable_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    const LINE_MAX: usize = 75;
    let text = call.str(0);
    let mut out = Vec::with_capacity(text.len() * 2);
    let mut line = 0;
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if text[at..].starts_with(b"\r\n") {
            out.extend_from_slice(b"\r\n");
            line = 0;
            at += 2;
            continue;
        }
        at += 1;
        if byte.is_ascii_control() || byte >= 0x80 || byte == b'=' || byte == b' ' && text[at..].starts_with(b"\r") {
            line += 3;
            // The bytes of a UTF-8 sequence stay on one line.
            let following = match byte {
                0x80..=0xdf => 3,
                0xe0..=0xef => 6,
                0xf0..=0xf4 => 9,
                _ => 0,
            };
            if line + following > LINE_MAX && byte <= 0xf4 {
                line = 3;
                out.extend_from_slice(b"=\r\n");
            }
            out.extend_from_slice(format!("={byte:02X}").as_bytes());
        } else {
            line += 1;
            if line > LINE_MAX {
                line = 1;
                out.extend_from_slice(b"=\r\n");
            }
            out.push(byte);
        }
    }
    Ok(out.into())
}

fn quoted_printable_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    // A zero ends the text.
    let text = call.str(0);
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let digit = |at: usize| text.get(at).and_then(|&b| (b as char).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'=' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        if let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) {
            out.push((high << 4 | low) as u8);
            at += 3;
            continue;
        }
        // A soft line break: optional blanks, then the end of the line.
        let blanks = text[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        match &text[at + 1 + blanks..] {
            [] => at = text.len(),
            [b'\r', b'\n', ..] => at += blanks + 3,
            [b'\r' | b'\n', ..] => at += blanks + 2,
            _ => {
                out.push(b'=');
                at += 1;
            }
        }
    }
    Ok(out.into())
}

fn uu_byte(sextet: u8) -> u8 {
    if sextet & 63 == 0 { b'`' } else { (sextet & 63) + 32 }
}

fn convert_uuencode(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut out = Vec::with_capacity(text.len() * 3 / 2);
    for line in text.chunks(45) {
        out.push(uu_byte(line.len() as u8));
        for group in line.chunks(3) {
            let byte = |index: usize| group.get(index).copied().unwrap_or(0);
            let (a, b, c) = (byte(0), byte(1), byte(2));
            out.extend([a >> 2, a << 4 | b >> 4, b << 2 | c >> 6, c].map(uu_byte));
        }
        out.push(b'\n');
    }
    out.extend_from_slice(b"`\n");
    Ok(out.into())
}

fn convert_uudecode(call: &mut Call<'_>) -> PhpResult<Val> {
    match uudecode(&call.str(0)) {
        Some(bytes) => Ok(bytes.into()),
        None => {
            call.warning("Argument #1 ($data) is not a valid uuencoded string")?;
            Ok(Val::FALSE)
        }
    }
}

fn uudecode(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() {
        return None;
    }
    let sextet = |byte: u8| byte.wrapping_sub(32) & 63;
    let mut out = Vec::with_capacity(text.len());
    let mut total = 0;
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        at += 1;
        let length = sextet(first) as usize;
        if length == 0 {
            break;
        }
        total += length;
        // A full line has 60 characters; the last one may be cut inside its final group.
        let end = at + if length == 45 { 60 } else { length * 133 / 100 };
        if length > text.len() || end > text.len() {
            return None;
        }
        while at < end {
            let group = text.get(at..at + 4)?;
            let [a, b, c, d] = [group[0], group[1], group[2], group[3]].map(sextet);
            out.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            at += 4;
        }
        if length < 45 {
            break;
        }
        at += 1;
    }
    if total > out.len() {
        let byte = |offset: usize| sextet(text.get(at + offset).copied().unwrap_or(0));
        out.extend_from_slice(&[byte(0) << 2 | byte(1) >> 4, byte(1) << 4 | byte(2) >> 2, byte(2) << 6 | byte(3)]);
    }
    out.truncate(total);
    Some(out)
}

fn utf8_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.str(0).iter().map(|&byte| byte as char).collect::<String>().into())
}

fn utf8_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        out.extend(chunk.valid().chars().map(|c| u8::try_from(c as u32).unwrap_or(b'?')));
        if !chunk.invalid().is_empty() {
            out.push(b'?');
        }
    }
    Ok(out.into())
}

fn refuse_nul(call: &Call<'_>, text: &[u8]) -> PhpResult<()> {
    if text.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    Ok(())
}

fn escapeshellarg(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    refuse_nul(call, &text)?;
    fits_command(call, "Argument", text.len() + 3)?;
    let text = in_locale(call.vm, &text);
    let mut out = vec![b'\''];
    for &byte in text.iter() {
        if byte == b'\'' {
            out.extend_from_slice(b"'\\'");
        }
        out.push(byte);
    }
    out.push(b'\'');
    fits_command(call, "Escaped argument", out.len().saturating_sub(1))?;
    Ok(out.into())
}

/// The text without the bytes that are no characters where the locale says UTF-8.
fn in_locale(vm: &Vm, text: &PhpStr) -> Vec<u8> {
    if !crate::locale::is_utf8(vm) {
        return text.to_vec();
    }
    text.utf8_chunks().flat_map(|chunk| chunk.valid().bytes()).collect()
}

fn fits_command(call: &Call<'_>, what: &str, length: usize) -> PhpResult<()> {
    let limit = phlox_ext_standard_file::process::longest_command();
    if length > limit {
        let text = format!("{what} exceeds the allowed length of {limit} bytes");
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    Ok(())
}

fn escapeshellcmd(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    refuse_nul(call, &text)?;
    fits_command(call, "Command", text.len() + 3)?;
    let text = in_locale(call.vm, &text);
    let mut out = Vec::with_capacity(text.len());
    // A quote stays bare while its partner follows.
    let mut closing: Option<usize> = None;
    for (at, &byte) in text.iter().enumerate() {
        if matches!(byte, b'\'' | b'"') {
            if closing == Some(at) {
                closing = None;
            } else if closing.is_none() && text[at + 1..].contains(&byte) {
                closing = text[at + 1..].iter().position(|&b| b == byte).map(|skip| at + 1 + skip);
            } else {
                out.push(b'\\');
            }
        } else if b"#&;`|*?~<>^()[]{}$\\\n\xff".contains(&byte) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    fits_command(call, "Escaped command", out.len().saturating_sub(1))?;
    Ok(out.into())
}
