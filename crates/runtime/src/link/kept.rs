//! Classes that are kept from one request to the next: what linking one depended on, and the check that it still holds.
//!
//! A class of a kept unit is used again if every name that its linking looked up means the same class as before. The lookups are
//! repeated in their order, so that autoloaders are called as in the first request, and the notices are raised again.

use super::fatal_during;
use crate::class::ClassRef;
use crate::error::{Level, PhpResult};
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::ClassId;
use phlox_value::PhpStr;
use std::rc::Rc;

/// The most classes that are kept for one declaration, which differ in their parents, interfaces or traits.
const MOST: usize = 4;

/// A class that was linked in an earlier request, and what its linking depended on.
pub(crate) struct KeptClass {
    class: ClassRef,
    depends: Dependencies,
}

/// What the linking of one class depended on.
#[derive(Default)]
pub(crate) struct Dependencies {
    /// The parent, the traits and the interfaces, which were loaded in this order.
    loaded: Vec<(PhpStr, ClassRef)>,
    /// The classes that declared types were compared by.
    compared: Vec<(PhpStr, ClassRef)>,
    notices: Vec<Notice>,
    /// Set if the linking depended on more than this.
    is_unique: bool,
}

/// A notice that was raised while a class was linked.
struct Notice {
    level: Level,
    message: Vec<u8>,
    file: PhpStr,
    line: u32,
    /// How the error begins that an exception of an error handler becomes; `None` if the exception can be caught.
    fatal: Option<Vec<u8>>,
}

impl Dependencies {
    /// Notes a class that had to be loaded.
    fn note_loaded(&mut self, name: &PhpStr, class: &ClassRef) {
        self.loaded.push((name.clone(), class.clone()));
    }

    /// Notes a class that a type was compared by.
    fn note_compared(&mut self, name: &PhpStr, class: &ClassRef) {
        if !self.compared.iter().any(|(known, _)| known == name) {
            self.compared.push((name.clone(), class.clone()));
        }
    }
}

fn note(vm: &Vm, note: impl FnOnce(&mut Dependencies)) {
    if let Some(innermost) = vm.dependencies.borrow_mut().last_mut() {
        note(innermost);
    }
}

/// Finds a class that a declaration names, loading it if necessary.
pub(super) fn load(vm: &Vm, name: &PhpStr) -> PhpResult<Option<ClassRef>> {
    let found = vm.find_class(name)?;
    if let Some(class) = &found {
        note(vm, |depends| depends.note_loaded(name, class));
    }
    Ok(found)
}

/// The class that a declaration extends; throws `Class "X" not found`.
pub(super) fn require(vm: &Vm, name: &PhpStr) -> PhpResult<ClassRef> {
    let class = vm.require_class(name)?;
    note(vm, |depends| depends.note_loaded(name, &class));
    Ok(class)
}

/// Finds a class for the comparison of types.
pub(super) fn find_to_compare(vm: &Vm, name: &PhpStr) -> Option<ClassRef> {
    let found = vm.find_class_no_autoload(name);
    if let Some(class) = &found {
        note(vm, |depends| depends.note_compared(name, class));
    }
    found
}

/// Notes that the linking depends on more than classes, so that it is repeated in each request.
pub(super) fn depends_on_values(vm: &Vm) {
    note(vm, |depends| depends.is_unique = true);
}

/// Raises a notice about the declaration of a class. If an error handler throws, the exception becomes a fatal error that begins
/// with `fatal`, where that is given.
pub(super) fn raise(
    vm: &Vm,
    level: Level,
    message: &[u8],
    (file, line): (&PhpStr, u32),
    fatal: Option<Vec<u8>>,
) -> PhpResult<()> {
    let notice = Notice { level, message: message.to_vec(), file: file.clone(), line, fatal };
    let result = notice.raise(vm);
    note(vm, |depends| depends.notices.push(notice));
    result
}

impl Notice {
    fn raise(&self, vm: &Vm) -> PhpResult<()> {
        let result = vm.raise_at(self.level, &self.message, &self.file, self.line);
        match &self.fatal {
            Some(what) => result.map_err(|thrown| fatal_during(vm, what, thrown)),
            None => result,
        }
    }
}

/// Runs `link`, which links the class of a row, and notes what it depends on, if the unit is kept.
pub(super) fn recorded(
    vm: &Vm,
    unit: &Rc<LinkedUnit>,
    id: ClassId,
    link: impl FnOnce() -> PhpResult<ClassRef>,
) -> PhpResult<ClassRef> {
    vm.dependencies.borrow_mut().push(Dependencies::default());
    let result = link();
    let depends = vm.dependencies.borrow_mut().pop().unwrap_or_default();
    if let Ok(class) = &result
        && unit.is_kept.get()
        && !depends.is_unique
    {
        let mut rows = unit.linked.borrow_mut();
        rows.resize_with(unit.unit.classes.len(), Vec::new);
        let kept = &mut rows[id.index()];
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(Rc::new(KeptClass { class: class.clone(), depends }));
    }
    result
}

/// Runs a check that is not part of the linking that may be going on.
pub(super) fn unrecorded<R>(vm: &Vm, check: impl FnOnce() -> R) -> R {
    vm.dependencies.borrow_mut().push(Dependencies::default());
    let result = check();
    vm.dependencies.borrow_mut().pop();
    result
}

/// Declares a class of an earlier request again, if one fits. Gives none if the class must be linked.
///
/// # Errors
/// What autoloaders and error handlers throw.
pub(super) fn declare_again(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId, key: &PhpStr) -> PhpResult<Option<ClassRef>> {
    let candidates = unit.linked.borrow().get(id.index()).cloned().unwrap_or_default();
    for kept in candidates {
        // Lookups of other classes, which autoloaders link meanwhile, are not this class's.
        vm.dependencies.borrow_mut().push(Dependencies::default());
        let fits = kept.declare(vm, unit, id, key);
        vm.dependencies.borrow_mut().pop();
        if fits? {
            return Ok(Some(kept.class.clone()));
        }
    }
    Ok(None)
}

/// Whether a class of an earlier request extends this parent, and all classes that it was compared by are loaded: then nothing of
/// its declaration is unresolved.
pub(super) fn fits_at_once(vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId, parent: &ClassRef) -> bool {
    let linked = unit.linked.borrow();
    let is_loaded = |(name, class): &(PhpStr, ClassRef)| {
        vm.find_class_no_autoload(name).is_some_and(|found| Rc::ptr_eq(&found, class)) || Rc::ptr_eq(class, parent)
    };
    let fits = |kept: &Rc<KeptClass>| {
        let extends = kept.depends.loaded.first().is_some_and(|(_, loaded)| Rc::ptr_eq(loaded, parent));
        let others = kept.depends.compared.iter().filter(|(_, class)| !Rc::ptr_eq(class, &kept.class));
        extends && others.into_iter().all(is_loaded)
    };
    linked.get(id.index()).is_some_and(|kept| kept.iter().any(fits))
}

impl KeptClass {
    /// Declares the class if everything that its linking depended on is the same; false if not.
    fn declare(&self, vm: &Vm, unit: &Rc<LinkedUnit>, id: ClassId, key: &PhpStr) -> PhpResult<bool> {
        vm.linking.borrow_mut().push((unit.clone(), id));
        let loaded = self.load_all(vm);
        vm.linking.borrow_mut().pop();
        // Autoloading may have declared the class itself meanwhile.
        if !loaded? || vm.classes.borrow().contains_key(key) {
            return Ok(false);
        }
        for notice in &self.depends.notices {
            notice.raise(vm)?;
        }
        vm.classes.borrow_mut().insert(key.clone(), self.class.clone());
        for (name, class) in &self.depends.compared {
            let found = match vm.find_class_no_autoload(name) {
                Some(found) => Some(found),
                None => vm.find_class(name)?,
            };
            if !found.is_some_and(|found| Rc::ptr_eq(&found, class)) {
                vm.classes.borrow_mut().shift_remove(key);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn load_all(&self, vm: &Vm) -> PhpResult<bool> {
        for (name, class) in &self.depends.loaded {
            if !vm.find_class(name)?.is_some_and(|found| Rc::ptr_eq(&found, class)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
