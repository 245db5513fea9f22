//! Scalar promotion: a number in memory that a loop reads and writes at one place is carried in an SSA value, so that iterations
//! only store it. Memory stays up to date for side exits.
//!
//! The place is behind a pointer that the loop does not change, whose cell's type has been guarded before the loop (by `hoist`),
//! and nothing else in the loop writes memory of its alias class.

use super::{Shape, Substitution};
use crate::cfg::{Cfg, Loop};
use crate::effects::{effects, pointed_to};
use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::Op;
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let has_store = |id: &InstId| unit.inst(*id).op == Op::StMemPayload;
    if !unit.blocks.iter().any(|block| block.insts.iter().any(has_store)) {
        return;
    }
    let cfg = shape.of(unit);
    let mut subst = Substitution::new();
    for l in cfg.loops(unit) {
        let Some(preheader) = l.preheader else { continue };
        for (pointer, ty) in candidates(unit, l, preheader) {
            if let Some(plan) = Plan::new(unit, &cfg, l, pointer) {
                plan.apply(unit, &cfg, l, preheader, ty, &mut subst);
            }
        }
    }
    subst.apply(unit);
}

/// Pointers whose cells are guarded before the loop to hold a number of one type, and to which the loop stores.
fn candidates(unit: &Unit, l: &Loop, preheader: BlockId) -> Vec<(ValueId, Type)> {
    let mut found: Vec<(ValueId, Type)> = Vec::new();
    for &id in &unit.block(preheader).insts {
        let inst = unit.inst(id);
        if inst.op != Op::CheckTypeMem
            || matches!(inst.edge, Edge::Block(_))
            || !(inst.ty == Type::INT || inst.ty == Type::DBL)
        {
            continue;
        }
        let pointer = unit.src(inst, 0);
        if stored(unit, l, pointer, inst.ty) && found.iter().all(|row| row.0 != pointer) {
            found.push((pointer, inst.ty));
        }
    }
    found
}

/// Whether a loop loads and stores numbers of one type through a pointer, and stores nothing else that may be in the same
/// memory.
fn stored(unit: &Unit, l: &Loop, pointer: ValueId, ty: Type) -> bool {
    let class = pointed_to(unit, pointer);
    let (mut loads, mut stores) = (false, false);
    for &block in &l.blocks {
        for &id in &unit.block(block).insts {
            let inst = unit.inst(id);
            let mine = unit.srcs(inst).first() == Some(&pointer);
            match inst.op {
                Op::StMemPayload if mine && unit.ty(unit.src(inst, 1)).le(ty) => stores = true,
                Op::LdMem if mine => loads |= ty.le(inst.ty.kinds()) || inst.ty == ty,
                _ if effects(unit, inst).writes & class != 0 => return false,
                _ => {}
            }
        }
    }
    loads && stores
}

/// What the place holds at some point.
#[derive(Clone, Copy, PartialEq)]
enum At {
    /// A value.
    Value(ValueId),
    /// The value of a parameter that a block gets for it.
    Param(BlockId),
}

struct Plan {
    pointer: ValueId,
    /// What the place holds at the start of each block of the loop.
    starts: FastMap<BlockId, At>,
    /// What the place holds at the end of each block of the loop.
    ends: FastMap<BlockId, At>,
}

impl Plan {
    /// Finds the number's value at each point; `None` if a block needs a parameter and cannot have one.
    fn new(unit: &Unit, cfg: &Cfg, l: &Loop, pointer: ValueId) -> Option<Plan> {
        let mut plan = Plan { pointer, starts: FastMap::default(), ends: FastMap::default() };
        for &block in &l.blocks {
            let start = if block == l.header {
                At::Param(block)
            } else {
                let mut ends = cfg.preds(block).iter().map(|pred| plan.ends.get(pred).copied());
                // For the header of an inner loop, the end of its own latch is not known yet.
                let first = ends.next()??;
                if ends.all(|end| end == Some(first)) { first } else { At::Param(block) }
            };
            let is_jump = |pred: &BlockId| unit.terminator(*pred).is_some_and(|id| unit.inst(id).op == Op::Jmp);
            if start == At::Param(block) && !cfg.preds(block).iter().all(is_jump) {
                return None;
            }
            let stores = unit.block(block).insts.iter().rev().map(|&id| unit.inst(id));
            let last = stores.filter(|inst| plan.is_store(unit, inst)).map(|inst| unit.src(inst, 1)).next();
            plan.starts.insert(block, start);
            plan.ends.insert(block, last.map_or(start, At::Value));
        }
        Some(plan)
    }

    fn is_store(&self, unit: &Unit, inst: &Inst) -> bool {
        inst.op == Op::StMemPayload && unit.src(inst, 0) == self.pointer
    }

    fn apply(self, unit: &mut Unit, cfg: &Cfg, l: &Loop, preheader: BlockId, ty: Type, subst: &mut Substitution) {
        let initial = self.load(unit, preheader, ty);
        let mut params: FastMap<BlockId, ValueId> = FastMap::default();
        for &block in &l.blocks {
            if self.starts.get(&block) == Some(&At::Param(block)) {
                params.insert(block, unit.add_param(block, ty));
            }
        }
        let value = |at: At| match at {
            At::Value(value) => value,
            At::Param(block) => params[&block],
        };
        for &block in &l.blocks {
            let mut now = value(self.starts[&block]);
            let mut kept = super::take_insts(unit, block);
            kept.retain(|&id| {
                let inst = *unit.inst(id);
                if self.is_store(unit, &inst) {
                    now = unit.src(&inst, 1);
                } else if let (Op::LdMem, Some(dst)) = (inst.op, inst.dst) {
                    if unit.src(&inst, 0) == self.pointer {
                        subst.set(dst, now);
                        return false;
                    }
                }
                true
            });
            unit.blocks[block.at()].insts = kept;
        }
        for block in l.blocks.iter().copied().filter(|block| params.contains_key(block)) {
            for &pred in cfg.preds(block) {
                let passed = self.ends.get(&pred).map_or(initial, |&end| value(end));
                pass(unit, pred, passed);
            }
        }
    }

    /// Loads the number before the loop.
    fn load(&self, unit: &mut Unit, preheader: BlockId, ty: Type) -> ValueId {
        let srcs = unit.list(&[self.pointer]);
        let inst = Inst { op: Op::LdMem, srcs, dst: None, edge: Edge::None, ty, imm: [0; 3], mark: Mark::default() };
        let result = result_type(unit, &inst).unwrap_or(ty);
        let id = unit.add_inst(inst, Some(result));
        let insts = &mut unit.blocks[preheader.at()].insts;
        let end = insts.len() - usize::from(insts.last().is_some_and(|&id| unit.insts[id.at()].op == Op::Jmp));
        insts.insert(end, id);
        match unit.inst(id).dst {
            Some(value) => value,
            None => self.pointer,
        }
    }
}

/// Makes the jump that ends a block pass one more value.
fn pass(unit: &mut Unit, block: BlockId, value: ValueId) {
    let Some(last) = unit.terminator(block) else { return };
    let mut srcs = unit.srcs(unit.inst(last)).to_vec();
    srcs.push(value);
    let srcs = unit.list(&srcs);
    unit.insts[last.at()].srcs = srcs;
}
