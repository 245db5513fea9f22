//! What SQLite allocates counts for the script.

use libsqlite3_sys as sys;
use phlox_value::outside;
use std::ffi::{c_int, c_void};
use std::sync::{Once, OnceLock};

/// The library's own functions.
struct Own {
    allocate: unsafe extern "C" fn(c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    reallocate: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
}

static OWN: OnceLock<Own> = OnceLock::new();

/// Sets the functions that count, before the library does anything.
pub(crate) fn count() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a struct of pointers to functions, which may be null.
        let mut methods: sys::sqlite3_mem_methods = unsafe { std::mem::zeroed() };
        // SAFETY: SQLite is not in use yet; the struct is of the kind that this setting takes.
        let code = unsafe { sys::sqlite3_config(sys::SQLITE_CONFIG_GETMALLOC, &raw mut methods) };
        let sys::sqlite3_mem_methods {
            xMalloc: Some(allocate_block),
            xFree: Some(free_block),
            xRealloc: Some(reallocate_block),
            xSize: Some(size),
            ..
        } = methods
        else {
            return;
        };
        let own = Own { allocate: allocate_block, free: free_block, reallocate: reallocate_block, size };
        if code != sys::SQLITE_OK || OWN.set(own).is_err() {
            return;
        }
        methods.xMalloc = Some(allocate);
        methods.xFree = Some(free);
        methods.xRealloc = Some(reallocate);
        // SAFETY: SQLite is not in use yet; it copies the struct. Without success it goes on with its own functions.
        unsafe { sys::sqlite3_config(sys::SQLITE_CONFIG_MALLOC, &raw const methods) };
    });
}

/// # Safety
/// The block is null or one of the library's.
unsafe fn size_of_block(block: *mut c_void) -> isize {
    let own = OWN.get().filter(|_| !block.is_null());
    // SAFETY: by the caller.
    own.map_or(0, |own| unsafe { (own.size)(block) } as isize)
}

unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
    let Some(own) = OWN.get() else { return std::ptr::null_mut() };
    // SAFETY: SQLite calls with what it would call its own function with.
    unsafe {
        let block = (own.allocate)(bytes);
        outside::note(size_of_block(block));
        block
    }
}

unsafe extern "C" fn free(block: *mut c_void) {
    let Some(own) = OWN.get() else { return };
    // SAFETY: SQLite calls with what it would call its own function with.
    unsafe {
        outside::note(-size_of_block(block));
        (own.free)(block);
    }
}

unsafe extern "C" fn reallocate(block: *mut c_void, bytes: c_int) -> *mut c_void {
    let Some(own) = OWN.get() else { return std::ptr::null_mut() };
    // SAFETY: SQLite calls with what it would call its own function with.
    unsafe {
        let before = size_of_block(block);
        let moved = (own.reallocate)(block, bytes);
        if !moved.is_null() {
            outside::note(size_of_block(moved) - before);
        }
        moved
    }
}
