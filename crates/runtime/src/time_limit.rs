//! `max_execution_time`: the processor time that a script may use. What it sleeps or waits for others does not count, as in PHP.

use crate::error::{PhpResult, Throw};
use crate::ini::{IniAccess, IniInt, IniQuantity, IniStage};
use crate::vm::Vm;
use phlox_value::interrupt;
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// In seconds; 0: there is no limit.
pub static MAX_EXECUTION_TIME: IniInt = IniInt::new("max_execution_time", "0", IniAccess::All).on_change(|change| {
    if change.stage == IniStage::Runtime {
        change.vm.limit_time(crate::ini::text::int(change.text()));
    }
    Ok(true)
});

/// How many seconds beyond the limit the process is ended, where builtin code does not come back.
pub static HARD_TIMEOUT: IniQuantity = IniQuantity::new("hard_timeout", "2", IniAccess::System);

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
    /// When a thread is going to ask for attention. There is one at a time, however often the limit is set: who is asked too
    /// early asks for another.
    waking: Cell<Option<Instant>>,
    hard: Arc<HardLimit>,
}

/// What the thread that asks for attention knows of the limit as it is by then.
#[derive(Default)]
struct HardLimit {
    /// The process's processor time, in microseconds, at which code is ended that does not come back; 0: never.
    end: AtomicU64,
    /// For the message: the limit and the time beyond it, in seconds.
    seconds: AtomicI64,
    more: AtomicI64,
}

impl Vm {
    /// Starts (or with 0 stops) the clock of max_execution_time.
    pub fn limit_time(&self, seconds: i64) {
        let limit = u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(Duration::from_secs);
        self.time_limit.seconds.set(seconds);
        self.end_after(limit);
    }

    /// Ends the script when max_execution_time is over. Called by the thread that was asked for attention.
    pub fn check_deadline(&self) -> PhpResult<()> {
        interrupt::lower(interrupt::TIMEOUT);
        let waking = &self.time_limit.waking;
        waking.set(waking.get().filter(|due| *due > Instant::now()));
        let Some(end) = self.time_limit.end.get() else { return Ok(()) };
        let now = used(ClockId::ThreadCPUTime);
        if now < end {
            // It slept, or the limit is another one by now.
            self.wake_after(end - now);
            return Ok(());
        }
        self.end_after(Some(AFTERWARDS));
        Err(self.time_is_over())
    }

    /// The limit is this much processor time from now on.
    fn end_after(&self, limit: Option<Duration>) {
        let TimeLimit { end, seconds, hard, .. } = &self.time_limit;
        end.set(limit.and_then(|limit| used(ClockId::ThreadCPUTime).checked_add(limit)));
        let more = self.ini.get(&HARD_TIMEOUT);
        let allowed = u64::try_from(more).ok().filter(|&more| more > 0).map(Duration::from_secs);
        let ends = limit.zip(allowed).and_then(|(limit, more)| {
            let end = used(ClockId::ProcessCPUTime).checked_add(limit)?.checked_add(more)?;
            u64::try_from(end.as_micros()).ok()
        });
        hard.seconds.store(seconds.get(), Ordering::Relaxed);
        hard.more.store(more, Ordering::Relaxed);
        hard.end.store(ends.unwrap_or(0), Ordering::Relaxed);
        if let Some(limit) = limit {
            self.wake_after(limit);
        }
    }

    fn time_is_over(&self) -> Throw {
        let seconds = self.time_limit.seconds.get();
        let plural = if seconds == 1 { "" } else { "s" };
        self.fatal(format!("Maximum execution time of {seconds} second{plural} exceeded").as_bytes())
    }

    /// Asks the running code for attention after a time, unless that is going to happen before.
    fn wake_after(&self, time: Duration) {
        let Some(due) = Instant::now().checked_add(time) else { return };
        if self.time_limit.waking.get().is_some_and(|earlier| earlier <= due) {
            return;
        }
        let (word, hard) = (interrupt::word(), self.time_limit.hard.clone());
        let started = std::thread::Builder::new().name("time limit".to_owned()).spawn(move || {
            std::thread::sleep(time);
            word.fetch_or(interrupt::TIMEOUT, Ordering::Relaxed);
            wait_for_attention(word, &hard);
        });
        // Without the thread the limit is noticed late, when something else asks for attention.
        self.time_limit.waking.set(started.is_ok().then_some(due));
    }
}

/// Until the request for attention is taken; ends the process if the limit is far behind by then.
fn wait_for_attention(word: &AtomicU32, hard: &HardLimit) {
    while word.load(Ordering::Relaxed) & interrupt::TIMEOUT != 0 {
        let end = hard.end.load(Ordering::Relaxed);
        if end != 0 && used(ClockId::ProcessCPUTime).as_micros() >= u128::from(end) {
            let (seconds, more) = (hard.seconds.load(Ordering::Relaxed), hard.more.load(Ordering::Relaxed));
            let text = "Maximum execution time of";
            eprintln!("\nFatal error: {text} {seconds}+{more} seconds exceeded (terminated) in Unknown on line 0");
            std::process::exit(124);
        }
        std::thread::sleep(PATIENCE);
    }
}

/// Processor time used so far.
fn used(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.max(0) as u32)
}
