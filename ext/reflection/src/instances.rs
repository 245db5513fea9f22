//! ReflectionClass: making objects.

use crate::classes::{class, is_abstract};
use crate::functions::arguments_of;
use crate::subject::*;
use phlox_hhbc::ClassKind;
use phlox_runtime::{Args, Call, Callee, ClassExt, ObjExt, PhpResult, Val};

/// `isInstantiable`
pub fn is_instantiable(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    if class.class().kind != ClassKind::Class || is_abstract(class) {
        return Ok(Val::FALSE);
    }
    Ok(class.class().magic.construct.as_ref().is_none_or(|func| func.is_public()).into())
}

/// `isCloneable`
pub fn is_cloneable(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let target = class.class();
    if target.kind != ClassKind::Class || is_abstract(class) || target.native.no_clone {
        return Ok(Val::FALSE);
    }
    Ok(target.magic.clone.as_ref().is_none_or(|func| func.is_public()).into())
}

/// `isInstance`
pub fn is_instance(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    Ok(call.opt_obj(0).is_some_and(|object| object.is_a(class)).into())
}

fn make(call: &Call<'_>, args: Args) -> PhpResult<Val> {
    let (vm, class) = (call.vm, class(call)?);
    let target = class.class();
    if let Some(message) = target.native.no_new {
        let thrown = target.native.no_new_class.unwrap_or("Error");
        return Err(vm.throw_class(thrown.as_bytes(), message.as_bytes(), 0));
    }
    let object = vm.instantiate(class)?;
    let Some(constructor) = target.magic.construct.clone() else {
        if args.positional.is_empty() && args.named.is_empty() {
            return Ok(object.into());
        }
        let tail = b" does not have a constructor, so you cannot pass any constructor arguments";
        return Err(failure(vm, &text!(b"Class ", &target.name, tail)));
    };
    if !constructor.is_public() {
        object.mark_destructed();
        return Err(failure(vm, &text!(b"Access to non-public constructor of class ", &target.name)));
    }
    match vm.call(&Callee::method(constructor, object.clone()), args) {
        Ok(_) => Ok(object.into()),
        Err(throw) => {
            object.mark_destructed();
            Err(throw)
        }
    }
}

/// `newInstance`
pub fn new_instance(call: &mut Call<'_>) -> PhpResult<Val> {
    let args = Args { positional: call.args.to_vec(), named: call.take_named() };
    make(call, args)
}

/// `newInstanceArgs`
pub fn new_instance_args(call: &mut Call<'_>) -> PhpResult<Val> {
    make(call, arguments_of(&call.arr(0)))
}

/// `newInstanceWithoutConstructor`
pub fn new_instance_without_constructor(call: &mut Call<'_>) -> PhpResult<Val> {
    let class = class(call)?;
    let target = class.class();
    let native = &target.native;
    let is_made_specially = native.create.is_some() || native.no_new.is_some() || native.needs_constructor;
    if target.is_internal() && target.is_final() && is_made_specially {
        let tail =
            b" is an internal class marked as final that cannot be instantiated without invoking its constructor";
        return Err(failure(call.vm, &text!(b"Class ", &target.name, tail)));
    }
    Ok(call.vm.instantiate(class)?.into())
}
