//! A cache of unused mappings for later blocks of equal sizes: programs free and allocate equal sizes again and again, and fresh
//! pages are slow. Cached mappings do not count as used memory.

use crate::pages;
use std::cell::Cell;

const NOTHING: (*mut u8, usize) = (std::ptr::null_mut(), 0);
const PLACES: usize = 8;

/// The cached mappings with their sizes, the youngest first; empty places are last.
pub(crate) struct Kept {
    places: [Cell<(*mut u8, usize)>; PLACES],
    bytes: Cell<usize>,
    /// Whether a cached mapping has been reused.
    hit: Cell<bool>,
}

impl Kept {
    /// An empty cache.
    pub const fn new() -> Kept {
        Kept { places: [const { Cell::new(NOTHING) }; PLACES], bytes: Cell::new(0), hit: Cell::new(false) }
    }

    /// Whether a mapping of this size is cached.
    pub fn has(&self, bytes: usize) -> bool {
        self.places.iter().any(|place| place.get().1 == bytes)
    }

    /// Whether a cached mapping has ever been reused.
    pub fn has_been_of_use(&self) -> bool {
        self.hit.get()
    }

    /// Takes a mapping of this size out of the cache.
    pub fn take(&self, bytes: usize) -> Option<*mut u8> {
        let at = self.places.iter().position(|place| place.get().1 == bytes)?;
        self.hit.set(true);
        Some(self.remove(at).0)
    }

    /// Takes the largest mapping out of the cache, with its size, if that is at least half of `bytes`.
    pub fn take_near(&self, bytes: usize) -> Option<(*mut u8, usize)> {
        let (at, place) = self.places.iter().enumerate().max_by_key(|(_, place)| place.get().1)?;
        (place.get().1 >= bytes / 2 && place.get().1 > 0).then(|| self.remove(at))
    }

    /// Caches a mapping; if there are too many, the oldest one is unmapped.
    ///
    /// # Safety
    /// `block` is a mapping of `bytes` bytes that nothing uses.
    pub unsafe fn add(&self, block: *mut u8, bytes: usize) {
        let (oldest, size) = self.remove(PLACES - 1);
        if size > 0 {
            // SAFETY: a cached mapping of `size` bytes, which nothing uses.
            unsafe { pages::unmap(oldest, size) };
        }
        for at in (1..PLACES).rev() {
            self.places[at].set(self.places[at - 1].get());
        }
        self.places[0].set((block, bytes));
        self.bytes.set(self.bytes.get() + bytes);
    }

    /// Unmaps cached mappings, the oldest first, until no more than `most` bytes are cached.
    pub fn shrink(&self, most: usize) {
        for at in (0..PLACES).rev() {
            if self.bytes.get() <= most {
                return;
            }
            let (block, bytes) = self.remove(at);
            if bytes > 0 {
                // SAFETY: the mapping has `bytes` bytes and is not in the cache any more; nothing uses it.
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
            // SAFETY: nothing uses the new mapping.
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
        // SAFETY: both mappings were taken out of the cache, and are not used again.
        unsafe {
            pages::unmap(near, size);
            pages::unmap(block.unwrap_or(near), 5 * STEP);
        }
    }
}
