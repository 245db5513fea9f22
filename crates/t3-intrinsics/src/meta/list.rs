//! list: immutable sequences.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

use super::seq;

pub(crate) static METHODS: &[Method] = methods! {
    subset 1 1 => subset,
    mapAll 1 1 => map_all,
    length 0 0 => seq::length,
    sublist 1 2 => sublist,
    intersect 1 1 => intersect,
    indexOf 1 1 => seq::index_of,
    car 0 0 => car,
    cdr 0 0 => cdr,
    indexWhich 1 1 => seq::index_which,
    forEach 1 1 => seq::for_each,
    valWhich 1 1 => seq::val_which,
    lastIndexOf 1 1 => seq::last_index_of,
    lastIndexWhich 1 1 => seq::last_index_which,
    lastValWhich 1 1 => seq::last_val_which,
    countOf 1 1 => seq::count_of,
    countWhich 1 1 => seq::count_which,
    getUnique 0 0 => get_unique,
    appendUnique 1 1 => append_unique,
    append 1 1 => append,
    sort 0 2 => sort,
    prepend 1 1 => prepend,
    insertAt 2 any => insert_at,
    removeElementAt 1 1 => remove_element_at,
    removeRange 2 2 => remove_range,
    forEachAssoc 1 1 => seq::for_each_assoc,
    generate 2 2 => generate,
    splice 2 any => splice,
    join 0 1 => seq::join,
    indexOfMin 0 1 => seq::index_of_min,
    minVal 0 1 => seq::min_val,
    indexOfMax 0 1 => seq::index_of_max,
    maxVal 0 1 => seq::max_val,
};

/// A list literal: the arguments are the elements.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = args.all(vm);
    Ok(vm.heap.new_list(items))
}

fn subset(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::selected(vm, args)?;
    Ok(vm.heap.new_list(items))
}

fn map_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::mapped(vm, args)?;
    Ok(vm.heap.new_list(items))
}

fn sublist(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::items(vm, args.this);
    let len = items.len() as i64;
    let start = seq::position(vm, args.get(vm, 0), items.len())?;
    // There is nothing before the first element and behind the last.
    let start = if start < 0 { len } else { start.min(len) };
    let end = match args.count {
        0 | 1 => len,
        _ => {
            let count = i64::from(vm.want_int(args.get(vm, 1))?);
            // A negative count leaves that many elements out at the end.
            if count < 0 { len + count } else { start + count }
        }
    };
    let end = end.clamp(start, len);
    Ok(vm.heap.new_list(&items[start as usize..end as usize]))
}

fn intersect(vm: &mut Vm, args: Args) -> Run<Value> {
    // What has no length has one of -1 for the reference, for which there is no list.
    let others = vm.indexed_elements(args.get(vm, 0))?;
    let others = others.ok_or_else(|| error::error(error::LIST_TOO_LONG))?;
    let others = others.as_slice();
    let own = vm.heap.sequence(args.this).unwrap_or_default();
    // The shorter list gives the order.
    let (walk, within) = if own.len() > others.len() { (others, own) } else { (own, others) };
    let mut common = Vec::new();
    for item in walk {
        if vm.heap.first_equal(within.iter().copied(), *item)?.is_some() {
            common.push(*item);
        }
    }
    Ok(vm.heap.new_list(common))
}

fn car(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(seq::item(vm, args.this, 0))
}

fn cdr(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::items(vm, args.this);
    match items.split_first() {
        Some((_, rest)) => Ok(vm.heap.new_list(rest)),
        None => Ok(Value::Nil),
    }
}

fn get_unique(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = phlox_t3_vm::contents::sequence::unique(vm, &seq::items(vm, args.this));
    Ok(vm.heap.new_list(items))
}

fn append_unique(vm: &mut Vm, args: Args) -> Run<Value> {
    let added = vm.want_list_like(args.get(vm, 0))?;
    let all: Vec<Value> = seq::items(vm, args.this).into_iter().chain(added).collect();
    let items = phlox_t3_vm::contents::sequence::unique(vm, &all);
    Ok(vm.heap.new_list(items))
}

fn append(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    items.push(args.get(vm, 0));
    Ok(vm.heap.new_list(items))
}

fn prepend(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    items.insert(0, args.get(vm, 0));
    Ok(vm.heap.new_list(items))
}

fn sort(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::sorted(vm, args)?;
    Ok(vm.heap.new_list(items))
}

fn insert_at(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    let at = insertion_point(vm, args.get(vm, 0), items.len())?;
    let added: Vec<Value> = (1..args.count).map(|n| args.get(vm, n)).collect();
    items.splice(at..at, added);
    Ok(vm.heap.new_list(items))
}

/// Where to insert: 1 to length + 1; 0 and negative numbers count from the end.
pub(crate) fn insertion_point(vm: &Vm, value: Value, len: usize) -> Run<usize> {
    let at = i64::from(vm.want_int(value)?);
    let at = if at <= 0 { at + len as i64 } else { at - 1 };
    match usize::try_from(at) {
        Ok(at) if at <= len => Ok(at),
        _ => fail(error::INDEX_OUT_OF_RANGE),
    }
}

/// An existing element.
pub(crate) fn element_position(vm: &Vm, value: Value, len: usize) -> Run<usize> {
    match usize::try_from(seq::position(vm, value, len)?) {
        Ok(at) if at < len => Ok(at),
        _ => fail(error::INDEX_OUT_OF_RANGE),
    }
}

fn remove_element_at(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    let at = element_position(vm, args.get(vm, 0), items.len())?;
    items.remove(at);
    Ok(vm.heap.new_list(items))
}

fn remove_range(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    vm.want_int(args.get(vm, 0))?;
    let last = args.get(vm, 1);
    vm.want_int(last)?;
    let first = element_position(vm, args.get(vm, 0), items.len())?;
    let last = element_position(vm, last, items.len())?;
    if last < first {
        return fail(error::INDEX_OUT_OF_RANGE);
    }
    items.drain(first..=last);
    Ok(vm.heap.new_list(items))
}

fn generate(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::generated(vm, args)?;
    Ok(vm.heap.new_list(items))
}

fn splice(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    splice_items(vm, args, &mut items)?;
    Ok(vm.heap.new_list(items))
}

/// `splice(start, delete, added ...)`.
pub(crate) fn splice_items(vm: &Vm, args: Args, items: &mut Vec<Value>) -> Run<()> {
    let len = items.len() as i64;
    let start = i64::from(vm.want_int(args.get(vm, 0))?);
    let start = if start <= 0 { start + len } else { start - 1 };
    let start = start.clamp(0, len);
    let delete = i64::from(vm.want_int(args.get(vm, 1))?);
    let end = (start + delete.max(0)).min(len);
    let added: Vec<Value> = (2..args.count).map(|n| args.get(vm, n)).collect();
    items.splice(start as usize..end as usize, added);
    Ok(())
}
