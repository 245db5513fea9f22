//! Builtin classes of the language.

pub mod attributes;
pub mod closure;
pub mod exceptions;
pub mod interfaces;
pub mod iterator;
pub mod weak;

use phlox_runtime::{Call, PhpResult, Val};

/// The body of a method that does nothing.
pub(crate) fn nothing(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::NULL)
}
