//! Names of hosts and their addresses.

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::{SockaddrLike, SockaddrStorage};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("gethostbyname(string $hostname): string", gethostbyname),
    FnDef::new("gethostbynamel(string $hostname): array|false", gethostbynamel),
    FnDef::new("gethostbyaddr(string $ip): string|false", gethostbyaddr),
    FnDef::new("net_get_interfaces(): array|false", net_get_interfaces),
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

/// The address itself where it has no name.
fn gethostbyaddr(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(0)?;
    let Some(address) = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<IpAddr>().ok()) else {
        call.warning("Address is not a valid IPv4 or IPv6 address")?;
        return Ok(Val::FALSE);
    };
    Ok(dns_lookup::lookup_addr(&address).map_or_else(|_| text.into(), Val::from))
}

/// An address of the internet, as text.
fn address_text(address: Option<&SockaddrStorage>) -> Option<Val> {
    let address = address?;
    let ip: IpAddr = match (address.as_sockaddr_in(), address.as_sockaddr_in6()) {
        (Some(v4), _) => v4.ip().into(),
        (_, Some(v6)) => v6.ip().into(),
        _ => return None,
    };
    Some(ip.to_string().into())
}

fn net_get_interfaces(call: &mut Call<'_>) -> PhpResult<Val> {
    let addresses = match getifaddrs() {
        Ok(addresses) => addresses,
        Err(error) => {
            call.warning(&format!("getifaddrs() failed {}: {}", error as i32, error.desc()))?;
            return Ok(Val::FALSE);
        }
    };
    let mut interfaces: Vec<(String, Vec<Val>, bool)> = Vec::new();
    for found in addresses {
        let mut unicast = PhpArr::new();
        unicast.set_bytes(b"flags", Val::int(found.flags.bits().into()));
        if let Some(family) = found.address.as_ref().and_then(SockaddrLike::family) {
            unicast.set_bytes(b"family", Val::int((family as i32).into()));
        }
        for (name, address) in [
            ("address", &found.address),
            ("netmask", &found.netmask),
            ("broadcast", &found.broadcast),
            ("ptp", &found.destination),
        ] {
            if let Some(text) = address_text(address.as_ref()) {
                unicast.set_bytes(name.as_bytes(), text);
            }
        }
        let is_up = found.flags.contains(InterfaceFlags::IFF_UP);
        match interfaces.iter_mut().find(|(name, ..)| *name == found.interface_name) {
            Some((_, list, _)) => list.push(unicast.into()),
            None => interfaces.push((found.interface_name, vec![unicast.into()], is_up)),
        }
    }
    let mut all = PhpArr::new();
    for (name, unicast, is_up) in interfaces {
        let mut interface = PhpArr::new();
        interface.set_bytes(b"unicast", PhpArr::from_vec(unicast).into());
        interface.set_bytes(b"up", Val::bool(is_up));
        all.insert(phlox_runtime::Key::from_str(&PhpStr::new(name.as_bytes())), interface.into());
    }
    Ok(all.into())
}
