//! `Slot`: a place for a value that many may hold: locals, properties, reference boxes.

use crate::gc::Edges;
use crate::val::COUNTED;
use crate::{Kind, PhpRef, Val};
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;

/// A shared, mutable place, like `std::cell::Cell` with cheap counted reads.
///
/// No method runs other code while it looks inside: values move in and out whole, and an old value is
/// dropped (which may run a destructor) only after the new one is in place.
#[repr(transparent)]
pub struct Slot(UnsafeCell<Val>);

impl Slot {
    pub const fn new(value: Val) -> Slot {
        Slot(UnsafeCell::new(value))
    }

    /// A counted copy of the value as it is (it may be Undef or a reference).
    #[inline]
    pub fn get(&self) -> Val {
        // SAFETY: cloning a Val only counts; no other code runs while the borrow lives.
        unsafe { (*self.0.get()).clone() }
    }

    /// A counted copy of the value, through a reference if it is one.
    #[inline]
    pub fn get_deref(&self) -> Val {
        // SAFETY: as in `get`; dereferencing reads another slot the same way.
        unsafe { (*self.0.get()).deref() }
    }

    #[inline]
    pub fn kind(&self) -> Kind {
        // SAFETY: reads the tag only.
        unsafe { (*self.0.get()).kind() }
    }

    /// The integer, if the slot holds one directly.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        // SAFETY: reads plain data only.
        unsafe { (*self.0.get()).as_int() }
    }

    /// The reference, if the slot holds one.
    #[inline]
    pub fn as_ref(&self) -> Option<PhpRef> {
        // SAFETY: cloning only counts.
        unsafe { (*self.0.get()).as_ref().cloned() }
    }

    #[inline]
    pub fn is_undef(&self) -> bool {
        self.kind() == Kind::Undef
    }

    /// Stores without looking through a reference and returns what was there.
    #[inline]
    pub fn replace(&self, value: Val) -> Val {
        // SAFETY: nothing else runs during the swap.
        unsafe { (*self.0.get()).replace(value) }
    }

    /// Stores without looking through a reference.
    #[inline]
    pub fn set(&self, value: Val) {
        drop(self.replace(value));
    }

    /// As [`Slot::set`], in line, for places that mostly hold what is not counted.
    #[inline(always)]
    pub fn put(&self, value: Val) {
        let old = ManuallyDrop::new(self.replace(value));
        if old.ti & COUNTED != 0 {
            drop(ManuallyDrop::into_inner(old));
        }
    }

    /// Overwrites a value that needs no dropping check.
    #[inline]
    pub fn set_int(&self, value: i64) {
        self.set(Val::int(value));
    }

    #[inline]
    pub fn take(&self) -> Val {
        self.replace(Val::UNDEF)
    }

    /// The container's own word beside the value (property state).
    #[inline]
    pub fn mark(&self) -> u32 {
        // SAFETY: reads plain data only.
        unsafe { (*self.0.get()).aux }
    }

    /// Sets the container's own word.
    #[inline]
    pub fn set_mark(&self, mark: u32) {
        // SAFETY: writes plain data only.
        unsafe { (*self.0.get()).aux = mark }
    }

    /// Makes the slot a reference and returns it.
    #[inline]
    pub fn make_ref(&self) -> PhpRef {
        // SAFETY: make_ref moves the value into a new box; the allocation runs no PHP code.
        unsafe { (*self.0.get()).make_ref() }
    }

    /// Lets `f` change the value in a private copy of the place, then puts it back.
    /// While `f` runs the slot reads as Undef; whatever is stored meanwhile is dropped.
    #[inline]
    pub fn update<R>(&self, f: impl FnOnce(&mut Val) -> R) -> R {
        let mut value = self.take();
        let result = f(&mut value);
        let meanwhile = self.replace(value);
        // Most store nothing: there is nothing to be dropped, which is not asked elsewhere.
        if meanwhile.is_undef() {
            std::mem::forget(meanwhile);
        }
        result
    }

    /// For `NativeData::trace`: shows the collector the value in place.
    pub fn trace(&self, edges: &mut Edges) {
        edges.slot(self);
    }

    /// For the collector: the value in place.
    #[inline]
    pub(crate) fn peek(&self) -> &Val {
        // SAFETY: used only by traversals that run no PHP code and store nothing.
        unsafe { &*self.0.get() }
    }

    #[inline]
    pub fn into_inner(self) -> Val {
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is never used or dropped again.
        unsafe { std::ptr::read(this.0.get()) }
    }
}

impl Default for Slot {
    #[inline]
    fn default() -> Slot {
        Slot::new(Val::UNDEF)
    }
}
