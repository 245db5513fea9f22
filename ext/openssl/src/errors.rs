//! The errors that `openssl_error_string()` gives one by one.

use phlox_runtime::{Call, PhpResult, Val, Vm};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The number of errors that PHP keeps. Older ones are dropped.
const MOST: usize = 15;

/// The errors that the request keeps.
#[derive(Default)]
pub struct Errors {
    kept: RefCell<VecDeque<u64>>,
}

fn errors(vm: &Vm) -> Rc<Errors> {
    vm.data::<Errors>("openssl errors")
}

/// Takes over the errors that libcrypto reported since the last call.
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

/// The errors that are kept now, for `restore`.
pub fn mark(vm: &Vm) -> VecDeque<u64> {
    errors(vm).kept.borrow().clone()
}

/// Goes back to the errors that `mark` gave.
pub fn restore(vm: &Vm, mark: VecDeque<u64>) {
    *errors(vm).kept.borrow_mut() = mark;
}

/// The value of an outcome. After a failure, libcrypto's errors are kept.
pub fn kept<T>(vm: &Vm, outcome: phlox_openssl::Outcome<T>) -> Option<T> {
    if outcome.is_err() {
        keep(vm);
    }
    outcome.ok()
}

/// `openssl_error_string()`: takes the oldest error; false if there is none.
pub fn openssl_error_string(call: &mut Call<'_>) -> PhpResult<Val> {
    keep(call.vm);
    let code = errors(call.vm).kept.borrow_mut().pop_front();
    Ok(code.map_or(Val::FALSE, |code| Val::str(&phlox_openssl::error_text(code))))
}
