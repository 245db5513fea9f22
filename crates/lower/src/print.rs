//! Oplines as text, for `phlox dump --oplines`.

use crate::live::Live;
use crate::opline::{HEADER_CELLS, Literal, Lowered, NO_SITE, NO_TARGET, Operand, Opline, PathStep};
use crate::ops::OpCode;
use phlox_hhbc::{Func, Unit};
use std::fmt::Write;

/// The oplines of a function, one a line, with the source line where it changes. A line that ends in `&` is done in one with
/// the next ([`crate::Pair`]).
pub fn print(unit: &Unit, code: &Func, lowered: &Lowered) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "; {} temporaries, {} caches, header {HEADER_CELLS}", lowered.tmps, lowered.sites);
    let mut line = 0;
    for (index, opline) in lowered.ops.iter().enumerate() {
        let at = code.line_at(opline.pc);
        if at != line {
            line = at;
            let _ = writeln!(text, "  .line {line}");
        }
        let entered = lowered.ops.iter().any(|other| other.target == index as u32);
        let label = if entered { format!("{index:4}:") } else { "     ".to_owned() };
        let with_next = crate::pair(lowered, index).is_some();
        let _ = writeln!(text, "{label} {}{}", one(unit, code, lowered, opline), if with_next { " &" } else { "" });
    }
    text
}

fn one(unit: &Unit, code: &Func, lowered: &Lowered, opline: &Opline) -> String {
    let mut text = opline.op.name().to_owned();
    let mut parts = Vec::new();
    for (name, operand) in [("c", opline.c), ("a", opline.a), ("b", opline.b)] {
        if operand != Operand::None {
            let arrow = if name == "c" { "c=" } else { "" };
            parts.push(format!("{arrow}{}", operand_text(unit, code, lowered, operand)));
        }
    }
    if opline.n != 0 {
        parts.push(format!("#{}", opline.n));
    }
    if let Some(call) = lowered.named_calls.get(opline.n as usize).filter(|_| opline.op == OpCode::CallNamed) {
        let names = call
            .names
            .iter()
            .map(|(position, name)| format!("{position}: {}", String::from_utf8_lossy(unit.str(*name))));
        parts.push(format!("({}; {})", call.args, names.collect::<Vec<_>>().join(", ")));
    }
    let is_path = opline.op.name().ends_with("Path");
    if let Some(path) = is_path.then(|| lowered.paths.get(opline.n as usize)).flatten() {
        let mut shown = operand_text(unit, code, lowered, path.base);
        for step in &path.steps {
            match step {
                PathStep::Elem(key) => {
                    let _ = write!(shown, "[{}]", operand_text(unit, code, lowered, *key));
                }
                PathStep::Prop(name, _) => {
                    let _ = write!(shown, "->{}", String::from_utf8_lossy(unit.str(*name)));
                }
                PathStep::New => shown.push_str("[]"),
                PathStep::Static { name, class, by, .. } => {
                    let class = class
                        .map_or_else(|| format!("{by:?}"), |class| String::from_utf8_lossy(unit.str(class)).into());
                    shown = format!("{class}::${}", String::from_utf8_lossy(unit.str(*name)));
                }
            }
        }
        parts.push(shown);
    }
    if opline.target != NO_TARGET {
        parts.push(format!("-> {}", opline.target));
    }
    if !parts.is_empty() {
        let _ = write!(text, " {}", parts.join(", "));
    }
    if opline.site != NO_SITE {
        let _ = write!(text, " @{}", opline.site);
    }
    let live = lowered.live.get(opline.live);
    if !live.is_empty() {
        let shown: Vec<String> = live
            .iter()
            .map(|live| match live {
                Live::Value(slot) | Live::Arg(slot) => format!("t{slot}"),
                Live::Call(slot) => format!("call t{slot}"),
            })
            .collect();
        let _ = write!(text, "  ; live {}", shown.join(" "));
    }
    text
}

fn operand_text(unit: &Unit, code: &Func, lowered: &Lowered, operand: Operand) -> String {
    match operand {
        Operand::None => "-".to_owned(),
        Operand::This => "$this".to_owned(),
        Operand::Tmp(slot) => format!("t{slot}"),
        Operand::Local(local) => match code.locals.get(local.index()).copied().flatten() {
            Some(name) => format!("${}", String::from_utf8_lossy(unit.str(name))),
            None => format!("${}", local.0),
        },
        Operand::Lit(index) => match lowered.literals[index as usize] {
            Literal::Undef => "undef".to_owned(),
            Literal::Null => "null".to_owned(),
            Literal::False => "false".to_owned(),
            Literal::True => "true".to_owned(),
            Literal::Int(value) => value.to_string(),
            Literal::Double(value) => format!("{value:?}"),
            Literal::Str(id) => format!("{:?}", String::from_utf8_lossy(unit.str(id))),
            Literal::EmptyArray => "[]".to_owned(),
            Literal::Array(id) => format!("{id:?}"),
        },
    }
}
