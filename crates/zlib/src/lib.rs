//! A safe layer over zlib's compressor with all its parameters: `flate2` does not offer the memory level and the
//! strategy, and has fewer ways to flush. Everything else of zlib is used through `flate2`.
#![deny(unsafe_op_in_unsafe_fn)]

mod memory;

use libz_sys as sys;
use std::ffi::{c_int, c_uint};
use std::mem::MaybeUninit;
use std::ptr;

/// The version of the zlib that is linked.
pub fn version() -> &'static str {
    // SAFETY: the text is a constant of zlib and ends with NUL.
    let text = unsafe { std::ffi::CStr::from_ptr(sys::zlibVersion()) };
    text.to_str().unwrap_or_default()
}

/// The parameters of compression, in zlib's numbers.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// The level of compression: -1 (the default) to 9.
    pub level: i32,
    /// The size of the window: 8 to 15. Negative values leave the header out; 16 more stand for gzip's header.
    pub window_bits: i32,
    /// The memory level: 1 to 9.
    pub memory_level: i32,
    /// The strategy: 0 to 4.
    pub strategy: i32,
}

/// When the input so far has to appear in the output.
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

/// An error of zlib, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZlibError(pub i32);

impl ZlibError {
    /// zlib's text for the error.
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

/// The minimum of room that is made for output at a time.
const ROOM: usize = 4096;

impl Deflater {
    /// A compressor. Fails if zlib refuses the parameters.
    pub fn new(parameters: Parameters) -> Result<Deflater, ZlibError> {
        let mut stream = Box::new(MaybeUninit::<sys::z_stream>::zeroed());
        // SAFETY: SAFETY.md 4. Both fields lie inside the box, and writing them reads nothing.
        unsafe {
            (&raw mut (*stream.as_mut_ptr()).zalloc).write(memory::allocate);
            (&raw mut (*stream.as_mut_ptr()).zfree).write(memory::release);
        }
        // SAFETY: SAFETY.md 1. zlib reads the allocator's functions only, which are set; version and size are those
        // of the header from which the struct is declared.
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
        // SAFETY: SAFETY.md 2. The allocator's functions are set; zero is valid for all other fields.
        Ok(Deflater { stream: unsafe { stream.assume_init() } })
    }

    /// Sets the dictionary, to which the first piece may refer.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> Result<(), ZlibError> {
        let length = c_uint::try_from(dictionary.len()).map_err(|_| ZlibError(sys::Z_STREAM_ERROR))?;
        // SAFETY: SAFETY.md 3. The length is that of the dictionary, which zlib copies.
        match unsafe { sys::deflateSetDictionary(&mut *self.stream, dictionary.as_ptr(), length) } {
            sys::Z_OK => Ok(()),
            status => Err(ZlibError(status)),
        }
    }

    /// Compresses a piece of data and gives the output so far. After [`Flush::Finish`] a new stream starts.
    pub fn push(&mut self, data: &[u8], flush: Flush) -> Result<Vec<u8>, ZlibError> {
        let mut out = Vec::with_capacity(data.len() / 2 + 64);
        let mut pieces = data.chunks(c_uint::MAX as usize / 2).peekable();
        loop {
            let piece = pieces.next().unwrap_or_default();
            let is_last = pieces.peek().is_none();
            let ended = self.push_piece(piece, if is_last { flush } else { Flush::No }, &mut out)?;
            if ended {
                // SAFETY: SAFETY.md 1. The stream was initialised by `new`.
                unsafe { sys::deflateReset(&mut *self.stream) };
            }
            if is_last {
                return Ok(out);
            }
        }
    }

    /// Compresses a piece whose length fits zlib's counter. Gives whether the stream has ended.
    fn push_piece(&mut self, piece: &[u8], flush: Flush, out: &mut Vec<u8>) -> Result<bool, ZlibError> {
        self.stream.next_in = piece.as_ptr().cast_mut();
        self.stream.avail_in = piece.len() as c_uint;
        let status = loop {
            out.reserve(ROOM);
            let room = out.spare_capacity_mut();
            let given = c_uint::try_from(room.len()).unwrap_or(c_uint::MAX);
            self.stream.next_out = room.as_mut_ptr().cast();
            self.stream.avail_out = given;
            // SAFETY: SAFETY.md 3. `next_in` and `next_out` point to buffers of the lengths that were set with them.
            let status = unsafe { sys::deflate(&mut *self.stream, flush as c_int) };
            let written = (given - self.stream.avail_out) as usize;
            // SAFETY: SAFETY.md 3. zlib wrote this number of bytes behind the vector's length.
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
            // zlib had nothing left to do after it had filled the buffer.
            sys::Z_BUF_ERROR if !out.is_empty() => Ok(false),
            status => Err(ZlibError(status)),
        }
    }
}

impl Drop for Deflater {
    fn drop(&mut self) {
        // SAFETY: SAFETY.md 2. The stream is ended only here.
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
