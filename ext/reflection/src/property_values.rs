//! ReflectionProperty: reading and writing values, with hooks and without.

use crate::properties::property;
use crate::subject::*;
use phlox_runtime::props::{self, Access, ReadMode};
use phlox_runtime::{
    Call, ClassExt, ClassRef, Key, ObjExt, PhpObj, PhpResult, PropInfo, Throw, Thrown, Val, coerce, lazy, link, statics,
};
use std::rc::Rc;

/// The class in whose scope the property is accessed.
fn scope(subject: &PropertySubject) -> &ClassRef {
    subject.info.as_ref().map_or(&subject.class, |info| info.declarer())
}

fn foreign_object(call: &Call<'_>) -> Throw {
    failure(call.vm, b"Given object is not an instance of the class this property was declared in")
}

/// The object argument of an instance property.
fn instance(call: &Call<'_>, subject: &PropertySubject) -> PhpResult<PhpObj> {
    let Some(object) = call.opt_obj(0) else {
        return Err(call.type_error(0, "must be provided for instance properties"));
    };
    if object.is_a(scope(subject)) { Ok(object) } else { Err(foreign_object(call)) }
}

fn static_info(subject: &PropertySubject) -> Option<&Rc<PropInfo>> {
    subject.info.as_ref().filter(|info| info.is_static())
}

/// `getValue`
pub fn get_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, subject) = (call.vm, property(call)?);
    if let Some(info) = static_info(subject) {
        let variable = link::static_prop(vm, &subject.class, info)?;
        return statics::read(vm, info, &variable, false);
    }
    let object = instance(call, subject)?;
    let access = Access { scope: Some(scope(subject)), strict: false };
    Ok(props::read(vm, &object, &subject.name, access, ReadMode::Warn)?.into_deref())
}

/// `setValue`
pub fn set_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, subject) = (call.vm, property(call)?);
    let access = Access { scope: Some(scope(subject)), strict: vm.caller_is_strict() };
    if let Some(info) = static_info(subject) {
        let value = if call.was_passed(1) {
            let first = call.arg(0);
            if !first.is_null() && first.as_obj().is_none() {
                vm.deprecated(
                    b"Calling ReflectionProperty::setValue() with a 1st argument which is not null or an object \
                      is deprecated",
                )?;
            }
            call.arg(1)
        } else {
            vm.deprecated(b"Calling ReflectionProperty::setValue() with a single argument is deprecated")?;
            call.arg(0)
        };
        let variable = link::static_prop(vm, &subject.class, info)?;
        statics::write(vm, info, &variable, value, access)?;
        return Ok(Val::NULL);
    }
    if !call.was_passed(1) {
        let text = b"ReflectionProperty::setValue() expects exactly 2 arguments, 1 given";
        return Err(vm.throw(Thrown::ArgumentCountError, text));
    }
    let Some(object) = call.opt_obj(0) else {
        let given = phlox_runtime::convert::value_name(&call.arg(0));
        return Err(call.type_error(0, &format!("must be of type object, {given} given")));
    };
    props::write(vm, &object, &subject.name, call.arg(1), access)?;
    Ok(Val::NULL)
}

/// The property as the object's own class has it: a subclass may have added hooks.
pub fn effective<'a>(subject: &'a PropertySubject, object: &'a PhpObj) -> Option<&'a Rc<PropInfo>> {
    let own = subject.info.as_ref();
    if own.is_some_and(|info| info.is_private()) {
        return own;
    }
    object.class().props.get(&subject.name).or(own)
}

/// The object argument of the raw accessors, and the declaration.
fn raw_target(call: &Call<'_>, method: &str) -> PhpResult<PhpObj> {
    let subject = property(call)?;
    let Some(object) = call.opt_obj(0).filter(|object| object.is_a(&subject.class)) else {
        return Err(foreign_object(call));
    };
    if effective(subject, &object).is_some_and(|info| info.is_static()) {
        let text = format!("May not use {method} on static properties");
        return Err(failure(call.vm, text.as_bytes()));
    }
    Ok(object)
}

/// `getRawValue`
pub fn get_raw_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, subject) = (call.vm, property(call)?);
    let object = raw_target(call, "getRawValue")?;
    let access = Access { scope: Some(scope(subject)), strict: false };
    let Some(info) = effective(subject, &object).filter(|info| info.has_hooks() && !info.unit.internal) else {
        return Ok(props::read(vm, &object, &subject.name, access, ReadMode::Warn)?.into_deref());
    };
    let shown = text!(&info.declarer().class().name, b"::$", &info.name);
    if info.is_virtual() {
        return Err(vm.throw_error(&text!(b"Must not read from virtual property ", &shown)));
    }
    let holder = if lazy::is_lazy_slot(&object, info.slot) { lazy::real(vm, &object)? } else { object.clone() };
    let value = holder.slots().get(info.slot).map_or(Val::UNDEF, |slot| slot.get_deref());
    if value.is_undef() && info.ty.is_some() {
        let tail = b" must not be accessed before initialization";
        return Err(vm.throw_error(&text!(b"Typed property ", &shown, tail)));
    }
    Ok(value.or_null())
}

/// `setRawValue`
pub fn set_raw_value(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let object = raw_target(call, "setRawValue")?;
    write_raw(call, subject, &object, call.arg(1))?;
    Ok(Val::NULL)
}

/// Assigns without calling a hook.
pub fn write_raw(call: &Call<'_>, subject: &PropertySubject, object: &PhpObj, value: Val) -> PhpResult<()> {
    let vm = call.vm;
    let access = Access { scope: Some(scope(subject)), strict: vm.caller_is_strict() };
    let Some(info) = effective(subject, object).filter(|info| info.has_hooks()) else {
        props::write(vm, object, &subject.name, value, access)?;
        return Ok(());
    };
    if info.is_virtual() {
        let shown = text!(&info.declarer().class().name, b"::$", &info.name);
        return Err(vm.throw_error(&text!(b"Must not write to virtual property ", &shown)));
    }
    let value = match &info.ty {
        Some(_) => coerce::property_value(vm, info, value, access.strict)?,
        None => value,
    };
    let holder = if lazy::is_lazy_slot(object, info.slot) { lazy::real(vm, object)? } else { object.clone() };
    match holder.slots().get(info.slot) {
        Some(slot) => props::store(vm, slot, value, access.strict),
        None => Ok(()),
    }
}

/// `isInitialized`
pub fn is_initialized(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, subject) = (call.vm, property(call)?);
    if let Some(info) = static_info(subject) {
        return Ok((!link::static_prop(vm, &subject.class, info)?.slot.get_deref().is_undef()).into());
    }
    let object = instance(call, subject)?;
    let Some(info) = effective(subject, &object) else {
        let table = object.dynamic();
        return Ok(table.is_some_and(|table| table.contains(Key::from_str(&subject.name))).into());
    };
    if info.is_virtual() {
        return Ok(Val::TRUE);
    }
    let holder = if lazy::is_lazy_slot(&object, info.slot) { lazy::real(vm, &object)? } else { object.clone() };
    Ok(holder.slots().get(info.slot).is_some_and(|slot| !slot.is_undef()).into())
}
