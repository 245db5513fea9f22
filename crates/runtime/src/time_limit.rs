//! `max_execution_time`: the processor time that a script may use. Time in which the script sleeps or waits does not count, as in
//! PHP.

use crate::error::{PhpResult, Throw};
use crate::ini::{IniAccess, IniInt, IniQuantity, IniStage};
use crate::vm::Vm;
use phlox_value::interrupt;
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limit in seconds; 0 for none.
pub static MAX_EXECUTION_TIME: IniInt = IniInt::new("max_execution_time", "0", IniAccess::All).on_change(|change| {
    if change.stage == IniStage::Runtime {
        change.vm.limit_time(crate::ini::text::int(change.text()));
    }
    Ok(true)
});

/// Seconds beyond the limit after which the process is ended, if builtin code does not reach a safe point.
pub static HARD_TIMEOUT: IniQuantity = IniQuantity::new("hard_timeout", "2", IniAccess::System);

/// The additional time for code that runs after the limit (shutdown functions, destructors).
const AFTERWARDS: Duration = Duration::from_secs(2);

/// The interval at which the helper thread checks whether builtin code, which cannot be interrupted, has ended.
const PATIENCE: Duration = Duration::from_millis(200);

/// The time limit of the script that a thread runs.
#[derive(Default)]
pub struct TimeLimit {
    /// The processor time of the thread at which the limit is over.
    end: Cell<Option<Duration>>,
    seconds: Cell<i64>,
    /// The time at which a helper thread will raise the interrupt. There is one such thread at a time, however often the limit is
    /// set: if the interrupt comes too early, another thread is started.
    waking: Cell<Option<Instant>>,
    hard: Arc<HardLimit>,
}

/// The state that the helper thread shares, so that it uses the current limit.
#[derive(Default)]
struct HardLimit {
    /// The processor time of the process, in microseconds, at which the process is ended; 0 for never.
    end: AtomicU64,
    /// The limit in seconds, for the message.
    seconds: AtomicI64,
    /// The seconds beyond the limit, for the message.
    more: AtomicI64,
}

impl Vm {
    /// Starts the clock of max_execution_time, or stops it if `seconds` is 0.
    pub fn limit_time(&self, seconds: i64) {
        let limit = u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(Duration::from_secs);
        self.time_limit.seconds.set(seconds);
        self.end_after(limit);
    }

    /// Ends the script if max_execution_time is over. Called by the script's thread at a safe point.
    pub fn check_deadline(&self) -> PhpResult<()> {
        interrupt::lower(interrupt::TIMEOUT);
        let waking = &self.time_limit.waking;
        waking.set(waking.get().filter(|due| *due > Instant::now()));
        let Some(end) = self.time_limit.end.get() else { return Ok(()) };
        let now = used(ClockId::ThreadCPUTime);
        if now < end {
            // The script slept, or the limit was changed meanwhile.
            self.wake_after(end - now);
            return Ok(());
        }
        self.end_after(Some(AFTERWARDS));
        Err(self.time_is_over())
    }

    /// Sets the limit to this much processor time from now on.
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

    /// Raises the interrupt after some time, unless that will happen earlier anyway.
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
        // Without the helper thread the limit is noticed late, when something else raises the interrupt.
        self.time_limit.waking.set(started.is_ok().then_some(due));
    }
}

/// Waits until the interrupt is served, and ends the process if the hard limit is over before.
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

/// The processor time used so far.
fn used(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.max(0) as u64, time.tv_nsec.max(0) as u32)
}
