//! The methods of `DateTime` and `DateTimeImmutable`. The functions `date_*` have the same bodies.

use super::data::{self, LastErrors, element, moment, remember, restore, subject};
use super::instant::add_properties;
use super::interval;
use crate::calendar::day_of_iso_week;
use crate::difference::difference;
use crate::format::format;
use crate::moment::Moment;
use crate::parse::{self, Message, Parsed};
use crate::relative::Relative;
use crate::zone::{Zone, rules};
use phlox_runtime::{Call, ObjExt, PhpArr, PhpObj, PhpResult, Throw, Val, View, Vm, convert, number, objects};

const PROPERTIES: &[&str] = &["date", "timezone_type", "timezone"];

/// The zone of an optional argument.
pub fn zone_argument(call: &Call<'_>, index: usize) -> PhpResult<Option<Zone>> {
    let Some(object) = call.opt_obj(index) else { return Ok(None) };
    match data::get::<Zone>(&object) {
        Some(zone) => Ok(Some(zone)),
        None => {
            let text = b"The DateTimeZone object has not been correctly initialized by its constructor";
            Err(call.vm.throw_error(text))
        }
    }
}

/// A moment for a text; `keeps_time`: a date alone does not mean midnight.
fn resolve(vm: &Vm, parsed: &Parsed, zone: Option<Zone>, keeps_time: bool) -> Moment {
    let base = zone.or_else(|| match &parsed.zone {
        Some(zone @ Zone::Named(_)) => Some(zone.clone()),
        _ => None,
    });
    let now = Moment::now(base.unwrap_or_else(|| Zone::default(vm)));
    let mut moment = Moment::from_parsed(parsed, &now, keeps_time);
    moment.update_fields();
    moment
}

/// A moment for free text, or the first error.
pub fn from_text(vm: &Vm, text: &[u8], zone: Option<Zone>) -> Result<Moment, Message> {
    if text.is_empty() || text == b"now" {
        remember(vm, &Default::default());
        return Ok(Moment::now(zone.unwrap_or_else(|| Zone::default(vm))));
    }
    let parsed = parse::parse(text);
    remember(vm, &parsed.messages);
    match parsed.messages.errors.first() {
        Some(message) => Err(message.clone()),
        None => Ok(resolve(vm, &parsed, zone, false)),
    }
}

/// A moment for a text by a format.
pub fn from_format(vm: &Vm, pattern: &[u8], text: &[u8], zone: Option<Zone>) -> Option<Moment> {
    let parsed = parse::from_format::parse(pattern, text);
    remember(vm, &parsed.messages);
    parsed.messages.errors.is_empty().then(|| resolve(vm, &parsed, zone, true))
}

fn malformed(vm: &Vm, prefix: &[u8], text: &[u8], message: &Message) -> Throw {
    let text = [prefix, b"Failed to parse time string (", text, b") ", &message.describe()].concat();
    vm.throw_class(b"DateMalformedStringException", &text, 0)
}

/// `DateTime::__construct()`
pub fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, zone) = (call.str(0), zone_argument(call, 1)?);
    match from_text(call.vm, &text, zone) {
        Ok(moment) => {
            data::set(call.this(), moment);
            Ok(Val::NULL)
        }
        Err(message) => Err(malformed(call.vm, b"", &text, &message)),
    }
}

fn is_immutable(vm: &Vm, object: &PhpObj) -> bool {
    vm.find_class_no_autoload(b"datetimeimmutable").is_some_and(|class| object.is_a(&class))
}

/// The builtin class whose method is called.
fn declaring_class(call: &Call<'_>) -> Vec<u8> {
    let name = call.func.display_name();
    let end = name.windows(2).position(|pair| pair == b"::").unwrap_or(0);
    name[..end].to_vec()
}

/// `createFromInterface()`, `createFromMutable()` and `createFromImmutable()`
pub fn create_from_object(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(source) = call.opt_obj(0) else { return Ok(Val::NULL) };
    let moment = moment(call.vm, &source)?;
    Ok(data::instantiate_called(call, &declaring_class(call), moment)?.into())
}

/// `createFromFormat()`
pub fn create_from_format(call: &mut Call<'_>) -> PhpResult<Val> {
    let (pattern, text) = (call.str(0), call.path(1)?);
    match from_format(call.vm, &pattern, &text, zone_argument(call, 2)?) {
        Some(moment) => Ok(data::instantiate_called(call, &declaring_class(call), moment)?.into()),
        None => Ok(Val::FALSE),
    }
}

/// Whole seconds and microseconds of a float; `None`: too large, or no number.
fn split_seconds(value: f64) -> Option<(i64, i64)> {
    let whole = value.trunc();
    if !(-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole) {
        return None;
    }
    let mut seconds = whole as i64;
    let mut microseconds = ((value % 1.0) * 1e6).round() as i64;
    if microseconds.abs() == 1_000_000 {
        seconds = seconds.checked_add(microseconds.signum())?;
        microseconds = 0;
    }
    if microseconds < 0 {
        seconds = seconds.checked_sub(1)?;
        microseconds += 1_000_000;
    }
    Some((seconds, microseconds))
}

/// `createFromTimestamp()`
pub fn create_from_timestamp(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let (seconds, microsecond) = match value.view() {
        View::Int(seconds) => (seconds, 0),
        _ => match split_seconds(call.double(0)) {
            Some(parts) => parts,
            None => return Err(out_of_range(call)),
        },
    };
    let moment = Moment { microsecond, ..Moment::at(seconds, Zone::Offset(0)) };
    Ok(data::instantiate_called(call, &declaring_class(call), moment)?.into())
}

fn out_of_range(call: &Call<'_>) -> Throw {
    let given = match call.double(0) {
        value if value.is_nan() => b"NAN".to_vec(),
        value if value.is_infinite() => {
            if value > 0.0 {
                b"INF".to_vec()
            } else {
                b"-INF".to_vec()
            }
        }
        value => number::general_format(value, 6, b'.', b'e').to_vec(),
    };
    let limits = format!("{} and {}.999999, ", i64::MIN, i64::MAX);
    let text = [
        &call.func.display_name()[..],
        b"(): Argument #1 ($timestamp) must be a finite number between ",
        limits.as_bytes(),
        &given,
        b" given",
    ];
    call.vm.throw_class(b"DateRangeError", &text.concat(), 0)
}

/// `getLastErrors()`
pub fn get_last_errors(call: &mut Call<'_>) -> PhpResult<Val> {
    let last = call.vm.data::<LastErrors>("date errors");
    let messages = last.0.borrow();
    Ok(messages.as_ref().map_or(Val::FALSE, |messages| {
        let mut table = PhpArr::new();
        messages.describe(&mut table);
        table.into()
    }))
}

/// `format()`
pub fn format_method(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first) = subject(call);
    Ok(format(&call.str(first), &moment(call.vm, &object)?).into())
}

/// The object to change: the object itself, or of an immutable one a clone.
fn target(call: &Call<'_>) -> PhpResult<(PhpObj, usize, Moment)> {
    let (object, first) = subject(call);
    let moment = moment(call.vm, &object)?;
    if !is_immutable(call.vm, &object) {
        return Ok((object, first, moment));
    }
    let scope = object.class_header().clone();
    let copy = objects::clone_value(call.vm, &object.clone().into(), Some(&scope))?;
    Ok((copy.into_obj().unwrap_or(object), first, moment))
}

fn finish(object: PhpObj, moment: Moment) -> PhpResult<Val> {
    data::set(&object, moment);
    Ok(object.into())
}

/// `modify()`. The method throws for a text that is not understood; the function warns.
pub fn modify(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    let text = call.str(first);
    let parsed = parse::parse(&text);
    remember(call.vm, &parsed.messages);
    if let Some(message) = parsed.messages.errors.first() {
        if call.object.is_some() {
            let prefix = [&call.func.display_name()[..], b"(): "].concat();
            return Err(malformed(call.vm, &prefix, &text, message));
        }
        let text = [b"Failed to parse time string (", &text[..], b") ", &message.describe()].concat();
        call.raise(phlox_runtime::Level::Warning, &text)?;
        return Ok(Val::FALSE);
    }
    apply(&mut moment, &parsed);
    finish(object, moment)
}

/// Applies a parsed text to a moment.
fn apply(moment: &mut Moment, parsed: &Parsed) {
    let civil = &mut moment.civil;
    civil.year = parsed.year.unwrap_or(civil.year);
    civil.month = parsed.month.unwrap_or(civil.month);
    civil.day = parsed.day.unwrap_or(civil.day);
    if let Some(hour) = parsed.hour {
        civil.hour = hour;
        civil.minute = parsed.minute.unwrap_or(0);
        civil.second = parsed.minute.and(parsed.second).unwrap_or(0);
    }
    moment.microsecond = parsed.microsecond.unwrap_or(moment.microsecond);
    if parsed.is_timestamp() {
        moment.zone = Zone::Offset(0);
        moment.daylight_saving = false;
    }
    let special = Relative {
        weekday: parsed.relative.weekday,
        special: parsed.relative.special,
        edge: parsed.relative.edge,
        ..Relative::default()
    };
    moment.resolve(if parsed.has_relative { &parsed.relative } else { &special });
    moment.update_fields();
}

/// `add()`
pub fn add(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, moment) = target(call)?;
    let interval = interval::argument(call, first)?;
    let sum = match interval.counts_elapsed_time {
        true => moment.add_wall(&interval.distance, false),
        false => moment.add(&interval.distance, false),
    };
    finish(object, sum)
}

/// `sub()`
pub fn sub(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, moment) = target(call)?;
    let interval = interval::argument(call, first)?;
    if interval.distance.is_special() {
        let text = "Only non-special relative time specifications are supported for subtraction";
        if call.object.is_none() {
            call.warning(text)?;
            return Ok(object.into());
        }
        let text = [&call.func.display_name()[..], b"(): ", text.as_bytes()].concat();
        return Err(call.vm.throw_class(b"DateInvalidOperationException", &text, 0));
    }
    let difference = match interval.counts_elapsed_time {
        true => moment.add_wall(&interval.distance, true),
        false => moment.add(&interval.distance, true),
    };
    finish(object, difference)
}

/// `getTimezone()`
pub fn get_timezone(call: &mut Call<'_>) -> PhpResult<Val> {
    let moment = moment(call.vm, &subject(call).0)?;
    Ok(data::zone_object(call.vm, moment.zone)?.into())
}

/// `setTimezone()`
pub fn set_timezone(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    // A zone whose constructor has not run changes nothing.
    if let Some(zone) = call.opt_obj(first).and_then(|object| data::get::<Zone>(&object)) {
        moment.set_zone(zone);
    }
    finish(object, moment)
}

/// `getOffset()`
pub fn get_offset(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(moment(call.vm, &subject(call).0)?.offset().seconds))
}

/// `getTimestamp()`
pub fn get_timestamp(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(moment(call.vm, &subject(call).0)?.timestamp))
}

/// `getMicrosecond()`
pub fn get_microsecond(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(moment(call.vm, call.this())?.microsecond))
}

/// `setTime()`
pub fn set_time(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    moment.civil.hour = call.int(first);
    moment.civil.minute = call.int(first + 1);
    moment.civil.second = call.int(first + 2);
    moment.microsecond = call.int(first + 3);
    moment.resolve_fields();
    moment.update_fields();
    finish(object, moment)
}

/// `setDate()`
pub fn set_date(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    moment.civil.year = call.int(first);
    moment.civil.month = call.int(first + 1);
    moment.civil.day = call.int(first + 2);
    moment.resolve_fields();
    finish(object, moment)
}

/// `setISODate()`
pub fn set_iso_date(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    let year = call.int(first);
    (moment.civil.year, moment.civil.month, moment.civil.day) = (year, 1, 1);
    let day = day_of_iso_week(year, call.int(first + 1), call.int(first + 2));
    moment.resolve(&Relative { day, ..Relative::default() });
    finish(object, moment)
}

/// `setTimestamp()`
pub fn set_timestamp(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first, mut moment) = target(call)?;
    moment.set_timestamp(call.int(first));
    finish(object, moment)
}

/// `setMicrosecond()`
pub fn set_microsecond(call: &mut Call<'_>) -> PhpResult<Val> {
    let microsecond = call.int(0);
    if !(0..1_000_000).contains(&microsecond) {
        let name = call.func.display_name();
        let tail = format!("(): Argument #1 ($microsecond) must be between 0 and 999999, {microsecond} given");
        return Err(call.vm.throw_class(b"DateRangeError", &[&name[..], tail.as_bytes()].concat(), 0));
    }
    let (object, _, mut moment) = target(call)?;
    moment.microsecond = microsecond;
    finish(object, moment)
}

/// `diff()`
pub fn diff(call: &mut Call<'_>) -> PhpResult<Val> {
    let (object, first) = subject(call);
    let one = moment(call.vm, &object)?;
    let Some(other) = call.opt_obj(first) else { return Ok(Val::NULL) };
    let mut distance = difference(&one, &moment(call.vm, &other)?);
    if call.bool(first + 1) {
        distance.invert = 0;
    }
    Ok(interval::create(call.vm, interval::Interval::civil(distance))?.into())
}

/// `__serialize()`
pub fn serialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let moment = moment(call.vm, call.this())?;
    let mut table = PhpArr::new();
    add_properties(&moment, &mut table);
    for (key, value) in convert::object_properties(call.this()).iter() {
        if !table.contains(key) {
            table.insert(key, value.clone());
        }
    }
    Ok(table.into())
}

/// A moment from the table that [`serialize`] made.
fn from_table(vm: &Vm, table: &PhpArr) -> Option<Moment> {
    let date = element(table, "date")?.into_str()?;
    let kind = element(table, "timezone_type")?.as_int()?;
    let zone = element(table, "timezone")?.into_str()?;
    match kind {
        1 | 2 => from_text(vm, &[&date[..], b" ", &zone].concat(), None).ok(),
        3 => from_text(vm, &date, Some(Zone::Named(rules(&zone.to_string())?))).ok(),
        _ => None,
    }
}

fn load(vm: &Vm, object: &PhpObj, table: &PhpArr) -> PhpResult<()> {
    match from_table(vm, table) {
        Some(moment) => {
            data::set(object, moment);
            Ok(())
        }
        None => {
            let name = if is_immutable(vm, object) { "DateTimeImmutable" } else { "DateTime" };
            Err(vm.throw_error(format!("Invalid serialization data for {name} object").as_bytes()))
        }
    }
}

/// `__unserialize()`
pub fn unserialize(call: &mut Call<'_>) -> PhpResult<Val> {
    let table = call.arr(0);
    load(call.vm, call.this(), &table)?;
    restore(call.vm, call.this(), &table, PROPERTIES)?;
    Ok(Val::NULL)
}

/// `__wakeup()`
pub fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    load(call.vm, call.this(), &convert::object_properties(call.this()))?;
    Ok(Val::NULL)
}

/// `__set_state()`
pub fn set_state(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = call.vm.require_class(&declaring_class(call))?;
    let object = call.vm.instantiate(&class)?;
    debug_assert!(object.class().is_internal());
    load(call.vm, &object, &call.arr(0))?;
    Ok(object.into())
}
