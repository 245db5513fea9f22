//! The `dom` extension: the old DOM (`DOMDocument` and the other classes `DOM…`) and the new DOM (the namespace
//! `Dom`). Identifiers call them classic and modern.
//!
//! A node's object is made when a script first reaches the node, and found again as long as both live. The trees are
//! libxml2's; `phlox-libxml` owns them.
#![forbid(unsafe_code)]

mod character_data;
mod classes;
mod declared;
mod document;
mod element;
mod errors;
mod html;
mod insert;
mod lists;
mod loading;
mod namespaces;
mod node;
mod objects;
mod selectors;
mod serialize;
mod tokens;
mod xpath;

pub use loading::{absolute, working_directory};
pub use objects::{Held, held, node_of, settings, wrap};

use phlox_libxml::Node;
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{ConstValue, Extension, FnDef, PhpObj, PhpResult, Vm};
use std::cell::RefCell;

const FUNCTIONS: &[FnDef] = &[
    FnDef::new("dom_import_simplexml(object $node): \\DOMAttr|\\DOMElement", document::import_simplexml),
    FnDef::new("Dom\\import_simplexml(object $node): \\Dom\\Attr|\\Dom\\Element", document::import_simplexml_modern),
];

#[rustfmt::skip]
const CONSTANTS: &[(&str, ConstValue)] = &[
    ("XML_ELEMENT_NODE", Int(1)),
    ("XML_ATTRIBUTE_NODE", Int(2)),
    ("XML_TEXT_NODE", Int(3)),
    ("XML_CDATA_SECTION_NODE", Int(4)),
    ("XML_ENTITY_REF_NODE", Int(5)),
    ("XML_ENTITY_NODE", Int(6)),
    ("XML_PI_NODE", Int(7)),
    ("XML_COMMENT_NODE", Int(8)),
    ("XML_DOCUMENT_NODE", Int(9)),
    ("XML_DOCUMENT_TYPE_NODE", Int(10)),
    ("XML_DOCUMENT_FRAG_NODE", Int(11)),
    ("XML_NOTATION_NODE", Int(12)),
    ("XML_HTML_DOCUMENT_NODE", Int(13)),
    ("XML_DTD_NODE", Int(14)),
    ("XML_ELEMENT_DECL_NODE", Int(15)),
    ("XML_ATTRIBUTE_DECL_NODE", Int(16)),
    ("XML_ENTITY_DECL_NODE", Int(17)),
    ("XML_NAMESPACE_DECL_NODE", Int(18)),
    ("XML_LOCAL_NAMESPACE", Int(18)),
    ("XML_ATTRIBUTE_CDATA", Int(1)),
    ("XML_ATTRIBUTE_ID", Int(2)),
    ("XML_ATTRIBUTE_IDREF", Int(3)),
    ("XML_ATTRIBUTE_IDREFS", Int(4)),
    ("XML_ATTRIBUTE_ENTITY", Int(6)),
    ("XML_ATTRIBUTE_NMTOKEN", Int(7)),
    ("XML_ATTRIBUTE_NMTOKENS", Int(8)),
    ("XML_ATTRIBUTE_ENUMERATION", Int(9)),
    ("XML_ATTRIBUTE_NOTATION", Int(10)),
    ("DOM_PHP_ERR", Int(0)),
    ("DOM_INDEX_SIZE_ERR", Int(1)),
    ("DOMSTRING_SIZE_ERR", Int(2)),
    ("DOM_HIERARCHY_REQUEST_ERR", Int(3)),
    ("DOM_WRONG_DOCUMENT_ERR", Int(4)),
    ("DOM_INVALID_CHARACTER_ERR", Int(5)),
    ("DOM_NO_DATA_ALLOWED_ERR", Int(6)),
    ("DOM_NO_MODIFICATION_ALLOWED_ERR", Int(7)),
    ("DOM_NOT_FOUND_ERR", Int(8)),
    ("DOM_NOT_SUPPORTED_ERR", Int(9)),
    ("DOM_INUSE_ATTRIBUTE_ERR", Int(10)),
    ("DOM_INVALID_STATE_ERR", Int(11)),
    ("DOM_SYNTAX_ERR", Int(12)),
    ("DOM_INVALID_MODIFICATION_ERR", Int(13)),
    ("DOM_NAMESPACE_ERR", Int(14)),
    ("DOM_INVALID_ACCESS_ERR", Int(15)),
    ("DOM_VALIDATION_ERR", Int(16)),
    ("Dom\\INDEX_SIZE_ERR", Int(1)),
    ("Dom\\STRING_SIZE_ERR", Int(2)),
    ("Dom\\HIERARCHY_REQUEST_ERR", Int(3)),
    ("Dom\\WRONG_DOCUMENT_ERR", Int(4)),
    ("Dom\\INVALID_CHARACTER_ERR", Int(5)),
    ("Dom\\NO_DATA_ALLOWED_ERR", Int(6)),
    ("Dom\\NO_MODIFICATION_ALLOWED_ERR", Int(7)),
    ("Dom\\NOT_FOUND_ERR", Int(8)),
    ("Dom\\NOT_SUPPORTED_ERR", Int(9)),
    ("Dom\\INUSE_ATTRIBUTE_ERR", Int(10)),
    ("Dom\\INVALID_STATE_ERR", Int(11)),
    ("Dom\\SYNTAX_ERR", Int(12)),
    ("Dom\\INVALID_MODIFICATION_ERR", Int(13)),
    ("Dom\\NAMESPACE_ERR", Int(14)),
    ("Dom\\VALIDATION_ERR", Int(16)),
    ("Dom\\HTML_NO_DEFAULT_NS", Int(2147483648)),
];

/// The extension, which the engine registers.
pub static EXTENSION: Extension = Extension {
    name: "dom",
    functions: &[FUNCTIONS],
    classes: &[classes::OTHERS, classes::classic::CLASSES, classes::modern::CLASSES],
    constants: &[CONSTANTS],
    ini: &[],
    startup: None,
    shutdown: None,
};

/// Finds the node behind an object of another extension; `None` if the object is not of its classes.
pub type Finder = fn(&Vm, &PhpObj) -> PhpResult<Option<Node>>;

#[derive(Default)]
pub(crate) struct Finders(pub(crate) RefCell<Vec<Finder>>);

pub(crate) const FINDERS: &str = "dom finders";

/// Registers a finder with which `dom_import_simplexml()` looks into objects of another extension.
pub fn add_finder(vm: &Vm, finder: Finder) {
    vm.data::<Finders>(FINDERS).0.borrow_mut().push(finder);
}
