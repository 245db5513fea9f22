//! Units as text, which `parse.rs` reads back.
//!
//! ```text
//! unit #7 @0                       the function, and the opline of the entry
//! lit0 = "abc"                     literals: strings, arrays by the number of their elements
//! F1 = #9 in F0 t4 args 2          frames of inlined callees, where their headers would lie, numbers of arguments
//! S0 = F0 @12 $0=v1 t2=v3*         snapshots; * is for a reference that the exit takes itself
//! B0 likely 100:                   blocks: parameters in parentheses, hint, count of the profile
//!   v1:Int = LdLoc<Int,$0> v0
//!   v2:Int = AddIntO v1, 5 -> S0 @12
//!   Jmp v2 -> B1
//! ```

use crate::cfg;
use crate::ids::*;
use crate::ops::{B, ER, Imm};
use crate::unit::*;
use std::fmt::{self, Write};

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let speculates = if self.speculates { " speculates" } else { "" };
        let hoisting = if self.no_hoisted_guards { " no_hoisted_guards" } else { "" };
        writeln!(f, "unit #{} @{}{speculates}{hoisting}", self.frames[0].func.0, self.entry_opline)?;
        for (at, literal) in self.literals.iter().enumerate() {
            match literal {
                Literal::Str { bytes, .. } => writeln!(f, "{} = \"{}\"", LitId::new(at), bytes.escape_ascii())?,
                Literal::Arr { count, .. } => writeln!(f, "{} = array {count}", LitId::new(at))?,
            }
        }
        for (at, frame) in self.frames.iter().enumerate().skip(1) {
            let caller = frame.caller.unwrap_or(FrameId(0));
            writeln!(f, "{} = #{} in {caller} t{} args {}", FrameId::new(at), frame.func.0, frame.base, frame.args)?;
        }
        let blocks = cfg::layout(self);
        for id in used_snaps(self, &blocks) {
            write_snap(self, f, id)?;
        }
        for &block in &blocks {
            write_block(self, f, block)?;
        }
        Ok(())
    }
}

/// The snapshots that the blocks refer to, in order.
fn used_snaps(unit: &Unit, blocks: &[BlockId]) -> Vec<SnapId> {
    let mut used = Vec::new();
    for &block in blocks {
        for &inst in &unit.block(block).insts {
            if let Edge::Exit(snap) = unit.inst(inst).edge {
                let mut at = Some(snap);
                while let Some(id) = at {
                    used.push(id);
                    at = unit.snap(id).caller;
                }
            }
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}

fn write_snap(unit: &Unit, f: &mut fmt::Formatter, id: SnapId) -> fmt::Result {
    let snap = unit.snap(id);
    write!(f, "{id} = {} @{}", snap.frame, snap.opline)?;
    for entry in &snap.entries {
        match entry.slot {
            Slot::Local(local) => write!(f, " ${local}=")?,
            Slot::Tmp(tmp) => write!(f, " t{tmp}=")?,
        }
        f.write_str(&value(unit, entry.value))?;
        if entry.hold == Hold::Copy {
            f.write_str("*")?;
        }
    }
    if let Some(caller) = snap.caller {
        write!(f, " caller {caller}")?;
    }
    f.write_str("\n")
}

fn write_block(unit: &Unit, f: &mut fmt::Formatter, id: BlockId) -> fmt::Result {
    let block = unit.block(id);
    write!(f, "{id}")?;
    if !block.params.is_empty() {
        let params: Vec<String> = block.params.iter().map(|&param| format!("{param}:{}", unit.ty(param))).collect();
        write!(f, "({})", params.join(", "))?;
    }
    if block.hint != Hint::Neutral {
        write!(f, " {}", block.hint.name())?;
    }
    if block.count != 0 {
        write!(f, " {}", block.count)?;
    }
    f.write_str(":\n")?;
    for &inst in &block.insts {
        writeln!(f, "  {}", instruction(unit, inst))?;
    }
    match block.next {
        Some(next) if !unit.terminator(id).is_some_and(|last| unit.inst(last).op.is_terminal()) => {
            writeln!(f, "  next {next}")
        }
        _ => Ok(()),
    }
}

/// Prints one instruction.
pub fn instruction(unit: &Unit, id: InstId) -> String {
    let inst = unit.inst(id);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_instruction(unit, inst, &mut out);
    out
}

fn write_instruction(unit: &Unit, inst: &Inst, out: &mut String) -> fmt::Result {
    let info = inst.op.info();
    if let Some(dst) = inst.dst {
        write!(out, "{dst}:{} = ", unit.ty(dst))?;
    }
    out.push_str(info.name);
    write_immediates(inst, out)?;
    for (at, &src) in unit.srcs(inst).iter().enumerate() {
        out.push_str(if at == 0 { " " } else { ", " });
        out.push_str(&value(unit, src));
    }
    match inst.edge {
        Edge::Block(block) => write!(out, " -> {block}")?,
        Edge::Exit(snap) => write!(out, " -> {snap}")?,
        Edge::None if inst.op.has(B | ER) => out.push_str(" -> nothing"),
        Edge::None => {}
    }
    match (inst.mark.frame, inst.mark.opline) {
        (0, 0) => Ok(()),
        (0, opline) => write!(out, " @{opline}"),
        (frame, opline) => write!(out, " @F{frame}:{opline}"),
    }
}

fn write_immediates(inst: &Inst, out: &mut String) -> fmt::Result {
    let imms = inst.op.info().imms;
    if imms.is_empty() {
        return Ok(());
    }
    let mut words = inst.imm.iter();
    for (at, imm) in imms.iter().enumerate() {
        out.push(if at == 0 { '<' } else { ',' });
        if *imm == Imm::T {
            write!(out, "{}", inst.ty)?;
            continue;
        }
        let word = words.next().copied().unwrap_or_default();
        match imm {
            Imm::Local if word == u32::MAX => out.push('-'),
            Imm::Local => write!(out, "${word}")?,
            Imm::Tmp => write!(out, "t{word}")?,
            Imm::Lit => write!(out, "lit{word}")?,
            Imm::Frame => write!(out, "F{word}")?,
            Imm::Kind => match crate::types::ArrKind::ALL.get(word as usize) {
                Some(kind) => out.push_str(kind.name()),
                None => write!(out, "{word}")?,
            },
            _ => write!(out, "{word}")?,
        }
    }
    out.push('>');
    Ok(())
}

/// Prints a value: a constant as such, any other value by its number.
pub fn value(unit: &Unit, value: ValueId) -> String {
    let Some(constant) = unit.as_const(value) else { return value.to_string() };
    match constant {
        Const::Uninit => "uninit".to_owned(),
        Const::Null => "null".to_owned(),
        Const::Bool(truth) => truth.to_string(),
        Const::Int(int) => int.to_string(),
        Const::Dbl(bits) => {
            let float = f64::from_bits(bits);
            let canonical = float.is_nan() && bits == f64::NAN.to_bits();
            if float.is_nan() && !canonical { format!("nan#{bits}") } else { format!("{float:?}") }
        }
        Const::Lit(lit) => lit.to_string(),
        Const::Cls(class) => format!("Cls#{}", class.0),
        Const::Func(func) => format!("Func#{}", func.0),
        Const::Nullptr => "nullptr".to_owned(),
    }
}
