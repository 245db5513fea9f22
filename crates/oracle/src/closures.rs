//! Closures and array building.

use crate::machine::Machine;
use phlox_hhbc::{FuncId, LocalId};
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::dims::{OffsetUse, key_of};
use phlox_runtime::{Frame, Func, FuncBody, Key, PhpArr, PhpResult, Slot, Val, View};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Closure functions by unit, row and class scope, so that a loop makes the function once.
#[derive(Default)]
struct ClosureFuncs(RefCell<HashMap<(usize, u32, u32), Rc<Func>>>);

impl Machine<'_> {
    pub fn create_closure(&mut self, frame: &Rc<Frame>, captures: usize, id: FuncId) -> PhpResult<()> {
        let func = self.closure_func(frame, id);
        let at = self.stack.len() - captures;
        let captured = self.stack.split_off(at).into_iter().map(Slot::new).collect();
        let this = if func.is_static() { None } else { frame.this.clone() };
        let object = closure::create(
            self.vm,
            ClosureData {
                func,
                this: Slot::new(this.map_or(Val::UNDEF, Val::from)),
                called_scope: frame.static_class.clone(),
                captured,
                statics: RefCell::new(None),
                is_fake: false,
                magic_name: None,
            },
        )?;
        self.push(object.into());
        Ok(())
    }

    fn closure_func(&mut self, frame: &Frame, id: FuncId) -> Rc<Func> {
        let unit = &frame.func.unit;
        let Some(scope) = frame.scope() else { return unit.func(id) };
        let cache = self.vm.data::<ClosureFuncs>("closure functions");
        let key = (Rc::as_ptr(unit) as usize, id.0, scope.id());
        if let Some(func) = cache.0.borrow().get(&key) {
            return func.clone();
        }
        let func = Func::from_unit(unit, id, FuncBody::User);
        let _ = func.scope.set(scope.clone());
        let func = Rc::new(func);
        cache.0.borrow_mut().insert(key, func.clone());
        func
    }

    /// `[..., key => value]`
    pub fn add_element(&mut self) -> PhpResult<()> {
        let value = self.pop();
        let key = self.pop();
        let key = key_of(self.vm, &key, OffsetUse::Write)?;
        if let Some(array) = self.top().as_arr_mut() {
            drop(array.insert(key.as_key(), value));
        }
        Ok(())
    }

    pub fn add_new_element(&mut self) -> PhpResult<()> {
        let value = self.pop();
        let pushed = self.top().as_arr_mut().map(|array| array.push(value));
        match pushed {
            Some(Err(_)) => {
                Err(self.vm.throw_error(b"Cannot add element to the array as the next element is already occupied"))
            }
            _ => Ok(()),
        }
    }

    /// `[...array, ...source]`
    pub fn unpack_elements(&mut self) -> PhpResult<()> {
        let source = self.pop().into_deref();
        match source.view() {
            View::Arr(elements) => {
                let Some(array) = self.top().as_arr_mut() else { return Ok(()) };
                let mut full = false;
                for (key, value) in elements {
                    match key {
                        Key::Int(_) => full |= array.push(value.deref()).is_err(),
                        Key::Str(_) => drop(array.insert(key, value.deref())),
                    }
                }
                if full {
                    let text = b"Cannot add element to the array as the next element is already occupied";
                    return Err(self.vm.throw_error(text));
                }
                Ok(())
            }
            View::Obj(_) => self.unpack_traversable(&source),
            _ => Err(self.vm.throw_error(b"Only arrays and Traversables can be unpacked")),
        }
    }

    /// UnpackArgsL
    pub fn unpack_local_arguments(&mut self, frame: &Frame, args: u32, local: LocalId) -> PhpResult<()> {
        let source = self.read_local(frame, local)?;
        let first = args + self.top().as_arr().map_or(0, |array| array.len() as u32);
        let count = source.as_arr().map_or(0, |array| array.len() as u32);
        let by_ref: Vec<bool> = (first..first + count).map(|param| self.argument_is_ref(param)).collect();
        if by_ref.contains(&true) {
            drop(source);
            let reference = frame.local(local.index()).as_ref();
            let update = |value: &mut Val| refer_elements(value, &by_ref);
            match reference {
                Some(reference) => reference.slot().update(update),
                None => frame.local(local.index()).update(update),
            }
            let elements = frame.local(local.index()).get_deref();
            let (Some(elements), Some(array)) = (elements.as_arr(), self.top().as_arr_mut()) else { return Ok(()) };
            for (key, value) in elements {
                match key {
                    Key::Int(_) => drop(array.push(value.clone())),
                    Key::Str(_) => drop(array.insert(key, value.clone())),
                }
            }
            return Ok(());
        }
        self.push(source);
        self.unpack_elements()
    }

    fn unpack_traversable(&mut self, source: &Val) -> PhpResult<()> {
        let mut elements = Vec::new();
        let vm = self.vm;
        phlox_runtime::iteration::each(
            vm,
            source,
            "Only arrays and Traversables can be unpacked",
            &mut |key, value| {
                elements.push((key, value));
                Ok(true)
            },
        )?;
        let mut array: PhpArr = self.pop().into_arr().unwrap_or_default();
        for (key, value) in elements {
            match key.view() {
                View::Str(name) => drop(array.insert(Key::Str(name), value)),
                View::Int(_) => drop(array.push(value)),
                _ => return Err(vm.throw_error(b"Keys must be of type int|string during array unpacking")),
            }
        }
        self.push(array.into());
        Ok(())
    }
}

/// Makes references of the elements at the marked positions.
fn refer_elements(value: &mut Val, by_ref: &[bool]) {
    let Some(array) = value.as_arr_mut() else { return };
    let mut marks = by_ref.iter();
    array.for_each_mut(|_, element| {
        if marks.next() == Some(&true) {
            element.make_ref();
        }
    });
}
