//! Copying the members of traits into the class that uses them.

use super::draft::Draft;
use super::methods::Checks;
use super::properties::{Variance, plain, types_compatible};
use super::variance::{Initial, Obligation, Scope, Status, is_subtype};
use super::{shown, text};
use crate::class::{Attrs, ClassConst, ClassExt, ClassRef, PropInfo};
use crate::error::{Level, PhpResult};
use crate::func::Func;
use crate::strmap::{lower, lower_str};
use crate::types::TypeSpec;
use phlox_hhbc::{FuncFlags, Init, TraitRule};
use phlox_value::{PhpStr, Slot, Val};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

const FUNC_VISIBILITY: u32 = FuncFlags::PUBLIC | FuncFlags::PROTECTED | FuncFlags::PRIVATE;

/// An `as` rule whose trait is resolved.
struct Alias {
    origin: ClassRef,
    /// The method's lower-case name.
    method: PhpStr,
    attrs: Attrs,
    alias: Option<PhpStr>,
}

/// The resolved rules of a `use` block.
#[derive(Default)]
struct Rules {
    /// Methods (by lower-case name) that `insteadof` excludes from a trait.
    excluded: Vec<(ClassRef, PhpStr)>,
    aliases: Vec<Alias>,
}

impl Rules {
    fn excludes(&self, origin: &ClassRef, method: &PhpStr) -> bool {
        self.excluded.iter().any(|(class, name)| Rc::ptr_eq(class, origin) && name == method)
    }
}

impl Draft<'_> {
    /// Copies the methods, then the constants, then the properties of all used traits.
    pub(super) fn bind_traits(&mut self) -> PhpResult<()> {
        let rules = self.resolve_rules()?;
        let traits = self.traits.clone();
        self.binding_traits = true;
        for origin in &traits {
            for (key, func) in &origin.class().methods {
                self.copy_method(origin, key, func, &rules)?;
            }
        }
        self.binding_traits = false;
        for (index, origin) in traits.iter().enumerate() {
            for (name, constant) in &origin.class().constants {
                self.copy_constant(&traits[..index], origin, name, constant)?;
            }
        }
        for (index, origin) in traits.iter().enumerate() {
            for (name, info) in &origin.class().props {
                self.copy_property(&traits[..index], origin, name, info)?;
            }
        }
        Ok(())
    }

    fn resolve_rules(&mut self) -> PhpResult<Rules> {
        let mut rules = Rules::default();
        let def = self.def;
        for rule in &def.trait_rules {
            if let TraitRule::InsteadOf { trait_name, method, excluded } = rule {
                let (method, excluded) = (self.unit.str(*method), excluded.iter().map(|&name| self.unit.str(name)));
                let origin = self.used_trait(self.unit.str(*trait_name))?;
                self.resolve_precedence(&origin, method, excluded, &mut rules)?;
            }
        }
        for rule in &def.trait_rules {
            if let TraitRule::Alias { trait_name, method, attrs, alias } = rule {
                let method = self.unit.str(*method);
                let alias = alias.map(|alias| self.unit.str(alias).clone());
                let origin = match trait_name {
                    Some(name) => self.used_trait_with(self.unit.str(*name), method)?,
                    None => self.trait_of_method(method, alias.as_ref())?,
                };
                if let Some(alias) = &alias {
                    let source = PhpStr::new(&text![&origin.class().name, "::", method]);
                    self.trait_aliases.push((alias.clone(), source));
                }
                rules.aliases.push(Alias { origin, method: lower_str(method), attrs: *attrs, alias });
            }
        }
        Ok(rules)
    }

    fn resolve_precedence<'n>(
        &self,
        origin: &ClassRef,
        method: &PhpStr,
        excluded: impl Iterator<Item = &'n PhpStr>,
        rules: &mut Rules,
    ) -> PhpResult<()> {
        let key = lower_str(method);
        let name = &origin.class().name;
        if origin.class().method(&key).is_none() {
            let what = text![name, "::", method, " but this method does not exist"];
            return Err(self.fatal(&text!["A precedence rule was defined for ", &what]));
        }
        for other in excluded {
            let other = self.used_trait(other)?;
            if rules.excludes(&other, &key) {
                let what = text![method, "). Method of trait ", &other.class().name];
                let message = text![
                    "Failed to evaluate a trait precedence (",
                    &what,
                    " was defined to be excluded multiple times"
                ];
                return Err(self.fatal(&message));
            }
            if Rc::ptr_eq(&other, origin) {
                let what = text![method, " is to be used from ", name, ", but ", name];
                let message =
                    text!["Inconsistent insteadof definition. The method ", &what, " is also on the exclude list"];
                return Err(self.fatal(&message));
            }
            rules.excluded.push((other, key.clone()));
        }
        Ok(())
    }

    /// A trait named in a rule, which must be one of the used traits.
    fn used_trait(&self, name: &PhpStr) -> PhpResult<ClassRef> {
        let Some(found) = super::kept::load(self.vm, name)? else {
            return Err(self.fatal(&text!["Could not find trait ", name]));
        };
        let target = found.class();
        if !target.is_trait() {
            let rule = " is not a trait, Only traits may be used in 'as' and 'insteadof' statements";
            return Err(self.fatal(&text!["Class ", &target.name, rule]));
        }
        if !self.traits.iter().any(|used| Rc::ptr_eq(used, &found)) {
            let message = text!["Required Trait ", &target.name, " wasn't added to ", shown(&self.name)];
            return Err(self.fatal(&message));
        }
        Ok(found)
    }

    fn used_trait_with(&self, name: &PhpStr, method: &PhpStr) -> PhpResult<ClassRef> {
        let found = self.used_trait(name)?;
        if found.class().method(&lower_str(method)).is_none() {
            let what = text![&found.class().name, "::", method, " but this method does not exist"];
            return Err(self.fatal(&text!["An alias was defined for ", &what]));
        }
        Ok(found)
    }

    /// The only used trait that has the method.
    fn trait_of_method(&self, method: &PhpStr, alias: Option<&PhpStr>) -> PhpResult<ClassRef> {
        let key = lower_str(method);
        let mut having = self.traits.iter().filter(|used| used.class().method(&key).is_some());
        let Some(first) = having.next() else {
            let message = match alias {
                Some(alias) => {
                    let what = text![alias, ") was defined for method ", method];
                    text!["An alias (", &what, "(), but this method does not exist"]
                }
                None => {
                    let what = text![method, "() are changed, but this method does not exist. Error"];
                    text!["The modifiers of the trait method ", &what]
                }
            };
            return Err(self.fatal(&message));
        };
        if let Some(second) = having.next() {
            let (a, b) = (&first.class().name, &second.class().name);
            let places = text!["which exists in both ", a, " and ", b, ". Use "];
            let choice = text![a, "::", method, " or ", b, "::", method, " to resolve the ambiguity"];
            return Err(self.fatal(&text!["An alias was defined for method ", method, "(), ", &places, &choice]));
        }
        Ok(first.clone())
    }

    fn copy_method(&mut self, origin: &ClassRef, key: &PhpStr, func: &Rc<Func>, rules: &Rules) -> PhpResult<()> {
        let applies = |rule: &&Alias| Rc::ptr_eq(&rule.origin, origin) && rule.method == *key;
        for rule in rules.aliases.iter().filter(applies) {
            let Some(alias) = &rule.alias else { continue };
            let flags = changed_flags(func.flags, rule.attrs);
            self.warn_private_final(func, flags, alias)?;
            let copy = copy_func(func, alias, flags, origin);
            self.add_trait_method(&lower(alias), copy, func)?;
        }
        if rules.excludes(origin, key) {
            return Ok(());
        }
        let mut flags = func.flags;
        for rule in rules.aliases.iter().filter(applies).filter(|rule| rule.alias.is_none()) {
            flags = changed_flags(func.flags, rule.attrs);
        }
        self.warn_private_final(func, flags, key)?;
        self.add_trait_method(key, copy_func(func, &func.name, flags, origin), func)
    }

    fn warn_private_final(&self, func: &Func, flags: FuncFlags, name: &[u8]) -> PhpResult<()> {
        let newly_final = !func.has(FuncFlags::FINAL) && flags.has(FuncFlags::FINAL);
        if !newly_final || !flags.has(FuncFlags::PRIVATE) || name.eq_ignore_ascii_case(b"__construct") {
            return Ok(());
        }
        let message = b"Private methods cannot be final as they are never overridden by other classes";
        let place = (&self.unit.filename, self.def.line_start);
        super::kept::raise(self.vm, Level::CompileWarning, message, place, None)
    }

    fn add_trait_method(&mut self, key: &PhpStr, copy: Rc<Func>, original: &Rc<Func>) -> PhpResult<()> {
        let Some(existing) = self.methods.get(key).cloned() else {
            self.methods.insert(key.clone(), copy);
            return Ok(());
        };
        let from_trait = existing.scope.get().is_none() && existing.from_trait.is_some();
        let same_code = Rc::ptr_eq(&existing.unit, &copy.unit) && existing.id == copy.id;
        if same_code && from_trait && existing.flags.0 & FUNC_VISIBILITY == copy.flags.0 & FUNC_VISIBILITY {
            return Ok(());
        }
        if copy.is_abstract() {
            return self.check_method(&existing, &copy, Checks::TRAIT_ABSTRACT);
        }
        if existing.scope.get().is_none() && !from_trait {
            return Ok(());
        }
        if from_trait && !existing.is_abstract() {
            let new = text![self.scope_name(&copy), "::", &original.name];
            let target = text![shown(&self.name), "::", &copy.name];
            let old = text![self.scope_name(&existing), "::", &existing.name];
            let what = text![&new, " has not been applied as ", &target, ", because of collision with ", &old];
            return Err(self.fatal(&text!["Trait method ", &what]));
        }
        self.methods.insert(key.clone(), copy.clone());
        let checks = Checks { visibility: true, prototype: !from_trait };
        self.check_method(&copy, &existing, checks)
    }

    fn copy_constant(
        &mut self,
        earlier: &[ClassRef],
        origin: &ClassRef,
        name: &PhpStr,
        constant: &Rc<ClassConst>,
    ) -> PhpResult<()> {
        let Some(existing) = self.constants.get(name).cloned() else {
            let copy = ClassConst {
                name: name.clone(),
                attrs: constant.attrs,
                ty: constant.ty.clone(),
                init: constant.init,
                class: OnceCell::new(),
                unit: constant.unit.clone(),
                value: Slot::new(Val::UNDEF),
                evaluating: Cell::new(false),
                reporting: Cell::new(false),
                origin: constant.origin,
            };
            self.constants.insert(name.clone(), Rc::new(copy));
            return Ok(());
        };
        let trait_name = &origin.class().name;
        if existing.attrs.has(Attrs::CASE) {
            let what = text![trait_name, ", because ", trait_name, "::", name, " conflicts with enum case "];
            return Err(self.fatal(&text!["Cannot use trait ", &what, shown(&self.name), "::", name]));
        }
        let modifiers = Attrs::PRIVATE | Attrs::PROTECTED | Attrs::FINAL;
        let same_modifiers = existing.attrs.0 & modifiers == constant.attrs.0 & modifiers;
        let same_type = self.same_type(existing.ty.as_deref(), origin, constant.ty.as_deref());
        let has = |class: &ClassRef| class.class().constants.contains_key(name);
        let first = self.first_definition(existing.class.get(), earlier, has);
        let what = text![&first, " and ", trait_name, " define the same constant (", name, ")"];
        let message = self.incompatible(&what);
        if !same_modifiers || !same_type {
            return Err(self.fatal(&message));
        }
        let old = (existing.unit.clone(), Some(existing.init));
        self.same_value(old, (constant.unit.clone(), Some(constant.init)), message)
    }

    fn incompatible(&self, what: &[u8]) -> Vec<u8> {
        let tail = ". However, the definition differs and is considered incompatible. Class was composed";
        text![what, " in the composition of ", shown(&self.name), tail]
    }

    /// The name of the class that defined a colliding member: an earlier trait if one did, else the class itself.
    fn first_definition(
        &self,
        declarer: Option<&ClassRef>,
        earlier: &[ClassRef],
        has: impl Fn(&ClassRef) -> bool,
    ) -> Vec<u8> {
        let name = match declarer {
            Some(class) => &class.class().name,
            None => earlier.iter().find(|class| has(class)).map_or(&self.name, |class| &class.class().name),
        };
        shown(name).to_vec()
    }

    fn same_type(&self, existing: Option<&TypeSpec>, origin: &ClassRef, new: Option<&TypeSpec>) -> bool {
        match (existing, new) {
            (None, None) => true,
            (Some(existing), Some(new)) => {
                let (own, other) = (Scope::Draft(self), Scope::Class(origin.clone()));
                let down = is_subtype(&own, existing, &other, new);
                down != Status::Error && is_subtype(&other, new, &own, existing) != Status::Error
            }
            _ => false,
        }
    }

    /// Checks that two initial values are identical. Expressions are compared when the class is complete.
    fn same_value(&mut self, old: Initial, new: Initial, message: Vec<u8>) -> PhpResult<()> {
        if Rc::ptr_eq(&old.0, &new.0) && old.1 == new.1 {
            return Ok(());
        }
        let is_thunk = |init: Option<Init>| matches!(init, Some(Init::Thunk(_)));
        if is_thunk(old.1) || is_thunk(new.1) {
            self.obligations.push(Obligation::Value { old, new, message });
            return Ok(());
        }
        let literal = |(unit, init): &Initial| match init {
            Some(Init::Literal(literal)) => unit.literal(*literal),
            _ => Val::UNDEF,
        };
        let (old, new) = (literal(&old), literal(&new));
        if old.is_undef() == new.is_undef() && crate::compare::identical(&old, &new) {
            return Ok(());
        }
        Err(self.fatal(&message))
    }

    fn copy_property(
        &mut self,
        earlier: &[ClassRef],
        origin: &ClassRef,
        name: &PhpStr,
        info: &Rc<PropInfo>,
    ) -> PhpResult<()> {
        if let Some(existing) = self.props.get(name) {
            let inherited = existing.class.get().is_some();
            let hidden = existing.is_private() && inherited;
            if !hidden {
                self.check_property_collision(earlier, origin, info)?;
                if !info.is_static() {
                    return Ok(());
                }
            }
        }
        if self.attrs.has(Attrs::READONLY) && !info.is_readonly() {
            let what = text![shown(&self.name), " cannot use trait with a non-readonly property "];
            return Err(self.fatal(&text!["Readonly class ", &what, &origin.class().name, "::$", name]));
        }
        let hook = |hook: &Option<Rc<Func>>| hook.as_ref().map(|func| copy_func(func, &func.name, func.flags, origin));
        let copy = PropInfo {
            default: info.default,
            get_hook: hook(&info.get_hook),
            set_hook: hook(&info.set_hook),
            unit: info.unit.clone(),
            origin: info.origin,
            ..plain(self, name, info.attrs.0, info.ty.clone(), info.origin.1)
        };
        self.props.by_name.shift_remove(name);
        self.props.declare(copy);
        Ok(())
    }

    fn check_property_collision(&mut self, earlier: &[ClassRef], origin: &ClassRef, info: &PropInfo) -> PhpResult<()> {
        let name = &info.name;
        let Some(existing) = self.props.get(name) else { return Ok(()) };
        let has = |class: &ClassRef| class.class().props.contains_key(name);
        let first = self.first_definition(existing.class.get(), earlier, has);
        if existing.has_hooks() || info.has_hooks() {
            let what = text![&first, " and ", &origin.class().name, " define the same hooked property ($", name, ")"];
            let tail = ". Conflict resolution between hooked properties is currently not supported. Class was composed";
            return Err(self.fatal(&text![&what, " in the composition of ", shown(&self.name), tail]));
        }
        let modifiers = Attrs::PUBLIC | Attrs::PROTECTED | Attrs::PRIVATE | Attrs::STATIC | Attrs::READONLY;
        let same_modifiers = existing.attrs.0 & modifiers == info.attrs.0 & modifiers;
        let (own, other) = (Scope::Draft(self), Scope::Class(origin.clone()));
        let same_type = || types_compatible(&own, existing, &other, info, Variance::Invariant) == Status::Success;
        let default = |info: &PropInfo| info.default.or_else(|| info.ty.is_none().then_some(NULL));
        let what = text![&first, " and ", &origin.class().name, " define the same property ($", name, ")"];
        let message = self.incompatible(&what);
        if !same_modifiers || !same_type() {
            return Err(self.fatal(&message));
        }
        let old = (existing.unit.clone(), default(existing));
        self.same_value(old, (info.unit.clone(), default(info)), message)
    }
}

/// The default of an untyped property without one.
const NULL: Init = Init::Literal(phlox_hhbc::Literal::Null);

/// The flags of an imported method after an `as` rule is applied.
fn changed_flags(flags: FuncFlags, attrs: Attrs) -> FuncFlags {
    let table = [
        (Attrs::PUBLIC, FuncFlags::PUBLIC),
        (Attrs::PROTECTED, FuncFlags::PROTECTED),
        (Attrs::PRIVATE, FuncFlags::PRIVATE),
        (Attrs::FINAL, FuncFlags::FINAL),
    ];
    let added = table.iter().filter(|(attr, _)| attrs.has(*attr)).fold(0, |all, (_, flag)| all | flag);
    let kept = if added & FUNC_VISIBILITY != 0 { flags.0 & !FUNC_VISIBILITY } else { flags.0 };
    FuncFlags(kept | added)
}

/// The using class's copy of a trait's method or hook; its scope is set when the class is created.
fn copy_func(func: &Rc<Func>, name: &PhpStr, flags: FuncFlags, origin: &ClassRef) -> Rc<Func> {
    let alias_of = if *name != func.name { Some(func.name.clone()) } else { func.alias_of.clone() };
    let from_trait = Some(origin.clone());
    Rc::new(Func { name: name.clone(), flags, alias_of, from_trait, ..func.with_scope(None) })
}
