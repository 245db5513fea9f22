//! The functions that compress or decompress complete texts.

use crate::codec;
use bzip2::{Action, Decompress, Status};
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, FnDef, PhpResult, Val};

/// The functions for complete texts.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("bzcompress(string $data, int $block_size = 4, int $work_factor = 0): string|int", bzcompress),
    FnDef::new("bzdecompress(string $data, bool $use_less_memory = false): string|int|false", bzdecompress),
];

/// Bytes that compressed text may have beyond those of the text, besides one for each hundred.
const OVERHEAD: usize = 600;

fn bzcompress(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.str(0);
    let most = data.len().saturating_add(data.len() / 100).saturating_add(OVERHEAD);
    if most > u32::MAX as usize {
        let text = format!("must have a length less than or equal to {}", u32::MAX);
        return Err(call.value_error(0, &text));
    }
    // The library takes integers of 32 bits, and PHP cuts its own.
    let (blocks, work) = (i64::from(call.int(1) as i32), i64::from(call.int(2) as i32));
    let Some(mut encoder) = codec::compressor(blocks, work) else { return Ok(Val::int(codec::PARAM_ERROR)) };
    require_room(most);
    let (mut output, mut filled, mut rest) = (vec![0; most], 0, &data[..]);
    loop {
        let step = codec::compress(&mut encoder, rest, &mut output[filled..], Action::Finish);
        filled += step.given;
        rest = &rest[step.taken..];
        match step.result {
            Ok(Status::StreamEnd) => break,
            Ok(_) if step.taken + step.given > 0 => {}
            Ok(_) => return Ok(Val::int(codec::SEQUENCE_ERROR)),
            Err(number) => return Ok(Val::int(number)),
        }
    }
    output.truncate(filled);
    Ok(output.into())
}

/// The output of data that ends too early is what there was room for when its last byte was taken. The room is PHP's: twice the size of
/// the data, and once its size for each further step.
fn bzdecompress(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.str(0);
    let mut decoder = Decompress::new(call.bool(1));
    let (mut output, mut filled, mut rest) = (vec![0; data.len() * 2], 0, &data[..]);
    let result = loop {
        let step = codec::decompress(&mut decoder, rest, &mut output[filled..]);
        filled += step.given;
        rest = &rest[step.taken..];
        if !matches!(step.result, Ok(Status::Ok)) || rest.is_empty() {
            break step.result;
        }
        require_room(filled + data.len());
        output.resize(filled + data.len(), 0);
    };
    if let Err(number) = result {
        return Ok(Val::int(number));
    }
    output.truncate(filled);
    Ok(output.into())
}
