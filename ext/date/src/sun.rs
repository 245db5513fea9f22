//! Sunrise, sunset and twilight, by the low-precision formulas for the sun's position.

use crate::calendar::Civil;
use crate::moment::Moment;
use crate::zone::Zone;
use phlox_runtime::ini::{IniAccess, IniFloat};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

const fn degrees(name: &'static str, default: &'static str) -> IniFloat {
    IniFloat::new(name, default, IniAccess::All).not_restored()
}

/// The default place from which the sun is seen.
pub static DEFAULT_LATITUDE: IniFloat = degrees("date.default_latitude", "31.7667");
pub static DEFAULT_LONGITUDE: IniFloat = degrees("date.default_longitude", "35.2333");

/// The default angle between the sun and the zenith when it sets or rises.
pub static SUNSET_ZENITH: IniFloat = degrees("date.sunset_zenith", "90.833333");
pub static SUNRISE_ZENITH: IniFloat = degrees("date.sunrise_zenith", "90.833333");

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "#[\\Deprecated(since: \"8.1\", message: \"use date_sun_info() instead\")] date_sunrise(int $timestamp, int $returnFormat = SUNFUNCS_RET_STRING, ?float $latitude = null, ?float $longitude = null, ?float $zenith = null, ?float $utcOffset = null): string|int|float|false",
        date_sunrise,
    ),
    FnDef::new(
        "#[\\Deprecated(since: \"8.1\", message: \"use date_sun_info() instead\")] date_sunset(int $timestamp, int $returnFormat = SUNFUNCS_RET_STRING, ?float $latitude = null, ?float $longitude = null, ?float $zenith = null, ?float $utcOffset = null): string|int|float|false",
        date_sunset,
    ),
    FnDef::new("date_sun_info(int $timestamp, float $latitude, float $longitude): array", date_sun_info),
];

const RETURN_TIMESTAMP: i64 = 0;
const RETURN_STRING: i64 = 1;
const RETURN_DOUBLE: i64 = 2;

/// The sun's passage on one day at one place.
struct Passage {
    /// Hours of the day in UTC.
    rise: f64,
    set: f64,
    transit: f64,
    kind: Kind,
    midnight: i64,
}

#[derive(PartialEq)]
enum Kind {
    Crosses,
    AlwaysAbove,
    AlwaysBelow,
}

fn sine(degrees: f64) -> f64 {
    degrees.to_radians().sin()
}

fn cosine(degrees: f64) -> f64 {
    degrees.to_radians().cos()
}

/// The angle in the range 0 to 360.
fn revolution(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0).floor()
}

/// Right ascension, declination and distance of the sun, so many days after the beginning of 2000.
fn position(days: f64) -> (f64, f64, f64) {
    let anomaly = revolution(356.0470 + 0.9856002585 * days);
    let perihelion = 282.9404 + 4.70935E-5 * days;
    let eccentricity = 0.016709 - 1.151E-9 * days;
    let eccentric = anomaly + eccentricity.to_degrees() * sine(anomaly) * (1.0 + eccentricity * cosine(anomaly));
    let x = cosine(eccentric) - eccentricity;
    let y = (1.0 - eccentricity * eccentricity).sqrt() * sine(eccentric);
    let distance = x.hypot(y);
    let longitude = revolution(y.atan2(x).to_degrees() + perihelion);
    let obliquity = 23.4393 - 3.563E-7 * days;
    let (x, y) = (distance * cosine(longitude), distance * sine(longitude));
    let (y, z) = (y * cosine(obliquity), y * sine(obliquity));
    (y.atan2(x).to_degrees(), z.atan2(x.hypot(y)).to_degrees(), distance)
}

/// The passage through an altitude on the local day of `moment`.
fn passage(moment: &Moment, latitude: f64, longitude: f64, altitude: f64, upper_limb: bool) -> Passage {
    let Civil { year, month, day, .. } = moment.civil;
    let midnight = Civil { year, month, day, ..Civil::default() }.seconds();
    let days = midnight as f64 / 86_400.0 + 2_440_587.5 - 2_451_545.0 + 2.0 - longitude / 360.0;
    let sidereal_zero = revolution(180.0 + 356.0470 + 282.9404 + (0.9856002585 + 4.70935E-5) * days);
    let sidereal = revolution(sidereal_zero + 180.0 + longitude);
    let (ascension, declination, distance) = position(days);
    let angle = sidereal - ascension;
    let transit = 12.0 - (angle - 360.0 * (angle / 360.0 + 0.5).floor()) / 15.0;
    let altitude = if upper_limb { altitude - 0.2666 / distance } else { altitude };
    let cost = (sine(altitude) - sine(latitude) * sine(declination)) / (cosine(latitude) * cosine(declination));
    let (kind, arc) = match cost {
        cost if cost >= 1.0 => (Kind::AlwaysBelow, 0.0),
        cost if cost <= -1.0 => (Kind::AlwaysAbove, 12.0),
        cost => (Kind::Crosses, cost.acos().to_degrees() / 15.0),
    };
    Passage { rise: transit - arc, set: transit + arc, transit, kind, midnight }
}

impl Passage {
    fn timestamp(&self, hours: f64) -> i64 {
        (hours * 3600.0 + self.midnight as f64) as i64
    }
}

fn rise_or_set(call: &Call<'_>, sets: bool) -> PhpResult<Val> {
    let setting = |index: usize, setting: &'static IniFloat| match call.opt_double(index) {
        Some(value) => value,
        None => call.vm.ini.get(setting),
    };
    let latitude = setting(2, &DEFAULT_LATITUDE);
    let longitude = setting(3, &DEFAULT_LONGITUDE);
    let zenith = setting(4, if sets { &SUNSET_ZENITH } else { &SUNRISE_ZENITH });
    let wanted = call.int(1);
    if ![RETURN_TIMESTAMP, RETURN_STRING, RETURN_DOUBLE].contains(&wanted) {
        let text = "must be one of SUNFUNCS_RET_TIMESTAMP, SUNFUNCS_RET_STRING, or SUNFUNCS_RET_DOUBLE";
        return Err(call.value_error(1, text));
    }
    if !latitude.is_finite() || !longitude.is_finite() {
        return Ok(Val::FALSE);
    }
    let zone = Zone::default(call.vm);
    // Without an offset PHP takes the zone's at the epoch.
    let offset = call.opt_double(5).unwrap_or_else(|| zone.offset_at(0).seconds as f64 / 3600.0);
    let moment = Moment::at(call.int(0), zone);
    let passage = passage(&moment, latitude, longitude, 90.0 - zenith, true);
    if passage.kind != Kind::Crosses {
        return Ok(Val::FALSE);
    }
    let hours = if sets { passage.set } else { passage.rise };
    if wanted == RETURN_TIMESTAMP {
        return Ok(Val::int(passage.timestamp(hours)));
    }
    let mut local = hours + offset;
    if !(0.0..=24.0).contains(&local) {
        local -= (local / 24.0).floor() * 24.0;
    }
    if !(0.0..=24.0).contains(&local) {
        return Ok(Val::FALSE);
    }
    if wanted == RETURN_DOUBLE {
        return Ok(Val::double(local));
    }
    Ok(format!("{:02}:{:02}", local as i64, (60.0 * local.fract()) as i64).into())
}

fn date_sunrise(call: &mut Call<'_>) -> PhpResult<Val> {
    rise_or_set(call, false)
}

fn date_sunset(call: &mut Call<'_>) -> PhpResult<Val> {
    rise_or_set(call, true)
}

/// Names of begin and end, the altitude, and whether the upper limb counts.
const EVENTS: [(&str, &str, f64, bool); 4] = [
    ("sunrise", "sunset", -35.0 / 60.0, true),
    ("civil_twilight_begin", "civil_twilight_end", -6.0, false),
    ("nautical_twilight_begin", "nautical_twilight_end", -12.0, false),
    ("astronomical_twilight_begin", "astronomical_twilight_end", -18.0, false),
];

fn date_sun_info(call: &mut Call<'_>) -> PhpResult<Val> {
    let (latitude, longitude) = (call.double(1), call.double(2));
    for (index, value) in [(1, latitude), (2, longitude)] {
        if !value.is_finite() {
            return Err(call.value_error(index, "must be finite"));
        }
    }
    let moment = Moment::at(call.int(0), Zone::default(call.vm));
    let mut info = PhpArr::new();
    for (begin, end, altitude, upper_limb) in EVENTS {
        let passage = passage(&moment, latitude, longitude, altitude, upper_limb);
        let value = |hours: f64| match passage.kind {
            Kind::AlwaysBelow => Val::FALSE,
            Kind::AlwaysAbove => Val::TRUE,
            Kind::Crosses => Val::int(passage.timestamp(hours)),
        };
        info.set_bytes(begin.as_bytes(), value(passage.rise));
        info.set_bytes(end.as_bytes(), value(passage.set));
        if upper_limb {
            info.set_bytes(b"transit", Val::int(passage.timestamp(passage.transit)));
        }
    }
    Ok(info.into())
}
