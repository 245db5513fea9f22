//! Compressed files: `gzopen` and its kin, and `compress.zlib://`.

use crate::codec::{self, Encoding, decompress_file};
use flate2::{Compress, FlushCompress};
use phlox_ext_standard_file::handles;
use phlox_ext_standard_file::stream::open::{self, NativeWrapper, Options};
use phlox_ext_standard_file::stream::{Read, SEEK_CUR, SEEK_END, Source, Stream};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, Vm};
use std::rc::Rc;

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

/// Compressed files are streams, on which the functions of plain files work.
fn as_plain(name: &str, call: &mut Call<'_>) -> PhpResult<Val> {
    match handles::FUNCTIONS.iter().find(|row| row.name() == name) {
        Some(row) => (row.body)(call),
        None => Ok(Val::FALSE),
    }
}

pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "ZLIB", is_url: false, open: open_wrapper, stat: None, list: None };

enum Work {
    Reading { data: Vec<u8>, position: usize },
    Writing { compressor: Box<Compress>, position: i64 },
}

/// A file whose contents are compressed on the way.
struct GzSource {
    inner: Rc<Stream>,
    work: Work,
}

impl GzSource {
    fn emit(&mut self, vm: &Vm, data: &[u8], flush: FlushCompress) -> PhpResult<()> {
        let Work::Writing { compressor, .. } = &mut self.work else { return Ok(()) };
        let out = codec::push(compressor, data, flush);
        if !out.is_empty() {
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
        let part = data[*position..end].to_vec();
        *position = end;
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
            return Ok(None);
        }
        let current = match &self.work {
            Work::Reading { position, .. } => *position as i64,
            Work::Writing { position, .. } => *position,
        };
        let target = if whence == SEEK_CUR { current.saturating_add(offset) } else { offset };
        match &mut self.work {
            Work::Reading { data, position } => {
                let Ok(target) = usize::try_from(target) else { return Ok(None) };
                *position = target.min(data.len());
                Ok(Some(*position as i64))
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

fn open_wrapper(vm: &Vm, url: &[u8], mode: &str, options: &Options) -> PhpResult<Result<Stream, String>> {
    let path = [&b"compress.zlib://"[..], b"zlib:"].into_iter().find_map(|prefix| url.strip_prefix(prefix));
    let path = path.unwrap_or(url);
    if mode.contains('+') {
        if !options.silent {
            open::warn(vm, b"Cannot open a zlib stream for reading and writing at the same time!")?;
        }
        return Ok(Err(String::new()));
    }
    let writes = !mode.starts_with('r');
    let plain_mode: String = mode.chars().filter(|symbol| "rwaxcb".contains(*symbol)).collect();
    let plain_mode = if plain_mode.contains('b') { plain_mode } else { plain_mode + "b" };
    let Some(inner) = open::open(vm, path, &plain_mode, options)? else { return Ok(Err(String::new())) };
    let work = if writes {
        let level = mode.bytes().find(u8::is_ascii_digit).map_or(-1, |digit| (digit - b'0') as i64);
        let compressor = codec::compressor(Encoding::Gzip, level, codec::WINDOW_BITS);
        Work::Writing { compressor: Box::new(compressor), position: 0 }
    } else {
        Work::Reading { data: decompress_file(inner.read_all(vm, None)?), position: 0 }
    };
    Ok(Ok(Stream::new(Box::new(GzSource { inner, work }), mode)))
}

fn open_file(call: &Call<'_>, mode: &str, path_index: usize) -> PhpResult<Option<Rc<Stream>>> {
    let path = call.path(0)?;
    let options = Options { use_include_path: call.int(path_index) != 0, ..Options::default() };
    match open_wrapper(call.vm, &path, mode, &options)? {
        Ok(mut stream) => {
            stream.uri = Some(path.to_vec());
            stream.wrapper_type = Some("ZLIB");
            Ok(Some(Rc::new(stream)))
        }
        Err(_) => Ok(None),
    }
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
