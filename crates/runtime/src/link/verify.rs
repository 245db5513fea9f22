//! Checks of a class that has all its members.

use super::draft::Draft;
use super::variance::{Obligation, Scope, Status, is_subtype};
use super::{kind_title, methods, shown, text};
use crate::class::{Attrs, Class, ClassExt, ClassKind, ClassRef, PropInfo};
use crate::error::{Level, PhpResult, Throw};
use crate::func::Func;
use crate::vm::Vm;
use std::rc::Rc;

/// Magic methods that enums cannot have, in the order in which PHP checks for them.
const NOT_IN_ENUMS: [&str; 14] = [
    "__construct",
    "__destruct",
    "__clone",
    "__get",
    "__set",
    "__unset",
    "__isset",
    "__toString",
    "__debugInfo",
    "__serialize",
    "__unserialize",
    "__sleep",
    "__wakeup",
    "__set_state",
];

impl Draft<'_> {
    /// Checks a class that has all its members, and adds the interface Stringable to one with a `__toString`.
    pub(super) fn verify(&mut self) -> PhpResult<()> {
        self.check_hooked_properties()?;
        if matches!(self.kind, ClassKind::Class | ClassKind::Enum) {
            self.check_abstract_methods()?;
        }
        if self.kind == ClassKind::Enum {
            self.check_enum()?;
        }
        self.check_set_hooks()?;
        // Usually the declaration implements Stringable already, but a `__toString` may also come from a trait.
        let is_stringable = self.implements(b"stringable") || self.lower_name.as_bytes() == b"stringable";
        if self.kind != ClassKind::Trait
            && self.method("__tostring").is_some()
            && !is_stringable
            && let Some(stringable) = self.vm.find_class_no_autoload(b"Stringable")
        {
            self.add_interface(&stringable)?;
        }
        Ok(())
    }

    fn check_abstract_methods(&self) -> PhpResult<()> {
        let explicit = self.attrs.has(Attrs::ABSTRACT);
        let hooks = self.props.by_name.values().flat_map(|prop| {
            let info = prop.info();
            info.get_hook.iter().chain(&info.set_hook).filter(|_| !explicit)
        });
        let missing: Vec<&Rc<Func>> = self
            .methods
            .values()
            .filter(|func| !explicit || func.is_private())
            .chain(hooks)
            .filter(|func| func.is_abstract())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let name = |func: &&Rc<Func>| text![shown(self.scope_name(func)), "::", &func.name];
        let mut names = missing.iter().take(3).map(name).collect::<Vec<_>>().join(&b", "[..]);
        if missing.len() > 3 {
            names.extend_from_slice(b", ...");
        }
        let plural = if missing.len() > 1 { "s" } else { "" };
        let what = text![kind_title(self.kind), " ", shown(&self.name)];
        let count = missing.len();
        let rule = if !explicit && self.kind == ClassKind::Class {
            let advice = "and must therefore be declared abstract or implement the remaining methods";
            format!(" contains {count} abstract method{plural} {advice} (")
        } else {
            format!(" must implement {count} abstract private method{plural} (")
        };
        Err(self.fatal_error(&text![&what, &rule, &names, ")"]))
    }

    fn check_enum(&self) -> PhpResult<()> {
        let name = shown(&self.name);
        let is_builtin = |property: &[u8]| property == b"name" || property == b"value" && self.def.enum_type.is_some();
        if self.props.by_name.keys().any(|property| !is_builtin(property)) {
            return Err(self.fatal(&text!["Enum ", name, " cannot include properties"]));
        }
        let forbidden = NOT_IN_ENUMS.iter().find(|method| self.method(&method.to_ascii_lowercase()).is_some());
        if let Some(method) = forbidden {
            return Err(self.fatal(&text!["Enum ", name, " cannot include magic method ", method]));
        }
        if self.implements(b"serializable") {
            return Err(self.fatal(&text!["Enum ", name, " cannot implement the Serializable interface"]));
        }
        Ok(())
    }

    /// Checks the rules for the class's own hooked properties that depend on whether they are virtual after inheritance.
    pub(super) fn check_hooked_properties(&self) -> PhpResult<()> {
        for (name, prop) in &self.props.by_name {
            let info = prop.info();
            if info.class.get().is_some() || !info.has_hooks() {
                continue;
            }
            let place = text![shown(&self.name), "::$", name];
            if info.is_virtual() && info.default.is_some() {
                let message = text!["Cannot specify default value for virtual hooked property ", &place];
                return Err(self.fatal(&message));
            }
            let by_ref_get = info.get_hook.as_ref().is_some_and(|get| get.returns_by_ref());
            if by_ref_get && !info.is_virtual() && info.set_hook.is_some() {
                let place = text![shown(&self.name), "::", name];
                let rule = " with set hook may not return by reference";
                return Err(self.fatal(&text!["Get hook of backed property ", &place, rule]));
            }
            let mut hooks = info.get_hook.iter().chain(&info.set_hook);
            if info.attrs.has(Attrs::ABSTRACT) && !hooks.any(|hook| hook.is_abstract()) {
                let message = text!["Abstract property ", &place, " must specify at least one abstract hook"];
                return Err(self.fatal(&message));
            }
            self.check_virtual_visibility(info, &place)?;
        }
        Ok(())
    }

    fn check_virtual_visibility(&self, info: &PropInfo, place: &[u8]) -> PhpResult<()> {
        let kind = match (&info.get_hook, &info.set_hook) {
            (None, _) => "Write-only",
            (_, None) => "Read-only",
            _ => return Ok(()),
        };
        if !info.is_virtual() || !info.attrs.has(super::properties::SET_VISIBILITY) {
            return Ok(());
        }
        let message = text![kind, " virtual property ", place, " must not specify asymmetric visibility"];
        Err(self.fatal(&message))
    }

    fn check_set_hooks(&mut self) -> PhpResult<()> {
        let mut pending = Vec::new();
        for (name, prop) in &self.props.by_name {
            let info = prop.info();
            if info.class.get().is_some() {
                continue;
            }
            match set_hook_status(info, &Scope::Draft(self)) {
                Status::Error => return Err(self.fatal(&set_hook_message(&self.name, info))),
                Status::Unresolved => pending.push(Obligation::SetHook { name: name.clone() }),
                _ => {}
            }
        }
        self.obligations.extend(pending);
        Ok(())
    }
}

/// Whether a set hook's parameter accepts every value that the property accepts.
pub(super) fn set_hook_status(info: &PropInfo, scope: &Scope<'_>) -> Status {
    let value = info.set_hook.as_ref().and_then(|hook| hook.params.first()).and_then(|param| param.ty.as_ref());
    match (value, &info.ty) {
        (None, _) => Status::Success,
        (Some(_), None) => Status::Error,
        (Some(value), Some(ty)) => is_subtype(scope, ty, scope, value),
    }
}

/// The message about a set hook whose parameter does not accept every value of the property's type.
pub(super) fn set_hook_message(class: &[u8], info: &PropInfo) -> Vec<u8> {
    let value = info.set_hook.as_ref().and_then(|hook| hook.params.first());
    let value: &[u8] = value.map_or(b"value", |param| &param.name);
    let hook = text![shown(class), "::$", &info.name, "::set"];
    text!["Type of parameter $", value, " of hook ", &hook, " must be compatible with property type"]
}

/// Checks that every method with `#[Override]` overrides something.
pub(super) fn overrides(vm: &Vm, class: &ClassRef) -> PhpResult<()> {
    let target = class.class();
    if target.is_trait() || target.is_internal() {
        return Ok(());
    }
    let own =
        |func: &&Rc<Func>| func.scope.get().is_some_and(|scope| Rc::ptr_eq(scope, class)) && claims_override(func);
    for func in target.methods.values().filter(own) {
        if !methods::overrides_something(target, func) {
            return Err(nothing_overridden(vm, target, func));
        }
    }
    for info in target.props.values() {
        for (hook, is_get) in
            info.get_hook.iter().map(|hook| (hook, true)).chain(info.set_hook.iter().map(|h| (h, false)))
        {
            if own(&hook) && !overrides_property(target, info, is_get) {
                return Err(nothing_overridden(vm, target, hook));
            }
        }
    }
    Ok(())
}

fn claims_override(func: &Func) -> bool {
    let attributes = &func.code().attributes;
    attributes.iter().any(|attribute| func.unit.str(attribute.name).eq_ignore_ascii_case(b"Override"))
}

fn overrides_property(class: &Class, info: &PropInfo, is_get: bool) -> bool {
    class.parent.iter().chain(&class.interfaces).any(|above| {
        above.class().props.get(&info.name).is_some_and(|old| {
            let hook = if is_get { &old.get_hook } else { &old.set_hook };
            !old.is_private() && (hook.is_some() || !old.is_virtual() && (is_get || !old.is_readonly()))
        })
    })
}

fn nothing_overridden(vm: &Vm, class: &Class, func: &Func) -> Throw {
    let place = text![shown(&class.name), "::", &func.name, "()"];
    let message = text![&place, " has #[\\Override] attribute, but no matching parent method exists"];
    vm.report(Level::CompileError, &message, &func.unit.filename, func.code().line_start);
    vm.exit_status.set(255);
    Throw::Fatal
}
