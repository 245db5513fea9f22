//! A moment in a zone, and how it is computed from the parts of a date.

use crate::calendar::{Civil, days_from_civil};
use crate::parse::Parsed;
use crate::relative::{Edge, Relative, Special, WeekdayBehavior};
use crate::zone::{Offset, Zone};
use std::time::{SystemTime, UNIX_EPOCH};

const MICROSECONDS: i64 = 1_000_000;

/// A moment with its local time. After changes of single fields the two differ until [`Moment::resolve`].
#[derive(Clone)]
pub struct Moment {
    pub civil: Civil,
    pub microsecond: i64,
    pub zone: Zone,
    pub timestamp: i64,
    /// Is it daylight saving time? Decides which of two equal local times is meant.
    pub daylight_saving: bool,
    /// A zone was given, so `daylight_saving` is meaningful.
    pub knows_zone: bool,
}

/// Seconds and microseconds of the system's clock.
pub fn now() -> (i64, i64) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() as i64, since.subsec_micros() as i64)
}

impl Moment {
    /// A timestamp in a zone.
    pub fn at(timestamp: i64, zone: Zone) -> Moment {
        let (civil, offset) = zone.civil(timestamp);
        let daylight_saving = offset.daylight_saving;
        Moment { civil, microsecond: 0, zone, timestamp, daylight_saving, knows_zone: true }
    }

    /// The present moment in the zone.
    pub fn now(zone: Zone) -> Moment {
        let (seconds, microsecond) = now();
        Moment { microsecond, ..Moment::at(seconds, zone) }
    }

    /// The zone's offset at this moment.
    pub fn offset(&self) -> Offset {
        self.zone.offset_at(self.timestamp)
    }

    /// Computes the local fields from the timestamp.
    pub fn update_fields(&mut self) {
        self.civil = self.zone.civil(self.timestamp).0;
        self.knows_zone = true;
    }

    /// Changes the zone; the moment stays.
    pub fn set_zone(&mut self, zone: Zone) {
        *self = Moment { microsecond: self.microsecond, ..Moment::at(self.timestamp, zone) };
    }

    /// Changes the timestamp, without a fraction of a second; the zone stays.
    pub fn set_timestamp(&mut self, timestamp: i64) {
        *self = Moment::at(timestamp, self.zone.clone());
    }

    /// A parsed text, whose missing parts are those of `base`.
    pub fn from_parsed(parsed: &Parsed, base: &Moment, keeps_time: bool) -> Moment {
        let at_midnight = !keeps_time && parsed.has_date && parsed.time_count == 0;
        let time = |part: Option<i64>, current: i64| match at_midnight {
            true => 0,
            false => part.unwrap_or(current),
        };
        let given = [parsed.year, parsed.month, parsed.day, parsed.hour, parsed.minute, parsed.second];
        let has_any = at_midnight || given.iter().any(Option::is_some);
        let fraction = if at_midnight { Some(0) } else { parsed.microsecond };
        let mut moment = Moment {
            civil: Civil {
                year: parsed.year.unwrap_or(base.civil.year),
                month: parsed.month.unwrap_or(base.civil.month),
                day: parsed.day.unwrap_or(base.civil.day),
                hour: time(parsed.hour, base.civil.hour),
                minute: time(parsed.minute, base.civil.minute),
                second: time(parsed.second, base.civil.second),
            },
            microsecond: fraction.unwrap_or(if has_any { 0 } else { base.microsecond }),
            zone: parsed.zone.clone().unwrap_or_else(|| base.zone.clone()),
            timestamp: 0,
            daylight_saving: match &parsed.zone {
                // A zone named in a text leaves open which of two equal local times is meant; PHP takes the earlier.
                Some(Zone::Named(rules)) => rules.name != "UTC",
                Some(Zone::Abbreviation { daylight_saving, .. }) => *daylight_saving,
                Some(Zone::Offset(_)) => false,
                None => base.daylight_saving,
            },
            knows_zone: parsed.zone_count > 0,
        };
        let relative = parsed.has_relative.then(|| parsed.relative.clone());
        moment.resolve(&relative.unwrap_or_else(|| Relative { edge: parsed.relative.edge, ..Relative::default() }));
        moment
    }

    /// Applies a distance to the local fields and finds the timestamp that they mean.
    pub fn resolve(&mut self, relative: &Relative) {
        let mut months = relative.month;
        if let Some(special @ (Special::WeekdayInMonth | Special::LastWeekdayInMonth)) = relative.special {
            self.civil.day = 1;
            self.civil.month += months + (special == Special::LastWeekdayInMonth) as i64;
            months = 0;
        }
        self.go_to_edge(relative.edge);
        self.normalize();
        self.go_to_weekday(relative);
        self.normalize();
        self.microsecond = self.microsecond.wrapping_add(relative.microsecond);
        self.civil.second = self.civil.second.wrapping_add(relative.second);
        self.civil.minute = self.civil.minute.wrapping_add(relative.minute);
        self.civil.hour = self.civil.hour.wrapping_add(relative.hour);
        self.civil.day = self.civil.day.wrapping_add(relative.day);
        self.civil.month = self.civil.month.wrapping_add(months);
        self.civil.year = self.civil.year.wrapping_add(relative.year);
        self.go_to_edge(relative.edge);
        self.normalize();
        if let Some(Special::Workdays(count)) = relative.special {
            self.civil.day += workdays(count, self.civil.weekday());
            self.normalize();
        }
        self.find_timestamp();
    }

    /// Finds the timestamp that the local fields mean.
    pub fn resolve_fields(&mut self) {
        self.resolve(&Relative::default());
    }

    fn normalize(&mut self) {
        let carry = self.microsecond.div_euclid(MICROSECONDS);
        self.microsecond = self.microsecond.rem_euclid(MICROSECONDS);
        self.civil.second = self.civil.second.wrapping_add(carry);
        self.civil = self.civil.normalized();
    }

    fn go_to_edge(&mut self, edge: Option<Edge>) {
        match edge {
            Some(Edge::FirstDay) => self.civil.day = 1,
            Some(Edge::LastDay) => {
                self.civil.day = 0;
                self.civil.month += 1;
            }
            None => {}
        }
    }

    fn go_to_weekday(&mut self, relative: &Relative) {
        let Some(step) = relative.weekday else { return };
        let current = self.civil.weekday();
        if step.behavior == WeekdayBehavior::WithinWeek {
            // Weeks end with Sunday.
            let wanted = match (current, step.weekday) {
                (0, 0) => 0,
                (0, wanted) => wanted - 7,
                (_, 0) => 7,
                (_, wanted) => wanted,
            };
            self.civil.day += wanted - current;
            return;
        }
        let mut difference = step.weekday - current;
        let included = (step.behavior == WeekdayBehavior::IncludeToday) as i64;
        if (relative.day < 0 && difference < 0) || (relative.day >= 0 && difference <= -included) {
            difference += 7;
        }
        self.civil.day += if step.weekday >= 0 { difference } else { -(7 - (step.weekday.abs() - current)) };
    }

    fn find_timestamp(&mut self) {
        let local = self.civil.seconds();
        match &self.zone {
            Zone::Offset(seconds) => self.timestamp = local.wrapping_sub(*seconds),
            Zone::Abbreviation { standard_offset, .. } => {
                let saving = self.daylight_saving as i64 * 3600;
                self.timestamp = local.wrapping_sub(standard_offset + saving);
            }
            Zone::Named(rules) => {
                let (current, _) = rules.at(local);
                let (mut after, mut since) = rules.at(local.wrapping_sub(current.offset));
                if current.offset == after.offset && self.knows_zone {
                    // The flag may ask for the other side of a change of the offset.
                    if current.offset >= 0 && self.daylight_saving && !current.daylight_saving {
                        let earlier = rules.at(local.wrapping_sub(current.offset + 7200));
                        if earlier.0.offset != after.offset && local.wrapping_sub(earlier.0.offset) < since {
                            (after, since) = earlier;
                        }
                    } else if current.offset <= 0 && current.daylight_saving && !self.daylight_saving {
                        let later = rules.at(local.wrapping_sub(current.offset - 7200));
                        if later.0.offset != after.offset && local.wrapping_sub(later.0.offset) >= later.1 {
                            (after, since) = later;
                        }
                    }
                }
                let moment = local.wrapping_sub(after.offset);
                let in_gap =
                    since != i64::MIN && moment >= since.wrapping_add(current.offset - after.offset) && moment < since;
                let differs = current.offset != after.offset && !in_gap;
                let offset = if differs { after.offset } else { current.offset };
                self.timestamp = local.wrapping_sub(offset);
                self.daylight_saving = rules.at(self.timestamp).0.daylight_saving;
            }
        }
    }

    /// Adds a distance: days and longer by the calendar, shorter units as time that passes.
    pub fn add_wall(&self, relative: &Relative, negative: bool) -> Moment {
        let mut moment = self.clone();
        if relative.is_special() {
            moment.resolve(relative);
            moment.update_fields();
            return moment;
        }
        let amounts = relative.amounts(relative.goes_back() != negative);
        if (amounts.year, amounts.month, amounts.day) != (0, 0, 0) {
            let date = Relative { year: amounts.year, month: amounts.month, day: amounts.day, ..Relative::default() };
            moment.resolve(&date);
        }
        let microsecond = moment.microsecond.wrapping_add(amounts.microsecond);
        let carry = microsecond.div_euclid(MICROSECONDS);
        let seconds = amounts.time_in_seconds().wrapping_add(carry);
        let zone = moment.zone.clone();
        let timestamp = moment.timestamp.wrapping_add(seconds);
        moment = Moment::at(timestamp, zone);
        moment.microsecond = microsecond.rem_euclid(MICROSECONDS);
        moment
    }

    /// Adds a distance, all of it by the calendar.
    pub fn add(&self, relative: &Relative, negative: bool) -> Moment {
        let mut moment = self.clone();
        if relative.is_special() && !negative {
            moment.resolve(relative);
        } else {
            moment.resolve(&relative.amounts(relative.goes_back() != negative));
        }
        moment.update_fields();
        moment
    }

    /// Seconds since 1970 in UTC, and microseconds: what moments are compared by.
    pub fn instant(&self) -> (i64, i64) {
        (self.timestamp, self.microsecond)
    }

    /// Days since the epoch of the local date.
    pub fn local_days(&self) -> i64 {
        days_from_civil(self.civil.year, self.civil.month, self.civil.day)
    }
}

/// Number of days that `count` working days span from a weekday on.
fn workdays(count: i64, weekday: i64) -> i64 {
    let rest = count % 5;
    let mut days = (count / 5) * 7 + rest;
    if count > 0 {
        days += match (rest, weekday) {
            (0, 0) => -2,
            (0, 6) => -1,
            (0, _) => 0,
            (_, 6) => 1,
            (rest, weekday) if weekday + rest > 5 => 2,
            _ => 0,
        };
    } else {
        days += match (rest, weekday) {
            (0, 6) => 2,
            (0, 0) => 1,
            (0, _) => 0,
            (_, 0) => -1,
            (rest, weekday) if weekday + rest < 1 => -2,
            _ => 0,
        };
    }
    days
}
