//! Internet addresses.

use phlox_runtime::{Call, FnDef, PhpResult, Val};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ip2long(string $ip): int|false", ip2long),
    FnDef::new("long2ip(int $ip): string", long2ip),
    FnDef::new("inet_ntop(string $ip): string|false", inet_ntop),
    FnDef::new("inet_pton(string $ip): string|false", inet_pton),
];

fn ip2long(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(0)?;
    let address = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<Ipv4Addr>().ok());
    Ok(address.map_or(Val::FALSE, |address| Val::int(u32::from(address).into())))
}

fn long2ip(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Ipv4Addr::from(call.int(0) as u32).to_string().into())
}

fn inet_ntop(call: &mut Call<'_>) -> PhpResult<Val> {
    let bytes = call.str(0);
    if let Ok(four) = <[u8; 4]>::try_from(bytes.as_bytes()) {
        return Ok(Ipv4Addr::from(four).to_string().into());
    }
    match <[u8; 16]>::try_from(bytes.as_bytes()) {
        // The C library writes the end of an address that has nothing before it as one of version 4.
        Ok([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d]) if (a, b) != (0, 0) => {
            Ok(format!("::{}", Ipv4Addr::new(a, b, c, d)).into())
        }
        Ok(sixteen) => Ok(Ipv6Addr::from(sixteen).to_string().into()),
        Err(_) => Ok(Val::FALSE),
    }
}

fn inet_pton(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(0)?;
    match std::str::from_utf8(&text).ok().and_then(|text| text.parse::<IpAddr>().ok()) {
        Some(IpAddr::V4(address)) => Ok(Val::str(&address.octets())),
        Some(IpAddr::V6(address)) => Ok(Val::str(&address.octets())),
        None => Ok(Val::FALSE),
    }
}
