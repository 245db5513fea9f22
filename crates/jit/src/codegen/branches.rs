//! Branches: conditions under which code goes on, takes an edge, or takes a side exit.

use crate::codegen::{Refusal, Translation};
use crate::layout::Context;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{self, InstBuilder, InstructionData, Value, types as clif};
use phlox_hhir::unit::{Edge, Inst};
use phlox_hhir::{BlockId, Op};
use std::mem::offset_of;

impl Translation<'_> {
    /// Takes the instruction's edge if the condition has the value `when`; otherwise goes on here.
    pub(crate) fn leave_if(&mut self, id: BlockId, inst: &Inst, condition: Value, when: bool) -> Result<(), Refusal> {
        let is_side = inst.op != Op::CheckSurpriseFlags;
        let (target, ends) = match inst.edge {
            Edge::Exit(snap) => (self.exit_block(snap, is_side), false),
            Edge::Block(block) => (self.block(block)?, true),
            Edge::None => return Err(format!("{} without an edge", inst.op.name())),
        };
        let next = match (ends, self.unit.block(id).next) {
            (true, Some(next)) => self.block(next)?,
            (true, None) => return Err("a branch without a next block".to_owned()),
            (false, _) => self.builder.create_block(),
        };
        match inst.edge {
            // The branch that stays in the loop must be the second one; see `branch_out`.
            Edge::Block(block) if self.stays_longer(block, self.unit.block(id).next) => {
                self.branch_out(condition, !when, next, target);
            }
            _ => self.branch_out(condition, when, target, next),
        }
        if !ends {
            self.builder.switch_to_block(next);
            if self.shape.fails_every > 0 && inst.op != Op::CheckSurpriseFlags {
                self.fail_sometimes(target);
            }
        }
        Ok(())
    }

    /// Takes the instruction's edge if the word at an address of an inline cache is another one. A cache that is empty, because the
    /// name has not been looked up in this request, says nothing about the code: the interpreter executes the opline once, and no
    /// side exit is counted.
    pub(crate) fn check_cache_word(&mut self, inst: &Inst, address: Value, wanted: Value) -> Result<(), Refusal> {
        let Edge::Exit(snap) = inst.edge else { return Err(format!("{} without an exit", inst.op.name())) };
        let word = self.load(clif::I64, address, 0);
        let (other, next) = (self.builder.create_block(), self.builder.create_block());
        let differs = self.builder.ins().icmp(IntCC::NotEqual, word, wanted);
        self.branch_out(differs, true, other, next);
        self.builder.switch_to_block(other);
        self.builder.set_cold_block(other);
        let (side, plain) = (self.exit_block(snap, true), self.exit_block(snap, false));
        self.builder.ins().brif(word, side, &[], plain, &[]);
        self.builder.switch_to_block(next);
        Ok(())
    }

    /// Takes the instruction's edge unless `fits` holds. The comparison `fits` must have no other use, because it is inverted.
    pub(crate) fn leave_unless(&mut self, id: BlockId, inst: &Inst, fits: Value) -> Result<(), Refusal> {
        let dfg = &mut self.builder.func.dfg;
        let made = dfg.value_def(fits).inst().map(|made| &mut dfg.insts[made]);
        let Some(InstructionData::IntCompare { cond, .. }) = made else { return self.leave_if(id, inst, fits, false) };
        *cond = cond.complement();
        self.leave_if(id, inst, fits, true)
    }

    /// Whether a block is in more loops than another one.
    fn stays_longer(&self, block: BlockId, other: Option<BlockId>) -> bool {
        other.is_some_and(|other| self.loops.depth(block) > self.loops.depth(other))
    }

    /// Branches to `out` if the condition has the value `when`, otherwise to `on`. Cranelift walks the blocks from the last
    /// successor on, and stops hoisting out of a loop once it has seen a block outside, so the branch out of the loop has to be
    /// the first one. The blocks outside are then also laid out behind the loop.
    pub(crate) fn branch_out(&mut self, condition: Value, when: bool, out: ir::Block, on: ir::Block) {
        let goes_out = if when { condition } else { self.opposite(condition) };
        self.builder.ins().brif(goes_out, out, &[], on, &[]);
    }

    /// The negation of a condition: the opposite comparison, so that a branch on it remains a compare and branch.
    fn opposite(&mut self, condition: Value) -> Value {
        let dfg = &self.builder.func.dfg;
        let made = dfg.value_def(condition).inst().map(|inst| dfg.insts[inst]);
        if let Some(InstructionData::IntCompare { cond, args, .. }) = made {
            return self.builder.ins().icmp(cond.complement(), args[0], args[1]);
        }
        self.builder.ins().icmp_imm_s(IntCC::Equal, condition, 0)
    }

    /// Stress mode: takes a side exit at each guard that the countdown ends at, though the guard holds.
    fn fail_sometimes(&mut self, target: ir::Block) {
        let context = self.context();
        let left = self.load(clif::I64, context, offset_of!(Context, until_failure));
        let left = self.builder.ins().iadd_imm_s(left, -1);
        let is_over = self.builder.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, left, 0);
        let again = self.int(i64::from(self.shape.fails_every));
        let next_left = self.builder.ins().select(is_over, again, left);
        self.store(next_left, context, offset_of!(Context, until_failure));
        let next = self.builder.create_block();
        self.builder.ins().brif(is_over, target, &[], next, &[]);
        self.builder.switch_to_block(next);
    }
}
