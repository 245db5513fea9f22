//! Positions of `foreach` by reference loops, which must survive rehashing and separation.

use super::PhpArr;
use super::layout::ArrHeader;
use std::cell::{Cell, RefCell};

/// The position of one loop in one table.
struct Place {
    /// The table's address.
    table: usize,
    position: u32,
}

struct Registered {
    id: u32,
    /// The table iterated last, and the copies made of it and of each other since: the loop can go on in any of them.
    places: Vec<Place>,
    /// The position that the loop has in the changed array, while a function changes the array (sorts it, for instance) and has
    /// not put it back.
    pending: Option<u32>,
}

thread_local! {
    static REGISTERED: RefCell<Vec<Registered>> = const { RefCell::new(Vec::new()) };
    static NEXT_ID: Cell<u32> = const { Cell::new(0) };
    /// Whether the `pending` of some loop may be set.
    static ANY_PENDING: Cell<bool> = const { Cell::new(false) };
}

/// Forgets the loops of a request that has ended.
pub(crate) fn forget_loops() {
    REGISTERED.with(|all| all.borrow_mut().clear());
    ANY_PENDING.set(false);
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
        let places = vec![Place { table: array.address(), position: 0 }];
        let entry = Registered { id, places, pending: None };
        REGISTERED.with(|all| all.borrow_mut().push(entry));
        count(array, 1);
        HashIterator { id }
    }

    /// Whether `array` is the table iterated last or a copy made of it since.
    pub fn knows(&self, array: &PhpArr) -> bool {
        REGISTERED.with(|all| {
            let all = all.borrow();
            let entry = all.iter().rfind(|entry| entry.id == self.id);
            entry.is_some_and(|entry| entry.places.iter().any(|place| place.table == array.address()))
        })
    }

    /// The position of the next element of `array`, if there is one; the iterator moves on behind it. An array that replaces the
    /// table iterated so far keeps the position if it is a copy of that table; an unrelated array starts at its internal pointer.
    pub fn advance(&self, array: &PhpArr) -> Option<u32> {
        REGISTERED.with(|all| {
            let mut all = all.borrow_mut();
            // Inner loops are registered last.
            let entry = all.iter_mut().rfind(|entry| entry.id == self.id)?;
            let table = array.address();
            if let [place] = &mut entry.places[..]
                && place.table == table
            {
                let at = array.position_from(place.position)?;
                place.position = at + 1;
                return Some(at);
            }
            let known = entry.places.iter().position(|place| place.table == table);
            let mut place = match known {
                Some(known) => entry.places.swap_remove(known),
                None => Place { table, position: array.pointer() },
            };
            if known.is_none() {
                count(array, 1);
            }
            // Copies that are made from here on are copies of this table only.
            entry.places.clear();
            let at = array.position_from(place.position);
            place.position = at.map_or(place.position, |at| at + 1);
            entry.places.push(place);
            at
        })
    }
}

/// Remembers the loops over `array`, which is about to be replaced by a changed version of itself with equal positions: see
/// [`settle_positions`]. False if no loop iterates the array.
#[inline]
pub fn keep_positions(array: &PhpArr) -> bool {
    array.head().iterators.get() != 0 && move_to(array, |position| position)
}

/// Remembers the loops over `array`, which is about to be replaced by a changed version; `map` gives the new position for each
/// old one. False if no loop iterates the array. See [`settle_positions`].
#[inline]
pub fn move_positions(array: &PhpArr, map: impl Fn(u32) -> u32) -> bool {
    array.head().iterators.get() != 0 && move_to(array, map)
}

/// Remembers the loops over `array`, which is about to be replaced by a changed version; `change` gets the positions of all loops
/// at once, because the new position of one loop depends on the others'. False if no loop iterates the array.
#[inline]
pub fn move_all_positions(array: &PhpArr, change: impl FnOnce(&mut [u32])) -> bool {
    if array.head().iterators.get() == 0 {
        return false;
    }
    let mut positions = Vec::new();
    for_each_place(array.address(), |entry, at| positions.push(entry.places[at].position));
    change(&mut positions);
    let mut next = positions.into_iter();
    move_to(array, |position| next.next().unwrap_or(position))
}

fn move_to(array: &PhpArr, mut map: impl FnMut(u32) -> u32) -> bool {
    let mut moved = false;
    for_each_place(array.address(), |entry, at| {
        let position = map(entry.places[at].position);
        // The array itself may be changed and put back, so its own position changes, too.
        entry.places[at].position = position;
        entry.pending = Some(position);
        moved = true;
    });
    if moved {
        ANY_PENDING.set(true);
    }
    moved
}

/// Lets the loops that were remembered go on in `array`, the changed version, which is in its place now.
pub fn settle_positions(array: &PhpArr) {
    if !ANY_PENDING.replace(false) {
        return;
    }
    let table = array.address();
    let mut settled = false;
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut() {
            let Some(position) = entry.pending.take() else { continue };
            if entry.places.iter().all(|place| place.table != table) {
                entry.places.push(Place { table, position });
                settled = true;
            }
        }
    });
    if settled {
        count(array, 1);
    }
}

/// Calls `change` for each loop that has a position in the table, with the index of that position in `places`.
fn for_each_place(table: usize, mut change: impl FnMut(&mut Registered, usize)) {
    REGISTERED.with(|all| {
        for entry in all.borrow_mut().iter_mut() {
            if let Some(at) = entry.places.iter().position(|place| place.table == table) {
                change(entry, at);
            }
        }
    });
}

/// Moves loops that wait behind `end` to it: the table lost its last elements.
pub(super) fn clamp_positions(table: usize, end: u32) {
    for_each_place(table, |entry, at| {
        let position = &mut entry.places[at].position;
        *position = (*position).min(end);
    });
}

impl Drop for HashIterator {
    fn drop(&mut self) {
        // The table's counter stays: it is only a hint that some loop may be registered, and the table may be freed already.
        REGISTERED.with(|all| all.borrow_mut().retain(|entry| entry.id != self.id));
    }
}

fn count(array: &PhpArr, more: u8) {
    count_in(array.inner(), more);
}

fn count_in(table: &ArrHeader, more: u8) {
    let counter = &table.iterators;
    counter.set(counter.get().saturating_add(more));
}

/// Moves the positions of loops after the elements at the positions `kept` moved together: a loop goes on with the first of them
/// that it had not reached.
pub(super) fn close_holes(table: usize, kept: &[u32]) {
    for_each_place(table, |entry, at| {
        let position = &mut entry.places[at].position;
        *position = kept.partition_point(|&kept| kept < *position) as u32;
    });
}

/// Registers `copy`, a copy of `table`, for the loops over `table`; `moved` maps positions in the table to positions in the copy.
pub(super) fn note_copy(table: &ArrHeader, copy: &ArrHeader, moved: impl Fn(u32) -> u32) {
    count_in(copy, 1);
    let copy = std::ptr::from_ref(copy) as usize;
    for_each_place(std::ptr::from_ref(table) as usize, |entry, at| {
        let position = moved(entry.places[at].position);
        entry.places.push(Place { table: copy, position });
    });
}

/// Forgets the positions in a table that is freed.
pub(super) fn forget_table(table: usize) {
    for_each_place(table, |entry, at| {
        entry.places.swap_remove(at);
    });
}
