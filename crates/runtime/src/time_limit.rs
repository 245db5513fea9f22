//! `max_execution_time`: the processor time that a script may use. What it sleeps or waits for others does not count, as in PHP.

use crate::error::{PhpResult, Throw};
use crate::vm::Vm;
use phlox_value::interrupt;
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What runs after the limit (shutdown functions, destructors) gets a little time of its own.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// How often it is looked whether builtin code that nobody can interrupt has come to its end.
const PATIENCE: Duration = Duration::from_millis(200);

/// The limit of the script that a thread runs.
#[derive(Default)]
pub struct TimeLimit {
    /// The processor time of the thread at which it ends.
    end: Cell<Option<Duration>>,
    seconds: Cell<i64>,
}

impl Vm {
    /// Starts (or with 0 stops) the clock of max_execution_time.
    pub fn limit_time(&self, seconds: i64) {
        let limit = u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(Duration::from_secs);
        let end = limit.and_then(|limit| used(ClockId::ThreadCPUTime).checked_add(limit));
        self.time_limit.end.set(end);
        self.time_limit.seconds.set(seconds);
        if let Some(limit) = limit {
            self.wake_after(limit);
        }
    }

    /// Ends the script when max_execution_time is over.
    pub fn check_deadline(&self) -> PhpResult<()> {
        let Some(end) = self.time_limit.end.get() else { return Ok(()) };
        let now = used(ClockId::ThreadCPUTime);
        if now < end {
            // It slept.
            self.wake_after(end - now);
            return Ok(());
        }
        self.time_limit.end.set(Some(now + AFTERWARDS));
        self.wake_after(AFTERWARDS);
        Err(self.time_is_over())
    }

    fn time_is_over(&self) -> Throw {
        let seconds = self.time_limit.seconds.get();
        let plural = if seconds == 1 { "" } else { "s" };
        self.fatal(format!("Maximum execution time of {seconds} second{plural} exceeded").as_bytes())
    }

    /// Asks the running code for attention after a time.
    fn wake_after(&self, time: Duration) {
        let word = interrupt::word();
        let seconds = self.time_limit.seconds.get();
        let more = u64::try_from(self.ini.int("hard_timeout")).unwrap_or(0);
        // Without the thread the limit is noticed late, when something else asks for attention.
        let _ = std::thread::Builder::new().name("time limit".to_owned()).spawn(move || {
            std::thread::sleep(time);
            word.fetch_or(interrupt::TIMEOUT, Ordering::Relaxed);
            if more > 0 && !is_noticed(word, Duration::from_secs(more)) {
                eprintln!(
                    "\nFatal error: Maximum execution time of {seconds}+{more} seconds exceeded (terminated) in Unknown on line 0"
                );
                std::process::exit(124);
            }
        });
    }
}

/// Was the request for attention taken before the process used that much processor time?
fn is_noticed(word: &AtomicU32, limit: Duration) -> bool {
    let end = used(ClockId::ProcessCPUTime) + limit;
    while word.load(Ordering::Relaxed) & interrupt::TIMEOUT != 0 {
        if used(ClockId::ProcessCPUTime) >= end {
            return false;
        }
        std::thread::sleep(PATIENCE);
    }
    true
}

/// Processor time used so far.
fn used(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.max(0) as u32)
}
