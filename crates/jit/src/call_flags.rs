//! Numbers of call instructions, which the translation writes and the code generator reads; and cells of the headers of pending calls.

/// In the first number of a call, above the cell of the header: what the interpreter's frame of the method says.
pub(crate) const CELL_MASK: u32 = 0xffff;
pub(crate) const GUARDED: u32 = 1 << 16;
pub(crate) const DISCARDED: u32 = 1 << 17;
pub(crate) const TO_BOOL: u32 = 1 << 18;

/// The cell of a pending call's header that has the name that a method stands in for.
pub(crate) const NAME_CELL: usize = 4;

/// In the flags of a call: it is one of a constructor.
pub(crate) const CONSTRUCTS: u32 = 1 << 31;

/// The callee may have its frame looked at.
pub(crate) const FRAMED: u32 = 1 << 30;
/// Nobody wants the result.
pub(crate) const DISCARDS: u32 = 1 << 29;
/// What stands for the object is the closure that is called.
pub(crate) const CLOSURE: u32 = 1 << 27;
/// In the flags of a call that the interpreter makes: what stands for the object is the closure that is called.
pub(crate) const CALLS_CLOSURE: u32 = 2;
/// The cell of a pending call's header that has the class that its object was found to be of, for who follows this way: where the
/// name is of calls that have one. Exits do not write it.
pub(crate) const GUARD_CELL: usize = NAME_CELL;
