//! root-object: what every object answers; and intrinsic-class.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::{INFO, Meta};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::{NO_OBJECT, ObjId, PropId, Value};
use phlox_t3_vm::vm::{Args, Found, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    ofKind 1 1 => of_kind,
    getSuperclassList 0 0 => superclass_list,
    propDefined 1 2 => prop_defined,
    propType 1 1 => prop_type,
    getPropList 0 0 => prop_list,
    getPropParams 1 1 => prop_params,
    isClass 0 0 => is_class,
    propInherited 3 4 => prop_inherited,
    isTransient 0 0 => is_transient,
};

pub(crate) static CLASS_METHODS: &[Method] = methods! {
    isIntrinsicClass 0 any => is_intrinsic_class,
};

/// propDefined and propInherited: any definition.
const ANY_DEFINITION: i32 = 1;
/// In the object itself.
const DIRECTLY: i32 = 2;
/// Only in a superclass.
const INHERITS: i32 = 3;
/// The class that defines it.
const GET_CLASS: i32 = 4;

fn of_kind(vm: &mut Vm, args: Args) -> Run<Value> {
    let class = vm.want_object(args.get(vm, 0))?;
    Ok(Value::truth(vm.is_kind_of(args.this, class)))
}

fn superclass_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let supers: Vec<Value> = match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => {
                let supers = vm.heap.shapes.direct(object.shape);
                if supers.is_empty() {
                    vec![Value::object(vm.class_objects[Meta::TadsObject as usize])]
                } else {
                    supers.iter().map(|id| Value::Obj(*id)).collect()
                }
            }
            Obj::Class(class) => {
                let parent = class.meta.and_then(|meta| INFO[meta as usize].parent);
                parent.map(|meta| Value::object(vm.class_objects[meta as usize])).into_iter().collect()
            }
            _ => class_of(vm, args.this),
        },
        other => class_of(vm, other),
    };
    Ok(vm.heap.new_list(supers))
}

fn class_of(vm: &Vm, value: Value) -> Vec<Value> {
    let meta = vm.heap.meta_of(value);
    meta.map(|meta| Value::object(vm.class_objects[meta as usize])).into_iter().collect()
}

/// The object that defines what was found.
fn definer(vm: &Vm, found: Found) -> Value {
    match found {
        Found::Value(_, definer) => Value::object(definer),
        Found::Native(meta, _) => Value::object(vm.class_objects[meta as usize]),
    }
}

fn prop_defined(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    let flags = match args.given(vm, 1) {
        Some(value) => vm.want_int(value)?,
        None => ANY_DEFINITION,
    };
    let found = vm.find_prop(args.this, prop);
    let Some(found) = found else { return Ok(Value::Nil) };
    if !(ANY_DEFINITION..=GET_CLASS).contains(&flags) {
        return fail(error::BAD_VAL_BIF);
    }
    Ok(defined_how(vm, found, args.this, flags))
}

fn defined_how(vm: &Vm, found: Found, this: Value, flags: i32) -> Value {
    let class = definer(vm, found);
    match flags {
        ANY_DEFINITION => Value::True,
        DIRECTLY => Value::truth(class == this),
        INHERITS => Value::truth(class != this),
        GET_CLASS => class,
        _ => Value::Nil,
    }
}

fn prop_inherited(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    let target = args.get(vm, 1);
    vm.want_object(target)?;
    let definer = vm.want_object(args.get(vm, 2))?;
    let flags = match args.given(vm, 3) {
        Some(value) => vm.want_int(value)?,
        None => ANY_DEFINITION,
    };
    let found = vm.find_inherited(args.this, target, definer, prop);
    Ok(found.map_or(Value::Nil, |found| defined_how(vm, found, Value::Nil, flags)))
}

fn prop_type(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    Ok(match vm.find_prop(args.this, prop) {
        Some(Found::Value(value, _)) => Value::Int(match value {
            // An object that is invoked counts as code, a built-in function as native code.
            Value::ObjX(id) if vm.heap.text(Value::Obj(id)).is_some() => 9,
            Value::ObjX(_) => 11,
            Value::BuiltinX(..) => 14,
            value => vm.data_type(value),
        }),
        Some(Found::Native(..)) => Value::Int(14),
        None => Value::Nil,
    })
}

fn prop_list(vm: &mut Vm, args: Args) -> Run<Value> {
    let props: Vec<Value> = match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => {
                vm.heap.shapes.get(object.shape).props.iter().map(|prop| Value::Prop(*prop)).collect()
            }
            Obj::Class(class) => {
                let natives = class.meta.map(|meta| vm.meta_props[meta as usize].clone()).unwrap_or_default();
                let added: Vec<PropId> = vm
                    .heap
                    .tads(class.modifier)
                    .map(|object| vm.heap.shapes.get(object.shape).props.to_vec())
                    .unwrap_or_default();
                natives.into_iter().chain(added).filter(|prop| *prop != 0).map(Value::Prop).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    Ok(vm.heap.new_list(props))
}

fn prop_params(vm: &mut Vm, args: Args) -> Run<Value> {
    let prop = vm.want_prop(args.get(vm, 0))?;
    let (min, optional, varargs) = match vm.find_prop(args.this, prop) {
        Some(Found::Value(value, _)) => vm.parameters_of(value).unwrap_or((0, 0, false)),
        Some(Found::Native(meta, number)) => match vm.natives.class(meta).methods.get(number as usize - 1) {
            Some(method) if method.max == phlox_t3_vm::natives::ANY => (method.min.into(), 0, true),
            Some(method) => (method.min.into(), (method.max - method.min).into(), false),
            None => (0, 0, false),
        },
        None => (0, 0, false),
    };
    Ok(vm.heap.new_list(vec![Value::Int(min), Value::Int(optional), Value::truth(varargs)]))
}

fn is_class(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::truth(match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => object.is_class,
            Obj::Class(_) => true,
            _ => false,
        },
        _ => false,
    }))
}

fn is_transient(vm: &mut Vm, args: Args) -> Run<Value> {
    let id: ObjId = args.this.as_object().unwrap_or(NO_OBJECT);
    Ok(Value::truth(vm.heap.flags(id).transient))
}

fn is_intrinsic_class(vm: &mut Vm, args: Args) -> Run<Value> {
    // Only the class itself answers; its instances know nothing of it.
    if args.this != Value::object(vm.class_objects[Meta::IntrinsicClass as usize]) {
        return Ok(Value::Nil);
    }
    if args.count != 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let Value::Obj(id) = args.get(vm, 0) else { return Ok(Value::Nil) };
    Ok(Value::truth(matches!(vm.heap.get(id), Obj::Class(_))))
}
