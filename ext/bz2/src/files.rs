//! Compressed files: `bzopen()`, the other functions for them, and `compress.bzip2://`.

use crate::codec;
use bzip2::{Action, Compress, Decompress, Status};
use phlox_ext_standard_file::handles;
use phlox_ext_standard_file::stream::open::{self, NativeWrapper, Options, os};
use phlox_ext_standard_file::stream::{Read, Source, Stream, plain};
use phlox_process::Standard;
use phlox_runtime::{Call, FnDef, PhpArr, PhpRes, PhpResult, Val, Vm, basedir, convert};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek, SeekFrom, Write};
use std::rc::Rc;

/// The functions for compressed files.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("bzopen($file, string $mode)", bzopen),
    FnDef::new("bzread($bz, int $length = 1024): string|false", bzread),
    FnDef::new("bzwrite($bz, string $data, ?int $length = null): int|false", |call| as_plain("fwrite", call)),
    FnDef::new("bzflush($bz): bool", |call| as_plain("fflush", call)),
    FnDef::new("bzclose($bz): bool", |call| as_plain("fclose", call)),
    FnDef::new("bzerrno($bz): int", |call| error(call).map(Val::int)),
    FnDef::new("bzerrstr($bz): string", |call| error(call).map(|number| codec::error_name(number).into())),
    FnDef::new("bzerror($bz): array", bzerror),
];

/// The wrapper `compress.bzip2://`.
pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "BZip2", is_url: false, open: open_wrapper, stat: None, list: None, change: None };

/// Bytes that the library gets of a file at once.
const PIECE: usize = 5000;
const DEFAULT_WORK: i64 = 30;

/// Where the compressed bytes are.
enum Place {
    File(File),
    /// A stream whose bytes are in memory.
    Stream,
}

enum Work {
    Reading { decoder: Decompress, input: Vec<u8>, taken: usize, finished: bool },
    Writing(Compress),
}

/// A stream that compresses or decompresses the contents of a file.
struct BzSource {
    place: Place,
    /// The stream that the file was opened as, if it was opened before or by a wrapper. It is closed with this one.
    inner: Option<(PhpRes, Rc<Stream>)>,
    work: Work,
    /// The number of the last call's error, or 0.
    last_error: i64,
}

impl BzSource {
    /// Reads a piece of the compressed file when the one before is used up; false: reading failed.
    fn fill(&mut self, vm: &Vm) -> PhpResult<bool> {
        let Work::Reading { input, taken, .. } = &mut self.work else { return Ok(false) };
        if *taken < input.len() {
            return Ok(true);
        }
        *taken = 0;
        match &mut self.place {
            Place::File(file) => {
                input.resize(PIECE, 0);
                let count = loop {
                    match file.read(input) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                        result => break result.ok(),
                    }
                };
                input.truncate(count.unwrap_or(0));
                Ok(count.is_some())
            }
            Place::Stream => {
                let stream = self.inner.as_ref().map(|(_, stream)| stream.clone());
                let data = stream.map(|stream| stream.read(vm, PIECE)).transpose()?.flatten();
                *input = data.unwrap_or_default();
                Ok(true)
            }
        }
    }

    /// Decompresses up to `size` bytes, fewer only at the end. The error is the library's number.
    fn decompress(&mut self, vm: &Vm, size: usize) -> PhpResult<Result<Vec<u8>, i64>> {
        let (mut output, mut filled) = (vec![0; size], 0);
        loop {
            if !self.fill(vm)? {
                return Ok(Err(codec::IO_ERROR));
            }
            let Work::Reading { decoder, input, taken, finished } = &mut self.work else {
                return Ok(Err(codec::SEQUENCE_ERROR));
            };
            let at_end = input.is_empty();
            let step = codec::decompress(decoder, &input[*taken..], &mut output[filled..]);
            *taken += step.taken;
            filled += step.given;
            match step.result {
                Err(number) => return Ok(Err(number)),
                Ok(Status::StreamEnd) => *finished = true,
                Ok(_) if at_end && filled < size => return Ok(Err(codec::UNEXPECTED_EOF)),
                Ok(_) if filled < size => continue,
                Ok(_) => {}
            }
            output.truncate(filled);
            return Ok(Ok(output));
        }
    }

    /// Compresses data into the file; the error is the library's number.
    fn compress(&mut self, data: &[u8], action: Action) -> Result<(), i64> {
        let (Work::Writing(encoder), Place::File(file)) = (&mut self.work, &mut self.place) else {
            return Err(codec::SEQUENCE_ERROR);
        };
        let (mut piece, mut rest) = ([0; PIECE], data);
        loop {
            let step = codec::compress(encoder, rest, &mut piece, action);
            let status = step.result?;
            rest = &rest[step.taken..];
            file.write_all(&piece[..step.given]).map_err(|_| codec::IO_ERROR)?;
            let done = match action {
                Action::Finish => status == Status::StreamEnd || step.taken + step.given == 0,
                Action::Run | Action::Flush => rest.is_empty(),
            };
            if done {
                return Ok(());
            }
        }
    }
}

impl Source for BzSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        if matches!(self.work, Work::Reading { finished: true, .. }) {
            return Ok(Read { data: Vec::new(), eof: true, failed: false });
        }
        let result = match self.work {
            Work::Writing(_) => Err(codec::SEQUENCE_ERROR),
            // A large request is served by several reads, so that no memory is taken for what is not there.
            Work::Reading { .. } => self.decompress(vm, size.min(1 << 20))?,
        };
        self.last_error = result.as_ref().map_or_else(|number| *number, |_| 0);
        let finished = matches!(self.work, Work::Reading { finished: true, .. });
        let (failed, eof) = (result.is_err(), finished || result.is_err());
        Ok(Read { data: result.unwrap_or_default(), eof, failed })
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        vm.output.before_waiting();
        let result = self.compress(data, Action::Run);
        self.last_error = result.err().unwrap_or(0);
        Ok(result.is_ok().then_some(data.len()))
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        // PHP says nothing about a file that could not be written to its end.
        let _ = self.compress(&[], Action::Finish);
        let Some((resource, stream)) = self.inner.take() else { return Ok(()) };
        drop(resource.close());
        stream.close(vm)
    }

    fn kind(&self) -> &'static str {
        WRAPPER.name
    }

    fn library_error(&self) -> Option<i64> {
        Some(self.last_error)
    }
}

/// Whether a mode writes, and the size of blocks that it asks for: the last letter of a kind counts, others are skipped.
fn read_mode(mode: &str) -> (bool, i64) {
    let writes = mode.bytes().rfind(|letter| b"rw".contains(letter)) == Some(b'w');
    let digit = mode.bytes().rfind(u8::is_ascii_digit).map(|digit| i64::from(digit - b'0'));
    (writes, digit.unwrap_or(9).clamp(1, 9))
}

fn stream_over(place: Place, inner: Option<(PhpRes, Rc<Stream>)>, mode: &str) -> Option<Stream> {
    let (writes, blocks) = read_mode(mode);
    let work = if writes {
        Work::Writing(codec::compressor(blocks, DEFAULT_WORK)?)
    } else {
        let less_memory = mode.contains('s');
        Work::Reading { decoder: Decompress::new(less_memory), input: Vec::new(), taken: 0, finished: false }
    };
    Some(Stream::new(Box::new(BzSource { place, inner, work, last_error: 0 }), mode))
}

/// The file below a stream; `None`: it has none, which was warned about.
fn place_below(vm: &Vm, stream: &Stream) -> PhpResult<Option<Place>> {
    if let Some(mut file) = stream.cast_file() {
        let lost = stream.buffered();
        stream.flush(vm, false)?;
        // The file goes on where the script is in the stream.
        let is_seekable = stream.is_seekable();
        if is_seekable && lost > 0 {
            // A file that cannot be moved shows that when it is read.
            let _ = file.seek(SeekFrom::Start(stream.tell().unsigned_abs()));
        } else if lost > 0 {
            open::warn(vm, format!("{lost} bytes of buffered data lost during stream conversion!").as_bytes())?;
        }
        return Ok(Some(Place::File(file)));
    }
    // PHP moves these streams into a file.
    if matches!(stream.kind(), "TEMP" | "RFC2397") && !stream.can_write() {
        return Ok(Some(Place::Stream));
    }
    let text = format!("Cannot represent a stream of type {} as a File Descriptor", stream.kind());
    open::warn(vm, text.as_bytes())?;
    Ok(None)
}

/// Opens a compressed file. `None`: it failed, which was warned about where PHP warns.
fn open_compressed(vm: &Vm, path: &[u8], mode: &str, options: &Options) -> PhpResult<Option<Stream>> {
    let letters = mode.as_bytes();
    if letters.is_empty() || (!matches!(letters[0], b'r' | b'w') && letters.len() > 1) {
        return Ok(None);
    }
    if !basedir::allows(vm, path)? {
        return Ok(None);
    }
    let (writes, _) = read_mode(mode);
    let mut how = OpenOptions::new();
    how.read(!writes).write(writes).create(writes).truncate(writes);
    if let Ok(file) = how.open(os(path)) {
        return Ok(stream_over(Place::File(file), None, mode));
    }
    if path.is_empty() {
        let file = plain::standard(if writes { Standard::Output } else { Standard::Input });
        return Ok(file.and_then(|file| stream_over(Place::File(file), None, mode)));
    }
    let Some(inner) = open::open(vm, path, mode, options)? else { return Ok(None) };
    let resource = open::resource(inner.clone());
    match place_below(vm, &inner)? {
        Some(place) => Ok(stream_over(place, Some((resource, inner)), mode)),
        None => inner.close(vm).map(|()| None),
    }
}

/// Opens a file for the wrapper, whose errors have no details.
fn open_wrapper(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Result<Stream, String>> {
    const SCHEME: usize = b"compress.bzip2://".len();
    let options = Options { silent: true, ..options.clone() };
    let path = url.get(SCHEME..).unwrap_or_default();
    Ok(open_compressed(vm, path, mode, &options)?.ok_or_else(|| "operation failed".to_owned()))
}

fn bzopen(call: &mut Call<'_>) -> PhpResult<Val> {
    let (file, mode) = (call.arg(0), call.str(1));
    let mode = match &mode[..] {
        b"r" => "r",
        b"w" => "w",
        _ => return Err(call.value_error(1, "must be either \"r\" or \"w\"")),
    };
    if file.as_res().is_some() {
        let (resource, stream) = handles::resource_argument(call, 0)?;
        return reopen(call, resource, stream, mode);
    }
    let Some(path) = file.as_str() else {
        let text = format!("must be of type string or file-resource, {} given", convert::value_name(&file));
        return Err(call.type_error(0, &text));
    };
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if path.contains(&0) {
        return Err(call.type_error(0, "must not contain null bytes"));
    }
    let opened = open_compressed(call.vm, path, mode, &Options::default())?;
    Ok(opened.map_or(Val::FALSE, |stream| open::resource(Rc::new(stream)).into()))
}

/// What is wrong with opening a stream of this mode anew. A mode with a `b` is not looked at, except for its length.
fn mode_problem(stream: &Stream, mode: &str) -> Option<String> {
    let has = stream.mode.as_bytes();
    match has {
        [_, b'b'] | [b'b', _] => None,
        [b'r' | b'w' | b'a' | b'x'] => match (mode, has[0]) {
            ("r", b'w' | b'a' | b'x') => Some("Cannot read from a stream opened in write only mode".to_owned()),
            ("w", b'r') => Some("cannot write to a stream opened in read only mode".to_owned()),
            _ => None,
        },
        _ => Some(format!("Cannot use stream opened in mode '{}'", stream.mode)),
    }
}

/// Does the system let a descriptor be used in this mode?
fn allows(file: &File, mode: &str) -> bool {
    use rustix::fs::OFlags;
    let Ok(flags) = rustix::fs::fcntl_getfl(file) else { return false };
    let access = flags & OFlags::RWMODE;
    access == OFlags::RDWR || access == if mode == "w" { OFlags::WRONLY } else { OFlags::RDONLY }
}

/// A compressed file over a stream that is open already.
fn reopen(call: &Call<'_>, resource: PhpRes, stream: Rc<Stream>, mode: &str) -> PhpResult<Val> {
    if let Some(problem) = mode_problem(&stream, mode) {
        call.warning(&problem)?;
        return Ok(Val::FALSE);
    }
    let Some(place) = place_below(call.vm, &stream)? else { return Ok(Val::FALSE) };
    if matches!(&place, Place::File(file) if !allows(file, mode)) {
        return Ok(Val::FALSE);
    }
    let opened = stream_over(place, Some((resource, stream)), mode);
    Ok(opened.map_or(Val::FALSE, |stream| open::resource(Rc::new(stream)).into()))
}

/// Calls the function for plain files, because compressed files are streams as well.
fn as_plain(name: &str, call: &mut Call<'_>) -> PhpResult<Val> {
    match handles::FUNCTIONS.iter().find(|row| row.name() == name) {
        Some(row) => (row.body)(call),
        None => Ok(Val::FALSE),
    }
}

fn bzread(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = handles::stream(call, 0)?;
    let Ok(length) = usize::try_from(call.int(1)) else {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    };
    Ok(handles::string_or_false(stream.read(call.vm, length)?))
}

/// The number of a compressed file's last error.
fn error(call: &Call<'_>) -> PhpResult<i64> {
    let stream = handles::stream(call, 0)?;
    match stream.with(|source| source.library_error()).flatten() {
        Some(number) => Ok(number),
        None => Err(call.type_error(0, "must be a bz2 stream")),
    }
}

fn bzerror(call: &mut Call<'_>) -> PhpResult<Val> {
    let number = error(call)?;
    let mut result = PhpArr::new();
    result.set_bytes(b"errno", Val::int(number));
    result.set_bytes(b"errstr", codec::error_name(number).into());
    Ok(result.into())
}
