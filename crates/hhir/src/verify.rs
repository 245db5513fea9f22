//! The verifier: it checks what every pass may rely on and must preserve.
//!
//! Blocks end as they should, definitions dominate uses, operands have the types that the table asks for, edges have snapshots
//! that fit the frames, and references are balanced (`verify_counts.rs`).

use crate::cfg::Cfg;
use crate::ids::*;
use crate::ops::{B, ER, Imm, Op, SrcKind};
use crate::print;
use crate::types::*;
use crate::typing::result_type;
use crate::unit::*;
use crate::verify_counts;
use std::collections::HashSet;

/// Verifies a unit.
///
/// # Errors
/// What is wrong, and where.
pub fn verify(unit: &Unit) -> Result<(), String> {
    let cfg = Cfg::new(unit);
    let places = places(unit, &cfg)?;
    if !cfg.preds(unit.entry).is_empty() || !unit.block(unit.entry).params.is_empty() {
        return Err("the entry is entered from outside only".to_owned());
    }
    let verifier = Verifier { unit, cfg: &cfg, places };
    for &block in &cfg.order {
        verifier.block(block).map_err(|error| format!("{block}: {error}"))?;
    }
    verify_counts::verify(unit, &cfg)
}

/// Where each value is defined: the block and the position in it, which is 0 for parameters.
type Places = Vec<Option<(BlockId, usize)>>;

fn places(unit: &Unit, cfg: &Cfg) -> Result<Places, String> {
    let mut places: Places = vec![None; unit.values.len()];
    let mut seen = HashSet::new();
    for &block in &cfg.order {
        for (at, &param) in unit.block(block).params.iter().enumerate() {
            if unit.values[param.at()].def != Def::Param(block, at as u32) {
                return Err(format!("{block}: {param} does not know that it is a parameter"));
            }
            places[param.at()] = Some((block, 0));
        }
        for (at, &id) in unit.block(block).insts.iter().enumerate() {
            if !seen.insert(id) {
                return Err(format!("{block}: `{}` is there twice", print::instruction(unit, id)));
            }
            if let Some(dst) = unit.inst(id).dst {
                if unit.values[dst.at()].def != Def::Inst(id) {
                    return Err(format!("{block}: {dst} does not know its instruction"));
                }
                places[dst.at()] = Some((block, at + 1));
            }
        }
    }
    Ok(places)
}

struct Verifier<'a> {
    unit: &'a Unit,
    cfg: &'a Cfg,
    places: Places,
}

impl Verifier<'_> {
    fn block(&self, block: BlockId) -> Result<(), String> {
        let insts = &self.unit.block(block).insts;
        for (at, &id) in insts.iter().enumerate() {
            let last = at + 1 == insts.len();
            self.instruction(block, at, id, last)
                .map_err(|error| format!("`{}`: {error}", print::instruction(self.unit, id)))?;
        }
        let ends = self.unit.terminator(block).is_some_and(|id| self.unit.inst(id).op.is_terminal());
        match self.unit.block(block).next {
            None if !ends => Err("control runs off its end".to_owned()),
            Some(next) if !ends && !self.unit.block(next).params.is_empty() => {
                Err(format!("goes to {next} without values for its parameters"))
            }
            _ => Ok(()),
        }
    }

    fn instruction(&self, block: BlockId, at: usize, id: InstId, last: bool) -> Result<(), String> {
        let inst = self.unit.inst(id);
        if !last && (inst.op.is_terminal() || matches!(inst.edge, Edge::Block(_))) {
            return Err("must be the last of its block".to_owned());
        }
        self.operands(inst)?;
        for &src in self.unit.srcs(inst) {
            self.is_defined(src, block, at)?;
        }
        self.immediates(inst)?;
        self.edge(inst, block, at)?;
        self.result(inst)
    }

    fn operands(&self, inst: &Inst) -> Result<(), String> {
        let rows = inst.op.info().srcs;
        let srcs = self.unit.srcs(inst);
        let many = rows.last().filter(|row| row.kind == SrcKind::Many);
        inst.has_operands()?;
        for (at, &src) in srcs.iter().enumerate() {
            let Some(row) = rows.get(at).or(many) else { continue };
            let ty = self.unit.ty(src);
            if ty.bits() & !row.bits != 0 {
                return Err(format!("operand {at} is {ty}, but must be {}", Type::of(row.bits)));
            }
            if row.kind == SrcKind::Const && self.unit.as_const(src).is_none() {
                return Err(format!("operand {at} must be a constant"));
            }
        }
        Ok(())
    }

    fn is_defined(&self, value: ValueId, block: BlockId, at: usize) -> Result<(), String> {
        if self.unit.as_const(value).is_some() {
            return Ok(());
        }
        match self.places[value.at()] {
            None => Err(format!("{value} is defined nowhere")),
            Some((home, position)) if home == block && position > at => Err(format!("{value} is defined later")),
            Some((home, _)) if !self.cfg.dominates(home, block) => {
                Err(format!("{value} is not defined on all ways here"))
            }
            Some(_) => Ok(()),
        }
    }

    fn immediates(&self, inst: &Inst) -> Result<(), String> {
        let words = inst.op.info().imms.iter().filter(|imm| **imm != Imm::T);
        for (imm, &word) in words.zip(&inst.imm) {
            let bound = match imm {
                Imm::Lit => self.unit.literals.len(),
                Imm::Frame => self.unit.frames.len(),
                Imm::Kind => ArrKind::ALL.len(),
                _ => continue,
            };
            if word as usize >= bound {
                return Err(format!("immediate {word} is out of range"));
            }
        }
        Ok(())
    }

    fn edge(&self, inst: &Inst, block: BlockId, at: usize) -> Result<(), String> {
        let wants = inst.op.has(B | ER);
        match inst.edge {
            Edge::None if wants => Err("has no edge".to_owned()),
            Edge::None => Ok(()),
            _ if !wants => Err("must not have an edge".to_owned()),
            Edge::Exit(_) if inst.op == Op::Jmp => Err("goes to a block".to_owned()),
            Edge::Block(_) if inst.op.is_terminal() && inst.op.has(B) && inst.op != Op::Jmp => {
                Err("leaves the unit".to_owned())
            }
            Edge::Block(target) => self.arguments(inst, target),
            Edge::Exit(snap) => self.snapshot(snap, block, at),
        }
    }

    fn arguments(&self, inst: &Inst, target: BlockId) -> Result<(), String> {
        let params = &self.unit.block(target).params;
        let args: &[ValueId] = if inst.op == Op::Jmp { self.unit.srcs(inst) } else { &[] };
        if params.len() != args.len() {
            return Err(format!("{target} has {} parameters", params.len()));
        }
        for (&param, &arg) in params.iter().zip(args) {
            // The range of a counter follows from the loop as a whole, and not from the types of the passed values.
            let want = self.unit.ty(param);
            let want = if matches!(want.spec(), Spec::Range(..)) { want.kinds() } else { want };
            if !self.unit.ty(arg).le(want) {
                return Err(format!("{param} is {}, but gets {}", self.unit.ty(param), self.unit.ty(arg)));
            }
        }
        Ok(())
    }

    fn snapshot(&self, id: SnapId, block: BlockId, at: usize) -> Result<(), String> {
        let snap = self.unit.snap(id);
        let frame = self.unit.frames.get(snap.frame.at()).ok_or_else(|| format!("{id} has no frame"))?;
        if frame.caller.is_some_and(|caller| caller >= snap.frame) {
            return Err(format!("{} calls a frame before it", snap.frame));
        }
        if frame.caller != snap.caller.map(|caller| self.unit.snap(caller).frame) {
            return Err(format!("{id} does not describe the callers of its frame"));
        }
        let mut slots: Vec<Slot> = snap.entries.iter().map(|entry| entry.slot).collect();
        slots.sort_unstable();
        if slots.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("{id} has two values for one slot"));
        }
        for entry in &snap.entries {
            self.is_defined(entry.value, block, at).map_err(|error| format!("{id}: {error}"))?;
            let ty = self.unit.ty(entry.value);
            if ty.bits() & !(GEN | FUNC | CLS | NULLPTR) != 0 {
                return Err(format!("{id}: {} is {ty}, which no slot can hold", entry.value));
            }
        }
        snap.caller.map_or(Ok(()), |caller| self.snapshot(caller, block, at))
    }

    fn result(&self, inst: &Inst) -> Result<(), String> {
        match (inst.dst, result_type(self.unit, inst)) {
            (None, None) => Ok(()),
            // A check that never succeeds has a result without values.
            (Some(_), Some(rule)) if rule.is_bottom() => Ok(()),
            (Some(dst), Some(rule)) => {
                let ty = self.unit.ty(dst);
                // A pass may know more than the rule, or not have used yet what it knows of the operands; it must not contradict
                // the rule.
                if ty.bits() & !rule.bits() != 0 && rule.bits() & !ty.bits() != 0 {
                    return Err(format!("the result is {rule}, not {ty}"));
                }
                Ok(())
            }
            (dst, _) => Err(format!("the result is {dst:?}")),
        }
    }
}
