//! The one error of this crate: what is wrong, in which block, at which byte of the file.

use std::fmt;

/// Why bytes are not a usable image. The message names the block and the offset in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageError {
    /// Identifier of the block, such as `OBJS`, or what else was being read.
    pub block: String,
    /// Offset from the start of the file.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl ImageError {
    /// An error at `offset` of the file inside `block`.
    pub fn new(block: &str, offset: usize, message: impl Into<String>) -> ImageError {
        ImageError { block: block.to_owned(), offset, message: message.into() }
    }
}

impl fmt::Display for ImageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} block, offset {:#x}: {}", self.block, self.offset, self.message)
    }
}

impl std::error::Error for ImageError {}
