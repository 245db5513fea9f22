//! The functions that read, write, show and check certificates.

use crate::digests::hex;
use crate::errors::{keep, kept};
use crate::objects::{
    Half, Origin, certificate_argument, certificate_object, certificates_of_file, checked_path, key_of,
    required_certificate,
};
use crate::tls;
use phlox_openssl::{Bio, Certificate, Digest, NameEntry, Store, Time, default_locations};
use phlox_runtime::{Call, Key, Level, PhpArr, PhpResult, Val, View, convert};

/// `openssl_get_cert_locations()`.
pub fn openssl_get_cert_locations(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut shown = PhpArr::new();
    for (name, place) in default_locations() {
        shown.set_bytes(name.as_bytes(), Val::str(&place));
    }
    for (name, setting) in [("ini_cafile", &tls::CAFILE), ("ini_capath", &tls::CAPATH)] {
        shown.set_bytes(name.as_bytes(), call.vm.ini.get(setting).into());
    }
    Ok(shown.into())
}

/// `openssl_x509_read()`: gives a copy of a certificate that is an object already.
pub fn openssl_x509_read(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = required_certificate(call, 0)? else { return Ok(Val::FALSE) };
    if call.opt_obj(0).is_none() {
        return certificate_object(call.vm, certificate);
    }
    match certificate.duplicate() {
        Ok(copy) => certificate_object(call.vm, copy),
        Err(_) => {
            call.warning("X.509 Certificate could not be duplicated")?;
            Ok(Val::FALSE)
        }
    }
}

fn write(certificate: &Certificate, bio: &Bio<'_>, with_text: bool) -> phlox_openssl::Outcome<()> {
    if with_text {
        certificate.print(bio)?;
    }
    certificate.write(bio)
}

/// `openssl_x509_export()`.
pub fn openssl_x509_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = required_certificate(call, 0)? else { return Ok(Val::FALSE) };
    let written = Bio::memory().and_then(|bio| {
        write(&certificate, &bio, !call.bool(2))?;
        Ok(bio.bytes())
    });
    let Some(text) = kept(call.vm, written) else { return Ok(Val::FALSE) };
    call.assign(1, Val::str(&text))?;
    Ok(Val::TRUE)
}

/// `openssl_x509_export_to_file()`.
pub fn openssl_x509_export_to_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(1)?;
    let Some(certificate) = required_certificate(call, 0)? else { return Ok(Val::FALSE) };
    let Some(path) = checked_path(call, &path, Origin::argument(1))? else { return Ok(Val::FALSE) };
    let Some(file) = kept(call.vm, Bio::file(&path, "wb")) else {
        call.warning(&format!("Error opening file {}", phlox_runtime::shown(&path)))?;
        return Ok(Val::FALSE);
    };
    Ok(Val::bool(kept(call.vm, write(&certificate, &file, !call.bool(2))).is_some()))
}

/// `openssl_x509_fingerprint()`.
pub fn openssl_x509_fingerprint(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = required_certificate(call, 0)? else { return Ok(Val::FALSE) };
    let Some(digest) = Digest::named(&call.str(1)) else {
        call.warning("Unknown digest algorithm")?;
        return Ok(Val::FALSE);
    };
    let Some(bytes) = kept(call.vm, certificate.fingerprint(digest)) else {
        call.raise(Level::Error, b"Could not generate signature")?;
        return Ok(Val::FALSE);
    };
    Ok(if call.bool(2) { Val::str(&bytes) } else { hex(&bytes) })
}

/// `openssl_x509_check_private_key()`.
pub fn openssl_x509_check_private_key(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = certificate_argument(call, 0)? else { return Ok(Val::FALSE) };
    let key = key_of(call, &call.arg(1), Half::Private(Some(b"")), 1)?;
    Ok(Val::bool(key.is_some_and(|key| certificate.belongs_to(&key))))
}

/// `openssl_x509_verify()`: 1 valid, 0 invalid, -1 after an error.
pub fn openssl_x509_verify(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = certificate_argument(call, 0)? else { return Ok(Val::int(-1)) };
    let Some(key) = key_of(call, &call.arg(1), Half::Public, 1)? else { return Ok(Val::int(-1)) };
    let answer = certificate.verify(&key);
    if answer < 0 {
        keep(call.vm);
    }
    Ok(Val::int(answer as i64))
}

/// A name as an array. A field that occurs several times is a list of its values.
pub fn name_array(entries: Vec<NameEntry>, short: bool) -> PhpArr {
    let mut shown = PhpArr::new();
    for entry in entries {
        let (name, Some(value)) = (if short { entry.short } else { entry.long }, entry.value) else { continue };
        let value = Val::str(&value);
        let before = shown.get_bytes(&name).cloned();
        let together = match before {
            None => value,
            Some(before) => {
                let mut list = match before.view() {
                    View::Arr(list) => list.clone(),
                    _ => PhpArr::from_vec(vec![before.clone()]),
                };
                let _ = list.push(value);
                list.into()
            }
        };
        shown.insert(Key::from_str(&name.into()), together);
    }
    shown
}

/// The time of a certificate in seconds since 1970.
fn seconds_of(call: &Call<'_>, time: &Time) -> PhpResult<i64> {
    let text = &time.text;
    let refuse = |message: String| {
        call.warning(&message)?;
        Ok(-1)
    };
    if !time.is_time {
        return refuse("Illegal ASN1 data type for timestamp".to_owned());
    }
    if text.contains(&0) {
        return refuse("Illegal length in timestamp".to_owned());
    }
    let least = if time.generalized { 15 } else { 13 };
    if text.len() < least {
        return refuse(format!("Unable to parse time string {} correctly", phlox_runtime::shown(text)));
    }
    // The parts are counted back from the letter of the zone at the end.
    let end = text.len() - 1;
    let number = |from: usize, size: usize| {
        let digits = text[end - from..end - from + size].iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0i64, |number, digit| number * 10 + (digit - b'0') as i64)
    };
    let (second, minute, hour) = (number(2, 2), number(4, 2), number(6, 2));
    let (day, month) = (number(8, 2), number(10, 2));
    let year = match time.generalized {
        true => number(14, 4),
        false => match number(12, 2) {
            year @ 0..68 => 2000 + year,
            year => 1900 + year,
        },
    };
    Ok(days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// The days from 1970 to a date of the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years are taken to begin in March, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, month) = (year.div_euclid(400), (month + 9) % 12);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `openssl_x509_parse()`.
pub fn openssl_x509_parse(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(certificate) = certificate_argument(call, 0)? else { return Ok(Val::FALSE) };
    let short = call.bool(1);
    let mut shown = PhpArr::new();
    let (Some(name), Some((serial, serial_hex)), Ok(extensions)) =
        (certificate.name_line(), certificate.serial(), certificate.extensions())
    else {
        keep(call.vm);
        return Ok(Val::FALSE);
    };
    let mut set = |name: &str, value: Val| shown.set_bytes(name.as_bytes(), value);
    set("name", Val::str(&name));
    set("subject", name_array(certificate.subject(), short).into());
    set("hash", format!("{:08x}", certificate.subject_hash()).into());
    set("issuer", name_array(certificate.issuer(), short).into());
    set("version", Val::int(certificate.version()));
    set("serialNumber", Val::str(&serial));
    set("serialNumberHex", Val::str(&serial_hex));
    let (from, to) = (certificate.valid_from(), certificate.valid_to());
    set("validFrom", Val::str(&from.text));
    set("validTo", Val::str(&to.text));
    set("validFrom_time_t", Val::int(seconds_of(call, &from)?));
    set("validTo_time_t", Val::int(seconds_of(call, &to)?));
    if let Some(alias) = certificate.alias() {
        set("alias", Val::str(&alias));
    }
    let (short_name, long_name, number) = certificate.signature_kind();
    set("signatureTypeSN", Val::str(&short_name));
    set("signatureTypeLN", Val::str(&long_name));
    set("signatureTypeNID", Val::int(number));
    let mut purposes = PhpArr::new();
    for purpose in certificate.purposes() {
        let name = if short { purpose.short } else { purpose.long };
        let [own, authority] = purpose.fits.map(Val::bool);
        purposes.insert(Key::Int(purpose.id), PhpArr::from_vec(vec![own, authority, Val::str(&name)]).into());
    }
    set("purposes", purposes.into());
    let mut texts = PhpArr::new();
    for extension in extensions {
        texts.set_bytes(&extension.name, Val::str(&extension.text));
    }
    set("extensions", texts.into());
    Ok(shown.into())
}

/// The trusted certificates: those of the files and directories of an argument, or the machine's.
pub fn store(call: &Call<'_>, trusted: &PhpArr, argument: usize) -> PhpResult<Option<Store>> {
    let Some(store) = kept(call.vm, Store::new()) else { return Ok(None) };
    let (mut files, mut directories) = (0, 0);
    for value in trusted.values() {
        let path = convert::to_str(call.vm, &value.deref())?;
        let origin = Origin { argument, from_array: true, option: None };
        let Some(path) = checked_path(call, &path, origin)? else { continue };
        let shown = phlox_runtime::shown(&path).into_owned();
        use std::os::unix::ffi::OsStrExt;
        let Ok(meta) = std::fs::metadata(std::ffi::OsStr::from_bytes(&path)) else {
            call.warning(&format!("Unable to stat {shown}"))?;
            continue;
        };
        if meta.is_file() {
            match kept(call.vm, store.add_file(Some(&path))) {
                Some(()) => files += 1,
                None => call.warning(&format!("Error loading file {shown}"))?,
            }
        } else {
            match kept(call.vm, store.add_directory(Some(&path))) {
                Some(()) => directories += 1,
                None => call.warning(&format!("Error loading directory {shown}"))?,
            }
        }
    }
    if files == 0 {
        kept(call.vm, store.add_file(None));
    }
    if directories == 0 {
        kept(call.vm, store.add_directory(None));
    }
    Ok(Some(store))
}

/// `openssl_x509_checkpurpose()`.
pub fn openssl_x509_checkpurpose(call: &mut Call<'_>) -> PhpResult<Val> {
    let failed = Ok(Val::int(-1));
    let mut untrusted = None;
    if let Some(path) = call.opt_str(3) {
        untrusted = certificates_of_file(call, &path, 3)?;
        if untrusted.is_none() {
            return failed;
        }
    }
    let Some(store) = store(call, &call.arr(2), 2)? else { return failed };
    let Some(certificate) = certificate_argument(call, 0)? else { return failed };
    let purpose = i32::try_from(call.int(1)).ok().filter(|purpose| *purpose >= 0);
    match kept(call.vm, store.check(&certificate, untrusted.as_ref(), purpose)) {
        Some(0) => Ok(Val::FALSE),
        Some(1) => Ok(Val::TRUE),
        Some(answer) => {
            keep(call.vm);
            Ok(Val::int(answer as i64))
        }
        None => {
            call.warning("Certificate store initialization failed")?;
            Ok(Val::FALSE)
        }
    }
}
