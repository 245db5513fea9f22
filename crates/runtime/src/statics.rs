//! Static properties: visibility, types, references.

use crate::class::{ClassExt, ClassRef, PropInfo, StaticProp};
use crate::error::PhpResult;
use crate::props::{self, Access};
use crate::vm::Vm;
use crate::{arith, coerce, members};
use phlox_hhbc::SetOp;
use phlox_value::{PhpRef, PhpStr, Val};
use std::rc::Rc;

fn qualified(info: &PropInfo) -> Vec<u8> {
    [info.declarer().class().name.as_bytes(), b"::$", &info.name].concat()
}

/// Finds a static property that is visible from a scope. With `quiet`, gives `None` instead of an Error.
pub fn find(
    vm: &Vm,
    class: &ClassRef,
    name: &PhpStr,
    scope: Option<&ClassRef>,
    quiet: bool,
) -> PhpResult<Option<Rc<PropInfo>>> {
    let target = class.class();
    let info = target.props.get(name).cloned();
    let shown = || [&target.name[..], b"::$", crate::until_nul(name)].concat();
    match info {
        Some(info) if info.is_static() && props::is_visible(&info, scope) => Ok(Some(info)),
        _ if quiet => Ok(None),
        // Visibility is checked before the property is found not to be static.
        Some(info) if !props::is_visible(&info, scope) => {
            let kind = if info.is_private() { "private" } else { "protected" };
            let text = [b"Cannot access ", kind.as_bytes(), b" property ", &shown()[..]].concat();
            Err(vm.throw_error(&text))
        }
        _ => Err(vm.throw_error(&[b"Access to undeclared static property ", &shown()[..]].concat())),
    }
}

/// Reads the property; an uninitialised typed one throws, unless `quiet`.
pub fn read(vm: &Vm, info: &PropInfo, property: &StaticProp, quiet: bool) -> PhpResult<Val> {
    let value = property.slot.get_deref();
    if !value.is_undef() {
        return Ok(value);
    }
    if info.ty.is_some() && !quiet {
        let text =
            [b"Typed static property ", &qualified(info)[..], b" must not be accessed before initialization"].concat();
        return Err(vm.throw_error(&text));
    }
    Ok(Val::NULL)
}

/// Assigns to the property and returns the value as stored.
pub fn write(vm: &Vm, info: &PropInfo, property: &StaticProp, value: Val, access: Access<'_>) -> PhpResult<Val> {
    let value = match &info.ty {
        Some(_) => coerce::property_value(vm, info, value, access.strict)?,
        None => value,
    };
    if let Some(reference) = property.slot.as_ref() {
        let value = coerce::reference_value(vm, &reference, value, access.strict)?;
        reference.set(value.clone());
        return Ok(value);
    }
    props::store(vm, &property.slot, value.clone(), access.strict)?;
    Ok(value)
}

/// Performs `op=` and returns the value as stored.
pub fn set_op(
    vm: &Vm,
    info: &PropInfo,
    property: &StaticProp,
    (op, operand): (SetOp, &Val),
    access: Access<'_>,
) -> PhpResult<Val> {
    let current = read(vm, info, property, false)?;
    // A value that can grow in place is released from the property, so that no copy is needed.
    if members::grows(current.kind(), op, operand) && property.slot.as_ref().is_none() {
        drop(property.slot.replace(Val::NULL));
    }
    let result = arith::set_op(vm, op, current, operand)?;
    write(vm, info, property, result, access)
}

/// Makes the property a reference and returns that.
pub fn make_ref(vm: &Vm, info: &Rc<PropInfo>, property: &StaticProp) -> PhpResult<PhpRef> {
    if property.slot.is_undef() && info.ty.as_ref().is_some_and(|ty| !ty.allows_null()) {
        let text =
            [b"Cannot access uninitialized non-nullable property ", &qualified(info)[..], b" by reference"].concat();
        return Err(vm.throw_error(&text));
    }
    let fresh = property.slot.as_ref().is_none();
    let reference = property.slot.make_ref();
    if fresh && info.ty.is_some() {
        reference.add_source(info.clone());
    }
    Ok(reference)
}

/// Makes the property an alias of a reference.
pub fn bind(
    vm: &Vm,
    info: &Rc<PropInfo>,
    property: &StaticProp,
    reference: PhpRef,
    access: Access<'_>,
) -> PhpResult<()> {
    if info.ty.is_some() {
        coerce::bind_reference(vm, info, &reference, access.strict)?;
        reference.add_source(info.clone());
        if let Some(old) = property.slot.as_ref() {
            let source: phlox_value::TypeSource = info.clone();
            old.remove_source(&source);
        }
    }
    property.slot.set(reference.into());
    Ok(())
}

/// Checks that something inside the property may be changed. `reads`: the change reads the current value.
pub fn check_modifiable(vm: &Vm, info: &PropInfo, property: &StaticProp, reads: bool) -> PhpResult<()> {
    if reads && property.slot.is_undef() && info.ty.is_some() {
        read(vm, info, property, false)?;
    }
    Ok(())
}
