//! Diagnostics of the front end, in PHP's words.

use crate::ast::Span;

/// PHP's own classes of compile-time message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// `Parse error: …`; in `eval` and `include` a `ParseError` is thrown.
    ParseError,
    /// `Fatal error: …` raised while parsing; in `eval` and `include` a `CompileError` is thrown.
    CompileError,
    /// `Fatal error: …` raised while compiling.
    FatalError,
    Warning,
    /// Shown as a warning; error handlers are not asked.
    CompileWarning,
    Notice,
    Deprecated,
}

impl Severity {
    /// Does it keep the script from being compiled?
    pub fn is_error(self) -> bool {
        matches!(self, Severity::ParseError | Severity::CompileError | Severity::FatalError)
    }
}

/// One message; `message` is exactly what PHP prints between the severity and ` in FILE on line N`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: Vec<u8>,
    /// `span.line` is the line PHP names.
    pub span: Span,
}

impl Diagnostic {
    /// A diagnostic with PHP's message at a place in the source.
    pub fn new(severity: Severity, message: impl Into<Vec<u8>>, span: Span) -> Diagnostic {
        Diagnostic { severity, message: message.into(), span }
    }
}
