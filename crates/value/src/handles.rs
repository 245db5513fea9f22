//! The ids of objects, and which object has which.

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;

/// The objects by handle minus one.
struct Handles {
    /// An object's address, 0 for a handle that is taken by none; a free entry is odd and holds the next free handle, or 0,
    /// above that bit.
    entries: UnsafeCell<Vec<usize>>,
    /// The handle that was freed last, as PHP reuses ids, or 0.
    free: Cell<u32>,
}

impl Handles {
    /// Lets `work` use the entries.
    #[inline(always)]
    fn with<R>(&self, work: impl FnOnce(&mut Vec<usize>) -> R) -> R {
        // SAFETY: one thread has them, and nothing that is done with them in this file comes back here.
        work(unsafe { &mut *self.entries.get() })
    }
}

thread_local! {
    /// Never dropped, so that finding it takes no look at whether it was.
    static HANDLES: ManuallyDrop<Handles> =
        const { ManuallyDrop::new(Handles { entries: UnsafeCell::new(Vec::new()), free: Cell::new(0) }) };
    /// Set while the last destructors run: new objects get new ids.
    static KEEP: Cell<bool> = const { Cell::new(false) };
}

/// Gives an object's address a handle.
#[inline]
pub(crate) fn insert(address: usize) -> u32 {
    HANDLES.with(|handles| {
        let free = handles.free.get();
        if free == 0 || KEEP.get() {
            return handles.with(|entries| {
                entries.push(address);
                entries.len() as u32
            });
        }
        let next = handles.with(|entries| std::mem::replace(&mut entries[free as usize - 1], address));
        handles.free.set((next >> 1) as u32);
        free
    })
}

/// The handle is free again.
#[inline]
pub(crate) fn remove(handle: u32) {
    HANDLES.with(|handles| {
        let entry = (handles.free.replace(handle) as usize) << 1 | 1;
        handles.with(|entries| entries[handle as usize - 1] = entry);
    });
}

/// The address of the object with a handle.
#[inline]
pub(crate) fn address_of(handle: u32) -> Option<usize> {
    HANDLES.with(|handles| {
        let entry = handles.with(|entries| entries.get((handle as usize).checked_sub(1)?).copied())?;
        (entry & 1 == 0).then_some(entry)
    })
}

/// The addresses of all objects, in the order of their handles, and 0 for handles that none has. Looked up one by one: a list of
/// them would be the largest piece of memory that a script with many objects takes.
pub(crate) fn addresses() -> impl Iterator<Item = usize> {
    let count = HANDLES.with(|handles| handles.with(|entries| entries.len() as u32));
    (1..=count).filter_map(address_of)
}

/// From now on no object gets the id of one that is gone.
pub fn set_handle_reuse(on: bool) {
    KEEP.set(!on);
}

/// An object's id that no object has, as iterations take them in Zend.
pub struct ReservedHandle(u32);

impl ReservedHandle {
    #[inline]
    #[expect(clippy::new_without_default, reason = "each one is another")]
    pub fn new() -> ReservedHandle {
        ReservedHandle(insert(0))
    }

    /// The id, which stays taken.
    #[inline]
    pub fn into_number(self) -> u32 {
        ManuallyDrop::new(self).0
    }

    /// Takes the id over again.
    ///
    /// # Safety
    /// The number came from [`ReservedHandle::into_number`], and is not used again.
    #[inline]
    pub unsafe fn from_number(number: u32) -> ReservedHandle {
        ReservedHandle(number)
    }
}

impl Drop for ReservedHandle {
    #[inline]
    fn drop(&mut self) {
        remove(self.0);
    }
}
