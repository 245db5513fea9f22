//! Functions on open streams: `fopen` to `fclose`.

use crate::context;
use crate::stream::open::{self, Options};
use crate::stream::plain::{self, FileSource};
use crate::stream::{CHUNK, SEEK_SET, Stream, StreamOption, user};
use phlox_runtime::{Call, FnDef, PhpArr, PhpRes, PhpResult, Throw, Val, convert};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("fopen(string $filename, string $mode, bool $use_include_path = false, $context = null)", fopen),
    FnDef::new("fclose($stream): bool", fclose),
    FnDef::new("feof($stream): bool", feof),
    FnDef::new("fgetc($stream): string|false", fgetc),
    FnDef::new("fgets($stream, ?int $length = null): string|false", fgets),
    FnDef::new("fread($stream, int $length): string|false", fread),
    FnDef::new("fwrite($stream, string $data, ?int $length = null): int|false", fwrite),
    FnDef::new("fputs($stream, string $data, ?int $length = null): int|false", fwrite),
    FnDef::new("fflush($stream): bool", fflush),
    FnDef::new("fsync($stream): bool", fsync),
    FnDef::new("fdatasync($stream): bool", fsync),
    FnDef::new("ftell($stream): int|false", ftell),
    FnDef::new("fseek($stream, int $offset, int $whence = SEEK_SET): int", fseek),
    FnDef::new("rewind($stream): bool", rewind),
    FnDef::new("ftruncate($stream, int $size): bool", ftruncate),
    FnDef::new("fstat($stream): array|false", fstat),
    FnDef::new("flock($stream, int $operation, &$would_block = null): bool", flock),
    FnDef::new("fpassthru($stream): int", fpassthru),
    FnDef::new("tmpfile()", tmpfile),
    FnDef::new(
        "stream_get_contents($stream, ?int $length = null, int $offset = -1): string|false",
        stream_get_contents,
    ),
    FnDef::new(
        "stream_copy_to_stream(#[resource] $from, #[resource] $to, ?int $length = null, int $offset = 0): int|false",
        stream_copy_to_stream,
    ),
    FnDef::new("stream_get_line($stream, int $length, string $ending = \"\"): string|false", stream_get_line),
    FnDef::new("stream_get_meta_data($stream): array", stream_get_meta_data),
    FnDef::new("socket_get_status($stream): array", stream_get_meta_data),
    FnDef::new("stream_set_blocking($stream, bool $enable): bool", stream_set_blocking),
    FnDef::new("socket_set_blocking($stream, bool $enable): bool", stream_set_blocking),
    FnDef::new("stream_set_timeout($stream, int $seconds, int $microseconds = 0): bool", stream_set_timeout),
    FnDef::new("socket_set_timeout($stream, int $seconds, int $microseconds = 0): bool", stream_set_timeout),
    FnDef::new("stream_set_write_buffer($stream, int $size): int", stream_set_write_buffer),
    FnDef::new("set_file_buffer($stream, int $size): int", stream_set_write_buffer),
    FnDef::new("stream_set_read_buffer($stream, int $size): int", stream_set_read_buffer),
    FnDef::new("stream_set_chunk_size($stream, int $size): int", stream_set_chunk_size),
    FnDef::new("stream_supports_lock($stream): bool", stream_supports_lock),
    FnDef::new("stream_is_local(#[unchecked] $stream): bool", stream_is_local),
    FnDef::new("stream_isatty($stream): bool", stream_isatty),
    FnDef::new(
        "stream_select(?array &$read, ?array &$write, ?array &$except, ?int $seconds, ?int $microseconds = null): int|false",
        stream_select,
    ),
];

fn not_a_stream(call: &Call<'_>) -> Throw {
    let name = call.func.display_name();
    call.vm.throw_type_error(&[&name[..], b"(): supplied resource is not a valid stream resource"].concat())
}

/// The resource of an argument that must be a stream.
pub fn resource_argument(call: &Call<'_>, index: usize) -> PhpResult<(PhpRes, Rc<Stream>)> {
    let value = call.arg(index);
    let Some(resource) = value.as_res() else {
        let text = format!("must be of type resource, {} given", convert::value_name(&value));
        return Err(call.type_error(index, &text));
    };
    match open::stream_of(resource) {
        Some(stream) => Ok((resource.clone(), stream)),
        None => Err(not_a_stream(call)),
    }
}

/// The stream of an argument.
pub fn stream(call: &Call<'_>, index: usize) -> PhpResult<Rc<Stream>> {
    resource_argument(call, index).map(|(_, stream)| stream)
}

/// The data as a string; `None` is false.
pub fn string_or_false(data: Option<Vec<u8>>) -> Val {
    data.map_or(Val::FALSE, Val::from)
}

fn fopen(call: &mut Call<'_>) -> PhpResult<Val> {
    let context = context::argument(call, 3)?;
    let options = Options { use_include_path: call.bool(2), context, ..Options::default() };
    let mode = call.str(1);
    let opened = open::open(call.vm, &call.path(0)?, &phlox_runtime::shown(&mode), &options)?;
    Ok(opened.map_or(Val::FALSE, |stream| open::resource(stream).into()))
}

fn fclose(call: &mut Call<'_>) -> PhpResult<Val> {
    let (resource, stream) = resource_argument(call, 0)?;
    if stream.unclosable.get() {
        call.warning(&format!("{} is not a valid stream resource", resource.id()))?;
        return Ok(Val::FALSE);
    }
    let closed = resource.close();
    let result = stream.close(call.vm);
    drop(closed);
    result.map(|()| Val::TRUE)
}

fn feof(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(stream(call, 0)?.at_end()))
}

/// Warns when the stream is not open for reading.
fn check_readable(call: &Call<'_>, stream: &Stream) -> PhpResult<bool> {
    // Only files of the system check the mode; other sources decide themselves.
    if stream.can_read() || stream.kind() != "STDIO" {
        return Ok(true);
    }
    let size = CHUNK;
    call.raise(
        phlox_runtime::Level::Notice,
        format!("Read of {size} bytes failed with errno=9 Bad file descriptor").as_bytes(),
    )?;
    Ok(false)
}

fn fgetc(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    if !check_readable(call, &stream)? {
        return Ok(Val::FALSE);
    }
    let byte = stream.read(call.vm, 1)?.filter(|data| !data.is_empty());
    Ok(string_or_false(byte))
}

fn fgets(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let limit = match call.opt_int(1) {
        None => None,
        Some(length) if length <= 0 => return Err(call.value_error(1, "must be greater than 0")),
        Some(length) => Some(length as usize - 1),
    };
    if limit == Some(0) || !check_readable(call, &stream)? {
        return Ok(Val::FALSE);
    }
    Ok(string_or_false(stream.line(call.vm, limit)?))
}

fn fread(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let length = call.int(1);
    if length <= 0 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    if !check_readable(call, &stream)? {
        return Ok(Val::FALSE);
    }
    Ok(string_or_false(stream.read(call.vm, length as usize)?))
}

fn fwrite(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.str(1);
    let size = match call.opt_int(2) {
        None => data.len(),
        Some(length) => usize::try_from(length).unwrap_or(0).min(data.len()),
    };
    if size == 0 {
        return Ok(Val::int(0));
    }
    let stream = stream(call, 0)?;
    if !stream.can_write() && stream.kind() == "STDIO" {
        let text = format!("Write of {size} bytes failed with errno=9 Bad file descriptor");
        call.raise(phlox_runtime::Level::Notice, text.as_bytes())?;
        return Ok(Val::FALSE);
    }
    Ok(stream.write(call.vm, &data[..size])?.map_or(Val::FALSE, |count| Val::int(count as i64)))
}

fn fflush(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(stream(call, 0)?.flush(call.vm, false)?))
}

fn fsync(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    match stream.duplicate_file() {
        Some(file) => Ok(Val::bool(file.sync_all().is_ok())),
        None => {
            call.warning("Can't fsync this stream!")?;
            Ok(Val::FALSE)
        }
    }
}

fn ftell(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(stream(call, 0)?.tell()))
}

fn fseek(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let moved = stream.seek(call.vm, call.int(1), call.int(2))?;
    Ok(Val::int(if moved { 0 } else { -1 }))
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(stream(call, 0)?.seek(call.vm, 0, SEEK_SET)?))
}

fn ftruncate(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = call.int(1);
    if size < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    let stream = stream(call, 0)?;
    if !stream.can_write() && stream.kind() == "STDIO" {
        return Ok(Val::FALSE);
    }
    match stream.with(|source| source.truncate(call.vm, size as u64)).unwrap_or(Ok(None))? {
        Some(done) => Ok(Val::bool(done)),
        None => {
            call.warning("Can't truncate this stream!")?;
            Ok(Val::FALSE)
        }
    }
}

fn fstat(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let stat = stream.with(|source| source.stat(call.vm)).unwrap_or(Ok(None))?;
    Ok(stat.map_or(Val::FALSE, Val::from))
}

fn flock(call: &mut Call<'_>) -> PhpResult<Val> {
    const LOCK_NB: i64 = 4;
    let stream = stream(call, 0)?;
    let operation = call.int(1);
    if !(1..=3).contains(&(operation & 3)) {
        return Err(call.value_error(1, "must be one of LOCK_SH, LOCK_EX, or LOCK_UN"));
    }
    if call.was_passed(2) {
        call.assign(2, Val::int(0))?;
    }
    // `LOCK_UN` is 3; user wrappers see the bits as they are.
    let operation = operation & (3 | LOCK_NB);
    match stream.with(|source| source.lock(call.vm, operation)).unwrap_or(Ok(None))? {
        Some((done, would_block)) => {
            if would_block && call.was_passed(2) {
                call.assign(2, Val::int(1))?;
            }
            Ok(Val::bool(done))
        }
        None => Ok(Val::FALSE),
    }
}

fn fpassthru(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    Ok(Val::int(stream.pass_through(call.vm)?))
}

fn tmpfile(_call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((file, path)) = crate::filesystem::create_unique(&std::env::temp_dir(), b"php") else {
        return Ok(Val::FALSE);
    };
    let mut source = FileSource::new(file);
    source.delete = Some(path.clone());
    let mut stream = Stream::new(Box::new(source), "r+b");
    stream.wrapper_type = Some("plainfile");
    stream.uri = Some(path.into_os_string().into_encoded_bytes());
    Ok(open::resource(Rc::new(stream)).into())
}

fn stream_get_contents(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let limit = match call.opt_int(1) {
        Some(length) if length < -1 => return Err(call.value_error(1, "must be greater than or equal to -1")),
        None | Some(-1) => None,
        Some(length) => Some(length as usize),
    };
    let offset = call.int(2);
    if offset >= 0 {
        let position = stream.tell();
        // A stream that has the position already is not moved, because moving makes its filters read again.
        let moved = if position == offset {
            true
        } else if stream.is_seekable() || position > offset {
            stream.seek(call.vm, offset, SEEK_SET)?
        } else {
            stream.seek(call.vm, offset - position, crate::stream::SEEK_CUR)?
        };
        if !moved {
            call.warning(&format!("Failed to seek to position {offset} in the stream"))?;
            return Ok(Val::FALSE);
        }
    }
    Ok(stream.contents(call.vm, limit)?.into())
}

fn stream_copy_to_stream(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (stream(call, 0)?, stream(call, 1)?);
    let offset = call.int(3);
    if offset > 0 && !from.seek(call.vm, offset, SEEK_SET)? {
        call.warning(&format!("Failed to seek to position {offset} in the stream"))?;
        return Ok(Val::FALSE);
    }
    let limit = call.opt_int(2).and_then(|length| usize::try_from(length).ok());
    Ok(from.copy_to(call.vm, &to, limit)?.map_or(Val::FALSE, Val::int))
}

fn stream_get_line(call: &mut Call<'_>) -> PhpResult<Val> {
    let length = call.int(1);
    if length < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    let stream = stream(call, 0)?;
    let limit = if length == 0 { 1 << 30 } else { length as usize };
    Ok(string_or_false(stream.record(call.vm, limit, &call.str(2))?))
}

fn stream_get_meta_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let mut meta = PhpArr::new();
    if let Some(encryption) = stream.encryption() {
        meta.set_bytes(b"crypto", encryption.into());
    }
    // `data:` streams have their own meta data instead, `php://temp` has none.
    if stream.extra_meta.borrow().is_empty() && stream.kind() != "TEMP" {
        meta.set_bytes(b"timed_out", stream.timed_out().into());
        meta.set_bytes(b"blocked", Val::bool(stream.blocked.get()));
        meta.set_bytes(b"eof", Val::bool(stream.at_end()));
    }
    for (name, value) in stream.extra_meta.borrow().iter() {
        meta.set_bytes(name, value.clone());
    }
    if let Some(data) = stream.wrapper_data() {
        meta.set_bytes(b"wrapper_data", data);
    }
    if let Some(wrapper) = stream.wrapper_type {
        meta.set_bytes(b"wrapper_type", wrapper.into());
    }
    meta.set_bytes(b"stream_type", stream.kind().into());
    meta.set_bytes(b"mode", stream.mode.as_str().into());
    meta.set_bytes(b"unread_bytes", Val::int(stream.buffered() as i64));
    meta.set_bytes(b"seekable", Val::bool(stream.is_seekable()));
    if let Some(uri) = &stream.uri {
        meta.set_bytes(b"uri", Val::str(uri));
    }
    Ok(meta.into())
}

fn set_option(call: &Call<'_>, stream: &Stream, option: StreamOption) -> PhpResult<Option<bool>> {
    stream.with(|source| source.set_option(call.vm, option)).unwrap_or(Ok(None))
}

fn stream_set_blocking(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let on = call.bool(1);
    let done = set_option(call, &stream, StreamOption::Blocking(on))?;
    if done == Some(true) {
        stream.blocked.set(on);
    }
    // Setting the mode of a source that never blocks, such as memory, succeeds.
    Ok(Val::bool(done != Some(false)))
}

fn stream_set_timeout(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let option = StreamOption::Timeout { seconds: call.int(1), microseconds: call.int(2) };
    Ok(Val::bool(set_option(call, &stream, option)?.unwrap_or(false)))
}

fn stream_set_write_buffer(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let done = set_option(call, &stream, StreamOption::WriteBuffer(call.int(1)))?;
    Ok(Val::int(if done == Some(true) { 0 } else { -1 }))
}

fn stream_set_read_buffer(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    let size = call.int(1);
    stream.unbuffered.set(size == 0);
    let done = set_option(call, &stream, StreamOption::ReadBuffer(size))?;
    Ok(Val::int(if done == Some(false) { -1 } else { 0 }))
}

fn stream_set_chunk_size(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = call.int(1);
    if size <= 0 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    if size > i32::MAX as i64 {
        return Err(call.value_error(1, "is too large"));
    }
    Ok(Val::int(stream(call, 0)?.chunk_size.replace(size as usize) as i64))
}

fn stream_supports_lock(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(stream(call, 0)?.supports_lock()))
}

fn stream_is_local(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(0).as_res().is_some() {
        let stream = stream(call, 0)?;
        return Ok(Val::bool(stream.wrapper_type != Some("RFC2397")));
    }
    let url = convert::to_str(call.vm, &call.arg(0))?;
    if url.eq_ignore_ascii_case(b"file://") {
        return Ok(Val::TRUE);
    }
    let located = open::locate(call.vm, &url, false)?;
    Ok(Val::bool(located.is_some_and(|(wrapper, _)| wrapper.is_local())))
}

fn stream_isatty(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(stream(call, 0)?.is_terminal()))
}

/// A stream of a set of `stream_select` that can be waited for.
struct Selected {
    key: phlox_runtime::ArrKey,
    value: Val,
    stream: Rc<Stream>,
    file: std::fs::File,
}

/// The streams of one set. Those that cannot be waited for, which has been reported, are `refused`.
fn select_set(call: &Call<'_>, index: usize, refused: &mut Vec<(usize, Rc<Stream>)>) -> PhpResult<Vec<Selected>> {
    let Some(array) = call.opt_arr(index) else { return Ok(Vec::new()) };
    let mut set = Vec::new();
    for (key, value) in &array {
        let value = value.deref();
        // Values that are no streams are ignored.
        let Some(stream) = value.as_res().and_then(open::stream_of) else { continue };
        if let Some(file) = user::selectable_file(call.vm, &stream)? {
            set.push(Selected { key: key.to_owned(), value, stream, file });
        } else {
            refused.push((index, stream));
        }
    }
    Ok(set)
}

/// If streams have bytes buffered, only these are selected, and the other lists become empty.
fn select_buffered(call: &Call<'_>, to_read: &[Selected], buffered: impl Fn(&Stream) -> bool) -> PhpResult<Val> {
    let mut left = PhpArr::new();
    for Selected { key, value, .. } in to_read.iter().filter(|selected| buffered(&selected.stream)) {
        left.insert(key.as_key(), value.clone());
    }
    let total = left.len() as i64;
    call.assign(0, left.into())?;
    for index in [1, 2] {
        if call.opt_arr(index).is_some() {
            call.assign(index, PhpArr::new().into())?;
        }
    }
    Ok(Val::int(total))
}

fn stream_select(call: &mut Call<'_>) -> PhpResult<Val> {
    use rustix::event::{PollFd, PollFlags};
    call.vm.output.before_waiting();
    let mut refused = Vec::new();
    let mut set = |index| select_set(call, index, &mut refused);
    let sets = [set(0)?, set(1)?, set(2)?];
    if sets.iter().all(Vec::is_empty) {
        return Err(call.vm.throw_value_error(b"No stream arrays were passed"));
    }
    let (seconds, microseconds) = (call.opt_int(3), call.opt_int(4));
    if seconds.is_none() && microseconds.is_some_and(|microseconds| microseconds != 0) {
        return Err(call.value_error(4, "must be null when argument #4 ($seconds) is null"));
    }
    for (index, part) in [(3, seconds), (4, seconds.and(microseconds))] {
        if part.is_some_and(|part| part < 0) {
            return Err(call.value_error(index, "must be greater than or equal to 0"));
        }
    }
    let buffered = |stream: &Stream| stream.buffered() > 0 || stream.pending() > 0;
    let flags = [PollFlags::IN | PollFlags::HUP, PollFlags::OUT, PollFlags::PRI];
    let mut files = Vec::new();
    for (which, set) in sets.iter().enumerate() {
        files.extend(set.iter().enumerate().map(|(position, selected)| (which, position, &selected.file)));
    }
    let ready_now = sets[0].iter().any(|selected| buffered(&selected.stream));
    if ready_now {
        return select_buffered(call, &sets[0], buffered);
    }
    let timeout = seconds.map(|seconds| {
        let microseconds = microseconds.unwrap_or(0);
        let tv_sec = seconds.saturating_add(microseconds / 1_000_000);
        rustix::event::Timespec { tv_sec, tv_nsec: microseconds % 1_000_000 * 1000 }
    });
    let mut polled: Vec<PollFd<'_>> = files.iter().map(|(which, _, file)| PollFd::new(*file, flags[*which])).collect();
    if let Err(error) = rustix::event::poll(&mut polled, timeout.as_ref()) {
        let highest = sets.iter().flatten().filter_map(|selected| selected.stream.descriptor()).max().unwrap_or(0);
        let (number, text) = (error.raw_os_error(), plain::error_text(&error.into()));
        call.warning(&format!("Unable to select [{number}]: {text} (max_fd={highest})"))?;
        return Ok(Val::FALSE);
    }
    let ready: Vec<(usize, usize)> = polled
        .iter()
        .zip(&files)
        .filter(|(fd, _)| !fd.revents().is_empty())
        .map(|(_, (which, position, _))| (*which, *position))
        .collect();
    let mut total = 0;
    for (which, set) in sets.iter().enumerate() {
        if call.opt_arr(which).is_none() {
            continue;
        }
        for (_, stream) in refused.iter().filter(|(index, _)| *index == which) {
            // PHP asks for the file of refused streams a second time, too, and reports them again.
            user::selectable_file(call.vm, stream)?;
        }
        let mut left = PhpArr::new();
        for (position, Selected { key, value, stream, .. }) in set.iter().enumerate() {
            if stream.user_object().is_some() {
                // PHP asks the stream for its file a second time.
                user::selectable_file(call.vm, stream)?;
            }
            if ready.contains(&(which, position)) {
                left.insert(key.as_key(), value.clone());
                total += 1;
            }
        }
        call.assign(which, left.into())?;
    }
    Ok(Val::int(total))
}
