//! Compressed files: `gzopen()`, the other `gz…()` functions, and `compress.zlib://`.

use crate::codec::{self, Encoding, decompress_file};
use flate2::{Compress, FlushCompress};
use phlox_ext_standard_file::stream::open::{self, NativeWrapper, Options};
use phlox_ext_standard_file::stream::{Read, SEEK_CUR, SEEK_END, SEEK_SET, Source, Stream};
use phlox_ext_standard_file::{context, handles};
use phlox_runtime::{Call, FnDef, Level, PhpArr, PhpRes, PhpResult, Val, Vm, convert};
use std::rc::Rc;

/// The functions for compressed files.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("gzfile(string $filename, int $use_include_path = 0): array|false", gzfile),
    FnDef::new("gzopen(string $filename, string $mode, int $use_include_path = 0)", gzopen),
    FnDef::new("readgzfile(string $filename, int $use_include_path = 0): int|false", readgzfile),
    FnDef::new("gzwrite($stream, string $data, ?int $length = null): int|false", |call| as_plain("fwrite", call)),
    FnDef::new("gzputs($stream, string $data, ?int $length = null): int|false", |call| as_plain("fwrite", call)),
    FnDef::new("gzrewind($stream): bool", |call| as_plain("rewind", call)),
    FnDef::new("gzclose($stream): bool", |call| as_plain("fclose", call)),
    FnDef::new("gzeof($stream): bool", |call| as_plain("feof", call)),
    FnDef::new("gzgetc($stream): string|false", |call| as_plain("fgetc", call)),
    FnDef::new("gzpassthru($stream): int", |call| as_plain("fpassthru", call)),
    FnDef::new("gzseek($stream, int $offset, int $whence = SEEK_SET): int", |call| as_plain("fseek", call)),
    FnDef::new("gztell($stream): int|false", |call| as_plain("ftell", call)),
    FnDef::new("gzread($stream, int $length): string|false", |call| as_plain("fread", call)),
    FnDef::new("gzgets($stream, ?int $length = null): string|false", |call| as_plain("fgets", call)),
];

/// Calls the function for plain files, because compressed files are streams as well.
fn as_plain(name: &str, call: &mut Call<'_>) -> PhpResult<Val> {
    match handles::FUNCTIONS.iter().find(|row| row.name() == name) {
        Some(row) => (row.body)(call),
        None => Ok(Val::FALSE),
    }
}

/// The wrapper `compress.zlib://`.
pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "ZLIB", is_url: false, open: open_wrapper, stat: None, list: None, change: None };

enum Work {
    Reading { data: Vec<u8>, position: usize },
    Writing { compressor: Box<Compress>, position: i64 },
}

/// A stream that compresses or decompresses the contents of another one.
struct GzSource {
    inner: Rc<Stream>,
    work: Work,
    /// The compressed file, which has a resource of its own.
    _resource: PhpRes,
}

impl GzSource {
    fn emit(&mut self, vm: &Vm, data: &[u8], flush: FlushCompress) -> PhpResult<()> {
        let Work::Writing { compressor, .. } = &mut self.work else { return Ok(()) };
        let out = codec::push(compressor, data, flush);
        // A file that was opened for reading takes no output (mode `rw`).
        if !out.is_empty() && !self.inner.mode.starts_with('r') {
            self.inner.write(vm, &out)?;
        }
        Ok(())
    }
}

impl Source for GzSource {
    fn read(&mut self, _vm: &Vm, size: usize) -> PhpResult<Read> {
        let Work::Reading { data, position } = &mut self.work else {
            return Ok(Read { data: Vec::new(), eof: false, failed: true });
        };
        let end = data.len().min(position.saturating_add(size));
        // The position may be behind the end.
        let part = data.get(*position..end).unwrap_or_default().to_vec();
        *position = end.max(*position);
        Ok(Read { eof: end == data.len(), data: part, failed: false })
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        let Work::Writing { position, .. } = &mut self.work else { return Ok(Some(0)) };
        *position += data.len() as i64;
        self.emit(vm, data, FlushCompress::None)?;
        Ok(Some(data.len()))
    }

    fn seek(&mut self, vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        if whence == SEEK_END {
            open::warn(vm, b"SEEK_END is not supported")?;
        }
        if whence != SEEK_SET && whence != SEEK_CUR {
            return Ok(None);
        }
        let current = match &self.work {
            Work::Reading { position, .. } => *position as i64,
            Work::Writing { position, .. } => *position,
        };
        let target = if whence == SEEK_CUR { current.saturating_add(offset) } else { offset };
        match &mut self.work {
            Work::Reading { position, .. } => {
                let Ok(target) = usize::try_from(target) else { return Ok(None) };
                *position = target;
                Ok(Some(target as i64))
            }
            Work::Writing { position, .. } => {
                let gap = target - *position;
                if !(0..1 << 30).contains(&gap) {
                    return Ok(None);
                }
                *position = target;
                self.emit(vm, &vec![0; gap as usize], FlushCompress::None)?;
                Ok(Some(target))
            }
        }
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn flush(&mut self, vm: &Vm) -> PhpResult<bool> {
        self.emit(vm, b"", FlushCompress::Sync)?;
        self.inner.flush(vm, false)
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        self.emit(vm, b"", FlushCompress::Finish)?;
        self.inner.close(vm)
    }

    fn kind(&self) -> &'static str {
        "ZLIB"
    }
}

/// Opens a file for the wrapper, whose errors have no details.
fn open_wrapper(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Result<Stream, String>> {
    let options = Options { silent: true, ..options.clone() };
    Ok(open_compressed(vm, url, mode, &options)?.ok_or_else(|| "operation failed".to_owned()))
}

fn open_compressed(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Option<Stream>> {
    let path = [&b"compress.zlib://"[..], b"zlib:"].into_iter().find_map(|prefix| url.strip_prefix(prefix));
    let path = path.unwrap_or(url);
    if mode.contains('+') {
        if !options.silent {
            open::warn(vm, b"Cannot open a zlib stream for reading and writing at the same time!")?;
        }
        return Ok(None);
    }
    let Some(inner) = open::open(vm, path, mode, options)? else { return Ok(None) };
    let resource = open::resource(inner.clone());
    let wanted = context::option(&options.context, b"zlib", b"level");
    let wanted = wanted.map(|level| convert::to_int(vm, &level)).transpose()?;
    // The last of these letters decides what zlib does. A mode without any of them, such as `x`, opens (and makes) the
    // file before zlib refuses it.
    let work = match mode.bytes().rfind(|letter| b"rwa".contains(letter)) {
        None => {
            inner.close(vm)?;
            if !options.silent {
                open::warn(vm, b"gzopen failed")?;
            }
            return Ok(None);
        }
        Some(b'r') => Work::Reading { data: decompress_file(inner.read_all(vm, None)?), position: 0 },
        Some(_) => {
            let digit = mode.bytes().rfind(u8::is_ascii_digit).map(|digit| i64::from(digit - b'0'));
            let level = wanted.filter(|level| (-1..=9).contains(level)).or(digit);
            let compressor = codec::compressor(Encoding::Gzip, level.unwrap_or(-1), codec::WINDOW_BITS);
            Work::Writing { compressor: Box::new(compressor), position: 0 }
        }
    };
    if wanted.is_some() && matches!(work, Work::Reading { .. }) {
        vm.raise(Level::Warning, b"failed setting compression level")?;
    }
    let stream = Stream::new(Box::new(GzSource { inner, work, _resource: resource }), mode);
    stream.unbuffered.set(true);
    Ok(Some(stream))
}

fn open_file(call: &Call<'_>, mode: &str, path_index: usize) -> PhpResult<Option<Rc<Stream>>> {
    let path = call.path(0)?;
    let options = Options { use_include_path: call.int(path_index) != 0, ..Options::default() };
    Ok(open_compressed(call.vm, &path, mode, &options)?.map(Rc::new))
}

fn gzopen(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = call.str(1).to_string();
    Ok(open_file(call, &mode, 2)?.map_or(Val::FALSE, |stream| open::resource(stream).into()))
}

fn gzfile(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(stream) = open_file(call, "rb", 1)? else { return Ok(Val::FALSE) };
    let mut lines = PhpArr::new();
    while let Some(line) = stream.line(call.vm, None)? {
        let _ = lines.push(line.into());
    }
    stream.close(call.vm)?;
    Ok(lines.into())
}

fn readgzfile(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(stream) = open_file(call, "rb", 1)? else { return Ok(Val::FALSE) };
    let data = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    call.vm.echo(&data);
    Ok(Val::int(data.len() as i64))
}
