//! memory_limit may be exceeded by any allocation: the script ends with PHP's fatal error and its line, without a signal
//! or a panic, in the interpreter and in compiled code.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/exhaustion");
/// Most allocations before one is refused: more than any of the programs makes.
const BLOCKS: usize = 8000;
/// Distance between the allocations that are refused, each in a run of its own.
const STEP: usize = 29;
/// Allocations of a request before the script runs, whose failure has no line.
const START: usize = 120;

fn programs() -> Vec<PathBuf> {
    let files = std::fs::read_dir(PROGRAMS).expect("a folder of programs");
    let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    files
}

/// What is wrong with how the program ends when a block is refused.
fn fault(program: &Path, block: usize, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phlox"));
    command.arg("-n").arg(program).env("PHLOX_CACHE_DIR", "").env("PHLOX_STRESS", format!("fail:{block}"));
    let output = command.envs(variables.iter().copied()).output().expect("phlox starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let is_refused = text.contains("Allowed memory size of");
    let has_line = text.contains(".php on line ");
    let ends_well = match output.status.code() {
        Some(0) => !is_refused,
        Some(255) => is_refused && (has_line || block < START),
        _ => false,
    };
    let is_fault = !ends_well || text.contains("panicked") || text.contains("Internal engine error");
    is_fault.then(|| format!("{} at block {block} with {variables:?}: {}\n{text}", program.display(), output.status))
}

fn sweep(variables: &[(&str, &str)]) {
    for program in programs() {
        let blocks = (1..BLOCKS).step_by(STEP);
        let faults: Vec<_> = blocks.filter_map(|block| fault(&program, block, variables)).collect();
        assert!(faults.is_empty(), "{} faults, of which the first: {}", faults.len(), faults[0]);
    }
}

#[test]
fn in_the_interpreter() {
    sweep(&[("PHLOX_JIT", "0")]);
}

#[test]
fn in_code_that_is_compiled_at_once() {
    sweep(&[("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2")]);
}

#[test]
fn in_code_that_is_compiled_after_some_rounds() {
    sweep(&[("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "20")]);
}
