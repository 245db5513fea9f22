//! Attributes that the engine itself obeys.

use crate::class::ClassRef;
use crate::error::{Level, PhpResult};
use crate::func::Func;
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::Attribute;
use phlox_value::Val;
use std::rc::Rc;

/// Raises the deprecation of a call to a `#[Deprecated]` function.
pub fn report_deprecated_call(vm: &Vm, func: &Rc<Func>) -> PhpResult<()> {
    let kind: &[u8] = if func.scope.get().is_some() { b"Method " } else { b"Function " };
    let mut text = [kind, &func.display_name(), b"() is deprecated"].concat();
    text.extend(deprecation_details(vm, &func.unit, &func.code().attributes, func.scope.get())?);
    let level = if func.is_native() { Level::Deprecated } else { Level::UserDeprecated };
    vm.raise(level, &text)
}

/// ` since VERSION, MESSAGE` of a `#[Deprecated]` among the attributes.
pub fn deprecation_details(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    attributes: &[Attribute],
    scope: Option<&ClassRef>,
) -> PhpResult<Vec<u8>> {
    let mut text = Vec::new();
    let attribute = attributes.iter().find(|a| unit.str(a.name).eq_ignore_ascii_case(b"Deprecated"));
    let Some(attribute) = attribute else { return Ok(text) };
    let mut details = [Val::NULL, Val::NULL];
    for (position, (name, init)) in attribute.args.iter().enumerate() {
        let index = match name.map(|name| unit.str(name).as_bytes()) {
            Some(b"message") => 0,
            Some(b"since") => 1,
            Some(_) => continue,
            None => position,
        };
        if let Some(cell) = details.get_mut(index) {
            *cell = vm.evaluate_init(unit, *init, scope)?;
        }
    }
    if let Some(since) = details[1].as_str() {
        text.extend_from_slice(&[b" since ", &since[..]].concat());
    }
    if let Some(message) = details[0].as_str() {
        text.extend_from_slice(&[b", ", &message[..]].concat());
    }
    Ok(text)
}
