//! Classes that are kept from one request to the next: what linking one depended on, and the check that it still holds.
//!
//! A class of a kept unit is used again if every name that its linking looked up means the same class as before. The lookups are
//! repeated in their order, so that autoloaders are called as in the first request, and the notices are raised again.

use super::fatal_during;
use crate::class::{ClassExt, ClassRef};
use crate::error::{Level, PhpResult};
use crate::strmap::lower;
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
    loaded: Vec<Named>,
    /// The classes that declared types were compared by.
    compared: Vec<Named>,
    notices: Vec<Notice>,
    /// Set if the linking depended on more than this.
    is_unique: bool,
}

/// A class that a name meant.
struct Named {
    name: PhpStr,
    /// The name in the class table.
    key: PhpStr,
    class: ClassRef,
}

impl Named {
    fn new(name: &PhpStr, class: &ClassRef) -> Named {
        let key = lower(name.strip_prefix(b"\\").unwrap_or(name));
        Named { name: name.clone(), key, class: class.clone() }
    }

    /// Whether the name means the class in this request. `None`: it means nothing yet.
    fn holds(&self, vm: &Vm) -> Option<bool> {
        Some(Rc::ptr_eq(vm.classes.borrow().get(&self.key)?, &self.class))
    }

    /// Whether the name means the class, which is loaded if necessary.
    fn holds_when_loaded(&self, vm: &Vm) -> PhpResult<bool> {
        match self.holds(vm) {
            Some(holds) => Ok(holds),
            None => {
                let found = vm.find_class_by(&self.name, &self.key)?;
                Ok(found.is_some_and(|found| Rc::ptr_eq(&found, &self.class)))
            }
        }
    }
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
        self.loaded.push(Named::new(name, class));
    }

    /// Notes a class that a type was compared by.
    fn note_compared(&mut self, name: &PhpStr, class: &ClassRef) {
        if !self.compared.iter().any(|known| known.name == *name) {
            self.compared.push(Named::new(name, class));
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

/// The key in the class table of a declaration that was linked in an earlier request.
pub(super) fn key(unit: &LinkedUnit, id: ClassId) -> Option<PhpStr> {
    let linked = unit.linked.borrow();
    Some(linked.get(id.index())?.first()?.class.class().lower_name.clone())
}

/// Whether the class can be declared when its unit is loaded, as far as a class of an earlier request tells: it can if that class
/// extends the parent that is known now, and all classes that it was compared by are loaded. `None`: its declaration must be
/// looked at.
pub(super) fn binds_early(vm: &Vm, unit: &LinkedUnit, id: ClassId) -> Option<bool> {
    let linked = unit.linked.borrow();
    let kept = linked.get(id.index())?.first()?;
    if vm.classes.borrow().contains_key(&kept.class.class().lower_name) {
        return Some(false);
    }
    let parent = match &kept.depends.loaded[..] {
        [] => return Some(true),
        [parent] if unit.unit.classes[id.index()].parent.is_some() => parent,
        // It has interfaces or traits.
        _ => return Some(false),
    };
    let others = kept.depends.compared.iter().filter(|named| !Rc::ptr_eq(&named.class, &kept.class));
    let fits = |named: &Named| named.holds(vm) == Some(true);
    (fits(parent) && others.into_iter().all(fits)).then_some(true)
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
        for named in &self.depends.compared {
            if !named.holds_when_loaded(vm)? {
                vm.classes.borrow_mut().shift_remove(key);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn load_all(&self, vm: &Vm) -> PhpResult<bool> {
        for named in &self.depends.loaded {
            if !named.holds_when_loaded(vm)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
