//! Magic methods for properties, and the guards that prevent recursion for a property while its magic method runs.

use crate::class::ObjExt;
use crate::error::PhpResult;
use crate::func::{Func, FuncBody};
use crate::lazy;
use crate::props::{self, Access, Found, is_or_stands_for};
use crate::vm::Vm;
use phlox_value::{Key, PhpObj, PhpStr, Val};
use std::cell::RefCell;
use std::rc::Rc;

/// The kinds of guards, one for each magic method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    Get,
    Set,
    Isset,
    Unset,
}

/// The active calls of magic methods, innermost last.
#[derive(Default)]
pub struct Guards(RefCell<Vec<(PhpObj, PhpStr, Guard)>>);

impl Guards {
    /// Forgets all calls.
    pub(crate) fn clear(&self) {
        drop(self.0.take());
    }

    /// Whether the magic method may be called: it is not running for the property.
    #[inline]
    pub fn allow(&self, object: &PhpObj, name: &PhpStr, guard: Guard) -> bool {
        self.0.borrow().is_empty() || !self.contains(object, name, guard)
    }

    /// Whether a call is active. A call on a proxy counts for its instance, too.
    fn contains(&self, object: &PhpObj, name: &PhpStr, guard: Guard) -> bool {
        let active = self.0.borrow();
        active.iter().any(|(owner, key, kind)| *kind == guard && key == name && is_or_stands_for(owner, object))
    }

    /// Notes that a magic method is called for a property.
    #[inline]
    pub fn begin(&self, object: &PhpObj, name: &PhpStr, guard: Guard) {
        self.0.borrow_mut().push((object.clone(), name.clone(), guard));
    }

    /// Notes that the innermost call for this property has returned, and gives its object. Other fibers may have begun calls
    /// since.
    #[inline(never)]
    pub fn finish(&self, name: &PhpStr, guard: Guard) -> Option<PhpObj> {
        let mut active = self.0.borrow_mut();
        let at = active.iter().rposition(|(_, key, kind)| *kind == guard && key == name)?;
        Some(active.remove(at).0)
    }

    /// Notes that the innermost call has returned or thrown. Not inlined, because tail-calling handlers may have no locals with
    /// destructors.
    #[inline(never)]
    pub fn end(&self) {
        let ended = self.0.borrow_mut().pop();
        drop(ended);
    }
}

/// Calls a magic method; `None` if it is running for the property already.
pub(crate) fn guarded(
    vm: &Vm,
    object: &PhpObj,
    name: &PhpStr,
    guard: Guard,
    func: &Rc<Func>,
    args: &mut [Val],
) -> PhpResult<Option<Val>> {
    if !vm.guards.allow(object, name, guard) {
        return Ok(None);
    }
    vm.guards.begin(object, name, guard);
    let result = vm.call_on(func, object, args);
    vm.guards.end();
    result.map(Some)
}

fn method_for(object: &PhpObj, guard: Guard) -> Option<&Rc<Func>> {
    let magic = &object.class().magic;
    match guard {
        Guard::Get => magic.get.as_ref(),
        Guard::Set => magic.set.as_ref(),
        Guard::Isset => magic.isset.as_ref(),
        Guard::Unset => magic.unset.as_ref(),
    }
}

/// The magic methods that an access may call first; `??` calls `__get` without `__isset` if that is running or missing.
fn guards_of(purpose: lazy::Purpose) -> &'static [Guard] {
    match purpose {
        lazy::Purpose::Get => &[Guard::Get],
        lazy::Purpose::QuietGet => &[Guard::Isset, Guard::Get],
        lazy::Purpose::Isset => &[Guard::Isset],
        lazy::Purpose::Set => &[Guard::Set],
        lazy::Purpose::Unset => &[Guard::Unset],
    }
}

/// Whether the class has a magic method for this access that is not running for the property.
pub(crate) fn has_free_magic(vm: &Vm, object: &PhpObj, name: &PhpStr, purpose: lazy::Purpose) -> bool {
    let is_free = |guard: &Guard| method_for(object, *guard).is_some() && vm.guards.allow(object, name, *guard);
    guards_of(purpose).iter().any(is_free)
}

/// Whether the first magic method for this access that the class has is running for the property.
pub(crate) fn is_running(vm: &Vm, object: &PhpObj, name: &PhpStr, purpose: lazy::Purpose) -> bool {
    let first = guards_of(purpose).iter().find(|guard| method_for(object, **guard).is_some());
    first.is_some_and(|guard| !vm.guards.allow(object, name, *guard))
}

/// The magic method that an access to a property calls without doing anything else, if it is written in PHP: for an engine that
/// makes the call itself, between [`Guards::begin`] and [`Guards::end`]. The answer holds for every object of the class for which
/// [`is_usual`] is true.
pub fn at_once<'a>(
    vm: &Vm,
    object: &'a PhpObj,
    name: &PhpStr,
    access: Access<'_>,
    guard: Guard,
) -> Option<&'a Rc<Func>> {
    let func = method_for(object, guard).filter(|func| matches!(func.body, FuncBody::User))?;
    let native = &object.class().native;
    if lazy::is_lazy(object) || native.own_properties.is_some() || native.has_elements_as_properties(object) {
        return None;
    }
    let absent = match props::find(object.class(), name, access.scope) {
        Found::Declared(_) => false,
        Found::Hidden(_) => true,
        Found::Dynamic => !object.dynamic().is_some_and(|table| table.contains(Key::from_str(name))),
    };
    (absent && vm.guards.allow(object, name, guard)).then_some(func)
}

/// Whether the object has nothing but the declared properties of its class, and is not lazy.
#[inline]
pub fn is_usual(object: &PhpObj) -> bool {
    !object.has_dynamic() && !object.has_native()
}
