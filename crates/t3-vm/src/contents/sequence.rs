//! Values of whatever behaves like a list.

use hashbrown::HashTable;

use crate::code::inst::BinOp;
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

impl Vm {
    /// The elements of something that must be like a list.
    pub fn want_list_like(&mut self, value: Value) -> Run<Vec<Value>> {
        self.list_like(value)?.ok_or_else(|| error::error(error::LIST_VAL_REQD))
    }

    /// The elements of anything list-like: lists, vectors, objects with `length` and `operator []`.
    pub fn list_like(&mut self, value: Value) -> Run<Option<Vec<Value>>> {
        if self.heap.sequence(value).is_none() {
            let Value::Obj(id) = value else { return Ok(None) };
            if !matches!(self.heap.get(id), Obj::Tads(_)) || self.overload_prop("operator []", value).is_none() {
                return Ok(None);
            }
        }
        self.indexed_elements(value)
    }

    /// The elements of anything that has a length and can be indexed, which some methods take for a list without
    /// asking whether it is one: closures, buffers and byte arrays, too. `None` without a length.
    pub fn indexed_elements(&mut self, value: Value) -> Run<Option<Vec<Value>>> {
        if let Some(items) = self.heap.sequence(value) {
            return Ok(Some(items.to_vec()));
        }
        let Value::Obj(id) = value else { return Ok(None) };
        if let Obj::AnonFn(items) = self.heap.get(id) {
            return Ok(Some(items.clone()));
        }
        let Some(length) = self.predef.prop("length") else { return Ok(None) };
        if self.find_prop(value, length).is_none() {
            return Ok(None);
        }
        let count = self.call_prop(value, length, &[])?;
        let Value::Int(count) = count else { return Ok(None) };
        collect(self, |vm| {
            for n in 1..=count {
                let item = vm.binary(BinOp::Index, value, Value::Int(n))?;
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
