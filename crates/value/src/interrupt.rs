//! The interrupt word: running code polls it at safe points, and each bit is a request for attention.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The cycle collector should run.
pub const COLLECT: u32 = 1;
/// The time limit is over.
pub const TIMEOUT: u32 = 2;
/// A signal arrived that the script handles.
pub const SIGNAL: u32 = 8;

/// The memory outside of the script's heap exceeds its limit; see [`crate::outside`].
pub const MEMORY: u32 = 64;

/// Deferred destructors can run.
pub const DESTRUCT: u32 = 16;

thread_local! {
    static WORD: &'static AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
}

/// This thread's interrupt word. It lives for ever, so that other threads can raise bits in it.
pub fn word() -> &'static AtomicU32 {
    WORD.with(|word| *word)
}

/// Code that a loop waits for has been compiled.
pub const COMPILED: u32 = 32;

/// A stress mode wants the slow path at every safe point.
pub const STRESS: u32 = 4;

thread_local! {
    /// Bits that are raised again whenever the word is taken.
    static LASTING: Cell<u32> = const { Cell::new(0) };
}

/// Raises bits permanently.
pub(crate) fn set_lasting(bits: u32) {
    LASTING.set(bits);
    raise(bits);
}

/// Whether a bit is raised.
pub fn is_raised(bit: u32) -> bool {
    word().load(Ordering::Relaxed) & bit != 0
}

/// Raises bits.
pub fn raise(bit: u32) {
    word().fetch_or(bit, Ordering::Relaxed);
}

/// Clears bits, when a request is withdrawn or served.
pub fn lower(bit: u32) {
    word().fetch_and(!bit, Ordering::Relaxed);
}

/// Takes and clears all bits, except for the permanent ones.
pub fn take() -> u32 {
    word().swap(LASTING.get(), Ordering::Relaxed)
}
