//! A test of a file: what is tried, one after the other.

use crate::ascii;
use crate::document;
use crate::encoding;
use crate::formats;
use crate::input::Input;
use crate::output::*;
use crate::rule::Rules;
use crate::soft;
use std::rc::Rc;

fn write_format(out: &mut Output, mime: &str, description: &str) -> Done<bool> {
    if !out.has(MIME) {
        out.print(description.as_bytes())?;
    } else if out.has(MIME_TYPE) {
        out.print(mime.as_bytes())?;
    }
    Ok(true)
}

/// Tries the formats that need no rules; true: one of them was found, and no other is asked for.
fn try_formats(out: &mut Output, data: &[u8], text_name: Option<&str>) -> Done<bool> {
    let wanted = !out.has(APPLE | EXTENSION);
    if let Some(name) = formats::tar(data).filter(|_| wanted && !out.has(NO_TAR)) {
        write_format(out, "application/x-tar", name)?;
        if is_enough(out)? {
            return Ok(true);
        }
    }
    if let Some(by_lines) = formats::json(data).filter(|_| wanted && !out.has(NO_JSON)) {
        let (mime, name) = match by_lines {
            true => ("application/x-ndjson", "New Line Delimited JSON text data"),
            false => ("application/json", "JSON text data"),
        };
        write_format(out, mime, name)?;
        if is_enough(out)? {
            return Ok(true);
        }
    }
    if let Some(name) = text_name.filter(|_| wanted && !out.has(NO_CSV) && formats::csv(data)) {
        write_format(out, "text/csv", &format!("CSV {name} text"))?;
        if is_enough(out)? {
            return Ok(true);
        }
    }
    if wanted && !out.has(NO_SIMH) && formats::simh(data) {
        write_format(out, "application/SIMH-tape-data", "SIMH tape data")?;
        if is_enough(out)? {
            return Ok(true);
        }
    }
    if !out.has(NO_CDF) && document::describe(out, data)? {
        return is_enough(out);
    }
    Ok(false)
}

/// Is one match enough? If not, the next one is to be separated from it.
fn is_enough(out: &mut Output) -> Done<bool> {
    if !out.has(CONTINUE) {
        return Ok(true);
    }
    out.separate()?;
    Ok(false)
}

fn try_all(out: &mut Output, sets: &[Rc<Rules>], input: &Input<'_>, charset: &mut &'static str) -> Done<bool> {
    let data = &input.data[..];
    let encoding = (!out.has(NO_ENCODING)).then(|| encoding::detect(data));
    if let Some(encoding) = &encoding {
        *charset = encoding.mime;
    }
    let text_name = encoding.filter(|encoding| encoding.is_text).map(|encoding| encoding.name);
    if try_formats(out, data, text_name)? {
        return Ok(true);
    }
    let looks_text = text_name.is_some();
    if !out.has(NO_SOFT) && soft::run(out, sets, input, false, looks_text)? && is_enough(out)? {
        return Ok(true);
    }
    Ok(!out.has(NO_TEXT) && ascii::describe(out, sets, input, looks_text)?)
}

/// What is said of files of which nothing is known.
fn say_default(out: &mut Output, text: &str, is_empty: bool) -> Done<()> {
    if out.has(MIME) {
        if !out.has(MIME_TYPE) {
            return Ok(());
        }
        return out.print(if is_empty { b"application/x-empty" } else { b"application/octet-stream" });
    }
    if out.has(APPLE) {
        return out.print(b"UNKNUNKN");
    }
    if out.has(EXTENSION) {
        return out.print(b"???");
    }
    out.print(text.as_bytes())
}

/// Writes what a file is. After an error the output tells it.
pub fn identify(out: &mut Output, sets: &[Rc<Rules>], input: &Input<'_>) -> Done<()> {
    let mut charset = "binary";
    let default = match input.data.len() {
        0 => "empty",
        1 => "very short file (no magic)",
        _ => "data",
    };
    if input.data.len() < 2 || !try_all(out, sets, input, &mut charset)? {
        say_default(out, default, input.data.is_empty())?;
    }
    out.trim_separator();
    if out.has(MIME_ENCODING) {
        if out.has(MIME_TYPE) {
            out.print(b"; charset=")?;
        }
        out.print(charset.as_bytes())?;
    }
    Ok(())
}
