//! Digests, checksums, base 64.

use crate::strings::escape::hex;
use md5::Md5;
use phlox_ext_standard_file::base64;
use phlox_ext_standard_file::stream::CHUNK;
use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::{Call, FnDef, PhpResult, Val};
use sha1::Digest;
use sha1::Sha1;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("md5(string $string, bool $binary = false): string", md5).fast_path(|args| match args {
        [text] => Some(hex(&Md5::digest(text.as_str()?.as_bytes())).into()),
        _ => None,
    }),
    FnDef::new("sha1(string $string, bool $binary = false): string", sha1).fast_path(|args| match args {
        [text] => Some(hex(&Sha1::digest(text.as_str()?.as_bytes())).into()),
        _ => None,
    }),
    FnDef::new("md5_file(string $filename, bool $binary = false): string|false", md5_file),
    FnDef::new("sha1_file(string $filename, bool $binary = false): string|false", sha1_file),
    FnDef::new("crc32(string $string): int", crc32)
        .fast_path(|args| Some(Val::int(crc32fast::hash(args.first()?.as_str()?).into()))),
    FnDef::new("base64_encode(string $string): string", base64_encode)
        .fast_path(|args| Some(base64::encode(args.first()?.as_str()?).into())),
    FnDef::new("base64_decode(string $string, bool $strict = false): string|false", base64_decode).fast_path(|args| {
        match args {
            [text] => Some(base64::decode(text.as_str()?, false).map_or(Val::FALSE, Val::from)),
            _ => None,
        }
    }),
];

fn digest_value(call: &Call<'_>, digest: &[u8]) -> PhpResult<Val> {
    Ok(if call.bool(1) { Val::str(digest) } else { hex(digest).into() })
}

fn md5(call: &mut Call<'_>) -> PhpResult<Val> {
    digest_value(call, &Md5::digest(call.str(0).as_bytes()))
}

fn sha1(call: &mut Call<'_>) -> PhpResult<Val> {
    digest_value(call, &Sha1::digest(call.str(0).as_bytes()))
}

/// The file's contents, `None` if it cannot be read; the outer `None`: it cannot be opened. Both were reported.
fn file_contents(call: &Call<'_>) -> PhpResult<Option<Option<Vec<u8>>>> {
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &Options::default())? else { return Ok(None) };
    let mut contents = stream.read(call.vm, CHUNK)?;
    if let Some(contents) = &mut contents {
        contents.extend(stream.read_all(call.vm, None)?);
    }
    stream.close(call.vm)?;
    Ok(Some(contents))
}

fn md5_file(call: &mut Call<'_>) -> PhpResult<Val> {
    match file_contents(call)? {
        // Unlike `sha1_file`, `md5_file` gives the digest of an empty text for a file that cannot be read.
        Some(contents) => digest_value(call, &Md5::digest(contents.unwrap_or_default())),
        None => Ok(Val::FALSE),
    }
}

fn sha1_file(call: &mut Call<'_>) -> PhpResult<Val> {
    match file_contents(call)?.flatten() {
        Some(contents) => digest_value(call, &Sha1::digest(&contents)),
        None => Ok(Val::FALSE),
    }
}

fn crc32(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(crc32fast::hash(&call.str(0)).into()))
}

fn base64_encode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(base64::encode(&call.str(0)).into())
}

fn base64_decode(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(base64::decode(&call.str(0), call.bool(1)).map_or(Val::FALSE, Val::from))
}
