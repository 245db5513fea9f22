//! DOMException and its codes.

use crate::objects::settings;
use phlox_libxml::Node;
use phlox_runtime::{Call, PhpResult, Throw, Val, Vm};

/// A code of `DOMException` with its standard message.
pub type Code = (i64, &'static str);

/// An index or offset is out of range.
pub const INDEX_SIZE: Code = (1, "Index Size Error");
/// The node must not be at this place of the tree.
pub const HIERARCHY_REQUEST: Code = (3, "Hierarchy Request Error");
/// The node belongs to another document.
pub const WRONG_DOCUMENT: Code = (4, "Wrong Document Error");
/// A name contains an invalid character.
pub const INVALID_CHARACTER: Code = (5, "Invalid Character Error");
/// The node is read-only.
pub const NO_MODIFICATION_ALLOWED: Code = (7, "No Modification Allowed Error");
/// The node is not a child or attribute of this one.
pub const NOT_FOUND: Code = (8, "Not Found Error");
/// The operation is not supported for this node.
pub const NOT_SUPPORTED: Code = (9, "Not Supported Error");
/// The attribute belongs to another element.
pub const IN_USE_ATTRIBUTE: Code = (10, "Inuse Attribute Error");
/// The object stands for no node, or no node could be made.
pub const INVALID_STATE: Code = (11, "Invalid State Error");
/// A selector, a token or a fragment is malformed.
pub const SYNTAX: Code = (12, "Syntax Error");
/// The operation would make an invalid tree, name or declaration.
pub const INVALID_MODIFICATION: Code = (13, "Invalid Modification Error");
/// A prefix and a namespace do not go together.
pub const NAMESPACE: Code = (14, "Namespace Error");

/// The `DOMException` of a code with its standard message.
pub fn raise(vm: &Vm, code: Code) -> Throw {
    raise_with(vm, code, code.1)
}

/// The `DOMException` of a code with another message.
pub fn raise_with(vm: &Vm, code: Code, message: &str) -> Throw {
    vm.throw_class(b"DOMException", message.as_bytes(), code.0)
}

/// Throws a `DOMException`, or warns and gives false if the node's document has `strictErrorChecking` off.
pub fn fail(call: &Call<'_>, node: &Node, code: Code) -> PhpResult<Val> {
    fail_with(call, settings(node).strict_error_checking.get(), code, code.1)
}

/// Throws the exception of a code if `strict`; otherwise warns with `message` and gives false.
pub fn fail_with(call: &Call<'_>, strict: bool, code: Code, message: &str) -> PhpResult<Val> {
    if strict {
        return Err(raise_with(call.vm, code, message));
    }
    call.warning(message)?;
    Ok(false.into())
}
