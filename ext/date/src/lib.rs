//! The `date` extension: timestamps, texts, and the classes of dates, zones, intervals and periods.
//!
//! The parsers and calculations follow what PHP gives; the rules of the zones are those of the IANA database.
#![forbid(unsafe_code)]

mod calendar;
mod classes;
mod difference;
mod format;
mod functions;
mod moment;
mod parse;
mod relative;
mod strftime;
mod sun;
mod wrapping;
mod zone;

use phlox_runtime::{ConstValue, Extension};

/// Year, month and day of a timestamp (now without one) in the default zone, for other extensions.
pub fn local_date(vm: &phlox_runtime::Vm, timestamp: Option<i64>) -> (i64, i64, i64) {
    let timestamp = timestamp.unwrap_or_else(|| moment::now().0);
    let civil = zone::Zone::default(vm).civil(timestamp).0;
    (civil.year, civil.month, civil.day)
}

/// The timestamp of the midnight that begins a day in the default zone.
pub fn local_midnight(vm: &phlox_runtime::Vm, year: i64, month: i64, day: i64) -> i64 {
    let mut moment = moment::Moment::at(0, zone::Zone::default(vm));
    moment.civil = calendar::Civil { year, month, day, ..calendar::Civil::default() };
    moment.knows_zone = false;
    moment.resolve_fields();
    moment.timestamp
}

const CONSTANTS: &[(&str, ConstValue)] = &[
    ("DATE_ATOM", ConstValue::Str("Y-m-d\\TH:i:sP")),
    ("DATE_COOKIE", ConstValue::Str("l, d-M-Y H:i:s T")),
    ("DATE_ISO8601", ConstValue::Str("Y-m-d\\TH:i:sO")),
    ("DATE_ISO8601_EXPANDED", ConstValue::Str("X-m-d\\TH:i:sP")),
    ("DATE_RFC822", ConstValue::Str("D, d M y H:i:s O")),
    ("DATE_RFC850", ConstValue::Str("l, d-M-y H:i:s T")),
    ("DATE_RFC1036", ConstValue::Str("D, d M y H:i:s O")),
    ("DATE_RFC1123", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_RFC7231", ConstValue::Str("D, d M Y H:i:s \\G\\M\\T")),
    ("DATE_RFC2822", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_RFC3339", ConstValue::Str("Y-m-d\\TH:i:sP")),
    ("DATE_RFC3339_EXTENDED", ConstValue::Str("Y-m-d\\TH:i:s.vP")),
    ("DATE_RSS", ConstValue::Str("D, d M Y H:i:s O")),
    ("DATE_W3C", ConstValue::Str("Y-m-d\\TH:i:sP")),
    ("SUNFUNCS_RET_TIMESTAMP", ConstValue::Int(0)),
    ("SUNFUNCS_RET_STRING", ConstValue::Int(1)),
    ("SUNFUNCS_RET_DOUBLE", ConstValue::Int(2)),
];

pub static EXTENSION: Extension = Extension {
    name: "date",
    functions: &[
        functions::FUNCTIONS,
        strftime::FUNCTIONS,
        classes::INSTANT_FUNCTIONS,
        classes::ZONE_FUNCTIONS,
        classes::INTERVAL_FUNCTIONS,
        zone::FUNCTIONS,
        sun::FUNCTIONS,
    ],
    classes: &[classes::INSTANTS, classes::ZONES, classes::INTERVALS, classes::PERIODS, classes::EXCEPTIONS],
    constants: &[CONSTANTS],
    ini: &[
        &zone::TIMEZONE.def,
        &sun::DEFAULT_LATITUDE.def,
        &sun::DEFAULT_LONGITUDE.def,
        &sun::SUNSET_ZENITH.def,
        &sun::SUNRISE_ZENITH.def,
    ],
    startup: None,
    shutdown: None,
};
