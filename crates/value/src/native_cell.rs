//! Where an object keeps its native data: one word, so that objects without any stay small.

use crate::heap;
use crate::object::NativeData;
use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

type Data = Rc<dyn NativeData>;

/// A place for native data, which is given once and stays. The two words of the handle lie on the request heap.
#[derive(Default)]
pub struct NativeCell(Cell<Option<NonNull<Data>>>);

impl NativeCell {
    #[inline]
    pub fn get(&self) -> Option<&Data> {
        // SAFETY: the block is written before its address is stored, and lives as long as the cell.
        self.0.get().map(|block| unsafe { block.as_ref() })
    }

    /// Stores the data; only the first call counts.
    #[inline]
    pub fn set(&self, data: Data) {
        if self.0.get().is_none() {
            let block = heap::allocate(size_of::<Data>()).cast::<Data>();
            // SAFETY: the block has room for the handle and is nobody else's.
            unsafe {
                block.write(data);
                self.0.set(Some(NonNull::new_unchecked(block)));
            }
        }
    }
}

impl Drop for NativeCell {
    #[inline]
    fn drop(&mut self) {
        if let Some(block) = self.0.get() {
            // SAFETY: the handle was written by `set`, and is dropped once; the block is returned with its size.
            unsafe {
                std::ptr::drop_in_place(block.as_ptr());
                heap::release(block.as_ptr().cast(), size_of::<Data>());
            }
        }
    }
}
