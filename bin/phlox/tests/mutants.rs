//! Mutants of units that the verifier still accepts: no engine panics or ends by a signal, and nearly all mutants have
//! the same output in each engine. A few do what compiled code never does, such as passing an uninitialised null, which
//! the engines treat differently.
//!
//! `tools/fuzz-units` runs any number of mutants and shows those that differ.

use phlox_fuzz_units::mutant;
use phlox_fuzz_units::run::{DIFFERENCE, End, disagreement, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/php");
/// Folders whose programs touch nothing outside of themselves.
const FOLDERS: [&str; 9] =
    ["arrays", "classes", "functions", "generators", "references", "operators", "types", "jit", "language"];
const MUTANTS: u64 = 900;
/// Outputs that may differ.
const MOST_DIFFERENT: usize = 9;
const WAYS: [&[(&str, &str)]; 3] =
    [&[("PHLOX_ENGINE", "oracle")], &[("PHLOX_JIT", "0")], &[("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2")]];

fn programs() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(|folder| Path::new(TESTS).join(folder));
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "php"));
    files.sort();
    files
}

fn unit_of(program: &Path) -> Option<String> {
    let dumped = Command::new(ENGINE).args(["-n", "dump", "--hhbc"]).arg(program).output().ok()?;
    String::from_utf8(dumped.stdout).ok().filter(|_| dumped.status.success())
}

fn faults(seeds: impl Iterator<Item = u64>, programs: &[PathBuf], folder: &Path) -> Vec<String> {
    let fault = |seed: u64| {
        let program = &programs[seed as usize % programs.len()];
        let text = mutant(&unit_of(program)?, seed)?;
        let file = folder.join(format!("{seed}.phas"));
        std::fs::write(&file, &text).expect("a file for the test");
        let ends: Vec<End> = WAYS.iter().map(|variables| run(ENGINE, variables, &file)).collect();
        disagreement(&ends).map(|fault| format!("mutant {seed} of {}: {fault}", program.display()))
    };
    seeds.filter_map(fault).collect()
}

#[test]
fn mutants_end_as_programs_do() {
    let folder = std::env::temp_dir().join(format!("phlox-mutants-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let programs = programs();
    let found: Vec<String> = std::thread::scope(|scope| {
        let half = |rest: u64| {
            let (programs, folder) = (&programs, &folder);
            scope.spawn(move || faults((0..MUTANTS).filter(|seed| seed % 2 == rest), programs, folder))
        };
        [half(0), half(1)].into_iter().flat_map(|half| half.join().expect("a thread of the test")).collect()
    });
    let _ = std::fs::remove_dir_all(&folder);
    let (different, faults): (Vec<_>, Vec<_>) = found.iter().partition(|fault| fault.contains(DIFFERENCE));
    assert!(faults.is_empty(), "{} faults, of which the first: {}", faults.len(), faults[0]);
    assert!(different.len() < MOST_DIFFERENT, "too many that differ: {different:#?}");
}
