//! What a request changes of the process: the working folder, the mask of new files' permissions, signals, limits, priorities. When
//! the request ends, all of it is put back, because the process answers others.

use crate::vm::Vm;
use std::cell::RefCell;

/// How to put back one change.
type PutBack = Box<dyn FnOnce()>;

/// The changes of the running request, the first one first.
#[derive(Default)]
pub struct ProcessChanges(RefCell<Vec<(&'static str, PutBack)>>);

impl Vm {
    /// Notes how to put back a part of the process's state that is about to change. Only the first note about a part of this name
    /// counts in a request: what `put_back` puts back is the state before all changes.
    pub fn before_change(&self, part: &'static str, put_back: impl FnOnce() -> PutBack) {
        if !self.keeps_units.get() {
            return;
        }
        let mut changes = self.process_changes.0.borrow_mut();
        if !changes.iter().any(|(known, _)| *known == part) {
            changes.push((part, put_back()));
        }
    }

    /// Puts back what the request has changed of the process, the last change first.
    pub(crate) fn put_process_back(&self) {
        for (_, put_back) in self.process_changes.0.take().into_iter().rev() {
            put_back();
        }
    }
}
