//! `func_get_args` and friends, and `exit` as a function.

use phlox_hhbc::FuncFlags;
use phlox_runtime::{Call, FnDef, PhpResult, Place, Val, objects};
use std::ops::ControlFlow;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("func_num_args(): int", func_num_args),
    FnDef::new("func_get_arg(int $position): mixed", func_get_arg),
    FnDef::new("func_get_args(): array", func_get_args),
    FnDef::new("exit(string|int $status = 0): never", exit),
    FnDef::new("die(string|int $status = 0): never", exit),
];

/// Applies `pick` to the frame of the calling PHP function, whose arguments have the present values of their variables.
/// Throws at top level.
fn caller<T>(call: &Call<'_>, message: &str, pick: impl Fn(&Place<'_>) -> T) -> PhpResult<T> {
    let mut found = None;
    call.vm.frames.visit(true, &mut |place| {
        if place.is_native() {
            return ControlFlow::Continue(());
        }
        found = (!place.func.has(FuncFlags::PSEUDO_MAIN)).then(|| pick(place));
        ControlFlow::Break(())
    });
    found.ok_or_else(|| {
        let text = [&call.func.display_name()[..], message.as_bytes()].concat();
        call.vm.throw_error(&text)
    })
}

fn func_num_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let count = caller(call, "() must be called from a function context", |place| place.arg_count)?;
    Ok(Val::int(i64::from(count)))
}

fn func_get_arg(call: &mut Call<'_>) -> PhpResult<Val> {
    let position = call.int(0);
    if position < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    let arguments = caller(call, "() cannot be called from the global scope", |place| place.arguments())?;
    arguments.get_int(position).cloned().ok_or_else(|| {
        call.value_error(0, "must be less than the number of the arguments passed to the currently executed function")
    })
}

fn func_get_args(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(caller(call, "() cannot be called from the global scope", |place| place.arguments())?.into())
}

fn exit(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(objects::exit(call.vm, &call.arg(0))?)
}
