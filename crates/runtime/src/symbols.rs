//! Symbol tables: variables by name, which may be shared (globals, dynamic scopes).

use crate::strmap::StrMap;
use phlox_value::{PhpRef, PhpStr, Val, VarSlot};
use std::cell::RefCell;
use std::rc::Rc;

/// Variables by name, in order of creation.
#[derive(Default)]
pub struct SymbolTable {
    vars: RefCell<StrMap<Rc<VarSlot>>>,
}

impl SymbolTable {
    /// The slot of a variable, which is created undefined when absent.
    pub fn slot(&self, name: &PhpStr) -> Rc<VarSlot> {
        self.vars.borrow_mut().entry(name.clone()).or_insert_with(|| Rc::new(VarSlot::default())).clone()
    }

    /// The variable as a reference; the variable is created when absent.
    pub fn reference(&self, name: &PhpStr) -> PhpRef {
        if let Some(slot) = self.vars.borrow().get(name) {
            return slot.make_ref();
        }
        self.slot(name).make_ref()
    }

    /// The slot of a variable, if it exists and is defined.
    pub fn find(&self, name: &PhpStr) -> Option<Rc<VarSlot>> {
        self.vars.borrow().get(name).filter(|slot| !slot.is_undef()).cloned()
    }

    /// Makes `name` an alias of a slot.
    pub fn bind(&self, name: PhpStr, slot: Rc<VarSlot>) {
        self.vars.borrow_mut().insert(name, slot);
    }

    /// Removes all variables.
    pub fn clear(&self) {
        drop(self.vars.take());
    }

    /// Undefines a variable; its slot stays, because frames may hold it.
    pub fn unset(&self, name: &PhpStr) {
        let slot = self.vars.borrow().get(name).cloned();
        if let Some(slot) = slot {
            slot.set(Val::UNDEF);
        }
    }

    /// The defined variables in order of creation.
    pub fn defined(&self) -> Vec<(PhpStr, Rc<VarSlot>)> {
        self.vars.borrow().iter().filter(|(_, slot)| !slot.is_undef()).map(|(n, s)| (n.clone(), s.clone())).collect()
    }
}
