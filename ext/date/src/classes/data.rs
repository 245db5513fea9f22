//! The native data of objects, and functions that all classes share.

use crate::moment::Moment;
use crate::parse::Messages;
use crate::zone::Zone;
use phlox_runtime::{
    Call, ClassExt, Edges, Key, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Val, Vm, convert, props,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The value of an object; `None` until the constructor has run.
pub struct Held<T>(pub RefCell<Option<T>>);

impl<T: Clone + 'static> NativeData for Held<T> {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(Held(RefCell::new(self.0.borrow().clone()))))
    }
}

/// Gives a new object its native data, which the constructor fills in.
pub fn create<T: Clone + 'static>(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Held::<T>(RefCell::new(None))));
}

/// A copy of what the object holds; `None` if its constructor has not run or it holds no `T`.
pub fn get<T: Clone + 'static>(object: &PhpObj) -> Option<T> {
    object.native::<Held<T>>()?.0.borrow().clone()
}

/// Replaces what the object holds.
pub fn set<T: Clone + 'static>(object: &PhpObj, value: T) {
    if let Some(held) = object.native::<Held<T>>() {
        *held.0.borrow_mut() = Some(value);
    }
}

/// A copy of what the object holds, or the error about a constructor that was not called.
pub fn require<T: Clone + 'static>(vm: &Vm, object: &PhpObj) -> PhpResult<T> {
    get(object).ok_or_else(|| uninitialized(vm, object))
}

/// The error about an object whose constructor was not called. It names the builtin class and the subclass that
/// inherits from it.
pub fn uninitialized(vm: &Vm, object: &PhpObj) -> Throw {
    let class = object.class();
    let mut internal = class.parent.clone();
    while let Some(parent) = internal.clone().filter(|parent| !parent.class().is_internal()) {
        internal = parent.class().parent.clone();
    }
    let inherits = match internal.filter(|_| !class.is_internal()) {
        Some(parent) => [&b" (inheriting "[..], &parent.class().name, b")"].concat(),
        None => Vec::new(),
    };
    uninitialized_as(vm, &[&class.name[..], &inherits].concat())
}

/// The error about an object of a type that the caller names.
pub fn uninitialized_as(vm: &Vm, name: &[u8]) -> Throw {
    let tail = b" has not been correctly initialized by calling parent::__construct() in its constructor";
    vm.throw_class(b"DateObjectError", &[b"Object of type ", name, tail].concat(), 0)
}

/// The messages about the last text that was parsed for an object.
#[derive(Default)]
pub struct LastErrors(pub RefCell<Option<Messages>>);

/// Keeps the messages for `date_get_last_errors()`; without any message it gives false.
pub fn remember(vm: &Vm, messages: &Messages) {
    let kept = (!messages.is_empty()).then(|| messages.clone());
    *vm.data::<LastErrors>("date errors").0.borrow_mut() = kept;
}

/// A new object of a class by name.
pub fn instantiate<T: Clone + 'static>(vm: &Vm, class: &[u8], value: T) -> PhpResult<PhpObj> {
    let class = vm.require_class(class)?;
    let object = vm.instantiate(&class)?;
    set(&object, value);
    Ok(object)
}

/// A new object of the class that a static method was called on.
pub fn instantiate_called<T: Clone + 'static>(call: &Call<'_>, fallback: &[u8], value: T) -> PhpResult<PhpObj> {
    let class = match call.static_class.cloned() {
        Some(class) => class,
        None => call.vm.require_class(fallback)?,
    };
    let object = call.vm.instantiate(&class)?;
    set(&object, value);
    Ok(object)
}

/// A new `DateTimeZone` for the zone.
pub fn zone_object(vm: &Vm, zone: Zone) -> PhpResult<PhpObj> {
    instantiate(vm, b"DateTimeZone", zone)
}

/// The object of a method, or the first argument of the corresponding function, and the index of the first further
/// argument.
pub fn subject(call: &Call<'_>) -> (PhpObj, usize) {
    match call.object {
        Some(this) => (this.clone(), 0),
        None => (call.opt_obj(0).unwrap_or_else(|| unreachable!("the declaration says object")), 1),
    }
}

/// Restores properties of subclasses and dynamic ones, leaving out those in `internal`.
pub fn restore(vm: &Vm, object: &PhpObj, table: &PhpArr, internal: &[&str]) -> PhpResult<()> {
    for (key, value) in table.iter() {
        let Key::Str(name) = key else { continue };
        if value.is_ref() || internal.iter().any(|known| known.as_bytes() == name.as_bytes()) {
            continue;
        }
        let (owner, plain) = convert::unmangle_name(name);
        let class = object.class_header().clone();
        let scope = match owner {
            None => None,
            Some(b"*") => Some(class),
            Some(owner) => vm.find_class_no_autoload(owner).or(Some(class)),
        };
        let access = props::Access { scope: scope.as_ref(), strict: false };
        props::write(vm, object, &PhpStr::new(plain), value.clone(), access)?;
    }
    Ok(())
}

/// An array's element, through references.
pub fn element(table: &PhpArr, name: &str) -> Option<Val> {
    table.get_bytes(name.as_bytes()).map(Val::deref)
}

/// The moment of an object of `DateTimeInterface`.
pub fn moment(vm: &Vm, object: &PhpObj) -> PhpResult<Moment> {
    require::<Moment>(vm, object)
}
