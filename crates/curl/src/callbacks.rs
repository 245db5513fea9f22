//! What libcurl calls during a transfer.

use crate::sys;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::slice;

/// What a transfer asks or tells.
pub enum Event<'a> {
    /// Bytes of the body; the answer is how many were taken.
    Write(&'a [u8]),
    /// A line of the header; the answer is how many bytes were taken.
    Header(&'a [u8]),
    /// Room for bytes to send; the answer is how many there are.
    Read(&'a mut [u8]),
    /// Bytes to come, that came, to go, that went; anything but 0 ends the transfer.
    Progress([f64; 4]),
    /// As [`Event::Progress`], in whole numbers.
    Transferred([i64; 4]),
    /// What the library says of its work, with its kind.
    Debug(i32, &'a [u8]),
    /// Does a name fit a pattern?
    Matches(&'a [u8], &'a [u8]),
    /// Both ends of a connection that a request is about to use.
    Connected { remote: &'a [u8], local: &'a [u8], remote_port: i32, local_port: i32 },
    /// A host's key, with its kind.
    HostKey(i32, &'a [u8]),
}

/// Who is asked and told.
pub trait Handler {
    fn handle(&self, event: Event<'_>) -> i64;
}

/// What callbacks get as their data: at a fixed place as long as the transfer's handle lives.
pub(crate) struct Hooks(pub(crate) Rc<dyn Handler>);

thread_local! {
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Runs what must not unwind into C.
pub(crate) fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        PANIC.with(|panic| *panic.borrow_mut() = Some(payload));
        otherwise
    })
}

/// Goes on with a panic that a callback left.
pub(crate) fn resume() {
    if let Some(payload) = PANIC.with(|panic| panic.borrow_mut().take()) {
        resume_unwind(payload);
    }
}

/// # Safety
/// The data is the `Hooks` of a handle that is alive.
unsafe fn tell(data: *mut c_void, otherwise: i64, event: Event<'_>) -> i64 {
    // SAFETY: by the contract; the handler is counted while it runs.
    let handler = unsafe { (*data.cast::<Hooks>()).0.clone() };
    guarded(otherwise, || handler.handle(event))
}

/// # Safety
/// Null, or so many bytes.
unsafe fn bytes<'a>(data: *const c_char, size: usize) -> &'a [u8] {
    // SAFETY: by the contract.
    if data.is_null() { &[] } else { unsafe { slice::from_raw_parts(data.cast(), size) } }
}

/// # Safety
/// Null, or a text that ends with NUL.
unsafe fn text<'a>(data: *const c_char) -> &'a [u8] {
    // SAFETY: by the contract.
    if data.is_null() { &[] } else { unsafe { std::ffi::CStr::from_ptr(data) }.to_bytes() }
}

// The library passes its bytes with their sizes, and the hooks that were set with the callback.

pub(crate) unsafe extern "C" fn on_write(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    // SAFETY: as said above.
    unsafe { tell(hooks, 0, Event::Write(bytes(data, size * count))) as usize }
}

pub(crate) unsafe extern "C" fn on_header(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    // SAFETY: as said above.
    unsafe { tell(hooks, 0, Event::Header(bytes(data, size * count))) as usize }
}

pub(crate) unsafe extern "C" fn on_read(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    const ABORT: i64 = 0x1000_0000;
    // SAFETY: the buffer has room for so many bytes, which nobody else uses.
    unsafe {
        let buffer = slice::from_raw_parts_mut(data.cast::<u8>(), size * count);
        tell(hooks, ABORT, Event::Read(buffer)) as usize
    }
}

pub(crate) unsafe extern "C" fn on_progress(hooks: *mut c_void, dt: f64, dn: f64, ut: f64, un: f64) -> c_int {
    // SAFETY: as said above.
    unsafe { tell(hooks, 1, Event::Progress([dt, dn, ut, un])) as c_int }
}

pub(crate) unsafe extern "C" fn on_transfer(hooks: *mut c_void, dt: i64, dn: i64, ut: i64, un: i64) -> c_int {
    // SAFETY: as said above.
    unsafe { tell(hooks, 1, Event::Transferred([dt, dn, ut, un])) as c_int }
}

pub(crate) unsafe extern "C" fn on_debug(
    _easy: *mut sys::Curl,
    kind: c_int,
    data: *mut c_char,
    size: usize,
    hooks: *mut c_void,
) -> c_int {
    // SAFETY: as said above.
    unsafe { tell(hooks, 0, Event::Debug(kind, bytes(data, size))) as c_int }
}

pub(crate) unsafe extern "C" fn on_match(hooks: *mut c_void, pattern: *const c_char, name: *const c_char) -> c_int {
    const FAILED: i64 = 2;
    // SAFETY: both texts end with NUL.
    unsafe { tell(hooks, FAILED, Event::Matches(text(pattern), text(name))) as c_int }
}

pub(crate) unsafe extern "C" fn on_connected(
    hooks: *mut c_void,
    remote: *mut c_char,
    local: *mut c_char,
    remote_port: c_int,
    local_port: c_int,
) -> c_int {
    // SAFETY: both texts end with NUL.
    unsafe {
        let (remote, local) = (text(remote), text(local));
        tell(hooks, 1, Event::Connected { remote, local, remote_port, local_port }) as c_int
    }
}

pub(crate) unsafe extern "C" fn on_host_key(hooks: *mut c_void, kind: c_int, key: *const c_char, size: usize) -> c_int {
    // SAFETY: as said above.
    unsafe { tell(hooks, 1, Event::HostKey(kind, bytes(key, size))) as c_int }
}
