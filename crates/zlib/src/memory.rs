//! zlib's memory, from the program's allocator, where it counts for the script's memory usage.

use std::ffi::{c_uint, c_void};
use std::ptr;

use phlox_process::{allocate_sized, free_sized};

pub(crate) unsafe extern "C" fn allocate(_: *mut c_void, count: c_uint, bytes: c_uint) -> *mut c_void {
    (count as usize).checked_mul(bytes as usize).map_or(ptr::null_mut(), allocate_sized)
}

pub(crate) unsafe extern "C" fn release(_: *mut c_void, block: *mut c_void) {
    // SAFETY: zlib frees only blocks that it got from `allocate`, each of them once.
    unsafe { free_sized(block) }
}
