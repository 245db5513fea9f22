//! t3vmTEST: what the machine's own tests look at.

use phlox_t3_vm::error::Run;
use phlox_t3_vm::functions;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Builtin, Vm};

pub(crate) static FUNCTIONS: &[Builtin] = functions! {
    t3test_get_obj_id 1 1 => object_number,
    t3test_get_obj_gc_state 1 1 => object_state,
    t3test_get_charcode 1 1 => char_code,
};

fn object_number(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.get(vm, 0))?;
    Ok(Value::Int(id as i32))
}

/// Whether there is an object with a number: 0 no, 1 yes.
fn object_state(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_int(args.get(vm, 0))?;
    Ok(Value::Int(i32::from(vm.heap.exists(id as u32))))
}

fn char_code(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.want_text(args.get(vm, 0))?;
    Ok(text.chars().next().map_or(Value::Nil, |c| Value::Int(c as i32)))
}
