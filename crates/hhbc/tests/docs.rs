//! `docs/hhbc.md` is written from the tables; `PHLOX_BLESS=1` rewrites it.

use phlox_hhbc::imm::ImmKind;
use phlox_hhbc::r17::{Fate, SECTIONS as R17};
use phlox_hhbc::verify::Rule;
use phlox_hhbc::{OpInfo, OpKind, Opcode, Slot};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;

/// The sections of the table, each with its first instruction.
const SECTIONS: &[(Opcode, &str)] = &[
    (Opcode::Nop, "Basic instructions"),
    (Opcode::Null, "Literals and constants"),
    (Opcode::Concat, "Operators"),
    (Opcode::Jmp, "Control flow"),
    (Opcode::CGetL, "Get"),
    (Opcode::IssetC, "Isset, empty, type tests"),
    (Opcode::SetL, "Mutators"),
    (Opcode::FPushFunc, "Calls"),
    (Opcode::IterInit, "Iterators"),
    (Opcode::Incl, "Include, eval, define"),
    (Opcode::This, "Miscellaneous"),
    (Opcode::CreateCont, "Generators"),
];

const INTRODUCTION: &str = "\
# HHBC, the bytecode

This file is written from the instruction table (`crates/hhbc/src/ops.rs`), the verifier's rules and
`crates/hhbc/src/r17.rs`: edit those and run `PHLOX_BLESS=1 cargo test -p phlox-hhbc --test docs`.

A unit is one compiled file: literal strings, scalar arrays, types, functions and classes. A function has code, local
variables (parameters first), iterators, an evaluation stack, and tables: FPI regions (a call from its FPush to its
FCall), EH rows (what protects which instructions, innermost first), fault funclets (clean-up code after the body,
entered and left by the unwinder), DV entries (where to start when optional parameters are missing), lines.

Flavours of stack values: `C` a cell, `V` a var (a reference), `A` a class reference, `R` a call's result (cell or
var), `F` an argument. In a stack effect the top is on the right and `$1` in the text; `Cn` is as many cells as the
count says, `CVn` the same of cells and vars, `Fn` of arguments, `M` what the member vector takes: the base if it is
on the stack, a cell per `EC` and `PC`, and for a static base the class reference on top. A pending call takes four
stack slots besides its arguments.

## Where this differs from the specification

- `throw`, `exit` and a failed `match` are expressions in PHP 8, so `Throw`, `ThrowMatchError`, `Exit` and `Fatal` may
  stand inside an FPI region: the unwinder frees pending calls.
- Before an FCall the stack is as deep as after its FPush, not counting the arguments, which are on top, in order.
- Catch regions begin and end with an empty stack; fault regions need not, because the unwinder empties the stack
  before it enters a funclet. So `@f()` and `foreach` clean-up work inside expressions.
- `finally` is a catch-all row (a handler with an empty class name) and code in the body, which says with locals where
  to go on; no funclet returns. `ChainFaults` links an exception thrown in it to the pending one.
- `IterInit*` jumps with its iterator uninitialised and falls through with it initialised; `IterNext*` the other way
  round. An exception out of them leaves the iterator as it was before. `IterFree` gives the iterator up before
  anything can be thrown; in a funclet it does nothing to an iterator that is not in use.
- Silence follows the rules of iterators: the local keeps the old level from `Start` to `End`, and a fault funclet
  restores it.
- A generator is one body: `CreateCont` makes the Generator object, and each resumption goes on with the stack as the
  yield left it, the sent value on top.
- Class references are stack values, as in revision 17, not slots.

The text form (`.phas`) is described in `crates/hhbc/src/text.rs`, the binary form (`.phbc`) in
`crates/hhbc/src/binary.rs`.

";

#[test]
fn the_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hhbc.md");
    let expected = reference();
    if std::env::var_os("PHLOX_BLESS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "docs/hhbc.md is out of date: run with PHLOX_BLESS=1");
}

fn reference() -> String {
    let mut out = String::from(INTRODUCTION);
    rules(&mut out);
    instructions(&mut out);
    sub_operations(&mut out);
    revision_17(&mut out);
    out
}

fn rules(out: &mut String) {
    out.push_str("## Rules of the verifier\n\n1 to 13 are numbered as in revision 17 of the specification.\n\n");
    out.push_str("| rule | |\n|---|---|\n");
    for rule in Rule::ALL {
        writeln!(out, "| {} | {} |", rule.number(), rule.text()).unwrap();
    }
    out.push('\n');
}

fn instructions(out: &mut String) {
    writeln!(out, "## Instructions\n\n{} instructions. *New* ones are not in revision 17.\n", Opcode::ALL.len())
        .unwrap();
    let kept = kept_names();
    for &opcode in Opcode::ALL {
        if let Some(position) = SECTIONS.iter().position(|row| row.0 == opcode) {
            writeln!(out, "### {}. {}\n", position + 1, SECTIONS[position].1).unwrap();
            out.push_str("| instruction | stack | |\n|---|---|---|\n");
        }
        let info = opcode.info();
        let new = if kept.contains(info.name) { "" } else { "*New.* " };
        writeln!(out, "| {} | {} | {new}{} |", head(info), effect(info), text(info)).unwrap();
        if SECTIONS.iter().any(|row| row.0 as usize == opcode as usize + 1) {
            out.push('\n');
        }
    }
    out.push('\n');
}

fn head(info: &OpInfo) -> String {
    let mut head = format!("`{}`", info.name);
    for (name, kind) in info.immediates {
        write!(head, " *{name}*: {}", kind.name()).unwrap();
        head.push(',');
    }
    head.trim_end_matches(',').to_owned()
}

fn effect(info: &OpInfo) -> String {
    let slots = |slots: &[Slot]| {
        let names: Vec<String> = slots.iter().map(|slot| format!("{slot:?}")).collect();
        names.join(" ")
    };
    format!("[{}] → [{}]", slots(info.pops), slots(info.pushes))
}

fn text(info: &OpInfo) -> String {
    let mut words: Vec<&str> = info.doc.iter().map(|line| line.trim()).collect();
    match info.kind {
        OpKind::Terminal => words.push("*Control does not go on.*"),
        OpKind::FpiPush => words.push("*Opens an FPI region.*"),
        OpKind::FpiPop => words.push("*Closes an FPI region.*"),
        OpKind::Plain | OpKind::Branch | OpKind::Jump | OpKind::Switch | OpKind::Pass => {}
    }
    words.join(" ").replace('|', "\\|")
}

fn sub_operations(out: &mut String) {
    let mut kinds = BTreeMap::new();
    for opcode in Opcode::ALL {
        for (_, kind) in opcode.info().immediates {
            if let ImmKind::SubOp { name, values } = kind {
                kinds.insert(*name, *values);
            }
        }
    }
    out.push_str("## Named immediates\n\n| type | values |\n|---|---|\n");
    for (name, values) in kinds {
        writeln!(out, "| {name} | {} |", values.join(" ")).unwrap();
    }
    out.push('\n');
}

fn revision_17(out: &mut String) {
    out.push_str("## Revision 17\n\nWhat became of each instruction of the specification.\n\n");
    for (title, rows) in R17 {
        writeln!(out, "### {title}\n\n| instruction | | |\n|---|---|---|").unwrap();
        for (names, fate) in *rows {
            for name in names.split_whitespace() {
                match fate {
                    Fate::Kept => writeln!(out, "| `{name}` | implemented | |").unwrap(),
                    Fate::Superseded { by, why } => writeln!(out, "| `{name}` | superseded by {by} | {why} |").unwrap(),
                }
            }
        }
        out.push('\n');
    }
}

fn kept_names() -> HashSet<&'static str> {
    let rows = R17.iter().flat_map(|section| section.1).filter(|row| matches!(row.1, Fate::Kept));
    rows.flat_map(|row| row.0.split_whitespace()).collect()
}

#[test]
fn the_list_of_revision_17_agrees_with_the_table() {
    let table: HashSet<&str> = Opcode::ALL.iter().map(|opcode| opcode.name()).collect();
    let mut seen = HashSet::new();
    for (names, fate) in R17.iter().flat_map(|section| section.1) {
        for name in names.split_whitespace() {
            assert!(seen.insert(name), "{name} is listed twice");
            assert_eq!(table.contains(name), matches!(fate, Fate::Kept), "{name}");
        }
        if let Fate::Superseded { by, .. } = fate {
            for word in by.split([',', ' ']).filter(|word| word.starts_with(char::is_uppercase)) {
                assert!(table.contains(word) || word == "Generator", "{names} is superseded by unknown {word}");
            }
        }
    }
    assert!(seen.len() > 300, "revision 17 has more than 300 instructions");
}

#[test]
fn sections_follow_the_table() {
    assert!(SECTIONS.is_sorted_by_key(|row| row.0));
    assert_eq!(SECTIONS[0].0, Opcode::ALL[0]);
}
