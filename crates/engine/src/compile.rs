//! Source text to verified unit.

use crate::stats;
use phlox_emit::EmitOptions;
use phlox_hhbc::{Notice, StrId, Unit};
use phlox_runtime::vm::{CompileFailure, CompileNotice, CompileRequest, Compiled};
use phlox_runtime::{Level, Thrown};
use phlox_syntax::diagnostic::{Diagnostic, Severity};
use phlox_syntax::{LanguageVersion, ParseOptions};

/// The front end's result for a source.
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
        multibyte: request.multibyte,
    };
    let parsed = phlox_syntax::parse(&arena, request.source, &options);
    let mut diagnostics = parsed.diagnostics;
    if first_failure(&diagnostics).is_some() {
        return Checked { unit: None, diagnostics };
    }
    let emit_options = EmitOptions {
        filename: request.filename,
        is_eval: request.is_eval,
        assertions: request.assertions,
        knows_builtins: request.knows_builtins,
    };
    let emitted = phlox_emit::emit(&parsed.program, request.source, &emit_options);
    diagnostics.extend(emitted.diagnostics);
    let mut unit = first_failure(&diagnostics).is_none().then_some(emitted.unit);
    if let Some(unit) = &mut unit {
        keep_notices(unit, &notices(&diagnostics));
    }
    Checked { unit, diagnostics }
}

/// Parses, emits and verifies.
pub fn compile(request: &CompileRequest<'_>) -> Compiled {
    stats::note_compiled();
    let Checked { unit, diagnostics } = check(request);
    let Some(unit) = unit else {
        let failure = first_failure(&diagnostics).unwrap_or_else(|| internal("no unit and no error"));
        return Compiled::Failure(failure, notices(&diagnostics));
    };
    match phlox_hhbc::verify::check(&unit) {
        Ok(_) => Compiled::Unit(unit),
        Err(error) => Compiled::Failure(internal(&error.to_string()), notices(&diagnostics)),
    }
}

/// Stores the compiler's warnings and deprecations in the unit, which raises them again wherever it is loaded.
fn keep_notices(unit: &mut Unit, notices: &[CompileNotice]) {
    for notice in notices {
        let Ok(id) = u32::try_from(unit.strings.len()) else { return };
        unit.strings.push(&notice.message);
        let level = u32::try_from(notice.level.bits()).unwrap_or(0);
        unit.notices.push(Notice { level, line: notice.line, message: StrId(id) });
    }
}

fn internal(what: &str) -> CompileFailure {
    let message = format!("Internal compiler error: {what}").into_bytes();
    CompileFailure { thrown: None, message, line: 0 }
}

fn first_failure(diagnostics: &[Diagnostic]) -> Option<CompileFailure> {
    let error = diagnostics.iter().find(|d| d.severity.is_error())?;
    Some(CompileFailure {
        thrown: match error.severity {
            Severity::ParseError => Some(Thrown::ParseError),
            Severity::CompileError => Some(Thrown::CompileError),
            _ => None,
        },
        message: phlox_runtime::raw_bytes(&error.message).into_owned(),
        line: error.span.line,
    })
}

fn notices(diagnostics: &[Diagnostic]) -> Vec<CompileNotice> {
    let level = |severity| match severity {
        Severity::Warning => Some(Level::Warning),
        Severity::CompileWarning => Some(Level::CompileWarning),
        Severity::Notice => Some(Level::Notice),
        Severity::Deprecated => Some(Level::Deprecated),
        Severity::ParseError | Severity::CompileError | Severity::FatalError => None,
    };
    let notice = |d: &Diagnostic| {
        Some(CompileNotice {
            level: level(d.severity)?,
            message: phlox_runtime::raw_bytes(&d.message).into_owned(),
            line: d.span.line,
        })
    };
    diagnostics.iter().filter_map(notice).collect()
}
