//! The states of generators, for an interpreter that runs bodies without a nested run. Bodies stay in their generators while they
//! run, so that the interpreter finds them where they were.

use super::close::finish;
use super::resume::{Run, store_yield};
use super::{Body, Delegate, GeneratorData, Progress, Resume, State, check_iteration, data, rewind_started};
use phlox_runtime::{PhpObj, PhpResult, Slot, Throw, Val, Vm};
use std::collections::VecDeque;

impl GeneratorData {
    /// Marks the body as running, if it can run without further work; also tells whether it has not begun before.
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

    /// The body, if it is suspended at a `yield` and can run without further work.
    #[inline(always)]
    pub fn suspended_body(&self) -> Option<*const dyn Body> {
        if self.state.get() != State::Suspended || !self.is_resumable() {
            return None;
        }
        let body: *const dyn Body = &**self.body.borrow().as_ref()?;
        Some(body)
    }

    /// Marks the [suspended body](GeneratorData::suspended_body) as running.
    #[inline(always)]
    pub fn note_running(&self) {
        self.state.set(State::Running);
        self.at_first_yield.set(false);
    }

    /// Whether the body can run without further work. The body of a generator that delegates cannot.
    #[inline]
    pub fn is_resumable(&self) -> bool {
        matches!(self.state.get(), State::Fresh | State::Suspended)
            && !self.closing.get()
            && self.sent.is_undef()
            && !self.is_delegating()
    }

    /// Takes [`GeneratorData::begin`] back: the body could not be started.
    pub fn did_not_begin(&self, fresh: bool) {
        self.state.set(if fresh { State::Fresh } else { State::Suspended });
    }

    /// Records what the body has yielded.
    #[inline]
    pub fn yielded(&self, key: Option<Val>, value: Val) {
        store_yield(self, key, value);
        self.state.set(State::Suspended);
    }

    /// Records that the body has yielded a value that is no reference, without a key. Gives the automatic key.
    #[inline(always)]
    pub fn yielded_value(&self, value: Val) -> i64 {
        let key = self.auto_key.get();
        self.auto_key.set(key.wrapping_add(1));
        self.key.put(Val::int(key));
        self.value.put(value);
        self.state.set(State::Suspended);
        key
    }

    /// Takes the body, which has stopped at a `yield from`.
    pub fn take_body(&self) -> Option<Box<dyn Body>> {
        self.body.borrow_mut().take()
    }

    /// Shows the body, if the generator has one at the moment.
    pub fn with_body<R>(&self, show: impl FnOnce(&dyn Body) -> R) -> Option<R> {
        self.body.borrow().as_deref().map(show)
    }

    /// Records that the body has returned a value, or thrown.
    pub fn ended(&self, result: Option<Val>) {
        finish(self, result);
        let body = self.body.borrow_mut().take();
        drop(body);
    }

    /// Whether the object is being destroyed: only `finally` blocks run.
    #[inline]
    pub fn is_closing(&self) -> bool {
        self.closing.get()
    }

    /// Records that the body is suspended at its first `yield`, or has ended before that.
    pub fn note_first_yield(&self) {
        self.at_first_yield.set(true);
    }

    /// Records that the body was resumed, perhaps by way of the generator that it delegates to.
    #[inline]
    pub fn note_resumed(&self) {
        self.at_first_yield.set(false);
    }

    /// Whether the body has not begun.
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.state.get() == State::Fresh
    }

    /// Whether the generator delegates to something.
    #[inline]
    pub fn is_delegating(&self) -> bool {
        self.delegate.borrow().is_some()
    }

    /// The value that was yielded last; undefined before the first one.
    #[inline]
    pub fn value(&self) -> &Slot {
        &self.value
    }

    /// The key that was yielded last; undefined before the first one.
    #[inline]
    pub fn key(&self) -> &Slot {
        &self.key
    }

    /// The value that the ended body has returned.
    pub fn result(&self) -> Val {
        self.result.get()
    }

    /// The line of generators that this one delegates to, as far as they are known, the innermost last. Each delegates to the next
    /// for as long as the next has not ended. If the last one has ended, or delegates, it is not the innermost any more: it was
    /// used by other code, and [`GeneratorData::find_line`] repairs the line.
    #[inline]
    pub fn with_line<R>(&self, show: impl FnOnce(&mut VecDeque<PhpObj>) -> R) -> R {
        show(&mut self.line.borrow_mut())
    }

    /// Repairs the line of this generator, whose object is given. The last one may have just ended without the one around it having
    /// been told. The work is proportional to the change: the line of a generator that is delegated to is moved over.
    pub fn find_line(&self, object: &PhpObj) {
        loop {
            // Destructors may run when these are dropped, and look at the line.
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

    /// Records that the body, which has stopped at a `yield from`, delegates to a fresh generator.
    pub fn delegate_to(&self, inner: &PhpObj) {
        let source = Slot::new(inner.clone().into());
        *self.delegate.borrow_mut() = Some(Delegate { source, progress: Progress::Generator });
        self.state.set(State::Suspended);
    }

    /// Records that the generator which the body delegates to has ended.
    pub fn end_delegation(&self, inner: &GeneratorData) {
        self.key.set(inner.key.get());
        self.value.set(inner.value.get());
        let delegate = self.delegate.borrow_mut().take();
        drop(delegate);
    }
}

/// Takes generators that have ended off the end of a line, but for one whose result the generator around it still waits for.
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

/// Whether `yield from` can begin with this generator without further checks: it has not begun.
pub fn is_untouched(generator: &GeneratorData) -> bool {
    generator.is_fresh() && !generator.is_delegating() && !generator.closing.get()
}

/// Gives the exception by which the innermost generator of `object`'s line has ended to the generator around it.
pub fn inner_threw(vm: &Vm, object: &PhpObj, throw: Throw) -> PhpResult<()> {
    let mut run = Run::start(vm, object);
    run.leave();
    vm.depth.set(vm.depth.get() + 1);
    let result = run.advance(Resume::Throw(throw), false);
    vm.depth.set(vm.depth.get() - 1);
    result
}

/// The checks of `foreach` by value before it starts. A generator that is [fresh](GeneratorData::is_fresh) has to be run to its
/// first `yield` afterwards.
pub fn check_start(vm: &Vm, object: &PhpObj) -> PhpResult<()> {
    check_iteration(vm, object, false)?;
    match object.native::<GeneratorData>() {
        Some(data) if !data.is_fresh() => rewind_started(vm, object),
        _ => Ok(()),
    }
}
