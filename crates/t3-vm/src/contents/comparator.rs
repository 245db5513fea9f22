//! Words compared and hashed by an object, which may be the program's own.

use phlox_t3_library::comparator::Comparator;

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::{NO_OBJECT, ObjId, Value};
use crate::vm::Vm;

impl Vm {
    /// The hash that a comparator object gives a text: natively, through its method, or the text's own without one.
    pub fn compare_hash(&mut self, comparator: ObjId, text: &str) -> Run<u32> {
        match self.heap.get(comparator) {
            Obj::Comparator(comparator) => Ok(comparator.hash(text)),
            _ if comparator == NO_OBJECT => Ok(Comparator::exact().hash(text)),
            _ => {
                let Some(prop) = self.predef.prop("IfcComparator.calcHash") else { return fail(error::BAD_TYPE_BIF) };
                let text = self.heap.new_text(text);
                let value = self.call_prop(Value::Obj(comparator), prop, &[text])?;
                match value {
                    Value::Int(hash) => Ok(hash as u32),
                    _ => fail(error::BAD_TYPE_BIF),
                }
            }
        }
    }

    /// What a comparator object says about two texts: 0 or nil is no match.
    pub fn compare_words(&mut self, comparator: ObjId, typed: &str, word: &str) -> Run<Value> {
        match self.heap.get(comparator) {
            Obj::Comparator(comparator) => Ok(Value::Int(comparator.matches(typed, word) as i32)),
            _ if comparator == NO_OBJECT => Ok(Value::Int(i32::from(typed == word))),
            _ => {
                let Some(prop) = self.predef.prop("IfcComparator.matchValues") else { return Ok(Value::Int(0)) };
                let (typed, word) = (self.heap.new_text(typed), self.heap.new_text(word));
                self.call_prop(Value::Obj(comparator), prop, &[typed, word])
            }
        }
    }
}
