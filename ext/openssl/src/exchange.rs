//! The functions that apply keys to data: RSA on blocks, envelopes, and agreement on secrets.

use crate::errors::kept;
use crate::objects::{Half, key_argument, key_of, required_key};
use phlox_openssl::{Cipher, KeyKind, RsaWork, open, seal};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

fn rsa(call: &Call<'_>, work: RsaWork, half: Half<'_>, message: &str) -> PhpResult<Val> {
    let Some(key) = required_key(call, 2, half, message)? else { return Ok(Val::FALSE) };
    match kept(call.vm, key.rsa(work, &call.str(0), call.int(3) as i32)) {
        Some(out) => {
            call.assign(1, Val::str(&out))?;
            Ok(Val::TRUE)
        }
        None => Ok(Val::FALSE),
    }
}

const PRIVATE: Half<'static> = Half::Private(Some(b""));

/// `openssl_private_encrypt()`.
pub fn openssl_private_encrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    rsa(call, RsaWork::PrivateEncrypt, PRIVATE, "key param is not a valid private key")
}

/// `openssl_private_decrypt()`.
pub fn openssl_private_decrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    rsa(call, RsaWork::PrivateDecrypt, PRIVATE, "key parameter is not a valid private key")
}

/// `openssl_public_encrypt()`.
pub fn openssl_public_encrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    rsa(call, RsaWork::PublicEncrypt, Half::Public, "key parameter is not a valid public key")
}

/// `openssl_public_decrypt()`.
pub fn openssl_public_decrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    rsa(call, RsaWork::PublicDecrypt, Half::Public, "key parameter is not a valid public key")
}

/// `openssl_seal()`.
pub fn openssl_seal(call: &mut Call<'_>) -> PhpResult<Val> {
    let recipients = call.arr(3);
    if recipients.is_empty() {
        return Err(call.value_error(3, "must not be empty"));
    }
    let Some(cipher) = Cipher::named(&call.str(4)) else {
        call.warning("Unknown cipher algorithm")?;
        return Ok(Val::FALSE);
    };
    if cipher.iv_length() > 0 && !call.was_passed(5) {
        return Err(call.value_error(5, "cannot be null for the chosen cipher algorithm"));
    }
    let mut keys = Vec::new();
    for value in recipients.values() {
        match key_of(call, value, Half::Public, 3)? {
            Some(key) => keys.push(key),
            None => {
                call.warning(&format!("Not a public key ({}th member of pubkeys)", keys.len() + 1))?;
                return Ok(Val::FALSE);
            }
        }
    }
    let Some(sealed) = kept(call.vm, seal(cipher, &keys, &call.str(0))) else { return Ok(Val::FALSE) };
    let size = sealed.data.len() as i64;
    if size > 0 {
        call.assign(1, Val::str(&sealed.data))?;
        call.assign(2, sealed.keys.iter().map(|key| Val::str(key)).collect::<PhpArr>().into())?;
        if call.was_passed(5) {
            call.assign(5, Val::str(&sealed.iv))?;
        }
    }
    Ok(Val::int(size))
}

/// `openssl_open()`.
pub fn openssl_open(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = "Unable to coerce parameter 4 into a private key";
    let Some(key) = required_key(call, 3, PRIVATE, message)? else { return Ok(Val::FALSE) };
    let Some(cipher) = Cipher::named(&call.str(4)) else {
        call.warning("Unknown cipher algorithm")?;
        return Ok(Val::FALSE);
    };
    let given = call.opt_str(5);
    let iv = match cipher.iv_length() {
        0 => None,
        length => {
            let Some(iv) = given.as_deref() else {
                return Err(call.value_error(5, "cannot be null for the chosen cipher algorithm"));
            };
            if iv.len() != length {
                call.warning("IV length is invalid")?;
                return Ok(Val::FALSE);
            }
            Some(iv)
        }
    };
    match kept(call.vm, open(cipher, &key, &call.str(2), iv, &call.str(0))).filter(|data| !data.is_empty()) {
        Some(data) => {
            call.assign(1, Val::str(&data))?;
            Ok(Val::TRUE)
        }
        None => Ok(Val::FALSE),
    }
}

/// `openssl_dh_compute_key()`.
pub fn openssl_dh_compute_key(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(key) = key_argument(call, 1).filter(|key| key.kind() == Some(KeyKind::Dh)) else {
        return Ok(Val::FALSE);
    };
    let secret = key.peer(&call.str(0)).and_then(|peer| key.derive(&peer, 0));
    Ok(kept(call.vm, secret).map_or(Val::FALSE, |secret| Val::str(&secret)))
}

/// `openssl_pkey_derive()`.
pub fn openssl_pkey_derive(call: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(size) = usize::try_from(call.int(2)) else {
        return Err(call.value_error(2, "must be greater than or equal to 0"));
    };
    let Some(key) = key_of(call, &call.arg(1), PRIVATE, 1)? else { return Ok(Val::FALSE) };
    let Some(peer) = key_of(call, &call.arg(0), Half::Public, 0)? else { return Ok(Val::FALSE) };
    Ok(kept(call.vm, key.derive(&peer, size)).map_or(Val::FALSE, |secret| Val::str(&secret)))
}
