//! PCRE2's memory, from the program's allocator, where it counts for the script's memory usage.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::ptr;

/// The room before each block, which holds its size and keeps the block aligned.
const HEADER: usize = 16;

/// A block of this many bytes, or null.
fn block(bytes: usize) -> *mut c_void {
    let Some(layout) = bytes.checked_add(HEADER).and_then(|size| Layout::from_size_align(size, HEADER).ok()) else {
        return ptr::null_mut();
    };
    // SAFETY: SAFETY.md 5. The layout is not empty; the size is written into a block with room for it.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            return ptr::null_mut();
        }
        start.cast::<usize>().write(layout.size());
        start.add(HEADER).cast()
    }
}

/// Frees a block.
///
/// # Safety
/// The block is null, or came from [`block`] and is not used any more.
unsafe fn give_back(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: SAFETY.md 5. The block is not null here, so it came from `block`, which wrote the size before it.
    unsafe {
        let start = block.cast::<u8>().sub(HEADER);
        let size = start.cast::<usize>().read();
        dealloc(start, Layout::from_size_align_unchecked(size, HEADER));
    }
}

pub(crate) unsafe extern "C" fn allocate(bytes: usize, _: *mut c_void) -> *mut c_void {
    block(bytes)
}

pub(crate) unsafe extern "C" fn release(block: *mut c_void, _: *mut c_void) {
    // SAFETY: PCRE2 frees only blocks that it got from `allocate`.
    unsafe { give_back(block) }
}
