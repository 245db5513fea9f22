//! date: moments as milliseconds since 1970 in universal time. Formats, parsing and zones are modules of
//! `phlox-t3-library`.

use phlox_t3_library::calendar::{self, Calendar, iso_week, weekday};
use phlox_t3_library::date_format::{Locale, Shown, julian_day};
use phlox_t3_library::date_parse::{self, Rules};
use phlox_t3_library::zone::Zone;
use phlox_t3_vm::contents::date::{DAY, LIMIT, moment, new_date, scaled};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    parseDate 1 4 => parse_date,
    parseJulianDate 1 4 => parse_julian_date,
    formatDate 1 2 => format_date,
    formatJulianDate 1 2 => format_julian_date,
    compareTo 1 1 => compare_to,
    getDate 0 1 => get_date,
    getJulianDay 0 0 => get_julian_day,
    getJulianDate 0 1 => get_julian_date,
    getISOWeekDate 0 1 => get_iso_week,
    getClockTime 0 1 => get_clock_time,
    addInterval 1 1 => add_interval,
    findWeekday 2 3 => find_weekday,
    setLocaleInfo 0 any => set_locale_info,
};

/// A time on a day, in milliseconds.
fn on_day(day: i64, time: i64) -> Run<i64> {
    let milliseconds = day.checked_mul(DAY).and_then(|start| start.checked_add(time));
    milliseconds.filter(|number| number.abs() < LIMIT).ok_or_else(|| error::error(error::NUM_OVERFLOW))
}

fn now(vm: &Vm) -> i64 {
    let (seconds, nanoseconds) = vm.io.now();
    seconds * 1000 + i64::from(nanoseconds / 1_000_000)
}

/// Year, month, day and optionally hour, minute, second, millisecond, as a local time.
fn parts(vm: &Vm, args: Args, count: usize) -> Run<i64> {
    let mut numbers = [0i64; 7];
    for (n, number) in numbers.iter_mut().enumerate().take(count) {
        *number = vm.number_of(args.get(vm, n))?.into();
    }
    let [year, month, day, hour, minute, second, millisecond] = numbers;
    let date = calendar::Date { year: year as i32, month: month as i32, day: day as i32 };
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
    on_day(Calendar::Gregorian.day(date), time)
}

/// `new Date()`, of a text, of a number of days or seconds, or of the parts of a date.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let numbers = (0..args.count).take_while(|n| vm.as_big(args.get(vm, *n)).is_some()).count();
    let milliseconds = match (args.count, numbers) {
        (0, _) => now(vm),
        (1..=3, 0) if vm.heap.text(args.get(vm, 0)).is_some() => {
            let text = vm.want_text(args.get(vm, 0))?;
            let (zone, reference) = (zone_or_local(vm, args, 1)?, reference_arg(vm, args, 2)?);
            let locale = vm.state.locale.clone();
            let rules =
                Rules { calendar: Calendar::Gregorian, locale: &locale, templates: vec![None], reference, zone };
            match date_parse::parse(&text, rules) {
                Some((milliseconds, _)) => milliseconds,
                None => return fail(error::BAD_VAL_BIF),
            }
        }
        (2, 1) => match vm.heap.text(args.get(vm, 1)).map(|text| text.to_ascii_uppercase()) {
            Some(unit) if unit == "U" => scaled(vm, args.get(vm, 0), 1000)?,
            // Julian days begin at noon.
            Some(unit) if unit == "J" => scaled(vm, args.get(vm, 0), DAY)? - 4_881_175 * (DAY / 2),
            Some(_) => return fail(error::BAD_VAL_BIF),
            None => return fail(error::BAD_TYPE_BIF),
        },
        (3 | 7, numbers) if numbers == args.count => Zone::local().to_universal(parts(vm, args, args.count)?),
        (4 | 8, numbers) if numbers == args.count - 1 => {
            let zone = vm.zone_arg(args.get(vm, args.count - 1))?;
            zone.to_universal(parts(vm, args, args.count - 1)?)
        }
        _ => return fail(error::BAD_TYPE_BIF),
    };
    Ok(new_date(vm, milliseconds))
}

fn zone_or_local(vm: &Vm, args: Args, n: usize) -> Run<Zone> {
    match args.given(vm, n) {
        Some(value) => vm.zone_arg(value),
        None => Ok(Zone::local()),
    }
}

fn reference_arg(vm: &Vm, args: Args, n: usize) -> Run<i64> {
    match args.given(vm, n) {
        Some(value) => moment(vm, value),
        None => Ok(now(vm)),
    }
}

fn this(vm: &Vm, args: Args) -> Run<i64> {
    moment(vm, args.this)
}

/// The moment on the clocks of the zone that an argument names.
fn local(vm: &Vm, args: Args, n: usize) -> Run<i64> {
    let own = this(vm, args)?;
    Ok(own + zone_or_local(vm, args, n)?.at(own).0)
}

fn parse_date(vm: &mut Vm, args: Args) -> Run<Value> {
    parse_in(vm, args, Calendar::Gregorian)
}

fn parse_julian_date(vm: &mut Vm, args: Args) -> Run<Value> {
    parse_in(vm, args, Calendar::Julian)
}

/// `parseDate(text, templates?, reference?, zone?)`: [date, templates used], or nil.
fn parse_in(vm: &mut Vm, args: Args, calendar: Calendar) -> Run<Value> {
    let Some(text) = vm.heap.text(args.get(vm, 0)).cloned() else { return fail(error::BAD_VAL_BIF) };
    let custom = args.get(vm, 1);
    let templates = match vm.list_like(custom)? {
        Some(items) => items
            .into_iter()
            .map(
                |item| {
                    if item == Value::Nil { Ok(None) } else { vm.want_text(item).map(|text| Some(text.to_string())) }
                },
            )
            .collect::<Run<Vec<_>>>()?,
        None if custom == Value::Nil => vec![None],
        None => vec![Some(vm.want_text(custom)?.to_string())],
    };
    let (reference, zone) = (reference_arg(vm, args, 2)?, zone_or_local(vm, args, 3)?);
    let locale = vm.state.locale.clone();
    let rules = Rules { calendar, locale: &locale, templates, reference, zone };
    let Some((milliseconds, used)) = date_parse::parse(&text, rules) else { return Ok(Value::Nil) };
    let date = new_date(vm, milliseconds);
    vm.rooted.push(date);
    let used = phlox_t3_vm::contents::sequence::collect(vm, |vm| {
        for template in used {
            let template = vm.heap.new_text(template);
            vm.rooted.push(template);
        }
        Ok(())
    })?;
    let used = vm.heap.new_list(used);
    Ok(vm.heap.new_list(vec![date, used]))
}

fn compare_to(vm: &mut Vm, args: Args) -> Run<Value> {
    let (own, other) = (this(vm, args)?, moment(vm, args.get(vm, 0))?);
    let days = own.div_euclid(DAY) - other.div_euclid(DAY);
    let difference = if days != 0 { days } else { own - other };
    Ok(Value::Int(difference as i32))
}

fn date_list(vm: &mut Vm, local: i64, calendar: Calendar) -> Value {
    let day = local.div_euclid(DAY);
    let date = calendar.date(day);
    vm.heap.new_list([date.year, date.month, date.day, weekday(day) + 1].map(Value::Int).to_vec())
}

fn get_date(vm: &mut Vm, args: Args) -> Run<Value> {
    let local = local(vm, args, 0)?;
    Ok(date_list(vm, local, Calendar::Gregorian))
}

fn get_julian_date(vm: &mut Vm, args: Args) -> Run<Value> {
    let local = local(vm, args, 0)?;
    Ok(date_list(vm, local, Calendar::Julian))
}

fn get_julian_day(vm: &mut Vm, args: Args) -> Run<Value> {
    let day = julian_day(this(vm, args)?);
    Ok(vm.new_big(day))
}

fn get_iso_week(vm: &mut Vm, args: Args) -> Run<Value> {
    let (year, week, day) = iso_week(local(vm, args, 0)?.div_euclid(DAY));
    Ok(vm.heap.new_list([year, week, day].map(Value::Int).to_vec()))
}

fn get_clock_time(vm: &mut Vm, args: Args) -> Run<Value> {
    let time = local(vm, args, 0)?.rem_euclid(DAY) as i32;
    let items = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60, time % 1000].map(Value::Int).to_vec();
    Ok(vm.heap.new_list(items))
}

/// Years, months, days, hours, minutes, seconds to add, in universal time.
fn add_interval(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    let items = vm.list_like(args.get(vm, 0))?.ok_or_else(|| error::error(error::BAD_TYPE_BIF))?;
    let mut whole = [0i32; 2];
    for (part, item) in whole.iter_mut().zip(&items) {
        *part = if *item == Value::Nil { 0 } else { vm.number_of(*item)? };
    }
    let mut added = 0i64;
    for (item, unit) in items.iter().skip(2).zip([DAY, 3_600_000, 60_000, 1000]) {
        if *item != Value::Nil {
            added = added.saturating_add(scaled(vm, *item, unit)?);
        }
    }
    let date = Calendar::Gregorian.date(own.div_euclid(DAY));
    let moved = calendar::Date {
        year: date.year.saturating_add(whole[0]),
        month: date.month.saturating_add(whole[1]),
        day: date.day,
    };
    let moved = on_day(Calendar::Gregorian.day(moved), own.rem_euclid(DAY))?;
    Ok(new_date(vm, moved.saturating_add(added)))
}

/// The n-th given weekday (Sunday 1) after, or before, this day.
fn find_weekday(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    let wanted = i64::from(vm.number_of(args.get(vm, 0))?) - 1;
    let which = i64::from(vm.number_of(args.get(vm, 1))?);
    if !(0..7).contains(&wanted) || which == 0 {
        return fail(error::BAD_VAL_BIF);
    }
    let zone = zone_or_local(vm, args, 2)?;
    let local = own + zone.at(own).0;
    let today = i64::from(weekday(local.div_euclid(DAY)));
    let moved = if which > 0 {
        (wanted - today).rem_euclid(7) + 7 * (which - 1)
    } else {
        -((today - wanted).rem_euclid(7)) + 7 * (which + 1)
    };
    // The day begins at midnight of the zone.
    Ok(new_date(vm, zone.to_universal((local.div_euclid(DAY) + moved) * DAY)))
}

/// `setLocaleInfo(number, text, ...)` or a list of texts; without arguments back to the beginning.
fn set_locale_info(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 {
        vm.state.locale = Locale::default();
        return Ok(vm.r0);
    }
    let list = vm.list_like(args.get(vm, 0))?.is_some();
    if args.count % 2 == 1 && !(args.count == 1 && list) {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    if args.count == 1 {
        for (number, item) in vm.want_list_like(args.get(vm, 0))?.into_iter().enumerate() {
            if item != Value::Nil {
                let text = vm.want_text(item)?.to_string();
                vm.state.locale.set(number, text);
            }
        }
        return Ok(Value::Nil);
    }
    for n in (0..args.count - 1).step_by(2) {
        let number = vm.number_of(args.get(vm, n))?;
        let Some(number) = usize::try_from(number).ok().filter(|number| vm.state.locale.knows(*number)) else {
            return fail(error::INDEX_OUT_OF_RANGE);
        };
        let text = vm.want_text(args.get(vm, n + 1))?.to_string();
        vm.state.locale.set(number, text);
    }
    Ok(Value::Nil)
}

fn format_date(vm: &mut Vm, args: Args) -> Run<Value> {
    format_in(vm, args, Calendar::Gregorian)
}

fn format_julian_date(vm: &mut Vm, args: Args) -> Run<Value> {
    format_in(vm, args, Calendar::Julian)
}

fn format_in(vm: &mut Vm, args: Args, calendar: Calendar) -> Run<Value> {
    let universal = this(vm, args)?;
    let format = vm.text_arg(args.get(vm, 0))?;
    let (offset, zone) = zone_or_local(vm, args, 1)?.at(universal);
    let text = Shown { calendar, universal, offset, zone: &zone, locale: &vm.state.locale }.text(&format);
    Ok(vm.heap.new_text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_out_of_all_range_are_an_error() {
        assert_eq!(on_day(1, 5).ok(), Some(DAY + 5));
        assert!(on_day(Calendar::Gregorian.day(calendar::Date { year: i32::MAX, month: 1, day: 1 }), 0).is_err());
        assert!(on_day(i64::MAX, 0).is_err());
    }
}
