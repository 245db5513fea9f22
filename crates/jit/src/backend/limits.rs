//! Limits that make the compiler do less, to find the pass or the piece of code that causes a fault.

use std::sync::atomic::{AtomicUsize, Ordering};

static PASSES: AtomicUsize = AtomicUsize::new(usize::MAX);
static CODE_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Lets only the first `count` passes of the pipeline run from now on. The smallest number with which a fault shows names the
/// pass that causes it.
pub fn set_passes(count: usize) {
    PASSES.store(count, Ordering::Relaxed);
}

/// Limits the memory for code; has an effect only before the first compilation.
pub fn set_code_bytes(bytes: usize) {
    CODE_BYTES.store(bytes, Ordering::Relaxed);
}

pub(crate) fn passes() -> usize {
    PASSES.load(Ordering::Relaxed)
}

pub(crate) fn code_bytes() -> usize {
    CODE_BYTES.load(Ordering::Relaxed)
}
