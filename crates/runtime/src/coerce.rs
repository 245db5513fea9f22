//! Checks of values against declared types, with weak-mode coercion.

use crate::error::PhpResult;
use crate::func::Func;
use crate::types::TypeSpec;
use crate::vm::Vm;
use phlox_value::Val;

/// Checks and coerces an argument of a builtin function.
pub fn native_argument(
    vm: &Vm,
    func: &Func,
    index: usize,
    ty: &TypeSpec,
    value: &mut Val,
    strict: bool,
) -> PhpResult<()> {
    let _ = (vm, func, index, ty, value, strict);
    Ok(())
}
