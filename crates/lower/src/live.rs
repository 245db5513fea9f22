//! What is live at oplines.

use foldhash::HashMap;

/// Something in the temporaries that must be freed when an exception passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Live {
    Value(u32),
    /// The header of a pending call.
    Call(u32),
}

/// The sets of an opline list, by number; 0 is the empty one. Sets that begin alike share their beginning, so that a call
/// with ten thousand arguments has ten thousand links and not as many lists.
#[derive(Clone, Debug, Default)]
pub struct LiveSets {
    /// Set `n` is link `n - 1`: an element after those of another set.
    links: Vec<(u32, Live)>,
}

impl LiveSets {
    /// The elements of a set, first one first.
    pub fn get(&self, set: u32) -> Vec<Live> {
        let mut elements = Vec::new();
        let mut at = set;
        while let Some((before, live)) = (at as usize).checked_sub(1).and_then(|index| self.links.get(index)) {
            elements.push(*live);
            at = *before;
        }
        elements.reverse();
        elements
    }
}

/// Gives sets their numbers.
#[derive(Default)]
pub(crate) struct LiveInterner {
    pub sets: LiveSets,
    known: HashMap<(u32, Live), u32>,
    /// The set that was asked for last, with the number at each element: the next one mostly begins the same way.
    last: Vec<(Live, u32)>,
}

impl LiveInterner {
    /// Hands the sets out, and starts anew in the same memory.
    pub fn take(&mut self) -> LiveSets {
        self.known.clear();
        self.last.clear();
        std::mem::take(&mut self.sets)
    }

    pub fn intern(&mut self, elements: impl Iterator<Item = Live>) -> u32 {
        let mut set = 0;
        let mut length = 0;
        for live in elements {
            match self.last.get(length) {
                Some((known, number)) if *known == live => set = *number,
                _ => {
                    self.last.truncate(length);
                    set = self.link(set, live);
                    self.last.push((live, set));
                }
            }
            length += 1;
        }
        self.last.truncate(length);
        set
    }

    fn link(&mut self, before: u32, live: Live) -> u32 {
        let links = &mut self.sets.links;
        *self.known.entry((before, live)).or_insert_with(|| {
            links.push((before, live));
            links.len() as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_one_number_and_keep_their_order() {
        let mut interner = LiveInterner::default();
        let long = [Live::Value(0), Live::Value(1), Live::Call(2)];
        let short = [Live::Value(0), Live::Call(2)];
        let numbers = [interner.intern(long.into_iter()), interner.intern(short.into_iter())];
        assert_eq!(interner.intern(long.into_iter()), numbers[0]);
        assert_eq!(interner.intern(std::iter::empty()), 0);
        assert_eq!(interner.sets.get(numbers[0]), long);
        assert_eq!(interner.sets.get(numbers[1]), short);
        assert_eq!(interner.sets.get(0), []);
    }
}
