//! `docs/hhbc.md` is written from the tables; `PHLOX_BLESS=1` rewrites it.

mod status;

use phlox_hhbc::imm::ImmKind;
use phlox_hhbc::r17::{Fate, SECTIONS as R17};
use phlox_hhbc::verify::Rule;
use phlox_hhbc::{OpInfo, OpKind, Opcode, Slot};
use status::Status;
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
count says, `CVn` as many cells or vars, `Fn` as many arguments, `M` what the member vector takes: the base if it is
on the stack, a cell per `EC` and `PC`, and for a static base the class reference on top. A pending call takes four
stack slots besides its arguments.

Every jump backwards is a safe point: the collector runs if it is due, and signals and the time limit are looked at. An
instruction that throws has taken its inputs off the stack.

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

The text form is described in [phas.md](phas.md), the binary form in [phbc.md](phbc.md).

";

const EXISTENCE: &str = "\
## What there is of each instruction

The tables of instructions say what was found when this file was written. *Emitted*: the emitter makes the instruction of a
program in `tests/php` or `tests/emit`. *Executed*: the reference interpreter (`crates/oracle/src/step.rs`) does more for it
than refuse it. *Tested by* programs: one in `tests/php`, which runs in both interpreters with its output compared; by
assembly: a file in `tests/hhbc/run`, which runs as well; by the verifier: a file in `tests/hhbc/valid`, which does not run.

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
    let status = Status::find();
    rules(&mut out);
    existence(&mut out, &status);
    instructions(&mut out, &status);
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

/// Which instructions are there for the emitter, for the interpreters and for tests.
fn existence(out: &mut String, status: &Status) {
    out.push_str(EXISTENCE);
    let names = |wanted: &dyn Fn(&Opcode) -> bool| {
        let names: Vec<String> =
            Opcode::ALL.iter().filter(|opcode| wanted(opcode)).map(|opcode| format!("`{}`", opcode.name())).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let tested = |opcode: &Opcode| status.programs.contains(opcode) || status.assembly.contains(opcode);
    let count = status.emitted.len();
    writeln!(
        out,
        "- Emitted: {count} of {}. Never emitted: {}.",
        Opcode::ALL.len(),
        names(&|opcode| !status.emitted.contains(opcode))
    )
    .unwrap();
    writeln!(
        out,
        "- Refused by the interpreters with a fatal error: {}.",
        names(&|opcode| status.refused.contains(opcode))
    )
    .unwrap();
    writeln!(out, "- In no test that runs: {}.\n", names(&|opcode| !tested(opcode))).unwrap();
}

fn tests(opcode: Opcode, status: &Status) -> String {
    let places = [
        (status.programs.contains(&opcode), "programs"),
        (status.assembly.contains(&opcode), "assembly"),
        (status.verified.contains(&opcode), "verifier"),
    ];
    let places: Vec<&str> = places.into_iter().filter_map(|(found, place)| found.then_some(place)).collect();
    if places.is_empty() { "no".to_owned() } else { places.join(", ") }
}

fn instructions(out: &mut String, status: &Status) {
    writeln!(out, "## Instructions\n\n{} instructions. *New* ones are not in revision 17.\n", Opcode::ALL.len())
        .unwrap();
    let kept = kept_names();
    for &opcode in Opcode::ALL {
        if let Some(position) = SECTIONS.iter().position(|row| row.0 == opcode) {
            writeln!(out, "### {}. {}\n", position + 1, SECTIONS[position].1).unwrap();
            out.push_str("| instruction | stack | emitted | executed | tested by | |\n|---|---|---|---|---|---|\n");
        }
        let info = opcode.info();
        let new = if kept.contains(info.name) { "" } else { "*New.* " };
        let emitted = if status.emitted.contains(&opcode) { "yes" } else { "**never**" };
        let executed = if status.refused.contains(&opcode) { "**no**" } else { "yes" };
        let tested = tests(opcode, status);
        let (head, effect, text) = (head(info), effect(info), text(info));
        writeln!(out, "| {head} | {effect} | {emitted} | {executed} | {tested} | {new}{text} |").unwrap();
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
