//! Forms: named parts whose contents are bytes or come from a source.

use crate::callbacks::guarded;
use crate::{Code, OK, OUT_OF_MEMORY, c_text, sys};
use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;
use std::slice;

/// A source that the content of a part is read from.
pub trait MimeSource {
    /// Reads into the buffer, and gives the number of bytes. `None`: the source cannot be read.
    fn read(&self, buffer: &mut [u8]) -> Option<usize>;
    /// Moves to a position, by the numbers of `fseek`. False: the source cannot move there.
    fn seek(&self, offset: i64, origin: i32) -> bool;
}

/// A field of a form.
pub struct MimePart {
    pub name: Vec<u8>,
    pub file_name: Option<Vec<u8>>,
    pub kind: Option<Vec<u8>>,
    pub content: MimeContent,
}

/// The content of a part.
pub enum MimeContent {
    Bytes(Vec<u8>),
    /// A source with its size (-1 if unknown), and whether it can move to other positions.
    Source {
        source: Rc<dyn MimeSource>,
        size: i64,
        seekable: bool,
    },
}

impl MimePart {
    /// A field with a value.
    pub fn field(name: Vec<u8>, value: Vec<u8>) -> MimePart {
        MimePart { name, file_name: None, kind: None, content: MimeContent::Bytes(value) }
    }

    /// A file with its name and type.
    pub fn file(name: Vec<u8>, file_name: Vec<u8>, kind: Vec<u8>, content: MimeContent) -> MimePart {
        MimePart { name, file_name: Some(file_name), kind: Some(kind), content }
    }
}

/// A form that a transfer sends, with the sources of its parts.
pub(crate) struct Form {
    pub(crate) raw: *mut sys::Mime,
    /// The sources, each at a fixed address. Duplicates of the transfer share them.
    pub(crate) sources: Rc<Vec<Box<Rc<dyn MimeSource>>>>,
}

const READ_ABORT: usize = 0x1000_0000;
const SEEK_OK: c_int = 0;
const CANNOT_SEEK: c_int = 2;

unsafe extern "C" fn read_part(buffer: *mut c_char, size: usize, count: usize, data: *mut c_void) -> usize {
    // SAFETY: the data is a source that the form keeps; the buffer has room for `size * count` bytes.
    unsafe {
        let source = (*data.cast::<Rc<dyn MimeSource>>()).clone();
        let buffer = slice::from_raw_parts_mut(buffer.cast::<u8>(), size * count);
        guarded(READ_ABORT, || source.read(buffer).unwrap_or(READ_ABORT))
    }
}

unsafe extern "C" fn seek_part(data: *mut c_void, offset: i64, origin: c_int) -> c_int {
    // SAFETY: the data is a source that the form keeps.
    let source = unsafe { (*data.cast::<Rc<dyn MimeSource>>()).clone() };
    guarded(CANNOT_SEEK, || if source.seek(offset, origin) { SEEK_OK } else { CANNOT_SEEK })
}

impl Form {
    /// # Safety
    /// The handle is alive.
    pub(crate) unsafe fn build(easy: *mut sys::Curl, parts: &[MimePart]) -> Result<Form, Code> {
        let mut kept = Vec::new();
        for part in parts {
            if let MimeContent::Source { source, .. } = &part.content {
                kept.push(Box::new(source.clone()));
            }
        }
        // SAFETY: the form is new; libcurl copies the texts; the form keeps the sources.
        unsafe {
            let raw = sys::curl_mime_init(easy);
            if raw.is_null() {
                return Err(OUT_OF_MEMORY);
            }
            let form = Form { raw, sources: Rc::new(kept) };
            let mut sources = form.sources.iter();
            for part in parts {
                let raw = sys::curl_mime_addpart(form.raw);
                if raw.is_null() {
                    return Err(OUT_OF_MEMORY);
                }
                let check = |code| if code == OK { Ok(()) } else { Err(code) };
                check(sys::curl_mime_name(raw, c_text(&part.name).as_ptr()))?;
                match &part.content {
                    MimeContent::Bytes(bytes) => {
                        check(sys::curl_mime_data(raw, bytes.as_ptr().cast(), bytes.len()))?;
                    }
                    MimeContent::Source { size, seekable, .. } => {
                        let Some(source) = sources.next() else { return Err(OUT_OF_MEMORY) };
                        let data: *const Rc<dyn MimeSource> = &raw const **source;
                        let seek = seekable.then_some(seek_part as sys::SeekCallback);
                        let read = Some(read_part as sys::ReadCallback);
                        check(sys::curl_mime_data_cb(raw, *size, read, seek, None, data.cast_mut().cast()))?;
                    }
                }
                if let Some(name) = &part.file_name {
                    check(sys::curl_mime_filename(raw, c_text(name).as_ptr()))?;
                }
                if let Some(kind) = &part.kind {
                    check(sys::curl_mime_type(raw, c_text(kind).as_ptr()))?;
                }
            }
            Ok(form)
        }
    }
}

impl Drop for Form {
    fn drop(&mut self) {
        // SAFETY: the form is freed only here. The transfers that used it are cleaned up or use another form.
        unsafe { sys::curl_mime_free(self.raw) };
    }
}
