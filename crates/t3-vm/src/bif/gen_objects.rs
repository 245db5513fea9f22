//! tads-gen

use super::{Builtin, functions};
use crate::call::Args;
use crate::error::Run;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    dataType 1 1 => data_type,
    getArg 1 1 => data_type,
    firstObj 0 2 => data_type,
    nextObj 1 3 => data_type,
    randomize 0 2 => data_type,
    rand 0 any => data_type,
    toString 1 3 => to_string,
};

fn data_type(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(vm.data_type(args.get(vm, 0))))
}

fn to_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.to_text(args.get(vm, 0))?;
    Ok(vm.heap.new_text(text))
}
