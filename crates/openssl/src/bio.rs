//! Files and memory that libcrypto reads and writes.

use crate::handle::owner;
use crate::{Outcome, c_text, length, sys};
use std::ffi::c_void;
use std::marker::PhantomData;

owner!(pub(crate) Raw(sys::Bio), sys::BIO_free);

const INFO: i32 = 3;
const RESET: i32 = 1;

/// A source or a sink of bytes. A source borrows the bytes that it reads.
pub struct Bio<'a> {
    raw: Raw,
    bytes: PhantomData<&'a [u8]>,
}

impl<'a> Bio<'a> {
    /// # Safety
    /// The pointer is null, or a BIO that nothing else frees and that borrows nothing.
    pub(crate) unsafe fn own(raw: *mut sys::Bio) -> Outcome<Bio<'static>> {
        // SAFETY: the contract says that nothing else frees the BIO.
        Ok(Bio { raw: unsafe { Raw::own(raw) }?, bytes: PhantomData })
    }

    /// Memory that is written to.
    pub fn memory() -> Outcome<Bio<'static>> {
        // SAFETY: the method is a constant of libcrypto; the BIO is new.
        unsafe { Bio::own(sys::BIO_new(sys::BIO_s_mem())) }
    }

    /// A source that reads bytes.
    pub fn reader(bytes: &'a [u8]) -> Outcome<Bio<'a>> {
        let size = length(bytes)?;
        // SAFETY: the BIO only reads the bytes, which the lifetime keeps alive.
        let raw = unsafe { Raw::own(sys::BIO_new_mem_buf(bytes.as_ptr().cast(), size)) }?;
        Ok(Bio { raw, bytes: PhantomData })
    }

    /// Opens a file. The mode is that of `fopen`.
    pub fn file(path: &[u8], mode: &str) -> Outcome<Bio<'static>> {
        let (path, mode) = (c_text(path), c_text(mode.as_bytes()));
        // SAFETY: libcrypto only reads path and mode, which end with NUL; the BIO is new.
        unsafe { Bio::own(sys::BIO_new_file(path.as_ptr(), mode.as_ptr())) }
    }

    pub(crate) fn raw(&self) -> *mut sys::Bio {
        self.raw.raw()
    }

    /// The bytes that were written to memory; none for a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut data: *mut c_void = std::ptr::null_mut();
        // SAFETY: for memory, the command gives address and size of what was written; for other BIOs it gives no
        // pointer.
        unsafe {
            let size = sys::BIO_ctrl(self.raw(), INFO, 0, (&raw mut data).cast());
            if data.is_null() || size <= 0 {
                return Vec::new();
            }
            std::slice::from_raw_parts(data.cast::<u8>(), size as usize).to_vec()
        }
    }

    /// Writes all bytes. Fails if not all could be written.
    pub fn write(&self, bytes: &[u8]) -> Outcome<()> {
        let size = length(bytes)?;
        // SAFETY: the size is that of the bytes.
        let written = unsafe { sys::BIO_write(self.raw(), bytes.as_ptr().cast(), size) };
        if written == size { Ok(()) } else { Err(crate::Failed) }
    }

    /// Goes back to the beginning.
    pub fn rewind(&self) -> Outcome<()> {
        // SAFETY: the command takes no argument. Files answer 0, memory answers 1.
        let code = unsafe { sys::BIO_ctrl(self.raw(), RESET, 0, std::ptr::null_mut()) };
        if code >= 0 { Ok(()) } else { Err(crate::Failed) }
    }
}
