//! The functions that make, read, write and show asymmetric keys.

use crate::errors::{keep, kept};
use crate::objects::{Half, Origin, checked_path, key_argument, key_object, key_of, required_key};
use crate::settings::{self, Settings, kind_number};
use phlox_openssl::{Bio, Cipher, EcFailure, EcPart, Key, KeyKind, KeyParts};
use phlox_runtime::{Call, PhpArr, PhpResult, PhpStr, Val};

/// PHP's name of a number of a key, and libcrypto's.
type Part = (&'static str, &'static str);

const RSA: &[Part] = &[
    ("n", "n"),
    ("e", "e"),
    ("d", "d"),
    ("p", "rsa-factor1"),
    ("q", "rsa-factor2"),
    ("dmp1", "rsa-exponent1"),
    ("dmq1", "rsa-exponent2"),
    ("iqmp", "rsa-coefficient1"),
];
const DSA: &[Part] = &[("p", "p"), ("q", "q"), ("g", "g"), ("priv_key", "priv"), ("pub_key", "pub")];
const DH: &[Part] = &[("p", "p"), ("g", "g"), ("priv_key", "priv"), ("pub_key", "pub")];
const EC: &[Part] = &[("x", "qx"), ("y", "qy"), ("d", "priv")];
const MONTGOMERY: &[Part] = &[("priv_key", "priv"), ("pub_key", "pub")];

/// The kinds of keys that can be made from their numbers, by their names in options.
const MADE_OF_PARTS: [(&str, KeyKind); 8] = [
    ("rsa", KeyKind::Rsa),
    ("dsa", KeyKind::Dsa),
    ("dh", KeyKind::Dh),
    ("ec", KeyKind::Ec),
    ("x25519", KeyKind::X25519),
    ("ed25519", KeyKind::Ed25519),
    ("x448", KeyKind::X448),
    ("ed448", KeyKind::Ed448),
];

fn part(parts: &PhpArr, name: &str) -> Option<PhpStr> {
    parts.get_bytes(name.as_bytes()).map(Val::deref)?.into_str()
}

/// `openssl_pkey_new()`.
pub fn openssl_pkey_new(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = call.arr(0);
    for (name, kind) in MADE_OF_PARTS {
        let Some(parts) = options.get_bytes(name.as_bytes()).map(Val::deref).and_then(Val::into_arr) else { continue };
        let made = match kind {
            KeyKind::Ec => on_curve(call, &parts)?,
            _ => of_parts(kind, &parts).ok(),
        };
        keep(call.vm);
        return match made {
            Some((key, private)) => key_object(call.vm, key, private),
            None => Ok(Val::FALSE),
        };
    }
    let Some(settings) = settings::read(call, &options)? else { return Ok(Val::FALSE) };
    match settings::new_key(call, &settings)? {
        Some(key) => key_object(call.vm, key, true),
        None => Ok(Val::FALSE),
    }
}

/// A key from its numbers, or a new one from the parameters of its kind. The flag says whether it is private.
fn of_parts(kind: KeyKind, parts: &PhpArr) -> phlox_openssl::Outcome<(Key, bool)> {
    let mut builder = KeyParts::new()?;
    let mut add = |names: &[Part]| {
        names.iter().try_for_each(|(name, library)| match part(parts, name) {
            Some(bytes) => builder.number(library, &bytes),
            None => Ok(()),
        })
    };
    let has = |name: &str| part(parts, name).is_some();
    match kind {
        KeyKind::Rsa => {
            if !has("n") || !has("d") {
                return Err(phlox_openssl::Failed);
            }
            add(RSA)?;
            Ok((builder.key(kind)?, true))
        }
        KeyKind::Dsa => {
            if !has("p") || !has("q") || !has("g") {
                return Err(phlox_openssl::Failed);
            }
            add(&DSA[..3])?;
            if !has("pub_key") {
                return Ok((builder.key(kind)?.generate_like()?, true));
            }
            add(&DSA[3..])?;
            Ok((builder.key(kind)?, has("priv_key")))
        }
        KeyKind::Dh => {
            let (Some(prime), Some(generator)) = (part(parts, "p"), part(parts, "g")) else {
                return Err(phlox_openssl::Failed);
            };
            add(&[("p", "p"), ("g", "g"), ("q", "q"), ("priv_key", "priv"), ("pub_key", "pub")])?;
            if let (Some(private), false) = (part(parts, "priv_key"), has("pub_key")) {
                let public = Key::dh_public(&private, &generator, &prime).ok_or(phlox_openssl::Failed)?;
                builder.number("pub", &public)?;
            }
            let key = builder.key(kind)?;
            if has("priv_key") || has("pub_key") {
                Ok((key, has("priv_key")))
            } else {
                Ok((key.generate_like()?, true))
            }
        }
        _ => {
            for (name, library) in MONTGOMERY {
                if let Some(bytes) = part(parts, name).filter(|bytes| !bytes.is_empty()) {
                    builder.octets(library, &bytes)?;
                }
            }
            let given = |name: &str| parts.get_bytes(name.as_bytes()).is_some();
            if given("pub_key") || given("priv_key") {
                return Ok((builder.key(kind)?, given("priv_key")));
            }
            Ok((Key::generate(kind, 0, 0)?, true))
        }
    }
}

fn on_curve(call: &Call<'_>, parts: &PhpArr) -> PhpResult<Option<(Key, bool)>> {
    let named = |which: EcPart| {
        let name = match which {
            EcPart::CurveName => "curve_name",
            EcPart::P => "p",
            EcPart::A => "a",
            EcPart::B => "b",
            EcPart::Order => "order",
            EcPart::Generator => "generator",
            EcPart::GeneratorX => "g_x",
            EcPart::GeneratorY => "g_y",
            EcPart::Seed => "seed",
            EcPart::Cofactor => "cofactor",
            EcPart::Private => "d",
            EcPart::X => "x",
            EcPart::Y => "y",
        };
        part(parts, name).map(|bytes| bytes.to_vec())
    };
    let message = match Key::on_curve(&named) {
        Ok(made) => return Ok(Some(made)),
        Err(EcFailure::Failed) => return Ok(None),
        Err(EcFailure::UnknownCurve) => {
            let name = named(EcPart::CurveName).unwrap_or_default();
            format!("Unknown elliptic curve (short) name {}", phlox_runtime::shown(&name))
        }
        Err(EcFailure::NoCurve) => "Missing params: curve_name".to_owned(),
        Err(EcFailure::IncompleteCurve) => "Missing params: curve_name or p, a, b, order".to_owned(),
        Err(EcFailure::NoGenerator) => "Missing params: generator or g_x and g_y".to_owned(),
    };
    call.warning(&message)?;
    Ok(None)
}

/// The cipher that protects a written key, if there is a password.
fn cipher_of(settings: &Settings, password: Option<&PhpStr>) -> Option<Cipher> {
    password?;
    if !settings.encrypts_key {
        return None;
    }
    settings.key_cipher.or_else(|| Cipher::named(b"des-ede3-cbc"))
}

/// The key that the export functions write. `None`: there is none, which was reported.
fn exported<'a>(call: &Call<'_>, password: Option<&'a PhpStr>) -> PhpResult<Option<(Key, &'a [u8])>> {
    let bytes: Option<&[u8]> = password.map(|text| text.as_bytes());
    let key = required_key(call, 0, Half::Private(bytes), "Cannot get key from parameter 1")?;
    Ok(key.map(|key| (key, bytes.unwrap_or_default())))
}

/// `openssl_pkey_export()`.
pub fn openssl_pkey_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let password = call.opt_str(2);
    let Some((key, bytes)) = exported(call, password.as_ref())? else { return Ok(Val::FALSE) };
    let Some(settings) = settings::read(call, &call.arr(3))? else { return Ok(Val::FALSE) };
    let cipher = cipher_of(&settings, password.as_ref());
    let written = Bio::memory().and_then(|bio| {
        key.write_private(&bio, cipher, bytes)?;
        Ok(bio.bytes())
    });
    let Some(text) = kept(call.vm, written) else { return Ok(Val::FALSE) };
    call.assign(1, Val::str(&text))?;
    Ok(Val::TRUE)
}

/// `openssl_pkey_export_to_file()`.
pub fn openssl_pkey_export_to_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let (path, password) = (call.path(1)?, call.opt_str(2));
    let Some((key, bytes)) = exported(call, password.as_ref())? else { return Ok(Val::FALSE) };
    let Some(path) = checked_path(call, &path, Origin::argument(1))? else { return Ok(Val::FALSE) };
    let Some(settings) = settings::read(call, &call.arr(3))? else { return Ok(Val::FALSE) };
    let cipher = cipher_of(&settings, password.as_ref());
    let written = Bio::file(&path, "wb").and_then(|file| key.write_private(&file, cipher, bytes));
    Ok(Val::bool(kept(call.vm, written).is_some()))
}

/// `openssl_pkey_get_public()` and `openssl_get_publickey()`.
pub fn openssl_pkey_get_public(call: &mut Call<'_>) -> PhpResult<Val> {
    match key_of(call, &call.arg(0), Half::Public, 0)? {
        Some(key) => key_object(call.vm, key, false),
        None => Ok(Val::FALSE),
    }
}

/// `openssl_pkey_get_private()`.
pub fn openssl_pkey_get_private(call: &mut Call<'_>) -> PhpResult<Val> {
    let password = call.opt_str(1);
    let password = if call.was_passed(1) { password.as_deref() } else { Some(&b""[..]) };
    match key_of(call, &call.arg(0), Half::Private(password), 0)? {
        Some(key) => key_object(call.vm, key, true),
        None => Ok(Val::FALSE),
    }
}

/// `openssl_pkey_free()`, `openssl_x509_free()` and `openssl_free_key()`, which have no effect.
pub fn nothing(_call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}

/// `openssl_pkey_get_details()`.
pub fn openssl_pkey_get_details(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(key) = key_argument(call, 0) else { return Ok(Val::FALSE) };
    let public = Bio::memory().and_then(|bio| {
        key.write_public(&bio)?;
        Ok(bio.bytes())
    });
    let Some(public) = kept(call.vm, public) else { return Ok(Val::FALSE) };
    let mut details = PhpArr::new();
    details.set_bytes(b"bits", Val::int(key.bits() as i64));
    details.set_bytes(b"key", Val::str(&public));
    let kind = key.kind();
    if let Some((name, kind)) = MADE_OF_PARTS.into_iter().find(|(_, known)| Some(*known) == kind) {
        details.set_bytes(name.as_bytes(), parts_of(&key, kind).into());
    }
    details.set_bytes(b"type", Val::int(kind.map_or(-1, kind_number)));
    Ok(details.into())
}

fn parts_of(key: &Key, kind: KeyKind) -> PhpArr {
    let mut shown = PhpArr::new();
    let names = match kind {
        KeyKind::Rsa => RSA,
        KeyKind::Dsa => DSA,
        KeyKind::Dh => DH,
        KeyKind::Ec => {
            if let Some((name, numbers)) = key.curve() {
                shown.set_bytes(b"curve_name", Val::str(&name));
                if let Some(numbers) = numbers {
                    shown.set_bytes(b"curve_oid", Val::str(&numbers));
                }
            }
            EC
        }
        _ => MONTGOMERY,
    };
    for (name, library) in names {
        let bytes = if names == MONTGOMERY { key.octets(library) } else { key.number(library) };
        if let Some(bytes) = bytes {
            shown.set_bytes(name.as_bytes(), Val::str(&bytes));
        }
    }
    shown
}
