//! Side exits of inlined functions: their frames are materialised above that of the unit's function, as if the calls had been
//! made.

use crate::codegen::exits::tables::{Base, FrameMap, Stored};
use crate::codegen::{Refusal, Translation, count};
use crate::layout::{Context, Entry};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, types as clif};
use phlox_hhir::unit::Slot;
use phlox_hhir::{FrameId, SnapId};
use std::collections::HashMap;
use std::mem::offset_of;

/// A side exit of an inlined function.
pub(crate) struct InlinedExit {
    pub snap: SnapId,
    pub way: Way,
    pub block: Block,
}

/// Where the interpreter goes on after a side exit of an inlined function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// At the snapshot's opline.
    Before { is_side: bool },
    /// Behind the snapshot's opline; the innermost frame's cells have been written.
    Behind,
    /// In a callee of the innermost frame, which took a side exit itself: the block takes the callee's position. The innermost
    /// frame's cells have been written.
    Below,
}

/// How a side exit of an inlined function ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum End {
    /// It returns a position that counts as no failed guard.
    Done,
    /// It returns a position and counts as a failed guard.
    Side,
    /// It returns the position that a callee gave.
    Given,
}

/// The blocks that write the callers of inlined frames, with the tables of the known words, by the caller's snapshot and the
/// frame above.
type Below = HashMap<(SnapId, FrameId, End), (Block, &'static FrameMap)>;
/// The blocks at the end of the side exits.
type Ends = HashMap<End, Block>;

impl Translation<'_> {
    pub(crate) fn write_inlined_exits(&mut self, exits: Vec<InlinedExit>) -> Result<(), Refusal> {
        let (mut below, mut ends) = (Below::new(), Ends::new());
        for InlinedExit { snap, way, block } in exits {
            let snap = self.unit.snap(snap);
            let Some(caller) = snap.caller else { return Err("an exit without a caller".to_owned()) };
            let end = match way {
                Way::Before { is_side: false } => End::Done,
                Way::Before { is_side: true } | Way::Behind => End::Side,
                Way::Below => End::Given,
            };
            let (next, rest) = self.below(caller, snap.frame, end, &mut below, &mut ends)?;
            self.builder.switch_to_block(block);
            let (stack, context, start) = (self.stack, self.context(), self.start_of(snap.frame));
            if way == Way::Below {
                let (call, given) = (self.position_in(snap.frame, snap.opline), self.builder.block_params(block)[0]);
                let ip = start + self.shape.header.ip as usize;
                let noted = self.noting(|code| {
                    code.put(Base::Stack, ip, Stored::Word(call));
                    Ok(())
                })?;
                let map = self.map(FrameMap::leak(0, noted, Some(rest)));
                self.builder.ins().jump(next, &[map, given].map(BlockArg::Value));
                continue;
            }
            let noted = match way {
                Way::Behind => Vec::new(),
                _ => self.noting(|code| code.write_back_at(&snap.entries, start))?,
            };
            let frame = self.builder.ins().iadd_imm_s(stack, start as i64);
            self.store(frame, context, offset_of!(Context, frame));
            let depth = self.int(self.depth_of(snap.frame));
            self.store(depth, context, offset_of!(Context, inlined));
            let opline = snap.opline + u32::from(way == Way::Behind);
            let position = self.position_in(snap.frame, opline) | u64::from(end == End::Side);
            let map = self.given_map(FrameMap::leak(position, noted, Some(rest)));
            let none = self.int(0);
            self.builder.ins().jump(next, &[map, none].map(BlockArg::Value));
        }
        Ok(())
    }

    /// Takes a side exit of an inlined function at the end of the current block.
    pub(crate) fn leave_inlined(&mut self, snap: SnapId, way: Way, args: &[BlockArg]) {
        let block = if args.is_empty() { self.builder.create_block() } else { self.block_of_position() };
        self.builder.set_cold_block(block);
        self.builder.ins().jump(block, args);
        self.exits.inlined.push(InlinedExit { snap, way, block });
    }

    /// The block that writes the frame below an inlined one, and those below that, without their known words. It takes the
    /// address of a table, and the position for tables that do not have one.
    fn below(
        &mut self,
        caller: SnapId,
        above: FrameId,
        end: End,
        known: &mut Below,
        ends: &mut Ends,
    ) -> Result<(Block, &'static FrameMap), Refusal> {
        if let Some(&made) = known.get(&(caller, above, end)) {
            return Ok(made);
        }
        let snap = self.unit.snap(caller);
        let (next, rest) = match snap.caller {
            Some(caller) => self.below(caller, snap.frame, end, known, ends).map(|(next, rest)| (next, Some(rest)))?,
            None => (self.end_of_inlined(end, ends), None),
        };
        let block = self.block_of_map();
        self.builder.switch_to_block(block);
        let (own, header) = (self.start_of(snap.frame), self.start_of(above));
        let (args, call) = (self.unit.frames[above.at()].args, self.position_in(snap.frame, snap.opline));
        let noted = self.noting(|code| {
            code.write_back_at(&snap.entries, own)?;
            code.stand_below(own, header, args as usize);
            code.put(Base::Stack, own + code.shape.header.ip as usize, Stored::Word(call));
            Ok(())
        })?;
        let params = [0, 1].map(|at| BlockArg::Value(self.builder.block_params(block)[at]));
        self.builder.ins().jump(next, &params);
        let made = (block, FrameMap::leak(0, noted, rest));
        known.insert((caller, above, end), made);
        Ok(made)
    }

    /// Creates a cold block that takes the address of a table and a position.
    pub(crate) fn block_of_map(&mut self) -> Block {
        let block = self.block_of_position();
        self.builder.append_block_param(block, clif::I64);
        block
    }

    /// The block that has the table written, and returns to the tier.
    fn end_of_inlined(&mut self, end: End, ends: &mut Ends) -> Block {
        if let Some(&block) = ends.get(&end) {
            return block;
        }
        let block = self.block_of_map();
        ends.insert(end, block);
        self.builder.switch_to_block(block);
        let (map, given) = (self.builder.block_params(block)[0], self.builder.block_params(block)[1]);
        let position = match end {
            End::Given => {
                self.write_mapped(map);
                given
            }
            _ if self.gives_maps() => {
                let (stack, context) = (self.stack, self.context());
                self.store(stack, context, offset_of!(Context, outermost));
                map
            }
            _ => self.write_mapped(map),
        };
        if let (Some(taken), true) = (self.taken, end == End::Side) {
            count(&mut self.builder, taken.entry + offset_of!(Entry, exits) as u64);
        }
        self.give_position(position);
        block
    }

    /// The byte offset of a frame from that of the unit's function.
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
