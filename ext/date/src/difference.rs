//! The difference of two moments in calendar units.

use crate::calendar::days_in_month;
use crate::moment::Moment;
use crate::relative::Relative;
use crate::zone::Zone;

const DAY: i64 = 86_400;

/// Full days between two moments.
fn days_between(one: &Moment, two: &Moment) -> i64 {
    let same_zone = match (&one.zone, &two.zone) {
        (Zone::Offset(a), Zone::Offset(b)) => a == b,
        (Zone::Abbreviation { .. }, Zone::Abbreviation { .. }) => one.offset().seconds == two.offset().seconds,
        (a, b) => a.same_name(b),
    };
    if !same_zone {
        return (one.timestamp.wrapping_sub(two.timestamp) / DAY).abs();
    }
    let (earlier, later) = if one.instant() < two.instant() { (one, two) } else { (two, one) };
    let time = |moment: &Moment| {
        let civil = &moment.civil;
        (civil.hour, civil.minute, civil.second, moment.microsecond)
    };
    let days = (one.local_days() - two.local_days()).abs();
    days - (time(later) < time(earlier) && days > 0) as i64
}

/// Carries between the units; days come from the months around `base`.
fn normalize(relative: &mut Relative, base: &Moment) {
    let carry = |low: &mut i64, high: &mut i64, size: i64| {
        *high = high.wrapping_add(low.div_euclid(size));
        *low = low.rem_euclid(size);
    };
    carry(&mut relative.microsecond, &mut relative.second, 1_000_000);
    carry(&mut relative.second, &mut relative.minute, 60);
    carry(&mut relative.minute, &mut relative.hour, 60);
    carry(&mut relative.hour, &mut relative.day, 24);
    carry(&mut relative.month, &mut relative.year, 12);
    let (mut year, mut month) = (base.civil.year, base.civil.month);
    while relative.day < 0 {
        if !relative.goes_back() {
            (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
        }
        relative.day += days_in_month(year, month);
        relative.month -= 1;
        if relative.goes_back() {
            (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        }
    }
    carry(&mut relative.month, &mut relative.year, 12);
}

/// The distance from `one` to `two` in calendar units.
pub fn difference(one: &Moment, two: &Moment) -> Relative {
    let same_zone = one.zone.same_name(&two.zone);
    let swapped = match same_zone {
        true => (one.civil, one.microsecond) > (two.civil, two.microsecond),
        false => one.instant() > two.instant(),
    };
    let (one, two) = if swapped { (two, one) } else { (one, two) };
    let mut relative = Relative {
        year: two.civil.year - one.civil.year,
        month: two.civil.month - one.civil.month,
        day: two.civil.day - one.civil.day,
        hour: two.civil.hour - one.civil.hour,
        minute: two.civil.minute - one.civil.minute,
        second: two.civil.second - one.civil.second,
        microsecond: two.microsecond - one.microsecond,
        invert: swapped.into(),
        days: Some(days_between(one, two)),
        ..Relative::default()
    };
    if same_zone {
        within_zone(&mut relative, one, two);
    } else {
        // The second's offset includes daylight saving, whatever the zone's kind.
        relative.second += one.offset().seconds - two.offset().seconds;
        normalize(&mut relative, if swapped { one } else { two });
    }
    relative
}

/// Corrects the difference of two moments in one zone, whose offset may change between them.
fn within_zone(relative: &mut Relative, one: &Moment, two: &Moment) {
    let (before, after) = (one.offset(), two.offset());
    let correction = after.seconds - before.seconds;
    if two.timestamp < one.timestamp {
        // In the hour that occurs twice, local times increase while time decreases.
        let flipped = (relative.minute * 60 + relative.second - correction).abs();
        relative.hour = flipped / 3600;
        relative.minute = flipped / 60 % 60;
        relative.second = flipped % 60;
        relative.invert = (!relative.goes_back()).into();
    }
    normalize(relative, if relative.goes_back() { one } else { two });
    let Zone::Named(rules) = &two.zone else { return };
    let elapsed = two.timestamp - one.timestamp;
    let mut shift = || {
        relative.hour -= correction / 3600;
        relative.minute -= correction % 3600 / 60;
    };
    match (before.daylight_saving, after.daylight_saving) {
        (true, false) => {
            if elapsed + correction < DAY {
                shift();
            }
        }
        (false, true) => {
            let since = rules.at(two.timestamp).1;
            let next_day = one.timestamp + DAY;
            let within_change = next_day > since && next_day <= since + correction;
            if !within_change && two.timestamp >= since && (elapsed + correction) % DAY > two.timestamp - since {
                shift();
            }
        }
        _ if elapsed >= DAY => {
            let (kind, since) = rules.at(two.timestamp - after.seconds);
            let correction = before.seconds - kind.offset;
            if two.timestamp >= since.saturating_sub(correction) && two.timestamp < since {
                relative.day -= 1;
                relative.hour = 24;
            }
        }
        _ => {}
    }
}
