//! ReflectionClass and ReflectionProperty: making objects lazy, and initialising them.

use crate::classes::class;
use crate::properties::property;
use crate::property_values::{effective, write_raw};
use crate::subject::*;
use phlox_runtime::lazy::{self, Laziness};
use phlox_runtime::{Call, ClassExt, ClassRef, ObjExt, PhpObj, PhpResult, PropInfo, Throw, Val};
use std::rc::Rc;

/// An error about an argument, as a ReflectionException.
fn argument_failure(call: &Call<'_>, index: usize, message: &str) -> Throw {
    let func = call.func;
    let name = func.params.get(index).map_or_else(String::new, |param| param.name.to_string());
    let tail = format!("(): Argument #{} (${name}) {message}", index + 1);
    failure(call.vm, &text!(&func.display_name(), &tail))
}

/// The object argument, which must belong to a class.
fn object_of(call: &Call<'_>, class: &ClassRef) -> PhpResult<PhpObj> {
    let given = call.arg(0);
    match given.as_obj() {
        Some(object) if object.is_a(class) => Ok(object.clone()),
        _ => {
            let given = phlox_runtime::convert::value_name(&given);
            Err(call.type_error(0, &format!("must be of type {}, {given} given", class.class().name)))
        }
    }
}

/// The initialiser and options, which start at argument `first`.
fn laziness(call: &Call<'_>, first: usize, is_proxy: bool) -> PhpResult<Laziness> {
    let (initializer, options) = (call.arg(first), call.int(first + 1));
    if options & !(lazy::SKIP_INITIALIZATION_ON_SERIALIZE | lazy::SKIP_DESTRUCTOR) != 0 {
        return Err(argument_failure(call, first + 1, "contains invalid flags"));
    }
    if first == 0 && options & lazy::SKIP_DESTRUCTOR != 0 {
        return Err(argument_failure(call, 1, "does not accept ReflectionClass::SKIP_DESTRUCTOR"));
    }
    let callee = call.vm.require_callable(&initializer)?;
    Ok(Laziness { initializer, callee, is_proxy, options })
}

fn create(call: &Call<'_>, is_proxy: bool) -> PhpResult<Val> {
    let class = class(call)?;
    Ok(lazy::create(call.vm, class, laziness(call, 0, is_proxy)?)?.into())
}

fn reset(call: &Call<'_>, is_proxy: bool) -> PhpResult<Val> {
    let class = class(call)?;
    let object = object_of(call, class)?;
    let laziness = laziness(call, 1, is_proxy)?;
    if lazy::is_uninitialized(&object) {
        return Err(failure(call.vm, b"Object is already lazy"));
    }
    lazy::reset(call.vm, &object, class, laziness)?;
    Ok(Val::NULL)
}

/// `ReflectionClass::newLazyGhost()`
pub fn new_lazy_ghost(call: &mut Call<'_>) -> PhpResult<Val> {
    create(call, false)
}

/// `ReflectionClass::newLazyProxy()`
pub fn new_lazy_proxy(call: &mut Call<'_>) -> PhpResult<Val> {
    create(call, true)
}

/// `ReflectionClass::resetAsLazyGhost()`
pub fn reset_as_lazy_ghost(call: &mut Call<'_>) -> PhpResult<Val> {
    reset(call, false)
}

/// `ReflectionClass::resetAsLazyProxy()`
pub fn reset_as_lazy_proxy(call: &mut Call<'_>) -> PhpResult<Val> {
    reset(call, true)
}

/// The object itself, or the instance of an initialised proxy.
fn without_proxy(object: PhpObj) -> PhpObj {
    let mut object = object;
    while let Some(instance) = lazy::instance(&object) {
        object = instance;
    }
    object
}

/// `ReflectionClass::initializeLazyObject()`
pub fn initialize_lazy_object(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object_of(call, class(call)?)?;
    if lazy::is_uninitialized(&object) {
        lazy::real(call.vm, &object)?;
    }
    Ok(lazy::instance(&object).unwrap_or(object).into())
}

/// `ReflectionClass::isUninitializedLazyObject()`
pub fn is_uninitialized_lazy_object(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object_of(call, class(call)?)?;
    Ok(lazy::is_uninitialized(&object).into())
}

/// `ReflectionClass::markLazyObjectAsInitialized()`
pub fn mark_lazy_object_as_initialized(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object_of(call, class(call)?)?;
    lazy::mark_initialized(call.vm, &object)?;
    Ok(lazy::instance(&object).unwrap_or(object).into())
}

/// `ReflectionClass::getLazyInitializer()`
pub fn get_lazy_initializer(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = object_of(call, class(call)?)?;
    Ok(lazy::initializer(&object).unwrap_or(Val::NULL))
}

/// Refuses properties that cannot be lazy.
fn lazy_property<'a>(
    call: &Call<'_>,
    subject: &'a PropertySubject,
    info: Option<&'a Rc<PropInfo>>,
    method: &str,
) -> PhpResult<&'a Rc<PropInfo>> {
    let refuse = |kind: &str, class: &ClassRef| {
        let head = format!("Can not use {method} on {kind} property ");
        failure(call.vm, &text!(&head, &class.class().name, b"::$", &subject.name))
    };
    match info {
        None => Err(refuse("dynamic", &subject.class)),
        Some(info) if info.is_static() => Err(refuse("static", info.declarer())),
        Some(info) if info.is_virtual() => Err(refuse("virtual", info.declarer())),
        Some(info) => Ok(info),
    }
}

/// Refuses objects of builtin classes, which have no plain properties.
fn check_object(call: &Call<'_>, object: &PhpObj, method: &str) -> PhpResult<()> {
    let class = object.class_header();
    if object.class().native.no_dynamic && object.class().is_internal() {
        let head = format!("Can not use {method} on internal class ");
        return Err(failure(call.vm, &text!(&head, &class.class().name)));
    }
    Ok(())
}

/// `ReflectionProperty::setRawValueWithoutLazyInitialization()`
pub fn set_raw_value_without_lazy_initialization(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let object = without_proxy(object_of(call, &subject.class)?);
    let method = "setRawValueWithoutLazyInitialization";
    let info = lazy_property(call, subject, effective(subject, &object), method)?;
    check_object(call, &object, method)?;
    let Some(slot) = object.slots().get(info.slot) else { return Ok(Val::NULL) };
    let was_lazy = slot.mark() & lazy::MARK_LAZY != 0;
    slot.set_mark(slot.mark() & !lazy::MARK_LAZY);
    let result = write_raw(call, subject, &object, call.arg(1));
    if result.is_err() && was_lazy && slot.is_undef() && lazy::is_uninitialized(&object) {
        slot.set_mark(slot.mark() | lazy::MARK_LAZY);
    }
    lazy::settle(&object);
    result.map(|()| Val::NULL)
}

/// `ReflectionProperty::skipLazyInitialization()`
pub fn skip_lazy_initialization(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let object = object_of(call, &subject.class)?;
    let info = lazy_property(call, subject, subject.info.as_ref(), "skipLazyInitialization")?;
    check_object(call, &object, "skipLazyInitialization")?;
    let object = without_proxy(object);
    if lazy::is_lazy_slot(&object, info.slot) {
        lazy::set_default(call.vm, &object, info.slot)?;
    }
    Ok(Val::NULL)
}

/// `ReflectionProperty::isLazy()`
pub fn is_lazy(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = property(call)?;
    let object = without_proxy(object_of(call, &subject.class)?);
    let info = subject.info.as_ref().filter(|info| !info.is_static() && !info.is_virtual());
    Ok(info.is_some_and(|info| lazy::is_lazy_slot(&object, info.slot)).into())
}
