//! PHP code in the middle of a walk: handlers of warnings and conversions may change the container that is being changed.
//!
//! Before such code runs, all containers are put back. Afterwards the walk checks that the container is still there unchanged,
//! and goes on only then. Zend keeps a pointer into the table instead, and drops the write if the table does not belong to it any
//! more.

use super::{Action, Final, Outcome, Place, Step, Walk, is_prefix, step_value};
use crate::arith;
use crate::dims::{self, OffsetUse};
use crate::error::PhpResult;
use phlox_hhbc::{IncDec, SetOp};
use phlox_value::{ArrKey, Key, Kind, PhpArr, PhpStr, Slot, Val};

/// A value that PHP code has to compute before the walk continues.
pub(super) enum Question {
    /// The key for the offset of the step.
    Key(OffsetUse),
    /// A missing element is read: a warning is raised.
    Missing(ArrKey),
    /// False becomes an array: a deprecation is raised.
    FalseToArray,
    /// The assigned value or the operand, whose variable is undefined.
    Value,
    /// The result of an operator on the element's current value.
    Compute(Val),
    /// The string with one byte changed.
    Byte(PhpStr),
}

/// The state of an interrupted walk.
pub(super) struct Pause {
    question: Question,
    /// The step whose container this is.
    at: usize,
    container: Container,
}

enum Container {
    Unknown,
    /// The array is retained meanwhile, so that a change by a handler makes a copy.
    Held(PhpArr),
    Text(PhpStr),
    /// The table's address, the address of its elements, and the element.
    Seen {
        table: usize,
        contents: usize,
        key: Option<ArrKey>,
    },
}

impl Pause {
    /// An interruption at a step whose array is retained.
    pub(super) fn holding(question: Question, at: usize, array: &PhpArr) -> Pause {
        Pause { question, at, container: Container::Held(array.clone()) }
    }

    /// An interruption at a step whose array is recognised by its addresses.
    pub(super) fn seeing(question: Question, at: usize, array: &PhpArr) -> Pause {
        let container = Container::Seen { table: array.address(), contents: array.contents_address(), key: None };
        Pause { question, at, container }
    }

    /// An interruption while a byte of a string is assigned.
    pub(super) fn in_string(at: usize, string: &PhpStr) -> Pause {
        Pause { question: Question::Byte(string.clone()), at, container: Container::Text(string.clone()) }
    }

    /// An interruption at an element whose container the caller adds with [`Pause::note`].
    pub(super) fn inside(question: Question) -> Pause {
        Pause { question, at: usize::MAX, container: Container::Unknown }
    }

    /// Adds the container, unless there is one already.
    pub(super) fn note(&mut self, at: usize, array: &PhpArr, key: ArrKey) {
        if let Container::Unknown = self.container {
            let (table, contents) = (array.address(), array.contents_address());
            self.container = Container::Seen { table, contents, key: Some(key) };
            self.at = at;
        }
    }
}

/// The result of an answer.
enum Answer {
    /// The walk continues with the key or value that is known now.
    Known,
    /// The element gets the first value; the second is the result of the expression.
    Result(Val, Val),
}

/// Whether the conversion of this offset to a key runs no PHP code.
pub(super) fn is_plain_offset(offset: &Val) -> bool {
    match offset.kind() {
        Kind::Int | Kind::Str | Kind::Null | Kind::False | Kind::True | Kind::Arr | Kind::Obj => true,
        Kind::Double => offset.as_double().is_some_and(|double| double.fract() == 0.0 && double.abs() < 1e15),
        _ => false,
    }
}

/// Whether the operator runs no PHP code.
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

/// Whether `++` or `--` runs no PHP code.
pub(super) fn is_plain_step(op: IncDec, current: &Val) -> bool {
    match current.kind() {
        Kind::Int | Kind::Double => true,
        Kind::Null | Kind::Undef => matches!(op, IncDec::PreInc | IncDec::PostInc),
        _ => false,
    }
}

impl Walk<'_> {
    /// Runs the code, and continues the walk where it was interrupted; the walk is in `place` from step `from` on.
    pub(super) fn answer<'p>(&mut self, place: &Place<'_>, from: usize, pause: Pause) -> PhpResult<Outcome<'p>> {
        let Pause { question, at, container } = pause;
        let answer = self.find_out(question, at)?;
        // A handler may have made the variable a reference.
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
                    // The remaining steps have no effect.
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

    /// The container of step `at`, found by the keys of the steps from `from` on.
    fn find_container<'v>(&self, mut value: &'v mut Val, from: usize, at: usize) -> Option<&'v mut Val> {
        for step in from..at {
            let key = self.known_key(step)?;
            value = value.as_arr_mut()?.get_mut(key.as_key())?;
        }
        Some(value)
    }

    /// The key of a step, if it was computed or can be computed without running code.
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
