//! The functions that compress or decompress complete texts.

use crate::codec::{self, Encoding};
use phlox_runtime::{Call, FnDef, PhpResult, Val};

/// The functions for complete texts.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("zlib_encode(string $data, int $encoding, int $level = -1): string|false", zlib_encode),
    FnDef::new("zlib_decode(string $data, int $max_length = 0): string|false", zlib_decode),
    FnDef::new(
        "gzdeflate(string $data, int $level = -1, int $encoding = ZLIB_ENCODING_RAW): string|false",
        encode_text,
    ),
    FnDef::new(
        "gzencode(string $data, int $level = -1, int $encoding = ZLIB_ENCODING_GZIP): string|false",
        encode_text,
    ),
    FnDef::new(
        "gzcompress(string $data, int $level = -1, int $encoding = ZLIB_ENCODING_DEFLATE): string|false",
        encode_text,
    ),
    FnDef::new("gzinflate(string $data, int $max_length = 0): string|false", gzinflate),
    FnDef::new("gzdecode(string $data, int $max_length = 0): string|false", gzdecode),
    FnDef::new("gzuncompress(string $data, int $max_length = 0): string|false", gzuncompress),
];

fn encode(call: &Call<'_>, level_index: usize, encoding_index: usize) -> PhpResult<Val> {
    let level = call.int(level_index);
    if !(-1..=9).contains(&level) {
        return Err(call.value_error(level_index, "must be between -1 and 9"));
    }
    let Some(encoding) = Encoding::of(call.int(encoding_index)) else {
        let text = "must be one of ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, or ZLIB_ENCODING_DEFLATE";
        return Err(call.value_error(encoding_index, text));
    };
    Ok(codec::compress(&call.str(0), level, encoding).into())
}

fn zlib_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    encode(call, 2, 1)
}

fn encode_text(call: &mut Call<'_>) -> PhpResult<Val> {
    encode(call, 1, 2)
}

type Decoder = fn(&[u8], usize) -> Result<Vec<u8>, &'static str>;

fn decode(call: &Call<'_>, decoder: Decoder) -> PhpResult<Val> {
    let Ok(limit) = usize::try_from(call.int(1)) else {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    };
    match decoder(&call.str(0), limit) {
        Ok(text) => Ok(text.into()),
        Err(problem) => {
            call.warning(problem)?;
            Ok(Val::FALSE)
        }
    }
}

fn zlib_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    decode(call, codec::decompress_any)
}

fn gzinflate(call: &mut Call<'_>) -> PhpResult<Val> {
    decode(call, |data, limit| codec::decompress(data, Encoding::Raw, limit))
}

fn gzdecode(call: &mut Call<'_>) -> PhpResult<Val> {
    decode(call, |data, limit| codec::decompress(data, Encoding::Gzip, limit))
}

fn gzuncompress(call: &mut Call<'_>) -> PhpResult<Val> {
    decode(call, |data, limit| codec::decompress(data, Encoding::Zlib, limit))
}
