//! Source text to verified unit.

use phlox_emit::EmitOptions;
use phlox_hhbc::Unit;
use phlox_runtime::Level;
use phlox_runtime::vm::{CompileFailure, CompileNotice, CompileRequest, Compiled};
use phlox_syntax::diagnostic::{Diagnostic, Severity};
use phlox_syntax::{LanguageVersion, ParseOptions};

/// A source with what the front end says about it.
pub struct Checked {
    /// What to run, unless a diagnostic is an error. Not verified.
    pub unit: Option<Unit>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and emits.
pub fn check(request: &CompileRequest<'_>) -> Checked {
    let arena = bumpalo::Bump::new();
    let options = ParseOptions {
        version: LanguageVersion::Php84,
        short_open_tag: request.short_open_tag,
        start_in_php: request.is_eval,
        first_line: 1,
    };
    let parsed = phlox_syntax::parse(&arena, request.source, &options);
    let mut diagnostics = parsed.diagnostics;
    if first_failure(&diagnostics).is_some() {
        return Checked { unit: None, diagnostics };
    }
    let emit_options =
        EmitOptions { filename: request.filename, is_eval: request.is_eval, assertions: request.assertions };
    let emitted = phlox_emit::emit(&parsed.program, request.source, &emit_options);
    diagnostics.extend(emitted.diagnostics);
    let unit = first_failure(&diagnostics).is_none().then_some(emitted.unit);
    Checked { unit, diagnostics }
}

/// Parses, emits and verifies.
pub fn compile(request: &CompileRequest<'_>) -> Compiled {
    let Checked { unit, diagnostics } = check(request);
    let Some(unit) = unit else {
        let failure = first_failure(&diagnostics).unwrap_or_else(|| internal("no unit and no error"));
        return Compiled::Failure(failure, notices(&diagnostics));
    };
    match phlox_hhbc::verify::check(&unit) {
        Ok(_) => Compiled::Unit(unit, notices(&diagnostics)),
        Err(error) => Compiled::Failure(internal(&error.to_string()), notices(&diagnostics)),
    }
}

fn internal(what: &str) -> CompileFailure {
    let message = format!("Internal compiler error: {what}").into_bytes();
    CompileFailure { parse_error: false, message, line: 0 }
}

fn first_failure(diagnostics: &[Diagnostic]) -> Option<CompileFailure> {
    let error = diagnostics.iter().find(|d| matches!(d.severity, Severity::ParseError | Severity::FatalError))?;
    Some(CompileFailure {
        parse_error: error.severity == Severity::ParseError,
        message: error.message.clone(),
        line: error.span.line,
    })
}

fn notices(diagnostics: &[Diagnostic]) -> Vec<CompileNotice> {
    let level = |severity| match severity {
        Severity::Warning => Some(Level::Warning),
        Severity::Notice => Some(Level::Notice),
        Severity::Deprecated => Some(Level::Deprecated),
        Severity::ParseError | Severity::FatalError => None,
    };
    let notice = |d: &Diagnostic| {
        Some(CompileNotice { level: level(d.severity)?, message: d.message.clone(), line: d.span.line })
    };
    diagnostics.iter().filter_map(notice).collect()
}
