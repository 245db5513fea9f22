//! date and timezone: moments as milliseconds since 1970 in universal time, shown in a zone.

use std::cmp::Ordering;

use super::{Meta, Method, methods};
use crate::bif::time::{civil, days_of};
use crate::bignum::BigNum;
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::text::Text;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    parseDate 1 any => unsupported,
    parseJulianDate 1 any => unsupported,
    formatDate 1 any => format_date,
    formatJulianDate 1 any => format_date,
    compareTo 1 1 => compare_to,
    getDate 0 1 => get_date,
    getJulianDay 0 0 => get_julian_day,
    getJulianDate 0 1 => get_date,
    getISOWeekDate 0 1 => get_iso_week,
    getClockTime 0 1 => get_clock_time,
    addInterval 1 2 => add_interval,
    findWeekday 2 3 => find_weekday,
    setLocaleInfo 0 any => unsupported,
};

pub(crate) static ZONE_METHODS: &[Method] = methods! {
    getNames 0 0 => zone_names,
    getHistory 0 1 => unsupported,
    getRules 0 0 => unsupported,
    getLocation 0 0 => unsupported,
};

/// A moment.
#[derive(Debug, Clone)]
pub struct Date {
    /// Milliseconds since 1970, universal time.
    pub milliseconds: i64,
    /// The zone that it was made in, or nil.
    pub zone: Value,
}

/// A zone by its name; all of them count as universal time.
#[derive(Debug, Clone)]
pub struct TimeZone {
    /// The name.
    pub name: String,
}

const DAY: i64 = 86_400_000;
/// The Julian day of 1970-01-01, with its time of day.
const JULIAN_EPOCH: f64 = 2_440_587.5;

impl Date {
    /// Whether two dates are the same moment.
    pub fn same_time(&self, other: &Date) -> bool {
        self.milliseconds == other.milliseconds
    }

    /// Which of two dates is earlier.
    pub fn order(&self, other: &Date) -> Ordering {
        self.milliseconds.cmp(&other.milliseconds)
    }
}

/// Dates are not part of image files.
pub(crate) fn load_date(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    Err(loader.data.error("a date cannot be in an image"))
}

/// Zones are not part of image files.
pub(crate) fn load_zone(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    Err(loader.data.error("a time zone cannot be in an image"))
}

fn new_date(vm: &mut Vm, milliseconds: i64) -> Value {
    Value::Obj(vm.heap.alloc(Obj::Date(Box::new(Date { milliseconds, zone: Value::Nil }))))
}

/// `new Date()`, or year, month, day and optionally hour, minute, second, millisecond.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let now = vm.io.now();
    let milliseconds = match args.count {
        0 => now.0 * 1000 + i64::from(now.1 / 1_000_000),
        1 => match vm.as_big(args.get(vm, 0)) {
            Some(day) => {
                let day: f64 = day.display().parse().unwrap_or(0.0);
                ((day - JULIAN_EPOCH) * DAY as f64).round() as i64
            }
            None => return fail(error::BAD_TYPE_BIF),
        },
        3 | 6 | 7 => {
            let mut parts = [0; 7];
            for (n, part) in parts.iter_mut().enumerate().take(args.count) {
                *part = vm.number_arg(args.get(vm, n))?;
            }
            let [year, month, day, hour, minute, second, milli] = parts;
            from_parts(year, month, day)
                + ((i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second)) * 1000
                + i64::from(milli)
        }
        _ => return fail(error::WRONG_NUM_OF_ARGS),
    };
    Ok(new_date(vm, milliseconds))
}

/// A date whose month and day may be out of range.
fn from_parts(year: i32, month: i32, day: i32) -> i64 {
    let months = i64::from(year) * 12 + i64::from(month) - 1;
    let (year, month) = (months.div_euclid(12) as i32, months.rem_euclid(12) as i32 + 1);
    (days_of(year, month, 1) + i64::from(day) - 1) * DAY
}

/// `new TimeZone(name or offset?)`.
pub(crate) fn create_zone(vm: &mut Vm, args: Args) -> Run<Value> {
    let zone = match args.get(vm, 0) {
        Value::Nil => TimeZone { name: "UTC".to_owned() },
        Value::Int(seconds) => TimeZone { name: format!("{seconds}") },
        value => TimeZone { name: vm.want_text(value)?.to_string() },
    };
    Ok(Value::Obj(vm.heap.alloc(Obj::Zone(Box::new(zone)))))
}

/// What needs date formats, locales or the history of zones, which this machine does not have: no result.
fn unsupported(_: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Nil)
}

fn zone_names(vm: &mut Vm, _: Args) -> Run<Value> {
    let name = vm.heap.new_text("UTC");
    Ok(vm.heap.new_list(vec![name]))
}

fn this(vm: &Vm, args: Args) -> Run<i64> {
    match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Date(date) => Ok(date.milliseconds),
            _ => fail(error::OBJ_VAL_REQD),
        },
        _ => fail(error::OBJ_VAL_REQD),
    }
}

fn compare_to(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    match args.get(vm, 0) {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Date(date) => Ok(Value::Int(own.cmp(&date.milliseconds) as i32)),
            _ => fail(error::BAD_TYPE_BIF),
        },
        _ => fail(error::BAD_TYPE_BIF),
    }
}

/// Day of the week, Monday 1 to Sunday 7.
fn weekday(days: i64) -> i32 {
    (days + 3).rem_euclid(7) as i32 + 1
}

fn get_date(vm: &mut Vm, args: Args) -> Run<Value> {
    let days = this(vm, args)?.div_euclid(DAY);
    let (year, month, day) = civil(days);
    let items = [year, month, day, weekday(days) % 7 + 1].map(Value::Int).to_vec();
    Ok(vm.heap.new_list(items))
}

fn get_julian_day(vm: &mut Vm, args: Args) -> Run<Value> {
    let day = JULIAN_EPOCH + this(vm, args)? as f64 / DAY as f64;
    Ok(vm.new_big(BigNum::parse(&format!("{day:.10}"), None)))
}

fn get_iso_week(vm: &mut Vm, args: Args) -> Run<Value> {
    let days = this(vm, args)?.div_euclid(DAY);
    let day = weekday(days);
    // The week belongs to the year of its Thursday.
    let thursday = days + i64::from(4 - day);
    let year = civil(thursday).0;
    let week = (thursday - days_of(year, 1, 1)) / 7 + 1;
    Ok(vm.heap.new_list(vec![Value::Int(year), Value::Int(week as i32), Value::Int(day)]))
}

fn get_clock_time(vm: &mut Vm, args: Args) -> Run<Value> {
    let time = this(vm, args)?.rem_euclid(DAY) as i32;
    let items = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60, time % 1000].map(Value::Int).to_vec();
    Ok(vm.heap.new_list(items))
}

/// Years, months, days, hours, minutes, seconds to add.
fn add_interval(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    let Some(items) = vm.list_like(args.get(vm, 0))? else { return fail(error::LIST_VAL_REQD) };
    let mut parts = [0i64; 6];
    for (part, item) in parts.iter_mut().zip(items) {
        *part = match item {
            Value::Nil => 0,
            item => i64::from(vm.number_arg(item)?),
        };
    }
    let (year, month, day) = civil(own.div_euclid(DAY));
    let base = from_parts(year + parts[0] as i32, month + parts[1] as i32, day) + own.rem_euclid(DAY);
    let milliseconds = base + parts[2] * DAY + ((parts[3] * 60 + parts[4]) * 60 + parts[5]) * 1000;
    Ok(new_date(vm, milliseconds))
}

/// The n-th given weekday (Sunday 1) after, or before, this day.
fn find_weekday(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    let wanted = i64::from(vm.number_arg(args.get(vm, 0))?) - 1;
    let which = i64::from(vm.number_arg(args.get(vm, 1))?);
    let days = own.div_euclid(DAY);
    let today = i64::from(weekday(days) % 7);
    let moved = if which > 0 {
        (wanted - today).rem_euclid(7) + 7 * (which - 1)
    } else {
        -((today - wanted).rem_euclid(7)) + 7 * (which + 1)
    };
    Ok(new_date(vm, (days + moved) * DAY + own.rem_euclid(DAY)))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

fn format_date(vm: &mut Vm, args: Args) -> Run<Value> {
    let own = this(vm, args)?;
    let template = vm.want_text(args.get(vm, 0))?;
    let text = formatted(own, &template);
    Ok(vm.heap.new_text(text))
}

fn formatted(own: i64, template: &str) -> String {
    let days = own.div_euclid(DAY);
    let time = own.rem_euclid(DAY);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (time / 3_600_000, time / 60_000 % 60, time / 1000 % 60);
    let of_week = (weekday(days) % 7) as usize;
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let mut out = String::new();
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let part = match chars.next() {
            Some('a') => DAYS[of_week][..3].to_owned(),
            Some('A') => DAYS[of_week].to_owned(),
            Some('b') => MONTHS[month as usize - 1][..3].to_owned(),
            Some('B') => MONTHS[month as usize - 1].to_owned(),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('m') => format!("{month:02}"),
            Some('y') => format!("{:02}", year.rem_euclid(100)),
            Some('Y') => format!("{year:04}"),
            Some('j') => format!("{:03}", days - days_of(year, 1, 1) + 1),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{half:02}"),
            Some('l') => format!("{half:2}"),
            Some('M') => format!("{minute:02}"),
            Some('S') => format!("{second:02}"),
            Some('N') => format!("{:03}", time % 1000),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('P') => if hour < 12 { "am" } else { "pm" }.to_owned(),
            Some('w') => of_week.to_string(),
            Some('u') => weekday(days).to_string(),
            Some('F') => format!("{year:04}-{month:02}-{day:02}"),
            Some('D') => format!("{month:02}/{day:02}/{:02}", year.rem_euclid(100)),
            Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('R') => format!("{hour:02}:{minute:02}"),
            Some('z') => "+0000".to_owned(),
            Some('Z') => "UTC".to_owned(),
            Some('s') => own.div_euclid(1000).to_string(),
            Some('n') => "\n".to_owned(),
            Some('t') => "\t".to_owned(),
            Some('%') => "%".to_owned(),
            Some(other) => format!("%{other}"),
            None => "%".to_owned(),
        };
        out.push_str(&part);
    }
    out
}

impl Vm {
    /// A date as text.
    pub(crate) fn date_text(&mut self, id: ObjId) -> Run<Text> {
        match self.heap.get(id) {
            Obj::Date(date) => Ok(Text::from(formatted(date.milliseconds, "%Y-%m-%d %H:%M:%S"))),
            _ => fail(error::NO_STR_CONV),
        }
    }
}
