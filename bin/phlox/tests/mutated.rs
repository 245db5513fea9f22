//! Mutants of the test programs: nothing ends by a signal or a panic, and compiled code has the same output as the
//! interpreter.
//!
//! `tools/fuzz-calls` makes and runs any number of mutants.

use phlox_fuzz_calls::mutate::{mutant, programs};
use phlox_fuzz_calls::runner::{Engine, check};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/php");
const MUTANTS: u64 = 600;
const WAYS: [&str; 3] = ["PHLOX_JIT=0", "PHLOX_JIT=sync PHLOX_JIT_HOT=2", "PHLOX_JIT=sync PHLOX_JIT_HOT=60"];
/// Words of test programs whose output depends on the machine, on the time or on how they run.
const UNSTEADY: [&str; 9] =
    ["memory_get", "memory_limit", "rand", "shuffle", "microtime", "hrtime", "getrusage", "pcntl_", "proc_open"];

/// How many mutants there were: some programs have none.
static MADE: AtomicU64 = AtomicU64::new(0);

fn faults(seeds: impl Iterator<Item = u64>, programs: &[PathBuf], folder: &Path) -> Vec<String> {
    let engines: Vec<Engine> =
        WAYS.iter().map(|way| Engine::parse(&format!("PHLOX_STRESS=poison {way} {ENGINE} -n"))).collect();
    let fault = |seed: u64| {
        let program = &programs[(seed as usize).wrapping_mul(2_654_435_761) % programs.len()];
        let source = std::fs::read_to_string(program).ok()?;
        if UNSTEADY.iter().any(|word| source.contains(word)) {
            return None;
        }
        let text = mutant(&source, seed)?;
        MADE.fetch_add(1, Ordering::Relaxed);
        let found = check(&text, &engines, folder).expect("the engine starts")?;
        Some(format!("mutant {seed} of {}: {found}", program.display()))
    };
    seeds.filter_map(fault).collect()
}

#[test]
fn mutants_end_as_programs_do() {
    let programs = programs(Path::new(TESTS));
    assert!(programs.len() > 500, "the tests are there");
    let found: Vec<String> = std::thread::scope(|scope| {
        let half = |rest: u64| {
            let programs = &programs;
            let folder = std::env::temp_dir().join(format!("phlox-mutated-{}-{rest}", std::process::id()));
            scope.spawn(move || faults((0..MUTANTS).filter(|seed| seed % 2 == rest), programs, &folder))
        };
        [half(0), half(1)].into_iter().flat_map(|half| half.join().expect("a thread of the test")).collect()
    });
    let made = MADE.load(Ordering::Relaxed);
    assert!(made > MUTANTS / 2, "only {made} mutants were made");
    assert!(found.is_empty(), "{} faults: {found:#?}", found.len());
}
