//! The functions of the old mhash library.

use crate::algorithm::find;
use crate::functions::text;
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{Call, ConstValue, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("#[\\Deprecated(since: '8.1')] mhash_get_block_size(int $algo): int|false", mhash_get_block_size),
    FnDef::new("#[\\Deprecated(since: '8.1')] mhash_get_hash_name(int $algo): string|false", mhash_get_hash_name),
    FnDef::new(
        "#[\\Deprecated(since: '8.1')] mhash_keygen_s2k(int $algo, string $password, string $salt, \
         int $length): string|false",
        mhash_keygen_s2k,
    ),
    FnDef::new("#[\\Deprecated(since: '8.1')] mhash_count(): int", mhash_count),
    FnDef::new(
        "#[\\Deprecated(since: '8.1')] mhash(int $algo, string $data, ?string $key = null): string|false",
        mhash,
    ),
];

/// The library's name and PHP's, by the library's number.
const NAMES: &[(&str, &str)] = &[
    ("CRC32", "crc32"),
    ("MD5", "md5"),
    ("SHA1", "sha1"),
    ("HAVAL256", "haval256,3"),
    ("", ""),
    ("RIPEMD160", "ripemd160"),
    ("", ""),
    ("TIGER", "tiger192,3"),
    ("GOST", "gost"),
    ("CRC32B", "crc32b"),
    ("HAVAL224", "haval224,3"),
    ("HAVAL192", "haval192,3"),
    ("HAVAL160", "haval160,3"),
    ("HAVAL128", "haval128,3"),
    ("TIGER128", "tiger128,3"),
    ("TIGER160", "tiger160,3"),
    ("MD4", "md4"),
    ("SHA256", "sha256"),
    ("ADLER32", "adler32"),
    ("SHA224", "sha224"),
    ("SHA512", "sha512"),
    ("SHA384", "sha384"),
    ("WHIRLPOOL", "whirlpool"),
    ("RIPEMD128", "ripemd128"),
    ("RIPEMD256", "ripemd256"),
    ("RIPEMD320", "ripemd320"),
    ("", ""),
    ("SNEFRU256", "snefru256"),
    ("MD2", "md2"),
    ("FNV132", "fnv132"),
    ("FNV1A32", "fnv1a32"),
    ("FNV164", "fnv164"),
    ("FNV1A64", "fnv1a64"),
    ("JOAAT", "joaat"),
    ("CRC32C", "crc32c"),
    ("MURMUR3A", "murmur3a"),
    ("MURMUR3C", "murmur3c"),
    ("MURMUR3F", "murmur3f"),
    ("XXH32", "xxh32"),
    ("XXH64", "xxh64"),
    ("XXH3", "xxh3"),
    ("XXH128", "xxh128"),
];

#[rustfmt::skip]
pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("MHASH_CRC32", Int(0)),
    ("MHASH_MD5", Int(1)),
    ("MHASH_SHA1", Int(2)),
    ("MHASH_HAVAL256", Int(3)),
    ("MHASH_RIPEMD160", Int(5)),
    ("MHASH_TIGER", Int(7)),
    ("MHASH_GOST", Int(8)),
    ("MHASH_CRC32B", Int(9)),
    ("MHASH_HAVAL224", Int(10)),
    ("MHASH_HAVAL192", Int(11)),
    ("MHASH_HAVAL160", Int(12)),
    ("MHASH_HAVAL128", Int(13)),
    ("MHASH_TIGER128", Int(14)),
    ("MHASH_TIGER160", Int(15)),
    ("MHASH_MD4", Int(16)),
    ("MHASH_SHA256", Int(17)),
    ("MHASH_ADLER32", Int(18)),
    ("MHASH_SHA224", Int(19)),
    ("MHASH_SHA512", Int(20)),
    ("MHASH_SHA384", Int(21)),
    ("MHASH_WHIRLPOOL", Int(22)),
    ("MHASH_RIPEMD128", Int(23)),
    ("MHASH_RIPEMD256", Int(24)),
    ("MHASH_RIPEMD320", Int(25)),
    ("MHASH_SNEFRU256", Int(27)),
    ("MHASH_MD2", Int(28)),
    ("MHASH_FNV132", Int(29)),
    ("MHASH_FNV1A32", Int(30)),
    ("MHASH_FNV164", Int(31)),
    ("MHASH_FNV1A64", Int(32)),
    ("MHASH_JOAAT", Int(33)),
    ("MHASH_CRC32C", Int(34)),
    ("MHASH_MURMUR3A", Int(35)),
    ("MHASH_MURMUR3C", Int(36)),
    ("MHASH_MURMUR3F", Int(37)),
    ("MHASH_XXH32", Int(38)),
    ("MHASH_XXH64", Int(39)),
    ("MHASH_XXH3", Int(40)),
    ("MHASH_XXH128", Int(41)),
];

fn names(call: &Call<'_>) -> Option<(&'static str, &'static str)> {
    let row = usize::try_from(call.int(0)).ok().and_then(|number| NAMES.get(number));
    row.copied().filter(|(name, _)| !name.is_empty())
}

fn mhash(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(algorithm) = names(call).and_then(|(_, name)| find(name.as_bytes())) else { return Ok(Val::FALSE) };
    let data = call.str(1);
    match call.opt_str(2) {
        None => Ok(text(&algorithm.digest(&data), true)),
        Some(key) if algorithm.cryptographic => Ok(text(&algorithm.hmac(&key, &data), true)),
        Some(_) => Err(call.value_error(0, "must be a valid cryptographic hashing algorithm")),
    }
}

fn mhash_get_hash_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(names(call).map_or(Val::FALSE, |(name, _)| Val::str(name.as_bytes())))
}

fn mhash_count(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(NAMES.len() as i64 - 1))
}

fn mhash_get_block_size(call: &mut Call<'_>) -> PhpResult<Val> {
    let found = names(call).and_then(|(_, name)| find(name.as_bytes()));
    Ok(found.map_or(Val::FALSE, |algorithm| Val::int(algorithm.digest(b"").len() as i64)))
}

/// OpenPGP's "salted string to key".
fn mhash_keygen_s2k(call: &mut Call<'_>) -> PhpResult<Val> {
    let (password, salt, length) = (call.str(1), call.str(2), call.int(3));
    let Some(length) = usize::try_from(length as i32).ok().filter(|&length| length > 0) else {
        return Err(call.value_error(3, "must be a greater than 0"));
    };
    let Some(algorithm) = names(call).and_then(|(_, name)| find(name.as_bytes())) else { return Ok(Val::FALSE) };
    let mut padded = salt.to_vec();
    padded.resize(8, 0);
    let mut key = Vec::new();
    let mut round = 0;
    while key.len() < length {
        key.extend(algorithm.digest(&[&vec![0; round][..], &padded, &password].concat()));
        round += 1;
    }
    key.truncate(length);
    Ok(Val::str(&key))
}
