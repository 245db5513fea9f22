//! Redundant and unneeded guards.
//!
//! Below a guard the checked value replaces the unchecked one, so that a second guard finds the type known. Below a branch or
//! side exit on a condition, the condition is a constant. A guard whose result is used only where its operand would do is
//! dropped (guard relaxation). For that, a decision by type has to be an instruction (`IsType`), which the builder may fold, so
//! that the decision is known to rest on the guard.

use super::{Shape, Substitution, cut_after_terminal, take_insts};
use crate::cfg::Cfg;
use crate::ids::*;
use crate::ops::{Op, P};
use crate::simplify::{Simplified, simplify};
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    relax(unit, &cfg);
    propagate(unit, &cfg);
}

/// What is known in a subtree of the tree of dominators: the value that replaces each value there.
struct Scope {
    known: Vec<ValueId>,
    /// Replacements to be restored when the subtree is left.
    undo: Vec<(ValueId, ValueId)>,
}

impl Scope {
    fn find(&self, value: ValueId) -> ValueId {
        let mut at = value;
        while let Some(&next) = self.known.get(at.at()) {
            if next == at {
                break;
            }
            at = next;
        }
        at
    }

    /// Whether this is the last value that was learned.
    fn is_newest(&self, value: ValueId) -> bool {
        self.undo.last().is_some_and(|row| self.known[row.0.at()] == value)
    }

    fn learn(&mut self, value: ValueId, better: ValueId) {
        while self.known.len() <= value.at() {
            self.known.push(ValueId::new(self.known.len()));
        }
        // Replacing a value by one that it replaces already would make a cycle.
        if self.find(better) != self.find(value) {
            self.undo.push((value, self.known[value.at()]));
            self.known[value.at()] = better;
        }
    }
}

fn propagate(unit: &mut Unit, cfg: &Cfg) {
    let mut subst = Substitution::new();
    let mut scope = Scope { known: (0..unit.values.len()).map(ValueId::new).collect(), undo: Vec::new() };
    // Blocks to enter, and (as `None`) marks of how much to restore when a subtree is done.
    let mut work = vec![(Some(unit.entry), 0)];
    while let Some((block, mark)) = work.pop() {
        let Some(block) = block else {
            while scope.undo.len() > mark {
                if let Some((value, before)) = scope.undo.pop() {
                    scope.known[value.at()] = before;
                }
            }
            continue;
        };
        work.push((None, scope.undo.len()));
        learn_from_branch(unit, cfg, block, &mut scope);
        walk(unit, block, &mut scope, &mut subst);
        work.extend(cfg.children(block).iter().rev().map(|&child| (Some(child), 0)));
    }
    subst.apply(unit);
}

/// Learns the condition of the branch to a block with one predecessor.
fn learn_from_branch(unit: &mut Unit, cfg: &Cfg, block: BlockId, scope: &mut Scope) {
    let &[pred] = cfg.preds(block) else { return };
    let Some(last) = unit.terminator(pred) else { return };
    let inst = *unit.inst(last);
    let (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) = (inst.op, inst.edge) else { return };
    let truth = (target == block) == (inst.op == Op::JmpNZero);
    let condition = unit.src(&inst, 0);
    if let Some(assert) = learn_truth(unit, scope, condition, truth) {
        unit.blocks[block.at()].insts.insert(0, assert);
    }
}

/// Learns that a condition is true, or false. If the condition is a type test, gives an instruction to be inserted that asserts
/// the type.
fn learn_truth(unit: &mut Unit, scope: &mut Scope, condition: ValueId, truth: bool) -> Option<InstId> {
    let ty = unit.ty(condition);
    if ty.is(BOOL) {
        let constant = unit.bool(truth);
        scope.learn(condition, constant);
    } else if ty.is(INT) && !truth {
        let constant = unit.int(0);
        scope.learn(condition, constant);
    }
    let test = *unit.def_inst(condition)?;
    let (Op::IsType | Op::IsNType) = test.op else { return None };
    let value = scope.find(unit.src(&test, 0));
    let known = unit.ty(value);
    let better = match truth == (test.op == Op::IsType) {
        true => known.meet(test.ty),
        // A failed test excludes kinds only if it tested for whole kinds.
        false if test.ty.spec() == Spec::None => known.without(test.ty.bits()),
        false => return None,
    };
    if better == known || better.is_bottom() {
        return None;
    }
    unit.observe(condition);
    let srcs = unit.list(&[value]);
    let assert = Inst { op: Op::AssertType, srcs, dst: None, edge: Edge::None, ty: better, ..test };
    let assert = unit.add_inst(assert, Some(better));
    scope.learn(value, unit.inst(assert).dst?);
    Some(assert)
}

fn walk(unit: &mut Unit, block: BlockId, scope: &mut Scope, subst: &mut Substitution) {
    let mut kept = Vec::with_capacity(unit.block(block).insts.len());
    for id in take_insts(unit, block) {
        let is_assert = unit.inst(id).dst.is_some_and(|dst| scope.is_newest(dst));
        if is_assert || instruction(unit, id, scope, subst) {
            kept.push(id);
            let inst = *unit.inst(id);
            if let (Op::JmpZero | Op::JmpNZero, Edge::Exit(_)) = (inst.op, inst.edge) {
                let condition = unit.src(&inst, 0);
                kept.extend(learn_truth(unit, scope, condition, inst.op == Op::JmpZero));
            }
        }
    }
    cut_after_terminal(unit, &mut kept);
    unit.blocks[block.at()].insts = kept;
}

/// Replaces the operands of an instruction by what is known, and learns from the result. Gives whether the instruction stays.
fn instruction(unit: &mut Unit, id: InstId, scope: &mut Scope, subst: &mut Substitution) -> bool {
    let own = unit.inst(id).dst;
    for src in unit.srcs_mut(id) {
        let better = scope.find(subst.find(*src));
        if Some(better) != own {
            *src = better;
        }
    }
    rewrite_snapshot(unit, id, scope, subst);
    let inst = *unit.inst(id);
    match simplify(unit, &inst) {
        Simplified::Value(value) => {
            if let Some(dst) = inst.dst {
                subst.set(dst, value);
            }
            return false;
        }
        Simplified::Gone => return false,
        Simplified::Inst(new) => unit.insts[id.at()] = new,
        Simplified::Same => {}
    }
    let inst = *unit.inst(id);
    let Some(dst) = inst.dst else { return true };
    if let Some(rule) = result_type(unit, &inst) {
        let ty = unit.ty(dst).meet(rule);
        if ty.is_bottom() {
            // The guard never holds, so nothing can be learned for code that does not run.
            return true;
        }
        unit.values[dst.at()].ty = ty;
    }
    if inst.op.has(P) && inst.op != Op::Mov {
        let src = unit.src(&inst, 0);
        scope.learn(src, dst);
    }
    true
}

/// Replaces values in an instruction's snapshot by constants that they are known to be, in a copy, because other instructions
/// share the snapshot. Other replacements would differ from place to place and are left out.
fn rewrite_snapshot(unit: &mut Unit, id: InstId, scope: &Scope, subst: &Substitution) {
    let Edge::Exit(snap) = unit.inst(id).edge else { return };
    let better = |value: ValueId| scope.find(subst.find(value));
    let changes = |unit: &Unit| {
        unit.snap(snap).entries.iter().any(|entry| {
            let new = better(entry.value);
            new != entry.value && unit.as_const(new).is_some()
        })
    };
    if !changes(unit) {
        return;
    }
    let mut copy = unit.snap(snap).clone();
    for entry in &mut copy.entries {
        let new = better(entry.value);
        if unit.as_const(new).is_some() {
            entry.value = new;
        }
    }
    let copy = unit.add_snap(copy);
    unit.insts[id.at()].edge = Edge::Exit(copy);
}

/// Drops guards that nothing needs.
fn relax(unit: &mut Unit, cfg: &Cfg) {
    // The kinds that the uses of each value accept.
    let mut accepted: Vec<Bits> = vec![TOP; unit.values.len()];
    let mut refined = vec![false; unit.values.len()];
    for &block in cfg.order.iter().rev() {
        for &id in unit.block(block).insts.iter().rev() {
            let inst = unit.inst(id);
            for (at, &src) in unit.srcs(inst).iter().enumerate() {
                let accepts = match (inst.op, inst.edge) {
                    (Op::Jmp, Edge::Block(target)) => unit.ty(unit.block(target).params[at]).bits(),
                    // A further guard of the same value needs what its own result needs.
                    (Op::CheckType | Op::AssertType, _) if inst.dst.is_some() => TOP,
                    _ => accepts(inst, at),
                };
                accepted[src.at()] &= accepts;
                refined[src.at()] |= wants_refinement(inst.op);
            }
        }
    }
    let observed = super::observed(unit, &cfg.order);
    let mut subst = Substitution::new();
    for &block in &cfg.order {
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            let inst = unit.inst(id);
            let (Op::CheckType, Some(dst)) = (inst.op, inst.dst) else { return true };
            let src = subst.find(unit.src(inst, 0));
            // A value that is known not to be counted is used without reference counting, which `accepted` does not show.
            let counted = unit.ty(src).maybe_counted() && !inst.ty.maybe_counted();
            let needless =
                !counted && unit.ty(src).bits() & !accepted[dst.at()] == 0 && !refined[dst.at()] && !observed[dst.at()];
            if !needless {
                return true;
            }
            unit.observe(src);
            subst.set(dst, src);
            false
        });
        unit.blocks[block.at()].insts = kept;
    }
    subst.apply(unit);
}

/// The kinds that an instruction accepts as an operand.
fn accepts(inst: &Inst, at: usize) -> Bits {
    let rows = inst.op.info().srcs;
    rows.get(at).or(rows.last()).map_or(TOP, |row| row.bits)
}

/// Whether an instruction does something else, or has another result, if more than the kind of an operand is known.
fn wants_refinement(op: Op) -> bool {
    !matches!(
        op,
        Op::StLoc | Op::StStk | Op::StMem | Op::StRef | Op::StElem | Op::StPackedElem | Op::IncRef | Op::RetCtrl
    )
}
