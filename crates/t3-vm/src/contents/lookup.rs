//! Lookup tables by key.

use crate::heap::Heap;
use crate::meta::Meta;
use crate::objects::Obj;
use crate::objects::lookup::{Entry, LookupTable};
use crate::undo::Record;
use crate::value::{ObjId, Value};
use crate::vm::{Load, Loader, Vm};

impl LookupTable {
    /// The place of the entry with a key.
    pub fn slot(&self, heap: &Heap, key: Value) -> Option<usize> {
        let hash = heap.hash(key);
        self.index.find(hash, |at| heap.equals(self.entries[*at].key, key)).copied()
    }

    /// The value of a key.
    pub fn get(&self, heap: &Heap, key: Value) -> Option<Value> {
        self.slot(heap, key).map(|at| self.entries[at].value)
    }

    /// Makes the index anew.
    pub fn rehash(&mut self, heap: &Heap) {
        self.index.clear();
        for at in 0..self.entries.len() {
            if self.entries[at].key != Value::Empty {
                self.entries[at].hash = heap.hash(self.entries[at].key);
                let entries = &self.entries;
                self.index.insert_unique(entries[at].hash, at, |at| entries[*at].hash);
            }
        }
    }
}

/// From a saved game: the default value comes first.
pub fn read_saved(loader: &mut Loader<'_>, meta: Meta) -> Load<Obj> {
    let buckets = loader.data.u16()?;
    let start = loader.data.position();
    let count = loader.data.wide_count()?;
    // A wide count makes all places wide.
    let wide = loader.data.position() - start > 2;
    let free = if wide { loader.data.u32()? } else { loader.data.u16()?.into() };
    let default = loader.value()?;
    let mut table = read_entries(loader, meta, Sizes { buckets, count, free, wide })?;
    table.default = default;
    Ok(Obj::Lookup(Box::new(table)))
}

/// What a stored table says about itself.
pub struct Sizes {
    /// Hash buckets.
    pub buckets: u16,
    /// Places for entries.
    pub count: usize,
    /// The first free place, from 1; 0 for none.
    pub free: u32,
    /// Whether places are numbers of four bytes.
    pub wide: bool,
}

/// Reads the entries of a table from an image or a saved game.
pub fn read_entries(loader: &mut Loader<'_>, meta: Meta, sizes: Sizes) -> Load<LookupTable> {
    let Sizes { buckets, count, free, wide } = sizes;
    loader.data.skip(usize::from(buckets) * if wide { 4 } else { 2 })?;
    let mut table = LookupTable::new(meta == Meta::WeakRefLookupTable, buckets.into(), 0);
    let mut next = Vec::new();
    for _ in 0..count {
        let (key, value) = (loader.value()?, loader.value()?);
        next.push(if wide { loader.data.u32()? } else { loader.data.u16()?.into() });
        table.entries.push(Entry { key, value, hash: 0 });
    }
    // Free places may have any key: the list of them tells.
    let mut free = free;
    let mut chain = Vec::new();
    while free != 0 && chain.len() < count {
        let at = free as usize - 1;
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

impl Vm {
    /// Makes the indices of all tables anew: their keys may have been read after them.
    pub fn hash_tables(&mut self) {
        for id in 1..self.heap.slots.len() as ObjId {
            if let Some(Obj::Lookup(table)) = self.heap.get_mut(id) {
                let mut table = std::mem::replace(table, Box::new(LookupTable::new(false, 1, 0)));
                table.rehash(&self.heap);
                if let Some(place) = self.heap.get_mut(id) {
                    *place = Obj::Lookup(table);
                }
            }
        }
    }

    /// The lookup table that a value is.
    pub fn lookup_table(&self, this: Value) -> Option<&LookupTable> {
        match this {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Lookup(table) => Some(table),
                _ => None,
            },
            _ => None,
        }
    }

    /// Sets or adds an entry.
    pub fn lookup_set(&mut self, id: ObjId, key: Value, value: Value) {
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
    pub fn lookup_remove(&mut self, id: ObjId, key: Value) -> Option<Value> {
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
