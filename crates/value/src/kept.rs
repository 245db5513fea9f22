//! Mappings that are in no use, for the next blocks of their sizes: programs free and take the same sizes again and again, and fresh
//! pages are slow. What is kept does not count as used.

use crate::pages;
use std::cell::Cell;

const NOTHING: (*mut u8, usize) = (std::ptr::null_mut(), 0);
const PLACES: usize = 8;

/// The mappings, the youngest first, with their sizes; empty places are last.
pub(crate) struct Kept {
    places: [Cell<(*mut u8, usize)>; PLACES],
    bytes: Cell<usize>,
    /// Whether one has been of use.
    hit: Cell<bool>,
}

impl Kept {
    pub const fn new() -> Kept {
        Kept { places: [const { Cell::new(NOTHING) }; PLACES], bytes: Cell::new(0), hit: Cell::new(false) }
    }

    /// Whether there is a mapping of this size.
    pub fn has(&self, bytes: usize) -> bool {
        self.places.iter().any(|place| place.get().1 == bytes)
    }

    /// Whether a mapping that was kept has ever been taken.
    pub fn has_been_of_use(&self) -> bool {
        self.hit.get()
    }

    /// A mapping of this size, which is in use from now on.
    pub fn take(&self, bytes: usize) -> Option<*mut u8> {
        let at = self.places.iter().position(|place| place.get().1 == bytes)?;
        self.hit.set(true);
        Some(self.remove(at).0)
    }

    /// The largest one with its size, if that is at least half of this one.
    pub fn take_near(&self, bytes: usize) -> Option<(*mut u8, usize)> {
        let (at, place) = self.places.iter().enumerate().max_by_key(|(_, place)| place.get().1)?;
        (place.get().1 >= bytes / 2 && place.get().1 > 0).then(|| self.remove(at))
    }

    /// Keeps a mapping; if there are too many, the oldest one goes.
    ///
    /// # Safety
    /// As [`pages::unmap`].
    pub unsafe fn add(&self, block: *mut u8, bytes: usize) {
        let (oldest, size) = self.remove(PLACES - 1);
        if size > 0 {
            // SAFETY: a mapping that is in no use.
            unsafe { pages::unmap(oldest, size) };
        }
        for at in (1..PLACES).rev() {
            self.places[at].set(self.places[at - 1].get());
        }
        self.places[0].set((block, bytes));
        self.bytes.set(self.bytes.get() + bytes);
    }

    /// Gives mappings back to the system, the oldest first, until no more than so many bytes are kept.
    pub fn shrink(&self, most: usize) {
        for at in (0..PLACES).rev() {
            if self.bytes.get() <= most {
                return;
            }
            let (block, bytes) = self.remove(at);
            if bytes > 0 {
                // SAFETY: a mapping that is in no use.
                unsafe { pages::unmap(block, bytes) };
            }
        }
    }

    fn remove(&self, at: usize) -> (*mut u8, usize) {
        let removed = self.places[at].get();
        for at in at..PLACES - 1 {
            self.places[at].set(self.places[at + 1].get());
        }
        self.places[PLACES - 1].set(NOTHING);
        self.bytes.set(self.bytes.get() - removed.1);
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::{STEP, map};

    #[test]
    fn the_oldest_goes_first_and_sizes_are_found() {
        let kept = Kept::new();
        for steps in 1..=PLACES + 2 {
            // SAFETY: the mapping is in no use.
            unsafe { kept.add(map(steps * STEP), steps * STEP) };
        }
        assert!(!kept.has(2 * STEP) && kept.has(3 * STEP));
        let block = kept.take(5 * STEP);
        assert!(block.is_some() && !kept.has(5 * STEP));
        assert!(kept.take_near(21 * STEP).is_none());
        let (near, size) = kept.take_near(20 * STEP).unwrap_or(NOTHING);
        assert_eq!(size, 10 * STEP);
        kept.shrink(17 * STEP);
        assert!(kept.has(9 * STEP) && kept.has(8 * STEP) && !kept.has(7 * STEP));
        kept.shrink(0);
        assert_eq!(kept.bytes.get(), 0);
        // SAFETY: both were taken, and are used no more.
        unsafe {
            pages::unmap(near, size);
            pages::unmap(block.unwrap_or(near), 5 * STEP);
        }
    }
}
