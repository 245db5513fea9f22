//! Class constants: inheritance and evaluation.

use super::draft::Draft;
use super::properties::{rank, visibility_word};
use super::signature::resolved_type;
use super::variance::{Obligation, Scope, Status, is_subtype};
use super::{defaults, enums, kind_title, shown, text};
use crate::class::{Attrs, ClassConst, ClassExt, ClassRef};
use crate::error::{Level, PhpResult};
use crate::made::Made;
use crate::vm::Vm;
use phlox_hhbc::{FuncFlags, Init};
use phlox_value::{PhpStr, Val};
use std::rc::Rc;

impl Draft<'_> {
    /// Inherits a constant of the parent, or checks the class's own constant against it.
    pub(super) fn inherit_constant(&mut self, name: &PhpStr, parent: &Rc<ClassConst>) -> PhpResult<()> {
        if self.constants.contains_key(name) {
            return self.check_constant(name, parent).map(|_| ());
        }
        if !parent.attrs.has(Attrs::PRIVATE) {
            self.constants.insert(name.clone(), parent.clone());
        }
        Ok(())
    }

    /// Checks the class's constant of this name against an inherited one; true if the class has none yet.
    pub(super) fn check_constant(&mut self, name: &PhpStr, parent: &Rc<ClassConst>) -> PhpResult<bool> {
        let Some(child) = self.constants.get(name).cloned() else { return Ok(true) };
        if Rc::ptr_eq(&child, parent) {
            return Ok(false);
        }
        let child_class = child.class.get().map_or(&self.name, |class| &class.class().name);
        let declarer = parent.class.get().map(|class| class.class());
        let parent_class = declarer.map_or(&self.name, |class| &class.name);
        let (new, old) = (text![shown(child_class), "::", name], text![shown(parent_class), "::", name]);
        let same_class = child.class.get().map(|class| class.id()) == parent.class.get().map(|class| class.id());
        if !same_class && parent.attrs.has(Attrs::FINAL) {
            return Err(self.fatal(&text![&new, " cannot override final constant ", &old]));
        }
        if !same_class && child.class.get().is_some() {
            let what = text![kind_title(self.kind), " ", shown(&self.name)];
            return Err(self.fatal(&text![&what, " inherits both ", &new, " and ", &old, ", which is ambiguous"]));
        }
        if rank(child.attrs) > rank(parent.attrs) {
            let kind = declarer.map_or("class", |class| class.kind_word());
            let tail = if rank(parent.attrs) == 0 { "" } else { " or weaker" };
            let place = text![shown(&self.name), "::", name, " must be ", visibility_word(parent.attrs)];
            let message = text!["Access level to ", &place, " (as in ", kind, " ", shown(parent_class), ")", tail];
            return Err(self.fatal(&message));
        }
        if parent.ty.is_some() && !parent.attrs.has(Attrs::PRIVATE) {
            match type_status(&child, &Scope::Draft(self), parent) {
                Status::Error => return Err(self.fatal(&type_message(child_class, name, parent))),
                Status::Unresolved => {
                    self.obligations.push(Obligation::Constant { name: name.clone(), parent: parent.clone() });
                }
                _ => {}
            }
        }
        Ok(false)
    }
}

/// Whether the type of a constant is compatible with that of the constant that it overrides.
pub(super) fn type_status(child: &ClassConst, own: &Scope<'_>, parent: &ClassConst) -> Status {
    match (&child.ty, &parent.ty, parent.class.get()) {
        (_, None, _) | (_, _, None) => Status::Success,
        (None, Some(_), _) => Status::Error,
        (Some(new), Some(old), Some(declarer)) => is_subtype(own, new, &Scope::Class(declarer.clone()), old),
    }
}

/// The message about a constant whose type is incompatible with that of the constant that it overrides.
pub(super) fn type_message(class: &[u8], name: &PhpStr, parent: &ClassConst) -> Vec<u8> {
    let (Some(ty), Some(declarer)) = (&parent.ty, parent.class.get()) else { return Vec::new() };
    let display = resolved_type(ty, &Scope::Class(declarer.clone()));
    let old = text![shown(&declarer.class().name), "::", name];
    text!["Type of ", shown(class), "::", name, " must be compatible with ", &old, " of type ", &display]
}

/// A constant of a class, inherited ones included.
pub fn class_constant<'a>(class: &'a ClassRef, name: &PhpStr) -> Option<&'a Rc<ClassConst>> {
    class.class().constants.get(name)
}

/// The value of `C::NAME` for code in `scope`: checks visibility, and evaluates the constant on first use.
pub fn constant(vm: &Vm, class: &ClassRef, name: &PhpStr, scope: Option<&ClassRef>) -> PhpResult<Val> {
    let known = class.class().constants.get(name);
    if let Some(constant) = known.filter(|constant| rank(constant.attrs) == 0 && attributes(constant).is_empty()) {
        let target = class.class();
        let checked = target.enum_type.is_none() || target.evaluated.get();
        if let Some(value) = constant.known_value().filter(|_| checked && !target.is_trait()) {
            return Ok(value);
        }
    }
    // A constant expression nearly always names its own class as `self`, so its errors quote that word.
    let in_expression = vm.user_frame().is_some_and(|frame| frame.func.has(FuncFlags::THUNK));
    let own = in_expression && scope.is_some_and(|scope| scope.id() == class.id());
    let written: &[u8] = if own { b"self" } else { shown(&class.class().name) };
    constant_as(vm, class, written, name, scope)
}

/// The value of a constant of a class that the source calls `written`.
///
/// Only constant expressions and `constant()` mark the constants that they evaluate, so a cycle that other code enters is
/// detected one step later.
pub fn constant_as(
    vm: &Vm,
    class: &ClassRef,
    written: &[u8],
    name: &PhpStr,
    scope: Option<&ClassRef>,
) -> PhpResult<Val> {
    let target = class.class();
    let place = || text![written, "::", crate::until_nul(name)];
    let Some(constant) = target.constants.get(name) else {
        return Err(vm.throw_error(&text!["Undefined constant ", &place()]));
    };
    if !is_visible(constant, scope) {
        let word = visibility_word(constant.attrs);
        return Err(vm.throw_error(&text!["Cannot access ", word, " constant ", &place()]));
    }
    if target.is_trait() {
        return Err(vm.throw_error(&text!["Cannot access trait constant ", &place(), " directly"]));
    }
    if is_deprecated(constant) && !constant.reporting.get() {
        report_deprecated_constant(vm, constant)?;
    }
    if constant.evaluating.get() {
        return Err(vm.throw_error(&text!["Cannot declare self-referencing constant ", &place()]));
    }
    if target.is_enum() && target.enum_type.is_some() && !target.evaluated.get() {
        // The first use of a backed enum checks its values for duplicates.
        defaults::evaluate_members(vm, class)?;
    }
    if vm.user_frame().is_some_and(|frame| !frame.func.has(FuncFlags::THUNK)) {
        return evaluated(vm, constant);
    }
    constant_value(vm, constant)
}

/// The value of a constant, evaluated on first use without marking it, because the evaluation (an autoloader, for instance) may
/// need the constant itself.
pub(super) fn evaluated(vm: &Vm, constant: &Rc<ClassConst>) -> PhpResult<Val> {
    if let Some(value) = constant.known_value() {
        return Ok(value);
    }
    let value = evaluate(vm, constant)?;
    Ok(keep(vm, constant, value))
}

/// Stores the value of a constant, unless its evaluation has done that; gives the stored one.
fn keep(vm: &Vm, constant: &Rc<ClassConst>, value: Val) -> Val {
    if let Some(known) = constant.known_value() {
        return known;
    }
    constant.value.set(value.clone());
    if !matches!(constant.init, Init::Literal(_)) || constant.attrs.has(Attrs::CASE) {
        vm.made.note(Made::Constant(constant.clone()));
    }
    value
}

/// Whether the class has the constant for code in `scope` (`defined()`).
pub fn is_constant_visible(class: &ClassRef, name: &PhpStr, scope: Option<&ClassRef>) -> bool {
    !class.class().is_trait() && class_constant(class, name).is_some_and(|constant| is_visible(constant, scope))
}

fn is_visible(constant: &ClassConst, scope: Option<&ClassRef>) -> bool {
    let Some(declarer) = constant.class.get() else { return true };
    match rank(constant.attrs) {
        0 => true,
        1 => scope.is_some_and(|scope| scope.class().is_a(declarer) || declarer.class().is_a(scope)),
        _ => scope.is_some_and(|scope| scope.id() == declarer.id()),
    }
}

/// The value of a constant, evaluated in its class's scope on first use; an evaluation that needs the constant itself is an
/// error.
pub fn constant_value(vm: &Vm, constant: &Rc<ClassConst>) -> PhpResult<Val> {
    if let Some(value) = constant.known_value() {
        return Ok(value);
    }
    constant.evaluating.set(true);
    let result = evaluate(vm, constant);
    constant.evaluating.set(false);
    let value = result?;
    Ok(keep(vm, constant, value))
}

fn evaluate(vm: &Vm, constant: &Rc<ClassConst>) -> PhpResult<Val> {
    let class = constant.class.get();
    if let (true, Some(class)) = (constant.attrs.has(Attrs::CASE), class) {
        return enums::case_object(vm, class, constant);
    }
    let value = vm.evaluate_init(&constant.unit, constant.init, class)?;
    crate::coerce::constant_value(vm, constant, value)
}

fn attributes(constant: &ClassConst) -> &[phlox_hhbc::Attribute] {
    let class = constant.unit.unit.classes.get(constant.origin.0.index());
    class.and_then(|class| class.constants.get(constant.origin.1)).map_or(&[], |row| &row.attributes)
}

fn is_deprecated(constant: &ClassConst) -> bool {
    let name = |attribute: &phlox_hhbc::Attribute| constant.unit.str(attribute.name);
    attributes(constant).iter().any(|attribute| name(attribute).eq_ignore_ascii_case(b"Deprecated"))
}

/// Raises the deprecation of a `#[Deprecated]` constant or enum case that is used.
pub fn report_deprecated_constant(vm: &Vm, constant: &Rc<ClassConst>) -> PhpResult<()> {
    let Some(class) = constant.class.get() else { return Ok(()) };
    let kind = if constant.attrs.has(Attrs::CASE) { "Enum case " } else { "Constant " };
    let mut message = text![kind, &class.class().name, "::", &constant.name, " is deprecated"];
    let internal = constant.unit.internal;
    constant.reporting.set(!internal);
    let details = crate::attributes::deprecation_details(vm, &constant.unit, attributes(constant), Some(class));
    let result = details.and_then(|details| {
        message.extend(details);
        vm.raise(if internal { Level::Deprecated } else { Level::UserDeprecated }, &message)
    });
    constant.reporting.set(false);
    result
}
