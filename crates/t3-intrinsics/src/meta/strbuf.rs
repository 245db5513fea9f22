//! stringbuffer: text that changes in place.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    length 0 0 => length,
    charAt 1 1 => char_at,
    append 1 1 => append,
    insert 2 2 => insert,
    copyChars 2 2 => copy_chars,
    deleteChars 1 2 => delete_chars,
    splice 3 3 => splice,
    substr 1 2 => substr,
};

/// `new StringBuffer(capacity?, increment?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count > 2 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    for n in 0..args.count {
        vm.want_int(args.get(vm, n))?;
    }
    Ok(Value::Obj(vm.heap.alloc(Obj::Buffer(Vec::new()))))
}

/// From an image or a saved game.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let (_capacity, _increment, length) = (loader.data.u32()?, loader.data.u32()?, loader.data.u32()?);
    let mut units = Vec::new();
    for _ in 0..length {
        units.push(loader.data.u16()?);
    }
    let chars = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    Ok(Obj::Buffer(chars.collect()))
}

fn chars(vm: &Vm, args: Args) -> Run<&Vec<char>> {
    match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Buffer(chars) => Ok(chars),
            _ => fail(error::OBJ_VAL_REQD),
        },
        _ => fail(error::OBJ_VAL_REQD),
    }
}

fn change(vm: &mut Vm, args: Args, change: impl FnOnce(&mut Vec<char>)) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    vm.keep_contents(id);
    match vm.heap.get_mut(id) {
        Some(Obj::Buffer(chars)) => change(chars),
        _ => return fail(error::OBJ_VAL_REQD),
    }
    Ok(args.this)
}

/// A position from 0, clipped to the text.
fn position(vm: &Vm, args: Args, n: usize) -> Run<usize> {
    let len = chars(vm, args)?.len() as i64;
    let at = i64::from(vm.want_int(args.get(vm, n))?);
    Ok((if at < 0 { at + len } else { at - 1 }).clamp(0, len) as usize)
}

fn count(vm: &Vm, args: Args, n: usize) -> Run<usize> {
    match args.count > n {
        true => Ok(vm.want_int(args.get(vm, n))?.max(0) as usize),
        false => Ok(usize::MAX),
    }
}

fn length(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(chars(vm, args)?.len() as i32))
}

fn char_at(vm: &mut Vm, args: Args) -> Run<Value> {
    vm.want_int(args.get(vm, 0))?;
    match vm.buffer_char(args.this, args.get(vm, 0)) {
        Some(c) => Ok(Value::Int(c? as i32)),
        None => fail(error::OBJ_VAL_REQD),
    }
}

fn append(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.to_text(args.get(vm, 0))?;
    change(vm, args, |chars| chars.extend(text.chars()))
}

fn insert(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = position(vm, args, 0)?;
    let text = vm.to_text(args.get(vm, 1))?;
    change(vm, args, |chars| drop(chars.splice(at..at, text.chars())))
}

fn copy_chars(vm: &mut Vm, args: Args) -> Run<Value> {
    let at = position(vm, args, 0)?;
    let text = vm.to_text(args.get(vm, 1))?;
    change(vm, args, |chars| {
        let end = (at + text.chars_len()).min(chars.len());
        chars.splice(at..end, text.chars());
    })
}

fn delete_chars(vm: &mut Vm, args: Args) -> Run<Value> {
    let (at, count) = (position(vm, args, 0)?, count(vm, args, 1)?);
    change(vm, args, |chars| {
        let end = at.saturating_add(count).min(chars.len());
        chars.drain(at..end);
    })
}

fn splice(vm: &mut Vm, args: Args) -> Run<Value> {
    let (at, count) = (position(vm, args, 0)?, count(vm, args, 1)?);
    let text = vm.to_text(args.get(vm, 2))?;
    change(vm, args, |chars| {
        let end = at.saturating_add(count).min(chars.len());
        chars.splice(at..end, text.chars());
    })
}

fn substr(vm: &mut Vm, args: Args) -> Run<Value> {
    let (at, count) = (position(vm, args, 0)?, count(vm, args, 1)?);
    let chars = chars(vm, args)?;
    let end = at.saturating_add(count).min(chars.len());
    let text: String = chars[at..end].iter().collect();
    Ok(vm.heap.new_text(text))
}
