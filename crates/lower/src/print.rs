//! Oplines as text, for `phlox dump --oplines`.

use crate::facts::{Number, OperandAccess};
use crate::live::Live;
use crate::opline::{
    ANY_PARAMETER, ClassBy, Comparison, FALLS_THROUGH, HEADER_CELLS, Literal, Lowered, NO_SITE, NO_TARGET, Operand,
    Opline, PathStep, Unary,
};
use crate::ops::OpCode;
use phlox_hhbc::{Func, IncDec, SetOp, TypeTest, Unit};
use std::fmt::Write;

/// The oplines of all functions of a unit, as they are without hints about the functions that they call.
pub fn print_unit(unit: &Unit) -> String {
    let mut text = String::new();
    for func in unit.funcs.iter().filter(|func| !func.code.is_empty()) {
        let name = String::from_utf8_lossy(unit.str(func.name));
        let lowered = crate::lower(func, &crate::NoHints);
        let _ = writeln!(text, "{}:", if name.is_empty() { "{main}" } else { &name });
        let _ = writeln!(text, "{}", print(unit, func, &lowered));
    }
    text
}

/// The oplines of a function, one a line, with the source line where it changes. A line that ends in `&` forms a superinstruction
/// with the next one ([`crate::Pair`]).
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
    let facts = opline.op.facts();
    for (name, operand, facts) in [("c", opline.c, facts.c), ("a", opline.a, facts.a), ("b", opline.b, facts.b)] {
        if operand != Operand::None {
            let is_result = facts.access == OperandAccess::Write;
            let text = operand_text(unit, code, lowered, operand);
            parts.push(if is_result || name == "c" { format!("{name}={text}") } else { text });
        }
    }
    parts.extend(number_text(unit, code, lowered, opline));
    if let Some(call) = lowered.named_calls.get(opline.n as usize).filter(|_| opline.op == OpCode::CallNamed) {
        let names = call
            .names
            .iter()
            .map(|(position, name)| format!("{position}: {}", String::from_utf8_lossy(unit.str(*name))));
        parts.push(format!("({}; {})", call.args, names.collect::<Vec<_>>().join(", ")));
    }
    let is_path = opline.op.facts().n == Number::Path;
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

/// The text for the number of an opline, in words if it stands for something; `None` if other parts of the line show it.
fn number_text(unit: &Unit, code: &Func, lowered: &Lowered, opline: &Opline) -> Option<String> {
    let n = opline.n;
    let named = |name: Option<&str>| Some(name.map_or_else(|| format!("#{n}"), |name| format!("#{name}")));
    let at = n as usize;
    match opline.op.facts().n {
        Number::Unused | Number::Path | Number::NamedCall => None,
        Number::Operator => named(SetOp::ALL.get(at).map(|op| op.name())),
        Number::IncDec => named(IncDec::ALL.get(at).map(|op| op.name())),
        Number::TypeTest => named(TypeTest::ALL.get(at).map(|op| op.name())),
        Number::Unary => named(Unary::ALL.get(at).map(|op| op.name())),
        Number::Comparison => named(Comparison::ALL.get(at).map(|op| op.name())),
        Number::Parameter if n == ANY_PARAMETER => named(Some("any")),
        Number::Count | Number::Parameter | Number::Iterator | Number::Function | Number::StaticVariable => named(None),
        Number::SwitchTable => {
            let rest = if n & FALLS_THROUGH != 0 { " or next" } else { "" };
            Some(format!("#{}{rest}", n & !FALLS_THROUGH))
        }
        Number::ClassBy(flag) => {
            let by = Some(ClassBy::of(n)).filter(|by| *by != ClassBy::Name).map(ClassBy::name);
            let flag = Some(flag).filter(|_| n & !ClassBy::MASK != 0);
            let words: Vec<&str> = by.into_iter().chain(flag).collect();
            (!words.is_empty()).then(|| format!("#{}", words.join(" ")))
        }
        Number::Fallback => {
            let name = n.checked_sub(1)?;
            Some(format!("or {}", operand_text(unit, code, lowered, Operand::Lit(name))))
        }
        Number::Flag(name) => (n != 0).then(|| format!("#{name}")),
    }
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
