//! `array_diff*` and `array_intersect*`.
//!
//! The forms with callbacks sort the arrays first and walk them in parallel, as Zend does, because the
//! callbacks see which pairs are compared.

use crate::hybrid_sort;
use crate::lookup::copied;
use crate::order::{self, Entry, UserOrder};
use crate::sort::entries;
use phlox_runtime::{ArrKey, Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val, View, convert};
use std::collections::HashSet;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_diff(#[unchecked] array $array, #[unchecked] array ...$arrays): array", array_diff)
        .fast_path(|args| by_text(args, false)),
    FnDef::new("array_diff_key(array $array, array ...$arrays): array", array_diff_key)
        .fast_path(|args| by_plain_key(args, false, false)),
    FnDef::new("array_diff_assoc(array $array, array ...$arrays): array", array_diff_assoc)
        .fast_path(|args| by_plain_key(args, false, true)),
    FnDef::new("array_diff_ukey(#[unchecked] array $array, #[one_at_least] ...$rest): array", array_diff_ukey),
    FnDef::new("array_diff_uassoc(#[unchecked] array $array, #[one_at_least] ...$rest): array", array_diff_uassoc),
    FnDef::new("array_udiff(#[unchecked] array $array, #[one_at_least] ...$rest): array", array_udiff),
    FnDef::new("array_udiff_assoc(#[unchecked] array $array, #[one_at_least] ...$rest): array", array_udiff_assoc),
    FnDef::new("array_udiff_uassoc(#[unchecked] array $array, #[two_at_least] ...$rest): array", array_udiff_uassoc),
    FnDef::new("array_intersect(#[unchecked] array $array, #[unchecked] array ...$arrays): array", array_intersect)
        .fast_path(|args| by_text(args, true)),
    FnDef::new("array_intersect_key(array $array, array ...$arrays): array", array_intersect_key)
        .fast_path(|args| by_plain_key(args, true, false)),
    FnDef::new("array_intersect_assoc(array $array, array ...$arrays): array", array_intersect_assoc)
        .fast_path(|args| by_plain_key(args, true, true)),
    FnDef::new(
        "array_intersect_ukey(#[unchecked] array $array, #[one_at_least] ...$rest): array",
        array_intersect_ukey,
    ),
    FnDef::new(
        "array_intersect_uassoc(#[unchecked] array $array, #[one_at_least] ...$rest): array",
        array_intersect_uassoc,
    ),
    FnDef::new("array_uintersect(#[unchecked] array $array, #[one_at_least] ...$rest): array", array_uintersect),
    FnDef::new(
        "array_uintersect_assoc(#[unchecked] array $array, #[one_at_least] ...$rest): array",
        array_uintersect_assoc,
    ),
    FnDef::new(
        "array_uintersect_uassoc(#[unchecked] array $array, #[two_at_least] ...$rest): array",
        array_uintersect_uassoc,
    ),
];

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behavior {
    Values,
    Keys,
    /// Keys and values.
    Pairs,
}

/// The arguments: arrays, then as many callbacks as the function takes.
struct Operands {
    arrays: Vec<PhpArr>,
    callbacks: Vec<UserOrder>,
}

/// The callbacks, which are the last arguments.
fn callbacks(call: &Call<'_>, count: usize) -> PhpResult<Vec<UserOrder>> {
    let name = call.func.name.clone();
    call.vm.check_native_count(call.func, call.args.len())?;
    let mut orders = Vec::new();
    for index in call.args.len() - count..call.args.len() {
        match call.vm.resolve_callable(&call.arg(index))? {
            Ok(callee) => orders.push(UserOrder { callee }),
            Err(reason) => {
                let text = format!("{name}(): Argument #{} must be a valid callback, {reason}", index + 1);
                return Err(call.vm.throw_type_error(text.as_bytes()));
            }
        }
    }
    Ok(orders)
}

fn array_argument(call: &Call<'_>, index: usize) -> PhpResult<PhpArr> {
    let given = call.arg(index);
    match given.as_arr() {
        Some(array) => Ok(array.clone()),
        None => Err(call.type_error(index, &format!("must be of type array, {} given", convert::value_name(&given)))),
    }
}

fn operands(call: &Call<'_>, count: usize) -> PhpResult<Operands> {
    let callbacks = callbacks(call, count)?;
    let arrays = (0..call.args.len() - count).map(|index| array_argument(call, index)).collect::<PhpResult<_>>()?;
    Ok(Operands { arrays, callbacks })
}

fn array_diff(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(array) = call.arg(0).as_arr().filter(|array| array.len() == 1) {
        return diff_of_one(call, array);
    }
    let Operands { arrays, .. } = operands(call, 0)?;
    let Some((array, others)) = arrays.split_first() else { return Ok(PhpArr::new().into()) };
    if array.is_empty() {
        return Ok(PhpArr::new().into());
    }
    if others.iter().all(PhpArr::is_empty) {
        return Ok(array.into());
    }
    let mut excluded: HashSet<PhpStr> = HashSet::new();
    for value in others.iter().flat_map(PhpArr::values) {
        excluded.insert(convert::to_str(call.vm, &value.deref())?);
    }
    let mut result = PhpArr::with_capacity(0);
    for (key, value) in array {
        if !excluded.contains(&convert::to_str(call.vm, &value.deref())?) {
            result.insert(key, copied(value));
        }
    }
    Ok(result.into())
}

/// Zend converts the values one after the other, and looks at an array only when those before it are done with.
fn diff_of_one(call: &Call<'_>, array: &PhpArr) -> PhpResult<Val> {
    let Some((_, only)) = array.iter().next() else { return Ok(array.into()) };
    let wanted = convert::to_str(call.vm, &only.deref())?;
    let mut is_found = false;
    for index in 1..call.args.len() {
        let other = array_argument(call, index)?;
        let mut values = other.values();
        while !is_found && let Some(value) = values.next() {
            is_found = convert::to_str(call.vm, &value.deref())? == wanted;
        }
    }
    Ok(if is_found { PhpArr::new().into() } else { array.into() })
}

/// A string or an integer as a key: two such values are equal as strings if they are equal as keys.
fn text_key(value: &Val) -> Option<Key<'_>> {
    match value.view() {
        View::Int(int) => Some(Key::Int(int)),
        View::Str(text) => Some(Key::from_str(text)),
        _ => None,
    }
}

/// `array_diff` and `array_intersect` of strings and integers; `None` if there are other values.
fn by_text(args: &[Val], intersect: bool) -> Option<Val> {
    let (array, others) = args.split_first()?;
    let array = array.as_arr()?;
    let mut sets = Vec::with_capacity(1);
    for other in others {
        let other = other.as_arr()?;
        if sets.is_empty() || intersect {
            sets.push(PhpArr::with_hash_capacity(other.len()));
        }
        let set = sets.last_mut()?;
        for value in other.values() {
            set.entry(text_key(value)?);
        }
    }
    if intersect {
        // The result keeps the next key of the first array.
        let mut result = array.as_new();
        for (key, value) in array {
            let text = text_key(value)?;
            if !sets.iter().all(|set| set.contains(text)) {
                drop(result.remove(key));
            }
        }
        return Some(result.into());
    }
    if array.len() == 1 {
        // A single value is converted, even if there is nothing to compare it with.
        array.values().try_for_each(|value| text_key(value).map(drop))?;
    }
    if array.is_empty() {
        return Some(PhpArr::new().into());
    }
    if sets.iter().all(PhpArr::is_empty) {
        return Some(array.into());
    }
    let mut result = PhpArr::with_room_for(array);
    for (key, value) in array {
        let text = text_key(value)?;
        if !sets.iter().any(|set| set.contains(text)) {
            result.add_new(key, value.clone());
        }
    }
    Some(result.into())
}

/// The functions that compare keys and, with `values`, strings and integers; `None` if there are other values.
fn by_plain_key(args: &[Val], intersect: bool, values: bool) -> Option<Val> {
    let (array, others) = args.split_first()?;
    let array = array.as_arr()?;
    if !others.iter().all(|other| other.as_arr().is_some()) {
        return None;
    }
    let mut result = PhpArr::with_room_for(array);
    for (key, value) in array {
        let mut keep = true;
        for other in others.iter().filter_map(Val::as_arr) {
            let matches = match other.get(key) {
                Some(theirs) => !values || text_key(value)? == text_key(theirs)?,
                None => false,
            };
            if matches != intersect {
                keep = false;
                break;
            }
        }
        if keep {
            result.add_new(key, copied(value));
        }
    }
    Some(result.into())
}

/// Keeps the elements whose key is in all (or, inverted, in none) of the other arrays, with an equal value if
/// values are compared.
fn by_key(arrays: &[PhpArr], intersect: bool, same: impl Fn(&Val, &Val) -> PhpResult<bool>) -> PhpResult<Val> {
    let Some((array, others)) = arrays.split_first() else { return Ok(PhpArr::new().into()) };
    let mut result = PhpArr::with_capacity(0);
    for (key, value) in array {
        let mut keep = true;
        for other in others {
            let matches = match other.get(key) {
                Some(theirs) => same(&value.deref(), &theirs.deref())?,
                None => false,
            };
            if matches != intersect {
                keep = false;
                break;
            }
        }
        if keep {
            result.insert(key, copied(value));
        }
    }
    Ok(result.into())
}

fn same_text(call: &Call<'_>, a: &Val, b: &Val) -> PhpResult<bool> {
    Ok(order::values(call.vm, order::STRING, a, b)? == 0)
}

fn array_diff_key(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(&operands(call, 0)?.arrays, false, |_, _| Ok(true))
}

fn array_diff_assoc(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(&operands(call, 0)?.arrays, false, |a, b| same_text(call, a, b))
}

fn array_udiff_assoc(call: &mut Call<'_>) -> PhpResult<Val> {
    let Operands { arrays, callbacks } = operands(call, 1)?;
    by_key(&arrays, false, |a, b| Ok(callbacks[0].ask(call.vm, a, b)? == 0))
}

fn array_intersect_key(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(&operands(call, 0)?.arrays, true, |_, _| Ok(true))
}

fn array_intersect_assoc(call: &mut Call<'_>) -> PhpResult<Val> {
    by_key(&operands(call, 0)?.arrays, true, |a, b| same_text(call, a, b))
}

fn array_uintersect_assoc(call: &mut Call<'_>) -> PhpResult<Val> {
    let Operands { arrays, callbacks } = operands(call, 1)?;
    by_key(&arrays, true, |a, b| Ok(callbacks[0].ask(call.vm, a, b)? == 0))
}

/// How the sorted walk compares two elements.
struct Comparison<'a> {
    call: &'a Call<'a>,
    behavior: Behavior,
    keys: Option<UserOrder>,
    values: Option<UserOrder>,
}

impl Comparison<'_> {
    fn keys(&self, a: &Entry, b: &Entry) -> PhpResult<i32> {
        match &self.keys {
            Some(user) => user.ask_for_sort(self.call, &mut true, &a.key.to_val(), &b.key.to_val()),
            None => order::keys(self.call.vm, order::STRING, &a.key, &b.key),
        }
    }

    fn values(&self, a: &Entry, b: &Entry) -> PhpResult<i32> {
        match &self.values {
            Some(user) => user.ask_for_sort(self.call, &mut true, &a.value, &b.value),
            None => order::values(self.call.vm, order::STRING, &a.value, &b.value),
        }
    }

    /// The comparison by which the arrays are sorted.
    fn primary(&self, a: &Entry, b: &Entry) -> PhpResult<i32> {
        if self.behavior == Behavior::Values { self.values(a, b) } else { self.keys(a, b) }
    }

    /// The first array, and all arrays as sorted lists. Each array is read after the ones before it were sorted.
    fn sorted(&self) -> PhpResult<(PhpArr, Vec<Vec<Entry>>)> {
        let mut lists = Vec::new();
        let count = self.call.args.len() - usize::from(self.keys.is_some()) - usize::from(self.values.is_some());
        for index in 0..count {
            let mut list = entries(&array_argument(self.call, index)?);
            hybrid_sort::sort(&mut list, &mut |a, b| Ok(self.primary(a, b)? > 0))?;
            lists.push(list);
        }
        Ok((array_argument(self.call, 0)?, lists))
    }

    /// Where `start`'s run of equal values ends.
    fn run_end(&self, list: &[Entry], start: usize) -> PhpResult<usize> {
        let mut at = start + 1;
        if self.behavior == Behavior::Values {
            while at < list.len() && self.primary(&list[at - 1], &list[at])? == 0 {
                at += 1;
            }
        }
        Ok(at)
    }

    /// The first array without the elements that are in another one.
    fn difference(&self) -> PhpResult<Val> {
        let (array, lists) = self.sorted()?;
        let mut removed = Vec::new();
        let mut cursors = vec![0; lists.len()];
        let mut at = 0;
        while at < lists[0].len() {
            let entry = &lists[0][at];
            let mut found = false;
            for (list, cursor) in lists.iter().zip(&mut cursors).skip(1) {
                found = self.is_in(entry, list, cursor)?;
                if found {
                    break;
                }
            }
            let end = self.run_end(&lists[0], at)?;
            if found {
                removed.extend(lists[0][at..end].iter().map(|entry| entry.key.clone()));
            }
            at = end;
        }
        drop(lists);
        Ok(without(&array, removed))
    }

    /// Is the entry in a sorted list? Values advance the list's cursor; keys are looked for from it each time.
    fn is_in(&self, entry: &Entry, list: &[Entry], cursor: &mut usize) -> PhpResult<bool> {
        if self.behavior == Behavior::Values {
            while let Some(other) = list.get(*cursor) {
                let order = self.values(entry, other)?;
                if order <= 0 {
                    *cursor += (order == 0) as usize;
                    return Ok(order == 0);
                }
                *cursor += 1;
            }
            return Ok(false);
        }
        for other in &list[*cursor..] {
            if self.keys(entry, other)? == 0 {
                return Ok(self.behavior == Behavior::Keys || self.values(entry, other)? == 0);
            }
        }
        Ok(false)
    }

    /// The elements of the first array that are in all others.
    fn intersection(&self) -> PhpResult<Val> {
        let (array, lists) = self.sorted()?;
        let mut removed = Vec::new();
        let mut cursors = vec![0; lists.len()];
        let mut at = 0;
        while at < lists[0].len() {
            let entry = &lists[0][at];
            let mut missing = None;
            for (which, list) in lists.iter().enumerate().skip(1) {
                let mut order = 1;
                while let Some(other) = list.get(cursors[which]) {
                    order = self.primary(entry, other)?;
                    if order <= 0 {
                        break;
                    }
                    cursors[which] += 1;
                }
                let Some(other) = list.get(cursors[which]) else {
                    // The other array is exhausted, so no further element can be in all of them.
                    removed.extend(lists[0][at..].iter().map(|entry| entry.key.clone()));
                    drop(lists);
                    return Ok(without(&array, removed));
                };
                if order == 0 && self.behavior == Behavior::Pairs && self.values(entry, other)? != 0 {
                    order = 1;
                }
                if order != 0 {
                    missing = Some(which);
                    break;
                }
                cursors[which] += 1;
            }
            match missing {
                None => at = self.run_end(&lists[0], at)?,
                Some(which) => at = self.drop_below(&lists, &cursors, which, at, &mut removed)?,
            }
        }
        drop(lists);
        Ok(without(&array, removed))
    }

    /// Removes the element at `at` and the following ones that are below the other array's cursor.
    fn drop_below(
        &self,
        lists: &[Vec<Entry>],
        cursors: &[usize],
        which: usize,
        at: usize,
        removed: &mut Vec<ArrKey>,
    ) -> PhpResult<usize> {
        let mut at = at;
        loop {
            removed.push(lists[0][at].key.clone());
            at += 1;
            let Some(entry) = lists[0].get(at) else { return Ok(at) };
            if self.behavior != Behavior::Values || self.values(entry, &lists[which][cursors[which]])? >= 0 {
                return Ok(at);
            }
        }
    }
}

/// An array without some elements. No sorted list may be alive: its copies would make references look shared.
fn without(array: &PhpArr, removed: Vec<ArrKey>) -> Val {
    let mut result = array.clone();
    for key in removed {
        drop(result.remove(key.as_key()));
    }
    result.into()
}

fn walk(call: &Call<'_>, intersect: bool, behavior: Behavior, user_values: bool, user_keys: bool) -> PhpResult<Val> {
    let mut callbacks = callbacks(call, user_values as usize + user_keys as usize)?.into_iter();
    let values = if user_values { callbacks.next() } else { None };
    let keys = if user_keys { callbacks.next() } else { None };
    let comparison = Comparison { call, behavior, keys, values };
    if intersect { comparison.intersection() } else { comparison.difference() }
}

fn array_diff_ukey(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, false, Behavior::Keys, false, true)
}

fn array_diff_uassoc(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, false, Behavior::Pairs, false, true)
}

fn array_udiff(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, false, Behavior::Values, true, false)
}

fn array_udiff_uassoc(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, false, Behavior::Pairs, true, true)
}

fn array_intersect(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true, Behavior::Values, false, false)
}

fn array_uintersect(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true, Behavior::Values, true, false)
}

fn array_intersect_ukey(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true, Behavior::Keys, false, true)
}

fn array_intersect_uassoc(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true, Behavior::Pairs, false, true)
}

fn array_uintersect_uassoc(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true, Behavior::Pairs, true, true)
}
