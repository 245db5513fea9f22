//! Store elimination: a store to a frame slot that is overwritten before anything reads it goes; so does one that only
//! an exit would see, which then writes the slot itself (sinking into exits).
//!
//! The walk is forward within each block. A store is pending while nothing has read its slot; what the exits on the way
//! would see of it goes into their snapshots if it is removed.

use crate::effects::effects;
use crate::ids::*;
use crate::ops::*;
use crate::unit::*;
use crate::verify_counts::frame_of;

pub(super) fn run(unit: &mut Unit) {
    for block in crate::cfg::reverse_postorder(unit) {
        Walk { pending: Vec::new(), dead: Vec::new(), added: Vec::new() }.block(unit, block);
    }
}

/// A store that nothing has read yet.
struct Pending {
    store: InstId,
    frame_ptr: ValueId,
    slot: Slot,
    value: ValueId,
    /// Instructions that may leave with the slot as it is.
    exits: Vec<InstId>,
}

struct Walk {
    pending: Vec<Pending>,
    dead: Vec<InstId>,
    /// What exits write themselves.
    added: Vec<(InstId, SnapEntry)>,
}

impl Walk {
    fn block(mut self, unit: &mut Unit, block: BlockId) {
        let insts = unit.block(block).insts.clone();
        for id in insts {
            self.instruction(unit, id);
        }
        if self.dead.is_empty() {
            return;
        }
        unit.blocks[block.at()].insts.retain(|id| !self.dead.contains(id));
        self.added.sort_by_key(|row| row.0);
        for group in self.added.chunk_by(|a, b| a.0 == b.0) {
            let Edge::Exit(snap) = unit.inst(group[0].0).edge else { continue };
            let mut snap = unit.snap(snap).clone();
            snap.entries.extend(group.iter().map(|row| row.1));
            let snap = unit.add_snap(snap);
            unit.insts[group[0].0.at()].edge = Edge::Exit(snap);
        }
    }

    fn instruction(&mut self, unit: &Unit, id: InstId) {
        let inst = unit.inst(id);
        match inst.op {
            Op::StLoc | Op::StStk => return self.store(unit, id, inst),
            Op::LdLoc | Op::CheckLoc => {
                let (frame_ptr, slot) = (unit.src(inst, 0), Slot::Local(inst.imm[0]));
                self.pending.retain(|store| store.slot != slot || store.frame_ptr != frame_ptr);
            }
            Op::LdStk | Op::CheckStk => {
                let (frame_ptr, slot) = (unit.src(inst, 0), Slot::Tmp(inst.imm[0]));
                self.pending.retain(|store| store.slot != slot || store.frame_ptr != frame_ptr);
            }
            // Leaving is all that it does; see below.
            Op::ReqBindJmp | Op::ReqRetranslate | Op::ReqRetranslateOpt => {}
            _ => {
                let reads = effects(unit, inst).reads;
                self.pending.retain(|store| match store.slot {
                    Slot::Local(_) => reads & FRAME == 0,
                    Slot::Tmp(_) => reads & STK == 0,
                });
            }
        }
        if let Edge::Exit(snap) = inst.edge {
            self.exit(unit, id, snap);
        }
        if inst.op.is_terminal() && matches!(inst.edge, Edge::Exit(_)) {
            std::mem::take(&mut self.pending).into_iter().for_each(|store| self.remove(unit, store));
        }
    }

    fn store(&mut self, unit: &Unit, id: InstId, inst: &Inst) {
        let slot = if inst.op == Op::StLoc { Slot::Local(inst.imm[0]) } else { Slot::Tmp(inst.imm[0]) };
        let (frame_ptr, value) = (unit.src(inst, 0), unit.src(inst, 1));
        if let Some(at) = self.pending.iter().position(|store| store.slot == slot && store.frame_ptr == frame_ptr) {
            let overwritten = self.pending.swap_remove(at);
            self.remove(unit, overwritten);
        }
        self.pending.push(Pending { store: id, frame_ptr, slot, value, exits: Vec::new() });
    }

    fn exit(&mut self, unit: &Unit, id: InstId, snap: SnapId) {
        let frame = unit.snap(snap).frame;
        self.pending.retain_mut(|store| {
            store.exits.push(id);
            // Another frame's snapshot is out of reach.
            frame_of(unit, store.frame_ptr) == Some(frame)
        });
    }

    fn remove(&mut self, unit: &Unit, store: Pending) {
        self.dead.push(store.store);
        for exit in store.exits {
            let Edge::Exit(snap) = unit.inst(exit).edge else { continue };
            let added = self.added.iter().any(|row| row.0 == exit && row.1.slot == store.slot);
            if !added && unit.snap(snap).entries.iter().all(|entry| entry.slot != store.slot) {
                self.added.push((exit, SnapEntry { slot: store.slot, value: store.value, hold: Hold::Move }));
            }
        }
    }
}
