//! The interpreter of oplines.
//!
//! Executes oplines (see `phlox-lower`) in raw frames on a stack of its own. Hot handlers work on cells and jump to each other;
//! semantics beyond that are in `phlox-runtime`, and rare instructions are executed by the reference interpreter, one at a time.
//! See SAFETY.md for the invariants of the unsafe code.
#![deny(unsafe_op_in_unsafe_fn)]

mod bridge;
mod callback;
mod calls;
mod code;
mod context;
mod declared;
mod frame;
mod generator;
mod handlers;
mod implicit_calls;
mod iterator;
mod leave;
mod megamorphic_cache;
mod named_sites;
mod native;
pub mod stats;
mod switch;
pub mod tier;
mod unwind;
mod view;

use context::{Run, replace_stack, with_stack};
use frame::{FLAG_ENTRY, FLAG_FROM_NATIVE, Frame, Stack};
use phlox_lower::facts::Runs;
use phlox_oracle::machine::Exit;
use phlox_runtime::{Args, Callee, CalleeRef, ClassRef, Executor, LinkedUnit, PhpObj, PhpResult, SymbolTable, Val, Vm};
use phlox_value::raw::{Prepared, Words};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use view::RunSegment;

/// The interpreter of oplines as the runtime's executor.
pub struct Interpreter;

impl Executor for Interpreter {
    fn call_user(&self, vm: &Vm, callee: Callee, mut args: Args) -> PhpResult<Val> {
        if args.named.is_empty() && callee.magic_name.is_none() {
            let value = callback::call(vm, parts_of(&callee), &mut args.positional);
            if !value.is_undef() {
                return Ok(value.into_val());
            }
            if let Some(throw) = vm.failed.take() {
                return Err(throw);
            }
        }
        let keep = callee.func.clone();
        let result = run_frames(|run, frame, below| {
            // SAFETY: `run_frames` passes a place at the top of the stack, where nothing else is.
            unsafe {
                calls::reserve(run, frame.add(1).cast())?;
                let magic = callee.magic_name.clone();
                calls::set_header(frame, Callee { magic_name: None, ..callee });
                (*frame).prev = below;
                (*frame).flags |= FLAG_ENTRY | FLAG_FROM_NATIVE;
                let ip = if args.named.is_empty() && magic.is_none() {
                    calls::enter_with(run, frame, args.positional)?
                } else {
                    calls::bind(run, frame, args.positional, args.named, magic.as_deref())?
                };
                run.execute(ip)
            }
        });
        drop(keep);
        returned(result)
    }

    fn call_at_once(&self, vm: &Vm, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
        callback::call(vm, callee, args)
    }

    fn prepare<'a>(&self, vm: &Vm, callee: CalleeRef<'a>) -> Option<Prepared<'a>> {
        callback::prepare(vm, callee)
    }

    fn call_prepared(&self, vm: &Vm, prepared: &Prepared<'_>, callee: &Callee, args: &[&Val]) -> Words {
        callback::call_prepared(vm, prepared, callee, args)
    }

    fn run_main(
        &self,
        vm: &Vm,
        unit: &Rc<LinkedUnit>,
        symbols: Rc<SymbolTable>,
        include_kind: &'static str,
    ) -> PhpResult<Val> {
        // Included code runs in the scope of the method that includes it.
        let includer = Includer::of_running(vm);
        if includer.is_none() {
            tier::begin_request();
            // The main program's unit is needed until the request has ended in every respect.
            unit.runs_again();
            unit.ends_with_request();
        }
        let Includer { scope, this, static_class } = includer.unwrap_or_default();
        let func = unit.main(scope.as_ref());
        let callee = Callee { func: func.clone(), this, static_class, closure: None, magic_name: None };
        let result = run_frames(|run, frame, below| {
            // SAFETY: `run_frames` passes a place at the top of the stack, where nothing else is.
            unsafe {
                calls::reserve(run, frame.add(1).cast())?;
                calls::set_header(frame, callee);
                (*frame).prev = below;
                (*frame).flags |= FLAG_ENTRY;
                Frame::env(frame).include_kind = include_kind;
                let ip = calls::bind(run, frame, Vec::new(), Vec::new(), None)?;
                if !unit.only_declares() {
                    calls::attach(frame, symbols);
                }
                run.execute(ip)
            }
        });
        returned(result)
    }

    fn new_stack(&self) -> Option<Box<dyn Any>> {
        Some(Box::new(Context { stack: Some(Stack::for_fiber()?), innermost: std::ptr::null() }))
    }

    fn keep_code(&self) {
        named_sites::keep();
    }

    fn end_request(&self) {
        megamorphic_cache::clear();
        tier::end_request();
        if INNERMOST.get().is_null() {
            // SAFETY: no run exists, so no function is running.
            unsafe { named_sites::empty() };
        }
    }

    fn destruct_garbage(&self, object: &PhpObj) {
        phlox_oracle::fibers::destruct_garbage(object);
    }

    fn swap_stack(&self, other: &mut Option<Box<dyn Any>>) {
        let Some(Ok(wanted)) = other.take().map(|other| other.downcast::<Context>()) else { return };
        let current = Context { stack: replace_stack(wanted.stack), innermost: INNERMOST.replace(wanted.innermost) };
        *other = Some(Box::new(current));
    }
}

/// What included code takes over from the code that includes it.
#[derive(Default)]
struct Includer {
    scope: Option<ClassRef>,
    this: Option<PhpObj>,
    static_class: Option<ClassRef>,
}

impl Includer {
    /// That of the innermost function that is not builtin. `None`: none runs.
    fn of_running(vm: &Vm) -> Option<Includer> {
        let run = INNERMOST.get();
        // SAFETY: the innermost run and its frames are alive.
        unsafe {
            if !run.is_null() && vm.frames.ends_with_segment(run.cast()) {
                let frame = (*run).frame;
                if !frame.is_null() && !(*(*frame).code).is_native {
                    return Some(Includer {
                        scope: (*(*frame).code).func().scope.get().cloned(),
                        this: Frame::this_object(frame),
                        static_class: calls::class_ref((*frame).static_class),
                    });
                }
            }
        }
        vm.user_frame().map(|frame| Includer {
            scope: frame.scope().cloned(),
            this: frame.this.clone(),
            static_class: frame.static_class.clone(),
        })
    }
}

/// A callee by references.
fn parts_of(callee: &Callee) -> CalleeRef<'_> {
    let Callee { func, this, static_class, closure, .. } = callee;
    CalleeRef { func, this: this.as_ref(), static_class: static_class.as_ref(), closure: closure.as_ref() }
}

/// The stack and innermost run of a fiber, or of the thread outside of fibers.
struct Context {
    stack: Option<Stack>,
    innermost: *const Run,
}

/// The value of a function that has ended.
fn returned(result: PhpResult<Exit>) -> PhpResult<Val> {
    match result? {
        Exit::Return(value) => Ok(value),
        Exit::Yield { .. } | Exit::Delegate(_) => unreachable!("only generator bodies yield"),
    }
}

/// Lets `f` make a frame at the top of the stack and execute it. `f` gets the run, the frame's place, and the frame below: the
/// frame that the call comes from, in whose run the new one runs; or null if a run of its own is begun, which is so for the first
/// run, above frames of other kinds, and while the run's machine executes an instruction.
fn run_frames<R>(f: impl FnOnce(&mut Run, *mut Frame, *mut Frame) -> R) -> R {
    let Some(vm) = Vm::current() else { unreachable!("code runs in an engine") };
    let run = INNERMOST.get().cast_mut();
    // SAFETY: the innermost run and its frames are alive; the code that called out of it finds it as it was.
    unsafe {
        if !run.is_null() && !(*run).frame.is_null() && !(*run).is_stepping && vm.frames.ends_with_segment(run.cast()) {
            let below = (*run).frame;
            (*run).check_row(Runs::UserCode);
            let frame = Frame::end(below).max((*run).floor).cast();
            let floor = std::mem::replace(&mut (*run).floor, std::ptr::null_mut());
            let result = f(&mut *run, frame, below);
            (*run).frame = below;
            (*run).floor = floor;
            #[cfg(feature = "loop-dispatch")]
            {
                (*run).is_running = true;
            }
            return result;
        }
    }
    let base = top_of_stack();
    let scope = RunScope::enter(vm, base);
    // SAFETY: only this activation changes the run while it is in use.
    f(unsafe { &mut *scope.segment.run() }, base.cast(), std::ptr::null_mut())
}

thread_local! {
    /// The innermost run, or null.
    static INNERMOST: Cell<*const Run> = const { Cell::new(std::ptr::null()) };
    /// Runs that have ended, which the next runs use again.
    static ENDED: RefCell<Vec<Rc<RunSegment>>> = const { RefCell::new(Vec::new()) };
}

/// Where the frames of a new run start.
fn top_of_stack() -> *mut u8 {
    let run = INNERMOST.get();
    if run.is_null() {
        return with_stack(|stack| stack.base());
    }
    // SAFETY: the innermost run and its innermost frame are alive.
    unsafe {
        let end = if (*run).frame.is_null() { (*run).base } else { Frame::end((*run).frame) };
        end.max((*run).floor)
    }
}

/// Keeps a run the innermost one until it is dropped.
struct RunScope {
    vm: &'static Vm,
    outer: *const Run,
    segment: Rc<RunSegment>,
}

impl RunScope {
    /// Begins a run whose frames start at `base`.
    fn enter(vm: &'static Vm, base: *mut u8) -> RunScope {
        let ended = ENDED.with_borrow_mut(Vec::pop);
        let segment = match ended {
            Some(segment) => {
                // SAFETY: nobody uses a run that has ended.
                unsafe { (*segment.run()).start_again(vm, base) };
                segment
            }
            None => Rc::new(RunSegment::new(Run::new(vm, base))),
        };
        vm.frames.push_segment(segment.clone());
        RunScope { vm, outer: INNERMOST.replace(segment.run()), segment }
    }
}

impl Drop for RunScope {
    fn drop(&mut self) {
        let run = self.segment.run();
        let panicking = std::thread::panicking();
        // SAFETY: the run and its frames are still in place.
        unsafe {
            if panicking {
                // The script ends in a fatal error: shutdown functions and destructors still find the variables of symbol tables.
                leave::give_variables_back((*run).frame);
            }
            (*run).frame = std::ptr::null_mut();
        }
        INNERMOST.set(self.outer);
        self.vm.frames.pop();
        if !panicking && Rc::strong_count(&self.segment) == 1 {
            ENDED.with_borrow_mut(|ended| ended.push(self.segment.clone()));
        }
    }
}
