//! The internal pointer of an array: the position that `current()`, `next()` and the other pointer functions use.
//!
//! The pointer is a position in the table, holes counted, and this file alone defines how it moves. When the element there is
//! removed, the pointer stays on the hole: reading goes on to the next element, `prev()` goes back from the hole. Behind the last
//! element it is one past the last position, so that an appended element is found there. A table that closes its holes moves the
//! pointer along with the element that it leads to. The pointer of a copy of a shared table follows rules of Zend's, some of them
//! surprising.

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
    /// The first position at or after `from` that has an element.
    #[inline]
    pub(super) fn element_from(&self, from: u32) -> Option<u32> {
        (from..self.used).find(|&at| self.value_at(at).is_some())
    }

    /// The last position before `end` that has an element.
    #[inline]
    pub(super) fn element_back_from(&self, end: u32) -> Option<u32> {
        (0..end.min(self.used)).rev().find(|&at| self.value_at(at).is_some())
    }

    /// Moves the pointer. It stays in an empty table, and `next()` and `prev()` do not move it from behind the last element.
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

    /// Moves a pointer that is past the end back to the end, after the table lost its last positions.
    #[inline]
    pub(super) fn pull_pointer_in(&self) {
        self.internal_position.set(self.internal_position.get().min(self.used));
    }
}

/// Finds where the pointer is once a table has closed its holes: at the element that it led to. A pointer behind the end stays
/// where it is.
pub(super) struct ClosingHoles {
    before: u32,
    after: Option<u32>,
}

impl ClosingHoles {
    /// Starts with the pointer before the holes are closed.
    pub(super) fn new(pointer: u32) -> ClosingHoles {
        ClosingHoles { before: pointer, after: None }
    }

    /// Notes that an element moves from one position to another; elements are noted in order.
    #[inline]
    pub(super) fn moves(&mut self, from: u32, to: u32) {
        if from >= self.before && self.after.is_none() {
            self.after = Some(to);
        }
    }

    /// The new pointer; it is 0 if the table has no elements.
    #[inline]
    pub(super) fn pointer(&self, is_empty: bool) -> u32 {
        self.after.unwrap_or(if is_empty { 0 } else { self.before })
    }
}

/// Finds where the pointer is in a copy of a shared table that leaves the holes out. The pointer follows an element that it was
/// at; behind the end it goes back to the start.
pub(super) struct CopyWithoutHoles {
    before: u32,
    after: u32,
    any_hole: bool,
}

impl CopyWithoutHoles {
    /// Starts with the pointer of the table that is copied.
    pub(super) fn new(other: &ArrHeader) -> CopyWithoutHoles {
        let before = other.internal_position.get();
        CopyWithoutHoles { before, after: in_copy(before, other.used), any_hole: false }
    }

    /// Notes a hole.
    #[inline]
    pub(super) fn hole(&mut self) {
        self.any_hole = true;
    }

    /// Notes that an element moves from one position to another; elements are noted in order.
    #[inline]
    pub(super) fn moves(&mut self, from: u32, to: u32) {
        if from == self.before && self.any_hole {
            self.after = to;
        }
    }

    /// The pointer of the copy.
    #[inline]
    pub(super) fn pointer(&self) -> u32 {
        self.after
    }
}

/// The pointer of a copy of a shared table with equal positions.
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

    /// Resets the internal pointer to position 0, where a new table has it.
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
