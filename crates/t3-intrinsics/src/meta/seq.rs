//! What lists and vectors have in common: searching, mapping, sorting. Each method sees the elements as they are at
//! every step, so a callback may change a vector while it is walked.

use std::cmp::Ordering;

use phlox_t3_vm::contents::sequence::collect;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// Number of elements.
pub(crate) fn len(vm: &Vm, this: Value) -> usize {
    vm.heap.elements(this).map_or(0, <[Value]>::len)
}

/// The element with an index from 0.
pub(crate) fn item(vm: &Vm, this: Value, at: usize) -> Value {
    vm.heap.elements(this).and_then(|items| items.get(at)).copied().unwrap_or_default()
}

/// All elements.
pub(crate) fn items(vm: &Vm, this: Value) -> Vec<Value> {
    vm.heap.elements(this).unwrap_or_default().to_vec()
}

/// A 0-based position from an argument that counts from 1, or from the end if negative.
pub(crate) fn position(vm: &Vm, value: Value, len: usize) -> Run<i64> {
    let at = i64::from(vm.want_int(value)?);
    Ok(if at < 0 { at + len as i64 } else { at - 1 })
}

/// Index or nil.
pub(crate) fn index_value(at: Option<usize>) -> Value {
    at.map_or(Value::Nil, |at| Value::Int(at as i32 + 1))
}

/// The first element that a predicate takes, from either end.
fn find_which(vm: &mut Vm, args: Args, backward: bool) -> Run<Option<usize>> {
    let predicate = args.get(vm, 0);
    let mut at = 0;
    let mut left = len(vm, args.this);
    loop {
        let here = if backward { left.wrapping_sub(1) } else { at };
        if left == 0 || here >= len(vm, args.this) {
            return Ok(None);
        }
        let element = item(vm, args.this, here);
        if !vm.call_value(predicate, &[element])?.is_false() {
            return Ok(Some(here));
        }
        if backward {
            left -= 1;
        } else {
            at += 1;
        }
    }
}

pub(crate) fn length(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(len(vm, args.this) as i32))
}

pub(crate) fn index_of(vm: &mut Vm, args: Args) -> Run<Value> {
    let wanted = args.get(vm, 0);
    let items = vm.heap.elements(args.this).unwrap_or_default();
    Ok(index_value(vm.heap.first_equal(items.iter().copied(), wanted)?))
}

pub(crate) fn last_index_of(vm: &mut Vm, args: Args) -> Run<Value> {
    let wanted = args.get(vm, 0);
    let items = vm.heap.elements(args.this).unwrap_or_default();
    let from_end = vm.heap.first_equal(items.iter().rev().copied(), wanted)?;
    Ok(index_value(from_end.map(|at| items.len() - 1 - at)))
}

pub(crate) fn count_of(vm: &mut Vm, args: Args) -> Run<Value> {
    let wanted = args.get(vm, 0);
    let items = vm.heap.elements(args.this).unwrap_or_default();
    let mut count = 0;
    for item in items {
        count += i32::from(vm.heap.equals_to_depth(*item, wanted, 0)?);
    }
    Ok(Value::Int(count))
}

pub(crate) fn index_which(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(index_value(find_which(vm, args, false)?))
}

pub(crate) fn last_index_which(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(index_value(find_which(vm, args, true)?))
}

pub(crate) fn val_which(vm: &mut Vm, args: Args) -> Run<Value> {
    let found = find_which(vm, args, false)?;
    Ok(found.map_or(Value::Nil, |at| item(vm, args.this, at)))
}

pub(crate) fn last_val_which(vm: &mut Vm, args: Args) -> Run<Value> {
    let found = find_which(vm, args, true)?;
    Ok(found.map_or(Value::Nil, |at| item(vm, args.this, at)))
}

pub(crate) fn count_which(vm: &mut Vm, args: Args) -> Run<Value> {
    let predicate = args.get(vm, 0);
    let mut count = 0;
    let mut at = 0;
    while at < len(vm, args.this) {
        let element = item(vm, args.this, at);
        if !vm.call_value(predicate, &[element])?.is_false() {
            count += 1;
        }
        at += 1;
    }
    Ok(Value::Int(count))
}

pub(crate) fn for_each(vm: &mut Vm, args: Args) -> Run<Value> {
    let function = args.get(vm, 0);
    let mut at = 0;
    while at < len(vm, args.this) {
        let element = item(vm, args.this, at);
        vm.call_value(function, &[element])?;
        at += 1;
    }
    Ok(Value::Nil)
}

pub(crate) fn for_each_assoc(vm: &mut Vm, args: Args) -> Run<Value> {
    let function = args.get(vm, 0);
    let mut at = 0;
    while at < len(vm, args.this) {
        let element = item(vm, args.this, at);
        vm.call_value(function, &[Value::Int(at as i32 + 1), element])?;
        at += 1;
    }
    Ok(Value::Nil)
}

/// The results of a callback for each element, kept alive while the others are computed.
pub(crate) fn mapped(vm: &mut Vm, args: Args) -> Run<Vec<Value>> {
    let function = args.get(vm, 0);
    collect(vm, |vm| {
        let mut at = 0;
        while at < len(vm, args.this) {
            let element = item(vm, args.this, at);
            let value = vm.call_value(function, &[element])?;
            vm.rooted.push(value);
            at += 1;
        }
        Ok(())
    })
}

/// The elements that a predicate takes.
pub(crate) fn selected(vm: &mut Vm, args: Args) -> Run<Vec<Value>> {
    let predicate = args.get(vm, 0);
    collect(vm, |vm| {
        let mut at = 0;
        while at < len(vm, args.this) {
            let element = item(vm, args.this, at);
            vm.rooted.push(element);
            if vm.call_value(predicate, &[element])?.is_false() {
                vm.rooted.pop();
            }
            at += 1;
        }
        Ok(())
    })
}

/// `generate(function, count)`.
pub(crate) fn generated(vm: &mut Vm, args: Args) -> Run<Vec<Value>> {
    let function = args.get(vm, 0);
    let Some((min, optional, varargs)) = vm.parameters_of(function) else { return fail(error::BAD_TYPE_BIF) };
    let count = vm.number_of(args.get(vm, 1))?;
    if count < 0 {
        return fail(error::BAD_VAL_BIF);
    }
    if count as usize > vm.options.max_length {
        return fail(error::LIST_TOO_LONG);
    }
    let wants_index = varargs || min + optional > 0;
    collect(vm, |vm| {
        for n in 1..=count {
            let value =
                if wants_index { vm.call_value(function, &[Value::Int(n)])? } else { vm.call_value(function, &[])? };
            vm.rooted.push(value);
        }
        Ok(())
    })
}

/// `join(separator)`: the elements as text.
pub(crate) fn join(vm: &mut Vm, args: Args) -> Run<Value> {
    let separator = match args.given(vm, 0) {
        Some(value) => vm.text_arg(value)?,
        None => Text::from(""),
    };
    let mut out = String::new();
    for (at, item) in items(vm, args.this).into_iter().enumerate() {
        if at > 0 {
            out.push_str(&separator);
        }
        out.push_str(&vm.to_text(item)?);
    }
    Ok(vm.heap.new_text(out))
}

/// The index of the least or greatest element, by value or by what a callback gives.
/// An empty list has none, which is an error.
fn extreme(vm: &mut Vm, args: Args, wanted: Ordering) -> Run<(usize, Value)> {
    let function = match args.count {
        0 => None,
        _ => Some(vm.function_arg(args.get(vm, 0))?),
    };
    let mut best: Option<(usize, Value)> = None;
    let start = vm.rooted.len();
    let mut at = 0;
    while at < len(vm, args.this) {
        let element = item(vm, args.this, at);
        let key = match function {
            Some(function) => vm.call_value(function, &[element])?,
            None => element,
        };
        let better = match best {
            None => true,
            Some((_, value)) => vm.order(key, value)? == wanted,
        };
        if better {
            vm.rooted.truncate(start);
            vm.rooted.push(key);
            best = Some((at, key));
        }
        at += 1;
    }
    vm.rooted.truncate(start);
    best.ok_or_else(|| error::error(error::BAD_VAL_BIF))
}

pub(crate) fn index_of_min(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(index_value(Some(extreme(vm, args, Ordering::Less)?.0)))
}

pub(crate) fn index_of_max(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(index_value(Some(extreme(vm, args, Ordering::Greater)?.0)))
}

pub(crate) fn min_val(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(extreme(vm, args, Ordering::Less)?.1)
}

pub(crate) fn max_val(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(extreme(vm, args, Ordering::Greater)?.1)
}

/// `sort(descending?, comparator?)`. The order of equal elements, and of calls to the comparator, is the reference's:
/// a quicksort that takes the last element as pivot.
pub(crate) fn sorted(vm: &mut Vm, args: Args) -> Run<Vec<Value>> {
    let descending = args.get(vm, 0) != Value::Nil;
    let comparator = args.given(vm, 1);
    let mut items = items(vm, args.this);
    let compare = |vm: &mut Vm, a: Value, b: Value| -> Run<Ordering> {
        let order = match comparator {
            Some(function) => {
                let result = vm.call_value(function, &[a, b])?;
                vm.number_of(result)?.cmp(&0)
            }
            None => vm.order(a, b)?,
        };
        Ok(if descending { order.reverse() } else { order })
    };
    let mut ranges = vec![(0, items.len() as i64 - 1)];
    while let Some((low, high)) = ranges.pop() {
        if high <= low {
            continue;
        }
        let (mut i, mut j, mut pivot) = (low - 1, high, high);
        loop {
            loop {
                i += 1;
                if i == high || compare(vm, items[i as usize], items[pivot as usize])?.is_ge() {
                    break;
                }
            }
            loop {
                j -= 1;
                if j == low || compare(vm, items[j as usize], items[pivot as usize])?.is_le() {
                    break;
                }
            }
            items.swap(i as usize, j as usize);
            if pivot == i {
                pivot = j;
            } else if pivot == j {
                pivot = i;
            }
            if j <= i {
                break;
            }
        }
        items.swap(i as usize, j as usize);
        items.swap(i as usize, high as usize);
        ranges.push((i + 1, high));
        ranges.push((low, i - 1));
    }
    Ok(items)
}
