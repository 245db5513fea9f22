//! Lines for programs that wait for other things, too: a function is called with each whole line.

use crate::{editing, state};
use phlox_runtime::{Call, Callee, FnDef, PhpResult, PhpStr, Val};
use std::io::IsTerminal;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "readline_callback_handler_install(string $prompt, callable $callback): bool",
        readline_callback_handler_install,
    ),
    FnDef::new("readline_callback_read_char(): void", readline_callback_read_char),
    FnDef::new("readline_callback_handler_remove(): bool", readline_callback_handler_remove),
];

/// What is called with each line, and what is shown before it.
#[derive(Clone)]
pub struct Handler {
    prompt: PhpStr,
    callee: Callee,
}

fn readline_callback_handler_install(call: &mut Call<'_>) -> PhpResult<Val> {
    let handler = Handler { prompt: call.str(0), callee: call.vm.require_callable(&call.arg(1))? };
    show_prompt(call, &handler);
    drop(state(call.vm).handler.replace(Some(handler)));
    Ok(Val::TRUE)
}

/// A prompt is for somebody at a terminal.
fn show_prompt(call: &Call<'_>, handler: &Handler) {
    if !std::io::stdin().is_terminal() {
        return;
    }
    call.vm.output.write_raw(&handler.prompt);
    call.vm.output.flush_raw();
}

/// Reads what is there. The terminal hands over whole lines, so that each call that finds something ends one.
fn readline_callback_read_char(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(handler) = state(call.vm).handler.borrow().clone() else { return Ok(Val::NULL) };
    call.vm.output.before_waiting();
    let line = editing::plain().map_or(Val::NULL, Val::from);
    call.vm.call(&handler.callee, vec![line])?;
    if state(call.vm).handler.borrow().is_some() {
        show_prompt(call, &handler);
    }
    Ok(Val::NULL)
}

fn readline_callback_handler_remove(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(state(call.vm).handler.take().is_some().into())
}
