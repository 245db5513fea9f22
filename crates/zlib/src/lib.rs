//! zlib's compressor with all of its parameters, behind a safe face: `flate2` does not give the memory level and the
//! strategy, and flushes in fewer ways. Everything else of zlib is used through `flate2`.
#![deny(unsafe_op_in_unsafe_fn)]

mod memory;

use libz_sys as sys;
use std::ffi::{c_int, c_uint};
use std::mem::MaybeUninit;
use std::ptr;

/// The version of the library that is linked.
pub fn version() -> &'static str {
    // SAFETY: a constant text of the library's, which ends with a zero.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::zlibVersion()) };
    text.to_str().unwrap_or_default()
}

/// How the compressed data is wrapped, how far it looks back and what it may use; the numbers are zlib's.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// -1 (the default) to 9.
    pub level: i32,
    /// 8 to 15; negative without a header, 16 more with that of gzip.
    pub window_bits: i32,
    /// 1 to 9.
    pub memory_level: i32,
    /// 0 to 4.
    pub strategy: i32,
}

/// When what was put in has to come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Flush {
    No = sys::Z_NO_FLUSH,
    Partial = sys::Z_PARTIAL_FLUSH,
    Sync = sys::Z_SYNC_FLUSH,
    Full = sys::Z_FULL_FLUSH,
    Finish = sys::Z_FINISH,
    Block = sys::Z_BLOCK,
}

/// What zlib refused to do, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZlibError(pub i32);

impl ZlibError {
    /// zlib's words for it.
    pub fn message(self) -> &'static str {
        match self.0 {
            sys::Z_STREAM_ERROR => "stream error",
            sys::Z_DATA_ERROR => "data error",
            sys::Z_MEM_ERROR => "insufficient memory",
            sys::Z_BUF_ERROR => "buffer error",
            sys::Z_VERSION_ERROR => "incompatible version",
            _ => "",
        }
    }
}

/// A compressor that is fed in pieces.
pub struct Deflater {
    stream: Box<sys::z_stream>,
}

/// Bytes of output asked for at a time, at least.
const ROOM: usize = 4096;

impl Deflater {
    pub fn new(parameters: Parameters) -> Result<Deflater, ZlibError> {
        let mut stream = Box::new(MaybeUninit::<sys::z_stream>::zeroed());
        // SAFETY: SAFETY.md 4. The fields are inside of the box.
        unsafe {
            (&raw mut (*stream.as_mut_ptr()).zalloc).write(memory::allocate);
            (&raw mut (*stream.as_mut_ptr()).zfree).write(memory::release);
        }
        // SAFETY: SAFETY.md 1. What zlib reads of the stream are the allocator's functions; the version and size are those of the
        // header that the struct was written after.
        let status = unsafe {
            sys::deflateInit2_(
                stream.as_mut_ptr(),
                parameters.level,
                sys::Z_DEFLATED,
                parameters.window_bits,
                parameters.memory_level,
                parameters.strategy,
                sys::zlibVersion(),
                size_of::<sys::z_stream>() as c_int,
            )
        };
        if status != sys::Z_OK {
            return Err(ZlibError(status));
        }
        // SAFETY: SAFETY.md 2. The allocator's functions are set, the only fields that may not be zero.
        Ok(Deflater { stream: unsafe { stream.assume_init() } })
    }

    /// The text that the first piece may refer to.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> Result<(), ZlibError> {
        let length = c_uint::try_from(dictionary.len()).map_err(|_| ZlibError(sys::Z_STREAM_ERROR))?;
        // SAFETY: SAFETY.md 3.
        match unsafe { sys::deflateSetDictionary(&mut *self.stream, dictionary.as_ptr(), length) } {
            sys::Z_OK => Ok(()),
            status => Err(ZlibError(status)),
        }
    }

    /// Compresses a piece and gives what comes out. After [`Flush::Finish`] a new text starts.
    pub fn push(&mut self, data: &[u8], flush: Flush) -> Result<Vec<u8>, ZlibError> {
        let mut out = Vec::with_capacity(data.len() / 2 + 64);
        let mut pieces = data.chunks(c_uint::MAX as usize / 2).peekable();
        loop {
            let piece = pieces.next().unwrap_or_default();
            let is_last = pieces.peek().is_none();
            let ended = self.push_piece(piece, if is_last { flush } else { Flush::No }, &mut out)?;
            if ended {
                // SAFETY: SAFETY.md 1: the stream is initialised.
                unsafe { sys::deflateReset(&mut *self.stream) };
            }
            if is_last {
                return Ok(out);
            }
        }
    }

    /// One piece, of a length that zlib can count. Has the text ended?
    fn push_piece(&mut self, piece: &[u8], flush: Flush, out: &mut Vec<u8>) -> Result<bool, ZlibError> {
        self.stream.next_in = piece.as_ptr().cast_mut();
        self.stream.avail_in = piece.len() as c_uint;
        let status = loop {
            out.reserve(ROOM);
            let room = out.spare_capacity_mut();
            let given = c_uint::try_from(room.len()).unwrap_or(c_uint::MAX);
            self.stream.next_out = room.as_mut_ptr().cast();
            self.stream.avail_out = given;
            // SAFETY: SAFETY.md 3.
            let status = unsafe { sys::deflate(&mut *self.stream, flush as c_int) };
            let written = (given - self.stream.avail_out) as usize;
            // SAFETY: SAFETY.md 3: zlib wrote that many bytes from the end of what was there.
            unsafe { out.set_len(out.len() + written) };
            if status != sys::Z_OK || self.stream.avail_out > 0 {
                break status;
            }
        };
        self.stream.next_in = ptr::null_mut();
        self.stream.next_out = ptr::null_mut();
        match status {
            sys::Z_OK => Ok(false),
            sys::Z_STREAM_END => Ok(true),
            // Nothing was left to do after a full buffer.
            sys::Z_BUF_ERROR if !out.is_empty() => Ok(false),
            status => Err(ZlibError(status)),
        }
    }
}

impl Drop for Deflater {
    fn drop(&mut self) {
        // SAFETY: SAFETY.md 2.
        unsafe { sys::deflateEnd(&mut *self.stream) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Deflater, Flush, Parameters};

    #[test]
    fn parameters_change_what_comes_out() {
        let text: Vec<u8> = (0..20_000u32).map(|number| (number * number / 7) as u8).collect();
        let pack = |memory_level, strategy| {
            let parameters = Parameters { level: 6, window_bits: 15, memory_level, strategy };
            let mut deflater = Deflater::new(parameters).unwrap();
            let first = deflater.push(&text, Flush::Finish).unwrap();
            assert_eq!(deflater.push(&text, Flush::Finish).unwrap(), first);
            first
        };
        let lengths = [pack(8, 0).len(), pack(1, 0).len(), pack(8, 2).len(), pack(8, 3).len()];
        assert!(lengths.iter().all(|&length| length < text.len() + 100), "{lengths:?}");
        assert_ne!(pack(8, 0), pack(1, 0));
        assert_ne!(pack(8, 0), pack(8, 2));
        assert!(Deflater::new(Parameters { level: 99, window_bits: 15, memory_level: 8, strategy: 0 }).is_err());
    }

    #[test]
    fn pieces_make_the_whole() {
        let mut deflater =
            Deflater::new(Parameters { level: -1, window_bits: -15, memory_level: 8, strategy: 0 }).unwrap();
        deflater.set_dictionary(b"some words").unwrap();
        for flush in [Flush::No, Flush::Partial, Flush::Sync, Flush::Full, Flush::Block, Flush::Finish] {
            deflater.push(b"some words and others", flush).unwrap();
        }
    }
}
