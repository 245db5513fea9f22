//! Values of whatever behaves like a list.

use hashbrown::HashTable;

use crate::error::{self, Run};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// Runs something that leaves values on the list of kept values and takes them from there.
pub fn collect(vm: &mut Vm, run: impl FnOnce(&mut Vm) -> Run<()>) -> Run<Vec<Value>> {
    let start = vm.rooted.len();
    let result = run(vm);
    let values = vm.rooted.split_off(start.min(vm.rooted.len()));
    result.map(|()| values)
}

/// What `+` and the callback results of sort want: an integer.
impl Vm {
    /// The integer that a value converts to.
    pub fn number_of(&self, value: Value) -> Run<i32> {
        match value {
            Value::Int(number) => Ok(number),
            other => self.big_to_int(other),
        }
    }

    /// The elements of something that must be like a list.
    pub fn want_list_like(&mut self, value: Value) -> Run<Vec<Value>> {
        self.list_like(value)?.ok_or_else(|| error::error(error::LIST_VAL_REQD))
    }

    /// The elements of anything list-like: lists, vectors, objects with `length` and `operator []`.
    pub fn list_like(&mut self, value: Value) -> Run<Option<Vec<Value>>> {
        if let Some(items) = self.heap.sequence(value) {
            return Ok(Some(items.to_vec()));
        }
        let Value::Obj(id) = value else { return Ok(None) };
        if !matches!(self.heap.get(id), Obj::Tads(_)) {
            return Ok(None);
        }
        let (Some(length), Some(index)) = (self.predef.prop("length"), self.overload_prop("operator []", value)) else {
            return Ok(None);
        };
        if self.find_prop(value, length).is_none() {
            return Ok(None);
        }
        let count = self.call_prop(value, length, &[])?;
        let Value::Int(count) = count else { return Ok(None) };
        collect(self, |vm| {
            for n in 1..=count {
                let item = vm.call_prop(value, index, &[Value::Int(n)])?;
                vm.rooted.push(item);
            }
            Ok(())
        })
        .map(Some)
    }
}

/// The elements without repetitions.
pub fn unique(vm: &Vm, items: &[Value]) -> Vec<Value> {
    let mut seen: HashTable<usize> = HashTable::new();
    let mut out: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        let hash = vm.heap.hash(*item);
        if seen.find(hash, |at| vm.heap.equals(out[*at], *item)).is_none() {
            out.push(*item);
            seen.insert_unique(hash, out.len() - 1, |at| vm.heap.hash(out[*at]));
        }
    }
    out
}
