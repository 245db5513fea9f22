//! dynamic-func: functions compiled while the program runs.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::dynamic::DynamicFunc;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    getSource 0 0 => get_source,
};

/// `new DynamicFunc(source, symbols?, locals?, macros?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 || args.count > 4 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let source = args.get(vm, 0);
    let text = vm.text_arg(source)?;
    let rooted = vm.rooted.len();
    let compiled = phlox_t3_compile::compile(vm, &text, [args.get(vm, 1), args.get(vm, 2), args.get(vm, 3)])?;
    match compiled {
        Ok((function, literals, extent)) => {
            let object = Obj::Dynamic(Box::new(DynamicFunc { source, function, literals, extent }));
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
