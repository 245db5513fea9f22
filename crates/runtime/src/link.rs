//! Linking a class declaration: inheritance, interfaces, traits, checks.

use crate::class::ClassRef;
use crate::error::PhpResult;
use crate::extension::NativeClass;
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::ClassId;
use std::rc::Rc;

/// Links row `id` of a unit's class table and enters it into the class table.
pub fn declare_class(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    id: ClassId,
    native: Option<&'static NativeClass>,
) -> PhpResult<ClassRef> {
    let _ = (unit, id, native);
    Err(vm.fatal(b"classes cannot be linked yet"))
}

/// Evaluates the default values of a class's instance properties.
pub fn evaluate_defaults(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let _ = (vm, class);
    Ok(())
}
