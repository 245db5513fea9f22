//! `func_get_args` and friends, and `exit` as a function.

use phlox_hhbc::FuncFlags;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, Place, Val, objects};
use std::ops::ControlFlow;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("func_num_args(): int", func_num_args),
    FnDef::new("func_get_arg(int $position): mixed", func_get_arg),
    FnDef::new("func_get_args(): array", func_get_args),
    FnDef::new("exit(string|int $status = 0): never", exit),
    FnDef::new("die(string|int $status = 0): never", exit),
];

/// The PHP function that calls, with its arguments as their variables are now; throws at top level.
fn caller(call: &Call<'_>, message: &str) -> PhpResult<Place> {
    let mut found = None;
    call.vm.frames.visit(true, &mut |place| {
        if place.is_native() {
            return ControlFlow::Continue(());
        }
        found = Some(place);
        ControlFlow::Break(())
    });
    found.filter(|place| !place.func.has(FuncFlags::PSEUDO_MAIN)).ok_or_else(|| {
        let text = [&call.func.display_name()[..], message.as_bytes()].concat();
        call.vm.throw_error(&text)
    })
}

/// The arguments; named extra ones are left out.
fn arguments(place: Place) -> Vec<Val> {
    let mut values = place.args;
    if let Some(rest) = place.rest
        && let Some(rest) = rest.as_arr()
    {
        let positional = rest.iter().filter(|(key, _)| matches!(key, Key::Int(_)));
        values.extend(positional.map(|(_, value)| value.deref()));
    }
    values
}

fn func_num_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let place = caller(call, "() must be called from a function context")?;
    Ok(Val::int(i64::from(place.arg_count)))
}

fn func_get_arg(call: &mut Call<'_>) -> PhpResult<Val> {
    let position = call.int(0);
    if position < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    let place = caller(call, "() cannot be called from the global scope")?;
    let value = usize::try_from(position).ok().and_then(|position| arguments(place).into_iter().nth(position));
    value.ok_or_else(|| {
        call.value_error(0, "must be less than the number of the arguments passed to the currently executed function")
    })
}

fn func_get_args(call: &mut Call<'_>) -> PhpResult<Val> {
    let place = caller(call, "() cannot be called from the global scope")?;
    Ok(PhpArr::from_vec(arguments(place)).into())
}

fn exit(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(objects::exit(call.vm, &call.arg(0))?)
}
