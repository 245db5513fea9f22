//! Names and numbers of services and protocols, from the system's lists.

use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("getservbyname(string $service, string $protocol): int|false", getservbyname),
    FnDef::new("getservbyport(int $port, string $protocol): string|false", getservbyport),
    FnDef::new("getprotobyname(string $protocol): int|false", getprotobyname),
    FnDef::new("getprotobynumber(int $protocol): string|false", getprotobynumber),
];

const SERVICES: &str = "/etc/services";
const PROTOCOLS: &str = "/etc/protocols";

/// The first answer of a list's lines: name, number, aliases.
fn find<T>(list: &str, answer: impl Fn(&str, &str, &[&str]) -> Option<T>) -> Option<T> {
    // If the system has no such list, no name is known.
    let text = String::from_utf8_lossy(&std::fs::read(list).ok()?).into_owned();
    text.lines().find_map(|line| {
        let words: Vec<&str> = line.split('#').next()?.split_ascii_whitespace().collect();
        let [name, number, aliases @ ..] = &words[..] else { return None };
        answer(name, number, aliases)
    })
}

fn is_called(wanted: &str, name: &str, aliases: &[&str]) -> bool {
    name == wanted || aliases.contains(&wanted)
}

fn getservbyname(call: &mut Call<'_>) -> PhpResult<Val> {
    let (service, protocol) = (call.path(0)?.to_string(), call.path(1)?.to_string());
    let port = find(SERVICES, |name, number, aliases| {
        let (port, kind) = number.split_once('/')?;
        (kind == protocol && is_called(&service, name, aliases)).then(|| port.parse::<i64>().ok())?
    });
    Ok(port.map_or(Val::FALSE, Val::int))
}

fn getservbyport(call: &mut Call<'_>) -> PhpResult<Val> {
    let wanted = format!("{}/{}", call.int(0) as u16, call.path(1)?);
    let name = find(SERVICES, |name, number, _| (number == wanted).then(|| name.to_owned()));
    Ok(name.map_or(Val::FALSE, Val::from))
}

fn getprotobyname(call: &mut Call<'_>) -> PhpResult<Val> {
    let protocol = call.path(0)?.to_string();
    let number = find(PROTOCOLS, |name, number, aliases| {
        is_called(&protocol, name, aliases).then(|| number.parse::<i64>().ok())?
    });
    Ok(number.map_or(Val::FALSE, Val::int))
}

fn getprotobynumber(call: &mut Call<'_>) -> PhpResult<Val> {
    let wanted = call.int(0).to_string();
    let name = find(PROTOCOLS, |name, number, _| (number == wanted).then(|| name.to_owned()));
    Ok(name.map_or(Val::FALSE, Val::from))
}
