//! `Slot`: a place for a value that several owners may share: locals, properties, references.

use crate::gc::Edges;
use crate::val::COUNTED;
use crate::{Kind, PhpRef, Val};
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;

/// A shared, mutable place, like `std::cell::Cell`, with cheap counted reads.
///
/// No method runs other code while it borrows the value: values move in and out whole, and an old value is dropped (which may run
/// a destructor) only after the new one is in place.
#[repr(transparent)]
pub struct Slot(UnsafeCell<Val>);

impl Slot {
    /// A slot with a value.
    pub const fn new(value: Val) -> Slot {
        Slot(UnsafeCell::new(value))
    }

    /// A counted copy of the value as it is (it may be Undef or a reference).
    #[inline]
    pub fn get(&self) -> Val {
        // SAFETY: cloning a value only increments a count; no other code runs while the borrow lives.
        unsafe { (*self.0.get()).clone() }
    }

    /// A counted copy of the value, through a reference if it is one.
    #[inline]
    pub fn get_deref(&self) -> Val {
        // SAFETY: dereferencing clones a value of this or another slot, which runs no other code.
        unsafe { (*self.0.get()).deref() }
    }

    /// The type of the value.
    #[inline]
    pub fn kind(&self) -> Kind {
        // SAFETY: the borrow ends after the tag was read; no other code runs meanwhile.
        unsafe { (*self.0.get()).kind() }
    }

    /// The integer, if the slot holds one directly.
    #[inline]
    pub fn as_int(&self) -> Option<i64> {
        // SAFETY: the borrow ends after tag and payload were read; no other code runs meanwhile.
        unsafe { (*self.0.get()).as_int() }
    }

    /// The reference, if the slot holds one.
    #[inline]
    pub fn as_ref(&self) -> Option<PhpRef> {
        // SAFETY: cloning a reference's handle only increments a count; no other code runs meanwhile.
        unsafe { (*self.0.get()).as_ref().cloned() }
    }

    /// Whether the slot holds no value.
    #[inline]
    pub fn is_undef(&self) -> bool {
        self.kind() == Kind::Undef
    }

    /// Stores without looking through a reference and returns the old value.
    #[inline]
    pub fn replace(&self, value: Val) -> Val {
        // SAFETY: the swap of two values runs no other code.
        unsafe { (*self.0.get()).replace(value) }
    }

    /// Stores without looking through a reference; drops the old value.
    #[inline]
    pub fn set(&self, value: Val) {
        drop(self.replace(value));
    }

    /// Stores without looking through a reference; inlined, for places whose values are mostly not counted.
    #[inline(always)]
    pub fn put(&self, value: Val) {
        let old = ManuallyDrop::new(self.replace(value));
        if old.ti & COUNTED != 0 {
            drop(ManuallyDrop::into_inner(old));
        }
    }

    /// Stores an integer without looking through a reference.
    #[inline]
    pub fn set_int(&self, value: i64) {
        self.set(Val::int(value));
    }

    /// Takes the value out; the slot becomes undefined.
    #[inline]
    pub fn take(&self) -> Val {
        self.replace(Val::UNDEF)
    }

    /// The container's own word beside the value (property state).
    #[inline]
    pub fn mark(&self) -> u32 {
        // SAFETY: the borrow ends after the word was read; no other code runs meanwhile.
        unsafe { (*self.0.get()).aux }
    }

    /// Sets the container's own word.
    #[inline]
    pub fn set_mark(&self, mark: u32) {
        // SAFETY: the borrow ends after the word was written; no other code runs meanwhile.
        unsafe { (*self.0.get()).aux = mark }
    }

    /// Makes the slot a reference and returns it.
    #[inline]
    pub fn make_ref(&self) -> PhpRef {
        // SAFETY: `make_ref` moves the value into a new box; the allocation runs no PHP code.
        unsafe { (*self.0.get()).make_ref() }
    }

    /// Takes the value out, lets `f` change it, and puts it back. While `f` runs the slot reads as Undef; a value stored
    /// meanwhile is dropped.
    #[inline]
    pub fn update<R>(&self, f: impl FnOnce(&mut Val) -> R) -> R {
        let mut value = self.take();
        let result = f(&mut value);
        let meanwhile = self.replace(value);
        // Mostly nothing was stored meanwhile; forgetting the value spares the inlined drop.
        if meanwhile.is_undef() {
            std::mem::forget(meanwhile);
        }
        result
    }

    /// Shows the collector the value; for `NativeData::trace`.
    pub fn trace(&self, edges: &mut Edges) {
        edges.slot(self);
    }

    /// The value in place; for the collector.
    #[inline]
    pub(crate) fn peek(&self) -> &Val {
        // SAFETY: only traversals use this, which run no PHP code and store nothing while they borrow.
        unsafe { &*self.0.get() }
    }

    /// The value.
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
