//! Jump threading: a block that only branches on its parameter is bypassed. A block that jumps there branches itself, or, if it
//! passes a constant, jumps to the block that the constant selects. So a condition that is made in one place and used in the
//! next (`&&`, an inlined function that returns a boolean) need not be a value.

use super::Shape;
use crate::cfg::Cfg;
use crate::ids::*;
use crate::ops::Op;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let uses = uses(unit, &cfg);
    for &block in &cfg.order {
        let Some(branch) = only_branch(unit, block, &uses) else { continue };
        let next = unit.block(block).next;
        for &pred in cfg.preds(block) {
            redirect(unit, pred, block, branch, next);
        }
    }
}

/// The number of uses of each value.
fn uses(unit: &Unit, cfg: &Cfg) -> Vec<u32> {
    let mut uses = vec![0; unit.values.len()];
    for &block in &cfg.order {
        for &id in &unit.block(block).insts {
            let inst = unit.inst(id);
            unit.srcs(inst).iter().for_each(|src| uses[src.at()] += 1);
            if let Edge::Exit(snap) = inst.edge {
                unit.for_each_snap_value(snap, |value| uses[value.at()] += 1);
            }
        }
    }
    uses
}

/// The branch that a block consists of, on its only parameter, which has no other use.
fn only_branch(unit: &Unit, block: BlockId, uses: &[u32]) -> Option<InstId> {
    let (&[param], &[branch]) = (&unit.block(block).params[..], &unit.block(block).insts[..]) else { return None };
    let inst = unit.inst(branch);
    let on_param = matches!((inst.op, inst.edge), (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) if target != block)
        && unit.src(inst, 0) == param
        && uses[param.at()] == 1;
    // A block that branches to itself would be copied for ever.
    (on_param && unit.block(block).next != Some(block)).then_some(branch)
}

/// Makes a jump to the block branch where the block branches.
fn redirect(unit: &mut Unit, pred: BlockId, block: BlockId, branch: InstId, next: Option<BlockId>) {
    let Some(last) = unit.terminator(pred) else { return };
    let jump = *unit.inst(last);
    if jump.op != Op::Jmp || jump.edge != Edge::Block(block) {
        return;
    }
    let condition = unit.src(&jump, 0);
    let branch = *unit.inst(branch);
    let ty = unit.ty(condition);
    let known = ty.as_bool().or(ty.as_int().map(|int| int != 0));
    let Some(truth) = known else {
        let srcs = unit.list(&[condition]);
        unit.insts[last.at()] = Inst { srcs, mark: jump.mark, ..branch };
        unit.blocks[pred.at()].next = next;
        return;
    };
    unit.observe(condition);
    let target = match (truth == (branch.op == Op::JmpNZero), branch.edge) {
        (true, Edge::Block(taken)) => Some(taken),
        _ => next,
    };
    unit.blocks[pred.at()].insts.pop();
    unit.blocks[pred.at()].next = target;
}
