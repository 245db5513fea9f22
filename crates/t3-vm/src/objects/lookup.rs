//! Lookup tables: entries in the order of their places, and an index by the hash of the key.

use hashbrown::HashTable;

use crate::value::Value;

/// A place for an entry; free ones have the key `Empty`.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The key.
    pub key: Value,
    /// The value.
    pub value: Value,
    /// The hash of the key.
    pub hash: u64,
}

/// A hash table with a visible order.
#[derive(Debug, Clone)]
pub struct LookupTable {
    /// Entries and free places.
    pub entries: Vec<Entry>,
    pub(crate) free: Vec<usize>,
    pub(crate) index: HashTable<usize>,
    /// The value of keys that are not there.
    pub default: Value,
    /// Number of buckets that the program asked for: visible, otherwise without meaning.
    pub buckets: i32,
    /// Whether values are dropped when nothing else refers to them.
    pub weak: bool,
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
    pub fn grow(&mut self, count: usize) {
        let start = self.entries.len();
        let empty = Entry { key: Value::Empty, value: Value::Nil, hash: 0 };
        self.entries.resize(start + count, empty);
        self.free.extend((start..start + count).rev());
    }

    /// Adds an entry whose key is not there.
    pub fn insert(&mut self, hash: u64, key: Value, value: Value) {
        if self.free.is_empty() {
            self.grow((self.entries.len() / 2).max(16));
        }
        let Some(at) = self.free.pop() else { return };
        self.entries[at] = Entry { key, value, hash };
        let entries = &self.entries;
        self.index.insert_unique(hash, at, |at| entries[*at].hash);
    }

    /// Removes the entry at a place, which becomes the first free one.
    pub fn remove_slot(&mut self, at: usize) {
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
    pub fn free_chain(&self) -> (usize, Vec<usize>) {
        let mut next = vec![0; self.entries.len()];
        let mut first = 0;
        for at in &self.free {
            next[*at] = first;
            first = at + 1;
        }
        (first, next)
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

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }
}
