//! `DateInterval`, and the functions that do the same.
//!
//! The amounts are ordinary dynamic properties, which scripts read and write; what they cannot see is held natively.

use super::data::{self, element, restore, subject, uninitialized};
use crate::calendar::Civil;
use crate::difference::difference;
use crate::moment::Moment;
use crate::parse::{self, Parsed, intervals};
use crate::relative::Relative;
use crate::zone::Zone;
use phlox_runtime::class::{NativeHooks, Purpose};
use phlox_runtime::{
    Call, FnDef, Key, Level, NativeClass, PhpArr, PhpObj, PhpResult, PhpStr, Val, View, Vm, convert, number,
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
    decl: "class DateInterval {
        public function __construct(string $duration) {}
        public static function createFromDateString(string $datetime): DateInterval {}
        public function format(string $format): string {}
        #[real_return] public function __serialize(): array {}
        #[real_return] public function __unserialize(array $data): void {}
        public function __wakeup(): void {}
        public static function __set_state(array $array): DateInterval {}
    }",
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
        debug_info: Some(debug_info),
        properties: Some(properties),
        compare: Some(compare),
        ..NativeHooks::NONE
    },
}];

const PROPERTIES: &[&str] = &["date_string", "from_string", "y", "m", "d", "h", "i", "s", "f", "invert", "days"];

#[derive(Clone)]
pub struct Interval {
    pub distance: Relative,
    /// Hours and shorter are time that passes, not steps on the clock.
    pub counts_elapsed_time: bool,
    /// The text that it was made from, if it was.
    pub date_string: Option<PhpStr>,
}

impl Interval {
    pub fn civil(distance: Relative) -> Interval {
        Interval { distance, counts_elapsed_time: false, date_string: None }
    }
}

/// Native contents and visible properties at once.
pub fn store(object: &PhpObj, interval: Interval) {
    let distance = &interval.distance;
    let amounts = [
        ("y", distance.year),
        ("m", distance.month),
        ("d", distance.day),
        ("h", distance.hour),
        ("i", distance.minute),
        ("s", distance.second),
    ];
    object.update_dynamic(|table| {
        for (name, amount) in amounts {
            table.set_bytes(name.as_bytes(), Val::int(amount));
        }
        table.set_bytes(b"f", Val::double(distance.microsecond as f64 / 1e6));
        table.set_bytes(b"invert", Val::int(distance.invert as i64));
        table.set_bytes(b"days", distance.days.map_or(Val::FALSE, Val::int));
        table.set_bytes(b"from_string", interval.date_string.is_some().into());
        if let Some(text) = &interval.date_string {
            table.set_bytes(b"date_string", text.into());
        }
    });
    data::set(object, interval);
}

pub fn create(vm: &Vm, interval: Interval) -> PhpResult<PhpObj> {
    let class = vm.require_class(b"DateInterval")?;
    let object = vm.instantiate(&class)?;
    store(&object, interval);
    Ok(object)
}

/// A property as an integer; objects and arrays count as one.
fn integer(value: &Val) -> i64 {
    match value.view() {
        View::Int(value) => value,
        View::Double(value) => number::double_to_int(value),
        View::Bool(value) => value as i64,
        View::Str(text) => number::string_to_int(text),
        View::Null | View::Undef => 0,
        _ => 1,
    }
}

fn float(value: &Val) -> f64 {
    match value.view() {
        View::Double(value) => value,
        View::Str(text) => number::string_to_double(text),
        _ => integer(value) as f64,
    }
}

/// The interval with what scripts have assigned to the properties.
pub fn load(vm: &Vm, object: &PhpObj) -> PhpResult<Interval> {
    let Some(mut interval) = data::get::<Interval>(object) else { return Err(uninitialized(vm, object)) };
    let table = object.dynamic().unwrap_or_default();
    let distance = &mut interval.distance;
    let fields = [
        ("y", &mut distance.year),
        ("m", &mut distance.month),
        ("d", &mut distance.day),
        ("h", &mut distance.hour),
        ("i", &mut distance.minute),
        ("s", &mut distance.second),
    ];
    for (name, field) in fields {
        *field = element(&table, name).map_or(*field, |value| integer(&value));
    }
    if let Some(fraction) = element(&table, "f") {
        distance.microsecond = number::double_to_int(float(&fraction) * 1e6);
    }
    if let Some(invert) = element(&table, "invert") {
        distance.invert = integer(&invert) != 0;
    }
    Ok(interval)
}

/// An argument of class DateInterval.
pub fn argument(call: &Call<'_>, index: usize) -> PhpResult<Interval> {
    match call.opt_obj(index) {
        Some(object) => load(call.vm, &object),
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
            store(call.this(), Interval { distance, counts_elapsed_time: true, date_string: None });
            Ok(Val::NULL)
        }
        Err(problem) => {
            let text = [problem.as_bytes(), b" (", &text, b")"].concat();
            Err(call.vm.throw_class(b"DateMalformedIntervalStringException", &text, 0))
        }
    }
}

/// The distance of a text that has nothing else in it; else the complaint.
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
    let interval = load(call.vm, &object)?;
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
        b'r' if symbol == b'R' => return if distance.invert { "-" } else { "+" }.to_owned(),
        b'r' => return if distance.invert { "-" } else { "" }.to_owned(),
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

/// Adds what dumps and serialisation show.
fn add_properties(interval: &Interval, table: &mut PhpArr) {
    if let Some(text) = &interval.date_string {
        table.set_bytes(b"from_string", Val::TRUE);
        table.set_bytes(b"date_string", text.into());
        return;
    }
    let distance = &interval.distance;
    let amounts = [
        ("y", distance.year),
        ("m", distance.month),
        ("d", distance.day),
        ("h", distance.hour),
        ("i", distance.minute),
        ("s", distance.second),
    ];
    for (name, amount) in amounts {
        table.set_bytes(name.as_bytes(), Val::int(amount));
    }
    table.set_bytes(b"f", Val::double(distance.microsecond as f64 / 1e6));
    table.set_bytes(b"invert", Val::int(distance.invert as i64));
    table.set_bytes(b"days", distance.days.map_or(Val::FALSE, Val::int));
    table.set_bytes(b"from_string", Val::FALSE);
}

fn debug_info(vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = convert::object_properties(object);
    if data::get::<Interval>(object).is_some() {
        let interval = load(vm, object)?;
        if interval.date_string.is_some() {
            for name in PROPERTIES {
                table.remove(Key::Str(&(*name).into()));
            }
        }
        add_properties(&interval, &mut table);
    }
    Ok(table)
}

fn properties(vm: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    if purpose == Purpose::ObjectVars {
        return Ok(None);
    }
    debug_info(vm, object).map(Some)
}

fn compare(vm: &Vm, _one: &PhpObj, _two: &PhpObj) -> PhpResult<Option<Ordering>> {
    vm.warning(b"Cannot compare DateInterval objects")?;
    Ok(None)
}

fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let interval = load(call.vm, call.this())?;
    let mut table = PhpArr::new();
    add_properties(&interval, &mut table);
    for (key, value) in debug_info(call.vm, call.this())?.iter() {
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
        store(object, Interval { date_string: Some(text), ..Interval::civil(parsed.relative) });
        return Ok(());
    }
    let scalar = |name: &str| element(table, name).filter(|value| !matches!(value.view(), View::Arr(_) | View::Obj(_)));
    let amount = |name: &str| scalar(name).map_or(-1, |value| integer(&value));
    let distance = Relative {
        year: amount("y"),
        month: amount("m"),
        day: amount("d"),
        hour: amount("h"),
        minute: amount("i"),
        second: amount("s"),
        microsecond: element(table, "f").map_or(0, |value| number::double_to_int(float(&value) * 1e6)),
        invert: scalar("invert").is_some_and(|value| integer(&value) != 0),
        days: match element(table, "days") {
            Some(value) if value.as_bool() == Some(false) => None,
            _ => Some(amount("days")),
        },
        ..Relative::default()
    };
    store(object, Interval::civil(distance));
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
