//! Regular expressions as objects.

use std::rc::Rc;

use phlox_t3_library::regex::{Match, Regex};

use crate::text::Text;
use crate::value::Value;

/// A compiled pattern with its source.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The source string.
    pub source: Value,
    /// The program; `None` if the source is malformed: then nothing matches.
    pub regex: Option<Rc<Regex>>,
}

/// What rexGroup speaks about.
#[derive(Debug, Default)]
pub struct LastMatch {
    /// The text that was searched.
    pub text: Option<Text>,
    /// What was found.
    pub found: Option<Match>,
}
