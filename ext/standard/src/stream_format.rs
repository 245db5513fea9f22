//! Formatted output to streams and formatted input from them.

use crate::format::{format_arguments, format_array};
use crate::strings::scan::scan;
use phlox_ext_standard_file::handles::stream;
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("fprintf($stream, string $format, mixed ...$values): int", fprintf),
    FnDef::new("vfprintf($stream, string $format, array $values): int", vfprintf),
    FnDef::new("fscanf($stream, string $format, mixed &...$vars): array|int|false|null", fscanf),
];

fn write(call: &Call<'_>, text: &[u8]) -> PhpResult<Val> {
    stream(call, 0)?.write(call.vm, text)?;
    Ok(Val::int(text.len() as i64))
}

fn fprintf(call: &mut Call<'_>) -> PhpResult<Val> {
    stream(call, 0)?;
    let text = format_arguments(call, 2)?;
    write(call, &text)
}

fn vfprintf(call: &mut Call<'_>) -> PhpResult<Val> {
    stream(call, 0)?;
    let text = format_array(call, 2)?;
    write(call, &text)
}

fn fscanf(call: &mut Call<'_>) -> PhpResult<Val> {
    let stream = stream(call, 0)?;
    match stream.line(call.vm, None)? {
        Some(line) => scan(call, &line, &call.str(1), 2),
        None => Ok(Val::FALSE),
    }
}
