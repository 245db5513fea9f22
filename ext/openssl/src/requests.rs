//! The functions for requests for certificates, and for certificates that are made from them.

use crate::certificates::name_array;
use crate::errors::{keep, kept};
use crate::objects::{
    Half, Origin, certificate_argument, certificate_object, checked_path, key_object, key_of, request_argument,
    request_object, required_key, required_request,
};
use crate::settings::{self, Settings};
use phlox_openssl::{Bio, Request, find_object};
use phlox_runtime::{ArrKey, Call, PhpArr, PhpResult, Throw, Val, View, convert};

fn write(request: &Request, bio: &Bio<'_>, with_text: bool) -> phlox_openssl::Outcome<()> {
    if with_text {
        request.print(bio)?;
    }
    request.write(bio)
}

/// `openssl_csr_export()`.
pub fn openssl_csr_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(request) = required_request(call, 0)? else { return Ok(Val::FALSE) };
    let written = Bio::memory().and_then(|bio| {
        write(&request, &bio, !call.bool(2))?;
        Ok(bio.bytes())
    });
    let Some(text) = kept(call.vm, written) else { return Ok(Val::FALSE) };
    call.assign(1, Val::str(&text))?;
    Ok(Val::TRUE)
}

/// `openssl_csr_export_to_file()`.
pub fn openssl_csr_export_to_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(1)?;
    let Some(request) = required_request(call, 0)? else { return Ok(Val::FALSE) };
    let Some(path) = checked_path(call, &path, Origin::argument(1))? else { return Ok(Val::FALSE) };
    let shown = phlox_runtime::shown(&path).into_owned();
    let Some(file) = kept(call.vm, Bio::file(&path, "wb")) else {
        call.warning(&format!("Error opening file {shown}"))?;
        return Ok(Val::FALSE);
    };
    let good = kept(call.vm, write(&request, &file, !call.bool(2))).is_some();
    if !good {
        call.warning(&format!("Error writing PEM to file {shown}"))?;
    }
    Ok(Val::bool(good))
}

/// `openssl_csr_get_subject()`.
pub fn openssl_csr_get_subject(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(request) = request_argument(call, 0)? else { return Ok(Val::FALSE) };
    Ok(name_array(request.subject(), call.bool(1)).into())
}

/// `openssl_csr_get_public_key()`.
pub fn openssl_csr_get_public_key(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(request) = request_argument(call, 0)? else { return Ok(Val::FALSE) };
    match kept(call.vm, request.public_key().and_then(|key| key.public_part())) {
        Some(key) => key_object(call.vm, key, false),
        None => Ok(Val::FALSE),
    }
}

/// `openssl_csr_new()`.
pub fn openssl_csr_new(call: &mut Call<'_>) -> PhpResult<Val> {
    let (made, thrown) = make_request(call)?;
    thrown.map_or(Ok(made), Err)
}

/// The request, and the exception that is thrown instead of it.
fn make_request(call: &Call<'_>) -> PhpResult<(Val, Option<Throw>)> {
    let Some(settings) = settings::read(call, &call.arr(2))? else { return Ok((Val::FALSE, None)) };
    let given = call.arg(1);
    // For an invalid argument, PHP makes a new key and goes on before it throws.
    let given = if given.is_null() { Ok(None) } else { key_of(call, &given, Half::Private(None), 1) };
    let (mut key, thrown) = match given {
        Ok(key) => (key, None),
        Err(throw) => (None, Some(throw)),
    };
    let made = key.is_none();
    if made {
        key = settings::new_key(call, &settings)?;
    }
    let Some(key) = key else {
        call.warning("Unable to generate a private key")?;
        return Ok((Val::FALSE, thrown));
    };
    let Some(request) = kept(call.vm, Request::new()) else { return Ok((Val::FALSE, thrown)) };
    let attributes = call.opt_arr(3);
    if !fill(call, &settings, &request, &call.arr(0), attributes.as_ref())? {
        return Ok((Val::FALSE, thrown));
    }
    kept(call.vm, request.set_public_key(&key));
    if let Some(section) = &settings.request_extensions
        && kept(call.vm, settings.config.extend_request(section, &request)).is_none()
    {
        call.warning(&format!("Error loading extension section {}", phlox_runtime::shown(section)))?;
        return Ok((Val::FALSE, thrown));
    }
    let mut result = Val::TRUE;
    match kept(call.vm, request.sign(&key, settings.digest)) {
        Some(()) => result = request_object(call.vm, request)?,
        None => call.warning("Error signing request")?,
    }
    if made {
        call.assign(1, key_object(call.vm, key, true)?)?;
    }
    Ok((result, thrown))
}

fn shown(text: &[u8]) -> String {
    phlox_runtime::shown(text).into_owned()
}

/// Sets the subject and attributes of a request: those of the call, then those of the configuration.
fn fill(
    call: &Call<'_>,
    settings: &Settings,
    request: &Request,
    fields: &PhpArr,
    attributes: Option<&PhpArr>,
) -> PhpResult<bool> {
    let (config, section) = (&settings.config, &settings.section[..]);
    let defaults = config.required_string(Some(section), b"distinguished_name").and_then(|name| config.section(&name));
    let Some(defaults) = defaults else {
        keep(call.vm);
        return Ok(false);
    };
    let mut default_attributes = Vec::new();
    if let Some(name) = config.string(Some(section), b"attributes") {
        match config.section(&name) {
            Some(entries) => default_attributes = entries,
            None => {
                keep(call.vm);
                return Ok(false);
            }
        }
    }
    for (name, value) in fields {
        let ArrKey::Str(name) = name.to_owned() else { continue };
        let Some(nid) = find_object(&name) else {
            call.warning(&format!("dn: {} is not a recognized name", shown(&name)))?;
            continue;
        };
        let value = value.deref();
        let values = match value.view() {
            View::Arr(list) => list.values().map(Val::deref).collect(),
            _ => vec![value.clone()],
        };
        for value in values {
            if !add_field(call, request, nid, &value)? {
                return Ok(false);
            }
        }
    }
    for entry in defaults {
        let Some(field) = entry.name.strip_suffix(b"_default") else { continue };
        if field.is_empty() {
            continue;
        }
        // Fields of one kind are distinguished by a prefix before a mark, which is dropped.
        let field = &field[..field.len().min(200)];
        let mark = field.iter().position(|byte| b":,.".contains(byte));
        let field = mark.map(|at| &field[at + 1..]).filter(|rest| !rest.is_empty()).unwrap_or(field);
        if find_object(field).is_some_and(|nid| request.has_field(nid)) {
            continue;
        }
        if kept(call.vm, request.add_field_named(field, &entry.value)).is_none() {
            call.warning(&format!("add_entry_by_txt {} -> {} (failed)", shown(field), shown(&entry.value)))?;
            return Ok(false);
        }
    }
    let Some(attributes) = attributes else { return Ok(true) };
    add_attributes(call, request, attributes, &default_attributes)
}

fn add_field(call: &Call<'_>, request: &Request, nid: i32, value: &Val) -> PhpResult<bool> {
    let text = convert::to_str(call.vm, value)?;
    if kept(call.vm, request.add_field(nid, &text)).is_some() {
        return Ok(true);
    }
    call.warning(&format!(
        "dn: add_entry_by_NID {nid} -> {} (failed; check error queue and value of string_mask OpenSSL option if illegal \
         characters are reported)",
        shown(&text)
    ))?;
    Ok(false)
}

fn add_attributes(
    call: &Call<'_>,
    request: &Request,
    attributes: &PhpArr,
    defaults: &[phlox_openssl::ConfigEntry],
) -> PhpResult<bool> {
    for (name, value) in attributes {
        let ArrKey::Str(name) = name.to_owned() else {
            call.warning("attributes: numeric fild names are not supported")?;
            continue;
        };
        let Some(nid) = find_object(&name) else {
            call.warning(&format!("attributes: {} is not a recognized attribute name", shown(&name)))?;
            continue;
        };
        let text = convert::to_str(call.vm, &value.deref())?;
        if kept(call.vm, request.add_attribute(nid, &text)).is_none() {
            call.warning(&format!("attributes: add_attr_by_NID {nid} -> {} (failed)", shown(&text)))?;
            return Ok(false);
        }
    }
    for entry in defaults {
        if find_object(&entry.name).is_some_and(|nid| request.has_attribute(nid)) {
            continue;
        }
        if kept(call.vm, request.add_attribute_named(&entry.name, &entry.value)).is_none() {
            call.warning(&format!(
                "add1_attr_by_txt {} -> {} (failed; check error queue and value of string_mask OpenSSL option if \
                 illegal characters are reported)",
                shown(&entry.name),
                shown(&entry.value)
            ))?;
            return Ok(false);
        }
    }
    Ok(true)
}

const MOST_DAYS: i64 = i64::MAX / 86_400;
const MOST_HEX: usize = 200;

/// `openssl_csr_sign()`.
pub fn openssl_csr_sign(call: &mut Call<'_>) -> PhpResult<Val> {
    let refuse = |message: &str| {
        call.warning(message)?;
        Ok(Val::FALSE)
    };
    let Some(request) = required_request(call, 0)? else { return Ok(Val::FALSE) };
    let issuer = if call.is_null(1) { None } else { certificate_argument(call, 1)? };
    if issuer.is_none() && !call.is_null(1) {
        return refuse("X.509 Certificate cannot be retrieved");
    }
    let private = Half::Private(Some(b""));
    let Some(key) = required_key(call, 2, private, "Cannot get private key from parameter 3")? else {
        return Ok(Val::FALSE);
    };
    if issuer.as_ref().is_some_and(|issuer| !issuer.belongs_to(&key)) {
        keep(call.vm);
        return refuse("Private key does not correspond to signing cert");
    }
    let days = call.int(3);
    if !(0..=MOST_DAYS).contains(&days) {
        return refuse(&format!("Days must be between 0 and {MOST_DAYS}"));
    }
    let Some(settings) = settings::read(call, &call.arr(4))? else { return Ok(Val::FALSE) };
    let Some(public) = kept(call.vm, request.public_key()) else { return refuse("Error unpacking public key") };
    match request.verify(&public) {
        0 => return refuse("Signature did not match the certificate request"),
        1.. => {}
        _ => {
            keep(call.vm);
            return refuse("Signature verification problems");
        }
    }
    let Some(certificate) = kept(call.vm, request.certificate()) else { return refuse("No memory") };
    let hex = call.opt_str(6);
    if hex.as_ref().is_some_and(|hex| hex.len() > MOST_HEX) {
        return refuse("Error parsing serial number because it is too long");
    }
    if kept(call.vm, certificate.set_serial(call.int(5), hex.as_deref())).is_none() {
        return refuse(if hex.is_some() { "Error parsing serial number" } else { "Error setting serial number" });
    }
    if kept(call.vm, request.fill(&certificate, issuer.as_ref(), days, &public)).is_none() {
        return Ok(Val::FALSE);
    }
    if let Some(section) = &settings.extensions {
        let extended = certificate.extend(&settings.config, section, issuer.as_ref(), &request);
        if kept(call.vm, extended).is_none() {
            return Ok(Val::FALSE);
        }
    }
    if kept(call.vm, certificate.sign(&key, settings.digest)).is_none() {
        return refuse("Failed to sign it");
    }
    certificate_object(call.vm, certificate)
}
