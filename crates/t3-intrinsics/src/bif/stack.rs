//! Traces of the stack, and arguments with names.

use phlox_t3_image::debug;
use phlox_t3_vm::code::DYNAMIC;
use phlox_t3_vm::contents::sequence::collect;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::frame::FrameDesc;
use phlox_t3_vm::state::{NativeCall, NativeCallee};
use phlox_t3_vm::value::{NO_OBJECT, ObjId, Value};
use phlox_t3_vm::vm::{Args, Found, Vm};

/// What t3GetStackTrace adds to its answers: local variables.
const WITH_LOCALS: i32 = 1;

/// Descriptions of frames.
const WITH_FRAMES: i32 = 2;

/// A level of the stack.
#[derive(Clone, Copy)]
enum Level {
    Frame(usize),
    Native(NativeCall),
}

/// A list of T3StackInfo objects, or one of them; nil if the program has no such class.
pub(crate) fn stack_trace(vm: &mut Vm, args: Args) -> Run<Value> {
    let Some(class) = vm.predef.object("T3StackInfo") else { return Ok(Value::Nil) };
    let single = match args.given(vm, 0) {
        Some(value) => match vm.want_int(value)? {
            level @ 1.. => Some(level as usize - 1),
            _ => return fail(error::BAD_VAL_BIF),
        },
        None => None,
    };
    let flags = match args.given(vm, 1) {
        Some(value) => vm.want_int(value)?,
        None => 0,
    };
    let parameters = match vm.find_prop(Value::Obj(class), vm.predef.constructor) {
        Some(Found::Value(value, _)) => vm.parameters_of(value),
        _ => None,
    };
    let count = parameters.map_or(9, |(min, optional, varargs)| if varargs { 9 } else { (min + optional) as usize });
    let mut levels = Vec::new();
    for number in (0..vm.frames.len()).rev() {
        levels.push(Level::Frame(number));
        let native = vm.native_calls.iter().rev().find(|native| native.depth == number);
        levels.extend(
            native.filter(|native| native.callee != NativeCallee::Nothing).map(|native| Level::Native(*native)),
        );
    }
    let items = collect(vm, |vm| {
        for (number, level) in levels.into_iter().enumerate() {
            if single.is_none_or(|single| single == number) {
                let info = stack_info(vm, class, level, flags, count)?;
                vm.rooted.push(info);
            }
        }
        Ok(())
    })?;
    match single {
        Some(_) => Ok(items.first().copied().unwrap_or_default()),
        None => Ok(vm.heap.new_list(items)),
    }
}

fn stack_info(vm: &mut Vm, class: ObjId, level: Level, flags: i32, count: usize) -> Run<Value> {
    let rooted = vm.rooted.len();
    let mut all = vec![Value::Obj(class)];
    match level {
        Level::Frame(number) => {
            let frame = vm.frames[number];
            all.extend(if frame.definer != NO_OBJECT {
                [Value::Nil, Value::Obj(frame.definer), Value::Prop(frame.prop), frame.this]
            } else {
                // What was called, if it is no plain function.
                let function = match frame.invokee {
                    Value::Obj(id) if matches!(vm.heap.get(id), Obj::Dynamic(_)) => frame.invokee,
                    _ => Value::Func(frame.function),
                };
                [function, Value::Nil, Value::Nil, Value::Nil]
            });
            all.push(arguments(vm, frame.fp as usize, frame.argc as usize));
            let source = source_place(vm, number)?;
            all.push(source);
            let desc = FrameDesc { frame: vm.frame_reference(number), at: vm.frame_offset(number) };
            let desc = Value::Obj(vm.heap.alloc(Obj::FrameDesc(Box::new(desc))));
            vm.rooted.push(desc);
            let locals = if flags & WITH_LOCALS != 0 { vm.frame_table(desc)? } else { Value::Nil };
            vm.rooted.push(locals);
            all.push(locals);
            let named = if flags & WITH_LOCALS != 0 { named_table(vm, number) } else { Value::Nil };
            vm.rooted.push(named);
            all.push(named);
            all.push(if flags & WITH_FRAMES != 0 { desc } else { Value::Nil });
        }
        Level::Native(native) => {
            all.extend(match native.callee {
                NativeCallee::Function(set, index) => [Value::Builtin(set, index), Value::Nil, Value::Nil, Value::Nil],
                NativeCallee::Method(meta, number) => {
                    let prop = vm.meta_props[meta as usize].get(usize::from(number) - 1).copied();
                    let class = Value::object(vm.class_objects[meta as usize]);
                    [Value::Nil, class, prop.map_or(Value::Nil, Value::Prop), native.this]
                }
                NativeCallee::Nothing => [Value::Nil; 4],
            });
            all.push(arguments(vm, native.top, native.count));
        }
    }
    all.resize(count + 1, Value::Nil);
    let total = all.len();
    let info = vm.nested(&all, |vm| vm.create_tads(total, false));
    vm.rooted.truncate(rooted);
    info
}

/// The arguments below a place on the stack as a list, which is kept.
fn arguments(vm: &mut Vm, top: usize, count: usize) -> Value {
    let items: Vec<Value> = vm.stack[top - count.min(top)..top].iter().rev().copied().collect();
    let list = vm.heap.new_list(items);
    vm.rooted.push(list);
    list
}

/// [file, line], if the image says so.
fn source_place(vm: &mut Vm, number: usize) -> Run<Value> {
    let image = vm.image.clone();
    let function = vm.frames[number].function as usize;
    let offset = vm.heap.functions.get(function).copied().unwrap_or_default();
    if offset & DYNAMIC != 0 {
        return Ok(Value::Nil);
    }
    let Some((source, line)) = debug::line(&image, offset, vm.frame_offset(number)) else { return Ok(Value::Nil) };
    let Some(source) = image.sources.get(source) else { return Ok(Value::Nil) };
    let name = vm.heap.new_text(source.name.as_str());
    let place = vm.heap.new_list(vec![name, Value::Int(line as i32)]);
    vm.rooted.push(place);
    Ok(place)
}

fn named_table(vm: &mut Vm, number: usize) -> Value {
    let Some(names) = vm.named_arguments(number) else { return Value::Nil };
    let table = vm.new_table(names.len());
    vm.rooted.push(table);
    for (name, place) in names.into_iter().rev() {
        let value = vm.stack.get(place).copied().unwrap_or_default();
        vm.table_add(table, &name, value);
    }
    table
}

/// `t3GetNamedArg(name, default?)`
pub(crate) fn named_arg(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = vm.want_text(args.get(vm, 0))?;
    for at in (0..vm.frames.len()).rev() {
        let Some(names) = vm.named_arguments(at) else { continue };
        if let Some((_, place)) = names.iter().find(|row| *row.0 == *name) {
            return Ok(vm.stack.get(*place).copied().unwrap_or_default());
        }
    }
    if args.count >= 2 {
        return Ok(args.get(vm, 1));
    }
    Err(error::error_text(error::MISSING_NAMED_ARG, &name))
}

/// `t3GetNamedArgList()`
pub(crate) fn named_arg_list(vm: &mut Vm, _: Args) -> Run<Value> {
    let mut names: Vec<String> = Vec::new();
    for at in (0..vm.frames.len()).rev() {
        for (name, _) in vm.named_arguments(at).unwrap_or_default().into_iter().rev() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let items = collect(vm, |vm| {
        for name in names {
            let name = vm.heap.new_text(name);
            vm.rooted.push(name);
        }
        Ok(())
    })?;
    Ok(vm.heap.new_list(items))
}
