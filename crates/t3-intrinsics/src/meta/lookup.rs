//! lookuptable and weakreflookuptable. Entries are walked in the order of their slots: removed slots are used again,
//! the last removed first, and growth appends.

use phlox_t3_vm::contents::lookup::{Sizes, read_entries};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::lookup::LookupTable;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    isKeyPresent 1 1 => is_key_present,
    removeElement 1 1 => remove_element,
    applyAll 1 1 => apply_all,
    forEach 1 1 => for_each,
    getBucketCount 0 0 => bucket_count,
    getEntryCount 0 0 => entry_count,
    forEachAssoc 1 1 => for_each_assoc,
    keysToList 0 0 => keys_to_list,
    valsToList 0 0 => vals_to_list,
    getDefaultValue 0 0 => default_value,
    setDefaultValue 1 1 => set_default_value,
    nthKey 1 1 => nth_key,
    nthVal 1 1 => nth_val,
};

/// From an image: the default value comes last.
pub(crate) fn load(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let (buckets, count, free) = (loader.data.u16()?, loader.data.u16()?, loader.data.u16()?);
    let sizes = Sizes { buckets, count: count.into(), free: free.into(), wide: false };
    let mut table = read_entries(loader, meta, sizes)?;
    if loader.data.left() >= 5 {
        table.default = loader.value()?;
    }
    Ok(Obj::Lookup(Box::new(table)))
}

/// `new LookupTable(buckets?, capacity?)` or `new LookupTable(list of keys and values)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    create_table(vm, args, false)
}

/// `new WeakRefLookupTable(...)`, with the arguments of [`create`].
pub(crate) fn create_weak(vm: &mut Vm, args: Args) -> Run<Value> {
    create_table(vm, args, true)
}

fn create_table(vm: &mut Vm, args: Args, weak: bool) -> Run<Value> {
    if args.count == 1
        && let Some(items) = vm.list_like(args.get(vm, 0))?
    {
        let id = vm.heap.alloc(Obj::Lookup(Box::new(LookupTable::new(weak, 32, 64))));
        let mut pairs = items.chunks_exact(2);
        for pair in &mut pairs {
            vm.lookup_set(id, pair[0], pair[1]);
        }
        // An odd element at the end is the default value.
        if let ([last], Some(Obj::Lookup(table))) = (pairs.remainder(), vm.heap.get_mut(id)) {
            table.default = *last;
        }
        return Ok(Value::Obj(id));
    }
    let (buckets, capacity) = match args.count {
        0 => (32, 64),
        1 => return fail(error::BAD_VAL_BIF),
        2 => (vm.want_int(args.get(vm, 0))?, vm.want_int(args.get(vm, 1))?),
        _ => return fail(error::WRONG_NUM_OF_ARGS),
    };
    if buckets <= 0 || capacity <= 0 {
        return fail(error::BAD_VAL_BIF);
    }
    let table = LookupTable::new(weak, buckets, capacity as usize);
    Ok(Value::Obj(vm.heap.alloc(Obj::Lookup(Box::new(table)))))
}

fn table(vm: &Vm, args: Args) -> Run<&LookupTable> {
    vm.lookup_table(args.this).ok_or_else(|| error::error(error::OBJ_VAL_REQD))
}

fn is_key_present(vm: &mut Vm, args: Args) -> Run<Value> {
    let key = args.get(vm, 0);
    Ok(Value::truth(table(vm, args)?.get(&vm.heap, key).is_some()))
}

fn remove_element(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let key = args.get(vm, 0);
    Ok(vm.lookup_remove(id, key).unwrap_or_default())
}

/// Calls `visit` with the entries as they are when their turn comes.
fn walk(vm: &mut Vm, args: Args, mut visit: impl FnMut(&mut Vm, Value, Value) -> Run<()>) -> Run<()> {
    let mut at = 0;
    while let Some(entry) = vm.lookup_table(args.this).and_then(|table| table.entries.get(at)).copied() {
        if entry.key != Value::Empty {
            visit(vm, entry.key, entry.value)?;
        }
        at += 1;
    }
    Ok(())
}

fn apply_all(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let function = args.get(vm, 0);
    walk(vm, args, |vm, key, value| {
        let value = vm.call_value(function, &[key, value])?;
        vm.lookup_set(id, key, value);
        Ok(())
    })?;
    Ok(Value::Nil)
}

fn for_each(vm: &mut Vm, args: Args) -> Run<Value> {
    let function = args.get(vm, 0);
    walk(vm, args, |vm, _, value| vm.call_value(function, &[value]).map(|_| ()))?;
    Ok(Value::Nil)
}

fn for_each_assoc(vm: &mut Vm, args: Args) -> Run<Value> {
    let function = args.get(vm, 0);
    walk(vm, args, |vm, key, value| vm.call_value(function, &[key, value]).map(|_| ()))?;
    Ok(Value::Nil)
}

fn bucket_count(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(table(vm, args)?.buckets))
}

fn entry_count(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(table(vm, args)?.len() as i32))
}

fn keys_to_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let keys: Vec<Value> = table(vm, args)?.iter().map(|row| row.0).collect();
    Ok(vm.heap.new_list(keys))
}

fn vals_to_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let values: Vec<Value> = table(vm, args)?.iter().map(|row| row.1).collect();
    Ok(vm.heap.new_list(values))
}

fn default_value(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(table(vm, args)?.default)
}

/// Sets the value of keys that are not there, and gives the table.
fn set_default_value(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let value = args.get(vm, 0);
    vm.keep_contents(id);
    if let Some(Obj::Lookup(table)) = vm.heap.get_mut(id) {
        table.default = value;
    }
    Ok(args.this)
}

/// The n-th entry in order; entry 0 stands for the default value.
fn nth(vm: &Vm, args: Args) -> Run<Option<(Value, Value)>> {
    let at = vm.want_int(args.get(vm, 0))?;
    let table = table(vm, args)?;
    if at == 0 {
        return Ok(Some((Value::Nil, table.default)));
    }
    match usize::try_from(at).ok().and_then(|at| table.iter().nth(at - 1)) {
        Some(row) => Ok(Some(row)),
        None => fail(error::INDEX_OUT_OF_RANGE),
    }
}

fn nth_key(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(nth(vm, args)?.map_or(Value::Nil, |row| row.0))
}

fn nth_val(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(nth(vm, args)?.map_or(Value::Nil, |row| row.1))
}
