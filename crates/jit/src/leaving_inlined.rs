//! How code of inlined functions is left: their frames are written above that of the unit's function, as calls would have
//! made them.

use crate::layout::{Context, Entry};
use crate::native::{Refusal, Translation, count};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, types as clif};
use phlox_hhir::unit::Slot;
use phlox_hhir::{FrameId, SnapId};
use std::collections::HashMap;
use std::mem::offset_of;

/// A way out of an inlined function.
pub(crate) struct InlinedExit {
    pub snap: SnapId,
    pub way: Way,
    pub block: Block,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The interpreter goes on with the snapshot's opline.
    Before { is_side: bool },
    /// It goes on behind it, with the innermost frame's cells written.
    Behind,
    /// What runs above the innermost frame, whose cells are written, has left its own: the block takes what that gave.
    Below,
}

/// The blocks that write the callers of inlined frames, by the caller's snapshot and the frame above it.
type Below = HashMap<(SnapId, FrameId, bool), Block>;

impl Translation<'_> {
    pub(crate) fn write_inlined_exits(&mut self, exits: Vec<InlinedExit>) -> Result<(), Refusal> {
        let (mut below, mut ends) = (Below::new(), [None; 2]);
        for InlinedExit { snap, way, block } in exits {
            let snap = self.unit.snap(snap);
            let Some(caller) = snap.caller else { return Err("an exit without a caller".to_owned()) };
            let is_side = way == Way::Behind || way == Way::Before { is_side: true };
            let next = self.below(caller, snap.frame, is_side, &mut below, &mut ends)?;
            self.builder.switch_to_block(block);
            let (stack, context, start) = (self.stack, self.context, self.start_of(snap.frame));
            if way == Way::Below {
                let call = self.int(self.position_in(snap.frame, snap.opline) as i64);
                self.store(call, stack, start + self.shape.header.ip as usize);
                let position = self.builder.block_params(block)[0];
                self.builder.ins().jump(next, &[BlockArg::Value(position)]);
                continue;
            }
            if way != Way::Behind {
                self.write_back_at(&snap.entries, start)?;
            }
            let frame = self.builder.ins().iadd_imm_s(stack, start as i64);
            self.store(frame, context, offset_of!(Context, frame));
            let depth = self.int(self.depth_of(snap.frame));
            self.store(depth, context, offset_of!(Context, inlined));
            let opline = snap.opline + u32::from(way == Way::Behind);
            let position = self.position_in(snap.frame, opline) | u64::from(is_side);
            let position = self.int(position as i64);
            self.builder.ins().jump(next, &[BlockArg::Value(position)]);
        }
        Ok(())
    }

    /// Leaves an inlined function from here on.
    pub(crate) fn leave_inlined(&mut self, snap: SnapId, way: Way, args: &[BlockArg]) {
        let block = if args.is_empty() { self.builder.create_block() } else { self.block_of_position() };
        self.builder.set_cold_block(block);
        self.builder.ins().jump(block, args);
        self.exits.inlined.push(InlinedExit { snap, way, block });
    }

    /// The block that writes the frame below an inlined one, and those below that.
    fn below(
        &mut self,
        caller: SnapId,
        above: FrameId,
        is_side: bool,
        known: &mut Below,
        ends: &mut [Option<Block>; 2],
    ) -> Result<Block, Refusal> {
        if let Some(&block) = known.get(&(caller, above, is_side)) {
            return Ok(block);
        }
        let snap = self.unit.snap(caller);
        let next = match snap.caller {
            Some(caller) => self.below(caller, snap.frame, is_side, known, ends)?,
            None => self.end_of_inlined(is_side, ends),
        };
        let block = self.block_of_position();
        known.insert((caller, above, is_side), block);
        self.builder.switch_to_block(block);
        let (own, header) = (self.start_of(snap.frame), self.start_of(above));
        self.write_back_at(&snap.entries, own)?;
        let (stack, shape) = (self.stack, self.shape.header);
        let frame = self.builder.ins().iadd_imm_s(stack, own as i64);
        self.store(frame, stack, header + shape.prev as usize);
        let args = self.unit.frames[above.at()].args;
        let args = self.builder.ins().iconst(clif::I32, i64::from(args));
        self.store(args, stack, header + shape.argc as usize);
        let call = self.int(self.position_in(snap.frame, snap.opline) as i64);
        self.store(call, stack, own + shape.ip as usize);
        let position = self.builder.block_params(block)[0];
        self.builder.ins().jump(next, &[BlockArg::Value(position)]);
        Ok(block)
    }

    /// Returns to who has entered the code.
    fn end_of_inlined(&mut self, is_side: bool, ends: &mut [Option<Block>; 2]) -> Block {
        if let Some(block) = ends[usize::from(is_side)] {
            return block;
        }
        let block = self.block_of_position();
        ends[usize::from(is_side)] = Some(block);
        self.builder.switch_to_block(block);
        if let (Some(taken), true) = (self.taken, is_side) {
            count(&mut self.builder, taken.entry + offset_of!(Entry, exits) as u64);
        }
        let position = self.builder.block_params(block)[0];
        self.give_position(position);
        block
    }

    /// Where a frame would lie, in bytes from that of the unit's function.
    pub(crate) fn start_of(&self, frame: FrameId) -> usize {
        let row = &self.unit.frames[frame.at()];
        row.caller.map_or(0, |caller| self.start_of(caller) + self.shape.offset(Slot::Local(row.base)))
    }

    fn depth_of(&self, frame: FrameId) -> i64 {
        self.unit.frames[frame.at()].caller.map_or(0, |caller| 1 + self.depth_of(caller))
    }

    /// The address of an opline of a frame's function.
    fn position_in(&self, frame: FrameId, opline: u32) -> u64 {
        let row = &self.unit.frames[frame.at()];
        match row.caller {
            None => self.shape.position(opline),
            Some(_) => row.func.0 + u64::from(opline) * u64::from(self.shape.opline_bytes),
        }
    }
}
