//! Output: the `ob_*` buffer stack above the request's sink.

use phlox_value::Val;
use std::cell::{Cell, RefCell};
use std::io::Write;

/// Builtin code that output passes through: the contents and `PHP_OUTPUT_HANDLER_*` flags. `None`: it fails, and the contents
/// pass as they are from now on.
pub type NativeHandler = fn(&crate::Vm, Vec<u8>, i64) -> crate::PhpResult<Option<Vec<u8>>>;

/// What the contents of a buffer pass through.
#[derive(Clone)]
pub enum Callback {
    None,
    User(Val),
    Native(NativeHandler),
}

/// One `ob_start` level.
pub struct OutputBuffer {
    pub data: Vec<u8>,
    pub callback: Callback,
    pub name: Vec<u8>,
    pub chunk_size: usize,
    /// `PHP_OUTPUT_HANDLER_*` flags and status bits.
    pub flags: i64,
    /// The bytes set aside for the contents, as `ob_get_status` shows them and `memory_limit` counts them.
    pub size: usize,
}

impl OutputBuffer {
    /// Sets more bytes aside, which count for `memory_limit`.
    pub fn grow(&mut self, bytes: usize) {
        phlox_value::heap::adopt(bytes, self.size + bytes);
        self.size += bytes;
    }
}

impl Drop for OutputBuffer {
    fn drop(&mut self) {
        phlox_value::heap::disown(self.size);
    }
}

/// The output side of a request.
pub struct Output {
    pub buffers: RefCell<Vec<OutputBuffer>>,
    sink: RefCell<Box<dyn Write>>,
    pending: RefCell<Vec<u8>>,
    pub implicit_flush: Cell<bool>,
    /// A buffer callback runs: output from inside it is an error.
    pub in_callback: Cell<bool>,
    /// Something reached the client.
    pub sent: Cell<bool>,
    /// Runs once, before the first output or at the end of a request without any.
    pub before_first: Cell<Option<fn(&crate::Vm)>>,
    /// The request is over: what has to be sent without any output is sent now.
    pub ending: Cell<bool>,
    /// Nobody takes the output any more; what is written is lost.
    pub lost: Cell<bool>,
    /// Was that noticed, so that the script ends or knows?
    pub aborted: Cell<bool>,
    /// What is written is an answer with its headers.
    pub is_complete: Cell<bool>,
    /// Where the first output came from: file and line.
    pub sent_at: RefCell<Option<(phlox_value::PhpStr, u32)>>,
}

const PENDING_MAX: usize = 32 * 1024;

impl Output {
    pub fn new(sink: Box<dyn Write>) -> Output {
        Output {
            buffers: RefCell::new(Vec::new()),
            sink: RefCell::new(sink),
            pending: RefCell::new(Vec::new()),
            implicit_flush: Cell::new(false),
            in_callback: Cell::new(false),
            sent: Cell::new(false),
            before_first: Cell::new(None),
            ending: Cell::new(false),
            lost: Cell::new(false),
            aborted: Cell::new(false),
            is_complete: Cell::new(false),
            sent_at: RefCell::new(None),
        }
    }

    /// Writes below all buffers. The first bytes go out at once, which shows whether anybody takes them.
    pub fn write_raw(&self, bytes: &[u8]) {
        if bytes.is_empty() || self.lost.get() {
            return;
        }
        let is_first = !self.sent.replace(true);
        self.pending.borrow_mut().extend_from_slice(bytes);
        if is_first {
            return self.flush_raw();
        }
        let mut pending = self.pending.borrow_mut();
        if pending.len() >= PENDING_MAX {
            if self.sink.borrow_mut().write_all(&pending).is_err() {
                self.lost.set(true);
            }
            pending.clear();
        }
    }

    /// Hands everything written so far to the operating system.
    pub fn flush_raw(&self) {
        let mut pending = self.pending.borrow_mut();
        if !self.lost.get() {
            let mut sink = self.sink.borrow_mut();
            if sink.write_all(&pending).and_then(|()| sink.flush()).is_err() {
                self.lost.set(true);
            }
        }
        pending.clear();
    }

    /// What is written so far must not stay here while the script waits: it may wait for the answer.
    pub fn before_waiting(&self) {
        if !self.pending.borrow().is_empty() {
            self.flush_raw();
        }
    }

    /// Writes an answer that has its headers, instead of those of the script.
    pub fn answer_with(&self, bytes: &[u8]) {
        self.is_complete.set(!self.sent.get());
        self.before_first.take();
        self.write_raw(bytes);
    }

    /// Throws all buffers away with what they hold, as PHP does when there is no memory left.
    pub fn discard(&self) {
        let abandoned = self.buffers.take();
        self.in_callback.set(false);
        drop(abandoned);
    }

    pub fn level(&self) -> usize {
        self.buffers.borrow().len()
    }
}
