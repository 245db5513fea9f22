//! Frames that a program refers to.

use crate::value::{ObjId, PropId, Value};

/// A frame that a program refers to.
#[derive(Debug, Clone)]
pub struct FrameRef {
    /// The number of the frame while it exists.
    pub live: Option<usize>,
    /// The function.
    pub function: u32,
    /// self
    pub this: Value,
    /// The object that the message was sent to.
    pub target: Value,
    /// What was called: a function pointer or function object.
    pub invokee: Value,
    /// The object that the method was found in.
    pub definer: ObjId,
    /// The property that was called.
    pub prop: PropId,
    /// Where its locals begin on the stack.
    pub base: usize,
    /// Number of locals.
    pub locals: usize,
    /// Number of arguments.
    pub argc: usize,
    /// Arguments, the last first, and locals of a frame that has ended.
    pub values: Vec<Value>,
}

/// A place in a function that a frame has reached.
#[derive(Debug, Clone)]
pub struct FrameDesc {
    /// The frame's reference.
    pub frame: ObjId,
    /// The code offset.
    pub at: u32,
}

impl FrameRef {
    /// Calls `visit` with every value.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        [self.this, self.target, self.invokee, Value::object(self.definer)].into_iter().for_each(&mut *visit);
        self.values.iter().for_each(|value| visit(*value));
    }
}
