//! Random PHP programs: deterministic by seed, free of compile-time errors, always ending.
//!
//! A program is a namespace with functions, generators, classes and a `main`. Calls lead only to functions that were
//! written before, loops count to small numbers in variables that nothing else changes, and what could grow is cut
//! by the prelude's `small`. Everything else is as wild as it comes: most expressions have the type their place
//! suggests, some do not, so warnings, `TypeError`s and the like are part of the output.
#![forbid(unsafe_code)]

mod bound;
mod contexts;
mod expr;
mod features;
mod frames;
mod kernel;
mod pointers;
mod program;
mod rng;
mod stmt;

use program::Gen;
pub use rng::Rng;

/// Helpers that every batch starts with.
const PRELUDE: &str = include_str!("prelude.php");

/// What programs are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole language.
    Any,
    /// Internal pointers of arrays.
    Pointers,
}

/// A file with the programs of these seeds; each prints `#SEED` first.
pub fn batch(seeds: impl IntoIterator<Item = u64>) -> String {
    batch_about(Subject::Any, seeds)
}

/// A file with the programs of these seeds about one subject; each prints `#SEED` first.
pub fn batch_about(subject: Subject, seeds: impl IntoIterator<Item = u64>) -> String {
    let (prelude, program): (&str, fn(u64) -> String) = match subject {
        Subject::Any => (PRELUDE, program),
        Subject::Pointers => (pointers::PRELUDE, pointers::program),
    };
    let mut text = prelude.to_owned();
    for seed in seeds {
        text.push_str(&program(seed));
    }
    text
}

/// One program, to stand behind the prelude.
pub fn program(seed: u64) -> String {
    Gen::new(seed).program()
}

/// The parts of a batch's output by seed, in order.
pub fn parts(output: &str) -> Vec<(u64, &str)> {
    let mut parts = Vec::new();
    for part in output.split("\n#").skip(1) {
        let (seed, rest) = part.split_once('\n').unwrap_or((part, ""));
        if let Ok(seed) = seed.parse() {
            parts.push((seed, rest));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seed_is_a_program() {
        assert_eq!(super::program(7), super::program(7));
        assert_ne!(super::program(7), super::program(8));
    }

    #[test]
    fn a_subject_has_programs_of_its_own() {
        let about = |subject| super::batch_about(subject, [7]);
        assert_ne!(about(super::Subject::Any), about(super::Subject::Pointers));
        assert_eq!(about(super::Subject::Pointers), about(super::Subject::Pointers));
    }

    #[test]
    fn outputs_are_cut_at_their_seeds() {
        assert_eq!(super::parts("\n#1\na\nb\n#22\nc"), [(1, "a\nb"), (22, "c")]);
    }
}
