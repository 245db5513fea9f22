//! Memory outside of the request's heap: structures of extensions and of the libraries that they use.
//!
//! PHP does not count what a library allocates. A script that builds a tree of a gigabyte with a memory_limit of 32 MB would then
//! be stopped by the system only, to the cost of other processes. So this memory has a limit of its own, a multiple of
//! memory_limit that scripts which run in PHP hardly reach. An allocator can neither report nor unwind, so passing the limit only
//! raises an interrupt.

use crate::{heap, interrupt};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The limit as a multiple of memory_limit.
const TIMES: usize = 4;
/// The least amount by which the limit exceeds memory_limit: the engine has structures of its own outside.
const LEAST: usize = 64 << 20;
/// The amount that may still be allocated after a script was ended, for its shutdown functions.
const AFTERWARDS: isize = 16 << 20;

struct Outside {
    /// Bytes allocated since the request began. Negative if more of the earlier memory was freed.
    bytes: Cell<isize>,
    most: Cell<isize>,
    word: Cell<Option<&'static AtomicU32>>,
}

thread_local! {
    static OUTSIDE: Outside =
        const { Outside { bytes: Cell::new(0), most: Cell::new(isize::MAX), word: Cell::new(None) } };
}

/// Counts `change` bytes more (or fewer) outside of the heap. Does not allocate.
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

/// Begins a request: memory that is outside already does not count.
pub fn begin() {
    OUTSIDE.with(|outside| outside.bytes.set(0));
}

/// Derives the limit from a new memory_limit.
pub(crate) fn set_limit(limit: usize) {
    let word = interrupt::word();
    let most = limit.saturating_mul(TIMES).max(limit.saturating_add(LEAST));
    OUTSIDE.with(|outside| {
        outside.word.set(Some(word));
        let most = isize::try_from(most).unwrap_or(isize::MAX);
        outside.most.set(most.max(outside.bytes.get().saturating_add(AFTERWARDS)));
    });
}

/// Ends the script if the limit is exceeded; called by the script's thread at a safe point.
#[inline]
pub fn check() {
    let too_much = OUTSIDE.with(|outside| (outside.bytes.get() > outside.most.get()).then(|| outside.bytes.get()));
    if let Some(bytes) = too_much {
        OUTSIDE.with(|outside| outside.most.set(isize::MAX));
        heap::end(bytes.unsigned_abs());
    }
}
