//! Memory that is not on the request's heap: what the extensions' own structures and the libraries behind them hold.
//!
//! PHP does not count what a library allocates. Nothing would then end a script that builds a tree of a gigabyte with a
//! memory_limit of 32 MB but the system, and with it whoever else has memory there. So this memory has a limit of its own, a
//! multiple of memory_limit, that scripts which PHP lets run hardly reach. It is only asked for attention when the limit is
//! passed: an allocator can neither report nor unwind.

use crate::{heap, interrupt};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many times memory_limit may be outside.
const TIMES: usize = 4;
/// What may be outside in any case: the engine has structures of its own there.
const LEAST: usize = 64 << 20;
/// What may still come when a script has been ended: handlers for that have something to do.
const AFTERWARDS: isize = 16 << 20;

struct Outside {
    /// Bytes since the request began. Less than nothing, if more of what was there before has gone.
    bytes: Cell<isize>,
    most: Cell<isize>,
    word: Cell<Option<&'static AtomicU32>>,
}

thread_local! {
    static OUTSIDE: Outside =
        const { Outside { bytes: Cell::new(0), most: Cell::new(isize::MAX), word: Cell::new(None) } };
}

/// So many bytes more (or fewer) are outside. Does not allocate.
#[inline]
pub fn note(change: isize) {
    OUTSIDE.with(|outside| {
        let now = outside.bytes.get().wrapping_add(change);
        outside.bytes.set(now);
        if now > outside.most.get() {
            outside.ask();
        }
    });
}

impl Outside {
    #[cold]
    fn ask(&self) {
        if let Some(word) = self.word.get() {
            word.fetch_or(interrupt::MEMORY, Ordering::Relaxed);
        }
    }
}

/// A request begins: what is there is not its own.
pub fn begin() {
    OUTSIDE.with(|outside| outside.bytes.set(0));
}

/// memory_limit is so many bytes from now on.
pub(crate) fn set_limit(limit: usize) {
    let word = interrupt::word();
    let most = limit.saturating_mul(TIMES).max(limit.saturating_add(LEAST));
    OUTSIDE.with(|outside| {
        outside.word.set(Some(word));
        let most = isize::try_from(most).unwrap_or(isize::MAX);
        outside.most.set(most.max(outside.bytes.get().saturating_add(AFTERWARDS)));
    });
}

/// Ends the script if too much is outside: for the thread that was asked for attention.
#[inline]
pub fn check() {
    let too_much = OUTSIDE.with(|outside| (outside.bytes.get() > outside.most.get()).then(|| outside.bytes.get()));
    if let Some(bytes) = too_much {
        OUTSIDE.with(|outside| outside.most.set(isize::MAX));
        heap::end(bytes.unsigned_abs());
    }
}
