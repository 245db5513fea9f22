//! Positions of `foreach` by reference loops, which must survive rehashing and separation.

use super::PhpArr;
use std::cell::{Cell, RefCell};

struct Registered {
    id: u32,
    /// Address of the table the position belongs to; 0: gone.
    table: usize,
    position: u32,
    /// Copies made of the table while it was iterated: the position is good for them too.
    copies: Vec<usize>,
    /// A function is changing the array in place (sorting it): the position is good for what it puts back.
    in_place: bool,
}

thread_local! {
    static REGISTERED: RefCell<Vec<Registered>> = const { RefCell::new(Vec::new()) };
    static NEXT_ID: Cell<u32> = const { Cell::new(0) };
}

/// A position in an array that follows the elements when the table is rebuilt or copied.
#[derive(Debug)]
pub struct HashIterator {
    id: u32,
}

impl HashIterator {
    /// Registers a position at the first element.
    pub fn new(array: &mut PhpArr) -> HashIterator {
        array.separate();
        let id = NEXT_ID.get();
        NEXT_ID.set(id.wrapping_add(1));
        let entry = Registered { id, table: array.address(), position: 0, copies: Vec::new(), in_place: false };
        REGISTERED.with(|all| all.borrow_mut().push(entry));
        count(array, 1);
        HashIterator { id }
    }

    /// The position of the next element of `array`, if there is one; moves on behind it. An array that replaces the table
    /// iterated so far keeps the position if it is a copy of it; an unrelated one starts at its internal pointer.
    pub fn advance(&self, array: &PhpArr) -> Option<u32> {
        REGISTERED.with(|all| {
            let mut all = all.borrow_mut();
            // Inner loops are registered last.
            let entry = all.iter_mut().rfind(|entry| entry.id == self.id)?;
            if entry.table != array.address() {
                if !std::mem::take(&mut entry.in_place) && !entry.copies.contains(&array.address()) {
                    entry.position = array.internal_position();
                }
                entry.table = array.address();
                entry.copies.clear();
                count(array, 1);
            }
            let at = array.position_from(entry.position)?;
            entry.position = at + 1;
            Some(at)
        })
    }
}

/// The array is about to be replaced by a changed version of itself, with the same positions.
pub fn keep_positions(array: &PhpArr) {
    if array.inner().iterators.get() == 0 {
        return;
    }
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut().filter(|entry| entry.table == array.address()) {
            entry.in_place = true;
        }
    });
}

/// As [`keep_positions`], for a version whose elements have no holes between them: `map` says which element (by
/// number) a loop goes on with that would have visited the given one next.
pub fn move_positions(array: &PhpArr, map: impl Fn(u32) -> u32) {
    if array.inner().iterators.get() == 0 {
        return;
    }
    let number =
        |position: u32| (0..position.min(array.positions())).filter(|&at| array.at(at).is_some()).count() as u32;
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut().filter(|entry| entry.table == array.address()) {
            entry.in_place = true;
            entry.position = map(number(entry.position));
        }
    });
}

/// The table lost its last elements: nobody waits behind its end.
pub(super) fn clamp_positions(table: usize, end: u32) {
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut().filter(|entry| entry.table == table) {
            entry.position = entry.position.min(end);
        }
    });
}

impl Drop for HashIterator {
    fn drop(&mut self) {
        // The table's counter is only a hint that somebody may be registered, so it is left alone:
        // the table may be gone already.
        REGISTERED.with(|all| all.borrow_mut().retain(|entry| entry.id != self.id));
    }
}

fn count(array: &PhpArr, more: u8) {
    let counter = &array.inner().iterators;
    counter.set(counter.get().saturating_add(more));
}

/// An element moved from one position to another; later positions have not moved yet.
pub(super) fn move_position(table: usize, from: u32, to: u32) {
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut().filter(|entry| entry.table == table && entry.position == from) {
            entry.position = to;
        }
    });
}

/// `copy` has the same positions as `table`.
pub(super) fn note_copy(table: usize, copy: usize) {
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut().filter(|entry| entry.table == table) {
            entry.copies.push(copy);
        }
    });
}

/// The table is freed.
pub(super) fn forget_table(table: usize) {
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut() {
            if entry.table == table {
                entry.table = 0;
            }
            entry.copies.retain(|&copy| copy != table);
        }
    });
}
