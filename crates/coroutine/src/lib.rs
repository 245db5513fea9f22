//! Coroutines with their own native stack, for fibers.
//!
//! A thin layer over `corosensei` that lets the body suspend from anywhere below it without handing a yielder down. The crate knows
//! nothing of PHP.
#![deny(unsafe_op_in_unsafe_fn)]

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How a resumed coroutine has stopped.
pub enum Step<O, R> {
    Suspended(O),
    Finished(R),
}

struct Shared<I, O> {
    /// The body's yielder while the body is alive.
    yielder: Cell<*const Yielder<I, O>>,
    id: u64,
}

/// A coroutine that is resumed with `I`, suspends with `O` and finishes with `R`.
pub struct Fiber<I: 'static, O: 'static, R: 'static> {
    coroutine: RefCell<Coroutine<I, O, R>>,
    shared: Rc<Shared<I, O>>,
}

/// A handle that suspends the coroutine it belongs to.
pub struct Suspender<I, O>(Rc<Shared<I, O>>);

impl<I, O> Clone for Suspender<I, O> {
    fn clone(&self) -> Suspender<I, O> {
        Suspender(self.0.clone())
    }
}

thread_local! {
    /// Ids of the coroutines that are running, innermost last.
    static RUNNING: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
}

/// Bytes of a coroutine's native stack, if there are addresses for so many; only touched pages take memory. Code that recurses with
/// its data, as decoders do, may go as deep in a coroutine as elsewhere.
const STACK_BYTES: usize = 256 << 20;
/// Bytes of a coroutine's native stack if there are not enough addresses for [`STACK_BYTES`].
const SMALL_STACK_BYTES: usize = 16 << 20;

impl<I: 'static, O: 'static, R: 'static> Fiber<I, O, R> {
    /// A coroutine that has not started. The body gets the number of bytes of its stack. `None`: there is no memory for a stack.
    pub fn new(body: impl FnOnce(I, usize) -> R + 'static) -> Option<Fiber<I, O, R>> {
        let id = NEXT.get();
        NEXT.set(id + 1);
        let shared = Rc::new(Shared { yielder: Cell::new(std::ptr::null()), id });
        let inner = shared.clone();
        let stack_of = |bytes| Some((DefaultStack::new(bytes).ok()?, bytes));
        let (stack, bytes) = stack_of(STACK_BYTES).or_else(|| stack_of(SMALL_STACK_BYTES))?;
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<I, O>, input| {
            inner.yielder.set(yielder);
            let result = body(input, bytes);
            inner.yielder.set(std::ptr::null());
            result
        });
        Some(Fiber { coroutine: RefCell::new(coroutine), shared })
    }

    /// A handle for the body to suspend itself with.
    pub fn suspender(&self) -> Suspender<I, O> {
        Suspender(self.shared.clone())
    }

    /// Runs the coroutine until it suspends or ends. `None`: it is running or has ended.
    pub fn resume(&self, input: I) -> Option<Step<O, R>> {
        let mut coroutine = self.coroutine.try_borrow_mut().ok()?;
        if coroutine.done() {
            return None;
        }
        RUNNING.with(|running| running.borrow_mut().push(self.shared.id));
        let guard = PopRunning;
        let result = coroutine.resume(input);
        drop(guard);
        Some(match result {
            CoroutineResult::Yield(output) => Step::Suspended(output),
            CoroutineResult::Return(result) => Step::Finished(result),
        })
    }
}

struct PopRunning;

impl Drop for PopRunning {
    fn drop(&mut self) {
        RUNNING.with(|running| running.borrow_mut().pop());
    }
}

impl<I, O> Suspender<I, O> {
    /// Suspends the coroutine; gives the value that it is resumed with. `None`: it is not the innermost running one.
    pub fn suspend(&self, output: O) -> Option<I> {
        let innermost = RUNNING.with(|running| running.borrow().last().copied());
        let yielder = self.0.yielder.get();
        if innermost != Some(self.0.id) || yielder.is_null() {
            return None;
        }
        // SAFETY: the pointer is set while the body is alive, and this coroutine is the innermost running one, so this code is on
        // its stack, and the yielder's frame is below.
        Some(unsafe { (*yielder).suspend(output) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suspends_from_below_and_finishes() {
        let slot: Rc<RefCell<Option<Suspender<i32, i32>>>> = Rc::default();
        let inner = slot.clone();
        let fiber = Fiber::new(move |first: i32, _| {
            let suspender = inner.borrow().clone().unwrap();
            let second = suspender.suspend(first * 2).unwrap();
            first + second
        })
        .unwrap();
        *slot.borrow_mut() = Some(fiber.suspender());
        assert!(matches!(fiber.resume(10), Some(Step::Suspended(20))));
        assert!(matches!(fiber.resume(5), Some(Step::Finished(15))));
        assert!(fiber.resume(0).is_none());
    }

    #[test]
    fn refuses_to_suspend_from_outside() {
        let fiber: Fiber<(), (), ()> = Fiber::new(|(), _| ()).unwrap();
        assert!(fiber.suspender().suspend(()).is_none());
    }
}
