//! `func_get_args` and friends, and `exit` as a function.

use phlox_hhbc::FuncFlags;
use phlox_runtime::{Call, FnDef, Frame, Key, PhpArr, PhpResult, Val, objects};
use std::rc::Rc;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("func_num_args(): int", func_num_args),
    FnDef::new("func_get_arg(int $position): mixed", func_get_arg),
    FnDef::new("func_get_args(): array", func_get_args),
    FnDef::new("exit(string|int $status = 0): never", exit),
    FnDef::new("die(string|int $status = 0): never", exit),
];

/// The PHP function that calls; throws at top level.
fn caller(call: &Call<'_>, message: &str) -> PhpResult<Rc<Frame>> {
    match call.vm.user_frame() {
        Some(frame) if !frame.func.has(FuncFlags::PSEUDO_MAIN) => Ok(frame),
        _ => {
            let text = [&call.func.display_name()[..], message.as_bytes()].concat();
            Err(call.vm.throw_error(&text))
        }
    }
}

/// The arguments as their variables are now; named extra ones are left out.
fn arguments(frame: &Frame) -> Vec<Val> {
    let declared = frame.func.params.iter().filter(|param| !param.variadic).count();
    let passed = (frame.arg_count.get() as usize).min(declared);
    let mut values: Vec<Val> = (0..passed).map(|index| frame.local(index).get_deref().or_null()).collect();
    if frame.func.is_variadic() {
        if let Some(rest) = frame.local(declared).get_deref().as_arr() {
            let positional = rest.iter().filter(|(key, _)| matches!(key, Key::Int(_)));
            values.extend(positional.map(|(_, value)| value.deref()));
        }
    } else {
        values.extend(frame.extra_args.borrow().iter().map(Val::deref));
    }
    values
}

fn func_num_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let frame = caller(call, "() must be called from a function context")?;
    Ok(Val::int(i64::from(frame.arg_count.get())))
}

fn func_get_arg(call: &mut Call<'_>) -> PhpResult<Val> {
    let position = call.int(0);
    if position < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    let frame = caller(call, "() cannot be called from the global scope")?;
    let value = usize::try_from(position).ok().and_then(|position| arguments(&frame).into_iter().nth(position));
    value.ok_or_else(|| {
        call.value_error(0, "must be less than the number of the arguments passed to the currently executed function")
    })
}

fn func_get_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let frame = caller(call, "() cannot be called from the global scope")?;
    Ok(PhpArr::from_vec(arguments(&frame)).into())
}

fn exit(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(objects::exit(call.vm, &call.arg(0))?)
}
