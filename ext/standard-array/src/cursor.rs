//! The internal pointer: `current`, `key`, `next`, `prev`, `reset`, `end`. `phlox_value` defines what happens to it when
//! the array changes.
//!
//! An object's properties have a pointer, too: a table of them is made for each call, and the pointer's position is kept
//! separately, by the properties' names.

use phlox_runtime::vm::WeakHolder;
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpObj, PhpResult, PointerStep, Val, View, convert};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("current(array|object $array): mixed", current)
        .fast_path(|args| Some(value_here(args.first()?.as_arr()?))),
    FnDef::new("pos(array|object $array): mixed", current).fast_path(|args| Some(value_here(args.first()?.as_arr()?))),
    FnDef::new("key(array|object $array): int|string|null", key)
        .fast_path(|args| Some(key_here(args.first()?.as_arr()?))),
    FnDef::new("next(array|object &$array): mixed", |call| moved(call, PointerStep::Next))
        .fast_path(|args| moved_quick(args, PointerStep::Next)),
    FnDef::new("prev(array|object &$array): mixed", |call| moved(call, PointerStep::Previous))
        .fast_path(|args| moved_quick(args, PointerStep::Previous)),
    FnDef::new("reset(array|object &$array): mixed", |call| moved(call, PointerStep::First))
        .fast_path(|args| moved_quick(args, PointerStep::First)),
    FnDef::new("end(array|object &$array): mixed", |call| moved(call, PointerStep::Last))
        .fast_path(|args| moved_quick(args, PointerStep::Last)),
];

fn value_here(array: &PhpArr) -> Val {
    array.pointed().map_or(Val::FALSE, |(_, value)| value.deref())
}

fn key_here(array: &PhpArr) -> Val {
    array.pointed().map_or(Val::NULL, |(key, _)| key.to_val())
}

/// The properties that an object had when its pointer moved last, and the pointer's position among them.
struct ObjectPointer {
    names: Vec<ArrKey>,
    position: usize,
}

impl ObjectPointer {
    /// The position among the present properties: that of the first known one from the pointer on that still exists,
    /// otherwise behind the known ones.
    fn position_in(&self, properties: &PhpArr) -> u32 {
        let still_there = |name: &&ArrKey| properties.position_of(name.as_key()).is_some();
        let known = self.names.iter().filter(still_there).count();
        let here = self.names.iter().skip(self.position).find(still_there);
        here.and_then(|name| properties.position_of(name.as_key())).unwrap_or(known as u32)
    }
}

/// The pointers of objects, by their addresses, as long as they live.
#[derive(Default)]
struct ObjectPointers(RefCell<HashMap<usize, ObjectPointer>>);

impl WeakHolder for ObjectPointers {
    fn forget(&self, address: usize) {
        self.0.borrow_mut().remove(&address);
    }
}

fn pointers(call: &Call<'_>) -> Rc<ObjectPointers> {
    call.vm.data("internal pointers of objects")
}

/// The properties of an object, with the pointer where it stands.
fn properties(call: &Call<'_>, object: &PhpObj) -> PhpArr {
    let mut array = convert::object_properties(object);
    let position = pointers(call).0.borrow().get(&object.address()).map(|pointer| pointer.position_in(&array));
    if let Some(position) = position {
        array.set_pointer(position);
    }
    array
}

fn subject(call: &Call<'_>) -> PhpResult<PhpArr> {
    let value = call.arg(0);
    match value.view() {
        View::Arr(array) => Ok(array.clone()),
        View::Obj(object) => {
            let text = format!("Calling {}() on an object is deprecated", call.func.name);
            call.raise(phlox_runtime::Level::Deprecated, text.as_bytes())?;
            Ok(properties(call, object))
        }
        _ => Ok(PhpArr::new()),
    }
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(value_here(&subject(call)?))
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(key_here(&subject(call)?))
}

/// Moves the pointer of the array in parameter 0 and gives the element there.
fn moved(call: &Call<'_>, step: PointerStep) -> PhpResult<Val> {
    if call.arg(0).as_arr().is_none() {
        let mut array = subject(call)?;
        array.move_pointer(step);
        if let View::Obj(object) = call.arg(0).view() {
            let names: Vec<ArrKey> = array.keys().map(Key::to_owned).collect();
            let pointer = ObjectPointer { position: array.elements_before(array.pointer()) as usize, names };
            let pointers = pointers(call);
            if pointers.0.borrow_mut().insert(object.address(), pointer).is_none() {
                call.vm.watch(object, pointers);
            }
        }
        return Ok(value_here(&array));
    }
    let mut array = call.take_ref(0).into_arr().unwrap_or_default();
    array.move_pointer(step);
    let value = value_here(&array);
    call.give_back(0, array.into());
    Ok(value)
}

/// Fast path of [`moved`] for an array; `None` for other values.
fn moved_quick(args: &[Val], step: PointerStep) -> Option<Val> {
    crate::slice::changed(args.first()?.as_ref()?, |array| {
        array.move_pointer(step);
        Some(value_here(array))
    })
}
