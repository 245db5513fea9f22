//! The functions for signed and encrypted messages in files: PKCS #7 and CMS.

use crate::certificates::store;
use crate::errors::{keep, kept};
use crate::objects::{
    Half, certificates_of, certificates_of_file, key_of, open_file, required_certificate, required_key,
};
use crate::settings::cipher_number;
use phlox_openssl::{Bio, Certificate, Certificates, Cms, Encoding, Key, Pkcs7, flags};
use phlox_runtime::{ArrKey, Call, PhpArr, PhpResult, PhpStr, Val, convert};

const PRIVATE: Half<'static> = Half::Private(Some(b""));

/// The mode of files. Text mode makes no difference on this system, but shows in errors.
fn mode(flags: i64, reads: bool) -> &'static str {
    match (flags & flags::BINARY != 0, reads) {
        (true, true) => "rb",
        (true, false) => "wb",
        (false, true) => "r",
        (false, false) => "w",
    }
}

/// An optional argument that is a path.
fn optional_path(call: &Call<'_>, index: usize) -> PhpResult<Option<PhpStr>> {
    if call.is_null(index) { Ok(None) } else { call.path(index).map(Some) }
}

/// Further certificates from the file that an optional argument names. The outer `None`: they cannot be read.
fn others(call: &Call<'_>, index: usize) -> PhpResult<Option<Option<Certificates>>> {
    match optional_path(call, index)? {
        None => Ok(Some(None)),
        Some(path) => Ok(certificates_of_file(call, &path, index)?.map(Some)),
    }
}

/// Opens the file that an optional argument names, for writing. The outer `None`: it cannot be opened.
fn output(call: &Call<'_>, index: usize) -> PhpResult<Option<Option<Bio<'static>>>> {
    match optional_path(call, index)? {
        None => Ok(Some(None)),
        Some(path) => Ok(open_file(call, &path, index, "wb")?.map(Some)),
    }
}

/// Writes headers before a message. False: that failed.
fn write_headers(call: &Call<'_>, out: &Bio<'_>, headers: &PhpArr) -> PhpResult<bool> {
    for (name, value) in headers {
        let value = convert::to_str(call.vm, &value.deref())?;
        let line = match name.to_owned() {
            ArrKey::Str(name) => [&name[..], b": ", &value[..], b"\n"].concat(),
            ArrKey::Int(_) => [&value[..], b"\n"].concat(),
        };
        if kept(call.vm, out.write(&line)).is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the signers' certificates to the file that argument 3 names. False: that failed.
fn write_signers(call: &Call<'_>, path: &PhpStr, signers: Option<Vec<Certificate>>) -> PhpResult<bool> {
    let Some(file) = open_file(call, path, 2, "wb")? else {
        let shown = phlox_runtime::shown(path).into_owned();
        call.warning(&format!("Signature OK, but cannot open {shown} for writing"))?;
        return Ok(false);
    };
    let Some(signers) = signers else {
        keep(call.vm);
        return Ok(false);
    };
    let mut good = true;
    for (index, signer) in signers.iter().enumerate() {
        if kept(call.vm, signer.write(&file)).is_none() {
            good = false;
            call.warning(&format!("Failed to write signer {index}"))?;
        }
    }
    Ok(good)
}

/// `openssl_pkcs7_verify()`.
pub fn openssl_pkcs7_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let failed = Ok(Val::int(-1));
    let (path, given) = (call.path(0)?, call.int(1));
    for index in [2, 4, 5, 6] {
        optional_path(call, index)?;
    }
    let Some(others) = others(call, 4)? else { return failed };
    let flags = given & !flags::DETACHED;
    let Some(store) = store(call, &call.arr(3), 3)? else { return failed };
    let Some(input) = open_file(call, &path, 0, mode(flags, true))? else { return failed };
    let Some((message, content)) = kept(call.vm, Pkcs7::read_smime(&input)) else { return failed };
    let Some(data) = output(call, 5)? else { return failed };
    let Some(copy) = output(call, 6)? else { return failed };
    let verified = message.verify(others.as_ref(), &store, content.as_ref(), data.as_ref(), flags);
    if kept(call.vm, verified).is_none() {
        return Ok(Val::FALSE);
    }
    let Some(signers_path) = optional_path(call, 2)? else { return Ok(Val::TRUE) };
    let mut result = Val::TRUE;
    if !write_signers(call, &signers_path, message.signers(others.as_ref(), flags))? {
        result = Val::int(-1);
    }
    if let Some(copy) = copy
        && message.write_pem(&copy).is_err()
    {
        call.warning("Failed to write PKCS7 to file")?;
        keep(call.vm);
        result = Val::FALSE;
    }
    Ok(result)
}

/// The input, the output and the recipients of an encryption. `None`: they cannot be read or opened.
fn recipients(call: &Call<'_>, flags: i64) -> PhpResult<Option<(Bio<'static>, Bio<'static>, Certificates)>> {
    let (from, to) = (call.path(0)?, call.path(1)?);
    let Some(input) = open_file(call, &from, 0, mode(flags, true))? else { return Ok(None) };
    let Some(out) = open_file(call, &to, 1, mode(flags, false))? else { return Ok(None) };
    let (list, complete) = certificates_of(call, &call.arg(2), 2, None)?;
    Ok(complete.then_some((input, out, list)))
}

/// `openssl_pkcs7_encrypt()`.
pub fn openssl_pkcs7_encrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(4);
    let Some((input, out, list)) = recipients(call, flags)? else { return Ok(Val::FALSE) };
    let Some(cipher) = cipher_number(call.int(5)) else {
        call.warning("Failed to get cipher")?;
        return Ok(Val::FALSE);
    };
    let Some(message) = kept(call.vm, Pkcs7::encrypt(&list, &input, cipher, flags)) else { return Ok(Val::FALSE) };
    if !write_headers(call, &out, &call.arr(3))? {
        return Ok(Val::FALSE);
    }
    let _ = input.rewind();
    Ok(Val::bool(kept(call.vm, message.write_smime(&out, &input, flags)).is_some()))
}

/// `openssl_cms_encrypt()`.
pub fn openssl_cms_encrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let flags = call.int(4);
    let Some((input, out, list)) = recipients(call, flags)? else { return Ok(Val::FALSE) };
    let Some(cipher) = cipher_number(call.int(6)) else {
        call.warning("Failed to get cipher")?;
        return Ok(Val::FALSE);
    };
    let Some(message) = kept(call.vm, Cms::encrypt(&list, &input, cipher, flags)) else { return Ok(Val::FALSE) };
    write_cms(call, &message, [&input, &out], flags, call.int(5), &call.arr(3))
}

/// Writes a CMS message with its headers.
fn write_cms(
    call: &Call<'_>,
    message: &Cms,
    [input, out]: [&Bio<'_>; 2],
    flags: i64,
    encoding: i64,
    headers: &PhpArr,
) -> PhpResult<Val> {
    let encoding = Encoding::try_from(encoding);
    if encoding == Ok(Encoding::Smime) && !write_headers(call, out, headers)? {
        return Ok(Val::FALSE);
    }
    let _ = input.rewind();
    let Ok(encoding) = encoding else {
        call.warning("Unknown OPENSSL encoding")?;
        return Ok(Val::FALSE);
    };
    Ok(Val::bool(kept(call.vm, message.write(out, input, encoding, flags)).is_some()))
}

/// The certificate, the key and further certificates of a signature.
struct Signing {
    certificate: Certificate,
    key: Key,
    others: Option<Certificates>,
}

fn signing(call: &Call<'_>, others_index: usize) -> PhpResult<Option<Signing>> {
    let Some(others) = others(call, others_index)? else { return Ok(None) };
    let Some(key) = required_key(call, 3, PRIVATE, "Error getting private key")? else { return Ok(None) };
    let Some(certificate) = required_certificate(call, 2)? else { return Ok(None) };
    Ok(Some(Signing { certificate, key, others }))
}

/// The input and the output of a signature. `None`: they cannot be opened, which was reported.
fn signed_files(call: &Call<'_>, from: &PhpStr, to: &PhpStr, flags: i64) -> PhpResult<Option<[Bio<'static>; 2]>> {
    let Some(input) = open_file(call, from, 0, mode(flags, true))? else {
        call.warning(&format!("Error opening input file {}!", phlox_runtime::shown(from)))?;
        return Ok(None);
    };
    let Some(out) = open_file(call, to, 1, "wb")? else {
        call.warning(&format!("Error opening output file {}!", phlox_runtime::shown(to)))?;
        return Ok(None);
    };
    Ok(Some([input, out]))
}

/// `openssl_pkcs7_sign()`.
pub fn openssl_pkcs7_sign(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to, flags) = (call.path(0)?, call.path(1)?, call.int(5));
    let Some(Signing { certificate, key, others }) = signing(call, 6)? else { return Ok(Val::FALSE) };
    let Some([input, out]) = signed_files(call, &from, &to, flags)? else { return Ok(Val::FALSE) };
    let Some(message) = kept(call.vm, Pkcs7::sign(&certificate, &key, others.as_ref(), &input, flags)) else {
        call.warning("Error creating PKCS7 structure!")?;
        return Ok(Val::FALSE);
    };
    let _ = input.rewind();
    if !write_headers(call, &out, &call.arr(4))? {
        return Ok(Val::FALSE);
    }
    Ok(Val::bool(kept(call.vm, message.write_smime(&out, &input, flags)).is_some()))
}

/// `openssl_cms_sign()`.
pub fn openssl_cms_sign(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to, flags, encoding) = (call.path(0)?, call.path(1)?, call.int(5), call.int(6));
    let Some(Signing { certificate, key, others }) = signing(call, 7)? else { return Ok(Val::FALSE) };
    if encoding & 1 != 0 && flags & flags::DETACHED != 0 {
        call.warning("Detached signatures not possible with S/MIME encoding")?;
        return Ok(Val::FALSE);
    }
    let Some([input, out]) = signed_files(call, &from, &to, flags)? else { return Ok(Val::FALSE) };
    let Some(message) = kept(call.vm, Cms::sign(&certificate, &key, others.as_ref(), &input, flags)) else {
        call.warning("Error creating CMS structure!")?;
        return Ok(Val::FALSE);
    };
    write_cms(call, &message, [&input, &out], flags, encoding, &call.arr(4))
}

/// The certificate and key of a recipient. Without a key, the argument with the certificate contains it.
fn recipient(call: &Call<'_>, argument_without_key: usize) -> PhpResult<Option<(Certificate, Key)>> {
    let Some(certificate) = required_certificate(call, 2)? else { return Ok(None) };
    let (value, argument) = if call.is_null(3) { (call.arg(2), argument_without_key) } else { (call.arg(3), 3) };
    match key_of(call, &value, PRIVATE, argument)? {
        Some(key) => Ok(Some((certificate, key))),
        None => {
            call.warning("Unable to get private key")?;
            Ok(None)
        }
    }
}

/// `openssl_pkcs7_decrypt()`.
pub fn openssl_pkcs7_decrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (call.path(0)?, call.path(1)?);
    let Some((certificate, key)) = recipient(call, 3)? else { return Ok(Val::FALSE) };
    let Some(input) = open_file(call, &from, 0, "rb")? else { return Ok(Val::FALSE) };
    let Some(out) = open_file(call, &to, 1, "wb")? else { return Ok(Val::FALSE) };
    let read = Pkcs7::read_smime(&input);
    let decrypted = read.and_then(|(message, _)| message.decrypt(&key, &certificate, &out, flags::DETACHED));
    Ok(Val::bool(kept(call.vm, decrypted).is_some()))
}

/// `openssl_cms_decrypt()`.
pub fn openssl_cms_decrypt(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (call.path(0)?, call.path(1)?);
    let Some((certificate, key)) = recipient(call, 2)? else { return Ok(Val::FALSE) };
    let Some(input) = open_file(call, &from, 0, "rb")? else { return Ok(Val::FALSE) };
    let Some(out) = open_file(call, &to, 1, "wb")? else { return Ok(Val::FALSE) };
    let Ok(encoding) = Encoding::try_from(call.int(4)) else {
        return Err(call.value_error(4, "must be an OPENSSL_ENCODING_* constant"));
    };
    let decrypted = Cms::read(&input, encoding).and_then(|(message, _)| message.decrypt(&key, &certificate, &out));
    Ok(Val::bool(kept(call.vm, decrypted).is_some()))
}

/// `openssl_cms_verify()`.
pub fn openssl_cms_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let (path, flags, encoding) = (call.path(0)?, call.int(1), call.int(8));
    for index in [2, 4, 5, 6, 7] {
        optional_path(call, index)?;
    }
    let detached = flags & flags::DETACHED != 0;
    let Some(input) = open_file(call, &path, 0, mode(flags, true))? else { return Ok(Val::FALSE) };
    let mut signature = None;
    if let Some(path) = optional_path(call, 7)?.filter(|_| detached) {
        if encoding == 1 {
            call.warning("Detached signatures not possible with S/MIME encoding")?;
            return Ok(Val::FALSE);
        }
        signature = open_file(call, &path, 0, mode(flags, true))?;
        if signature.is_none() {
            return Ok(Val::FALSE);
        }
    }
    let Ok(encoding) = Encoding::try_from(encoding) else {
        call.warning("Unknown encoding")?;
        return Ok(Val::FALSE);
    };
    let read = Cms::read(signature.as_ref().unwrap_or(&input), encoding);
    let Some((message, content)) = kept(call.vm, read) else { return Ok(Val::FALSE) };
    let content = match encoding {
        Encoding::Smime => content.as_ref(),
        _ => Some(&input).filter(|_| detached),
    };
    let Some(others) = others(call, 4)? else { return Ok(Val::FALSE) };
    let Some(store) = store(call, &call.arr(3), 3)? else { return Ok(Val::FALSE) };
    let Some(data) = output(call, 5)? else { return Ok(Val::FALSE) };
    let Some(copy) = output(call, 6)? else { return Ok(Val::FALSE) };
    let verified = message.verify(others.as_ref(), &store, content, data.as_ref(), flags);
    if kept(call.vm, verified).is_none() {
        return Ok(Val::FALSE);
    }
    let Some(signers_path) = optional_path(call, 2)? else { return Ok(Val::TRUE) };
    let mut good = write_signers(call, &signers_path, message.signers())?;
    if let Some(copy) = copy
        && message.write_pem(&copy).is_err()
    {
        call.warning("Failed to write CMS to file")?;
        keep(call.vm);
        good = false;
    }
    Ok(Val::bool(good))
}

/// The certificates and revocation lists of a message. PHP numbers both from 0, so lists replace certificates.
fn list_parts(call: &Call<'_>, [certificates, lists]: [Vec<Vec<u8>>; 2]) -> PhpResult<Val> {
    let mut shown = PhpArr::new();
    for texts in [certificates, lists] {
        for (index, text) in texts.iter().enumerate() {
            shown.insert(phlox_runtime::Key::Int(index as i64), Val::str(text));
        }
    }
    call.assign(1, shown.into())?;
    Ok(Val::TRUE)
}

/// `openssl_pkcs7_read()`.
pub fn openssl_pkcs7_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let read = Bio::reader(&text).and_then(|bio| Pkcs7::read_pem(&bio));
    let Some(message) = kept(call.vm, read) else { return Ok(Val::FALSE) };
    list_parts(call, message.parts())
}

/// `openssl_cms_read()`.
pub fn openssl_cms_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    let read = Bio::reader(&text).and_then(|bio| Cms::read(&bio, Encoding::Pem));
    let Some((message, _)) = kept(call.vm, read) else { return Ok(Val::FALSE) };
    list_parts(call, message.parts())
}
