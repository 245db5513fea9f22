//! tads-object: making objects, and changing what they inherit and do.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::{NO_PROP, ObjId, Value};
use phlox_t3_vm::vm::{Args, Found, Method, Sending, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    createInstance 0 any => create_instance,
    createClone 0 0 => create_clone,
    createTransientInstance 0 any => create_transient_instance,
    createInstanceOf 0 any => create_instance_of,
    createTransientInstanceOf 0 any => create_transient_instance_of,
    setSuperclassList 1 1 => set_superclass_list,
    getMethod 1 1 => get_method,
    setMethod 2 2 => set_method,
};

fn create_instance(vm: &mut Vm, args: Args) -> Run<Value> {
    instance(vm, args, false)
}

fn create_transient_instance(vm: &mut Vm, args: Args) -> Run<Value> {
    instance(vm, args, true)
}

fn instance(vm: &mut Vm, args: Args, transient: bool) -> Run<Value> {
    let supers: Vec<ObjId> = match args.this {
        Value::Obj(id) if vm.heap.tads(id).is_some() => vec![id],
        _ => Vec::new(),
    };
    let object = vm.new_instance(&supers, transient);
    let arguments = args.all(vm);
    construct(vm, object, None, &arguments)
}

/// Runs the constructor that `from` has, the object's own search if not given.
fn construct(vm: &mut Vm, object: Value, from: Option<Value>, arguments: &[Value]) -> Run<Value> {
    let prop = vm.predef.constructor;
    let target = from.unwrap_or(object);
    if prop == NO_PROP || vm.find_prop(target, prop).is_none() {
        return Ok(object);
    }
    vm.rooted.push(object);
    let argc = arguments.len();
    let result = vm.nested(arguments, |vm| vm.send(Sending { prop, target, this: object, argc }));
    vm.rooted.pop();
    result?;
    Ok(object)
}

fn create_instance_of(vm: &mut Vm, args: Args) -> Run<Value> {
    instance_of(vm, args, false)
}

fn create_transient_instance_of(vm: &mut Vm, args: Args) -> Run<Value> {
    instance_of(vm, args, true)
}

/// Each argument is a superclass, or a list of a superclass and its constructor's arguments.
fn instance_of(vm: &mut Vm, args: Args, transient: bool) -> Run<Value> {
    let mut supers = Vec::new();
    let mut constructors = Vec::new();
    for argument in args.all(vm) {
        match vm.heap.list(argument) {
            Some(items) => {
                let Some(first) = items.first() else { return fail(error::INDEX_OUT_OF_RANGE) };
                let Value::Obj(id) = first else { return fail(error::BAD_TYPE_BIF) };
                supers.push(*id);
                constructors.push((Value::Obj(*id), items[1..].to_vec()));
            }
            None => match argument {
                Value::Obj(id) if vm.heap.tads(id).is_some() => supers.push(id),
                _ => return fail(error::BAD_TYPE_BIF),
            },
        }
    }
    if supers.iter().any(|id| vm.heap.tads(*id).is_none()) {
        return fail(error::CANNOT_CREATE_INST);
    }
    let object = vm.new_instance(&supers, transient);
    for (class, arguments) in constructors {
        construct(vm, object, Some(class), &arguments)?;
    }
    Ok(object)
}

fn create_clone(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let Some(object) = vm.heap.tads(id).cloned() else { return fail(error::OBJ_VAL_REQD) };
    let flags = vm.heap.flags(id);
    let clone = vm.heap.alloc(Obj::Tads(object));
    if let Some(new) = vm.heap.flags_mut(clone) {
        new.finalizable = flags.finalizable;
    }
    Ok(Value::Obj(clone))
}

fn set_superclass_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    let items = vm.list_like(args.get(vm, 0))?.ok_or_else(|| error::error(error::BAD_TYPE_BIF))?;
    if items.is_empty() {
        return fail(error::BAD_VAL_BIF);
    }
    let mut supers = Vec::with_capacity(items.len());
    let none = matches!(items[..], [Value::Obj(class)] if class == vm.class_objects[Meta::TadsObject as usize]);
    for item in items {
        let Value::Obj(parent) = item else { return fail(error::BAD_VAL_BIF) };
        if none {
            break;
        }
        // A class cannot inherit from itself, however indirectly.
        if vm.heap.tads(parent).is_none() || vm.is_kind_of(Value::Obj(parent), id) {
            return fail(error::BAD_VAL_BIF);
        }
        supers.push(parent);
    }
    vm.change_supers(id, &supers);
    Ok(Value::Nil)
}

fn get_method(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    Ok(match vm.find_prop(args.this, prop) {
        Some(Found::Value(Value::Code(function), _)) => Value::Func(function),
        Some(Found::Value(Value::ObjX(id), _)) => Value::Obj(id),
        Some(Found::Value(Value::BuiltinX(set, index), _)) => Value::Builtin(set, index),
        Some(Found::Value(Value::DStr(index), _)) => Value::Str(index),
        _ => Value::Nil,
    })
}

fn set_method(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    let value = match args.get(vm, 1) {
        Value::Func(function) => Value::Code(function),
        Value::Builtin(set, index) => Value::BuiltinX(set, index),
        Value::Str(index) => Value::DStr(index),
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::AnonFn(_) | Obj::Dynamic(_) | Obj::Text(_)) => Value::ObjX(id),
        _ => return fail(error::BAD_TYPE_BIF),
    };
    vm.set_prop(args.this, prop, value)?;
    Ok(Value::Nil)
}
