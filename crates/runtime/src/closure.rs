//! Closure objects' native part.

use crate::class::ClassRef;
use crate::func::{Func, StaticVars};
use crate::vm::{Callee, Vm};
use phlox_value::{NativeData, PhpObj, PhpStr, Slot, Val};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// What a Closure object holds.
pub struct ClosureData {
    /// The function; its scope is the closure's scope.
    pub func: Rc<Func>,
    /// The bound object, or Undef.
    pub this: Slot,
    pub called_scope: Option<ClassRef>,
    /// Captured values, parallel to the code's `captures`; references for captures by reference.
    pub captured: Vec<Slot>,
    /// The closure's own static variables.
    pub statics: RefCell<Option<Rc<StaticVars>>>,
    /// Made from a function or method by `f(...)` or `Closure::fromCallable`.
    pub is_fake: bool,
    /// A fake closure of `__call`/`__callStatic` remembers the method's name.
    pub magic_name: Option<PhpStr>,
}

impl NativeData for ClosureData {
    fn trace(&self, visit: &mut dyn FnMut(&Val)) {
        self.this.trace(visit);
        for slot in &self.captured {
            slot.trace(visit);
        }
        if let Some(statics) = &*self.statics.borrow() {
            for (slot, _) in &statics.vars {
                slot.trace(visit);
            }
        }
    }

    fn clear(&self) {
        self.this.set(Val::UNDEF);
        for slot in &self.captured {
            slot.set(Val::UNDEF);
        }
        drop(self.statics.borrow_mut().take());
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A new Closure object.
pub fn create(vm: &Vm, data: ClosureData) -> crate::PhpResult<PhpObj> {
    let class = vm.require_class(b"Closure")?;
    let object = vm.instantiate(&class)?;
    object.set_native(Rc::new(data));
    Ok(object)
}

/// What calling the object as a closure runs; `None`: it is no Closure.
pub fn callee(object: &PhpObj) -> Option<Callee> {
    let data = object.native::<ClosureData>()?;
    let this = data.this.get().into_obj();
    let static_class = data.called_scope.clone().or_else(|| this.as_ref().map(|t| t.class_header().clone()));
    Some(Callee {
        func: data.func.clone(),
        this,
        static_class,
        closure: (!data.is_fake).then(|| object.clone()),
        magic_name: data.magic_name.clone(),
    })
}
