//! Compression of complete texts and of texts that arrive in pieces.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The frame around the deflated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Raw,
    Gzip,
    Zlib,
}

/// `ZLIB_ENCODING_RAW`.
pub const RAW: i64 = -15;
/// `ZLIB_ENCODING_GZIP`.
pub const GZIP: i64 = 31;
/// `ZLIB_ENCODING_DEFLATE`.
pub const ZLIB: i64 = 15;

impl Encoding {
    /// The frame with a number of `ZLIB_ENCODING_*`.
    pub fn of(number: i64) -> Option<Encoding> {
        match number {
            RAW => Some(Encoding::Raw),
            GZIP => Some(Encoding::Gzip),
            ZLIB => Some(Encoding::Zlib),
            _ => None,
        }
    }
}

/// The size of the window, as a power of two. zlib uses 9 if 8 is asked for.
pub const WINDOW_BITS: u8 = 15;

fn level(level: i64) -> Compression {
    match u32::try_from(level) {
        Ok(level) => Compression::new(level),
        Err(_) => Compression::default(),
    }
}

/// A compressor for a frame and a level; a negative level stands for zlib's default.
pub fn compressor(encoding: Encoding, number: i64, window: u8) -> Compress {
    let window = window.max(9);
    match encoding {
        Encoding::Raw => Compress::new_with_window_bits(level(number), false, window),
        Encoding::Zlib => Compress::new_with_window_bits(level(number), true, window),
        Encoding::Gzip => Compress::new_gzip(level(number), window),
    }
}

/// A decompressor for a frame.
pub fn decompressor(encoding: Encoding, window: u8) -> Decompress {
    let window = window.max(9);
    match encoding {
        Encoding::Raw => Decompress::new_with_window_bits(false, window),
        Encoding::Zlib => Decompress::new_with_window_bits(true, window),
        Encoding::Gzip => Decompress::new_gzip(window),
    }
}

/// Compresses a piece and gives the output so far, which depends on `flush`.
pub fn push(compressor: &mut Compress, data: &[u8], flush: FlushCompress) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 2 + 64);
    let mut rest = data;
    loop {
        out.reserve(4096);
        let (before_in, before_out) = (compressor.total_in(), out.len());
        let status = compressor.compress_vec(rest, &mut out, flush);
        rest = &rest[(compressor.total_in() - before_in) as usize..];
        let has_room = out.len() < out.capacity();
        let idle = rest.is_empty() && (out.len() == before_out || has_room);
        match status {
            Ok(Status::StreamEnd) | Err(_) => return out,
            Ok(_) if idle && !matches!(flush, FlushCompress::Finish) => return out,
            Ok(_) => {}
        }
    }
}

/// Compresses a complete text. A negative level stands for zlib's default.
pub fn compress(data: &[u8], number: i64, encoding: Encoding) -> Vec<u8> {
    push(&mut compressor(encoding, number, WINDOW_BITS), data, FlushCompress::Finish)
}

/// zlib's messages.
pub const DATA_ERROR: &str = "data error";
/// zlib's message about a result that is too long.
pub const MEMORY_ERROR: &str = "insufficient memory";

/// Decompresses a text of at most `limit` bytes (0: any number). Where the input ends too early, one NUL is fed,
/// because PHP lets zlib read the NUL behind its strings.
pub fn decompress(data: &[u8], encoding: Encoding, limit: usize) -> Result<Vec<u8>, &'static str> {
    if data.is_empty() {
        return Err(DATA_ERROR);
    }
    let mut decompressor = decompressor(encoding, WINDOW_BITS);
    let mut out = Vec::with_capacity(data.len().saturating_mul(2).min(1 << 24) + 64);
    loop {
        let (before_in, before_out) = (decompressor.total_in(), out.len());
        let rest = match data.get(before_in as usize..) {
            Some([]) => &b"\0"[..],
            rest => rest.unwrap_or_default(),
        };
        let status = decompressor.decompress_vec(rest, &mut out, FlushDecompress::Finish);
        if limit > 0 && out.len() > limit {
            return Err(MEMORY_ERROR);
        }
        match status {
            Ok(Status::StreamEnd) => return Ok(out),
            Ok(_) if out.len() == out.capacity() => out.reserve(out.capacity().max(4096)),
            Ok(_) if decompressor.total_in() > before_in || out.len() > before_out => {}
            _ => return Err(DATA_ERROR),
        }
    }
}

/// Decompresses a text with any frame, of at most `limit` bytes (0: any number).
pub fn decompress_any(data: &[u8], limit: usize) -> Result<Vec<u8>, &'static str> {
    if data.starts_with(&[0x1F, 0x8B]) {
        return decompress(data, Encoding::Gzip, limit);
    }
    match decompress(data, Encoding::Zlib, limit) {
        Err(DATA_ERROR) => decompress(data, Encoding::Raw, limit),
        result => result,
    }
}

/// The contents of the members of a gzip file, one after another. Other data stays as it is.
pub fn decompress_file(data: Vec<u8>) -> Vec<u8> {
    if !data.starts_with(&[0x1F, 0x8B]) {
        return data;
    }
    let mut out = Vec::new();
    let mut rest = &data[..];
    while rest.starts_with(&[0x1F, 0x8B]) {
        let mut decompressor = decompressor(Encoding::Gzip, WINDOW_BITS);
        loop {
            out.reserve(16_384);
            let (before_in, before_out) = (decompressor.total_in(), out.len());
            let status = decompressor.decompress_vec(rest, &mut out, FlushDecompress::None);
            rest = &rest[(decompressor.total_in() - before_in) as usize..];
            let stuck = decompressor.total_in() == before_in && out.len() == before_out;
            match status {
                Ok(Status::StreamEnd) => break,
                Err(_) => return out,
                Ok(_) if stuck => return out,
                Ok(_) => {}
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{DATA_ERROR, Encoding, compress, decompress, decompress_any};

    #[test]
    fn round_trips_and_damage() {
        let text: Vec<u8> = (0..100_000u32).flat_map(|value| (value / 7).to_le_bytes()).collect();
        for encoding in [Encoding::Raw, Encoding::Gzip, Encoding::Zlib] {
            for data in [&text[..], b"", b"a"] {
                let packed = compress(data, 6, encoding);
                assert_eq!(decompress(&packed, encoding, 0).as_deref(), Ok(data));
                assert_eq!(decompress_any(&packed, 0).as_deref(), Ok(data));
                let lacking = decompress(&packed[..packed.len() - 1], encoding, 0);
                let nul = packed.last() == Some(&0);
                assert_eq!(lacking.as_deref(), if nul { Ok(data) } else { Err(&DATA_ERROR) });
                assert_eq!(decompress(&packed[..packed.len() - 2], encoding, 0), Err(DATA_ERROR));
            }
        }
    }
}
