//! For an engine that runs the bodies of its generators without a nested run: the states of a generator that
//! delegates to nobody.

use super::close::finish;
use super::resume::store_yield;
use super::{Body, GeneratorData, State, check_iteration, rewind_started};
use phlox_runtime::{Frame, PhpObj, PhpResult, Val, Vm};
use std::rc::Rc;

/// What a loop sees of a generator that delegates to nobody.
pub enum Element {
    /// Key and value.
    Yielded(Val, Val),
    End,
    /// The generator delegates: [`super::element`] knows.
    Delegated,
}

impl GeneratorData {
    /// Takes the body out to run it, if that needs nothing else; also tells whether nothing ran yet.
    #[inline]
    pub fn begin(&self) -> Option<(Box<dyn Body>, bool)> {
        let state = self.state.get();
        let resumable = matches!(state, State::Fresh | State::Suspended) && !self.closing.get();
        if !resumable || !self.sent.is_undef() || self.delegate.borrow().is_some() {
            return None;
        }
        let body = self.body.borrow_mut().take()?;
        self.state.set(State::Running);
        self.at_first_yield.set(false);
        Some((body, state == State::Fresh))
    }

    /// The frame of a running body, if somebody has looked at it.
    #[inline]
    pub fn note_frame(&self, frame: &Rc<Frame>) {
        self.frame.replace(Rc::downgrade(frame));
    }

    /// The body could not be started after all.
    pub fn give_back(&self, body: Box<dyn Body>, fresh: bool) {
        *self.body.borrow_mut() = Some(body);
        self.state.set(if fresh { State::Fresh } else { State::Suspended });
    }

    /// The body yielded.
    #[inline]
    pub fn yielded(&self, body: Box<dyn Body>, key: Option<Val>, value: Val) {
        store_yield(self, key, value);
        *self.body.borrow_mut() = Some(body);
        self.state.set(State::Suspended);
    }

    /// The body returned a value, or threw.
    pub fn ended(&self, result: Option<Val>) {
        finish(self, result);
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

    /// Has nothing run yet?
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.state.get() == State::Fresh
    }

    /// The element that a loop is at.
    #[inline]
    pub fn shown(&self, wants_key: bool) -> Element {
        if self.delegate.borrow().is_some() {
            return Element::Delegated;
        }
        if self.is_done() {
            return Element::End;
        }
        let key = if wants_key { self.key.get_deref() } else { Val::NULL };
        Element::Yielded(key, self.value.get().or_null())
    }
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
