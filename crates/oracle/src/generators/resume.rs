//! The resumption of generators. A generator that delegates with `yield from` to another one stands for it: the innermost generator
//! of the chain is resumed, and when it ends, the one around it. Chains are walked in loops, not by recursion.

use super::close::{finish, run_to_end};
use super::{Body, Delegate, GeneratorData, Progress, State, counted_data, data};
use crate::machine::Exit;
use phlox_runtime::iteration::{self, Traversal};
use phlox_runtime::{Edges, Frame, PhpArr, PhpObj, PhpResult, Segment, Slot, SymbolTable, Throw, Val, View, Visit, Vm};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::rc::Rc;

/// How a body goes on.
pub enum Resume {
    Send(Val),
    Throw(Throw),
}

/// The innermost generator of the chain.
pub fn leaf_of(object: &PhpObj) -> PhpObj {
    let outermost = data(object);
    outermost.find_line(object);
    outermost.with_line(|line| line.back().unwrap_or(object).clone())
}

/// The innermost generator that has not ended. One that has ended (because other code uses it, too) gives its result to the
/// generator around it; if it has none, that generator gets an exception.
pub fn current_leaf(vm: &Vm, object: &PhpObj) -> PhpResult<PhpObj> {
    loop {
        let leaf = leaf_of(object);
        if leaf.ptr_eq(object) || !data(&leaf).is_done() {
            return Ok(leaf);
        }
        Run::start(vm, object).settle()?;
    }
}

/// Runs a generator that has not begun to its first `yield`.
pub fn ensure_started(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    let generator = data(object);
    if generator.value.is_undef() && !generator.is_done() && generator.delegate_generator().is_none() {
        resume(vm, object, Resume::Send(Val::NULL))?;
        generator.at_first_yield.set(true);
    }
    Ok(())
}

/// Runs a generator until it yields, returns or throws.
pub fn resume(vm: &Vm, object: &PhpObj, how: Resume) -> PhpResult<()> {
    let leaf = current_leaf(vm, object)?;
    if data(&leaf).is_done() {
        return match how {
            Resume::Throw(throw) if leaf.ptr_eq(object) => Err(throw),
            _ => Ok(()),
        };
    }
    vm.check_native_stack()?;
    vm.depth.set(vm.depth.get() + 1);
    let result = Run::start(vm, object).advance(how, false);
    vm.depth.set(vm.depth.get() - 1);
    result
}

/// Starts a `yield from` at which the body of `leaf` has stopped, which ran outside of here, and goes on. `object`: the generator
/// that was resumed, which may be another one that delegates to the leaf.
pub fn delegate(vm: &Vm, object: &PhpObj, leaf: &PhpObj, body: Box<dyn Body>, source: &Val) -> PhpResult<()> {
    let generator = data(leaf);
    // Starting an iteration may run PHP code, whose traces show the body.
    vm.frames.push(body.frame());
    let started = start_delegate(vm, generator, source);
    vm.frames.pop();
    *generator.body.borrow_mut() = Some(body);
    generator.state.set(State::Suspended);
    let (how, just_delegated) = match started {
        Ok(inner) => (Resume::Send(Val::NULL), inner.is_some()),
        Err(throw) => (Resume::Throw(throw), false),
    };
    vm.depth.set(vm.depth.get() + 1);
    let result = Run::start(vm, object).advance(how, just_delegated);
    vm.depth.set(vm.depth.get() - 1);
    result
}

/// The frames of the generators that delegate, directly or not, to the running one: those of the whole chain but the innermost.
impl Segment for GeneratorData {
    fn frame(&self, from_top: usize) -> Option<Rc<Frame>> {
        let line = self.line.borrow();
        match line.len().checked_sub(from_top + 1)? {
            0 => GeneratorData::frame(self),
            at => data(&line[at - 1]).frame(),
        }
    }

    fn visit(&self, with_args: bool, visit: &mut Visit<'_>) -> ControlFlow<()> {
        (0..).map_while(|from_top| Segment::frame(self, from_top)).try_for_each(|frame| frame.show(with_args, visit))
    }

    /// Suspended bodies are traced with their generators.
    fn trace(&self, _seen: &mut Vec<*const SymbolTable>, _edges: &mut Edges) {}
}

/// A chain that is being run: the outermost generator and its [line](GeneratorData::with_line). The frames of all but the innermost
/// generator are on the stack of frames as one segment, because a chain can be long and is resumed often.
pub struct Run<'v> {
    vm: &'v Vm,
    object: PhpObj,
    outermost: Rc<GeneratorData>,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.vm.frames.pop();
    }
}

impl<'v> Run<'v> {
    /// Begins to run the chain of a generator.
    pub fn start(vm: &'v Vm, object: &PhpObj) -> Run<'v> {
        let outermost = counted_data(object);
        outermost.find_line(object);
        vm.frames.push_segment(outermost.clone());
        Run { vm, object: object.clone(), outermost }
    }

    /// Shows the line, which other code may have taken over meanwhile.
    fn with_line<R>(&self, show: impl FnOnce(&mut VecDeque<PhpObj>) -> R) -> R {
        self.outermost.find_line(&self.object);
        self.outermost.with_line(show)
    }

    fn leaf(&self) -> Rc<GeneratorData> {
        self.with_line(|line| line.back().map_or_else(|| self.outermost.clone(), counted_data))
    }

    /// Whether the outermost generator is the innermost one, too.
    fn is_alone(&self) -> bool {
        self.with_line(|line| line.is_empty())
    }

    /// Removes the innermost generator, which has ended, from the chain; gives the one around it. `None`: there is none.
    pub fn leave(&mut self) -> Option<Rc<GeneratorData>> {
        let (ended, outer) = self.with_line(|line| {
            let ended = line.pop_back()?;
            Some((ended, line.back().map_or_else(|| self.outermost.clone(), counted_data)))
        })?;
        let inner = data(&ended);
        outer.key.set(inner.key.get());
        outer.value.set(inner.value.get());
        let delegate = outer.delegate.borrow_mut().take();
        // Destructors that run here find the outer generator running.
        let state = outer.state.replace(State::Running);
        drop((delegate, ended));
        outer.state.set(state);
        Some(outer)
    }

    /// Ends the delegation to the innermost generator, which has ended outside of this chain.
    fn settle(mut self) -> PhpResult<()> {
        let inner = self.leaf();
        if inner.returned.get() {
            if let Some(outer) = self.leave() {
                outer.sent.set(inner.result.get());
            }
            return Ok(());
        }
        let Some(outer) = self.leave() else { return Ok(()) };
        let text = b"Generator yielded from aborted, no return value available";
        let frame = outer.frame();
        let shown = frame.is_some();
        frame.into_iter().for_each(|frame| self.vm.frames.push(frame));
        let error = self.vm.throw_class(b"ClosedGeneratorException", text, 0);
        if shown {
            self.vm.frames.pop();
        }
        self.advance(Resume::Throw(error), false)
    }

    /// Runs the innermost generator until it yields or the outermost one ends. `just_delegated`: a body of the chain has just begun
    /// to delegate to another generator, whose current value is the next one.
    pub fn advance(mut self, mut how: Resume, mut just_delegated: bool) -> PhpResult<()> {
        let vm = self.vm;
        loop {
            let leaf = self.leaf();
            if leaf.state.get() == State::Running {
                return Err(vm.throw_error(b"Cannot resume an already running generator"));
            }
            if std::mem::take(&mut just_delegated) && !leaf.value.is_undef() && !leaf.is_done() {
                return Ok(());
            }
            self.outermost.at_first_yield.set(false);
            if leaf.is_done() {
                // The leaf has just ended, or had ended before it was delegated to.
                how = match self.leave() {
                    Some(_) => Resume::Send(leaf.result.get()),
                    None => return Ok(()),
                };
                continue;
            }
            if leaf.delegate.borrow().is_some() {
                match self.step_delegate(&leaf, how)? {
                    Some(next) => how = next,
                    None => return Ok(()),
                }
            }
            match self.run_body(&leaf, how) {
                Ok(Outcome::Yielded) => return Ok(()),
                Ok(Outcome::Delegated(source)) => match source {
                    Ok(Some(_)) => {
                        just_delegated = true;
                        how = Resume::Send(Val::NULL);
                    }
                    Ok(None) => how = Resume::Send(Val::NULL),
                    Err(throw) => how = Resume::Throw(throw),
                },
                Ok(Outcome::Returned) if self.is_alone() => return Ok(()),
                Ok(Outcome::Returned) => how = Resume::Send(Val::NULL),
                Err(throw) => {
                    if self.is_alone() {
                        return Err(throw);
                    }
                    self.leave();
                    how = Resume::Throw(throw);
                }
            }
        }
    }

    /// Fetches the next element of the array or iterator that the leaf delegates to. `None`: there was one; otherwise how the body
    /// goes on.
    fn step_delegate(&mut self, leaf: &Rc<GeneratorData>, how: Resume) -> PhpResult<Option<Resume>> {
        let vm = self.vm;
        // Iterators run PHP code, whose traces show the body.
        if let Some(frame) = leaf.frame() {
            vm.frames.push(frame);
        }
        let state = leaf.state.replace(State::Running);
        let next = match how {
            Resume::Throw(throw) => Some(Resume::Throw(throw)),
            Resume::Send(_) => match advance_delegate(vm, leaf) {
                Ok(true) => None,
                Ok(false) => Some(Resume::Send(Val::NULL)),
                Err(throw) => Some(Resume::Throw(throw)),
            },
        };
        let mut next = next;
        if next.is_some() {
            let delegate = leaf.delegate.borrow_mut().take();
            drop(delegate);
            if let (true, Err(Throw::Exception(later))) = (vm.has_pending.get(), vm.check_pending()) {
                // The throwable of a destructor is thrown, with the other one as its previous.
                if let Some(Resume::Throw(Throw::Exception(earlier))) = &next {
                    phlox_runtime::errors::chain_previous(&later, earlier.clone());
                }
                next = Some(Resume::Throw(Throw::Exception(later)));
            }
        }
        leaf.state.set(state);
        vm.frames.pop();
        Ok(next)
    }

    /// Runs the leaf's body until it yields, delegates or ends.
    fn run_body(&mut self, leaf: &Rc<GeneratorData>, how: Resume) -> PhpResult<Outcome> {
        let vm = self.vm;
        let Some(body) = leaf.body.borrow_mut().take() else { return Ok(Outcome::Returned) };
        let fresh = leaf.state.replace(State::Running) == State::Fresh;
        let sent = leaf.sent.take();
        let how = match how {
            Resume::Send(_) if !sent.is_undef() => Resume::Send(sent),
            how => how,
        };
        let (exit, body) = match run_to_end(vm, leaf, body, how, fresh) {
            Ok(stopped) => stopped,
            Err(throw) => {
                finish(leaf, None);
                return Err(throw);
            }
        };
        match exit {
            Exit::Yield { key, value } => {
                store_yield(leaf, key, value);
                *leaf.body.borrow_mut() = body;
                leaf.state.set(State::Suspended);
                Ok(Outcome::Yielded)
            }
            Exit::Delegate(source) => {
                // Starting an iteration may run PHP code, whose traces show the body.
                if let Some(body) = &body {
                    vm.frames.push(body.frame());
                }
                let started = start_delegate(vm, leaf, &source);
                if body.is_some() {
                    vm.frames.pop();
                }
                *leaf.body.borrow_mut() = body;
                leaf.state.set(State::Suspended);
                Ok(Outcome::Delegated(started))
            }
            Exit::Return(value) => {
                finish(leaf, Some(value));
                Ok(Outcome::Returned)
            }
        }
    }
}

/// Starts a `yield from`; gives the generator that is delegated to, if the source is one.
fn start_delegate(vm: &Vm, leaf: &GeneratorData, source: &Val) -> PhpResult<Option<PhpObj>> {
    let (source, progress, inner) = match source.view() {
        View::Ref(reference) => return start_delegate(vm, leaf, &reference.get()),
        View::Arr(array) => (Val::from(array), Progress::Array(0), None),
        View::Obj(object) if object.native::<GeneratorData>().is_some() => {
            let inner = data(object);
            // PHP refuses even a generator that has returned.
            if inner.is_done() {
                let text =
                    b"Generator passed to yield from was aborted without proper return and is unable to continue";
                return Err(vm.throw_error(text));
            }
            if std::ptr::eq(data(&leaf_of(object)), leaf) {
                return Err(vm.throw_error(b"Impossible to yield from the Generator being currently run"));
            }
            // A generator that the inner one delegates to may have ended elsewhere: the inner one's own last value is current then.
            current_leaf(vm, object)?;
            (Val::from(object), Progress::Generator, Some(object.clone()))
        }
        View::Obj(object) if iteration::is_traversable(vm, object) => {
            let traversal = Rc::new(Traversal::start(vm, object, false)?);
            (Val::from(object), Progress::Traversable { traversal, started: false }, None)
        }
        _ => return Err(vm.throw_error(b"Can use \"yield from\" only with arrays and Traversables")),
    };
    *leaf.delegate.borrow_mut() = Some(Delegate { source: Slot::new(source), progress });
    Ok(inner)
}

/// How a body has stopped.
enum Outcome {
    Yielded,
    /// The body delegates: to the generator that is given, or to an array or iterator, which was stored but has not been read.
    Delegated(PhpResult<Option<PhpObj>>),
    Returned,
}

/// Stores what a body has yielded, with the next automatic key if it has none.
#[inline(always)]
pub fn store_yield(generator: &GeneratorData, key: Option<Val>, value: Val) {
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

/// Moves on to the next element of an array or iterator; false at the end.
fn advance_delegate(vm: &Vm, generator: &GeneratorData) -> PhpResult<bool> {
    enum Next {
        Element(Option<(Val, Val)>),
        Iterator(Rc<Traversal>, bool),
    }
    let next = {
        let mut delegate = generator.delegate.borrow_mut();
        let Some(delegate) = delegate.as_mut() else { return Ok(false) };
        match &mut delegate.progress {
            Progress::Generator => return Ok(false),
            Progress::Array(position) => {
                let source = delegate.source.get();
                let element = |array: &PhpArr| {
                    let at = array.position_from(*position)?;
                    array.at(at).map(|(key, value)| (at, key.to_val(), value.deref()))
                };
                let found = source.as_arr().and_then(element);
                if let Some((at, ..)) = found {
                    *position = at + 1;
                }
                Next::Element(found.map(|(_, key, value)| (key, value)))
            }
            Progress::Traversable { traversal, started } => {
                Next::Iterator(traversal.clone(), std::mem::replace(started, true))
            }
        }
    };
    let (key, value) = match next {
        Next::Element(None) => return Ok(false),
        Next::Element(Some(element)) => element,
        Next::Iterator(traversal, started) => {
            if started {
                traversal.advance(vm)?;
            }
            if !traversal.valid(vm)? {
                return Ok(false);
            }
            let value = traversal.current(vm)?.into_deref();
            (traversal.key(vm)?, value)
        }
    };
    generator.value.set(value);
    generator.key.set(key);
    Ok(true)
}
