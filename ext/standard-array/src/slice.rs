//! Both ends and the middle of an array: push, pop, shift, unshift, slice, splice.

use crate::build::no_next_element;
use crate::lookup::copied;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpRef, PhpResult, Val, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_push(array &$array, mixed ...$values): int", array_push).quick(|args| match args {
        [array, value] => changed(array.as_ref()?, |array| {
            let value = value.deref();
            array.push(value).is_ok().then(|| Val::int(array.len() as i64))
        }),
        _ => None,
    }),
    FnDef::new("array_pop(array &$array): mixed", array_pop)
        .quick(|args| changed(args.first()?.as_ref()?, |array| Some(pop(array)))),
    FnDef::new("array_shift(array &$array): mixed", array_shift),
    FnDef::new("array_unshift(array &$array, mixed ...$values): int", array_unshift),
    FnDef::new(
        "array_slice(array $array, int $offset, ?int $length = null, bool $preserve_keys = false): array",
        array_slice,
    ),
    FnDef::new(
        "array_splice(array &$array, int $offset, ?int $length = null, mixed $replacement = []): array",
        array_splice,
    ),
];

/// Lets `change` work on the array of parameter 0 without copying it.
fn with_array<R>(call: &Call<'_>, change: impl FnOnce(&mut PhpArr) -> R) -> R {
    let mut array = call.take_ref(0).into_arr().unwrap_or_default();
    let result = change(&mut array);
    call.give_back(0, array.into());
    result
}

/// The short way to change the array of a reference: nothing is done to it if `change` has no answer.
fn changed(reference: &PhpRef, change: impl FnOnce(&mut PhpArr) -> Option<Val>) -> Option<Val> {
    reference.slot().update(|value| {
        let array = value.as_arr_mut()?;
        phlox_runtime::keep_positions(array);
        let result = change(array);
        phlox_runtime::keep_positions(array);
        result
    })
}

fn array_push(call: &mut Call<'_>) -> PhpResult<Val> {
    let pushed = with_array(call, |array| {
        for value in call.rest(1) {
            if array.push(value.deref()).is_err() {
                return None;
            }
        }
        Some(array.len() as i64)
    });
    pushed.map(Val::int).ok_or_else(|| no_next_element(call))
}

fn array_pop(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_array(call, pop))
}

/// Takes the last element.
fn pop(array: &mut PhpArr) -> Val {
    let Some(key) = array.keys().next_back().map(Key::to_owned) else { return Val::NULL };
    let value = array.remove(key.as_key()).map_or(Val::NULL, Val::into_deref);
    if let (Key::Int(removed), Some(next)) = (key.as_key(), array.next_index()) {
        if removed >= 0 && removed + 1 >= next {
            array.set_next_index(next - 1);
        }
    }
    array.set_internal_position(0);
    value
}

/// The same elements with integer keys numbered anew.
fn renumbered(elements: impl Iterator<Item = (phlox_runtime::ArrKey, Val)>) -> PhpArr {
    let mut result = PhpArr::with_capacity(0);
    for (key, value) in elements {
        match key.as_key() {
            Key::Int(_) => drop(result.push(value)),
            key => drop(result.insert(key, value)),
        }
    }
    result
}

fn owned(array: &PhpArr) -> impl Iterator<Item = (phlox_runtime::ArrKey, Val)> + '_ {
    array.iter().map(|(key, value)| (key.to_owned(), value.clone()))
}

fn array_shift(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_array(call, |array| {
        let Some(first) = array.values().next().cloned() else { return Val::NULL };
        phlox_runtime::move_positions(array, |number| number.saturating_sub(1));
        if let Some(shifted) = array.shift_list() {
            drop(shifted);
            return first.into_deref();
        }
        let rest = renumbered(owned(array).skip(1));
        *array = rest;
        first.into_deref()
    }))
}

fn array_unshift(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_array(call, |array| {
        // A loop by reference over the array goes on with the element it would have visited.
        phlox_runtime::move_positions(array, |number| number + call.rest(1).len() as u32);
        let mut result = PhpArr::from_vec(call.rest(1).iter().map(Val::deref).collect());
        for (key, value) in owned(array) {
            match key.as_key() {
                Key::Int(_) => drop(result.push(value)),
                key => drop(result.insert(key, value)),
            }
        }
        *array = result;
        Val::int(array.len() as i64)
    }))
}

/// Start and end positions of a slice, from an offset and length that may count from the end.
fn bounds(len: usize, offset: i64, length: Option<i64>) -> (usize, usize) {
    let len = len as i64;
    let start = if offset < 0 { (len.saturating_add(offset)).max(0) } else { offset.min(len) };
    let end = match length {
        None => len,
        Some(length) if length < 0 => (len.saturating_add(length)).max(start),
        Some(length) => start.saturating_add(length).min(len),
    };
    (start as usize, end as usize)
}

fn array_slice(call: &mut Call<'_>) -> PhpResult<Val> {
    let (array, preserve_keys) = (call.arr(0), call.bool(3));
    let (start, end) = bounds(array.len(), call.int(1), call.opt_int(2));
    if start == 0 && end == array.len() && (preserve_keys || array.is_list()) {
        return Ok(array.into());
    }
    let mut slice = PhpArr::new();
    if let Some(values) = array.as_list().filter(|_| !preserve_keys)
        && slice.extend_from_list(&values[start..end])
    {
        return Ok(slice.into());
    }
    for (key, value) in array.iter().skip(start).take(end - start) {
        match key {
            Key::Int(_) if !preserve_keys => drop(slice.push(copied(value))),
            _ => drop(slice.insert(key, copied(value))),
        }
    }
    Ok(slice.into())
}

fn array_splice(call: &mut Call<'_>) -> PhpResult<Val> {
    let replacement = match call.arg(3).as_arr() {
        Some(array) => array.clone(),
        None => convert::to_array(call.vm, call.arg(3))?,
    };
    Ok(with_array(call, |array| {
        let (start, end) = bounds(array.len(), call.int(1), call.opt_int(2));
        let (first, after, added) = (start as u32, end as u32, replacement.len() as u32);
        phlox_runtime::move_positions(array, |number| match number {
            before if before < first => before,
            inside if inside < after => first + added,
            behind => behind - (after - first) + added,
        });
        let mut result = PhpArr::with_capacity(0);
        let mut removed = PhpArr::new();
        let put = |result: &mut PhpArr, key: Key<'_>, value: Val| match key {
            Key::Int(_) => drop(result.push(value)),
            key => drop(result.insert(key, value)),
        };
        let elements: Vec<_> = owned(array).collect();
        for (index, (key, value)) in elements.into_iter().enumerate() {
            if index == start {
                insert_all(&mut result, &replacement);
            }
            let into = if (start..end).contains(&index) { &mut removed } else { &mut result };
            put(into, key.as_key(), value);
        }
        if start == array.len() {
            insert_all(&mut result, &replacement);
        }
        *array = result;
        removed.into()
    }))
}

fn insert_all(array: &mut PhpArr, replacement: &PhpArr) {
    for value in replacement.values() {
        let _ = array.push(copied(value));
    }
}
