//! The stream filters `zlib.deflate` and `zlib.inflate`.

use crate::codec::{self, Encoding};
use flate2::{Compress, Decompress, FlushCompress, FlushDecompress, Status};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::filter::{Filter, Flush};
use phlox_ext_standard_file::stream::open;
use phlox_runtime::{PhpResult, Val, View, Vm, convert};

struct Deflate(Compress);

impl Filter for Deflate {
    fn filter(&mut self, _: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let how = match flush {
            Flush::No => FlushCompress::None,
            Flush::Incremental => FlushCompress::Sync,
            Flush::Close => FlushCompress::Finish,
        };
        if data.is_empty() && flush == Flush::No {
            return Ok(Some(data));
        }
        Ok(Some(codec::push(&mut self.0, &data, how)))
    }
}

struct Inflate {
    decompressor: Option<Decompress>,
    /// The first bytes of the data, as long as they do not tell the frame yet.
    start: Vec<u8>,
    window: u8,
    finished: bool,
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

impl Filter for Inflate {
    fn filter(&mut self, vm: &Vm, _: &Stream, data: Vec<u8>, flush: Flush) -> PhpResult<Option<Vec<u8>>> {
        let data = [std::mem::take(&mut self.start), data].concat();
        if self.decompressor.is_none() && data.len() < GZIP_MAGIC.len() && flush != Flush::Close {
            self.start = data;
            return Ok(Some(Vec::new()));
        }
        let decompressor = self.decompressor.get_or_insert_with(|| {
            let encoding = if data.starts_with(&GZIP_MAGIC) { Encoding::Gzip } else { Encoding::Zlib };
            codec::decompressor(encoding, self.window)
        });
        let mut out = Vec::with_capacity(data.len() * 2 + 64);
        let mut rest = &data[..];
        while !self.finished {
            out.reserve(8192);
            let (before_in, before_out) = (decompressor.total_in(), out.len());
            let status = decompressor.decompress_vec(rest, &mut out, FlushDecompress::Sync);
            let taken = (decompressor.total_in() - before_in) as usize;
            rest = &rest[taken..];
            match status {
                Ok(Status::StreamEnd) => self.finished = true,
                Ok(_) if taken == 0 && out.len() == before_out => break,
                Ok(_) => {}
                Err(_) => {
                    let name = open::operation(vm);
                    vm.notice(&[&name[..], b"(): zlib: data error"].concat())?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(out))
    }
}

fn parameter(vm: &Vm, params: &Val, name: &str) -> PhpResult<Option<i64>> {
    let table = match params.view() {
        View::Arr(array) => Some(array.clone()),
        View::Obj(object) => Some(convert::object_properties(object)),
        _ => None,
    };
    let value = table.and_then(|table| table.get_bytes(name.as_bytes()).map(Val::deref));
    value.map(|value| convert::to_int(vm, &value)).transpose()
}

/// The frame that a window's number asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Framed {
    As(Encoding),
    /// The first bytes of the data tell it.
    Either,
}

/// The frame and window of a number: negative numbers have no frame, those from 16 on gzip's, those from 32 on either.
/// `None`: zlib knows no such window.
fn window(vm: &Vm, params: &Val, reads: bool, highest: i64) -> PhpResult<Option<(Framed, u8)>> {
    let window = parameter(vm, params, "window")?.unwrap_or(codec::RAW);
    if !(-15..=highest).contains(&window) {
        open::warn(vm, format!("Invalid parameter given for window size ({window})").as_bytes())?;
        return Ok(Some((Framed::As(Encoding::Raw), codec::WINDOW_BITS)));
    }
    let framed = match window {
        ..0 => Framed::As(Encoding::Raw),
        0..16 => Framed::As(Encoding::Zlib),
        16..32 => Framed::As(Encoding::Gzip),
        _ => Framed::Either,
    };
    let size = window.abs() % 16;
    // A size of 0 lets the frame decide, which only reading allows.
    let size = if size == 0 && reads { codec::WINDOW_BITS } else { size as u8 };
    Ok((size >= SMALLEST_WINDOW).then_some((framed, size)))
}

const SMALLEST_WINDOW: u8 = 8;

/// Makes a filter by name; `None` for an unknown name or invalid parameters.
pub fn make(vm: &Vm, name: &str, params: &Val) -> PhpResult<Option<Box<dyn Filter>>> {
    match name.to_ascii_lowercase().as_str() {
        "zlib.inflate" => {
            let Some((framed, window)) = window(vm, params, true, 47)? else { return Ok(None) };
            let decompressor = match framed {
                Framed::As(encoding) => Some(codec::decompressor(encoding, window)),
                Framed::Either => None,
            };
            Ok(Some(Box::new(Inflate { decompressor, start: Vec::new(), window, finished: false })))
        }
        "zlib.deflate" => {
            if let Some(memory) = parameter(vm, params, "memory")?.filter(|memory| !(1..=9).contains(memory)) {
                open::warn(vm, format!("Invalid parameter given for memory level ({memory})").as_bytes())?;
            }
            let framed = window(vm, params, false, 31)?;
            let is_table = matches!(params.view(), View::Arr(_) | View::Obj(_));
            let mut level = match params.view() {
                View::Null | View::Undef => -1,
                _ if is_table => parameter(vm, params, "level")?.unwrap_or(-1),
                View::Int(_) | View::Double(_) | View::Str(_) => convert::to_int(vm, params)?,
                _ => {
                    open::warn(vm, b"Invalid filter parameter, ignored")?;
                    -1
                }
            };
            if !(-1..=9).contains(&level) {
                open::warn(vm, format!("Invalid compression level specified. ({level})").as_bytes())?;
                level = -1;
            }
            // zlib writes the smallest window with its own frame only.
            match framed {
                Some((Framed::As(encoding), window)) if window > SMALLEST_WINDOW || encoding == Encoding::Zlib => {
                    Ok(Some(Box::new(Deflate(codec::compressor(encoding, level, window)))))
                }
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}
