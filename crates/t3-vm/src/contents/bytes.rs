//! Byte arrays as native code reads and changes them.

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

impl Vm {
    /// The bytes of an array.
    pub fn bytes(&self, value: Value) -> Run<&Vec<u8>> {
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Bytes(bytes) => Ok(bytes),
                _ => fail(error::BAD_TYPE_BIF),
            },
            _ => fail(error::BAD_TYPE_BIF),
        }
    }

    /// Changes an array.
    pub fn change_bytes(&mut self, value: Value, change: impl FnOnce(&mut Vec<u8>)) -> Run<()> {
        let id = self.want_object(value)?;
        self.keep_contents(id);
        match self.heap.get_mut(id) {
            Some(Obj::Bytes(bytes)) => {
                change(bytes);
                Ok(())
            }
            _ => fail(error::BAD_TYPE_BIF),
        }
    }

    /// Sets one byte.
    pub fn byte_set(&mut self, id: ObjId, index: Value, value: Value) -> Run<()> {
        let Value::Int(at) = index else { return fail(error::NUM_VAL_REQD) };
        let Value::Int(byte) = value else { return fail(error::NUM_VAL_REQD) };
        let Ok(byte) = u8::try_from(byte) else { return fail(error::OUT_OF_RANGE) };
        let len = self.bytes(Value::Obj(id))?.len();
        let Some(at) = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).filter(|at| *at < len) else {
            return fail(error::INDEX_OUT_OF_RANGE);
        };
        self.change_bytes(Value::Obj(id), |bytes| bytes[at] = byte)
    }
}

/// A new array object.
pub fn new_bytes(vm: &mut Vm, bytes: Vec<u8>) -> Value {
    vm.heap.allocated += bytes.len() / 64;
    Value::Obj(vm.heap.alloc(Obj::Bytes(bytes)))
}
