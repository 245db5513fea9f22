//! The class under construction: its own members, and the loaded classes that it names.

use super::properties::PropTable;
use super::variance::Obligation;
use super::{enums, kept, shown, text};
use crate::class::{Attrs, ClassConst, ClassExt, ClassKind, ClassRef};
use crate::error::{Level, PhpResult, Throw};
use crate::extension::NativeClass;
use crate::func::{Func, FuncBody, is_empty_body};
use crate::strmap::{ByBytes, StrMap, lower_str};
use crate::unit::LinkedUnit;
use crate::vm::Vm;
use phlox_hhbc::{ClassDef, ClassId, FuncFlags, FuncId};
use phlox_value::{PhpStr, Slot, Val};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// A class that is being linked. Members whose class is not set yet belong to this class.
pub(crate) struct Draft<'a> {
    pub vm: &'a Vm,
    pub unit: &'a Rc<LinkedUnit>,
    pub id: ClassId,
    pub def: &'a ClassDef,
    pub native: Option<&'static NativeClass>,
    pub name: PhpStr,
    pub lower_name: PhpStr,
    pub kind: ClassKind,
    pub attrs: Attrs,
    pub parent: Option<ClassRef>,
    /// The interfaces that `implements` names, loaded.
    pub declared_interfaces: Vec<ClassRef>,
    /// All interfaces found so far.
    pub interfaces: Vec<ClassRef>,
    pub traits: Vec<ClassRef>,
    pub constants: StrMap<Rc<ClassConst>>,
    pub props: PropTable,
    pub methods: StrMap<Rc<Func>>,
    /// Set while traits are bound: methods copied from traits still count as the traits'.
    pub binding_traits: bool,
    pub trait_aliases: Vec<(PhpStr, PhpStr)>,
    /// Checks that need classes which are not loaded yet.
    pub obligations: Vec<Obligation>,
    /// The names of classes that are not loaded yet.
    pub unresolved: std::cell::RefCell<Vec<PhpStr>>,
}

/// The interfaces that a class names or implements implicitly.
pub(crate) fn interface_names(unit: &Rc<LinkedUnit>, def: &ClassDef) -> Vec<PhpStr> {
    let own = unit.str(def.name);
    let is_stringable = own.eq_ignore_ascii_case(b"Stringable");
    // `Stringable` has a method `__toString`, but does not extend itself. PHP declares its own backed enums with `BackedEnum`
    // only, which extends `UnitEnum`.
    let is_backed = def.kind == ClassKind::Enum && def.enum_type.is_some();
    let is_implied = |name: &PhpStr| unit.internal && is_backed && name.as_bytes() == b"UnitEnum";
    let named = def.interfaces.iter().map(|&name| unit.str(name)).filter(|name| !is_stringable && !is_implied(name));
    let mut names: Vec<PhpStr> = named.cloned().collect();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known.eq_ignore_ascii_case(name.as_bytes())) {
            names.push(PhpStr::intern(name.as_bytes()));
        }
    };
    let is_to_string = |&id: &FuncId| unit.str(unit.unit.funcs[id.index()].name).eq_ignore_ascii_case(b"__tostring");
    if def.kind != ClassKind::Trait && !is_stringable && def.methods.iter().any(is_to_string) {
        add("Stringable");
    }
    if def.kind == ClassKind::Enum && !(unit.internal && is_backed) {
        add("UnitEnum");
    }
    if is_backed {
        add("BackedEnum");
    }
    names
}

impl<'a> Draft<'a> {
    /// A draft with the class's own members.
    pub fn new(
        vm: &'a Vm,
        unit: &'a Rc<LinkedUnit>,
        id: ClassId,
        parent: Option<ClassRef>,
        native: Option<&'static NativeClass>,
    ) -> Draft<'a> {
        let def = &unit.unit.classes[id.index()];
        let name = unit.str(def.name).clone();
        let mut draft = Draft {
            vm,
            unit,
            id,
            def,
            native,
            lower_name: lower_str(&name),
            name,
            kind: def.kind,
            attrs: def.attrs,
            parent,
            declared_interfaces: Vec::new(),
            interfaces: Vec::new(),
            traits: Vec::new(),
            constants: StrMap::default(),
            props: PropTable::default(),
            methods: StrMap::default(),
            binding_traits: false,
            trait_aliases: Vec::new(),
            obligations: Vec::new(),
            unresolved: std::cell::RefCell::default(),
        };
        draft.add_own_constants();
        if def.kind == ClassKind::Enum {
            // Enums cannot be extended.
            draft.attrs.set(Attrs::FINAL);
            enums::add_properties(&mut draft);
        }
        draft.add_own_properties();
        draft
    }

    /// A draft for which everything that the declaration names is loaded.
    pub fn load(
        vm: &'a Vm,
        unit: &'a Rc<LinkedUnit>,
        id: ClassId,
        native: Option<&'static NativeClass>,
    ) -> PhpResult<Draft<'a>> {
        let def = &unit.unit.classes[id.index()];
        let parent = match def.parent {
            Some(parent) => Some(kept::require(vm, unit.str(parent))?),
            None => None,
        };
        let mut traits: Vec<ClassRef> = Vec::new();
        for &name in &def.traits {
            let Some(found) = kept::load(vm, unit.str(name))? else {
                let message = text!["Trait \"", unit.str(name), "\" not found"];
                vm.report(Level::Error, &message, &unit.filename, def.line_start);
                vm.exit_status.set(255);
                return Err(Throw::Fatal);
            };
            if !found.class().is_trait() {
                let class = unit.str(def.name);
                let message = text![shown(class), " cannot use ", &found.class().name, " - it is not a trait"];
                vm.report(Level::Error, &message, &unit.filename, def.line_start);
                vm.exit_status.set(255);
                return Err(Throw::Fatal);
            }
            if !traits.iter().any(|known| Rc::ptr_eq(known, &found)) {
                traits.push(found);
            }
        }
        let mut interfaces = Vec::new();
        for name in interface_names(unit, def) {
            interfaces.push(require_interface(vm, &name)?);
        }
        let mut draft = Draft::new(vm, unit, id, parent, native);
        draft.traits = traits;
        draft.declared_interfaces = interfaces;
        draft.add_own_methods();
        Ok(draft)
    }

    /// Inherits members and checks them, in PHP's order.
    pub fn link(&mut self) -> PhpResult<()> {
        if self.kind == ClassKind::Enum {
            enums::add_methods(self)?;
        }
        if let Some(parent) = self.parent.clone() {
            self.inherit(&parent)?;
        }
        if !self.traits.is_empty() {
            self.bind_traits()?;
        }
        self.implement_interfaces()?;
        self.verify()
    }

    /// Strips a linked class that `disable_classes` names: only its name, its kind and all of its constants remain.
    pub fn strip(&mut self) {
        self.parent = None;
        self.declared_interfaces.clear();
        self.interfaces.clear();
        self.traits.clear();
        self.props = PropTable::default();
        self.methods.clear();
        self.obligations.clear();
    }

    fn add_own_constants(&mut self) {
        for (index, constant) in self.def.constants.iter().enumerate() {
            let name = self.unit.str(constant.name).clone();
            let row = ClassConst {
                name: name.clone(),
                attrs: constant.attrs,
                ty: constant.ty.map(|ty| self.unit.ty(ty).clone()),
                init: constant.value,
                class: OnceCell::new(),
                unit: self.unit.clone(),
                value: Slot::new(Val::UNDEF),
                evaluating: Cell::new(false),
                reporting: Cell::new(false),
                origin: (self.id, index),
            };
            self.constants.insert(name, Rc::new(row));
        }
    }

    fn add_own_methods(&mut self) {
        for &id in &self.def.methods {
            let func = self.own_method(id);
            let key = lower_str(&func.name);
            self.methods.insert(key, Rc::new(func));
        }
    }

    fn own_method(&self, id: FuncId) -> Func {
        let mut func = Func::from_unit(self.unit, id, FuncBody::User);
        if self.kind == ClassKind::Interface {
            func.flags.set(FuncFlags::ABSTRACT);
        }
        func.body = self.body_of(&func);
        func
    }

    /// The body of one of the class's own methods or property hooks (`$name::get`).
    pub(super) fn body_of(&self, func: &Func) -> FuncBody {
        let Some(native) = self.native else { return FuncBody::User };
        let row = native.methods.iter().find(|(name, _)| func.name.eq_ignore_ascii_case(name.as_bytes()));
        match row {
            Some(&(_, body)) => FuncBody::Native(body),
            None if func.is_abstract() => FuncBody::User,
            None if is_empty_body(func.code()) => FuncBody::Missing,
            None => FuncBody::User,
        }
    }

    /// Whether the declaration has the attribute.
    pub fn has_attribute(&self, name: &[u8]) -> bool {
        self.def.attributes.iter().any(|a| self.unit.str(a.name).eq_ignore_ascii_case(name))
    }

    /// The class that declares a method, as far as it is known, which messages show as the method's scope.
    pub fn scope_name<'f>(&'f self, func: &'f Func) -> &'f [u8] {
        if let Some(class) = func.scope.get() {
            return &class.class().name;
        }
        match &func.from_trait {
            Some(origin) if self.binding_traits => &origin.class().name,
            _ => &self.name,
        }
    }

    /// The method with this lower-case name, as known so far.
    pub fn method(&self, lower_name: &str) -> Option<&Rc<Func>> {
        self.methods.get(&ByBytes(lower_name.as_bytes()))
    }

    /// Whether the class implements the interface, as known so far.
    pub fn implements(&self, lower_name: &[u8]) -> bool {
        self.interfaces.iter().any(|interface| interface.class().lower_name.as_bytes() == lower_name)
    }

    /// A fatal error at the class's declaration.
    pub fn fatal(&self, message: &[u8]) -> Throw {
        self.fatal_as(Level::CompileError, message, self.unit, self.def.line_start)
    }

    /// A fatal error at a function's declaration.
    pub fn fatal_in(&self, func: &Func, message: &[u8]) -> Throw {
        if func.unit.internal {
            return self.fatal(message);
        }
        self.fatal_as(Level::CompileError, message, &func.unit, func.code().line_start)
    }

    /// An error of level `E_ERROR` at the class's declaration, which ends the script.
    pub fn fatal_error(&self, message: &[u8]) -> Throw {
        self.fatal_as(Level::Error, message, self.unit, self.def.line_start)
    }

    /// A fatal error that PHP reports without a position.
    pub fn fatal_nowhere(&self, message: &[u8]) -> Throw {
        self.vm.report(Level::CoreError, message, &PhpStr::intern(b"Unknown"), 0);
        self.vm.exit_status.set(255);
        Throw::Fatal
    }

    fn fatal_as(&self, level: Level, message: &[u8], unit: &LinkedUnit, line: u32) -> Throw {
        self.vm.report(level, message, &unit.filename, line);
        self.vm.exit_status.set(255);
        Throw::Fatal
    }
}

/// The class of an `implements`; throws `Interface "X" not found`.
fn require_interface(vm: &Vm, name: &PhpStr) -> PhpResult<ClassRef> {
    match kept::load(vm, name)? {
        Some(class) => Ok(class),
        None => Err(vm.throw_error(&text!["Interface \"", name, "\" not found"])),
    }
}
