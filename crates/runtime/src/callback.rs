//! Callbacks that a builtin function calls for many elements: what all the calls need is looked up once.

use crate::error::PhpResult;
use crate::func::FuncBody;
use crate::vm::{Callee, CalleeRef, Executor, Vm};
use phlox_value::Val;
use phlox_value::raw::Prepared;
use std::cell::{Cell, OnceCell};

/// A callback whose calls are prepared once.
pub struct Callback<'a> {
    vm: &'a Vm,
    callee: &'a Callee,
    executor: &'a dyn Executor,
    prepared: OnceCell<Prepared<'a>>,
    /// How many more times a preparation is attempted. The first call of a function may make the preparation possible.
    attempts: Cell<u32>,
}

const ATTEMPTS: u32 = 2;

impl<'a> Callback<'a> {
    /// Prepares calls of `callee`, if possible.
    pub fn new(vm: &'a Vm, callee: &'a Callee) -> Callback<'a> {
        let is_plain = callee.magic_name.is_none() && matches!(callee.func.body, FuncBody::User);
        let attempts = Cell::new(if is_plain && !vm.native_stack_is_low() { ATTEMPTS } else { 0 });
        let callback = Callback { vm, callee, executor: vm.executor(), prepared: OnceCell::new(), attempts };
        callback.prepare();
        callback
    }

    fn prepare(&self) {
        let left = self.attempts.get();
        if left == 0 {
            return;
        }
        let Callee { func, this, static_class, closure, .. } = self.callee;
        let (this, static_class, closure) = (this.as_ref(), static_class.as_ref(), closure.as_ref());
        let prepared = self.executor.prepare(self.vm, CalleeRef { func, this, static_class, closure });
        self.attempts.set(if prepared.is_some() { 0 } else { left - 1 });
        if let Some(prepared) = prepared {
            let _ = self.prepared.set(prepared);
        }
    }

    /// Calls the callback. The arguments are borrowed: the caller of this function keeps them alive until the call has returned.
    /// References are passed on to by-reference parameters only.
    ///
    /// # Errors
    /// What the callback throws.
    #[inline(always)]
    pub fn call<const COUNT: usize>(&self, args: [&Val; COUNT]) -> PhpResult<Val> {
        if let Some(prepared) = self.prepared.get() {
            let depth = &self.vm.depth;
            depth.set(depth.get() + 1);
            let words = self.executor.call_prepared(self.vm, prepared, self.callee, &args);
            depth.set(depth.get() - 1);
            if !words.is_undef() {
                return Ok(words.into_val());
            }
            if !words.is_not_tried() {
                return self.failed();
            }
        }
        self.call_slowly(args)
    }

    #[cold]
    fn failed(&self) -> PhpResult<Val> {
        match self.vm.failed.take() {
            Some(throw) => Err(throw),
            None => unreachable!("a call without a result has failed"),
        }
    }

    #[inline(never)]
    fn call_slowly<const COUNT: usize>(&self, args: [&Val; COUNT]) -> PhpResult<Val> {
        let mut number = 0;
        let mut args = args.map(|value| {
            number += 1;
            if self.callee.func.is_by_ref(number - 1) { value.clone() } else { value.deref() }
        });
        let result = self.vm.call_moving(self.callee, &mut args);
        self.prepare();
        result
    }
}
