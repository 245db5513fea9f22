//! Functions that write trees as XML and HTML text.

use crate::c_text;
use crate::sys::{self, XmlNode, XmlNodeSet, XmlNs};
use crate::tree::Node;
use crate::xpath::Found;
use std::ffi::{c_int, c_void};
use std::ptr;

/// libxml2's options for saving.
pub mod save_options {
    /// Elements are indented on lines of their own.
    pub const FORMAT: i32 = 1;
    /// The XML declaration is left out.
    pub const NO_DECLARATION: i32 = 2;
    /// Empty elements are written with two tags.
    pub const NO_EMPTY: i32 = 4;
    /// HTML documents are written as XML.
    pub const AS_XML: i32 = 32;
}

/// The options of a canonical form.
#[derive(Clone, Debug, Default)]
pub struct Canonical<'a> {
    /// Exclusive canonicalisation: only used namespaces are written.
    pub exclusive: bool,
    /// Comments are written, too.
    pub comments: bool,
    /// Prefixes that exclusive canonicalisation treats inclusively.
    pub prefixes: Vec<&'a [u8]>,
}

/// The part of a document that its canonical form shows.
#[derive(Clone, Copy)]
pub enum Visible<'a> {
    All,
    /// A node and its descendants.
    Below(&'a Node),
    /// Only the given nodes and declarations.
    Only(&'a [Found]),
}

/// A growing text of libxml2.
pub(crate) struct Buffer(pub(crate) *mut sys::Buffer);

impl Buffer {
    pub(crate) fn new() -> Option<Buffer> {
        crate::reports::prepare();
        // SAFETY: the function has no preconditions.
        let raw = unsafe { sys::xmlBufferCreate() };
        (!raw.is_null()).then_some(Buffer(raw))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        // SAFETY: the length is that of the content, whose bytes are copied.
        unsafe {
            let content = sys::xmlBufferContent(self.0);
            let length = sys::xmlBufferLength(self.0);
            match usize::try_from(length) {
                Ok(length) if !content.is_null() => std::slice::from_raw_parts(content, length).to_vec(),
                _ => Vec::new(),
            }
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: this value alone owns the buffer.
        unsafe { sys::xmlBufferFree(self.0) };
    }
}

impl Node {
    /// The text of a node or document, by libxml2's options for saving. `None` after an error.
    pub fn save(&self, encoding: Option<&[u8]>, options: i32) -> Option<Vec<u8>> {
        let buffer = Buffer::new()?;
        let encoding = encoding.map(c_text);
        // SAFETY: the context writes to the buffer and is closed before the buffer is read.
        unsafe {
            let encoding = encoding.as_ref().map_or(ptr::null(), |name| name.as_ptr());
            let context = sys::xmlSaveToBuffer(buffer.0, encoding, options);
            if context.is_null() {
                return None;
            }
            let written = if self.kind().is_document() {
                sys::xmlSaveDoc(context, self.raw().cast())
            } else {
                sys::xmlSaveTree(context, self.raw())
            };
            sys::xmlSaveFlush(context);
            sys::xmlSaveClose(context);
            if written < 0 {
                return None;
            }
        }
        Some(buffer.bytes())
    }

    /// The text of a node in UTF-8, without an XML declaration.
    pub fn save_node(&self, format: bool, no_empty_tags: bool) -> Option<Vec<u8>> {
        let buffer = Buffer::new()?;
        // SAFETY: the output writes to the buffer and is closed before the buffer is read.
        unsafe {
            let setting = sys::__xmlSaveNoEmptyTags();
            let before = *setting;
            *setting = c_int::from(no_empty_tags);
            let output = sys::xmlOutputBufferCreateBuffer(buffer.0, ptr::null_mut());
            if !output.is_null() {
                sys::xmlNodeDumpOutput(output, self.doc_raw(), self.raw(), 0, c_int::from(format), ptr::null());
                sys::xmlOutputBufferFlush(output);
                sys::xmlOutputBufferClose(output);
            }
            *setting = before;
        }
        Some(buffer.bytes())
    }

    /// The text of a node in an encoding, without an XML declaration.
    pub fn save_in(&self, encoding: Option<&[u8]>) -> Option<Vec<u8>> {
        let buffer = Buffer::new()?;
        let encoding = encoding.map(c_text);
        // SAFETY: the output writes to the buffer and is closed before the buffer is read; it takes over the handler
        // and closes it.
        unsafe {
            let name = encoding.as_ref().map_or(ptr::null(), |name| name.as_ptr());
            let handler = if name.is_null() { ptr::null_mut() } else { sys::xmlFindCharEncodingHandler(name) };
            let output = sys::xmlOutputBufferCreateBuffer(buffer.0, handler);
            if output.is_null() {
                return None;
            }
            sys::xmlNodeDumpOutput(output, self.doc_raw(), self.raw(), 0, 0, name);
            sys::xmlOutputBufferFlush(output);
            sys::xmlOutputBufferClose(output);
        }
        Some(buffer.bytes())
    }

    /// The HTML text of a document.
    pub fn save_html_document(&self, format: bool) -> Option<Vec<u8>> {
        if !self.kind().is_document() {
            return None;
        }
        crate::reports::prepare();
        let mut text = ptr::null_mut();
        let mut size: c_int = 0;
        // SAFETY: libxml2 allocated the text of this size for the caller.
        unsafe {
            sys::htmlDocDumpMemoryFormat(self.raw().cast(), &mut text, &mut size, c_int::from(format));
            sized(text, size)
        }
    }

    /// Sets the encoding that the `meta` element of an HTML document names, to the one it is saved in.
    pub fn name_html_encoding(&self) {
        if !self.kind().is_document() {
            return;
        }
        // SAFETY: the node is a document; the name that libxml2 finds is copied before the tree changes.
        unsafe {
            let found = sys::htmlGetMetaEncoding(self.raw().cast());
            let name = match found.is_null() {
                true => c_text(b"UTF-8"),
                false => std::ffi::CStr::from_ptr(found.cast()).to_owned(),
            };
            sys::htmlSetMetaEncoding(self.raw().cast(), name.as_ptr().cast());
        }
    }

    /// The HTML text of a node.
    pub fn save_html_node(&self, format: bool) -> Option<Vec<u8>> {
        let buffer = Buffer::new()?;
        // SAFETY: the output writes to the buffer and is closed before the buffer is read.
        unsafe {
            let output = sys::xmlOutputBufferCreateBuffer(buffer.0, ptr::null_mut());
            if output.is_null() {
                return None;
            }
            sys::htmlNodeDumpFormatOutput(output, self.doc_raw(), self.raw(), ptr::null(), c_int::from(format));
            sys::xmlOutputBufferFlush(output);
            sys::xmlOutputBufferClose(output);
        }
        Some(buffer.bytes())
    }

    /// The canonical form of the visible part of the document. `None` after an error.
    pub fn save_canonical(&self, how: &Canonical<'_>, visible: Visible<'_>) -> Option<Vec<u8>> {
        let document = self.document()?;
        let (top, visible) = match visible {
            Visible::All => (None, None),
            Visible::Below(top) => (Some(top), None),
            Visible::Only(found) => (None, Some(found)),
        };
        let buffer = Buffer::new()?;
        let prefixes: Vec<_> = how.prefixes.iter().map(|prefix| c_text(prefix)).collect();
        let mut pointers: Vec<*mut u8> = prefixes.iter().map(|prefix| prefix.as_ptr().cast_mut().cast()).collect();
        pointers.push(ptr::null_mut());
        // libxml2 expects a namespace in a set to be a copy whose `next` is the element.
        let namespace = |found: &Found| match found {
            Found::Node(_) => None,
            // SAFETY: the handle keeps the declaration alive.
            Found::Namespace { element, namespace } => unsafe {
                let XmlNs { kind, href, prefix, .. } = *namespace.raw();
                let (private, context) = (ptr::null_mut(), ptr::null_mut());
                Some(Box::new(XmlNs { next: element.raw().cast(), kind, href, prefix, private, context }))
            },
        };
        let mut namespaces: Vec<Option<Box<XmlNs>>> = visible.unwrap_or(&[]).iter().map(namespace).collect();
        let member = |(found, namespace): (&Found, &mut Option<Box<XmlNs>>)| match (found, namespace) {
            (_, Some(namespace)) => (&raw mut **namespace).cast(),
            (Found::Node(node) | Found::Namespace { element: node, .. }, None) => node.raw(),
        };
        let mut nodes: Vec<_> = visible.unwrap_or(&[]).iter().zip(&mut namespaces).map(member).collect();
        let count = c_int::try_from(nodes.len()).ok()?;
        let mut set = XmlNodeSet { count, room: count, table: nodes.as_mut_ptr() };
        let set = if visible.is_some() { &raw mut set } else { ptr::null_mut() };
        // SAFETY: set, prefixes and output live through the call; libxml2 only reads the first two.
        let result = unsafe {
            let output = sys::xmlOutputBufferCreateBuffer(buffer.0, ptr::null_mut());
            if output.is_null() {
                return None;
            }
            let prefixes = if how.prefixes.is_empty() { ptr::null_mut() } else { pointers.as_mut_ptr() };
            let (mode, comments) = (c_int::from(how.exclusive), c_int::from(how.comments));
            let doc = document.raw().cast();
            let result = match top {
                Some(top) => sys::xmlC14NExecute(doc, is_below, top.raw().cast(), mode, prefixes, comments, output),
                None => sys::xmlC14NDocSaveTo(doc, set, mode, prefixes, comments, output),
            };
            sys::xmlOutputBufferFlush(output);
            sys::xmlOutputBufferClose(output);
            result
        };
        (result >= 0).then(|| buffer.bytes())
    }
}

/// Whether a node is the top or below it. For a declaration, which is no node of the tree, `parent` is the place.
///
/// # Safety
/// libxml2 calls it with nodes of the tree that `top` belongs to.
unsafe extern "C" fn is_below(top: *mut c_void, node: *mut XmlNode, parent: *mut XmlNode) -> c_int {
    let top: *mut XmlNode = top.cast();
    if node == top {
        return 1;
    }
    let mut above = parent;
    while !above.is_null() && above != top {
        // SAFETY: `above` is not null here, and is an ancestor in the tree of `top`.
        above = unsafe { (*above).parent };
    }
    c_int::from(!above.is_null())
}

/// # Safety
/// The text is null, or has this size and was allocated by libxml2 for the caller.
unsafe fn sized(text: *mut u8, size: c_int) -> Option<Vec<u8>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the text is not null here, so it has this size; it belongs to the caller and is freed once.
    unsafe {
        let bytes = std::slice::from_raw_parts(text, usize::try_from(size).unwrap_or(0)).to_vec();
        (sys::xmlFree)(text.cast());
        Some(bytes)
    }
}
