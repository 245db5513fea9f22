//! `fuzz-units FOLDER FROM COUNT ENGINE...` makes mutants of the units in text form in a folder (`phlox dump --hhbc` writes them) and runs
//! each by several engines. An ENGINE is a program; words `NAME=value` in front go to its environment. Mutants that end badly, or not in
//! the same way everywhere, are kept in the folder `faults` and named.
#![forbid(unsafe_code)]

use phlox_fuzz_units::mutant;
use phlox_fuzz_units::run::{End, run};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (Some(folder), Some(from), Some(count)) = (words.first(), number(1), number(2)) else {
        eprintln!("usage: fuzz-units FOLDER FROM COUNT ENGINE...");
        return ExitCode::from(2);
    };
    let mut units: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    units.retain(|path| path.extension().is_some_and(|extension| extension == "phas"));
    units.sort();
    let faults = Path::new("faults");
    let made = std::fs::create_dir_all(faults).and_then(|()| faults.canonicalize());
    let Some(faults) = made.ok().filter(|_| !units.is_empty()) else {
        eprintln!("{folder}: no units");
        return ExitCode::from(2);
    };
    let (mut made, mut bad) = (0, 0);
    for seed in from..from + count {
        let unit = &units[(seed as usize).wrapping_mul(2_654_435_761) % units.len()];
        let Some(text) = std::fs::read_to_string(unit).ok().and_then(|text| mutant(&text, seed)) else { continue };
        made += 1;
        let file = faults.join(format!("{seed}.phas"));
        if std::fs::write(&file, text).is_err() {
            return ExitCode::from(2);
        }
        match fault(&words[3..], &file) {
            None => drop(std::fs::remove_file(&file)),
            Some(fault) => {
                bad += 1;
                println!("{} (of {}): {fault}", file.display(), unit.display());
            }
        }
    }
    println!("{made} mutants of seeds from {from}: {bad} end badly or differ");
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is wrong with how a mutant ends.
fn fault(engines: &[String], file: &Path) -> Option<String> {
    let ends: Vec<End> = engines
        .iter()
        .map(|engine| {
            let words: Vec<&str> = engine.split_whitespace().collect();
            let is_variable = |word: &&str| word.contains('=');
            let variables: Vec<_> =
                words.iter().copied().filter(is_variable).filter_map(|word| word.split_once('=')).collect();
            let program = words.into_iter().find(|word| !is_variable(word)).unwrap_or_default();
            run(program, &variables, file)
        })
        .collect();
    phlox_fuzz_units::run::disagreement(&ends)
}
