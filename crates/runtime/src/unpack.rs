//! The operator `...`, which unpacks arrays and Traversables in array literals and argument lists.

use crate::convert;
use crate::dims::copied;
use crate::error::PhpResult;
use crate::func::Func;
use crate::iteration;
use crate::vm::Vm;
use phlox_hhbc::FuncFlags;
use phlox_value::{Key, PhpArr, PhpStr, Slot, Val, View};

const ONLY_ITERABLES: &str = "Only arrays and Traversables can be unpacked";

/// Whether a constant expression is running, where only arrays can be unpacked.
fn is_constant_expression(vm: &Vm) -> bool {
    vm.frame().is_some_and(|frame| frame.func.has(FuncFlags::THUNK))
}

/// Unpacks `source` into `array`, for `[...$array, ...$source]`.
pub fn into_array(vm: &Vm, array: &mut PhpArr, source: &Val) -> PhpResult<()> {
    if source.as_arr().is_none() && is_constant_expression(vm) {
        return Err(vm.throw_error(b"Only arrays can be unpacked in constant expression"));
    }
    match source.view() {
        View::Arr(elements) if array.next_index() == Some(0) && array.is_empty() && is_plain_list(elements) => {
            *array = elements.clone();
            Ok(())
        }
        View::Arr(elements) => {
            for (key, value) in elements {
                match key {
                    Key::Int(_) => push(vm, array, copied(value))?,
                    Key::Str(_) => drop(array.insert(key, copied(value))),
                }
            }
            Ok(())
        }
        View::Obj(object) if iteration::is_traversable(vm, object) => {
            iteration::each(vm, source, ONLY_ITERABLES, &mut |key, value| {
                match key.view() {
                    View::Str(name) => match Key::from_str(name) {
                        Key::Int(_) => push(vm, array, value)?,
                        key => drop(array.insert(key, value)),
                    },
                    View::Int(_) => push(vm, array, value)?,
                    _ => return Err(vm.throw_error(b"Keys must be of type int|string during array unpacking")),
                }
                Ok(true)
            })
        }
        _ => {
            let text = format!("{ONLY_ITERABLES}, {} given", convert::value_name(source));
            // Only an object is refused with a TypeError.
            Err(match source.as_obj() {
                Some(_) => vm.throw_type_error(text.as_bytes()),
                None => vm.throw_error(text.as_bytes()),
            })
        }
    }
}

/// Whether the array is what its elements give when each is added to an empty array, its internal pointer included.
fn is_plain_list(elements: &PhpArr) -> bool {
    elements.pointer() == 0 && elements.is_numbered() && !elements.values().any(Val::is_ref)
}

fn push(vm: &Vm, array: &mut PhpArr, value: Val) -> PhpResult<()> {
    match array.push(value) {
        Ok(_) => Ok(()),
        Err(_) => Err(vm.throw_error(b"Cannot add element to the array as the next element is already occupied")),
    }
}

/// The arguments of a call while they are being unpacked.
pub struct Arguments<'a> {
    /// The called function; `None` for a class without a constructor, or for a call that a magic method handles.
    pub func: Option<&'a Func>,
    /// Number of positional arguments that were passed before the first `...`.
    pub passed: usize,
    /// The arguments unpacked so far; positional arguments have integer keys.
    pub list: PhpArr,
}

impl Arguments<'_> {
    /// Unpacks a value. `variable` is the variable that holds it, whose elements can become references.
    pub fn unpack(&mut self, vm: &Vm, source: &Val, variable: Option<&Slot>) -> PhpResult<()> {
        let mut state = State {
            position: self.passed + self.list.keys().filter(|key| matches!(key, Key::Int(_))).count(),
            has_named: false,
        };
        self.count_named(vm, &mut state)?;
        if let Some(elements) =
            source.as_arr().filter(|elements| self.list.is_empty() && self.takes(state.position, elements))
        {
            self.list = elements.clone();
            return Ok(());
        }
        match source.view() {
            View::Arr(elements) => {
                if let Some(variable) = variable {
                    self.refer_elements(variable, state.position);
                    if let Some(elements) = variable.get_deref().as_arr() {
                        return self.add_elements(vm, &mut state, elements);
                    }
                }
                self.add_elements(vm, &mut state, elements)
            }
            View::Obj(object) if iteration::is_traversable(vm, object) => {
                iteration::each(vm, source, ONLY_ITERABLES, &mut |key, value| {
                    match key.view() {
                        View::Str(name) => {
                            // A numeric name is an integer key in an array.
                            let key = phlox_value::ArrKey::from_str(name.clone());
                            self.add(vm, &mut state, key.as_key(), value, true)?;
                        }
                        View::Int(position) => self.add(vm, &mut state, Key::Int(position), value, true)?,
                        _ => {
                            let text = b"Keys must be of type int|string during argument unpacking";
                            return Err(vm.throw_error(text));
                        }
                    }
                    Ok(true)
                })
            }
            _ => {
                let text = format!("{ONLY_ITERABLES}, {} given", convert::value_name(source));
                Err(vm.throw_type_error(text.as_bytes()))
            }
        }
    }

    /// Whether the elements of an array are the further arguments as they are.
    fn takes(&self, position: usize, elements: &PhpArr) -> bool {
        self.func.is_some_and(|func| are_arguments(func, position, elements))
    }

    /// Turns named arguments of an earlier `...` that fill the next parameters into positional ones.
    fn count_named(&mut self, vm: &Vm, state: &mut State) -> PhpResult<()> {
        let Some(func) = self.func else { return Ok(()) };
        while let Some(parameter) = func.params.get(state.position).filter(|parameter| !parameter.variadic)
            && let Some(value) = self.list.remove(Key::Str(&parameter.name))
        {
            push(vm, &mut self.list, value)?;
            state.position += 1;
        }
        Ok(())
    }

    fn add_elements(&mut self, vm: &Vm, state: &mut State, elements: &PhpArr) -> PhpResult<()> {
        for (key, value) in elements {
            let by_ref = value.is_ref() && self.is_by_ref(&key, state.position);
            let value = if by_ref { value.clone() } else { value.deref() };
            self.add(vm, state, key, value, false)?;
        }
        Ok(())
    }

    /// Adds an argument. `computed` arguments come from a Traversable, which cannot pass references.
    fn add(&mut self, vm: &Vm, state: &mut State, key: Key<'_>, value: Val, computed: bool) -> PhpResult<()> {
        if computed && self.is_by_ref(&key, state.position) {
            self.warn_passed_by_value(vm, &key, state.position)?;
        }
        match key {
            Key::Int(_) if state.has_named => {
                Err(vm.throw_error(b"Cannot use positional argument after named argument during unpacking"))
            }
            Key::Int(_) => {
                state.position += 1;
                push(vm, &mut self.list, value)
            }
            Key::Str(name) => {
                state.has_named = true;
                let taken =
                    self.list.contains(key) || self.parameter(name).is_some_and(|parameter| parameter < state.position);
                if taken {
                    let text = [b"Named parameter $", &name[..], b" overwrites previous argument"].concat();
                    return Err(vm.throw_error(&text));
                }
                if self.func.is_some_and(|func| !func.is_variadic()) && self.parameter(name).is_none() {
                    return Err(vm.throw_error(&[b"Unknown named parameter $", crate::until_nul(name)].concat()));
                }
                drop(self.list.insert(key, value));
                Ok(())
            }
        }
    }

    /// The index of a named parameter.
    fn parameter(&self, name: &PhpStr) -> Option<usize> {
        self.func?.params.iter().position(|parameter| parameter.name == *name && !parameter.variadic)
    }

    fn is_by_ref(&self, key: &Key<'_>, position: usize) -> bool {
        let Some(func) = self.func else { return false };
        match key {
            Key::Int(_) => func.is_by_ref(position),
            Key::Str(name) => func.place_of_name(name).is_some_and(|parameter| func.is_by_ref(parameter)),
        }
    }

    /// Makes references of the elements of a variable's array that are passed to by-reference parameters.
    fn refer_elements(&self, variable: &Slot, first: usize) {
        let wanted = {
            let current = variable.get_deref();
            let Some(elements) = current.as_arr() else { return };
            let mut position = first;
            let mut wanted = Vec::new();
            for key in elements.keys() {
                wanted.push(self.is_by_ref(&key, position));
                position += usize::from(matches!(key, Key::Int(_)));
            }
            wanted
        };
        if !wanted.contains(&true) {
            return;
        }
        let refer = |value: &mut Val| {
            let Some(array) = value.as_arr_mut() else { return };
            let mut wanted = wanted.iter();
            array.for_each_mut(|_, element| {
                if wanted.next() == Some(&true) {
                    element.make_ref();
                }
            });
        };
        match variable.as_ref() {
            Some(reference) => reference.slot().update(refer),
            None => variable.update(refer),
        }
    }

    fn warn_passed_by_value(&self, vm: &Vm, key: &Key<'_>, position: usize) -> PhpResult<()> {
        let Some(func) = self.func else { return Ok(()) };
        let number = match key {
            Key::Int(_) => position,
            Key::Str(name) => func.place_of_name(name).unwrap_or(position),
        };
        if func.param_for(number).is_some_and(|parameter| parameter.prefer_ref) {
            return Ok(());
        }
        let head = format!("Cannot pass by-reference argument {} of ", number + 1);
        let tail = b"() by unpacking a Traversable, passing by-value instead";
        vm.warning(&[head.as_bytes(), &func.display_name(), tail].concat())
    }
}

/// Whether the elements of an array are arguments of a function as they are, behind `passed` other ones: none of their parameters
/// takes a reference, no element is one, elements without a name come first, and each name is that of another parameter behind them.
pub fn are_arguments(func: &Func, passed: usize, elements: &PhpArr) -> bool {
    if func.takes_references_behind(passed) || elements.iter().any(|(_, value)| value.is_ref()) {
        return false;
    }
    let positional = elements.keys().take_while(|key| matches!(key, Key::Int(_))).count();
    let has_names = positional < elements.len();
    let position = passed + positional;
    let is_known = |name: &PhpStr| func.params.iter().skip(position).any(|param| param.name == *name);
    let is_argument = |(number, key): (usize, Key<'_>)| match key {
        Key::Int(index) => number < positional && index == number as i64,
        Key::Str(name) => is_known(name),
    };
    (!has_names || !func.is_variadic()) && elements.keys().enumerate().all(is_argument)
}

struct State {
    /// The index of the next positional argument.
    position: usize,
    has_named: bool,
}
