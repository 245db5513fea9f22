//! The reader: goes through a document node by node without building its tree.

use crate::sys;
use crate::tree::Node;
use crate::validate::{RelaxNg, SchemaText};
use crate::{c_text, copied, taken};
use std::cell::RefCell;
use std::ffi::c_int;
use std::ptr::{self, NonNull};

/// A reader over a text or a file.
pub struct Reader {
    raw: NonNull<sys::Reader>,
    /// The text that libxml2 reads in place.
    _text: Vec<u8>,
    schema: RefCell<Option<RelaxNg>>,
}

/// A property of the current node that is a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    BaseUri,
    LocalName,
    Name,
    NamespaceUri,
    Prefix,
    Value,
    Language,
}

/// A property of the current node that is a number or a flag. The reader gives -1 if it cannot tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    AttributeCount,
    Depth,
    HasAttributes,
    HasValue,
    IsDefault,
    IsEmptyElement,
    NodeType,
    IsValid,
}

impl Reader {
    /// A reader over a text. `url` is the base for relative names; `options` are libxml2's parser options.
    pub fn of_text(text: &[u8], url: Option<&[u8]>, encoding: Option<&[u8]>, options: i32) -> Option<Reader> {
        crate::reports::prepare();
        let text = text.to_vec();
        let length = c_int::try_from(text.len()).ok()?;
        let (url, encoding) = (url.map(c_text), encoding.map(c_text));
        // SAFETY: the reader's value keeps the text, whose bytes do not move; the other texts end with NUL or are
        // null.
        let raw = unsafe {
            sys::xmlReaderForMemory(
                text.as_ptr().cast(),
                length,
                crate::optional(url.as_ref()).cast(),
                crate::optional(encoding.as_ref()).cast(),
                options,
            )
        };
        NonNull::new(raw).map(|raw| Reader { raw, _text: text, schema: RefCell::default() })
    }

    /// A reader over a file or URL. `options` are libxml2's parser options.
    pub fn of_file(name: &[u8], encoding: Option<&[u8]>, options: i32) -> Option<Reader> {
        crate::reports::prepare();
        let (name, encoding) = (c_text(name), encoding.map(c_text));
        // SAFETY: libxml2 copies the texts, which end with NUL or are null.
        let raw = unsafe { sys::xmlReaderForFile(name.as_ptr(), crate::optional(encoding.as_ref()).cast(), options) };
        NonNull::new(raw).map(|raw| Reader { raw, _text: Vec::new(), schema: RefCell::default() })
    }

    fn raw(&self) -> *mut sys::Reader {
        self.raw.as_ptr()
    }

    /// Moves to the next node: 1 if there is one, 0 at the end, -1 after an error.
    pub fn read(&self) -> i32 {
        // SAFETY: the reader is alive, this value alone uses it, and all texts that are passed end with NUL or are
        // null. That holds for every call of the methods below.
        unsafe { sys::xmlTextReaderRead(self.raw()) }
    }

    /// Moves to the next node behind the contents of this one. The results are those of [`Reader::read`].
    pub fn next(&self) -> i32 {
        unsafe { sys::xmlTextReaderNext(self.raw()) }
    }

    /// A text property of the current node.
    pub fn text(&self, which: Text) -> Option<Vec<u8>> {
        unsafe {
            copied(match which {
                Text::BaseUri => sys::xmlTextReaderConstBaseUri(self.raw()),
                Text::LocalName => sys::xmlTextReaderConstLocalName(self.raw()),
                Text::Name => sys::xmlTextReaderConstName(self.raw()),
                Text::NamespaceUri => sys::xmlTextReaderConstNamespaceUri(self.raw()),
                Text::Prefix => sys::xmlTextReaderConstPrefix(self.raw()),
                Text::Value => sys::xmlTextReaderConstValue(self.raw()),
                Text::Language => sys::xmlTextReaderConstXmlLang(self.raw()),
            })
        }
    }

    /// A number or flag of the current node.
    pub fn number(&self, which: Number) -> i32 {
        unsafe {
            match which {
                Number::AttributeCount => sys::xmlTextReaderAttributeCount(self.raw()),
                Number::Depth => sys::xmlTextReaderDepth(self.raw()),
                Number::HasAttributes => sys::xmlTextReaderHasAttributes(self.raw()),
                Number::HasValue => sys::xmlTextReaderHasValue(self.raw()),
                Number::IsDefault => sys::xmlTextReaderIsDefault(self.raw()),
                Number::IsEmptyElement => sys::xmlTextReaderIsEmptyElement(self.raw()),
                Number::NodeType => sys::xmlTextReaderNodeType(self.raw()),
                Number::IsValid => sys::xmlTextReaderIsValid(self.raw()),
            }
        }
    }

    /// The value of an attribute of the current element, by qualified name.
    pub fn attribute(&self, name: &[u8]) -> Option<Vec<u8>> {
        unsafe { taken(sys::xmlTextReaderGetAttribute(self.raw(), c_text(name).as_ptr().cast())) }
    }

    /// The value of an attribute of the current element, by index.
    pub fn attribute_at(&self, index: i32) -> Option<Vec<u8>> {
        unsafe { taken(sys::xmlTextReaderGetAttributeNo(self.raw(), index)) }
    }

    /// The value of an attribute of the current element, by local name and namespace.
    pub fn attribute_ns(&self, name: &[u8], uri: &[u8]) -> Option<Vec<u8>> {
        let (name, uri) = (c_text(name), c_text(uri));
        unsafe { taken(sys::xmlTextReaderGetAttributeNs(self.raw(), name.as_ptr().cast(), uri.as_ptr().cast())) }
    }

    /// The namespace of a prefix in scope; without a prefix, the default namespace.
    pub fn namespace_of(&self, prefix: Option<&[u8]>) -> Option<Vec<u8>> {
        let prefix = prefix.map(c_text);
        unsafe { taken(sys::xmlTextReaderLookupNamespace(self.raw(), crate::optional(prefix.as_ref()))) }
    }

    /// Moves to an attribute by qualified name; false if there is none.
    pub fn move_to_attribute(&self, name: &[u8]) -> bool {
        unsafe { sys::xmlTextReaderMoveToAttribute(self.raw(), c_text(name).as_ptr().cast()) == 1 }
    }

    /// Moves to an attribute by index; false if there is none.
    pub fn move_to_attribute_at(&self, index: i32) -> bool {
        unsafe { sys::xmlTextReaderMoveToAttributeNo(self.raw(), index) == 1 }
    }

    /// Moves to an attribute by local name and namespace; false if there is none.
    pub fn move_to_attribute_ns(&self, name: &[u8], uri: &[u8]) -> bool {
        let (name, uri) = (c_text(name), c_text(uri));
        unsafe { sys::xmlTextReaderMoveToAttributeNs(self.raw(), name.as_ptr().cast(), uri.as_ptr().cast()) == 1 }
    }

    /// Moves from an attribute back to its element; false if the reader is at no attribute.
    pub fn move_to_element(&self) -> bool {
        unsafe { sys::xmlTextReaderMoveToElement(self.raw()) == 1 }
    }

    /// Moves to the first attribute; false if there is none.
    pub fn move_to_first_attribute(&self) -> bool {
        unsafe { sys::xmlTextReaderMoveToFirstAttribute(self.raw()) == 1 }
    }

    /// Moves to the next attribute; false if there is none.
    pub fn move_to_next_attribute(&self) -> bool {
        unsafe { sys::xmlTextReaderMoveToNextAttribute(self.raw()) == 1 }
    }

    /// The XML text of the contents of the current node.
    pub fn inner_xml(&self) -> Option<Vec<u8>> {
        unsafe { taken(sys::xmlTextReaderReadInnerXml(self.raw())) }
    }

    /// The XML text of the current node with its contents.
    pub fn outer_xml(&self) -> Option<Vec<u8>> {
        unsafe { taken(sys::xmlTextReaderReadOuterXml(self.raw())) }
    }

    /// The text of the contents of the current node, without markup.
    pub fn string(&self) -> Option<Vec<u8>> {
        unsafe { taken(sys::xmlTextReaderReadString(self.raw())) }
    }

    /// A parser property by libxml2's number: 1 or 0, or -1 if it is unknown.
    pub fn property(&self, number: i32) -> i32 {
        unsafe { sys::xmlTextReaderGetParserProp(self.raw(), number) }
    }

    /// Sets a parser property by libxml2's number; false if that is not possible.
    pub fn set_property(&self, number: i32, on: bool) -> bool {
        unsafe { sys::xmlTextReaderSetParserProp(self.raw(), number, c_int::from(on)) != -1 }
    }

    /// Validates by the XML Schema in a file from now on; `None` ends the validation. False if the schema cannot be
    /// used.
    pub fn set_schema(&self, file: Option<&[u8]>) -> bool {
        let file = file.map(c_text);
        unsafe { sys::xmlTextReaderSchemaValidate(self.raw(), crate::optional(file.as_ref()).cast()) == 0 }
    }

    /// Validates by a Relax NG schema from now on; `None` ends the validation. Gives `None` if the schema is invalid.
    pub fn set_relax_ng(&self, schema: Option<SchemaText<'_>>) -> Option<bool> {
        let schema = match schema {
            Some(schema) => Some(RelaxNg::parse(schema)?),
            None => None,
        };
        let raw = schema.as_ref().map_or(ptr::null_mut(), |schema| schema.0);
        // SAFETY: `self.schema` keeps the schema as long as the reader uses it.
        let set = unsafe { sys::xmlTextReaderRelaxNGSetSchema(self.raw(), raw) == 0 };
        if set {
            *self.schema.borrow_mut() = schema;
        }
        Some(set)
    }

    /// A copy of the current node with its contents, for a document. `None`: there is no node here. `Some(None)`: it
    /// cannot be copied.
    pub fn expand(&self, document: &Node) -> Option<Option<Node>> {
        // SAFETY: the node belongs to the reader until that moves on; only a copy leaves this function.
        unsafe {
            let node = sys::xmlTextReaderExpand(self.raw());
            if node.is_null() {
                return None;
            }
            let copy = sys::xmlDocCopyNode(node, document.doc_raw(), 1);
            Some(document.adopt_loose(copy))
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: the reader is freed only here. The schema is dropped after it.
        unsafe { sys::xmlFreeTextReader(self.raw()) };
    }
}
