//! The writer: makes XML text piece by piece.

use crate::save::Buffer;
use crate::sys;
use crate::{c_text, optional};
use std::ffi::{CString, c_int};
use std::ptr::NonNull;

/// A writer into memory.
pub struct Writer {
    raw: NonNull<sys::TextWriter>,
    // The buffer is declared after the writer, so it is dropped after it: the writer flushes into it.
    buffer: Buffer,
}

/// A construct that the writer can begin, end, or write at once with its text.
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
    /// A writer into an empty buffer; `None` without memory.
    pub fn new() -> Option<Writer> {
        let buffer = Buffer::new()?;
        // SAFETY: the buffer lives as long as the writer.
        let raw = unsafe { sys::xmlNewTextWriterMemory(buffer.0, 0) };
        NonNull::new(raw).map(|raw| Writer { raw, buffer })
    }

    fn raw(&self) -> *mut sys::TextWriter {
        self.raw.as_ptr()
    }

    /// The text that was written. It is removed from the buffer if `empty`.
    pub fn contents(&self, empty: bool) -> Vec<u8> {
        // SAFETY: the writer is alive, this value alone uses it, and all texts that are passed end with NUL or are
        // null. That holds for every call of the methods below.
        unsafe { sys::xmlTextWriterFlush(self.raw()) };
        let bytes = self.buffer.bytes();
        if empty {
            unsafe { sys::xmlBufferEmpty(self.buffer.0) };
        }
        bytes
    }

    /// Switches indentation on or off. Like all functions here that give a number, it gives libxml2's: negative after
    /// an error.
    pub fn set_indent(&self, on: bool) -> i32 {
        unsafe { sys::xmlTextWriterSetIndent(self.raw(), c_int::from(on)) }
    }

    /// Sets the text by which lines are indented.
    pub fn set_indent_text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterSetIndentString(self.raw(), c_text(text).as_ptr().cast()) }
    }

    /// Begins the document with an XML declaration.
    pub fn start_document(&self, version: Optional<'_>, encoding: Optional<'_>, standalone: Optional<'_>) -> i32 {
        let [version, encoding, standalone] = [version, encoding, standalone].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref()).cast();
        unsafe {
            sys::xmlTextWriterStartDocument(self.raw(), pointer(&version), pointer(&encoding), pointer(&standalone))
        }
    }

    /// Ends the document and everything that is open.
    pub fn end_document(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDocument(self.raw()) }
    }

    /// Begins an element.
    pub fn start_element(&self, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartElement(self.raw(), c_text(name).as_ptr().cast()) }
    }

    /// Begins an element with a prefix and a namespace, which is declared.
    pub fn start_element_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>) -> i32 {
        let [prefix, name, uri] = [prefix, Some(name), uri].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartElementNS(self.raw(), pointer(&prefix), pointer(&name), pointer(&uri)) }
    }

    /// Ends the current element, with an empty-element tag if it has no contents.
    pub fn end_element(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndElement(self.raw()) }
    }

    /// Ends the current element, always with an end tag.
    pub fn full_end_element(&self) -> i32 {
        unsafe { sys::xmlTextWriterFullEndElement(self.raw()) }
    }

    /// Writes an element with a text.
    pub fn write_element(&self, name: &[u8], text: &[u8]) -> i32 {
        unsafe {
            sys::xmlTextWriterWriteElement(self.raw(), c_text(name).as_ptr().cast(), c_text(text).as_ptr().cast())
        }
    }

    /// Writes an element with a prefix, a namespace and a text.
    pub fn write_element_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>, text: &[u8]) -> i32 {
        let [prefix, name, uri, text] = [prefix, Some(name), uri, Some(text)].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (prefix, name, uri, text) = (pointer(&prefix), pointer(&name), pointer(&uri), pointer(&text));
            sys::xmlTextWriterWriteElementNS(self.raw(), prefix, name, uri, text)
        }
    }

    /// Begins an attribute of the current element.
    pub fn start_attribute(&self, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartAttribute(self.raw(), c_text(name).as_ptr().cast()) }
    }

    /// Begins an attribute with a prefix and a namespace.
    pub fn start_attribute_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>) -> i32 {
        let [prefix, name, uri] = [prefix, Some(name), uri].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartAttributeNS(self.raw(), pointer(&prefix), pointer(&name), pointer(&uri)) }
    }

    /// Ends the current attribute.
    pub fn end_attribute(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndAttribute(self.raw()) }
    }

    /// Writes an attribute.
    pub fn write_attribute(&self, name: &[u8], value: &[u8]) -> i32 {
        unsafe {
            sys::xmlTextWriterWriteAttribute(self.raw(), c_text(name).as_ptr().cast(), c_text(value).as_ptr().cast())
        }
    }

    /// Writes an attribute with a prefix and a namespace.
    pub fn write_attribute_ns(&self, prefix: Optional<'_>, name: &[u8], uri: Optional<'_>, value: &[u8]) -> i32 {
        let [prefix, name, uri, value] = [prefix, Some(name), uri, Some(value)].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (prefix, name, uri, value) = (pointer(&prefix), pointer(&name), pointer(&uri), pointer(&value));
            sys::xmlTextWriterWriteAttributeNS(self.raw(), prefix, name, uri, value)
        }
    }

    /// Writes a text, which is escaped.
    pub fn text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterWriteString(self.raw(), c_text(text).as_ptr().cast()) }
    }

    /// Writes a text as it is.
    pub fn raw_text(&self, text: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterWriteRaw(self.raw(), c_text(text).as_ptr().cast()) }
    }

    /// Begins a part. `name` is ignored for parts that have no name.
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

    /// Ends a part.
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

    /// Writes a part with its text. `name` is ignored for parts that have no name.
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

    /// Begins a document type declaration.
    pub fn start_dtd(&self, name: &[u8], public: Optional<'_>, system: Optional<'_>) -> i32 {
        let [name, public, system] = [Some(name), public, system].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe { sys::xmlTextWriterStartDTD(self.raw(), pointer(&name), pointer(&public), pointer(&system)) }
    }

    /// Ends the document type declaration.
    pub fn end_dtd(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDTD(self.raw()) }
    }

    /// Writes a document type declaration.
    pub fn write_dtd(&self, name: &[u8], public: Optional<'_>, system: Optional<'_>, subset: Optional<'_>) -> i32 {
        let [name, public, system, subset] = [Some(name), public, system, subset].map(|text| text.map(c_text));
        let pointer = |text: &Option<CString>| optional(text.as_ref());
        unsafe {
            let (name, public, system, subset) = (pointer(&name), pointer(&public), pointer(&system), pointer(&subset));
            sys::xmlTextWriterWriteDTD(self.raw(), name, public, system, subset)
        }
    }

    /// Begins the declaration of an entity; of a parameter entity if `parameter`.
    pub fn start_dtd_entity(&self, parameter: bool, name: &[u8]) -> i32 {
        unsafe { sys::xmlTextWriterStartDTDEntity(self.raw(), c_int::from(parameter), c_text(name).as_ptr().cast()) }
    }

    /// Ends the declaration of an entity.
    pub fn end_dtd_entity(&self) -> i32 {
        unsafe { sys::xmlTextWriterEndDTDEntity(self.raw()) }
    }

    /// Writes the declaration of an entity with its content, or of an external entity if it has ids.
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
        // SAFETY: the writer is freed only here. It flushes into the buffer, which is dropped after it.
        unsafe { sys::xmlFreeTextWriter(self.raw()) };
    }
}
