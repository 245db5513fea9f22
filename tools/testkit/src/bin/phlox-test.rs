//! `phlox-test`: runs test data against any engine with php's command line.
//!
//! `phlox-test [-p ENGINE] [-j N] [--timeout SECONDS] [--form source|unit|assembly] [--bless] [-q] PATH...`
//! where a path is a folder or a file of `.php` (beside `.out`), `.phpt` or `.cli` tests.
#![forbid(unsafe_code)]

use phlox_testkit::command::Command;
use phlox_testkit::phpt::{Engine, Phpt};
use phlox_testkit::script::{Form, Script};
use phlox_testkit::{Outcome, bless_requested, walk};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const USAGE: &str =
    "usage: phlox-test [-p ENGINE] [-j N] [--timeout SECONDS] [--form source|unit|assembly] [--bless] [-q] PATH...";

struct Options {
    engine: PathBuf,
    workers: usize,
    timeout: Duration,
    form: Form,
    bless: bool,
    quiet: bool,
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("phlox-test: {message}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        engine: "phlox".into(),
        workers: std::thread::available_parallelism().map_or(1, usize::from),
        timeout: Duration::from_secs(60),
        form: Form::Source,
        bless: bless_requested(),
        quiet: false,
        paths: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "-p" => options.engine = std::path::absolute(value()?).map_err(|error| error.to_string())?,
            "-j" => options.workers = value()?.parse().map_err(|_| "-j needs a number".to_owned())?,
            "--timeout" => {
                options.timeout = Duration::from_secs(value()?.parse().map_err(|_| "--timeout needs seconds")?);
            }
            "--form" => {
                let name = value()?;
                let form = Form::ALL.into_iter().find(|form| form.name() == name);
                options.form = form.ok_or_else(|| format!("unknown form {name}"))?;
            }
            "--bless" => options.bless = true,
            "-q" => options.quiet = true,
            _ if arg.starts_with('-') => return Err(USAGE.to_owned()),
            _ => options.paths.push(arg.into()),
        }
    }
    if options.paths.is_empty() { Err(USAGE.to_owned()) } else { Ok(options) }
}

fn run(options: &Options) -> Result<bool, String> {
    let tests = collect(&options.paths)?;
    let engine = Engine::new(options.engine.clone(), options.timeout)?;
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.workers.max(1) {
            scope.spawn(|| {
                while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = check(test, &engine, options).unwrap_or_else(Outcome::Fail);
                    report(test, &outcome, options.quiet);
                    if let Ok(mut results) = results.lock() {
                        results.push(outcome);
                    }
                }
            });
        }
    });
    let results = results.into_inner().map_err(|error| error.to_string())?;
    let passed = results.iter().filter(|outcome| **outcome == Outcome::Pass).count();
    let skipped = results.iter().filter(|outcome| matches!(outcome, Outcome::Skip(_))).count();
    let failed = results.len() - passed - skipped;
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0)
}

/// All tests below the paths. A `.php` file is a test if it lies beside a `.out` file or is named itself; the
/// others belong to some other test.
fn collect(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut tests = Vec::new();
    for path in paths {
        for extension in ["php", "phpt", "cli"] {
            let found = walk::files(path, extension).map_err(|error| format!("{}: {error}", path.display()))?;
            let is_test = |file: &PathBuf| file == path || extension != "php" || file.with_extension("out").exists();
            tests.extend(found.into_iter().filter(is_test));
            if path.is_file() {
                break;
            }
        }
    }
    Ok(tests)
}

fn check(file: &Path, engine: &Engine, options: &Options) -> Result<Outcome, String> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("phpt") => Phpt::load(file)?.check(engine),
        Some("cli") => Command::load(file)?.check(&engine.program),
        _ => {
            let script = Script::load(file)?;
            if script.has_form(options.form) {
                script.check(&engine.program, options.form, options.bless)
            } else {
                Ok(Outcome::Skip("source only".to_owned()))
            }
        }
    }
}

fn report(test: &Path, outcome: &Outcome, quiet: bool) {
    match outcome {
        Outcome::Pass if quiet => {}
        Outcome::Pass => println!("PASS {}", test.display()),
        Outcome::Skip(_) if quiet => {}
        Outcome::Skip(reason) => println!("SKIP {}: {reason}", test.display()),
        Outcome::Fail(_) if quiet => println!("FAIL {}", test.display()),
        Outcome::Fail(text) => println!("FAIL {}\n{text}", test.display()),
    }
}
