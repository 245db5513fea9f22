//! Streams: a buffered layer with filters over what a wrapper opens.
//!
//! A stream may run PHP code (user wrappers, user filters), so nothing is borrowed while its source works: the
//! source is taken out of the stream and put back.

pub mod crypto;
pub mod filter;
pub mod memory;
pub mod open;
pub mod plain;
pub mod socket;
pub mod user;

use filter::{Direction, FilterEntry};
use phlox_runtime::room::require_room;
use phlox_runtime::{PhpArr, PhpResult, Throw, Val, Vm};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const SEEK_SET: i64 = 0;
pub const SEEK_CUR: i64 = 1;
pub const SEEK_END: i64 = 2;

pub const CHUNK: usize = 8192;

/// What reading a source gave.
#[derive(Default)]
pub struct Read {
    pub data: Vec<u8>,
    pub eof: bool,
    /// The read failed (as opposed to: nothing there now).
    pub failed: bool,
}

/// What a wrapper opens. All methods may run PHP code.
pub trait Source {
    /// Up to `size` bytes.
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read>;
    /// Bytes written; `None`: failed.
    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>>;
    /// The new position; `None`: failed or not seekable.
    fn seek(&mut self, vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let _ = (vm, offset, whence);
        Ok(None)
    }
    /// The object whose methods are the source's.
    fn user_object(&self) -> Option<phlox_runtime::PhpObj> {
        None
    }
    fn is_seekable(&self) -> bool {
        false
    }
    fn flush(&mut self, vm: &Vm) -> PhpResult<bool> {
        let _ = vm;
        Ok(true)
    }
    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        let _ = vm;
        Ok(())
    }
    /// The array of `fstat`.
    fn stat(&mut self, vm: &Vm) -> PhpResult<Option<PhpArr>> {
        let _ = vm;
        Ok(None)
    }
    /// `None`: not supported.
    fn truncate(&mut self, vm: &Vm, size: u64) -> PhpResult<Option<bool>> {
        let _ = (vm, size);
        Ok(None)
    }
    /// `flock` with the `LOCK_*` bits; tells success and whether it would block. `None`: not supported.
    fn lock(&mut self, vm: &Vm, operation: i64) -> PhpResult<Option<(bool, bool)>> {
        let _ = (vm, operation);
        Ok(None)
    }
    fn supports_lock(&self) -> bool {
        false
    }
    /// `stream_set_blocking`, `stream_set_timeout`, `stream_set_write_buffer`; `None`: not supported.
    fn set_option(&mut self, vm: &Vm, option: StreamOption) -> PhpResult<Option<bool>> {
        let _ = (vm, option);
        Ok(None)
    }
    fn is_terminal(&self) -> bool {
        false
    }
    /// The socket, for what only sockets have.
    fn as_socket(&mut self) -> Option<&mut socket::SocketSource> {
        None
    }
    /// Bytes that are there without asking the system.
    fn pending(&self) -> usize {
        0
    }
    /// For an encrypted connection, the meta data about its encryption.
    fn encryption(&self) -> Option<PhpArr> {
        None
    }
    /// The file to hand to a child process or to wait on.
    fn file(&self) -> Option<&std::fs::File> {
        None
    }
    /// Did the last operation take too long?
    fn timed_out(&self) -> bool {
        false
    }
    /// Is the connection still open? Asked only while no read has found the end.
    fn is_alive(&self) -> bool {
        true
    }
    /// `stream_type` of the meta data.
    fn kind(&self) -> &'static str;
    fn wrapper_data(&self) -> Option<Val> {
        None
    }
    /// Keeps reading until the request is satisfied, as files do.
    fn reads_greedily(&self) -> bool {
        false
    }
    /// The number of the last error of the library that reads and writes the source, for functions that report it.
    fn library_error(&self) -> Option<i64> {
        None
    }
    /// A directory's next entry.
    fn read_entry(&mut self, vm: &Vm) -> PhpResult<Option<Vec<u8>>> {
        let _ = vm;
        Ok(None)
    }
    fn rewind_entries(&mut self, vm: &Vm) -> PhpResult<()> {
        let _ = vm;
        Ok(())
    }
}

pub enum StreamOption {
    Blocking(bool),
    Timeout {
        seconds: i64,
        microseconds: i64,
    },
    WriteBuffer(i64),
    ReadBuffer(i64),
    /// The stream is read at once for `include`, which needs no buffer.
    ForInclude,
}

/// What ends the lines of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnds {
    Newline,
    /// A carriage return, as on the old Macintosh.
    Return,
    /// Decided by the first line (`auto_detect_line_endings`).
    Unknown,
}

/// An open stream.
pub struct Stream {
    source: RefCell<Option<Box<dyn Source>>>,
    buffer: RefCell<Vec<u8>>,
    taken: Cell<usize>,
    position: Cell<i64>,
    pub eof: Cell<bool>,
    fatal_error: Cell<bool>,
    pub mode: String,
    pub uri: Option<Vec<u8>>,
    pub wrapper_type: Option<&'static str>,
    pub context: RefCell<Val>,
    pub read_filters: RefCell<Vec<Rc<FilterEntry>>>,
    pub write_filters: RefCell<Vec<Rc<FilterEntry>>>,
    pub chunk_size: Cell<usize>,
    pub blocked: Cell<bool>,
    pub unbuffered: Cell<bool>,
    pub is_directory: bool,
    pub is_process: bool,
    pub no_seek: Cell<bool>,
    /// The stream belongs to an object: `fclose` leaves it open.
    pub unclosable: Cell<bool>,
    greedy: bool,
    /// The source is in memory, so reads with a size take exactly that from it.
    in_memory: bool,
    /// The source is a user's wrapper, whose method is called with pieces of the chunk size.
    is_user: bool,
    closed: Cell<bool>,
    /// Was anything written since it was flushed?
    written: Cell<bool>,
    /// What ends lines.
    pub line_ends: Cell<LineEnds>,
    /// Further meta data (`mediatype` and others of `data:`).
    pub extra_meta: RefCell<Vec<(Vec<u8>, Val)>>,
}

impl Stream {
    /// A stream over a source. `mode` is that of `fopen()`.
    pub fn new(source: Box<dyn Source>, mode: &str) -> Stream {
        let greedy = source.reads_greedily();
        let in_memory = matches!(source.kind(), "MEMORY" | "TEMP");
        let is_user = source.kind() == "user-space";
        Stream {
            is_user,
            source: RefCell::new(Some(source)),
            buffer: RefCell::default(),
            taken: Cell::new(0),
            position: Cell::new(0),
            eof: Cell::new(false),
            fatal_error: Cell::new(false),
            mode: mode.to_owned(),
            uri: None,
            wrapper_type: None,
            context: RefCell::new(Val::NULL),
            read_filters: RefCell::default(),
            write_filters: RefCell::default(),
            chunk_size: Cell::new(CHUNK),
            blocked: Cell::new(true),
            unbuffered: Cell::new(false),
            is_directory: false,
            is_process: false,
            no_seek: Cell::new(false),
            unclosable: Cell::new(false),
            greedy,
            in_memory,
            closed: Cell::new(false),
            written: Cell::new(false),
            line_ends: Cell::new(LineEnds::Newline),
            extra_meta: RefCell::default(),
        }
    }

    /// Works on the source, which is taken out of the stream meanwhile. `None` if it is in use or closed.
    pub fn with<R>(&self, work: impl FnOnce(&mut dyn Source) -> R) -> Option<R> {
        let mut source = self.source.borrow_mut().take()?;
        let result = work(&mut *source);
        let mut place = self.source.borrow_mut();
        if place.is_none() {
            *place = Some(source);
        }
        Some(result)
    }

    /// Whether the mode allows reading.
    pub fn can_read(&self) -> bool {
        self.mode.contains(['r', '+'])
    }

    /// Whether the mode allows writing.
    pub fn can_write(&self) -> bool {
        self.mode.contains(['w', 'a', 'x', 'c', '+'])
    }

    /// The position as the script sees it, in bytes.
    pub fn tell(&self) -> i64 {
        self.position.get()
    }

    /// Sets the position that the script sees; the source stays where it is.
    pub fn set_position(&self, position: i64) {
        self.position.set(position);
    }

    /// Number of bytes that were read ahead.
    pub fn buffered(&self) -> usize {
        self.buffer.borrow().len() - self.taken.get()
    }

    fn take_buffered(&self, size: usize) -> Vec<u8> {
        let mut buffer = self.buffer.borrow_mut();
        let start = self.taken.get();
        let end = buffer.len().min(start.saturating_add(size));
        let taken = buffer[start..end].to_vec();
        if end == buffer.len() {
            buffer.clear();
            self.taken.set(0);
        } else {
            self.taken.set(end);
        }
        taken
    }

    /// Puts bytes that a filter made behind what is buffered.
    pub fn push_buffered(&self, bytes: &[u8]) {
        self.buffer.borrow_mut().extend_from_slice(bytes);
    }

    fn read_source(&self, vm: &Vm, size: usize) -> PhpResult<Read> {
        if !self.greedy {
            vm.output.before_waiting();
        }
        let read = self.with(|source| source.read(vm, size)).unwrap_or_else(|| Ok(Read::default()))?;
        if read.eof {
            self.eof.set(true);
        }
        Ok(read)
    }

    /// Tries to have `size` bytes buffered, with one read (or, through filters, as many as needed).
    /// False: the read failed.
    fn fill(&self, vm: &Vm, size: usize) -> PhpResult<bool> {
        if self.read_filters.borrow().is_empty() {
            if self.buffered() < size {
                let read = self.read_source(vm, self.chunk_size.get())?;
                require_room(self.buffered() + read.data.len());
                self.buffer.borrow_mut().extend_from_slice(&read.data);
                return Ok(!read.failed);
            }
            return Ok(true);
        }
        let wanted = size.min(self.chunk_size.get());
        while !self.eof.get() && self.buffered() < wanted {
            let read = self.read_source(vm, self.chunk_size.get())?;
            if read.failed && self.buffered() == 0 {
                return Ok(false);
            }
            let got = !read.data.is_empty();
            let filters = self.read_filters.borrow().clone();
            let closing = self.eof.get();
            let filtered = filter::run(vm, self, &filters, read.data, filter::Flush::for_read(got, closing));
            if let Ok(Some(data)) = &filtered {
                self.push_buffered(data);
            } else {
                self.eof.set(true);
                self.fatal_error.set(true);
                return filtered.map(|_| false);
            }
            if !got {
                break;
            }
        }
        Ok(true)
    }

    /// Reads up to `size` bytes. `None`: the read failed.
    pub fn read(&self, vm: &Vm, size: usize) -> PhpResult<Option<Vec<u8>>> {
        let mut result = Vec::new();
        while result.len() < size {
            result.extend(self.take_buffered(size - result.len()));
            let left = size - result.len();
            // A read that already has bytes to return does not wait for more.
            let waits = |source: &mut dyn Source| source.as_socket().is_some_and(|socket| !socket.is_ready());
            if left == 0 || (!result.is_empty() && !self.greedy && self.with(waits) == Some(true)) {
                break;
            }
            let unbuffered = self.unbuffered.get() || self.chunk_size.get() == 1 || self.in_memory;
            let direct = unbuffered && self.read_filters.borrow().is_empty();
            let (data, failed) = if direct {
                let read = self.read_source(vm, left)?;
                (read.data, read.failed)
            } else if self.greedy && left >= CHUNK && self.read_filters.borrow().is_empty() {
                // A large read of a file bypasses the buffer.
                let read = self.read_source(vm, left)?;
                (read.data, read.failed)
            } else {
                let filled = self.fill(vm, left)?;
                (if filled { self.take_buffered(left) } else { Vec::new() }, !filled)
            };
            if failed {
                if result.is_empty() {
                    return Ok(None);
                }
                break;
            }
            if data.is_empty() {
                break;
            }
            require_room(result.len() + data.len());
            result.extend(data);
            if !self.greedy {
                break;
            }
        }
        self.position.set(self.position.get() + result.len() as i64);
        Ok(Some(result))
    }

    /// Everything up to `limit` bytes or the end.
    pub fn read_all(&self, vm: &Vm, limit: Option<usize>) -> PhpResult<Vec<u8>> {
        let mut result = Vec::new();
        loop {
            let left = limit.map_or(usize::MAX, |limit| limit - result.len());
            if left == 0 {
                break;
            }
            let Some(part) = self.read(vm, left.min(CHUNK))? else { break };
            if part.is_empty() && (self.eof.get() || self.greedy || !self.blocked.get() || self.buffered() == 0) {
                break;
            }
            require_room(result.len() + part.len());
            result.extend(part);
            // A user's wrapper is called until it returns nothing.
            if self.eof.get() && self.buffered() == 0 && !self.is_user {
                break;
            }
        }
        Ok(result)
    }

    /// Reads until the end or the limit for functions that want the whole text. PHP asks a user's wrapper for the size
    /// first or, with a small limit, before each read for the end, which the wrapper can observe.
    pub fn contents(&self, vm: &Vm, limit: Option<usize>) -> PhpResult<Vec<u8>> {
        if !self.is_user {
            return self.read_all(vm, limit);
        }
        let Some(limit) = limit.filter(|&limit| limit < 4 * CHUNK) else {
            self.with(|source| source.stat(vm)).unwrap_or(Ok(None))?;
            return self.read_all(vm, limit);
        };
        let mut result = Vec::new();
        while result.len() < limit && !self.at_end() {
            match self.read(vm, limit - result.len())? {
                Some(part) if !part.is_empty() => result.extend(part),
                _ => break,
            }
        }
        Ok(result)
    }

    /// Prints everything up to the end, piece by piece; gives how much it was, or -1 when nothing could be read.
    pub fn pass_through(&self, vm: &Vm) -> PhpResult<i64> {
        let mut size = 0;
        loop {
            let Some(part) = self.read(vm, CHUNK)? else { return Ok(if size == 0 { -1 } else { size }) };
            size += part.len() as i64;
            vm.echo(&part);
            let ended = self.eof.get() && self.buffered() == 0 && !self.is_user;
            if part.is_empty() || ended {
                return Ok(size);
            }
        }
    }

    /// Copies up to `limit` bytes, or everything, piece by piece; gives how much it was. `None`: reading or writing failed.
    pub fn copy_to(&self, vm: &Vm, target: &Stream, limit: Option<usize>) -> PhpResult<Option<i64>> {
        const LARGE_CHUNK: usize = 16 * CHUNK;
        let chunk = if self.greedy && target.greedy { LARGE_CHUNK } else { CHUNK };
        let mut copied = 0;
        while limit.is_none_or(|limit| copied < limit) {
            let size = limit.map_or(chunk, |limit| chunk.min(limit - copied));
            let Some(part) = self.read(vm, size)? else { return Ok(None) };
            if part.is_empty() {
                break;
            }
            let mut rest = &part[..];
            while !rest.is_empty() {
                match target.write(vm, rest)? {
                    Some(count) if count > 0 => rest = rest.get(count..).unwrap_or_default(),
                    _ => return Ok(None),
                }
            }
            copied += part.len();
        }
        Ok(Some(copied as i64))
    }

    /// Reads a source text as `include` does: up to the size that the stream reports, or to the end. `None` if the read
    /// failed.
    pub fn source_text(&self, vm: &Vm) -> PhpResult<Option<Vec<u8>>> {
        if self.is_user {
            self.with(|source| source.set_option(vm, StreamOption::ForInclude)).unwrap_or(Ok(None))?;
        }
        let stat = match self.is_user && self.read_filters.borrow().is_empty() {
            true => self.with(|source| source.stat(vm)).unwrap_or(Ok(None))?,
            false => None,
        };
        let size = stat.and_then(|stat| stat.get_bytes(b"size")?.as_int()).and_then(|size| usize::try_from(size).ok());
        let limit = size.filter(|&size| size > 0).unwrap_or(usize::MAX);
        let mut text = Vec::new();
        while text.len() < limit {
            let Some(part) = self.read(vm, (limit - text.len()).min(CHUNK))? else { return Ok(None) };
            if part.is_empty() {
                break;
            }
            text.extend(part);
        }
        Ok(Some(text))
    }

    /// Closes the stream after an operation on it. If the operation threw an exception, no PHP code is called any more.
    pub fn close_after<T>(&self, vm: &Vm, done: PhpResult<T>) -> PhpResult<T> {
        match done {
            Ok(value) => self.close(vm).map(|()| value),
            Err(throw) => {
                if matches!(throw, Throw::Exception(_)) {
                    drop(self.take_source());
                }
                Err(throw)
            }
        }
    }

    /// A line with its end, at most `limit` bytes. `None`: nothing left.
    pub fn line(&self, vm: &Vm, limit: Option<usize>) -> PhpResult<Option<Vec<u8>>> {
        let limit = limit.unwrap_or(usize::MAX);
        let mut searched = 0;
        loop {
            let (found, available) = {
                let buffer = self.buffer.borrow();
                let rest = &buffer[self.taken.get()..];
                (self.line_end(rest, searched), rest.len())
            };
            if let Some(end) = found {
                return Ok(Some(self.advance(end.min(limit))));
            }
            if available >= limit {
                return Ok(Some(self.advance(limit)));
            }
            searched = available;
            if self.eof.get() {
                break;
            }
            let filled = self.fill(vm, available + 1)?;
            if !filled && self.fatal_error.get() {
                return Ok(None);
            }
            if !filled || self.buffered() == available {
                break;
            }
        }
        let rest = self.buffered();
        Ok((rest > 0).then(|| self.advance(rest)))
    }

    /// Where the first line of what is buffered ends, if that is known.
    fn line_end(&self, rest: &[u8], searched: usize) -> Option<usize> {
        let find = |byte: u8| rest[searched..].iter().position(|&b| b == byte).map(|at| searched + at + 1);
        match self.line_ends.get() {
            LineEnds::Newline => find(b'\n'),
            LineEnds::Return => find(b'\r'),
            LineEnds::Unknown => match (find(b'\r'), find(b'\n')) {
                (Some(returns), newline) if newline.is_none_or(|newline| newline > returns + 1) => {
                    self.line_ends.set(LineEnds::Return);
                    Some(returns)
                }
                (_, newline) => {
                    if newline.is_some() {
                        self.line_ends.set(LineEnds::Newline);
                    }
                    newline
                }
            },
        }
    }

    fn advance(&self, size: usize) -> Vec<u8> {
        let taken = self.take_buffered(size);
        self.position.set(self.position.get() + taken.len() as i64);
        taken
    }

    /// Reads up to a delimiter, which is skipped, or `limit` bytes, as `stream_get_line` does.
    pub fn record(&self, vm: &Vm, limit: usize, delimiter: &[u8]) -> PhpResult<Option<Vec<u8>>> {
        let find = |from: usize| -> Option<usize> {
            if delimiter.is_empty() {
                return None;
            }
            let buffer = self.buffer.borrow();
            let rest = &buffer[self.taken.get()..];
            let window = &rest[..rest.len().min(limit.saturating_add(delimiter.len()))];
            let from = from.min(window.len());
            let at = window[from..].windows(delimiter.len()).position(|part| part == delimiter)?;
            (from + at <= limit).then_some(from + at)
        };
        let mut found = find(0);
        let mut available = self.buffered();
        while found.is_none() && available < limit {
            let want = (limit - available).min(self.chunk_size.get());
            if !self.fill(vm, available + want)? && self.fatal_error.get() {
                return Ok(None);
            }
            let now = self.buffered();
            if now == available {
                break;
            }
            found = find(available.saturating_sub(delimiter.len().saturating_sub(1)));
            available = now;
        }
        if let Some(end) = found {
            let record = self.advance(end);
            self.advance(delimiter.len());
            return Ok(Some(record));
        }
        let available = self.buffered();
        if available < limit && (!self.eof.get() || available == 0) {
            return Ok(None);
        }
        Ok(Some(self.advance(available.min(limit))))
    }

    /// Is the end reached? This is known only after a read that found nothing, or when the connection was closed.
    pub fn at_end(&self) -> bool {
        if self.buffered() == 0 && !self.eof.get() && self.with(|source| source.is_alive()) == Some(false) {
            self.eof.set(true);
        }
        self.buffered() == 0 && self.eof.get()
    }

    /// Writes through the filters. Gives the number of bytes that were taken; `None` is failure.
    pub fn write(&self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if data.is_empty() {
            return Ok(Some(0));
        }
        if self.wrapper_type == Some(open::Wrapper::Data.name()) {
            vm.notice(&[&open::operation(vm)[..], b"(): Stream is not writable"].concat())?;
            return Ok(None);
        }
        self.written.set(true);
        let filters = self.write_filters.borrow().clone();
        if filters.is_empty() {
            return self.write_source(vm, data);
        }
        match filter::run(vm, self, &filters, data.to_vec(), filter::Flush::No)? {
            Some(filtered) => {
                self.write_source(vm, &filtered)?;
                // The result is the number of bytes that the first filter has consumed.
                Ok(Some(filters.first().and_then(|first| first.consumed()).unwrap_or(data.len())))
            }
            None => Ok(None),
        }
    }

    /// Writes to the source past the filters. Gives the number of bytes written; `None` is failure.
    pub fn write_source(&self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if data.is_empty() {
            return Ok(Some(0));
        }
        // The source stands behind the bytes that were read ahead, so it is moved back to the position first.
        // What was read ahead of a source that cannot be moved stays readable.
        let has_buffer = self.buffered() > 0 || self.taken.get() > 0;
        if has_buffer && self.with(|source| source.is_seekable()) == Some(true) {
            self.buffer.borrow_mut().clear();
            self.taken.set(0);
            let position = self.position.get();
            if let Some(result) = self.with(|source| source.seek(vm, position, SEEK_SET)) {
                result?;
            }
        }
        let mut written = 0;
        while written < data.len() {
            let rest = &data[written..];
            let rest = if self.is_user { &rest[..rest.len().min(self.chunk_size.get().max(1))] } else { rest };
            match self.with(|source| source.write(vm, rest)).unwrap_or(Ok(None))? {
                Some(count) if count > 0 => {
                    written += count.min(rest.len());
                    self.position.set(self.position.get() + count as i64);
                }
                Some(_) => break,
                None if written == 0 => return Ok(None),
                None => break,
            }
        }
        Ok(Some(written))
    }

    /// Passes on what the filters hold back, then flushes the source; false is failure. `closing` tells filters that
    /// nothing follows.
    pub fn flush(&self, vm: &Vm, closing: bool) -> PhpResult<bool> {
        let filters = self.write_filters.borrow().clone();
        if !filters.is_empty() {
            let how = if closing { filter::Flush::Close } else { filter::Flush::Incremental };
            if let Some(data) = filter::run(vm, self, &filters, Vec::new(), how)? {
                self.write_source(vm, &data)?;
            }
        }
        self.written.set(false);
        self.with(|source| source.flush(vm)).unwrap_or(Ok(true))
    }

    /// Whether the position can be moved.
    pub fn is_seekable(&self) -> bool {
        !self.no_seek.get() && self.source.borrow().as_ref().is_some_and(|source| source.is_seekable())
    }

    /// Moves the position; false when it cannot.
    pub fn seek(&self, vm: &Vm, offset: i64, whence: i64) -> PhpResult<bool> {
        let position = self.position.get();
        if !self.unbuffered.get() {
            let ahead = match whence {
                SEEK_CUR if offset > 0 => Some(offset),
                SEEK_SET if offset > position => Some(offset - position),
                _ => None,
            };
            if let Some(ahead) = ahead.filter(|&ahead| ahead as usize <= self.buffered()) {
                self.advance(ahead as usize);
                self.eof.set(false);
                return Ok(true);
            }
        }
        if self.is_seekable() {
            if !self.write_filters.borrow().is_empty() {
                self.flush(vm, false)?;
            }
            let (offset, whence) = match whence {
                SEEK_CUR => (position.saturating_add(offset), SEEK_SET),
                other => (offset, other),
            };
            if whence == SEEK_SET && offset < 0 {
                return Ok(false);
            }
            let moved = self.with(|source| source.seek(vm, offset, whence)).unwrap_or(Ok(None))?;
            self.buffer.borrow_mut().clear();
            self.taken.set(0);
            if let Some(moved) = moved {
                self.position.set(moved);
                self.eof.set(false);
                self.fatal_error.set(false);
            }
            // Seeking may have shown that the source cannot seek at all.
            if moved.is_some() || self.is_seekable() {
                return Ok(moved.is_some());
            }
            return self.refuse_seek(vm);
        }
        if whence == SEEK_CUR && offset >= 0 {
            let mut left = offset as usize;
            while left > 0 {
                match self.read(vm, left.min(1024))? {
                    Some(part) if !part.is_empty() => left -= part.len(),
                    _ => return Ok(false),
                }
            }
            self.eof.set(false);
            return Ok(true);
        }
        self.refuse_seek(vm)
    }

    fn refuse_seek(&self, vm: &Vm) -> PhpResult<bool> {
        let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        vm.warning(&[&name[..], b"(): Stream does not support seeking"].concat())?;
        Ok(false)
    }

    /// Whether the stream was closed.
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Flushes, closes the filters and the source. Only the first call does something.
    pub fn close(&self, vm: &Vm) -> PhpResult<()> {
        if self.closed.replace(true) {
            return Ok(());
        }
        let flushes = if self.is_user { self.written.get() } else { self.can_write() };
        let mut result =
            if flushes || !self.write_filters.borrow().is_empty() { self.flush(vm, true).map(drop) } else { Ok(()) };
        for direction in [Direction::Read, Direction::Write] {
            let filters = std::mem::take(&mut *self.filters(direction).borrow_mut());
            for entry in filters {
                result = result.and(entry.close(vm));
            }
        }
        let source = self.source.borrow_mut().take();
        if let Some(mut source) = source {
            result = result.and(source.close(vm));
        }
        result
    }

    /// The filters of a direction, from the first to the last.
    pub fn filters(&self, direction: Direction) -> &RefCell<Vec<Rc<FilterEntry>>> {
        match direction {
            Direction::Read => &self.read_filters,
            Direction::Write => &self.write_filters,
        }
    }

    /// Has the stream filters, so that its bytes differ from those of the file below?
    pub fn is_filtered(&self) -> bool {
        !self.read_filters.borrow().is_empty() || !self.write_filters.borrow().is_empty()
    }

    /// The type of the source in the stream's meta data; `STDIO` once it is closed.
    pub fn kind(&self) -> &'static str {
        self.source.borrow().as_ref().map_or("STDIO", |source| source.kind())
    }

    /// Whether the last operation of the source took too long.
    pub fn timed_out(&self) -> bool {
        self.source.borrow().as_ref().is_some_and(|source| source.timed_out())
    }

    /// Bytes below the buffer that need no waiting.
    pub fn pending(&self) -> usize {
        self.source.borrow().as_ref().map_or(0, |source| source.pending())
    }

    /// What the meta data says about encryption, if the source is encrypted.
    pub fn encryption(&self) -> Option<PhpArr> {
        self.source.borrow().as_ref().and_then(|source| source.encryption())
    }

    /// What the meta data says under `wrapper_data`.
    pub fn wrapper_data(&self) -> Option<Val> {
        self.source.borrow().as_ref().and_then(|source| source.wrapper_data())
    }

    /// Whether the source is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.source.borrow().as_ref().is_some_and(|source| source.is_terminal())
    }

    /// Whether the source can be locked.
    pub fn supports_lock(&self) -> bool {
        self.source.borrow().as_ref().is_some_and(|source| source.supports_lock())
    }

    /// A duplicate of the file below, for a child process or for waiting.
    pub fn duplicate_file(&self) -> Option<std::fs::File> {
        self.source.borrow().as_ref()?.file()?.try_clone().ok()
    }

    /// A duplicate of the file below, to be used past the stream. `None` if the stream has filters, which would be
    /// bypassed.
    pub fn cast_file(&self) -> Option<std::fs::File> {
        if self.is_filtered() { None } else { self.duplicate_file() }
    }

    /// The number of the descriptor below.
    pub fn descriptor(&self) -> Option<i32> {
        use std::os::fd::AsRawFd;
        Some(self.source.borrow().as_ref()?.file()?.as_raw_fd())
    }

    /// The object of a stream of a user's wrapper.
    pub fn user_object(&self) -> Option<phlox_runtime::PhpObj> {
        self.source.borrow().as_ref()?.user_object()
    }

    /// The exit status of the process behind a stream of `popen`.
    pub fn take_source(&self) -> Option<Box<dyn Source>> {
        self.closed.set(true);
        self.source.borrow_mut().take()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(vm) = Vm::current() {
            if let Err(throw) = self.close(vm) {
                vm.set_pending(throw);
            }
        }
    }
}
