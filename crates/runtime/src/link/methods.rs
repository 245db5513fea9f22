//! Overriding of methods: modifiers, visibility, signatures.

use super::draft::Draft;
use super::properties::{rank, visibility_word};
use super::signature::declaration;
use super::variance::{self, Obligation, Scope, Status};
use super::{shown, text};
use crate::class::{Attrs, Class, ClassExt, ClassRef};
use crate::error::{Level, PhpResult, Throw};
use crate::func::Func;
use crate::strmap::lower_str;
use crate::types::TypeSpec;
use crate::vm::Vm;
use phlox_hhbc::FuncFlags;
use phlox_value::PhpStr;
use std::rc::Rc;

/// The rules that apply to an override.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    pub visibility: bool,
    /// Whether the first declaration is remembered as the prototype.
    pub prototype: bool,
}

impl Checks {
    pub const INHERIT: Checks = Checks { visibility: true, prototype: true };
    pub const HOOK: Checks = Checks { visibility: true, prototype: true };
    /// The rules for a trait's abstract method, which a method of any visibility implements.
    pub const TRAIT_ABSTRACT: Checks = Checks { visibility: false, prototype: false };

    /// Whether no rules apply: private methods are not overridden, and constructors obey abstract declarations only.
    pub fn skips(self, parent: &Func) -> bool {
        let constructor = is_constructor(parent);
        let private = parent.is_private() && !parent.is_abstract();
        let root = parent.prototype.borrow();
        let root = root.as_deref().unwrap_or(parent);
        (private && !constructor) || (constructor && !root.is_abstract())
    }
}

fn is_constructor(func: &Func) -> bool {
    func.name.eq_ignore_ascii_case(b"__construct")
}

/// The visibility in a function's flags, as attributes.
fn visibility(func: &Func) -> Attrs {
    let protected = if func.is_protected() { Attrs::PROTECTED } else { Attrs::PUBLIC };
    Attrs(if func.is_private() { Attrs::PRIVATE } else { protected })
}

impl Draft<'_> {
    /// Inherits a method of the parent or an interface, or checks it against the method that overrides it.
    pub(super) fn inherit_method(&mut self, key: &PhpStr, parent: &Rc<Func>, checks: Checks) -> PhpResult<()> {
        match self.methods.get(key).cloned() {
            Some(child) if Rc::ptr_eq(&child, parent) => Ok(()),
            Some(child) => self.check_method(&child, parent, checks),
            None => {
                self.methods.insert(key.clone(), parent.clone());
                Ok(())
            }
        }
    }

    /// Checks an override; the order of the checks decides which of several errors is reported.
    pub(super) fn check_method(&mut self, child: &Rc<Func>, parent: &Rc<Func>, checks: Checks) -> PhpResult<()> {
        let constructor = is_constructor(parent);
        if parent.is_private() && !parent.is_abstract() && !constructor {
            return Ok(());
        }
        self.check_modifiers(child, parent)?;
        let root = parent.prototype.borrow().clone().unwrap_or_else(|| parent.clone());
        let mut against = parent.clone();
        if constructor {
            if !root.is_abstract() {
                return Ok(());
            }
            against = root.clone();
        }
        if checks.prototype && child.scope.get().is_none() && !Rc::ptr_eq(child, &root) {
            child.prototype.replace(Some(root));
        }
        if checks.visibility && rank(visibility(child)) > rank(visibility(parent)) {
            let old = self.scope_name(&against);
            let tail = if parent.is_public() { "" } else { " or weaker" };
            let word = visibility_word(visibility(parent));
            let place = text![shown(self.scope_name(child)), "::", &child.name, "() must be ", word];
            let message = text!["Access level to ", &place, " (as in class ", shown(old), ")", tail];
            return Err(self.fatal_in(child, &message));
        }
        if child.unit.internal {
            return Ok(());
        }
        self.check_signature(child, &against)
    }

    fn check_modifiers(&self, child: &Func, parent: &Func) -> PhpResult<()> {
        let (old, new) = (shown(self.scope_name(parent)), shown(self.scope_name(child)));
        let name = &child.name;
        if parent.has(FuncFlags::FINAL) {
            return Err(self.fatal_in(child, &text!["Cannot override final method ", old, "::", name, "()"]));
        }
        if child.is_static() != parent.is_static() {
            let (was, is) = if child.is_static() { ("non static", "static") } else { ("static", "non static") };
            let message = text!["Cannot make ", was, " method ", old, "::", name, "() ", is, " in class ", new];
            return Err(self.fatal_in(child, &message));
        }
        if child.is_abstract() && !parent.is_abstract() {
            let message = text!["Cannot make non abstract method ", old, "::", name, "() abstract in class ", new];
            return Err(self.fatal_in(child, &message));
        }
        Ok(())
    }

    fn check_signature(&mut self, child: &Rc<Func>, parent: &Rc<Func>) -> PhpResult<()> {
        let (own, old) = (self.type_scope(child), self.type_scope(parent));
        let status = signature_status(child, &own, parent, &old);
        match status {
            Status::Success => Ok(()),
            Status::Unresolved => {
                self.obligations.push(Obligation::Method { child: child.clone(), parent: parent.clone() });
                Ok(())
            }
            _ => {
                let (new_name, old_name) = (self.scope_name(child), self.scope_name(parent));
                let new_text = declaration(child, new_name, &own);
                let old_text = declaration(parent, old_name, &old);
                let place = (self.unit, self.def.line_start);
                report(self.vm, child, place, status, (&new_text, &old_text), old_name)
            }
        }
    }

    /// The class that `self` means in a method's signature; for a method copied from a trait it is the using class.
    fn type_scope<'f>(&'f self, func: &Func) -> Scope<'f> {
        match func.scope.get() {
            Some(class) => Scope::Class(class.clone()),
            None => Scope::Draft(self),
        }
    }
}

/// Whether the child's signature is compatible with the parent's.
pub(crate) fn signature_status(child: &Func, own: &Scope<'_>, parent: &Func, old: &Scope<'_>) -> Status {
    let by_ref_lost = parent.returns_by_ref() && !child.returns_by_ref();
    let variadic_lost = parent.is_variadic() && !child.is_variadic();
    if child.required > parent.required || by_ref_lost || variadic_lost {
        return Status::Error;
    }
    let mut status = Status::Success;
    for index in 0..parent.params.len().max(child.params.len()) {
        let Some(old_param) = parent.param_for(index) else { continue };
        let Some(new_param) = child.param_for(index) else { return Status::Error };
        let mode = |param: &crate::func::Param| (param.by_ref, param.prefer_ref);
        if mode(new_param) != mode(old_param) {
            return Status::Error;
        }
        let old_type = parent.declared_type(index.min(parent.params.len() - 1));
        let new_type = child.declared_type(index.min(child.params.len() - 1));
        status = status.and(parameter_status(own, new_type.map(Rc::as_ref), old, old_type.map(Rc::as_ref)));
        if status == Status::Error {
            return status;
        }
    }
    let Some(old_return) = &parent.return_type else { return status };
    let tentative = has_tentative_return_type(parent);
    let return_status = match &child.return_type {
        None if tentative => Status::Warning,
        None => return Status::Error,
        Some(new_return) => match variance::is_subtype(own, new_return, old, old_return) {
            Status::Error if tentative => Status::Warning,
            other => other,
        },
    };
    status.and(return_status)
}

/// Whether a parameter type is equal to or wider than the parent's.
fn parameter_status(own: &Scope<'_>, new: Option<&TypeSpec>, old_scope: &Scope<'_>, old: Option<&TypeSpec>) -> Status {
    match (new, old) {
        (None, _) => Status::Success,
        (Some(new), _) if new.is_mixed() => Status::Success,
        (Some(_), None) => Status::Error,
        (Some(new), Some(old)) => variance::is_subtype(old_scope, old, own, new),
    }
}

/// Whether a builtin method's return type is tentative, so that overriding methods may omit or change it with a deprecation. All
/// are, unless the declaration says `#[real_return]`.
pub fn has_tentative_return_type(func: &Func) -> bool {
    // In a declaration inside a namespace, the mark's name is qualified.
    let is_real = |name: &PhpStr| name.as_bytes().rsplit(|&byte| byte == b'\\').next() == Some(b"real_return");
    func.unit.internal
        && func.return_type.is_some()
        && func.code().class.is_some()
        && !func.name.eq_ignore_ascii_case(b"__tostring")
        && !func.code().attributes.iter().any(|attribute| is_real(func.unit.str(attribute.name)))
}

/// Reports the result of a check that was repeated after the class was linked.
pub(crate) fn report_signature(
    vm: &Vm,
    class: &Class,
    child: (&Rc<Func>, &Scope<'_>),
    parent: (&Rc<Func>, &Scope<'_>),
    status: Status,
    missing: Option<&PhpStr>,
) -> PhpResult<()> {
    if status == Status::Success {
        return Ok(());
    }
    // When the check was deferred, a trait's method still belonged to the trait.
    let new_text = match &child.0.from_trait {
        Some(origin) => super::signature::declaration_as(child.0, &origin.class().name, child.1),
        None => declaration(child.0, &class.name, child.1),
    };
    let old_text = declaration(parent.0, &class.name, parent.1);
    let line = class.unit.unit.classes[class.id.index()].line_start;
    if let (Status::Unresolved, Some(missing)) = (status, missing) {
        let unavailable = text![", because class ", missing, " is not available"];
        let message = text!["Could not check compatibility between ", &new_text, " and ", &old_text, &unavailable];
        return Err(fatal_at(vm, child.0, (&class.unit, line), &message));
    }
    report(vm, child.0, (&class.unit, line), status, (&new_text, &old_text), parent.1.name())
}

type Place<'a> = (&'a Rc<crate::LinkedUnit>, u32);

fn place_of<'a>(func: &'a Func, class: Place<'a>) -> Place<'a> {
    if func.unit.internal { class } else { (&func.unit, func.code().line_start) }
}

fn fatal_at(vm: &Vm, func: &Func, class: Place<'_>, message: &[u8]) -> Throw {
    let (unit, line) = place_of(func, class);
    vm.report(Level::CompileError, message, &unit.filename, line);
    vm.exit_status.set(255);
    Throw::Fatal
}

fn report(
    vm: &Vm,
    child: &Func,
    class: Place<'_>,
    status: Status,
    (new, old): (&[u8], &[u8]),
    parent_name: &[u8],
) -> PhpResult<()> {
    if status != Status::Warning {
        let message = text!["Declaration of ", new, " must be compatible with ", old];
        return Err(fatal_at(vm, child, class, &message));
    }
    let suppressed = |name: &PhpStr| name.eq_ignore_ascii_case(b"ReturnTypeWillChange");
    if child.code().attributes.iter().any(|attribute| suppressed(child.unit.str(attribute.name))) {
        return Ok(());
    }
    let advice = ", or the #[\\ReturnTypeWillChange] attribute should be used to temporarily suppress the notice";
    let message = text!["Return type of ", new, " should either be compatible with ", old, advice];
    let (unit, line) = place_of(child, class);
    let what = text!["During inheritance of ", parent_name];
    super::kept::raise(vm, Level::Deprecated, &message, (&unit.filename, line), Some(what))
}

/// Whether `func` overrides or implements a method of another class, which `#[Override]` requires.
pub(crate) fn overrides_something(class: &Class, func: &Func) -> bool {
    let key = lower_str(&func.name);
    let counts = |old: &Rc<Func>| {
        let root_abstract = old.prototype.borrow().as_ref().unwrap_or(old).is_abstract();
        (!old.is_private() || old.is_abstract()) && (!is_constructor(old) || root_abstract)
    };
    let declares = |other: &ClassRef| other.class().methods.get(&key).is_some_and(counts);
    class.parent.iter().chain(&class.interfaces).any(declares) || from_abstract_trait(class, func, &key)
}

/// Whether a trait of the class declares the method as abstract and the class implements it itself.
fn from_abstract_trait(class: &Class, func: &Func, key: &PhpStr) -> bool {
    func.from_trait.is_none()
        && class.traits.iter().any(|used| used.class().methods.get(key).is_some_and(|old| old.is_abstract()))
}
