//! libcurl's memory, which counts for the script's memory usage.

use phlox_value::outside;
use std::ffi::{c_char, c_void};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    fn malloc_usable_size(block: *mut c_void) -> usize;
}

unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut c_void;
    fn calloc(count: usize, bytes: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void;
    fn free(block: *mut c_void);
    fn strlen(text: *const c_char) -> usize;
}

/// # Safety
/// The block is null or one that the C library allocated.
unsafe fn size_of_block(block: *mut c_void) -> isize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the contract says that the C library allocated the block, or it is null.
    return unsafe { malloc_usable_size(block) }.cast_signed();
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    return 0;
}

pub(crate) unsafe extern "C" fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: the arguments are those that libcurl would pass to `malloc`.
    unsafe {
        let block = malloc(bytes);
        outside::note(size_of_block(block));
        block
    }
}

pub(crate) unsafe extern "C" fn allocate_zeroed(count: usize, bytes: usize) -> *mut c_void {
    // SAFETY: the arguments are those that libcurl would pass to `calloc`.
    unsafe {
        let block = calloc(count, bytes);
        outside::note(size_of_block(block));
        block
    }
}

pub(crate) unsafe extern "C" fn release(block: *mut c_void) {
    // SAFETY: the arguments are those that libcurl would pass to `free`.
    unsafe {
        outside::note(-size_of_block(block));
        free(block);
    }
}

pub(crate) unsafe extern "C" fn reallocate(block: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the arguments are those that libcurl would pass to `realloc`.
    unsafe {
        let before = size_of_block(block);
        let moved = realloc(block, bytes);
        if !moved.is_null() {
            outside::note(size_of_block(moved) - before);
        }
        moved
    }
}

pub(crate) unsafe extern "C" fn duplicate(text: *const c_char) -> *mut c_char {
    // SAFETY: libcurl passes a text that ends with NUL; the copy has room for it.
    unsafe {
        let bytes = strlen(text) + 1;
        let copy = allocate(bytes).cast::<c_char>();
        if !copy.is_null() {
            copy.copy_from_nonoverlapping(text, bytes);
        }
        copy
    }
}
