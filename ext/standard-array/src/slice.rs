//! Both ends and the middle of an array: push, pop, shift, unshift, slice, splice.

use crate::build::no_next_element;
use crate::lookup::copied;
use crate::loops::{Cut, Loops};
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpRef, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_push(array &$array, mixed ...$values): int", array_push).fast_path(|args| match args {
        [array, value] => changed(array.as_ref()?, |array| {
            let value = value.deref();
            array.push(value).is_ok().then(|| Val::int(array.len() as i64))
        }),
        [array, values @ ..] => changed(array.as_ref()?, |array| {
            array.next_index()?.checked_add(values.len() as i64)?;
            for value in values {
                let _ = array.push(value.deref());
            }
            Some(Val::int(array.len() as i64))
        }),
        _ => None,
    }),
    FnDef::new("array_pop(array &$array): mixed", array_pop)
        .fast_path(|args| changed(args.first()?.as_ref()?, |array| Some(pop(array)))),
    FnDef::new("array_shift(array &$array): mixed", array_shift)
        .fast_path(|args| changed(args.first()?.as_ref()?, |array| Some(shift(array)))),
    FnDef::new("array_unshift(array &$array, mixed ...$values): int", array_unshift).fast_path(|args| {
        let (array, values) = args.split_first()?;
        changed(array.as_ref()?, |array| Some(unshift(array, values)))
    }),
    FnDef::new(
        "array_slice(array $array, int $offset, ?int $length = null, bool $preserve_keys = false): array",
        array_slice,
    )
    .fast_path(|args| {
        let length = match args.get(2).map(Val::view) {
            None | Some(View::Null) => None,
            Some(View::Int(length)) => Some(length),
            _ => return None,
        };
        let preserve_keys = match args.get(3) {
            None => false,
            Some(preserve_keys) => preserve_keys.as_bool()?,
        };
        Some(slice(args.first()?.as_arr()?, args.get(1)?.as_int()?, length, preserve_keys))
    }),
    FnDef::new(
        "array_splice(array &$array, int $offset, ?int $length = null, mixed $replacement = []): array",
        array_splice,
    )
    .fast_path(|args| {
        let length = match args.get(2).map(Val::view) {
            None | Some(View::Null) => None,
            Some(View::Int(length)) => Some(length),
            _ => return None,
        };
        let (offset, replacement) = (args.get(1)?.as_int()?, args.get(3));
        let replacement = match replacement {
            None => &[],
            Some(replacement) => replacement.as_arr()?.as_list()?,
        };
        changed(args.first()?.as_ref()?, |array| {
            let (start, end) = bounds(array.len(), offset, length);
            if array.as_list()?.get(start..end)?.iter().any(may_run_code) {
                return None;
            }
            array.splice_list(start, end - start, replacement).map(Val::from)
        })
    }),
];

/// Lets `change` work on the array of parameter 0 without copying it.
fn with_array<R>(call: &Call<'_>, change: impl FnOnce(&mut PhpArr) -> R) -> R {
    let mut array = call.take_ref(0).into_arr().unwrap_or_default();
    let result = change(&mut array);
    call.give_back(0, array.into());
    result
}

/// Fast path for changing the array of a reference: the array is unchanged if `change` gives `None`.
pub fn changed(reference: &PhpRef, change: impl FnOnce(&mut PhpArr) -> Option<Val>) -> Option<Val> {
    reference.slot().update(|value| {
        let array = value.as_arr_mut()?;
        let watched = phlox_runtime::keep_positions(array);
        let result = change(array);
        if watched {
            phlox_runtime::settle_positions(array);
        }
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
#[inline]
fn pop(array: &mut PhpArr) -> Val {
    array.take_last().map_or(Val::NULL, Val::into_deref)
}

/// Adds an element to a result whose integer keys are numbered from 0.
fn put(list: &mut PhpArr, key: Key<'_>, value: Val) {
    match key {
        Key::Int(_) => drop(list.push(value)),
        key => drop(list.insert(key, value)),
    }
}

fn array_shift(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_array(call, shift))
}

/// Takes the first element; integer keys are numbered anew.
#[inline]
fn shift(array: &mut PhpArr) -> Val {
    if array.is_empty() {
        return Val::NULL;
    }
    if !array.is_packed() {
        return array.shift_hash().map_or(Val::NULL, Val::into_deref);
    }
    phlox_runtime::move_all_positions(array, |places| Loops::of(array, places).shift());
    match array.shift_list() {
        Some(first) => first.into_deref(),
        None => shift_with_holes(array),
    }
}

/// Takes the first element out of a list with holes.
fn shift_with_holes(array: &mut PhpArr) -> Val {
    let Some(first) = array.values().next().cloned() else { return Val::NULL };
    let mut rest = PhpArr::with_room_for(array);
    for (key, value) in array.iter().skip(1) {
        put(&mut rest, key, value.clone());
    }
    *array = rest;
    first.into_deref()
}

fn array_unshift(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(with_array(call, |array| unshift(array, call.rest(1))))
}

/// Puts values before the first element; integer keys are numbered anew.
fn unshift(array: &mut PhpArr, values: &[Val]) -> Val {
    // A loop by reference over the array goes on with the element it would have visited.
    phlox_runtime::move_positions(array, |position| position + values.len() as u32);
    let total = array.len() + values.len();
    let result = match array.as_list() {
        Some(list) => PhpArr::list(total, values.iter().map(Val::deref).chain(list.iter().cloned())),
        None => {
            let mut result = PhpArr::list(total, values.iter().map(Val::deref));
            array.iter().for_each(|(key, value)| put(&mut result, key, value.clone()));
            result
        }
    };
    *array = result;
    Val::int(total as i64)
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
    Ok(slice(&call.arr(0), call.int(1), call.opt_int(2), call.bool(3)))
}

fn slice(array: &PhpArr, offset: i64, length: Option<i64>, preserve_keys: bool) -> Val {
    let (start, end) = bounds(array.len(), offset, length);
    let is_whole = start == 0 && end == array.len() && array.is_numbered() && array.pointer() == 0;
    // A reference that nothing else holds becomes a value, which takes a copy.
    if is_whole && !array.values().any(Val::is_ref) {
        return array.into();
    }
    if let Some(values) = array.as_list().filter(|_| !preserve_keys || start == 0) {
        return PhpArr::copy_of_list(&values[start..end.max(start)]).into();
    }
    let mut slice = PhpArr::new();
    for (key, value) in array.iter().skip(start).take(end - start) {
        match key {
            Key::Int(_) if !preserve_keys => drop(slice.push(copied(value))),
            _ => slice.add_new(key, copied(value)),
        }
    }
    slice.into()
}

/// Could a destructor run when the value is released?
fn may_run_code(value: &Val) -> bool {
    matches!(value.view(), View::Obj(_) | View::Arr(_) | View::Ref(_))
}

fn array_splice(call: &mut Call<'_>) -> PhpResult<Val> {
    let replacement = match call.arg(3).as_arr() {
        Some(array) => array.clone(),
        None => convert::to_array(call.vm, call.arg(3))?,
    };
    let bounds_in = |array: &PhpArr| bounds(array.len(), call.int(1), call.opt_int(2));
    let subject = call.arg(0);
    let (start, mut end) = subject.as_arr().map_or((0, 0), bounds_in);
    let goes = |array: &PhpArr| array.values().take(end).skip(start).any(may_run_code);
    let watched = subject.as_arr().is_some_and(goes) && call.result_is_dropped();
    let cut = Cut { start, end, added: replacement.len(), counts_removed: !call.result_is_dropped() };
    if let (true, Some(array)) = (watched, subject.as_arr()) {
        phlox_runtime::move_all_positions(array, |places| Loops::of(array, places).splice(&cut));
    }
    drop(subject);
    if watched {
        remove_visibly(call, start, end)?;
        end = start;
    }
    Ok(with_array(call, |array| {
        if !watched {
            phlox_runtime::move_all_positions(array, |places| Loops::of(array, places).splice(&cut));
        }
        // The result is a list unless one of the keys is a string, whatever the layout of the array is.
        let mut result = match array.keys().all(|key| matches!(key, Key::Int(_))) {
            true => PhpArr::with_capacity(array.len()),
            false => PhpArr::with_room_for(array),
        };
        let mut removed = PhpArr::new();
        for (index, (key, value)) in array.iter().enumerate() {
            if index == start {
                insert_all(&mut result, &replacement);
            }
            let into = if (start..end).contains(&index) { &mut removed } else { &mut result };
            put(into, key, value.clone());
        }
        if start == array.len() {
            insert_all(&mut result, &replacement);
        }
        *array = result;
        removed.into()
    }))
}

/// Removes elements one by one: each destructor sees the array without the elements before. Destructors must not change
/// the array.
fn remove_visibly(call: &Call<'_>, start: usize, end: usize) -> PhpResult<()> {
    let variable = call.reference(0);
    let mut array = variable.slot().replace(Val::NULL).into_arr().unwrap_or_default();
    let keys: Vec<ArrKey> = array.keys().take(end).skip(start).map(Key::to_owned).collect();
    let mut is_there = true;
    for key in keys {
        let removed = array.remove(key.as_key());
        if is_there {
            variable.set(array.clone().into());
        }
        // The trace of an exception of an earlier destructor holds a copy of the array, which must not keep this element
        // alive.
        let threw = call.vm.pending.borrow().is_some();
        if let Some(object) = removed.as_ref().filter(|value| threw && value.refcount() <= 2).and_then(Val::as_obj) {
            object.run_destructor();
        }
        drop(removed);
        is_there &= variable.get().as_arr().is_some_and(|now| now.ptr_eq(&array));
        if is_there {
            // The next element is removed from the array itself, not from a copy.
            variable.set(Val::NULL);
        }
    }
    if !is_there {
        return Err(call.vm.throw_error(b"Array was modified during array_splice operation"));
    }
    variable.set(array.into());
    Ok(())
}

fn insert_all(array: &mut PhpArr, replacement: &PhpArr) {
    for value in replacement.values() {
        let _ = array.push(copied(value));
    }
}
