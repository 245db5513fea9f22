//! Subtype checks of declared types, with three answers, because a class may not be loaded yet.

use super::draft::Draft;
use super::methods::Checks;
use super::properties::{self, Variance};
use super::{constants, kept, methods, text};
use crate::class::{Class, ClassConst, ClassExt, ClassRef, PropInfo};
use crate::error::{Level, PhpResult, Throw};
use crate::func::Func;
use crate::strmap::lower_str;
use crate::types::TypeSpec;
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::{ClassId, Init, TypeMask};
use phlox_value::{PhpStr, Val};
use std::cell::RefCell;
use std::rc::Rc;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Success,
    /// The type differs from a builtin method's tentative return type.
    Warning,
    /// The check needs a class that is not loaded.
    Unresolved,
    Error,
}

impl Status {
    /// The result of two checks of which both must succeed.
    pub fn and(self, other: Status) -> Status {
        match (self, other) {
            (Status::Error, _) | (_, Status::Error) => Status::Error,
            (Status::Unresolved, _) | (_, Status::Unresolved) => Status::Unresolved,
            (Status::Warning, _) | (_, Status::Warning) => Status::Warning,
            _ => Status::Success,
        }
    }

    /// The result of two checks of which one must succeed.
    fn or(self, other: Status) -> Status {
        match (self, other) {
            (Status::Success, _) | (_, Status::Success) => Status::Success,
            (Status::Unresolved, _) | (_, Status::Unresolved) => Status::Unresolved,
            _ => Status::Error,
        }
    }
}

/// A check that is repeated when the class is in the class table and the classes that it needs were autoloaded.
pub(crate) enum Obligation {
    Method {
        child: Rc<Func>,
        parent: Rc<Func>,
    },
    Property {
        name: PhpStr,
        parent: Rc<PropInfo>,
    },
    Constant {
        name: PhpStr,
        parent: Rc<ClassConst>,
    },
    SetHook {
        name: PhpStr,
    },
    /// Two initial values, at least one of them an expression, must be identical.
    Value {
        old: Initial,
        new: Initial,
        message: Vec<u8>,
    },
}

/// A declared initial value and its unit.
pub(crate) type Initial = (Rc<LinkedUnit>, Option<Init>);

/// The class that `self`, `parent` and `static` of a type refer to.
pub(crate) enum Scope<'a> {
    /// The class that is being linked.
    Draft(&'a Draft<'a>),
    Class(ClassRef),
}

impl Scope<'_> {
    /// The name of the class.
    pub fn name(&self) -> &PhpStr {
        match self {
            Scope::Draft(draft) => &draft.name,
            Scope::Class(class) => &class.class().name,
        }
    }

    /// The name of the parent, if there is one.
    pub fn parent_name(&self) -> Option<&PhpStr> {
        let parent = match self {
            Scope::Draft(draft) => draft.parent.as_ref(),
            Scope::Class(class) => class.class().parent.as_ref(),
        };
        parent.map(|parent| &parent.class().name)
    }
}

/// A class, as far as it is known.
enum Known<'a> {
    Draft(&'a Draft<'a>),
    Class(ClassRef),
    /// Another class that is being linked, of which only the names in its declaration are known.
    Linking(Rc<LinkedUnit>, ClassId),
}

impl Known<'_> {
    fn name(&self) -> &PhpStr {
        match self {
            Known::Draft(draft) => &draft.name,
            Known::Class(class) => &class.class().name,
            Known::Linking(unit, id) => unit.str(unit.unit.classes[id.index()].name),
        }
    }
}

/// A check between two scopes, of which at most one is the draft.
struct Checker<'a> {
    vm: &'a Vm,
    draft: Option<&'a Draft<'a>>,
}

impl<'a> Checker<'a> {
    fn find(&self, name: &PhpStr) -> Option<Known<'a>> {
        if let Some(draft) = self.draft.filter(|draft| name.eq_ignore_ascii_case(&draft.name)) {
            return Some(Known::Draft(draft));
        }
        let found = kept::find_to_compare(self.vm, name).map(Known::Class);
        found.or_else(|| self.vm.class_in_linking(name).map(|(unit, id)| Known::Linking(unit, id)))
    }

    fn is_subclass(&self, child: &Known<'_>, parent: &Known<'_>) -> bool {
        if child.name().eq_ignore_ascii_case(parent.name()) {
            return true;
        }
        match (child, parent) {
            (Known::Class(child), Known::Class(parent)) => child.class().is_a(parent),
            (Known::Linking(unit, id), _) => self.names_subclass(unit, *id, parent),
            (_, Known::Linking(..)) => false,
            (Known::Draft(_), Known::Draft(_)) => true,
            (Known::Draft(draft), Known::Class(parent)) => {
                let above = draft.parent.iter().chain(&draft.declared_interfaces).chain(&draft.interfaces);
                above.into_iter().any(|class| class.class().is_a(parent))
            }
            (Known::Class(_), Known::Draft(_)) => false,
        }
    }

    /// Whether the names after `extends` and `implements` lead to the parent.
    fn names_subclass(&self, unit: &Rc<LinkedUnit>, id: ClassId, parent: &Known<'_>) -> bool {
        let mut seen: Vec<PhpStr> = Vec::new();
        let mut open = vec![(unit.clone(), id)];
        while let Some((unit, id)) = open.pop() {
            let def = &unit.unit.classes[id.index()];
            let names = def.parent.map(|name| unit.str(name).clone()).into_iter();
            for name in names.chain(super::draft::interface_names(&unit, def)) {
                if seen.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                    continue;
                }
                match self.find(&name) {
                    Some(Known::Linking(unit, id)) if !name.eq_ignore_ascii_case(parent.name()) => {
                        open.push((unit, id))
                    }
                    Some(above) if self.is_subclass(&above, parent) => return true,
                    _ => {}
                }
                seen.push(name);
            }
        }
        false
    }

    fn class_is_subtype(&self, child: &PhpStr, parent: &PhpStr) -> Status {
        if child.eq_ignore_ascii_case(parent) {
            return Status::Success;
        }
        match (self.find(child), self.find(parent)) {
            (Some(child), Some(parent)) if self.is_subclass(&child, &parent) => Status::Success,
            (Some(_), Some(_)) => Status::Error,
            _ => Status::Unresolved,
        }
    }

    /// Whether an intersection (or single class) is a subtype of a type with these alternatives.
    fn alternative_is_subtype(&self, child: &[PhpStr], parent: &Parts) -> Status {
        let mut result = Status::Error;
        if parent.mask & TypeMask::OBJECT != 0 {
            let known = child.iter().any(|name| self.find(name).is_some());
            result = if known { Status::Success } else { Status::Unresolved };
        }
        for alternative in &parent.classes {
            let all = alternative.iter().fold(Status::Success, |all, wanted| {
                let any = child.iter().fold(Status::Error, |any, name| any.or(self.class_is_subtype(name, wanted)));
                all.and(any)
            });
            result = result.or(all);
        }
        result
    }

    /// Whether `static` in the child's scope is a subtype of the parent's type.
    fn permits_self(&self, parent: &Parts, child_scope: &Scope<'_>) -> bool {
        if parent.mask & TypeMask::OBJECT != 0 {
            return true;
        }
        let own = match child_scope {
            Scope::Draft(draft) => Known::Draft(draft),
            Scope::Class(class) => Known::Class(class.clone()),
        };
        parent.classes.iter().any(|alternative| {
            alternative.len() == 1
                && alternative.iter().all(|name| {
                    child_scope.name().eq_ignore_ascii_case(name)
                        || self.find(name).is_some_and(|class| self.is_subclass(&own, &class))
                })
        })
    }
}

/// A type whose `self` and `parent` are replaced by class names.
struct Parts {
    mask: u32,
    classes: Vec<Vec<PhpStr>>,
}

impl Parts {
    fn of(ty: &TypeSpec, scope: &Scope<'_>) -> Parts {
        let mut classes = ty.classes.clone();
        if ty.has(TypeMask::SELF) {
            classes.push(vec![scope.name().clone()]);
        }
        if ty.has(TypeMask::PARENT) {
            classes.extend(scope.parent_name().map(|name| vec![name.clone()]));
        }
        Parts { mask: ty.mask & !(TypeMask::SELF | TypeMask::PARENT | TypeMask::ITERABLE), classes }
    }
}

/// Whether `child` (as written in `child_scope`) is a subtype of `parent` (as written in `parent_scope`).
pub(crate) fn is_subtype(
    child_scope: &Scope<'_>,
    child: &TypeSpec,
    parent_scope: &Scope<'_>,
    parent: &TypeSpec,
) -> Status {
    if parent.is_mixed() && !child.has(TypeMask::VOID) {
        return Status::Success;
    }
    let draft = match (child_scope, parent_scope) {
        (Scope::Draft(draft), _) | (_, Scope::Draft(draft)) => Some(*draft),
        _ => None,
    };
    let vm = match draft {
        Some(draft) => draft.vm,
        None => match Vm::current() {
            Some(vm) => vm,
            None => return Status::Success,
        },
    };
    let checker = Checker { vm, draft };
    let (child, parent) = (Parts::of(child, child_scope), Parts::of(parent, parent_scope));
    let mut added = child.mask & !parent.mask;
    if added & TypeMask::STATIC != 0 && checker.permits_self(&parent, child_scope) {
        added &= !TypeMask::STATIC;
    }
    if added == TypeMask::NEVER {
        return Status::Success;
    }
    if added != 0 {
        return Status::Error;
    }
    let status = child
        .classes
        .iter()
        .fold(Status::Success, |all, alternative| all.and(checker.alternative_is_subtype(alternative, &parent)));
    if let (Status::Unresolved, Some(draft)) = (status, draft) {
        let names = child.classes.iter().chain(&parent.classes).flatten();
        for name in names.filter(|name| checker.find(name).is_none()) {
            let mut unresolved = draft.unresolved.borrow_mut();
            if !unresolved.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                unresolved.push(name.clone());
            }
        }
    }
    status
}

/// Declared classes whose checks wait for other classes, innermost last.
#[derive(Default)]
struct Delayed {
    open: RefCell<Vec<Open>>,
    /// The names to autoload, for all waiting classes.
    names: RefCell<Vec<PhpStr>>,
}

struct Open {
    class: ClassRef,
    obligations: Vec<Obligation>,
    unresolved: Vec<PhpStr>,
}

impl Delayed {
    fn take(&self, class: &ClassRef) -> Option<Open> {
        let mut open = self.open.borrow_mut();
        let at = open.iter().position(|entry| Rc::ptr_eq(&entry.class, class))?;
        Some(open.remove(at))
    }
}

/// Autoloads the classes that a class's checks need and repeats the checks. If a parent or interface of the class still waits,
/// the class waits, too, and its names are loaded together with the others.
pub(crate) fn settle(
    vm: &Vm,
    class: &ClassRef,
    obligations: Vec<Obligation>,
    unresolved: Vec<PhpStr>,
) -> PhpResult<()> {
    let delayed = vm.data::<Delayed>("delayed classes");
    let waits = |above: &ClassRef| delayed.open.borrow().iter().any(|entry| Rc::ptr_eq(&entry.class, above));
    let target = class.class();
    if obligations.is_empty() && !target.parent.iter().chain(&target.interfaces).any(waits) {
        return Ok(());
    }
    delayed.names.borrow_mut().extend(unresolved.iter().cloned());
    delayed.open.borrow_mut().push(Open { class: class.clone(), obligations, unresolved });
    loop {
        let name = {
            let mut names = delayed.names.borrow_mut();
            if names.is_empty() {
                break;
            }
            names.remove(0)
        };
        match vm.find_class(&name) {
            Err(Throw::Exception(exception)) => {
                let what = text!["During inheritance of ", &target.name, ", while autoloading ", &name];
                let line = target.unit.unit.classes[target.id.index()].line_start;
                return Err(super::fatal_for(vm, &what, &exception, (&target.unit.filename, line)));
            }
            found => found?,
        };
    }
    resolve(vm, &delayed, class)
}

/// Repeats the checks of a class, after the checks of its parent and interfaces.
fn resolve(vm: &Vm, delayed: &Delayed, class: &ClassRef) -> PhpResult<()> {
    let Some(entry) = delayed.take(class) else { return Ok(()) };
    let target = class.class();
    for above in target.parent.iter().chain(&target.interfaces) {
        resolve(vm, delayed, above)?;
    }
    for obligation in entry.obligations {
        check_again(vm, class, obligation, &entry.unresolved)?;
    }
    Ok(())
}

fn fatal(vm: &Vm, class: &Class, message: &[u8]) -> Throw {
    let line = class.unit.unit.classes[class.id.index()].line_start;
    vm.report(Level::CompileError, message, &class.unit.filename, line);
    vm.exit_status.set(255);
    Throw::Fatal
}

fn check_again(vm: &Vm, class: &ClassRef, obligation: Obligation, unresolved: &[PhpStr]) -> PhpResult<()> {
    let target = class.class();
    let scope_of = |func: &Func| func.scope.get().map_or_else(|| class.clone(), |class| class.clone());
    match obligation {
        Obligation::Method { child, parent } => {
            let (own, old) = (Scope::Class(scope_of(&child)), Scope::Class(scope_of(&parent)));
            let status = methods::signature_status(&child, &own, &parent, &old);
            let missing = unresolved.iter().find(|name| vm.find_class_no_autoload(name).is_none());
            methods::report_signature(vm, target, (&child, &own), (&parent, &old), status, missing)
        }
        Obligation::Property { name, parent } => {
            let Some(child) = target.props.get(&name) else { return Ok(()) };
            let variance = Variance::of(&parent);
            let declarer = parent.declarer();
            let (own, old) = (Scope::Class(class.clone()), Scope::Class(declarer.clone()));
            let status = properties::types_compatible(&own, child, &old, &parent, variance);
            match (status, &parent.ty) {
                (Status::Success, _) | (_, None) => Ok(()),
                (_, Some(ty)) => {
                    let message = properties::property_type_message(&target.name, &name, ty, declarer, variance);
                    Err(fatal(vm, target, &message))
                }
            }
        }
        Obligation::Constant { name, parent } => {
            let Some(child) = target.constants.get(&name) else { return Ok(()) };
            match constants::type_status(child, &Scope::Class(class.clone()), &parent) {
                Status::Success => Ok(()),
                _ => Err(fatal(vm, target, &constants::type_message(&target.name, &name, &parent))),
            }
        }
        Obligation::Value { old, new, message } => {
            kept::depends_on_values(vm);
            let evaluate = |(unit, init): Initial| match init {
                Some(init) => vm.evaluate_init(&unit, init, Some(class)),
                None => Ok(Val::UNDEF),
            };
            let (old, new) = (evaluate(old)?, evaluate(new)?);
            if old.is_undef() == new.is_undef() && crate::compare::identical(&old, &new) {
                return Ok(());
            }
            Err(fatal(vm, target, &message))
        }
        Obligation::SetHook { name } => {
            let Some(info) = target.props.get(&name) else { return Ok(()) };
            match super::verify::set_hook_status(info, &Scope::Class(class.clone())) {
                Status::Success => Ok(()),
                _ => Err(fatal(vm, target, &super::verify::set_hook_message(&target.name, info))),
            }
        }
    }
}

/// Whether the draft can be checked against its parent without loading any class.
pub(crate) fn is_resolved(draft: &Draft<'_>) -> bool {
    let Some(parent) = &draft.parent else { return true };
    let parent_class = parent.class();
    let own = Scope::Draft(draft);
    let funcs = draft.def.methods.iter().map(|&id| Func::from_unit(draft.unit, id, crate::func::FuncBody::User));
    for child in funcs {
        let Some(old) = parent_class.methods.get(&lower_str(&child.name)) else { continue };
        if Checks::INHERIT.skips(old) {
            continue;
        }
        let old_scope = Scope::Class(old.scope.get().unwrap_or(parent).clone());
        if methods::signature_status(&child, &own, old, &old_scope) == Status::Unresolved {
            return false;
        }
    }
    for (name, old) in parent_class.props.iter().filter(|(_, old)| !old.is_private() && old.ty.is_some()) {
        let Some(child) = draft.props.get(name).filter(|child| child.ty.is_some()) else { continue };
        let old_scope = Scope::Class(old.declarer().clone());
        if properties::types_compatible(&own, child, &old_scope, old, Variance::of(old)) == Status::Unresolved {
            return false;
        }
    }
    for (name, old) in parent_class.constants.iter().filter(|(_, old)| old.ty.is_some()) {
        let Some(child) = draft.constants.get(name).filter(|child| child.ty.is_some()) else { continue };
        if constants::type_status(child, &own, old) == Status::Unresolved {
            return false;
        }
    }
    true
}
