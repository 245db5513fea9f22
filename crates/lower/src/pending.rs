//! What has begun and is not over yet at a point of the walk: calls whose arguments are being evaluated, static properties that are
//! named before the instruction that is about them.

use crate::hints::ByRef;
use crate::opline::ClassBy;
use phlox_hhbc::StrId;

/// A call whose arguments are being evaluated.
#[derive(Default)]
pub(crate) struct OpenCall {
    /// Position of the instruction that opened it.
    pub push: usize,
    /// Height of the stack when it was opened.
    pub depth: u32,
    /// First temporary of the header.
    pub header: u32,
    /// Arguments that are complete.
    pub passed: u32,
    pub by_ref: Option<ByRef>,
    /// The builtin function with a short way that is called.
    pub quick: Option<StrId>,
    /// Named arguments so far, with their positions.
    pub names: Vec<(u32, StrId)>,
    /// The name of the next argument.
    pub next_name: Option<StrId>,
}

/// A static property that an instruction to come is about.
#[derive(Clone, Copy)]
pub(crate) struct StaticRef {
    pub name: StrId,
    pub by: ClassBy,
    pub class: Option<StrId>,
}
