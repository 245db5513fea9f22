//! The support for each instruction, as found in sources and tests: which ones the emitter makes of the test programs,
//! which ones the reference interpreter executes, and which ones tests contain.

use phlox_emit::{EmitOptions, emit};
use phlox_hhbc::{Opcode, Unit, assemble};
use phlox_syntax::{ParseOptions, parse};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Instructions by where they were found.
pub struct Status {
    /// The emitter makes it of a program in `tests/php` or `tests/emit`.
    pub emitted: HashSet<Opcode>,
    /// A program in `tests/php` contains it, so that it is run with its output compared.
    pub programs: HashSet<Opcode>,
    /// A file in `tests/hhbc/run` contains it, which is run as well.
    pub assembly: HashSet<Opcode>,
    /// A file in `tests/hhbc/valid` contains it, which is only verified.
    pub verified: HashSet<Opcode>,
    /// The reference interpreter executes it as a fatal error.
    pub refused: HashSet<Opcode>,
}

impl Status {
    /// Compiles the test programs, assembles the assembly and reads the reference interpreter.
    pub fn find() -> Status {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let programs = in_files(&root.join("tests/php"), "php", compiled);
        let emitted = in_files(&root.join("tests/emit"), "php", compiled).union(&programs).copied().collect();
        let assembled = |text: &[u8]| assemble(&String::from_utf8_lossy(text)).ok();
        Status {
            emitted,
            programs,
            assembly: in_files(&root.join("tests/hhbc/run"), "phas", assembled),
            verified: in_files(&root.join("tests/hhbc/valid"), "phas", assembled),
            refused: refused(&read_text(&root.join("crates/oracle/src/step.rs"))),
        }
    }
}

/// The unit of a program, unless it has an error.
fn compiled(source: &[u8]) -> Option<Unit> {
    let arena = bumpalo::Bump::new();
    let parsed = parse(&arena, source, &ParseOptions::default());
    let options = EmitOptions { filename: b"a.php", is_eval: false, assertions: true, knows_builtins: true };
    let emitted = emit(&parsed.program, source, &options);
    let failed = emitted.failed() || parsed.diagnostics.iter().any(|diagnostic| diagnostic.severity.is_error());
    (!failed).then_some(emitted.unit)
}

fn in_files(folder: &Path, extension: &str, unit: impl Fn(&[u8]) -> Option<Unit>) -> HashSet<Opcode> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    assert!(!paths.is_empty(), "{}", folder.display());
    let mut found = HashSet::new();
    for path in paths {
        let source = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for func in unit(&source).iter().flat_map(|unit| &unit.funcs) {
            found.extend(func.code.iter().map(|instr| instr.opcode()));
        }
    }
    found
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else {
            paths.push(path);
        }
    }
}

fn read_text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The instructions whose arm in the reference interpreter is a fatal error with a text of its own.
fn refused(step: &str) -> HashSet<Opcode> {
    let mut refused = HashSet::new();
    for &opcode in Opcode::ALL {
        let name = opcode.name();
        let arm = step.find(&format!("Instr::{name} {{")).unwrap_or_else(|| panic!("step.rs has no arm for {name}"));
        let body = step[arm..].split_once("=>").map_or("", |(_, body)| body);
        if body.trim_start().starts_with("return Err(vm.fatal(b\"") {
            refused.insert(opcode);
        }
    }
    refused
}
