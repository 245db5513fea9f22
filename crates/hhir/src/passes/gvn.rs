//! Global value numbering: an instruction is replaced by the result of an equal instruction that dominates it. Guards and
//! arithmetic with a side exit on overflow are included: the first one has succeeded.

use super::{Shape, Substitution, take_insts};
use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::Op;
use crate::types::Type;
use crate::unit::*;
use std::hash::{Hash, Hasher};

/// What equal instructions have in common.
#[derive(PartialEq, Eq)]
struct Key {
    op: Op,
    ty: Type,
    imm: [u32; 3],
    srcs: [u32; 3],
}

impl Hash for Key {
    /// Leaves the type out: it rarely makes a difference, and hashing it takes longest.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.op as u16) << 32 | u64::from(self.imm[0]));
        state.write_u64(u64::from(self.srcs[0]) << 32 | u64::from(self.srcs[1]));
    }
}

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let mut subst = Substitution::new();
    let mut seen: FastMap<Key, (BlockId, Option<ValueId>)> =
        FastMap::with_capacity_and_hasher(unit.insts.len(), Default::default());
    for &block in &cfg.order {
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            subst.operands(unit, id);
            let inst = unit.inst(id);
            let Some(key) = key(unit, inst) else { return true };
            match seen.get(&key) {
                Some(&(home, dst)) if cfg.dominates(home, block) => {
                    if let (Some(mine), Some(dst)) = (inst.dst, dst) {
                        subst.set(mine, dst);
                    }
                    false
                }
                _ => {
                    seen.insert(key, (block, inst.dst));
                    true
                }
            }
        });
        unit.blocks[block.at()].insts = kept;
    }
    subst.apply(unit);
}

fn key(unit: &Unit, inst: &Inst) -> Option<Key> {
    let srcs = unit.srcs(inst);
    // Branches to blocks are no guards; constants and frame pointers are unique anyway.
    let checks = !matches!(inst.edge, Edge::Block(_));
    if !inst.op.is_pure() || !checks || srcs.len() > 3 || is_marker(inst.op) {
        return None;
    }
    let mut key = Key { op: inst.op, ty: inst.ty, imm: inst.imm, srcs: [u32::MAX; 3] };
    for (slot, src) in key.srcs.iter_mut().zip(srcs) {
        *slot = src.0;
    }
    if is_commutative(inst.op) {
        key.srcs[..2].sort_unstable();
    }
    // Checked arithmetic that succeeded equals plain arithmetic, but not the other way round; only equal operations are merged.
    Some(key)
}

/// Instructions that mark a place.
fn is_marker(op: Op) -> bool {
    matches!(
        op,
        Op::Nop
            | Op::ExitPlaceholder
            | Op::EndGuards
            | Op::BeginCatch
            | Op::BeginInlining
            | Op::DefInlineFP
            | Op::InlineReturn
            | Op::InlineReturnNoFrame
            | Op::FinishMemberOp
            | Op::HintLocInner
            | Op::HintStkInner
            | Op::HintMBaseInner
            | Op::AssertLoc
            | Op::AssertStk
            | Op::AssertMBase
    )
}

fn is_commutative(op: Op) -> bool {
    matches!(
        op,
        Op::AddInt
            | Op::MulInt
            | Op::AddIntO
            | Op::MulIntO
            | Op::AndInt
            | Op::OrInt
            | Op::XorInt
            | Op::XorBool
            | Op::EqInt
            | Op::NeqInt
            | Op::EqDbl
            | Op::NeqDbl
            | Op::EqBool
            | Op::NeqBool
            | Op::MinInt
            | Op::MaxInt
            | Op::EqCls
            | Op::EqFunc
            | Op::SameObj
            | Op::NSameObj
    )
}
