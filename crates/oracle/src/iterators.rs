//! `foreach`: over arrays, plain objects and Traversables, by value and by reference.

use crate::machine::{Flow, Machine};
use phlox_hhbc::{IterId, LocalId, Target};
use phlox_runtime::iteration::{self, Traversal};
use phlox_runtime::props::Access;
use phlox_runtime::{
    ArrKey, Frame, HashIterator, Key, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Val, View, convert, props,
};
use std::rc::Rc;

/// A running iteration. It owns what it iterates.
pub enum Iter {
    Array {
        array: PhpArr,
        position: u32,
    },
    /// By reference over the array in a reference box.
    ArrayRef {
        reference: PhpRef,
        position: HashIterator,
    },
    /// The visible properties of an object, by name.
    Properties {
        object: PhpObj,
        names: Vec<PhpStr>,
        position: usize,
        by_ref: bool,
    },
    Traversable {
        traversal: Traversal,
        by_ref: bool,
    },
}

/// What a step of an iteration found.
enum Element {
    Pair(Val, Val),
    End,
}

impl Machine<'_> {
    pub fn iter_init(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let subject = self.pop().into_deref();
        let started = match subject.view() {
            View::Arr(array) => Iter::Array { array: array.clone(), position: 0 },
            View::Obj(object) => self.start_object(frame, object, false)?,
            _ => return self.not_iterable(&subject, target),
        };
        self.begin(frame, iter, started, target, value, key)
    }

    pub fn ref_iter_init(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let subject = self.pop();
        let Some(reference) = subject.as_ref().cloned() else { return Ok(Flow::Jump(target.0)) };
        let current = reference.get();
        let started = match current.view() {
            View::Arr(_) => {
                drop(current);
                let position = reference.slot().update(|value| value.as_arr_mut().map(HashIterator::new));
                match position {
                    Some(position) => Iter::ArrayRef { reference, position },
                    None => return Ok(Flow::Jump(target.0)),
                }
            }
            View::Obj(object) => self.start_object(frame, object, true)?,
            _ => return self.not_iterable(&current, target),
        };
        self.begin(frame, iter, started, target, value, key)
    }

    fn not_iterable(&mut self, subject: &Val, target: Target) -> PhpResult<Flow> {
        let text = format!("foreach() argument must be of type array|object, {} given", convert::value_name(subject));
        self.vm.warning(text.as_bytes())?;
        Ok(Flow::Jump(target.0))
    }

    fn start_object(&mut self, frame: &Frame, object: &PhpObj, by_ref: bool) -> PhpResult<Iter> {
        if iteration::is_traversable(self.vm, object) {
            let traversal = Traversal::start(self.vm, object, by_ref)?;
            return Ok(Iter::Traversable { traversal, by_ref });
        }
        let object = &phlox_runtime::lazy::real(self.vm, object)?;
        let names = iteration::visible_properties(self.vm, object, frame.scope());
        Ok(Iter::Properties { object: object.clone(), names, position: 0, by_ref })
    }

    fn begin(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        mut started: Iter,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        match self.fetch(frame, &mut started, key.is_some())? {
            Element::End => Ok(Flow::Jump(target.0)),
            Element::Pair(found_key, found) => {
                self.act().iters[iter.index()] = Some(started);
                self.assign_element(frame, value, key, found_key, found)?;
                Ok(Flow::Next)
            }
        }
    }

    pub fn iter_next(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let Some(mut running) = self.act().iters[iter.index()].take() else { return Ok(Flow::Next) };
        if let Iter::Traversable { traversal, .. } = &mut running {
            if let Err(throw) = traversal.advance(self.vm) {
                self.act().iters[iter.index()] = Some(running);
                return Err(throw);
            }
        }
        let element = match self.fetch(frame, &mut running, key.is_some()) {
            Ok(element) => element,
            Err(throw) => {
                self.act().iters[iter.index()] = Some(running);
                return Err(throw);
            }
        };
        match element {
            Element::End => {
                drop(running);
                Ok(Flow::Next)
            }
            Element::Pair(found_key, found) => {
                self.act().iters[iter.index()] = Some(running);
                self.assign_element(frame, value, key, found_key, found)?;
                Ok(Flow::Jump(target.0))
            }
        }
    }

    /// The element at the iteration's position; moves array positions on. An object is asked for its key only
    /// when the loop wants it.
    fn fetch(&mut self, frame: &Frame, iter: &mut Iter, wants_key: bool) -> PhpResult<Element> {
        match iter {
            Iter::Array { array, position } => {
                let Some(at) = array.position_from(*position) else { return Ok(Element::End) };
                *position = at + 1;
                Ok(match array.at(at) {
                    Some((key, value)) => Element::Pair(key.to_val(), value.deref()),
                    None => Element::End,
                })
            }
            Iter::ArrayRef { reference, position } => Ok(fetch_ref(reference, position)),
            Iter::Properties { object, names, position, by_ref } => {
                let access = Self::access(frame);
                while let Some(name) = names.get(*position).cloned() {
                    *position += 1;
                    if let Some(value) = self.property_element(object, &name, access, *by_ref)? {
                        return Ok(Element::Pair(Key::from_str(&name).to_val(), value));
                    }
                }
                Ok(Element::End)
            }
            Iter::Traversable { traversal, by_ref } => {
                if !traversal.valid(self.vm)? {
                    return Ok(Element::End);
                }
                let value = traversal.current(self.vm)?;
                let value = if *by_ref { value } else { value.into_deref() };
                let key = if wants_key { traversal.key(self.vm)? } else { Val::NULL };
                Ok(Element::Pair(key, value))
            }
        }
    }

    /// A property that still exists and is initialised.
    fn property_element(
        &mut self,
        object: &PhpObj,
        name: &PhpStr,
        access: Access<'_>,
        by_ref: bool,
    ) -> PhpResult<Option<Val>> {
        if let props::Found::Declared(info) = props::find(object.class(), name, access.scope) {
            if !info.has_hooks() && object.slots()[info.slot].is_undef() {
                return Ok(None);
            }
            if by_ref && info.is_readonly() {
                let text = b"Cannot acquire reference to readonly property ";
                let shown = [&object.class_name()[..], b"::$", name].concat();
                return Err(self.vm.throw_error(&[&text[..], &shown].concat()));
            }
        } else if !object.dynamic().is_some_and(|table| table.contains(Key::from_str(name))) {
            return Ok(None);
        }
        if by_ref {
            return Ok(Some(props::make_ref(self.vm, object, name, access)?.into()));
        }
        Ok(Some(props::read(self.vm, object, name, access, props::ReadMode::Warn)?))
    }

    fn assign_element(
        &mut self,
        frame: &Rc<Frame>,
        value: LocalId,
        key: Option<LocalId>,
        found_key: Val,
        found: Val,
    ) -> PhpResult<()> {
        let slot = frame.local(value.index());
        if found.is_ref() {
            slot.set(found);
        } else {
            self.assign(frame, slot, found)?;
        }
        if let Some(key) = key {
            let slot = frame.local(key.index());
            self.assign(frame, slot, found_key)?;
        }
        Ok(())
    }
}

/// The next element of an array that is iterated by reference.
fn fetch_ref(reference: &PhpRef, position: &HashIterator) -> Element {
    let found = reference.slot().update(|value| {
        let array = value.as_arr_mut()?;
        let at = array.position_from(position.position(array))?;
        position.set_position(at + 1);
        let key: ArrKey = array.at(at)?.0.to_owned();
        let element = array.place_at(at)?.make_ref();
        Some((key, element))
    });
    match found {
        Some((key, element)) => Element::Pair(key.to_val(), element.into()),
        None => Element::End,
    }
}
