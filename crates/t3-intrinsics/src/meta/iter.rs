//! collection and iterator.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::{IndexedIterator, LookupIterator, Obj};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

pub(crate) static COLLECTION_METHODS: &[Method] = methods! {
    createIterator 0 0 => create_iterator,
    createLiveIterator 0 0 => create_live_iterator,
};

pub(crate) static METHODS: &[Method] = methods! {
    getNext 0 0 => get_next,
    isNextAvailable 0 0 => is_next_available,
    resetIterator 0 0 => reset_iterator,
    getCurKey 0 0 => current_key,
    getCurVal 0 0 => current_value,
};

fn create_iterator(vm: &mut Vm, args: Args) -> Run<Value> {
    // What may change is copied, so that the walk is over the contents at its start.
    let this = match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Vector(items) => {
                let items = items.clone();
                vm.heap.new_list(items)
            }
            Obj::Lookup(table) => {
                let copy = table.clone();
                Value::Obj(vm.heap.alloc(Obj::Lookup(copy)))
            }
            _ => args.this,
        },
        other => other,
    };
    iterator_over(vm, this)
}

fn create_live_iterator(vm: &mut Vm, args: Args) -> Run<Value> {
    iterator_over(vm, args.this)
}

fn iterator_over(vm: &mut Vm, collection: Value) -> Run<Value> {
    if let Value::Obj(id) = collection
        && let Obj::Lookup(_) = vm.heap.get(id)
    {
        let iter = LookupIterator { table: id, at: 0 };
        return Ok(Value::Obj(vm.heap.alloc(Obj::LookupIter(Box::new(iter)))));
    }
    let Some(items) = vm.heap.sequence(collection) else { return fail(error::OBJ_VAL_REQD) };
    let iter = IndexedIterator { collection, at: 0, first: 1, last: items.len() as i32 };
    Ok(Value::Obj(vm.heap.alloc(Obj::Iter(Box::new(iter)))))
}

fn get_next(vm: &mut Vm, args: Args) -> Run<Value> {
    match vm.iterator_next(args.this)? {
        Some(value) => Ok(value),
        None => fail(error::OUT_OF_RANGE),
    }
}

fn is_next_available(vm: &mut Vm, args: Args) -> Run<Value> {
    let Value::Obj(id) = args.this else { return Ok(Value::Nil) };
    Ok(Value::truth(match vm.heap.get(id) {
        Obj::Iter(iter) => {
            let count = vm.heap.sequence(iter.collection).map_or(0, <[Value]>::len);
            (iter.at.max(0) as usize) < count.min(iter.last.max(0) as usize)
        }
        Obj::LookupIter(iter) => match vm.heap.get(iter.table) {
            Obj::Lookup(table) => table.entries.iter().skip(iter.at).any(|entry| entry.key != Value::Empty),
            _ => false,
        },
        _ => false,
    }))
}

fn reset_iterator(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    vm.keep_contents(id);
    match vm.heap.get_mut(id) {
        Some(Obj::Iter(iter)) => iter.at = iter.first - 1,
        Some(Obj::LookupIter(iter)) => iter.at = 0,
        _ => {}
    }
    Ok(Value::Nil)
}

fn current_key(vm: &mut Vm, args: Args) -> Run<Value> {
    match vm.iterator_current(args.this) {
        Some((key, _)) => Ok(key),
        None => fail(error::OUT_OF_RANGE),
    }
}

fn current_value(vm: &mut Vm, args: Args) -> Run<Value> {
    match vm.iterator_current(args.this) {
        Some((_, value)) => Ok(value),
        None => fail(error::OUT_OF_RANGE),
    }
}
