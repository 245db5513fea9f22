//! PHP's front end: source text to syntax tree, with PHP's own diagnostics.
//!
//! Knows nothing of bytecode or values. Start at [`parse`].
#![forbid(unsafe_code)]

pub mod ast;
pub mod diagnostic;
pub mod dump;
mod lexer;
mod parser;
pub mod print;
pub mod render;
mod text;
pub mod token;

use ast::Program;
use diagnostic::Diagnostic;

/// The version of PHP whose language is parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LanguageVersion {
    #[default]
    Php84,
    Php85,
}

/// What is parsed, and how.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions {
    pub version: LanguageVersion,
    /// Is `<?` an opening tag?
    pub short_open_tag: bool,
    /// Start inside PHP code, as `eval()` does.
    pub start_in_php: bool,
    /// The number of the first line.
    pub first_line: u32,
    /// `zend.multibyte`: does `declare(encoding=...)` mean anything?
    pub multibyte: bool,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions {
            version: LanguageVersion::Php84,
            short_open_tag: true,
            start_in_php: false,
            first_line: 1,
            multibyte: false,
        }
    }
}

/// A tree and its diagnostics.
pub struct ParseResult<'a> {
    /// The tree. If a diagnostic is an error, the tree is incomplete and must not be compiled.
    pub program: Program<'a>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file or, with [`ParseOptions::start_in_php`], a string of code.
///
/// Never fails: errors are among the diagnostics. The tree borrows from `arena` and `source`.
pub fn parse<'a>(arena: &'a bumpalo::Bump, source: &'a [u8], options: &ParseOptions) -> ParseResult<'a> {
    parser::parse(arena, source, options)
}
