//! Runs `tests/php`: every program from its source, from a compiled unit and from assembly.
//!
//! With `PHP84` in the environment, real PHP is asked whether the expectations are right.

use libtest_mimic::{Arguments, Failed, Trial};
use phlox_testkit::script::{Form, Script};
use phlox_testkit::{Outcome, bless_requested, reference_php, walk};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/php");

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
    let files = walk::files(root, "php").map_err(|error| format!("{TESTS}: {error}"))?;
    let mut trials = Vec::new();
    for file in files {
        let name = walk::name(root, &file);
        let script = Script::load(&file)?;
        for form in Form::ALL.into_iter().filter(|form| script.has_form(*form)) {
            trials.push(trial(form.name(), &name, &file, ENGINE.into(), form));
        }
        if let Some(php) = reference_php() {
            trials.push(trial("php-8.4", &name, &file, php, Form::Source));
        }
    }
    Ok(trials)
}

fn trial(kind: &str, name: &str, file: &Path, engine: PathBuf, form: Form) -> Trial {
    let file = file.to_path_buf();
    // Only the engine's own run from source may rewrite an expectation.
    let bless = bless_requested() && form == Form::Source && kind == form.name();
    let test = move || match Script::load(&file)?.check(&engine, form, bless)? {
        Outcome::Pass | Outcome::Skip(_) => Ok(()),
        Outcome::Fail(text) => Err(Failed::from(text)),
    };
    Trial::test(format!("{kind}::{name}"), test)
}
