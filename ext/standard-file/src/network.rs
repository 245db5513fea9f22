//! Names of hosts and their addresses.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("gethostbyname(string $hostname): string", gethostbyname),
    FnDef::new("gethostbynamel(string $hostname): array|false", gethostbynamel),
    FnDef::new("gethostbyaddr(string $ip): string|false", gethostbyaddr),
];

const LONGEST_NAME: usize = 255;

/// The addresses of version 4 that a host has; none: the name is too long, which was reported.
fn addresses(call: &Call<'_>) -> PhpResult<Option<Vec<Ipv4Addr>>> {
    let name = call.path(0)?;
    if name.len() > LONGEST_NAME {
        call.warning(&format!("Host name cannot be longer than {LONGEST_NAME} characters"))?;
        return Ok(None);
    }
    let found = std::str::from_utf8(&name).ok().and_then(|name| (name, 0).to_socket_addrs().ok());
    let mut addresses = Vec::new();
    for address in found.into_iter().flatten() {
        if let SocketAddr::V4(address) = address
            && !addresses.contains(address.ip())
        {
            addresses.push(*address.ip());
        }
    }
    Ok(Some(addresses))
}

/// The name itself where it has no address.
fn gethostbyname(call: &mut Call<'_>) -> PhpResult<Val> {
    let first = addresses(call)?.and_then(|addresses| addresses.first().copied());
    Ok(first.map_or_else(|| call.str(0).into(), |address| Val::from(address.to_string())))
}

fn gethostbynamel(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(match addresses(call)? {
        Some(addresses) if !addresses.is_empty() => {
            addresses.into_iter().map(|address| Val::from(address.to_string())).collect::<PhpArr>().into()
        }
        _ => Val::FALSE,
    })
}

/// Looks into the file of hosts; name servers are not asked.
fn gethostbyaddr(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(0)?;
    let Some(wanted) = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<IpAddr>().ok()) else {
        call.warning("Address is not a valid IPv4 or IPv6 address")?;
        return Ok(Val::FALSE);
    };
    let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    for line in hosts.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        if words.next().is_some_and(|address| address.parse() == Ok(wanted)) {
            if let Some(name) = words.next() {
                return Ok(Val::str(name.as_bytes()));
            }
        }
    }
    Ok(text.into())
}
