//! Closure: rebinding, calling with another `$this`, and what dumps show.

use phlox_hhbc::{FuncFlags, Init};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::convert::unless_shared;
use phlox_runtime::{
    Args, Call, ClassExt, ClassRef, Key, NativeClass, ObjExt, PhpArr, PhpObj, PhpResult, Val, View, Vm, dynamic_call,
};

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Closure",
    decl: include_str!("../../stubs/Closure.stub.php"),
    methods: &[
        ("__construct", super::nothing),
        ("bind", bind),
        ("bindTo", bind_to),
        ("call", call_with),
        ("fromCallable", from_callable),
    ],
    hooks: NativeHooks {
        no_dynamic: true,
        no_serialize: true,
        no_new: Some("Instantiation of class Closure is not allowed"),
        debug_info: Some(debug_info),
        ..NativeHooks::NONE
    },
}];

fn data(object: &PhpObj) -> Option<&ClosureData> {
    object.native()
}

fn bind(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.opt_obj(0) {
        Some(closure) => rebind(call, &closure, 1),
        None => Ok(Val::NULL),
    }
}

fn bind_to(call: &mut Call<'_>) -> PhpResult<Val> {
    rebind(call, &call.this().clone(), 0)
}

/// Arguments `first` and `first + 1` are the new `$this` and the new scope.
fn rebind(call: &Call<'_>, closure: &PhpObj, first: usize) -> PhpResult<Val> {
    let Some(old) = data(closure) else { return Ok(Val::NULL) };
    let this = call.opt_obj(first);
    let wanted = call.arg(first + 1);
    let scope = match wanted.view() {
        View::Obj(object) => Some(object.class_header().clone()),
        View::Str(name) if name.eq_ignore_ascii_case(b"static") => old.func.scope.get().cloned(),
        View::Str(name) => match call.vm.find_class(name)? {
            Some(class) => Some(class),
            None => {
                call.vm.warning(&[b"Class \"", &name[..], b"\" not found"].concat())?;
                return Ok(Val::NULL);
            }
        },
        _ => None,
    };
    if !may_bind(call.vm, old, this.as_ref(), scope.as_ref())? {
        return Ok(Val::NULL);
    }
    let called_scope = this.as_ref().map(|this| this.class_header().clone()).or_else(|| scope.clone());
    Ok(closure::rebound(call.vm, old, this, scope, called_scope)?.into())
}

/// PHP's rules about new scopes and objects; warns when one is broken.
fn may_bind(vm: &Vm, old: &ClosureData, this: Option<&PhpObj>, scope: Option<&ClassRef>) -> PhpResult<bool> {
    let func = &old.func;
    let own_scope = func.scope.get();
    let same_scope = match (own_scope, scope) {
        (Some(own), Some(scope)) => own.id() == scope.id(),
        (None, None) => true,
        _ => false,
    };
    let refuse = |message: &[u8]| vm.warning(message).map(|()| false);
    match this {
        Some(_) if func.is_static() => return refuse(b"Cannot bind an instance to a static closure"),
        Some(this) if old.is_fake && own_scope.is_some_and(|own| !this.is_a(own)) => {
            let text = [b"Cannot bind method ", &func.display_name()[..], b"() to object of class "];
            return refuse(&[&text.concat()[..], this.class_name()].concat());
        }
        None if old.is_fake && own_scope.is_some() && !func.is_static() => {
            return refuse(b"Cannot unbind $this of method");
        }
        None if !old.is_fake && old.this.get().as_obj().is_some() && func.has(FuncFlags::USES_THIS) => {
            return refuse(b"Cannot unbind $this of closure using $this");
        }
        _ => {}
    }
    if let Some(scope) = scope.filter(|scope| !same_scope && scope.class().is_internal()) {
        let name = &scope.class().name;
        return refuse(&[b"Cannot bind closure to scope of internal class ", &name[..]].concat());
    }
    if old.is_fake && !same_scope {
        let what: &[u8] = if own_scope.is_none() { b"function" } else { b"method" };
        return refuse(&[b"Cannot rebind scope of closure created from ", what].concat());
    }
    Ok(true)
}

fn call_with(call: &mut Call<'_>) -> PhpResult<Val> {
    let closure = call.this().clone();
    let (Some(old), Some(this)) = (data(&closure), call.opt_obj(0)) else { return Ok(Val::NULL) };
    let scope = this.class_header().clone();
    if !may_bind(call.vm, old, Some(&this), Some(&scope))? {
        return Ok(Val::NULL);
    }
    let bound = closure::rebound(call.vm, old, Some(this), Some(scope.clone()), Some(scope))?;
    // PHP makes no object for the call, unless a generator keeps it.
    if !old.func.is_generator() {
        bound.release_handle();
    }
    let Some(callee) = closure::callee(&bound) else { return Ok(Val::NULL) };
    let args = Args { positional: call.rest(1).to_vec(), named: call.take_named() };
    call.vm.call(&callee, args)
}

fn from_callable(call: &mut Call<'_>) -> PhpResult<Val> {
    let callable = call.arg(0);
    if callable.as_obj().is_some_and(|object| data(object).is_some()) {
        return Ok(callable);
    }
    // The callable is resolved for the code that called fromCallable.
    match call.vm.resolve_callable(&callable)? {
        Ok(callee) => Ok(dynamic_call::closure_of(call.vm, callee)?.into()),
        Err(reason) => {
            let text = [b"Failed to create closure from callable: ", reason.as_bytes()].concat();
            Err(call.vm.throw_type_error(&text))
        }
    }
}

/// What `var_dump` shows: where the code is, captured variables, `$this`, parameters.
fn debug_info(vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut info = PhpArr::new();
    let Some(data) = data(object) else { return Ok(info) };
    let func = &data.func;
    if data.is_fake {
        let name = match (&data.magic_name, func.scope.get()) {
            (Some(name), Some(class)) => [&class.class().name[..], b"::", name].concat(),
            _ => func.display_name(),
        };
        info.set_bytes(b"function", name.into());
    } else {
        info.set_bytes(b"name", (&func.name).into());
        info.set_bytes(b"file", (&func.unit.filename).into());
        info.set_bytes(b"line", Val::int(i64::from(func.code().line_start)));
    }
    let variables = captured_variables(vm, data);
    if !variables.is_empty() {
        info.set_bytes(b"static", variables.into());
    }
    if let Some(this) = data.this.get().into_obj() {
        info.set_bytes(b"this", this.into());
    }
    let func = data.shown_func(vm);
    if !func.params.is_empty() {
        let mut params = PhpArr::new();
        for (index, param) in func.params.iter().enumerate() {
            let amp: &[u8] = if param.by_ref { b"&" } else { b"" };
            let kind = if index >= func.required { "<optional>" } else { "<required>" };
            params.set_bytes(&[amp, b"$", &param.name].concat(), kind.into());
        }
        info.set_bytes(b"parameter", params.into());
    }
    Ok(info)
}

fn captured_variables(vm: &Vm, data: &ClosureData) -> PhpArr {
    let mut variables = PhpArr::new();
    let code = data.func.code();
    if data.func.is_native() || data.magic_name.is_some() {
        return variables;
    }
    for ((local, _), slot) in code.captures.iter().zip(&data.captured) {
        let name = code.locals.get(local.index()).copied().flatten().map(|name| data.func.unit.str(name));
        // Variables that an arrow function uses and that the outer function has not set are left out.
        if let Some(name) = name.filter(|_| !slot.is_undef()) {
            variables.insert(Key::Str(name), unless_shared(&slot.get()).or_null());
        }
    }
    let statics = data.statics.borrow();
    for (index, (name, known)) in code.statics.iter().enumerate() {
        let current = statics.as_ref().and_then(|statics| statics.vars.get(index)).filter(|(_, ran)| ran.get());
        let value = match (current, known) {
            (Some((slot, _)), _) => unless_shared(&slot.get()).or_null(),
            (None, Some(Init::Literal(literal))) => data.func.unit.literal(*literal),
            (None, Some(init)) => vm.evaluate_init(&data.func.unit, *init, data.func.scope.get()).unwrap_or(Val::NULL),
            (None, None) => Val::NULL,
        };
        variables.insert(Key::Str(data.func.unit.str(*name)), value);
    }
    variables
}
