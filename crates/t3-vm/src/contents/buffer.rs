//! Characters of string buffers.

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// A place from 0; negative numbers count from the end.
pub fn place(at: i32, len: usize) -> Option<usize> {
    if at < 0 { len.checked_sub(at.unsigned_abs() as usize) } else { (at as usize).checked_sub(1) }
}

impl Vm {
    /// One character of a buffer.
    pub fn buffer_char(&self, container: Value, index: Value) -> Option<Run<char>> {
        let Value::Obj(id) = container else { return None };
        let Obj::Buffer(chars) = self.heap.get(id) else { return None };
        let Value::Int(at) = index else { return Some(fail(error::NUM_VAL_REQD)) };
        let found = place(at, chars.len()).and_then(|at| chars.get(at));
        Some(found.copied().ok_or_else(|| error::error(error::INDEX_OUT_OF_RANGE)))
    }

    /// Replaces one character by a string's first or a code.
    pub fn buffer_set(&mut self, id: crate::value::ObjId, index: Value, value: Value) -> Run<()> {
        let c = match value {
            Value::Int(code) => char::from_u32(code as u32),
            value => self.want_text(value)?.chars().next(),
        };
        let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
        self.keep_contents(id);
        let Some(Obj::Buffer(chars)) = self.heap.get_mut(id) else { return fail(error::OBJ_VAL_REQD) };
        match place(at, chars.len()).and_then(|at| chars.get_mut(at)) {
            Some(place) => {
                *place = c.unwrap_or(' ');
                Ok(())
            }
            None => fail(error::INDEX_OUT_OF_RANGE),
        }
    }
}
