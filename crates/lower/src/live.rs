//! The temporaries and pending calls that are live at oplines.

use foldhash::HashMap;

/// Something in the temporaries that unwinding must release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Live {
    Value(u32),
    /// An argument that was passed to the pending call below it.
    Arg(u32),
    /// The header of a pending call.
    Call(u32),
}

/// The live sets of a function, by number; 0 is the empty set. Sets with the same beginning share it, so that a call with ten
/// thousand arguments has ten thousand links and not as many lists.
#[derive(Clone, Debug, Default)]
pub struct LiveSets {
    /// Set `n` is link `n - 1`: an element that is added to another set.
    links: Vec<(u32, Live)>,
}

impl LiveSets {
    /// The elements of a set in the order in which PHP releases them: calls, the innermost one first, each after its arguments;
    /// then the other values from the bottom of the stack up.
    pub fn get(&self, set: u32) -> Vec<Live> {
        let (mut elements, mut args, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = set;
        while let Some((before, live)) = (at as usize).checked_sub(1).and_then(|index| self.links.get(index)) {
            match live {
                Live::Value(_) => values.push(*live),
                Live::Arg(_) => args.push(*live),
                Live::Call(_) => {
                    elements.extend(args.drain(..).rev());
                    elements.push(*live);
                }
            }
            at = *before;
        }
        elements.extend(values.into_iter().rev());
        elements
    }
}

/// Numbers sets. A set is built from the one before, with which it mostly shares its beginning.
#[derive(Default)]
pub(crate) struct LiveInterner {
    pub sets: LiveSets,
    known: HashMap<(u32, Live), u32>,
    /// The number of the set up to each position of the stack.
    last: Vec<u32>,
}

impl LiveInterner {
    /// Gives the sets out, and starts anew with the same memory.
    pub fn take(&mut self) -> LiveSets {
        self.known.clear();
        self.last.clear();
        std::mem::take(&mut self.sets)
    }

    /// The next set shares the elements of the first `positions` positions with the one before.
    pub fn keep(&mut self, positions: usize) {
        self.last.truncate(positions);
    }

    /// Adds what is live at the next position, if something is.
    pub fn add(&mut self, live: Option<Live>) {
        let before = self.number();
        let set = live.map_or(before, |live| self.link(before, live));
        self.last.push(set);
    }

    /// The number of the set that has been built.
    pub fn number(&self) -> u32 {
        self.last.last().copied().unwrap_or(0)
    }

    /// The number of the set `before` with `live` added.
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
        let mut intern = |keep: usize, live: &[Option<Live>]| {
            interner.keep(keep);
            live.iter().for_each(|live| interner.add(*live));
            interner.number()
        };
        let [call, first, second, third] = [Live::Call(0), Live::Arg(3), Live::Value(4), Live::Value(5)];
        let long = intern(0, &[Some(call), Some(first), Some(second), Some(third)]);
        let short = intern(1, &[None, Some(second)]);
        assert_eq!(intern(1, &[Some(first), None, Some(second), Some(third)]), long);
        assert_eq!(intern(0, &[]), 0);
        assert_eq!(interner.sets.get(long), [first, call, second, third]);
        assert_eq!(interner.sets.get(short), [call, second]);
        assert_eq!(interner.sets.get(0), []);
    }
}
