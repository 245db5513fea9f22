//! Signals: their actions, which are blocked, and the ring of those that have come.

use crate::last_error;
use std::mem::zeroed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the system tells of a signal.
#[derive(Clone, Copy, Debug, Default)]
pub struct SignalInfo {
    pub signal: i32,
    pub errno: i32,
    pub code: i32,
    pub pid: i32,
    pub uid: u32,
    pub status: i32,
}

/// What happens when a signal comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Default,
    Ignore,
    /// The signal is recorded for [`take`].
    Note,
}

const SLOTS: usize = 64;

struct Slot {
    signal: AtomicI32,
    code: AtomicI32,
    pid: AtomicI32,
    uid: AtomicU32,
    status: AtomicI32,
}

/// Signals that have come and were not taken. When the ring is full, later ones are lost, as PHP's queue loses them.
static RING: [Slot; SLOTS] = [const {
    Slot {
        signal: AtomicI32::new(0),
        code: AtomicI32::new(0),
        pid: AtomicI32::new(0),
        uid: AtomicU32::new(0),
        status: AtomicI32::new(0),
    }
}; SLOTS];
static WRITTEN: AtomicUsize = AtomicUsize::new(0);
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static WORD: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());
static BIT: AtomicU32 = AtomicU32::new(0);
/// The actions that signals had before [`set_action`] changed them.
static ORIGINAL: Mutex<Vec<(i32, libc::sigaction)>> = Mutex::new(Vec::new());
static LISTENS: AtomicBool = AtomicBool::new(false);

/// Sets the word in which [`listen`] lets signals set a bit.
pub fn set_attention(word: &'static AtomicU32, bit: u32) {
    BIT.store(bit, Ordering::Relaxed);
    WORD.store(std::ptr::from_ref(word).cast_mut(), Ordering::Release);
}

/// Sets whether a signal that comes sets the bit of [`set_attention`]; gives the setting before.
pub fn listen(on: bool) -> bool {
    if on && pending() {
        raise_bit();
    }
    LISTENS.swap(on, Ordering::Relaxed)
}

fn raise_bit() {
    let word = WORD.load(Ordering::Acquire);
    if !word.is_null() {
        // SAFETY: `set_attention` takes a word with a static lifetime.
        unsafe { (*word).fetch_or(BIT.load(Ordering::Relaxed), Ordering::Relaxed) };
    }
}

/// Whether there is a signal to take.
pub fn pending() -> bool {
    TAKEN.load(Ordering::Relaxed) != WRITTEN.load(Ordering::Acquire)
}

/// The next signal that was recorded.
pub fn take() -> Option<SignalInfo> {
    if !pending() {
        return None;
    }
    let slot = &RING[TAKEN.load(Ordering::Relaxed) % SLOTS];
    let info = SignalInfo {
        signal: slot.signal.load(Ordering::Relaxed),
        errno: 0,
        code: slot.code.load(Ordering::Relaxed),
        pid: slot.pid.load(Ordering::Relaxed),
        uid: slot.uid.load(Ordering::Relaxed),
        status: slot.status.load(Ordering::Relaxed),
    };
    TAKEN.fetch_add(1, Ordering::Release);
    Some(info)
}

/// Drops all recorded signals: a forked child starts without its parent's.
pub(crate) fn forget() {
    TAKEN.store(WRITTEN.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// The handler of [`Action::Note`]: records the signal. If the ring is full, the signal is lost.
extern "C" fn note(signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    let at = WRITTEN.load(Ordering::Relaxed);
    if at.wrapping_sub(TAKEN.load(Ordering::Acquire)) >= SLOTS {
        return;
    }
    let slot = &RING[at % SLOTS];
    slot.signal.store(signal, Ordering::Relaxed);
    // SAFETY: the system passes a valid structure to handlers with SA_SIGINFO.
    let shown = unsafe { describe(&*info) };
    slot.code.store(shown.code, Ordering::Relaxed);
    slot.pid.store(shown.pid, Ordering::Relaxed);
    slot.uid.store(shown.uid, Ordering::Relaxed);
    slot.status.store(shown.status, Ordering::Relaxed);
    WRITTEN.store(at.wrapping_add(1), Ordering::Release);
    if LISTENS.load(Ordering::Relaxed) {
        raise_bit();
    }
}

/// Whether the signal of [`hear_wish`] has come.
static WISHED: AtomicBool = AtomicBool::new(false);

/// The handler of [`hear_wish`].
extern "C" fn wish(_signal: libc::c_int) {
    WISHED.store(true, Ordering::Release);
    raise_bit();
}

/// Makes a signal a wish for the running code: it sets the bit of [`set_attention`] whether or not anybody listens, and leaves no other
/// trace than that [`take_wish`] is true once. The error is the system's number.
pub fn hear_wish(signal: i32) -> Result<(), i32> {
    // SAFETY: the handler only touches atomics (rule 2 of SAFETY.md); the structure is zeroed and lies in this frame (rule 3).
    unsafe {
        let mut new: libc::sigaction = zeroed();
        new.sa_sigaction = wish as *const () as usize;
        new.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        if libc::sigaction(signal, &new, std::ptr::null_mut()) == 0 { Ok(()) } else { Err(last_error()) }
    }
}

/// Whether a wish has come since the last time.
pub fn take_wish() -> bool {
    WISHED.swap(false, Ordering::AcqRel)
}

/// The fields that every signal of a process has.
///
/// # Safety
/// The system has filled the structure.
pub(crate) unsafe fn describe(info: &libc::siginfo_t) -> SignalInfo {
    // SAFETY: the caller says that the structure is filled; the fields are plain numbers in each member of the union.
    unsafe {
        SignalInfo {
            signal: info.si_signo,
            errno: info.si_errno,
            code: info.si_code,
            pid: info.si_pid(),
            uid: info.si_uid(),
            status: info.si_status(),
        }
    }
}

/// Sets the action for a signal. `restarts`: interrupted system calls are restarted. The error is the system's number.
pub fn set_action(signal: i32, action: Action, restarts: bool) -> Result<(), i32> {
    // SAFETY: the handler only touches atomics (rule 2 of SAFETY.md); the structure is zeroed and lies in this frame (rule 3).
    unsafe {
        let mut new: libc::sigaction = zeroed();
        new.sa_sigaction = match action {
            Action::Default => libc::SIG_DFL,
            Action::Ignore => libc::SIG_IGN,
            Action::Note => note as *const () as usize,
        };
        libc::sigfillset(&mut new.sa_mask);
        new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | if restarts { libc::SA_RESTART } else { 0 };
        let mut before: libc::sigaction = zeroed();
        if libc::sigaction(signal, &new, &mut before) != 0 {
            return Err(last_error());
        }
        let mut original = ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner);
        if !original.iter().any(|(known, _)| *known == signal) {
            original.push((signal, before));
        }
        Ok(())
    }
}

fn set_of(signals: &[i32]) -> Result<libc::sigset_t, i32> {
    // SAFETY: the set is initialised by `sigemptyset`, and refused numbers are passed on (rule 4 of SAFETY.md).
    unsafe {
        let mut set: libc::sigset_t = zeroed();
        libc::sigemptyset(&mut set);
        for &signal in signals {
            if libc::sigaddset(&mut set, signal) != 0 {
                return Err(last_error());
            }
        }
        Ok(set)
    }
}

/// Restores the actions of all signals as they were before [`set_action`], and forgets signals that were not taken.
pub fn restore_actions() {
    let original = std::mem::take(&mut *ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner));
    for (signal, action) in original {
        // SAFETY: the system has given the action for this signal.
        unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
    }
    TAKEN.store(WRITTEN.load(Ordering::Acquire), Ordering::Relaxed);
}

/// Changes which signals are blocked in this thread (`SIG_BLOCK`, `SIG_UNBLOCK`, `SIG_SETMASK`); gives those that were blocked
/// before. The error is the system's number.
pub fn set_mask(how: i32, signals: &[i32]) -> Result<Vec<i32>, i32> {
    let set = set_of(signals)?;
    // SAFETY: the sets lie in this frame, and the old one is read only if the call has succeeded (rule 3 of SAFETY.md).
    unsafe {
        let mut old: libc::sigset_t = zeroed();
        match libc::pthread_sigmask(how, &set, &mut old) {
            0 => Ok((1..=libc::SIGRTMAX()).filter(|&signal| libc::sigismember(&old, signal) == 1).collect()),
            error => Err(error),
        }
    }
}

/// Blocks all signals in this thread, so that other threads get the process's signals.
pub fn block_all() {
    // SAFETY: the set is zeroed, then filled, and lies in this frame (rule 3 of SAFETY.md).
    unsafe {
        let mut set: libc::sigset_t = zeroed();
        libc::sigfillset(&mut set);
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
    }
}

/// Waits for one of the signals, which are blocked; for so many seconds and nanoseconds at most. The error is the system's number.
pub fn wait_for_signal(signals: &[i32], limit: Option<(i64, i64)>) -> Result<SignalInfo, i32> {
    let set = set_of(signals)?;
    // SAFETY: the structures lie in this frame; `info` is read only if the call has succeeded (rule 3 of SAFETY.md).
    unsafe {
        let mut info: libc::siginfo_t = zeroed();
        let signal = match limit {
            None => libc::sigwaitinfo(&set, &mut info),
            Some((tv_sec, tv_nsec)) => libc::sigtimedwait(&set, &mut info, &libc::timespec { tv_sec, tv_nsec }),
        };
        if signal < 0 { Err(last_error()) } else { Ok(describe(&info)) }
    }
}
