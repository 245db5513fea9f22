//! Changes of vectors.

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

/// The most elements that a vector may have, as in the reference.
pub const MAX_LENGTH: usize = 1 << 24;

impl Vm {
    /// Sets an element from 1; one past the end, and further, makes the vector longer.
    pub fn vector_set(&mut self, id: ObjId, at: i32, value: Value) -> Run<()> {
        let Some(index) = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)) else {
            return fail(error::INDEX_OUT_OF_RANGE);
        };
        if index >= MAX_LENGTH {
            return fail(error::INDEX_OUT_OF_RANGE);
        }
        let (Obj::Vector(items) | Obj::AnonFn(items)) = self.heap.get(id) else {
            return fail(error::CANNOT_INDEX_TYPE);
        };
        match items.get(index).copied() {
            Some(old) => {
                if self.is_kept_for_undo(id) {
                    self.state.undo.element(id, at, old);
                }
            }
            None => self.keep_contents(id),
        }
        if let Some(Obj::Vector(items) | Obj::AnonFn(items)) = self.heap.get_mut(id) {
            if index >= items.len() {
                items.resize(index + 1, Value::Nil);
            }
            items[index] = value;
        }
        Ok(())
    }

    /// Changes a vector as a whole.
    pub fn vector_change<T>(&mut self, this: Value, change: impl FnOnce(&mut Vec<Value>) -> T) -> Run<T> {
        let id = self.want_object(this)?;
        self.keep_contents(id);
        match self.heap.get_mut(id) {
            Some(Obj::Vector(items) | Obj::AnonFn(items)) => Ok(change(items)),
            _ => fail(error::OBJ_VAL_REQD),
        }
    }
}
