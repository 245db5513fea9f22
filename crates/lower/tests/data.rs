//! Every `tests/oplines/NAME.php` has its oplines beside it in `NAME.oplines`, as they are when nothing is known of the functions
//! that it calls. Together the programs have every opcode. The operands of all programs of the test suite are held against the
//! opline table.
//!
//! `PHLOX_BLESS=1` accepts what comes out.

use phlox_emit::{EmitOptions, emit};
use phlox_hhbc::{Func, Unit};
use phlox_lower::facts::{ControlFlow, Number, OperandAccess};
use phlox_lower::{Lowered, NO_TARGET, NoHints, OpCode, Operand, Opline};
use phlox_syntax::{ParseOptions, parse};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// The unit of a program; none if PHP refuses it.
fn compile(path: &Path) -> Option<Unit> {
    let source = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let arena = bumpalo::Bump::new();
    let parsed = parse(&arena, &source, &ParseOptions::default());
    let options = EmitOptions { filename: name.as_bytes(), is_eval: false, assertions: true, knows_builtins: true };
    let result = emit(&parsed.program, &source, &options);
    (!result.failed()).then_some(result.unit)
}

fn functions(unit: &Unit) -> impl Iterator<Item = &Func> {
    unit.funcs.iter().filter(|func| !func.code.is_empty())
}

/// The PHP files in a folder and those below.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|extension| extension == "php") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn oplines() {
    let (mut failures, mut seen) = (Vec::new(), BTreeSet::new());
    for path in programs(&tests().join("oplines")) {
        let unit = compile(&path).unwrap_or_else(|| panic!("{}: PHP refuses it", path.display()));
        for func in functions(&unit) {
            seen.extend(phlox_lower::lower(func, &NoHints).ops.iter().map(|opline| opline.op));
        }
        let text = phlox_lower::print_unit(&unit);
        let expected = path.with_extension("oplines");
        if std::env::var_os("PHLOX_BLESS").is_some() {
            std::fs::write(expected, text).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            failures.push(expected.display().to_string());
        }
    }
    assert!(failures.is_empty(), "differences (PHLOX_BLESS=1 accepts them):\n{}", failures.join("\n"));
    let missing: Vec<_> = OpCode::ALL.iter().filter(|op| !seen.contains(op)).collect();
    assert!(missing.is_empty(), "no program of tests/oplines has {missing:?}");
}

#[test]
fn operands_are_what_the_table_says() {
    let mut wrong = Vec::new();
    for path in programs(&tests()) {
        let Some(unit) = compile(&path) else { continue };
        for func in functions(&unit) {
            let lowered = phlox_lower::lower(func, &NoHints);
            for opline in &lowered.ops {
                if let Some(fault) = fault(opline, &lowered) {
                    wrong.push(format!("{}: {fault}: {opline:?}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} oplines:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// What the table says of an opline that is not so.
fn fault(opline: &Opline, lowered: &Lowered) -> Option<String> {
    let facts = opline.op.facts();
    for (name, operand, facts) in [("a", opline.a, facts.a), ("b", opline.b, facts.b), ("c", opline.c, facts.c)] {
        if !facts.kinds.allow(operand) {
            return Some(format!("operand {name} is none of its kinds"));
        }
        let is_row = matches!(facts.access, OperandAccess::ReadRow | OperandAccess::Exchange);
        if let (true, Operand::Tmp(first)) = (is_row, operand) {
            let mut last = first;
            opline.each_operand(lowered, |used| {
                if let (Operand::Tmp(tmp), true) = (used.operand, used.access == facts.access) {
                    last = last.max(tmp);
                }
            });
            if last > lowered.tmps {
                return Some(format!("the row from {name} on goes beyond the frame"));
            }
        }
    }
    if facts.n == Number::Unused && opline.n != 0 {
        return Some("it has a number".to_owned());
    }
    let goes = matches!(facts.flow, ControlFlow::Jump | ControlFlow::Branch);
    if !goes && opline.target != NO_TARGET {
        return Some("it has a target".to_owned());
    }
    None
}
