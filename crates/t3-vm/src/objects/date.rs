//! Moments in time.

use std::cmp::Ordering;

/// A moment.
#[derive(Debug, Clone)]
pub struct Date {
    /// Milliseconds since 1970, universal time.
    pub milliseconds: i64,
}

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
