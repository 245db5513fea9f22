//! Escape analysis and scalar replacement: a small packed array, an object or a reference that is created, used and released
//! within one block, and that nothing else sees, is not created; what it would hold stays in SSA values.
//!
//! Stores move references and do not release the old value, so the code that overwrites an element already releases what it
//! held. That does not change when the element is replaced by a value.

use super::{Shape, Substitution, take_insts};
use crate::ids::*;
use crate::ops::*;
use crate::types::*;
use crate::unit::*;

/// The number of elements up to which an array is replaced.
const MAX_ELEMENTS: u32 = 8;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let order = &cfg.order;
    let makes = |&(_, id): &(BlockId, InstId)| match unit.inst(id).op {
        Op::AllocPackedArray => unit.inst(id).imm[0] <= MAX_ELEMENTS,
        Op::Box | Op::NewInstanceRaw => true,
        _ => false,
    };
    let all = order.iter().flat_map(|&block| unit.block(block).insts.iter().map(move |&id| (block, id)));
    let candidates: Vec<(BlockId, InstId)> = all.filter(makes).collect();
    if candidates.is_empty() {
        return;
    }
    let seen = seen_elsewhere(unit, order);
    let mut subst = Substitution::new();
    for (block, id) in candidates {
        let Some(object) = unit.inst(id).dst.filter(|dst| !seen[dst.at()]) else { continue };
        // Objects that were replaced before may have been elements of this one.
        for id in unit.block(block).insts.clone() {
            subst.operands(unit, id);
        }
        if let Some(plan) = Plan::new(unit, block, id, object, &seen) {
            plan.apply(unit, block, &mut subst);
        }
    }
    subst.apply(unit);
}

/// The values that escape: snapshots mention them, other blocks than their own use them, or an instruction takes them that is no
/// access.
fn seen_elsewhere(unit: &Unit, order: &[BlockId]) -> Vec<bool> {
    let mut seen = vec![false; unit.values.len()];
    let mut home: Vec<Option<BlockId>> = vec![None; unit.values.len()];
    for &block in order {
        for &id in &unit.block(block).insts {
            if let Some(dst) = unit.inst(id).dst {
                home[dst.at()] = Some(block);
            }
        }
    }
    for &block in order {
        for &id in &unit.block(block).insts {
            let inst = unit.inst(id);
            for (at, &src) in unit.srcs(inst).iter().enumerate() {
                seen[src.at()] |= home[src.at()] != Some(block) || at != 0 || !is_access(unit, inst);
            }
            if let Edge::Exit(snap) = inst.edge {
                unit.for_each_snap_value(snap, |value| seen[value.at()] = true);
            }
        }
    }
    seen
}

/// Whether an instruction accesses its first operand in a way that can be done to values instead.
fn is_access(unit: &Unit, inst: &Inst) -> bool {
    match inst.op {
        Op::LdPackedElem | Op::CheckPackedElem | Op::CheckPackedArrayDataBounds | Op::StPackedElem => {
            unit.ty(unit.src(inst, 1)).as_int().is_some()
        }
        Op::InitPackedLayoutArray | Op::CountArray | Op::CountArrayFast | Op::LdPackedSize => true,
        Op::LdRef | Op::StRef | Op::CheckRefInner | Op::DecRef => true,
        Op::LdPropAddr | Op::LdMem | Op::StMem | Op::StMemPayload | Op::CheckTypeMem => true,
        _ => false,
    }
}

/// What an access is replaced by.
enum Access {
    /// By nothing.
    Gone,
    /// By this value.
    Value(ValueId),
    /// By this number.
    Size(i64),
    /// By the release of each value that the object holds.
    GiveUp,
}

struct Plan {
    /// The elements of the object by index or offset; `None`: the element has no value yet.
    places: Vec<(u32, Option<ValueId>)>,
    /// Pointers to elements, with the index or offset.
    pointers: Vec<(ValueId, u32)>,
    /// Whether a store creates an element, as it does in an object.
    grows: bool,
    accesses: Vec<(InstId, Access)>,
    given_up: Vec<ValueId>,
}

impl Plan {
    fn new(unit: &Unit, block: BlockId, made: InstId, object: ValueId, seen: &[bool]) -> Option<Plan> {
        let inst = unit.inst(made);
        let places = match inst.op {
            Op::Box => {
                let value = unit.src(inst, 0);
                // An undefined variable becomes null in a reference.
                (!unit.ty(value).maybe(UNINIT)).then(|| vec![(0, Some(value))])?
            }
            Op::AllocPackedArray => (0..inst.imm[0]).map(|at| (at, None)).collect(),
            _ => Vec::new(),
        };
        let mut plan = Plan {
            places,
            pointers: Vec::new(),
            grows: inst.op == Op::NewInstanceRaw,
            accesses: vec![(made, Access::Gone)],
            given_up: Vec::new(),
        };
        let mut done = false;
        for &id in &unit.block(block).insts {
            let inst = unit.inst(id);
            let Some(&base) = unit.srcs(inst).first() else { continue };
            let pointer = plan.pointers.iter().find(|row| row.0 == base).map(|row| row.1);
            if base != object && pointer.is_none() {
                continue;
            }
            if done {
                return None;
            }
            let access = match pointer {
                Some(place) => plan.by_pointer(unit, inst, place)?,
                None => plan.access(unit, inst, seen)?,
            };
            if let Access::GiveUp = access {
                // All elements must have values by now.
                plan.given_up = plan.places.iter().map(|place| place.1).collect::<Option<_>>()?;
                done = true;
            }
            plan.accesses.push((id, access));
        }
        done.then_some(plan)
    }

    fn get(&self, place: u32) -> Option<ValueId> {
        self.places.iter().find(|row| row.0 == place)?.1
    }

    fn set(&mut self, place: u32, value: ValueId) -> Option<Access> {
        match self.places.iter_mut().find(|row| row.0 == place) {
            Some(row) => row.1 = Some(value),
            None if self.grows => self.places.push((place, Some(value))),
            None => return None,
        }
        Some(Access::Gone)
    }

    /// An access to the object itself.
    fn access(&mut self, unit: &Unit, inst: &Inst, seen: &[bool]) -> Option<Access> {
        let srcs = unit.srcs(inst);
        let index = || srcs.get(1).and_then(|&index| u32::try_from(unit.ty(index).as_int()?).ok());
        match inst.op {
            Op::InitPackedLayoutArray => {
                // A second initialisation would lose a reference.
                self.get(inst.imm[0]).is_none().then_some(())?;
                self.set(inst.imm[0], srcs[1])
            }
            Op::CheckPackedArrayDataBounds => self.places.get(index()? as usize).map(|_| Access::Gone),
            Op::LdPackedElem | Op::CheckPackedElem => self.load(unit, inst, index()?),
            Op::StPackedElem => self.set(index()?, srcs[2]),
            Op::CountArray | Op::CountArrayFast | Op::LdPackedSize => Some(Access::Size(self.places.len() as i64)),
            Op::LdRef => self.load(unit, inst, 0),
            Op::CheckRefInner => self.check(unit, inst, 0),
            Op::StRef => self.set(0, srcs[1]),
            Op::LdPropAddr => {
                let pointer = inst.dst.filter(|dst| !seen[dst.at()])?;
                self.pointers.push((pointer, inst.imm[0]));
                Some(Access::Gone)
            }
            Op::DecRef => Some(Access::GiveUp),
            _ => None,
        }
    }

    /// An access to a property by its address.
    fn by_pointer(&mut self, unit: &Unit, inst: &Inst, place: u32) -> Option<Access> {
        match inst.op {
            Op::LdMem => self.load(unit, inst, place),
            Op::CheckTypeMem => self.check(unit, inst, place),
            Op::StMem | Op::StMemPayload => self.set(place, unit.src(inst, 1)),
            _ => None,
        }
    }

    fn load(&self, unit: &Unit, inst: &Inst, place: u32) -> Option<Access> {
        self.get(place).filter(|&value| unit.ty(value).le(inst.ty)).map(Access::Value)
    }

    fn check(&self, unit: &Unit, inst: &Inst, place: u32) -> Option<Access> {
        self.get(place).filter(|&value| unit.ty(value).le(inst.ty)).map(|_| Access::Gone)
    }

    fn apply(self, unit: &mut Unit, block: BlockId, subst: &mut Substitution) {
        let mut insts = Vec::with_capacity(unit.block(block).insts.len());
        for id in take_insts(unit, block) {
            let inst = *unit.inst(id);
            match self.accesses.iter().find(|row| row.0 == id).map(|row| &row.1) {
                None => insts.push(id),
                Some(Access::Gone) => {}
                Some(Access::Value(value)) => {
                    if let Some(dst) = inst.dst {
                        subst.set(dst, *value);
                    }
                }
                Some(Access::Size(size)) => {
                    if let Some(dst) = inst.dst {
                        let size = unit.int(*size);
                        subst.set(dst, size);
                    }
                }
                Some(Access::GiveUp) => {
                    for &value in &self.given_up {
                        let value = subst.find(value);
                        if unit.ty(value).maybe_counted() {
                            let srcs = unit.list(&[value]);
                            insts.push(unit.add_inst(Inst { srcs, ..inst }, None));
                        }
                    }
                }
            }
        }
        unit.blocks[block.at()].insts = insts;
    }
}
