//! Blocks of the program's allocator for C libraries, whose `free` does not tell the size: each block has it in front.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::ptr;

/// The room before each block, which holds its size and keeps the block aligned.
const HEADER: usize = 16;

/// A block of this many bytes, aligned to sixteen, whose memory counts for the script; null when there is none.
pub fn allocate_sized(bytes: usize) -> *mut c_void {
    let Some(layout) = bytes.checked_add(HEADER).and_then(|size| Layout::from_size_align(size, HEADER).ok()) else {
        return ptr::null_mut();
    };
    // SAFETY: SAFETY.md 7. The layout is not empty; the size is written into a block with room for it.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            return ptr::null_mut();
        }
        start.cast::<usize>().write(layout.size());
        start.add(HEADER).cast()
    }
}

/// Frees a block; does nothing with null.
///
/// # Safety
/// The block is null, or came from [`allocate_sized`] and is not used any more.
pub unsafe fn free_sized(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: SAFETY.md 7. The block is not null here, so it came from `allocate_sized`, which wrote the size before it.
    unsafe {
        let start = block.cast::<u8>().sub(HEADER);
        let size = start.cast::<usize>().read();
        dealloc(start, Layout::from_size_align_unchecked(size, HEADER));
    }
}
