//! A diagnostic with its place in the source, for people: `phlox check`.
//!
//! ```text
//! Parse error: syntax error, unexpected token ";" in a.php on line 1
//!   |
//! 1 | <?php f(;
//!   |         ^
//! ```

use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::{count_newlines, newline_length};

/// A longer line is shown only in part.
const MAX_COLUMNS: usize = 120;

/// PHP's line for the diagnostic, then the line of source that it points to.
pub fn render(diagnostic: &Diagnostic, file: &str, source: &[u8]) -> String {
    let severity = severity(diagnostic.severity);
    let message = String::from_utf8_lossy(&diagnostic.message);
    let mut out = format!("{severity}: {message} in {file} on line {}\n", diagnostic.span.line);
    let (start, end) = place(diagnostic, source);
    let line_start = source[..start].iter().rposition(|&byte| is_line_end(byte)).map_or(0, |at| at + 1);
    let line_end = source[start..].iter().position(|&byte| is_line_end(byte)).map_or(source.len(), |at| start + at);
    let end = end.clamp(start, line_end);
    // Leave out what is far to the left of the place.
    let from = line_start.max(start.saturating_sub(MAX_COLUMNS / 2));
    let to = line_end.min(from + MAX_COLUMNS);
    let number = (1 + count_newlines(&source[..start])).to_string();
    let gutter = " ".repeat(number.len());
    let text = visible(&source[from..to]);
    let before = visible(&source[from..start.min(to)]).chars().count();
    let marked = visible(&source[start.min(to)..end.min(to)]).chars().count();
    out += &format!("{gutter} |\n{number} | {text}\n{gutter} | {}{}\n", " ".repeat(before), "^".repeat(marked.max(1)));
    out
}

/// PHP's word for a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::ParseError => "Parse error",
        Severity::CompileError | Severity::FatalError => "Fatal error",
        Severity::Warning | Severity::CompileWarning => "Warning",
        Severity::Notice => "Notice",
        Severity::Deprecated => "Deprecated",
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What is to be marked: the span, or the whole line where PHP names another one than the span starts on.
fn place(diagnostic: &Diagnostic, source: &[u8]) -> (usize, usize) {
    let span = diagnostic.span;
    let start = (span.start as usize).min(source.len());
    if 1 + count_newlines(&source[..start]) == span.line {
        return (start, span.end as usize);
    }
    let mut line = source;
    for _ in 1..span.line {
        let Some(end) = line.iter().position(|&byte| is_line_end(byte)) else { return (start, span.end as usize) };
        line = &line[end + newline_length(&line[end..])..];
    }
    let start = source.len() - line.trim_ascii_start().len().max(usize::from(!line.is_empty()));
    (start, source.len())
}

/// Text in which each character takes one column: tabs and control characters become blanks.
fn visible(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
