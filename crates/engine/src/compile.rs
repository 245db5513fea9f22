//! Source text to verified unit.

use phlox_emit::EmitOptions;
use phlox_hhbc::Unit;
use phlox_runtime::Level;
use phlox_runtime::vm::{CompileFailure, CompileNotice, CompileRequest, Compiled};
use phlox_syntax::diagnostic::{Diagnostic, Severity};
use phlox_syntax::{LanguageVersion, ParseOptions};

/// Parses, emits and verifies.
pub fn compile(request: &CompileRequest<'_>) -> Compiled {
    let arena = bumpalo::Bump::new();
    let options = ParseOptions {
        version: LanguageVersion::Php84,
        short_open_tag: request.short_open_tag,
        start_in_php: request.is_eval,
        first_line: 1,
    };
    let parsed = phlox_syntax::parse(&arena, request.source, &options);
    let mut diagnostics = parsed.diagnostics;
    if let Some(failure) = first_failure(&diagnostics) {
        return Compiled::Failure(failure, notices(&diagnostics));
    }
    let emit_options =
        EmitOptions { filename: request.filename, is_eval: request.is_eval, assertions: request.assertions };
    let emitted = phlox_emit::emit(&parsed.program, request.source, &emit_options);
    diagnostics.extend(emitted.diagnostics);
    if let Some(failure) = first_failure(&diagnostics) {
        return Compiled::Failure(failure, notices(&diagnostics));
    }
    match phlox_hhbc::verify::check(&emitted.unit) {
        Ok(_) => Compiled::Unit(emitted.unit, notices(&diagnostics)),
        Err(error) => {
            let message = format!("Internal compiler error: {error}").into_bytes();
            Compiled::Failure(CompileFailure { parse_error: false, message, line: 0 }, notices(&diagnostics))
        }
    }
}

/// A unit without verification, for looking at what the emitter made.
pub fn compile_for_dump(source: &[u8], filename: &[u8]) -> Result<Unit, Vec<Diagnostic>> {
    let arena = bumpalo::Bump::new();
    let options = ParseOptions { short_open_tag: false, ..ParseOptions::default() };
    let parsed = phlox_syntax::parse(&arena, source, &options);
    if first_failure(&parsed.diagnostics).is_some() {
        return Err(parsed.diagnostics);
    }
    let options = EmitOptions { filename, is_eval: false, assertions: true };
    let emitted = phlox_emit::emit(&parsed.program, source, &options);
    if first_failure(&emitted.diagnostics).is_some() { Err(emitted.diagnostics) } else { Ok(emitted.unit) }
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
