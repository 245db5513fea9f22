//! What has begun and has not ended at a position of the walk: calls whose arguments are being evaluated, and static properties
//! that are named before the instruction that accesses them.

use crate::hints::ByRef;
use crate::opline::ClassBy;
use phlox_hhbc::StrId;

/// A call whose arguments are being evaluated.
#[derive(Default)]
pub(crate) struct OpenCall {
    /// Position of the instruction that opened the call.
    pub push: usize,
    /// Height of the stack when the call was opened.
    pub depth: u32,
    /// First temporary of the header.
    pub header: u32,
    /// Arguments that have been passed.
    pub passed: u32,
    pub by_ref: Option<ByRef>,
    /// The builtin function with a fast path that is called.
    pub fast_path: Option<StrId>,
    /// Named arguments so far, with their positions.
    pub names: Vec<(u32, StrId)>,
    /// The name of the next argument.
    pub next_name: Option<StrId>,
}

/// A static property that a later instruction accesses.
#[derive(Clone, Copy)]
pub(crate) struct StaticRef {
    pub name: StrId,
    pub by: ClassBy,
    pub class: Option<StrId>,
}
