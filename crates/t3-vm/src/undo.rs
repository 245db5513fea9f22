//! Undo: what changed since each savepoint, and how to take it back.

use std::collections::VecDeque;

use crate::objects::Obj;
use crate::value::{ObjId, PropId, Value};

/// Savepoints that are kept; the oldest goes first.
const MAX_SAVEPOINTS: usize = 64;

/// Changes that are kept in all; the oldest savepoints go when there are more.
const MAX_RECORDS: usize = 1 << 18;
/// Entries of the table of places whose old value has been kept: a power of two.
const NOTED: usize = 1 << 12;

/// One change, as it was before.
#[derive(Debug, Clone)]
pub enum Record {
    /// An own property; `Empty` if it was not there.
    Property(ObjId, PropId, Value),
    /// An element of a vector or byte of an array, from 1.
    Element(ObjId, i32, Value),
    /// An entry of a lookup table; `Empty` if it was not there.
    Entry(ObjId, Value, Value),
    /// Direct superclasses.
    Supers(ObjId, Box<[ObjId]>),
    /// The whole contents of an object.
    Contents(ObjId, Box<Obj>),
}

/// The changes since each savepoint.
#[derive(Debug, Default)]
pub struct Undo {
    /// The savepoints' numbers and changes.
    pub savepoints: VecDeque<(u16, Vec<Record>)>,
    /// The number of the savepoint that changes are kept for; 0 if none.
    pub current: u16,
    /// Number of records of all savepoints.
    pub total: usize,
    /// Places whose first change since a savepoint has been kept; only the first change matters. Entries of the table
    /// replace each other, so a change may be kept twice.
    noted: Vec<Noted>,
}

/// A property or element of an object, and the savepoint that it was kept for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Noted {
    id: ObjId,
    place: u32,
    savepoint: u16,
}

/// What sets the places of properties apart from those of elements.
const IS_PROPERTY: u32 = 1 << 31;
/// The place that stands for the whole contents: what changes after they are kept is taken back with them.
pub const CONTENTS: u32 = u32::MAX;

impl Undo {
    /// Begins a savepoint with a number above all others'.
    pub fn savepoint(&mut self, number: u16) {
        if self.savepoints.len() >= MAX_SAVEPOINTS {
            self.drop_oldest();
        }
        self.savepoints.push_back((number, Vec::new()));
        self.current = number;
    }

    fn drop_oldest(&mut self) {
        if let Some((_, records)) = self.savepoints.pop_front() {
            self.total -= records.len();
        }
        if self.savepoints.is_empty() {
            self.current = 0;
        }
    }

    /// Whether changes are being kept.
    #[inline]
    pub fn is_active(&self) -> bool {
        !self.savepoints.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Undo::default();
    }

    /// Keeps a change.
    pub fn record(&mut self, record: Record) {
        if let Some((_, records)) = self.savepoints.back_mut() {
            records.push(record);
            self.total += 1;
            if self.total > MAX_RECORDS {
                self.drop_oldest();
            }
        }
    }

    /// Whether a place's change is the first since the savepoint, as far as is known.
    #[inline]
    pub fn is_first(&mut self, id: ObjId, place: u32) -> bool {
        if self.noted.is_empty() {
            self.noted.resize(NOTED, Noted::default());
        }
        let hash = id.wrapping_mul(0x9E37_79B1) ^ place.wrapping_mul(0x85EB_CA6B);
        let noted = &mut self.noted[hash as usize >> 8 & (NOTED - 1)];
        let now = Noted { id, place, savepoint: self.current };
        std::mem::replace(noted, now) != now
    }

    /// A property is about to change.
    #[inline]
    pub fn property(&mut self, id: ObjId, prop: PropId, old: Value) {
        if self.is_active() && self.is_first(id, IS_PROPERTY | u32::from(prop)) {
            self.record(Record::Property(id, prop, old));
        }
    }

    /// An element is about to change.
    #[inline]
    pub fn element(&mut self, id: ObjId, at: i32, old: Value) {
        if self.is_active() && self.is_first(id, at as u32) {
            self.record(Record::Element(id, at, old));
        }
    }

    /// Superclasses are about to change.
    pub fn supers(&mut self, id: ObjId, old: &[ObjId]) {
        if self.is_active() {
            self.record(Record::Supers(id, Box::from(old)));
        }
    }

    /// Values that the records hold.
    pub fn values(&self, visit: &mut dyn FnMut(Value)) {
        for record in self.savepoints.iter().flat_map(|savepoint| &savepoint.1) {
            match record {
                Record::Property(id, _, value) | Record::Element(id, _, value) => {
                    visit(Value::Obj(*id));
                    visit(*value);
                }
                Record::Entry(id, key, value) => [Value::Obj(*id), *key, *value].into_iter().for_each(&mut *visit),
                Record::Supers(id, supers) => {
                    visit(Value::Obj(*id));
                    supers.iter().for_each(|id| visit(Value::Obj(*id)));
                }
                Record::Contents(id, obj) => {
                    visit(Value::Obj(*id));
                    obj.references(|id| visit(Value::Obj(id)));
                }
            }
        }
    }
}
