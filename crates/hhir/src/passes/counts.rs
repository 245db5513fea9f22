//! Reference counts: a reference that is taken and given up again with nothing in between that could see or need it is
//! not taken; giving up a reference that cannot be the last one does not test for that.
//!
//! Exits in between take the reference themselves: the slot that it moves to becomes a copy.

use crate::effects::effects;
use crate::ids::*;
use crate::ops::*;
use crate::types::*;
use crate::unit::*;
use crate::verify_counts::root;

pub(super) fn run(unit: &mut Unit) {
    for block in crate::cfg::reverse_postorder(unit) {
        pairs(unit, block);
        not_last(unit, block);
    }
}

/// A reference that has been taken and not been used.
struct Taken {
    inst: InstId,
    value: ValueId,
    exits: Vec<InstId>,
}

fn pairs(unit: &mut Unit, block: BlockId) {
    let mut taken: Vec<Taken> = Vec::new();
    let mut dead = Vec::new();
    for id in unit.block(block).insts.clone() {
        let inst = *unit.inst(id);
        if inst.op == Op::IncRef {
            let value = root(unit, unit.src(&inst, 0));
            taken.push(Taken { inst: id, value, exits: Vec::new() });
            continue;
        }
        if matches!(inst.op, Op::DecRef | Op::DecRefNZ) {
            let value = root(unit, unit.src(&inst, 0));
            let last = taken.iter().rposition(|row| row.value == value);
            if let Some(pair) = last.map(|at| taken.remove(at)) {
                if pair.exits.iter().all(|&exit| can_copy(unit, exit, value)) {
                    pair.exits.iter().for_each(|&exit| copy_in_exit(unit, exit, value));
                    dead.extend([pair.inst, id]);
                    continue;
                }
            }
        }
        let consumed = consumed_roots(unit, &inst);
        for value in consumed {
            if let Some(used) = taken.iter().rposition(|row| row.value == value) {
                taken.remove(used);
            }
        }
        taken.retain(|row| !disturbs(unit, &inst, unit.ty(row.value)));
        if matches!(inst.edge, Edge::Exit(_)) {
            taken.iter_mut().for_each(|row| row.exits.push(id));
        }
    }
    if !dead.is_empty() {
        unit.blocks[block.at()].insts.retain(|id| !dead.contains(id));
    }
}

/// Whether an instruction may see the count of an object of some type, or give up the reference that keeps it.
fn disturbs(unit: &Unit, inst: &Inst, object: Type) -> bool {
    let touched = effects(unit, inst);
    if (touched.reads | touched.writes) & RC == 0 {
        return false;
    }
    // What works on strings alone leaves other objects alone.
    let on_strings = matches!(inst.op, Op::DecRef | Op::DecRefNZ) || inst.op.info().effects == HELPER;
    let strings = unit.srcs(inst).iter().all(|&src| unit.ty(src).is(STR | UNCOUNTED));
    !(on_strings && strings) || object.maybe(COUNTED_STR)
}

/// The objects of which an instruction uses up a reference.
fn consumed_roots(unit: &Unit, inst: &Inst) -> Vec<ValueId> {
    let mask = inst.op.consumes();
    let srcs = unit.srcs(inst).iter().enumerate();
    srcs.filter(|(at, _)| mask & (1 << (*at).min(31)) != 0).map(|(_, &src)| root(unit, src)).collect()
}

/// Whether an exit moves a reference of the value to a slot.
fn can_copy(unit: &Unit, exit: InstId, value: ValueId) -> bool {
    let Edge::Exit(snap) = unit.inst(exit).edge else { return false };
    let mut entries = unit.snap(snap).entries.iter();
    entries.any(|entry| entry.hold == Hold::Move && root(unit, entry.value) == value)
}

/// Makes the exit take a reference itself.
fn copy_in_exit(unit: &mut Unit, exit: InstId, value: ValueId) {
    let Edge::Exit(snap) = unit.inst(exit).edge else { return };
    let mut snap = unit.snap(snap).clone();
    let roots: Vec<ValueId> = snap.entries.iter().map(|entry| root(unit, entry.value)).collect();
    let moved = snap.entries.iter_mut().zip(roots).find(|(entry, root)| entry.hold == Hold::Move && *root == value);
    if let Some((entry, _)) = moved {
        entry.hold = Hold::Copy;
    }
    let snap = unit.add_snap(snap);
    unit.insts[exit.at()].edge = Edge::Exit(snap);
}

/// If another reference is given up later in the block and none is taken in between, this one is not the last.
fn not_last(unit: &mut Unit, block: BlockId) {
    let mut given_up_later: Vec<ValueId> = Vec::new();
    for id in unit.block(block).insts.clone().into_iter().rev() {
        let inst = *unit.inst(id);
        match inst.op {
            Op::IncRef => {
                let value = root(unit, unit.src(&inst, 0));
                given_up_later.retain(|&later| later != value);
            }
            Op::DecRef => {
                let value = root(unit, unit.src(&inst, 0));
                if given_up_later.contains(&value) {
                    let inst = &mut unit.insts[id.at()];
                    *inst = Inst { op: Op::DecRefNZ, edge: Edge::None, imm: [0; 3], ..*inst };
                } else {
                    given_up_later.push(value);
                }
            }
            // Where a block may be left, what comes later may not happen; the reference is still there then, in a slot.
            // What gives up references of something else may free what holds this one, but not this reference itself.
            _ => given_up_later.extend(consumed_roots(unit, &inst)),
        }
    }
}
