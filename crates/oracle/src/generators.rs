//! Generators: Generator objects and their suspended bodies.

mod close;
mod inline;
mod resume;

use crate::machine::{Activation, Exit, Flow, Machine, OnReturn, Pending};
pub use inline::{check_start, inner_threw, is_untouched};
use phlox_hhbc::FuncFlags;
use phlox_runtime::iteration::Traversal;
use phlox_runtime::{
    Call, ClassExt, Edges, Frame, Func, KnownClass, NativeClass, NativeData, PhpArr, PhpObj, PhpResult, Slot, Throw,
    Thrown, Val, Vm,
};
pub use resume::{Resume, delegate, resume};
use resume::{current_leaf, ensure_started};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// A suspended body, in the form of the interpreter that runs it.
pub trait Body {
    /// The body's frame, for Reflection and traces.
    fn frame(&self) -> Rc<Frame>;
    /// The HHBC position at which the body is suspended.
    fn pc(&self) -> u32;
    /// Shows the cycle collector every value that the body holds.
    fn trace(&self, edges: &mut Edges);
    /// Runs the body until it suspends again, when it gives itself back, or ends. `fresh`: the body has not begun yet.
    fn resume(self: Box<Self>, vm: &Vm, how: Resume, fresh: bool) -> (PhpResult<Exit>, Option<Box<dyn Body>>);
}

/// A suspended body of the reference interpreter.
struct Suspended {
    act: Activation,
    stack: Vec<Val>,
    pending: Vec<Pending>,
}

impl Body for Suspended {
    fn frame(&self) -> Rc<Frame> {
        self.act.frame.clone()
    }

    fn pc(&self) -> u32 {
        self.act.pc.saturating_sub(1)
    }

    fn trace(&self, edges: &mut Edges) {
        let frame = &self.act.frame;
        // A frame that somebody else holds, such as a trace being built, is not the body's alone.
        if Rc::strong_count(frame) > 1 {
            return;
        }
        frame.trace(&mut Vec::new(), edges);
        let callees = self.pending.iter().filter_map(|pending| pending.callee.as_ref());
        for object in callees.flat_map(|callee| callee.this.iter().chain(&callee.closure)) {
            edges.object(object);
        }
        for value in &self.stack {
            edges.value(value);
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

/// What `yield from` iterates over.
struct Delegate {
    /// The array, Generator or Traversable, for the cycle collector.
    source: Slot,
    progress: Progress,
}

enum Progress {
    /// Position of the next element.
    Array(u32),
    Generator,
    Traversable {
        traversal: Rc<Traversal>,
        started: bool,
    },
}

impl Delegate {
    fn trace(&self, edges: &mut Edges) {
        self.source.trace(edges);
    }

    fn generator(&self) -> Option<PhpObj> {
        if matches!(self.progress, Progress::Generator) { self.source.get().into_obj() } else { None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The body has not begun.
    Fresh,
    Suspended,
    Running,
    Done,
}

/// The native part of a Generator object.
pub struct GeneratorData {
    body: RefCell<Option<Box<dyn Body>>>,
    delegate: RefCell<Option<Delegate>>,
    /// The generators that this one delegates to; see [`GeneratorData::with_line`].
    line: RefCell<VecDeque<PhpObj>>,
    state: Cell<State>,
    /// Undefined until something is yielded. The last value stays when the body has ended, for generators that delegate to this
    /// one.
    key: Slot,
    value: Slot,
    result: Slot,
    /// The result of a `yield from` whose generator has ended, until the body goes on.
    sent: Slot,
    /// The next automatic key.
    auto_key: Cell<i64>,
    /// The body has returned and not thrown.
    returned: Cell<bool>,
    /// The body is suspended at its first `yield`, so that `rewind()` is allowed.
    at_first_yield: Cell<bool>,
    /// The object is being destroyed: only `finally` blocks run, and they must not yield.
    closing: Cell<bool>,
    by_ref: bool,
    func: Rc<Func>,
    /// The closure whose function the body is; it lives as long as the generator.
    closure: Slot,
    /// The frame of the body while it runs.
    frame: RefCell<std::rc::Weak<Frame>>,
}

impl GeneratorData {
    /// The body's frame; `None` if the body has ended.
    pub fn frame(&self) -> Option<Rc<Frame>> {
        if let Some(body) = &*self.body.borrow() {
            return Some(body.frame());
        }
        self.frame.borrow().upgrade().filter(|_| self.state.get() != State::Done)
    }

    /// The function whose body the generator runs.
    pub fn func(&self) -> &Rc<Func> {
        &self.func
    }

    /// The closure whose function the body is, or null.
    pub fn closure(&self) -> Val {
        self.closure.get()
    }

    /// The generator that `yield from` delegates to.
    pub fn delegate_generator(&self) -> Option<PhpObj> {
        self.delegate.try_borrow().ok()?.as_ref().and_then(Delegate::generator)
    }

    fn is_done(&self) -> bool {
        self.state.get() == State::Done
    }
}

impl NativeData for GeneratorData {
    fn trace(&self, edges: &mut Edges) {
        for slot in [&self.key, &self.value, &self.result, &self.sent, &self.closure] {
            slot.trace(edges);
        }
        // A running body is on a stack of frames, which is a root.
        if self.state.get() != State::Running
            && let Ok(body) = self.body.try_borrow()
            && let Some(body) = &*body
        {
            body.trace(edges);
        }
        if let Ok(line) = self.line.try_borrow() {
            line.iter().for_each(|generator| edges.object(generator));
        }
        if let Ok(delegate) = self.delegate.try_borrow()
            && let Some(delegate) = &*delegate
        {
            delegate.trace(edges);
        }
    }

    fn clear(&self) {
        if self.state.get() != State::Running {
            let body = self.body.borrow_mut().take();
            self.state.set(State::Done);
            drop(body);
        }
        let line = self.line.take();
        drop(line);
        let delegate = self.delegate.borrow_mut().take();
        drop(delegate);
        for slot in [&self.key, &self.value, &self.result, &self.sent, &self.closure] {
            slot.set(Val::NULL);
        }
    }
}

/// A Generator object for the body of a function that has not begun; `closure`: the closure whose function it is.
pub fn create(vm: &Vm, body: Box<dyn Body>, func: Rc<Func>, closure: Option<PhpObj>) -> PhpResult<PhpObj> {
    if close::finally_blocks(&func).next().is_some() {
        // The `finally` blocks run when the object is freed.
        phlox_runtime::note_destructors();
    }
    let object = vm.instantiate_unchecked(vm.known_class(KnownClass::Generator)?)?;
    object.set_native(Rc::new(GeneratorData {
        body: RefCell::new(Some(body)),
        delegate: RefCell::new(None),
        line: RefCell::default(),
        state: Cell::new(State::Fresh),
        key: Slot::new(Val::UNDEF),
        value: Slot::new(Val::UNDEF),
        result: Slot::new(Val::NULL),
        sent: Slot::new(Val::UNDEF),
        auto_key: Cell::new(0),
        returned: Cell::new(false),
        at_first_yield: Cell::new(false),
        closing: Cell::new(false),
        by_ref: func.returns_by_ref(),
        func,
        closure: Slot::new(closure.map_or(Val::NULL, Val::from)),
        frame: RefCell::default(),
    }));
    Ok(object)
}

impl Machine<'_> {
    /// CreateCont: moves the activation into a Generator object, which the caller gets.
    pub fn create_generator(&mut self) -> PhpResult<Flow> {
        let Some(mut act) = self.acts.pop() else { return Ok(Flow::Next) };
        self.vm.frames.pop();
        act.pc = act.frame.pc.get() + 1;
        let on_return = act.on_return;
        act.on_return = OnReturn::Finish;
        let stack = self.stack.split_off(act.stack_base);
        let pending = self.pending.split_off(act.pending_base);
        let (func, closure) = (act.frame.func.clone(), act.frame.closure.clone());
        let object = create(self.vm, Box::new(Suspended { act, stack, pending }), func, closure)?;
        match on_return {
            OnReturn::Finish => Ok(self.stop(Exit::Return(object.into()))),
            OnReturn::Push => {
                self.act().pc += 1;
                self.push(object.into());
                Ok(Flow::Switch)
            }
        }
    }

    /// Puts a suspended body into the machine, which is empty.
    fn restore(&mut self, body: Suspended) {
        let Suspended { mut act, stack, pending } = body;
        act.stack_base = 0;
        act.pending_base = 0;
        self.stack = stack;
        self.pending = pending;
        self.vm.frames.push(act.frame.clone());
        self.acts.push(act);
    }

    /// Takes the body out of the machine, whose only activation it is.
    fn suspend_body(&mut self) -> Option<Suspended> {
        let act = self.acts.pop()?;
        self.vm.frames.pop();
        Some(Suspended { act, stack: std::mem::take(&mut self.stack), pending: std::mem::take(&mut self.pending) })
    }
}

fn data(object: &PhpObj) -> &GeneratorData {
    object.native().unwrap_or_else(|| unreachable!("Generator objects are made with their data"))
}

/// The data of a Generator object, kept alive by a reference of its own.
fn counted_data(object: &PhpObj) -> Rc<GeneratorData> {
    object.native_counted().unwrap_or_else(|| unreachable!("Generator objects are made with their data"))
}

/// The key or value that the generator shows now: that of the innermost generator that it delegates to.
fn shown(vm: &Vm, object: &PhpObj, part: fn(&GeneratorData) -> &Slot) -> PhpResult<Val> {
    ensure_started(vm, object)?;
    let leaf = current_leaf(vm, object)?;
    let leaf = data(&leaf);
    if data(object).is_done() {
        return Ok(Val::NULL);
    }
    Ok(part(leaf).get().or_null())
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    shown(call.vm, call.this(), |generator| &generator.value)
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    shown(call.vm, call.this(), |generator| &generator.key).map(Val::into_deref)
}

/// The value and the key for an iteration of `foreach`. `None`: the generator has ended.
pub fn element(vm: &Vm, object: &PhpObj, wants_key: bool) -> PhpResult<Option<(Val, Val)>> {
    ensure_started(vm, object)?;
    let leaf = current_leaf(vm, object)?;
    let leaf = data(&leaf);
    if data(object).is_done() {
        return Ok(None);
    }
    let key = if wants_key { leaf.key.get_deref() } else { Val::NULL };
    Ok(Some((leaf.value.get().or_null(), key)))
}

fn next(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    resume(call.vm, call.this(), Resume::Send(Val::NULL))?;
    Ok(Val::NULL)
}

fn valid(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    current_leaf(call.vm, call.this())?;
    Ok(Val::bool(!data(call.this()).is_done()))
}

fn rewind(call: &mut Call<'_>) -> PhpResult<Val> {
    rewind_started(call.vm, call.this())?;
    Ok(Val::NULL)
}

/// Starts the generator if it has not begun; the error is that it has gone on behind its first `yield`.
fn rewind_started(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    ensure_started(vm, object)?;
    if !data(object).at_first_yield.get() {
        return Err(vm.throw_class(b"Exception", b"Cannot rewind a generator that was already run", 0));
    }
    Ok(())
}

fn send(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    if data(call.this()).is_done() {
        return Ok(Val::NULL);
    }
    let value = call.arg(0);
    resume(call.vm, call.this(), Resume::Send(value))?;
    shown(call.vm, call.this(), |generator| &generator.value).map(Val::into_deref)
}

fn throw(call: &mut Call<'_>) -> PhpResult<Val> {
    ensure_started(call.vm, call.this())?;
    let Some(exception) = call.opt_obj(0) else { return Ok(Val::NULL) };
    if data(call.this()).is_done() {
        return Err(Throw::Exception(exception));
    }
    resume(call.vm, call.this(), Resume::Throw(Throw::Exception(exception)))?;
    shown(call.vm, call.this(), |generator| &generator.value).map(Val::into_deref)
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

/// Checks that the generator can be iterated over: that it has not ended, and yields by reference if that is wanted.
fn check_iteration(vm: &Vm, object: &PhpObj, by_ref: bool) -> PhpResult<()> {
    let generator = data(object);
    let refused: &[u8] = if generator.is_done() {
        b"Cannot traverse an already closed generator"
    } else if by_ref && !generator.by_ref {
        b"You can only iterate a generator by-reference if it declared that it yields by-reference"
    } else {
        return Ok(());
    };
    Err(vm.throw(Thrown::Exception, refused))
}

/// The properties that `var_dump` shows: the function's name.
fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut shown = PhpArr::new();
    let func = &data(object).func;
    let name = match func.scope.get().filter(|_| !func.has(FuncFlags::CLOSURE)) {
        Some(class) => Val::str(&[&class.class().name[..], b"::", &func.name].concat()),
        None => (&func.name).into(),
    };
    shown.set_bytes(b"function", name);
    Ok(shown)
}

/// The builtin classes that need an interpreter.
pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "Generator",
    decl: include_str!("../stubs/Generator.stub.php"),
    methods: &[
        ("rewind", rewind),
        ("valid", valid),
        ("current", current),
        ("key", key),
        ("next", next),
        ("send", send),
        ("throw", throw),
        ("getReturn", get_return),
        ("__debugInfo", |call| debug_info(call.vm, call.this()).map(Val::from)),
    ],
    hooks: phlox_runtime::class::NativeHooks {
        no_clone: true,
        no_serialize: true,
        no_dynamic: true,
        steps_silently: true,
        debug_info: Some(debug_info),
        check_iteration: Some(check_iteration),
        current_element: Some(element),
        destruct: Some(close::destruct),
        seldom_destructs: true,
        no_new: Some("The \"Generator\" class is reserved for internal use and cannot be manually instantiated"),
        ..phlox_runtime::class::NativeHooks::NONE
    },
}];
