//! A safe layer over libxml2: trees, parsing, saving, XPath, validation, the reader, the writer and parser events.
//!
//! SAFETY.md beside this crate's manifest explains the unsafe code. `src/shim.c` does what needs C: variadic
//! functions and macros.
#![deny(unsafe_op_in_unsafe_fn)]

mod edit;
mod events;
mod input;
mod parse;
mod reader;
mod reports;
mod save;
mod sys;
mod tree;
mod validate;
mod writer;
mod xpath;

pub use edit::{edit_count, is_valid};
pub use events::{Attribute, ElementName, EventParser, Events};
pub use input::{Entity, Resolver, set_loader, set_resolver};
pub use parse::{Parse, Parsed, is_encoding, parse_fragment, parse_html, parse_xml};
pub use reader::{Number as ReaderNumber, Reader, Text as ReaderText};
pub use reports::{Report, ReportKind, collect_structured, forget_last_report, last_report, take_reports};
pub use save::{Canonical, Visible, save_options};
pub use tree::{Kind, Namespace, Node, NotationText};
pub use validate::SchemaText;
pub use writer::{Part, Writer};
pub use xpath::{Answer, Found, Function, InScope, XPath, text_of_number};

use std::ffi::{CStr, CString, c_char, c_void};

/// A text for C, cut at its first NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

/// A pointer to an optional text; null without one.
fn optional(text: Option<&CString>) -> *const u8 {
    text.map_or(std::ptr::null(), |text| text.as_ptr().cast())
}

/// Copies a text of libxml2; `None` for null.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL.
unsafe fn copied(pointer: *const u8) -> Option<Vec<u8>> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the pointer is not null here, so the text ends with NUL.
    Some(unsafe { CStr::from_ptr(pointer.cast::<c_char>()) }.to_bytes().to_vec())
}

/// Copies a text that libxml2 allocated for the caller, and frees it; `None` for null.
///
/// # Safety
/// The pointer is null or points to a text that ends with NUL and that libxml2 allocated for the caller.
unsafe fn taken(pointer: *mut u8) -> Option<Vec<u8>> {
    // SAFETY: the contract of this function includes that of `copied`.
    let text = unsafe { copied(pointer) };
    if text.is_some() {
        // SAFETY: the text belongs to the caller, and nothing uses it after this.
        unsafe { (sys::xmlFree)(pointer.cast::<c_void>()) };
    }
    text
}
