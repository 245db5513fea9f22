//! Side exits and other ways out of compiled code: what is written to frames, and what the code returns to the tier.

pub(crate) mod blocks;
pub(crate) mod inlined;
pub(crate) mod tables;

use crate::call_flags::NAME_CELL;
use crate::codegen::exits::inlined::{InlinedExit, Way};
use crate::codegen::exits::tables::{Base, FrameMap, Known, KnownCell, Payload, Stored};
use crate::codegen::{Refusal, Translation, count};
use crate::layout::{Context, Entry, Tags};
use crate::tagged_types::is_tagged;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, BlockArg, InstBuilder, Signature, Value, types as clif};
use cranelift_codegen::isa::CallConv;
use phlox_hhir::ValueId;
use phlox_hhir::unit::{Const, Hold, Slot, SnapEntry, Unit};
use phlox_value::raw::{self, offsets};
use std::mem::offset_of;

/// A side exit, or another way to an opline with which the interpreter goes on.
struct Exit<'a> {
    entries: &'a [SnapEntry],
    opline: u32,
    block: Block,
    is_side: bool,
}

impl Exit<'_> {
    /// The entries that may be written by a block shared with other exits: all before the first header of a pending call.
    fn shared(&self, unit: &Unit) -> &[SnapEntry] {
        let is_header = |entry: &SnapEntry| matches!(unit.as_const(entry.value), Some(Const::Func(_)));
        let end = self.entries.iter().position(is_header).unwrap_or(self.entries.len());
        &self.entries[..end]
    }
}

/// The signature of a preserve-all function; see [`crate::keeps_registers`].
fn signature_that_keeps_registers() -> Signature {
    let mut signature = Signature::new(CallConv::PreserveAll);
    signature.params.extend([AbiParam::new(clif::I64), AbiParam::new(clif::I64)]);
    signature
}

impl Translation<'_> {
    /// Writes all cold blocks. Entries that several snapshots begin with are written by one block that they share. That makes
    /// less code, and keeps the register allocator from taking the values of many exits for the most used ones.
    pub(crate) fn write_exits(&mut self) -> Result<(), Refusal> {
        let (mut exits, mut inlined) = (Vec::new(), std::mem::take(&mut self.exits.inlined));
        for (snap, is_side, block) in self.exits.take() {
            if self.unit.snap(snap).caller.is_some() {
                inlined.push(InlinedExit { snap, way: Way::Before { is_side }, block });
                continue;
            }
            let snap = self.unit.snap(snap);
            exits.push(Exit { entries: &snap.entries, opline: snap.opline, block, is_side });
        }
        let order = |entry: &SnapEntry| (entry.slot, entry.value, entry.hold == Hold::Copy);
        exits.sort_by(|a, b| a.entries.iter().map(order).cmp(b.entries.iter().map(order)));
        for is_side in [false, true] {
            let ends_there = |exit: &&Exit| self.counts_exit(exit.is_side) == is_side;
            let group: Vec<&Exit> = exits.iter().filter(ends_there).collect();
            if !group.is_empty() {
                let root = self.mapped_root(is_side);
                self.write_group(&group, 0, root)?;
            }
        }
        self.write_mapped_roots();
        self.write_roots();
        self.write_inlined_exits(inlined)
    }

    /// Writes exits whose first `depth` entries the block `behind` writes. The blocks pass on the address of the exit's map.
    fn write_group(&mut self, group: &[&Exit], depth: usize, behind: Block) -> Result<(), Refusal> {
        let mut rest = group;
        while let Some(first) = rest.first() {
            let key = first.shared(self.unit).get(depth);
            let count = match key {
                Some(_) => rest.iter().take_while(|exit| exit.shared(self.unit).get(depth) == key).count(),
                None => 1,
            };
            let (alike, others) = rest.split_at(count);
            rest = others;
            if let [exit] = alike {
                self.builder.switch_to_block(exit.block);
                let shared = exit.shared(self.unit).len();
                self.noting(|code| code.write_back(&exit.entries[depth.min(shared)..shared]))?;
                let more = self.noting(|code| code.write_back(&exit.entries[shared..]))?;
                let map = self.map_of(exit, more);
                let map = self.given_map(map);
                self.builder.ins().jump(behind, &[BlockArg::Value(map)]);
                continue;
            }
            // The longest prefix that all of them share.
            let last = alike[alike.len() - 1].shared(self.unit);
            let common = first.shared(self.unit).iter().zip(last).take_while(|(a, b)| a == b).count();
            let node = self.block_of_position();
            self.builder.switch_to_block(node);
            self.noting(|code| code.write_back(&first.entries[depth..common]))?;
            let map = self.builder.block_params(node)[0];
            self.builder.ins().jump(behind, &[BlockArg::Value(map)]);
            self.write_group(alike, common, node)?;
        }
        Ok(())
    }

    /// The map of an exit. `more` is known besides the entries that are shared with other exits.
    fn map_of(&self, exit: &Exit, more: Vec<Known>) -> &'static FrameMap {
        let mut known = more;
        for entry in exit.shared(self.unit) {
            let Some(cell) = KnownCell::of(self.unit, entry.value) else { continue };
            let (base, offset) = self.place_of_slot(entry.slot, 0);
            if let Payload::Known(word) = cell.payload {
                known.extend(Known::new(base, offset + offsets::CELL_PAYLOAD, &Stored::Word(word)));
            }
            known.extend(Known::new(base, offset + offsets::CELL_TAG, &Stored::Half(cell.tag)));
        }
        FrameMap::leak(self.shape.position(exit.opline) | u64::from(exit.is_side), known, None)
    }

    /// The base and offset of a slot in a frame that starts `start` bytes above that of the unit's function.
    fn place_of_slot(&self, slot: Slot, start: usize) -> (Base, usize) {
        let base = match slot {
            Slot::Local(cell) if start == 0 && cell < self.shape.before_tmps => Base::Frame,
            _ => Base::Stack,
        };
        (base, start + self.shape.offset(slot))
    }

    /// The block at which all exits with maps end.
    fn mapped_root(&mut self, is_side: bool) -> Block {
        if self.gives_maps() {
            return self.root(is_side);
        }
        if let Some(block) = self.exits.mapped[usize::from(is_side)] {
            return block;
        }
        let block = self.block_of_position();
        self.exits.mapped[usize::from(is_side)] = Some(block);
        block
    }

    /// Writes the blocks of [`Self::mapped_root`], which have the map written.
    fn write_mapped_roots(&mut self) {
        for is_side in [false, true] {
            let Some(block) = self.exits.mapped[usize::from(is_side)] else { continue };
            let root = self.root(is_side);
            self.builder.switch_to_block(block);
            let map = self.builder.block_params(block)[0];
            let position = self.write_mapped(map);
            self.builder.ins().jump(root, &[BlockArg::Value(position)]);
        }
        for has_thrown in [false, true] {
            let Some(block) = self.exits.above[usize::from(has_thrown)] else { continue };
            self.builder.switch_to_block(block);
            let (map, status) = (self.builder.block_params(block)[0], self.builder.block_params(block)[1]);
            self.write_mapped(map);
            if has_thrown {
                let (fp, context) = (self.fp, self.context());
                self.store(fp, context, offset_of!(Context, frame));
            } else {
                self.materialize();
            }
            self.give_position(status);
        }
    }

    /// Takes a side exit to an opline of this frame; `noted` is still to be written.
    pub(crate) fn leave_with(&mut self, opline: u32, is_side: bool, noted: Vec<Known>) {
        let map = FrameMap::leak(self.shape.position(opline) | u64::from(is_side), noted, None);
        let (root, map) = (self.mapped_root(is_side), self.given_map(map));
        self.builder.ins().jump(root, &[BlockArg::Value(map)]);
    }

    /// Takes a side exit because the code above this frame took one, or threw an exception; `noted` is still to be written.
    pub(crate) fn leave_above(&mut self, has_thrown: bool, noted: Vec<Known>, status: Value) {
        let known = self.exits.above[usize::from(has_thrown)];
        let root = known.unwrap_or_else(|| self.block_of_map());
        self.exits.above[usize::from(has_thrown)] = Some(root);
        let map = self.map(FrameMap::leak(0, noted, None));
        self.builder.ins().jump(root, &[map, status].map(BlockArg::Value));
    }

    /// Creates a cold block that takes a position.
    pub(crate) fn block_of_position(&mut self) -> Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.builder.append_block_param(block, clif::I64);
        block
    }

    /// Whether the code counts exits of this kind. If not, one block serves for all exits, because the position says which kind
    /// it is.
    fn counts_exit(&self, is_side: bool) -> bool {
        is_side && (self.taken.is_some() || !self.gives_maps())
    }

    /// The block at which all exits end.
    fn root(&mut self, is_side: bool) -> Block {
        let is_side = self.counts_exit(is_side);
        if let Some(block) = self.exits.roots[usize::from(is_side)] {
            return block;
        }
        let block = self.block_of_position();
        self.exits.roots[usize::from(is_side)] = Some(block);
        block
    }

    /// Writes the blocks of [`Self::root`], which return to the tier: the interpreter goes on with an opline of this frame.
    fn write_roots(&mut self) {
        for (is_side, root) in [false, true].into_iter().zip(self.exits.roots) {
            let Some(block) = root else { continue };
            self.builder.switch_to_block(block);
            let (stack, context) = (self.stack, self.context());
            self.materialize();
            self.store(stack, context, offset_of!(Context, frame));
            if let (Some(taken), true) = (self.taken, is_side) {
                count(&mut self.builder, taken.entry + offset_of!(Entry, exits) as u64);
            }
            let position = self.builder.block_params(block)[0];
            self.give_position(position);
        }
    }

    /// The position at which the interpreter goes on.
    fn position(&mut self, opline: u32, is_side: bool) -> Value {
        let position = self.shape.position(opline) | u64::from(is_side);
        self.int(position as i64)
    }

    /// Writes the entries of a snapshot to the frame.
    pub(crate) fn write_back(&mut self, entries: &[SnapEntry]) -> Result<(), Refusal> {
        self.write_back_at(entries, 0)
    }

    /// Writes the entries of a snapshot to a frame that starts `start` bytes above that of the unit's function.
    pub(crate) fn write_back_at(&mut self, entries: &[SnapEntry], start: usize) -> Result<(), Refusal> {
        let unit = self.unit;
        let (mut header, mut borrows) = (None, 0);
        for entry in entries {
            let ty = unit.ty(entry.value);
            let offset = start + self.shape.offset(entry.slot);
            if let Some(Const::Func(callee)) = unit.as_const(entry.value) {
                self.write_header(callee.0, offset);
                header = Some((entry.slot, offset));
                borrows = 0;
                continue;
            }
            if let (Some((Slot::Local(at), offset)), Slot::Local(own)) = (header, entry.slot)
                && (at + 1..=at + NAME_CELL as u32).contains(&own)
            {
                let is_moved = entry.hold == Hold::Move;
                match own - at {
                    1 => {
                        self.write_context(entry.value, is_moved, offset)?;
                        borrows = if self.borrows(entry.value, is_moved) { self.shape.header.borrows_this } else { 0 };
                    }
                    2 => self.write_flags(self.shape.header.constructor, offset),
                    3 => self.write_closure(entry.value, is_moved, offset)?,
                    _ => self.write_name(entry.value, borrows, offset)?,
                }
                continue;
            }
            if ty.maybe_counted() && entry.hold == Hold::Copy {
                self.hold_value(entry.value)?;
            }
            self.put_cell(entry.value, self.place_of_slot(entry.slot, start))?;
        }
        Ok(())
    }

    /// Writes a value to a cell of the frame.
    fn put_cell(&mut self, value: ValueId, (base, offset): (Base, usize)) -> Result<(), Refusal> {
        let Some(cell) = KnownCell::of(self.unit, value) else {
            let base = if base == Base::Frame { self.fp } else { self.stack };
            return self.store_cell(value, base, offset);
        };
        let payload = match cell.payload {
            Payload::None => None,
            Payload::Known(word) => Some(Stored::Word(word)),
            Payload::Unknown => Some(Stored::Value(self.value(value)?)),
        };
        if let Some(payload) = payload {
            self.put(base, offset + offsets::CELL_PAYLOAD, payload);
        }
        self.put(base, offset + offsets::CELL_TAG, Stored::Half(cell.tag));
        Ok(())
    }

    /// Copies the frame of a generator's body to its place on the stack.
    pub(crate) fn materialize(&mut self) {
        if self.shape.is_body {
            let (fp, stack) = (self.fp, self.stack);
            self.call_helper(self.shape.helpers.materialize as *const (), &[fp, stack], false);
        }
    }

    /// Increments a reference count.
    pub(crate) fn hold(&mut self, payload: Value) {
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let more = self.builder.ins().iadd_imm_s(holders, 1);
        self.store(more, payload, offsets::HOLDERS);
    }

    /// Decrements a reference count that does not become zero.
    pub(crate) fn let_go(&mut self, payload: Value) {
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let less = self.builder.ins().iadd_imm_s(holders, -1);
        self.store(less, payload, offsets::HOLDERS);
    }

    /// Takes a side exit to an opline of this frame, whose cells have been written.
    pub(crate) fn leave(&mut self, opline: u32, is_side: bool) {
        let root = self.root(is_side);
        let position = self.position(opline, is_side);
        self.builder.ins().jump(root, &[BlockArg::Value(position)]);
    }

    /// Takes an exit to a position that a runtime function gave.
    pub(crate) fn leave_at(&mut self, position: Value) {
        let root = self.root(false);
        self.builder.ins().jump(root, &[BlockArg::Value(position)]);
    }

    /// Writes the opline at which this frame stands.
    pub(crate) fn stand_at(&mut self, opline: u32) {
        let position = self.shape.position(opline);
        self.put(Base::Frame, self.shape.header.ip as usize, Stored::Word(position));
    }

    /// Returns a position from the code.
    pub(crate) fn give_position(&mut self, position: Value) {
        match self.taken {
            Some(_) => self.builder.ins().return_(&[position, position]),
            None => self.builder.ins().return_(&[position]),
        };
    }

    /// Releases a reference of a value.
    pub(crate) fn release(&mut self, value: ValueId) -> Result<(), Refusal> {
        let ty = self.unit.ty(value);
        if !ty.maybe_counted() {
            return Ok(());
        }
        if is_tagged(ty) {
            let (payload, tag) = self.words(value)?;
            self.release_words(payload, tag);
            return Ok(());
        }
        let Some(tag) = Tags::exact(ty.bits()) else { return Err(format!("giving up a value of type {ty}")) };
        let payload = self.value(value)?;
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let mut rare = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, holders, 1);
        if tag & raw::COLLECTABLE != 0 {
            let unknown = self.is_unknown(payload);
            rare = self.builder.ins().bor(rare, unknown);
        }
        let tag = self.int(i64::from(tag));
        self.release_or_count(payload, tag, holders, rare);
        Ok(())
    }

    /// Whether the cycle collector does not know of a value yet.
    fn is_unknown(&mut self, payload: Value) -> Value {
        let flags = self.load(clif::I32, payload, offsets::COLLECTOR);
        let known = self.builder.ins().band_imm_s(flags, i64::from(offsets::KNOWN_TO_COLLECTOR));
        self.builder.ins().icmp_imm_s(IntCC::Equal, known, 0)
    }

    fn release_or_count(&mut self, payload: Value, tag: Value, holders: Value, rare: Value) {
        let (slow, fast, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(slow);
        self.builder.ins().brif(rare, slow, &[], fast, &[]);
        self.builder.switch_to_block(slow);
        self.call_release(payload, tag);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(fast);
        let less = self.builder.ins().iadd_imm_s(holders, -1);
        self.store(less, payload, offsets::HOLDERS);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Releases the reference in a cell, if it holds one.
    pub(crate) fn release_cell(&mut self, cell: Value) {
        let tag = self.load(clif::I32, cell, offsets::CELL_TAG);
        let payload = self.load(clif::I64, cell, offsets::CELL_PAYLOAD);
        self.release_words(payload, tag);
    }

    /// Releases the reference in a payload word, if the tag word says that it is one.
    fn release_words(&mut self, payload: Value, tag: Value) {
        let counted = self.builder.ins().band_imm_s(tag, i64::from(raw::COUNTED));
        let (held, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(counted, held, &[], done, &[]);
        self.builder.switch_to_block(held);
        let holders = self.load(clif::I32, payload, offsets::HOLDERS);
        let last = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, holders, 1);
        let collectable = self.builder.ins().band_imm_s(tag, i64::from(raw::COLLECTABLE));
        let is_collectable = self.builder.ins().icmp_imm_s(IntCC::NotEqual, collectable, 0);
        let unknown = self.is_unknown(payload);
        let reports = self.builder.ins().band(is_collectable, unknown);
        let rare = self.builder.ins().bor(last, reports);
        let tag = self.builder.ins().uextend(clif::I64, tag);
        self.release_or_count(payload, tag, holders, rare);
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
    }

    /// Calls the function that releases the last reference. In a loop without other calls it is a preserve-all call, so that the
    /// rare call costs the loop no registers.
    fn call_release(&mut self, payload: Value, tag: Value) {
        if self.loops.calls_at(self.at) {
            self.call_helper(crate::layout::release as *const (), &[payload, tag], false);
        } else {
            self.call_apart(crate::codegen::preserve_all::release, payload, tag);
        }
    }

    /// Calls a preserve-all function.
    pub(crate) fn call_apart(&mut self, function: extern "C" fn(u64, u64), first: Value, second: Value) {
        let signature = self.import(signature_that_keeps_registers());
        let function = self.int(function as *const () as i64);
        self.builder.ins().call_indirect(signature, function, &[first, second]);
    }
}
