//! Dead code: unused results, unused and redundant block parameters, blocks that only lead to the next one.

use super::{Shape, Substitution, take_insts};
use crate::cfg::Cfg;
use crate::ids::*;
use crate::ops::{B, Op};
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    redundant_params(unit, &cfg.order);
    dead_values(unit, &cfg.order);
    merge_blocks(unit, &cfg);
}

/// Replaces parameters that always get one value by that value.
fn redundant_params(unit: &mut Unit, order: &[BlockId]) {
    let mut subst = Substitution::new();
    loop {
        let mut only: Vec<Option<ValueId>> = vec![None; unit.values.len()];
        let mut many = vec![false; unit.values.len()];
        for &block in order {
            let Some((target, args)) = jump(unit, block) else { continue };
            for (&param, &arg) in unit.block(target).params.iter().zip(args) {
                let arg = subst.find(arg);
                match only[param.at()] {
                    _ if arg == param => {}
                    None => only[param.at()] = Some(arg),
                    Some(before) if before == arg => {}
                    Some(_) => many[param.at()] = true,
                }
            }
        }
        let mut changed = false;
        for &block in order {
            let gone: Vec<bool> = unit
                .block(block)
                .params
                .iter()
                .map(|param| {
                    only[param.at()].is_some_and(|value| {
                        // The value's type is at least as good as the parameter's.
                        !many[param.at()] && unit.ty(value).le(unit.ty(*param))
                    })
                })
                .collect();
            if gone.iter().any(|&gone| gone) {
                for (at, &param) in unit.block(block).params.iter().enumerate() {
                    if let (true, Some(value)) = (gone[at], only[param.at()]) {
                        subst.set(param, value);
                    }
                }
                remove_params(unit, order, block, &gone);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    subst.apply(unit);
}

/// The jump that ends a block: its target and the values that it passes.
fn jump(unit: &Unit, block: BlockId) -> Option<(BlockId, &[ValueId])> {
    let inst = unit.inst(unit.terminator(block)?);
    match inst.edge {
        Edge::Block(target) if inst.op == Op::Jmp => Some((target, unit.srcs(inst))),
        _ => None,
    }
}

/// Removes some parameters of a block, and the values that jumps pass for them.
fn remove_params(unit: &mut Unit, order: &[BlockId], block: BlockId, gone: &[bool]) {
    let observed: Vec<bool> = unit.block(block).params.iter().map(|param| unit.values[param.at()].observed).collect();
    let keep = |values: &[ValueId]| -> Vec<ValueId> {
        values.iter().zip(gone).filter(|(_, gone)| !**gone).map(|(&value, _)| value).collect()
    };
    for &pred in order {
        let Some((target, args)) = jump(unit, pred) else { continue };
        if target == block {
            let decided: Vec<ValueId> = args.iter().zip(&observed).filter(|row| *row.1).map(|row| *row.0).collect();
            let args = keep(args);
            decided.into_iter().for_each(|arg| unit.observe(arg));
            let last = unit.terminator(pred);
            let list = unit.list(&args);
            if let Some(last) = last {
                unit.insts[last.at()].srcs = list;
            }
        }
    }
    let params = keep(&unit.block(block).params);
    for (at, &param) in params.iter().enumerate() {
        unit.values[param.at()].def = Def::Param(block, at as u32);
    }
    unit.blocks[block.at()].params = params;
}

/// Removes instructions that nothing needs. In a second step, checked arithmetic goes whose result is not needed, although it
/// could overflow: it may go only if nothing depends on whether its result would have been a float.
fn dead_values(unit: &mut Unit, order: &[BlockId]) {
    let arithmetic = |unit: &mut Unit| {
        let only_overflows = |inst: &Inst| is_checked_arithmetic(inst.op) && matches!(inst.edge, Edge::Exit(_));
        if !order.iter().any(|&block| unit.block(block).insts.iter().any(|&id| only_overflows(unit.inst(id)))) {
            return false;
        }
        let observed = super::observed(unit, order);
        let is_free = |inst: &Inst| only_overflows(inst) && inst.dst.is_some_and(|dst| !observed[dst.at()]);
        drop_unneeded(unit, order, |_, inst| is_free(inst))
    };
    let plain = |unit: &mut Unit| drop_unneeded(unit, order, is_removable);
    plain(unit);
    // Each step may make more instructions unneeded for the other one.
    while arithmetic(unit) && plain(unit) {}
}

/// Removes instructions that are removable and not needed: needs start at instructions with effects. Gives whether any was
/// removed.
fn drop_unneeded(unit: &mut Unit, order: &[BlockId], is_removable: impl Fn(&Unit, &Inst) -> bool) -> bool {
    let mut needed = vec![false; unit.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    for &block in order {
        for &id in &unit.block(block).insts {
            let inst = unit.inst(id);
            if inst.op == Op::Jmp || is_removable(unit, inst) {
                continue;
            }
            work.extend_from_slice(unit.srcs(inst));
            if let Edge::Exit(snap) = inst.edge {
                unit.for_each_snap_value(snap, |value| work.push(value));
            }
        }
    }
    // The values that are passed for each parameter.
    let mut passed: Vec<(ValueId, ValueId)> = Vec::new();
    for &block in order {
        if let Some((target, args)) = jump(unit, block) {
            passed.extend(unit.block(target).params.iter().copied().zip(args.iter().copied()));
        }
    }
    passed.sort_unstable();
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut needed[value.at()], true) {
            continue;
        }
        match unit.values[value.at()].def {
            Def::Const(_) => {}
            Def::Inst(id) => {
                let inst = unit.inst(id);
                if is_removable(unit, inst) {
                    work.extend_from_slice(unit.srcs(inst));
                    if let Edge::Exit(snap) = inst.edge {
                        unit.for_each_snap_value(snap, |value| work.push(value));
                    }
                }
            }
            Def::Param(..) => {
                let start = passed.partition_point(|row| row.0 < value);
                work.extend(passed[start..].iter().take_while(|row| row.0 == value).map(|row| row.1));
            }
        }
    }
    let mut changed = false;
    for &block in order {
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            let inst = *unit.inst(id);
            let stays = !is_removable(unit, &inst) || inst.dst.is_some_and(|dst| needed[dst.at()]);
            if !stays {
                changed = true;
                observe_sources(unit, &inst);
            }
            stays
        });
        unit.blocks[block.at()].insts = kept;
    }
    if order.iter().all(|&block| unit.block(block).params.iter().all(|param| needed[param.at()])) {
        return changed;
    }
    // The value that is passed for a removed parameter must still be of the type that the parameter had to be.
    let observed = super::observed(unit, order);
    for &block in order {
        for at in 0..unit.block(block).params.len() {
            let param = unit.block(block).params[at];
            if observed[param.at()] {
                unit.observe(param);
            }
        }
    }
    for &block in order {
        let gone: Vec<bool> = unit.block(block).params.iter().map(|param| !needed[param.at()]).collect();
        if gone.iter().any(|&gone| gone) {
            changed = true;
            remove_params(unit, order, block, &gone);
        }
    }
    changed
}

/// Records that the absence of an instruction rests on the types of its sources: for other types it might warn or throw. Checked
/// arithmetic is exempt if another checked operation uses it, because floats go through both without a warning.
fn observe_sources(unit: &mut Unit, inst: &Inst) {
    if matches!(inst.op, Op::Nop | Op::Mov | Op::AssertType) {
        return;
    }
    for at in 0..unit.srcs(inst).len() {
        let src = unit.src(inst, at);
        let is_number = unit.def_inst(src).is_some_and(|from| is_checked_arithmetic(from.op));
        if !(is_number && is_checked_arithmetic(inst.op)) {
            unit.observe(src);
        }
    }
}

fn is_checked_arithmetic(op: Op) -> bool {
    matches!(op, Op::AddIntO | Op::SubIntO | Op::MulIntO)
}

/// Whether an instruction does nothing but give its result. Guards stay: more than their result may depend on them, as when a
/// store overwrites the cell that was checked.
fn is_removable(unit: &Unit, inst: &Inst) -> bool {
    match inst.op {
        Op::Nop => true,
        // The assertion says that the value is not counted, which is why nothing releases it.
        Op::AssertType if !inst.ty.maybe_counted() => !unit.ty(unit.src(inst, 0)).maybe_counted(),
        _ if inst.op.has(B) => false,
        _ => inst.op.is_removable(),
    }
}

/// Merges blocks that always follow each other, and bypasses empty blocks.
fn merge_blocks(unit: &mut Unit, cfg: &Cfg) {
    skip_empty(unit, &cfg.order);
    let new;
    let cfg = if cfg.holds(unit) {
        cfg
    } else {
        new = Cfg::new(unit);
        &new
    };
    let mut merged_into: Vec<BlockId> = (0..unit.blocks.len()).map(BlockId::new).collect();
    let mut subst = Substitution::new();
    for &block in &cfg.order {
        let mut home = merged_into[block.at()];
        while merged_into[home.at()] != home {
            home = merged_into[home.at()];
        }
        let Some(next) = only_successor(unit, home) else { continue };
        if cfg.preds(next).len() != 1 || next == unit.entry || next == home {
            continue;
        }
        if unit.block(next).hint != unit.block(home).hint && unit.block(next).hint >= Hint::Unlikely {
            continue;
        }
        if let Some(last) = unit.terminator(home) {
            let args = unit.srcs(unit.inst(last)).to_vec();
            for (&param, arg) in unit.block(next).params.iter().zip(args) {
                subst.set(param, arg);
            }
            unit.blocks[home.at()].insts.pop();
        }
        let insts = take_insts(unit, next);
        unit.blocks[home.at()].insts.extend(insts);
        unit.blocks[home.at()].next = unit.blocks[next.at()].next;
        unit.blocks[next.at()].params.clear();
        merged_into[next.at()] = home;
    }
    subst.apply(unit);
}

/// The block that always follows a block.
fn only_successor(unit: &Unit, block: BlockId) -> Option<BlockId> {
    match unit.terminator(block) {
        None => unit.block(block).next,
        Some(last) if unit.inst(last).op == Op::Jmp => unit.successors(block).next(),
        Some(_) => None,
    }
}

/// Redirects edges to an empty block to the block that follows it.
fn skip_empty(unit: &mut Unit, order: &[BlockId]) {
    let forward = |unit: &Unit, mut block: BlockId| {
        // The number of steps is bounded, because empty blocks may form a loop.
        for _ in 0..8 {
            let Block { insts, params, next: Some(next), .. } = unit.block(block) else { break };
            if !insts.is_empty() || !params.is_empty() || !unit.block(*next).params.is_empty() {
                break;
            }
            block = *next;
        }
        block
    };
    for &block in order {
        if let Some(next) = unit.block(block).next {
            unit.blocks[block.at()].next = Some(forward(unit, next));
        }
        if let Some(last) = unit.terminator(block) {
            if let Edge::Block(target) = unit.inst(last).edge {
                if unit.srcs(unit.inst(last)).is_empty() || unit.inst(last).op != Op::Jmp {
                    let target = forward(unit, target);
                    unit.insts[last.at()].edge = Edge::Block(target);
                }
            }
        }
    }
}
