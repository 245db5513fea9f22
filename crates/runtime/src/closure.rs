//! The native part of Closure objects.

use crate::class::ClassRef;
use crate::func::{Func, FuncBody, StaticVars};
use crate::lookup::KnownClass;
use crate::made::Made;
use crate::unit::LinkedUnit;
use crate::vm::{Callee, DataKey, Vm};
use phlox_hhbc::{FuncFlags, FuncId};
use phlox_value::{Edges, NativeData, PhpObj, PhpRef, PhpStr, Slot, Val};
use smallvec::SmallVec;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Captured values. Most closures have few, which are stored inline.
pub type Captured = SmallVec<[Slot; 2]>;

/// The native data of a Closure object.
pub struct ClosureData {
    /// The function; its scope is the closure's scope.
    pub func: Rc<Func>,
    /// The bound object, or Undef.
    pub this: Slot,
    pub called_scope: Option<ClassRef>,
    /// Captured values, parallel to the code's `captures`; references for captures by reference.
    pub captured: Captured,
    /// The closure's own static variables.
    pub statics: RefCell<Option<Rc<StaticVars>>>,
    /// Whether the closure was made of a function or method by `f(...)` or `Closure::fromCallable`.
    pub is_fake: bool,
    /// The method's name, for a closure made of a call that `__call` or `__callStatic` handles.
    pub magic_name: Option<PhpStr>,
    /// Whether a closure with a [`magic_name`](Self::magic_name) shows a parameter for all arguments (`$object->name(...)`) or
    /// none (`Closure::fromCallable`).
    pub lists_arguments: bool,
}

impl NativeData for ClosureData {
    fn trace(&self, edges: &mut Edges) {
        self.this.trace(edges);
        for slot in &self.captured {
            slot.trace(edges);
        }
        if let Some(statics) = &*self.statics.borrow() {
            for (slot, _) in &statics.vars {
                slot.trace(edges);
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

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(self.duplicate(self.func.clone(), self.this.get(), self.called_scope.clone())))
    }
}

impl ClosureData {
    /// A copy for another scope or object. Static variables start from their current values; a closure made of a function or
    /// method keeps sharing the function's.
    fn duplicate(&self, func: Rc<Func>, this: Val, called_scope: Option<ClassRef>) -> ClosureData {
        let statics = if self.is_fake && !func.is_native() {
            let shared = static_vars(&self.func, None);
            *func.statics.borrow_mut() = Some(shared);
            None
        } else {
            self.statics.borrow().as_ref().map(|statics| {
                let vars = statics.vars.iter().map(|(slot, ran)| (Slot::new(slot.get_deref()), ran.clone()));
                Rc::new(StaticVars { vars: vars.collect() })
            })
        };
        ClosureData {
            func,
            this: Slot::new(this),
            called_scope,
            captured: self.captured.iter().map(|slot| Slot::new(slot.get())).collect(),
            statics: RefCell::new(statics),
            is_fake: self.is_fake,
            magic_name: self.magic_name.clone(),
            lists_arguments: self.lists_arguments,
        }
    }

    /// The function that Reflection and dumps show: for a closure of `__call` or `__callStatic`, a builtin method with the called
    /// name.
    pub fn shown_func(&self, vm: &Vm) -> Rc<Func> {
        let stand_in = || {
            let func = undeclared_func(vm, self.magic_name.clone()?, self.lists_arguments)?;
            let kept = if self.lists_arguments { FuncFlags::BY_REF_RETURN } else { 0 };
            let own = self.func.flags.0 & (kept | FuncFlags::STATIC | FuncFlags::DEPRECATED);
            let flags = FuncFlags(func.flags.0 & FuncFlags::VARIADIC | own);
            Some(Rc::new(Func { flags, scope: self.func.scope.clone(), ..func }))
        };
        stand_in().unwrap_or_else(|| self.func.clone())
    }
}

/// A builtin function without a declaration, with one parameter for all arguments or without any.
pub fn undeclared_func(vm: &Vm, name: PhpStr, lists_arguments: bool) -> Option<Func> {
    let source = b"<?php function listed(mixed ...$arguments) {} function unlisted() {}";
    let unit = vm.data::<OnceCell<Option<Rc<LinkedUnit>>>>("functions that nobody declares");
    let unit = unit.get_or_init(|| vm.compile_internal(source, "")).clone()?;
    let position = if lists_arguments { 1 } else { 2 };
    Some(Func { name, ..Func::from_unit(&unit, FuncId(position), FuncBody::Native(|_| Ok(Val::NULL))) })
}

/// The data of a closure that has static variables of its own; closures made of functions and methods have none.
fn own_data(closure: Option<&PhpObj>) -> Option<&ClosureData> {
    closure.and_then(|closure| closure.native::<ClosureData>()).filter(|data| !data.is_fake)
}

/// The static variables of a function, or of the closure through which it is called.
pub fn static_vars(func: &Rc<Func>, closure: Option<&PhpObj>) -> Rc<StaticVars> {
    let fresh = || {
        let vars = func.code().statics.iter().map(|_| (Slot::new(Val::NULL), Cell::new(false))).collect();
        Rc::new(StaticVars { vars })
    };
    match own_data(closure) {
        Some(data) => data.statics.borrow_mut().get_or_insert_with(fresh).clone(),
        None => {
            let known = func.statics.borrow().clone();
            known.unwrap_or_else(|| {
                Made::note_current(Made::Statics(func.clone()));
                func.statics.borrow_mut().insert(fresh()).clone()
            })
        }
    }
}

/// A static variable of a function, or of the closure through which it is called, if the variable is initialised.
pub fn static_var(func: &Func, closure: Option<&PhpObj>, number: usize) -> Option<PhpRef> {
    let find = |vars: &Option<Rc<StaticVars>>| {
        let (slot, _) = vars.as_ref()?.vars.get(number).filter(|(_, initialized)| initialized.get())?;
        Some(slot.make_ref())
    };
    match own_data(closure) {
        Some(data) => find(&data.statics.borrow()),
        None => find(&func.statics.borrow()),
    }
}

/// A copy of a closure with another object and class scope (`Closure::bind`). With an object but no scope, the scope is Closure
/// itself, as in PHP.
pub fn rebound(
    vm: &Vm,
    old: &ClosureData,
    this: Option<PhpObj>,
    scope: Option<ClassRef>,
    called_scope: Option<ClassRef>,
) -> crate::PhpResult<PhpObj> {
    // A builtin function uses neither an object nor a scope.
    if old.func.is_native() && old.func.scope.get().is_none() {
        return create(vm, old.duplicate(old.func.clone(), Val::UNDEF, None));
    }
    let scope = match (scope, &this) {
        (None, Some(_)) => Some(vm.require_class(b"Closure")?),
        (scope, _) => scope,
    };
    let same = match (old.func.scope.get(), &scope) {
        (Some(old), Some(new)) => old.id() == new.id(),
        (None, None) => true,
        _ => false,
    };
    let func = if same { old.func.clone() } else { rescoped(vm, &old.func, scope) };
    create(vm, old.duplicate(func, this.map_or(Val::UNDEF, Val::from), called_scope))
}

/// Functions in another class scope than their own, by unit, number, name and scope. Inline caches and compiled code identify
/// functions by address, so each function lives as long as the request, as units' functions do. The static variables of closures
/// are in the closures.
#[derive(Default)]
struct Rescoped(RefCell<HashMap<RescopedKey, Rc<Func>>>);

type RescopedKey = (*const LinkedUnit, FuncId, PhpStr, Option<usize>);

static RESCOPED: DataKey<Rescoped> = DataKey::new();

/// A function in another class scope, or in none.
fn rescoped(vm: &Vm, func: &Func, scope: Option<ClassRef>) -> Rc<Func> {
    let class = scope.as_ref().map(|class| Rc::as_ptr(class).cast::<u8>() as usize);
    let key = (Rc::as_ptr(&func.unit), func.id, func.name.clone(), class);
    if func.unit.is_kept.get() {
        let mut known = func.unit.scoped.borrow_mut();
        let key = (func.id, func.name.clone(), class);
        return known.entry(key).or_insert_with(|| Rc::new(func.with_scope(scope))).clone();
    }
    let known = vm.keyed(&RESCOPED);
    let mut known = known.0.borrow_mut();
    known.entry(key).or_insert_with(|| Rc::new(func.with_scope(scope))).clone()
}

/// A new Closure object.
pub fn create(vm: &Vm, data: ClosureData) -> crate::PhpResult<PhpObj> {
    let class = vm.known_class(KnownClass::Closure)?;
    let object = vm.instantiate_unchecked(class)?;
    phlox_value::heap::charge(CLOSURE_BYTES);
    object.set_native(Rc::new(data));
    Ok(object)
}

/// Bytes that a closure counts against memory_limit besides its object and its captured values.
const CLOSURE_BYTES: usize = size_of::<ClosureData>() + 32;

impl Drop for ClosureData {
    fn drop(&mut self) {
        phlox_value::heap::discharge(CLOSURE_BYTES);
    }
}

/// The callee of a call of a Closure object; `None` if the object is no Closure.
pub fn callee(object: &PhpObj) -> Option<Callee> {
    let data = object.native::<ClosureData>()?;
    let this = data.this.get().into_obj();
    let static_class = data.called_scope.clone().or_else(|| this.as_ref().map(|t| t.class_header().clone()));
    // A closure of a function or method need not be kept alive by its call, unless it alone owns the function (a bound copy).
    let holds_closure = !data.is_fake || Rc::strong_count(&data.func) == 1;
    Some(Callee {
        func: data.func.clone(),
        this,
        static_class,
        closure: holds_closure.then(|| object.clone()),
        magic_name: data.magic_name.clone(),
    })
}
