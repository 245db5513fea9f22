//! The walk over a function's code with a symbolic stack.

use crate::heights::{self, Heights, UNREACHED};
use crate::hints::Hints;
use crate::live::LiveInterner;
use crate::open_regions::OpenRegions;
use crate::opline::{Literal, Lowered, NO_SITE, NO_TARGET, Operand, Opline};
use crate::ops::OpCode;
use crate::pending::{OpenCall, StaticRef};
use crate::stack::Stack;
use foldhash::HashMap;
use phlox_hhbc::{Func, Instr, LocalId, OpKind};
use std::cell::RefCell;

/// Lowers a function of a unit that the verifier accepted.
pub fn lower(code: &Func, hints: &dyn Hints) -> Lowered {
    let mut lowering = Lowering::new(code, hints);
    lowering.run();
    lowering.finish()
}

/// Memory that one lowering leaves to the next one.
#[derive(Default)]
struct Scratch {
    stack: Stack,
    heights: Heights,
    literals: HashMap<Literal, u32>,
    live: LiveInterner,
    fixups: Vec<(usize, u32)>,
    statics: HashMap<usize, StaticRef>,
    open_regions: OpenRegions,
    copies: HashMap<u32, Operand>,
}

/// A function of so many instructions leaves no memory to the next one.
const LARGE: usize = 4096;

/// Values that may wait for their consumer outside of their temporaries. If there are more, all are put there: settling a value
/// below others makes live sets that share nothing with those before, which would be slow with thousands of values.
const MANY_WAIT: usize = 64;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The parts of an opline, without those that `emit` fills in.
#[derive(Clone, Copy, Default)]
pub(crate) struct Parts {
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    pub n: u32,
    /// The opline has an inline cache.
    pub site: bool,
}

/// The state of a lowering: the oplines so far, and the symbolic stack at the current position.
pub(crate) struct Lowering<'a> {
    pub code: &'a Func,
    pub hints: &'a dyn Hints,
    pub out: Lowered,
    /// The operand that each value on the evaluation stack is, and the pending calls.
    pub stack: Stack,
    pub heights: Heights,
    literals: HashMap<Literal, u32>,
    live: LiveInterner,
    /// Oplines whose target is still an HHBC position.
    pub fixups: Vec<(usize, u32)>,
    pub pc: usize,
    /// Static properties that later instructions access, by the positions of these instructions.
    pub statics: HashMap<usize, StaticRef>,
    open_regions: OpenRegions,
    /// Temporaries that hold copies of literals, and the literals.
    pub copies: HashMap<u32, Operand>,
}

impl<'a> Lowering<'a> {
    fn new(code: &'a Func, hints: &'a dyn Hints) -> Lowering<'a> {
        let Scratch { stack, mut heights, literals, live, fixups, statics, mut open_regions, copies } = SCRATCH.take();
        open_regions.look_at(code);
        heights.look_at(code);
        // Nearly every instruction becomes one opline or none.
        let ops = Vec::with_capacity(code.code.len() + 2);
        let out = Lowered { ops, entries: vec![NO_TARGET; code.code.len()], ..Lowered::default() };
        Lowering { code, hints, out, stack, heights, literals, live, fixups, pc: 0, statics, open_regions, copies }
    }

    fn run(&mut self) {
        let mut falls_in = false;
        while self.pc < self.code.code.len() {
            let pc = self.pc;
            if self.heights.before[pc] == UNREACHED {
                falls_in = false;
                self.pc += 1;
                continue;
            }
            if self.heights.is_target[pc] || !falls_in {
                match falls_in {
                    true => self.flush_all(),
                    false => self.reset(pc),
                }
                self.out.entries[pc] = self.out.ops.len() as u32;
            }
            if self.stack.unsettled().len() > MANY_WAIT {
                self.flush_all();
            }
            self.pc += self.instruction(self.code.code[pc]);
            let kind = self.code.code[self.pc - 1].opcode().effect().kind;
            if kind == OpKind::Pass {
                self.stack.passed();
            }
            falls_in = kind.falls_through();
        }
        // A jump at the end of dead code is never executed, but its target must exist.
        self.emit(OpCode::Nop, Parts::default());
    }

    fn finish(mut self) -> Lowered {
        for &(op, pc) in &self.fixups {
            self.out.ops[op].target = self.out.entries[pc as usize];
        }
        self.out.live = self.live.take();
        self.out.ops.shrink_to_fit();
        if self.code.code.len() < LARGE {
            self.stack.clear();
            self.literals.clear();
            self.fixups.clear();
            self.statics.clear();
            self.copies.clear();
            let Lowering { out, stack, heights, literals, live, fixups, statics, open_regions, copies, .. } = self;
            SCRATCH.set(Scratch { stack, heights, literals, live, fixups, statics, open_regions, copies });
            return out;
        }
        self.out
    }

    /// Sets up the state of a position that only jumps lead to: every value is in its own temporary.
    fn reset(&mut self, pc: usize) {
        self.copies.clear();
        self.open_regions.go_to(pc);
        let mut before = Vec::new();
        for nth in 0..self.open_regions.open().len() {
            let at = self.open_regions.open()[nth].push.index();
            let instr = self.code.code[at];
            let (pops, pushes) = heights::effect(self.code, &instr);
            let depth = self.heights.before[at].saturating_sub(pops) + pushes;
            if self.stack.has_call(nth, at, depth) {
                continue;
            }
            before.extend(self.stack.close_from(nth));
            self.stack.truncate(self.stack.len().min(depth as usize));
            let header = self.slot(depth);
            let mut call = self.open_call(at, depth, header);
            // Argument names that precede a jump inside an argument.
            if let Some(known) = before.iter_mut().find(|known: &&mut OpenCall| known.push == at) {
                call.names = std::mem::take(&mut known.names);
                call.next_name = known.next_name.take();
            }
            self.stack.open(call);
        }
        drop(self.stack.close_from(self.open_regions.open().len()));
        let height = self.heights.before[pc];
        let kept = height.min(self.stack.unsettled().start as u32);
        self.stack.truncate(kept as usize);
        for index in kept..height {
            let slot = self.slot(index);
            self.stack.push(Operand::Tmp(slot));
        }
        self.stack.settled_from(kept as usize);
    }

    // ---- temporaries

    /// The temporary of the value at stack position `index`.
    pub fn slot(&mut self, index: u32) -> u32 {
        let slot = self.stack.slot(index as usize);
        self.out.tmps = self.out.tmps.max(slot + 1);
        slot
    }

    /// The temporary of the next value that is pushed.
    pub fn next_slot(&mut self) -> u32 {
        self.slot(self.stack.len() as u32)
    }

    /// Pushes an operand.
    pub fn push(&mut self, value: Operand) {
        self.stack.push(value);
    }

    /// Pushes a temporary for a result, and gives it.
    pub fn push_result(&mut self) -> Operand {
        let result = Operand::Tmp(self.next_slot());
        self.stack.push(result);
        result
    }

    /// Pops an operand; [`Operand::None`] if the stack is empty.
    pub fn pop(&mut self) -> Operand {
        self.stack.pop().unwrap_or_default()
    }

    /// The operand of a literal, which is added to the function's literals if it is new.
    pub fn literal(&mut self, literal: Literal) -> Operand {
        let next = self.out.literals.len() as u32;
        let index = *self.literals.entry(literal).or_insert(next);
        if index == next {
            self.out.literals.push(literal);
        }
        Operand::Lit(index)
    }

    /// Copies the value at a position into the position's own temporary.
    fn settle(&mut self, index: usize) {
        let slot = self.slot(index as u32);
        let value = self.stack[index];
        if value != Operand::Tmp(slot) {
            // The copied value is not live in its new temporary yet.
            self.stack.set(index, Operand::None);
            let op = if value == Operand::This { OpCode::This } else { OpCode::Copy };
            self.emit(op, Parts { a: value, c: Operand::Tmp(slot), ..Parts::default() });
            self.stack.set(index, Operand::Tmp(slot));
            if matches!(value, Operand::Lit(_)) {
                self.copies.insert(slot, value);
            }
        }
    }

    /// Copies temporaries that were shifted by values inserted below them, from the top down, so that each frees its temporary for
    /// the one below.
    fn settle_shifted(&mut self, from: usize) {
        let unsettled = self.stack.unsettled();
        for index in (from.max(unsettled.start)..unsettled.end).rev() {
            if matches!(self.stack[index], Operand::Tmp(_)) {
                self.settle(index);
            }
        }
    }

    /// Copies all values into their own temporaries.
    pub fn flush_all(&mut self) {
        self.flush_top(self.stack.len());
    }

    /// Copies the top `count` values into their own temporaries.
    pub fn flush_top(&mut self, count: usize) {
        let from = self.stack.len() - count.min(self.stack.len());
        self.settle_shifted(from);
        let unsettled = self.stack.unsettled();
        for index in from.max(unsettled.start)..unsettled.end {
            self.settle(index);
        }
        self.stack.settled_from(from);
    }

    /// Copies locals whose reads were deferred into temporaries, because the next opline may change them.
    pub fn flush_locals(&mut self) {
        let unsettled = self.stack.unsettled();
        if self.waits_for_local() {
            self.settle_shifted(0);
            for index in unsettled {
                if matches!(self.stack[index], Operand::Local(_)) {
                    self.settle(index);
                }
            }
        }
    }

    /// Whether the read of some local is deferred.
    pub fn waits_for_local(&self) -> bool {
        self.stack[self.stack.unsettled()].iter().any(|value| matches!(value, Operand::Local(_)))
    }

    // ---- oplines

    /// Adds an opline. The stack must be in the state after its operands are consumed and before its result is pushed: what is on
    /// it, and pending calls, is released when the opline throws.
    pub fn emit(&mut self, op: OpCode, parts: Parts) -> usize {
        let live = self.stack.live(&mut self.live);
        let site = match parts.site {
            true => {
                self.out.sites += 1;
                self.out.sites - 1
            }
            false => NO_SITE,
        };
        let Parts { a, b, c, n, .. } = parts;
        for operand in [a, b, c] {
            if let Operand::Tmp(slot) = operand {
                self.copies.remove(&slot);
            }
        }
        let pc = self.pc as u32;
        self.out.ops.push(Opline { op, a, b, c, n, target: NO_TARGET, site, pc, live });
        self.out.ops.len() - 1
    }

    /// Adds an opline that may go to an HHBC position.
    pub fn emit_jump(&mut self, op: OpCode, parts: Parts, target: u32) -> usize {
        let at = self.emit(op, parts);
        self.fixups.push((at, target));
        at
    }

    /// Makes the next opline the target of opline `op`.
    pub fn land_here(&mut self, op: usize) {
        self.out.ops[op].target = self.out.ops.len() as u32;
    }

    /// Adds an opline whose result is pushed.
    pub fn emit_push(&mut self, op: OpCode, parts: Parts) {
        let c = Operand::Tmp(self.next_slot());
        self.emit(op, Parts { c, ..parts });
        self.stack.push(c);
    }

    // ---- looking ahead

    /// The instruction `ahead` positions after the current one, unless a jump leads to it or to one between.
    pub fn follower(&self, ahead: usize) -> Option<Instr> {
        let at = self.pc + ahead;
        let reached = (self.pc + 1..=at).any(|at| self.heights.is_target.get(at).copied().unwrap_or(true));
        (!reached).then(|| self.code.code.get(at).copied()).flatten()
    }

    /// The local that the result goes to if `SetL local; PopC` follow after `ahead` instructions.
    pub fn stored_to(&self, ahead: usize) -> Option<LocalId> {
        match (self.follower(ahead)?, self.follower(ahead + 1)?) {
            (Instr::SetL { local }, Instr::PopC {}) => Some(local),
            _ => None,
        }
    }

    /// Whether an instruction that discards the result follows after `ahead` instructions.
    pub fn discarded(&self, ahead: usize) -> bool {
        matches!(self.follower(ahead), Some(Instr::PopC {} | Instr::PopV {} | Instr::PopR {}))
    }
}
