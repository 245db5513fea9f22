//! Destructors and weak references.

use crate::class::ObjExt;
use crate::error::Throw;
use crate::vm::{Args, Callee, Vm, WeakHolder};
use phlox_value::PhpObj;
use std::rc::Rc;

/// Calls an object's destructor; a throwable from it is raised at the next safe point.
pub fn run(object: &PhpObj) {
    let Some(vm) = Vm::current() else { return };
    // A proxy leaves destruction to its instance; an uninitialised ghost has nothing to destroy.
    if crate::lazy::is_lazy(object) {
        return;
    }
    if let Some(destruct) = object.class().native.destruct {
        let waiting = vm.pending.borrow_mut().take();
        destruct(vm, object);
        let later = vm.pending.borrow_mut().take();
        if let Some(waiting) = waiting {
            vm.set_pending(Throw::Exception(waiting));
        }
        if let Some(later) = later {
            vm.set_pending(Throw::Exception(later));
        }
        return;
    }
    let Some(func) = object.class().magic.destruct.clone() else { return };
    // A pending throwable is set aside while the destructor runs.
    let waiting = vm.pending.borrow_mut().take();
    let result = check_access(vm, object).and_then(|allowed| match allowed {
        true => vm.call(&Callee::method(func, object.clone()), Args::default()).map(drop),
        false => Ok(()),
    });
    if let Some(waiting) = waiting {
        vm.set_pending(Throw::Exception(waiting));
    }
    if let Err(throw) = result {
        vm.set_pending(throw);
    }
}

/// Calls the destructor of an object that the collector found; the engine may run it in a fiber.
pub(crate) fn run_of_garbage(object: &PhpObj) {
    if let Some(vm) = Vm::current() {
        vm.executor().destruct_garbage(object);
    }
}

/// Whether the destructor may run from the running scope; a private or protected one throws or, at shutdown, is skipped with a
/// warning.
fn check_access(vm: &Vm, object: &PhpObj) -> crate::PhpResult<bool> {
    let Some(func) = &object.class().magic.destruct else { return Ok(false) };
    if func.is_public() || vm.can_call(func, vm.scope().as_ref()) {
        return Ok(true);
    }
    let kind = if func.is_private() { "private" } else { "protected" };
    let scope = match vm.scope() {
        Some(scope) => [b"scope ".as_slice(), crate::ClassExt::class(&*scope).name.as_bytes()].concat(),
        None => b"global scope".to_vec(),
    };
    let class = object.class_name().as_bytes().to_vec();
    let text = [b"Call to ", kind.as_bytes(), b" ", &class, b"::__destruct() from ", &scope].concat();
    if vm.shutting_down.get() || vm.frame().is_none() {
        let text = [&text[..], b" during shutdown ignored"].concat();
        vm.warning(&text)?;
        return Ok(false);
    }
    Err(vm.throw_error(&text))
}

/// Unbinds a reference from a typed property of an object that is freed.
pub(crate) fn typed_reference_freed(class: &phlox_value::ClassRef, slot: usize, reference: &phlox_value::PhpRef) {
    if let Some(info) = crate::ClassExt::class(&**class).slots.get(slot) {
        let source: phlox_value::TypeSource = info.clone();
        reference.remove_source(&source);
    }
}

/// Records the current position when memory_limit is hit, for the report.
pub(crate) fn memory_exhausted() {
    if let Some(vm) = Vm::current() {
        vm.fault_position.replace(Some(vm.position()));
    }
    // Values that unwinding frees must not run destructors.
    phlox_value::set_shutdown(true);
}

impl Vm {
    /// Calls `holder` when the object is freed, if the holder still lives then.
    pub fn watch(&self, object: &PhpObj, holder: Rc<dyn WeakHolder>) {
        object.mark_weakly_referenced();
        let mut weak = self.weak.borrow_mut();
        let holders = weak.entry(object.address()).or_default();
        let holder = Rc::downgrade(&holder);
        // A map that watched an earlier object at this address must be registered once only, because the collector subtracts the
        // reference of its entry once.
        holders.retain(|other| other.strong_count() > 0 && !other.ptr_eq(&holder));
        holders.push(holder);
    }
}

/// The entries of all weak maps.
pub(crate) fn ephemerons() -> Vec<phlox_value::Ephemeron> {
    let Some(vm) = Vm::current() else { return Vec::new() };
    let weak = vm.weak.borrow();
    weak.iter()
        .flat_map(|(address, holders)| holders.iter().filter_map(|holder| holder.upgrade()?.entry(*address)))
        .collect()
}

/// Tells the weak holders of an object that it is freed.
pub(crate) fn weak_freed(address: usize) {
    let Some(vm) = Vm::current() else { return };
    let holders = vm.weak.borrow_mut().remove(&address);
    for holder in holders.into_iter().flatten().filter_map(|holder| holder.upgrade()) {
        holder.forget(address);
    }
}
