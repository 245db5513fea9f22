//! Member paths: `$a[$i]->p[] = x` and every other operation that walks from a base through elements and properties.
//!
//! Containers are changed in place without being borrowed while PHP code can run. A walk goes down through arrays only, inside
//! one place; when it reaches an object or a reference, it releases the arrays above (they hold handles) and starts again from
//! there.

use crate::class::{Member, MemberUse, ObjExt};
use crate::dims::{self, OffsetUse};
use crate::error::{PhpResult, Throw};
use crate::errors::chain_previous;
use crate::props::{self, Access, PlaceMode, PropPlace, ReadMode};
use crate::vm::Vm;
use crate::{arith, convert, lazy};
use phlox_hhbc::{IncDec, SetOp};
use phlox_value::{ArrKey, Key, Kind, PhpObj, PhpRef, PhpStr, Slot, Val, VarSlot, View};
use std::borrow::Cow;
use std::rc::Rc;

mod ask;

use ask::{Pause, Question};

/// A key or a value that a path gets. An undefined variable is reported when its value is needed, because a walk may fail before
/// that.
pub enum Input {
    Value(Val),
    /// The name of the variable.
    Undefined(PhpStr),
}

impl Input {
    /// The value; null for an undefined variable, which is reported.
    pub fn read(&self, vm: &Vm) -> PhpResult<Cow<'_, Val>> {
        match self {
            Input::Value(value) => Ok(Cow::Borrowed(value)),
            Input::Undefined(name) => {
                vm.undefined_variable(name)?;
                Ok(Cow::Owned(Val::NULL))
            }
        }
    }

    /// The value, consuming the input; null for an undefined variable, which is reported.
    pub fn into_read(self, vm: &Vm) -> PhpResult<Val> {
        match self {
            Input::Value(value) => Ok(value),
            undefined => Ok(undefined.read(vm)?.into_owned()),
        }
    }
}

impl From<Val> for Input {
    fn from(value: Val) -> Input {
        Input::Value(value)
    }
}

/// One step of a path.
pub enum Step {
    Elem(Input),
    /// `[]`
    New,
    Prop(PhpStr),
}

/// The operation at the end of a path.
pub enum Action {
    Set(Input),
    SetOp(SetOp, Input),
    IncDec(IncDec),
    Bind(PhpRef),
    MakeRef,
    Unset,
}

/// A place that a path can start from.
pub enum Place<'a> {
    Slot(&'a Slot),
    Shared(Rc<VarSlot>),
    Ref(PhpRef),
    /// A declared property.
    Prop(PhpObj, Rc<crate::PropInfo>),
    /// A dynamic property.
    Dynamic(PhpObj, PhpStr),
    /// A static property.
    Static(Rc<crate::PropInfo>, Rc<crate::StaticProp>),
    /// A temporary: changes are lost, except for changes to what a handle refers to.
    Temp(Slot),
}

impl Place<'_> {
    fn get(&self) -> Val {
        match self {
            Place::Slot(slot) => slot.get(),
            Place::Shared(slot) => slot.get(),
            Place::Ref(reference) => reference.get(),
            Place::Prop(object, info) => object.slots()[info.slot].get(),
            Place::Dynamic(object, name) => {
                object.dynamic().and_then(|t| t.get(Key::from_str(name)).cloned()).unwrap_or(Val::UNDEF)
            }
            Place::Static(_, property) => property.slot.get(),
            Place::Temp(slot) => slot.get(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Place::Slot(slot) => slot.kind(),
            Place::Shared(slot) => slot.kind(),
            Place::Ref(reference) => reference.slot().kind(),
            Place::Prop(object, info) => object.slots()[info.slot].kind(),
            Place::Dynamic(..) => self.get().kind(),
            Place::Static(_, property) => property.slot.kind(),
            Place::Temp(slot) => slot.kind(),
        }
    }

    fn update<R>(&self, f: impl FnOnce(&mut Val) -> R) -> R {
        match self {
            Place::Slot(slot) => slot.update(f),
            Place::Shared(slot) => slot.update(f),
            Place::Ref(reference) => reference.slot().update(f),
            Place::Prop(object, info) => object.slots()[info.slot].update(f),
            Place::Dynamic(object, name) => {
                // The value is null, not undefined, because the key must stay in the table while `f` runs.
                let mut value = object.update_dynamic(|t| t.entry(Key::from_str(name)).0.replace(Val::NULL));
                let result = f(&mut value);
                let old = object.update_dynamic(|t| t.insert(Key::from_str(name), value.or_null()));
                drop(old);
                result
            }
            Place::Static(_, property) => property.slot.update(f),
            Place::Temp(slot) => slot.update(f),
        }
    }
}

/// The outcome of a walk inside arrays.
enum Outcome<'a> {
    /// The action is done; contains its value, and garbage to drop once all containers are back in place.
    Done(Val, Val),
    /// The walk reached an object or a reference before the step with this index.
    Continue(Place<'a>, usize),
    /// PHP code has to run before the walk continues.
    Ask(Pause),
}

/// Reads along a path.
pub fn read(vm: &Vm, base: Val, steps: &[Step], access: Access<'_>) -> PhpResult<Val> {
    let mut current = base.into_deref();
    for step in steps {
        current = match step {
            Step::Elem(offset) => dims::read(vm, &current, &*offset.read(vm)?)?,
            Step::New => return Err(vm.throw_error(b"Cannot use [] for reading")),
            Step::Prop(name) => read_prop(vm, &current, name, access)?,
        };
    }
    Ok(current)
}

fn read_prop(vm: &Vm, container: &Val, name: &PhpStr, access: Access<'_>) -> PhpResult<Val> {
    match container.view() {
        View::Obj(object) => props::read(vm, object, name, access, ReadMode::Warn),
        _ => {
            let type_name = convert::value_name(container);
            let text = [b"Attempt to read property \"", &name[..], b"\" on ", type_name.as_bytes()].concat();
            vm.warning(&text)?;
            Ok(Val::NULL)
        }
    }
}

/// Reads along a path for `??`: null when anything is absent.
pub fn read_quiet(vm: &Vm, base: Val, steps: &[Step], access: Access<'_>) -> PhpResult<Val> {
    let mut current = base.into_deref();
    for step in steps {
        current = match step {
            Step::Elem(offset) => dims::read_quiet(vm, &current, &*offset.read(vm)?)?,
            Step::New => return Err(vm.throw_error(b"Cannot use [] for reading")),
            Step::Prop(name) => match current.view() {
                View::Obj(object) => props::read(vm, object, name, access, ReadMode::Quiet)?,
                _ => Val::NULL,
            },
        };
    }
    Ok(current)
}

/// Reads one element for destructuring: anything but arrays and objects gives null silently.
pub fn read_list(vm: &Vm, base: Val, steps: &[Step], access: Access<'_>) -> PhpResult<Val> {
    let base = base.into_deref();
    match base.view() {
        View::Arr(_) | View::Obj(_) => read(vm, base, steps, access),
        _ => {
            read_offsets(vm, steps)?;
            Ok(Val::NULL)
        }
    }
}

/// Reports undefined variables among the offsets of the leading element steps, whose container does not exist.
fn read_offsets(vm: &Vm, steps: &[Step]) -> PhpResult<()> {
    let mut elements = steps.iter().map_while(|step| match step {
        Step::Elem(offset) => Some(offset),
        _ => None,
    });
    elements.try_for_each(|offset| offset.read(vm).map(drop))
}

/// `isset` of a path, or with `empty`, whether its value is not empty.
pub fn isset(vm: &Vm, base: Val, steps: &[Step], access: Access<'_>, empty: bool) -> PhpResult<bool> {
    let Some((last, before)) = steps.split_last() else { return Ok(!base.is_null()) };
    let container = read_quiet(vm, base, before, access)?;
    match last {
        Step::Elem(offset) => dims::isset(vm, &container, &*offset.read(vm)?, empty),
        Step::New => Err(vm.throw_error(b"Cannot use [] for reading")),
        Step::Prop(name) => match container.view() {
            View::Obj(object) => props::isset(vm, object, name, access, empty),
            _ => Ok(false),
        },
    }
}

/// Performs an action at the end of a path; [`Action::MakeRef`] gives the reference as a value.
pub fn apply(vm: &Vm, base: Place<'_>, steps: &[Step], action: Action, access: Access<'_>) -> PhpResult<Val> {
    let mut walk =
        Walk { vm, steps, action: Some(action), access, in_reference: false, known: Vec::new(), reported: None };
    let mut place = base;
    let mut at = 0;
    loop {
        // A reference at the place itself is followed.
        if place.kind() == Kind::Ref
            && let Some(reference) = place.get().as_ref().cloned()
        {
            place = Place::Ref(reference);
        }
        if at == steps.len() {
            return walk.finish_at_place(&place);
        }
        // The handle of an array is not copied, because releasing it would make the array a candidate of the collector.
        let object = if place.kind() == Kind::Obj { place.get().into_obj() } else { None };
        let mut outcome = match object {
            Some(object) => walk.object_step(object, at)?,
            None => walk.value_step(&place, at)?,
        };
        while let Outcome::Ask(pause) = outcome {
            outcome = walk.answer(&place, at, pause)?;
        }
        match outcome {
            Outcome::Done(value, garbage) => {
                // A destructor may drop the container of the value, so nothing here holds the container any more.
                drop(place);
                drop(garbage);
                return Ok(value);
            }
            Outcome::Continue(next, step) => {
                place = next;
                at = step;
            }
            Outcome::Ask(_) => return Ok(Val::NULL),
        }
    }
}

/// An action whose value has been read.
enum Final {
    Set(Val),
    SetOp(SetOp, Val),
    IncDec(IncDec),
    Bind(PhpRef),
    MakeRef,
    Unset,
}

struct Walk<'a> {
    vm: &'a Vm,
    steps: &'a [Step],
    action: Option<Action>,
    access: Access<'a>,
    /// Whether the value that is being walked through is a reference's.
    in_reference: bool,
    /// Keys that were computed, and keys of appended elements, by step.
    known: Vec<(usize, ArrKey)>,
    /// The step whose missing element was reported already.
    reported: Option<usize>,
}

impl<'w> Walk<'w> {
    fn is_unset(&self) -> bool {
        matches!(self.action, Some(Action::Unset))
    }

    /// Takes the action and reads its value, which is needed now.
    fn take_action(&mut self) -> PhpResult<Final> {
        let vm = self.vm;
        Ok(match self.action.take() {
            Some(Action::Set(value)) => Final::Set(value.into_read(vm)?),
            Some(Action::SetOp(op, operand)) => Final::SetOp(op, operand.into_read(vm)?),
            Some(Action::IncDec(op)) => Final::IncDec(op),
            Some(Action::Bind(reference)) => Final::Bind(reference),
            Some(Action::MakeRef) => Final::MakeRef,
            Some(Action::Unset) | None => Final::Unset,
        })
    }

    /// Reads the offset of a step, which is needed now; `None` if the step has none.
    fn offset(&self, at: usize) -> PhpResult<Option<Cow<'w, Val>>> {
        match self.steps.get(at) {
            Some(Step::Elem(offset)) => offset.read(self.vm).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads the remaining offsets of an `unset` whose container does not exist, so that undefined variables are reported.
    fn read_offsets(&self, from: usize) -> PhpResult<()> {
        read_offsets(self.vm, self.steps.get(from..).unwrap_or_default())
    }

    /// Performs the action on a place at the end of the path (an element or property that is a reference).
    fn finish_at_place(&mut self, place: &Place<'_>) -> PhpResult<Val> {
        let vm = self.vm;
        let strict = self.access.strict;
        let store = |value: Val| -> PhpResult<()> {
            match place {
                Place::Ref(reference) => props::store_reference(vm, reference, value, strict),
                _ => {
                    place.update(|slot| slot.set(value));
                    Ok(())
                }
            }
        };
        match self.take_action()? {
            Final::Set(value) => {
                store(value.clone())?;
                Ok(place_value(place, value))
            }
            Final::SetOp(op, operand) => {
                let typed = matches!(place, Place::Ref(reference) if reference.has_sources());
                let current = place.update(|slot| take_operand(slot, op, &operand, typed)).or_null();
                let result = arith::set_op(vm, op, current, &operand)?;
                store(result.clone())?;
                Ok(place_value(place, result))
            }
            Final::IncDec(op) => {
                let current = place.get().or_null();
                let next = step_value(vm, op, &current)?;
                if let Place::Ref(reference) = place {
                    crate::coerce::check_reference_inc_dec(vm, reference, &current, &next)?;
                }
                store(next.clone())?;
                Ok(if is_prefix(op) { next } else { current })
            }
            Final::MakeRef => match place {
                Place::Ref(reference) => Ok(reference.clone().into()),
                _ => Ok(place.update(|slot| slot.make_ref()).into()),
            },
            Final::Bind(reference) => {
                place.update(|slot| slot.set(reference.clone().into()));
                Ok(reference.into())
            }
            Final::Unset => Ok(Val::NULL),
        }
    }

    /// Performs a step on a value that is no object: an array, a string, or a value that becomes an array.
    fn value_step<'p>(&mut self, place: &Place<'_>, at: usize) -> PhpResult<Outcome<'p>> {
        match &self.steps[at] {
            Step::Prop(name) => self.property_of_non_object(place, name, at),
            Step::New | Step::Elem(_) => {
                if dims::vivifies(place.kind()) && !self.is_unset() {
                    match place {
                        Place::Prop(_, info) | Place::Static(info, _) => {
                            crate::coerce::check_vivification(self.vm, info, "property")?;
                        }
                        Place::Ref(reference) => crate::coerce::check_reference_vivification(self.vm, reference)?,
                        _ => {}
                    }
                }
                self.in_reference = matches!(place, Place::Ref(_));
                place.update(|value| self.descend(value, at))
            }
        }
    }

    fn property_of_non_object<'p>(&mut self, place: &Place<'_>, name: &PhpStr, at: usize) -> PhpResult<Outcome<'p>> {
        let last = at + 1 == self.steps.len();
        if let (true, Some(Action::Set(value) | Action::SetOp(_, value))) = (last, &self.action) {
            value.read(self.vm)?;
        }
        let type_name = convert::value_name(&place.get()).into_owned();
        let verb = match &self.action {
            _ if !last && self.is_unset() => {
                self.read_offsets(at + 1)?;
                return Ok(Outcome::Done(Val::NULL, Val::NULL));
            }
            Some(Action::Unset) => return Ok(Outcome::Done(Val::NULL, Val::NULL)),
            Some(Action::IncDec(_)) if last => "increment/decrement property",
            Some(Action::MakeRef | Action::Bind(_)) => "modify property",
            _ if last => "assign property",
            _ => "modify property",
        };
        let text = [b"Attempt to ", verb.as_bytes(), b" \"", &name[..], b"\" on ", type_name.as_bytes()].concat();
        Err(self.vm.throw_error(&text))
    }

    /// Walks down through arrays inside one place.
    fn descend<'p>(&mut self, value: &mut Val, at: usize) -> PhpResult<Outcome<'p>> {
        if at == self.steps.len() {
            return self.finish(value);
        }
        if let Some(reference) = value.as_ref() {
            return Ok(Outcome::Continue(Place::Ref(reference.clone()), at));
        }
        if let Some(object) = value.as_obj() {
            return Ok(Outcome::Continue(Place::Temp(Slot::new(object.into())), at));
        }
        match &self.steps[at] {
            Step::Prop(name) => {
                let name = name.clone();
                let place = Place::Temp(Slot::new(value.clone()));
                self.property_of_non_object(&place, &name, at)
            }
            Step::New | Step::Elem(_) => self.element(value, at),
        }
    }

    fn element<'p>(&mut self, value: &mut Val, at: usize) -> PhpResult<Outcome<'p>> {
        let in_reference = std::mem::take(&mut self.in_reference);
        match value.kind() {
            Kind::Arr => self.array_element(value, at),
            kind if dims::vivifies(kind) => {
                let last = at + 1 == self.steps.len();
                if self.is_unset() && last {
                    self.read_offsets(at)?;
                }
                // An operation on an element itself raises the deprecation even inside a reference; a walk through the element
                // does not.
                let at_once = last && matches!(self.action, Some(Action::Set(_) | Action::SetOp(..) | Action::Unset));
                let is_said = kind == Kind::False && (at_once || !in_reference);
                if self.is_unset() {
                    if is_said {
                        self.vm.deprecated(b"Automatic conversion of false to array is deprecated")?;
                    }
                    if !last {
                        self.read_offsets(at)?;
                    }
                    return Ok(Outcome::Done(Val::NULL, Val::NULL));
                }
                let array = phlox_value::PhpArr::with_capacity(0);
                let pause = is_said.then(|| Pause::holding(Question::FalseToArray, at, &array));
                value.set(array.into());
                match pause {
                    Some(pause) => Ok(Outcome::Ask(pause)),
                    None => self.array_element(value, at),
                }
            }
            Kind::Str => self.string_element(value, at),
            _ => {
                let last = at + 1 == self.steps.len();
                if last && matches!(self.action, Some(Action::Unset | Action::SetOp(..))) {
                    self.read_offsets(at)?;
                }
                if self.is_unset() {
                    return Err(self.vm.throw_error(b"Cannot unset offset in a non-array variable"));
                }
                Err(self.vm.throw_error(b"Cannot use a scalar value as an array"))
            }
        }
    }

    fn array_element<'p>(&mut self, value: &mut Val, at: usize) -> PhpResult<Outcome<'p>> {
        let steps = self.steps;
        let last = at + 1 == steps.len();
        let usage = if self.is_unset() && last { OffsetUse::Unset } else { OffsetUse::Write };
        let Some(array) = value.as_arr_mut() else { return Ok(Outcome::Done(Val::NULL, Val::NULL)) };
        let key = match &steps[at] {
            Step::Elem(_) if !self.known.is_empty() && self.known.iter().any(|(step, _)| *step == at) => {
                self.known_key(at)
            }
            Step::Elem(Input::Value(offset)) if ask::is_plain_offset(offset) => {
                Some(dims::key_of(self.vm, offset, usage)?)
            }
            Step::Elem(_) => {
                array.separate();
                let question = Question::Key(usage);
                return Ok(Outcome::Ask(match self.is_unset() {
                    true => Pause::seeing(question, at, array),
                    false => Pause::holding(question, at, array),
                }));
            }
            _ => None,
        };
        let Some(key) = key else {
            array.separate();
            if let (true, Some(Action::Set(Input::Undefined(_)) | Action::SetOp(_, Input::Undefined(_)))) =
                (last, &self.action)
            {
                return Ok(Outcome::Ask(Pause::holding(Question::Value, at, array)));
            }
            let next = array.next_index();
            self.known.extend(next.filter(|_| !last).map(|next| (at, ArrKey::Int(next))));
            let Ok(place) = array.push_place() else {
                return Err(self
                    .vm
                    .throw_error(b"Cannot add element to the array as the next element is already occupied"));
            };
            return match self.descend(place, at + 1)? {
                Outcome::Ask(mut pause) => {
                    pause.note(at, array, ArrKey::Int(next.unwrap_or_default()));
                    Ok(Outcome::Ask(pause))
                }
                other => Ok(other),
            };
        };
        if self.is_unset() {
            if last {
                let old = array.remove(key.as_key());
                return Ok(Outcome::Done(Val::NULL, old.unwrap_or(Val::NULL)));
            }
            return match array.get_mut(key.as_key()) {
                Some(place) => self.descend(place, at + 1),
                None => {
                    self.read_offsets(at + 1)?;
                    Ok(Outcome::Done(Val::NULL, Val::NULL))
                }
            };
        }
        let reads = self.reads_first(last);
        if reads && self.reported != Some(at) && !array.contains(key.as_key()) {
            array.separate();
            let question = Question::Missing(key.clone());
            if self.known.iter().all(|(step, _)| *step != at) {
                self.known.push((at, key));
            }
            return Ok(Outcome::Ask(Pause::holding(question, at, array)));
        }
        let (place, _) = array.entry(key.as_key());
        match self.descend(place, at + 1)? {
            Outcome::Ask(mut pause) => {
                pause.note(at, array, key);
                Ok(Outcome::Ask(pause))
            }
            other => Ok(other),
        }
    }

    /// Whether the action reads the element at a step, so that a missing element raises a warning.
    fn reads_first(&self, _last: bool) -> bool {
        matches!(self.action, Some(Action::SetOp(..) | Action::IncDec(_)))
    }

    /// Performs the action on an element's place inside an array.
    fn finish<'p>(&mut self, place: &mut Val) -> PhpResult<Outcome<'p>> {
        if let Some(reference) = place.as_ref() {
            match &self.action {
                Some(Action::Bind(_)) => {}
                _ => return Ok(Outcome::Continue(Place::Ref(reference.clone()), self.steps.len())),
            }
        }
        match &self.action {
            Some(Action::Set(Input::Undefined(_)) | Action::SetOp(_, Input::Undefined(_))) => {
                return Ok(Outcome::Ask(Pause::inside(Question::Value)));
            }
            Some(Action::SetOp(op, Input::Value(operand))) if !ask::is_plain_operation(*op, place, operand) => {
                return Ok(Outcome::Ask(Pause::inside(Question::Compute(place.clone().or_null()))));
            }
            Some(Action::IncDec(op)) if !ask::is_plain_step(*op, place) => {
                return Ok(Outcome::Ask(Pause::inside(Question::Compute(place.clone().or_null()))));
            }
            _ => {}
        }
        Ok(match self.take_action()? {
            Final::Set(value) => {
                let old = place.replace(value.clone());
                Outcome::Done(value, old)
            }
            Final::SetOp(op, operand) => {
                let current = take_operand(place, op, &operand, false).or_null();
                let result = arith::set_op(self.vm, op, current, &operand)?;
                let old = place.replace(result.clone());
                Outcome::Done(result, old)
            }
            Final::IncDec(op) => {
                let current = place.clone();
                let next = step_value(self.vm, op, &current)?;
                let old = place.replace(next.clone());
                Outcome::Done(if is_prefix(op) { next } else { current }, old)
            }
            Final::Bind(reference) => {
                let old = place.replace(reference.clone().into());
                Outcome::Done(reference.into(), old)
            }
            Final::MakeRef => Outcome::Done(place.make_ref().into(), Val::NULL),
            Final::Unset => Outcome::Done(Val::NULL, Val::NULL),
        })
    }

    fn string_element<'p>(&mut self, value: &mut Val, at: usize) -> PhpResult<Outcome<'p>> {
        let vm = self.vm;
        let last = at + 1 == self.steps.len();
        if let (true, Some(Action::Set(new)), Some(Step::Elem(offset)), Some(string)) =
            (last, &self.action, self.steps.get(at), value.as_str())
        {
            let is_int = matches!(offset, Input::Value(offset) if offset.kind() == Kind::Int);
            let is_byte = matches!(new, Input::Value(new) if new.as_str().is_some_and(|text| text.len() == 1));
            if !is_int || !is_byte {
                return Ok(Outcome::Ask(Pause::in_string(at, string)));
            }
        }
        let Some(mut offset) = self.offset(at)? else {
            return Err(vm.throw_error(b"[] operator not supported for strings"));
        };
        if self.is_unset() {
            let text: &[u8] = match self.steps.get(at + 1) {
                None => b"Cannot unset string offsets",
                Some(inner) => {
                    dims::string_offset(vm, &offset, OffsetUse::Unset)?;
                    let is_prop = matches!(inner, Step::Prop(_));
                    if is_prop {
                        b"Cannot use string offset as an object"
                    } else {
                        b"Cannot use string offset as an array"
                    }
                }
            };
            return Err(vm.throw_error(text));
        }
        if !last || !matches!(self.action, Some(Action::Set(Input::Value(_)))) {
            offset = Cow::Owned(Val::int(dims::string_offset(vm, &offset, OffsetUse::Write)?));
        }
        if !last {
            let text: &[u8] = match self.steps[at + 1] {
                Step::Prop(_) => b"Cannot use string offset as an object",
                _ => b"Cannot use string offset as an array",
            };
            return Err(vm.throw_error(text));
        }
        if let Some(Action::SetOp(..)) = self.action {
            return Err(vm.throw_error(b"Cannot use assign-op operators with string offsets"));
        }
        match self.take_action()? {
            Final::Set(new) => {
                if let Some(result) = dims::write_byte(value, &offset, &new) {
                    return Ok(Outcome::Done(result, Val::NULL));
                }
                let Some(string) = value.as_str().cloned() else { return Ok(Outcome::Done(Val::NULL, Val::NULL)) };
                let (string, result) = dims::write_string(vm, &string, &offset, &new)?;
                let old = value.replace(string.into());
                Ok(Outcome::Done(result, old))
            }
            Final::SetOp(..) => Ok(Outcome::Done(Val::NULL, Val::NULL)),
            Final::IncDec(_) => Err(vm.throw_error(b"Cannot increment/decrement string offsets")),
            Final::Bind(_) | Final::MakeRef => Err(vm.throw_error(b"Cannot create references to/from string offsets")),
            Final::Unset => Err(vm.throw_error(b"Cannot unset string offsets")),
        }
    }

    /// Performs a step on an object.
    fn object_step<'p>(&mut self, object: PhpObj, at: usize) -> PhpResult<Outcome<'p>> {
        let last = at + 1 == self.steps.len();
        let steps = self.steps;
        match &steps[at] {
            Step::Prop(name) if last => self.finish_property(&object, name),
            Step::Prop(name) => self.through_property(object, name, at),
            Step::Elem(offset) if last => self.finish_offset(&object, Some(&*offset.read(self.vm)?)),
            Step::New if last => self.finish_offset(&object, None),
            Step::Elem(offset) => self.through_offset(&object, Some(&*offset.read(self.vm)?), at),
            Step::New => self.through_offset(&object, None, at),
        }
    }

    fn finish_property<'p>(&mut self, object: &PhpObj, name: &PhpStr) -> PhpResult<Outcome<'p>> {
        let (vm, access) = (self.vm, self.access);
        let value = match self.take_action()? {
            Final::Set(value) => {
                let old = props::held_in(object, name, access);
                return Ok(Outcome::Done(props::write(vm, object, name, value, access)?, old));
            }
            Final::SetOp(op, operand) => props::set_op(vm, object, name, op, &operand, access)?,
            Final::IncDec(op) => props::inc_dec(vm, object, name, op, access)?,
            Final::Bind(reference) => {
                let old = props::bind(vm, object, name, reference.clone(), access)?;
                return Ok(Outcome::Done(reference.into(), old));
            }
            Final::MakeRef => props::make_ref(vm, object, name, access)?.into(),
            Final::Unset => return Ok(Outcome::Done(Val::NULL, props::unset(vm, object, name, access)?)),
        };
        Ok(Outcome::Done(value, Val::NULL))
    }

    fn through_property<'p>(&mut self, object: PhpObj, name: &PhpStr, at: usize) -> PhpResult<Outcome<'p>> {
        let mode = match self.is_unset() {
            true => PlaceMode::Unset,
            false if self.action_reads() => PlaceMode::InsideRead,
            false => PlaceMode::Inside,
        };
        let forwarded = lazy::forward(self.vm, &object, name, self.access, lazy::Purpose::Get)?;
        let object = forwarded.unwrap_or(object);
        let place = match props::place(self.vm, &object, name, self.access, mode)? {
            PropPlace::Slot(info) => {
                if info.ty.is_some() && object.slots()[info.slot].is_undef() {
                    self.check_uninitialized(&info, at)?;
                } else if self.action_reads() && object.slots()[info.slot].is_undef() {
                    props::undefined(self.vm, &object, name)?;
                } else if self.is_unset() && object.slots()[info.slot].is_undef() {
                    object.slots()[info.slot].set(Val::NULL);
                }
                Place::Prop(object, info)
            }
            PropPlace::Dynamic => {
                let exists = object.dynamic().is_some_and(|t| t.contains(Key::from_str(name)));
                if self.is_unset() && !exists {
                    // PHP creates the property that it looks into.
                    object.update_dynamic(|table| drop(table.insert(Key::from_str(name), Val::NULL)));
                    self.read_offsets(at + 1)?;
                    return Ok(Outcome::Done(Val::NULL, Val::NULL));
                }
                if self.action_reads() && !exists {
                    props::undefined(self.vm, &object, name)?;
                }
                Place::Dynamic(object, name.clone())
            }
            PropPlace::Computed(value) => Place::Temp(Slot::new(value)),
        };
        Ok(Outcome::Continue(place, at + 1))
    }

    fn action_reads(&self) -> bool {
        matches!(self.action, Some(Action::SetOp(..) | Action::IncDec(_)))
    }

    fn check_uninitialized(&self, info: &Rc<crate::PropInfo>, at: usize) -> PhpResult<()> {
        let needs_value = self.action_reads() || matches!(self.steps.get(at + 1), Some(Step::Prop(_)));
        if !needs_value || self.is_unset() {
            return Ok(());
        }
        Err(props::uninitialized(self.vm, info))
    }

    fn finish_offset<'p>(&mut self, object: &PhpObj, offset: Option<&Val>) -> PhpResult<Outcome<'p>> {
        let vm = self.vm;
        let value = match self.take_action()? {
            Final::Set(value) => {
                dims::offset_set(vm, object, offset, value.clone())?;
                value
            }
            Final::SetOp(op, operand) => {
                let current = dims::offset_get(vm, object, offset).map_err(|thrown| unreadable(vm, object, thrown))?;
                let current = current.into_deref();
                let result = arith::set_op(vm, op, current, &operand)?;
                dims::offset_set(vm, object, offset, result.clone())?;
                result
            }
            Final::IncDec(op) => {
                let fetched = match dims::element_ref(vm, object, offset, true)? {
                    Some(reference) => reference.into(),
                    None => dims::offset_get(vm, object, offset)?,
                };
                let current = fetched.deref();
                if !fetched.is_ref() && fetched.as_obj().is_none() {
                    self.indirect_notice(object)?;
                }
                let next = step_value(vm, op, &current)?;
                if let Some(reference) = fetched.as_ref() {
                    crate::coerce::check_reference_inc_dec(vm, reference, &current, &next)?;
                    props::store_reference(vm, reference, next.clone(), self.access.strict)?;
                }
                if is_prefix(op) { next } else { current }
            }
            Final::MakeRef => {
                if let Some(reference) = dims::element_ref(vm, object, offset, false)? {
                    return Ok(Outcome::Done(reference.into(), Val::NULL));
                }
                let mut fetched = dims::offset_get(vm, object, offset)?;
                if !fetched.is_ref() && fetched.as_obj().is_none() {
                    self.indirect_notice(object)?;
                }
                fetched.make_ref().into()
            }
            Final::Bind(reference) => {
                if let (Some(bind), Some(offset)) = (object.class().native.bind_element, offset)
                    && bind(vm, object, offset, reference.clone())?
                {
                    return Ok(Outcome::Done(reference.into(), Val::NULL));
                }
                // The object cannot store the reference.
                let fetched = dims::offset_get(vm, object, offset)?;
                if !fetched.is_ref() && fetched.as_obj().is_none() {
                    self.indirect_notice(object)?;
                }
                return Err(vm.throw_error(b"Cannot assign by reference to an array dimension of an object"));
            }
            Final::Unset => {
                dims::offset_unset(vm, object, offset)?;
                Val::NULL
            }
        };
        Ok(Outcome::Done(value, Val::NULL))
    }

    fn indirect_notice(&self, object: &PhpObj) -> PhpResult<()> {
        dims::indirect_element(self.vm, object)
    }

    fn through_offset<'p>(&mut self, object: &PhpObj, offset: Option<&Val>, at: usize) -> PhpResult<Outcome<'p>> {
        let class = object.class();
        let has_places = class.native.element.is_some() && class.magic.offset_get.is_none();
        if self.is_unset() && has_places {
            // An element that does not exist is not created.
            let exists = |offset: &Val| dims::isset(self.vm, &object.into(), offset, false);
            if !offset.map_or(Ok(false), exists)? {
                self.indirect_notice(object)?;
                return Ok(Outcome::Done(Val::NULL, Val::NULL));
            }
        }
        if let Some(reference) = dims::element_ref(self.vm, object, offset, self.action_reads())? {
            return Ok(Outcome::Continue(Place::Ref(reference), at + 1));
        }
        if let Some(own) = object.class().native.own_elements {
            let usage = if self.is_unset() { MemberUse::Unset } else { MemberUse::Inside };
            let value = (own.read)(self.vm, object, Member::Element(offset), usage)?;
            return Ok(Outcome::Continue(Place::Temp(Slot::new(value)), at + 1));
        }
        let value = dims::offset_get(self.vm, object, offset)?;
        if !value.is_ref() && value.as_obj().is_none() {
            self.indirect_notice(object)?;
        }
        Ok(Outcome::Continue(Place::Temp(Slot::new(value)), at + 1))
    }
}

/// The Error of `op=` on an object that did not give its element; the object's own exception becomes its previous one.
fn unreadable(vm: &Vm, object: &PhpObj, thrown: Throw) -> Throw {
    let class = object.class();
    let has_places = class.native.element.is_some() && class.magic.offset_get.is_none();
    let earlier = match thrown {
        Throw::Exception(earlier) if !has_places => earlier,
        thrown => return thrown,
    };
    let error = dims::not_an_array(vm, object);
    if let Throw::Exception(later) = &error {
        chain_previous(later, earlier);
    }
    error
}

/// The left operand of `op=`. A string or array that the operation can grow in place is moved out, unless the operation or the
/// store (`typed`) may fail, because the place must then keep the value.
fn take_operand(place: &mut Val, op: SetOp, operand: &Val, typed: bool) -> Val {
    if grows(place.kind(), op, operand) && !typed { place.replace(Val::NULL) } else { place.clone() }
}

/// Whether `op=` can grow a value of this kind in place, without failing and without running code.
pub(crate) fn grows(kind: Kind, op: SetOp, operand: &Val) -> bool {
    match kind {
        Kind::Str => {
            op == SetOp::Concat
                && matches!(
                    operand.kind(),
                    Kind::Str | Kind::Int | Kind::Double | Kind::Null | Kind::False | Kind::True
                )
        }
        Kind::Arr => op == SetOp::Add && operand.kind() == Kind::Arr,
        _ => false,
    }
}

/// The value of an assignment expression: the value that the place has now (a typed reference may have coerced it).
fn place_value(place: &Place<'_>, assigned: Val) -> Val {
    match place {
        Place::Ref(reference) if reference.has_sources() => reference.get(),
        _ => assigned,
    }
}

fn is_prefix(op: IncDec) -> bool {
    matches!(op, IncDec::PreInc | IncDec::PreDec)
}

/// The value after `++` or `--`.
pub fn step_value(vm: &Vm, op: IncDec, current: &Val) -> PhpResult<Val> {
    match op {
        IncDec::PreInc | IncDec::PostInc => arith::increment(vm, current),
        IncDec::PreDec | IncDec::PostDec => arith::decrement(vm, current),
    }
}
