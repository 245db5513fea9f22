//! Undo: what changed since each savepoint, and how to take it back.

use std::collections::VecDeque;

use crate::objects::Obj;
use crate::value::{ObjId, PropId, Value};
use crate::vm::Vm;

/// Savepoints that are kept; the oldest goes first.
const MAX_SAVEPOINTS: usize = 64;

/// Changes that are kept in all; the oldest savepoints go when there are more.
const MAX_RECORDS: usize = 1 << 18;
/// Places that are known to be kept already: a power of two.
const NOTED: usize = 1 << 12;

/// One change, as it was before.
#[derive(Debug, Clone)]
pub(crate) enum Record {
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
pub(crate) struct Undo {
    /// The savepoints' numbers and changes.
    savepoints: VecDeque<(u16, Vec<Record>)>,
    /// The number of the savepoint that changes are kept for; 0 if none.
    pub current: u16,
    /// Number of records of all savepoints.
    total: usize,
    /// Places whose first change since a savepoint has been kept: only that one counts. The table forgets.
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
const CONTENTS: u32 = u32::MAX;

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
    fn is_first(&mut self, id: ObjId, place: u32) -> bool {
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

impl Vm {
    /// Begins a savepoint.
    pub(crate) fn savepoint(&mut self) {
        if self.heap.savepoint == u16::MAX {
            // The numbers are used up: all objects count as old, and what could be undone is forgotten.
            self.state.undo.clear();
            self.heap.savepoint = 0;
            self.heap.slots.iter_mut().for_each(|slot| slot.flags.born = 0);
        }
        self.heap.savepoint += 1;
        self.state.undo.savepoint(self.heap.savepoint);
    }

    /// Whether changes of an object are undone: not of transient ones, nor of those made since the savepoint.
    pub(crate) fn is_kept_for_undo(&self, id: ObjId) -> bool {
        let flags = self.heap.flags(id);
        flags.born < self.state.undo.current && !flags.transient
    }

    /// Keeps the contents of an object that is about to change as a whole.
    pub(crate) fn keep_contents(&mut self, id: ObjId) {
        if self.is_kept_for_undo(id) && self.state.undo.is_first(id, CONTENTS) {
            let contents = Box::new(self.heap.get(id).clone());
            self.state.undo.record(Record::Contents(id, contents));
        }
    }

    /// Goes back to the last savepoint; false if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let Some((_, records)) = self.state.undo.savepoints.pop_back() else { return false };
        self.state.undo.total -= records.len();
        // While changes are taken back they are not recorded again.
        let earlier = std::mem::take(&mut self.state.undo);
        for record in records.into_iter().rev() {
            self.take_back(record);
        }
        self.state.undo = earlier;
        self.state.undo.current = self.state.undo.savepoints.back().map_or(0, |savepoint| savepoint.0);
        true
    }

    fn take_back(&mut self, record: Record) {
        match record {
            Record::Property(id, prop, Value::Empty) => self.remove_own(id, prop),
            Record::Property(id, prop, value) => {
                let slot = self.heap.shape_of(id).and_then(|shape| self.heap.shapes.get(shape).slot(prop));
                self.set_slot(id, prop, slot, value);
            }
            Record::Element(id, at, value) => {
                if let Some(Obj::Vector(items)) = self.heap.get_mut(id)
                    && let Some(place) = items.get_mut((at as usize).wrapping_sub(1))
                {
                    *place = value;
                }
            }
            Record::Entry(id, key, Value::Empty) => {
                self.lookup_remove(id, key);
            }
            Record::Entry(id, key, value) => self.lookup_set(id, key, value),
            Record::Supers(id, supers) => self.change_supers(id, &supers),
            Record::Contents(id, contents) => {
                if let Some(obj) = self.heap.get_mut(id) {
                    *obj = *contents;
                }
            }
        }
    }
}
