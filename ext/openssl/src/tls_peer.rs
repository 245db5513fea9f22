//! The verification of the peer of a TLS connection.

use crate::tls::SslOptionsOf;
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::ssl::{SslContextBuilder, SslRef};
use openssl::x509::{X509, X509Ref, X509VerifyResult};
use phlox_ext_standard_file::stream::open::{self, Options, warn};
use phlox_runtime::{ArrKey, PhpResult, Val, View, Vm};

/// libcrypto's number of the error about a certificate that signs itself and is not trusted.
pub const SELF_SIGNED: i32 = 18;

/// Whether certificate, fingerprint and name of the peer are accepted. Failures are reported.
pub fn accepts(options: &SslOptionsOf<'_>, ssl: &SslRef, client: bool, host: Option<&[u8]>) -> PhpResult<bool> {
    let vm = options.vm;
    let checks_peer = options.flag("verify_peer").unwrap_or(client);
    let checks_name = options.flag("verify_peer_name").unwrap_or(client);
    let fingerprint = options.get("peer_fingerprint");
    if !checks_peer && !checks_name && fingerprint.is_none() {
        return Ok(true);
    }
    let Some(certificate) = ssl.peer_certificate() else {
        warn(vm, b"Could not get peer certificate")?;
        return Ok(false);
    };
    if checks_peer {
        let result = ssl.verify_result();
        let alone = result.as_raw() == SELF_SIGNED;
        if result != X509VerifyResult::OK && !(alone && options.flag("allow_self_signed") == Some(true)) {
            let text = format!("Could not verify peer: code:{} {}", result.as_raw(), result.error_string());
            warn(vm, text.as_bytes())?;
            return Ok(false);
        }
    }
    if let Some(expected) = fingerprint {
        if expected.as_str().is_none() && expected.as_arr().is_none() {
            warn(vm, b"Expected peer fingerprint must be a string or an array")?;
            return Ok(false);
        }
        if !has_fingerprint(vm, &certificate, &expected)? {
            warn(vm, b"peer_fingerprint match failure")?;
            return Ok(false);
        }
    }
    if !checks_name {
        return Ok(true);
    }
    let wanted = options.text("peer_name")?.map(|name| name.to_vec());
    let Some(wanted) = wanted.or_else(|| host.filter(|_| client).map(<[u8]>::to_vec)) else { return Ok(false) };
    Ok(is_alternative_name(&certificate, &wanted) || is_common_name(vm, &certificate, &wanted)?)
}

fn is_equal(vm: &Vm, certificate: &X509Ref, algorithm: &str, expected: &[u8]) -> PhpResult<bool> {
    let Some(digest) = MessageDigest::from_name(algorithm) else {
        warn(vm, b"Unknown digest algorithm")?;
        return Ok(false);
    };
    let found =
        certificate.digest(digest).map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    Ok(found.is_ok_and(|found| found.as_bytes().eq_ignore_ascii_case(expected)))
}

/// Whether the certificate has a fingerprint. The length of a text tells MD5 or SHA-1; an array names algorithms, all
/// of which must agree.
fn has_fingerprint(vm: &Vm, certificate: &X509Ref, expected: &Val) -> PhpResult<bool> {
    match expected.view() {
        View::Str(text) => match text.len() {
            32 => is_equal(vm, certificate, "md5", text),
            40 => is_equal(vm, certificate, "sha1", text),
            _ => Ok(false),
        },
        View::Arr(list) => {
            let malformed = b"Invalid peer_fingerprint array; [algo => fingerprint] form required";
            if list.is_empty() {
                warn(vm, malformed)?;
                return Ok(false);
            }
            for (algorithm, value) in list {
                let (ArrKey::Str(algorithm), Some(text)) = (algorithm.to_owned(), value.deref().into_str()) else {
                    warn(vm, malformed)?;
                    return Ok(false);
                };
                if !is_equal(vm, certificate, &phlox_runtime::shown(&algorithm), &text)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Whether a name of a certificate matches a host. Its leftmost part may contain a star.
pub fn fits(host: &[u8], name: &[u8]) -> bool {
    if host.eq_ignore_ascii_case(name) {
        return true;
    }
    let Some(star) = name.iter().position(|&byte| byte == b'*') else { return false };
    let (before, after) = (&name[..star], &name[star + 1..]);
    if before.contains(&b'.') || host.len() < before.len() + after.len() {
        return false;
    }
    let (start, rest) = host.split_at(before.len());
    let (middle, end) = rest.split_at(rest.len() - after.len());
    start.eq_ignore_ascii_case(before) && end.eq_ignore_ascii_case(after) && !middle.contains(&b'.')
}

fn is_alternative_name(certificate: &X509, host: &[u8]) -> bool {
    let address = std::str::from_utf8(host).ok().and_then(|host| host.parse::<std::net::IpAddr>().ok());
    certificate.subject_alt_names().into_iter().flatten().any(|name| {
        if let Some(name) = name.dnsname() {
            let name = name.as_bytes();
            return !name.contains(&0) && fits(host, name.strip_suffix(b".").unwrap_or(name));
        }
        match (name.ipaddress(), address) {
            (Some(bytes), Some(std::net::IpAddr::V4(address))) => bytes == address.octets(),
            (Some(bytes), Some(std::net::IpAddr::V6(address))) => bytes == address.octets(),
            _ => false,
        }
    })
}

fn is_common_name(vm: &Vm, certificate: &X509Ref, host: &[u8]) -> PhpResult<bool> {
    let subject = certificate.subject_name();
    let Some(entry) = subject.entries_by_nid(Nid::COMMONNAME).next() else {
        warn(vm, b"Unable to locate peer certificate CN")?;
        return Ok(false);
    };
    let name = entry.data().as_slice();
    if name.contains(&0) {
        warn(vm, &[b"Peer certificate CN=`", name, b"' is malformed"].concat())?;
        return Ok(false);
    }
    if fits(host, name) {
        return Ok(true);
    }
    warn(vm, &[b"Peer certificate CN=`", name, b"' did not match expected CN=`", host, b"'"].concat())?;
    Ok(false)
}

/// Trusts the certificates of a stream of a local wrapper. False: that failed, which was reported.
pub fn trust_stream(vm: &Vm, builder: &mut SslContextBuilder, url: &[u8]) -> PhpResult<bool> {
    let shown = phlox_runtime::shown(url).into_owned();
    let local = open::locate(vm, url, false)?.is_some_and(|(wrapper, _)| wrapper.is_local());
    let Some(stream) = open::open(vm, url, "rb", &Options::default())? else {
        vm.warning(format!("failed loading cafile stream: `{shown}'").as_bytes())?;
        return Ok(false);
    };
    if !local {
        vm.warning(b"remote cafile streams are disabled for security purposes")?;
        return Ok(false);
    }
    let text = stream.read_all(vm, None)?;
    let certificates = X509::stack_from_pem(&text).unwrap_or_default();
    let mut added = 0;
    for certificate in certificates {
        added += builder.cert_store_mut().add_cert(certificate).is_ok() as usize;
    }
    if added == 0 {
        vm.warning(format!("no valid certs found cafile stream: `{shown}'").as_bytes())?;
    }
    Ok(added > 0)
}
