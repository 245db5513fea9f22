//! Load elimination: a value that memory is known to hold is not loaded, and a type that is known is not guarded.
//!
//! For locals, temporaries, cells behind pointers and references, elements and headers, the state before an instruction has the
//! value that was last read or written there, or the type that was guarded. Writes drop what they may change, by alias class
//! and, for locals and temporaries, by number. At a join, what all paths agree on stays; at a loop's header, what the loop does
//! not change.

use super::{Shape, Substitution, take_insts};
use crate::cfg::Cfg;
use crate::effects::{Spot, effects, pointed_to, written_slot};
use crate::hash::FastMap;
use crate::ids::*;
use crate::ops::*;
use crate::types::Type;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let loops = cfg.loops(unit);
    let mut subst = Substitution::new();
    let mut done: Vec<Option<State>> = (0..unit.blocks.len()).map(|_| None).collect();
    for &block in &cfg.order {
        let mut state = entry_state(&cfg, block, &done);
        let mut open = cfg.preds(block).iter().filter(|pred| done[pred.at()].is_none()).peekable();
        if open.peek().is_some() {
            // A back edge of a loop that has another entry may have changed anything.
            let is_header = open.all(|&pred| cfg.dominates(block, pred));
            match loops.iter().find(|l| l.header == block && is_header) {
                Some(l) => {
                    for &inside in &l.blocks {
                        for &id in &unit.block(inside).insts {
                            state.forget(unit, unit.inst(id));
                        }
                    }
                }
                None => state.known.clear(),
            }
        }
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            subst.operands(unit, id);
            instruction(unit, id, &mut state, &mut subst)
        });
        unit.blocks[block.at()].insts = kept;
        done[block.at()] = Some(state);
    }
    subst.apply(unit);
}

/// A place in memory, as the instruction that would load it: operation, immediate, operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    op: Op,
    imm: u32,
    srcs: [u32; 2],
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    Value(ValueId),
    /// Only the type is known.
    Type(Type),
    /// A check of the place has succeeded.
    Passed,
}

#[derive(Clone, Default)]
struct State {
    known: FastMap<Place, Row>,
}

/// What is known of a place, its alias classes, and its spot in them.
type Row = (Known, Alias, Spot);

impl State {
    fn meet(&mut self, other: &State) {
        self.known.retain(|place, (known, ..)| match (*known, other.known.get(place)) {
            (a, Some(&(b, ..))) if a == b => true,
            (Known::Type(a), Some(&(Known::Type(b), ..))) => {
                *known = Known::Type(a.union(b));
                true
            }
            _ => false,
        });
    }

    fn forget(&mut self, unit: &Unit, inst: &Inst) {
        let mut writes = effects(unit, inst).writes;
        if let Some((class, slot)) = written_slot(inst) {
            writes &= !class;
            self.known.retain(|place, row| row.1 & class == 0 || (is_slot(place.op) && place.imm != slot));
        }
        if matches!(inst.op, Op::Call | Op::CallArray | Op::SpillFrame) {
            // The call changes the temporaries of the pending call and those above it only.
            writes &= !STK;
            self.known.retain(|place, row| row.1 & STK == 0 || (is_slot(place.op) && place.imm < inst.imm[0]));
        }
        if writes == 0 {
            return;
        }
        let spot = Spot::of(unit, inst);
        let stays = |row: &Row| row.1 & writes == 0 || spot.apart(row.2);
        if inst.op != Op::StMemPayload {
            self.known.retain(|_, row| stays(row));
            return;
        }
        // `StMemPayload` writes a number over one of the same type, so types stay known.
        self.known.retain(|place, row| match row.0 {
            _ if stays(row) => true,
            Known::Value(value) if place.op == Op::LdMem => {
                row.0 = Known::Type(unit.ty(value).kinds());
                true
            }
            Known::Type(ty) => {
                row.0 = Known::Type(ty.kinds());
                true
            }
            _ => false,
        });
    }
}

/// Whether the immediate of an operation is the number of a slot.
fn is_slot(op: Op) -> bool {
    matches!(op, Op::LdLoc | Op::LdStk)
}

fn entry_state(cfg: &Cfg, block: BlockId, done: &[Option<State>]) -> State {
    let mut states = cfg.preds(block).iter().filter_map(|pred| done[pred.at()].as_ref());
    let Some(first) = states.next() else { return State::default() };
    let mut state = first.clone();
    states.for_each(|other| state.meet(other));
    state
}

/// The place that a pointer points to, and its alias classes. An element is the place that other instructions load directly.
fn pointed_place(unit: &Unit, pointer: ValueId) -> (Place, Alias) {
    let class = pointed_to(unit, pointer);
    let (op, imm, of, class) = match unit.def_inst(pointer) {
        Some(def) if def.op == Op::LdPackedArrayDataElemAddr => (Op::LdPackedElem, 0, unit.srcs(def), class),
        Some(def) if def.op == Op::ElemMixedArrayK => (Op::MixedArrayGetK, def.imm[0], unit.srcs(def), class | HDR),
        _ => return (Place { op: Op::LdMem, imm: 0, srcs: [pointer.0, 0] }, class),
    };
    (Place { op, imm, srcs: [of[0].0, of[1].0] }, class)
}

/// The place that an instruction loads, stores or checks, and its alias classes.
fn place_of(unit: &Unit, inst: &Inst) -> Option<(Place, Alias)> {
    let srcs = unit.srcs(inst);
    let src = |at: usize| srcs.get(at).map_or(u32::MAX, |value| value.0);
    let place = |op: Op, imm: u32, srcs: [u32; 2], class: Alias| Some((Place { op, imm, srcs }, class));
    match inst.op {
        Op::LdLoc | Op::StLoc | Op::CheckLoc | Op::AssertLoc => place(Op::LdLoc, inst.imm[0], [src(0), 0], FRAME),
        Op::LdStk | Op::StStk | Op::CheckStk | Op::AssertStk => place(Op::LdStk, inst.imm[0], [src(0), 0], STK),
        Op::LdMem | Op::StMem | Op::StMemPayload | Op::CheckTypeMem | Op::CheckMBase => {
            Some(pointed_place(unit, srcs[0]))
        }
        Op::LdRef | Op::StRef | Op::CheckRefInner => place(Op::LdRef, 0, [src(0), 0], REF),
        Op::LdPackedElem | Op::StPackedElem | Op::CheckPackedElem => place(Op::LdPackedElem, 0, [src(0), src(1)], ELEM),
        Op::LdPackedInt | Op::StPackedInt => place(Op::LdPackedInt, 0, [src(0), src(1)], ELEM),
        Op::LdPackedBool | Op::StPackedBool => place(Op::LdPackedBool, 0, [src(0), src(1)], ELEM),
        Op::LdPackedDbl | Op::StPackedDbl => place(Op::LdPackedDbl, 0, [src(0), src(1)], ELEM),
        // Any other load or check of memory is its own place.
        op => {
            let row = op.info();
            let plain = row.effects.writes == 0 && row.effects.reads != 0 && row.flags & (ER | PRC | CRC | T) == 0;
            let small = srcs.len() <= 2 && !matches!(inst.edge, Edge::Block(_)) && inst.imm[1..] == [0, 0];
            let fresh = matches!(op, Op::Conjure | Op::LdRetVal);
            (plain && small && !fresh)
                .then(|| (Place { op, imm: inst.imm[0], srcs: [src(0), src(1)] }, effects(unit, inst).reads))
        }
    }
}

/// Processes one instruction; gives whether it stays.
fn instruction(unit: &mut Unit, id: InstId, state: &mut State, subst: &mut Substitution) -> bool {
    let inst = *unit.inst(id);
    let Some((place, class)) = place_of(unit, &inst) else {
        state.forget(unit, &inst);
        return true;
    };
    let known = state.known.get(&place).map(|row| row.0);
    let at = (class, Spot::of(unit, &inst));
    match inst.op {
        Op::StLoc
        | Op::StStk
        | Op::StMem
        | Op::StMemPayload
        | Op::StRef
        | Op::StPackedElem
        | Op::StPackedInt
        | Op::StPackedDbl
        | Op::StPackedBool => {
            let stored = unit.srcs(&inst).last().copied();
            state.forget(unit, &inst);
            if let Some(value) = stored {
                state.known.insert(place, (Known::Value(value), at.0, at.1));
            }
            true
        }
        Op::CheckLoc
        | Op::CheckStk
        | Op::CheckTypeMem
        | Op::CheckMBase
        | Op::CheckRefInner
        | Op::AssertLoc
        | Op::AssertStk => check(unit, id, place, at, known, state),
        op if !op.has_dst() => {
            let passed = known == Some(Known::Passed);
            state.known.insert(place, (Known::Passed, at.0, at.1));
            !passed
        }
        _ => load(unit, id, place, at, known, state, subst),
    }
}

/// Processes a guard of a place's type; gives whether it stays.
fn check(
    unit: &mut Unit,
    id: InstId,
    place: Place,
    at: (Alias, Spot),
    known: Option<Known>,
    state: &mut State,
) -> bool {
    let inst = *unit.inst(id);
    let asserts = matches!(inst.op, Op::AssertLoc | Op::AssertStk);
    match known {
        Some(Known::Value(value)) if unit.ty(value).le(inst.ty) => {
            unit.observe(value);
            false
        }
        Some(Known::Type(ty)) if ty.le(inst.ty) => false,
        // What a branch finds holds on one of its two paths only.
        _ if matches!(inst.edge, Edge::Block(_)) => true,
        Some(Known::Value(value)) => {
            // The value is known, so it is checked instead of the memory.
            let ty = unit.ty(value).meet(inst.ty);
            if ty.is_bottom() {
                return true;
            }
            let better = ValueId::new(unit.values.len());
            unit.values.push(ValueData { ty, def: Def::Inst(id), observed: false });
            let srcs = unit.list(&[value]);
            let op = if asserts { Op::AssertType } else { Op::CheckType };
            unit.insts[id.at()] = Inst { op, srcs, dst: Some(better), imm: [0; 3], ..inst };
            state.known.insert(place, (Known::Value(better), at.0, at.1));
            true
        }
        Some(Known::Type(ty)) => {
            state.known.insert(place, (Known::Type(ty.meet(inst.ty)), at.0, at.1));
            true
        }
        _ => {
            state.known.insert(place, (Known::Type(inst.ty), at.0, at.1));
            true
        }
    }
}

/// Processes a load; gives whether it stays.
fn load(
    unit: &mut Unit,
    id: InstId,
    place: Place,
    at: (Alias, Spot),
    known: Option<Known>,
    state: &mut State,
    subst: &mut Substitution,
) -> bool {
    let inst = *unit.inst(id);
    let Some(dst) = inst.dst else { return true };
    match known {
        Some(Known::Value(value)) => {
            let value = subst.find(value);
            if unit.ty(value).le(unit.ty(dst)) {
                subst.set(dst, value);
                return false;
            }
            // The load's type is better than that of the known value, by assertion or by a guard.
            let meets = !unit.ty(value).meet(inst.ty).is_bottom() && unit.ty(value).bits() & !crate::types::GEN == 0;
            if inst.op.is_typed() && meets {
                let srcs = unit.list(&[value]);
                let op = if inst.op.has(B) { Op::CheckType } else { Op::AssertType };
                unit.insts[id.at()] = Inst { op, srcs, imm: [0; 3], ..inst };
                unit.values[dst.at()].ty = unit.ty(value).meet(inst.ty);
            }
        }
        Some(Known::Type(ty)) if inst.op.is_typed() => {
            let better = unit.ty(dst).meet(ty);
            if !better.is_bottom() {
                unit.values[dst.at()].ty = better;
                unit.insts[id.at()].ty = inst.ty.meet(ty);
            }
        }
        _ => {}
    }
    state.known.insert(place, (Known::Value(dst), at.0, at.1));
    true
}
