//! SQLite's memory, which counts for the script's memory usage.

use libsqlite3_sys as sys;
use phlox_value::outside;
use std::ffi::{c_int, c_void};
use std::sync::{Once, OnceLock};

/// SQLite's own functions, which the counting ones call.
struct Own {
    allocate: unsafe extern "C" fn(c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    reallocate: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
}

static OWN: OnceLock<Own> = OnceLock::new();

/// Sets the counting functions, before SQLite does anything.
pub(crate) fn count() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the struct consists of pointers to functions, which may be null, and of numbers.
        let mut methods: sys::sqlite3_mem_methods = unsafe { std::mem::zeroed() };
        // SAFETY: SQLite is not in use yet; this setting takes a pointer to such a struct.
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
        // SAFETY: SQLite is not in use yet, and it copies the struct. If the call fails, SQLite keeps its own
        // functions.
        unsafe { sys::sqlite3_config(sys::SQLITE_CONFIG_MALLOC, &raw const methods) };
    });
}

/// # Safety
/// The block is null or one that SQLite's own functions allocated.
unsafe fn size_of_block(block: *mut c_void) -> isize {
    let own = OWN.get().filter(|_| !block.is_null());
    // SAFETY: the block is not null here, so SQLite's own functions allocated it.
    own.map_or(0, |own| unsafe { (own.size)(block) } as isize)
}

unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
    let Some(own) = OWN.get() else { return std::ptr::null_mut() };
    // SAFETY: the arguments are those that SQLite would pass to its own function.
    unsafe {
        let block = (own.allocate)(bytes);
        outside::note(size_of_block(block));
        block
    }
}

unsafe extern "C" fn free(block: *mut c_void) {
    let Some(own) = OWN.get() else { return };
    // SAFETY: the arguments are those that SQLite would pass to its own function.
    unsafe {
        outside::note(-size_of_block(block));
        (own.free)(block);
    }
}

unsafe extern "C" fn reallocate(block: *mut c_void, bytes: c_int) -> *mut c_void {
    let Some(own) = OWN.get() else { return std::ptr::null_mut() };
    // SAFETY: the arguments are those that SQLite would pass to its own functions.
    unsafe {
        let before = size_of_block(block);
        let moved = (own.reallocate)(block, bytes);
        if !moved.is_null() {
            outside::note(size_of_block(moved) - before);
        }
        moved
    }
}
