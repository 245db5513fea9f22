//! The internal pointer: the position that `current()`, `next()` and the like go by.
//!
//! It is a position in the table, holes counted, and this file alone says what becomes of it. Removing the element there leaves
//! it on the hole: who reads it goes on to the next element, `prev()` goes back from the hole. Behind the last element it is
//! one past the last position, so that what is appended is found there. A table that closes its holes takes it along with the
//! element it leads to. A copy of a shared table keeps it by rules of its own, some of them surprising, which are Zend's.

use super::layout::ArrHeader;
use super::{Key, PhpArr};
use crate::val::Val;

/// A way to move the internal pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerStep {
    /// `reset()`
    First,
    /// `end()`
    Last,
    /// `next()`
    Next,
    /// `prev()`
    Previous,
}

impl ArrHeader {
    #[inline]
    pub(super) fn element_from(&self, from: u32) -> Option<u32> {
        (from..self.used).find(|&at| self.value_at(at).is_some())
    }

    #[inline]
    pub(super) fn element_back_from(&self, end: u32) -> Option<u32> {
        (0..end.min(self.used)).rev().find(|&at| self.value_at(at).is_some())
    }

    /// Moves the pointer. In an empty table, and behind the last element, there is no way to go.
    fn step_pointer(&self, step: PointerStep) {
        if self.count == 0 {
            return;
        }
        let here = self.internal_position.get();
        let found = match step {
            PointerStep::First => self.element_from(0),
            PointerStep::Last => self.element_back_from(self.used),
            PointerStep::Previous if here >= self.used => return,
            PointerStep::Previous => self.element_back_from(here),
            PointerStep::Next => match self.element_from(here) {
                Some(element) => self.element_from(element + 1),
                None => return,
            },
        };
        self.internal_position.set(found.unwrap_or(self.used));
    }

    /// The table lost its last positions.
    #[inline]
    pub(super) fn pull_pointer_in(&self) {
        self.internal_position.set(self.internal_position.get().min(self.used));
    }
}

/// Where the pointer is once a table has closed its holes: at the element it led to. One behind the end stays where it is.
pub(super) struct ClosingHoles {
    before: u32,
    after: Option<u32>,
}

impl ClosingHoles {
    pub(super) fn new(pointer: u32) -> ClosingHoles {
        ClosingHoles { before: pointer, after: None }
    }

    /// An element moves, in order.
    #[inline]
    pub(super) fn moves(&mut self, from: u32, to: u32) {
        if from >= self.before && self.after.is_none() {
            self.after = Some(to);
        }
    }

    /// The pointer in a table with elements, or in one that has none.
    #[inline]
    pub(super) fn pointer(&self, is_empty: bool) -> u32 {
        self.after.unwrap_or(if is_empty { 0 } else { self.before })
    }
}

/// Where the pointer is in a copy of a shared table that leaves the holes out. Only if it was at an element does it follow
/// that; behind the end it goes back to the start.
pub(super) struct CopyWithoutHoles {
    before: u32,
    after: u32,
    any_hole: bool,
}

impl CopyWithoutHoles {
    pub(super) fn new(other: &ArrHeader) -> CopyWithoutHoles {
        let before = other.internal_position.get();
        CopyWithoutHoles { before, after: in_copy(before, other.used), any_hole: false }
    }

    #[inline]
    pub(super) fn hole(&mut self) {
        self.any_hole = true;
    }

    #[inline]
    pub(super) fn moves(&mut self, from: u32, to: u32) {
        if from == self.before && self.any_hole {
            self.after = to;
        }
    }

    #[inline]
    pub(super) fn pointer(&self) -> u32 {
        self.after
    }
}

/// Where the pointer is in a copy of a shared table with the same positions.
#[inline]
pub(super) fn in_copy(pointer: u32, used: u32) -> u32 {
    if pointer < used { pointer } else { 0 }
}

impl PhpArr {
    /// The element at the internal pointer, or the next one if there is a hole.
    #[inline]
    pub fn pointed(&self) -> Option<(Key<'_>, &Val)> {
        let table = self.inner();
        self.at(table.element_from(table.internal_position.get())?)
    }

    /// Moves the internal pointer. A shared table is copied first, even if the pointer stays.
    pub fn move_pointer(&mut self, step: PointerStep) {
        self.separate();
        self.table_mut().step_pointer(step);
    }

    /// Puts the internal pointer back to where a new table has it.
    pub fn rewind_pointer(&mut self) {
        self.separate();
        self.table_mut().internal_position.set(0);
    }

    /// The internal pointer as a position; it may be on a hole or past the end.
    #[inline]
    pub fn pointer(&self) -> u32 {
        self.head().internal_position.get()
    }

    /// Puts the internal pointer at a position.
    #[inline]
    pub fn set_pointer(&mut self, position: u32) {
        self.separate();
        self.table_mut().internal_position.set(position);
    }
}
