//! Generators: suspended activations in Generator objects.

use crate::machine::{Activation, Exit, Flow, Machine, OnReturn, Pending};
use phlox_runtime::iteration::{self, Traversal};
use phlox_runtime::{
    Call, Frame, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Slot, Throw, Thrown, Val, View, Vm,
};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A suspended body, in the form of the engine that runs it.
pub trait Body {
    /// Its frame, for Reflection and traces.
    fn frame(&self) -> Rc<Frame>;
    /// The frame, if it exists as an object already.
    fn known_frame(&self) -> Option<Rc<Frame>>;
    /// Where it is suspended.
    fn pc(&self) -> u32;
    /// Shows the collector every value held.
    fn trace(&self, visit: &mut dyn FnMut(&Val));
    /// Runs until it suspends again, when it gives itself back, or ends. `fresh`: nothing ran yet.
    fn resume(self: Box<Self>, vm: &Vm, how: Resume, fresh: bool) -> (PhpResult<Exit>, Option<Box<dyn Body>>);
}

/// What a suspended body needs to go on.
struct Suspended {
    act: Activation,
    stack: Vec<Val>,
    pending: Vec<Pending>,
}

impl Body for Suspended {
    fn frame(&self) -> Rc<Frame> {
        self.act.frame.clone()
    }

    fn known_frame(&self) -> Option<Rc<Frame>> {
        Some(self.frame())
    }

    fn pc(&self) -> u32 {
        self.act.pc.saturating_sub(1)
    }

    fn trace(&self, visit: &mut dyn FnMut(&Val)) {
        let frame = &self.act.frame;
        // A frame that something else holds (a trace being built) is not only ours.
        for index in 0..frame.local_count() {
            frame.local(index).trace(visit);
        }
        for value in &self.stack {
            visit(value);
        }
    }

    fn resume(self: Box<Self>, vm: &Vm, how: Resume, fresh: bool) -> (PhpResult<Exit>, Option<Box<dyn Body>>) {
        let mut machine = Machine::new(vm);
        machine.restore(*self);
        let started = match how {
            Resume::Send(value) => {
                if !fresh {
                    machine.push(value);
                }
                Ok(())
            }
            Resume::Throw(throw) => {
                let act = machine.act();
                let pc = if fresh { act.pc } else { act.pc - 1 };
                act.frame.pc.set(pc);
                machine.unwind(throw)
            }
        };
        let outcome = started.and_then(|()| machine.run());
        let body = match outcome {
            Ok(Exit::Yield { .. } | Exit::Delegate(_)) => machine.suspend_body(),
            _ => None,
        };
        (outcome, body.map(|body| -> Box<dyn Body> { Box::new(body) }))
    }
}

/// What `yield from` iterates.
struct Delegate {
    /// The array, Generator or Traversable, for the collector.
    source: Slot,
    progress: Progress,
}

enum Progress {
    /// Position of the next element.
    Array(u32),
    Generator,
    Traversable {
        traversal: Traversal,
        started: bool,
    },
}

impl Delegate {
    fn trace(&self, visit: &mut dyn FnMut(&Val)) {
        self.source.trace(visit);
    }

    fn generator(&self) -> Option<PhpObj> {
        if matches!(self.progress, Progress::Generator) { self.source.get().into_obj() } else { None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing ran yet.
    Fresh,
    Suspended,
    Running,
    Done,
}

/// The native part of a Generator object.
pub struct GeneratorData {
    body: RefCell<Option<Box<dyn Body>>>,
    delegate: RefCell<Option<Delegate>>,
    state: Cell<State>,
    key: Slot,
    value: Slot,
    result: Slot,
    /// Next automatic key.
    auto_key: Cell<i64>,
    /// The body returned (rather than threw).
    returned: Cell<bool>,
    /// A `yield` happened after the first one, so `rewind()` is too late.
    advanced: Cell<bool>,
    by_ref: bool,
    /// The body's frame, which lives until the body ends.
    frame: RefCell<std::rc::Weak<Frame>>,
}

impl GeneratorData {
    /// The body's frame; `None` when the body has ended.
    pub fn frame(&self) -> Option<Rc<Frame>> {
        if let Some(body) = &*self.body.borrow() {
            return Some(body.frame());
        }
        self.frame.borrow().upgrade().filter(|_| self.state.get() != State::Done)
    }

    /// The generator that `yield from` delegates to.
    pub fn delegate_generator(&self) -> Option<PhpObj> {
        self.delegate.borrow().as_ref().and_then(Delegate::generator)
    }
}

impl NativeData for GeneratorData {
    fn trace(&self, visit: &mut dyn FnMut(&Val)) {
        for slot in [&self.key, &self.value, &self.result] {
            slot.trace(visit);
        }
        // A running body is on the machine's stack, which is a root.
        if let Ok(body) = self.body.try_borrow() {
            if let Some(body) = &*body {
                body.trace(visit);
            }
        }
        if let Ok(delegate) = self.delegate.try_borrow()
            && let Some(delegate) = &*delegate
        {
            delegate.trace(visit);
        }
    }

    fn clear(&self) {
        let body = self.body.borrow_mut().take();
        self.state.set(State::Done);
        drop(body);
        drop(self.delegate.borrow_mut().take());
        for slot in [&self.key, &self.value, &self.result] {
            slot.set(Val::NULL);
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for GeneratorData {
    /// A body suspended inside `try` runs its `finally` blocks when the generator goes away.
    fn drop(&mut self) {
        let Some(body) = self.body.borrow_mut().take() else { return };
        let Some(vm) = Vm::current() else { return };
        if self.state.get() == State::Suspended {
            destroy(vm, body);
        }
    }
}

/// Runs the `finally` blocks that protect the suspension point.
fn destroy(vm: &Vm, body: Box<dyn Body>) {
    let frame = body.frame();
    let pc = body.pc();
    let code = frame.func.code();
    let covers = |entry: &phlox_hhbc::EhEntry| {
        let catch_all = matches!(&entry.kind, phlox_hhbc::EhKind::Catch(clauses)
            if clauses.iter().any(|(name, _)| frame.func.unit.str(*name).is_empty()));
        catch_all && entry.start.0 <= pc && pc < entry.end.0
    };
    if !code.eh.iter().any(covers) {
        return;
    }
    let Ok(marker) = vm.make_throwable(b"Error", b"Generator destroyed", 0) else { return };
    let marker_id = marker.clone();
    vm.destroying.borrow_mut().push(marker.clone());
    let (result, body) = body.resume(vm, Resume::Throw(Throw::Exception(marker)), false);
    drop(body);
    vm.destroying.borrow_mut().retain(|other| !other.ptr_eq(&marker_id));
    match result {
        Err(Throw::Exception(exception)) if exception.ptr_eq(&marker_id) => {}
        Err(throw) => vm.set_pending(throw),
        Ok(_) => {}
    }
}

/// A Generator object of a body at its start.
pub fn create(vm: &Vm, body: Box<dyn Body>, by_ref: bool) -> PhpResult<PhpObj> {
    let class = vm.require_class(b"Generator")?;
    let object = vm.instantiate_unchecked(&class)?;
    object.set_native(Rc::new(GeneratorData {
        body: RefCell::new(Some(body)),
        delegate: RefCell::new(None),
        state: Cell::new(State::Fresh),
        key: Slot::new(Val::NULL),
        value: Slot::new(Val::NULL),
        result: Slot::new(Val::NULL),
        auto_key: Cell::new(0),
        returned: Cell::new(false),
        advanced: Cell::new(false),
        by_ref,
        frame: RefCell::default(),
    }));
    Ok(object)
}

impl Machine<'_> {
    /// CreateCont: the activation moves into a Generator object, which the caller gets.
    pub fn create_generator(&mut self) -> PhpResult<Flow> {
        let Some(mut act) = self.acts.pop() else { return Ok(Flow::Next) };
        self.vm.frames.pop();
        act.pc = act.frame.pc.get() + 1;
        let on_return = act.on_return;
        act.on_return = OnReturn::Finish;
        let stack = self.stack.split_off(act.stack_base);
        let pending = self.pending.split_off(act.pending_base);
        let by_ref = act.frame.func.returns_by_ref();
        let object = create(self.vm, Box::new(Suspended { act, stack, pending }), by_ref)?;
        match on_return {
            OnReturn::Finish => Ok(self.stop(Exit::Return(object.into()))),
            OnReturn::Push => {
                self.act().pc += 1;
                self.push(object.into());
                Ok(Flow::Switch)
            }
        }
    }

    fn restore(&mut self, body: Suspended) {
        let Suspended { mut act, stack, pending } = body;
        act.stack_base = 0;
        act.pending_base = 0;
        self.stack = stack;
        self.pending = pending;
        self.vm.frames.push(act.frame.clone());
        self.acts.push(act);
    }

    fn suspend_body(&mut self) -> Option<Suspended> {
        let act = self.acts.pop()?;
        self.vm.frames.pop();
        Some(Suspended { act, stack: std::mem::take(&mut self.stack), pending: std::mem::take(&mut self.pending) })
    }
}

/// How a body is resumed.
pub enum Resume {
    Send(Val),
    Throw(Throw),
}

fn data(object: &PhpObj) -> Rc<GeneratorData> {
    let native = object.native_data();
    let data = native.and_then(|native| {
        let any: Rc<dyn NativeData> = native;
        downcast(any)
    });
    data.unwrap_or_else(|| unreachable!("Generator objects are made with their data"))
}

fn downcast(native: Rc<dyn NativeData>) -> Option<Rc<GeneratorData>> {
    if native.as_any().is::<GeneratorData>() {
        let any: Rc<dyn Any> = native;
        any.downcast().ok()
    } else {
        None
    }
}

/// Runs the body until it yields, returns or throws.
fn resume(vm: &Vm, object: &PhpObj, how: Resume) -> PhpResult<()> {
    let generator = data(object);
    if generator.state.get() == State::Running {
        return Err(vm.throw_error(b"Cannot resume an already running generator"));
    }
    if vm.depth.get() >= phlox_runtime::callables::NATIVE_DEPTH_MAX {
        return Err(vm.fatal(b"Maximum call stack size reached. Infinite recursion?"));
    }
    vm.depth.set(vm.depth.get() + 1);
    let result = resume_inner(vm, &generator, how);
    vm.depth.set(vm.depth.get() - 1);
    result
}

fn resume_inner(vm: &Vm, generator: &Rc<GeneratorData>, mut how: Resume) -> PhpResult<()> {
    loop {
        // A delegate is asked before the body goes on.
        if generator.delegate.borrow().is_some() {
            match step_delegate(vm, generator, how) {
                Ok(DelegateStep::Yielded) => return Ok(()),
                Ok(DelegateStep::Finished(value)) => how = Resume::Send(value),
                Err(throw) => how = Resume::Throw(throw),
            }
            generator.delegate.borrow_mut().take();
        }
        let Some(body) = generator.body.borrow_mut().take() else { return Ok(()) };
        let fresh = generator.state.get() == State::Fresh;
        generator.state.set(State::Running);
        generator.frame.replace(body.known_frame().map_or_else(std::rc::Weak::new, |frame| Rc::downgrade(&frame)));
        let (outcome, body) = body.resume(vm, how, fresh);
        match outcome {
            Ok(Exit::Yield { key, value }) => {
                store_yield(generator, key, value);
                *generator.body.borrow_mut() = body;
                generator.state.set(State::Suspended);
                return Ok(());
            }
            Ok(Exit::Delegate(source)) => {
                let delegate = start_delegate(vm, generator, &source);
                *generator.body.borrow_mut() = body;
                generator.state.set(State::Suspended);
                match delegate {
                    Ok(delegate) => {
                        *generator.delegate.borrow_mut() = Some(delegate);
                        // The first look at a delegate does not advance it.
                        how = match first_delegate(vm, generator) {
                            Ok(DelegateStep::Yielded) => return Ok(()),
                            Ok(DelegateStep::Finished(value)) => Resume::Send(value),
                            Err(throw) => Resume::Throw(throw),
                        };
                        generator.delegate.borrow_mut().take();
                    }
                    Err(throw) => how = Resume::Throw(throw),
                }
            }
            Ok(Exit::Return(value)) => {
                finish(generator);
                generator.result.set(value.into_deref());
                generator.returned.set(true);
                return Ok(());
            }
            Err(throw) => {
                finish(generator);
                return Err(throw);
            }
        }
    }
}

fn finish(generator: &GeneratorData) {
    generator.state.set(State::Done);
    generator.key.set(Val::NULL);
    generator.value.set(Val::NULL);
}

fn store_yield(generator: &GeneratorData, key: Option<Val>, value: Val) {
    let key = match key {
        Some(key) => {
            if let Some(int) = key.as_int() {
                if int >= generator.auto_key.get() {
                    generator.auto_key.set(int.wrapping_add(1));
                }
            }
            key
        }
        None => {
            let next = generator.auto_key.get();
            generator.auto_key.set(next.wrapping_add(1));
            Val::int(next)
        }
    };
    generator.key.set(key);
    generator.value.set(if generator.by_ref { value } else { value.into_deref() });
}

enum DelegateStep {
    Yielded,
    Finished(Val),
}

fn start_delegate(vm: &Vm, generator: &GeneratorData, source: &Val) -> PhpResult<Delegate> {
    match source.view() {
        View::Ref(reference) => start_delegate(vm, generator, &reference.get()),
        View::Arr(array) => Ok(Delegate { source: Slot::new(array.into()), progress: Progress::Array(0) }),
        View::Obj(object) if object.native::<GeneratorData>().is_some() => {
            let inner = data(object);
            if std::ptr::eq(&*inner, generator) {
                return Err(vm.throw_error(b"Impossible to yield from the Generator being currently run"));
            }
            if inner.state.get() == State::Done && !inner.returned.get() {
                return Err(vm.throw_error(
                    b"Generator passed to yield from was aborted without proper return and is unable to continue",
                ));
            }
            if inner.state.get() == State::Running {
                return Err(vm.throw_error(b"Impossible to yield from the Generator being currently run"));
            }
            Ok(Delegate { source: Slot::new(object.into()), progress: Progress::Generator })
        }
        View::Obj(object) if iteration::is_traversable(vm, object) => {
            let traversal = Traversal::start(vm, object, false)?;
            Ok(Delegate {
                source: Slot::new(object.into()),
                progress: Progress::Traversable { traversal, started: false },
            })
        }
        _ => Err(vm.throw_error(b"Can use \"yield from\" only with arrays and Traversables")),
    }
}

/// Shows the delegate's current element without advancing it.
fn first_delegate(vm: &Vm, generator: &Rc<GeneratorData>) -> PhpResult<DelegateStep> {
    let inner = generator.delegate.borrow().as_ref().and_then(Delegate::generator);
    match inner {
        Some(inner) => {
            ensure_started(vm, &inner)?;
            Ok(mirror(generator, &inner))
        }
        None => step_delegate(vm, generator, Resume::Send(Val::NULL)),
    }
}

fn mirror(generator: &GeneratorData, inner: &PhpObj) -> DelegateStep {
    let inner = data(inner);
    if inner.state.get() == State::Done {
        return DelegateStep::Finished(inner.result.get());
    }
    generator.key.set(inner.key.get());
    generator.value.set(inner.value.get());
    DelegateStep::Yielded
}

fn step_delegate(vm: &Vm, generator: &Rc<GeneratorData>, how: Resume) -> PhpResult<DelegateStep> {
    let Some(mut delegate) = generator.delegate.borrow_mut().take() else {
        return Ok(DelegateStep::Finished(Val::NULL));
    };
    let state = generator.state.replace(State::Running);
    let result = advance_delegate(vm, generator, &mut delegate, how);
    generator.state.set(state);
    *generator.delegate.borrow_mut() = Some(delegate);
    result
}

fn advance_delegate(
    vm: &Vm,
    generator: &Rc<GeneratorData>,
    delegate: &mut Delegate,
    how: Resume,
) -> PhpResult<DelegateStep> {
    let source = delegate.source.get();
    match (&mut delegate.progress, how) {
        (Progress::Generator, how) => {
            let Some(inner) = &source.as_obj().cloned() else { return Ok(DelegateStep::Finished(Val::NULL)) };
            if data(inner).state.get() != State::Done {
                resume(vm, inner, how)?;
            }
            Ok(mirror(generator, inner))
        }
        (_, Resume::Throw(throw)) => Err(throw),
        (Progress::Array(position), _) => {
            let element = |array: &PhpArr| {
                let at = array.position_from(*position)?;
                array.at(at).map(|(key, value)| (at, key.to_val(), value.deref()))
            };
            match source.as_arr().and_then(element) {
                Some((at, key, value)) => {
                    generator.key.set(key);
                    generator.value.set(value);
                    *position = at + 1;
                    Ok(DelegateStep::Yielded)
                }
                None => Ok(DelegateStep::Finished(Val::NULL)),
            }
        }
        (Progress::Traversable { traversal, started }, _) => {
            if std::mem::replace(started, true) {
                traversal.advance(vm)?;
            }
            if !traversal.valid(vm)? {
                return Ok(DelegateStep::Finished(Val::NULL));
            }
            generator.value.set(traversal.current(vm)?.into_deref());
            generator.key.set(traversal.key(vm)?);
            Ok(DelegateStep::Yielded)
        }
    }
}

/// Runs to the first yield.
fn ensure_started(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    let generator = data(object);
    // A generator that others delegate from may have been moved on by them.
    sync_with_delegate(&generator);
    if generator.state.get() == State::Fresh {
        resume(vm, object, Resume::Send(Val::NULL))?;
    }
    Ok(())
}

/// The current element of a shared delegate is the delegating generator's, too.
fn sync_with_delegate(generator: &GeneratorData) {
    if generator.state.get() != State::Suspended {
        return;
    }
    let inner = generator.delegate.borrow().as_ref().and_then(Delegate::generator);
    if let Some(inner) = inner {
        let inner = data(&inner);
        if inner.state.get() == State::Suspended {
            generator.key.set(inner.key.get());
            generator.value.set(inner.value.get());
        }
    }
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    Ok(data(call.this()).value.get())
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    Ok(data(call.this()).key.get_deref())
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    data(call.this()).advanced.set(true);
    resume_if_live(call, Resume::Send(Val::NULL))?;
    Ok(Val::NULL)
}

fn resume_if_live(call: &Call<'_>, how: Resume) -> PhpResult<()> {
    if data(call.this()).state.get() == State::Done {
        return match how {
            Resume::Throw(throw) => Err(throw),
            Resume::Send(_) => Ok(()),
        };
    }
    resume(call.vm, call.this(), how)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    Ok(Val::bool(data(call.this()).state.get() != State::Done))
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    if data(call.this()).advanced.get() {
        return Err(call.vm.throw_class(b"Exception", b"Cannot rewind a generator that was already run", 0));
    }
    Ok(Val::NULL)
}

fn send(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    let value = call.arg(0);
    data(call.this()).advanced.set(true);
    resume_if_live(call, Resume::Send(value))?;
    Ok(data(call.this()).value.get_deref())
}

fn throw(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    let Some(exception) = call.opt_obj(0) else { return Ok(Val::NULL) };
    data(call.this()).advanced.set(true);
    resume_if_live(call, Resume::Throw(Throw::Exception(exception)))?;
    Ok(data(call.this()).value.get_deref())
}

fn get_return(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    let generator = data(call.this());
    if generator.returned.get() {
        return Ok(generator.result.get());
    }
    let text: &[u8] = b"Cannot get return value of a generator that hasn't returned";
    Err(call.vm.throw(Thrown::Exception, text))
}

/// What `var_dump` shows: the function's name.
fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut shown = PhpArr::new();
    let generator = data(object);
    if let Some(body) = &*generator.body.borrow() {
        shown.set_bytes(b"function", Val::str(&body.frame().func.display_name()));
    }
    Ok(shown)
}

/// The builtin classes that need the interpreter.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Generator",
    decl: "final class Generator implements Iterator {
        public function rewind(): void {}
        public function valid(): bool {}
        public function current(): mixed {}
        public function key(): mixed {}
        public function next(): void {}
        public function send(mixed $value): mixed {}
        public function throw(Throwable $exception): mixed {}
        public function getReturn(): mixed {}
    }",
    methods: &[
        ("rewind", rewind),
        ("valid", valid),
        ("current", current),
        ("key", key),
        ("next", next),
        ("send", send),
        ("throw", throw),
        ("getReturn", get_return),
    ],
    hooks: phlox_runtime::class::NativeHooks {
        no_clone: true,
        no_serialize: true,
        no_dynamic: true,
        steps_silently: true,
        debug_info: Some(debug_info),
        no_new: Some("The \"Generator\" class is reserved for internal use and cannot be manually instantiated"),
        ..phlox_runtime::class::NativeHooks::NONE
    },
}];
