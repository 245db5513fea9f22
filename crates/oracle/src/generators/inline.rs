//! For an engine that runs the bodies of its generators without a nested run: where a generator stands, and how it
//! moves on. Bodies stay in their generators meanwhile, so that the engine finds them where they were.

use super::close::finish;
use super::resume::{Run, store_yield};
use super::{Body, Delegate, GeneratorData, Progress, Resume, State, check_iteration, data, rewind_started};
use phlox_runtime::{PhpObj, PhpResult, Slot, Throw, Val, Vm};
use std::collections::VecDeque;

impl GeneratorData {
    /// The body is about to run, if that needs nothing else; also tells whether nothing ran yet.
    #[inline]
    pub fn begin(&self) -> Option<(*const dyn Body, bool)> {
        if !self.is_resumable() {
            return None;
        }
        let state = self.state.get();
        let body: *const dyn Body = &**self.body.borrow().as_ref()?;
        self.state.set(State::Running);
        self.at_first_yield.set(false);
        Some((body, state == State::Fresh))
    }

    /// The body, if it stands at a `yield` and can run as it is.
    #[inline(always)]
    pub fn suspended_body(&self) -> Option<*const dyn Body> {
        if self.state.get() != State::Suspended || !self.is_resumable() {
            return None;
        }
        let body: *const dyn Body = &**self.body.borrow().as_ref()?;
        Some(body)
    }

    /// The [suspended body](GeneratorData::suspended_body) is about to run.
    #[inline(always)]
    pub fn note_running(&self) {
        self.state.set(State::Running);
        self.at_first_yield.set(false);
    }

    /// Can the body run as it is? One that delegates cannot.
    #[inline]
    pub fn is_resumable(&self) -> bool {
        matches!(self.state.get(), State::Fresh | State::Suspended)
            && !self.closing.get()
            && self.sent.is_undef()
            && !self.is_delegating()
    }

    /// The body could not be started after all.
    pub fn did_not_begin(&self, fresh: bool) {
        self.state.set(if fresh { State::Fresh } else { State::Suspended });
    }

    /// The body yielded.
    #[inline]
    pub fn yielded(&self, key: Option<Val>, value: Val) {
        store_yield(self, key, value);
        self.state.set(State::Suspended);
    }

    /// As [`GeneratorData::yielded`], without a key; the value is no reference. Gives the key.
    #[inline(always)]
    pub fn yielded_value(&self, value: Val) -> i64 {
        let key = self.auto_key.get();
        self.auto_key.set(key.wrapping_add(1));
        self.key.put(Val::int(key));
        self.value.put(value);
        self.state.set(State::Suspended);
        key
    }

    /// The body, which does not run any more and is to be delegated from.
    pub fn take_body(&self) -> Option<Box<dyn Body>> {
        self.body.borrow_mut().take()
    }

    /// Shows the body of a suspended generator.
    pub fn with_body<R>(&self, show: impl FnOnce(&dyn Body) -> R) -> Option<R> {
        self.body.borrow().as_deref().map(show)
    }

    /// The body returned a value, or threw.
    pub fn ended(&self, result: Option<Val>) {
        finish(self, result);
        let body = self.body.borrow_mut().take();
        drop(body);
    }

    /// It goes away: only `finally` blocks run.
    #[inline]
    pub fn is_closing(&self) -> bool {
        self.closing.get()
    }

    /// It stands at its first `yield`, or ended before that.
    pub fn note_first_yield(&self) {
        self.at_first_yield.set(true);
    }

    /// It was resumed, perhaps by way of the generator that it delegates to.
    #[inline]
    pub fn note_resumed(&self) {
        self.at_first_yield.set(false);
    }

    /// Has nothing run yet?
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.state.get() == State::Fresh
    }

    #[inline]
    pub fn is_delegating(&self) -> bool {
        self.delegate.borrow().is_some()
    }

    /// What was yielded last; undefined before that.
    #[inline]
    pub fn value(&self) -> &Slot {
        &self.value
    }

    /// As [`GeneratorData::value`].
    #[inline]
    pub fn key(&self) -> &Slot {
        &self.key
    }

    /// What the ended body returned.
    pub fn result(&self) -> Val {
        self.result.get()
    }

    /// The generators that it delegates to, as far as they are known, the innermost last. Each delegates to the next for as long as
    /// the next has not ended. One at the end that has ended, or delegates, is not the innermost any more: somebody else has used
    /// it, and [`GeneratorData::find_line`] mends the line.
    #[inline]
    pub fn with_line<R>(&self, show: impl FnOnce(&mut VecDeque<PhpObj>) -> R) -> R {
        show(&mut self.line.borrow_mut())
    }

    /// Mends the line of this generator, whose object is given. At its end may be one that ended a moment ago, of which the one
    /// around it has not heard. The work is that of what has changed: the line of a generator that is delegated to is moved over.
    pub fn find_line(&self, object: &PhpObj) {
        loop {
            // Destructors may run, and look at the line.
            drop(self.with_line(|line| take_stale(line, object)));
            let next = self.with_line(|line| data(line.back().unwrap_or(object)).delegate_generator());
            let Some(next) = next else { return };
            let mut theirs = data(&next).with_line(std::mem::take);
            theirs.push_front(next);
            self.with_line(|line| {
                if line.len() < theirs.len() {
                    std::mem::swap(line, &mut theirs);
                    theirs.drain(..).rev().for_each(|outer| line.push_front(outer));
                } else {
                    line.append(&mut theirs);
                }
            });
        }
    }

    /// The body, which has stopped at a `yield from`, delegates to a fresh generator.
    pub fn delegate_to(&self, inner: &PhpObj) {
        let source = Slot::new(inner.clone().into());
        *self.delegate.borrow_mut() = Some(Delegate { source, progress: Progress::Generator });
        self.state.set(State::Suspended);
    }

    /// The generator that it delegates to has ended.
    pub fn end_delegation(&self, inner: &GeneratorData) {
        self.key.set(inner.key.get());
        self.value.set(inner.value.get());
        let delegate = self.delegate.borrow_mut().take();
        drop(delegate);
    }
}

/// Takes off the end of a line who has ended, but for one whose result the generator around it still waits for.
fn take_stale(line: &mut VecDeque<PhpObj>, object: &PhpObj) -> Vec<PhpObj> {
    let mut stale = Vec::new();
    while let Some(last) = line.back().filter(|last| data(last).is_done()) {
        let outer = data(line.len().checked_sub(2).map_or(object, |at| &line[at]));
        if !outer.is_done() && outer.delegate_generator().is_some_and(|inner| inner.ptr_eq(last)) {
            break;
        }
        stale.extend(line.pop_back());
    }
    stale
}

/// Can `yield from` begin with this generator at its start? (No other check could refuse it.)
pub fn is_untouched(generator: &GeneratorData) -> bool {
    generator.is_fresh() && !generator.is_delegating() && !generator.closing.get()
}

/// The innermost of the generators that `object` delegates to has ended by an exception, which the one around it gets.
pub fn inner_threw(vm: &Vm, object: &PhpObj, throw: Throw) -> PhpResult<()> {
    let mut run = Run::start(vm, object);
    run.leave();
    vm.depth.set(vm.depth.get() + 1);
    let result = run.advance(Resume::Throw(throw), false);
    vm.depth.set(vm.depth.get() - 1);
    result
}

/// What `foreach` by value asks before it starts. A generator that is [fresh](GeneratorData::is_fresh) is to be run to
/// its first `yield` afterwards.
pub fn check_start(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    check_iteration(vm, object, false)?;
    match object.native::<GeneratorData>() {
        Some(data) if !data.is_fresh() => rewind_started(vm, object),
        _ => Ok(()),
    }
}
