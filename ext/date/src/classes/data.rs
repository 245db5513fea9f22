//! What objects hold natively, and the help that all classes share.

use crate::moment::Moment;
use crate::parse::Messages;
use crate::zone::Zone;
use phlox_runtime::{
    Call, ClassExt, Edges, Key, NativeData, ObjExt, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Val, Vm, convert, props,
};
use std::cell::RefCell;
use std::rc::Rc;

/// A value that the constructor gives; none before it ran.
pub struct Held<T>(pub RefCell<Option<T>>);

impl<T: Clone + 'static> NativeData for Held<T> {
    fn trace(&self, _edges: &mut Edges) {}

    fn clear(&self) {}

    fn clone_data(&self) -> Option<Rc<dyn NativeData>> {
        Some(Rc::new(Held(RefCell::new(self.0.borrow().clone()))))
    }
}

/// Gives a new object an empty place.
pub fn create<T: Clone + 'static>(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(Held::<T>(RefCell::new(None))));
}

pub fn get<T: Clone + 'static>(object: &PhpObj) -> Option<T> {
    object.native::<Held<T>>()?.0.borrow().clone()
}

pub fn set<T: Clone + 'static>(object: &PhpObj, value: T) {
    if let Some(held) = object.native::<Held<T>>() {
        *held.0.borrow_mut() = Some(value);
    }
}

/// As [`get`], or the error about a constructor that was not called.
pub fn require<T: Clone + 'static>(vm: &Vm, object: &PhpObj) -> PhpResult<T> {
    get(object).ok_or_else(|| uninitialized(vm, object))
}

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

/// The complaints of the last text that was parsed for an object.
#[derive(Default)]
pub struct LastErrors(pub RefCell<Option<Messages>>);

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

pub fn zone_object(vm: &Vm, zone: Zone) -> PhpResult<PhpObj> {
    instantiate(vm, b"DateTimeZone", zone)
}

/// A method's object, or the first argument of the function that does the same; and where the arguments begin.
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
