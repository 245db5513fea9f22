//! PCRE2's memory, from the program's allocator, where it counts for the script's memory usage.

use std::ffi::c_void;

use phlox_process::{allocate_sized, free_sized};

pub(crate) unsafe extern "C" fn allocate(bytes: usize, _: *mut c_void) -> *mut c_void {
    allocate_sized(bytes)
}

pub(crate) unsafe extern "C" fn release(block: *mut c_void, _: *mut c_void) {
    // SAFETY: PCRE2 frees only blocks that it got from `allocate`, each of them once.
    unsafe { free_sized(block) }
}
