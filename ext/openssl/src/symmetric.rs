//! The functions for symmetric encryption.

use crate::errors::{keep, kept};
use phlox_ext_standard_file::base64;
use phlox_openssl::{Cipher, CipherRun, cipher_names};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

const RAW_DATA: i64 = 1;
const ZERO_PADDING: i64 = 2;
const DONT_ZERO_PAD_KEY: i64 = 4;

fn cipher(call: &Call<'_>, index: usize) -> PhpResult<Option<Cipher>> {
    let cipher = Cipher::named(&call.str(index));
    if cipher.is_none() {
        call.warning("Unknown cipher algorithm")?;
    }
    Ok(cipher)
}

/// The parameters of an encryption or decryption.
struct Job<'a> {
    cipher: Cipher,
    encrypting: bool,
    key: &'a [u8],
    options: i64,
    iv: &'a [u8],
    tag: Option<&'a [u8]>,
    tag_length: i32,
    aad: &'a [u8],
}

/// Prepares the cipher. `None`: that failed, which was reported.
fn begin(call: &Call<'_>, job: &Job<'_>) -> PhpResult<Option<CipherRun>> {
    let (cipher, aead, iv_length) = (job.cipher, job.cipher.is_aead(), job.cipher.iv_length());
    if job.encrypting && job.iv.is_empty() && iv_length > 0 && !aead {
        call.warning("Using an empty Initialization Vector (iv) is potentially insecure and not recommended")?;
    }
    let Some(mut run) = kept(call.vm, CipherRun::new(cipher, job.encrypting)) else { return Ok(None) };
    let mut iv = job.iv;
    if aead {
        if run.set_iv_length(iv.len()).is_err() {
            call.warning("Setting of IV length for AEAD mode failed")?;
            return Ok(None);
        }
    } else if iv.len() != iv_length && !iv.is_empty() {
        let size = iv.len();
        if size < iv_length {
            call.warning(&format!(
                "IV passed is only {size} bytes long, cipher expects an IV of precisely {iv_length} bytes, padding with \\0"
            ))?;
        } else {
            call.warning(&format!(
                "IV passed is {size} bytes long which is longer than the {iv_length} expected by selected cipher, truncating"
            ))?;
            iv = &iv[..iv_length];
        }
    }
    if cipher.wants_tag_length(job.encrypting) && run.set_tag_length(job.tag_length).is_err() {
        call.warning("Setting tag length for AEAD cipher failed")?;
        return Ok(None);
    }
    if let Some(tag) = job.tag.filter(|tag| !tag.is_empty()) {
        if !aead {
            call.warning("The tag cannot be used because the cipher algorithm does not support AEAD")?;
        } else if run.set_tag(tag).is_err() {
            call.warning("Setting tag for AEAD cipher decryption failed")?;
            return Ok(None);
        }
    }
    let (given, wanted) = (job.key.len(), cipher.key_length());
    if given < wanted && job.options & DONT_ZERO_PAD_KEY != 0 {
        if kept(call.vm, run.set_key_length(given)).is_none() {
            call.warning("Key length cannot be set for the cipher algorithm")?;
            return Ok(None);
        }
    } else if given > wanted {
        kept(call.vm, run.set_key_length(given));
    }
    if kept(call.vm, run.set_key(job.key, iv)).is_none() {
        return Ok(None);
    }
    if job.options & ZERO_PADDING != 0 {
        run.without_padding();
    }
    Ok(Some(run))
}

/// Processes the data. `None`: libcrypto failed, and the reason is kept.
fn pass(call: &Call<'_>, job: &Job<'_>, run: &mut CipherRun, data: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    if job.cipher.is_single_run() && kept(call.vm, run.announce(data.len())).is_none() {
        call.warning("Setting of data length failed")?;
        return Ok(None);
    }
    if job.cipher.is_aead() && kept(call.vm, run.authenticate(job.aad)).is_none() {
        call.warning("Setting of additional application data failed")?;
        return Ok(None);
    }
    Ok(kept(call.vm, run.update(data)))
}

/// Throws if a text is longer than libcrypto's `int` allows.
fn check_length(call: &Call<'_>, bytes: &[u8], name: &str) -> PhpResult<()> {
    if bytes.len() > i32::MAX as usize {
        return Err(call.vm.throw_value_error(format!("{name} is too long").as_bytes()));
    }
    Ok(())
}

/// `openssl_encrypt()`.
pub fn openssl_encrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let (data, key, iv, aad) = (call.str(0), call.str(2), call.str(4), call.str(6));
    let (options, tag_length) = (call.int(3), call.int(7));
    check_length(call, &data, "data")?;
    check_length(call, &key, "password")?;
    check_length(call, &aad, "aad")?;
    let Ok(tag_length) = i32::try_from(tag_length) else {
        return Err(call.vm.throw_value_error(b"tag_len is too long"));
    };
    let Some(cipher) = cipher(call, 1)? else { return Ok(Val::FALSE) };
    let job = Job { cipher, encrypting: true, key: &key, options, iv: &iv, tag: None, tag_length, aad: &aad };
    let Some(mut run) = begin(call, &job)? else { return Ok(Val::FALSE) };
    let Some(mut out) = pass(call, &job, &mut run, &data)? else { return Ok(Val::FALSE) };
    if run.finish(&mut out).is_err() {
        keep(call.vm);
        return Ok(Val::FALSE);
    }
    let wants_tag = call.was_passed(5);
    if cipher.is_aead() {
        if !wants_tag {
            call.warning("A tag should be provided when using AEAD mode")?;
            return Ok(Val::FALSE);
        }
        let tag = usize::try_from(tag_length).map_err(|_| phlox_openssl::Failed).and_then(|size| run.tag(size));
        match tag {
            Ok(tag) => call.assign(5, Val::str(&tag))?,
            Err(_) => {
                call.warning("Retrieving verification tag failed")?;
                return Ok(Val::FALSE);
            }
        }
    } else if wants_tag {
        call.assign(5, Val::NULL)?;
    }
    Ok(if options & RAW_DATA != 0 { Val::str(&out) } else { Val::str(&base64::encode(&out)) })
}

/// `openssl_decrypt()`.
pub fn openssl_decrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let (mut data, key, iv, aad) = (call.str(0).to_vec(), call.str(2), call.str(4), call.str(6));
    let (options, tag) = (call.int(3), call.opt_str(5));
    if call.str(1).is_empty() {
        return Err(call.value_error(1, "must not be empty"));
    }
    check_length(call, &data, "data")?;
    check_length(call, &key, "password")?;
    check_length(call, &aad, "aad")?;
    check_length(call, tag.as_deref().unwrap_or_default(), "tag")?;
    let Some(cipher) = cipher(call, 1)? else { return Ok(Val::FALSE) };
    if options & RAW_DATA == 0 {
        match base64::decode(&data, false) {
            Some(decoded) => data = decoded,
            None => {
                call.warning("Failed to base64 decode the input")?;
                return Ok(Val::FALSE);
            }
        }
    }
    let tag_length = tag.as_ref().map_or(0, |tag| tag.len() as i32);
    let tag = tag.as_deref();
    let job = Job { cipher, encrypting: false, key: &key, options, iv: &iv, tag, tag_length, aad: &aad };
    let Some(mut run) = begin(call, &job)? else { return Ok(Val::FALSE) };
    let Some(mut out) = pass(call, &job, &mut run, &data)? else { return Ok(Val::FALSE) };
    if !cipher.is_single_run() && kept(call.vm, run.finish(&mut out)).is_none() {
        return Ok(Val::FALSE);
    }
    Ok(Val::str(&out))
}

/// A length that a cipher needs.
fn length_of(call: &Call<'_>, length: fn(Cipher) -> usize) -> PhpResult<Val> {
    if call.str(0).is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    Ok(cipher(call, 0)?.map_or(Val::FALSE, |cipher| Val::int(length(cipher) as i64)))
}

/// `openssl_cipher_iv_length()`.
pub fn openssl_cipher_iv_length(call: &mut Call<'_>) -> PhpResult<Val> {
    length_of(call, Cipher::iv_length)
}

/// `openssl_cipher_key_length()`.
pub fn openssl_cipher_key_length(call: &mut Call<'_>) -> PhpResult<Val> {
    length_of(call, Cipher::key_length)
}

/// `openssl_get_cipher_methods()`.
pub fn openssl_get_cipher_methods(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut names = cipher_names(call.bool(0));
    names.iter_mut().for_each(|name| name.make_ascii_lowercase());
    names.sort();
    Ok(names.iter().map(|name| Val::str(name)).collect::<PhpArr>().into())
}
