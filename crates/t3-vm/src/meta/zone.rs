//! timezone: zones of the IANA database by name, and fixed offsets.

use jiff::tz::{Offset, TimeZone};

use super::zone_rules::{self, Period};
use super::{Method, methods};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    getNames 0 0 => get_names,
    getHistory 0 1 => get_history,
    getRules 0 0 => get_rules,
    getLocation 0 0 => get_location,
};

/// A time zone with the name that programs see.
#[derive(Debug, Clone)]
pub struct Zone {
    /// The name.
    pub name: String,
    zone: TimeZone,
    /// Whether the name stands for every abbreviation: fixed offsets.
    fixed: bool,
}

/// Abbreviations of zones that are understood, with their offsets in minutes.
const ABBREVIATIONS: &[(&str, i32)] = &[
    ("EST", -300),
    ("EDT", -240),
    ("CST", -360),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("AKST", -540),
    ("AKDT", -480),
    ("HST", -600),
    ("CET", 60),
    ("CEST", 120),
    ("EET", 120),
    ("EEST", 180),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("MSK", 180),
    ("JST", 540),
];

impl Zone {
    /// Universal time.
    pub fn utc() -> Zone {
        Zone { name: "UTC".to_owned(), zone: TimeZone::UTC, fixed: true }
    }

    /// A fixed offset in seconds.
    pub fn fixed(seconds: i32) -> Option<Zone> {
        if seconds == 0 {
            return Some(Zone::utc());
        }
        let offset = Offset::from_seconds(seconds).ok()?;
        let (sign, size) = (if seconds < 0 { '-' } else { '+' }, seconds.unsigned_abs());
        let mut name = format!("UTC{sign}{}", size / 3600);
        if size % 3600 != 0 {
            name.push_str(&format!(":{:02}", size / 60 % 60));
        }
        if size % 60 != 0 {
            name.push_str(&format!(":{:02}", size % 60));
        }
        Some(Zone { name, zone: TimeZone::fixed(offset), fixed: true })
    }

    /// The zone of the system.
    pub fn local() -> Zone {
        let zone = TimeZone::system();
        match zone.iana_name().map(str::to_owned) {
            Some(name) if name != "UTC" => Zone { name, zone, fixed: false },
            _ => Zone::utc(),
        }
    }

    /// The zone with a name, an abbreviation, or an offset as in `+5:30`.
    pub fn named(name: &str) -> Option<Zone> {
        if name.eq_ignore_ascii_case(":local") {
            return Some(Zone::local());
        }
        if ["z", "utc", "gmt"].iter().any(|universal| name.eq_ignore_ascii_case(universal)) {
            return Some(Zone::utc());
        }
        let offset = name.strip_prefix("UTC").or_else(|| name.strip_prefix("GMT")).unwrap_or(name);
        if let Some(seconds) = offset_seconds(offset) {
            return Zone::fixed(seconds);
        }
        if let Some((abbreviation, minutes)) = ABBREVIATIONS.iter().find(|row| row.0.eq_ignore_ascii_case(name)) {
            let zone = Zone::fixed(minutes * 60)?;
            return Some(Zone { name: (*abbreviation).to_owned(), ..zone });
        }
        let zone = jiff::tz::db().get(name).ok()?;
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Some(Zone { name, zone, fixed: false })
    }

    /// The offset in milliseconds and the abbreviation at a moment.
    pub fn at(&self, milliseconds: i64) -> (i64, String) {
        let Ok(moment) = jiff::Timestamp::from_millisecond(milliseconds) else { return (0, self.name.clone()) };
        let info = self.zone.to_offset_info(moment);
        let name = if self.fixed { self.name.clone() } else { info.abbreviation().to_owned() };
        (i64::from(info.offset().seconds()) * 1000, name)
    }

    /// The moment at which the clocks of the zone show a local time.
    pub fn to_universal(&self, local: i64) -> i64 {
        // The offset at the time itself, taken as universal, is right but near a change; then the one it leads to is.
        let first = local - self.at(local).0;
        local - self.at(first).0
    }
}

/// `+5:30`, `-8`, `-0830`, `+05:30:00` as seconds.
pub(crate) fn offset_seconds(text: &str) -> Option<i32> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let parts: Vec<&str> = match rest.contains(':') {
        true => rest.split(':').collect(),
        false if rest.is_ascii() && rest.len() > 2 => {
            let (hours, minutes) = rest.split_at(rest.len() - 2);
            vec![hours, minutes]
        }
        false => vec![rest],
    };
    if parts.len() > 3 || parts.iter().any(|part| part.is_empty() || part.len() > 2) {
        return None;
    }
    let mut numbers = [0; 3];
    for (number, part) in numbers.iter_mut().zip(parts) {
        *number = part.parse::<i32>().ok()?;
    }
    let [hours, minutes, seconds] = numbers;
    (hours < 24 && minutes < 60 && seconds < 60).then_some(sign * (hours * 3600 + minutes * 60 + seconds))
}

impl Vm {
    /// The zone that an argument names: a TimeZone object or its name.
    pub(crate) fn zone_arg(&self, value: Value) -> Run<Zone> {
        if let Value::Obj(id) = value
            && let Obj::Zone(zone) = self.heap.get(id)
        {
            return Ok((**zone).clone());
        }
        match self.heap.text(value) {
            Some(name) => Zone::named(name).ok_or_else(|| error::error(error::BAD_VAL_BIF)),
            None => fail(error::BAD_TYPE_BIF),
        }
    }
}

/// `new TimeZone(name or minutes?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = match args.get(vm, 0) {
        Value::Nil if args.count == 0 => Zone::local(),
        Value::Int(minutes) => match minutes.checked_mul(60).and_then(Zone::fixed) {
            Some(zone) => zone,
            None => return fail(error::BAD_VAL_BIF),
        },
        value => vm.zone_arg(value)?,
    };
    Ok(Value::Obj(vm.heap.alloc(Obj::Zone(Box::new(zone)))))
}

fn this(vm: &Vm, args: Args) -> Run<Zone> {
    vm.zone_arg(args.this)
}

fn get_names(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = this(vm, args)?.name;
    let name = vm.heap.new_text(name);
    Ok(vm.heap.new_list(vec![name]))
}

/// A period as a list: the date, standard time, what daylight saving adds, the abbreviation.
fn period_list(vm: &mut Vm, zone: &Zone, period: &Period) -> Value {
    let from = period.from.map_or(Value::Nil, |milliseconds| super::date::new_date(vm, milliseconds));
    let rooted = vm.rooted.len();
    vm.rooted.push(from);
    let name = vm.heap.new_text(if zone.fixed { zone.name.as_str() } else { period.name.as_str() });
    vm.rooted.truncate(rooted);
    vm.heap.new_list(vec![from, Value::Int(period.standard as i32), Value::Int(period.save as i32), name])
}

/// The zone's changes up to 2037, or the one that a date comes after.
fn get_history(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = this(vm, args)?;
    if let Some(date) = args.given(vm, 0) {
        let Value::Obj(id) = date else { return fail(error::BAD_TYPE_BIF) };
        let Obj::Date(date) = vm.heap.get(id) else { return fail(error::BAD_TYPE_BIF) };
        return Ok(match zone_rules::period_at(&zone.zone, date.milliseconds) {
            Some(period) => period_list(vm, &zone, &period),
            None => Value::Nil,
        });
    }
    let periods = zone_rules::history(&zone.zone);
    super::seq::collect(vm, |vm| {
        for period in &periods {
            let item = period_list(vm, &zone, period);
            vm.rooted.push(item);
        }
        Ok(())
    })
    .map(|items| vm.heap.new_list(items))
}

/// The changes of every year from then on.
fn get_rules(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = this(vm, args)?;
    let rules = zone_rules::rules(&zone.zone);
    let rooted = vm.rooted.len();
    for rule in &rules {
        let int = |number: i64| Value::Int(number as i32);
        let name = vm.heap.new_text(rule.period.name.as_str());
        let (when, wall) = (vm.heap.new_text(rule.when()), vm.heap.new_text("w"));
        let item = vm.heap.new_list(vec![
            name,
            int(rule.period.standard),
            int(rule.period.save),
            when,
            int(rule.month.into()),
            int(rule.kind as i64),
            int(rule.day.into()),
            int(rule.weekday.into()),
            int(rule.time),
            wall,
        ]);
        vm.rooted.push(item);
    }
    let items = vm.rooted.split_off(rooted);
    Ok(vm.heap.new_list(items))
}

/// Country, latitude, longitude and a description, of which the zone database here has nothing.
fn get_location(vm: &mut Vm, args: Args) -> Run<Value> {
    this(vm, args)?;
    let empty = vm.heap.new_text("");
    Ok(vm.heap.new_list(vec![empty, empty, empty, Value::Nil]))
}
