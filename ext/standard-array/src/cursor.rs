//! The internal pointer: `current`, `key`, `next`, `prev`, `reset`, `end`.
//!
//! An object's properties have a pointer, too: a table of them is made for each call, and where the pointer stands is kept
//! beside.

use phlox_runtime::vm::WeakHolder;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpObj, PhpResult, Val, View, convert};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("current(array|object $array): mixed", current).quick(|args| Some(value_here(args.first()?.as_arr()?))),
    FnDef::new("pos(array|object $array): mixed", current).quick(|args| Some(value_here(args.first()?.as_arr()?))),
    FnDef::new("key(array|object $array): int|string|null", key)
        .quick(|args| Some(here(args.first()?.as_arr()?).map_or(Val::NULL, |(key, _)| key.to_val()))),
    FnDef::new("next(array|object &$array): mixed", next).quick(|args| moved_quick(args, following)),
    FnDef::new("prev(array|object &$array): mixed", prev).quick(|args| moved_quick(args, preceding)),
    FnDef::new("reset(array|object &$array): mixed", reset).quick(|args| moved_quick(args, first)),
    FnDef::new("end(array|object &$array): mixed", end).quick(|args| moved_quick(args, last)),
];

/// Past the last element.
const BEYOND: u32 = u32::MAX;

fn here(array: &PhpArr) -> Option<(Key<'_>, &Val)> {
    array.at(array.position_from(array.internal_position())?)
}

fn value_here(array: &PhpArr) -> Val {
    here(array).map_or(Val::FALSE, |(_, value)| value.deref())
}

/// Where the pointers of objects stand, by their addresses, as long as they live.
#[derive(Default)]
struct ObjectPointers(RefCell<HashMap<usize, u32>>);

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
    let known = pointers(call).0.borrow().get(&object.address()).copied();
    if let Some(position) = known {
        array.set_internal_position(position);
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
    let array = subject(call)?;
    Ok(here(&array).map_or(Val::NULL, |(key, _)| key.to_val()))
}

/// Moves the pointer of the array in parameter 0 and gives the element there.
fn moved(call: &Call<'_>, step: impl FnOnce(&PhpArr) -> Option<u32>) -> PhpResult<Val> {
    if call.arg(0).as_arr().is_none() {
        let mut array = subject(call)?;
        let position = step(&array).unwrap_or(BEYOND);
        array.set_internal_position(position);
        if let View::Obj(object) = call.arg(0).view() {
            let pointers = pointers(call);
            if pointers.0.borrow_mut().insert(object.address(), position).is_none() {
                call.vm.watch(object, pointers);
            }
        }
        return Ok(value_here(&array));
    }
    let mut array = call.take_ref(0).into_arr().unwrap_or_default();
    let position = step(&array).unwrap_or(BEYOND);
    if position != array.internal_position() {
        array.set_internal_position(position);
    }
    let value = value_here(&array);
    call.give_back(0, array.into());
    Ok(value)
}

/// As [`moved`], of an array.
fn moved_quick(args: &[Val], step: fn(&PhpArr) -> Option<u32>) -> Option<Val> {
    args.first()?.as_ref()?.slot().update(|value| {
        let array = value.as_arr()?;
        let position = step(array).unwrap_or(BEYOND);
        if position != array.internal_position() {
            let watched = phlox_runtime::keep_positions(array);
            let array = value.as_arr_mut()?;
            array.set_internal_position(position);
            if watched {
                phlox_runtime::settle_positions(array);
            }
        }
        value.as_arr().map(value_here)
    })
}

fn following(array: &PhpArr) -> Option<u32> {
    array.position_from(array.position_from(array.internal_position())?.checked_add(1)?)
}

fn preceding(array: &PhpArr) -> Option<u32> {
    array.position_back_from(array.position_from(array.internal_position())?.checked_sub(1)?)
}

fn first(array: &PhpArr) -> Option<u32> {
    array.position_from(0)
}

fn last(array: &PhpArr) -> Option<u32> {
    array.position_back_from(BEYOND - 1)
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, following)
}

fn prev(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, preceding)
}

fn reset(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, first)
}

fn end(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, last)
}
