//! Moves instructions out of loops, for `licm.rs` and `hoist.rs`.

use super::Shape;
use crate::cfg::{Cfg, Loop};
use crate::effects::{Spot, effects, written_slot};
use crate::ids::*;
use crate::ops::*;
use crate::types::{Spec, Type};
use crate::unit::*;

/// What a loop writes.
struct Writes {
    /// The different writes of the loop.
    rows: Vec<Write>,
    /// Slots of frames that the loop writes individually.
    slots: Vec<(Alias, u32)>,
}

/// A write to alias classes, or to one spot of them.
#[derive(PartialEq)]
struct Write {
    classes: Alias,
    spot: Spot,
    /// The type of the stored value, if it is known.
    stored: Option<Type>,
    /// Whether the stored value replaces one of the same type.
    same_type: bool,
}

impl Writes {
    fn of(unit: &Unit, l: &Loop) -> Writes {
        let mut writes = Writes { rows: Vec::new(), slots: Vec::new() };
        for &block in &l.blocks {
            for &id in &unit.block(block).insts {
                let inst = unit.inst(id);
                let mut classes = effects(unit, inst).writes;
                if let Some((class, slot)) = written_slot(inst) {
                    classes &= !class;
                    writes.slots.push((class, slot));
                }
                if classes == 0 {
                    continue;
                }
                let stored = matches!(inst.op, Op::StMem).then(|| unit.ty(unit.src(inst, 1)).kinds());
                let same_type = inst.op == Op::StMemPayload;
                let row = Write { classes, spot: Spot::of(unit, inst), stored, same_type };
                if !writes.rows.contains(&row) {
                    writes.rows.push(row);
                }
            }
        }
        writes
    }

    /// Whether the loop may change what an instruction reads.
    fn touch(&self, unit: &Unit, inst: &Inst) -> bool {
        let reads = effects(unit, inst).reads;
        let spot = Spot::of(unit, inst);
        let only_type = matches!(inst.op, Op::CheckTypeMem | Op::CheckRefInner | Op::IsTypeMem | Op::IsNTypeMem)
            && inst.ty.spec() == Spec::None;
        // A type check that succeeded before the loop holds in it if only values are stored that fit.
        let passes = |row: &Write| {
            only_type && (row.same_type || (inst.op == Op::CheckTypeMem && row.stored.is_some_and(|ty| ty.le(inst.ty))))
        };
        if self.rows.iter().any(|row| reads & row.classes != 0 && !spot.apart(row.spot) && !passes(row)) {
            return true;
        }
        self.slots.iter().any(|&(class, slot)| match inst.op {
            Op::LdLoc | Op::LdStk | Op::CheckLoc | Op::CheckStk => reads & class != 0 && inst.imm[0] == slot,
            _ => reads & class != 0,
        })
    }
}

/// Moves loop invariants to preheaders: calculations and loads, and with `guards` also guards, whose side exits then have the
/// snapshot of the preheader's ExitPlaceholder.
pub(super) fn run(unit: &mut Unit, shape: &mut Shape, guards: bool) {
    let cfg = shape.of(unit);
    // Inner loops come first: what leaves one may leave the next one, too.
    for l in cfg.loops(unit) {
        if let Some(preheader) = l.preheader {
            move_out(unit, &cfg, l, preheader, guards);
        }
    }
}

fn move_out(unit: &mut Unit, cfg: &Cfg, l: &Loop, preheader: BlockId, guards: bool) {
    let writes = Writes::of(unit, l);
    let exit = if guards { placeholder(unit, preheader) } else { None };
    let mut inside = vec![false; unit.values.len()];
    for &block in &l.blocks {
        let insts = unit.block(block).insts.iter().filter_map(|&id| unit.inst(id).dst);
        unit.block(block).params.iter().copied().chain(insts).for_each(|value| inside[value.at()] = true);
    }
    let mut moved = Vec::new();
    // Whether all instructions so far run in each iteration, and no guard stays in the loop.
    let mut unchecked = true;
    for &block in &l.blocks {
        let always = l.latches.iter().all(|&latch| cfg.dominates(block, latch));
        unchecked &= always;
        let mut kept = std::mem::take(&mut unit.blocks[block.at()].insts);
        kept.retain(|&id| {
            let inst = *unit.inst(id);
            let invariant = unit.srcs(&inst).iter().all(|src| !inside[src.at()]) && !writes.touch(unit, &inst);
            let goes = invariant
                && match kind(&inst) {
                    Kind::Free => true,
                    Kind::Pinned => unchecked || (always && checked(unit, &inst, preheader, &moved)),
                    Kind::Guard => always && exit.is_some(),
                    Kind::PinnedGuard => always && exit.is_some() && checked(unit, &inst, preheader, &moved),
                    Kind::Stays => false,
                };
            if goes {
                if let (Edge::Exit(_), Some(exit)) = (inst.edge, exit) {
                    unit.insts[id.at()].edge = Edge::Exit(exit);
                }
                if let Some(dst) = inst.dst {
                    inside[dst.at()] = false;
                }
                moved.push(id);
            } else if inst.op.has(B | ER) {
                unchecked = false;
            }
            !goes
        });
        unit.blocks[block.at()].insts = kept;
    }
    let insts = &mut unit.blocks[preheader.at()].insts;
    let end = insts.len() - usize::from(insts.last().is_some_and(|&id| unit.insts[id.at()].op == Op::Jmp));
    insts.splice(end..end, moved);
}

/// Whether the check that an instruction relies on is made before the loop, in the preheader or by a moved instruction.
fn checked(unit: &Unit, inst: &Inst, preheader: BlockId, moved: &[InstId]) -> bool {
    let check = match inst.op {
        Op::LdPackedElem | Op::CheckPackedElem => Op::CheckPackedArrayDataBounds,
        Op::LdPackedInt | Op::LdPackedDbl | Op::LdPackedBool => Op::CheckPackedArrayDataBounds,
        Op::LdMem => Op::CheckTypeMem,
        Op::LdRef => Op::CheckRefInner,
        Op::MixedArrayGetK | Op::ElemMixedArrayK => Op::CheckMixedArrayOffset,
        _ => return false,
    };
    let srcs = unit.srcs(inst);
    moved.iter().chain(&unit.block(preheader).insts).map(|&id| unit.inst(id)).any(|other| {
        let same = unit.srcs(other).len() <= srcs.len() && unit.srcs(other).iter().zip(srcs).all(|(a, b)| a == b);
        // The checked type must be at least as good as the loaded one; other checks have equal immediates.
        let fits = if check.is_typed() { other.ty.le(inst.ty) } else { other.imm == inst.imm };
        other.op == check && same && fits
    })
}

enum Kind {
    /// Can run anywhere.
    Free,
    /// Can run where the checks before it have succeeded.
    Pinned,
    /// A guard with a side exit.
    Guard,
    /// A guard that can run where the checks before it have succeeded.
    PinnedGuard,
    /// Cannot move.
    Stays,
}

fn kind(inst: &Inst) -> Kind {
    let row = inst.op.info();
    let fixed = matches!(inst.op, Op::ExitPlaceholder | Op::EndGuards | Op::Conjure | Op::LdRetVal | Op::PatchPoint)
        || row.effects.writes != 0
        || row.flags & (ER | PRC | CRC | T) != 0;
    match (row.flags & B != 0, row.flags & PINNED != 0, inst.edge) {
        _ if fixed => Kind::Stays,
        (true, true, Edge::Exit(_)) => Kind::PinnedGuard,
        (true, false, Edge::Exit(_)) => Kind::Guard,
        (true, ..) => Kind::Stays,
        (false, true, _) => Kind::Pinned,
        (false, false, _) if inst.dst.is_some() => Kind::Free,
        _ => Kind::Stays,
    }
}

/// The snapshot with which a side exit can be taken at a preheader's end, if nothing has been written since.
pub(super) fn placeholder(unit: &Unit, preheader: BlockId) -> Option<SnapId> {
    for &id in unit.block(preheader).insts.iter().rev() {
        let inst = unit.inst(id);
        if let (Op::ExitPlaceholder, Edge::Exit(snap)) = (inst.op, inst.edge) {
            return Some(snap);
        }
        if effects(unit, inst).writes != 0 {
            return None;
        }
    }
    None
}
