//! The compile budget: how often a function or loop has to run before it is compiled, and what compiling may cost a request.
//!
//! Compiling takes as long as many thousand calls. That pays in programs that call a function all the time, and is a loss where it
//! takes a tenth of a second until a function has been called often: such a program ends before its code has paid. A function that
//! is called slowly has to be called more often.
//!
//! A request also pays for a limited amount of code. Where the compiler's thread shares a core with the script, a program of
//! hundreds of functions that are all called a few thousand times took a quarter longer with the compiler than without. Once the
//! budget is spent, functions wait until there is more, and those that are called most ask first.
//!
//! In a process of several requests the budget is the process's: its code serves all later requests, so that there is time, and no
//! request is to be noticeably slower than without the compiler.

use super::waits;
use crate::named_sites;
use phlox_jit::worker;
use std::cell::Cell;

/// The processor's time stamp counter, or the system's clock in nanoseconds.
#[inline(always)]
pub fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: all x86-64 processors have the instruction.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    return std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
}

/// What [`now`] counts in a nanosecond, approximately.
pub const TICKS: u64 = if cfg!(target_arch = "x86_64") { 3 } else { 1 };

/// How often the number of runs before compiling is doubled where they are slow.
const WINDOWS: u32 = 2;

/// Nanoseconds that compiling loops may cost a request in any case. It is more than for functions: loops are fewer, and a loop that
/// has made thousands of iterations is more likely to go on.
pub const LOOPS_CREDIT: u64 = 12_000_000;
/// Nanoseconds that compiling functions may cost a request in any case.
pub const FUNCTIONS_CREDIT: u64 = 6_000_000;
/// Beyond the credit, compiling may cost one part in so many of the time that the request has taken so far.
const SHARE: u64 = 5;
/// The part of the time of all requests that compiling may cost in a process that answers several, where there is no credit.
const SHARE_OF_REQUESTS: u64 = 64;

/// The time that the budget is a share of.
#[derive(Clone, Copy)]
struct Time {
    /// When the request began, by [`now`].
    begun: u64,
    /// The time of earlier requests of the same budget, as [`now`] counts.
    worked: u64,
    /// The nanoseconds that the compiler had spent when the budget began; `None` before that.
    spent: Option<u64>,
}

thread_local! {
    static TIME: Cell<Time> = const { Cell::new(Time { begun: 0, worked: 0, spent: None }) };
}

/// Starts the budget of a request, or goes on with that of a process that answers several.
pub fn begin_request() {
    let before = TIME.get();
    let goes_on = before.spent.filter(|_| named_sites::are_kept());
    let worked = if goes_on.is_some() { before.worked } else { 0 };
    TIME.set(Time { begun: now(), worked, spent: goes_on.or_else(|| Some(worker::spent())) });
}

/// Ends the time of a request. The time between requests is nobody's.
pub fn end_request() {
    let time = TIME.get();
    let now = now();
    TIME.set(Time { begun: now, worked: time.worked + now.saturating_sub(time.begun), ..time });
}

/// Nanoseconds that compiling an opline costs: 30,000 in loops that compute, and twice or three times as much where each opline
/// calls something.
const FOR_OPLINE: u64 = 60_000;

/// Whether compiling so many oplines would exceed the budget of this request by now; `credit`: nanoseconds that it may spend in any
/// case.
fn is_spent(credit: u64, oplines: u32) -> bool {
    let time = TIME.get();
    let elapsed = (time.worked + now().saturating_sub(time.begun)) / TICKS;
    let spent = worker::spent().saturating_sub(time.spent.unwrap_or(0)) + FOR_OPLINE * u64::from(oplines);
    match named_sites::are_kept() {
        true => spent > elapsed / SHARE_OF_REQUESTS,
        false => spent > credit + elapsed / SHARE,
    }
}

/// The speed at which a function or loop gets hot, and its share of the budget.
pub struct Pace {
    /// When counting began, by [`now`].
    since: Cell<u64>,
    /// How often the number of runs was doubled because they were slow.
    windows: Cell<u32>,
    /// The time, as [`now`] counts, within which the first runs of something hot are made.
    fast: u64,
    /// Nanoseconds that compiling may cost the request in any case.
    credit: u64,
}

impl Pace {
    /// Starts to measure; `fast` is a time as [`now`] counts it, `credit` one in nanoseconds.
    pub fn new(fast: u64, credit: u64) -> Pace {
        Pace { since: Cell::new(now()), windows: Cell::new(0), fast, credit }
    }

    /// Asked when something of so many oplines has run `often` times: how many more times it has to run before it is compiled,
    /// because the runs were slow, or because the budget is spent. `None`: it is compiled now.
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

    /// How many more times something that was compiled before has to run before it is compiled again: only the budget counts.
    pub fn more_to_wait(&self, often: u32, oplines: u32) -> Option<u32> {
        // What runs most asks again first.
        (!waits() && is_spent(self.credit, oplines)).then_some(often)
    }
}
