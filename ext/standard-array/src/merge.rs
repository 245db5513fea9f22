//! `array_merge`, `array_replace` and their recursive forms.

use crate::build::no_next_element;
use crate::lookup::copied;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, Val, View, convert};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_merge(array ...$arrays): array", array_merge).fast_path(|args| {
        args.iter().all(|array| array.as_arr().is_some()).then(|| merged(args.iter().filter_map(Val::as_arr)))?
    }),
    FnDef::new("array_merge_recursive(array ...$arrays): array", array_merge_recursive),
    FnDef::new("array_replace(array $array, array ...$replacements): array", array_replace).fast_path(|args| {
        let (array, replacements) = args.split_first()?;
        let mut result = array.as_arr()?.as_new();
        for replacement in replacements {
            for (key, value) in replacement.as_arr()? {
                // The first array still holds the replaced value, so no destructor runs.
                drop(result.insert(key, copied(value)));
            }
        }
        Some(result.into())
    }),
    FnDef::new("array_replace_recursive(array $array, array ...$replacements): array", array_replace_recursive),
];

fn arrays(call: &Call<'_>) -> Vec<PhpArr> {
    call.args.iter().filter_map(|value| value.deref().into_arr()).collect()
}

/// No array has this many elements.
const TOTAL_MAX: usize = 1 << 30;

fn array_merge(call: &mut Call<'_>) -> PhpResult<Val> {
    if arrays(call).iter().map(PhpArr::len).sum::<usize>() >= TOTAL_MAX {
        let text = format!("The total number of elements must be lower than {TOTAL_MAX}");
        return Err(call.vm.throw_error(text.as_bytes()));
    }
    merged(arrays(call).iter()).ok_or_else(|| no_next_element(call))
}

/// All elements; integer keys are numbered anew. `None` if there are more elements than keys.
fn merged<'a>(arrays: impl Iterator<Item = &'a PhpArr> + Clone) -> Option<Val> {
    if let Some(only) = only_full_of_two(arrays.clone()) {
        return Some(only.into());
    }
    let mut full = arrays.clone().filter(|array| !array.is_empty());
    if let (Some(only), None) = (full.next(), full.next()) {
        if only.is_numbered() && only.pointer() == 0 {
            return Some(only.into());
        }
    }
    let total = arrays.clone().map(PhpArr::len).sum();
    if total >= TOTAL_MAX {
        return None;
    }
    let mut merged = match arrays.clone().all(PhpArr::is_packed) {
        true => PhpArr::with_capacity(total),
        false => PhpArr::with_hash_capacity(total),
    };
    for array in arrays {
        if array.as_list().is_some_and(|values| merged.extend_from_list(values)) {
            continue;
        }
        for (key, value) in array {
            match key {
                Key::Int(_) => merged.push(copied(value)).ok()?,
                Key::Str(_) => drop(merged.insert(key, copied(value))),
            }
        }
    }
    Some(merged.into())
}

/// If one of two arrays is empty and merging would not change a key, the other one, with its next key.
fn only_full_of_two<'a>(mut arrays: impl Iterator<Item = &'a PhpArr>) -> Option<&'a PhpArr> {
    let (Some(first), Some(second), None) = (arrays.next(), arrays.next(), arrays.next()) else { return None };
    let only = match (first.is_empty(), second.is_empty()) {
        (true, _) => second,
        (false, true) => first,
        _ => return None,
    };
    let keeps_keys = only.as_list().is_some() || only.keys().all(|key| matches!(key, Key::Str(_)));
    keeps_keys.then_some(only)
}

/// Enters an array that elements are taken of, unless it is being read already.
fn enter(call: &Call<'_>, from: &PhpArr) -> PhpResult<()> {
    if call.vm.native_stack_is_low() {
        return Err(call.vm.throw_error(b"Maximum call stack size reached. Infinite recursion?"));
    }
    if from.protect() { Ok(()) } else { Err(call.vm.throw_error(b"Recursion detected")) }
}

fn array_merge_recursive(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(only) = only_full_of_two(arrays(call).iter()) {
        return Ok(only.into());
    }
    let mut merged = PhpArr::new();
    for array in arrays(call) {
        merge_into(call, &mut merged, &array)?;
    }
    Ok(merged.into())
}

fn merge_into(call: &Call<'_>, into: &mut PhpArr, from: &PhpArr) -> PhpResult<()> {
    enter(call, from)?;
    let result = merge_elements(call, into, from);
    from.unprotect();
    result
}

fn merge_elements(call: &Call<'_>, into: &mut PhpArr, from: &PhpArr) -> PhpResult<()> {
    for (key, value) in from {
        let Key::Str(_) = key else {
            into.push(copied(value)).map_err(|_| no_next_element(call))?;
            continue;
        };
        let Some(place) = into.get_mut(key) else {
            into.insert(key, copied(value));
            continue;
        };
        let earlier = place.replace(Val::NULL).into_deref();
        let mut inner = match earlier.view() {
            View::Undef | View::Null => PhpArr::from_vec(vec![Val::NULL]),
            _ => convert::to_array(call.vm, earlier)?,
        };
        match value.deref().view() {
            View::Arr(array) => merge_into(call, &mut inner, array)?,
            View::Obj(object) => {
                let array = convert::to_array(call.vm, object.into())?;
                merge_into(call, &mut inner, &array)?;
            }
            _ => inner.push(value.deref()).map_err(|_| no_next_element(call))?,
        }
        into.insert(key, inner.into());
    }
    Ok(())
}

fn array_replace(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut arrays = arrays(call).into_iter();
    let mut result = arrays.next().unwrap_or_default().as_new();
    for array in arrays {
        for (key, value) in &array {
            result.insert(key, copied(value));
        }
    }
    Ok(result.into())
}

fn array_replace_recursive(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut arrays = arrays(call).into_iter();
    let mut result = arrays.next().unwrap_or_default().as_new();
    for array in arrays {
        replace_into(call, &mut result, &array)?;
    }
    Ok(result.into())
}

fn replace_into(call: &Call<'_>, into: &mut PhpArr, from: &PhpArr) -> PhpResult<()> {
    enter(call, from)?;
    let result = replace_elements(call, into, from);
    from.unprotect();
    result
}

fn replace_elements(call: &Call<'_>, into: &mut PhpArr, from: &PhpArr) -> PhpResult<()> {
    for (key, value) in from {
        let inner = into.get(key).and_then(|earlier| earlier.deref().into_arr());
        let replacement = match (value.deref().as_arr(), inner) {
            (Some(array), Some(mut inner)) => {
                replace_into(call, &mut inner, array)?;
                inner.into()
            }
            _ => copied(value),
        };
        into.insert(key, replacement);
    }
    Ok(())
}
