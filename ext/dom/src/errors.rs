//! DOMException and its codes.

use crate::objects::settings;
use phlox_libxml::Node;
use phlox_runtime::{Call, PhpResult, Throw, Val, Vm};

/// A code of the DOM's with its text.
pub type Code = (i64, &'static str);

pub const INDEX_SIZE: Code = (1, "Index Size Error");
pub const HIERARCHY_REQUEST: Code = (3, "Hierarchy Request Error");
pub const WRONG_DOCUMENT: Code = (4, "Wrong Document Error");
pub const INVALID_CHARACTER: Code = (5, "Invalid Character Error");
pub const NO_MODIFICATION_ALLOWED: Code = (7, "No Modification Allowed Error");
pub const NOT_FOUND: Code = (8, "Not Found Error");
pub const NOT_SUPPORTED: Code = (9, "Not Supported Error");
pub const IN_USE_ATTRIBUTE: Code = (10, "Inuse Attribute Error");
pub const INVALID_STATE: Code = (11, "Invalid State Error");
pub const SYNTAX: Code = (12, "Syntax Error");
pub const INVALID_MODIFICATION: Code = (13, "Invalid Modification Error");
pub const NAMESPACE: Code = (14, "Namespace Error");

/// The exception of a code.
pub fn raise(vm: &Vm, code: Code) -> Throw {
    raise_with(vm, code, code.1)
}

/// The exception of a code with a text of its own.
pub fn raise_with(vm: &Vm, code: Code, message: &str) -> Throw {
    vm.throw_class(b"DOMException", message.as_bytes(), code.0)
}

/// An exception, or a warning and false where the document does not check strictly.
pub fn fail(call: &Call<'_>, node: &Node, code: Code) -> PhpResult<Val> {
    fail_with(call, settings(node).strict_error_checking.get(), code, code.1)
}

pub fn fail_with(call: &Call<'_>, strict: bool, code: Code, message: &str) -> PhpResult<Val> {
    if strict {
        return Err(raise_with(call.vm, code, message));
    }
    call.warning(message)?;
    Ok(false.into())
}
