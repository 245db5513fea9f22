//! Comma-separated values: reading and writing records.

use crate::handles;
use crate::stream::Stream;
use phlox_runtime::{Call, FnDef, Level, PhpArr, PhpResult, Val, Vm, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "fputcsv($stream, array $fields, string $separator = \",\", string $enclosure = \"\\\"\", string $escape = \"\\\\\", string $eol = \"\\n\"): int|false",
        fputcsv,
    ),
    FnDef::new(
        "fgetcsv($stream, ?int $length = null, string $separator = \",\", string $enclosure = \"\\\"\", string $escape = \"\\\\\"): array|false",
        fgetcsv,
    ),
    FnDef::new(
        "str_getcsv(string $string, string $separator = \",\", string $enclosure = \"\\\"\", string $escape = \"\\\\\"): array",
        str_getcsv,
    ),
];

/// The characters that shape a record.
#[derive(Clone, Copy)]
pub struct Format {
    pub separator: u8,
    pub enclosure: u8,
    pub escape: Option<u8>,
}

/// Reads the three character parameters from `first` on.
pub fn format(call: &Call<'_>, first: usize) -> PhpResult<Format> {
    let single = |index: usize| match call.str(index).as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(call.value_error(index, "must be a single character")),
    };
    let (separator, enclosure) = (single(first)?, single(first + 1)?);
    let escape = match call.str(first + 2).as_bytes() {
        [] => None,
        [byte] => Some(*byte),
        _ => return Err(call.value_error(first + 2, "must be empty or a single character")),
    };
    // A named argument behind the parameter passes the parameter's default, too, which raises no deprecation.
    if call.passed <= first + 2 {
        call.raise(Level::Deprecated, b"the $escape parameter must be provided as its default value will change")?;
    }
    Ok(Format { separator, enclosure, escape })
}

/// Splits a record. `more` gives the next line when a quoted field goes on past the end.
pub fn parse(
    line: Vec<u8>,
    format: Format,
    mut more: impl FnMut() -> PhpResult<Option<Vec<u8>>>,
) -> PhpResult<Vec<Vec<u8>>> {
    let mut text = line;
    let mut fields = Vec::new();
    let mut at = 0;
    let line_end = |text: &[u8]| {
        let body = text.strip_suffix(b"\n").unwrap_or(text);
        body.strip_suffix(b"\r").unwrap_or(body).len()
    };
    loop {
        let start = at;
        let spaces = text[at..].iter().take_while(|&&b| matches!(b, b' ' | b'\t') && b != format.separator).count();
        if text.get(at + spaces) != Some(&format.enclosure) {
            let end = line_end(&text).max(start);
            let stop = text[start..end].iter().position(|&b| b == format.separator).map(|offset| start + offset);
            fields.push(text[start..stop.unwrap_or(end)].to_vec());
            match stop {
                Some(stop) => at = stop + 1,
                None => return Ok(fields),
            }
            continue;
        }
        at += spaces + 1;
        let opened = at;
        let mut field = Vec::new();
        loop {
            let Some(&byte) = text.get(at) else {
                match more()? {
                    Some(next) => {
                        text.extend(next);
                        continue;
                    }
                    None => {
                        // The quote is never closed: the field keeps all but a final line end. Right behind a quote
                        // that ends the text PHP sees a NUL byte, which the escape may be.
                        let escape = format.escape.filter(|&escape| escape == 0 && format.enclosure != 0);
                        field.extend(escape.filter(|_| at == opened));
                        fields.push(field);
                        return Ok(fields);
                    }
                }
            };
            at += 1;
            if Some(byte) == format.escape && byte != format.enclosure {
                field.push(byte);
                if let Some(&next) = text.get(at) {
                    field.push(next);
                    at += 1;
                }
            } else if byte == format.enclosure {
                if text.get(at) == Some(&format.enclosure) {
                    field.push(byte);
                    at += 1;
                } else {
                    break;
                }
            } else {
                field.push(byte);
            }
        }
        // Text behind the closing quote belongs to the field, unchanged.
        let end = line_end(&text).max(at);
        let stop = text[at..end].iter().position(|&b| b == format.separator).map(|offset| at + offset);
        field.extend_from_slice(&text[at..stop.unwrap_or(end)]);
        fields.push(field);
        match stop {
            Some(stop) => at = stop + 1,
            None => return Ok(fields),
        }
    }
}

/// One record as text with its end.
pub fn format_record(vm: &Vm, fields: &PhpArr, format: Format, end: &[u8]) -> PhpResult<Vec<u8>> {
    let mut line = Vec::new();
    for (index, value) in fields.values().enumerate() {
        if index > 0 {
            line.push(format.separator);
        }
        let text = convert::to_str(vm, &value.deref())?;
        let special = |&b: &u8| {
            b == format.separator
                || b == format.enclosure
                || Some(b) == format.escape
                || matches!(b, b'\n' | b'\r' | b'\t' | b' ')
        };
        if !text.iter().any(special) {
            line.extend_from_slice(&text);
            continue;
        }
        line.push(format.enclosure);
        let mut escaped = false;
        for &byte in text.iter() {
            if Some(byte) == format.escape {
                escaped = true;
            } else if !escaped && byte == format.enclosure {
                line.push(byte);
            } else {
                escaped = false;
            }
            line.push(byte);
        }
        line.push(format.enclosure);
    }
    line.extend_from_slice(end);
    Ok(line)
}

fn is_empty_line(line: &[u8]) -> bool {
    matches!(line, b"" | b"\n" | b"\r\n" | b"\r")
}

/// The record on a line as an array; an empty line is one null.
pub fn read_record(vm: &Vm, stream: &Stream, line: Vec<u8>, format: Format) -> PhpResult<PhpArr> {
    if is_empty_line(&line) {
        return Ok(PhpArr::from_vec(vec![Val::NULL]));
    }
    let fields = parse(line, format, || stream.line(vm, None))?;
    Ok(PhpArr::from_vec(fields.into_iter().map(Val::from).collect()))
}

fn fgetcsv(call: &mut Call<'_>) -> PhpResult<Val> {
    let format = format(call, 2)?;
    let limit = match call.opt_int(1) {
        Some(length) if !(0..i64::MAX).contains(&length) => {
            return Err(call.value_error(1, &format!("must be between 0 and {}", i64::MAX - 1)));
        }
        None | Some(0) => None,
        Some(length) => Some(length as usize),
    };
    let stream = handles::stream(call, 0)?;
    match stream.line(call.vm, limit)? {
        Some(line) => Ok(read_record(call.vm, &stream, line, format)?.into()),
        None => Ok(Val::FALSE),
    }
}

fn fputcsv(call: &mut Call<'_>) -> PhpResult<Val> {
    let format = format(call, 2)?;
    let stream = handles::stream(call, 0)?;
    let line = format_record(call.vm, &call.arr(1), format, &call.str(5))?;
    Ok(stream.write(call.vm, &line)?.map_or(Val::FALSE, |count| Val::int(count as i64)))
}

fn str_getcsv(call: &mut Call<'_>) -> PhpResult<Val> {
    let format = format(call, 1)?;
    let text = call.str(0);
    if is_empty_line(&text) {
        return Ok(PhpArr::from_vec(vec![Val::NULL]).into());
    }
    let fields = parse(text.to_vec(), format, || Ok(None))?;
    Ok(PhpArr::from_vec(fields.into_iter().map(Val::from).collect()).into())
}
