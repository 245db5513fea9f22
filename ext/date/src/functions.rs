//! The functions on timestamps and on text.

use crate::calendar::{Civil, days_in_month};
use crate::format::{MONTHS, WEEKDAYS, field, format, format_universal};
use crate::moment::{Moment, now};
use crate::parse::{self, Parsed};
use crate::relative::{Edge, Relative, Special};
use crate::zone::Zone;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, Val, Vm};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("strtotime(string $datetime, ?int $baseTimestamp = null): int|false", strtotime),
    FnDef::new("date(string $format, ?int $timestamp = null): string", date)
        .fast_path(|args| formatted(args, Zone::default, format)),
    FnDef::new("idate(string $format, ?int $timestamp = null): int|false", idate),
    FnDef::new("gmdate(string $format, ?int $timestamp = null): string", gmdate)
        .fast_path(|args| formatted(args, |_| Zone::utc(), format_universal)),
    FnDef::new(
        "mktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false",
        mktime,
    )
    .fast_path(|args| {
        // Integers only, which need no conversion.
        let given = args.iter().all(|value| value.as_int().is_some());
        given.then(|| Some(make(|index| args.get(index)?.as_int(), Zone::default(Vm::current()?))))?
    }),
    FnDef::new(
        "gmmktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false",
        gmmktime,
    ),
    FnDef::new("checkdate(int $month, int $day, int $year): bool", checkdate).fast_path(|args| match args {
        [month, day, year] => Some(Val::bool(is_date(month.as_int()?, day.as_int()?, year.as_int()?))),
        _ => None,
    }),
    FnDef::new("time(): int", time).fast_path(|_| Some(Val::int(now().0))),
    FnDef::new("localtime(?int $timestamp = null, bool $associative = false): array", localtime),
    FnDef::new("getdate(?int $timestamp = null): array", getdate),
    FnDef::new("date_parse(string $datetime): array", date_parse),
    FnDef::new("date_parse_from_format(string $format, string $datetime): array", date_parse_from_format),
];

fn timestamp(call: &Call<'_>, index: usize) -> i64 {
    call.opt_int(index).unwrap_or_else(|| now().0)
}

fn local(call: &Call<'_>, index: usize) -> Moment {
    Moment::at(timestamp(call, index), Zone::default(call.vm))
}

/// A moment, now if no other is given, as text.
fn formatted(args: &[Val], zone: fn(&Vm) -> Zone, text: fn(&[u8], &Moment) -> Vec<u8>) -> Option<Val> {
    let pattern = args.first()?.as_str()?;
    let timestamp = match args.get(1) {
        None => now().0,
        Some(timestamp) => timestamp.as_int()?,
    };
    Some(text(pattern, &Moment::at(timestamp, zone(Vm::current()?))).into())
}

fn strtotime(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    if text.is_empty() {
        return Ok(Val::FALSE);
    }
    let parsed = parse::parse(&text);
    if !parsed.messages.errors.is_empty() {
        return Ok(Val::FALSE);
    }
    Ok(Val::int(Moment::from_parsed(&parsed, &local(call, 1), false).timestamp))
}

fn date(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(format(&call.str(0), &local(call, 1)).into())
}

fn gmdate(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(format_universal(&call.str(0), &Moment::at(timestamp(call, 1), Zone::utc())).into())
}

fn idate(call: &mut Call<'_>) -> PhpResult<Val> {
    let pattern = call.str(0);
    let [symbol] = pattern.as_bytes() else {
        call.warning("idate format is one char")?;
        return Ok(Val::FALSE);
    };
    let moment = local(call, 1);
    let known = b"BdjhgHGiILmnNosStUwWyYzZ".contains(symbol);
    match field(*symbol, &moment, &moment.offset()).filter(|_| known) {
        // PHP keeps the result in a C `int`, where -1 means an unknown symbol.
        Some(text) if text.parse::<i64>().unwrap_or(0) as i32 != -1 => {
            Ok(Val::int((text.parse::<i64>().unwrap_or(0) as i32).into()))
        }
        _ => {
            call.warning("Unrecognized date format token")?;
            Ok(Val::FALSE)
        }
    }
}

/// The timestamp of local fields; those that are not given are those of now.
fn make(given: impl Fn(usize) -> Option<i64>, zone: Zone) -> Val {
    let mut moment = Moment::at(now().0, zone);
    let civil = &mut moment.civil;
    civil.hour = given(0).unwrap_or(0);
    let fields = [&mut civil.minute, &mut civil.second, &mut civil.month, &mut civil.day];
    for (index, field) in fields.into_iter().enumerate() {
        *field = given(index + 1).unwrap_or(*field);
    }
    civil.year = match given(5) {
        Some(year @ 0..70) => year + 2000,
        Some(year @ 70..=100) => year + 1900,
        Some(year) => year,
        None => civil.year,
    };
    moment.knows_zone = false;
    moment.resolve_fields();
    Val::int(moment.timestamp)
}

fn mktime(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(make(|index| call.opt_int(index), Zone::default(call.vm)))
}

fn gmmktime(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(make(|index| call.opt_int(index), Zone::utc()))
}

fn checkdate(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(is_date(call.int(0), call.int(1), call.int(2))))
}

fn is_date(month: i64, day: i64, year: i64) -> bool {
    let valid = (1..=32_767).contains(&year) && (1..=12).contains(&month) && day >= 1;
    valid && day <= days_in_month(year, month)
}

fn time(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(now().0))
}

fn getdate(call: &mut Call<'_>) -> PhpResult<Val> {
    let moment = local(call, 0);
    let civil = moment.civil;
    let mut array = PhpArr::with_capacity(0);
    let fields = [
        ("seconds", civil.second),
        ("minutes", civil.minute),
        ("hours", civil.hour),
        ("mday", civil.day),
        ("wday", civil.weekday()),
        ("mon", civil.month),
        ("year", civil.year),
        ("yday", civil.day_of_year()),
    ];
    for (name, value) in fields {
        array.set_bytes(name.as_bytes(), Val::int(value));
    }
    array.set_bytes(b"weekday", WEEKDAYS[civil.weekday() as usize].into());
    array.set_bytes(b"month", MONTHS[civil.month as usize - 1].into());
    let _ = array.insert(Key::Int(0), Val::int(moment.timestamp));
    Ok(array.into())
}

fn localtime(call: &mut Call<'_>) -> PhpResult<Val> {
    let moment = local(call, 0);
    let Civil { year, month, day, hour, minute, second } = moment.civil;
    let fields = [
        ("tm_sec", second),
        ("tm_min", minute),
        ("tm_hour", hour),
        ("tm_mday", day),
        ("tm_mon", month - 1),
        ("tm_year", year - 1900),
        ("tm_wday", moment.civil.weekday()),
        ("tm_yday", moment.civil.day_of_year()),
        ("tm_isdst", moment.daylight_saving as i64),
    ];
    let mut array = PhpArr::new();
    for (name, value) in fields {
        if call.bool(1) {
            array.set_bytes(name.as_bytes(), Val::int(value));
        } else {
            let _ = array.push(Val::int(value));
        }
    }
    Ok(array.into())
}

fn date_parse(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(describe(&parse::parse(&call.str(0))).into())
}

fn date_parse_from_format(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.path(1)?;
    Ok(describe(&parse::from_format::parse(&call.str(0), &text)).into())
}

/// The result of `date_parse()`.
fn describe(parsed: &Parsed) -> PhpArr {
    let number = |part: Option<i64>| part.map_or(Val::FALSE, Val::int);
    let mut array = PhpArr::new();
    let fields = [
        ("year", parsed.year),
        ("month", parsed.month),
        ("day", parsed.day),
        ("hour", parsed.hour),
        ("minute", parsed.minute),
        ("second", parsed.second),
    ];
    for (name, part) in fields {
        array.set_bytes(name.as_bytes(), number(part));
    }
    let fraction = parsed.microsecond.map_or(Val::FALSE, |value| Val::double(value as f64 / 1e6));
    array.set_bytes(b"fraction", fraction);
    parsed.messages.describe(&mut array);
    array.set_bytes(b"is_localtime", parsed.is_local.into());
    if parsed.is_local {
        array.set_bytes(b"zone_type", Val::int(parsed.zone.as_ref().map_or(0, Zone::kind)));
    }
    match &parsed.zone {
        Some(Zone::Offset(seconds)) => {
            array.set_bytes(b"zone", Val::int(*seconds));
            array.set_bytes(b"is_dst", Val::FALSE);
        }
        Some(Zone::Abbreviation { letters, standard_offset, daylight_saving }) => {
            array.set_bytes(b"zone", Val::int(*standard_offset));
            array.set_bytes(b"is_dst", (*daylight_saving).into());
            array.set_bytes(b"tz_abbr", letters.as_str().into());
        }
        Some(Zone::Named(rules)) => {
            if rules.name == "UTC" {
                array.set_bytes(b"tz_abbr", "UTC".into());
            }
            array.set_bytes(b"tz_id", rules.name.as_str().into());
        }
        None => {}
    }
    if parsed.has_relative {
        array.set_bytes(b"relative", describe_relative(&parsed.relative).into());
    }
    array
}

fn describe_relative(relative: &Relative) -> PhpArr {
    let mut array = PhpArr::new();
    let fields = [
        ("year", relative.year),
        ("month", relative.month),
        ("day", relative.day),
        ("hour", relative.hour),
        ("minute", relative.minute),
        ("second", relative.second),
    ];
    for (name, value) in fields {
        array.set_bytes(name.as_bytes(), Val::int(value));
    }
    if let Some(step) = relative.weekday {
        array.set_bytes(b"weekday", Val::int(step.weekday));
    }
    if let Some(Special::Workdays(count)) = relative.special {
        array.set_bytes(b"weekdays", Val::int(count));
    }
    match relative.edge {
        Some(Edge::FirstDay) => array.set_bytes(b"first_day_of_month", Val::TRUE),
        Some(Edge::LastDay) => array.set_bytes(b"last_day_of_month", Val::TRUE),
        None => {}
    }
    array
}
