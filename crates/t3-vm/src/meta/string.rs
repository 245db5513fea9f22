//! string

use super::{Method, methods};
use crate::call::Args;
use crate::error::{self, Run, fail};
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    length 0 0 => length,
};

pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let text = vm.to_text(args.get(vm, 0))?;
    Ok(vm.heap.new_text(text))
}

fn length(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(vm.want_text(args.this)?.chars_len() as i32))
}
