//! From the syntax tree to HHBC, with PHP's compile-time errors.
//!
//! Start at [`emit`]. Knows no runtime values; parsing and verification are other crates' business.
#![forbid(unsafe_code)]

mod builder;
mod constant;
mod decl;
mod emitter;
mod expr;
mod immediates;
mod names;
mod stmt;
mod unit_builder;

use phlox_hhbc::Unit;
use phlox_syntax::ast::Program;
use phlox_syntax::diagnostic::Diagnostic;

/// What the compiler must know besides the program.
#[derive(Clone, Copy, Debug)]
pub struct EmitOptions<'a> {
    /// Path as PHP shows it in messages and `__FILE__`.
    pub filename: &'a [u8],
    pub is_eval: bool,
    /// Whether `assert()` calls are compiled at all (`zend.assertions` other than -1).
    pub assertions: bool,
    /// Whether all builtin functions exist under their names (`disable_functions` is empty), so that calls of them can
    /// be folded or compiled to instructions.
    pub knows_builtins: bool,
}

/// A unit and the diagnostics of its compilation.
pub struct EmitResult {
    pub unit: Unit,
    /// Warnings and deprecations may accompany a good unit; after a fatal error nothing may run.
    pub diagnostics: Vec<Diagnostic>,
}

impl EmitResult {
    /// Did the compilation end with a fatal error?
    pub fn failed(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity.is_error())
    }
}

/// Compiles a program.
pub fn emit(program: &Program<'_>, source: &[u8], options: &EmitOptions<'_>) -> EmitResult {
    decl::program::emit(program, source, options)
}
