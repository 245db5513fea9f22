//! Records of the domain name system.

mod records;
mod resolver;

use domain::base::{Message, Rtype};
use domain::rdata::Mx;
use phlox_runtime::{Call, ConstValue, FnDef, PhpArr, PhpResult, Val};
use resolver::{Failure, Resolver};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("dns_check_record(string $hostname, string $type = \"MX\"): bool", dns_check_record),
    FnDef::new("checkdnsrr(string $hostname, string $type = \"MX\"): bool", dns_check_record),
    FnDef::new(
        "dns_get_record(string $hostname, int $type = DNS_ANY, &$authoritative_name_servers = null, &$additional_records = null, bool $raw = false): array|false",
        dns_get_record,
    ),
    FnDef::new("dns_get_mx(string $hostname, &$hosts, &$weights = null): bool", dns_get_mx),
    FnDef::new("getmxrr(string $hostname, &$hosts, &$weights = null): bool", dns_get_mx),
];

const A6: Rtype = Rtype::from_int(38);
const ANY: i64 = 0x1000_0000;
const ALL: i64 = 0x0f00_f833;

/// The types: what scripts call them, their bits in masks, in the order in which a mask is asked for.
const TYPES: [(&str, i64, Rtype); 13] = [
    ("A", 0x1, Rtype::A),
    ("NS", 0x2, Rtype::NS),
    ("CNAME", 0x10, Rtype::CNAME),
    ("SOA", 0x20, Rtype::SOA),
    ("PTR", 0x800, Rtype::PTR),
    ("HINFO", 0x1000, Rtype::HINFO),
    ("MX", 0x4000, Rtype::MX),
    ("TXT", 0x8000, Rtype::TXT),
    ("AAAA", 0x0800_0000, Rtype::AAAA),
    ("SRV", 0x0200_0000, Rtype::SRV),
    ("NAPTR", 0x0400_0000, Rtype::NAPTR),
    ("A6", 0x0100_0000, A6),
    ("CAA", 0x2000, Rtype::CAA),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("DNS_A", ConstValue::Int(TYPES[0].1)),
    ("DNS_NS", ConstValue::Int(TYPES[1].1)),
    ("DNS_CNAME", ConstValue::Int(TYPES[2].1)),
    ("DNS_SOA", ConstValue::Int(TYPES[3].1)),
    ("DNS_PTR", ConstValue::Int(TYPES[4].1)),
    ("DNS_HINFO", ConstValue::Int(TYPES[5].1)),
    ("DNS_CAA", ConstValue::Int(TYPES[12].1)),
    ("DNS_MX", ConstValue::Int(TYPES[6].1)),
    ("DNS_TXT", ConstValue::Int(TYPES[7].1)),
    ("DNS_SRV", ConstValue::Int(TYPES[9].1)),
    ("DNS_NAPTR", ConstValue::Int(TYPES[10].1)),
    ("DNS_AAAA", ConstValue::Int(TYPES[8].1)),
    ("DNS_A6", ConstValue::Int(TYPES[11].1)),
    ("DNS_ANY", ConstValue::Int(ANY)),
    ("DNS_ALL", ConstValue::Int(ALL)),
];

fn dns_check_record(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, wanted) = (call.path(0)?, call.str(1));
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    // The information about the host is no type that can be looked for.
    let known =
        TYPES.iter().find(|(type_name, ..)| *type_name != "HINFO" && wanted.eq_ignore_ascii_case(type_name.as_bytes()));
    let kind = match known {
        Some((_, _, kind)) => *kind,
        None if wanted.eq_ignore_ascii_case(b"ANY") => Rtype::ANY,
        None => return Err(call.value_error(1, "must be a valid DNS record type")),
    };
    Ok(Val::bool(Resolver::of_system().search(&name, kind).is_ok()))
}

/// The questions that a mask stands for, each with a flag whether its answers belong to the result. If further records
/// are wanted, another question asks for all types, whose answers do not.
fn questions(mask: i64, further: bool) -> Vec<(Rtype, bool)> {
    if mask == ANY {
        return vec![(Rtype::ANY, true)];
    }
    let mut all: Vec<_> = TYPES.iter().filter(|(_, bit, _)| mask & bit != 0).map(|row| (row.2, true)).collect();
    if further {
        all.push((Rtype::ANY, false));
    }
    all
}

fn dns_get_record(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, mask, raw) = (call.path(0)?, call.int(1), call.bool(4));
    let (wants_authority, wants_additional) = (call.was_passed(2), call.was_passed(3));
    if !raw && mask & !ALL != 0 && mask != ANY {
        return Err(call.value_error(1, "must be a DNS_* constant"));
    }
    if raw && !(1..=0xffff).contains(&mask) {
        return Err(call.value_error(1, "must be between 1 and 65535 when argument #5 ($raw) is true"));
    }
    let questions = match raw {
        true => vec![(Rtype::from_int(mask as u16), true)],
        false => questions(mask, wants_additional),
    };
    let resolver = Resolver::of_system();
    let [mut found, mut authority, mut additional] = [PhpArr::new(), PhpArr::new(), PhpArr::new()];
    let mut failed = false;
    for (kind, counts) in questions {
        let answer = match resolver.search(&name, kind) {
            Ok(answer) => answer,
            Err(Failure::NotFound | Failure::NoData) => continue,
            Err(failure) => {
                call.warning(match failure {
                    Failure::Permanent => "An unexpected server failure occurred.",
                    _ => "A temporary server error occurred.",
                })?;
                failed = true;
                break;
            }
        };
        let only = (kind != Rtype::ANY).then_some(kind);
        if counts {
            records::collect(answer.answer(), only, raw, &mut found);
        }
        if wants_authority {
            records::collect(answer.authority(), None, raw, &mut authority);
        }
        if wants_additional {
            records::collect(answer.additional(), None, raw, &mut additional);
        }
    }
    if wants_authority {
        call.assign(2, authority.into())?;
    }
    if wants_additional {
        call.assign(3, additional.into())?;
    }
    Ok(if failed { Val::FALSE } else { found.into() })
}

fn exchanges(answer: &Message<Vec<u8>>) -> Vec<(u16, String)> {
    let Ok(section) = answer.answer() else { return Vec::new() };
    let records = section.limit_to::<Mx<_>>().filter_map(Result::ok);
    records.map(|record| (record.data().preference(), records::name_text(record.data().exchange()))).collect()
}

fn dns_get_mx(call: &mut Call<'_>) -> PhpResult<Val> {
    let answer = Resolver::of_system().search(&call.path(0)?, Rtype::MX);
    let found = answer.as_ref().map(exchanges).unwrap_or_default();
    let hosts: PhpArr = found.iter().map(|(_, host)| Val::from(host.as_str())).collect();
    let weights: PhpArr = found.iter().map(|(weight, _)| Val::int((*weight).into())).collect();
    call.assign(1, hosts.into())?;
    if call.was_passed(2) {
        call.assign(2, weights.into())?;
    }
    Ok(Val::bool(!found.is_empty()))
}
