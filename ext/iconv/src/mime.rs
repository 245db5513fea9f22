//! Fields of mail headers.

use crate::charset::{self, Problem, Target, check_length, report, report_names};
use crate::internal_encoding;
use phlox_ext_mbstring::encoding;
use phlox_ext_standard_file::base64;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "iconv_mime_encode(string $field_name, string $field_value, array $options = []): string|false",
        iconv_mime_encode,
    ),
    FnDef::new(
        "iconv_mime_decode(string $string, int $mode = 0, ?string $encoding = null): string|false",
        iconv_mime_decode,
    ),
    FnDef::new(
        "iconv_mime_decode_headers(string $headers, int $mode = 0, ?string $encoding = null): array|false",
        iconv_mime_decode_headers,
    ),
];

const STRICT: i64 = 1;
const CONTINUE_ON_ERROR: i64 = 2;

fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in bytes {
        let plain = (0x21..0x7F).contains(&byte) && !b"=?_".contains(&byte);
        match plain {
            true => text.push(byte),
            false => text.extend_from_slice(format!("={byte:02X}").as_bytes()),
        }
    }
    text
}

/// How a field is written.
struct Format {
    base64: bool,
    line_length: usize,
    newline: PhpStr,
    charset: PhpStr,
}

enum EncodeError {
    Problem(Problem),
    TooLong,
}

/// Encoded words, as many characters in each as its line has room for.
fn encode_field(name: &[u8], codes: &[u32], format: &Format, target: &Target) -> Result<Vec<u8>, EncodeError> {
    let frame = format.charset.len() + 7;
    if name.len() + 2 >= format.line_length || format.charset.len() + 12 >= format.line_length {
        return Err(EncodeError::TooLong);
    }
    let payload = |codes: &[u32]| -> Result<Vec<u8>, EncodeError> {
        let bytes = charset::encode(target, codes).map_err(EncodeError::Problem)?;
        Ok(if format.base64 { base64::encode(&bytes) } else { quoted_printable(&bytes) })
    };
    let mut out = [name, b": "].concat();
    let mut room = format.line_length - name.len() - 2;
    let mut rest = codes;
    loop {
        let least = frame + if format.base64 { 4 } else { 3 };
        if room < least + format.newline.len() + 1 {
            out.extend_from_slice(&format.newline);
            out.push(b' ');
            room = format.line_length - 1;
        }
        let fits = room - frame;
        let mut count = 0;
        let mut text = Vec::new();
        while count < rest.len() {
            let longer = payload(&rest[..count + 1])?;
            if longer.len() > fits {
                break;
            }
            text = longer;
            count += 1;
        }
        if count == 0 && !rest.is_empty() {
            return Err(EncodeError::TooLong);
        }
        let kind: &[u8] = if format.base64 { b"?B?" } else { b"?Q?" };
        out.extend_from_slice(&[b"=?", &format.charset[..], kind, &text, b"?="].concat());
        room -= frame + text.len();
        rest = &rest[count..];
        if rest.is_empty() {
            return Ok(out);
        }
    }
}

fn iconv_mime_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = call.arr(2);
    let option = |name: &str| options.get_bytes(name.as_bytes()).map(Val::deref);
    let text = |name: &str| -> PhpResult<Option<PhpStr>> {
        Ok(option(name).and_then(Val::into_str).filter(|text| !text.is_empty()))
    };
    let scheme = text("scheme")?;
    let internal = internal_encoding(call.vm);
    let mut charsets = [internal.clone(), internal];
    for (place, name) in charsets.iter_mut().zip(["input-charset", "output-charset"]) {
        if let Some(charset) = text(name)? {
            if !check_length(call, &charset)? {
                return Ok(Val::FALSE);
            }
            *place = charset;
        }
    }
    let [from, to] = charsets;
    let line_length = match option("line-length") {
        Some(length) => convert::to_int(call.vm, &length)?,
        None => 76,
    };
    // A line's buffer is set aside beforehand.
    let buffer = usize::try_from(line_length).unwrap_or(0);
    phlox_runtime::heap::charge(buffer);
    phlox_runtime::heap::discharge(buffer);
    let newline = match option("line-break-chars") {
        Some(newline) => convert::to_str(call.vm, &newline)?,
        None => "\r\n".into(),
    };
    let (Some(source), Some(target)) = (charset::parse(&from), charset::parse(&to)) else {
        report_names(call, &from, &to)?;
        return Ok(Val::FALSE);
    };
    let format = Format {
        base64: !scheme.is_some_and(|scheme| scheme.first().is_some_and(|first| first.eq_ignore_ascii_case(&b'q'))),
        line_length: usize::try_from(line_length).unwrap_or(0),
        newline,
        charset: to,
    };
    let codes = match charset::decode(&source, &call.str(1)) {
        Ok(codes) => codes,
        Err(problem) => {
            report(call, problem)?;
            return Ok(Val::FALSE);
        }
    };
    match encode_field(&call.str(0), &codes, &format, &target) {
        Ok(field) => Ok(field.into()),
        Err(EncodeError::Problem(problem)) => {
            report(call, problem)?;
            Ok(Val::FALSE)
        }
        Err(EncodeError::TooLong) => {
            call.warning("Buffer length exceeded")?;
            Ok(Val::FALSE)
        }
    }
}

/// Why a field cannot be decoded.
enum DecodeError {
    Malformed,
    Charset(Vec<u8>),
    Problem(Problem),
}

/// An encoded word at the beginning: its charset and bytes, and its length.
fn encoded_word(text: &[u8]) -> Option<(Vec<u8>, Vec<u8>, usize)> {
    let rest = text.strip_prefix(b"=?")?;
    let mut parts = rest.splitn(3, |&byte| byte == b'?');
    let (charset, scheme, tail) = (parts.next()?, parts.next()?, parts.next()?);
    // A language may follow the charset.
    let charset = charset.split(|&byte| byte == b'*').next()?.to_vec();
    let end = tail.iter().position(|&byte| byte == b'?').filter(|&end| tail.get(end + 1) == Some(&b'='))?;
    let payload = &tail[..end];
    let name: &[u8] = match scheme {
        b"B" | b"b" => b"BASE64",
        b"Q" | b"q" => b"Quoted-Printable",
        _ => return None,
    };
    let spaced: Vec<u8> = match scheme {
        b"Q" | b"q" => payload.iter().map(|&byte| if byte == b'_' { b' ' } else { byte }).collect(),
        _ => payload.to_vec(),
    };
    let bytes = encoding::decode(encoding::find(name)?, &spaced).into_iter().map(|code| code as u8).collect();
    let length = text.len() - tail.len() + end + 2;
    Some((charset, bytes, length))
}

/// The length of blanks, and of ends of lines that more blanks follow.
fn linear_space(text: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut at = 0;
    loop {
        at += text[at..].iter().take_while(|byte| is_blank(byte)).count();
        let newline = match &text[at..] {
            [b'\r', b'\n', next, ..] if is_blank(next) => 2,
            [b'\r' | b'\n', next, ..] if is_blank(next) => 1,
            _ => return at,
        };
        at += newline;
    }
}

/// A field, up to the end of its last line, and how much of the text that was.
fn decode_field(text: &[u8], target: &Target, mode: i64) -> Result<(Vec<u8>, usize), DecodeError> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut after_word = false;
    while at < text.len() {
        let rest = &text[at..];
        let newline = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => 0,
        };
        if newline > 0 {
            let blank = rest[newline..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if blank == 0 {
                return Ok((out, at + newline));
            }
            at += newline + blank;
            if !(after_word && text[at..].starts_with(b"=?")) {
                out.push(b' ');
            }
            continue;
        }
        if after_word {
            let blank = linear_space(rest);
            if blank > 0 && encoded_word(&rest[blank..]).is_some() {
                at += blank;
                continue;
            }
        }
        if rest.starts_with(b"=?") {
            match encoded_word(rest) {
                Some((charset, bytes, length)) => {
                    let follows = rest.get(length).is_none_or(|byte| byte.is_ascii_whitespace());
                    if mode & STRICT != 0 && !follows {
                        out.extend_from_slice(&rest[..length]);
                        at += length;
                        after_word = false;
                        continue;
                    }
                    match decode_word(&charset, &bytes, target) {
                        Ok(decoded) => out.extend_from_slice(&decoded),
                        // A word with bytes that no word may have goes; others stay as they are.
                        Err(DecodeError::Problem(_)) if mode & CONTINUE_ON_ERROR != 0 && !rest[..length].is_ascii() => {
                            at += linear_space(&rest[length..]);
                        }
                        Err(_) if mode & CONTINUE_ON_ERROR != 0 => out.extend_from_slice(&rest[..length]),
                        Err(error) => return Err(error),
                    }
                    at += length;
                    after_word = true;
                    continue;
                }
                // Read strictly, what a blank follows is no beginning of a word.
                None if mode & STRICT != 0 && rest.get(2).is_some_and(u8::is_ascii_whitespace) => {}
                None if mode & CONTINUE_ON_ERROR == 0 => return Err(DecodeError::Malformed),
                None => {}
            }
        }
        after_word = false;
        out.push(rest[0]);
        at += 1;
    }
    Ok((out, at))
}

fn decode_word(charset: &[u8], bytes: &[u8], target: &Target) -> Result<Vec<u8>, DecodeError> {
    let source = charset::parse(charset).ok_or_else(|| DecodeError::Charset(charset.to_vec()))?;
    charset::convert(&source, target, bytes).map_err(DecodeError::Problem)
}

fn fail(call: &Call<'_>, error: DecodeError, to: &[u8]) -> PhpResult<Val> {
    match error {
        DecodeError::Malformed => call.warning("Malformed string")?,
        DecodeError::Charset(name) => report_names(call, &name, to)?,
        DecodeError::Problem(problem) => report(call, problem)?,
    }
    Ok(Val::FALSE)
}

/// The encoding that the caller wants.
fn target(call: &Call<'_>, index: usize) -> PhpResult<Option<(PhpStr, Target)>> {
    let name = call.opt_str(index).unwrap_or_else(|| internal_encoding(call.vm));
    if !check_length(call, &name)? {
        return Ok(None);
    }
    match charset::parse(&name) {
        Some(target) => Ok(Some((name, target))),
        None => {
            report_names(call, b"???", &name)?;
            Ok(None)
        }
    }
}

fn iconv_mime_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((name, target)) = target(call, 2)? else { return Ok(Val::FALSE) };
    match decode_field(&call.str(0), &target, call.int(1)) {
        Ok((text, _)) => Ok(text.into()),
        Err(error) => fail(call, error, &name),
    }
}

fn iconv_mime_decode_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let headers = call.str(0);
    let mut table = PhpArr::new();
    if headers.is_empty() {
        return Ok(table.into());
    }
    let Some((name, target)) = target(call, 2)? else { return Ok(Val::FALSE) };
    let mut rest = &headers[..];
    while !rest.is_empty() {
        let (field, length) = match decode_field(rest, &target, call.int(1)) {
            Ok(found) => found,
            Err(error) => return fail(call, error, &name),
        };
        rest = &rest[length.max(1).min(rest.len())..];
        let Some(colon) = field.iter().position(|&byte| byte == b':') else { continue };
        let value = Val::from(field[colon + 1..].trim_ascii_start());
        add(&mut table, &field[..colon], value);
    }
    Ok(table.into())
}

/// A field that comes again makes a list.
fn add(table: &mut PhpArr, name: &[u8], value: Val) {
    let name = PhpStr::new(name);
    let key = Key::from_str(&name);
    let combined = match table.get(key).map(Val::deref) {
        None => value,
        Some(previous) => {
            let mut list = previous.as_arr().cloned().unwrap_or_else(|| PhpArr::from_vec(vec![previous.clone()]));
            let _ = list.push(value);
            list.into()
        }
    };
    table.insert(key, combined);
}
