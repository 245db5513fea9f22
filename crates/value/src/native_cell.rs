//! The native data of an object: one word, so that objects without native data stay small.

use crate::heap;
use crate::object::NativeData;
use std::any::{Any, TypeId};
use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

type Data = Rc<dyn NativeData>;

/// The block on the request heap: the handle, and the type of its data. Asking the data itself for its type would be a virtual
/// call whose result comes back in two words and is compared as one, which stalls the processor.
struct Held {
    data: Data,
    data_type: TypeId,
}

/// A place for native data, which is set once and never replaced.
#[derive(Default)]
pub struct NativeCell(Cell<Option<NonNull<Held>>>);

impl NativeCell {
    #[inline]
    fn held(&self) -> Option<&Held> {
        // SAFETY: the block is written before its address is stored, and lives as long as the cell.
        self.0.get().map(|block| unsafe { block.as_ref() })
    }

    /// The native data, if there is any.
    #[inline]
    pub fn get(&self) -> Option<&Data> {
        self.held().map(|held| &held.data)
    }

    /// The data, if it is of type `T`.
    #[inline]
    pub fn get_as<T: NativeData>(&self) -> Option<&T> {
        let held = self.held().filter(|held| held.data_type == TypeId::of::<T>())?;
        // SAFETY: the type of the data was just compared.
        Some(unsafe { &*Rc::as_ptr(&held.data).cast::<T>() })
    }

    /// A counted handle of the data, if it is of type `T`.
    #[inline]
    pub fn counted_as<T: NativeData>(&self) -> Option<Rc<T>> {
        let held = self.held().filter(|held| held.data_type == TypeId::of::<T>())?;
        let data = Rc::into_raw(Rc::clone(&held.data)).cast::<T>();
        // SAFETY: the type of the data was just compared, and the pointer owns the count of the cloned handle.
        Some(unsafe { Rc::from_raw(data) })
    }

    /// Stores the data; later calls do nothing.
    #[inline]
    pub fn set(&self, data: Data) {
        if self.0.get().is_none() {
            let any: &dyn Any = &*data;
            let held = Held { data_type: any.type_id(), data };
            let block = heap::allocate(size_of::<Held>()).cast::<Held>();
            // SAFETY: the block is fresh and has room for a `Held`.
            unsafe {
                block.write(held);
                self.0.set(Some(NonNull::new_unchecked(block)));
            }
        }
    }
}

impl Drop for NativeCell {
    #[inline]
    fn drop(&mut self) {
        if let Some(block) = self.0.get() {
            // SAFETY: `set` wrote the block; it is dropped once, and released with its size.
            unsafe {
                std::ptr::drop_in_place(block.as_ptr());
                heap::release(block.as_ptr().cast(), size_of::<Held>());
            }
        }
    }
}
