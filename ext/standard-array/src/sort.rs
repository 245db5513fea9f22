//! `sort` and its family.

use crate::hybrid_sort;
use crate::order::{self, Entry, UserOrder};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("sort(array &$array, int $flags = SORT_REGULAR): true", sort),
    FnDef::new("rsort(array &$array, int $flags = SORT_REGULAR): true", rsort),
    FnDef::new("asort(array &$array, int $flags = SORT_REGULAR): true", asort),
    FnDef::new("arsort(array &$array, int $flags = SORT_REGULAR): true", arsort),
    FnDef::new("ksort(array &$array, int $flags = SORT_REGULAR): true", ksort),
    FnDef::new("krsort(array &$array, int $flags = SORT_REGULAR): true", krsort),
    FnDef::new("natsort(array &$array): true", natsort),
    FnDef::new("natcasesort(array &$array): true", natcasesort),
    FnDef::new("usort(array &$array, callable $callback): true", usort),
    FnDef::new("uasort(array &$array, callable $callback): true", uasort),
    FnDef::new("uksort(array &$array, callable $callback): true", uksort),
];

/// The elements in order.
pub fn entries(array: &PhpArr) -> Vec<Entry> {
    let rows = array.iter().enumerate();
    rows.map(|(position, (key, value))| Entry { key: key.to_owned(), value: value.clone(), position }).collect()
}

/// Sorts stably by a comparison that gives a sign.
pub fn sort_entries(entries: &mut [Entry], mut compare: impl FnMut(&Entry, &Entry) -> PhpResult<i32>) -> PhpResult<()> {
    hybrid_sort::sort(entries, &mut |a, b| {
        let result = compare(a, b)?;
        Ok(if result == 0 { a.position > b.position } else { result > 0 })
    })
}

/// The array of sorted elements, with their keys or numbered from 0.
pub fn rebuild(entries: Vec<Entry>, renumber: bool) -> PhpArr {
    if renumber {
        return PhpArr::from_vec(entries.into_iter().map(|entry| entry.value).collect());
    }
    let mut array = PhpArr::with_capacity(0);
    for entry in entries {
        array.insert(entry.key.as_key(), entry.value);
    }
    array
}

/// Sorts the array in parameter 0. What was compared so far is kept when a comparison throws.
fn sort_argument(
    call: &Call<'_>,
    renumber: bool,
    compare: impl FnMut(&Entry, &Entry) -> PhpResult<i32>,
) -> PhpResult<Val> {
    let array = call.arr(0);
    let next = array.next_index();
    let mut sorted = entries(&array);
    drop(array);
    let result = sort_entries(&mut sorted, compare);
    let mut array = rebuild(sorted, renumber);
    if let (false, Some(next)) = (renumber, next) {
        array.set_next_index(next);
    }
    call.give_back(0, array.into());
    result.map(|()| Val::TRUE)
}

fn by_value(call: &Call<'_>, renumber: bool, reverse: bool) -> PhpResult<Val> {
    let (vm, flags) = (call.vm, call.int(1));
    let factor = if reverse { -1 } else { 1 };
    sort_argument(call, renumber, |a, b| Ok(factor * order::values(vm, flags, &a.value, &b.value)?))
}

/// Sorts the list in parameter 0, if it is one of plain values: their order is total, so that any way of sorting them
/// has one result.
fn sort_plain(call: &Call<'_>, reverse: bool) -> bool {
    let regular = match call.int(1) {
        order::REGULAR => true,
        order::STRING => false,
        _ => return false,
    };
    let Some(mut array) = call.take_ref(0).into_arr() else { return false };
    let sorted = array.as_list().is_some_and(|list| list.len() > 1)
        && (regular && sort_ints(&mut array, reverse) || sort_strings(&mut array, regular, reverse));
    if sorted {
        array.set_internal_position(0);
        array.set_next_index(array.len() as i64);
    }
    call.give_back(0, array.into());
    sorted
}

fn sort_ints(array: &mut PhpArr, reverse: bool) -> bool {
    let Some(list) = array.as_list() else { return false };
    let Some(mut ints) = list.iter().map(Val::as_int).collect::<Option<Vec<i64>>>() else { return false };
    ints.sort_unstable();
    if reverse {
        ints.reverse();
    }
    let Some(list) = array.as_list_mut() else { return false };
    list.iter_mut().zip(ints).for_each(|(place, int)| place.set(Val::int(int)));
    true
}

/// `words`: only strings that cannot be numbers, which compare as such.
fn sort_strings(array: &mut PhpArr, words: bool, reverse: bool) -> bool {
    let fits = |value: &Val| {
        value.as_str().is_some_and(|text| !words || text.first().is_some_and(|&byte| byte.is_ascii_alphabetic()))
    };
    if !array.as_list().is_some_and(|list| list.iter().all(fits)) {
        return false;
    }
    let Some(list) = array.as_list_mut() else { return false };
    list.sort_unstable_by(|a, b| {
        let order = a.as_str().cmp(&b.as_str());
        if reverse { order.reverse() } else { order }
    });
    true
}

fn sort(call: &mut Call<'_>) -> PhpResult<Val> {
    if sort_plain(call, false) {
        return Ok(Val::TRUE);
    }
    by_value(call, true, false)
}

fn rsort(call: &mut Call<'_>) -> PhpResult<Val> {
    if sort_plain(call, true) {
        return Ok(Val::TRUE);
    }
    by_value(call, true, true)
}

fn asort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_value(call, false, false)
}

fn arsort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_value(call, false, true)
}

fn by_key(call: &Call<'_>, reverse: bool) -> PhpResult<Val> {
    let (vm, flags) = (call.vm, call.int(1));
    let factor = if reverse { -1 } else { 1 };
    sort_argument(call, false, |a, b| Ok(factor * order::keys(vm, flags, &a.key, &b.key)?))
}

fn ksort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(call, false)
}

fn krsort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(call, true)
}

fn natural(call: &Call<'_>, flags: i64) -> PhpResult<Val> {
    let vm = call.vm;
    sort_argument(call, false, |a, b| order::values(vm, flags, &a.value, &b.value))
}

fn natsort(call: &mut Call<'_>) -> PhpResult<Val> {
    natural(call, order::NATURAL)
}

fn natcasesort(call: &mut Call<'_>) -> PhpResult<Val> {
    natural(call, order::NATURAL | order::FLAG_CASE)
}

fn by_callback(call: &Call<'_>, renumber: bool, of_keys: bool) -> PhpResult<Val> {
    if call.arr(0).is_empty() {
        return Ok(Val::TRUE);
    }
    let user = UserOrder::new(call, &call.arg(1))?;
    let mut warned = false;
    sort_argument(call, renumber, |a, b| {
        if of_keys {
            user.ask_for_sort(call, &mut warned, &a.key.to_val(), &b.key.to_val())
        } else {
            user.ask_for_sort(call, &mut warned, &a.value, &b.value)
        }
    })
}

fn usort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_callback(call, true, false)
}

fn uasort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_callback(call, false, false)
}

fn uksort(call: &mut Call<'_>) -> PhpResult<Val> {
    by_callback(call, false, true)
}
