//! Throwable, Exception, Error and their builtin subclasses.
//!
//! The order of the properties is what `phlox_runtime::throwable` relies on.

use super::nothing;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, Key, NativeClass, NativeFn, PhpObj, PhpResult, Val, convert, throwable};

const MESSAGE: usize = 0;
const STRING: usize = 1;
const CODE: usize = 2;
const FILE: usize = 3;
const LINE: usize = 4;
const TRACE: usize = 5;
const PREVIOUS: usize = 6;
const SEVERITY: usize = 7;

const HOOKS: NativeHooks = NativeHooks { create: Some(throwable::initialize), no_clone: true, ..NativeHooks::NONE };

const METHODS: &[(&str, NativeFn)] = &[
    ("__clone", nothing),
    ("__construct", construct),
    ("__wakeup", wakeup),
    ("getMessage", get_message),
    ("getCode", get_code),
    ("getFile", get_file),
    ("getLine", get_line),
    ("getTrace", get_trace),
    ("getPrevious", get_previous),
    ("getTraceAsString", get_trace_as_string),
    ("__toString", to_string),
];

const fn subclass(name: &'static str, decl: &'static str) -> NativeClass {
    NativeClass { name, decl, methods: &[], hooks: NativeHooks::NONE }
}

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Throwable",
        decl: include_str!("../../stubs/Throwable.stub.php"),
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Exception",
        decl: include_str!("../../stubs/Exception.stub.php"),
        methods: METHODS,
        hooks: HOOKS,
    },
    NativeClass {
        name: "ClosedGeneratorException",
        decl: "class ClosedGeneratorException extends Exception {}",
        methods: &[],
        hooks: HOOKS,
    },
    NativeClass {
        name: "ErrorException",
        decl: include_str!("../../stubs/ErrorException.stub.php"),
        methods: &[("__construct", construct_error_exception), ("getSeverity", get_severity)],
        hooks: NativeHooks::NONE,
    },
    NativeClass { name: "Error", decl: include_str!("../../stubs/Error.stub.php"), methods: METHODS, hooks: HOOKS },
    subclass("CompileError", "class CompileError extends Error {}"),
    subclass("ParseError", "class ParseError extends CompileError {}"),
    subclass("TypeError", "class TypeError extends Error {}"),
    subclass("ArgumentCountError", "class ArgumentCountError extends TypeError {}"),
    subclass("ValueError", "class ValueError extends Error {}"),
    subclass("ArithmeticError", "class ArithmeticError extends Error {}"),
    subclass("DivisionByZeroError", "class DivisionByZeroError extends ArithmeticError {}"),
    subclass("UnhandledMatchError", "class UnhandledMatchError extends Error {}"),
    subclass("RequestParseBodyException", "class RequestParseBodyException extends Exception {}"),
];

/// Sets a slot in place. The trace, the only slot whose value is made on first use, is never set here.
fn set(object: &PhpObj, slot: usize, value: Val) {
    if let Some(place) = object.slots_in_place().get(slot) {
        place.set(value);
    }
}

fn get(call: &Call<'_>, slot: usize) -> PhpResult<Val> {
    Ok(call.this().slots_in_place().get(slot).map_or(Val::NULL, |place| place.get_deref().or_null()))
}

/// Only arguments that were passed replace the declared defaults, which subclasses may have changed.
fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.was_passed(0) {
        set(call.this(), MESSAGE, call.arg(0));
    }
    if call.int(1) != 0 {
        set(call.this(), CODE, call.arg(1));
    }
    if let Some(previous) = call.opt_obj(2) {
        set(call.this(), PREVIOUS, previous.into());
    }
    Ok(Val::NULL)
}

fn construct_error_exception(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.was_passed(0) {
        set(call.this(), MESSAGE, call.arg(0));
    }
    if call.int(1) != 0 {
        set(call.this(), CODE, call.arg(1));
    }
    set(call.this(), SEVERITY, call.arg(2));
    let file = call.opt_str(3);
    if let Some(file) = &file {
        set(call.this(), FILE, file.into());
    }
    match call.opt_int(4) {
        Some(line) => set(call.this(), LINE, Val::int(line)),
        None if file.is_some() => set(call.this(), LINE, Val::int(0)),
        None => {}
    }
    if let Some(previous) = call.opt_obj(5) {
        set(call.this(), PREVIOUS, previous.into());
    }
    Ok(Val::NULL)
}

/// Untyped properties that unserialised data gave a wrong type become uninitialised.
fn wakeup(call: &mut Call<'_>) -> PhpResult<Val> {
    let slots = call.this().slots();
    if slots[MESSAGE].get_deref().as_str().is_none() {
        slots[MESSAGE].set(Val::UNDEF);
    }
    if slots[CODE].get_deref().as_int().is_none() {
        slots[CODE].set(Val::UNDEF);
    }
    Ok(Val::NULL)
}

fn get_message(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = get(call, MESSAGE)?;
    Ok(convert::to_str(call.vm, &message)?.into())
}

fn get_code(call: &mut Call<'_>) -> PhpResult<Val> {
    get(call, CODE)
}

fn get_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = get(call, FILE)?;
    Ok(convert::to_str(call.vm, &file)?.into())
}

fn get_line(call: &mut Call<'_>) -> PhpResult<Val> {
    let line = get(call, LINE)?;
    Ok(Val::int(convert::to_int(call.vm, &line)?))
}

fn get_trace(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.this().slots().get(TRACE).map_or(Val::NULL, |place| place.get_deref().or_null()))
}

fn get_previous(call: &mut Call<'_>) -> PhpResult<Val> {
    get(call, PREVIOUS)
}

fn get_severity(call: &mut Call<'_>) -> PhpResult<Val> {
    get(call, SEVERITY)
}

fn get_trace_as_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let trace = throwable::trace(call.this());
    // A trace made by hand may hold anything but must be a list of arrays.
    for (index, row) in trace.iter() {
        if row.deref().as_arr().is_none() {
            let index = match index {
                Key::Int(index) => index.to_string(),
                Key::Str(index) => index.to_string(),
            };
            call.vm.warning(format!("Expected array for frame {index}").as_bytes())?;
        }
    }
    Ok(throwable::trace_string(call.vm, call.this()).into())
}

fn to_string(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = throwable::to_string(call.vm, call.this());
    set(call.this(), STRING, (&text).into());
    Ok(text.into())
}
