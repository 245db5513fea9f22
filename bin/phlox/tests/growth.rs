//! A process of many requests does not grow: what a request made is gone when it has ended.

use std::path::Path;
use std::process::Command;

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/growth");
/// Requests after which the process has all that it keeps for later ones, and those that are watched.
const WARMING_UP: usize = 300;
const WATCHED: usize = 1000;
/// Bytes that a process may grow by while requests are watched. The allocator asks the system for megabytes now and then, whatever
/// is freed, and evaluated code leaves some 300 bytes each time; the faults that this test was written for took 35 megabytes.
const TOLERATED: usize = 6 << 20;

/// The bytes by which a process grows that runs a program again and again.
fn growth(program: &Path) -> usize {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phlox"));
    command.arg("repeat").arg((WARMING_UP + WATCHED).to_string()).arg("-n");
    command.arg("-d").arg(format!("auto_append_file={PROGRAMS}/resident.inc")).arg(program);
    let output = command.env("PHLOX_CACHE_DIR", "").env("PHLOX_JIT", "0").output().expect("phlox starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let resident: Vec<usize> = text.lines().filter_map(|line| line.strip_prefix("resident ")?.parse().ok()).collect();
    let start = text.get(..2000).unwrap_or(&text);
    assert_eq!(resident.len(), WARMING_UP + WATCHED, "{}: {}\n{start}", program.display(), output.status);
    let most = |of: &[usize]| of.iter().max().copied().unwrap_or(0);
    most(&resident[WARMING_UP..]).saturating_sub(most(&resident[..WARMING_UP]))
}

#[test]
fn requests_leave_no_memory_behind() {
    let entries = std::fs::read_dir(PROGRAMS).expect("a folder of programs");
    let mut programs: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "php"));
    programs.sort();
    assert!(!programs.is_empty());
    let grown: Vec<String> = programs
        .iter()
        .map(|program| (program, growth(program)))
        .filter(|(_, grown)| *grown > TOLERATED)
        .map(|(program, grown)| format!("{}: {} bytes a request", program.display(), grown / WATCHED))
        .collect();
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
