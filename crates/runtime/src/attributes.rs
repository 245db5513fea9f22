//! Attributes that have an effect in the engine itself.

use crate::class::{ClassExt, ClassRef};
use crate::error::{Level, PhpResult};
use crate::func::Func;
use crate::unit::LinkedUnit;
use crate::vm::{Args, Callee, Vm};
use phlox_hhbc::Attribute;
use phlox_value::Val;
use std::rc::Rc;

/// Raises the deprecation of a call of a `#[Deprecated]` function. `magic` is the method name that `__call` or `__callStatic`
/// stands in for.
pub fn report_deprecated_call(vm: &Vm, func: &Rc<Func>, magic: Option<&[u8]>) -> PhpResult<()> {
    let kind: &[u8] = if func.scope.get().is_some() { b"Method " } else { b"Function " };
    let name = match (func.scope.get(), magic) {
        (Some(class), Some(magic)) => [&class.class().name[..], b"::", magic].concat(),
        _ => func.display_name(),
    };
    let mut text = [kind, &name, b"() is deprecated"].concat();
    text.extend(deprecation_details(vm, &func.unit, &func.code().attributes, func.scope.get())?);
    let level = if func.is_native() { Level::Deprecated } else { Level::UserDeprecated };
    vm.raise(level, &text)
}

/// ` since VERSION, MESSAGE` of the `#[Deprecated]` among the attributes; empty without one.
pub fn deprecation_details(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    attributes: &[Attribute],
    scope: Option<&ClassRef>,
) -> PhpResult<Vec<u8>> {
    let mut text = Vec::new();
    let attribute = attributes.iter().find(|a| unit.str(a.name).eq_ignore_ascii_case(b"Deprecated"));
    let Some(attribute) = attribute else { return Ok(text) };
    // The attribute's constructor checks the arguments.
    let class = vm.require_class(b"Deprecated")?;
    let object = vm.instantiate(&class)?;
    let mut args = Args::default();
    let constructor = class.class().magic.construct.clone();
    for argument in &attribute.args {
        let value = vm.evaluate_init(unit, argument.value, scope)?;
        match argument.name {
            Some(name) => args.named.push((unit.str(name).clone(), value)),
            None => args.positional.push(value),
        }
    }
    if let Some(constructor) = constructor {
        vm.call(&Callee::method(constructor, object.clone()), args)?;
    }
    let detail = |slot: usize| object.slots().get(slot).map_or(Val::NULL, |slot| slot.get_deref());
    let details = [detail(0), detail(1)].map(|value| value.into_str().filter(|text| !text.is_empty()));
    if let Some(since) = &details[1] {
        text.extend_from_slice(&[b" since ", &since[..]].concat());
    }
    if let Some(message) = &details[0] {
        text.extend_from_slice(&[b", ", &message[..]].concat());
    }
    Ok(text)
}
