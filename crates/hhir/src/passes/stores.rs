//! Store elimination: a store to a frame slot that is overwritten before anything reads it is removed, and so is one that only
//! side exits would see: they write the slot themselves (sinking).
//!
//! A first walk finds which stores may be the last ones to a slot, at every point. A store is needed if something reads its slot
//! where it may be the last one, or if a side exit cannot tell which store is the last one. A second walk removes the stores
//! that are not needed, and adds their values to the snapshots of the side exits that they reach. Slots of an inlined callee do
//! not exist before its start and after its end.

use super::Shape;
use crate::cfg::Cfg;
use crate::effects::{effects, written_slot};
use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::*;
use crate::unit::*;
use crate::verify_counts::{frame_of, root};

/// The number of rounds in which loops must converge; otherwise the unit is left alone.
const MAX_ROUNDS: usize = 6;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let mut walk = Walk::new(unit, &cfg);
    if walk.places.is_empty() || !walk.settle(unit, &cfg) {
        return;
    }
    let changes = walk.exits(unit, &cfg);
    // The end of an inlined callee is only marked for the sake of stores to its frame.
    let frame = |unit: &Unit, id: &InstId| frame_of(unit, unit.src(unit.inst(*id), 0));
    let stored: Vec<Option<FrameId>> =
        walk.needed.iter().filter(|row| *row.1).map(|(store, _)| frame(unit, store)).collect();
    for &block in &cfg.order {
        let mut insts = super::take_insts(unit, block);
        insts.retain(|id| {
            let inst = unit.inst(*id);
            let ends = inst.op == Op::InlineReturnNoFrame && !stored.contains(&Some(FrameId(inst.imm[0])));
            !ends && walk.needed.get(id).copied().unwrap_or(true)
        });
        unit.blocks[block.at()].insts = insts;
    }
    // Side exits of one opline often share a snapshot, and share the new one, too.
    let mut last: Option<(SnapId, Vec<(FrameId, SnapEntry)>, SnapId)> = None;
    for (id, entries) in changes {
        let Edge::Exit(snap) = unit.inst(id).edge else { continue };
        let new = match &last {
            Some((old, same, new)) if *old == snap && *same == entries => *new,
            _ => extend(unit, snap, &entries),
        };
        unit.insts[id.at()].edge = Edge::Exit(new);
        last = Some((snap, entries, new));
    }
}

/// A slot of a frame that the unit stores to.
struct Place {
    frame: FrameId,
    slot: Slot,
}

/// What may have been written last to a slot.
#[derive(Clone, PartialEq, Default)]
struct Last {
    /// Something else than a store of the unit.
    other: bool,
    stores: Vec<InstId>,
}

impl Last {
    fn join(&mut self, from: &Last) -> bool {
        let before = (self.other, self.stores.len());
        self.other |= from.other;
        for store in &from.stores {
            if !self.stores.contains(store) {
                self.stores.push(*store);
            }
        }
        before != (self.other, self.stores.len())
    }
}

struct Walk {
    places: Vec<Place>,
    numbers: FastMap<(ValueId, Slot), usize>,
    /// The stores, with whether they are needed.
    needed: FastMap<InstId, bool>,
    /// Objects of which the unit takes references, so that they may have several.
    taken: Vec<ValueId>,
    /// The state at the start of each block.
    states: Vec<Option<Vec<Last>>>,
}

fn stored_slot(inst: &Inst) -> Option<Slot> {
    match inst.op {
        Op::StLoc => Some(Slot::Local(inst.imm[0])),
        Op::StStk => Some(Slot::Tmp(inst.imm[0])),
        _ => None,
    }
}

impl Walk {
    fn new(unit: &Unit, cfg: &Cfg) -> Walk {
        let mut walk = Walk {
            places: Vec::new(),
            numbers: FastMap::default(),
            needed: FastMap::default(),
            taken: Vec::new(),
            states: (0..unit.blocks.len()).map(|_| None).collect(),
        };
        for &block in &cfg.order {
            for &id in &unit.block(block).insts {
                let inst = unit.inst(id);
                if inst.op == Op::IncRef {
                    walk.taken.push(root(unit, unit.src(inst, 0)));
                }
                let Some(slot) = stored_slot(inst) else { continue };
                let frame_ptr = unit.src(inst, 0);
                let Some(frame) = frame_of(unit, frame_ptr) else { continue };
                walk.needed.insert(id, false);
                let places = &mut walk.places;
                walk.numbers.entry((frame_ptr, slot)).or_insert_with(|| {
                    places.push(Place { frame, slot });
                    places.len() - 1
                });
            }
        }
        walk
    }

    /// Runs until the states converge; false if that takes too many rounds.
    fn settle(&mut self, unit: &Unit, cfg: &Cfg) -> bool {
        // The slots of the unit's own frame have contents; those of an inlined frame do not exist yet.
        let outer = |place: &Place| Last { other: place.frame == FrameId(0), stores: Vec::new() };
        self.states[unit.entry.at()] = Some(self.places.iter().map(outer).collect());
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for &block in &cfg.order {
                let Some(mut state) = self.states[block.at()].clone() else { continue };
                for &id in &unit.block(block).insts {
                    self.step(unit, id, &mut state, &mut |_, _, _| {});
                }
                for next in unit.successors(block) {
                    match &mut self.states[next.at()] {
                        Some(there) => {
                            for (there, here) in there.iter_mut().zip(&state) {
                                changed |= there.join(here);
                            }
                        }
                        none => {
                            *none = Some(state.clone());
                            changed = true;
                        }
                    }
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// The writes that side exits must make themselves, once it is known which stores are needed.
    fn exits(&mut self, unit: &Unit, cfg: &Cfg) -> Vec<(InstId, Vec<(FrameId, SnapEntry)>)> {
        let mut changes: Vec<(InstId, Vec<(FrameId, SnapEntry)>)> = Vec::new();
        for &block in &cfg.order {
            let Some(mut state) = self.states[block.at()].clone() else { continue };
            for &id in &unit.block(block).insts {
                let mut found = Vec::new();
                self.step(unit, id, &mut state, &mut |frame, slot, store| found.push((frame, slot, store)));
                let gone = |store: &InstId| self.needed.get(store) == Some(&false);
                let entries: Vec<(FrameId, SnapEntry)> = found
                    .into_iter()
                    .filter(|(_, _, store)| gone(store))
                    .map(|(frame, slot, store)| {
                        let value = unit.src(unit.inst(store), 1);
                        (frame, SnapEntry { slot, value, hold: Hold::Move })
                    })
                    .collect();
                if !entries.is_empty() {
                    changes.push((id, entries));
                }
            }
        }
        changes
    }

    /// Processes one instruction: the stores before it that it needs, and its own write. `leaves` gets each store whose value a
    /// side exit would find in its slot.
    fn step(&mut self, unit: &Unit, id: InstId, state: &mut [Last], leaves: &mut dyn FnMut(FrameId, Slot, InstId)) {
        let inst = unit.inst(id);
        self.consume(unit, inst, state);
        let frame_ptr = || unit.srcs(inst).first().copied().unwrap_or(ValueId(0));
        match inst.op {
            Op::StLoc | Op::StStk => {
                let slot = stored_slot(inst).unwrap_or(Slot::Local(0));
                if let Some(&at) = self.numbers.get(&(frame_ptr(), slot)) {
                    state[at] = Last { other: false, stores: vec![id] };
                }
                return;
            }
            Op::LdLoc | Op::CheckLoc => self.read(frame_ptr(), Slot::Local(inst.imm[0]), state),
            Op::LdStk | Op::CheckStk => self.read(frame_ptr(), Slot::Tmp(inst.imm[0]), state),
            Op::InlineReturn | Op::InlineReturnNoFrame => {
                for (place, last) in self.places.iter().zip(state.iter_mut()) {
                    if place.frame == FrameId(inst.imm[0]) {
                        *last = Last::default();
                    }
                }
            }
            // Taking the side exit is all that these instructions do.
            Op::ReqBindJmp | Op::ReqRetranslate | Op::ReqRetranslateOpt => {}
            _ => self.touch(unit, inst, state),
        }
        if let Edge::Exit(snap) = inst.edge {
            self.leave(unit, snap, state, leaves);
        }
    }

    /// Removes a value whose only reference is consumed from the slots that hold it.
    fn consume(&mut self, unit: &Unit, inst: &Inst, state: &mut [Last]) {
        let mask = inst.op.consumes();
        if mask == 0 {
            return;
        }
        for (at, &src) in unit.srcs(inst).iter().enumerate() {
            if mask & (1 << at.min(31)) == 0 || !unit.ty(src).maybe_counted() {
                continue;
            }
            let object = root(unit, src);
            let single = unit.def_inst(object).is_some() && !self.taken.contains(&object);
            for last in state.iter_mut() {
                let holds = |store: &InstId| root(unit, unit.src(unit.inst(*store), 1)) == object;
                if !last.stores.iter().any(holds) {
                    continue;
                }
                if single && last.stores.len() == 1 && !last.other {
                    *last = Last::default();
                    continue;
                }
                for store in &last.stores {
                    self.needed.insert(*store, true);
                }
            }
        }
    }

    fn read(&mut self, frame_ptr: ValueId, slot: Slot, state: &[Last]) {
        if let Some(&at) = self.numbers.get(&(frame_ptr, slot)) {
            for store in &state[at].stores {
                self.needed.insert(*store, true);
            }
        }
    }

    /// Processes an instruction that may read or write slots of any frame.
    fn touch(&mut self, unit: &Unit, inst: &Inst, state: &mut [Last]) {
        let row = effects(unit, inst);
        let class = |slot: Slot| if matches!(slot, Slot::Local(_)) { FRAME } else { STK };
        let only = written_slot(inst);
        for (place, last) in self.places.iter().zip(state.iter_mut()) {
            if row.reads & class(place.slot) != 0 {
                for store in &last.stores {
                    self.needed.insert(*store, true);
                }
            }
            if row.writes & class(place.slot) != 0 {
                let number = match place.slot {
                    Slot::Local(number) | Slot::Tmp(number) => number,
                };
                let spared = only.is_some_and(|(only, slot)| only == class(place.slot) && slot != number);
                last.other |= !spared;
            }
        }
    }

    fn leave(&mut self, unit: &Unit, snap: SnapId, state: &[Last], leaves: &mut dyn FnMut(FrameId, Slot, InstId)) {
        let mut at = Some(snap);
        while let Some(snap) = at.map(|id| unit.snap(id)) {
            for (place, last) in self.places.iter().zip(state) {
                let written = || snap.entries.iter().any(|entry| entry.slot == place.slot);
                if place.frame != snap.frame || last.stores.is_empty() || written() {
                    continue;
                }
                match (&last.stores[..], last.other) {
                    (&[store], false) => leaves(place.frame, place.slot, store),
                    (stores, _) => stores.iter().for_each(|store| {
                        self.needed.insert(*store, true);
                    }),
                }
            }
            at = snap.caller;
        }
    }
}

/// Adds entries to a snapshot and to its callers' snapshots, by frame.
fn extend(unit: &mut Unit, snap: SnapId, entries: &[(FrameId, SnapEntry)]) -> SnapId {
    let mut new = unit.snap(snap).clone();
    let frame = new.frame;
    new.entries.extend(entries.iter().filter(|row| row.0 == frame).map(|row| row.1));
    if let Some(caller) = new.caller {
        if entries.iter().any(|row| row.0 != frame) {
            new.caller = Some(extend(unit, caller, entries));
        }
    }
    unit.add_snap(new)
}
