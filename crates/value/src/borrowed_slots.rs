//! `BorrowedSlots`: the locals of a running frame, as long as it runs.

use crate::Slot;
use std::cell::Cell;

thread_local! {
    static NOTHING: &'static Slot = Box::leak(Box::default());
}

/// A view of the cells of a frame that somebody else owns.
pub struct BorrowedSlots {
    first: Cell<*const Slot>,
    len: Cell<usize>,
}

impl BorrowedSlots {
    /// # Safety
    /// `first` points to `len` cells that stay valid until [`BorrowedSlots::end`] or [`BorrowedSlots::moved`].
    pub unsafe fn new(first: *const Slot, len: usize) -> BorrowedSlots {
        BorrowedSlots { first: Cell::new(first), len: Cell::new(len) }
    }

    pub fn len(&self) -> usize {
        self.len.get()
    }

    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    /// A slot; after the frame's end, or beyond its slots, one that nothing reads.
    pub fn get(&self, index: usize) -> &Slot {
        if index >= self.len.get() {
            return NOTHING.with(|nothing| *nothing);
        }
        // SAFETY: within the cells that the owner keeps valid.
        unsafe { &*self.first.get().add(index) }
    }

    /// The frame ends.
    pub fn end(&self) {
        self.len.set(0);
    }

    /// The frame's cells moved.
    ///
    /// # Safety
    /// As [`BorrowedSlots::new`].
    pub unsafe fn moved(&self, first: *const Slot) {
        self.first.set(first);
    }
}
