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

/// May the class get dynamic properties without a deprecation?
pub fn allows_dynamic_properties(class: &crate::Class) -> bool {
    let _ = class;
    true
}

/// Can the class be declared when its unit is loaded?
pub fn can_bind_early(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId) -> bool {
    let _ = (vm, unit, id);
    true
}

/// A static property's variable, initialised.
pub fn static_prop(vm: &Vm, class: &ClassRef, info: &Rc<crate::PropInfo>) -> PhpResult<Rc<crate::StaticProp>> {
    let _ = (vm, class);
    info.statics.clone().ok_or(crate::Throw::Fatal)
}

/// A class constant's value.
pub fn constant(
    vm: &Vm,
    class: &ClassRef,
    name: &phlox_value::PhpStr,
    scope: Option<&ClassRef>,
) -> PhpResult<phlox_value::Val> {
    let _ = (class, name, scope);
    Err(vm.fatal(b"classes cannot be linked yet"))
}
