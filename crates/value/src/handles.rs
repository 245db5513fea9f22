//! The table of objects by their ids.

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;

/// The objects, by handle minus one.
struct Handles {
    /// An object's address; 0 for a reserved handle. A free entry is odd and holds, above the lowest bit, the next free handle or
    /// 0.
    entries: UnsafeCell<Vec<usize>>,
    /// The handle that was freed last and is given out next, as PHP reuses ids; 0 if there is none.
    free: Cell<u32>,
}

impl Handles {
    /// Lets `work` use the entries.
    #[inline(always)]
    fn with<R>(&self, work: impl FnOnce(&mut Vec<usize>) -> R) -> R {
        // SAFETY: the table belongs to one thread, and no closure in this file calls `with` again.
        work(unsafe { &mut *self.entries.get() })
    }
}

thread_local! {
    /// The thread's table. It is never dropped, so that access needs no check whether it was.
    static HANDLES: ManuallyDrop<Handles> =
        const { ManuallyDrop::new(Handles { entries: UnsafeCell::new(Vec::new()), free: Cell::new(0) }) };
    /// Set while the last destructors run: new objects get ids that no object had.
    static KEEP: Cell<bool> = const { Cell::new(false) };
}

/// Gives an object's address a handle and returns it.
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

/// Frees a handle; does nothing with 0, which is no handle.
#[inline]
pub(crate) fn remove(handle: u32) {
    if handle == 0 {
        return;
    }
    HANDLES.with(|handles| {
        handles.with(|entries| {
            // An id that outlived its request is not in the table.
            if let Some(place) = entries.get_mut(handle as usize - 1) {
                *place = (handles.free.replace(handle) as usize) << 1 | 1;
            }
        });
    });
}

/// The address of the object with a handle; `None` if the handle is free.
#[inline]
pub(crate) fn address_of(handle: u32) -> Option<usize> {
    HANDLES.with(|handles| {
        let entry = handles.with(|entries| entries.get((handle as usize).checked_sub(1)?).copied())?;
        (entry & 1 == 0).then_some(entry)
    })
}

/// The addresses of all objects in the order of their handles, and 0 for reserved handles. The table is read step by step: a
/// copied list would be the largest block of a script with many objects.
pub(crate) fn addresses() -> impl Iterator<Item = usize> {
    let count = HANDLES.with(|handles| handles.with(|entries| entries.len() as u32));
    (1..=count).filter_map(address_of)
}

/// Empties the table: the ids of the next request begin with 1.
pub(crate) fn clear() {
    HANDLES.with(|handles| {
        handles.with(Vec::clear);
        handles.free.set(0);
    });
    KEEP.set(false);
}

/// Lets new objects reuse the ids of freed objects, or not.
pub fn set_handle_reuse(on: bool) {
    KEEP.set(!on);
}

/// An object id that is reserved without an object, as Zend's iterations reserve ids.
pub struct ReservedHandle(u32);

impl ReservedHandle {
    /// Reserves the next id.
    #[inline]
    #[expect(clippy::new_without_default, reason = "each one is another")]
    pub fn new() -> ReservedHandle {
        ReservedHandle(insert(0))
    }

    /// The id, which stays reserved.
    #[inline]
    pub fn into_number(self) -> u32 {
        ManuallyDrop::new(self).0
    }

    /// Takes over a reserved id from [`ReservedHandle::into_number`].
    ///
    /// # Safety
    /// `number` came from [`ReservedHandle::into_number`], and is not used again.
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
