//! The balance of references: at every end of a unit, each object has as many references as slots hold it.
//!
//! For each counted value, the walk knows how many references the unit accounts for: those in frame slots, and those that are
//! not stored anywhere. A load from a slot finds the slot's reference, a store moves a reference to a slot, an instruction that
//! produces a reference adds one, an instruction that consumes one removes it. At a side exit the slots, as the snapshot leaves
//! them, must hold exactly the references that exist; at a return none must be left.
//!
//! The walk ignores what it cannot track: values that pass through block parameters, slots that other code may change, objects
//! with two names. It does not enter blocks that types make unreachable: such a branch stays until a pass removes it, and
//! references need not be balanced behind it.

use crate::cfg::Cfg;
use crate::effects::{effects, written_slot};
use crate::fold;
use crate::ids::*;
use crate::ops::*;
use crate::print;
use crate::unit::*;
use std::collections::BTreeMap;

/// The index of CallUnit's operand that is the object; the arguments follow it.
const CALL_FIRST: usize = 3;

/// Verifies the balance of references; see the module.
pub(crate) fn verify(unit: &Unit, cfg: &Cfg) -> Result<(), String> {
    let mut done: Vec<Option<State>> = vec![None; unit.blocks.len()];
    let mut excluded = vec![false; unit.blocks.len()];
    for &block in &cfg.order {
        let preds = cfg.preds(block);
        let ways: Vec<BlockId> =
            preds.iter().copied().filter(|&pred| !excluded[pred.at()] && !never_goes(unit, pred, block)).collect();
        if ways.is_empty() && !preds.is_empty() {
            excluded[block.at()] = true;
            done[block.at()] = Some(State::default());
            continue;
        }
        let mut states = ways.iter().filter_map(|pred| done[pred.at()].as_ref());
        let mut state = states.next().cloned().unwrap_or_default();
        for other in states {
            state.meet(other).map_err(|error| format!("{block}: {error}"))?;
        }
        if preds.iter().any(|pred| done[pred.at()].is_none()) {
            // What the loop does with slots is known only at its end.
            state.slots.clear();
            state.counts.clear();
            state.names.clear();
        }
        for &id in &unit.block(block).insts {
            let at = |error| format!("{block}: `{}`: {error}", print::instruction(unit, id));
            state.instruction(unit, unit.inst(id)).map_err(at)?;
        }
        done[block.at()] = Some(state);
    }
    Ok(())
}

/// Whether types decide that a block's last branch never goes to a successor.
fn never_goes(unit: &Unit, from: BlockId, to: BlockId) -> bool {
    let Some(inst) = unit.block(from).insts.last().map(|&id| unit.inst(id)) else { return false };
    let (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) = (inst.op, inst.edge) else { return false };
    let condition = unit.src(inst, 0);
    let asks = unit.def_inst(condition).filter(|def| matches!(def.op, Op::IsType | Op::IsNType));
    let holds = match asks.and_then(|test| fold::fold(unit, test)) {
        Some(Const::Bool(holds)) => Some(holds),
        _ => unit.ty(condition).as_bool(),
    };
    let Some(holds) = holds else { return false };
    let goes = if holds == (inst.op == Op::JmpNZero) { Some(target) } else { unit.block(from).next };
    goes != Some(to)
}

type Place = (ValueId, Slot);

#[derive(Clone, Default)]
struct State {
    /// The number of references of each object; an object that is not listed is not tracked.
    counts: BTreeMap<ValueId, i32>,
    /// The object whose reference each slot holds.
    slots: BTreeMap<Place, ValueId>,
    /// Values that are other names of objects: loaded from a slot whose contents were known.
    names: BTreeMap<ValueId, ValueId>,
}

/// The object that a value is, without checks and copies.
pub(crate) fn root(unit: &Unit, mut value: ValueId) -> ValueId {
    while let Some(def) = unit.def_inst(value).filter(|def| def.op.has(P)) {
        value = unit.src(def, 0);
    }
    value
}

impl State {
    fn meet(&mut self, other: &State) -> Result<(), String> {
        // A slot that holds the object on one path only may have lost its reference on the other, so the object is not tracked.
        let lost: Vec<Place> = self
            .slots
            .iter()
            .filter(|(place, value)| other.slots.get(place) != Some(value))
            .map(|row| *row.0)
            .collect();
        let only_there = other.slots.iter().filter(|(place, value)| self.slots.get(place) != Some(value));
        let unclear: Vec<ValueId> = only_there.map(|row| *row.1).collect();
        lost.into_iter().for_each(|place| self.forget_slot(place));
        unclear.into_iter().for_each(|value| self.forget(value));
        for (value, count) in &self.counts {
            match other.counts.get(value) {
                Some(there) if there != count => {
                    return Err(format!("{value} has {count} references on one way here and {there} on another"));
                }
                _ => {}
            }
        }
        self.counts.retain(|value, _| other.counts.contains_key(value));
        self.names.retain(|name, value| other.names.get(name) == Some(value));
        Ok(())
    }

    /// The object that a value is another name of.
    fn object(&self, unit: &Unit, value: ValueId) -> ValueId {
        let value = root(unit, value);
        self.names.get(&value).copied().unwrap_or(value)
    }

    /// Stops tracking an object.
    fn forget(&mut self, value: ValueId) {
        self.counts.remove(&value);
        self.slots.retain(|_, held| *held != value);
    }

    fn forget_slot(&mut self, place: Place) {
        if let Some(value) = self.slots.remove(&place) {
            self.forget(value);
        }
    }

    fn instruction(&mut self, unit: &Unit, inst: &Inst) -> Result<(), String> {
        let srcs = unit.srcs(inst);
        match inst.op {
            Op::StLoc | Op::StStk => {
                let slot = if inst.op == Op::StLoc { Slot::Local(inst.imm[0]) } else { Slot::Tmp(inst.imm[0]) };
                self.store((srcs[0], slot), unit, srcs[1]);
                return Ok(());
            }
            Op::LdLoc => self.load(unit, inst, (srcs[0], Slot::Local(inst.imm[0]))),
            Op::LdStk => self.load(unit, inst, (srcs[0], Slot::Tmp(inst.imm[0]))),
            Op::IncRef => {
                let value = self.object(unit, srcs[0]);
                if let Some(count) = self.counts.get_mut(&value) {
                    *count += 1;
                }
            }
            // DropMem releases what the slot with this address holds.
            Op::DropMem => {
                if let Some(def) = unit.def_inst(srcs[0]).filter(|def| def.op == Op::LdLocAddr) {
                    self.forget_slot((unit.src(def, 0), Slot::Local(def.imm[0])));
                }
            }
            // The parameters that the values are passed to would be further names of the objects.
            Op::Jmp => srcs.iter().for_each(|&src| self.forget(self.object(unit, src))),
            _ => {}
        }
        self.clobber(unit, inst);
        // An instruction that takes its edge instead of doing its work has consumed nothing.
        let is_late = !inst.op.has(B);
        if is_late {
            self.consume(unit, inst)?;
        }
        if let Edge::Exit(snap) = inst.edge {
            self.exit(unit, snap, &given_up(unit, inst))?;
        }
        if !is_late {
            self.consume(unit, inst)?;
        }
        if matches!(inst.op, Op::RetCtrl | Op::RetUnit | Op::RetMem) {
            return self.ends();
        }
        self.produce(unit, inst);
        Ok(())
    }

    fn store(&mut self, place: Place, unit: &Unit, value: ValueId) {
        self.slots.remove(&place);
        let value = self.object(unit, value);
        if self.counts.contains_key(&value) {
            self.slots.insert(place, value);
        }
    }

    fn load(&mut self, unit: &Unit, inst: &Inst, place: Place) {
        let Some(dst) = inst.dst.filter(|&dst| unit.ty(dst).is(crate::types::COUNTED)) else { return };
        match self.slots.get(&place).copied() {
            Some(known) => {
                self.names.insert(dst, known);
            }
            None => {
                self.slots.insert(place, dst);
                self.counts.insert(dst, 1);
            }
        }
    }

    /// Stops tracking the slots that an instruction may change by other means than a store.
    fn clobber(&mut self, unit: &Unit, inst: &Inst) {
        let mut writes = effects(unit, inst).writes;
        let mut hit: Vec<Place> = Vec::new();
        if let Some((class, number)) = written_slot(inst) {
            writes &= !class;
            let slot = if class == FRAME { Slot::Local(number) } else { Slot::Tmp(number) };
            hit.extend(self.slots.keys().filter(|place| place.1 == slot));
        }
        hit.extend(self.slots.keys().filter(|place| match place.1 {
            Slot::Local(_) => writes & FRAME != 0,
            Slot::Tmp(_) => writes & STK != 0,
        }));
        hit.into_iter().for_each(|place| self.forget_slot(place));
    }

    fn consume(&mut self, unit: &Unit, inst: &Inst) -> Result<(), String> {
        let mask = inst.op.consumes();
        for (at, &src) in unit.srcs(inst).iter().enumerate() {
            if mask & (1 << at.min(31)) == 0 || !unit.ty(src).maybe_counted() {
                continue;
            }
            let value = self.object(unit, src);
            if let Some(count) = self.counts.get_mut(&value) {
                *count -= 1;
                if *count < 0 {
                    return Err(format!("{value} has no reference that could be given up"));
                }
                // Consuming the value of a temporary leaves that temporary dead.
                let held = self.slots.values().filter(|held| **held == value).count() as i32;
                let dead = self.slots.iter().find(|(place, held)| matches!(place.1, Slot::Tmp(_)) && **held == value);
                if let Some(place) = dead.map(|row| *row.0).filter(|_| held > *count) {
                    self.slots.remove(&place);
                }
            }
        }
        Ok(())
    }

    fn produce(&mut self, unit: &Unit, inst: &Inst) {
        let Some(dst) = inst.dst else { return };
        if inst.op.has(P) {
            // A value that is known not to be counted needs no references.
            if !unit.ty(dst).is(crate::types::COUNTED) {
                self.forget(self.object(unit, dst));
            }
        } else if unit.ty(dst).is(crate::types::COUNTED) && !self.counts.contains_key(&dst) {
            let is_load = matches!(inst.op, Op::LdLoc | Op::LdStk | Op::Select | Op::LdRetVal | Op::Conjure);
            if !is_load {
                self.counts.insert(dst, i32::from(inst.op.has(PRC)));
            }
        }
    }

    fn exit(&self, unit: &Unit, snap: SnapId, given_up: &[ValueId]) -> Result<(), String> {
        let mut held: BTreeMap<ValueId, i32> = BTreeMap::new();
        given_up.iter().for_each(|&value| *held.entry(self.object(unit, value)).or_default() += 1);
        let mut written: Vec<(FrameId, Slot)> = Vec::new();
        let mut at = Some(snap);
        while let Some(snap) = at.map(|id| unit.snap(id)) {
            for entry in &snap.entries {
                written.push((snap.frame, entry.slot));
                if entry.hold == Hold::Move {
                    *held.entry(self.object(unit, entry.value)).or_default() += 1;
                }
            }
            at = snap.caller;
        }
        for (place, value) in &self.slots {
            let frame = frame_of(unit, place.0);
            if !written.iter().any(|row| Some(row.0) == frame && row.1 == place.1) {
                *held.entry(*value).or_default() += 1;
            }
        }
        for (value, count) in &self.counts {
            let held = held.get(value).copied().unwrap_or(0);
            if held != *count {
                return Err(format!("{value} has {count} references, but slots hold {held} when the unit is left"));
            }
        }
        Ok(())
    }

    fn ends(&self) -> Result<(), String> {
        match self.counts.iter().find(|row| *row.1 != 0) {
            Some((value, count)) => Err(format!("{value} still has {count} references")),
            None => Ok(()),
        }
    }
}

/// The values that a call consumes, and that its side exit still accounts for.
fn given_up(unit: &Unit, inst: &Inst) -> Vec<ValueId> {
    if !matches!(inst.op, Op::CallUnit | Op::CallUnitMem) {
        return Vec::new();
    }
    let passed = unit.srcs(inst).iter().skip(CALL_FIRST).enumerate();
    passed.filter(|(at, _)| *at < 31 && inst.imm[2] >> at & 1 != 0).map(|(_, &value)| value).collect()
}

/// The frame of a frame pointer.
pub(crate) fn frame_of(unit: &Unit, frame_ptr: ValueId) -> Option<FrameId> {
    let def = unit.def_inst(frame_ptr)?;
    match def.op {
        Op::DefFP => Some(FrameId(0)),
        Op::DefInlineFP => Some(FrameId(def.imm[0])),
        _ => None,
    }
}
