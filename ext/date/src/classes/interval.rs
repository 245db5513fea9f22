//! `DateInterval`, and the corresponding functions.
//!
//! The amounts are ordinary dynamic properties, which scripts read and write; what they cannot see is held natively.

use super::data::{self, element, restore, subject};
use crate::calendar::Civil;
use crate::difference::difference;
use crate::moment::Moment;
use crate::parse::{self, Parsed, intervals};
use crate::relative::Relative;
use crate::zone::Zone;
use phlox_runtime::class::{Member, MemberHooks, MemberUse, NativeHooks, Purpose, Reach};
use phlox_runtime::{
    Call, FnDef, Key, Level, NativeClass, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, Vm, convert, number,
};
use std::cmp::Ordering;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "date_interval_create_from_date_string(string $datetime): DateInterval|false",
        create_from_date_string_function,
    ),
    FnDef::new("date_interval_format(DateInterval $object, string $format): string", format),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "DateInterval",
    decl: include_str!("../../stubs/DateInterval.stub.php"),
    methods: &[
        ("__construct", construct),
        ("createFromDateString", create_from_date_string),
        ("format", format),
        ("__serialize", serialize),
        ("__unserialize", unserialize),
        ("__wakeup", wakeup),
        ("__set_state", set_state),
    ],
    hooks: NativeHooks {
        create: Some(data::create::<Interval>),
        properties: Some(properties),
        refresh: Some(refresh),
        own_properties: Some(&MEMBERS),
        owns_property: Some(owns_property),
        compare: Some(compare),
        ..NativeHooks::NONE
    },
}];

/// The properties that stand for parts of the interval, in the order of dumps.
const PARTS: &[&str] = &["y", "m", "d", "h", "i", "s", "f", "invert", "days"];

const PROPERTIES: &[&str] = &["date_string", "from_string", "y", "m", "d", "h", "i", "s", "f", "invert", "days"];

#[derive(Clone)]
pub struct Interval {
    pub distance: Relative,
    /// Hours and shorter units are elapsed time, not steps on the clock.
    pub counts_elapsed_time: bool,
    /// The text that the interval was made from, if it was.
    pub date_string: Option<PhpStr>,
}

impl Interval {
    /// An interval of years, months, days and clock time, which was not made from a text.
    pub fn civil(distance: Relative) -> Interval {
        Interval { distance, counts_elapsed_time: false, date_string: None }
    }
}

/// A new `DateInterval`.
pub fn create(vm: &Vm, interval: Interval) -> PhpResult<PhpObj> {
    let class = vm.require_class(b"DateInterval")?;
    let object = vm.instantiate(&class)?;
    data::set(&object, interval);
    Ok(object)
}

/// An argument of class DateInterval.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<Interval> {
    match call.opt_obj(index) {
        Some(object) => data::require(call.vm, &object),
        None => Ok(Interval::civil(Relative::default())),
    }
}

/// The distance of a text in the ISO form.
fn iso_distance(text: &[u8]) -> Result<Relative, &'static str> {
    let parts = intervals::parse(text).ok_or("Unknown or bad format")?;
    if let Some(period) = parts.period {
        return Ok(period);
    }
    let moment = |civil: Civil| Moment::at(civil.seconds(), Zone::Offset(0));
    match (parts.begin, parts.end) {
        (Some(begin), Some(end)) => Ok(difference(&moment(begin), &moment(end))),
        _ => Err("Failed to parse interval"),
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    match iso_distance(&text) {
        Ok(distance) => {
            data::set(call.this(), Interval { distance, counts_elapsed_time: true, date_string: None });
            Ok(Val::NULL)
        }
        Err(problem) => {
            let text = [problem.as_bytes(), b" (", &text, b")"].concat();
            Err(call.vm.throw_class(b"DateMalformedIntervalStringException", &text, 0))
        }
    }
}

/// The distance of a relative text, or the error if the text contains anything else.
fn relative_text(text: &[u8]) -> Result<Parsed, Vec<u8>> {
    let parsed = parse::parse(text);
    if let Some(message) = parsed.messages.errors.first() {
        return Err([b"Unknown or bad format (", text, b") ", &message.describe()].concat());
    }
    if parsed.has_date || parsed.time_count > 0 || parsed.zone_count > 0 {
        return Err([b"String '", phlox_runtime::until_nul(text), b"' contains non-relative elements"].concat());
    }
    Ok(parsed)
}

fn from_text(vm: &Vm, text: PhpStr, parsed: Parsed) -> PhpResult<Val> {
    let interval = Interval { date_string: Some(text), ..Interval::civil(parsed.relative) };
    Ok(create(vm, interval)?.into())
}

fn create_from_date_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    match relative_text(&text) {
        Ok(parsed) => from_text(call.vm, text, parsed),
        Err(problem) => Err(call.vm.throw_class(b"DateMalformedIntervalStringException", &problem, 0)),
    }
}

fn create_from_date_string_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    match relative_text(&text) {
        Ok(parsed) => from_text(call.vm, text, parsed),
        Err(problem) => {
            call.raise(Level::Warning, &problem)?;
            Ok(Val::FALSE)
        }
    }
}

fn format(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first) = subject(call);
    let interval: Interval = data::require(call.vm, &object)?;
    let distance = &interval.distance;
    let pattern = call.str(first);
    let mut text = Vec::new();
    let mut symbols = pattern.iter();
    while let Some(&symbol) = symbols.next() {
        if symbol != b'%' {
            text.push(symbol);
            continue;
        }
        let Some(&symbol) = symbols.next() else { break };
        text.extend_from_slice(field(symbol, distance).as_bytes());
        if !symbol.is_ascii() {
            text.push(symbol);
        }
    }
    Ok(text.into())
}

fn field(symbol: u8, distance: &Relative) -> String {
    // All but the seconds are written as what C calls an int.
    let short = |amount: i64| i64::from(amount as i32);
    let amount = match symbol.to_ascii_lowercase() {
        b'y' => short(distance.year),
        b'm' => short(distance.month),
        b'd' => short(distance.day),
        b'h' => short(distance.hour),
        b'i' => short(distance.minute),
        b's' => distance.second,
        b'f' => distance.microsecond,
        b'a' if symbol == b'a' => return distance.days.map_or("(unknown)".to_owned(), |days| short(days).to_string()),
        b'r' if symbol == b'R' => return if distance.goes_back() { "-" } else { "+" }.to_owned(),
        b'r' => return if distance.goes_back() { "-" } else { "" }.to_owned(),
        b'%' => return "%".to_owned(),
        _ if symbol.is_ascii() => return format!("%{}", symbol as char),
        _ => return "%".to_owned(),
    };
    match symbol {
        b'F' => format!("{amount:06}"),
        b'A'..=b'Z' => format!("{amount:02}"),
        _ => amount.to_string(),
    }
}

/// The number by which PHP's library marks an unknown amount. Scripts see it as an amount.
const UNKNOWN: i64 = -9_999_999;

fn amount(amount: i64) -> Val {
    if amount == UNKNOWN { Val::FALSE } else { Val::int(amount) }
}

/// The value of a property that stands for a part of the interval.
fn part(distance: &Relative, name: &[u8]) -> Option<Val> {
    Some(match name {
        b"y" => amount(distance.year),
        b"m" => amount(distance.month),
        b"d" => amount(distance.day),
        b"h" => amount(distance.hour),
        b"i" => amount(distance.minute),
        b"s" => amount(distance.second),
        // A fraction of exactly -1 is PHP's mark of a property that is none, whose amount is then -1, too.
        b"f" if distance.microsecond == -1_000_000 => Val::int(-1),
        b"f" => Val::double(distance.microsecond as f64 / 1e6),
        b"invert" => Val::int(distance.invert.into()),
        b"days" => distance.days.map_or(Val::FALSE, amount),
        _ => return None,
    })
}

/// Adds the properties that dumps and serialisation show.
fn add_properties(interval: &Interval, table: &mut PhpArr) {
    if let Some(text) = &interval.date_string {
        table.set_bytes(b"from_string", Val::TRUE);
        table.set_bytes(b"date_string", text.into());
        return;
    }
    for name in PARTS {
        let value = match *name {
            "f" => Val::double(interval.distance.microsecond as f64 / 1e6),
            _ => part(&interval.distance, name.as_bytes()).unwrap_or(Val::NULL),
        };
        table.set_bytes(name.as_bytes(), value);
    }
    table.set_bytes(b"from_string", Val::FALSE);
}

/// Writes the parts into the table of properties. A property that a subclass declares stands for the part with its name.
fn refresh(object: &PhpObj) {
    let Some(interval) = data::get::<Interval>(object) else { return };
    let mut shown = PhpArr::new();
    add_properties(&interval, &mut shown);
    for (key, value) in shown.iter() {
        let Key::Str(name) = key else { continue };
        let declared = object.class().props.get(name).filter(|info| info.is_public() && !info.is_static());
        match declared.and_then(|info| object.slots().get(info.slot)) {
            Some(slot) => slot.set(value.clone()),
            None => drop(object.update_dynamic(|table| table.insert(key, value.clone()))),
        }
    }
}

fn properties(_vm: &Vm, object: &PhpObj, _purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    refresh(object);
    Ok(None)
}

/// Parts of an interval that the constructor has filled are read and written natively.
fn owns_property(object: &PhpObj, name: &PhpStr, reach: Reach) -> bool {
    let own = match reach {
        Reach::Read | Reach::Inside => PARTS.iter().any(|part| part.as_bytes() == name.as_bytes()),
        Reach::Write => PARTS.iter().any(|part| part.as_bytes() == name.as_bytes()) && &name[..] != b"days",
        Reach::Unset => false,
    };
    own && object.native::<data::Held<Interval>>().is_some_and(|held| held.0.borrow().is_some())
}

static MEMBERS: MemberHooks = MemberHooks { read, write, exists, unset };

fn name_of<'a>(member: Member<'a>) -> &'a [u8] {
    match member {
        Member::Property(name) => name,
        Member::Element(_) => b"",
    }
}

fn read(_vm: &Vm, object: &PhpObj, member: Member<'_>, _usage: MemberUse) -> PhpResult<Val> {
    let value = data::get::<Interval>(object).and_then(|interval| part(&interval.distance, name_of(member)));
    Ok(value.unwrap_or(Val::NULL))
}

fn exists(vm: &Vm, object: &PhpObj, member: Member<'_>, not_empty: bool) -> PhpResult<bool> {
    Ok(!not_empty || convert::to_bool(&read(vm, object, member, MemberUse::Quiet)?))
}

/// Unsetting a part has no effect on the interval; see [`owns_property`].
fn unset(_vm: &Vm, _object: &PhpObj, _member: Member<'_>) -> PhpResult<()> {
    Ok(())
}

fn write(vm: &Vm, object: &PhpObj, member: Member<'_>, value: Val) -> PhpResult<()> {
    let name = name_of(member);
    let value = match name {
        b"f" => number::double_to_int(convert::to_double(vm, &value)? * 1e6),
        _ => convert::to_int(vm, &value)?,
    };
    let Some(mut interval) = data::get::<Interval>(object) else { return Ok(()) };
    let distance = &mut interval.distance;
    match name {
        b"y" => distance.year = value,
        b"m" => distance.month = value,
        b"d" => distance.day = value,
        b"h" => distance.hour = value,
        b"i" => distance.minute = value,
        b"s" => distance.second = value,
        b"f" => distance.microsecond = value,
        _ => distance.invert = value as i32,
    }
    data::set(object, interval);
    Ok(())
}

fn compare(vm: &Vm, _one: &PhpObj, _two: &PhpObj) -> PhpResult<Option<Ordering>> {
    vm.warning(b"Cannot compare DateInterval objects")?;
    Ok(None)
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let interval: Interval = data::require(call.vm, call.this())?;
    let mut table = PhpArr::new();
    add_properties(&interval, &mut table);
    for (key, value) in convert::object_properties(call.this()).iter() {
        if !table.contains(key) {
            table.insert(key, value.clone());
        }
    }
    Ok(table.into())
}

/// Fills an object from the table that [`serialize`] made.
fn fill(vm: &Vm, object: &PhpObj, table: &PhpArr) -> PhpResult<()> {
    if let Some(text) = element(table, "date_string").and_then(Val::into_str) {
        let parsed = parse::parse(&text);
        if let Some(message) = parsed.messages.errors.first() {
            let place = message.describe();
            let colon = place.windows(2).position(|pair| pair == b": ").unwrap_or(0);
            let (place, rest) = place.split_at(colon);
            let text = [b"Unknown or bad format (", &text[..], b") ", place, b" while unserializing", rest];
            return Err(vm.throw_error(&text.concat()));
        }
        data::set(object, Interval { date_string: Some(text), ..Interval::civil(parsed.relative) });
        return Ok(());
    }
    let scalar = |name: &str| element(table, name).filter(|value| !matches!(value.view(), View::Arr(_) | View::Obj(_)));
    let amount = |name: &str| match scalar(name) {
        Some(value) => convert::to_int(vm, &value),
        None => Ok(-1),
    };
    let distance = Relative {
        year: amount("y")?,
        month: amount("m")?,
        day: amount("d")?,
        hour: amount("h")?,
        minute: amount("i")?,
        second: amount("s")?,
        microsecond: match element(table, "f") {
            Some(value) => number::double_to_int(convert::to_double(vm, &value)? * 1e6),
            None => 0,
        },
        invert: scalar("invert").map_or(Ok(0), |value| convert::to_int(vm, &value))? as i32,
        days: match element(table, "days") {
            Some(value) if value.as_bool() == Some(false) => None,
            _ => Some(amount("days")?),
        },
        ..Relative::default()
    };
    data::set(object, Interval::civil(distance));
    Ok(())
}

fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = call.arr(0);
    fill(call.vm, call.this(), &table)?;
    restore(call.vm, call.this(), &table, PROPERTIES)?;
    Ok(Val::NULL)
}

fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    fill(call.vm, call.this(), &convert::object_properties(call.this()))?;
    Ok(Val::NULL)
}

fn set_state(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.require_class(b"DateInterval")?;
    let object = call.vm.instantiate(&class)?;
    fill(call.vm, &object, &call.arr(0))?;
    Ok(object.into())
}
