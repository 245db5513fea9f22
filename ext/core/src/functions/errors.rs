//! Errors, handlers and backtraces.

use phlox_runtime::errors::ERROR_REPORTING;
use phlox_runtime::{Call, FnDef, Level, PhpResult, PhpStr, Val, trace};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("error_reporting(?int $error_level = null): int", error_reporting),
    FnDef::new("trigger_error(string $message, int $error_level = E_USER_NOTICE): true", trigger_error),
    FnDef::new("user_error(string $message, int $error_level = E_USER_NOTICE): true", trigger_error),
    FnDef::new("set_error_handler(?callable $callback, int $error_levels = E_ALL)", set_error_handler),
    FnDef::new("restore_error_handler(): true", restore_error_handler),
    FnDef::new("set_exception_handler(?callable $callback)", set_exception_handler),
    FnDef::new("restore_exception_handler(): true", restore_exception_handler),
    FnDef::new(
        "debug_backtrace(int $options = DEBUG_BACKTRACE_PROVIDE_OBJECT, int $limit = 0): array",
        debug_backtrace,
    ),
    FnDef::new("debug_print_backtrace(int $options = 0, int $limit = 0): void", debug_print_backtrace),
];

const PROVIDE_OBJECT: i64 = 1;
const IGNORE_ARGS: i64 = 2;

fn error_reporting(call: &mut Call<'_>) -> PhpResult<Val> {
    let reporting = &call.vm.errors.reporting;
    let old = reporting.get();
    if let Some(level) = call.opt_int(0) {
        reporting.set(level);
        call.vm.ini.put(&ERROR_REPORTING, PhpStr::from(level.to_string().as_str()));
    }
    Ok(Val::int(old))
}

fn trigger_error(call: &mut Call<'_>) -> PhpResult<Val> {
    let message = call.str(0);
    let levels = [Level::UserError, Level::UserWarning, Level::UserNotice, Level::UserDeprecated];
    let Some(&level) = levels.iter().find(|level| level.bits() == call.int(1)) else {
        let allowed = "must be one of E_USER_ERROR, E_USER_WARNING, E_USER_NOTICE, or E_USER_DEPRECATED";
        return Err(call.value_error(1, allowed));
    };
    if level == Level::UserError {
        let advice = b"Passing E_USER_ERROR to trigger_error() is deprecated since 8.4, throw an exception or call \
                       exit with a string message instead";
        call.vm.deprecated(advice)?;
    }
    call.vm.raise(level, &message)?;
    Ok(Val::TRUE)
}

fn set_error_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut handlers = call.vm.errors.handlers.borrow_mut();
    let old = handlers.last().map_or(Val::NULL, |(handler, _)| handler.clone());
    handlers.push((call.arg(0), call.int(1)));
    Ok(old)
}

fn restore_error_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let restored = call.vm.errors.handlers.borrow_mut().pop();
    drop(restored);
    Ok(Val::TRUE)
}

fn set_exception_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let mut handlers = call.vm.errors.exception_handlers.borrow_mut();
    let old = handlers.last().cloned().unwrap_or(Val::NULL);
    handlers.push(call.arg(0));
    Ok(old)
}

fn restore_exception_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let restored = call.vm.errors.exception_handlers.borrow_mut().pop();
    drop(restored);
    Ok(Val::TRUE)
}

/// The trace without the frame of the function that builds it.
fn build(call: &Call<'_>, options: i64, limit: i64) -> phlox_runtime::PhpArr {
    let limit = usize::try_from(limit).unwrap_or(0);
    trace::build(call.vm, 1, options & PROVIDE_OBJECT != 0, options & IGNORE_ARGS == 0, limit)
}

fn debug_backtrace(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(build(call, call.int(0), call.int(1)).into())
}

fn debug_print_backtrace(call: &mut Call<'_>) -> PhpResult<Val> {
    let trace = build(call, call.int(0), call.int(1));
    let text = trace::format(call.vm, &trace, false);
    call.vm.echo(&text);
    Ok(Val::NULL)
}
