//! What a time zone did and will do: `getHistory` and `getRules`, from the changes that the zone database lists.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::calendar::{Calendar, Date, weekday};

/// A stretch of time in which a zone keeps its clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// When it begins, in milliseconds since 1970; `None` for the time before the first change.
    pub from: Option<i64>,
    /// Standard time's distance from universal time, in milliseconds.
    pub standard: i64,
    /// What daylight saving adds to it.
    pub save: i64,
    /// The abbreviation.
    pub name: String,
}

/// A change that comes every year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The clocks after it.
    pub period: Period,
    /// The month.
    pub month: i32,
    /// How the day is found.
    pub kind: RuleKind,
    /// The day of the month that the kind speaks about.
    pub day: i32,
    /// Sunday is 1.
    pub weekday: i32,
    /// The time on the clocks before the change, in milliseconds after midnight.
    pub time: i64,
}

/// How a rule finds its day; programs see the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Always the same day of the month.
    Fixed = 0,
    /// The last weekday of its name.
    Last = 1,
    /// The first weekday of its name on or after the day.
    After = 2,
}

/// History goes to the year to which the reference's data list single changes.
const HISTORY_END: i64 = 2_145_916_800_000;
/// Rules are read off these years, 2090 to 2117: all ways in which weekdays can fall.
const RULE_START: i64 = 3_786_912_000_000;
const RULE_END: i64 = 4_670_438_400_000;
const DAY: i64 = 86_400_000;
/// What daylight saving adds if the standard time beside it is not known.
const HOUR: i64 = 3_600_000;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

impl Rule {
    /// The day in words: `Mar Sun>=8`.
    pub fn when(&self) -> String {
        let month = MONTHS[(self.month - 1).rem_euclid(12) as usize];
        let weekday = WEEKDAYS[(self.weekday - 1).rem_euclid(7) as usize];
        match self.kind {
            RuleKind::Fixed => format!("{month} {:02}", self.day),
            RuleKind::Last => format!("{month} last {weekday}"),
            RuleKind::After => format!("{month} {weekday}>={}", self.day),
        }
    }
}

/// All periods up to a moment, the first without a beginning.
fn periods(zone: &TimeZone, until: i64) -> Vec<Period> {
    let start = zone.to_offset_info(Timestamp::MIN);
    let offset = i64::from(start.offset().seconds()) * 1000;
    let mut out = vec![Period { from: None, standard: offset, save: 0, name: start.abbreviation().to_owned() }];
    for change in zone.following(Timestamp::MIN) {
        let from = change.timestamp().as_millisecond();
        if from >= until {
            break;
        }
        let offset = i64::from(change.offset().seconds()) * 1000;
        let before = out.last().map_or(offset, |period| period.standard);
        // Daylight saving adds something; a zone whose standard time moved with it is taken to add an hour.
        let save = match (change.dst().is_dst(), offset - before) {
            (false, _) => 0,
            (true, save) if save > 0 => save,
            (true, _) => HOUR,
        };
        let name = change.abbreviation().to_owned();
        out.push(Period { from: Some(from), standard: offset - save, save, name });
    }
    out
}

/// The history of a zone.
pub fn history(zone: &TimeZone) -> Vec<Period> {
    periods(zone, HISTORY_END)
}

/// The period that a moment is in.
pub fn period_at(zone: &TimeZone, milliseconds: i64) -> Option<Period> {
    periods(zone, milliseconds.saturating_add(1).min(RULE_END)).pop()
}

/// The changes that come every year from now on.
pub fn rules(zone: &TimeZone) -> Vec<Rule> {
    let all = periods(zone, RULE_END);
    // The changes of each kind with the local time that the clocks before them show.
    let mut groups: Vec<(Period, Vec<i64>)> = Vec::new();
    for pair in all.windows(2) {
        let [before, after] = pair else { continue };
        let Some(from) = after.from.filter(|from| *from >= RULE_START) else { continue };
        let local = from + before.standard + before.save;
        let month = month_of(local);
        let same = |group: &&mut (Period, Vec<i64>)| {
            group.0.name == after.name && group.0.save == after.save && group.1.iter().all(|at| month_of(*at) == month)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.1.push(local),
            None => groups.push((after.clone(), vec![local])),
        }
    }
    groups.into_iter().filter_map(|(period, locals)| rule(period, &locals)).collect()
}

fn month_of(local: i64) -> i32 {
    Calendar::Gregorian.date(local.div_euclid(DAY)).month
}

/// The rule behind the times of many years.
fn rule(period: Period, locals: &[i64]) -> Option<Rule> {
    let first = *locals.first()?;
    let days: Vec<Date> = locals.iter().map(|local| Calendar::Gregorian.date(local.div_euclid(DAY))).collect();
    let on = |local: &i64| weekday(local.div_euclid(DAY)) + 1;
    let same_weekday = locals.iter().all(|local| on(local) == on(&first));
    let least = days.iter().map(|date| date.day).min()?;
    let kind = match same_weekday {
        false => RuleKind::Fixed,
        true if days.iter().all(|date| is_last_week(*date)) => RuleKind::Last,
        true => RuleKind::After,
    };
    Some(Rule {
        period,
        month: days.first()?.month,
        kind,
        day: if kind == RuleKind::Last { 0 } else { least },
        weekday: on(&first),
        time: first.rem_euclid(DAY),
    })
}

fn is_last_week(date: Date) -> bool {
    let later = Calendar::Gregorian.day(Date { day: date.day + 7, ..date });
    Calendar::Gregorian.date(later).month != date.month
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_off_the_changes() {
        let zone = jiff::tz::db().get("America/New_York").expect("a zone");
        let found: Vec<_> =
            rules(&zone).iter().map(|rule| (rule.period.name.clone(), rule.when(), rule.time)).collect();
        let expected = [("EDT", "Mar Sun>=8", 7_200_000), ("EST", "Nov Sun>=1", 7_200_000)];
        assert_eq!(found, expected.map(|(name, when, time)| (name.to_owned(), when.to_owned(), time)));
        let zone = jiff::tz::db().get("Europe/Paris").expect("a zone");
        let found: Vec<_> = rules(&zone).iter().map(|rule| (rule.when(), rule.period.save)).collect();
        assert_eq!(found, [("Mar last Sun".to_owned(), HOUR), ("Oct last Sun".to_owned(), 0)]);
        assert!(rules(&TimeZone::UTC).is_empty());
    }
}
