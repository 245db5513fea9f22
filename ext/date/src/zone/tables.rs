//! The tables of the zone database besides the rules: places (`zone.tab`) and abbreviations.
//!
//! `data/zones.tsv`: name, country, latitude and longitude in degrees, comment. `data/abbreviations.tsv`: abbreviation,
//! whether daylight saving, offset, names; the first name is the one that the abbreviation stands for.

use std::sync::LazyLock;

/// A zone with its place on earth.
pub struct Place {
    pub name: &'static str,
    pub country: &'static str,
    pub latitude: f64,
    pub longitude: f64,
    pub comment: &'static str,
}

/// Zones by an abbreviation.
pub struct Abbreviation {
    pub letters: &'static str,
    pub daylight_saving: bool,
    pub offset: i64,
    /// Names of the zones; `None` stands for no zone (the military letters).
    pub zones: Vec<Option<&'static str>>,
}

fn degrees(text: &str) -> f64 {
    text.parse().unwrap_or(0.0)
}

pub static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        Place { name: next(), country: next(), latitude: degrees(next()), longitude: degrees(next()), comment: next() }
    };
    include_str!("../../data/zones.tsv").lines().map(row).collect()
});

pub static ABBREVIATIONS: LazyLock<Vec<Abbreviation>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        Abbreviation {
            letters: next(),
            daylight_saving: next() == "1",
            offset: next().parse().unwrap_or(0),
            zones: next().split(' ').map(|name| (name != "-").then_some(name)).collect(),
        }
    };
    include_str!("../../data/abbreviations.tsv").lines().map(row).collect()
});

/// Zones for an offset when the letters say nothing: hours east, daylight saving, name.
const BY_OFFSET: &[(f64, bool, &str)] = &[
    (-11.0, false, "Pacific/Apia"),
    (-10.0, false, "Pacific/Honolulu"),
    (-9.0, false, "America/Anchorage"),
    (-8.0, true, "America/Anchorage"),
    (-8.0, false, "America/Los_Angeles"),
    (-7.0, true, "America/Los_Angeles"),
    (-7.0, false, "America/Denver"),
    (-6.0, true, "America/Denver"),
    (-6.0, false, "America/Chicago"),
    (-5.0, true, "America/Chicago"),
    (-5.0, false, "America/New_York"),
    (-4.5, false, "America/Caracas"),
    (-4.0, true, "America/New_York"),
    (-4.0, false, "America/Halifax"),
    (-3.0, true, "America/Halifax"),
    (-3.0, false, "America/Sao_Paulo"),
    (-2.0, true, "America/Sao_Paulo"),
    (-1.0, false, "Atlantic/Azores"),
    (0.0, true, "Atlantic/Azores"),
    (0.0, false, "Europe/London"),
    (1.0, true, "Europe/London"),
    (1.0, false, "Europe/Paris"),
    (2.0, true, "Europe/Paris"),
    (2.0, false, "Europe/Helsinki"),
    (3.0, true, "Europe/Helsinki"),
    (3.0, false, "Europe/Moscow"),
    (4.0, true, "Europe/Moscow"),
    (4.0, false, "Asia/Dubai"),
    (5.0, false, "Asia/Karachi"),
    (5.5, false, "Asia/Kolkata"),
    (5.75, false, "Asia/Katmandu"),
    (6.0, true, "Asia/Yekaterinburg"),
    (7.0, true, "Asia/Novosibirsk"),
    (7.0, false, "Asia/Krasnoyarsk"),
    (8.0, false, "Asia/Shanghai"),
    (8.0, true, "Asia/Krasnoyarsk"),
    (9.0, false, "Asia/Tokyo"),
    (10.0, false, "Australia/Melbourne"),
    (10.5, true, "Australia/Adelaide"),
    (11.0, true, "Australia/Melbourne"),
    (12.0, false, "Pacific/Auckland"),
    (13.0, true, "Pacific/Auckland"),
];

/// The row that an abbreviation means; with an offset the one that has it, if there is one.
pub fn abbreviation(letters: &str, offset: Option<i64>) -> Option<&'static Abbreviation> {
    let mut rows = ABBREVIATIONS.iter().filter(|row| row.letters.eq_ignore_ascii_case(letters));
    let first = rows.next()?;
    let wanted = |row: &&Abbreviation| offset.is_none_or(|offset| row.offset == offset);
    if wanted(&first) { Some(first) } else { rows.find(wanted).or(Some(first)) }
}

/// `timezone_name_from_abbr`
pub fn zone_name(letters: &str, offset: i64, daylight_saving: i64) -> Option<&'static str> {
    if letters.eq_ignore_ascii_case("utc") || letters.eq_ignore_ascii_case("gmt") {
        return Some("UTC");
    }
    if let Some(row) = abbreviation(letters, Some(offset).filter(|&offset| offset != -1)) {
        return row.zones.first().copied().flatten();
    }
    let matches = |&&(hours, saving, _): &&(f64, bool, &str)| {
        (hours * 3600.0) as i64 == offset && saving as i64 == daylight_saving
    };
    BY_OFFSET.iter().find(matches).map(|row| row.2)
}
