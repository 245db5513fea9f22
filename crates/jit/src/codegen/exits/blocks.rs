//! The cold blocks of a unit, one for each snapshot and each way of leaving with it.

use crate::codegen::exits::inlined::InlinedExit;
use cranelift_codegen::ir;
use phlox_hhir::SnapId;

#[derive(Default)]
pub(crate) struct Exits {
    rows: Vec<(SnapId, bool, ir::Block)>,
    /// Where all ways of leaving end that are not, or are, early: blocks that take the position.
    pub roots: [Option<ir::Block>; 2],
    /// The same of ways that have a map: blocks that take its address.
    pub mapped: [Option<ir::Block>; 2],
    /// Where all ways of leaving end because what runs above the frame has left its own, or has thrown: blocks that take a map's
    /// address and what was given.
    pub above: [Option<ir::Block>; 2],
    /// Ways out of inlined functions that no snapshot's block stands for.
    pub inlined: Vec<InlinedExit>,
}

impl Exits {
    /// `is_side`: not the end of the loop.
    pub fn find(&self, snap: SnapId, is_side: bool) -> Option<ir::Block> {
        // Exits of an opline follow each other.
        let rows = self.rows.iter().rev();
        rows.take(8).find(|row| row.0 == snap && row.1 == is_side).map(|row| row.2)
    }

    pub fn add(&mut self, snap: SnapId, is_side: bool, block: ir::Block) {
        self.rows.push((snap, is_side, block));
    }

    pub fn take(&mut self) -> Vec<(SnapId, bool, ir::Block)> {
        std::mem::take(&mut self.rows)
    }
}
