//! Stack frames as objects.

use crate::vm::Vm;

impl Vm {
    /// A frame that someone holds is about to end.
    pub(crate) fn leave_frame_ref(&mut self) {}
}
