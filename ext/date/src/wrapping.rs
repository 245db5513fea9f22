//! Fields near the limits of 64 bits. PHP's result for them depends on timelib's order of steps in wrapping arithmetic,
//! so the steps here follow timelib. Ordinary dates are computed directly by [`Civil::normalized`].

use crate::calendar::{Civil, DAYS_OF_ERA, YEARS_OF_ERA, days_in_month};

/// Brings `low` into `start..start + size`, carrying into `high`.
fn carry(start: i64, size: i64, low: &mut i64, high: &mut i64) {
    if *low < start {
        let steps = start.wrapping_sub(low.wrapping_add(1)) / size;
        *high = high.wrapping_sub(steps + 1);
        *low = low.wrapping_add(size.wrapping_mul(steps)).wrapping_add(size);
    }
    if *low >= start + size {
        *high = high.wrapping_add(*low / size);
        *low -= size * (*low / size);
    }
}

/// Days of a month that may be 0, the December before.
fn length(year: i64, month: i64) -> i64 {
    days_in_month(year, if month == 0 { 12 } else { month })
}

/// Carries days into months within about a year; true if anything was carried.
fn carry_days(civil: &mut Civil) -> bool {
    let eras = civil.day / DAYS_OF_ERA;
    civil.year = civil.year.wrapping_add(YEARS_OF_ERA.wrapping_mul(eras));
    civil.day -= DAYS_OF_ERA * eras;
    carry(1, 12, &mut civil.month, &mut civil.year);
    let mut moved = false;
    while civil.day <= 0 && civil.month > 0 {
        let year = if civil.month == 1 { civil.year.wrapping_sub(1) } else { civil.year };
        civil.month -= 1;
        civil.day += length(year, civil.month);
        moved = true;
    }
    while civil.day > 0 && civil.month <= 12 && civil.day > length(civil.year, civil.month) {
        civil.day -= length(civil.year, civil.month);
        civil.month += 1;
        moved = true;
    }
    moved
}

/// The fields in their ranges.
pub fn normalized(mut civil: Civil) -> Civil {
    carry(0, 60, &mut civil.second, &mut civil.minute);
    carry(0, 60, &mut civil.minute, &mut civil.hour);
    carry(0, 24, &mut civil.hour, &mut civil.day);
    carry(1, 12, &mut civil.month, &mut civil.year);
    if (civil.year, civil.month) == (1970, 1) {
        let Civil { year, month, day, .. } = Civil::from_days(civil.day.wrapping_sub(1));
        return Civil { year, month, day, ..civil };
    }
    while carry_days(&mut civil) {}
    carry(1, 12, &mut civil.month, &mut civil.year);
    civil
}
