//! Runs `tests/hhbc/run`: programs in assembly (`NAME.phas`) with the output they must have (`NAME.out`).

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
    let trial = |file: std::path::PathBuf| {
        let name = walk::name(root, &file);
        let test = move || match Script::load(&file)?.check(Path::new(ENGINE), Form::Source, bless_requested())? {
            Outcome::Pass | Outcome::Skip(_) => Ok(()),
            Outcome::Fail(text) => Err(Failed::from(text)),
        };
        Trial::test(name, test)
    };
    libtest_mimic::run(&arguments, files.into_iter().map(trial).collect()).exit_code()
}
