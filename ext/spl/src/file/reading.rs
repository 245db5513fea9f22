//! Reading a file line by line, as SplFileObject does.

use super::csv;
use super::data::{OpenFile, data};
use phlox_runtime::vm::Callee;
use phlox_runtime::{ByBytes, ObjExt, PhpObj, PhpResult, PhpStr, Val, Vm, convert};

pub const DROP_NEW_LINE: i64 = 1;
pub const READ_AHEAD: i64 = 2;
pub const SKIP_EMPTY: i64 = 4;
pub const READ_CSV: i64 = 8;

fn has(object: &PhpObj, flag: i64) -> bool {
    data(object).flags.get() & flag != 0
}

impl OpenFile {
    /// Forgets the current line.
    pub fn free_line(&self) {
        self.line.replace(None);
        self.record.set(Val::UNDEF);
    }

    /// Whether a line or record has been read ahead.
    pub fn has_line(&self) -> bool {
        self.line.borrow().is_some() || !self.record.is_undef()
    }

    /// Has everything been read? This may become known only by another read.
    pub fn at_end(&self) -> bool {
        self.stream.at_end()
    }
}

/// The exception about reading past the end; false instead if `silent`.
fn end_reached(vm: &Vm, object: &PhpObj, silent: bool) -> PhpResult<bool> {
    if silent {
        return Ok(false);
    }
    let name = data(object).name.borrow().clone().unwrap_or_else(PhpStr::empty);
    Err(vm.throw_class(b"RuntimeException", &[b"Cannot read from file ", &name[..]].concat(), 0))
}

/// Reads a line into the file's current line; false at the end.
pub fn read(vm: &Vm, object: &PhpObj, file: &OpenFile, silent: bool, add: i64, record: bool) -> PhpResult<bool> {
    file.free_line();
    if file.at_end() {
        return end_reached(vm, object, silent);
    }
    let limit = usize::try_from(file.max_line.get()).ok().filter(|&max| max > 0);
    let mut line = file.stream.line(vm, limit)?.unwrap_or_default();
    if !record && has(object, DROP_NEW_LINE) && line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    file.line.replace(Some(PhpStr::new(&line)));
    file.line_number.set(file.line_number.get() + add);
    Ok(true)
}

/// Reads a line into the file's current line and counts it only if there was a line before; false at the end.
pub fn read_next(vm: &Vm, object: &PhpObj, file: &OpenFile, silent: bool, record: bool) -> PhpResult<bool> {
    let add = i64::from(file.line.borrow().is_some());
    read(vm, object, file, silent, add, record)
}

fn is_line_empty(object: &PhpObj, file: &OpenFile) -> bool {
    let line = file.line.borrow();
    let line = line.as_ref().map_or(&b""[..], |line| line.as_bytes());
    line.is_empty() || has(object, READ_CSV) && has(object, DROP_NEW_LINE) && matches!(line, b"\n" | b"\r\n")
}

/// Reads a line and splits it into fields.
pub fn read_record(vm: &Vm, object: &PhpObj, file: &OpenFile, format: csv::Format, silent: bool) -> PhpResult<bool> {
    loop {
        if !read_next(vm, object, file, silent, true)? {
            return Ok(false);
        }
        if !(has(object, SKIP_EMPTY) && is_line_empty(object, file)) {
            break;
        }
    }
    let line = file.line.borrow().as_ref().map(|line| line.to_vec()).unwrap_or_default();
    let record = phlox_ext_standard_file::csv::read_record(vm, &file.stream, line, format)?;
    file.record.set(record.into());
    Ok(true)
}

fn read_line_once(vm: &Vm, object: &PhpObj, file: &OpenFile, silent: bool) -> PhpResult<bool> {
    if has(object, READ_CSV) {
        return read_record(vm, object, file, file.format.get(), silent);
    }
    let method = object.class().methods.get(&ByBytes(b"getcurrentline")).cloned();
    let Some(method) = method.filter(|method| !method.is_native()) else {
        return read_next(vm, object, file, silent, false);
    };
    file.free_line();
    if file.at_end() {
        return end_reached(vm, object, silent);
    }
    let line = vm.call(&Callee::method(method, object.clone()), Vec::new())?.into_deref();
    let Some(text) = line.as_str() else {
        let given = convert::value_name(&line);
        let tail = format!("::getCurrentLine(): Return value must be of type string, {given} returned");
        return Err(vm.throw_type_error(&[&object.class_name()[..], tail.as_bytes()].concat()));
    };
    if file.has_line() {
        file.line_number.set(file.line_number.get() + 1);
    }
    file.free_line();
    file.line.replace(Some(text.clone()));
    Ok(true)
}

/// Reads a line or record as the flags say, or through a `getCurrentLine` that a subclass replaces.
pub fn read_line(vm: &Vm, object: &PhpObj, file: &OpenFile, silent: bool) -> PhpResult<bool> {
    let mut found = read_line_once(vm, object, file, silent)?;
    while found && has(object, SKIP_EMPTY) && is_line_empty(object, file) {
        file.free_line();
        found = read_line_once(vm, object, file, silent)?;
    }
    Ok(found)
}
