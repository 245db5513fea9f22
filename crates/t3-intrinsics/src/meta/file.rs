//! file: text, data and raw files.

use std::cell::RefCell;
use std::io::SeekFrom;
use std::rc::Rc;

use phlox_t3_library::bignum::BigNum;
use phlox_t3_library::charset::CharacterSet;
use phlox_t3_library::digest;
use phlox_t3_vm::contents::bytes::new_bytes;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::file::{FileHandle, Mode, Open, Source};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

use super::charset;
use crate::bif::{pack, unpack};

pub(crate) static METHODS: &[Method] = methods! {
    openTextFile 2 3 => open_text,
    openDataFile 2 2 => open_data,
    openRawFile 2 2 => open_raw,
    getCharacterSet 0 0 => get_character_set,
    setCharacterSet 1 1 => set_character_set,
    closeFile 0 0 => close,
    readFile 0 0 => read,
    writeFile 1 1 => write,
    readBytes 1 3 => read_bytes,
    writeBytes 1 3 => write_bytes,
    getPos 0 0 => get_pos,
    setPos 1 1 => set_pos,
    setPosEnd 0 0 => set_pos_end,
    openTextResource 1 2 => open_text_resource,
    openRawResource 1 1 => open_raw_resource,
    getFileSize 0 0 => get_size,
    getFileMode 0 0 => get_mode,
    getRootName 1 1 => get_root_name,
    deleteFile 1 1 => delete,
    setFileMode 1 2 => set_mode,
    packBytes 1 any => pack_bytes,
    unpackBytes 1 1 => unpack_bytes,
    sha256 0 1 => sha256,
    digestMD5 0 1 => digest_md5,
};

/// Accesses of the open functions.
const READ: i32 = 1;
const WRITE: i32 = 2;
const READ_WRITE_KEEP: i32 = 3;
const READ_WRITE_TRUNCATE: i32 = 4;

fn open(vm: &mut Vm, args: Args, mode: Mode) -> Run<Value> {
    let access = vm.number_of(args.get(vm, 1))?;
    if !(READ..=READ_WRITE_TRUNCATE).contains(&access) || vm.name_arg(args.get(vm, 0)).is_err() {
        return fail(error::BAD_VAL_BIF);
    }
    let path = vm.file_path(args.get(vm, 0), access != READ)?;
    let mut options = std::fs::OpenOptions::new();
    match access {
        READ => options.read(true),
        WRITE => options.write(true).create(true).truncate(true),
        READ_WRITE_KEEP => options.read(true).write(true).create(true).truncate(false),
        READ_WRITE_TRUNCATE => options.read(true).write(true).create(true).truncate(true),
        _ => return fail(error::BAD_VAL_BIF),
    };
    let file = match options.open(path) {
        Ok(file) => file,
        Err(_) if access == READ => return vm.throw_class("File.FileNotFoundException", error::FILE_NOT_FOUND, &[]),
        Err(_) => return vm.throw_class("File.FileCreationException", error::CREATE_FILE, &[]),
    };
    let set = match args.given(vm, 2) {
        Some(value) => charset::of(vm, value)?,
        None => CharacterSet::new("utf-8"),
    };
    let open = Open { source: Source::Disk(file), mode, set, readable: access != WRITE, writable: access != READ };
    Ok(new_file(vm, open))
}

fn new_file(vm: &mut Vm, open: Open) -> Value {
    let id = vm.heap.alloc(Obj::File(FileHandle(Rc::new(RefCell::new(open)))));
    // An open file means nothing in a saved game.
    if let Some(flags) = vm.heap.flags_mut(id) {
        flags.transient = true;
    }
    Value::Obj(id)
}

fn open_text(vm: &mut Vm, args: Args) -> Run<Value> {
    open(vm, args, Mode::Text)
}

fn open_data(vm: &mut Vm, args: Args) -> Run<Value> {
    open(vm, args, Mode::Data)
}

fn open_raw(vm: &mut Vm, args: Args) -> Run<Value> {
    open(vm, args, Mode::Raw)
}

fn open_resource(vm: &mut Vm, args: Args, mode: Mode) -> Run<Value> {
    let name = vm.want_text(args.get(vm, 0))?;
    let image = vm.image.clone();
    let Some(resource) = image.resources.iter().find(|resource| resource.name.eq_ignore_ascii_case(&name)) else {
        return vm.throw_class("File.FileNotFoundException", error::FILE_NOT_FOUND, &[]);
    };
    let set = match args.given(vm, 1) {
        Some(value) => charset::of(vm, value)?,
        None => CharacterSet::new("utf-8"),
    };
    let bytes = image.file[resource.data.clone()].to_vec();
    let source = Source::Memory(std::io::Cursor::new(bytes));
    Ok(new_file(vm, Open { source, mode, set, readable: true, writable: false }))
}

fn open_text_resource(vm: &mut Vm, args: Args) -> Run<Value> {
    open_resource(vm, args, Mode::Text)
}

fn open_raw_resource(vm: &mut Vm, args: Args) -> Run<Value> {
    open_resource(vm, args, Mode::Raw)
}

/// The file, open and in the right mode for reading (or writing).
fn checked(vm: &mut Vm, args: Args, write: Option<bool>) -> Run<FileHandle> {
    let handle = match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::File(handle) => handle.clone(),
            _ => return fail(error::OBJ_VAL_REQD),
        },
        _ => return fail(error::OBJ_VAL_REQD),
    };
    let (closed, readable, writable) = {
        let open = handle.0.borrow();
        (matches!(open.source, Source::Closed), open.readable, open.writable)
    };
    if closed {
        return vm.throw_class("File.FileClosedException", error::READ_FILE, &[]);
    }
    if write == Some(true) && !writable || write == Some(false) && !readable {
        return vm.throw_class("File.FileModeException", error::READ_FILE, &[]);
    }
    Ok(handle)
}

/// An input or output error becomes the program's exception.
fn io<T>(vm: &mut Vm, result: std::io::Result<T>) -> Run<T> {
    match result {
        Ok(value) => Ok(value),
        Err(_) => vm.throw_class("File.FileIOException", error::READ_FILE, &[]),
    }
}

fn get_character_set(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let set = handle.0.borrow().set.clone();
    Ok(Value::Obj(vm.heap.alloc(Obj::CharSet(Box::new(set)))))
}

fn set_character_set(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let set = match args.get(vm, 0) {
        Value::Nil => CharacterSet::new("us-ascii"),
        value => charset::named(vm, value)?,
    };
    // A set without a table writes as ASCII.
    handle.0.borrow_mut().set = if set.is_known() { set } else { CharacterSet::new("us-ascii") };
    Ok(Value::Nil)
}

fn close(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    handle.0.borrow_mut().source = Source::Closed;
    Ok(Value::Nil)
}

fn read(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(false))?;
    let mode = handle.0.borrow().mode;
    match mode {
        Mode::Text => {
            let line = read_line(&mut handle.0.borrow_mut());
            let line = io(vm, line)?;
            Ok(line.map_or(Value::Nil, |line| vm.heap.new_text(line)))
        }
        Mode::Data => read_item(vm, &handle),
        Mode::Raw => vm.throw_class("File.FileModeException", error::READ_FILE, &[]),
    }
}

/// A line with its end as `\n`; `None` at the end of the file.
fn read_line(open: &mut Open) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    let mut ended = false;
    while !ended && open.source.read(&mut byte)? == 1 {
        ended = byte[0] == b'\n';
        bytes.push(byte[0]);
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    Ok(Some(open.set.decode(&bytes).replace("\r\n", "\n")))
}

/// Type codes of data files.
mod tag {
    pub const INT: u8 = 0x01;
    pub const STRING: u8 = 0x03;
    pub const TRUE: u8 = 0x08;
    pub const ENUM: u8 = 0x20;
    pub const BIG_NUMBER: u8 = 0x21;
    pub const BYTES: u8 = 0x22;
}

fn read_item(vm: &mut Vm, handle: &FileHandle) -> Run<Value> {
    let take = |count: usize| -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        let got = handle.0.borrow_mut().source.read(&mut bytes)?;
        bytes.truncate(got);
        Ok(bytes)
    };
    let kind = io(vm, take(1))?;
    let Some(kind) = kind.first().copied() else { return Ok(Value::Nil) };
    let number = |vm: &mut Vm, size: usize| -> Run<u32> {
        let bytes = io(vm, take(size))?;
        Ok(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    };
    Ok(match kind {
        tag::INT => Value::Int(number(vm, 4)? as i32),
        tag::TRUE => Value::True,
        tag::ENUM => Value::Enum(number(vm, 4)?),
        tag::STRING => {
            let length = (number(vm, 2)? as usize).saturating_sub(2);
            let bytes = io(vm, take(length))?;
            vm.heap.new_text(String::from_utf8_lossy(&bytes).into_owned())
        }
        tag::BIG_NUMBER => {
            let length = number(vm, 2)? as usize;
            let bytes = io(vm, take(length))?;
            vm.new_big(BigNum::parse(&String::from_utf8_lossy(&bytes), None))
        }
        tag::BYTES => {
            let length = number(vm, 4)? as usize;
            let size = handle.0.borrow_mut().source.size();
            let size = io(vm, size)?;
            let bytes = io(vm, take(length.min(size as usize)))?;
            new_bytes(vm, bytes)
        }
        _ => return vm.throw_class("File.FileIOException", error::READ_FILE, &[]),
    })
}

fn write(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(true))?;
    let value = args.get(vm, 0);
    let mode = handle.0.borrow().mode;
    let bytes = match mode {
        Mode::Text => {
            let text = if value == Value::Nil { Text::from("") } else { vm.display_text(value)? };
            handle.0.borrow().set.encode(&text)
        }
        Mode::Data => item_bytes(vm, value)?,
        Mode::Raw => return vm.throw_class("File.FileModeException", error::WRITE_FILE, &[]),
    };
    let result = handle.0.borrow_mut().source.write(&bytes);
    io(vm, result)?;
    Ok(Value::Nil)
}

fn item_bytes(vm: &mut Vm, value: Value) -> Run<Vec<u8>> {
    let mut out = Vec::new();
    match value {
        Value::Int(number) => {
            out.push(tag::INT);
            out.extend(number.to_le_bytes());
        }
        Value::True => out.push(tag::TRUE),
        Value::Enum(number) => {
            out.push(tag::ENUM);
            out.extend(number.to_le_bytes());
        }
        value => {
            if let Some(text) = vm.heap.text(value) {
                out.push(tag::STRING);
                out.extend((text.len() as u16 + 2).to_le_bytes());
                out.extend(text.as_bytes());
            } else if let Some(number) = vm.big(value) {
                let text = number.display();
                out.push(tag::BIG_NUMBER);
                out.extend((text.len() as u16).to_le_bytes());
                out.extend(text.as_bytes());
            } else if let Ok(bytes) = vm.bytes(value) {
                out.push(tag::BYTES);
                out.extend((bytes.len() as u32).to_le_bytes());
                out.extend(bytes);
            } else {
                return fail(error::BAD_TYPE_BIF);
            }
        }
    }
    Ok(out)
}

/// Bytes are read and written in raw mode only.
fn raw(vm: &mut Vm, handle: &FileHandle) -> Run<()> {
    match handle.0.borrow().mode {
        Mode::Raw => Ok(()),
        _ => vm.throw_class("File.FileModeException", error::READ_FILE, &[]),
    }
}

/// First byte and count of a transfer to or from an array.
fn part(vm: &Vm, args: Args, len: usize) -> Run<(usize, usize)> {
    let start = match args.given(vm, 1) {
        Some(value) => (vm.want_int(value)?.max(1) as usize - 1).min(len),
        None => 0,
    };
    let count = match args.given(vm, 2) {
        Some(value) => vm.want_int(value)?.max(0) as usize,
        None => len,
    };
    Ok((start, count.min(len - start)))
}

fn read_bytes(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(false))?;
    raw(vm, &handle)?;
    let array = args.get(vm, 0);
    let (start, count) = part(vm, args, vm.bytes(array)?.len())?;
    let mut buffer = vec![0; count];
    let result = handle.0.borrow_mut().source.read(&mut buffer);
    let got = io(vm, result)?;
    vm.change_bytes(array, |bytes| bytes[start..start + got].copy_from_slice(&buffer[..got]))?;
    Ok(Value::Int(got as i32))
}

fn write_bytes(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(true))?;
    raw(vm, &handle)?;
    let array = args.get(vm, 0);
    let (start, count) = part(vm, args, vm.bytes(array)?.len())?;
    let bytes = vm.bytes(array)?[start..start + count].to_vec();
    let result = handle.0.borrow_mut().source.write(&bytes);
    io(vm, result)?;
    Ok(Value::Nil)
}

fn get_pos(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let result = handle.0.borrow_mut().source.seek(SeekFrom::Current(0));
    Ok(Value::Int(io(vm, result)? as i32))
}

fn set_pos(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let at = vm.want_int(args.get(vm, 0))?;
    let result = handle.0.borrow_mut().source.seek(SeekFrom::Start(at.max(0) as u64));
    io(vm, result)?;
    Ok(Value::Nil)
}

fn set_pos_end(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let result = handle.0.borrow_mut().source.seek(SeekFrom::End(0));
    io(vm, result)?;
    Ok(Value::Nil)
}

fn get_size(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let size = handle.0.borrow_mut().source.size();
    Ok(Value::Int(io(vm, size)? as i32))
}

fn get_mode(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let mode = handle.0.borrow().mode;
    Ok(Value::Int(mode as i32))
}

fn set_mode(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, None)?;
    let mode = match vm.want_int(args.get(vm, 0))? {
        1 => Mode::Text,
        2 => Mode::Data,
        3 => Mode::Raw,
        _ => return fail(error::BAD_VAL_BIF),
    };
    if let Some(value) = args.given(vm, 1) {
        let set = charset::of(vm, value)?;
        handle.0.borrow_mut().set = set;
    }
    handle.0.borrow_mut().mode = mode;
    Ok(Value::Nil)
}

/// `File.getRootName(name)`: the name without its folder.
fn get_root_name(vm: &mut Vm, args: Args) -> Run<Value> {
    let Ok(name) = vm.name_arg(args.get(vm, 0)) else { return fail(error::BAD_VAL_BIF) };
    let root = name.rsplit('/').next().unwrap_or_default().to_owned();
    Ok(vm.heap.new_text(root))
}

/// `File.deleteFile(name)`.
fn delete(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.get(vm, 0), true)?;
    match std::fs::remove_file(path) {
        Ok(()) => Ok(Value::Nil),
        Err(_) => fail(106),
    }
}

fn pack_bytes(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(true))?;
    raw(vm, &handle)?;
    let format = vm.want_text(args.get(vm, 0))?;
    let values = args.all(vm);
    let (bytes, end) = pack::pack(vm, &format, &values[1..])?;
    let result = {
        let source = &mut handle.0.borrow_mut().source;
        let written = source.write(&bytes);
        // Formats may go back behind what they wrote.
        let back = bytes.len() - end;
        if back > 0 { written.and_then(|()| source.seek(SeekFrom::Current(-(back as i64))).map(drop)) } else { written }
    };
    io(vm, result)?;
    Ok(Value::Int(end as i32))
}

/// The bytes from here on, at most so many.
fn rest(vm: &mut Vm, handle: &FileHandle, limit: Option<usize>) -> Run<Vec<u8>> {
    let result = {
        let mut open = handle.0.borrow_mut();
        let size = open.source.size().unwrap_or(0) as usize;
        let mut bytes = vec![0; size.min(limit.unwrap_or(usize::MAX))];
        open.source.read(&mut bytes).map(|got| {
            bytes.truncate(got);
            bytes
        })
    };
    io(vm, result)
}

fn unpack_bytes(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(false))?;
    raw(vm, &handle)?;
    let format = vm.text_arg(args.get(vm, 0))?;
    let start = handle.0.borrow_mut().source.seek(SeekFrom::Current(0));
    let start = io(vm, start)?;
    let bytes = rest(vm, &handle, None)?;
    let (values, used) = unpack::unpack(vm, &format, &bytes)?;
    let result = handle.0.borrow_mut().source.seek(SeekFrom::Start(start + used as u64));
    io(vm, result)?;
    Ok(vm.heap.new_list(values))
}

fn limit(vm: &Vm, args: Args) -> Run<Option<usize>> {
    args.given(vm, 0).map(|value| vm.want_int(value).map(|count| count.max(0) as usize)).transpose()
}

fn sha256(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(false))?;
    raw(vm, &handle)?;
    let limit = limit(vm, args)?;
    let bytes = rest(vm, &handle, limit)?;
    Ok(vm.heap.new_text(digest::sha256(&bytes)))
}

fn digest_md5(vm: &mut Vm, args: Args) -> Run<Value> {
    let handle = checked(vm, args, Some(false))?;
    raw(vm, &handle)?;
    let limit = limit(vm, args)?;
    let bytes = rest(vm, &handle, limit)?;
    Ok(vm.heap.new_text(digest::md5(&bytes)))
}
