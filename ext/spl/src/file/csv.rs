//! Records in an SplFileObject.

use super::data::{OpenFile, data, file};
use super::reading::read_record;
pub use phlox_ext_standard_file::csv::Format;
use phlox_ext_standard_file::csv::format_record;
use phlox_runtime::{Call, Level, PhpArr, PhpResult, Val};

/// A character parameter, if passed.
fn single(call: &Call<'_>, index: usize) -> PhpResult<Option<u8>> {
    if !call.was_passed(index) {
        return Ok(None);
    }
    match call.str(index).as_bytes() {
        [byte] => Ok(Some(*byte)),
        _ => Err(call.value_error(index, "must be a single character")),
    }
}

/// The escape parameter; an empty string means no escape character.
fn escape(call: &Call<'_>, index: usize) -> PhpResult<Option<u8>> {
    match call.str(index).as_bytes() {
        [] => Ok(None),
        [byte] => Ok(Some(*byte)),
        _ => Err(call.value_error(index, "must be empty or a single character")),
    }
}

/// The file's format with the parameters that were passed.
fn format(call: &Call<'_>, file: &OpenFile, first: usize) -> PhpResult<Format> {
    let mut format = file.format.get();
    format.separator = single(call, first)?.unwrap_or(format.separator);
    format.enclosure = single(call, first + 1)?.unwrap_or(format.enclosure);
    if call.was_passed(first + 2) {
        format.escape = escape(call, first + 2)?;
    } else if file.escape_is_default.get() {
        let text = b"the $escape parameter must be provided, as its default value will change, \
            either explicitly or via SplFileObject::setCsvControl()";
        call.raise(Level::Deprecated, text)?;
    }
    Ok(format)
}

/// `SplFileObject::fgetcsv()`
pub fn fgetcsv(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = file(call)?;
    let format = format(call, &file, 0)?;
    let this = call.this().clone();
    if !read_record(call.vm, &this, &file, format, true)? {
        return Ok(Val::FALSE);
    }
    Ok(file.record.get())
}

/// `SplFileObject::fputcsv()`
pub fn fputcsv(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = file(call)?;
    let format = format(call, &file, 1)?;
    let record = format_record(call.vm, &call.arr(0), format, &call.str(4))?;
    let written = file.stream.write(call.vm, &record)?;
    Ok(written.map_or(Val::FALSE, |count| Val::int(count as i64)))
}

/// `SplFileObject::setCsvControl()`
pub fn set_control(call: &mut Call<'_>) -> PhpResult<Val> {
    let (separator, enclosure) = (single(call, 0)?.unwrap_or(b','), single(call, 1)?.unwrap_or(b'"'));
    if !call.was_passed(2) {
        let text = b"the $escape parameter must be provided as its default value will change";
        call.raise(phlox_runtime::Level::Deprecated, text)?;
    }
    let escape = escape(call, 2)?;
    if let Some(file) = &*data(call.this()).file.borrow() {
        if call.was_passed(2) {
            file.escape_is_default.set(false);
        }
        file.format.set(Format { separator, enclosure, escape });
    }
    Ok(Val::NULL)
}

/// `SplFileObject::getCsvControl()`
pub fn get_control(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(file) = data(call.this()).file.borrow().clone() else {
        return Ok(PhpArr::from_vec(vec![Val::str(b""); 3]).into());
    };
    let format = file.format.get();
    let escape = format.escape.map_or(Val::str(b""), |byte| Val::str(&[byte]));
    Ok(PhpArr::from_vec(vec![Val::str(&[format.separator]), Val::str(&[format.enclosure]), escape]).into())
}
