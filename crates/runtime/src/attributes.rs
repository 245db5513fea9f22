//! Attributes that the engine itself obeys.

use crate::error::{Level, PhpResult};
use crate::func::Func;
use crate::vm::Vm;
use phlox_value::Val;
use std::rc::Rc;

/// Raises the deprecation of a call to a `#[Deprecated]` function.
pub fn report_deprecated_call(vm: &Vm, func: &Rc<Func>) -> PhpResult<()> {
    let kind: &[u8] = if func.scope.get().is_some() { b"Method " } else { b"Function " };
    let mut text = [kind, &func.display_name(), b"() is deprecated"].concat();
    append_deprecation_details(vm, func, &mut text)?;
    let level = if func.is_native() { Level::Deprecated } else { Level::UserDeprecated };
    vm.raise(level, &text)
}

fn append_deprecation_details(vm: &Vm, func: &Rc<Func>, text: &mut Vec<u8>) -> PhpResult<()> {
    let code = func.code();
    let attribute = code.attributes.iter().find(|a| func.unit.str(a.name).eq_ignore_ascii_case(b"Deprecated"));
    let Some(attribute) = attribute else { return Ok(()) };
    let mut details = [Val::NULL, Val::NULL];
    for (position, (name, init)) in attribute.args.iter().enumerate() {
        let index = match name.map(|name| func.unit.str(name).as_bytes()) {
            Some(b"message") => 0,
            Some(b"since") => 1,
            Some(_) => continue,
            None => position,
        };
        if let Some(cell) = details.get_mut(index) {
            *cell = vm.evaluate_init(&func.unit, *init, func.scope.get())?;
        }
    }
    if let Some(since) = details[1].as_str() {
        text.extend_from_slice(&[b" since ", &since[..]].concat());
    }
    if let Some(message) = details[0].as_str() {
        text.extend_from_slice(&[b", ", &message[..]].concat());
    }
    Ok(())
}
