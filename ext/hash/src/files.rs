//! Digests of files and streams.

use crate::functions::{Context, algorithm, context, options, text};
use phlox_ext_standard_file::context as stream_context;
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "hash_file(string $algo, string $filename, bool $binary = false, array $options = []): string|false",
        hash_file,
    ),
    FnDef::new(
        "hash_hmac_file(string $algo, string $filename, #[\\SensitiveParameter] string $key, bool $binary = false): string|false",
        hash_hmac_file,
    ),
    FnDef::new(
        "hash_update_file(\\HashContext $context, string $filename, $stream_context = null): bool",
        hash_update_file,
    ),
    FnDef::new("hash_update_stream(\\HashContext $context, $stream, int $length = -1): int", hash_update_stream),
];

/// The contents of a file or URL; `None` if it cannot be opened, which was reported.
fn contents(call: &Call<'_>, path: &[u8], context: Val) -> PhpResult<Option<Vec<u8>>> {
    let options = Options { context, ..Options::default() };
    let Some(stream) = open::open(call.vm, path, "rb", &options)? else { return Ok(None) };
    let data = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    Ok(Some(data))
}

fn file_name(call: &Call<'_>) -> PhpResult<phlox_runtime::PhpStr> {
    call.path(1)
}

fn hash_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let algorithm = algorithm(call, false)?;
    let path = file_name(call)?;
    let options = options(call, 3, algorithm)?;
    let data = contents(call, &path, Val::NULL)?;
    Ok(data.map_or(Val::FALSE, |data| text(&algorithm.digest_with(&options, &data), call.bool(2))))
}

fn hash_hmac_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let algorithm = algorithm(call, true)?;
    let path = file_name(call)?;
    let data = contents(call, &path, Val::NULL)?;
    Ok(data.map_or(Val::FALSE, |data| text(&algorithm.hmac(&call.str(2), &data), call.bool(3))))
}

fn update(call: &Call<'_>, data: &[u8]) -> PhpResult<()> {
    let object = context(call)?;
    if let Some(context) = object.native::<Context>() {
        if let Some(hasher) = &mut *context.hasher.borrow_mut() {
            hasher.update(data);
        }
    }
    Ok(())
}

fn hash_update_file(call: &mut Call<'_>) -> PhpResult<Val> {
    context(call)?;
    let path = file_name(call)?;
    let stream_context = if call.is_null(2) { Val::NULL } else { stream_context::argument(call, 2)? };
    let Some(data) = contents(call, &path, stream_context)? else { return Ok(Val::FALSE) };
    update(call, &data)?;
    Ok(Val::TRUE)
}

fn hash_update_stream(call: &mut Call<'_>) -> PhpResult<Val> {
    context(call)?;
    let stream = call.opt_res(1).and_then(|resource| open::stream_of(&resource));
    let Some(stream) = stream else {
        let given = phlox_runtime::convert::value_name(&call.arg(1));
        return Err(call.type_error(1, &format!("must be of type resource, {given} given")));
    };
    let limit = usize::try_from(call.int(2)).ok();
    let data = stream.read_all(call.vm, limit)?;
    update(call, &data)?;
    Ok(Val::int(data.len() as i64))
}
