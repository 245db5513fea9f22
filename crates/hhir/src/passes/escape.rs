//! Scalar replacement: a small packed array or a reference that is made, used and given up within one block, and that
//! nobody else ever sees, is not made; its elements stay values.

use crate::cfg::reverse_postorder;
use crate::ids::*;
use crate::ops::*;
use crate::types::*;
use crate::unit::*;

use super::Substitution;

/// Larger arrays are not worth it.
const MAX_ELEMENTS: u32 = 8;

pub(super) fn run(unit: &mut Unit) {
    let order = reverse_postorder(unit);
    let candidates: Vec<(BlockId, InstId)> = order
        .iter()
        .flat_map(|&block| unit.block(block).insts.iter().map(move |&id| (block, id)))
        .filter(|&(_, id)| {
            let inst = unit.inst(id);
            (inst.op == Op::AllocPackedArray && inst.imm[0] <= MAX_ELEMENTS) || inst.op == Op::Box
        })
        .collect();
    if candidates.is_empty() {
        return;
    }
    let mut seen = seen_elsewhere(unit, &order);
    let mut subst = Substitution::new(unit);
    for (block, id) in candidates {
        let Some(object) = unit.inst(id).dst else { continue };
        if !seen[object.at()] {
            replace(unit, block, id, object, &mut seen, &mut subst);
        }
    }
    subst.apply(unit);
}

/// Values that snapshots mention, that blocks other than their own use, or that something takes that is no access.
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

/// Whether an instruction does to its first operand what can be done to values instead.
fn is_access(unit: &Unit, inst: &Inst) -> bool {
    match inst.op {
        Op::InitPackedLayoutArray | Op::CountArray | Op::CountArrayFast | Op::LdPackedSize => true,
        Op::LdPackedElem | Op::CheckPackedElem | Op::CheckPackedArrayDataBounds | Op::StPackedElem => {
            unit.ty(unit.src(inst, 1)).as_int().is_some()
        }
        Op::LdRef | Op::StRef | Op::CheckRefInner | Op::DecRef => true,
        _ => false,
    }
}

/// What an access comes down to once the object is gone.
enum Access {
    Gone,
    /// Its result is this.
    Value(ValueId),
    /// Its result is this number.
    Size(i64),
    /// It gives up the object: its elements are given up one by one.
    GiveUp,
}

fn replace(
    unit: &mut Unit,
    block: BlockId,
    made: InstId,
    object: ValueId,
    seen: &mut [bool],
    subst: &mut Substitution,
) {
    let inst = *unit.inst(made);
    let mut elements: Vec<Option<ValueId>> = match inst.op {
        Op::Box => {
            let value = unit.src(&inst, 0);
            // An unset variable becomes null in a reference.
            if unit.ty(value).maybe(UNINIT) {
                return;
            }
            vec![Some(value)]
        }
        _ => vec![None; inst.imm[0] as usize],
    };
    let mut plan: Vec<(InstId, Access)> = vec![(made, Access::Gone)];
    let mut given_up: Option<Vec<ValueId>> = None;
    for &id in &unit.block(block).insts {
        let inst = unit.inst(id);
        if unit.srcs(inst).first() != Some(&object) {
            continue;
        }
        let access = if given_up.is_some() { None } else { access(unit, inst, &mut elements) };
        let Some(access) = access else { return };
        if let Access::GiveUp = access {
            // Every place has been given a value by now.
            given_up = elements.iter().copied().collect();
            if given_up.is_none() {
                return;
            }
        }
        plan.push((id, access));
    }
    let Some(given_up) = given_up else { return };
    let mut insts = Vec::with_capacity(unit.block(block).insts.len());
    for id in std::mem::take(&mut unit.blocks[block.at()].insts) {
        let inst = *unit.inst(id);
        match plan.iter().find(|row| row.0 == id).map(|row| &row.1) {
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
                for &element in &given_up {
                    if !unit.ty(element).maybe_counted() {
                        continue;
                    }
                    let srcs = unit.list(&[element]);
                    insts.push(unit.add_inst(Inst { srcs, ..inst }, None));
                }
            }
        }
    }
    unit.blocks[block.at()].insts = insts;
    // Objects within the object are used by something else now.
    given_up.iter().for_each(|value| seen[value.at()] = true);
}

fn access(unit: &Unit, inst: &Inst, elements: &mut [Option<ValueId>]) -> Option<Access> {
    let index = || unit.srcs(inst).get(1).and_then(|&index| unit.ty(index).as_int());
    let place = |index: i64| usize::try_from(index).ok().filter(|&at| at < elements.len());
    let fits = |value: ValueId| unit.ty(value).le(inst.ty);
    match inst.op {
        Op::InitPackedLayoutArray => {
            let place = elements.get_mut(inst.imm[0] as usize)?;
            // Twice would lose a reference.
            place.is_none().then(|| *place = unit.srcs(inst).get(1).copied())?;
            Some(Access::Gone)
        }
        Op::CheckPackedArrayDataBounds => place(index()?).map(|_| Access::Gone),
        Op::LdPackedElem | Op::CheckPackedElem => {
            let value = elements[place(index()?)?]?;
            fits(value).then_some(Access::Value(value))
        }
        Op::CountArray | Op::CountArrayFast | Op::LdPackedSize => Some(Access::Size(elements.len() as i64)),
        Op::LdRef => elements[0].filter(|&value| fits(value)).map(Access::Value),
        Op::CheckRefInner => elements[0].filter(|&value| fits(value)).map(|_| Access::Gone),
        // What was there has been taken care of by somebody else: a store does not give it up.
        Op::StPackedElem => {
            let at = place(index()?)?;
            let old = elements[at]?;
            let value = *unit.srcs(inst).get(2)?;
            (!unit.ty(old).maybe_counted()).then(|| elements[at] = Some(value))?;
            Some(Access::Gone)
        }
        Op::StRef => {
            let old = elements[0]?;
            let value = *unit.srcs(inst).get(1)?;
            (!unit.ty(old).maybe_counted()).then(|| elements[0] = Some(value))?;
            Some(Access::Gone)
        }
        Op::DecRef => Some(Access::GiveUp),
        _ => None,
    }
}
