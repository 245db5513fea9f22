//! The server's side of TLS: parameters, a choice of protocols, and certificates by host.

use crate::tls::{SslOptionsOf, os, set_verification};
use crate::tls_peer::fits;
use openssl::dh::Dh;
use openssl::ssl::{AlpnError, NameType, SniError, SslContext, SslContextBuilder, SslFiletype, SslMethod, SslOptions};
use phlox_ext_standard_file::stream::open::warn;
use phlox_runtime::{ArrKey, PhpArr, PhpResult, Val, View, convert};

/// The names of a list in which each is preceded by its length.
fn names(encoded: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = encoded;
    std::iter::from_fn(move || {
        let (&size, tail) = rest.split_first()?;
        let (name, tail) = tail.split_at_checked(size as usize)?;
        rest = tail;
        Some(name)
    })
}

/// Makes the server choose the first of its protocols that the client offers.
pub fn offer_protocols(builder: &mut SslContextBuilder, ours: Vec<u8>) {
    builder.set_alpn_select_callback(move |_, theirs| {
        let common = names(&ours).find_map(|name| names(theirs).find(|other| *other == name));
        common.ok_or(AlpnError::NOACK)
    });
}

/// Sets the options that only servers have. False: that failed, which was reported.
pub fn set_up(options: &SslOptionsOf<'_>, builder: &mut SslContextBuilder) -> PhpResult<bool> {
    let vm = options.vm;
    if options.get("rsa_key_size").is_some() {
        warn(vm, b"rsa_key_size context option has been removed")?;
    }
    if let Some(path) = options.text("dh_param")? {
        let Ok(pem) = std::fs::read(os(&path)) else {
            warn(vm, b"Invalid dh_param")?;
            return Ok(false);
        };
        let Ok(parameters) = Dh::params_from_pem(&pem) else {
            warn(vm, b"Failed reading DH params")?;
            return Ok(false);
        };
        if builder.set_tmp_dh(&parameters).is_err() {
            warn(vm, b"Failed assigning DH params")?;
            return Ok(false);
        }
    }
    if options.flag("single_dh_use") != Some(false) {
        builder.set_options(SslOptions::SINGLE_DH_USE);
    }
    if options.flag("honor_cipher_order") != Some(false) {
        builder.set_options(SslOptions::CIPHER_SERVER_PREFERENCE);
    }
    match options.get("SNI_server_certs") {
        Some(given) if options.flag("SNI_enabled") != Some(false) => set_up_hosts(options, builder, &given),
        _ => Ok(true),
    }
}

fn set_up_hosts(options: &SslOptionsOf<'_>, builder: &mut SslContextBuilder, given: &Val) -> PhpResult<bool> {
    let refuse = |text: &str| {
        warn(options.vm, text.as_bytes())?;
        Ok(false)
    };
    let View::Arr(list) = given.view() else {
        return refuse("SNI_server_certs requires an array mapping host names to cert paths");
    };
    if list.is_empty() {
        return refuse("SNI_server_certs host cert array must not be empty");
    }
    let mut hosts: Vec<(Vec<u8>, SslContext)> = Vec::new();
    for (host, value) in list {
        let ArrKey::Str(host) = host.to_owned() else {
            return refuse("SNI_server_certs array requires string host name keys");
        };
        match context_of(options, &value.deref())? {
            Some(context) => hosts.push((host.to_vec(), context)),
            None => return Ok(false),
        }
    }
    builder.set_servername_callback(move |ssl, _| {
        let asked = ssl.servername(NameType::HOST_NAME).map(|name| name.as_bytes().to_vec()).ok_or(SniError::NOACK)?;
        let (_, context) = hosts.iter().find(|(host, _)| fits(&asked, host)).ok_or(SniError::NOACK)?;
        ssl.set_ssl_context(context).map_err(|_| SniError::NOACK)
    });
    Ok(true)
}

/// The context with the certificate of one host. `None`: it cannot be made, which was reported.
fn context_of(options: &SslOptionsOf<'_>, value: &Val) -> PhpResult<Option<SslContext>> {
    let (certificate, key) = match value.view() {
        View::Arr(parts) => {
            let Some(certificate) = part(options, parts, "local_cert", "local cert chain file")? else {
                return Ok(None);
            };
            let Some(key) = part(options, parts, "local_pk", "local private key file")? else { return Ok(None) };
            (certificate, key)
        }
        View::Str(path) => match options.file(path)? {
            Some(path) => (path.clone(), path),
            None => {
                let shown = phlox_runtime::shown(path).into_owned();
                let text = format!("Failed setting local cert chain file `{shown}'; file not found");
                warn(options.vm, text.as_bytes())?;
                return Ok(None);
            }
        },
        _ => {
            warn(options.vm, b"SNI_server_certs options values must be of type array|string")?;
            return Ok(None);
        }
    };
    let Ok(mut builder) = SslContextBuilder::new(SslMethod::tls_server()) else {
        warn(options.vm, b"Failed to create the SSL context")?;
        return Ok(None);
    };
    if builder.set_certificate_chain_file(os(&certificate)).is_err() {
        let shown = phlox_runtime::shown(&certificate).into_owned();
        let text = format!(
            "Failed setting local cert chain file `{shown}'; check that your cafile/capath settings include details of \
             your certificate and its issuer"
        );
        warn(options.vm, text.as_bytes())?;
        return Ok(None);
    }
    if builder.set_private_key_file(os(&key), SslFiletype::PEM).is_err() {
        let shown = phlox_runtime::shown(&key).into_owned();
        warn(options.vm, format!("Failed setting private key from file `{shown}'").as_bytes())?;
        return Ok(None);
    }
    Ok(set_verification(options, &mut builder, false)?.then(|| builder.build()))
}

fn part(options: &SslOptionsOf<'_>, parts: &PhpArr, name: &str, what: &str) -> PhpResult<Option<Vec<u8>>> {
    let Some(value) = parts.get_bytes(name.as_bytes()) else {
        warn(options.vm, format!("{name} not present in the array").as_bytes())?;
        return Ok(None);
    };
    let path = convert::to_str(options.vm, &value.deref())?;
    let found = options.file(&path)?;
    if found.is_none() {
        let shown = phlox_runtime::shown(&path).into_owned();
        warn(options.vm, format!("Failed setting {what} `{shown}'; could not open file").as_bytes())?;
    }
    Ok(found)
}
