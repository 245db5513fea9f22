//! How fast something gets hot. Compiling takes as long as many thousand calls, so that it pays in programs that call a function
//! all the time, and is a loss where it takes a tenth of a second until a function has been called often: such a program is over
//! before it has come to anything. What is slow has to go on for longer.
//!
//! And a request pays for so much code only. Where the compiler's thread shares a core with the script, a program of hundreds of
//! functions that are all called a few thousand times took a quarter longer with the compiler than without. Once what it may cost is
//! spent, functions wait until there is more, and those come first that are called most.

use super::waits;
use phlox_jit::worker;
use std::cell::Cell;

/// The time stamp counter, or a clock.
#[inline(always)]
pub fn now() -> u64 {
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

/// What compiling may cost a request in any case, in nanoseconds, for loops and for functions. Loops are fewer, and what goes round
/// thousands of times is more likely to go on.
pub const LOOPS_CREDIT: u64 = 12_000_000;
pub const FUNCTIONS_CREDIT: u64 = 6_000_000;
/// The part of the time that a request has taken so far which compiling may cost beyond that: one in so many.
const SHARE: u64 = 5;

thread_local! {
    /// When the request began, as [`now`] said, and what the compiler had spent then.
    static BEGUN: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// A request begins.
pub fn begin_request() {
    BEGUN.set((now(), worker::spent()));
}

/// What an opline costs, in nanoseconds: 30,000 in loops that compute, and twice or three times as much where each opline calls
/// something.
const FOR_OPLINE: u64 = 60_000;

/// Would so many oplines cost more than compiling may cost this request by now, where `credit` is what it may cost in any case?
fn is_spent(credit: u64, oplines: u32) -> bool {
    let (begun, before) = BEGUN.get();
    let elapsed = now().saturating_sub(begun) / TICKS;
    let spent = worker::spent().saturating_sub(before) + FOR_OPLINE * u64::from(oplines);
    spent > credit + elapsed / SHARE
}

pub struct Pace {
    /// Since when it is counted, as [`now`] said.
    since: Cell<u64>,
    windows: Cell<u32>,
    /// So much time for the first so many times is fast.
    fast: u64,
    /// What compiling may have cost the request in any case.
    credit: u64,
}

impl Pace {
    /// Starts to count; `fast` is a time in what [`now`] counts, `credit` one in nanoseconds.
    pub fn new(fast: u64, credit: u64) -> Pace {
        Pace { since: Cell::new(now()), windows: Cell::new(0), fast, credit }
    }

    /// Something of so many oplines has happened often: how many times more it has to, because it was slow, or is not worth what is
    /// left to spend.
    pub fn times_to_wait(&self, often: u32, oplines: u32) -> Option<u32> {
        let (windows, now) = (self.windows.get(), now());
        let took = now.saturating_sub(self.since.replace(now));
        if waits() {
            return None;
        }
        if windows < WINDOWS && took > self.fast << windows {
            self.windows.set(windows + 1);
            return Some(often << (windows + 1));
        }
        self.more_to_wait(often, oplines)
    }

    /// The same of what was compiled before.
    pub fn more_to_wait(&self, often: u32, oplines: u32) -> Option<u32> {
        // What is called most asks again first.
        (!waits() && is_spent(self.credit, oplines)).then_some(often)
    }
}
