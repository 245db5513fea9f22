//! Creating and cloning objects, `exit`, and the error of an unmatched `match`.

use crate::class::{ClassExt, ClassRef, ObjExt};
use crate::error::{PhpResult, Throw, Thrown};
use crate::props::MARK_REINITABLE;
use crate::vm::{Args, Callee, Vm};
use crate::{convert, lazy, number, settings};
use phlox_value::{PhpObj, Val, View};

/// Creates the object of `new C` after a check that the constructor may be called.
pub fn new(vm: &Vm, class: &ClassRef, scope: Option<&ClassRef>) -> PhpResult<PhpObj> {
    let target = class.class();
    if let Some(message) = target.native.no_new {
        // The object exists while the error is created, as in PHP, so that later object ids are equal to PHP's.
        let refused = vm.instantiate(class)?;
        let error = vm.throw_class(target.native.no_new_class.unwrap_or("Error").as_bytes(), message.as_bytes(), 0);
        drop(refused);
        return Err(error);
    }
    let object = vm.instantiate(class)?;
    if let Some(constructor) = &target.magic.construct {
        if !vm.can_call(constructor, scope) {
            object.mark_destructed();
            let kind = if constructor.is_private() { "private" } else { "protected" };
            let scope = match scope {
                Some(scope) => [b"scope ".as_slice(), &scope.class().name].concat(),
                None => b"global scope".to_vec(),
            };
            let text = [b"Call to ", kind.as_bytes(), b" ", &constructor.display_name(), b"() from ", &scope];
            return Err(vm.throw_error(&text.concat()));
        }
    }
    Ok(object)
}

/// The copy that `clone $value` makes.
pub fn clone_value(vm: &Vm, value: &Val, scope: Option<&ClassRef>) -> PhpResult<Val> {
    let View::Obj(object) = value.view() else {
        return Err(vm.throw_error(b"__clone method called on non-object"));
    };
    let class = object.class();
    if class.native.no_clone || class.is_enum() {
        let text = [b"Trying to clone an uncloneable object of class ", &class.name[..]].concat();
        return Err(vm.throw_error(&text));
    }
    if let Some(check) = class.native.check_clone {
        check(vm, object)?;
    }
    if let Some(magic) = &class.magic.clone {
        if !vm.can_call(magic, scope) {
            let kind = if magic.is_private() { "private" } else { "protected" };
            let scope = match scope {
                Some(scope) => [b"scope ".as_slice(), &scope.class().name].concat(),
                None => b"global scope".to_vec(),
            };
            let text = [b"Call to ", kind.as_bytes(), b" ", &class.name[..], b"::__clone() from ", &scope];
            return Err(vm.throw_error(&text.concat()));
        }
    }
    if lazy::is_lazy(object) {
        let real = lazy::real(vm, object)?;
        if !real.ptr_eq(object) {
            let copy = copy_with_magic(vm, &real)?;
            return Ok(lazy::proxy_for(vm, object, copy)?.into());
        }
    }
    Ok(copy_with_magic(vm, object)?.into())
}

/// A copy of an object on which `__clone` was called.
fn copy_with_magic(vm: &Vm, object: &PhpObj) -> PhpResult<PhpObj> {
    let class = object.class();
    let copy = shallow_copy(object);
    if let Some(magic) = class.magic.clone.clone() {
        for info in class.slots.iter().filter(|info| info.is_readonly()) {
            copy.slots()[info.slot].set_mark(MARK_REINITABLE);
        }
        let result = vm.call(&Callee::method(magic, copy.clone()), Args::default());
        for info in class.slots.iter().filter(|info| info.is_readonly()) {
            let slot = &copy.slots()[info.slot];
            slot.set_mark(slot.mark() & !MARK_REINITABLE);
        }
        result?;
    }
    Ok(copy)
}

/// A copy without a call of `__clone`: properties (references that nobody shares become values) and native data.
fn shallow_copy(object: &PhpObj) -> PhpObj {
    let copy = object.copy_slots();
    for (slot, info) in copy.slots().iter().zip(&object.class().slots) {
        if let Some(reference) = slot.as_ref().filter(|_| info.ty.is_some()) {
            reference.add_source(info.clone());
        }
    }
    if object.has_dynamic()
        && let Some(mut table) = object.dynamic()
    {
        table.separate();
        copy.set_dynamic(Some(table));
    }
    if object.has_native()
        && let Some(data) = object.native_data().and_then(|data| data.clone_data())
    {
        copy.set_native(data);
    }
    if let Some(complete) = object.class().native.copied {
        complete(object, &copy);
    }
    copy
}

/// Performs `exit(status)`: prints a string, stores an integer as the exit status; returns the `Throw` that unwinds the script.
pub fn exit(vm: &Vm, status: &Val) -> PhpResult<Throw> {
    match status.view() {
        View::Str(text) => {
            vm.echo(text);
            // An exception from an output handler takes precedence.
            vm.check_pending()?;
        }
        View::Int(code) => vm.exit_status.set((code & 0xff) as i32),
        _ => {}
    }
    Ok(Throw::Exit)
}

/// The UnhandledMatchError about a value; a reference is described by its type only, as in PHP.
pub fn unhandled_match(vm: &Vm, value: &Val) -> Throw {
    let shown: Vec<u8> = match value.view() {
        _ if vm.ini.get(&settings::EXCEPTION_IGNORE_ARGS) => of_type(value),
        View::Ref(target) => of_type(&target.get()),
        View::Null | View::Undef => b"NULL".to_vec(),
        View::Bool(b) => b.to_string().into_bytes(),
        View::Int(i) => i.to_string().into_bytes(),
        View::Double(d) => {
            let mut text = number::double_to_string(d, vm.ini.get(&settings::PRECISION)).to_vec();
            if text.iter().all(|b| b.is_ascii_digit() || *b == b'-') {
                text.extend_from_slice(b".0");
            }
            text
        }
        View::Obj(object) if object.class().is_enum() => {
            let case = object
                .slots()
                .first()
                .and_then(|name| name.get().into_str())
                .unwrap_or_else(phlox_value::PhpStr::empty);
            [&object.class_name()[..], b"::", &case].concat()
        }
        View::Str(text) => {
            let max = usize::try_from(vm.ini.get(&settings::EXCEPTION_STRING_PARAM_MAX_LEN)).unwrap_or(15);
            let escaped = convert::escaped(&text[..text.len().min(max)]);
            let tail: &[u8] = if text.len() > max { b"..." } else { b"" };
            [b"'".as_slice(), &escaped, tail, b"'"].concat()
        }
        _ => of_type(value),
    };
    vm.throw(Thrown::UnhandledMatchError, &[b"Unhandled match case ", &shown[..]].concat())
}

fn of_type(value: &Val) -> Vec<u8> {
    let name = match value.view() {
        View::Bool(_) => "bool".into(),
        _ => convert::value_name(value),
    };
    format!("of type {name}").into_bytes()
}
