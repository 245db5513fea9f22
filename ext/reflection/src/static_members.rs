//! ReflectionClass: values of static properties, and defaults of all properties.

use crate::classes::{class, declared_property, is_shown};
use crate::subject::*;
use phlox_runtime::props::Access;
use phlox_runtime::{Call, ClassExt, Key, PhpArr, PhpResult, Val, link, statics};

/// `getStaticProperties`
pub fn get_static_properties(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    if !class.class().has_defaults() {
        link::evaluate_defaults(call.vm, class)?;
    }
    let mut values = PhpArr::new();
    for (name, info) in class.class().props.iter().filter(|(_, info)| info.is_static() && is_shown(class, info)) {
        let Some(variable) = link::listed_static_prop(call.vm, class, info)? else { continue };
        let value = variable.slot.get_deref();
        if !value.is_undef() {
            values.insert(Key::Str(name), value);
        }
    }
    Ok(values.into())
}

/// `getStaticPropertyValue`
pub fn get_static_property_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, class, name) = (call.vm, class(call)?, call.str(0));
    if let Some(info) = class.class().props.get(&name).filter(|info| info.is_static()) {
        let variable = link::static_prop(vm, class, info)?;
        return statics::read(vm, info, &variable, false);
    }
    if call.was_passed(1) {
        return Ok(call.arg(1));
    }
    Err(failure(vm, &text!(b"Property ", &class.class().name, b"::$", &name, b" does not exist")))
}

/// `setStaticPropertyValue`
pub fn set_static_property_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, class, name) = (call.vm, class(call)?, call.str(0));
    let Some(info) = class.class().props.get(&name).filter(|info| info.is_static()) else {
        return Err(failure(vm, &text!(b"Class ", &class.class().name, b" does not have a property named ", &name)));
    };
    let variable = link::static_prop(vm, class, info)?;
    let access = Access { scope: Some(info.declarer()), strict: vm.caller_is_strict() };
    statics::write(vm, info, &variable, call.arg(1), access)?;
    Ok(Val::NULL)
}

/// `getDefaultProperties`: static ones first.
pub fn get_default_properties(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, class) = (call.vm, class(call)?);
    link::evaluate_defaults(vm, class)?;
    let target = class.class();
    let mut values = PhpArr::new();
    for of_statics in [true, false] {
        for (name, info) in target.props.iter().filter(|(_, info)| info.is_static() == of_statics) {
            if declared_property(class, name).is_none() || info.is_virtual() {
                continue;
            }
            let value = match info.default {
                Some(init) => vm.evaluate_init(&info.unit, init, info.class.get())?,
                None if info.ty.is_some() => continue,
                None => Val::NULL,
            };
            values.insert(Key::Str(name), value);
        }
    }
    Ok(values.into())
}
