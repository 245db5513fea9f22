//! t3vm: the machine about itself.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::functions;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::{NO_PROP, Value};
use phlox_t3_vm::vm::{Args, Builtin, Vm};

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    t3RunGC 0 0 => run_gc,
    t3SetSay 1 1 => set_say,
    t3GetVMVsn 0 0 => version,
    t3GetVMID 0 0 => identifier,
    t3GetVMBanner 0 0 => banner,
    t3GetVMPreinitMode 0 0 => preinit_mode,
    t3DebugTrace 1 any => debug_trace,
    t3GetGlobalSymbols 0 1 => global_symbols,
    t3AllocProp 0 0 => alloc_prop,
    t3GetStackTrace 0 2 => super::stack::stack_trace,
    t3GetNamedArg 1 2 => super::stack::named_arg,
    t3GetNamedArgList 0 0 => super::stack::named_arg_list,
};

/// The version of the machine that this one keeps to.
pub(crate) const VERSION_TEXT: &str = "3.1.3";

fn version(_: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Int(0x0003_0103))
}

fn identifier(vm: &mut Vm, _: Args) -> Run<Value> {
    Ok(vm.heap.new_text("phlox"))
}

fn banner(vm: &mut Vm, _: Args) -> Run<Value> {
    Ok(vm.heap.new_text(format!("Phlox T3 VM {VERSION_TEXT}")))
}

/// Zero: the compiler, not this machine, runs programs for their initial state.
fn preinit_mode(_: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Int(0))
}

/// There is never a debugger.
fn debug_trace(_: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Nil)
}

/// t3GetGlobalSymbols: names of objects, functions and the like (the other choice is macros).
const SYMBOLS: i32 = 1;

fn global_symbols(vm: &mut Vm, args: Args) -> Run<Value> {
    let wanted = match args.given(vm, 0) {
        Some(value) => vm.want_int(value)?,
        None => SYMBOLS,
    };
    let image = vm.image.clone();
    if wanted != SYMBOLS || image.globals.is_empty() {
        return Ok(Value::Nil);
    }
    let table = phlox_t3_vm::objects::lookup::LookupTable::new(false, 256, image.globals.len());
    let id = vm.heap.alloc(Obj::Lookup(Box::new(table)));
    vm.rooted.push(Value::Obj(id));
    for (symbol, data) in &image.globals {
        let raw = symbol.value.raw;
        // The compiler's own codes of symbol types, each with its own data.
        let value = match symbol.value.kind {
            1 => Value::Func(vm.heap.function(raw)),
            2 => Value::Obj(raw),
            3 if data.len() >= 2 => Value::Prop(u16::from_le_bytes([data[0], data[1]])),
            6 => Value::Builtin(u16::from_le_bytes([data[2], data[3]]), raw as u16),
            9 => Value::Enum(raw),
            10 => Value::Obj(raw),
            _ => continue,
        };
        let name = vm.heap.new_text(symbol.name.as_str());
        vm.lookup_set(id, name, value);
    }
    vm.rooted.pop();
    Ok(Value::Obj(id))
}

fn alloc_prop(vm: &mut Vm, _: Args) -> Run<Value> {
    match vm.last_prop.checked_add(1) {
        Some(prop) if prop != u16::MAX => {
            vm.last_prop = prop;
            Ok(Value::Prop(prop))
        }
        _ => fail(error::OUT_OF_PROPIDS),
    }
}

fn run_gc(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.collect()?;
    Ok(Value::Nil)
}

/// t3SetSay's mark for "no function".
const NO_FUNCTION: i32 = 1;
/// t3SetSay's mark for "no method".
const NO_METHOD: i32 = 2;

fn set_say(vm: &mut Vm, args: Args) -> Run<Value> {
    let new = args.get(vm, 0);
    let method = vm.say_method;
    let old_method = if method == NO_PROP { Value::Int(NO_METHOD) } else { Value::Prop(method) };
    let old_function = if vm.say_function == Value::Nil { Value::Int(NO_FUNCTION) } else { vm.say_function };
    match new {
        Value::Prop(prop) => {
            vm.say_method = prop;
            Ok(old_method)
        }
        Value::Int(NO_METHOD) => {
            vm.say_method = NO_PROP;
            Ok(old_method)
        }
        Value::Int(NO_FUNCTION) => {
            vm.say_function = Value::Nil;
            Ok(old_function)
        }
        Value::Func(_) | Value::Builtin(..) => {
            vm.say_function = new;
            Ok(old_function)
        }
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::AnonFn(_)) => {
            vm.say_function = new;
            Ok(old_function)
        }
        _ => fail(error::BAD_TYPE_BIF),
    }
}
