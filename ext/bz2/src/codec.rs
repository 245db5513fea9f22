//! What texts, files and filters share: the library's error numbers, and steps with the count of bytes that they took and gave.

use bzip2::Compression;
use bzip2::{Action, Compress, Decompress, Error, Status};

/// The release of bzip2 whose bytes the library gives.
pub const VERSION: &str = "1.0.8, 13-Jul-2019";

/// What bzip2 calls `BZ_SEQUENCE_ERROR`: a call that the state does not allow.
pub const SEQUENCE_ERROR: i64 = -1;
/// What bzip2 calls `BZ_PARAM_ERROR`.
pub const PARAM_ERROR: i64 = -2;
const MEM_ERROR: i64 = -3;
/// What bzip2 calls `BZ_IO_ERROR`.
pub const IO_ERROR: i64 = -6;
/// What bzip2 calls `BZ_UNEXPECTED_EOF`.
pub const UNEXPECTED_EOF: i64 = -7;

/// The names of the errors, by their negated numbers.
const NAMES: [&str; 10] = [
    "OK",
    "SEQUENCE_ERROR",
    "PARAM_ERROR",
    "MEM_ERROR",
    "DATA_ERROR",
    "DATA_ERROR_MAGIC",
    "IO_ERROR",
    "UNEXPECTED_EOF",
    "OUTBUFF_FULL",
    "CONFIG_ERROR",
];

/// The name of an error by its number; 0 is none.
pub fn error_name(number: i64) -> &'static str {
    let index = usize::try_from(number.saturating_neg()).unwrap_or(0);
    NAMES.get(index).copied().unwrap_or("???")
}

fn number(error: Error) -> i64 {
    match error {
        Error::Sequence => SEQUENCE_ERROR,
        Error::Param => PARAM_ERROR,
        Error::Data => -4,
        Error::DataMagic => -5,
    }
}

/// What one call of the library did.
pub struct Step {
    /// Bytes of the input that it took.
    pub taken: usize,
    /// Bytes that it wrote to the output.
    pub given: usize,
    /// How it ended, or the number of its error.
    pub result: Result<Status, i64>,
}

/// One step of compressing.
pub fn compress(encoder: &mut Compress, input: &[u8], output: &mut [u8], action: Action) -> Step {
    let before = (encoder.total_in(), encoder.total_out());
    let result = encoder.compress(input, output, action).map_err(number);
    Step { taken: (encoder.total_in() - before.0) as usize, given: (encoder.total_out() - before.1) as usize, result }
}

/// One step of decompressing.
pub fn decompress(decoder: &mut Decompress, input: &[u8], output: &mut [u8]) -> Step {
    let before = (decoder.total_in(), decoder.total_out());
    let result = match decoder.decompress(input, output) {
        Ok(Status::MemNeeded) => Err(MEM_ERROR),
        result => result.map_err(number),
    };
    Step { taken: (decoder.total_in() - before.0) as usize, given: (decoder.total_out() - before.1) as usize, result }
}

/// A compressor, if the size of its blocks (in units of 100,000 bytes) and its work factor are allowed.
pub fn compressor(blocks: i64, work: i64) -> Option<Compress> {
    let level = u32::try_from(blocks).ok().filter(|blocks| (1..=9).contains(blocks))?;
    let work = u32::try_from(work).ok().filter(|work| *work <= 250)?;
    Some(Compress::new(Compression::new(level), work))
}
