//! Fields of mail headers.

use crate::charset::{self, Problem, Target, check_length, report, report_names};
use crate::internal_encoding;
use crate::mime_words::{DecodeError, decode_field};
use phlox_ext_standard_file::base64;
use phlox_runtime::{Call, FnDef, Key, Level, PhpArr, PhpResult, PhpStr, Val, convert};

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
        let (count, text) = match format.base64 {
            true => base64_word(rest, fits, target)?,
            false => quoted_word(rest, fits, target)?,
        };
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

/// How many characters at most make no more bytes than a limit, apart from those that bring a stateful charset back to its
/// beginning; and the bytes with these.
fn fill(codes: &[u32], limit: usize, target: &Target) -> Result<(usize, Vec<u8>), EncodeError> {
    let mut filled = (0, Vec::new());
    for count in 1..=codes.len() {
        let bytes = charset::encode(target, &codes[..count]).map_err(EncodeError::Problem)?;
        if bytes.strip_suffix(BACK_TO_ASCII).unwrap_or(&bytes).len() > limit {
            break;
        }
        filled = (count, bytes);
    }
    Ok(filled)
}

/// Ends text in a charset that has states.
const BACK_TO_ASCII: &[u8] = b"\x1B(B";

/// Some bytes are kept free for the end of the text.
fn base64_word(codes: &[u32], fits: usize, target: &Target) -> Result<(usize, Vec<u8>), EncodeError> {
    const RESERVED: usize = 4;
    let Some(limit) = (fits / 4 * 3).checked_sub(RESERVED).filter(|&limit| limit > 0) else {
        return Err(EncodeError::TooLong);
    };
    let (count, bytes) = fill(codes, limit, target)?;
    Ok((count, base64::encode(&bytes)))
}

/// Tries with fewer bytes until they fit.
fn quoted_word(codes: &[u32], fits: usize, target: &Target) -> Result<(usize, Vec<u8>), EncodeError> {
    let mut limit = fits;
    loop {
        let (count, bytes) = fill(codes, limit, target)?;
        let text = quoted_printable(&bytes);
        if text.len() <= fits {
            return Ok((count, text));
        }
        limit = match limit.checked_sub((text.len() - fits).div_ceil(3)) {
            Some(limit) if limit > 0 => limit,
            _ => return Err(EncodeError::TooLong),
        };
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

fn fail(call: &Call<'_>, error: DecodeError, to: &[u8]) -> PhpResult<Val> {
    match error {
        DecodeError::Malformed => call.warning("Malformed string")?,
        DecodeError::Charset => report_names(call, b"???", to)?,
        DecodeError::Problem(problem) => report(call, problem)?,
        DecodeError::Unknown => call.raise(Level::Notice, b"Unknown error (0)")?,
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
