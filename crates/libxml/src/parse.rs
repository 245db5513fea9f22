//! Functions that parse XML and HTML into trees.

use crate::tree::Node;
use crate::{c_text, sys};
use std::ffi::c_int;
use std::ptr;

/// What a document is parsed from, and how.
#[derive(Clone, Debug, Default)]
pub struct Parse<'a> {
    /// libxml2's options (`XML_PARSE_..`, `HTML_PARSE_..`).
    pub options: i32,
    /// The text. Without one, `url` is loaded.
    pub text: Option<&'a [u8]>,
    /// The name of the document: a file or URL.
    pub url: Option<&'a [u8]>,
    /// The directory for relative names.
    pub directory: Option<&'a [u8]>,
    /// The encoding, instead of the one that the document names.
    pub encoding: Option<&'a [u8]>,
    /// Whether a tree is made even from a text with errors.
    pub recover: bool,
    /// Whether messages come one by one with the parser's place. Otherwise they are texts as libxml2 shows them, with
    /// the source around the place.
    pub placed_messages: bool,
}

/// The result of parsing.
pub struct Parsed {
    /// The tree, if one was made.
    pub document: Option<Node>,
    /// Whether a parser was made. libxml2 makes none for an empty text.
    pub started: bool,
    /// Whether all prefixes are bound to namespaces.
    pub names_are_bound: bool,
}

const RECOVER: i32 = 1;

/// Parses XML. Errors are reported, see `reports`.
pub fn parse_xml(how: &Parse<'_>) -> Parsed {
    crate::reports::prepare();
    let failed = Parsed { document: None, started: false, names_are_bound: false };
    let url = how.url.map(c_text);
    // SAFETY: texts come with their lengths or end with NUL; the parser is freed once, and its tree is taken out
    // first.
    unsafe {
        let parser = match (how.text, &url) {
            (Some(text), _) => match c_int::try_from(text.len()) {
                Ok(length) => sys::xmlCreateMemoryParserCtxt(text.as_ptr().cast(), length),
                Err(_) => return failed,
            },
            (None, Some(url)) => sys::xmlCreateFileParserCtxt(url.as_ptr()),
            (None, None) => return failed,
        };
        if parser.is_null() {
            return failed;
        }
        if let Some(encoding) = how.encoding.map(c_text) {
            let handler = sys::xmlFindCharEncodingHandler(encoding.as_ptr());
            if !handler.is_null() {
                sys::xmlSwitchToEncoding(parser, handler);
            }
        }
        if let Some(directory) = how.directory.map(c_text) {
            sys::phlox_libxml_set_directory(parser, directory.as_ptr());
        }
        if let (Some(_), Some(url)) = (how.text, &url) {
            sys::phlox_libxml_set_input_name(parser, url.as_ptr());
        }
        if how.placed_messages {
            sys::phlox_libxml_watch(parser);
        }
        let recover = how.recover || how.options & RECOVER != 0;
        sys::xmlCtxtUseOptions(parser, how.options);
        sys::phlox_libxml_set_recovery(parser, c_int::from(recover));
        sys::xmlParseDocument(parser);
        let document = sys::phlox_libxml_take_document(parser);
        let well_formed = sys::phlox_libxml_is_well_formed(parser) != 0;
        let names_are_bound = sys::phlox_libxml_has_bound_names(parser) != 0;
        sys::xmlFreeParserCtxt(parser);
        let document = Node::adopt_document(document);
        Parsed { document: document.filter(|_| well_formed || recover), started: true, names_are_bound }
    }
}

/// Parses HTML. Any text gives a document; errors are reported, see `reports`.
pub fn parse_html(how: &Parse<'_>) -> Parsed {
    crate::reports::prepare();
    let failed = Parsed { document: None, started: false, names_are_bound: false };
    let url = how.url.map(c_text);
    // SAFETY: texts come with their lengths or end with NUL; the parser is freed once, and its tree is taken out
    // first.
    unsafe {
        let parser = match (how.text, &url) {
            (Some(text), _) => match c_int::try_from(text.len()) {
                Ok(length) => sys::htmlCreateMemoryParserCtxt(text.as_ptr().cast(), length),
                Err(_) => return failed,
            },
            (None, Some(url)) => sys::htmlCreateFileParserCtxt(url.as_ptr(), ptr::null()),
            (None, None) => return failed,
        };
        if parser.is_null() {
            return failed;
        }
        if how.placed_messages {
            sys::phlox_libxml_watch(parser);
        }
        if how.options != 0 {
            sys::htmlCtxtUseOptions(parser, how.options);
        }
        sys::htmlParseDocument(parser);
        let document = sys::phlox_libxml_take_document(parser);
        sys::htmlFreeParserCtxt(parser);
        Parsed { document: Node::adopt_document(document), started: true, names_are_bound: true }
    }
}

/// Parses a well-balanced piece of XML in the context of a document and appends it to a node. False: it is not
/// well-balanced.
pub fn parse_fragment(target: &Node, text: &[u8]) -> bool {
    crate::reports::prepare();
    let text = c_text(text);
    let mut list = ptr::null_mut();
    // SAFETY: the document is the target's; the text ends with NUL; the list is new and `adopt_list` links it.
    let error = unsafe { sys::phlox_libxml_parse_piece(target.doc_raw(), text.as_ptr().cast(), &mut list) };
    if error != 0 {
        return false;
    }
    target.adopt_list(list);
    true
}

/// Whether libxml2 knows an encoding.
pub fn is_encoding(name: &[u8]) -> bool {
    if name.is_empty() || name.contains(&0) {
        return false;
    }
    crate::reports::prepare();
    // SAFETY: the text ends with NUL; the handler is closed here.
    unsafe {
        let handler = sys::xmlFindCharEncodingHandler(c_text(name).as_ptr());
        if handler.is_null() {
            return false;
        }
        sys::xmlCharEncCloseFunc(handler);
        true
    }
}
