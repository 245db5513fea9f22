//! A finding of a measure.

use crate::workspace::SourceFile;
use std::path::PathBuf;

/// One place that counts.
pub struct Finding {
    pub path: PathBuf,
    pub line: usize,
    pub text: String,
}

impl Finding {
    /// A finding in a file.
    pub fn new(file: &SourceFile, line: usize, text: impl Into<String>) -> Finding {
        Finding { path: file.path.clone(), line, text: text.into() }
    }
}
