//! Loops that are entered behind their condition, as code for a running loop is. The counter is compared with the limit once
//! more before the loop; that gives it bounds in the loop, so that its increment needs no overflow check.

use super::{Analysis, Range, incoming, make_before_end, narrow};
use crate::cfg::{Cfg, Loop};
use crate::ids::*;
use crate::ops::Op;
use crate::passes::motion;
use crate::types::*;
use crate::typing::{fits, interval};
use crate::unit::*;

/// Compares a loop's counters with their limits at the entry of the code, where the condition has just held. Gives pairs of
/// values of which the first is less than the second in the loop, or, if the flag is not set, not greater.
pub(super) fn bound_counters(
    unit: &mut Unit,
    cfg: &Cfg,
    l: &Loop,
    analysis: &Analysis,
) -> Vec<(ValueId, ValueId, bool)> {
    let mut pairs = Vec::new();
    let (Some(preheader), &[latch]) = (l.preheader, &l.latches[..]) else { return pairs };
    if unit.no_hoisted_guards || preheader != unit.entry {
        return pairs;
    }
    let Some(exit) = motion::placeholder(unit, preheader) else { return pairs };
    for at in 0..unit.block(l.header).params.len() {
        let param = unit.block(l.header).params[at];
        let Some((condition, limit)) = condition_of(unit, cfg, l, latch, at, analysis) else { continue };
        let Some((_, start)) = incoming(unit, cfg, l.header, at).find(|&(from, _)| from == preheader) else { continue };
        let start = analysis.subst.find(start);
        if !unit.ty(start).is(INT) {
            continue;
        }
        let leave_unless = |unit: &mut Unit, op: Op, other: ValueId| {
            let holds = make_before_end(unit, preheader, op, &[start, other], Edge::None);
            if let Some(holds) = holds {
                make_before_end(unit, preheader, Op::JmpZero, &[holds], Edge::Exit(exit));
            }
        };
        let (lo, hi) = analysis.range(unit, start);
        let (mut least, mut most) = bounds(condition, analysis.range(unit, limit));
        if lo < least || hi > most {
            leave_unless(unit, condition, limit);
        }
        let ascends = matches!(condition, Op::LtInt | Op::LteInt);
        if ascends && lo < 0 && is_index(unit, l, param, analysis) {
            let zero = unit.int(0);
            leave_unless(unit, Op::GteInt, zero);
            least = 0;
        }
        // The counter moves one way only, so its initial value is the other bound.
        match ascends {
            true => least = least.max(lo),
            false => most = most.min(hi),
        }
        unit.observe(start);
        unit.observe(limit);
        narrow(unit, param, Type::range(least, most));
        let is_strict = matches!(condition, Op::LtInt | Op::GtInt);
        pairs.push(if ascends { (param, limit, is_strict) } else { (limit, param, is_strict) });
    }
    pairs
}

/// The range of a value for which a comparison with something in the given range holds.
fn bounds(condition: Op, (least, most): Range) -> Range {
    match condition {
        Op::LtInt => (i64::MIN, most.saturating_sub(1)),
        Op::LteInt => (i64::MIN, most),
        Op::GtInt => (least.saturating_add(1), i64::MAX),
        _ => (least, i64::MAX),
    }
}

/// Whether a loop reads arrays at a value.
fn is_index(unit: &Unit, l: &Loop, value: ValueId, analysis: &Analysis) -> bool {
    let checks = |&id: &InstId| {
        let inst = unit.inst(id);
        inst.op == Op::CheckPackedArrayDataBounds && analysis.subst.find(unit.src(inst, 1)) == value
    };
    l.blocks.iter().any(|&block| unit.block(block).insts.iter().any(checks))
}

/// The condition of a parameter that is a counter, if its bounds would make the overflow check of the increment unnecessary:
/// wherever the latch is reached, the incremented counter has been compared with a value from outside of the loop, and the
/// comparison held.
fn condition_of(
    unit: &Unit,
    cfg: &Cfg,
    l: &Loop,
    latch: BlockId,
    at: usize,
    analysis: &Analysis,
) -> Option<(Op, ValueId)> {
    let param = unit.block(l.header).params[at];
    let last = unit.terminator(latch)?;
    let next = analysis.subst.find(*unit.srcs(unit.inst(last)).get(at)?);
    let counts = unit.def_inst(next)?;
    if !matches!(counts.op, Op::AddIntO | Op::SubIntO) || analysis.subst.find(unit.src(counts, 0)) != param {
        return None;
    }
    let step = analysis.range(unit, analysis.subst.find(unit.src(counts, 1)));
    let mut block = latch;
    while block != l.header {
        let &[pred] = cfg.preds(block) else { return None };
        let known = said_yes(unit, pred, block, next, analysis).filter(|&(_, limit)| !analysis.is_in(l, limit));
        if let Some((condition, limit)) = known {
            let ascends = matches!(condition, Op::LtInt | Op::LteInt);
            let (plain, goes_there) = match counts.op {
                Op::AddIntO => (Op::AddInt, ascends),
                _ => (Op::SubInt, !ascends),
            };
            let (lo, hi) = interval(plain, bounds(condition, analysis.range(unit, limit)), step);
            let stays = if ascends { fits(hi) } else { fits(lo) };
            return (goes_there && stays && step.0 >= 0).then_some((condition, limit));
        }
        block = pred;
    }
    None
}

/// The comparison of `value` with another value that holds because a block's last branch goes to `to`.
fn said_yes(unit: &Unit, block: BlockId, to: BlockId, value: ValueId, analysis: &Analysis) -> Option<(Op, ValueId)> {
    let inst = unit.inst(unit.terminator(block)?);
    let (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) = (inst.op, inst.edge) else { return None };
    let is_true = (target == to) == (inst.op == Op::JmpNZero);
    let def = unit.def_inst(analysis.subst.find(unit.src(inst, 0)))?;
    let [a, b] = [0, 1].map(|at| unit.srcs(def).get(at).map(|&src| analysis.subst.find(src)));
    // For each operation: its negation, and the operation with exchanged operands.
    const ORDERS: [(Op, Op, Op); 4] = [
        (Op::LtInt, Op::GteInt, Op::GtInt),
        (Op::LteInt, Op::GtInt, Op::GteInt),
        (Op::GtInt, Op::LteInt, Op::LtInt),
        (Op::GteInt, Op::LtInt, Op::LteInt),
    ];
    let order = |op| ORDERS.iter().find(|row| row.0 == op);
    let holds = if is_true { def.op } else { order(def.op)?.1 };
    match (a?, b?) {
        (a, b) if a == value => Some((order(holds)?.0, b)),
        (a, b) if b == value => Some((order(holds)?.2, a)),
        _ => None,
    }
}
