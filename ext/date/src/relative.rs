//! Distances in time, as relative texts and intervals hold them.

/// A distance by calendar units, with the special kinds that only texts have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relative {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub microsecond: i64,
    /// Other than 0: an interval that goes back.
    pub invert: i32,
    /// Full days between the two dates whose difference it is.
    pub days: Option<i64>,
    pub weekday: Option<WeekdayStep>,
    pub special: Option<Special>,
    pub edge: Option<Edge>,
}

/// To a day of the week.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeekdayStep {
    /// The day of the week, where 0 is Sunday. It is negative after `ago`.
    pub weekday: i64,
    pub behavior: WeekdayBehavior,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeekdayBehavior {
    /// The current day does not count.
    #[default]
    ExcludeToday,
    /// The current day counts.
    IncludeToday,
    /// The day of the current week.
    WithinWeek,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// So many days from Monday to Friday.
    Workdays(i64),
    /// `first monday of`
    WeekdayInMonth,
    /// `last monday of`
    LastWeekdayInMonth,
}

/// `first day of`, `last day of`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    FirstDay,
    LastDay,
}

impl Relative {
    /// Has the distance parts that are no plain amounts?
    pub fn is_special(&self) -> bool {
        self.weekday.is_some() || self.special.is_some()
    }

    /// Whether the distance leads into the past.
    pub fn goes_back(&self) -> bool {
        self.invert != 0
    }

    /// The amounts alone, all turned around if `negative`.
    pub fn amounts(&self, negative: bool) -> Relative {
        let sign = if negative { -1 } else { 1 };
        Relative {
            year: self.year.wrapping_mul(sign),
            month: self.month.wrapping_mul(sign),
            day: self.day.wrapping_mul(sign),
            hour: self.hour.wrapping_mul(sign),
            minute: self.minute.wrapping_mul(sign),
            second: self.second.wrapping_mul(sign),
            microsecond: self.microsecond.wrapping_mul(sign),
            ..Relative::default()
        }
    }

    /// Hours, minutes and seconds in seconds.
    pub fn time_in_seconds(&self) -> i64 {
        let minutes = self.hour.wrapping_mul(60).wrapping_add(self.minute);
        minutes.wrapping_mul(60).wrapping_add(self.second)
    }
}
