//! Which regions of pending calls a position is inside of.

use phlox_hhbc::{FpiRegion, Func};

/// Goes through a function's positions in their order.
#[derive(Default)]
pub(crate) struct OpenRegions {
    /// All regions that were not come to, the first one last.
    ahead: Vec<FpiRegion>,
    /// Those that the position is inside of, outermost first.
    open: Vec<FpiRegion>,
}

impl OpenRegions {
    /// Starts before a function's first instruction, in the memory that was used for another function.
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

    /// Regions nest, so that those that end before a position are the innermost ones.
    fn leave(&mut self, pc: usize) {
        while self.open.pop_if(|region| region.call.index() < pc).is_some() {}
    }

    pub fn open(&self) -> &[FpiRegion] {
        &self.open
    }
}
