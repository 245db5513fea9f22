//! `fuzz-calls SUBJECT FROM COUNT ENGINE...` runs cases by several engines and names those that end badly, do not end,
//! or have another output in some engine than in the first. `fuzz-calls print SUBJECT FROM COUNT ENGINE` prints a batch.
//! A SUBJECT is `functions` or `classes`; an ENGINE is a program with its options; words `NAME=value` in front go to its
//! environment. `fuzz-calls mutants FOLDER FROM COUNT ENGINE...` does so with mutants of the programs in the folders of
//! a folder, and keeps those with findings as `mutant-SEED.php` in the folder for temporary files. In the other modes
//! the first engine lists the functions and classes.
#![forbid(unsafe_code)]

use phlox_fuzz_calls::mutate::{mutant, programs};
use phlox_fuzz_calls::runner::{Engine, Finding, Report, check, compare, remove_folders};
use phlox_fuzz_calls::{Subject, batch};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// `mutants FOLDER FROM COUNT ENGINE...`
fn mutants(words: &[String]) -> ExitCode {
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let (Some(tests), Some(from), Some(count)) = (words.first(), number(1), number(2)) else {
        eprintln!("usage: fuzz-calls mutants FOLDER FROM COUNT ENGINE...");
        return ExitCode::from(2);
    };
    let engines: Vec<Engine> = words[3..].iter().map(|word| Engine::parse(word)).collect();
    let programs = programs(Path::new(tests));
    let folder = std::env::temp_dir().join(format!("fuzz-calls-{}", std::process::id()));
    let (mut made, mut found) = (0, 0);
    for seed in (from..from + count).filter(|_| !programs.is_empty()) {
        let program = &programs[(seed as usize).wrapping_mul(2_654_435_761) % programs.len()];
        let source = std::fs::read_to_string(program).unwrap_or_default();
        let Some(text) = mutant(&source, seed) else { continue };
        made += 1;
        match check(&text, &engines, &folder) {
            Ok(None) => {}
            Ok(Some(fault)) => {
                found += 1;
                println!("mutant {seed} of {}: {fault}", program.display());
                let _ = std::fs::write(std::env::temp_dir().join(format!("mutant-{seed}.php")), &text);
            }
            Err(error) => return end(Err(error)),
        }
    }
    println!("{made} mutants of seeds from {from}: {found} findings");
    end(Ok(found))
}

/// Cases between two lines that say how far it is.
const ROUND: u64 = 200;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "mutants") {
        return mutants(&words[1..]);
    }
    let prints = words.first().is_some_and(|word| word == "print");
    if prints {
        words.remove(0);
    }
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let subject = words.first().and_then(|word| Subject::parse(word));
    let (Some(subject), Some(from), Some(count), Some(_)) = (subject, number(1), number(2), words.get(3)) else {
        eprintln!("usage: fuzz-calls [print] functions|classes FROM COUNT ENGINE...");
        return ExitCode::from(2);
    };
    let engines: Vec<Engine> = words[3..].iter().map(|word| Engine::parse(word)).collect();
    let folder = std::env::temp_dir().join(format!("fuzz-calls-{}", std::process::id()));
    let done = engines[0].catalogue(&folder).and_then(|catalogue| {
        if prints {
            print!("{}", batch(subject, &catalogue, from..from + count));
            return Ok(0);
        }
        let (mut found, mut ended) = (0, 0);
        for start in (from..from + count).step_by(ROUND as usize) {
            let summary = compare(subject, &catalogue, &engines, start..(start + ROUND).min(from + count), &folder)?;
            summary.reports.iter().for_each(|report| show(report, &words[3..]));
            found += summary.reports.len();
            ended += summary.ended;
        }
        println!("{count} cases from {from}: {ended} ended, {found} findings");
        Ok(found)
    });
    remove_folders(&folder);
    end(done)
}

fn end(done: io::Result<usize>) -> ExitCode {
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn show(report: &Report, engines: &[String]) {
    let Report { seed, first, engine, finding } = report;
    let what = match finding {
        Finding::Fault(text) => format!("fault: {text}"),
        Finding::Hang => "does not end".to_owned(),
        Finding::Difference(lines) => format!("differs:{lines}"),
    };
    println!("seed {seed} of the batch from {first} in {}: {what}", engines[*engine]);
}
