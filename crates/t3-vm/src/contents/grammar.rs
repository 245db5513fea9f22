//! The literals of grammars that match a word.

use phlox_t3_library::comparator::Comparator;

use crate::objects::Obj;
use crate::value::{NO_OBJECT, ObjId, Value};
use crate::vm::Vm;

impl Vm {
    /// The literals that match a token, unless the program itself compares words.
    pub fn matching_literals(&mut self, comparator: ObjId, text: &str) -> Option<Vec<(u32, Value)>> {
        let exact;
        let comparator = match self.heap.get(comparator) {
            Obj::Comparator(comparator) => comparator,
            _ if comparator == NO_OBJECT => {
                exact = Comparator::exact();
                &exact
            }
            _ => return None,
        };
        let state = &mut self.state;
        state.literal_index.refresh(comparator, &state.literals.texts);
        Some(state.literal_index.matching(text, &state.literals.texts))
    }
}
