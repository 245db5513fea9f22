//! PHP code in the middle of a walk: what handlers of warnings and conversions may do to the container that is being changed.
//!
//! Before such code runs, all containers are put back where they were. Then the walk looks whether the container is still
//! there, as it was: only then does it go on. Zend keeps a pointer into the table instead, and drops the write if the table is
//! not its own any more.

use super::{Action, Final, Outcome, Place, Step, Walk, is_prefix, step_value};
use crate::arith;
use crate::dims::{self, OffsetUse};
use crate::error::PhpResult;
use phlox_hhbc::{IncDec, SetOp};
use phlox_value::{ArrKey, Key, Kind, PhpArr, PhpStr, Slot, Val};

/// What has to be found out before the walk goes on.
pub(super) enum Question {
    /// The key that the offset of the step means.
    Key(OffsetUse),
    /// A missing element is read: the warning.
    Missing(ArrKey),
    /// False becomes an array: the deprecation.
    FalseToArray,
    /// The value that is assigned, or the operand: its variable is not defined.
    Value,
    /// The result of an operator, of what the element has now.
    Compute(Val),
    /// The string with another byte.
    Byte(PhpStr),
}

/// Where a walk was interrupted.
pub(super) struct Pause {
    question: Question,
    /// The step whose container it is.
    at: usize,
    container: Container,
}

enum Container {
    Unknown,
    /// Counted meanwhile: a change by the handler makes a copy.
    Held(PhpArr),
    Text(PhpStr),
    /// The table, where its elements are, and the element.
    Seen {
        table: usize,
        contents: usize,
        key: Option<ArrKey>,
    },
}

impl Pause {
    pub(super) fn holding(question: Question, at: usize, array: &PhpArr) -> Pause {
        Pause { question, at, container: Container::Held(array.clone()) }
    }

    pub(super) fn seeing(question: Question, at: usize, array: &PhpArr) -> Pause {
        let container = Container::Seen { table: array.address(), contents: array.contents_address(), key: None };
        Pause { question, at, container }
    }

    /// A byte of a string is assigned.
    pub(super) fn in_string(at: usize, string: &PhpStr) -> Pause {
        Pause { question: Question::Byte(string.clone()), at, container: Container::Text(string.clone()) }
    }

    /// At an element whose container the caller knows.
    pub(super) fn inside(question: Question) -> Pause {
        Pause { question, at: usize::MAX, container: Container::Unknown }
    }

    /// Notes the container, if nobody has.
    pub(super) fn note(&mut self, at: usize, array: &PhpArr, key: ArrKey) {
        if let Container::Unknown = self.container {
            let (table, contents) = (array.address(), array.contents_address());
            self.container = Container::Seen { table, contents, key: Some(key) };
            self.at = at;
        }
    }
}

/// What the answer leaves to be done.
enum Answer {
    /// The walk goes on with what is known now.
    Known,
    /// The element gets this value; the second is the result of the expression.
    Result(Val, Val),
}

/// Can turning this offset into a key run no PHP code?
pub(super) fn is_plain_offset(offset: &Val) -> bool {
    match offset.kind() {
        Kind::Int | Kind::Str | Kind::Null | Kind::False | Kind::True | Kind::Arr | Kind::Obj => true,
        Kind::Double => offset.as_double().is_some_and(|double| double.fract() == 0.0 && double.abs() < 1e15),
        _ => false,
    }
}

/// Can the operator run no PHP code?
pub(super) fn is_plain_operation(op: SetOp, current: &Val, operand: &Val) -> bool {
    let exact = |value: &Val| matches!(value.kind(), Kind::Undef | Kind::Null | Kind::False | Kind::True | Kind::Int);
    let number = |value: &Val| exact(value) || value.kind() == Kind::Double;
    let both = |test: &dyn Fn(&Val) -> bool| test(current) && test(operand);
    match op {
        SetOp::Concat => both(&|value| number(value) || value.kind() == Kind::Str),
        SetOp::Add if both(&|value| value.kind() == Kind::Arr) => true,
        SetOp::Add | SetOp::Sub | SetOp::Mul | SetOp::Div | SetOp::Pow => both(&number),
        _ => both(&exact),
    }
}

pub(super) fn is_plain_step(op: IncDec, current: &Val) -> bool {
    match current.kind() {
        Kind::Int | Kind::Double => true,
        Kind::Null | Kind::Undef => matches!(op, IncDec::PreInc | IncDec::PostInc),
        _ => false,
    }
}

impl Walk<'_> {
    /// Runs the code, and goes on where the walk was, which is in `place` from step `from` on.
    pub(super) fn answer<'p>(&mut self, place: &Place<'_>, from: usize, pause: Pause) -> PhpResult<Outcome<'p>> {
        let Pause { question, at, container } = pause;
        let answer = self.find_out(question, at)?;
        // The handler may have made a reference of the variable.
        if let (Kind::Ref, Some(reference)) = (place.kind(), place.get().as_ref().cloned()) {
            return reference.slot().update(|value| self.go_on(value, from, at, container, answer));
        }
        place.update(|value| self.go_on(value, from, at, container, answer))
    }

    fn find_out(&mut self, question: Question, at: usize) -> PhpResult<Answer> {
        let vm = self.vm;
        match question {
            Question::Key(usage) => {
                let offset = self.offset(at)?;
                let key = dims::key_of(vm, offset.as_deref().unwrap_or(&Val::NULL), usage)?;
                self.known.push((at, key));
            }
            Question::Missing(key) => {
                self.reported = Some(at);
                dims::undefined_key(vm, &key)?;
            }
            Question::FalseToArray => vm.deprecated(b"Automatic conversion of false to array is deprecated")?,
            Question::Value => {
                self.action = match self.action.take() {
                    Some(Action::Set(value)) => Some(Action::Set(value.into_read(vm)?.into())),
                    Some(Action::SetOp(op, operand)) => Some(Action::SetOp(op, operand.into_read(vm)?.into())),
                    other => other,
                };
            }
            Question::Byte(string) => {
                let mut offset = self.offset(at)?.map_or(Val::NULL, |offset| offset.into_owned());
                if let Some(Action::Set(super::Input::Undefined(_))) = self.action {
                    offset = Val::int(dims::string_offset(vm, &offset, OffsetUse::Write)?);
                }
                if let Final::Set(new) = self.take_action()? {
                    let (string, result) = dims::write_string(vm, &string, &offset, &new)?;
                    return Ok(Answer::Result(string.into(), result));
                }
            }
            Question::Compute(current) => match self.take_action()? {
                Final::SetOp(op, operand) => {
                    let result = arith::set_op(vm, op, current, &operand)?;
                    return Ok(Answer::Result(result.clone(), result));
                }
                Final::IncDec(op) => {
                    let next = step_value(vm, op, &current)?;
                    let shown = if is_prefix(op) { next.clone() } else { current };
                    return Ok(Answer::Result(next, shown));
                }
                _ => {}
            },
        }
        Ok(Answer::Known)
    }

    fn go_on<'p>(
        &mut self,
        value: &mut Val,
        from: usize,
        at: usize,
        container: Container,
        answer: Answer,
    ) -> PhpResult<Outcome<'p>> {
        let lost = match (&answer, &self.action) {
            (Answer::Result(_, shown), _) => shown.clone(),
            (_, Some(Action::Set(super::Input::Value(value)))) => value.clone(),
            _ => Val::NULL,
        };
        let Some(found) = self.find_container(value, from, at) else { return Ok(Outcome::Done(lost, Val::NULL)) };
        if let (Container::Text(before), Answer::Result(string, shown)) = (&container, &answer) {
            let is_there = found.as_str().is_some_and(|now| now.ptr_eq(before));
            let old = if is_there { found.replace(string.clone()) } else { Val::NULL };
            return Ok(Outcome::Done(shown.clone(), old));
        }
        let Some(array) = found.as_arr() else { return Ok(Outcome::Done(lost, Val::NULL)) };
        match container {
            Container::Held(held) => {
                let is_own = array.ptr_eq(&held) && (held.is_static() || held.refcount() == 2);
                drop(held);
                if !is_own && at + 1 < self.steps.len() {
                    // What comes behind is done to nothing.
                    return Ok(Outcome::Continue(Place::Temp(Slot::new(Val::NULL)), at + 1));
                }
                if !is_own {
                    return Ok(Outcome::Done(Val::NULL, Val::NULL));
                }
                self.array_element(found, at)
            }
            Container::Seen { table, contents, key } => {
                if array.address() != table || array.contents_address() != contents {
                    return Ok(Outcome::Done(lost, Val::NULL));
                }
                let Some(key) = key else { return self.array_element(found, at) };
                let Some(array) = found.as_arr_mut() else { return Ok(Outcome::Done(lost, Val::NULL)) };
                let Some(element) = array.get_mut(key.as_key()) else { return Ok(Outcome::Done(lost, Val::NULL)) };
                match answer {
                    Answer::Result(result, shown) if !element.is_ref() => {
                        Ok(Outcome::Done(shown, element.replace(result)))
                    }
                    Answer::Result(result, shown) => {
                        let old = element.as_ref().map(|reference| reference.slot().replace(result));
                        Ok(Outcome::Done(shown, old.unwrap_or(Val::NULL)))
                    }
                    Answer::Known => match self.finish(element)? {
                        Outcome::Ask(mut pause) => {
                            pause.note(at, array, key);
                            Ok(Outcome::Ask(pause))
                        }
                        other => Ok(other),
                    },
                }
            }
            Container::Unknown | Container::Text(_) => Ok(Outcome::Done(lost, Val::NULL)),
        }
    }

    /// The container of step `at`, by the keys that led to it.
    fn find_container<'v>(&self, mut value: &'v mut Val, from: usize, at: usize) -> Option<&'v mut Val> {
        for step in from..at {
            let key = self.known_key(step)?;
            value = value.as_arr_mut()?.get_mut(key.as_key())?;
        }
        Some(value)
    }

    /// The key of a step, if it was found out or needs no more than a look.
    pub(super) fn known_key(&self, at: usize) -> Option<ArrKey> {
        if let Some((_, key)) = self.known.iter().find(|(step, _)| *step == at) {
            return Some(key.clone());
        }
        match self.steps.get(at)? {
            Step::Elem(super::Input::Value(offset)) => match (offset.as_int(), offset.as_str()) {
                (Some(int), _) => Some(ArrKey::Int(int)),
                (_, Some(text)) => Some(Key::from_str(text).to_owned()),
                _ => dims::key_of(self.vm, offset, OffsetUse::Write).ok(),
            },
            _ => None,
        }
    }
}
