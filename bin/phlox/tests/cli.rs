//! Runs `tests/cli`: the behaviour of the command line, flag by flag.
//!
//! With `PHP84` in the environment, the expectations are checked with real PHP.

use libtest_mimic::{Arguments, Failed, Trial};
use phlox_testkit::command::Command;
use phlox_testkit::{Outcome, reference_php, walk};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cli");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let root = Path::new(TESTS);
    let files = walk::files(root, "cli").map_err(|error| format!("{TESTS}: {error}"))?;
    let mut trials = Vec::new();
    for file in files {
        let name = walk::name(root, &file);
        trials.push(trial(format!("phlox::{name}"), &file, ENGINE.into()));
        if let Some(php) = reference_php().filter(|_| Command::load(&file).is_ok_and(|command| command.is_php())) {
            trials.push(trial(format!("php-8.4::{name}"), &file, php));
        }
    }
    Ok(trials)
}

fn trial(name: String, file: &Path, engine: PathBuf) -> Trial {
    let file = file.to_path_buf();
    let test = move || match Command::load(&file)?.check(&engine)? {
        Outcome::Pass | Outcome::Skip(_) => Ok(()),
        Outcome::Fail(text) => Err(Failed::from(text)),
    };
    Trial::test(name, test)
}
