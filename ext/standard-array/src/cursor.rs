//! The internal pointer: `current`, `key`, `next`, `prev`, `reset`, `end`.
//!
//! An object's properties have a pointer too, but a table of properties is made for each call, so for objects
//! the pointer always stands on the first property.

use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("current(array|object $array): mixed", current),
    FnDef::new("pos(array|object $array): mixed", current),
    FnDef::new("key(array|object $array): int|string|null", key),
    FnDef::new("next(array|object &$array): mixed", next),
    FnDef::new("prev(array|object &$array): mixed", prev),
    FnDef::new("reset(array|object &$array): mixed", reset),
    FnDef::new("end(array|object &$array): mixed", end),
];

/// Past the last element.
const BEYOND: u32 = u32::MAX;

fn here(array: &PhpArr) -> Option<(Key<'_>, &Val)> {
    array.at(array.position_from(array.internal_position())?)
}

fn value_here(array: &PhpArr) -> Val {
    here(array).map_or(Val::FALSE, |(_, value)| value.deref())
}

fn subject(call: &Call<'_>) -> PhpResult<PhpArr> {
    let value = call.arg(0);
    match value.view() {
        View::Arr(array) => Ok(array.clone()),
        View::Obj(object) => {
            let text = format!("Calling {}() on an object is deprecated", call.func.name);
            call.raise(phlox_runtime::Level::Deprecated, text.as_bytes())?;
            Ok(convert::object_properties(object))
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
        array.set_internal_position(step(&array).unwrap_or(BEYOND));
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

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, |array| array.position_from(array.position_from(array.internal_position())?.checked_add(1)?))
}

fn prev(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, |array| array.position_back_from(array.position_from(array.internal_position())?.checked_sub(1)?))
}

fn reset(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, |array| array.position_from(0))
}

fn end(call: &mut Call<'_>) -> PhpResult<Val> {
    moved(call, |array| array.position_back_from(BEYOND - 1))
}
