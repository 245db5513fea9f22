//! Whole files: `file_get_contents`, `file_put_contents`, `file`, `readfile`.

use crate::context;
use crate::stream::open::{self, Options};
use crate::stream::{SEEK_CUR, SEEK_SET};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "file_get_contents(string $filename, bool $use_include_path = false, $context = null, int $offset = 0, ?int $length = null): string|false",
        file_get_contents,
    ),
    FnDef::new(
        "file_put_contents(string $filename, mixed $data, int $flags = 0, $context = null): int|false",
        file_put_contents,
    ),
    FnDef::new("file(string $filename, int $flags = 0, $context = null): array|false", file),
    FnDef::new("readfile(string $filename, bool $use_include_path = false, $context = null): int|false", readfile),
];

const FILE_USE_INCLUDE_PATH: i64 = 1;
const FILE_IGNORE_NEW_LINES: i64 = 2;
const FILE_SKIP_EMPTY_LINES: i64 = 4;
const FILE_APPEND: i64 = 8;
const FILE_NO_DEFAULT_CONTEXT: i64 = 16;
const LOCK_EX: i64 = 2;

/// Streams that are open only inside a function have a resource number, too: the next ones must not get it.
fn use_resource_number(stream: &std::rc::Rc<crate::stream::Stream>) -> phlox_runtime::PhpRes {
    open::resource(stream.clone())
}

/// How a stream is opened, by the arguments for the include path and the context.
pub fn options(call: &Call<'_>, use_include_path: bool, context: usize) -> PhpResult<Options> {
    let context = context::argument(call, context)?;
    Ok(Options { use_include_path, context, ..Options::default() })
}

fn file_get_contents(call: &mut Call<'_>) -> PhpResult<Val> {
    let length = call.opt_int(4);
    if length.is_some_and(|length| length < 0) {
        return Err(call.value_error(4, "must be greater than or equal to 0"));
    }
    let options = options(call, call.bool(1), 2)?;
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &options)? else { return Ok(Val::FALSE) };
    let _resource = use_resource_number(&stream);
    let offset = call.int(3);
    if offset != 0 {
        let whence = if offset > 0 && stream.is_seekable() { SEEK_SET } else { SEEK_CUR };
        let moved = if offset < 0 {
            stream.seek(call.vm, offset, crate::stream::SEEK_END)?
        } else {
            stream.seek(call.vm, offset, whence)?
        };
        if !moved {
            call.warning(&format!("Failed to seek to position {offset} in the stream"))?;
            return Ok(Val::FALSE);
        }
    }
    let data = stream.contents(call.vm, length.map(|length| length as usize));
    Ok(stream.close_after(call.vm, data)?.into())
}

fn file_put_contents(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(2);
    let options = options(call, flags & FILE_USE_INCLUDE_PATH != 0, 3)?;
    let source = match call.arg(1).as_res() {
        Some(resource) => match open::stream_of(resource) {
            Some(stream) => Some(stream),
            None => {
                return Err(call
                    .vm
                    .throw_type_error(b"file_put_contents(): supplied resource is not a valid stream resource"));
            }
        },
        None => None,
    };
    let lock = flags & LOCK_EX != 0;
    let filename = call.path(0)?;
    if lock && open::scheme(&filename).is_some_and(|scheme| !scheme.eq_ignore_ascii_case(b"file")) {
        call.warning("Exclusive locks may only be set for regular files")?;
        return Ok(Val::FALSE);
    }
    let mode = if flags & FILE_APPEND != 0 {
        "ab"
    } else if lock {
        "cb"
    } else {
        "wb"
    };
    let Some(stream) = open::open(call.vm, &filename, mode, &options)? else { return Ok(Val::FALSE) };
    let _resource = use_resource_number(&stream);
    if lock {
        let locked = stream.with(|source| source.lock(call.vm, LOCK_EX)).unwrap_or(Ok(None))?;
        if !locked.is_some_and(|(done, _)| done) {
            call.warning("Exclusive locks are not supported for this stream")?;
            return Ok(Val::FALSE);
        }
        if mode == "cb" {
            stream.with(|source| source.truncate(call.vm, 0)).unwrap_or(Ok(None))?;
        }
    }
    let data = match (source, call.arg(1).view()) {
        (Some(source), _) => source.read_all(call.vm, None)?,
        (None, View::Arr(parts)) => {
            let mut data = Vec::new();
            for part in parts.values() {
                data.extend_from_slice(&convert::to_str(call.vm, &part.deref())?);
            }
            data
        }
        (None, View::Obj(object)) => match convert::object_to_str(call.vm, object)? {
            Some(text) => text.to_vec(),
            None => return Ok(Val::FALSE),
        },
        _ => convert::to_str(call.vm, &call.arg(1))?.to_vec(),
    };
    let written = stream.write(call.vm, &data)?;
    stream.close(call.vm)?;
    match written {
        Some(count) if count == data.len() => Ok(Val::int(count as i64)),
        Some(count) => {
            call.warning(&format!("Only {count} of {} bytes written, possibly out of free disk space", data.len()))?;
            Ok(Val::FALSE)
        }
        None => {
            if call.arg(1).as_arr().is_some() && !data.is_empty() {
                call.warning(&format!("Failed to write {} bytes to {filename}", data.len()))?;
            }
            Ok(Val::FALSE)
        }
    }
}

fn file(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(1);
    let options = options(call, flags & FILE_USE_INCLUDE_PATH != 0, 2)?;
    let known = FILE_USE_INCLUDE_PATH | FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES | FILE_NO_DEFAULT_CONTEXT;
    if !(0..=known).contains(&flags) || flags & !known != 0 {
        return Err(call.value_error(1, "must be a valid flag value"));
    }
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &options)? else { return Ok(Val::FALSE) };
    let _resource = use_resource_number(&stream);
    let data = stream.close_after(call.vm, stream.contents(call.vm, None))?;
    let (trim, skip_empty) = (flags & FILE_IGNORE_NEW_LINES != 0, flags & FILE_SKIP_EMPTY_LINES != 0);
    let mut lines = PhpArr::new();
    for line in data.split_inclusive(|&b| b == b'\n') {
        let mut line = line;
        if trim {
            line = line.strip_suffix(b"\n").unwrap_or(line);
            line = line.strip_suffix(b"\r").unwrap_or(line);
            if skip_empty && line.is_empty() {
                continue;
            }
        }
        let _ = lines.push(Val::str(line));
    }
    Ok(lines.into())
}

fn readfile(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call, call.bool(1), 2)?;
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &options)? else { return Ok(Val::FALSE) };
    let _resource = use_resource_number(&stream);
    let passed = stream.pass_through(call.vm);
    Ok(Val::int(stream.close_after(call.vm, passed)?))
}
