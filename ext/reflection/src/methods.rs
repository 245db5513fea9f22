//! ReflectionMethod.

use crate::functions::{arguments_of, function};
use crate::modifiers;
use crate::render::functions::Listed;
use crate::subject::*;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::strmap::lower_str;
use phlox_runtime::{
    Args, Call, Callee, ClassExt, ClassRef, Func, NativeClass, ObjExt, PhpObj, PhpResult, PhpStr, Throw, Val, Vm,
    closure, dynamic_call,
};
use std::rc::Rc;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "ReflectionMethod",
    decl: include_str!("../stubs/ReflectionMethod.stub.php"),
    methods: &[
        ("__construct", construct),
        ("createFromMethodName", create_from_method_name),
        ("__toString", to_string),
        ("isPublic", |call| Ok(function(call)?.func.is_public().into())),
        ("isPrivate", |call| Ok(function(call)?.func.is_private().into())),
        ("isProtected", |call| Ok(function(call)?.func.is_protected().into())),
        ("isAbstract", |call| Ok(function(call)?.func.is_abstract().into())),
        ("isFinal", |call| Ok((modifiers::of_method(&function(call)?.func) & modifiers::FINAL != 0).into())),
        ("isConstructor", is_constructor),
        ("isDestructor", |call| Ok(function(call)?.func.name.eq_ignore_ascii_case(b"__destruct").into())),
        ("getClosure", get_closure),
        ("getModifiers", |call| Ok(Val::int(modifiers::of_method(&function(call)?.func)))),
        ("invoke", invoke),
        ("invokeArgs", invoke_args),
        ("getDeclaringClass", |call| reflect_optional_class(call.vm, function(call)?.func.scope.get())),
        ("getPrototype", get_prototype),
        ("hasPrototype", |call| Ok(function(call)?.func.prototype.borrow().is_some().into())),
        ("setAccessible", |_| Ok(Val::NULL)),
    ],
    hooks: NativeHooks::NONE,
}];

/// Finds a method by name; a closure's `__invoke` is the closure's code.
pub fn find_method(vm: &Vm, class: &ClassRef, object: Option<&PhpObj>, name: &PhpStr) -> Option<FunctionSubject> {
    let key = lower_str(name);
    if key.as_bytes() == b"__invoke" {
        if let Some(subject) = object.and_then(|object| {
            closure_invoke(vm, object.class_header(), Some(object))
                .filter(|_| object.native::<closure::ClosureData>().is_some())
        }) {
            return Some(subject);
        }
    }
    let func = class.class().method(&key).filter(|func| !is_tacit(func))?;
    let mut subject = FunctionSubject::plain(func.clone());
    subject.class = Some(class.clone());
    Some(subject)
}

/// The exception about a method that does not exist.
pub fn no_method(vm: &Vm, class: &ClassRef, name: &PhpStr) -> phlox_runtime::Throw {
    failure(vm, &text!(b"Method ", &class.class().name, b"::", name, b"() does not exist"))
}

/// `Class::method`, as one string.
fn split_name(call: &Call<'_>, name: &PhpStr) -> PhpResult<(ClassRef, PhpStr)> {
    let Some(at) = name.windows(2).position(|pair| pair == b"::") else {
        let function = call.func.display_name();
        let parameter = &call.func.params[0].name;
        let message = text!(&function, b"(): Argument #1 ($", parameter, b") must be a valid method name");
        return Err(failure(call.vm, &message));
    };
    let class_name = PhpStr::new(&name[..at]);
    let class = match call.vm.find_class(&class_name)? {
        Some(class) => class,
        None => return Err(failure(call.vm, &text!(b"Class \"", &class_name, b"\" does not exist"))),
    };
    Ok((class, PhpStr::new(&name[at + 2..])))
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let first = call.arg(0);
    let object = first.as_obj();
    if !call.was_passed(1) {
        call.vm.deprecated(
            b"Calling ReflectionMethod::__construct() with 1 argument is deprecated, use \
              ReflectionMethod::createFromMethodName() instead",
        )?;
    }
    let (class, name) = match (object, call.opt_str(1)) {
        (Some(_), None) => {
            return Err(call.value_error(1, "cannot be null when argument #1 ($objectOrMethod) is an object"));
        }
        (Some(object), Some(name)) => (object.class_header().clone(), name),
        (None, Some(name)) => {
            let class_name = call.str(0);
            match call.vm.find_class(&class_name)? {
                Some(class) => (class, name),
                None => return Err(failure(call.vm, &text!(b"Class \"", &class_name, b"\" does not exist"))),
            }
        }
        (None, None) => split_name(call, &call.str(0))?,
    };
    let Some(data) = find_method(call.vm, &class, object, &name) else { return Err(no_method(call.vm, &class, &name)) };
    fill(call.this(), data);
    Ok(Val::NULL)
}

fn fill(object: &PhpObj, data: FunctionSubject) {
    set_property(object, NAME, (&data.func.name).into());
    set_property(object, CLASS, data.func.scope.get().map_or(Val::NULL, |class| (&class.class().name).into()));
    object.set_native(Rc::new(data));
}

fn create_from_method_name(call: &mut Call<'_>) -> PhpResult<Val> {
    let (class, name) = split_name(call, &call.str(0))?;
    let Some(data) = find_method(call.vm, &class, None, &name) else { return Err(no_method(call.vm, &class, &name)) };
    let own = match call.static_class.cloned() {
        Some(class) => class,
        None => call.vm.require_class(b"ReflectionMethod")?,
    };
    let object = call.vm.instantiate(&own)?;
    fill(&object, data);
    Ok(object.into())
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let mut text = Vec::new();
    let scope = subject.class.as_ref();
    let listed = Listed { name: &subject.func.name, scope, of_closure: !subject.closure.is_undef() };
    crate::render::functions::function(call.vm, &mut text, &subject.func, listed, "")?;
    Ok(Val::str(&text))
}

fn is_constructor(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(function(call)?.func.name.eq_ignore_ascii_case(b"__construct").into())
}

/// The callee of a call on `object`, or the exception that refuses it.
fn callee(call: &Call<'_>, subject: &FunctionSubject, object: Option<PhpObj>) -> PhpResult<Callee> {
    let func = &subject.func;
    let vm = call.vm;
    if func.is_abstract() {
        return Err(refuse_abstract(vm, func));
    }
    let Some(scope) = func.scope.get() else { return Ok(Callee::function(func.clone())) };
    if func.is_static() {
        let class = subject.class.as_ref().unwrap_or(scope);
        return Ok(Callee::static_method(func.clone(), class.clone()));
    }
    let Some(object) = object else {
        return Err(failure(
            vm,
            &text!(b"Trying to invoke non static method ", &func.display_name(), b"() without an object"),
        ));
    };
    if !object.is_a(scope) {
        return Err(failure(vm, b"Given object is not an instance of the class this method was declared in"));
    }
    if let (true, Some(callee)) = (subject.is_closure_invoke(), closure::callee(&object)) {
        return Ok(callee);
    }
    Ok(Callee::method(func.clone(), object))
}

fn refuse_abstract(vm: &Vm, func: &Func) -> Throw {
    failure(vm, &text!(b"Trying to invoke abstract method ", &func.display_name(), b"()"))
}

fn invoke(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    if subject.func.is_abstract() {
        return Err(refuse_abstract(call.vm, &subject.func));
    }
    let object = call.arg(0);
    if !object.is_null() && object.as_obj().is_none() {
        let given = phlox_runtime::convert::value_name(&object);
        return Err(call.type_error(0, &format!("must be of type ?object, {given} given")));
    }
    let callee = callee(call, subject, object.into_obj())?;
    let args = Args { positional: call.rest(1).to_vec(), named: call.take_named() };
    Ok(call.vm.call(&callee, args)?.into_deref())
}

fn invoke_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = callee(call, function(call)?, call.opt_obj(0))?;
    Ok(call.vm.call(&callee, arguments_of(&call.arr(1)))?.into_deref())
}

fn get_closure(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let func = subject.func.clone();
    let Some(scope) = func.scope.get().cloned() else { return Ok(Val::NULL) };
    if func.is_static() {
        return Ok(dynamic_call::closure_of(call.vm, Callee::static_method(func, scope))?.into());
    }
    let Some(object) = call.opt_obj(0) else {
        return Err(call.value_error(0, "cannot be null for non-static methods"));
    };
    if !object.is_a(&scope) {
        return Err(failure(call.vm, b"Given object is not an instance of the class this method was declared in"));
    }
    if subject.is_closure_invoke() {
        return Ok(object.into());
    }
    Ok(dynamic_call::closure_of(call.vm, Callee::method(func, object))?.into())
}

fn get_prototype(call: &mut Call<'_>) -> PhpResult<Val> {
    let subject = function(call)?;
    let func = &subject.func;
    let prototype = func.prototype.borrow().clone();
    match prototype {
        Some(prototype) => reflect_method(call.vm, FunctionSubject::plain(prototype)),
        None => {
            let class = subject.class.as_ref().or(func.scope.get());
            let class = class.map_or(PhpStr::empty(), |class| class.class().name.clone());
            Err(failure(call.vm, &text!(b"Method ", &class, b"::", &func.name, b" does not have a prototype")))
        }
    }
}
