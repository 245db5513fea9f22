//! The methods of compression, as streams that are fed in pieces.

use super::error::{Code, Result, ZipError};
use super::header::method;
use bzip2::{Compress, Compression, Decompress};
use flate2::{FlushDecompress, Status};
use liblzma::stream::{Action, CONCATENATED, Check, LzmaOptions, PRESET_EXTREME, Stream};
use phlox_zlib::{Deflater, Flush, Parameters};
use zstd_safe::{CCtx, CParameter, DCtx, InBuffer, OutBuffer};

/// Bytes that a decoder for LZMA may take, by which a header that lies about its dictionary takes no more. What `xz -9` writes needs a
/// sixteenth of it.
const MEMORY_LIMIT: u64 = 1 << 30;

/// Can data be compressed and decompressed by a method?
pub fn is_supported(method: i32) -> bool {
    use method::{BZIP2, DEFAULT, DEFLATE, LZMA, STORE, XZ, ZSTD};
    matches!(method, DEFAULT | STORE | DEFLATE | BZIP2 | LZMA | XZ | ZSTD)
}

/// What one step of decompressing did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub taken: usize,
    pub given: usize,
    pub state: State,
}

/// What a step of a decoder ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    GoesOn,
    NeedsData,
    Ended,
}

/// The first bytes of LZMA's data in an archive: version, size of the properties, properties. They become the head of a file of its own.
const LZMA_HEAD: usize = 9;

enum Decoding {
    Deflate(flate2::Decompress),
    Bzip2(Decompress),
    Xz(Stream),
    /// LZMA's head as far as it was read, and the size that it is told.
    Lzma {
        stream: Stream,
        head: Vec<u8>,
        size: u64,
    },
    Zstd(DCtx<'static>),
}

/// Decompresses data of one entry.
pub struct Decoder(Decoding);

impl Decoder {
    /// A decoder of a method. `size`: how large the data becomes, if nothing in it marks its end.
    pub fn new(method: i32, size: Option<u64>) -> Result<Decoder> {
        Ok(Decoder(match method {
            method::DEFLATE => Decoding::Deflate(flate2::Decompress::new(false)),
            method::BZIP2 => Decoding::Bzip2(Decompress::new(false)),
            method::XZ => Decoding::Xz(Stream::new_stream_decoder(MEMORY_LIMIT, CONCATENATED).map_err(of_lzma)?),
            method::LZMA => Decoding::Lzma {
                stream: Stream::new_lzma_decoder(MEMORY_LIMIT).map_err(of_lzma)?,
                head: Vec::new(),
                size: size.unwrap_or(u64::MAX),
            },
            method::ZSTD => Decoding::Zstd(DCtx::create()),
            _ => return Err(Code::CompNotSupp.into()),
        }))
    }

    /// Decompresses a piece. `is_last`: no more data comes.
    pub fn step(&mut self, input: &[u8], output: &mut [u8], is_last: bool) -> Result<Step> {
        match &mut self.0 {
            Decoding::Deflate(stream) => inflate(stream, input, output),
            Decoding::Bzip2(stream) => {
                if input.is_empty() && !is_last {
                    return Ok(Step { taken: 0, given: 0, state: State::NeedsData });
                }
                decompress_bzip2(stream, input, output)
            }
            Decoding::Xz(stream) => decode_lzma(stream, input, output, is_last),
            Decoding::Lzma { stream, head, size } => {
                let missing = (LZMA_HEAD - head.len()).min(input.len());
                if head.len() < LZMA_HEAD && missing > 0 {
                    head.extend_from_slice(&input[..missing]);
                    if head.len() == LZMA_HEAD {
                        start_lzma(stream, head, *size)?;
                    }
                    return Ok(Step { taken: missing, given: 0, state: State::GoesOn });
                }
                if head.len() < LZMA_HEAD {
                    return Ok(Step { taken: 0, given: 0, state: State::NeedsData });
                }
                decode_lzma(stream, input, output, is_last)
            }
            Decoding::Zstd(stream) => decompress_zstd(stream, input, output, is_last),
        }
    }
}

fn inflate(stream: &mut flate2::Decompress, input: &[u8], output: &mut [u8]) -> Result<Step> {
    const DATA_ERROR: i64 = -3;
    const BUFFER_ERROR: i64 = -5;
    let before = (stream.total_in(), stream.total_out());
    let status = stream.decompress(input, output, FlushDecompress::Sync);
    let taken = (stream.total_in() - before.0) as usize;
    let given = (stream.total_out() - before.1) as usize;
    let state = match status {
        Ok(Status::Ok) => State::GoesOn,
        Ok(Status::StreamEnd) => State::Ended,
        Ok(Status::BufError) if taken == input.len() => State::NeedsData,
        Ok(Status::BufError) => return Err(ZipError::with(Code::Zlib, BUFFER_ERROR)),
        Err(_) => return Err(ZipError::with(Code::Zlib, DATA_ERROR)),
    };
    Ok(Step { taken, given, state })
}

fn of_bzip2(error: bzip2::Error) -> ZipError {
    ZipError::from(match error {
        bzip2::Error::Data | bzip2::Error::DataMagic => Code::CompressedData,
        bzip2::Error::Param => Code::Invalid,
        bzip2::Error::Sequence => Code::Internal,
    })
}

fn decompress_bzip2(stream: &mut Decompress, input: &[u8], output: &mut [u8]) -> Result<Step> {
    let before = (stream.total_in(), stream.total_out());
    let status = stream.decompress(input, output).map_err(of_bzip2)?;
    let taken = (stream.total_in() - before.0) as usize;
    let given = (stream.total_out() - before.1) as usize;
    let state = match status {
        bzip2::Status::StreamEnd => State::Ended,
        bzip2::Status::MemNeeded => return Err(Code::Memory.into()),
        _ if taken == input.len() => State::NeedsData,
        _ => State::GoesOn,
    };
    Ok(Step { taken, given, state })
}

fn of_lzma(error: liblzma::stream::Error) -> ZipError {
    use liblzma::stream::Error;
    ZipError::from(match error {
        Error::Data | Error::UnsupportedCheck => Code::CompressedData,
        Error::Mem | Error::MemLimit => Code::Memory,
        Error::Options => Code::Invalid,
        _ => Code::Internal,
    })
}

fn decode_lzma(stream: &mut Stream, input: &[u8], output: &mut [u8], is_last: bool) -> Result<Step> {
    use liblzma::stream::Status;
    let before = (stream.total_in(), stream.total_out());
    let action = if is_last { Action::Finish } else { Action::Run };
    let status = stream.process(input, output, action).map_err(of_lzma)?;
    let taken = (stream.total_in() - before.0) as usize;
    let given = (stream.total_out() - before.1) as usize;
    let state = match status {
        Status::StreamEnd => State::Ended,
        Status::MemNeeded if taken == input.len() => State::NeedsData,
        Status::MemNeeded => return Err(Code::Internal.into()),
        _ => State::GoesOn,
    };
    Ok(Step { taken, given, state })
}

/// Gives the decoder the head of a file of LZMA's own format.
fn start_lzma(stream: &mut Stream, head: &[u8], size: u64) -> Result<()> {
    if head[2..4] != [5, 0] {
        return Err(Code::CompressedData.into());
    }
    let own_head = [&head[4..], &size.to_le_bytes()].concat();
    let before = stream.total_in();
    let is_right =
        stream.process(&own_head, &mut [0], Action::Run).is_ok_and(|status| status == liblzma::stream::Status::Ok);
    let is_whole = stream.total_in() - before == own_head.len() as u64;
    if is_right && is_whole { Ok(()) } else { Err(Code::CompressedData.into()) }
}

fn decompress_zstd(stream: &mut DCtx<'_>, input: &[u8], output: &mut [u8], is_last: bool) -> Result<Step> {
    if input.is_empty() && !is_last {
        return Ok(Step { taken: 0, given: 0, state: State::NeedsData });
    }
    let (mut from, mut to) = (InBuffer::around(input), OutBuffer::around(output));
    // libzip knows no numbers of this library's errors.
    stream.decompress_stream(&mut to, &mut from).map_err(|_| ZipError::from(Code::Internal))?;
    let (taken, given) = (from.pos(), to.pos());
    Ok(Step { taken, given, state: if taken == input.len() && given == 0 { State::NeedsData } else { State::GoesOn } })
}

enum Encoding {
    Deflate(Deflater),
    Bzip2(Compress),
    Xz(Stream),
    /// The first bytes of the output are LZMA's own head, of which an archive has a part.
    Lzma {
        stream: Stream,
        own_head: Vec<u8>,
    },
    Zstd(CCtx<'static>),
}

/// Compresses data of one entry.
pub struct Encoder {
    encoding: Encoding,
    /// General purpose bits that tell how the data was compressed.
    pub bits: u16,
    /// The version that a reader needs.
    pub version_needed: u16,
}

/// Bytes of output that are made at a time.
const PIECE: usize = 8192;
/// The size of the head of LZMA's own format.
const OWN_HEAD: usize = 13;

/// zlib's memory level for torrentzip, and the one for others.
const MEMORY_LEVELS: [i32; 2] = [8, 9];

impl Encoder {
    /// An encoder of a method. `level` is the method's own; other numbers stand for its default, and the highest for torrentzip.
    pub fn new(method: i32, level: u16) -> Result<Encoder> {
        let small = u32::from(level);
        let (encoding, bits, version_needed) = match method {
            method::DEFAULT | method::DEFLATE => {
                let parameters = Parameters {
                    level: if (1..=9).contains(&level) { i32::from(level) } else { 9 },
                    window_bits: -15,
                    memory_level: MEMORY_LEVELS[usize::from(level != u16::MAX)],
                    strategy: 0,
                };
                let bits = match parameters.level {
                    ..3 => 2 << 1,
                    8.. => 1 << 1,
                    _ => 0,
                };
                let deflater = Deflater::new(parameters);
                let deflater = deflater.map_err(|error| ZipError::with(Code::Zlib, i64::from(error.0)))?;
                (Encoding::Deflate(deflater), bits, 20)
            }
            method::BZIP2 => {
                let level = if (1..=9).contains(&small) { small } else { 9 };
                (Encoding::Bzip2(Compress::new(Compression::new(level), 30)), 0, 46)
            }
            method::XZ | method::LZMA => {
                let preset = if small <= 9 { small } else { 6 } | PRESET_EXTREME;
                if method == method::XZ {
                    let stream = Stream::new_easy_encoder(preset, Check::Crc64).map_err(of_lzma)?;
                    (Encoding::Xz(stream), 0, 20)
                } else {
                    let options = LzmaOptions::new_preset(preset).map_err(of_lzma)?;
                    let stream = Stream::new_lzma_encoder(&options).map_err(of_lzma)?;
                    // The data has a mark at its end.
                    (Encoding::Lzma { stream, own_head: Vec::new() }, 1 << 1, 20)
                }
            }
            method::ZSTD => {
                let mut context = CCtx::create();
                let level = i32::from(level);
                let is_known = (zstd_safe::min_c_level()..=zstd_safe::max_c_level()).contains(&level);
                let level = CParameter::CompressionLevel(if is_known { level } else { 0 });
                context.set_parameter(level).map_err(|_| ZipError::from(Code::Invalid))?;
                (Encoding::Zstd(context), 0, 20)
            }
            _ => return Err(Code::CompNotSupp.into()),
        };
        Ok(Encoder { encoding, bits, version_needed })
    }

    /// Compresses a piece and appends what comes out of it. `is_last`: all that is still held comes out.
    pub fn push(&mut self, data: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<()> {
        match &mut self.encoding {
            Encoding::Deflate(deflater) => {
                let flush = if is_last { Flush::Finish } else { Flush::No };
                let made = deflater.push(data, flush);
                out.extend(made.map_err(|error| ZipError::with(Code::Zlib, i64::from(error.0)))?);
                Ok(())
            }
            Encoding::Bzip2(stream) => compress_bzip2(stream, data, is_last, out),
            Encoding::Xz(stream) => encode_lzma(stream, data, is_last, out),
            Encoding::Lzma { stream, own_head } => {
                let mut made = Vec::new();
                encode_lzma(stream, data, is_last, &mut made)?;
                if own_head.len() == OWN_HEAD {
                    out.extend(made);
                    return Ok(());
                }
                own_head.extend(made);
                if own_head.len() >= OWN_HEAD {
                    let rest = own_head.split_off(OWN_HEAD);
                    out.extend_from_slice(&[9, 20, 5, 0]);
                    out.extend_from_slice(&own_head[..5]);
                    out.extend(rest);
                }
                Ok(())
            }
            Encoding::Zstd(context) => compress_zstd(context, data, is_last, out),
        }
    }
}

fn compress_bzip2(stream: &mut Compress, mut data: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<()> {
    let action = if is_last { bzip2::Action::Finish } else { bzip2::Action::Run };
    let mut piece = [0; PIECE];
    while is_last || !data.is_empty() {
        let before = (stream.total_in(), stream.total_out());
        let status = stream.compress(data, &mut piece, action).map_err(of_bzip2)?;
        data = &data[(stream.total_in() - before.0) as usize..];
        let given = (stream.total_out() - before.1) as usize;
        out.extend_from_slice(&piece[..given]);
        if status == bzip2::Status::StreamEnd {
            break;
        }
    }
    Ok(())
}

fn encode_lzma(stream: &mut Stream, mut data: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<()> {
    let action = if is_last { Action::Finish } else { Action::Run };
    let mut piece = [0; PIECE];
    loop {
        let before = (stream.total_in(), stream.total_out());
        let status = stream.process(data, &mut piece, action).map_err(of_lzma)?;
        data = &data[(stream.total_in() - before.0) as usize..];
        let given = (stream.total_out() - before.1) as usize;
        out.extend_from_slice(&piece[..given]);
        let is_done =
            if is_last { status == liblzma::stream::Status::StreamEnd } else { data.is_empty() && given < PIECE };
        if is_done {
            return Ok(());
        }
    }
}

fn compress_zstd(context: &mut CCtx<'_>, data: &[u8], is_last: bool, out: &mut Vec<u8>) -> Result<()> {
    let failed = |_| ZipError::from(Code::Internal);
    let (mut piece, mut from) = ([0; PIECE], InBuffer::around(data));
    while from.pos() < data.len() {
        let mut to = OutBuffer::around(&mut piece[..]);
        context.compress_stream(&mut to, &mut from).map_err(failed)?;
        let given = to.pos();
        out.extend_from_slice(&piece[..given]);
    }
    if !is_last {
        return Ok(());
    }
    loop {
        let mut to = OutBuffer::around(&mut piece[..]);
        let left = context.end_stream(&mut to).map_err(failed)?;
        let given = to.pos();
        out.extend_from_slice(&piece[..given]);
        if left == 0 {
            return Ok(());
        }
    }
}
