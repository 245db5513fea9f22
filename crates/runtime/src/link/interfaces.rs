//! Interfaces: which ones a class has, what they add, and which classes may implement the builtin ones.

use super::draft::Draft;
use super::methods::Checks;
use super::{kind_title, shown, text};
use crate::class::{Attrs, Class, ClassExt, ClassKind, ClassRef};
use crate::error::{Level, PhpResult};
use std::rc::Rc;

fn contains(list: &[ClassRef], interface: &ClassRef) -> bool {
    list.iter().any(|known| Rc::ptr_eq(known, interface))
}

impl Draft<'_> {
    /// Adds the parent's and the declared interfaces, and the interfaces that these extend.
    pub(super) fn implement_interfaces(&mut self) -> PhpResult<()> {
        let inherited = self.parent.as_ref().map_or_else(Vec::new, |parent| parent.class().interfaces.clone());
        if self.unit.internal {
            return self.implement_as_builtin(&inherited);
        }
        if self.declared_interfaces.is_empty() {
            for interface in inherited.iter().rev() {
                self.interfaces.push(interface.clone());
            }
            for interface in inherited.iter().rev() {
                self.check_implementer(interface)?;
            }
            return Ok(());
        }
        self.interfaces = inherited;
        let inherited_count = self.interfaces.len();
        for interface in self.declared_interfaces.clone() {
            self.add_declared_interface(&interface, inherited_count)?;
        }
        for interface in &self.interfaces[..inherited_count] {
            self.check_implementer(interface)?;
        }
        let added = self.interfaces[inherited_count..].to_vec();
        for interface in &added {
            self.implement(interface)?;
        }
        Ok(())
    }

    /// Adds interfaces in the order in which PHP registers its own classes: Stringable, the parent's interfaces from the last on,
    /// then each declared interface with those that it extends.
    fn implement_as_builtin(&mut self, inherited: &[ClassRef]) -> PhpResult<()> {
        let is_stringable = |interface: &&ClassRef| interface.class().name.as_bytes() == b"Stringable";
        let declared = self.declared_interfaces.clone();
        declared.iter().filter(is_stringable).try_for_each(|interface| self.implement_new(interface))?;
        for interface in inherited.iter().rev() {
            if !contains(&self.interfaces, interface) {
                self.interfaces.push(interface.clone());
            }
        }
        declared.iter().try_for_each(|interface| self.implement_new(interface))
    }

    fn implement_new(&mut self, interface: &ClassRef) -> PhpResult<()> {
        if contains(&self.interfaces, interface) {
            return Ok(());
        }
        self.interfaces.push(interface.clone());
        self.implement(interface)
    }

    fn add_declared_interface(&mut self, interface: &ClassRef, inherited_count: usize) -> PhpResult<()> {
        let target = interface.class();
        if !target.is_interface() {
            let message = text![shown(&self.name), " cannot implement ", &target.name, " - it is not an interface"];
            return Err(self.fatal_error(&message));
        }
        match self.interfaces.iter().position(|known| Rc::ptr_eq(known, interface)) {
            None => self.interfaces.push(interface.clone()),
            Some(at) if at < inherited_count => {
                for (name, constant) in &target.constants {
                    self.check_constant(name, constant)?;
                }
            }
            Some(_) => {
                let what = text![kind_title(self.kind), " ", shown(&self.name)];
                let message = text![&what, " cannot implement previously implemented interface ", shown(&target.name)];
                return Err(self.fatal(&message));
            }
        }
        Ok(())
    }

    /// Adds the constants, methods and properties of one interface, then the interfaces that it extends.
    fn implement(&mut self, interface: &ClassRef) -> PhpResult<()> {
        let target = interface.class();
        for (name, constant) in &target.constants {
            if self.check_constant(name, constant)? {
                self.constants.insert(name.clone(), constant.clone());
            }
        }
        let checks = Checks { visibility: true, prototype: self.kind != ClassKind::Interface };
        for (key, func) in &target.methods {
            self.inherit_method(key, func, checks)?;
        }
        for (name, info) in &target.props {
            self.inherit_property(name, info)?;
        }
        self.check_implementer(interface)?;
        let known = self.interfaces.len();
        for above in target.interfaces.iter().rev() {
            if !contains(&self.interfaces[..known], above) {
                self.interfaces.push(above.clone());
            }
        }
        for above in &self.interfaces[known..] {
            self.check_implementer(above)?;
        }
        Ok(())
    }

    /// Adds an interface that a class implements because of a method from a trait.
    pub(super) fn add_interface(&mut self, interface: &ClassRef) -> PhpResult<()> {
        self.interfaces.push(interface.clone());
        self.implement(interface)
    }

    /// Checks the rules about classes that implement a builtin interface.
    fn check_implementer(&self, interface: &ClassRef) -> PhpResult<()> {
        let target = interface.class();
        if self.kind == ClassKind::Interface || !target.is_internal() || self.unit.internal {
            return Ok(());
        }
        match target.name.as_bytes() {
            b"Traversable" => self.check_traversable(),
            b"Iterator" => self.check_one_iteration(b"iteratoraggregate"),
            b"IteratorAggregate" => self.check_one_iteration(b"iterator"),
            b"Serializable" => self.check_serializable(),
            b"Throwable" => self.check_throwable(target),
            b"DateTimeInterface" => self.check_date_time(),
            b"UnitEnum" | b"BackedEnum" => self.check_enum_interface(target),
            _ => Ok(()),
        }
    }

    fn check_traversable(&self) -> PhpResult<()> {
        let is_iterable = self.implements(b"iterator") || self.implements(b"iteratoraggregate");
        if self.attrs.has(Attrs::ABSTRACT) || is_iterable {
            return Ok(());
        }
        let what = text![kind_title(self.kind), " ", shown(&self.name)];
        let how = " must implement interface Traversable as part of either Iterator or IteratorAggregate";
        Err(self.fatal_nowhere(&text![&what, how]))
    }

    fn check_one_iteration(&self, other: &[u8]) -> PhpResult<()> {
        if !self.implements(other) {
            return Ok(());
        }
        let rule = " cannot implement both Iterator and IteratorAggregate at the same time";
        Err(self.fatal_error(&text!["Class ", shown(&self.name), rule]))
    }

    fn check_serializable(&self) -> PhpResult<()> {
        let has_both = self.method("__serialize").is_some() && self.method("__unserialize").is_some();
        if self.attrs.has(Attrs::ABSTRACT) || has_both {
            return Ok(());
        }
        let how = " implements the Serializable interface, which is deprecated. Implement __serialize() and \
                   __unserialize() instead (or in addition, if support for old PHP versions is necessary)";
        let message = text![shown(&self.name), how];
        let what = text!["During inheritance of ", &self.name, ", while implementing Serializable"];
        let place = (&self.unit.filename, self.def.line_start);
        super::kept::raise(self.vm, Level::Deprecated, &message, place, Some(what))
    }

    fn check_throwable(&self, interface: &Class) -> PhpResult<()> {
        let mut root = self.parent.clone();
        while let Some(next) = root.as_ref().and_then(|class| class.class().parent.clone()) {
            root = Some(next);
        }
        let builtin = root.is_some_and(|root| matches!(root.class().name.as_bytes(), b"Exception" | b"Error"));
        if builtin {
            return Ok(());
        }
        let what = text![kind_title(self.kind), " ", shown(&self.name)];
        let advice = if self.kind == ClassKind::Enum { "" } else { ", extend Exception or Error instead" };
        Err(self.fatal_error(&text![&what, " cannot implement interface ", &interface.name, advice]))
    }

    fn check_date_time(&self) -> PhpResult<()> {
        let builtin = |name: &[u8]| {
            let parent = self.parent.as_ref();
            let known = self.vm.find_class_no_autoload(name);
            parent.is_some_and(|parent| known.is_some_and(|known| parent.class().is_a(&known)))
        };
        if builtin(b"DateTime") || builtin(b"DateTimeImmutable") {
            return Ok(());
        }
        Err(self.fatal_error(b"DateTimeInterface can't be implemented by user classes"))
    }

    fn check_enum_interface(&self, interface: &Class) -> PhpResult<()> {
        let backed = interface.name.as_bytes() == b"BackedEnum";
        let kind = match self.kind {
            ClassKind::Enum if !backed || self.def.enum_type.is_some() => return Ok(()),
            ClassKind::Enum => "Non-backed enum ",
            _ => "Non-enum class ",
        };
        Err(self.fatal_error(&text![kind, shown(&self.name), " cannot implement interface ", &interface.name]))
    }
}
