//! The writer: XML text, piece by piece.

use crate::save::Buffer;
use crate::sys;
use crate::{c_text, optional};
use std::ffi::{CString, c_int};
use std::ptr::NonNull;

/// A writer into memory.
pub struct Writer {
    raw: NonNull<sys::TextWriter>,
    // After the writer, which flushes into it.
    buffer: Buffer,
}

/// What the writer may begin, end or write in one piece with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Comment,
    CData,
    Instruction,
    DtdElement,
    DtdAttlist,
}

type Optional<'a> = Option<&'a [u8]>;

impl Writer {
    pub fn new() -> Option<Writer> {
        let buffer = Buffer::new()?;
        // SAFETY: the buffer lives as long as the writer.
        let raw = unsafe { sys::xmlNewTextWriterMemory(buffer.0, 0) };
        NonNull::new(raw).map(|raw| Writer { raw, buffer })
    }

    fn raw(&self) -> *mut sys::TextWriter {
        self.raw.as_ptr()
    }

    /// What was written; it is forgotten if `empty`.
    pub fn contents(&self, empty: bool) -> Vec<u8> {
        // SAFETY: the writer is this value's, and all texts end with NUL; so everywhere below.
        unsafe { sys::xmlTextWriterFlush(self.raw()) };
        let bytes = self.buffer.bytes();
        if empty {
            unsafe { sys::xmlBufferEmpty(self.buffer.0) };
        }
        bytes
    }

    pub fn set_indent(&self, on: bool) -> i32 {
        unsafe { sys::xmlTextWriterSetIndent(self.raw(), c_int::from(on)) }
    }

    pub fn set_indent_text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterSetIndentString(self.raw(), c_text(text).as_ptr().cast()) }
    }

    pub fn start_document(&self, version: Optional<'_>, encoding: Optional<'_>, standalone: Optional<'_>) -> i32 {
        let [version, encoding, standalone] = [version, encoding, standalone].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref()).cast();
        unsafe {
            sys::xmlTextWriterStartDocument(self.raw(), pointer(&version), pointer(&encoding), pointer(&standalone))
        }
    }

    pub fn end_document(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDocument(self.raw()) }
    }

    pub fn start_element(&self, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartElement(self.raw(), c_text(name).as_ptr().cast()) }
    }

    pub fn start_element_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>) -> i32 {
        let [prefix, name, uri] = [prefix, Some(name), uri].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartElementNS(self.raw(), pointer(&prefix), pointer(&name), pointer(&uri)) }
    }

    pub fn end_element(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndElement(self.raw()) }
    }

    pub fn full_end_element(&self) -> i32 {
        unsafe { sys::xmlTextWriterFullEndElement(self.raw()) }
    }

    pub fn write_element(&self, name: &[u8], text: &[u8]) -> i32 {
        unsafe {
            sys::xmlTextWriterWriteElement(self.raw(), c_text(name).as_ptr().cast(), c_text(text).as_ptr().cast())
        }
    }

    pub fn write_element_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>, text: &[u8]) -> i32 {
        let [prefix, name, uri, text] = [prefix, Some(name), uri, Some(text)].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (prefix, name, uri, text) = (pointer(&prefix), pointer(&name), pointer(&uri), pointer(&text));
            sys::xmlTextWriterWriteElementNS(self.raw(), prefix, name, uri, text)
        }
    }

    pub fn start_attribute(&self, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartAttribute(self.raw(), c_text(name).as_ptr().cast()) }
    }

    pub fn start_attribute_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>) -> i32 {
        let [prefix, name, uri] = [prefix, Some(name), uri].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartAttributeNS(self.raw(), pointer(&prefix), pointer(&name), pointer(&uri)) }
    }

    pub fn end_attribute(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndAttribute(self.raw()) }
    }

    pub fn write_attribute(&self, name: &[u8], value: &[u8]) -> i32 {
        unsafe {
            sys::xmlTextWriterWriteAttribute(self.raw(), c_text(name).as_ptr().cast(), c_text(value).as_ptr().cast())
        }
    }

    pub fn write_attribute_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>, value: &[u8]) -> i32 {
        let [prefix, name, uri, value] = [prefix, Some(name), uri, Some(value)].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (prefix, name, uri, value) = (pointer(&prefix), pointer(&name), pointer(&uri), pointer(&value));
            sys::xmlTextWriterWriteAttributeNS(self.raw(), prefix, name, uri, value)
        }
    }

    pub fn text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterWriteString(self.raw(), c_text(text).as_ptr().cast()) }
    }

    pub fn raw_text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterWriteRaw(self.raw(), c_text(text).as_ptr().cast()) }
    }

    /// Begins a part; the name counts where the part has one.
    pub fn start(&self, part: Part, name: &[u8]) -> i32 {
        let name = c_text(name);
        let (writer, name) = (self.raw(), name.as_ptr().cast());
        unsafe {
            match part {
                Part::Comment => sys::xmlTextWriterStartComment(writer),
                Part::CData => sys::xmlTextWriterStartCDATA(writer),
                Part::Instruction => sys::xmlTextWriterStartPI(writer, name),
                Part::DtdElement => sys::xmlTextWriterStartDTDElement(writer, name),
                Part::DtdAttlist => sys::xmlTextWriterStartDTDAttlist(writer, name),
            }
        }
    }

    pub fn end(&self, part: Part) -> i32 {
        let writer = self.raw();
        unsafe {
            match part {
                Part::Comment => sys::xmlTextWriterEndComment(writer),
                Part::CData => sys::xmlTextWriterEndCDATA(writer),
                Part::Instruction => sys::xmlTextWriterEndPI(writer),
                Part::DtdElement => sys::xmlTextWriterEndDTDElement(writer),
                Part::DtdAttlist => sys::xmlTextWriterEndDTDAttlist(writer),
            }
        }
    }

    pub fn write(&self, part: Part, name: &[u8], text: &[u8]) -> i32 {
        let (name, text) = (c_text(name), c_text(text));
        let (writer, name, text) = (self.raw(), name.as_ptr().cast(), text.as_ptr().cast());
        unsafe {
            match part {
                Part::Comment => sys::xmlTextWriterWriteComment(writer, text),
                Part::CData => sys::xmlTextWriterWriteCDATA(writer, text),
                Part::Instruction => sys::xmlTextWriterWritePI(writer, name, text),
                Part::DtdElement => sys::xmlTextWriterWriteDTDElement(writer, name, text),
                Part::DtdAttlist => sys::xmlTextWriterWriteDTDAttlist(writer, name, text),
            }
        }
    }

    pub fn start_dtd(&self, name: &[u8], public: Optional<'_>, system: Optional<'_>) -> i32 {
        let [name, public, system] = [Some(name), public, system].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartDTD(self.raw(), pointer(&name), pointer(&public), pointer(&system)) }
    }

    pub fn end_dtd(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDTD(self.raw()) }
    }

    pub fn write_dtd(&self, name: &[u8], public: Optional<'_>, system: Optional<'_>, subset: Optional<'_>) -> i32 {
        let [name, public, system, subset] = [Some(name), public, system, subset].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (name, public, system, subset) = (pointer(&name), pointer(&public), pointer(&system), pointer(&subset));
            sys::xmlTextWriterWriteDTD(self.raw(), name, public, system, subset)
        }
    }

    pub fn start_dtd_entity(&self, parameter: bool, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartDTDEntity(self.raw(), c_int::from(parameter), c_text(name).as_ptr().cast()) }
    }

    pub fn end_dtd_entity(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDTDEntity(self.raw()) }
    }

    pub fn write_dtd_entity(
        &self,
        parameter: bool,
        name: &[u8],
        [public, system, notation]: [Optional<'_>; 3],
        content: &[u8],
    ) -> i32 {
        let [name, public, system, notation, content] =
            [Some(name), public, system, notation, Some(content)].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            sys::xmlTextWriterWriteDTDEntity(
                self.raw(),
                c_int::from(parameter),
                pointer(&name),
                pointer(&public),
                pointer(&system),
                pointer(&notation),
                pointer(&content),
            )
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: the only free; it flushes into the buffer, which goes after it.
        unsafe { sys::xmlFreeTextWriter(self.raw()) };
    }
}
