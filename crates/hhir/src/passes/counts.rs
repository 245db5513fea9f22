//! Refcount elimination: an increment and the decrements that end its reference are removed if nothing in between needs the
//! reference or can see the count. A decrement that cannot be the last one does not test for zero.
//!
//! From the increment on, all paths, also through loops, are followed until the reference is released. Side exits on the way
//! take the reference themselves: an entry that moved it becomes one that copies.

use super::{Shape, take_insts};
use crate::cfg::Cfg;
use crate::effects::effects;
use crate::ids::*;
use crate::ops::*;
use crate::types::*;
use crate::unit::*;
use crate::verify_counts::root;

/// The number of instructions that are looked at for one increment.
const MAX_STEPS: usize = 1000;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    if !unit.insts.iter().any(|inst| inst.op == Op::IncRef) {
        return;
    }
    let cfg = shape.of(unit);
    let mut dead = Vec::new();
    for &block in &cfg.order {
        // The last increment comes first: its reference is the first one to be released.
        for at in (0..unit.block(block).insts.len()).rev() {
            let id = unit.block(block).insts[at];
            if unit.inst(id).op != Op::IncRef {
                continue;
            }
            if let Some(pair) = Pair::find(unit, &cfg, block, at, &dead) {
                let mut copies = Vec::new();
                pair.exits.iter().for_each(|&exit| copy_in_exit(unit, exit, pair.object, &mut copies));
                dead.push(id);
                dead.extend(pair.releases);
            }
        }
    }
    if !dead.is_empty() {
        for &block in &cfg.order {
            let mut insts = take_insts(unit, block);
            insts.retain(|id| !dead.contains(id));
            unit.blocks[block.at()].insts = insts;
        }
    }
    for &block in &cfg.order {
        not_last(unit, block);
    }
}

/// An increment that can be removed.
struct Pair {
    object: ValueId,
    /// The decrements that release the reference.
    releases: Vec<InstId>,
    /// The instructions whose side exits may be taken while the reference is held.
    exits: Vec<InstId>,
}

impl Pair {
    /// Follows the reference that an increment takes; `None` if it is needed.
    fn find(unit: &Unit, cfg: &Cfg, block: BlockId, at: usize, dead: &[InstId]) -> Option<Pair> {
        let object = root(unit, unit.src(unit.inst(unit.block(block).insts[at]), 0));
        let mut pair = Pair { object, releases: Vec::new(), exits: Vec::new() };
        let (mut seen, mut steps) = (vec![block], MAX_STEPS);
        let mut work = vec![(block, at + 1)];
        while let Some((here, start)) = work.pop() {
            if pair.follow(unit, here, start, dead, &mut steps)? {
                continue;
            }
            for next in unit.successors(here) {
                // The path returns to the increment, or joins one on which the reference was not taken.
                if next == block || !cfg.dominates(block, next) {
                    return None;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    work.push((next, 0));
                }
            }
        }
        (!pair.releases.is_empty()).then_some(pair)
    }

    /// Follows the reference through a block. Gives whether it is released there; `None` if something needs it.
    fn follow(
        &mut self,
        unit: &Unit,
        block: BlockId,
        start: usize,
        dead: &[InstId],
        steps: &mut usize,
    ) -> Option<bool> {
        for &id in &unit.block(block).insts[start..] {
            *steps = steps.checked_sub(1)?;
            if dead.contains(&id) {
                continue;
            }
            let inst = unit.inst(id);
            let mine = unit.srcs(inst).iter().any(|&src| root(unit, src) == self.object);
            match inst.op {
                Op::DecRef | Op::DecRefFree | Op::DecRefNZ if mine => {
                    self.releases.push(id);
                    return Some(true);
                }
                Op::IncRef if !mine => continue,
                // The reference is taken again, gets another name, or leaves the unit.
                Op::IncRef | Op::Jmp | Op::RetCtrl | Op::RetUnit if mine => return None,
                _ => {}
            }
            let used = consumed_roots(unit, inst).contains(&self.object);
            if used || disturbs(unit, inst, unit.ty(self.object)) {
                return None;
            }
            if matches!(inst.edge, Edge::Exit(_)) {
                can_copy(unit, id, self.object).then(|| self.exits.push(id))?;
            }
            if inst.op.is_terminal() && !matches!(inst.edge, Edge::Block(_)) {
                return match inst.edge {
                    // The side exit takes the reference itself.
                    Edge::Exit(_) => Some(true),
                    _ => None,
                };
            }
        }
        Some(false)
    }
}

/// Whether an instruction may see the count of an object of some type, or release the reference that keeps it alive.
fn disturbs(unit: &Unit, inst: &Inst, object: Type) -> bool {
    let touched = effects(unit, inst);
    if (touched.reads | touched.writes) & RC == 0 {
        return false;
    }
    // An instruction that works on strings only cannot touch objects of other types.
    let on_strings = matches!(inst.op, Op::DecRef | Op::DecRefFree | Op::DecRefNZ) || inst.op.info().effects == HELPER;
    let strings = unit.srcs(inst).iter().all(|&src| unit.ty(src).is(STR | UNCOUNTED));
    !(on_strings && strings) || object.maybe(COUNTED_STR)
}

/// The objects of which an instruction consumes a reference.
fn consumed_roots(unit: &Unit, inst: &Inst) -> Vec<ValueId> {
    let mask = inst.op.consumes();
    let srcs = unit.srcs(inst).iter().enumerate();
    srcs.filter(|(at, _)| mask & (1 << (*at).min(31)) != 0).map(|(_, &src)| root(unit, src)).collect()
}

/// Whether a side exit moves a reference of the value to a slot.
fn can_copy(unit: &Unit, exit: InstId, value: ValueId) -> bool {
    let Edge::Exit(snap) = unit.inst(exit).edge else { return false };
    moves(unit, snap, value)
}

/// Whether a snapshot, or that of one of its callers, moves a reference of the value to a slot.
fn moves(unit: &Unit, snap: SnapId, value: ValueId) -> bool {
    let snap = unit.snap(snap);
    let moves_it = |entry: &SnapEntry| entry.hold == Hold::Move && root(unit, entry.value) == value;
    snap.entries.iter().any(moves_it) || snap.caller.is_some_and(|caller| moves(unit, caller, value))
}

/// The snapshot with a copy in place of the entry that moves the value.
fn with_copy(unit: &mut Unit, old: SnapId, value: ValueId) -> SnapId {
    let mut snap = unit.snap(old).clone();
    let roots: Vec<ValueId> = snap.entries.iter().map(|entry| root(unit, entry.value)).collect();
    let moved = snap.entries.iter_mut().zip(roots).find(|(entry, root)| entry.hold == Hold::Move && *root == value);
    match (moved, snap.caller) {
        (Some((entry, _)), _) => entry.hold = Hold::Copy,
        (None, Some(caller)) => snap.caller = Some(with_copy(unit, caller, value)),
        (None, None) => return old,
    }
    unit.add_snap(snap)
}

/// Makes a side exit take the reference itself. Instructions that shared a snapshot share the new one, too: `copies` has the
/// pairs.
fn copy_in_exit(unit: &mut Unit, exit: InstId, value: ValueId, copies: &mut Vec<(SnapId, SnapId)>) {
    let Edge::Exit(old) = unit.inst(exit).edge else { return };
    if let Some(&(_, new)) = copies.iter().find(|row| row.0 == old) {
        unit.insts[exit.at()].edge = Edge::Exit(new);
        return;
    }
    let new = with_copy(unit, old, value);
    copies.push((old, new));
    unit.insts[exit.at()].edge = Edge::Exit(new);
}

/// Turns decrements that cannot be the last one into `DecRefNZ`: another reference is consumed later in the block, and none is
/// taken in between.
fn not_last(unit: &mut Unit, block: BlockId) {
    let mut given_up_later: Vec<ValueId> = Vec::new();
    for id in unit.block(block).insts.clone().into_iter().rev() {
        let inst = *unit.inst(id);
        match inst.op {
            Op::IncRef => {
                let value = root(unit, unit.src(&inst, 0));
                given_up_later.retain(|&later| later != value);
            }
            Op::DecRef | Op::DecRefFree => {
                let value = root(unit, unit.src(&inst, 0));
                if given_up_later.contains(&value) {
                    let inst = &mut unit.insts[id.at()];
                    *inst = Inst { op: Op::DecRefNZ, edge: Edge::None, imm: [0; 3], ..*inst };
                } else {
                    given_up_later.push(value);
                }
            }
            // If the block is left before the later decrement, a slot still has that reference. An instruction that releases
            // references of other objects may free what holds this one, but not this reference.
            _ => given_up_later.extend(consumed_roots(unit, &inst)),
        }
    }
}
