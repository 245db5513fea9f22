//! Time zones by name, by abbreviation and by offset.

use jiff::tz::{Offset, TimeZone};

/// A time zone with the name that programs see.
#[derive(Debug, Clone)]
pub struct Zone {
    /// The name.
    pub name: String,
    /// Its offsets at all times.
    pub zone: TimeZone,
    /// Whether the name stands for every abbreviation: fixed offsets.
    pub fixed: bool,
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
pub fn offset_seconds(text: &str) -> Option<i32> {
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
