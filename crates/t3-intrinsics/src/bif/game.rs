//! Savepoints, saved games and restart.

use phlox_t3_vm::error::{Run, Throw};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

pub(crate) fn savepoint(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.savepoint();
    Ok(Value::Nil)
}

pub(crate) fn undo(vm: &mut Vm, _: Args) -> Run<Value> {
    Ok(Value::truth(vm.undo()))
}

pub(crate) fn save_game(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.get(vm, 0), true)?;
    let metadata = args.get(vm, 1);
    vm.save_to_file(&path, metadata)?;
    Ok(Value::Nil)
}

pub(crate) fn restore_game(vm: &mut Vm, args: Args) -> Run<Value> {
    let path = vm.file_path(args.get(vm, 0), false)?;
    vm.restore_from_file(&path)?;
    Ok(Value::Nil)
}

pub(crate) fn restart_game(vm: &mut Vm, _: Args) -> Run<Value> {
    vm.state.undo.clear();
    match vm.reset_objects() {
        Ok(()) => Ok(Value::Nil),
        Err(_) => Err(Throw::Restart),
    }
}
