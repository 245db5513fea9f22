//! Handlers of signals written in PHP: the system's handler notes a signal, this one runs the script's between
//! instructions.

use crate::children::info_array;
use crate::{error_text, failed, remember};
use phlox_process::{Action, set_action, set_mask, take, wait_for_signal};
use phlox_runtime::{Call, PhpArr, PhpResult, Val, Vm, convert, number};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// One more than the highest signal.
const SIGNALS: i64 = 65;
const SIGALRM: i64 = 14;

#[derive(Default)]
struct Handlers {
    table: RefCell<HashMap<i32, Val>>,
    async_on: Cell<bool>,
    dispatching: Cell<bool>,
}

fn handlers(vm: &Vm) -> std::rc::Rc<Handlers> {
    vm.data::<Handlers>("pcntl.handlers")
}

/// Lets noted signals reach their handlers at ticks and, if asked for, between instructions.
pub fn watch(vm: &Vm) {
    vm.signal_hook.set(Some(dispatch));
    phlox_process::set_attention(phlox_runtime::interrupt::word(), phlox_runtime::interrupt::SIGNAL);
}

/// Runs the handlers of all signals that came. A handler is not interrupted by another.
fn dispatch(vm: &Vm) -> PhpResult<()> {
    if !phlox_process::pending() {
        return Ok(());
    }
    let handlers = handlers(vm);
    if handlers.dispatching.replace(true) {
        return Ok(());
    }
    let mut result = Ok(());
    while result.is_ok()
        && let Some(info) = take()
    {
        let handler = handlers.table.borrow().get(&info.signal).cloned();
        if let Some(handler) = handler.filter(|handler| handler.as_int().is_none()) {
            let args = vec![Val::int(info.signal.into()), info_array(&info).into()];
            result = vm.without_switching(|| vm.call_value(&handler, args)).map(drop);
        }
    }
    handlers.dispatching.set(false);
    result
}

pub fn pcntl_signal(call: &mut Call<'_>) -> PhpResult<Val> {
    let (signal, handler) = (call.int(0), call.arg(1));
    if signal < 1 {
        return Err(call.value_error(0, "must be greater than or equal to 1"));
    }
    if signal >= SIGNALS {
        return Err(call.value_error(0, &format!("must be less than {SIGNALS}")));
    }
    let restarts = if call.was_passed(2) { call.bool(2) } else { signal != SIGALRM };
    let action = match handler.as_int() {
        Some(0) => Action::Default,
        Some(1) => Action::Ignore,
        Some(_) => {
            return Err(call.value_error(1, "must be either SIG_DFL or SIG_IGN when an integer value is given"));
        }
        None => Action::Note,
    };
    if action == Action::Note && call.vm.require_callable(&handler).is_err() {
        remember(call, nix::errno::Errno::EINVAL as i32);
        let given = convert::value_name(&handler);
        return Err(call.type_error(1, &format!("must be of type callable|int, {given} given")));
    }
    call.vm.before_change("signal actions", || Box::new(phlox_process::restore_actions));
    match set_action(signal as i32, action, restarts) {
        Ok(()) => {
            let before = handlers(call.vm).table.borrow_mut().insert(signal as i32, handler);
            drop(before);
            Ok(Val::TRUE)
        }
        // The numbers have been checked: it is a signal that nobody may handle.
        Err(_) => Err(call.vm.fatal(format!("Error installing signal handler for {signal}").as_bytes())),
    }
}

pub fn pcntl_signal_get_handler(call: &mut Call<'_>) -> PhpResult<Val> {
    let signal = call.int(0);
    if !(1..SIGNALS).contains(&signal) {
        return Err(call.value_error(0, &format!("must be between 1 and {}", SIGNALS - 1)));
    }
    let handler = handlers(call.vm).table.borrow().get(&(signal as i32)).cloned();
    Ok(handler.unwrap_or(Val::int(0)))
}

pub fn pcntl_signal_dispatch(call: &mut Call<'_>) -> PhpResult<Val> {
    dispatch(call.vm)?;
    Ok(Val::TRUE)
}

pub fn pcntl_async_signals(call: &mut Call<'_>) -> PhpResult<Val> {
    let handlers = handlers(call.vm);
    let before = handlers.async_on.get();
    if call.was_passed(0) && !call.arg(0).is_null() {
        handlers.async_on.set(call.bool(0));
        let listened = phlox_process::listen(call.bool(0));
        call.vm.before_change("signal listening", || Box::new(move || _ = phlox_process::listen(listened)));
    }
    Ok(before.into())
}

/// The numbers of a list of signals.
fn signals(call: &Call<'_>, index: usize, may_be_empty: bool) -> PhpResult<Vec<i32>> {
    let given = call.arg(index);
    let mut signals = Vec::new();
    for value in given.as_arr().into_iter().flat_map(PhpArr::values) {
        let number = match (value.as_int(), value.as_str()) {
            (None, Some(text)) => number::numeric(text).map(|_| number::string_to_int(text)),
            (None, None) if value.as_arr().is_some() || value.as_obj().is_some() => None,
            _ => Some(convert::to_int(call.vm, value)?),
        };
        let Some(number) = number else {
            let given = convert::value_name(value);
            return Err(call.type_error(index, &format!("signals must be of type int, {given} given")));
        };
        if !(1..SIGNALS).contains(&number) {
            return Err(call.value_error(index, &format!("signals must be between 1 and {}", SIGNALS - 1)));
        }
        signals.push(number as i32);
    }
    if signals.is_empty() && !may_be_empty {
        return Err(call.value_error(index, "must not be empty"));
    }
    Ok(signals)
}

pub fn pcntl_sigprocmask(call: &mut Call<'_>) -> PhpResult<Val> {
    const SET: i64 = 2;
    let how = call.int(0);
    if !(0..=SET).contains(&how) {
        return Err(call.value_error(0, "must be one of SIG_BLOCK, SIG_UNBLOCK, or SIG_SETMASK"));
    }
    let signals = signals(call, 1, how == SET)?;
    match set_mask(how as i32, &signals) {
        Ok(before) => {
            let blocked = before.clone();
            call.vm.before_change("signal mask", || Box::new(move || drop(set_mask(SET as i32, &blocked))));
            if call.was_passed(2) {
                let before: PhpArr = before.into_iter().map(|signal| Val::int(signal.into())).collect();
                call.assign(2, before.into())?;
            }
            Ok(Val::TRUE)
        }
        Err(error) => failed(call, error, &error_text(error)),
    }
}

fn wait(call: &mut Call<'_>, limit: Option<(i64, i64)>) -> PhpResult<Val> {
    let signals = signals(call, 0, false)?;
    call.vm.output.before_waiting();
    match wait_for_signal(&signals, limit) {
        Ok(info) => {
            if call.was_passed(1) {
                call.assign(1, info_array(&info).into())?;
            }
            Ok(Val::int(info.signal.into()))
        }
        Err(error) if error == nix::errno::Errno::EAGAIN as i32 => {
            remember(call, error);
            Ok(Val::FALSE)
        }
        Err(error) => failed(call, error, &error_text(error)),
    }
}

pub fn pcntl_sigwaitinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    wait(call, None)
}

pub fn pcntl_sigtimedwait(call: &mut Call<'_>) -> PhpResult<Val> {
    let (seconds, nanoseconds) = (call.int(2), call.int(3));
    signals(call, 0, false)?;
    if seconds < 0 {
        return Err(call.value_error(2, "must be greater than or equal to 0"));
    }
    if !(0..=1_000_000_000).contains(&nanoseconds) {
        return Err(call.value_error(3, "must be between 0 and 1e9"));
    }
    if seconds == 0 && nanoseconds == 0 {
        let text = "pcntl_sigtimedwait(): At least one of argument #3 ($seconds) or argument #4 ($nanoseconds) must \
                    be greater than 0";
        return Err(call.vm.throw_value_error(text.as_bytes()));
    }
    wait(call, Some((seconds, nanoseconds)))
}

pub fn pcntl_alarm(call: &mut Call<'_>) -> PhpResult<Val> {
    let seconds = call.int(0) as u32;
    call.vm.before_change("alarm", || Box::new(|| _ = nix::unistd::alarm::cancel()));
    let before = if seconds == 0 { nix::unistd::alarm::cancel() } else { nix::unistd::alarm::set(seconds) };
    Ok(Val::int(before.unwrap_or(0).into()))
}
