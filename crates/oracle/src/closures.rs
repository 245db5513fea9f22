//! Closures, and the building of arrays and argument lists.

use crate::machine::Machine;
use phlox_hhbc::{FuncId, LocalId};
use phlox_runtime::closure::{self, ClosureData};
use phlox_runtime::dims::{OffsetUse, key_of};
use phlox_runtime::{Frame, Func, PhpResult, Slot, Val, Vm, unpack};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Functions of closures by unit, row and class scope, so that a loop makes the function of its closure only once.
#[derive(Default)]
struct ClosureFuncs(RefCell<HashMap<(usize, u32, u32), Rc<Func>>>);

impl Machine<'_> {
    /// Makes a Closure of a function, which captures the top values of the stack (CreateCl).
    pub fn create_closure(&mut self, frame: &Rc<Frame>, captures: usize, id: FuncId) -> PhpResult<()> {
        let func = closure_func(self.vm, &frame.func, id);
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
                lists_arguments: false,
            },
        )?;
        self.push(object.into());
        Ok(())
    }

    /// Adds an element with a key to the array on the stack: `[..., key => value]`.
    pub fn add_element(&mut self) -> PhpResult<()> {
        let value = self.pop();
        let key = self.pop();
        let key = key_of(self.vm, &key, OffsetUse::Write)?;
        match self.top().as_arr_mut() {
            Some(array) => {
                drop(array.insert(key.as_key(), value));
                Ok(())
            }
            None => Err(self.vm.not_an_array()),
        }
    }

    /// Appends an element to the array on the stack: `[..., value]`.
    pub fn add_new_element(&mut self) -> PhpResult<()> {
        let value = self.pop();
        let pushed = self.top().as_arr_mut().map(|array| array.push(value));
        match pushed {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) => {
                Err(self.vm.throw_error(b"Cannot add element to the array as the next element is already occupied"))
            }
            None => Err(self.vm.not_an_array()),
        }
    }

    /// Adds the elements of a source to the array on the stack: `[...array, ...source]`.
    pub fn unpack_elements(&mut self) -> PhpResult<()> {
        let source = self.pop().into_deref();
        let Some(mut array) = self.pop().into_arr() else { return Err(self.vm.not_an_array()) };
        unpack::into_array(self.vm, &mut array, &source)?;
        self.push(array.into());
        Ok(())
    }

    /// UnpackArgs: adds the elements of a value to the list of arguments on the stack.
    pub fn unpack_arguments(&mut self, args: u32) -> PhpResult<()> {
        let source = self.pop().into_deref();
        self.unpack_into_list(args, &source, None)
    }

    /// UnpackArgsL: adds the elements of a local to the list of arguments on the stack.
    pub fn unpack_local_arguments(&mut self, frame: &Frame, args: u32, local: LocalId) -> PhpResult<()> {
        let source = self.read_local(frame, local)?;
        self.unpack_into_list(args, &source, Some(frame.local(local.index())))
    }

    /// Adds the elements of a source to the list of arguments on the stack. `variable`: the local that holds the source.
    fn unpack_into_list(&mut self, args: u32, source: &Val, variable: Option<&Slot>) -> PhpResult<()> {
        let list = self.pop().into_arr().unwrap_or_default();
        let callee = self.pending.last().and_then(|pending| pending.callee.as_ref());
        let func = callee.filter(|callee| callee.magic_name.is_none()).map(|callee| callee.func.clone());
        let mut arguments = unpack::Arguments { func: func.as_deref(), passed: args as usize, list };
        arguments.unpack(self.vm, source, variable)?;
        let list = arguments.list;
        self.push(list.into());
        Ok(())
    }
}

/// The function of a closure in the code of `outer`, with that code's class scope.
pub fn closure_func(vm: &Vm, outer: &Func, id: FuncId) -> Rc<Func> {
    let unit = &outer.unit;
    let Some(scope) = outer.scope.get() else { return unit.func(id) };
    if unit.is_kept.get() {
        return unit.func_in(id, scope);
    }
    let cache = vm.data::<ClosureFuncs>("closure functions");
    let key = (Rc::as_ptr(unit) as usize, id.0, scope.id());
    if let Some(func) = cache.0.borrow().get(&key) {
        return func.clone();
    }
    let func = unit.func_in(id, scope);
    cache.0.borrow_mut().insert(key, func.clone());
    func
}
