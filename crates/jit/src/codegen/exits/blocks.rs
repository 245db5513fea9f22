//! The cold blocks of a unit's side exits, one for each snapshot and kind of exit.

use crate::codegen::exits::inlined::InlinedExit;
use cranelift_codegen::ir;
use phlox_hhir::SnapId;

/// The blocks that have been asked for so far.
#[derive(Default)]
pub(crate) struct Exits {
    rows: Vec<(SnapId, bool, ir::Block)>,
    /// The blocks at which all exits of a kind end, by whether they are side exits. They take the position.
    pub roots: [Option<ir::Block>; 2],
    /// The blocks at which all exits with tables end, by whether they are side exits. They take the table's address.
    pub mapped: [Option<ir::Block>; 2],
    /// The blocks at which exits end because the code above the frame took a side exit, or (second) threw an exception. They
    /// take a table's address and the status.
    pub above: [Option<ir::Block>; 2],
    /// Side exits of inlined functions that no snapshot's block stands for.
    pub inlined: Vec<InlinedExit>,
}

impl Exits {
    /// The block for a snapshot; `is_side`: the exit is a side exit, and no regular end of the region.
    pub fn find(&self, snap: SnapId, is_side: bool) -> Option<ir::Block> {
        // All exits of one opline are asked for in a row, so the search can stop early.
        let rows = self.rows.iter().rev();
        rows.take(8).find(|row| row.0 == snap && row.1 == is_side).map(|row| row.2)
    }

    /// Adds the block for a snapshot.
    pub fn add(&mut self, snap: SnapId, is_side: bool, block: ir::Block) {
        self.rows.push((snap, is_side, block));
    }

    /// Takes all blocks out, to be written.
    pub fn take(&mut self) -> Vec<(SnapId, bool, ir::Block)> {
        std::mem::take(&mut self.rows)
    }
}
