//! The functions for digests, signatures, keys that are derived from passwords, random bytes, and names of digests and
//! curves.

use crate::errors::{keep, kept};
use crate::objects::{Half, required_key};
use phlox_openssl::{Digest, curve_names, digest_names, pbkdf2, random_bytes};
use phlox_runtime::{Call, PhpArr, PhpResult, Thrown, Val, View};

/// The digests that have a number in PHP (`OPENSSL_ALGO_*`).
const NUMBERED: [(i64, &[u8]); 8] = [
    (1, b"sha1"),
    (2, b"md5"),
    (3, b"md4"),
    (6, b"sha224"),
    (7, b"sha256"),
    (8, b"sha384"),
    (9, b"sha512"),
    (10, b"ripemd160"),
];

/// The digest with a number of `OPENSSL_ALGO_*`.
pub fn digest_number(number: i64) -> Option<Digest> {
    NUMBERED.iter().find(|(known, _)| *known == number).and_then(|(_, name)| Digest::named(name))
}

/// Bytes in hexadecimal, as a value.
pub fn hex(bytes: &[u8]) -> Val {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

/// `openssl_digest()`.
pub fn openssl_digest(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(digest) = Digest::named(&call.str(1)) else {
        call.warning("Unknown digest algorithm")?;
        return Ok(Val::FALSE);
    };
    let Some(bytes) = kept(call.vm, digest.digest(&call.str(0))) else { return Ok(Val::FALSE) };
    Ok(if call.bool(2) { Val::str(&bytes) } else { hex(&bytes) })
}

/// `openssl_get_md_methods()`.
pub fn openssl_get_md_methods(call: &mut Call<'_>) -> PhpResult<Val> {
    let aliases = call.bool(0);
    let names = digest_names().into_iter().filter(|(_, alias)| aliases || !alias);
    Ok(names.map(|(name, _)| Val::str(&name)).collect::<PhpArr>().into())
}

/// `openssl_get_curve_names()`.
pub fn openssl_get_curve_names(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(curve_names().iter().map(|name| Val::str(name)).collect::<PhpArr>().into())
}

/// The digest of a signature. The outer `None`: it is unknown. The inner `None`: that of the key is used.
fn signature_digest(call: &Call<'_>, index: usize) -> PhpResult<Option<Option<Digest>>> {
    let (digest, may_miss) = match call.arg(index).view() {
        View::Str(name) => (Digest::named(name), false),
        View::Int(number) => (digest_number(number), number == 0),
        _ => (None, false),
    };
    if digest.is_none() && !may_miss {
        call.warning("Unknown digest algorithm")?;
        return Ok(None);
    }
    Ok(Some(digest))
}

/// `openssl_sign()`.
pub fn openssl_sign(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = "Supplied key param cannot be coerced into a private key";
    let Some(key) = required_key(call, 2, Half::Private(Some(b"")), message)? else { return Ok(Val::FALSE) };
    let Some(digest) = signature_digest(call, 3)? else { return Ok(Val::FALSE) };
    match kept(call.vm, key.sign(digest, &call.str(0))) {
        Some(signature) => {
            call.assign(1, Val::str(&signature))?;
            Ok(Val::TRUE)
        }
        None => Ok(Val::FALSE),
    }
}

/// `openssl_verify()`: 1 valid, 0 invalid, negative after an error.
pub fn openssl_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(digest) = signature_digest(call, 3)? else { return Ok(Val::FALSE) };
    let message = "Supplied key param cannot be coerced into a public key";
    let Some(key) = required_key(call, 2, Half::Public, message)? else { return Ok(Val::FALSE) };
    let answer = key.verify(digest, &call.str(1), &call.str(0));
    keep(call.vm);
    Ok(Val::int(answer as i64))
}

/// `openssl_pbkdf2()`.
pub fn openssl_pbkdf2(call: &mut Call<'_>) -> PhpResult<Val> {
    let (password, salt, size, rounds, name) = (call.str(0), call.str(1), call.int(2), call.int(3), call.str(4));
    let Ok(wanted) = i32::try_from(size) else { return Err(call.value_error(2, "key is too long")) };
    let Ok(rounds) = i32::try_from(rounds) else { return Err(call.value_error(3, "iterations is too long")) };
    if wanted <= 0 {
        return Err(call.value_error(2, "must be greater than 0"));
    }
    let Some(digest) = Digest::named(if name.is_empty() { b"sha1" } else { &name }) else {
        call.warning("Unknown digest algorithm")?;
        return Ok(Val::FALSE);
    };
    let key = pbkdf2(digest, &password, &salt, rounds, wanted as usize);
    Ok(kept(call.vm, key).map_or(Val::FALSE, |key| Val::str(&key)))
}

/// `openssl_random_pseudo_bytes()`.
pub fn openssl_random_pseudo_bytes(call: &mut Call<'_>) -> PhpResult<Val> {
    let size = call.int(0);
    if size <= 0 {
        return Err(call.value_error(0, "must be greater than 0"));
    }
    if size > i32::MAX as i64 {
        return Err(call.value_error(0, &format!("must be less than or equal to {}", i32::MAX)));
    }
    phlox_runtime::room::require_room(size as usize);
    let mut bytes = vec![0; size as usize];
    if kept(call.vm, random_bytes(&mut bytes)).is_none() {
        return Err(call.vm.throw(Thrown::Exception, b"Error reading from source device"));
    }
    if call.was_passed(1) {
        call.assign(1, Val::TRUE)?;
    }
    Ok(Val::str(&bytes))
}
