//! Fibers: PHP calls that run on a native stack of their own.

use phlox_coroutine::{Fiber, Step, Suspender};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::errors::ERROR_REPORTING;
use phlox_runtime::frame_stack::{Entry, frames_of};
use phlox_runtime::settings::FIBER_STACK_SIZE;
use phlox_runtime::{
    Args, Call, Callee, ClassExt, Edges, Frame, Func, NativeClass, NativeData, ObjExt, PhpObj, PhpResult, PhpStr, Slot,
    Throw, Thrown, Val, Vm,
};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How a fiber goes on.
enum Resume {
    Value(Val),
    Throw(PhpObj),
}

type Native = Fiber<Resume, Val, PhpResult<Val>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Init,
    Running,
    Suspended,
    Terminated,
}

/// The native part of a Fiber object.
pub struct FiberData {
    native: RefCell<Option<Rc<Native>>>,
    suspender: RefCell<Option<Suspender<Resume, Val>>>,
    status: Cell<Status>,
    callable: Slot,
    result: Slot,
    threw: Cell<bool>,
    /// The fiber's frames while the fiber is suspended.
    frames: RefCell<Vec<Entry>>,
    /// Where the fiber's frames start on the stack of frames while the fiber runs.
    base: Cell<usize>,
    depth: Cell<u32>,
    /// The interpreter's stack of the fiber; while the fiber runs, that of the code that has resumed it.
    stack: RefCell<Option<Box<dyn Any>>>,
    /// `Vm::native_floor` and `Vm::native_bytes` of the fiber.
    native_stack: Cell<(usize, usize)>,
    destroying: Cell<bool>,
    /// A fatal error has ended the fiber.
    bailed_out: Cell<bool>,
    /// The level of error reporting inside of the fiber.
    reporting: Cell<i64>,
}

/// The running fiber, if one runs.
#[derive(Default)]
struct Current(RefCell<Option<PhpObj>>);

impl NativeData for FiberData {
    fn trace(&self, edges: &mut Edges) {
        self.callable.trace(edges);
        self.result.trace(edges);
        // Only the frames of a fiber's stack are traced; other values there count as roots.
        if self.status.get() != Status::Suspended {
            return;
        }
        let Ok(entries) = self.frames.try_borrow() else { return };
        let mut seen: Vec<*const phlox_runtime::SymbolTable> =
            Vm::current().map(|vm| Rc::as_ptr(&vm.globals)).into_iter().collect();
        for entry in entries.iter() {
            entry.trace(&mut seen, edges);
        }
    }

    fn clear(&self) {
        self.callable.set(Val::NULL);
        self.result.set(Val::NULL);
    }
}

/// Runs the `finally` blocks of a suspended fiber that is being destroyed.
fn destruct(vm: &Vm, object: &PhpObj) {
    let Some(fiber) = object.native::<FiberData>() else { return };
    if fiber.status.get() != Status::Suspended {
        return;
    }
    let Ok(marker) = vm.make_throwable(b"Error", b"Fiber destroyed", 0) else { return };
    fiber.destroying.set(true);
    vm.destroying.borrow_mut().push(marker.clone());
    // Traces end with the fiber's own frames: nothing has called it.
    let outer = vm.frames.split_off(0);
    while fiber.status.get() == Status::Suspended {
        match switch(vm, fiber, Some(object), Resume::Throw(marker.clone())) {
            Err(Throw::Exception(exception)) if exception.ptr_eq(&marker) => {}
            Err(throw) => vm.set_pending(throw),
            Ok(_) => {}
        }
    }
    vm.frames.extend(outer);
    vm.destroying.borrow_mut().retain(|other| !other.ptr_eq(&marker));
}

fn create(_vm: &Vm, object: &PhpObj) {
    object.set_native(Rc::new(FiberData {
        native: RefCell::new(None),
        suspender: RefCell::new(None),
        status: Cell::new(Status::Init),
        callable: Slot::new(Val::NULL),
        result: Slot::new(Val::NULL),
        threw: Cell::new(false),
        base: Cell::new(0),
        frames: RefCell::default(),
        depth: Cell::new(0),
        stack: RefCell::default(),
        native_stack: Cell::new((0, 0)),
        destroying: Cell::new(false),
        bailed_out: Cell::new(false),
        reporting: Cell::new(0),
    }));
}

fn data<'a>(call: &'a Call<'_>) -> &'a FiberData {
    call.this().native().unwrap_or_else(|| unreachable!("Fiber objects are made with their data"))
}

fn fiber_error(vm: &Vm, text: &str) -> Throw {
    vm.throw(Thrown::FiberError, text.as_bytes())
}

/// The frames of a fiber that has been started and has not ended, outermost first.
pub fn frames(vm: &Vm, object: &PhpObj) -> Option<Vec<Rc<Frame>>> {
    let fiber = object.native::<FiberData>()?;
    match fiber.status.get() {
        Status::Init | Status::Terminated => None,
        Status::Suspended => Some(frames_of(&fiber.frames.borrow())),
        Status::Running => Some(vm.frames.all_from(fiber.base.get())),
    }
}

impl FiberData {
    /// The callable that the fiber runs, unless it has ended.
    pub fn callable(&self) -> Option<Val> {
        (self.status.get() != Status::Terminated).then(|| self.callable.get())
    }
}

/// Bytes of a fiber's native stack that nested calls leave to the parser, sorting, dumps and other code that does not check for
/// room.
const STACK_RESERVE: usize = 4 << 20;

/// Keeps the interpreter on a fiber's stack until it is dropped.
struct Swapped<'a> {
    vm: &'a Vm,
    fiber: &'a FiberData,
    /// The native stack limits of the code that has resumed the fiber.
    native_stack: (usize, usize),
}

impl Swapped<'_> {
    fn enter<'a>(vm: &'a Vm, fiber: &'a FiberData) -> Swapped<'a> {
        let mut stack = fiber.stack.take();
        vm.executor().swap_stack(&mut stack);
        fiber.stack.replace(stack);
        Swapped { vm, fiber, native_stack: vm.replace_native_stack(fiber.native_stack.get()) }
    }
}

impl Drop for Swapped<'_> {
    fn drop(&mut self) {
        let mut stack = self.fiber.stack.take();
        self.vm.executor().swap_stack(&mut stack);
        self.fiber.stack.replace(stack);
        self.fiber.native_stack.set(self.vm.replace_native_stack(self.native_stack));
    }
}

/// Marks a fiber that does not come back as ended by a fatal error.
struct BailOut<'f>(&'f FiberData);

impl Drop for BailOut<'_> {
    fn drop(&mut self) {
        self.0.status.set(Status::Terminated);
        self.0.bailed_out.set(true);
    }
}

/// Runs a fiber until it suspends or ends.
fn switch(vm: &Vm, fiber: &FiberData, object: Option<&PhpObj>, how: Resume) -> PhpResult<Val> {
    let native = fiber.native.borrow().clone();
    let Some(native) = native else { return Ok(Val::NULL) };
    let current = vm.data::<Current>("current fiber");
    let previous = current.0.replace(object.cloned());
    fiber.status.set(Status::Running);
    let base = vm.frames.len();
    fiber.base.set(base);
    vm.frames.extend(fiber.frames.take());
    let outer_depth = vm.depth.replace(fiber.depth.get());
    let outer_reporting = vm.errors.reporting.replace(fiber.reporting.get());
    let swapped = Swapped::enter(vm, fiber);
    let guard = BailOut(fiber);
    let step = native.resume(how);
    std::mem::forget(guard);
    drop(swapped);
    fiber.reporting.set(vm.errors.reporting.replace(outer_reporting));
    fiber.depth.set(vm.depth.replace(outer_depth));
    let frames = vm.frames.split_off(base);
    fiber.frames.replace(frames);
    current.0.replace(previous);
    match step {
        Some(Step::Suspended(value)) => {
            fiber.status.set(Status::Suspended);
            Ok(value)
        }
        Some(Step::Finished(result)) => {
            fiber.status.set(Status::Terminated);
            fiber.frames.borrow_mut().clear();
            match result {
                Ok(value) => {
                    fiber.result.set(value);
                    Ok(Val::NULL)
                }
                Err(throw) => {
                    fiber.threw.set(true);
                    Err(throw)
                }
            }
        }
        None => Err(fiber_error(vm, "Cannot switch fibers in current execution context")),
    }
}

/// The error is that fibers must not be switched at the moment.
fn check_switching(vm: &Vm) -> PhpResult<()> {
    match vm.switching_blocked.get() {
        0 => Ok(()),
        _ => Err(fiber_error(vm, "Cannot switch fibers in current execution context")),
    }
}

fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let fiber = data(call);
    if fiber.status.get() != Status::Init || !fiber.callable.get().is_null() {
        return Err(fiber_error(call.vm, "Cannot call constructor twice"));
    }
    fiber.callable.set(call.arg(0));
    Ok(Val::NULL)
}

/// The bytes that PHP takes for a fiber's stack where `fiber.stack_size` is not set.
const SHOWN_STACK_BYTES: usize = 2 << 20;

/// The least value of `fiber.stack_size`: two pages.
const MIN_STACK_BYTES: i64 = 8192;

/// The value of `fiber.stack_size`, if it is set. The fiber's real stack does not depend on it, only PHP's limits do.
fn configured_stack_size(vm: &Vm) -> Option<i64> {
    vm.ini.is_set(&FIBER_STACK_SIZE).then(|| vm.ini.get(&FIBER_STACK_SIZE))
}

fn start(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = Vm::current().unwrap_or_else(|| unreachable!("code runs in an engine"));
    check_switching(vm)?;
    let fiber = data(call);
    if fiber.status.get() != Status::Init {
        return Err(fiber_error(vm, "Cannot start a fiber that has already been started"));
    }
    let callee = vm.require_callable(&fiber.callable.get())?;
    let args = Args { positional: call.rest(0).to_vec(), named: call.take_named() };
    if let Some(size) = configured_stack_size(vm)
        && size < MIN_STACK_BYTES
    {
        let text = format!("Fiber stack size is too small, it needs to be at least {MIN_STACK_BYTES} bytes");
        return Err(vm.throw(Thrown::Exception, text.as_bytes()));
    }
    let this = call.this().clone();
    launch(vm, &this, data(call), callee, args)
}

/// Runs a call in a new fiber.
fn launch(vm: &'static Vm, object: &PhpObj, fiber: &FiberData, callee: Callee, args: Args) -> PhpResult<Val> {
    let shown_bytes = configured_stack_size(vm).map_or(SHOWN_STACK_BYTES, |size| size as usize);
    let shown_bytes = shown_bytes.saturating_sub(vm.reserved_stack_bytes());
    let Some(stack) = vm.executor().new_stack() else {
        return Err(fiber_error(vm, "Failed to allocate fiber stack"));
    };
    let native = Native::new(move |_, stack_bytes| {
        // The native stack begins near here; its last part is for code that does not check for room.
        let start = 0u8;
        vm.native_floor.set(((&raw const start) as usize).saturating_sub(stack_bytes - STACK_RESERVE));
        vm.native_bytes.set(shown_bytes);
        vm.call_owned(callee, args)
    });
    let Some(native) = native else { return Err(fiber_error(vm, "Failed to allocate fiber stack")) };
    fiber.stack.replace(Some(stack));
    fiber.reporting.set(vm.ini.get(&ERROR_REPORTING));
    fiber.suspender.replace(Some(native.suspender()));
    fiber.native.replace(Some(Rc::new(native)));
    switch(vm, fiber, Some(object), Resume::Value(Val::NULL))
}

/// The garbage whose destructor a fiber that is being started is to run.
#[derive(Default)]
struct Garbage(RefCell<Option<PhpObj>>);

/// Runs the destructor of an object that the cycle collector has found. Inside of a fiber it runs in a fiber of its own, so that
/// the destructor can suspend without suspending the collector.
pub fn destruct_garbage(object: &PhpObj) {
    let Some(vm) = Vm::current() else { return };
    let in_fiber = vm.data::<Current>("current fiber").0.borrow().is_some();
    if !in_fiber || object.class().magic.destruct.is_none() || vm.switching_blocked.get() > 0 {
        return phlox_runtime::destruct::run(object);
    }
    if let Err(throw) = destruct_in_fiber(vm, object) {
        vm.set_pending(throw);
    }
}

/// Runs the destructor of an object in a fiber of its own.
fn destruct_in_fiber(vm: &'static Vm, object: &PhpObj) -> PhpResult<()> {
    // An exception that is being thrown stays pending while the destructor runs.
    let waiting = vm.pending.borrow_mut().take();
    let class = vm.require_class(b"Fiber")?;
    let fiber = vm.instantiate(&class)?;
    let Some(data) = fiber.native::<FiberData>() else { return Ok(()) };
    let name = PhpStr::intern(b"gc_destructor_fiber");
    let func = Func::hidden(&class.class().unit, name, run_destructor);
    vm.data::<Garbage>("garbage").0.replace(Some(object.clone()));
    let result = launch(vm, &fiber, data, Callee::function(Rc::new(func)), Args::default());
    if let Some(waiting) = waiting {
        vm.set_pending(Throw::Exception(waiting));
    }
    result.map(drop)
}

/// The body of a fiber that runs a destructor.
fn run_destructor(call: &mut Call<'_>) -> PhpResult<Val> {
    let object = call.vm.data::<Garbage>("garbage").0.take();
    if let Some(object) = object {
        phlox_runtime::destruct::run(&object);
    }
    Ok(Val::NULL)
}

fn resume(call: &mut Call<'_>) -> PhpResult<Val> {
    let how = Resume::Value(call.arg(0));
    go_on(call, how)
}

fn throw(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(exception) = call.opt_obj(0) else { return Ok(Val::NULL) };
    go_on(call, Resume::Throw(exception))
}

/// Resumes the fiber of a method call.
fn go_on(call: &mut Call<'_>, how: Resume) -> PhpResult<Val> {
    check_switching(call.vm)?;
    if data(call).status.get() != Status::Suspended {
        return Err(fiber_error(call.vm, "Cannot resume a fiber that is not suspended"));
    }
    let this = call.this().clone();
    switch(call.vm, data(call), Some(&this), how)
}

fn suspend(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let current = vm.data::<Current>("current fiber").0.borrow().clone();
    let Some(object) = current else { return Err(fiber_error(vm, "Cannot suspend outside of a fiber")) };
    let Some(fiber) = object.native::<FiberData>() else { return Ok(Val::NULL) };
    if fiber.destroying.get() {
        return Err(fiber_error(vm, "Cannot suspend in a force-closed fiber"));
    }
    check_switching(vm)?;
    let suspender = fiber.suspender.borrow().clone();
    let value = call.arg(0);
    // The fiber's own stack must not keep the object alive.
    drop(object);
    match suspender.and_then(|suspender| suspender.suspend(value)) {
        Some(Resume::Value(value)) => Ok(value),
        Some(Resume::Throw(exception)) => Err(Throw::Exception(exception)),
        None => Err(fiber_error(vm, "Cannot switch fibers in current execution context")),
    }
}

fn get_return(call: &mut Call<'_>) -> PhpResult<Val> {
    let fiber = data(call);
    let reason = match fiber.status.get() {
        Status::Init => "The fiber has not been started",
        Status::Terminated if fiber.bailed_out.get() => "The fiber exited with a fatal error",
        Status::Terminated if fiber.threw.get() => "The fiber threw an exception",
        Status::Terminated => return Ok(fiber.result.get()),
        Status::Running | Status::Suspended => "The fiber has not returned",
    };
    let text = format!("Cannot get fiber return value: {reason}");
    Err(fiber_error(call.vm, &text))
}

fn is_started(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(data(call).status.get() != Status::Init))
}

fn is_suspended(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(data(call).status.get() == Status::Suspended))
}

fn is_running(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(data(call).status.get() == Status::Running))
}

fn is_terminated(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(data(call).status.get() == Status::Terminated))
}

fn get_current(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.data::<Current>("current fiber").0.borrow().clone().map_or(Val::NULL, Val::from))
}

/// The builtin classes of fibers.
pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Fiber",
        decl: include_str!("../stubs/Fiber.stub.php"),
        methods: &[
            ("__construct", construct),
            ("start", start),
            ("resume", resume),
            ("throw", throw),
            ("isStarted", is_started),
            ("isSuspended", is_suspended),
            ("isRunning", is_running),
            ("isTerminated", is_terminated),
            ("getReturn", get_return),
            ("suspend", suspend),
            ("getCurrent", get_current),
        ],
        hooks: NativeHooks {
            create: Some(create),
            destruct: Some(destruct),
            no_clone: true,
            no_serialize: true,
            ..NativeHooks::NONE
        },
    },
    NativeClass {
        name: "FiberError",
        decl: include_str!("../stubs/FiberError.stub.php"),
        methods: &[("__construct", forbid_construct)],
        hooks: NativeHooks::NONE,
    },
];

fn forbid_construct(call: &mut Call<'_>) -> PhpResult<Val> {
    Err(call
        .vm
        .throw_error(b"The \"FiberError\" class is reserved for internal use and cannot be manually instantiated"))
}
