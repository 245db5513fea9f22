//! The callbacks of libcurl during a transfer.

use crate::sys;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::slice;

/// An event of a transfer, to which the handler gives an answer.
pub enum Event<'a> {
    /// Bytes of the body. The answer is the number of bytes that were taken.
    Write(&'a [u8]),
    /// A line of the header. The answer is the number of bytes that were taken.
    Header(&'a [u8]),
    /// Room for bytes to send. The answer is the number of bytes that were put there.
    Read(&'a mut [u8]),
    /// Bytes to receive, received, to send, and sent. Any answer but 0 ends the transfer.
    Progress([f64; 4]),
    /// Bytes to receive, received, to send, and sent, as whole numbers. Any answer but 0 ends the transfer.
    Transferred([i64; 4]),
    /// A message about the transfer, with its kind.
    Debug(i32, &'a [u8]),
    /// Whether a name (the second) matches a pattern (the first). The answer is a `CURL_FNMATCHFUNC_…`.
    Matches(&'a [u8], &'a [u8]),
    /// Both ends of a connection that is about to be used for a request.
    Connected { remote: &'a [u8], local: &'a [u8], remote_port: i32, local_port: i32 },
    /// A host's key for SSH, with its kind.
    HostKey(i32, &'a [u8]),
}

/// The receiver of the events.
pub trait Handler {
    /// Handles an event and gives the answer that its variant of [`Event`] describes.
    fn handle(&self, event: Event<'_>) -> i64;
}

/// The data that callbacks get. Its address stays fixed as long as the transfer's handle.
pub(crate) struct Hooks(pub(crate) Rc<dyn Handler>);

thread_local! {
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Runs code whose panic must not unwind into C. The panic is kept for `resume`.
pub(crate) fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        PANIC.with(|panic| *panic.borrow_mut() = Some(payload));
        otherwise
    })
}

/// Continues the panic that a callback left, if any.
pub(crate) fn resume() {
    if let Some(payload) = PANIC.with(|panic| panic.borrow_mut().take()) {
        resume_unwind(payload);
    }
}

/// # Safety
/// The data is the `Hooks` of a handle that is alive.
unsafe fn tell(data: *mut c_void, otherwise: i64, event: Event<'_>) -> i64 {
    // SAFETY: the contract keeps the hooks alive; the clone keeps the handler alive while it runs.
    let handler = unsafe { (*data.cast::<Hooks>()).0.clone() };
    guarded(otherwise, || handler.handle(event))
}

/// # Safety
/// The data is null, or has `size` bytes.
unsafe fn bytes<'a>(data: *const c_char, size: usize) -> &'a [u8] {
    // SAFETY: the pointer is not null here, so the contract says that it has `size` bytes.
    if data.is_null() { &[] } else { unsafe { slice::from_raw_parts(data.cast(), size) } }
}

/// # Safety
/// The data is null, or a text that ends with NUL.
unsafe fn text<'a>(data: *const c_char) -> &'a [u8] {
    // SAFETY: the pointer is not null here, so the contract says that the text ends with NUL.
    if data.is_null() { &[] } else { unsafe { std::ffi::CStr::from_ptr(data) }.to_bytes() }
}

// The callbacks. libcurl passes bytes with their sizes, and the `Hooks` that were set together with the callback.

pub(crate) unsafe extern "C" fn on_write(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    // SAFETY: `hooks` were set with this callback; libcurl passes `size * count` bytes.
    unsafe { tell(hooks, 0, Event::Write(bytes(data, size * count))) as usize }
}

pub(crate) unsafe extern "C" fn on_header(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    // SAFETY: `hooks` were set with this callback; libcurl passes `size * count` bytes of a header line.
    unsafe { tell(hooks, 0, Event::Header(bytes(data, size * count))) as usize }
}

pub(crate) unsafe extern "C" fn on_read(data: *mut c_char, size: usize, count: usize, hooks: *mut c_void) -> usize {
    const ABORT: i64 = 0x1000_0000;
    // SAFETY: `hooks` were set with this callback; the buffer has room for `size * count` bytes, and nothing else
    // uses it meanwhile.
    unsafe {
        let buffer = slice::from_raw_parts_mut(data.cast::<u8>(), size * count);
        tell(hooks, ABORT, Event::Read(buffer)) as usize
    }
}

pub(crate) unsafe extern "C" fn on_progress(hooks: *mut c_void, dt: f64, dn: f64, ut: f64, un: f64) -> c_int {
    // SAFETY: `hooks` were set with this callback, by `listen`; numbers are all that it gets.
    unsafe { tell(hooks, 1, Event::Progress([dt, dn, ut, un])) as c_int }
}

pub(crate) unsafe extern "C" fn on_transfer(hooks: *mut c_void, dt: i64, dn: i64, ut: i64, un: i64) -> c_int {
    // SAFETY: `hooks` were set with this callback, by `listen`; whole numbers are all that it gets.
    unsafe { tell(hooks, 1, Event::Transferred([dt, dn, ut, un])) as c_int }
}

pub(crate) unsafe extern "C" fn on_debug(
    _easy: *mut sys::Curl,
    kind: c_int,
    data: *mut c_char,
    size: usize,
    hooks: *mut c_void,
) -> c_int {
    // SAFETY: `hooks` were set with this callback, by `listen`; libcurl passes `size` bytes.
    unsafe { tell(hooks, 0, Event::Debug(kind, bytes(data, size))) as c_int }
}

pub(crate) unsafe extern "C" fn on_match(hooks: *mut c_void, pattern: *const c_char, name: *const c_char) -> c_int {
    const FAILED: i64 = 2;
    // SAFETY: `hooks` were set with this callback, by `listen`; pattern and name end with NUL.
    unsafe { tell(hooks, FAILED, Event::Matches(text(pattern), text(name))) as c_int }
}

pub(crate) unsafe extern "C" fn on_connected(
    hooks: *mut c_void,
    remote: *mut c_char,
    local: *mut c_char,
    remote_port: c_int,
    local_port: c_int,
) -> c_int {
    // SAFETY: `hooks` were set with this callback, by `listen`; both addresses end with NUL.
    unsafe {
        let (remote, local) = (text(remote), text(local));
        tell(hooks, 1, Event::Connected { remote, local, remote_port, local_port }) as c_int
    }
}

pub(crate) unsafe extern "C" fn on_host_key(hooks: *mut c_void, kind: c_int, key: *const c_char, size: usize) -> c_int {
    // SAFETY: `hooks` were set with this callback, by `listen`; the key has `size` bytes.
    unsafe { tell(hooks, 1, Event::HostKey(kind, bytes(key, size))) as c_int }
}
