//! Random programs: the reference interpreter and the interpreter of oplines have the same output, also under stress.
//!
//! `tools/fuzz-programs` makes the programs and compares with real PHP, over as many as one likes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs in one file.
const BATCH: u64 = 100;

fn output(file: &Path, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phlox"));
    command.arg("-n").arg(file).env("PHLOX_CACHE_DIR", "").envs(variables.iter().copied());
    let output = command.output().expect("phlox starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compares the output of a batch between the usual engine and one with these environment variables.
fn compare(first: u64, variables: &[(&str, &str)]) {
    let file: PathBuf = std::env::temp_dir().join(format!("phlox-programs-{}-{first}.php", std::process::id()));
    fs::write(&file, phlox_fuzz_programs::batch(first..first + BATCH)).expect("a file for the test");
    let (fast, other) = (output(&file, &[]), output(&file, variables));
    let _ = fs::remove_file(&file);
    let (fast, other) = (phlox_fuzz_programs::parts(&fast), phlox_fuzz_programs::parts(&other));
    assert_eq!(fast.len() as u64, BATCH, "every program ends and says so");
    for ((seed, fast), (_, other)) in fast.iter().zip(&other) {
        let differing = fast.lines().zip(other.lines()).find(|(fast, other)| fast != other);
        assert!(fast == other, "seed {seed} with {variables:?} differs, first in {differing:?}");
    }
    assert_eq!(fast.len(), other.len(), "{variables:?} end at another program");
}

#[test]
fn the_plain_interpreter_agrees() {
    // One program of the first batch takes all memory (`$s[9223372036854775807] = 'x'`), as in PHP.
    (1..5).for_each(|batch| compare(batch * BATCH, &[("PHLOX_ENGINE", "oracle")]));
}

#[test]
fn stress_changes_nothing() {
    for (batch, mode) in ["poison", "realloc", "interrupt", "gc:1"].into_iter().enumerate() {
        compare(1000 + batch as u64 * BATCH, &[("PHLOX_STRESS", mode)]);
    }
}

#[test]
fn less_of_the_compiler_changes_nothing() {
    let limits =
        [("PHLOX_JIT_PASSES", "0"), ("PHLOX_JIT_PASSES", "4"), ("PHLOX_JIT_PASSES", "9"), ("PHLOX_JIT_CODE", "8192")];
    for (batch, limit) in limits.into_iter().enumerate() {
        compare(2000 + batch as u64 * BATCH, &[("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2"), limit]);
    }
}

/// Most lists are too short to be unboxed lists; in this mode no list is too short.
#[test]
fn lists_without_tags_change_nothing() {
    let mode = ("PHLOX_STRESS", "unboxed");
    let eager = [mode, ("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2")];
    let failing = [mode, ("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2"), ("PHLOX_JIT_FAIL", "7")];
    let interpreted = [mode, ("PHLOX_JIT", "0")];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/php/arrays/unboxed.php");
    let usual = output(&file, &[]);
    assert!(!usual.is_empty());
    for (batch, variables) in [&eager[..], &failing, &interpreted].into_iter().enumerate() {
        assert!(output(&file, variables) == usual, "{variables:?}");
        compare(3000 + batch as u64 * BATCH, variables);
    }
}

/// Each request for a batch in one process, which keeps what it has compiled, gets the output of a process of its own.
#[test]
fn requests_in_one_process_leave_nothing_behind() {
    (0..4).for_each(|batch| compare_requests(4000 + batch * BATCH, &[("PHLOX_JIT", "0")]));
    let eager = [("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2")];
    (4..8).for_each(|batch| compare_requests(4000 + batch * BATCH, &eager));
}

fn compare_requests(first: u64, variables: &[(&str, &str)]) {
    const REQUESTS: usize = 3;
    let file: PathBuf = std::env::temp_dir().join(format!("phlox-requests-{}-{first}.php", std::process::id()));
    fs::write(&file, phlox_fuzz_programs::batch(first..first + BATCH)).expect("a file for the test");
    let alone = output(&file, &[("PHLOX_JIT", "0")]);
    let mut repeat = Command::new(env!("CARGO_BIN_EXE_phlox"));
    repeat.args(["repeat", &REQUESTS.to_string(), "-n", "-d", "opcache.file_update_protection=0"]).arg(&file);
    repeat.envs(variables.iter().copied());
    let together = repeat.env("PHLOX_CACHE_DIR", "").output().expect("phlox starts");
    let _ = fs::remove_file(&file);
    assert_eq!(phlox_fuzz_programs::parts(&alone).len() as u64, BATCH, "every program ends and says so");
    let line = |number| format!("\n-- request {number}: 0 objects left, exit status 0\n");
    let expected: String = (1..=REQUESTS).map(|number| alone.clone() + &line(number)).collect();
    let together = String::from_utf8_lossy(&together.stdout);
    let differing = expected.lines().zip(together.lines()).find(|(expected, actual)| expected != actual);
    assert!(together == expected, "the batch from seed {first} differs, first in {differing:?}");
}
