//! Limits that are there for finding faults: a compiler that does less.

use std::sync::atomic::{AtomicUsize, Ordering};

static PASSES: AtomicUsize = AtomicUsize::new(usize::MAX);
static CODE_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

/// From now on only so many passes of the pipeline run: the first number with which a fault shows names the pass that makes it.
pub fn set_passes(count: usize) {
    PASSES.store(count, Ordering::Relaxed);
}

/// There is room for so many bytes of code, if none was compiled yet.
pub fn set_code_bytes(bytes: usize) {
    CODE_BYTES.store(bytes, Ordering::Relaxed);
}

pub(crate) fn passes() -> usize {
    PASSES.load(Ordering::Relaxed)
}

pub(crate) fn code_bytes() -> usize {
    CODE_BYTES.load(Ordering::Relaxed)
}
