//! lookuptable and weakreflookuptable. Entries are walked in the order of their slots: removed slots are used again,
//! the last removed first, and growth appends.

use hashbrown::HashTable;

use super::{Meta, Method, methods};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::heap::Heap;
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::undo::Record;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

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

/// A place for an entry; free ones have the key `Empty`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The key.
    pub key: Value,
    /// The value.
    pub value: Value,
    hash: u64,
}

/// A hash table with a visible order.
#[derive(Debug, Clone)]
pub struct LookupTable {
    /// Entries and free places.
    pub(crate) entries: Vec<Entry>,
    free: Vec<usize>,
    index: HashTable<usize>,
    /// The value of keys that are not there.
    pub(crate) default: Value,
    /// Number of buckets that the program asked for: visible, otherwise without meaning.
    pub(crate) buckets: i32,
    /// Whether values are dropped when nothing else refers to them.
    pub(crate) weak: bool,
}

impl LookupTable {
    /// An empty table.
    pub fn new(weak: bool, buckets: i32, capacity: usize) -> LookupTable {
        let mut table = LookupTable {
            entries: Vec::new(),
            free: Vec::new(),
            index: HashTable::new(),
            default: Value::Nil,
            buckets,
            weak,
        };
        table.grow(capacity.min(1 << 20));
        table
    }

    /// Free places at the end; the first of them is used first.
    fn grow(&mut self, count: usize) {
        let start = self.entries.len();
        let empty = Entry { key: Value::Empty, value: Value::Nil, hash: 0 };
        self.entries.resize(start + count, empty);
        self.free.extend((start..start + count).rev());
    }

    fn slot(&self, heap: &Heap, key: Value) -> Option<usize> {
        let hash = heap.hash(key);
        self.index.find(hash, |at| heap.equals(self.entries[*at].key, key)).copied()
    }

    /// The value of a key.
    pub fn get(&self, heap: &Heap, key: Value) -> Option<Value> {
        self.slot(heap, key).map(|at| self.entries[at].value)
    }

    /// Adds an entry whose key is not there.
    fn insert(&mut self, hash: u64, key: Value, value: Value) {
        if self.free.is_empty() {
            self.grow((self.entries.len() / 2).max(16));
        }
        let Some(at) = self.free.pop() else { return };
        self.entries[at] = Entry { key, value, hash };
        let entries = &self.entries;
        self.index.insert_unique(hash, at, |at| entries[*at].hash);
    }

    fn remove_slot(&mut self, at: usize) {
        let hash = self.entries[at].hash;
        if let Ok(found) = self.index.find_entry(hash, |other| *other == at) {
            found.remove();
        }
        self.entries[at] = Entry { key: Value::Empty, value: Value::Nil, hash: 0 };
        self.free.push(at);
    }

    /// Entries whose key or value is dead go away.
    pub fn remove_dead(&mut self, is_dead: &dyn Fn(Value) -> bool) {
        for at in 0..self.entries.len() {
            let entry = self.entries[at];
            if entry.key != Value::Empty && (is_dead(entry.key) || is_dead(entry.value)) {
                self.remove_slot(at);
            }
        }
    }

    /// The first free place, and for each place the next in its chain, all counted from 1; 0 ends a chain.
    pub(crate) fn free_chain(&self) -> (usize, Vec<usize>) {
        let mut next = vec![0; self.entries.len()];
        let mut first = 0;
        for at in &self.free {
            next[*at] = first;
            first = at + 1;
        }
        (first, next)
    }

    /// Makes the index anew.
    pub(crate) fn rehash(&mut self, heap: &Heap) {
        self.index.clear();
        for at in 0..self.entries.len() {
            if self.entries[at].key != Value::Empty {
                self.entries[at].hash = heap.hash(self.entries[at].key);
                let entries = &self.entries;
                self.index.insert_unique(entries[at].hash, at, |at| entries[*at].hash);
            }
        }
    }

    /// Every value that the table keeps alive.
    pub fn references(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.default);
        for entry in &self.entries {
            visit(entry.key);
            if !self.weak {
                visit(entry.value);
            }
        }
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        self.entries.iter().filter(|entry| entry.key != Value::Empty).map(|entry| (entry.key, entry.value))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.index.len()
    }
}

/// From an image: the default value comes last.
pub(crate) fn load(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let (buckets, count, free) = (loader.data.u16()?, loader.data.u16()?, loader.data.u16()?);
    let mut table = read_entries(loader, meta, buckets, count, free)?;
    if loader.data.left() >= 5 {
        table.default = loader.value()?;
    }
    Ok(Obj::Lookup(Box::new(table)))
}

/// From a saved game: the default value comes first.
pub(crate) fn read_saved(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let (buckets, count, free) = (loader.data.u16()?, loader.data.u16()?, loader.data.u16()?);
    let default = loader.value()?;
    let mut table = read_entries(loader, meta, buckets, count, free)?;
    table.default = default;
    Ok(Obj::Lookup(Box::new(table)))
}

fn read_entries(loader: &mut Loader<'_>, meta: Meta, buckets: u16, count: u16, free: u16) -> Load<LookupTable> {
    loader.data.skip(usize::from(buckets) * 2)?;
    let mut table = LookupTable::new(meta == Meta::WeakRefLookupTable, buckets.into(), 0);
    let mut next = Vec::new();
    for _ in 0..count {
        let (key, value) = (loader.value()?, loader.value()?);
        next.push(loader.data.u16()?);
        table.entries.push(Entry { key, value, hash: 0 });
    }
    // Free places may have any key: the list of them tells.
    let mut free = free;
    let mut chain = Vec::new();
    while free != 0 && chain.len() < usize::from(count) {
        let at = usize::from(free) - 1;
        let Some(entry) = table.entries.get_mut(at) else { break };
        entry.key = Value::Empty;
        chain.push(at);
        free = next[at];
    }
    chain.reverse();
    table.free = chain;
    let places = 0..table.entries.len();
    let listed: foldhash::HashSet<usize> = table.free.iter().copied().collect();
    let unlisted: Vec<usize> =
        places.filter(|at| table.entries[*at].key == Value::Empty && !listed.contains(at)).collect();
    table.free.splice(0..0, unlisted);
    table.rehash(&loader.vm.heap);
    Ok(table)
}

/// `new LookupTable(buckets?, capacity?)` or `new LookupTable(list of keys and values)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    create_table(vm, args, false)
}

/// The same with weak values.
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
        2 => (vm.num_arg(args.get(vm, 0))?, vm.num_arg(args.get(vm, 1))?),
        _ => return fail(error::WRONG_NUM_OF_ARGS),
    };
    if buckets <= 0 || capacity <= 0 {
        return fail(error::BAD_VAL_BIF);
    }
    let table = LookupTable::new(weak, buckets, capacity as usize);
    Ok(Value::Obj(vm.heap.alloc(Obj::Lookup(Box::new(table)))))
}

impl Vm {
    pub(crate) fn lookup_table(&self, this: Value) -> Option<&LookupTable> {
        match this {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Lookup(table) => Some(table),
                _ => None,
            },
            _ => None,
        }
    }

    /// Sets or adds an entry.
    pub(crate) fn lookup_set(&mut self, id: ObjId, key: Value, value: Value) {
        let hash = self.heap.hash(key);
        let Obj::Lookup(table) = self.heap.get(id) else { return };
        let slot = table.index.find(hash, |at| self.heap.equals(table.entries[*at].key, key)).copied();
        let old = slot.map_or(Value::Empty, |at| table.entries[at].value);
        if self.is_kept_for_undo(id) {
            self.state.undo.record(Record::Entry(id, key, old));
        }
        if let Some(Obj::Lookup(table)) = self.heap.get_mut(id) {
            match slot {
                Some(at) => table.entries[at].value = value,
                None => table.insert(hash, key, value),
            }
        }
    }

    /// Removes an entry; its value.
    pub(crate) fn lookup_remove(&mut self, id: ObjId, key: Value) -> Option<Value> {
        let Obj::Lookup(table) = self.heap.get(id) else { return None };
        let at = table.slot(&self.heap, key)?;
        let Entry { key, value, .. } = table.entries[at];
        if self.is_kept_for_undo(id) {
            self.state.undo.record(Record::Entry(id, key, value));
        }
        if let Some(Obj::Lookup(table)) = self.heap.get_mut(id) {
            table.remove_slot(at);
        }
        Some(value)
    }
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

fn set_default_value(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let value = args.get(vm, 0);
    vm.keep_contents(id);
    if let Some(Obj::Lookup(table)) = vm.heap.get_mut(id) {
        table.default = value;
    }
    Ok(Value::Nil)
}

/// The n-th entry in order; entry 0 stands for the default value.
fn nth(vm: &Vm, args: Args) -> Run<Option<(Value, Value)>> {
    let at = vm.num_arg(args.get(vm, 0))?;
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
