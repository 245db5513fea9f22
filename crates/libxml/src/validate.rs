//! Validation of documents by a DTD, an XML Schema or a Relax NG schema.

use crate::tree::Node;
use crate::{c_text, sys};
use std::ffi::c_int;

/// The source of a schema.
#[derive(Clone, Copy, Debug)]
pub enum SchemaText<'a> {
    File(&'a [u8]),
    Text(&'a [u8]),
}

impl Node {
    /// Whether a document is valid by its own DTD.
    pub fn is_valid_by_dtd(&self) -> bool {
        if !self.kind().is_document() {
            return false;
        }
        crate::reports::prepare();
        // SAFETY: the context is new, is used by this function only and freed here; the node is a document.
        unsafe {
            let context = sys::phlox_libxml_validation();
            if context.is_null() {
                return false;
            }
            let valid = sys::xmlValidateDocument(context, self.raw().cast());
            sys::xmlFreeValidCtxt(context);
            valid != 0
        }
    }

    /// Whether a document is valid by an XML Schema. `None`: the schema is invalid. By an option missing defaults are
    /// added to the tree.
    pub fn is_valid_by_schema(&self, schema: SchemaText<'_>, options: i32) -> Option<bool> {
        if !self.kind().is_document() {
            return None;
        }
        crate::reports::prepare();
        // SAFETY: contexts and schema are used by this function only and freed once; the text outlives its parser.
        unsafe {
            let name;
            let parser = match schema {
                SchemaText::File(file) => {
                    name = c_text(file);
                    sys::xmlSchemaNewParserCtxt(name.as_ptr())
                }
                SchemaText::Text(text) => {
                    sys::xmlSchemaNewMemParserCtxt(text.as_ptr().cast(), c_int::try_from(text.len()).ok()?)
                }
            };
            if parser.is_null() {
                return None;
            }
            sys::phlox_libxml_watch_schema_parser(parser);
            let schema = sys::xmlSchemaParse(parser);
            sys::xmlSchemaFreeParserCtxt(parser);
            if schema.is_null() {
                return None;
            }
            let context = sys::xmlSchemaNewValidCtxt(schema);
            let result = if context.is_null() {
                None
            } else {
                sys::xmlSchemaSetValidOptions(context, options);
                sys::phlox_libxml_watch_schema(context);
                let result = sys::xmlSchemaValidateDoc(context, self.raw().cast());
                sys::xmlSchemaFreeValidCtxt(context);
                Some(result == 0)
            };
            sys::xmlSchemaFree(schema);
            result
        }
    }

    /// Whether a document is valid by a Relax NG schema. `None`: the schema is invalid.
    pub fn is_valid_by_relax_ng(&self, schema: SchemaText<'_>) -> Option<bool> {
        if !self.kind().is_document() {
            return None;
        }
        let schema = RelaxNg::parse(schema)?;
        // SAFETY: the context is used by this function only and freed here, before the schema is dropped.
        unsafe {
            let context = sys::xmlRelaxNGNewValidCtxt(schema.0);
            if context.is_null() {
                return None;
            }
            sys::phlox_libxml_watch_relaxng(context);
            let result = sys::xmlRelaxNGValidateDoc(context, self.raw().cast());
            sys::xmlRelaxNGFreeValidCtxt(context);
            Some(result == 0)
        }
    }
}

/// A compiled Relax NG schema.
pub(crate) struct RelaxNg(pub(crate) *mut sys::RelaxNg);

impl RelaxNg {
    pub(crate) fn parse(schema: SchemaText<'_>) -> Option<RelaxNg> {
        crate::reports::prepare();
        // SAFETY: the parser is used by this function only and freed here; the text outlives it.
        unsafe {
            let name;
            let parser = match schema {
                SchemaText::File(file) => {
                    name = c_text(file);
                    sys::xmlRelaxNGNewParserCtxt(name.as_ptr())
                }
                SchemaText::Text(text) => {
                    sys::xmlRelaxNGNewMemParserCtxt(text.as_ptr().cast(), c_int::try_from(text.len()).ok()?)
                }
            };
            if parser.is_null() {
                return None;
            }
            sys::phlox_libxml_watch_relaxng_parser(parser);
            let schema = sys::xmlRelaxNGParse(parser);
            sys::xmlRelaxNGFreeParserCtxt(parser);
            (!schema.is_null()).then_some(RelaxNg(schema))
        }
    }
}

impl Drop for RelaxNg {
    fn drop(&mut self) {
        // SAFETY: the schema is freed only here.
        unsafe { sys::xmlRelaxNGFree(self.0) };
    }
}
