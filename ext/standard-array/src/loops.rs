//! The positions of loops by reference when `array_shift` or `array_splice` changes their array.
//!
//! Zend handles loops in the order of their positions while it walks over the elements. If the lowest remaining position
//! is no element any more, neither that loop nor the loops behind it are moved. So all loops of an array are handled
//! together.

use phlox_runtime::PhpArr;

/// The loops over one array.
pub struct Loops<'a> {
    array: &'a PhpArr,
    places: &'a mut [u32],
    /// Positions in use, which are fewer once the last element is gone.
    used: u32,
    /// The position where the next loop is looked for.
    awaited: u32,
}

/// What `array_splice` does to an array.
pub struct Cut {
    pub start: usize,
    pub end: usize,
    pub added: usize,
    /// The caller gets the removed elements. Zend then counts them when it moves the loops behind them.
    pub counts_removed: bool,
}

impl<'a> Loops<'a> {
    /// The loops over `array`, whose positions are in `places`.
    pub fn of(array: &'a PhpArr, places: &'a mut [u32]) -> Loops<'a> {
        let mut loops = Loops { array, places, used: array.positions(), awaited: 0 };
        loops.wait_from(0);
        loops
    }

    fn wait_from(&mut self, from: u32) {
        let places = self.places.iter().copied().filter(|&place| place >= from);
        self.awaited = places.chain([self.used]).min().unwrap_or(self.used);
    }

    /// The element moves to another position, and so do the loops that visit it next.
    fn element_moves(&mut self, from: u32, to: u32) {
        if from == self.awaited {
            self.places.iter_mut().filter(|place| **place == from).for_each(|place| *place = to);
            self.wait_from(from + 1);
        }
    }

    /// The element is removed. If it was the last one, no loop waits behind the one before it.
    fn element_goes(&mut self, at: u32, end_of_others: u32) {
        if at + 1 == self.used {
            self.used = end_of_others;
            self.places.iter_mut().for_each(|place| *place = (*place).min(end_of_others));
        }
    }

    fn elements(&self) -> impl Iterator<Item = u32> + use<'a> {
        let array = self.array;
        (0..array.positions()).filter(|&at| array.at(at).is_some())
    }

    /// Moves the loops' positions for `array_shift()` of a list.
    pub fn shift(mut self) {
        let mut elements = self.elements();
        let Some(first) = elements.next() else { return };
        self.element_goes(first, 0);
        self.wait_from(0);
        for (to, from) in elements.enumerate() {
            self.element_moves(from, to as u32);
        }
    }

    /// Moves the loops' positions for `array_splice()`.
    pub fn splice(mut self, cut: &Cut) {
        let (mut to, mut end_of_others) = (0, 0);
        for (number, at) in self.elements().enumerate() {
            if (cut.start..cut.end).contains(&number) {
                self.element_goes(at, end_of_others);
                to += u32::from(cut.counts_removed);
                if self.array.is_packed() {
                    self.element_moves(at, cut.end as u32);
                }
                continue;
            }
            if number == cut.end {
                to += cut.added as u32;
                if !self.array.is_packed() {
                    self.wait_from(self.awaited);
                }
            }
            self.element_moves(at, to);
            end_of_others = at + 1;
            to += 1;
        }
    }
}
