//! dynamic-func: functions compiled while the program runs.

use super::{Method, methods};
use crate::call::Args;
use crate::compile;
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    getSource 0 0 => get_source,
};

/// A compiled function.
#[derive(Debug, Clone)]
pub struct DynamicFunc {
    /// The source text.
    pub source: Value,
    /// The function's index.
    pub function: u32,
    /// Objects that its code refers to.
    pub literals: Vec<Value>,
}

/// `new DynamicFunc(source, symbols?, locals?, macros?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 || args.count > 4 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let source = args.get(vm, 0);
    let text = vm.want_text(source)?;
    let rooted = vm.rooted.len();
    let compiled = compile::compile(vm, &text, [args.get(vm, 1), args.get(vm, 2), args.get(vm, 3)])?;
    match compiled {
        Ok((function, literals)) => {
            let object = Obj::Dynamic(Box::new(DynamicFunc { source, function, literals }));
            let object = Value::Obj(vm.heap.alloc(object));
            vm.rooted.truncate(rooted);
            Ok(object)
        }
        Err(message) => {
            vm.rooted.truncate(rooted);
            let message = vm.heap.new_text(message);
            vm.throw_class("DynamicFunc.CompilerException", error::BAD_DYNAMIC_NEW, &[message])
        }
    }
}

fn get_source(vm: &mut Vm, args: Args) -> Run<Value> {
    match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Dynamic(function) => Ok(function.source),
            _ => fail(error::OBJ_VAL_REQD),
        },
        _ => fail(error::OBJ_VAL_REQD),
    }
}
