//! If-conversion: where the paths from a branch only choose between numbers, all of them are computed and one is selected. A
//! branch that depends on data is mispredicted half of the time, which costs more than a few instructions.
//!
//! Elements that a path reads are then read before it is known whether the path is taken. Their guards take the side exit of the
//! last guard before the branch, from which the interpreter can repeat everything since. Such a guard could fail where the path
//! would not have been taken, so this is done only if the unit speculates ([`Unit::speculates`]) and an element at the same
//! index of another array has just been read.
//!
//! Values that become an array index, as in a binary search, are left alone: with a branch the processor loads the next element
//! while the index is still predicted; with a selection it has to wait for the condition.

use super::{Shape, origins};
use crate::cfg::Cfg;
use crate::effects::effects;
use crate::ids::*;
use crate::ops::{B, ELEM, Op};
use crate::simplify::{self, Simplified};
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;

/// The number of branches that are replaced at once.
const MAX_BRANCHES: usize = 4;
/// The number of instructions that all paths may have together.
const MAX_INSTS: usize = 10;

/// What lies between a branch and the block where all paths from it meet.
struct Ways {
    /// The blocks of the paths, each before its successors.
    blocks: Vec<BlockId>,
    join: BlockId,
}

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let mut places: Option<Vec<bool>> = None;
    for &head in cfg.order.iter().rev() {
        let Some(ways) = ways(unit, &cfg, head) else { continue };
        let places = places.get_or_insert_with(|| places_of_elements(unit, &cfg.order));
        let becomes_place = unit.block(ways.join).params.iter().any(|param| places[param.at()]);
        match snapshot(unit, head, &ways.blocks) {
            Some(exit) if !becomes_place => choose(unit, head, &ways, exit),
            _ => {}
        }
    }
}

/// The values that array elements are read at, and the values that these come from.
fn places_of_elements(unit: &Unit, order: &[BlockId]) -> Vec<bool> {
    let reads = order.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
    let reads = reads.filter(|inst| effects(unit, inst).reads & ELEM != 0 && effects(unit, inst).writes == 0);
    let places = reads.flat_map(|inst| unit.srcs(inst)).copied().filter(|&src| unit.ty(src).is(INT));
    origins(unit, order, places.collect())
}

/// The paths from a branch to the block where they meet, if they only compute values.
fn ways(unit: &Unit, cfg: &Cfg, head: BlockId) -> Option<Ways> {
    branch(unit, head)?;
    // Blocks that the paths lead to, with the number of edges from the paths.
    let mut open: Vec<(BlockId, usize)> = Vec::new();
    let mut blocks = Vec::new();
    let (mut branches, mut insts) = (0, 0);
    let mut last = head;
    loop {
        branches += usize::from(branch(unit, last).is_some());
        for next in unit.successors(last) {
            match open.iter_mut().find(|row| row.0 == next) {
                Some(row) => row.1 += 1,
                None => open.push((next, 1)),
            }
        }
        let inside = |&(block, edges): &(BlockId, usize)| {
            block != head && edges == cfg.preds(block).len() && is_way(unit, block)
        };
        let Some(place) = open.iter().position(inside) else { break };
        last = open.swap_remove(place).0;
        blocks.push(last);
        insts += unit.block(last).insts.len();
        if insts > MAX_INSTS + 2 * MAX_BRANCHES {
            return None;
        }
    }
    let &[(join, _)] = &open[..] else { return None };
    let fits = branches <= MAX_BRANCHES && !unit.block(join).params.is_empty() && join != head;
    fits.then_some(Ways { blocks, join })
}

/// The branch at a block's end, if it is on an integer or boolean.
fn branch(unit: &Unit, block: BlockId) -> Option<&Inst> {
    let last = unit.inst(unit.terminator(block)?);
    let is_branch = matches!(last.op, Op::JmpZero | Op::JmpNZero) && unit.ty(unit.src(last, 0)).is(INT | BOOL);
    is_branch.then_some(last)
}

/// Whether all that a block does may be done before it is known whether control gets there.
fn is_way(unit: &Unit, block: BlockId) -> bool {
    let here = unit.block(block);
    let Some((&last, others)) = here.insts.split_last() else { return here.params.is_empty() };
    let ends = match unit.terminator(block) {
        Some(id) => unit.inst(id).op == Op::Jmp || branch(unit, block).is_some(),
        None => is_cheap(unit.inst(last)),
    };
    ends && here.params.is_empty() && here.hint < Hint::Unlikely && others.iter().all(|&id| is_cheap(unit.inst(id)))
}

fn is_cheap(inst: &Inst) -> bool {
    match inst.op {
        Op::AddInt | Op::SubInt | Op::AndInt | Op::OrInt | Op::XorInt | Op::XorBool | Op::ConvBoolToInt => true,
        Op::GtInt | Op::GteInt | Op::LtInt | Op::LteInt | Op::EqInt | Op::NeqInt | Op::Mov | Op::Nop => true,
        // A shift by more than 63 bits gives some value, which is not selected then.
        Op::Shl | Op::Shr => true,
        _ => is_bet(inst),
    }
}

/// Whether an instruction is a guard or load of an array element that has a side exit: such an instruction is speculated.
fn is_bet(inst: &Inst) -> bool {
    let is_read = matches!(inst.op, Op::CheckPackedArrayDataBounds | Op::CheckPackedElem);
    is_read && matches!(inst.edge, Edge::Exit(_))
}

/// The snapshot for the guards of the paths when they move before the branch: `Some(None)` if there are none, `None` if they
/// cannot move.
fn snapshot(unit: &Unit, head: BlockId, blocks: &[BlockId]) -> Option<Option<SnapId>> {
    let insts = || blocks.iter().flat_map(|&block| &unit.block(block).insts).map(|&id| unit.inst(id));
    if !insts().any(is_bet) {
        return Some(None);
    }
    let before = || unit.block(head).insts.iter().rev().map(|&id| unit.inst(id));
    // The bounds of the other array may have been checked before the loop.
    let reads_at = |inst: &Inst, index: ValueId| is_bet(inst) && unit.src(inst, 1) == index;
    // An element whose bounds are checked elsewhere may be protected by one of the branches.
    let found = |inst: &Inst| {
        let own = |check: &Inst| check.op == Op::CheckPackedArrayDataBounds && unit.srcs(check) == unit.srcs(inst);
        before().any(|other| reads_at(other, unit.src(inst, 1))) && insts().any(own)
    };
    if !unit.speculates || !insts().filter(|inst| is_bet(inst)).all(found) {
        return None;
    }
    let exit = before().take_while(|inst| effects(unit, inst).writes == 0).find_map(|inst| match inst.edge {
        Edge::Exit(exit) if inst.op.has(B) && inst.op != Op::CheckSurpriseFlags => Some(exit),
        _ => None,
    });
    exit.map(Some)
}

/// Moves the instructions of the paths before the branch, and jumps to the join with the selected values.
fn choose(unit: &mut Unit, head: BlockId, ways: &Ways, exit: Option<SnapId>) {
    let params = 0..unit.block(ways.join).params.len();
    if !params.clone().all(|at| is_choice(unit, head, ways, at)) {
        return;
    }
    let Some(last) = unit.terminator(head) else { return };
    let mut moved = Vec::new();
    for &block in &ways.blocks {
        let end = unit.terminator(block);
        moved.extend(unit.block(block).insts.iter().copied().filter(|&id| Some(id) != end));
    }
    let mut choice = Choice { unit, join: ways.join, at: 0, made: Vec::new() };
    let args: Option<Vec<ValueId>> = params.map(|at| choice.of_param(head, at)).collect();
    let (Some(args), made) = (args, choice.made) else { return };
    if let Some(exit) = exit {
        for &id in moved.iter().filter(|id| is_bet(&unit.insts[id.at()])).collect::<Vec<_>>() {
            unit.insts[id.at()].edge = Edge::Exit(exit);
        }
    }
    let srcs = unit.list(&args);
    let jump = Inst { op: Op::Jmp, srcs, edge: Edge::Block(ways.join), ..*unit.inst(last) };
    let jump = unit.add_inst(jump, None);
    let block = &mut unit.blocks[head.at()];
    block.insts.pop();
    block.insts.extend(moved.into_iter().chain(made).chain([jump]));
    block.next = None;
}

/// Whether the values for a parameter of the join can be selected: they are equal on all paths, or integers, or booleans.
fn is_choice(unit: &Unit, head: BlockId, ways: &Ways, at: usize) -> bool {
    let passed = || {
        let jumps = ways.blocks.iter().chain([&head]).filter_map(|&block| Some(unit.inst(unit.terminator(block)?)));
        jumps.filter(|jump| jump.op == Op::Jmp && jump.edge == Edge::Block(ways.join)).map(|jump| unit.src(jump, at))
    };
    let are_all =
        |bits| unit.ty(unit.block(ways.join).params[at]).is(bits) && passed().all(|value| unit.ty(value).is(bits));
    let first = passed().next();
    passed().all(|value| Some(value) == first) || are_all(INT) || are_all(BOOL)
}

/// Computes the value for a parameter of the join.
struct Choice<'a> {
    unit: &'a mut Unit,
    join: BlockId,
    /// The index of the parameter.
    at: usize,
    made: Vec<InstId>,
}

impl Choice<'_> {
    fn of_param(&mut self, head: BlockId, at: usize) -> Option<ValueId> {
        self.at = at;
        self.from(head)
    }

    /// The value that the parameter gets on the paths from a block on.
    fn from(&mut self, block: BlockId) -> Option<ValueId> {
        let next = self.unit.block(block).next;
        let Some(last) = self.unit.terminator(block) else { return self.from(next?) };
        let last = *self.unit.inst(last);
        let Edge::Block(target) = last.edge else { return None };
        match last.op {
            Op::Jmp if target == self.join => Some(self.unit.src(&last, self.at)),
            Op::Jmp => self.from(target),
            _ => {
                let (taken, next) = (self.from(target)?, self.from(next?)?);
                let (yes, no) = if last.op == Op::JmpNZero { (taken, next) } else { (next, taken) };
                Some(self.select(&last, yes, no))
            }
        }
    }

    /// Selects the first value if a branch's condition holds, else the second.
    fn select(&mut self, branch: &Inst, yes: ValueId, no: ValueId) -> ValueId {
        let srcs = self.unit.list(&[self.unit.src(branch, 0), yes, no]);
        let select = Inst { op: Op::Select, srcs, edge: Edge::None, ..*branch };
        let select = match simplify::simplify(self.unit, &select) {
            Simplified::Value(value) => return value,
            Simplified::Inst(simpler) => simpler,
            Simplified::Same | Simplified::Gone => select,
        };
        let ty = result_type(self.unit, &select);
        let id = self.unit.add_inst(select, ty);
        self.made.push(id);
        self.unit.inst(id).dst.unwrap_or(yes)
    }
}
