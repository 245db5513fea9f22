//! vector: sequences that change in place; and anonymous functions, which are stored the same way.

use phlox_t3_vm::contents::vector::MAX_LENGTH;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

use super::list::{element_position, insertion_point, splice_items};
use super::seq;

pub(crate) static METHODS: &[Method] = methods! {
    toList 0 2 => to_list,
    length 0 0 => seq::length,
    copyFrom 4 4 => copy_from,
    fillValue 1 3 => fill_value,
    subset 1 1 => subset,
    applyAll 1 1 => apply_all,
    indexWhich 1 1 => seq::index_which,
    forEach 1 1 => seq::for_each,
    forEachAssoc 1 1 => seq::for_each_assoc,
    mapAll 1 1 => map_all,
    indexOf 1 1 => seq::index_of,
    valWhich 1 1 => seq::val_which,
    lastIndexOf 1 1 => seq::last_index_of,
    lastIndexWhich 1 1 => seq::last_index_which,
    lastValWhich 1 1 => seq::last_val_which,
    countOf 1 1 => seq::count_of,
    countWhich 1 1 => seq::count_which,
    getUnique 0 0 => get_unique,
    appendUnique 1 1 => append_unique,
    sort 0 2 => sort,
    setLength 1 1 => set_length,
    insertAt 2 any => insert_at,
    removeElementAt 1 1 => remove_element_at,
    removeRange 2 2 => remove_range,
    append 1 1 => append,
    prepend 1 1 => prepend,
    appendAll 1 1 => append_all,
    removeElement 1 1 => remove_element,
    splice 2 any => splice,
    join 0 1 => seq::join,
    generate 2 2 => generate,
    indexOfMin 0 1 => seq::index_of_min,
    minVal 0 1 => seq::min_val,
    indexOfMax 0 1 => seq::index_of_max,
    maxVal 0 1 => seq::max_val,
};

/// `new Vector(capacity?, contents?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count > 2 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let size = |count: i32| {
        let size = usize::try_from(count).ok().filter(|count| *count <= MAX_LENGTH);
        size.ok_or_else(|| error::error(error::OUT_OF_RANGE))
    };
    let mut items = Vec::new();
    let mut capacity = 0;
    for (at, argument) in args.all(vm).into_iter().enumerate() {
        match argument {
            Value::Int(number) if at == 0 => capacity = number,
            Value::Int(number) => items = vec![Value::Nil; size(number)?],
            source => match vm.list_like(source)? {
                Some(contents) => items = contents,
                None => return fail(error::BAD_TYPE_BIF),
            },
        }
    }
    size(capacity)?;
    Ok(new_vector(vm, items))
}

/// An anonymous function from its pointer and contexts.
pub(crate) fn create_function(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = args.all(vm);
    Ok(Value::Obj(vm.heap.alloc(Obj::AnonFn(items))))
}

fn new_vector(vm: &mut Vm, items: Vec<Value>) -> Value {
    vm.heap.allocated += items.len() / 8;
    Value::Obj(vm.heap.alloc(Obj::Vector(items)))
}

fn to_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::items(vm, args.this);
    let len = items.len() as i64;
    let start = match args.count {
        0 => 0,
        _ => seq::position(vm, args.get(vm, 0), items.len())?.clamp(0, len),
    };
    let count = match args.count {
        0 | 1 => len,
        _ => i64::from(vm.want_int(args.get(vm, 1))?),
    };
    if count < 0 && start < len {
        return fail(error::LIST_TOO_LONG);
    }
    let end = (start + count).clamp(start, len);
    Ok(vm.heap.new_list(&items[start as usize..end as usize]))
}

fn copy_from(vm: &mut Vm, args: Args) -> Run<Value> {
    let Some(source) = vm.list_like(args.get(vm, 0))? else { return fail(error::BAD_TYPE_BIF) };
    let len = seq::len(vm, args.this);
    // What lies before the first element is the first element.
    let from = seq::position(vm, args.get(vm, 1), source.len())?.max(0) as usize;
    let to = seq::position(vm, args.get(vm, 2), len)?.max(0) as usize;
    let count = i64::from(vm.want_int(args.get(vm, 3))?).max(0) as usize;
    let from = from.min(source.len());
    let part = &source[from..(from + count).min(source.len())];
    if to + part.len() > MAX_LENGTH {
        return fail(error::OUT_OF_RANGE);
    }
    vm.vector_change(args.this, |items| {
        if items.len() < to + part.len() {
            items.resize(to + part.len(), Value::Nil);
        }
        items[to..to + part.len()].copy_from_slice(part);
    })?;
    Ok(args.this)
}

fn fill_value(vm: &mut Vm, args: Args) -> Run<Value> {
    let value = args.get(vm, 0);
    let len = seq::len(vm, args.this);
    let start = match args.count {
        1 => 0,
        _ => seq::position(vm, args.get(vm, 1), len)?.max(0) as usize,
    };
    let end = match args.count {
        1 | 2 => len,
        _ => start + vm.want_int(args.get(vm, 2))?.max(0) as usize,
    };
    if end > MAX_LENGTH {
        return fail(error::OUT_OF_RANGE);
    }
    vm.vector_change(args.this, |items| {
        if items.len() < end {
            items.resize(end, Value::Nil);
        }
        if start < end {
            items[start..end].fill(value);
        }
    })?;
    Ok(args.this)
}

fn subset(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::selected(vm, args)?;
    Ok(new_vector(vm, items))
}

fn map_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::mapped(vm, args)?;
    Ok(new_vector(vm, items))
}

fn apply_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let function = args.get(vm, 0);
    let mut at = 0;
    while at < seq::len(vm, args.this) {
        let element = seq::item(vm, args.this, at);
        let value = vm.call_value(function, &[element])?;
        if at < seq::len(vm, args.this) {
            vm.vector_set(id, at as i32 + 1, value)?;
        }
        at += 1;
    }
    Ok(args.this)
}

fn get_unique(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = phlox_t3_vm::contents::sequence::unique(vm, &seq::items(vm, args.this));
    Ok(new_vector(vm, items))
}

fn append_unique(vm: &mut Vm, args: Args) -> Run<Value> {
    let added = args.get(vm, 0);
    // Anything but a list is added itself.
    let added = vm.list_like(added)?.unwrap_or_else(|| vec![added]);
    let all: Vec<Value> = seq::items(vm, args.this).into_iter().chain(added).collect();
    let items = phlox_t3_vm::contents::sequence::unique(vm, &all);
    vm.vector_change(args.this, |own| *own = items)?;
    Ok(args.this)
}

fn sort(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::sorted(vm, args)?;
    vm.vector_change(args.this, |own| *own = items)?;
    Ok(args.this)
}

fn set_length(vm: &mut Vm, args: Args) -> Run<Value> {
    let length = usize::try_from(vm.want_int(args.get(vm, 0))?).ok().filter(|length| *length <= MAX_LENGTH);
    let Some(length) = length else { return fail(error::BAD_VAL_BIF) };
    vm.vector_change(args.this, |items| items.resize(length, Value::Nil))?;
    Ok(args.this)
}

fn insert_at(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = insertion_point(vm, args.get(vm, 0), seq::len(vm, args.this))?;
    let added: Vec<Value> = (1..args.count).map(|n| args.get(vm, n)).collect();
    vm.vector_change(args.this, |items| drop(items.splice(at..at, added)))?;
    Ok(args.this)
}

fn remove_element_at(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = element_position(vm, args.get(vm, 0), seq::len(vm, args.this))?;
    vm.vector_change(args.this, |items| items.remove(at))?;
    Ok(args.this)
}

fn remove_range(vm: &mut Vm, args: Args) -> Run<Value> {
    let len = seq::len(vm, args.this);
    let first = element_position(vm, args.get(vm, 0), len)?;
    let last = element_position(vm, args.get(vm, 1), len)?;
    if last < first {
        return fail(error::INDEX_OUT_OF_RANGE);
    }
    vm.vector_change(args.this, |items| drop(items.drain(first..=last)))?;
    Ok(args.this)
}

fn append(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let at = seq::len(vm, args.this) as i32 + 1;
    vm.vector_set(id, at, args.get(vm, 0))?;
    Ok(args.this)
}

fn prepend(vm: &mut Vm, args: Args) -> Run<Value> {
    let value = args.get(vm, 0);
    vm.vector_change(args.this, |items| items.insert(0, value))?;
    Ok(args.this)
}

fn append_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let value = args.get(vm, 0);
    match vm.indexed_elements(value)? {
        Some(added) => vm.vector_change(args.this, |items| items.extend(added))?,
        // What has no length has one of -1 for the reference: the vector gets shorter.
        None => {
            if vm.vector_change(args.this, Vec::pop)?.is_none() {
                return fail(error::OUT_OF_RANGE);
            }
        }
    }
    Ok(args.this)
}

fn remove_element(vm: &mut Vm, args: Args) -> Run<Value> {
    let value = args.get(vm, 0);
    let mut left = Vec::new();
    for item in seq::items(vm, args.this) {
        if !vm.heap.equals_to_depth(item, value, 0)? {
            left.push(item);
        }
    }
    vm.vector_change(args.this, |items| *items = left)?;
    Ok(args.this)
}

fn splice(vm: &mut Vm, args: Args) -> Run<Value> {
    let mut items = seq::items(vm, args.this);
    insertion_point(vm, args.get(vm, 0), items.len())?;
    splice_items(vm, args, &mut items)?;
    vm.vector_change(args.this, |own| *own = items)?;
    Ok(args.this)
}

fn generate(vm: &mut Vm, args: Args) -> Run<Value> {
    let items = seq::generated(vm, args)?;
    Ok(new_vector(vm, items))
}
