//! The word that running code looks at now and then: something wants its attention.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// The cycle collector should run.
pub const COLLECT: u32 = 1;
/// The time limit is over.
pub const TIMEOUT: u32 = 2;
/// A signal came that a script handles.
pub const SIGNAL: u32 = 8;

/// More memory than memory_limit lets a script have is outside of its heap.
pub const MEMORY: u32 = 64;

/// Destructors that had to wait can run.
pub const DESTRUCT: u32 = 16;

thread_local! {
    static WORD: &'static AtomicU32 = Box::leak(Box::new(AtomicU32::new(0)));
}

/// This thread's word. It lives for ever, so that other threads can raise bits in it.
pub fn word() -> &'static AtomicU32 {
    WORD.with(|word| *word)
}

/// Code that a loop waits for has been made.
pub const COMPILED: u32 = 32;

/// A stress mode wants every safe point to look.
pub const STRESS: u32 = 4;

thread_local! {
    /// What is raised again whenever it is taken.
    static LASTING: Cell<u32> = const { Cell::new(0) };
}

/// Raises bits for good.
pub(crate) fn set_lasting(bits: u32) {
    LASTING.set(bits);
    raise(bits);
}

/// Was it asked for?
pub fn is_raised(bit: u32) -> bool {
    word().load(Ordering::Relaxed) & bit != 0
}

/// Asks for attention.
pub fn raise(bit: u32) {
    word().fetch_or(bit, Ordering::Relaxed);
}

/// Takes a request back, or has answered it.
pub fn lower(bit: u32) {
    word().fetch_and(!bit, Ordering::Relaxed);
}

/// Takes all requests.
pub fn take() -> u32 {
    word().swap(LASTING.get(), Ordering::Relaxed)
}
