//! Recursion without end, in all shapes, ends with PHP's error: of memory that is used up, or of a native stack that is. It ends by no
//! signal, in the interpreter and in compiled code.

use std::path::Path;
use std::process::Command;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/endless");
/// How often code runs before it is compiled; none: it is not.
const WAYS: [Option<&str>; 4] = [None, Some("2"), Some("3"), Some("60")];

/// What is wrong with how a program ends.
fn fault(program: &Path, hot: Option<&str>) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phlox"));
    command.arg("-n").arg(program).env("PHLOX_CACHE_DIR", "");
    match hot {
        None => command.env("PHLOX_JIT", "0"),
        Some(times) => command.env("PHLOX_JIT", "sync").env("PHLOX_JIT_HOT", times),
    };
    let output = command.output().expect("phlox starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let is_error = text.contains("Allowed memory size of") || text.contains("Maximum call stack size of");
    let ends_well = output.status.code() == Some(255) && is_error && !text.contains("panicked");
    (!ends_well).then(|| format!("{} compiled after {hot:?}: {}\n{text}", program.display(), output.status))
}

#[test]
fn recursion_without_end_ends_with_an_error() {
    let entries = std::fs::read_dir(PROGRAMS).expect("a folder of programs");
    let mut programs: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    programs.sort();
    assert!(!programs.is_empty());
    let faults: Vec<String> =
        programs.iter().flat_map(|program| WAYS.into_iter().filter_map(|hot| fault(program, hot))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
