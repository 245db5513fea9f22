//! `BorrowedSlots`: a view of a frame's locals, valid while the frame runs.

use crate::Slot;
use std::cell::Cell;

thread_local! {
    static NOTHING: &'static Slot = Box::leak(Box::default());
}

/// A view of the cells of a frame, which the frame's owner can end or move.
pub struct BorrowedSlots {
    first: Cell<*const Slot>,
    len: Cell<usize>,
}

impl BorrowedSlots {
    /// A view of `len` cells from `first` on.
    ///
    /// # Safety
    /// `first` points to `len` cells that stay valid until [`BorrowedSlots::end`] or [`BorrowedSlots::moved`].
    pub unsafe fn new(first: *const Slot, len: usize) -> BorrowedSlots {
        BorrowedSlots { first: Cell::new(first), len: Cell::new(len) }
    }

    /// The number of slots; 0 after the frame's end.
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether there are no slots, as after the frame's end.
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    /// A slot by its index; after the frame's end, or beyond its slots, a dummy slot that nothing reads.
    pub fn get(&self, index: usize) -> &Slot {
        if index >= self.len.get() {
            return NOTHING.with(|nothing| *nothing);
        }
        // SAFETY: `index` is below `len`, and the owner keeps the cells valid until it calls `end` or `moved`.
        unsafe { &*self.first.get().add(index) }
    }

    /// Tells the view that the frame ends.
    pub fn end(&self) {
        self.len.set(0);
    }

    /// Tells the view that the frame's cells moved.
    ///
    /// # Safety
    /// `first` points to as many cells as the view has, which stay valid until [`BorrowedSlots::end`] or the next
    /// [`BorrowedSlots::moved`].
    pub unsafe fn moved(&self, first: *const Slot) {
        self.first.set(first);
    }
}
