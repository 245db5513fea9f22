//! Random calls of an engine's builtin functions and classes, as scripts that are the same for the same seed and the same catalogue.
//!
//! A file has a prelude with classes whose methods act (they throw, change what is worked on, call again) and a case for each seed, which
//! prints `#SEED` first. Whatever a case does, it may raise any error that PHP has, and nothing else may happen.
#![forbid(unsafe_code)]

mod calls;
mod case;
pub mod catalogue;
pub mod forbidden;
pub mod mutate;
mod recipes;
pub mod runner;
mod sequences;
mod values;

use catalogue::Catalogue;

/// Classes and functions that every file starts with.
const PRELUDE: &str = include_str!("prelude.php");

/// What cases are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Calls of functions.
    Functions,
    /// Objects and what is done to them.
    Classes,
}

impl Subject {
    /// The subject of this name.
    pub fn parse(name: &str) -> Option<Subject> {
        match name {
            "functions" => Some(Subject::Functions),
            "classes" => Some(Subject::Classes),
            _ => None,
        }
    }
}

/// A file with the cases of these seeds.
pub fn batch(subject: Subject, catalogue: &Catalogue, seeds: impl IntoIterator<Item = u64>) -> String {
    let mut text = PRELUDE.to_owned();
    for seed in seeds {
        text.push_str(&match subject {
            Subject::Functions => calls::case(catalogue, seed),
            Subject::Classes => sequences::case(catalogue, seed),
        });
    }
    text.push_str("between(PHP_INT_MAX);\n");
    text
}
