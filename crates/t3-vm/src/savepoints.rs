//! Savepoints: begun, and gone back to.

use crate::objects::Obj;
use crate::undo::{CONTENTS, Record};
use crate::value::{ObjId, Value};
use crate::vm::Vm;

impl Vm {
    /// Begins a savepoint.
    pub fn savepoint(&mut self) {
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
    pub fn is_kept_for_undo(&self, id: ObjId) -> bool {
        let flags = self.heap.flags(id);
        flags.born < self.state.undo.current && !flags.transient
    }

    /// Keeps the contents of an object that is about to change as a whole.
    pub fn keep_contents(&mut self, id: ObjId) {
        if self.is_kept_for_undo(id) && self.state.undo.is_first(id, CONTENTS) {
            let contents = Box::new(self.heap.get(id).clone());
            self.state.undo.record(Record::Contents(id, contents));
        }
    }

    /// Goes back to the last savepoint; false if there is none.
    pub fn undo(&mut self) -> bool {
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

    /// Undoes one change.
    pub fn take_back(&mut self, record: Record) {
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
