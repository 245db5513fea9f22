//! The beginning and the end of a request in a process that answers several of them.

use crate::object::{self, PhpObj};
use crate::{array, gc, handles, heap, interrupt, outside, reference};

/// Begins a request: counters and the collector start as in a new process.
pub fn begin_request() {
    object::set_shutdown(false);
    handles::clear();
    reference::forget_resources();
    gc::reset();
    array::forget_loops();
    heap::begin_request();
    outside::begin();
    interrupt::take();
}

/// Ends a request, after everything that the runtime holds of it has been dropped: frees what is held in cycles, without
/// destructors. Objects that are still held (by native data) lose their ids, which belong to the next request's objects. Returns
/// how many objects are left.
pub fn end_request() -> usize {
    object::set_shutdown(true);
    // Nobody needs an object any more, so cycles are broken without looking for them: each object lets go of what it holds.
    let held = object::all();
    held.iter().for_each(PhpObj::let_go);
    drop(held);
    // Arrays can also hold themselves by references alone.
    gc::collect_cycles();
    let left: Vec<PhpObj> = object::all();
    left.iter().for_each(PhpObj::release_handle);
    let count = left.len();
    drop(left);
    gc::forget_roots();
    heap::give_back();
    count
}
