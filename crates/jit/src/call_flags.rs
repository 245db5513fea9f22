//! Bits in the numbers of call instructions, which the translation writes and the code generator reads, and cells in the
//! headers of pending calls that have a meaning of their own.

/// Mask of the cell number in the first number of a call. Flags of a magic method's frame are above it.
pub(crate) const CELL_MASK: u32 = 0xffff;
/// A magic method's frame holds a guard that must be released when the method returns.
pub(crate) const GUARDED: u32 = 1 << 16;
/// The result of a magic method's call is not wanted.
pub(crate) const DISCARDED: u32 = 1 << 17;
/// Only the truth of the result of a magic method's call is wanted.
pub(crate) const TO_BOOL: u32 = 1 << 18;

/// The cell of a pending call's header that holds the name of the method that `__call` stands in for.
pub(crate) const NAME_CELL: usize = 4;

/// Flag of a call: the callee is a constructor.
pub(crate) const CONSTRUCTS: u32 = 1 << 31;

/// Flag of a call: the frame of the callee may be looked at.
pub(crate) const NEEDS_FRAME: u32 = 1 << 30;
/// Flag of a call: nobody wants the result.
pub(crate) const DISCARDS: u32 = 1 << 29;
/// Flag of a call: the operand for the object is the closure that is called.
pub(crate) const CLOSURE: u32 = 1 << 27;
/// Flag of a call that the interpreter makes: the operand for the object is the closure that is called.
pub(crate) const CALLS_CLOSURE: u32 = 2;
/// The cell of a pending call's header that holds, during translation only, the class that a guard has established for the
/// object. It shares the cell with the name of a magic call, which has no such guard. Side exits do not write it.
pub(crate) const GUARD_CELL: usize = NAME_CELL;
