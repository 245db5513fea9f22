//! Range analysis: bounds of integers from types, branches and induction. Arithmetic that cannot overflow becomes unchecked,
//! comparisons whose answer is known become constants, bounds checks move out of loops.

mod entry;

use super::{Shape, Substitution, motion, take_insts};
use crate::cfg::{Cfg, Loop};
use crate::ids::*;
use crate::ops::Op;
use crate::simplify::decide;
use crate::types::*;
use crate::typing::{fits, interval, result_type};
use crate::unit::*;

pub(super) fn run(unit: &mut Unit, shape: &mut Shape) {
    let cfg = shape.of(unit);
    let loops = cfg.loops(unit);
    let mut analysis = Analysis {
        ranges: vec![None; unit.values.len()],
        undo: Vec::new(),
        less: Vec::new(),
        home: homes(unit, &cfg),
        subst: Substitution::new(),
    };
    analysis.walk(unit, &cfg, loops);
    analysis.subst.apply(unit);
    narrow_params(unit, &cfg);
}

type Range = (i64, i64);

fn homes(unit: &Unit, cfg: &Cfg) -> Vec<Option<BlockId>> {
    let mut homes = vec![None; unit.values.len()];
    for &block in &cfg.order {
        unit.block(block).params.iter().for_each(|param| homes[param.at()] = Some(block));
        let results = unit.block(block).insts.iter().filter_map(|&id| unit.inst(id).dst);
        results.for_each(|dst| homes[dst.at()] = Some(block));
    }
    homes
}

struct Analysis {
    /// The ranges that hold in the current subtree of the tree of dominators, beyond types.
    ranges: Vec<Option<Range>>,
    undo: Vec<(ValueId, Option<Range>)>,
    /// Pairs of values of which the first is less than the second there, or, if the flag is not set, not greater.
    less: Vec<(ValueId, ValueId, bool)>,
    /// The block that defines each value.
    home: Vec<Option<BlockId>>,
    subst: Substitution,
}

impl Analysis {
    fn range(&self, unit: &Unit, value: ValueId) -> Range {
        let (lo, hi) = unit.ty(value).int_range();
        match self.ranges.get(value.at()) {
            Some(&Some((from, to))) => (lo.max(from), hi.min(to)),
            _ => (lo, hi),
        }
    }

    /// Whether a value is defined in a loop.
    fn is_in(&self, l: &Loop, value: ValueId) -> bool {
        self.home.get(value.at()).copied().flatten().is_some_and(|home| l.contains(home))
    }

    fn learn(&mut self, unit: &Unit, value: ValueId, range: Range) {
        let (lo, hi) = self.range(unit, value);
        let new = (lo.max(range.0), hi.min(range.1));
        if new == (lo, hi) || new.0 > new.1 || unit.as_const(value).is_some() {
            return;
        }
        if self.ranges.len() <= value.at() {
            self.ranges.resize(value.at() + 1, None);
        }
        self.undo.push((value, self.ranges[value.at()]));
        self.ranges[value.at()] = Some(new);
    }

    fn walk(&mut self, unit: &mut Unit, cfg: &Cfg, loops: &[Loop]) {
        let mut work = vec![(Some(unit.entry), 0, 0)];
        while let Some((block, ranges, pairs)) = work.pop() {
            let Some(block) = block else {
                while self.undo.len() > ranges {
                    if let Some((value, before)) = self.undo.pop() {
                        self.ranges[value.at()] = before;
                    }
                }
                self.less.truncate(pairs);
                continue;
            };
            work.push((None, self.undo.len(), self.less.len()));
            if let Some(l) = loops.iter().find(|l| l.header == block) {
                induction(unit, cfg, l, self);
                self.less.extend(entry::bound_counters(unit, cfg, l, self));
            }
            self.enter_params(unit, cfg, block);
            self.learn_from_branch(unit, cfg, block);
            self.block(unit, cfg, loops, block);
            work.extend(cfg.children(block).iter().rev().map(|&child| (Some(child), 0, 0)));
        }
    }

    /// Narrows the parameters of a block with one predecessor to the ranges of the passed values.
    fn enter_params(&mut self, unit: &mut Unit, cfg: &Cfg, block: BlockId) {
        let &[pred] = cfg.preds(block) else { return };
        let Some(last) = unit.terminator(pred) else { return };
        for at in 0..unit.block(block).params.len() {
            let param = unit.block(block).params[at];
            if unit.ty(param).is(INT) {
                let (lo, hi) = self.range(unit, self.subst.find(unit.src(unit.inst(last), at)));
                narrow(unit, param, Type::range(lo, hi));
            }
        }
    }

    fn learn_from_branch(&mut self, unit: &Unit, cfg: &Cfg, block: BlockId) {
        let &[pred] = cfg.preds(block) else { return };
        let Some(last) = unit.terminator(pred) else { return };
        let inst = unit.inst(last);
        let (Op::JmpZero | Op::JmpNZero, Edge::Block(target)) = (inst.op, inst.edge) else { return };
        let truth = (target == block) == (inst.op == Op::JmpNZero);
        self.learn_truth(unit, self.subst.find(unit.src(inst, 0)), truth);
    }

    /// Learns from the truth of a comparison about its operands.
    fn learn_truth(&mut self, unit: &Unit, condition: ValueId, truth: bool) {
        let Some(def) = unit.def_inst(condition) else { return };
        let op = match (def.op, truth) {
            (Op::LtInt | Op::LteInt | Op::GtInt | Op::GteInt | Op::EqInt | Op::NeqInt | Op::CheckRange, true) => def.op,
            (Op::LtInt, false) => Op::GteInt,
            (Op::LteInt, false) => Op::GtInt,
            (Op::GtInt, false) => Op::LteInt,
            (Op::GteInt, false) => Op::LtInt,
            (Op::EqInt, false) => Op::NeqInt,
            (Op::NeqInt, false) => Op::EqInt,
            _ => return,
        };
        let (a, b) = (self.subst.find(unit.src(def, 0)), self.subst.find(unit.src(def, 1)));
        match op {
            Op::LtInt => self.learn_less(unit, a, b, 1),
            Op::LteInt => self.learn_less(unit, a, b, 0),
            Op::GtInt => self.learn_less(unit, b, a, 1),
            Op::GteInt => self.learn_less(unit, b, a, 0),
            Op::EqInt => {
                let (left, right) = (self.range(unit, a), self.range(unit, b));
                self.learn(unit, a, right);
                self.learn(unit, b, left);
            }
            Op::NeqInt => {
                let ((lo, hi), known) = (self.range(unit, a), self.range(unit, b));
                if known == (lo, lo) {
                    self.learn(unit, a, (lo.saturating_add(1), hi));
                } else if known == (hi, hi) {
                    self.learn(unit, a, (lo, hi.saturating_sub(1)));
                }
            }
            _ => {
                self.learn(unit, a, (0, i64::MAX));
                self.learn_less(unit, a, b, 1);
            }
        }
    }

    /// Learns that `small + by <= large`.
    fn learn_less(&mut self, unit: &Unit, small: ValueId, large: ValueId, by: i64) {
        let (least, most) = (self.range(unit, small).0, self.range(unit, large).1);
        self.learn(unit, small, (i64::MIN, most.saturating_sub(by)));
        self.learn(unit, large, (least.saturating_add(by), i64::MAX));
        self.less.push((small, large, by == 1));
    }

    fn block(&mut self, unit: &mut Unit, cfg: &Cfg, loops: &[Loop], block: BlockId) {
        let mut kept = take_insts(unit, block);
        kept.retain(|&id| {
            self.subst.operands(unit, id);
            let inst = *unit.inst(id);
            let stays = match inst.op {
                Op::LtInt | Op::LteInt | Op::GtInt | Op::GteInt | Op::EqInt | Op::NeqInt | Op::CheckRange => {
                    self.comparison(unit, &inst)
                }
                Op::CheckPackedArrayDataBounds => !self.in_bounds(unit, cfg, loops, block, &inst),
                _ => true,
            };
            if stays {
                self.arithmetic(unit, id);
            }
            if let (Op::JmpZero | Op::JmpNZero, Edge::Exit(_)) = (inst.op, inst.edge) {
                self.learn_truth(unit, unit.src(&inst, 0), inst.op == Op::JmpZero);
            }
            stays
        });
        unit.blocks[block.at()].insts = kept;
    }

    /// Processes a comparison; gives whether it stays.
    fn comparison(&mut self, unit: &mut Unit, inst: &Inst) -> bool {
        let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
        let mut answer = decide(inst.op, self.range(unit, a), self.range(unit, b), a == b);
        if answer.is_none() && inst.op == Op::LtInt && self.less.contains(&(a, b, true)) {
            answer = Some(true);
        }
        let (Some(answer), Some(dst)) = (answer, inst.dst) else { return true };
        unit.observe(a);
        unit.observe(b);
        let answer = unit.bool(answer);
        self.subst.set(dst, answer);
        false
    }

    /// Computes the range of a result; checked arithmetic that needs no check becomes unchecked.
    fn arithmetic(&mut self, unit: &mut Unit, id: InstId) {
        let inst = *unit.inst(id);
        let Some(dst) = inst.dst.filter(|&dst| unit.ty(dst).is(INT)) else { return };
        let op = inst.op;
        if matches!(op, Op::AddIntO | Op::SubIntO | Op::MulIntO | Op::AddInt | Op::SubInt | Op::MulInt) {
            let (a, b) = (self.range(unit, unit.src(&inst, 0)), self.range(unit, unit.src(&inst, 1)));
            let (lo, hi) = interval(op, a, b);
            if fits(lo) && fits(hi) {
                let plain = match op {
                    Op::AddIntO => Op::AddInt,
                    Op::SubIntO => Op::SubInt,
                    Op::MulIntO => Op::MulInt,
                    _ => op,
                };
                let edge = if plain == op { inst.edge } else { Edge::None };
                observe_operands(unit, &inst);
                unit.insts[id.at()] = Inst { op: plain, edge, ..inst };
                narrow(unit, dst, Type::range(lo as i64, hi as i64));
            } else if op.has(crate::ops::B) {
                let clamp = |bound: i128| bound.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
                narrow(unit, dst, Type::range(clamp(lo), clamp(hi)));
            }
        } else {
            let plain = match op {
                Op::ModO => {
                    let (lo, hi) = self.range(unit, unit.src(&inst, 1));
                    if lo > 0 || hi < -1 { Op::Mod } else { op }
                }
                Op::ShlO | Op::ShrO => {
                    let (lo, hi) = self.range(unit, unit.src(&inst, 1));
                    match (lo >= 0 && hi <= 63, op) {
                        (true, Op::ShlO) => Op::Shl,
                        (true, _) => Op::Shr,
                        (false, _) => op,
                    }
                }
                _ => op,
            };
            if plain != op {
                observe_operands(unit, &inst);
                unit.insts[id.at()] = Inst { op: plain, edge: Edge::None, ..inst };
            }
            if let Some(ty) = result_type(unit, unit.inst(id)) {
                narrow(unit, dst, ty);
            }
        }
    }

    /// Whether an index is known to be in bounds, or is made so by a check before the loop.
    fn in_bounds(&mut self, unit: &mut Unit, cfg: &Cfg, loops: &[Loop], block: BlockId, inst: &Inst) -> bool {
        let (array, index) = (unit.src(inst, 0), unit.src(inst, 1));
        if self.range(unit, index).0 < 0 {
            return false;
        }
        let is_size = |unit: &Unit, value: ValueId| {
            unit.def_inst(value).is_some_and(|def| {
                matches!(def.op, Op::LdPackedSize | Op::CountArray | Op::CountArrayFast)
                    && self.subst.find(unit.src(def, 0)) == array
            })
        };
        // The index may be a counter plus a constant.
        let (counter, offset) = match unit.def_inst(index) {
            Some(def) if matches!(def.op, Op::AddInt | Op::SubInt) => {
                let step = unit.ty(unit.src(def, 1)).as_int();
                let offset = if def.op == Op::AddInt { step } else { step.and_then(i64::checked_neg) };
                offset.map_or((index, 0), |offset| (self.subst.find(unit.src(def, 0)), offset))
            }
            _ => (index, 0),
        };
        let limits: Vec<(ValueId, bool)> =
            self.less.iter().filter(|pair| pair.0 == counter).map(|pair| (pair.1, pair.2)).collect();
        if limits.iter().any(|&(limit, less)| (less && offset <= 0 || offset < 0) && is_size(unit, limit)) {
            unit.observe(index);
            return true;
        }
        // The limit of a loop counter is compared with the array's size once, before the loop.
        let Some(l) = loops.iter().find(|l| l.contains(block)) else { return false };
        let Some(preheader) = l.preheader else { return false };
        let Some(exit) = motion::placeholder(unit, preheader) else { return false };
        let always = l.latches.iter().all(|&latch| cfg.dominates(block, latch));
        let outside = |value: ValueId| !self.is_in(l, value);
        let limit = limits.into_iter().find(|limit| outside(limit.0));
        match limit {
            Some((limit, less)) if always && outside(array) && may_check(unit, array, limit, offset) => {
                unit.observe(index);
                check_limit(unit, preheader, exit, array, (limit, offset, less));
                true
            }
            _ => false,
        }
    }
}

/// Whether to compare a limit, plus an offset, with an array's size before a loop. Not if the array was smaller when the unit
/// was made, because the loop may end before its limit.
fn may_check(unit: &Unit, array: ValueId, limit: ValueId, offset: i64) -> bool {
    let was_less = match (sample(unit, limit), sample(unit, array)) {
        (Some(limit), Some(size)) => size < limit.saturating_add(offset),
        _ => false,
    };
    !unit.no_hoisted_guards && !was_less
}

/// The value that an integer had, or the size that an array had, when the unit was made.
fn sample(unit: &Unit, value: ValueId) -> Option<i64> {
    if let Some(int) = unit.ty(value).as_int() {
        return Some(int);
    }
    let def = unit.def_inst(value)?;
    match def.op {
        Op::LdLoc => unit.samples.iter().find(|row| row.0 == def.imm[0]).map(|row| row.1),
        Op::CheckType | Op::AssertType | Op::CheckArrKind | Op::CheckUnboxed => sample(unit, unit.src(def, 0)),
        _ => None,
    }
}

/// Adds a side exit at the end of the preheader, taken unless a counter that is less than the limit (or, without `less`, not
/// greater) stays, plus the offset, less than the size.
fn check_limit(
    unit: &mut Unit,
    preheader: BlockId,
    exit: SnapId,
    array: ValueId,
    (limit, offset, less): (ValueId, i64, bool),
) {
    let limit = match offset {
        0 => Some(limit),
        _ => {
            let offset = unit.int(offset);
            make_before_end(unit, preheader, Op::AddIntO, &[limit, offset], Edge::Exit(exit))
        }
    };
    let Some(limit) = limit else { return };
    let Some(size) = make_before_end(unit, preheader, Op::LdPackedSize, &[array], Edge::None) else { return };
    let Some(fits) =
        make_before_end(unit, preheader, if less { Op::LteInt } else { Op::LtInt }, &[limit, size], Edge::None)
    else {
        return;
    };
    make_before_end(unit, preheader, Op::JmpZero, &[fits], Edge::Exit(exit));
}

/// Adds an instruction at the end of a block, before its jump; gives its result.
fn make_before_end(unit: &mut Unit, block: BlockId, op: Op, srcs: &[ValueId], edge: Edge) -> Option<ValueId> {
    let mark = unit.block(block).insts.last().map(|&last| unit.inst(last).mark).unwrap_or_default();
    let srcs = unit.list(srcs);
    let inst = Inst { op, srcs, dst: None, edge, ty: Type::TOP, imm: [0; 3], mark };
    let ty = result_type(unit, &inst);
    let id = unit.add_inst(inst, ty);
    let insts = &mut unit.blocks[block.at()].insts;
    let end = insts.len() - usize::from(insts.last().is_some_and(|&id| unit.insts[id.at()].op == Op::Jmp));
    insts.insert(end, id);
    unit.insts[id.at()].dst
}

/// Records that a decision rests on the types of the operands.
fn observe_operands(unit: &mut Unit, inst: &Inst) {
    for at in 0..inst.srcs.len() {
        let src = unit.src(inst, at);
        unit.observe(src);
    }
}

fn narrow(unit: &mut Unit, value: ValueId, ty: Type) {
    let better = unit.ty(value).meet(ty);
    if !better.is_bottom() {
        unit.values[value.at()].ty = better;
    }
}

/// Bounds the integer parameters of a loop that only grow, or only shrink, by their initial values.
fn induction(unit: &mut Unit, cfg: &Cfg, l: &Loop, analysis: &Analysis) {
    let params = unit.block(l.header).params.clone();
    for (at, &param) in params.iter().enumerate() {
        if !unit.ty(param).is(INT) {
            continue;
        }
        let (mut start, mut grows, mut shrinks) = (Type::BOTTOM, true, true);
        for (source, arg) in incoming(unit, cfg, l.header, at) {
            let arg = analysis.subst.find(arg);
            if l.contains(source) {
                grows &= Motion::new(unit, cfg, l, analysis, param, true).moves(arg);
                shrinks &= Motion::new(unit, cfg, l, analysis, param, false).moves(arg);
            } else {
                let (lo, hi) = analysis.range(unit, arg);
                start = start.union(Type::range(lo, hi));
            }
        }
        if start.is_bottom() {
            continue;
        }
        let (lo, hi) = start.int_range();
        if grows {
            narrow(unit, param, Type::range(lo, i64::MAX));
        }
        if shrinks {
            narrow(unit, param, Type::range(i64::MIN, hi));
        }
    }
}

/// The values that are passed for a parameter, with the blocks that pass them.
fn incoming<'a>(
    unit: &'a Unit,
    cfg: &'a Cfg,
    target: BlockId,
    at: usize,
) -> impl Iterator<Item = (BlockId, ValueId)> + 'a {
    cfg.preds(target).iter().filter_map(move |&block| {
        let inst = unit.inst(unit.terminator(block)?);
        unit.srcs(inst).get(at).map(|&arg| (block, arg))
    })
}

/// The question whether values are a parameter of a loop plus something that is never negative (with `grow`) or never positive
/// (without).
struct Motion<'a> {
    unit: &'a Unit,
    cfg: &'a Cfg,
    l: &'a Loop,
    analysis: &'a Analysis,
    grow: bool,
    /// The values that have been asked about: they are assumed to move the right way unless another one does not.
    assumed: Vec<ValueId>,
}

impl<'a> Motion<'a> {
    fn new(
        unit: &'a Unit,
        cfg: &'a Cfg,
        l: &'a Loop,
        analysis: &'a Analysis,
        param: ValueId,
        grow: bool,
    ) -> Motion<'a> {
        Motion { unit, cfg, l, analysis, grow, assumed: vec![param] }
    }

    fn moves(&mut self, value: ValueId) -> bool {
        // The work is bounded; sensible programs do not need more.
        const LIMIT: usize = 16;
        if self.assumed.contains(&value) {
            return true;
        }
        if self.assumed.len() == LIMIT {
            return false;
        }
        self.assumed.push(value);
        match self.unit.values[value.at()].def {
            Def::Const(_) => false,
            Def::Inst(id) => self.result_moves(value, self.unit.inst(id)),
            Def::Param(block, at) => {
                let inside = self.l.contains(block) && block != self.l.header;
                inside && incoming(self.unit, self.cfg, block, at as usize).all(|(_, arg)| self.moves(arg))
            }
        }
    }

    fn result_moves(&mut self, value: ValueId, def: &Inst) -> bool {
        let srcs = self.unit.srcs(def);
        match def.op {
            // Only one alternative is tried, because assumptions hold only if no answer so far was negative.
            Op::AddIntO if self.step(srcs[1], true) => self.moves(srcs[0]),
            Op::AddIntO => self.step(srcs[0], true) && self.moves(srcs[1]),
            Op::SubIntO => self.step(srcs[1], false) && self.moves(srcs[0]),
            // Unchecked arithmetic counts only if it is known not to overflow.
            Op::AddInt | Op::SubInt => {
                let (lo, hi) = interval(def.op, self.unit.ty(srcs[0]).int_range(), self.unit.ty(srcs[1]).int_range());
                let fits = self.unit.ty(value).spec() != Spec::None || (fits(lo) && fits(hi));
                fits && self.step(srcs[1], def.op == Op::AddInt) && self.moves(srcs[0])
            }
            Op::CheckType | Op::AssertType | Op::Mov => self.moves(srcs[0]),
            _ => false,
        }
    }

    /// Whether the step of an addition, or subtraction, goes the right way.
    fn step(&self, step: ValueId, added: bool) -> bool {
        let (lo, hi) = self.analysis.range(self.unit, step);
        if added == self.grow { lo >= 0 } else { hi <= 0 }
    }
}

/// Narrows parameters to the union of the types that are passed for them.
fn narrow_params(unit: &mut Unit, cfg: &Cfg) {
    for &block in &cfg.order {
        for at in 0..unit.block(block).params.len() {
            let param = unit.block(block).params[at];
            if !unit.ty(param).maybe(INT) {
                continue;
            }
            let mut ty = Type::BOTTOM;
            for &pred in cfg.preds(block) {
                if let Some(last) = unit.terminator(pred) {
                    ty = ty.union(unit.ty(unit.src(unit.inst(last), at)));
                }
            }
            narrow(unit, param, ty);
        }
    }
}
