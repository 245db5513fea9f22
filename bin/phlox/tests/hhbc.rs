//! Runs `tests/hhbc/run`: programs in assembly (`NAME.phas`) with the output they must have (`NAME.out`), in both
//! interpreters and with every loop compiled.

use libtest_mimic::{Arguments, Failed, Trial};
use phlox_testkit::script::{Form, Script};
use phlox_testkit::{Outcome, bless_requested, walk};
use std::path::Path;
use std::process::ExitCode;

const ENGINE: &str = env!("CARGO_BIN_EXE_phlox");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/hhbc/run");

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(TESTS);
    let files = match walk::files(root, "phas") {
        Ok(files) => files,
        Err(error) => {
            eprintln!("{TESTS}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let forms = [Form::Source, Form::Oracle, Form::Jit];
    let trials = files.iter().flat_map(|file| forms.map(|form| trial(root, file, form)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn trial(root: &Path, file: &Path, form: Form) -> Trial {
    let name = walk::name(root, file);
    let file = file.to_path_buf();
    let bless = bless_requested() && form == Form::Source;
    let test = move || match Script::load(&file)?.check(Path::new(ENGINE), form, bless)? {
        Outcome::Pass | Outcome::Skip(_) => Ok(()),
        Outcome::Fail(text) => Err(Failed::from(text)),
    };
    Trial::test(name, test).with_kind(form.name())
}
