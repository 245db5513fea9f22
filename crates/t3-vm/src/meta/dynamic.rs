//! dynamic-func: code compiled while the program runs. This machine has no compiler, so creation always fails with the
//! exception that a program gets for source it cannot compile.

use super::{Method, methods};
use crate::call::Args;
use crate::error::{self, Run};
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    getSource 0 0 => get_source,
};

/// `new DynamicFunc(source, ...)`.
pub(crate) fn create(vm: &mut Vm, _: Args) -> Run<Value> {
    let message = vm.heap.new_text("this machine cannot compile source code");
    vm.throw_class("DynamicFunc.CompilerException", error::BAD_DYNAMIC_NEW, &[message])
}

fn get_source(_: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::Nil)
}
