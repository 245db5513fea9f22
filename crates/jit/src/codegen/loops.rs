//! Facts about a unit's loops for the code generator: how deep a block lies, whether its loop makes calls, and the packed arrays
//! whose elements do not move while the loop runs.

use crate::layout::Helpers;
use phlox_hhir::cfg::{Cfg, Loop};
use phlox_hhir::unit::{Const, Inst, Unit};
use phlox_hhir::{BlockId, Op, ValueId};
use std::collections::HashMap;

/// The number of packed arrays of one loop whose elements' addresses are loaded before it: each takes a register.
const MAX_LISTS: usize = 4;

/// The facts about the loops of a unit; see the module.
#[derive(Default)]
pub(crate) struct Loops {
    /// The number of loops that a block lies in.
    depth: Vec<u32>,
    /// Whether the innermost loop around a block makes calls; `true` outside of loops.
    calls: Vec<bool>,
    /// The arrays whose elements' addresses are loaded at the end of a block.
    before: Vec<Vec<ValueId>>,
    /// The arrays whose lengths are loaded at the end of a block.
    measured: Vec<Vec<ValueId>>,
    /// The preheaders with such loads of all loops around a block.
    around: Vec<Vec<BlockId>>,
    /// Groups of arrays whose bounds are checked together, against the least length, with the block that loads it.
    groups: Vec<(BlockId, Vec<ValueId>)>,
    /// The group that a bounds check is made for, by block and index there; `None` if an earlier check covers it.
    grouped: HashMap<(BlockId, usize), Option<usize>>,
}

impl Loops {
    /// Finds the facts about a unit's loops.
    pub fn of(unit: &Unit, helpers: &Helpers) -> Loops {
        let count = unit.blocks.len();
        let mut all = Loops {
            depth: vec![0; count],
            calls: vec![true; count],
            before: vec![Vec::new(); count],
            measured: vec![Vec::new(); count],
            around: vec![Vec::new(); count],
            groups: Vec::new(),
            grouped: HashMap::new(),
        };
        let cfg = Cfg::new(unit);
        let loops = cfg.loops(unit);
        // Outer loops come first, so that inner ones overwrite their facts.
        for l in loops.iter().rev() {
            let insts = || l.blocks.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
            let calls = insts().any(|inst| calls(unit, inst));
            for &block in &l.blocks {
                all.depth[block.at()] += 1;
                all.calls[block.at()] = calls;
            }
            if !insts().any(|inst| moves_elements(unit, inst, helpers)) {
                all.look_before(unit, l);
            }
        }
        for block in (0..count).map(BlockId::new).filter(|block| !all.around[block.at()].is_empty()).collect::<Vec<_>>()
        {
            all.group_checks(unit, block);
        }
        all
    }

    /// Groups bounds checks of one position in several arrays, without writes in between, at the first of them: taking the side
    /// exit there is as good as taking it later.
    fn group_checks(&mut self, unit: &Unit, block: BlockId) {
        let insts: Vec<&Inst> = unit.block(block).insts.iter().map(|&id| unit.inst(id)).collect();
        let check = |inst: &Inst| {
            let is_check = inst.op == Op::CheckPackedArrayDataBounds;
            is_check.then(|| (unit.src(inst, 0), unit.src(inst, 1)))
        };
        for (at, first) in insts.iter().enumerate() {
            let Some((list, position)) = check(first).filter(|_| !self.grouped.contains_key(&(block, at))) else {
                continue;
            };
            let Some(before) = self.measured_at(block, list) else { continue };
            let mut group = vec![list];
            for (later, inst) in insts.iter().enumerate().skip(at + 1) {
                if inst.op.info().effects.writes != 0 {
                    break;
                }
                match check(inst) {
                    Some((other, same)) if same == position && self.measured_at(block, other) == Some(before) => {
                        self.grouped.entry((block, later)).or_insert(None);
                        if !group.contains(&other) {
                            group.push(other);
                        }
                    }
                    _ => {}
                }
            }
            if group.len() > 1 {
                let known = self.groups.iter().position(|row| row.0 == before && row.1 == group);
                let number = known.unwrap_or(self.groups.len());
                if known.is_none() {
                    self.groups.push((before, group));
                }
                self.grouped.insert((block, at), Some(number));
            }
        }
    }

    /// The groups of arrays whose least length is computed at the end of a block.
    pub fn groups_before(&self, preheader: BlockId) -> Vec<(usize, Vec<ValueId>)> {
        let rows = self.groups.iter().enumerate().filter(|(_, row)| row.0 == preheader);
        rows.map(|(number, row)| (number, row.1.clone())).collect()
    }

    /// The group that a bounds check is made for; `Some(None)` if an earlier check covers it.
    pub fn group_at(&self, block: BlockId, place: usize) -> Option<Option<usize>> {
        self.grouped.get(&(block, place)).copied()
    }

    fn look_before(&mut self, unit: &Unit, l: &Loop) {
        let Some(preheader) = l.preheader else { return };
        let mut inside = vec![false; unit.values.len()];
        for &block in &l.blocks {
            let results = unit.block(block).insts.iter().filter_map(|&id| unit.inst(id).dst);
            unit.block(block).params.iter().copied().chain(results).for_each(|value| inside[value.at()] = true);
        }
        let insts = || l.blocks.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
        let grows = |inst: &&Inst| inst.op == Op::ReservePackedArrayDataNewElem && inst.imm[0] != 0;
        let grown: Vec<ValueId> = insts().filter(grows).map(|inst| root(unit, unit.src(inst, 0))).collect();
        let any_grows = grown.iter().any(|list| inside[list.at()]);
        let mut lists = Vec::new();
        for &block in &l.blocks {
            for &id in &unit.block(block).insts {
                let inst = unit.inst(id);
                let Some(list) = list_of(unit, inst) else { continue };
                if any_grows || grown.contains(&root(unit, list)) {
                    continue;
                }
                let is_known = lists.contains(&list) || self.pointed_at(block, list).is_some();
                if !is_known && !inside[list.at()] && lists.len() < MAX_LISTS {
                    lists.push(list);
                }
            }
        }
        let lengths = self.lengths(unit, l, &inside);
        if lists.is_empty() && lengths.is_empty() {
            return;
        }
        self.before[preheader.at()].extend(lists);
        self.measured[preheader.at()].extend(lengths);
        for &block in &l.blocks {
            self.around[block.at()].push(preheader);
        }
    }

    /// The arrays in which a loop checks positions, and to which it appends nothing.
    fn lengths(&self, unit: &Unit, l: &Loop, inside: &[bool]) -> Vec<ValueId> {
        let insts = || l.blocks.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
        let appended = |inst: &&Inst| inst.op == Op::ReservePackedArrayDataNewElem;
        let grown: Vec<ValueId> = insts().filter(appended).map(|inst| root(unit, unit.src(inst, 0))).collect();
        if grown.iter().any(|list| inside[list.at()]) {
            return Vec::new();
        }
        let mut lists = Vec::new();
        for inst in insts().filter(|inst| inst.op == Op::CheckPackedArrayDataBounds) {
            let list = unit.src(inst, 0);
            let is_known = lists.contains(&list) || self.measured_at(l.header, list).is_some();
            let is_steady = !inside[list.at()] && !grown.contains(&root(unit, list));
            if !is_known && is_steady && lists.len() < MAX_LISTS {
                lists.push(list);
            }
        }
        lists
    }

    /// The arrays whose lengths are loaded at the end of a block.
    pub fn lengths_before(&self, preheader: BlockId) -> &[ValueId] {
        &self.measured[preheader.at()]
    }

    /// The block at whose end the length of an array was loaded that a block may use.
    pub fn measured_at(&self, block: BlockId, list: ValueId) -> Option<BlockId> {
        self.around[block.at()].iter().copied().find(|preheader| self.measured[preheader.at()].contains(&list))
    }

    /// The arrays whose elements' addresses are loaded at the end of a block.
    pub fn lists_before(&self, preheader: BlockId) -> &[ValueId] {
        &self.before[preheader.at()]
    }

    /// The block at whose end the address of an array's elements was loaded that a block may use.
    pub fn pointed_at(&self, block: BlockId, list: ValueId) -> Option<BlockId> {
        self.around[block.at()].iter().copied().find(|preheader| self.before[preheader.at()].contains(&list))
    }

    /// Whether the loop around a block makes calls, which cost it registers anyway.
    pub fn calls_at(&self, block: BlockId) -> bool {
        self.calls[block.at()]
    }

    /// The number of loops that a block lies in.
    pub fn depth(&self, block: BlockId) -> u32 {
        self.depth[block.at()]
    }
}

/// The array that layout guards and type assertions have been applied to.
pub(crate) fn root(unit: &Unit, mut array: ValueId) -> ValueId {
    while let Some(inst) = unit
        .def_inst(array)
        .filter(|inst| matches!(inst.op, Op::CheckArrKind | Op::CheckUnboxed | Op::AssertType | Op::Mov))
    {
        array = unit.src(inst, 0);
    }
    array
}

/// The packed array of which an instruction accesses an element.
fn list_of(unit: &Unit, inst: &Inst) -> Option<ValueId> {
    let is_element = matches!(
        inst.op,
        Op::CheckPackedElem
            | Op::LdPackedElem
            | Op::StPackedElem
            | Op::LdPackedArrayDataElemAddr
            | Op::LdPackedInt
            | Op::LdPackedDbl
            | Op::LdPackedBool
            | Op::StPackedInt
            | Op::StPackedDbl
            | Op::StPackedBool
    );
    is_element.then(|| unit.src(inst, 0))
}

/// Whether an instruction makes a call each time that it runs.
fn calls(unit: &Unit, inst: &Inst) -> bool {
    match inst.op {
        Op::CallUnit | Op::CallUnitMem | Op::CallInterp | Op::CallOpline | Op::NewObj | Op::AssignLocMem => true,
        Op::ContNext | Op::ContSend => true,
        Op::CallHelper | Op::CallHelperTake | Op::CallHelperMem => true,
        Op::SameStr | Op::EqStr => !unit.srcs(inst).iter().any(|&src| unit.as_const(src).is_some()),
        _ => false,
    }
}

/// Whether an instruction may move the elements of any packed array.
fn moves_elements(unit: &Unit, inst: &Inst, helpers: &Helpers) -> bool {
    match inst.op {
        Op::CallUnit | Op::CallUnitMem | Op::CallInterp | Op::CallOpline | Op::CallHelperMem | Op::AssignLocMem => true,
        Op::ContNext | Op::ContSend => true,
        Op::CallHelper | Op::CallHelperTake => {
            let Some(Const::Func(function)) = unit.as_const(unit.src(inst, 0)) else { return true };
            [helpers.set_in_place, helpers.push_in_place].iter().any(|&other| function.0 == other as usize as u64)
        }
        _ => false,
    }
}
