//! Hot and cold blocks: blocks that only lead out of the unit, or never ran, are marked, so that the back end places them behind
//! the others. Branches are turned so that the likelier successor follows.

use super::Shape;
use crate::ids::*;
use crate::ops::Op;
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    mark_cold(unit, &cfg.order);
    turn_branches(unit, &cfg.order);
}

/// Marks blocks as cold, from the ends backwards: those that lead to cold blocks only, or end in a side exit for a failed
/// assumption.
fn mark_cold(unit: &mut Unit, order: &[BlockId]) {
    for &block in order.iter().rev() {
        if block == unit.entry || unit.block(block).hint >= Hint::Unlikely {
            continue;
        }
        let leaves = unit.terminator(block).is_some_and(|id| {
            matches!(unit.inst(id).op, Op::ReqRetranslate | Op::EndCatch | Op::RaiseError | Op::FatalMissingThis)
        });
        let mut successors = unit.successors(block).peekable();
        let leads = successors.peek().is_some() && successors.all(|next| unit.block(next).hint >= Hint::Unlikely);
        if leaves || leads {
            unit.blocks[block.at()].hint = Hint::Unlikely;
        }
    }
}

fn turn_branches(unit: &mut Unit, order: &[BlockId]) {
    for &block in order {
        let Some(last) = unit.terminator(block) else { continue };
        let inst = *unit.inst(last);
        let (Some(next), Edge::Block(taken)) = (unit.block(block).next, inst.edge) else { continue };
        let turned = match inst.op {
            Op::JmpZero => Op::JmpNZero,
            Op::JmpNZero => Op::JmpZero,
            _ => continue,
        };
        let weight = |block: BlockId| {
            let block = unit.block(block);
            (std::cmp::Reverse(block.hint), block.count)
        };
        if weight(taken) > weight(next) {
            unit.insts[last.at()].op = turned;
            unit.insts[last.at()].edge = Edge::Block(next);
            unit.blocks[block.at()].next = Some(taken);
        }
    }
}
