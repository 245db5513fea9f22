//! The `calendar` extension: the Gregorian, Julian, Jewish and French Republican calendars, and Easter.
#![forbid(unsafe_code)]

mod conversion;
mod names;

use conversion::{Calendar, Date, day_of_week};
use names::{WEEKDAYS, hebrew_month, hebrew_number, iso_8859_8};
use phlox_ext_date::local_date;
use phlox_runtime::{Call, ConstValue, Extension, FnDef, Key, PhpArr, PhpResult, Val};

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("cal_days_in_month(int $calendar, int $month, int $year): int", cal_days_in_month),
    FnDef::new("cal_from_jd(int $julian_day, int $calendar): array", cal_from_jd),
    FnDef::new("cal_info(int $calendar = -1): array", cal_info),
    FnDef::new("cal_to_jd(int $calendar, int $month, int $day, int $year): int", cal_to_jd),
    FnDef::new("easter_date(?int $year = null, int $mode = CAL_EASTER_DEFAULT): int", easter_date),
    FnDef::new("easter_days(?int $year = null, int $mode = CAL_EASTER_DEFAULT): int", easter_days),
    FnDef::new("frenchtojd(int $month, int $day, int $year): int", frenchtojd),
    FnDef::new("gregoriantojd(int $month, int $day, int $year): int", gregoriantojd),
    FnDef::new("jddayofweek(int $julian_day, int $mode = CAL_DOW_DAYNO): string|int", jddayofweek),
    FnDef::new("jdmonthname(int $julian_day, int $mode): string", jdmonthname),
    FnDef::new("jdtofrench(int $julian_day): string", jdtofrench),
    FnDef::new("jdtogregorian(int $julian_day): string", jdtogregorian),
    FnDef::new("jdtojewish(int $julian_day, bool $hebrew = false, int $flags = 0): string", jdtojewish),
    FnDef::new("jdtojulian(int $julian_day): string", jdtojulian),
    FnDef::new("jdtounix(int $julian_day): int", jdtounix),
    FnDef::new("jewishtojd(int $month, int $day, int $year): int", jewishtojd),
    FnDef::new("juliantojd(int $month, int $day, int $year): int", juliantojd),
    FnDef::new("unixtojd(?int $timestamp = null): int|false", unixtojd),
];

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("CAL_GREGORIAN", ConstValue::Int(0)),
    ("CAL_JULIAN", ConstValue::Int(1)),
    ("CAL_JEWISH", ConstValue::Int(2)),
    ("CAL_FRENCH", ConstValue::Int(3)),
    ("CAL_NUM_CALS", ConstValue::Int(4)),
    ("CAL_DOW_DAYNO", ConstValue::Int(0)),
    ("CAL_DOW_SHORT", ConstValue::Int(2)),
    ("CAL_DOW_LONG", ConstValue::Int(1)),
    ("CAL_MONTH_GREGORIAN_SHORT", ConstValue::Int(0)),
    ("CAL_MONTH_GREGORIAN_LONG", ConstValue::Int(1)),
    ("CAL_MONTH_JULIAN_SHORT", ConstValue::Int(2)),
    ("CAL_MONTH_JULIAN_LONG", ConstValue::Int(3)),
    ("CAL_MONTH_JEWISH", ConstValue::Int(4)),
    ("CAL_MONTH_FRENCH", ConstValue::Int(5)),
    ("CAL_EASTER_DEFAULT", ConstValue::Int(0)),
    ("CAL_EASTER_ROMAN", ConstValue::Int(EASTER_ROMAN)),
    ("CAL_EASTER_ALWAYS_GREGORIAN", ConstValue::Int(EASTER_ALWAYS_GREGORIAN)),
    ("CAL_EASTER_ALWAYS_JULIAN", ConstValue::Int(EASTER_ALWAYS_JULIAN)),
    ("CAL_JEWISH_ADD_ALAFIM_GERESH", ConstValue::Int(names::ADD_THOUSANDS_GERESH)),
    ("CAL_JEWISH_ADD_ALAFIM", ConstValue::Int(names::ADD_THOUSANDS)),
    ("CAL_JEWISH_ADD_GERESHAYIM", ConstValue::Int(names::ADD_GERSHAYIM)),
];

const EASTER_ROMAN: i64 = 1;
const EASTER_ALWAYS_GREGORIAN: i64 = 2;
const EASTER_ALWAYS_JULIAN: i64 = 3;
/// 1970-01-01
const UNIX_EPOCH: i64 = 2_440_588;
const DAY: i64 = 86_400;

pub static EXTENSION: Extension = Extension {
    name: "calendar",
    functions: &[FUNCTIONS],
    classes: &[],
    constants: &[CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};

fn calendar(call: &Call<'_>, index: usize) -> PhpResult<Calendar> {
    Calendar::of(call.int(index)).ok_or_else(|| call.value_error(index, "must be a valid calendar ID"))
}

/// Months and years that fit the arithmetic.
fn check_range(call: &Call<'_>, month_index: usize, year_index: usize) -> PhpResult<()> {
    let last = i32::MAX as i64 - 1;
    if !(1..=last).contains(&call.int(month_index)) {
        return Err(call.value_error(month_index, &format!("must be between 1 and {last}")));
    }
    if call.int(year_index) > last {
        return Err(call.value_error(year_index, &format!("must be less than {last}")));
    }
    Ok(())
}

fn cal_days_in_month(call: &mut Call<'_>) -> PhpResult<Val> {
    let calendar = calendar(call, 0)?;
    check_range(call, 1, 2)?;
    let (month, year) = (call.int(1), call.int(2));
    let first = |year: i64, month: i64| calendar.to_day(Date { year, month, day: 1 });
    let start = first(year, month);
    if start == 0 {
        return Err(call.vm.throw_value_error(b"Invalid date"));
    }
    let mut next = first(year, month + 1);
    if next == 0 {
        // There is no year 0.
        next = first(if year == -1 { 1 } else { year + 1 }, 1);
        if calendar == Calendar::French && next == 0 {
            next = 2_380_953;
        }
    }
    Ok(Val::int(next - start))
}

fn cal_to_jd(call: &mut Call<'_>) -> PhpResult<Val> {
    let calendar = calendar(call, 0)?;
    let day = call.int(2);
    if !(1..i32::MAX as i64).contains(&call.int(1)) {
        return Err(call.value_error(1, &format!("must be between 1 and {}", i32::MAX - 1)));
    }
    if i32::try_from(day).is_err() {
        return Err(call.value_error(2, &format!("must be between {} and {}", i32::MIN, i32::MAX)));
    }
    check_range(call, 1, 3)?;
    Ok(Val::int(calendar.to_day(Date { year: call.int(3), month: call.int(1), day })))
}

fn text(date: Date) -> String {
    format!("{}/{}/{}", date.month, date.day, date.year)
}

fn cal_from_jd(call: &mut Call<'_>) -> PhpResult<Val> {
    let calendar = calendar(call, 1)?;
    let day = call.int(0);
    let date = calendar.to_date(day);
    let mut table = PhpArr::new();
    table.set_bytes(b"date", text(date).into());
    table.set_bytes(b"month", Val::int(date.month));
    table.set_bytes(b"day", Val::int(date.day));
    table.set_bytes(b"year", Val::int(date.year));
    let has_weekday = calendar != Calendar::Jewish || date.year > 0;
    let weekday = day_of_week(day);
    let name = if has_weekday { WEEKDAYS[weekday as usize] } else { "" };
    table.set_bytes(b"dow", if has_weekday { Val::int(weekday) } else { Val::NULL });
    table.set_bytes(b"abbrevdayname", name.get(..3).unwrap_or("").into());
    table.set_bytes(b"dayname", name.into());
    table.set_bytes(b"abbrevmonth", calendar.short_month(date.year, date.month).into());
    table.set_bytes(b"monthname", calendar.month(date.year, date.month).into());
    Ok(table.into())
}

fn info(calendar: Calendar) -> PhpArr {
    // A leap year has all months.
    let year = 5757;
    let mut months = PhpArr::new();
    let mut short = PhpArr::new();
    for number in 1..calendar.months().len() as i64 {
        let _ = months.insert(Key::Int(number), calendar.months()[number as usize].into());
        let _ = short.insert(Key::Int(number), calendar.short_month(year, number).into());
    }
    let (longest, name, symbol) = match calendar {
        Calendar::Gregorian => (31, "Gregorian", "CAL_GREGORIAN"),
        Calendar::Julian => (31, "Julian", "CAL_JULIAN"),
        Calendar::Jewish => (30, "Jewish", "CAL_JEWISH"),
        Calendar::French => (30, "French", "CAL_FRENCH"),
    };
    let mut table = PhpArr::new();
    table.set_bytes(b"months", months.into());
    table.set_bytes(b"abbrevmonths", short.into());
    table.set_bytes(b"maxdaysinmonth", Val::int(longest));
    table.set_bytes(b"calname", name.into());
    table.set_bytes(b"calsymbol", symbol.into());
    table
}

fn cal_info(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.int(0) == -1 {
        let all = (0..4).filter_map(Calendar::of).map(|calendar| Val::from(info(calendar)));
        return Ok(all.collect::<PhpArr>().into());
    }
    Ok(info(calendar(call, 0)?).into())
}

/// Of a larger number than C's `int` holds the low 32 bits count.
fn to_day(call: &Call<'_>, calendar: Calendar) -> PhpResult<Val> {
    let int = |index: usize| i64::from(call.int(index) as i32);
    Ok(Val::int(calendar.to_day(Date { month: int(0), day: int(1), year: int(2) })))
}

fn frenchtojd(call: &mut Call<'_>) -> PhpResult<Val> {
    to_day(call, Calendar::French)
}

fn gregoriantojd(call: &mut Call<'_>) -> PhpResult<Val> {
    to_day(call, Calendar::Gregorian)
}

fn jewishtojd(call: &mut Call<'_>) -> PhpResult<Val> {
    if i32::try_from(call.int(2)).is_err() {
        return Err(call.value_error(2, &format!("must be between {} and {}", i32::MIN, i32::MAX)));
    }
    to_day(call, Calendar::Jewish)
}

fn juliantojd(call: &mut Call<'_>) -> PhpResult<Val> {
    to_day(call, Calendar::Julian)
}

fn jdtofrench(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(Calendar::French.to_date(call.int(0))).into())
}

fn jdtogregorian(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(Calendar::Gregorian.to_date(call.int(0))).into())
}

fn jdtojulian(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(text(Calendar::Julian.to_date(call.int(0))).into())
}

fn jdtojewish(call: &mut Call<'_>) -> PhpResult<Val> {
    let date = Calendar::Jewish.to_date(call.int(0));
    if !call.bool(1) {
        return Ok(text(date).into());
    }
    if !(1..=9999).contains(&date.year) {
        return Err(call.vm.throw_value_error(b"Year out of range (0-9999)"));
    }
    let flags = call.int(2);
    let month = hebrew_month(date.year, date.month);
    let text = format!("{} {month} {}", hebrew_number(date.day, flags), hebrew_number(date.year, flags));
    Ok(iso_8859_8(&text).into())
}

fn jddayofweek(call: &mut Call<'_>) -> PhpResult<Val> {
    let weekday = day_of_week(call.int(0));
    let name = WEEKDAYS[weekday as usize];
    Ok(match call.int(1) {
        1 => name.into(),
        2 => name[..3].into(),
        _ => Val::int(weekday),
    })
}

fn jdmonthname(call: &mut Call<'_>) -> PhpResult<Val> {
    let (calendar, short) = match call.int(1) {
        1 => (Calendar::Gregorian, false),
        2 => (Calendar::Julian, true),
        3 => (Calendar::Julian, false),
        4 => (Calendar::Jewish, false),
        5 => (Calendar::French, false),
        _ => (Calendar::Gregorian, true),
    };
    let date = calendar.to_date(call.int(0));
    let name = if short { calendar.short_month(date.year, date.month) } else { calendar.month(date.year, date.month) };
    Ok(name.into())
}

fn jdtounix(call: &mut Call<'_>) -> PhpResult<Val> {
    let last = i64::MAX / DAY + UNIX_EPOCH;
    match call.int(0) {
        day if (UNIX_EPOCH..=last).contains(&day) => Ok(Val::int((day - UNIX_EPOCH) * DAY)),
        _ => Err(call.vm.throw_value_error(format!("jday must be between {UNIX_EPOCH} and {last}").as_bytes())),
    }
}

fn unixtojd(call: &mut Call<'_>) -> PhpResult<Val> {
    let timestamp = call.opt_int(0);
    if timestamp.is_some_and(|timestamp| timestamp < 0) {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    let (year, month, day) = local_date(call.vm, timestamp);
    Ok(Val::int(Calendar::Gregorian.to_day(Date { year, month, day })))
}

/// Days from the 21st of March to Easter.
fn days_to_easter(year: i64, mode: i64) -> i64 {
    let golden = year % 19 + 1;
    let old_style = mode == EASTER_ALWAYS_JULIAN
        || (mode != EASTER_ALWAYS_GREGORIAN && (year <= 1582 || (year <= 1752 && mode != EASTER_ROMAN)));
    // The offset of Sundays, and the uncorrected full moon.
    let (sunday, moon) = if old_style {
        ((year + year / 4 + 5).rem_euclid(7), (3 - 11 * golden - 7).rem_euclid(30))
    } else {
        let solar = (year - 1600) / 100 - (year - 1600) / 400;
        let lunar = (year - 1400) / 100 * 8 / 25;
        let sunday = (year + year / 4 - year / 100 + year / 400).rem_euclid(7);
        (sunday, (3 - 11 * golden + solar - lunar).rem_euclid(30))
    };
    let moon = moon - (moon == 29 || (moon == 28 && golden > 11)) as i64;
    moon + (4 - moon - sunday).rem_euclid(7) + 1
}

fn easter_year(call: &Call<'_>) -> PhpResult<i64> {
    let last = i64::MAX / 5 * 4;
    let year = call.opt_int(0).unwrap_or_else(|| local_date(call.vm, None).0);
    if !(1..=last).contains(&year) {
        return Err(call.value_error(0, &format!("must be between 1 and {last}")));
    }
    Ok(year)
}

fn easter_days(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(days_to_easter(easter_year(call)?, call.int(1))))
}

fn easter_date(call: &mut Call<'_>) -> PhpResult<Val> {
    let year = easter_year(call)?;
    if year < 1970 {
        return Err(call.value_error(0, "must be a year after 1970 (inclusive)"));
    }
    if year > 2_000_000_000 {
        return Err(call.value_error(0, "must be a year before 2.000.000.000 (inclusive)"));
    }
    let day = 21 + days_to_easter(year, call.int(1));
    Ok(Val::int(phlox_ext_date::local_midnight(call.vm, year, 3, day)))
}
