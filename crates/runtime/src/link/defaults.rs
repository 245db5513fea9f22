//! Values that a class needs before its first object is made or a static property is used.

use super::{constants, properties};
use crate::class::{ClassExt, ClassRef, PropInfo, StaticProp};
use crate::error::PhpResult;
use crate::made::Made;
use crate::vm::Vm;
use phlox_hhbc::Init;
use phlox_value::Val;
use std::rc::Rc;

/// Evaluates the default values of a class's instance properties. If the class has constant expressions, all constants of the
/// class and its parents are evaluated first, as in PHP, so that their errors appear when the first object is made.
pub fn evaluate_defaults(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let target = class.class();
    if target.has_defaults() {
        return Ok(());
    }
    evaluate_members(vm, class)?;
    let parent_defaults = match &target.parent {
        Some(parent) => {
            if needs_evaluation(class) {
                evaluate_defaults(vm, parent)?;
            }
            parent.class().defaults().to_vec()
        }
        None => Vec::new(),
    };
    let mut defaults = Vec::with_capacity(target.slots.len());
    for (slot, info) in target.slots.iter().enumerate() {
        let parent_info = target.parent.as_ref().and_then(|parent| parent.class().slots.get(slot));
        let inherited = parent_info.is_some_and(|parent_info| Rc::ptr_eq(parent_info, info));
        let value = match parent_defaults.get(slot) {
            Some(value) if inherited => value.clone(),
            _ => default_value(vm, info)?,
        };
        defaults.push(value);
    }
    target.defaults.borrow_mut().get_or_insert(defaults);
    if target.slots.iter().any(|info| info.default.is_some_and(is_expression)) {
        vm.made.note(Made::Defaults(class.clone()));
    }
    Ok(())
}

/// Whether the class has a constant expression, its own or an inherited one. If not, its parents are not evaluated for it either:
/// a private constant of a parent that names a missing class is no error until the parent itself is used.
fn needs_evaluation(class: &ClassRef) -> bool {
    let target = class.class();
    target.is_enum()
        || target.constants.values().any(|constant| is_expression(constant.init))
        || has_expressions(class)
        // An expression counts even if the class overrides the parent's property.
        || target.parent.as_ref().is_some_and(has_expressions)
}

/// Whether the default of some property of the class is an expression.
fn has_expressions(class: &ClassRef) -> bool {
    let target = class.class();
    let mut statics = target.props.values().filter(|info| info.statics.is_some());
    let has_expression = |info: &Rc<PropInfo>| info.default.is_some_and(is_expression);
    target.slots.iter().any(has_expression) || statics.any(has_expression)
}

fn is_expression(init: Init) -> bool {
    matches!(init, Init::Thunk(_))
}

/// Evaluates constants, the parents' first, then static properties.
pub(super) fn evaluate_members(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let target = class.class();
    if target.evaluated.get() || target.evaluating.get() {
        return Ok(());
    }
    if !needs_evaluation(class) {
        target.evaluated.set(true);
        return Ok(());
    }
    if let Some(parent) = &target.parent {
        evaluate_members(vm, parent)?;
    }
    target.evaluating.set(true);
    let result = evaluate_own(vm, class);
    target.evaluating.set(false);
    target.evaluated.set(result.is_ok());
    vm.made.note(Made::Members(class.clone()));
    result
}

fn evaluate_own(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let target = class.class();
    for constant in target.constants.values().filter(|constant| !constant.evaluating.get()) {
        constants::evaluated(vm, constant)?;
    }
    if target.enum_type.is_some() {
        super::enums::check_values(vm, class)?;
    }
    for info in target.props.values() {
        if let Some(variable) = &info.statics {
            initialize_static(vm, info, variable)?;
        }
    }
    Ok(())
}

/// The initial value of a property: its default, evaluated in the scope of its class and checked against its type.
fn default_value(vm: &Vm, info: &PropInfo) -> PhpResult<Val> {
    match info.default {
        None => Ok(properties::initial_value(info)),
        Some(init) => {
            let value = vm.evaluate_init(&info.unit, init, info.class.get())?;
            crate::coerce::property_value(vm, info, value, true)
        }
    }
}

/// The variable of a static property, which is initialised on first access.
pub fn static_prop(vm: &Vm, class: &ClassRef, info: &Rc<PropInfo>) -> PhpResult<Rc<StaticProp>> {
    let Some(variable) = &info.statics else {
        let place = super::text![&class.class().name, "::$", &info.name];
        return Err(vm.throw_error(&super::text!["Access to undeclared static property ", &place]));
    };
    let target = class.class();
    if target.is_trait() {
        let place = super::text![&target.name, "::$", &info.name];
        let advice = " is deprecated, it should only be accessed on a class using the trait";
        vm.deprecated(&super::text!["Accessing static trait property ", &place, advice])?;
    }
    initialized_static(vm, class, info, variable)
}

/// The variable of a static property for listings of all properties, where a trait's property raises no deprecation.
pub fn listed_static_prop(vm: &Vm, class: &ClassRef, info: &Rc<PropInfo>) -> PhpResult<Option<Rc<StaticProp>>> {
    info.statics.as_ref().map(|variable| initialized_static(vm, class, info, variable)).transpose()
}

fn initialized_static(
    vm: &Vm,
    class: &ClassRef,
    info: &PropInfo,
    variable: &Rc<StaticProp>,
) -> PhpResult<Rc<StaticProp>> {
    if !variable.initialized.get() {
        evaluate_members(vm, class)?;
        initialize_static(vm, info, variable)?;
    }
    Ok(variable.clone())
}

fn initialize_static(vm: &Vm, info: &PropInfo, variable: &Rc<StaticProp>) -> PhpResult<()> {
    if variable.initialized.get() {
        return Ok(());
    }
    let value = default_value(vm, info)?;
    variable.slot.set(value);
    variable.initialized.set(true);
    vm.made.note(Made::StaticProp(variable.clone()));
    Ok(())
}
