//! `array_walk` and `array_walk_recursive`: callbacks that may change the elements in place.

use phlox_runtime::{Call, Callee, FnDef, Key, ObjExt, PhpObj, PhpRef, PhpResult, Val, convert};
use std::cell::RefCell;
use std::collections::HashSet;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_walk(array|object &$array, callable $callback, mixed $arg = UNKNOWN): true", array_walk),
    FnDef::new(
        "array_walk_recursive(array|object &$array, callable $callback, mixed $arg = UNKNOWN): true",
        array_walk_recursive,
    ),
];

struct Walk<'a> {
    call: &'a Call<'a>,
    callee: Callee,
    extra: Option<Val>,
    recursive: bool,
    /// The variables whose arrays are being walked, by their numbers.
    inside: RefCell<HashSet<usize>>,
}

fn walk(call: &Call<'_>, recursive: bool) -> PhpResult<Val> {
    let callee = call.vm.require_callable(&call.arg(1))?;
    let extra = call.was_passed(2).then(|| call.arg(2));
    let walk = Walk { call, callee, extra, recursive, inside: RefCell::default() };
    let subject = call.reference(0);
    // No copy of the array is kept, so that overwritten elements are released at once.
    match subject.get().into_obj() {
        Some(object) => walk.object(&object)?,
        None => walk.array(&subject)?,
    }
    Ok(Val::TRUE)
}

fn array_walk(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, false)
}

fn array_walk_recursive(call: &mut Call<'_>) -> PhpResult<Val> {
    walk(call, true)
}

impl Walk<'_> {
    /// Walks the array in a variable. The callback may change the variable: the position follows.
    fn array(&self, variable: &PhpRef) -> PhpResult<()> {
        if self.call.vm.native_stack_is_low() {
            return Err(self.call.vm.throw_error(b"Maximum call stack size reached. Infinite recursion?"));
        }
        if !self.inside.borrow_mut().insert(variable.id()) {
            return Err(self.call.vm.throw_error(b"Recursion detected"));
        }
        let result = self.elements(variable);
        self.inside.borrow_mut().remove(&variable.id());
        result
    }

    fn elements(&self, variable: &PhpRef) -> PhpResult<()> {
        let mut cursor: Option<phlox_runtime::HashIterator> = None;
        loop {
            let mut array = match variable.slot().replace(Val::NULL) {
                value if value.as_arr().is_some() => value.into_arr().unwrap_or_default(),
                other => {
                    variable.set(other);
                    return Err(self.call.vm.throw_type_error(b"Iterated value is no longer an array or object"));
                }
            };
            let iterator = cursor.get_or_insert_with(|| phlox_runtime::HashIterator::new(&mut array));
            let found = iterator.advance(&array).and_then(|position| {
                let (key, value) = array.at(position)?;
                let key = key.to_val();
                // A callback that takes a value cannot change the element; a nested array is walked in place. A
                // reference may be the variable of this very array, which is empty at this point, so its content is not
                // checked here.
                let is_walked = self.recursive && (value.is_ref() || value.as_arr().is_some());
                let element = match is_walked || self.callee.func.is_by_ref(0) {
                    true => array.place_at(position)?.make_ref().into(),
                    false => value.deref(),
                };
                Some((key, element))
            });
            variable.set(array.into());
            let Some((key, element)) = found else { return Ok(()) };
            match element.as_ref() {
                Some(reference) => self.element(reference, key)?,
                None => self.ask(element, key)?,
            }
        }
    }

    fn element(&self, element: &PhpRef, key: Val) -> PhpResult<()> {
        if self.recursive && element.get().as_arr().is_some() {
            return self.array(element);
        }
        self.ask(element.clone().into(), key)
    }

    fn ask(&self, element: Val, key: Val) -> PhpResult<()> {
        match &self.extra {
            Some(extra) => self.call.vm.call_moving(&self.callee, &mut [element, key, extra.clone()]).map(drop),
            None => self.call.vm.call_moving(&self.callee, &mut [element, key]).map(drop),
        }
    }

    /// Walks an object's properties.
    fn object(&self, object: &PhpObj) -> PhpResult<()> {
        let object = &phlox_runtime::lazy::real(self.call.vm, object)?;
        for info in object.class().slots.iter() {
            let Some(slot) = object.slots().get(info.slot).filter(|slot| !slot.is_undef()) else { continue };
            let is_new = slot.as_ref().is_none();
            let reference = slot.make_ref();
            if is_new && info.ty.is_some() {
                reference.add_source(info.clone());
            }
            self.element(&reference, convert::mangled_name(info).into())?;
        }
        object.class().native.refresh(object);
        let names: Vec<_> = object.dynamic().iter().flat_map(|table| table.keys()).map(Key::to_owned).collect();
        for name in names {
            let element = object.update_dynamic(|table| table.get_mut(name.as_key()).map(|place| place.make_ref()));
            if let Some(element) = element {
                self.element(&element, name.to_val())?;
            }
        }
        Ok(())
    }
}
