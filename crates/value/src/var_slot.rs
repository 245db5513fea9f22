//! `VarSlot`: a variable of a symbol table, which may live in a running frame.

use crate::{Slot, Val};
use std::cell::Cell;
use std::ops::Deref;

/// A named variable. It holds its value itself, or borrows the place of it from the frame of the code that the
/// variable is a local of; see [`VarSlot::attach`].
pub struct VarSlot {
    own: Slot,
    place: Cell<*const Slot>,
}

impl VarSlot {
    pub fn new(value: Val) -> VarSlot {
        VarSlot { own: Slot::new(value), place: Cell::new(std::ptr::null()) }
    }

    /// Moves the value into `place`, which is the variable from now on, and returns where it was before.
    ///
    /// # Safety
    /// `place` stays valid until [`VarSlot::detach`] is called; the returned place is given to that call.
    pub unsafe fn attach(&self, place: *const Slot) -> *const Slot {
        let before = self.place.get();
        let value = self.take();
        self.place.set(place);
        self.set(value);
        before
    }

    /// The place that the variable is attached to moved, with the value in it.
    ///
    /// # Safety
    /// As [`VarSlot::attach`].
    pub unsafe fn relocate(&self, place: *const Slot) {
        self.place.set(place);
    }

    /// Ends [`VarSlot::attach`]: the value moves to where it was before.
    ///
    /// # Safety
    /// `before` is what the matching `attach` returned, and is still valid (null: the variable's own slot).
    pub unsafe fn detach(&self, before: *const Slot) {
        let value = self.take();
        self.place.set(before);
        self.set(value);
    }
}

impl Deref for VarSlot {
    type Target = Slot;

    #[inline]
    fn deref(&self) -> &Slot {
        let place = self.place.get();
        if place.is_null() {
            return &self.own;
        }
        // SAFETY: whoever attached the place keeps it valid until it detaches.
        unsafe { &*place }
    }
}

impl Default for VarSlot {
    fn default() -> VarSlot {
        VarSlot::new(Val::UNDEF)
    }
}
