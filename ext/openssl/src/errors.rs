//! The errors that `openssl_error_string` hands out one by one.

use phlox_runtime::{Call, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// As many as PHP keeps; older ones are forgotten.
const MOST: usize = 15;

#[derive(Default)]
pub struct Errors {
    kept: RefCell<VecDeque<u64>>,
}

fn errors(vm: &Vm) -> Rc<Errors> {
    vm.data::<Errors>("openssl errors")
}

/// Takes over what the library reported since the last time.
pub fn keep(vm: &Vm) {
    let fresh = phlox_openssl::take_errors();
    if fresh.is_empty() {
        return;
    }
    let errors = errors(vm);
    let mut kept = errors.kept.borrow_mut();
    kept.extend(fresh);
    let surplus = kept.len().saturating_sub(MOST);
    kept.drain(..surplus);
}

/// What is kept now, to go back to.
pub fn mark(vm: &Vm) -> VecDeque<u64> {
    errors(vm).kept.borrow().clone()
}

pub fn restore(vm: &Vm, mark: VecDeque<u64>) {
    *errors(vm).kept.borrow_mut() = mark;
}

/// A result of the library; a failure is kept.
pub fn kept<T>(vm: &Vm, outcome: phlox_openssl::Outcome<T>) -> Option<T> {
    if outcome.is_err() {
        keep(vm);
    }
    outcome.ok()
}

pub fn openssl_error_string(call: &mut Call<'_>) -> PhpResult<Val> {
    keep(call.vm);
    let code = errors(call.vm).kept.borrow_mut().pop_front();
    Ok(code.map_or(Val::FALSE, |code| Val::str(&phlox_openssl::error_text(code))))
}
