//! Calling by name or value, shutdown functions, constants by name.

use phlox_runtime::vm::{TickFunction, Ticks};
use phlox_runtime::{Args, Call, Callee, ClassExt, FnDef, Key, ObjExt, PhpArr, PhpResult, PhpStr, Val, View, compare};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("call_user_func(callable $callback, #[any_name] mixed ...$args): mixed", call_user_func),
    FnDef::new("call_user_func_array(callable $callback, array $args): mixed", call_user_func_array),
    FnDef::new("forward_static_call(callable $callback, mixed ...$args): mixed", forward_static_call),
    FnDef::new("forward_static_call_array(callable $callback, array $args): mixed", forward_static_call_array),
    FnDef::new("register_shutdown_function(callable $callback, mixed ...$args): void", register_shutdown_function),
    FnDef::new("register_tick_function(callable $callback, mixed ...$args): bool", register_tick_function),
    FnDef::new("unregister_tick_function(callable $callback): void", unregister_tick_function),
    FnDef::new("constant(string $name): mixed", constant),
];

/// A callable's name as messages and `is_callable` show it.
pub fn callable_name(callable: &Val, callee: &Callee) -> Vec<u8> {
    match callable.view() {
        View::Str(name) => name.to_vec(),
        View::Obj(object) => [object.class_name().as_bytes(), b"::__invoke"].concat(),
        View::Arr(pair) => {
            let class = match pair.get_int(0).map(Val::deref) {
                Some(target) => match target.view() {
                    View::Obj(object) => object.class_name().to_vec(),
                    View::Str(name) => name.to_vec(),
                    _ => Vec::new(),
                },
                None => Vec::new(),
            };
            let method = pair.get_int(1).map(Val::deref).and_then(Val::into_str).unwrap_or_else(PhpStr::empty);
            [&class[..], b"::", &method].concat()
        }
        _ => callee.func.display_name(),
    }
}

/// Passes arguments on.
fn pass(call: &Call<'_>, callee: &Callee, args: Args) -> PhpResult<Val> {
    Ok(call.vm.call(callee, args)?.into_deref())
}

fn call_user_func(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(0))?;
    let named = call.take_named();
    let rest = call.rest(1);
    if !named.is_empty() {
        let positional = rest.iter().map(Val::deref).collect();
        return pass(call, &callee, Args { positional, named });
    }
    let value = match rest {
        [] => call.vm.call_moving(&callee, &mut []),
        [one] => call.vm.call_moving(&callee, &mut [one.deref()]),
        [one, two] => call.vm.call_moving(&callee, &mut [one.deref(), two.deref()]),
        _ => call.vm.call_moving(&callee, &mut rest.iter().map(Val::deref).collect::<Vec<_>>()),
    };
    Ok(value?.into_deref())
}

/// An array as arguments: string keys are names.
pub fn arguments(call: &Call<'_>, array: &PhpArr) -> PhpResult<Args> {
    let mut args = Args::default();
    for (key, value) in array {
        match key {
            Key::Str(name) => args.named.push((name.clone(), value.clone())),
            Key::Int(_) if args.named.is_empty() => args.positional.push(value.clone()),
            Key::Int(_) => {
                return Err(call.vm.throw_error(b"Cannot use positional argument after named argument"));
            }
        }
    }
    Ok(args)
}

fn call_user_func_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(0))?;
    let args = arguments(call, &call.arr(1))?;
    pass(call, &callee, args)
}

/// Keeps the caller's late static binding class when it is below the callee's.
fn forwarded(call: &Call<'_>, mut callee: Callee) -> Callee {
    let called = call.vm.user_frame().and_then(|frame| frame.static_class.clone());
    if let (Some(called), Some(class)) = (called, &callee.static_class) {
        if called.class().is_a(class) && callee.this.is_none() {
            callee.static_class = Some(called);
        }
    }
    callee
}

fn forward_static_call(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.vm.scope().is_none() {
        return Err(call.vm.throw_error(b"Cannot call forward_static_call() when no class scope is active"));
    }
    let callee = forwarded(call, call.vm.require_callable(&call.arg(0))?);
    let positional = call.rest(1).iter().map(Val::deref).collect();
    pass(call, &callee, Args { positional, named: Vec::new() })
}

fn forward_static_call_array(call: &mut Call<'_>) -> PhpResult<Val> {
    let callee = forwarded(call, call.vm.require_callable(&call.arg(0))?);
    let args = arguments(call, &call.arr(1))?;
    pass(call, &callee, args)
}

fn register_shutdown_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let args = call.rest(1).to_vec();
    let callee = call.vm.require_callable(&call.arg(0))?;
    call.vm.shutdown_functions.borrow_mut().push_back((callee, args));
    Ok(Val::NULL)
}

fn register_tick_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let args = call.rest(1).to_vec();
    call.vm.data::<Ticks>("ticks").functions.borrow_mut().push(TickFunction::new(call.arg(0), args));
    Ok(Val::TRUE)
}

fn unregister_tick_function(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, function) = (call.vm, call.arg(0));
    let ticks = vm.data::<Ticks>("ticks");
    let functions = ticks.functions.borrow().clone();
    for entry in functions {
        if compare::loose_eq(vm, &entry.function, &function)? {
            if entry.running.get() {
                let text = b"Registered tick function cannot be unregistered while it is being executed";
                return Err(vm.throw_error(text));
            }
            // `entry` goes later than the place in the list, which must not be borrowed when destructors run.
            ticks.functions.borrow_mut().retain(|other| !Rc::ptr_eq(other, &entry));
        }
    }
    Ok(Val::NULL)
}

fn constant(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if let Some(at) = name.windows(2).position(|pair| pair == b"::") {
        let (class, constant) = (PhpStr::new(&name[..at]), PhpStr::new(&name[at + 2..]));
        let class = match class.to_ascii_lowercase().as_slice() {
            b"self" => call.vm.scope(),
            b"static" => call.vm.user_frame().and_then(|frame| frame.static_class.clone()),
            b"parent" => call.vm.scope().and_then(|class| class.class().parent.clone()),
            _ => Some(call.vm.require_class(&class)?),
        };
        let Some(class) = class else {
            return Err(call.vm.throw_error(
                format!("Cannot access \"{}\" when no class scope is active", &name[..at].escape_ascii()).as_bytes(),
            ));
        };
        return class_constant(call, &class, &constant);
    }
    match call.vm.find_constant(&name) {
        Some(value) => Ok(value),
        None => Err(call.vm.throw_error(&[b"Undefined constant \"", phlox_runtime::until_nul(&name), b"\""].concat())),
    }
}

fn class_constant(call: &Call<'_>, class: &phlox_runtime::ClassRef, name: &PhpStr) -> PhpResult<Val> {
    phlox_runtime::link::constant(call.vm, class, name, call.vm.scope().as_ref())
}
