//! PHP's front end: source text to syntax tree, with PHP's own diagnostics.
//!
//! Knows nothing of bytecode or values. Start at [`parse`].
#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
