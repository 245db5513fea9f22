//! t3vm: the machine about itself.

use super::{Builtin, functions};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::{NO_PROP, Value};
use crate::vm::Vm;

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    t3RunGC 0 0 => run_gc,
    t3SetSay 1 1 => set_say,
};

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

impl Vm {
    /// Least and further arguments of something that can be called, and whether their number is open.
    pub(crate) fn parameters_of(&mut self, callee: Value) -> Option<(i32, i32, bool)> {
        let function = match callee {
            Value::Func(function) | Value::Code(function) => function,
            Value::Obj(id) | Value::ObjX(id) => match self.heap.get(id) {
                Obj::AnonFn(items) => match items.first() {
                    Some(Value::Func(function)) => *function,
                    _ => return None,
                },
                _ => return None,
            },
            Value::Builtin(set, index) | Value::BuiltinX(set, index) => {
                let row = self.sets.get(set as usize)?.functions.get(index as usize)?;
                let open = row.max == crate::meta::ANY;
                let optional = if open { 0 } else { row.max - row.min };
                return Some((row.min.into(), optional.into(), open));
            }
            _ => return None,
        };
        let offset = *self.heap.functions.get(function as usize)?;
        let size = self.image.entry.method_header_size;
        let method = phlox_t3_image::method::Method::read(&self.image.code.bytes, offset as usize, size)?;
        Some((method.required.into(), method.optional.into(), method.varargs))
    }
}
