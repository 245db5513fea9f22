//! How fast something gets hot. Compiling takes as long as many thousand calls, so that it pays in programs that call a function
//! all the time, and is a loss where it takes a tenth of a second until a function has been called often: such a program is over
//! before it has come to anything. What is slow has to go on for longer.

use super::waits;
use std::cell::Cell;

/// The time stamp counter, or a clock.
fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: all of these processors have the instruction.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    return std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
}

/// What [`now`] counts in a nanosecond, more or less.
pub const TICKS: u64 = if cfg!(target_arch = "x86_64") { 3 } else { 1 };

/// How often that is doubled which is slow.
const WINDOWS: u32 = 2;

pub struct Pace {
    /// Since when it is counted, as [`now`] said.
    since: Cell<u64>,
    windows: Cell<u32>,
    /// So much time for the first so many times is fast.
    fast: u64,
}

impl Pace {
    /// Starts to count; `fast` is a time in what [`now`] counts.
    pub fn new(fast: u64) -> Pace {
        Pace { since: Cell::new(now()), windows: Cell::new(0), fast }
    }

    /// Something has happened often: how many times more it has to, because it was slow.
    pub fn times_to_wait(&self, often: u32) -> Option<u32> {
        let (windows, now) = (self.windows.get(), now());
        let is_slow = now.saturating_sub(self.since.replace(now)) > self.fast << windows;
        if !is_slow || windows >= WINDOWS || waits() {
            return None;
        }
        self.windows.set(windows + 1);
        Some(often << (windows + 1))
    }
}
