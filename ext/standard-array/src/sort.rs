//! `sort` and its family.

use crate::hybrid_sort;
use crate::order::{self, Entry, UserOrder};
use phlox_runtime::{Call, Callback, FnDef, Key, PhpArr, PhpResult, Val};
use smallvec::SmallVec;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("sort(array &$array, int $flags = SORT_REGULAR): true", sort).fast_path(|args| sort_plain(args, false)),
    FnDef::new("rsort(array &$array, int $flags = SORT_REGULAR): true", rsort).fast_path(|args| sort_plain(args, true)),
    FnDef::new("asort(array &$array, int $flags = SORT_REGULAR): true", asort)
        .fast_path(|args| sort_plain_pairs(args, Part::Value, false)),
    FnDef::new("arsort(array &$array, int $flags = SORT_REGULAR): true", arsort)
        .fast_path(|args| sort_plain_pairs(args, Part::Value, true)),
    FnDef::new("ksort(array &$array, int $flags = SORT_REGULAR): true", ksort)
        .fast_path(|args| sort_plain_pairs(args, Part::Key, false)),
    FnDef::new("krsort(array &$array, int $flags = SORT_REGULAR): true", krsort)
        .fast_path(|args| sort_plain_pairs(args, Part::Key, true)),
    FnDef::new("natsort(array &$array): true", natsort),
    FnDef::new("natcasesort(array &$array): true", natcasesort),
    FnDef::new("usort(array &$array, callable $callback): true", usort),
    FnDef::new("uasort(array &$array, callable $callback): true", uasort),
    FnDef::new("uksort(array &$array, callable $callback): true", uksort),
];

/// The part of the elements by which they are sorted.
#[derive(Clone, Copy)]
enum Part {
    Key,
    Value,
}

/// Up to this many elements are sorted without allocating memory.
const FEW: usize = 16;

type Order = SmallVec<[u32; FEW]>;

/// Writes the positions of the elements in their order, if that is total: all are integers, or all are words (strings that are
/// no numbers, or that are to be compared as strings). `None`: it may not be.
fn order_of(array: &PhpArr, part: Part, words: bool, reverse: bool, order: &mut Order) -> Option<()> {
    let elements = || (0..array.positions()).filter_map(|at| array.at(at).map(|(key, value)| (at, key, value)));
    let int = |key: Key<'_>, value: &Val| match (part, key) {
        (Part::Key, Key::Int(int)) => Some(int),
        (Part::Key, Key::Str(_)) => None,
        (Part::Value, _) => value.as_int(),
    };
    let (_, key, value) = elements().next()?;
    if int(key, value).is_some() {
        // Integers have another order as strings.
        let rows = elements().map(|(at, key, value)| Some((int(key, value)?, at)));
        return if words { sort_rows(rows, reverse, order) } else { None };
    }
    let rows = elements().map(|(at, key, value)| {
        let text = match (part, key) {
            (Part::Key, Key::Str(text)) => text,
            (Part::Key, Key::Int(_)) => return None,
            (Part::Value, _) => value.as_str()?,
        };
        let fits = !words || text.first().is_some_and(u8::is_ascii_alphabetic);
        fits.then_some((text.as_bytes(), at))
    });
    sort_rows(rows, reverse, order)
}

/// Sorts rows that end in positions stably, and writes the positions.
fn sort_rows<T: Ord>(all: impl Iterator<Item = Option<(T, u32)>>, reverse: bool, order: &mut Order) -> Option<()> {
    let mut rows: SmallVec<[(T, u32); FEW]> = SmallVec::new();
    for row in all {
        rows.push(row?);
    }
    match reverse {
        false => rows.sort_unstable(),
        true => rows.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1))),
    }
    order.extend(rows.iter().map(|row| row.1));
    Some(())
}

/// Sorts an array, keeping keys, if its elements have a total order.
fn sort_plain_pairs(args: &[Val], part: Part, reverse: bool) -> Option<Val> {
    let words = match args.get(1).map(Val::as_int) {
        None | Some(Some(order::REGULAR)) => true,
        Some(Some(order::STRING)) => false,
        _ => return None,
    };
    crate::slice::changed(args.first()?.as_ref()?, |array| {
        unshare(array, false);
        if array.len() > 1 {
            let mut order = Order::new();
            order_of(array, part, words, reverse, &mut order)?;
            close_holes(array);
            array.reorder(&order, false);
        }
        Some(Val::TRUE)
    })
}

/// Before it sorts a list Zend makes a hash of it, which closes the holes that loops by reference may wait behind.
fn close_holes(array: &PhpArr) {
    if array.is_packed() {
        phlox_runtime::move_positions(array, |position| array.elements_before(position));
    }
}

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
    let mut array = PhpArr::with_hash_capacity(entries.len());
    for entry in entries {
        array.add_new(entry.key.as_key(), entry.value);
    }
    array
}

/// Sorts the array in parameter 0. What was compared so far is kept when a comparison throws.
fn sort_argument(
    call: &Call<'_>,
    renumber: bool,
    compare: impl FnMut(&Entry, &Entry) -> PhpResult<i32>,
) -> PhpResult<Val> {
    call.reference(0).slot().update(|value| value.as_arr_mut().map(|array| unshare(array, renumber)));
    sort_array(call, entries, false, renumber, compare)
}

/// Makes the array unshared and, if the keys stay, a hash table, even with a single element.
fn unshare(array: &mut PhpArr, renumber: bool) {
    match renumber || array.len() > 1 {
        true => array.separate(),
        false => array.give_keys(),
    }
}

/// Sorts the elements that `entries_of` takes from the array in parameter 0. What was compared so far is kept when a
/// comparison throws.
fn sort_array(
    call: &Call<'_>,
    entries_of: impl FnOnce(&PhpArr) -> Vec<Entry>,
    of_copy: bool,
    renumber: bool,
    compare: impl FnMut(&Entry, &Entry) -> PhpResult<i32>,
) -> PhpResult<Val> {
    let array = call.arr(0);
    if array.is_empty() || array.len() == 1 && !renumber {
        return Ok(Val::TRUE);
    }
    close_holes(&array);
    let mut sorted = entries_of(&array);
    let result = sort_entries(&mut sorted, compare);
    let mut sorted = rebuild(sorted, renumber);
    if !renumber {
        sorted.number_on_from(&array);
    }
    let is_there = || call.reference(0).get().as_arr().is_some_and(|now| now.ptr_eq(&array));
    // A variable that was changed meanwhile keeps its new value, unless a copy was sorted.
    if of_copy || is_there() {
        drop(array);
        call.give_back(0, sorted.into());
    }
    result.map(|()| Val::TRUE)
}

fn by_value(call: &Call<'_>, renumber: bool, reverse: bool) -> PhpResult<Val> {
    let (vm, flags) = (call.vm, call.int(1));
    let factor = if reverse { -1 } else { 1 };
    sort_argument(call, renumber, |a, b| Ok(factor * order::values(vm, flags, &a.value, &b.value)?))
}

/// Sorts the list in parameter 0, if it is one of plain values: their order is total, so that any way of sorting them
/// has one result.
fn sort_plain(args: &[Val], reverse: bool) -> Option<Val> {
    let regular = match args.get(1).map(Val::as_int) {
        None | Some(Some(order::REGULAR)) => true,
        Some(Some(order::STRING)) => false,
        _ => return None,
    };
    crate::slice::changed(args.first()?.as_ref()?, |array| {
        if array.as_list()?.len() < 2
            || !(regular && sort_ints(array, reverse) || sort_strings(array, regular, reverse))
        {
            return None;
        }
        array.rewind_pointer();
        array.set_next_index(array.len() as i64);
        Some(Val::TRUE)
    })
}

fn sort_ints(array: &mut PhpArr, reverse: bool) -> bool {
    let Some(list) = array.as_list().filter(|list| list.iter().all(|value| value.as_int().is_some())) else {
        return false;
    };
    // Few are sorted in place; many cost less on their own.
    const FEW: usize = 32;
    if list.len() <= FEW {
        let Some(list) = array.as_list_mut() else { return false };
        list.sort_unstable_by(|a, b| {
            let order = a.as_int().cmp(&b.as_int());
            if reverse { order.reverse() } else { order }
        });
        return true;
    }
    let mut ints: Vec<i64> = list.iter().filter_map(Val::as_int).collect();
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
    if sort_plain(call.args, false).is_some() {
        return Ok(Val::TRUE);
    }
    by_value(call, true, false)
}

fn rsort(call: &mut Call<'_>) -> PhpResult<Val> {
    if sort_plain(call.args, true).is_some() {
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
    let array = call.arr(0);
    if array.is_empty() {
        return Ok(Val::TRUE);
    }
    let user = UserOrder::new(call, &call.arg(1))?;
    if !array.is_packed() && (array.len() > 1 || renumber) {
        // Zend sorts a copy, which has no holes. (In lists they are closed in any case.)
        phlox_runtime::move_positions(&array, |position| array.elements_before(position));
    }
    if array.len() == 1 && !renumber {
        // There is nothing to sort, but the variable gets the copy.
        let mut copy = array.copied();
        copy.give_keys();
        call.give_back(0, copy.into());
        return Ok(Val::TRUE);
    }
    drop(array);
    // References that nothing else holds are sorted as values.
    let entries = |array: &PhpArr| entries(&array.as_new());
    let callback = Callback::new(call.vm, &user.callee);
    let (ask, mut warned) = (|a: &Val, b: &Val| callback.call([a, b]), false);
    match of_keys {
        true => sort_array(call, entries, true, renumber, |a, b| {
            order::sign_for_sort(call, &mut warned, ask, &a.key.to_val(), &b.key.to_val())
        }),
        false => sort_array(call, entries, true, renumber, |a, b| {
            order::sign_for_sort(call, &mut warned, ask, &a.value, &b.value)
        }),
    }
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
