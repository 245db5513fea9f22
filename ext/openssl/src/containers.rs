//! Keys with certificates under a password (PKCS #12), and public keys signed with a challenge (SPKAC).

use crate::digests::digest_number;
use crate::errors::{keep, kept};
use crate::objects::{Half, Origin, certificates_of, checked_path, key_of, required_certificate, required_key};
use phlox_openssl::{Bio, Pkcs12, Spki};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

const PRIVATE: Half<'static> = Half::Private(Some(b""));

/// The container that both export functions write. `None`: it cannot be made, which was reported.
fn container(call: &Call<'_>) -> PhpResult<Option<Pkcs12>> {
    let Some(certificate) = required_certificate(call, 0)? else { return Ok(None) };
    let Some(key) = required_key(call, 2, PRIVATE, "Cannot get private key from parameter 3")? else {
        return Ok(None);
    };
    if !certificate.belongs_to(&key) {
        keep(call.vm);
        call.warning("Private key does not correspond to cert")?;
        return Ok(None);
    }
    let options = call.arr(4);
    let name = options.get_bytes(b"friendly_name").map(Val::deref).and_then(Val::into_str);
    let extra = match options.get_bytes(b"extracerts") {
        Some(value) => Some(certificates_of(call, value, 4, Some("extracerts"))?.0),
        None => None,
    };
    Ok(kept(call.vm, Pkcs12::new(&call.str(3), name.as_deref(), &key, &certificate, extra.as_ref())))
}

/// `openssl_pkcs12_export()`.
pub fn openssl_pkcs12_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(container) = container(call)? else { return Ok(Val::FALSE) };
    let written = Bio::memory().and_then(|bio| {
        container.write(&bio)?;
        Ok(bio.bytes())
    });
    let Some(bytes) = kept(call.vm, written) else { return Ok(Val::FALSE) };
    call.assign(1, Val::str(&bytes))?;
    Ok(Val::TRUE)
}

/// `openssl_pkcs12_export_to_file()`.
pub fn openssl_pkcs12_export_to_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(1)?;
    let Some(container) = container(call)? else { return Ok(Val::FALSE) };
    let Some(path) = checked_path(call, &path, Origin::argument(1))? else { return Ok(Val::FALSE) };
    let shown = phlox_runtime::shown(&path).into_owned();
    let Some(file) = kept(call.vm, Bio::file(&path, "wb")) else {
        call.warning(&format!("Error opening file {shown}"))?;
        return Ok(Val::FALSE);
    };
    if kept(call.vm, container.write(&file)).is_none() {
        call.warning(&format!("Error writing to file {shown}"))?;
        return Ok(Val::FALSE);
    }
    Ok(Val::TRUE)
}

/// `openssl_pkcs12_read()`.
pub fn openssl_pkcs12_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let bytes = call.str(0);
    if bytes.is_empty() {
        return Ok(Val::FALSE);
    }
    let opened = Bio::reader(&bytes).and_then(|bio| Pkcs12::read(&bio)).and_then(|read| read.open(&call.str(2)));
    let Some((key, certificate, others)) = kept(call.vm, opened) else { return Ok(Val::FALSE) };
    let mut shown = PhpArr::new();
    if let Some(text) = certificate.and_then(|certificate| kept(call.vm, certificate.pem())) {
        shown.set_bytes(b"cert", Val::str(&text));
    }
    let text = key.and_then(|key| {
        let written = Bio::memory().and_then(|bio| {
            key.write_private(&bio, None, b"")?;
            Ok(bio.bytes())
        });
        kept(call.vm, written)
    });
    if let Some(text) = text {
        shown.set_bytes(b"pkey", Val::str(&text));
    }
    if !others.is_empty() {
        // PHP shows the certificates in reverse order.
        let texts = others.iter().rev().filter_map(|certificate| certificate.pem().ok());
        shown.set_bytes(b"extracerts", texts.map(|text| Val::str(&text)).collect::<PhpArr>().into());
    }
    call.assign(1, shown.into())?;
    Ok(Val::TRUE)
}

/// `openssl_spki_new()`.
pub fn openssl_spki_new(call: &mut Call<'_>) -> PhpResult<Val> {
    let challenge = call.str(1);
    let half = Half::Private(Some(&challenge));
    let Some(key) = key_of(call, &call.arg(0), half, 0)? else {
        call.warning("Unable to use supplied private key")?;
        return Ok(Val::FALSE);
    };
    let Some(digest) = digest_number(call.int(2)) else {
        call.warning("Unknown digest algorithm")?;
        return Ok(Val::FALSE);
    };
    let steps = || {
        let spki = Spki::new().map_err(|_| "Unable to create new SPKAC")?;
        spki.set_challenge(&challenge).map_err(|_| "Unable to set challenge data")?;
        spki.set_key(&key).map_err(|_| "Unable to embed public key")?;
        spki.sign(&key, digest).map_err(|_| "Unable to sign with specified digest algorithm")?;
        spki.encode().ok_or("Unable to encode SPKAC")
    };
    match steps() {
        Ok(text) => Ok(Val::str(&[b"SPKAC=", &text[..]].concat())),
        Err(message) => {
            keep(call.vm);
            call.warning(message)?;
            Ok(Val::FALSE)
        }
    }
}

/// Decodes the argument without its line ends, which libcrypto does not accept. `None`: it is invalid, which was
/// reported.
fn decoded(call: &Call<'_>, message: &str) -> PhpResult<Option<Spki>> {
    let text: Vec<u8> = call.str(0).iter().copied().filter(|byte| !b"\r\n".contains(byte)).collect();
    if text.is_empty() || text[0] == 0 {
        call.warning("Invalid SPKAC")?;
        return Ok(None);
    }
    let spki = kept(call.vm, Spki::decode(&text));
    if spki.is_none() {
        call.warning(message)?;
    }
    Ok(spki)
}

fn with_key(call: &Call<'_>) -> PhpResult<Option<(Spki, phlox_openssl::Key)>> {
    let Some(spki) = decoded(call, "Unable to decode supplied SPKAC")? else { return Ok(None) };
    match kept(call.vm, spki.key()) {
        Some(key) => Ok(Some((spki, key))),
        None => {
            call.warning("Unable to acquire signed public key")?;
            Ok(None)
        }
    }
}

/// `openssl_spki_verify()`.
pub fn openssl_spki_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let found = with_key(call)?;
    let good = found.is_some_and(|(spki, key)| spki.verify(&key));
    if !good {
        keep(call.vm);
    }
    Ok(Val::bool(good))
}

/// `openssl_spki_export()`.
pub fn openssl_spki_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((_, key)) = with_key(call)? else { return Ok(Val::FALSE) };
    let written = Bio::memory().and_then(|bio| {
        key.write_public(&bio)?;
        Ok(bio.bytes())
    });
    Ok(kept(call.vm, written).map_or(Val::FALSE, |text| Val::str(&text)))
}

/// `openssl_spki_export_challenge()`.
pub fn openssl_spki_export_challenge(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(spki) = decoded(call, "Unable to decode SPKAC")? else { return Ok(Val::FALSE) };
    let challenge = spki.challenge();
    let end = challenge.iter().position(|&byte| byte == 0).unwrap_or(challenge.len());
    Ok(Val::str(&challenge[..end]))
}
