//! The regions of pending calls that a position is inside of.

use phlox_hhbc::{FpiRegion, Func};

/// A walk through a function's positions in ascending order.
#[derive(Default)]
pub(crate) struct OpenRegions {
    /// The regions that have not been reached, the first one last.
    ahead: Vec<FpiRegion>,
    /// The regions that the position is inside of, outermost first.
    open: Vec<FpiRegion>,
}

impl OpenRegions {
    /// Starts in front of a function's first instruction, using the memory of the function before.
    pub fn look_at(&mut self, code: &Func) {
        self.open.clear();
        self.ahead.clear();
        self.ahead.extend_from_slice(&code.fpi);
        self.ahead.sort_unstable_by_key(|region| std::cmp::Reverse(region.push));
    }

    /// Goes on to a position.
    pub fn go_to(&mut self, pc: usize) {
        while let Some(region) = self.ahead.pop_if(|region| region.push.index() < pc) {
            self.leave(region.push.index());
            self.open.push(region);
        }
        self.leave(pc);
    }

    /// Removes the regions that end before a position: regions nest, so these are the innermost ones.
    fn leave(&mut self, pc: usize) {
        while self.open.pop_if(|region| region.call.index() < pc).is_some() {}
    }

    /// The regions that the position is inside of, outermost first.
    pub fn open(&self) -> &[FpiRegion] {
        &self.open
    }
}
