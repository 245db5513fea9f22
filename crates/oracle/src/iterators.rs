//! `foreach`: over arrays, plain objects and Traversables, by value and by reference.

use crate::machine::{Flow, Machine};
use phlox_hhbc::{IterId, LocalId, Target};
use phlox_runtime::iteration::{self, Traversal};
use phlox_runtime::props::Access;
use phlox_runtime::{
    Frame, HashIterator, Key, Kind, ObjExt, PhpArr, PhpObj, PhpRef, PhpResult, PhpStr, Val, View, Vm, convert, props,
};
use std::rc::Rc;

/// A running iteration, which owns what it iterates over.
pub enum Iter {
    Array {
        array: PhpArr,
        position: u32,
    },
    /// An array that is iterated over by reference, in a variable's reference.
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

/// A key and a value of an iteration.
pub type Element = (Val, Val);

/// Starts an iteration by value. `None`: the subject cannot be iterated over, and a warning was raised.
pub fn start(vm: &Vm, access: Access<'_>, subject: &Val) -> PhpResult<Option<Iter>> {
    match subject.view() {
        View::Arr(array) => Ok(Some(Iter::Array { array: array.clone(), position: 0 })),
        View::Obj(object) => start_object(vm, access, object, false).map(Some),
        _ => not_iterable(vm, subject),
    }
}

/// Starts an iteration by reference. `None`: the subject cannot be iterated over, and a warning was raised.
pub fn start_by_reference(vm: &Vm, access: Access<'_>, reference: &PhpRef) -> PhpResult<Option<Iter>> {
    let current = reference.get();
    match current.view() {
        View::Arr(_) => {
            drop(current);
            let position = reference.slot().update(|value| value.as_arr_mut().map(HashIterator::new));
            Ok(position.map(|position| Iter::ArrayRef { reference: reference.clone(), position }))
        }
        View::Obj(object) => start_object(vm, access, object, true).map(Some),
        _ => not_iterable(vm, &current),
    }
}

fn not_iterable(vm: &Vm, subject: &Val) -> PhpResult<Option<Iter>> {
    let text = format!("foreach() argument must be of type array|object, {} given", convert::value_name(subject));
    vm.warning(text.as_bytes())?;
    Ok(None)
}

fn start_object(vm: &Vm, access: Access<'_>, object: &PhpObj, by_ref: bool) -> PhpResult<Iter> {
    if iteration::is_traversable(vm, object) {
        let traversal = Traversal::start(vm, object, by_ref)?;
        return Ok(Iter::Traversable { traversal, by_ref });
    }
    let object = &phlox_runtime::lazy::real(vm, object)?;
    let names = iteration::visible_properties(vm, object, access.scope);
    Ok(Iter::Properties { object: object.clone(), names, position: 0, by_ref })
}

impl Iter {
    /// Leaves the current element of a Traversable; other iterations move on when an element is fetched.
    pub fn advance(&mut self, vm: &Vm) -> PhpResult<()> {
        match self {
            Iter::Traversable { traversal, .. } => traversal.advance(vm),
            _ => Ok(()),
        }
    }

    /// The element at the iteration's position; iterations over arrays and properties move on. An object is asked for its key only
    /// if the loop wants it.
    pub fn fetch(&mut self, vm: &Vm, access: Access<'_>, wants_key: bool) -> PhpResult<Option<Element>> {
        match self {
            Iter::Array { array, position } => {
                let Some(at) = array.position_from(*position) else { return Ok(None) };
                *position = at + 1;
                Ok(array.at(at).map(|(key, value)| (key.to_val(), value.deref())))
            }
            Iter::ArrayRef { reference, position } => {
                let current = reference.slot().kind();
                if current == Kind::Arr {
                    return Ok(fetch_ref(reference, position, wants_key));
                }
                // The loop's body has assigned something else to the variable.
                match start_by_reference(vm, access, &reference.clone())? {
                    Some(started) => {
                        *self = started;
                        self.fetch(vm, access, wants_key)
                    }
                    None => Ok(None),
                }
            }
            Iter::Properties { object, names, position, by_ref } => {
                object.class().native.refresh(object);
                while let Some(name) = names.get(*position).cloned() {
                    *position += 1;
                    if let Some(value) = property_element(vm, object, &name, access, *by_ref)? {
                        return Ok(Some((iteration::shown_name(&name).into(), value)));
                    }
                }
                // Properties that the loop has added are visited, too.
                if iteration::add_new_properties(object, names) {
                    return self.fetch(vm, access, wants_key);
                }
                Ok(None)
            }
            Iter::Traversable { traversal, by_ref } => {
                let Some((value, key)) = traversal.element(vm, wants_key)? else { return Ok(None) };
                let value = if *by_ref { value } else { value.into_deref() };
                Ok(Some((key, value)))
            }
        }
    }
}

/// The value of a property, or a reference to it, if it still exists and is initialised.
fn property_element(
    vm: &Vm,
    object: &PhpObj,
    name: &PhpStr,
    access: Access<'_>,
    by_ref: bool,
) -> PhpResult<Option<Val>> {
    if let props::Found::Declared(info) = props::find(object.class(), name, access.scope) {
        // A property that only has a hook for writing raises its error before it counts as missing.
        let is_stored = !info.has_hooks() || !by_ref && info.get_hook.is_none() && !info.is_virtual();
        if is_stored && object.slots()[info.slot].is_undef() {
            return Ok(None);
        }
        if !by_ref && !info.has_hooks() && object.class().native.own_properties.is_none() {
            return Ok(Some(object.slots()[info.slot].get_deref()));
        }
        let gives_reference = info.get_hook.as_ref().is_some_and(|get| get.returns_by_ref());
        if by_ref && info.has_hooks() && !gives_reference {
            let shown = [&object.class_name()[..], b"::$", name].concat();
            return Err(vm.throw_error(&[b"Cannot create reference to property ", &shown[..]].concat()));
        }
        if by_ref && info.is_readonly() {
            let text = b"Cannot acquire reference to readonly property ";
            let shown = [&object.class_name()[..], b"::$", name].concat();
            return Err(vm.throw_error(&[&text[..], &shown].concat()));
        }
        if by_ref && !props::is_settable(&info, access.scope) {
            // A loop makes references to all properties that it sees: set visibility is not checked.
            let declarer = Access { scope: Some(info.declarer()), ..access };
            return Ok(Some(props::make_ref(vm, object, name, declarer)?.into()));
        }
    } else {
        let found = object.dynamic().and_then(|table| table.get(Key::from_str(name)).map(Val::deref));
        // Classes that keep their members themselves have nothing to add to what is in the table.
        if found.is_none() || (!by_ref && object.class().native.own_properties.is_some()) {
            return Ok(found);
        }
        if object.class().native.refresh.is_some() {
            return Ok(Some(object.update_dynamic(|table| table.entry(Key::from_str(name)).0.make_ref()).into()));
        }
    }
    if by_ref {
        return Ok(Some(props::make_ref(vm, object, name, access)?.into()));
    }
    Ok(Some(props::read(vm, object, name, access, props::ReadMode::Warn)?))
}

impl Machine<'_> {
    /// Starts an iteration by value of the value on the stack (IterInit), and assigns the first element.
    pub fn iter_init(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let subject = self.pop().into_deref();
        match start(self.vm, Self::access(frame), &subject)? {
            Some(started) => {
                drop(subject);
                self.begin(frame, iter, started, target, value, key)
            }
            None => Ok(Flow::Jump(target.0)),
        }
    }

    /// Starts an iteration by reference of the reference on the stack (MIterInit), and binds the first element.
    pub fn ref_iter_init(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let subject = self.pop();
        let Some(reference) = subject.as_ref() else { return Ok(Flow::Jump(target.0)) };
        match start_by_reference(self.vm, Self::access(frame), reference)? {
            Some(started) => self.begin(frame, iter, started, target, value, key),
            None => Ok(Flow::Jump(target.0)),
        }
    }

    /// Assigns the first element of an iteration that has just started, or jumps to `target` if there is none.
    fn begin(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        mut started: Iter,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        match started.fetch(self.vm, Self::access(frame), key.is_some())? {
            None => Ok(Flow::Jump(target.0)),
            Some((found_key, found)) => {
                self.act().iters[iter.index()] = Some(started);
                self.assign_element(frame, value, key, found_key, found)?;
                Ok(Flow::Next)
            }
        }
    }

    /// Moves an iteration on (IterNext and MIterNext), and assigns the next element.
    pub fn iter_next(
        &mut self,
        frame: &Rc<Frame>,
        iter: IterId,
        target: Target,
        value: LocalId,
        key: Option<LocalId>,
    ) -> PhpResult<Flow> {
        let Some(mut running) = self.act().iters[iter.index()].take() else { return Ok(Flow::Next) };
        let vm = self.vm;
        let access = Self::access(frame);
        let element = running.advance(vm).and_then(|()| running.fetch(vm, access, key.is_some()));
        if !matches!(element, Ok(None)) {
            self.act().iters[iter.index()] = Some(running);
        }
        match element? {
            None => Ok(Flow::Next),
            Some((found_key, found)) => {
                self.assign_element(frame, value, key, found_key, found)?;
                Ok(Flow::Jump(target.0))
            }
        }
    }

    /// Assigns an element to the loop's variables; an element that is a reference is bound.
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

/// The next element of an array that is iterated over by reference, and its key if it is wanted. The loop goes on in the table it
/// is in, as Zend does, even if the body has shared it; only an array that is new to the loop is separated.
fn fetch_ref(reference: &PhpRef, position: &HashIterator, wants_key: bool) -> Option<Element> {
    reference.slot().update(|value| {
        let known = value.as_arr().is_some_and(|array| array.refcount() > 1 && position.knows(array));
        let shared = match known {
            true => value.as_arr()?,
            false => value.as_arr_mut()?,
        };
        let at = position.advance(shared)?;
        let key = if wants_key { shared.at(at)?.0.to_val() } else { Val::NULL };
        if known && let Some(element) = shared.ref_in_place(at) {
            return Some((key, element.into()));
        }
        Some((key, value.as_arr_mut()?.place_at(at)?.make_ref().into()))
    })
}
