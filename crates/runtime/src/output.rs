//! Output: the stack of `ob_*` buffers above the request's sink.

use phlox_value::Val;
use std::cell::{Cell, RefCell};
use std::io::Write;

/// Builtin code that output is passed through; gets the contents and `PHP_OUTPUT_HANDLER_*` flags. `None` if it fails: the
/// contents are passed on unchanged from then on.
pub type NativeHandler = fn(&crate::Vm, Vec<u8>, i64) -> crate::PhpResult<Option<Vec<u8>>>;

/// The callback of a buffer.
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
    /// The number of bytes allocated for the contents, which `ob_get_status` shows and `memory_limit` counts.
    pub size: usize,
}

impl OutputBuffer {
    /// Allocates more bytes, which count against `memory_limit`.
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
#[derive(Default)]
pub struct Output {
    pub buffers: RefCell<Vec<OutputBuffer>>,
    sink: RefCell<Option<Box<dyn Write>>>,
    pending: RefCell<Vec<u8>>,
    pub implicit_flush: Cell<bool>,
    /// Whether a buffer callback is running: output from inside it is an error.
    pub in_callback: Cell<bool>,
    /// Whether output was sent to the client.
    pub sent: Cell<bool>,
    /// Called once, before the first output or at the end of a request without any.
    pub before_first: Cell<Option<fn(&crate::Vm)>>,
    /// Whether the request has ended: headers that must be sent without any output are sent now.
    pub ending: Cell<bool>,
    /// Whether the client is gone: output is dropped.
    pub lost: Cell<bool>,
    /// Whether the script was ended or informed because the client is gone.
    pub aborted: Cell<bool>,
    /// Whether the output is a complete response with its own headers.
    pub is_complete: Cell<bool>,
    /// The file and line of the first output.
    pub sent_at: RefCell<Option<(phlox_value::PhpStr, u32)>>,
}

const PENDING_MAX: usize = 32 * 1024;

impl Output {
    /// Begins a request whose output goes to `sink`.
    pub(crate) fn begin(&self, sink: Box<dyn Write>) {
        self.discard();
        self.pending.borrow_mut().clear();
        *self.sink.borrow_mut() = Some(sink);
        for flag in [&self.implicit_flush, &self.sent, &self.ending, &self.lost, &self.aborted, &self.is_complete] {
            flag.set(false);
        }
        self.before_first.take();
        self.sent_at.take();
    }

    /// Lets go of the place where the output goes.
    pub(crate) fn end(&self) {
        self.sink.take();
    }

    /// Writes below all buffers. The first bytes are flushed at once, which shows whether there is a client.
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
            if self.sink.borrow_mut().as_mut().is_some_and(|sink| sink.write_all(&pending).is_err()) {
                self.lost.set(true);
            }
            pending.clear();
        }
    }

    /// Passes all output so far to the operating system.
    pub fn flush_raw(&self) {
        let mut pending = self.pending.borrow_mut();
        if !self.lost.get() {
            let mut sink = self.sink.borrow_mut();
            let pass_on = |sink: &mut Box<dyn Write>| sink.write_all(&pending).and_then(|()| sink.flush());
            if sink.as_mut().is_some_and(|sink| pass_on(sink).is_err()) {
                self.lost.set(true);
            }
        }
        pending.clear();
    }

    /// Flushes the output before the script waits for something, which may be the client's reaction to it.
    pub fn before_waiting(&self) {
        if !self.pending.borrow().is_empty() {
            self.flush_raw();
        }
    }

    /// Writes a complete response with headers, instead of the script's headers.
    pub fn answer_with(&self, bytes: &[u8]) {
        self.is_complete.set(!self.sent.get());
        self.before_first.take();
        self.write_raw(bytes);
    }

    /// Drops all buffers with their contents, as PHP does when memory is exhausted.
    pub fn discard(&self) {
        let abandoned = self.buffers.take();
        self.in_callback.set(false);
        drop(abandoned);
    }

    /// The number of buffers.
    pub fn level(&self) -> usize {
        self.buffers.borrow().len()
    }
}
