//! Runs `tests/php`: every program from its source, from a compiled unit, from assembly, and by the reference
//! interpreter.
//!
//! `tests/php/pending.txt` names programs that do not pass yet; one that passes must leave the list. With `PHP84` in the
//! environment, the expectations are checked with real PHP.

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
    let pending = pending(&root.join("pending.txt"))?;
    if let Some(name) = pending.iter().find(|name| !root.join(name).with_extension("php").is_file()) {
        return Err(format!("pending.txt: there is no {name}"));
    }
    let mut trials = Vec::new();
    for file in files {
        let name = walk::name(root, &file);
        let script = Script::load(&file)?;
        let forms = if pending.contains(&name) {
            trials.push(pending_trial(&name, &file));
            &[][..]
        } else {
            &Form::ALL[..]
        };
        for form in forms.iter().filter(|form| script.has_form(**form)) {
            trials.push(trial(form.name(), &name, &file, ENGINE.into(), *form));
        }
        if let Some(php) = reference_php().filter(|_| !script.differs_from_php()) {
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

/// The names in the list of what does not pass yet: the first word of each line that is no comment.
fn pending(list: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Ok(lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

fn pending_trial(name: &str, file: &Path) -> Trial {
    let file = file.to_path_buf();
    let test = move || match Script::load(&file)?.check(Path::new(ENGINE), Form::Source, false)? {
        Outcome::Pass => Err(Failed::from("passes now: take it off tests/php/pending.txt")),
        Outcome::Skip(_) | Outcome::Fail(_) => Ok(()),
    };
    Trial::test(format!("pending::{name}"), test)
}
