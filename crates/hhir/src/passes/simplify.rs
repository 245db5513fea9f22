//! Simplifies every instruction again, because types may be better known; removes checks that always succeed, copies, and
//! branches on known conditions. Results get the types that follow from their operands.

use super::{Shape, Substitution, cut_after_terminal, take_insts};
use crate::ids::*;
use crate::ops::{Dst, Op};
use crate::simplify::{Simplified, simplify};
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let mut subst = Substitution::new();
    for &block in &shape.of(unit).order {
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            subst.operands(unit, id);
            instruction(unit, id, &mut subst)
        });
        cut_after_terminal(unit, &mut kept);
        unit.blocks[block.at()].insts = kept;
        fold_branch(unit, block);
    }
    subst.apply(unit);
}

/// Simplifies one instruction; gives whether it stays.
fn instruction(unit: &mut Unit, id: InstId, subst: &mut Substitution) -> bool {
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
    if inst.op == Op::Nop {
        return false;
    }
    if overflows(unit, &inst) {
        return leave(unit, id);
    }
    let Some(dst) = inst.dst else { return true };
    let Some(rule) = result_type(unit, unit.inst(id)) else { return true };
    let ty = unit.ty(dst).meet(rule);
    if !ty.is_bottom() {
        unit.values[dst.at()].ty = ty;
    } else if let (Dst::DRefineS(_), Edge::Exit(_)) = (inst.op.info().dst, inst.edge) {
        // The guard never holds.
        return leave(unit, id);
    }
    true
}

/// Whether arithmetic on constants always overflows, so that the interpreter makes a float.
fn overflows(unit: &Unit, inst: &Inst) -> bool {
    let checked = matches!(inst.op, Op::AddIntO | Op::SubIntO | Op::MulIntO | Op::DivIntO | Op::ModO);
    checked && matches!(inst.edge, Edge::Exit(_)) && unit.srcs(inst).iter().all(|&src| unit.as_const(src).is_some())
}

/// Turns an instruction that always takes its side exit into the end of the unit.
fn leave(unit: &mut Unit, id: InstId) -> bool {
    let srcs = unit.list(&[]);
    let inst = &mut unit.insts[id.at()];
    *inst = Inst { op: Op::ReqRetranslate, srcs, dst: None, ty: Type::TOP, imm: [0; 3], ..*inst };
    true
}

/// Turns a branch on a known condition into a jump.
fn fold_branch(unit: &mut Unit, block: BlockId) {
    let Some(last) = unit.terminator(block) else { return };
    let inst = *unit.inst(last);
    let (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) = (inst.op, inst.edge) else { return };
    let ty = unit.ty(unit.src(&inst, 0));
    let truth = match (ty.as_bool(), ty.int_range()) {
        (Some(truth), _) => truth,
        (None, (lo, hi)) if ty.is(INT) && (lo > 0 || hi < 0) => true,
        (None, (0, 0)) if ty.is(INT) => false,
        _ => {
            // Both edges lead to the same block.
            if unit.block(block).next == Some(target) {
                unit.blocks[block.at()].insts.pop();
            }
            return;
        }
    };
    unit.blocks[block.at()].insts.pop();
    if truth == (inst.op == Op::JmpNZero) {
        unit.blocks[block.at()].next = Some(target);
    }
}
