//! `VarSlot`: a variable of a symbol table, whose value may be in a running frame.

use crate::{Slot, Val};
use std::cell::Cell;
use std::ops::Deref;

/// A named variable. The value is in the variable itself, or in the frame of the code that the variable is a local of; see
/// [`VarSlot::attach`].
pub struct VarSlot {
    own: Slot,
    place: Cell<*const Slot>,
}

impl VarSlot {
    /// A variable that holds its value itself.
    pub fn new(value: Val) -> VarSlot {
        VarSlot { own: Slot::new(value), place: Cell::new(std::ptr::null()) }
    }

    /// Moves the value into `place`, where the variable's value is from now on, and returns the place before.
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

    /// Tells the variable that the place that it is attached to moved, together with the value.
    ///
    /// # Safety
    /// `place` stays valid until [`VarSlot::detach`] is called.
    pub unsafe fn relocate(&self, place: *const Slot) {
        self.place.set(place);
    }

    /// Ends [`VarSlot::attach`]: the value moves back to the place before.
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
        // SAFETY: the code that attached the place keeps it valid until it detaches.
        unsafe { &*place }
    }
}

impl Default for VarSlot {
    fn default() -> VarSlot {
        VarSlot::new(Val::UNDEF)
    }
}
