//! Functions that call back for each element: map, filter, reduce, find, any, all.

use crate::lookup::copied;
use phlox_runtime::{Call, Callback, Callee, FnDef, Key, PhpArr, PhpResult, Val, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_map(?callable $callback, array $array, array ...$arrays): array", array_map),
    FnDef::new("array_filter(array $array, ?callable $callback = null, int $mode = 0): array", array_filter).fast_path(
        |args| match args {
            [array] => Some(truthy(array.as_arr()?)),
            _ => None,
        },
    ),
    FnDef::new("array_reduce(array $array, callable $callback, mixed $initial = null): mixed", array_reduce),
    FnDef::new("array_find(array $array, callable $callback): mixed", array_find),
    FnDef::new("array_find_key(array $array, callable $callback): mixed", array_find_key),
    FnDef::new("array_any(array $array, callable $callback): bool", array_any),
    FnDef::new("array_all(array $array, callable $callback): bool", array_all),
];

fn array_map(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = if call.is_null(0) { None } else { Some(call.vm.require_callable(&call.arg(0))?) };
    if call.args.len() > 2 {
        return map_several(call, callee.as_ref());
    }
    let array = call.arr(1);
    let Some(callee) = callee else { return Ok(array.into()) };
    if array.is_empty() {
        return Ok(array.into());
    }
    let callback = Callback::new(call.vm, &callee);
    let mut mapped = PhpArr::with_room_for(&array);
    match array.as_list() {
        Some(list) => {
            for value in list {
                let _ = mapped.push(callback.call([value])?.into_deref());
            }
        }
        None => {
            for (key, value) in &array {
                mapped.add_new(key, callback.call([value])?.into_deref());
            }
        }
    }
    Ok(mapped.into())
}

/// An element as an argument: a reference stays one only for a parameter by reference.
fn argument(callee: &Callee, index: usize, value: &Val) -> Val {
    if callee.func.is_by_ref(index) { value.clone() } else { value.deref() }
}

/// Walks arrays in parallel; those that end early give nulls.
fn map_several(call: &Call<'_>, callee: Option<&Callee>) -> PhpResult<Val> {
    let mut arrays = Vec::new();
    for (index, value) in call.args.iter().enumerate().skip(1) {
        match value.deref().into_arr() {
            Some(array) => arrays.push(array),
            None => {
                let text = format!("must be of type array, {} given", convert::value_name(value));
                return Err(call.type_error(index, &text));
            }
        }
    }
    let longest = arrays.iter().map(PhpArr::len).max().unwrap_or(0);
    let mut walks: Vec<_> = arrays.iter().map(PhpArr::values).collect();
    let mut mapped = PhpArr::new();
    for _ in 0..longest {
        let row: Vec<Val> = walks.iter_mut().map(|walk| walk.next().map_or(Val::NULL, copied)).collect();
        let result = match callee {
            None => PhpArr::from_vec(row).into(),
            Some(callee) => call.vm.call(callee, row)?.into_deref(),
        };
        let _ = mapped.push(result);
    }
    Ok(mapped.into())
}

fn array_filter(call: &mut Call<'_>) -> PhpResult<Val> {
    const USE_BOTH: i64 = 1;
    const USE_KEY: i64 = 2;
    let (array, mode) = (call.arr(0), call.int(2));
    if call.is_null(1) {
        return Ok(truthy(&array));
    }
    let callee = call.vm.require_callable(&call.arg(1))?;
    let callback = Callback::new(call.vm, &callee);
    let mut kept = PhpArr::with_capacity(0);
    for (key, value) in &array {
        let answer = match mode {
            USE_KEY => callback.call([&key.to_val()])?,
            USE_BOTH => callback.call([value, &key.to_val()])?,
            _ => callback.call([value])?,
        };
        if convert::to_bool(&answer) {
            kept.add_new(key, copied(value));
        }
    }
    Ok(kept.into())
}

/// The elements that are true.
fn truthy(array: &PhpArr) -> Val {
    let mut kept = PhpArr::with_room_for(array);
    for (key, value) in array {
        if convert::to_bool(value) {
            kept.add_new(key, copied(value));
        }
    }
    kept.into()
}

fn array_reduce(call: &mut Call<'_>) -> PhpResult<Val> {
    let array = call.arr(0);
    let callee = call.vm.require_callable(&call.arg(1))?;
    let callback = Callback::new(call.vm, &callee);
    let mut carry = call.arg(2);
    for value in array.values() {
        // The callback gets the only reference to an array or string, so that it can change it in place.
        carry = match carry.as_arr().is_some() || carry.as_str().is_some() {
            true => call.vm.call_moving(&callee, &mut [carry, argument(&callee, 1, value)])?,
            false => callback.call([&carry, value])?,
        }
        .into_deref();
    }
    Ok(carry)
}

/// Calls back with value and key until the result is `wanted`; gives `take` of that element.
fn search(call: &Call<'_>, wanted: bool, take: impl Fn(Key<'_>, &Val) -> Val) -> PhpResult<Option<Val>> {
    let array = call.arr(0);
    let callee = call.vm.require_callable(&call.arg(1))?;
    let callback = Callback::new(call.vm, &callee);
    for (key, value) in &array {
        let answer = callback.call([value, &key.to_val()])?;
        if convert::to_bool(&answer) == wanted {
            return Ok(Some(take(key, value)));
        }
    }
    Ok(None)
}

fn array_find(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(search(call, true, |_, value| value.deref())?.unwrap_or(Val::NULL))
}

fn array_find_key(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(search(call, true, |key, _| key.to_val())?.unwrap_or(Val::NULL))
}

fn array_any(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(search(call, true, |_, _| Val::TRUE)?.is_some()))
}

fn array_all(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(search(call, false, |_, _| Val::TRUE)?.is_none()))
}
