//! Runs tests that are data files against any engine that takes `php`'s command line.
//!
//! Knows nothing of Phlox's insides: an engine is a program to start. One module per kind of test:
//! [`script`] (`.php` beside `.out`), [`phpt`] (PHP's own format) and [`command`] (the command line's behaviour).
#![forbid(unsafe_code)]

pub mod command;
pub mod diff;
pub mod expect;
pub mod phpt;
pub mod process;
pub mod script;
pub mod sections;
pub mod walk;

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Pass,
    /// The test does not apply here, for this reason.
    Skip(String),
    /// The test failed; the text shows the difference.
    Fail(String),
}

/// Should a failing expectation be replaced by what was printed? (`PHLOX_BLESS=1`)
pub fn bless_requested() -> bool {
    std::env::var_os("PHLOX_BLESS").is_some_and(|value| value == "1")
}

/// Real PHP 8.4, if the environment names it (`PHP84`): the judge of every expectation.
pub fn reference_php() -> Option<std::path::PathBuf> {
    std::env::var_os("PHP84").filter(|value| !value.is_empty()).map(Into::into)
}
