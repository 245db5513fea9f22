//! Steps of iterators.

use crate::error::Run;
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

impl Vm {
    /// Moves an iterator on and gives its new value; `None` at the end.
    pub fn iterator_next(&mut self, iter: Value) -> Run<Option<Value>> {
        let Value::Obj(id) = iter else { return Ok(None) };
        let next = match self.heap.get(id) {
            Obj::Iter(iter) => {
                let at = iter.at + 1;
                let items = self.heap.sequence(iter.collection).unwrap_or_default();
                // Elements that came after the iterator's creation are not walked.
                let items = &items[..items.len().min(iter.last.max(0) as usize)];
                items.get((at - 1) as usize).map(|item| (at as usize, *item))
            }
            Obj::LookupIter(iter) => {
                let entries = match self.heap.get(iter.table) {
                    Obj::Lookup(table) => &table.entries[..],
                    _ => &[],
                };
                let rest = entries.iter().enumerate().skip(iter.at);
                rest.filter(|(_, entry)| entry.key != Value::Empty).map(|(at, entry)| (at + 1, entry.value)).next()
            }
            _ => return Ok(None),
        };
        let Some((at, value)) = next else { return Ok(None) };
        self.keep_contents(id);
        match self.heap.get_mut(id) {
            Some(Obj::Iter(iter)) => iter.at = at as i32,
            Some(Obj::LookupIter(iter)) => iter.at = at,
            _ => {}
        }
        Ok(Some(value))
    }

    /// Key and value of an iterator's current element.
    pub fn iterator_current(&self, iter: Value) -> Option<(Value, Value)> {
        let Value::Obj(id) = iter else { return None };
        match self.heap.get(id) {
            Obj::Iter(iter) => {
                let items = self.heap.sequence(iter.collection)?;
                let item = items.get(usize::try_from(iter.at).ok()?.checked_sub(1)?)?;
                Some((Value::Int(iter.at), *item))
            }
            Obj::LookupIter(iter) => match self.heap.get(iter.table) {
                Obj::Lookup(table) => {
                    let entry = table.entries.get(iter.at.checked_sub(1)?)?;
                    (entry.key != Value::Empty).then_some((entry.key, entry.value))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
