//! A verified unit in executable form, with literals as values.

use crate::error::Level;
use crate::error::PhpResult;
use crate::types::TypeSpec;
use crate::vm::{CompileNotice, Vm};
use phlox_hhbc::{ArrayId, FuncId, Instr, Key as UnitKey, Literal, StrId, TypeId, Unit};
use phlox_value::{ClassRef, Key, PhpArr, PhpStr, Val};
use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::collections::HashMap;
use std::rc::Rc;

/// The diagnostics of a unit's compilation.
pub fn notices(unit: &Unit) -> Vec<CompileNotice> {
    let level = |bits| match bits {
        2 => Level::Warning,
        8 => Level::Notice,
        128 => Level::CompileWarning,
        _ => Level::Deprecated,
    };
    let notice = |notice: &phlox_hhbc::Notice| CompileNotice {
        level: level(notice.level),
        message: unit.str(notice.message).to_vec(),
        line: notice.line,
    };
    unit.notices.iter().map(notice).collect()
}

/// The declarations that a request has found by literal names of a unit.
#[derive(Default)]
struct Found {
    /// The number of the request.
    request: u64,
    classes: HashMap<StrId, ClassRef, foldhash::fast::FixedState>,
    functions: HashMap<StrId, Rc<crate::func::Func>, foldhash::fast::FixedState>,
}

/// A function of a unit, the name under which it is used, and the address of the class in whose scope it runs.
pub type ScopedKey = (FuncId, PhpStr, Option<usize>);

/// A unit whose strings are interned; its scalar arrays are built on first use.
pub struct LinkedUnit {
    pub unit: Unit,
    pub filename: PhpStr,
    strings: Vec<PhpStr>,
    arrays: Vec<OnceCell<PhpArr>>,
    types: Vec<Rc<TypeSpec>>,
    /// The runtime functions of the unit's function table, made on first use.
    pub(crate) funcs: Vec<Cell<Option<Rc<crate::func::Func>>>>,
    /// The functions of the top-level code, one for each class in whose scope it ran. `None` if they are not kept: then each run
    /// makes one, which is freed afterwards.
    pub(crate) mains: RefCell<Option<Vec<Rc<crate::func::Func>>>>,
    /// Declarations found by a literal name.
    found: RefCell<Found>,
    /// Whether the unit is kept for other requests, and with it what is made of its functions and classes.
    pub is_kept: Cell<bool>,
    /// Of a kept unit: its functions in class scopes of their own, by the name and the address of the class.
    pub scoped: RefCell<HashMap<ScopedKey, Rc<crate::func::Func>, foldhash::fast::FixedState>>,
    /// The classes that were linked from the unit's rows in this or an earlier request, by row.
    pub(crate) linked: RefCell<Vec<Vec<Rc<crate::link::KeptClass>>>>,
    /// Whether the top-level code only declares; see [`LinkedUnit::only_declares`].
    declares: OnceCell<bool>,
    /// Whether the unit belongs to the engine: a stub of builtin functions and classes.
    pub internal: bool,
    /// The extension that an internal unit's declarations belong to.
    pub extension: &'static str,
}

thread_local! {
    /// Units that hold functions of their own, and that are not kept for other requests: code that is evaluated, files that are not
    /// cached.
    static OF_REQUEST: RefCell<Vec<Rc<LinkedUnit>>> = RefCell::default();
}

/// Releases the functions of the units that [end with the request](LinkedUnit::ends_with_request): they hold the unit, and the unit
/// holds them. None of them runs any more.
pub(crate) fn end_request() {
    for unit in OF_REQUEST.take() {
        if !unit.is_kept.get() {
            unit.runs_no_more();
            unit.funcs.iter().for_each(|func| drop(func.take()));
        }
    }
}

impl LinkedUnit {
    /// Links a verified unit.
    pub fn new(unit: Unit, internal: bool, extension: &'static str) -> Rc<LinkedUnit> {
        let strings: Vec<PhpStr> = unit.strings.iter().map(PhpStr::intern).collect();
        let name = |id: &StrId| strings[id.index()].clone();
        let types = unit
            .types
            .iter()
            .map(|ty| {
                Rc::new(TypeSpec {
                    mask: ty.mask,
                    classes: ty.classes.iter().map(|all| all.iter().map(name).collect()).collect(),
                    display: name(&ty.display),
                })
            })
            .collect();
        Rc::new(LinkedUnit {
            filename: PhpStr::intern(&unit.filename),
            arrays: unit.arrays.iter().map(|_| OnceCell::new()).collect(),
            funcs: unit.funcs.iter().map(|_| Cell::default()).collect(),
            mains: RefCell::new(None),
            found: RefCell::default(),
            is_kept: Cell::new(internal),
            scoped: RefCell::default(),
            linked: RefCell::default(),
            declares: OnceCell::new(),
            strings,
            types,
            unit,
            internal,
            extension,
        })
    }

    /// Keeps the functions of the top-level code (and what engines made of them), because the unit will run again.
    pub fn runs_again(&self) {
        self.mains.borrow_mut().get_or_insert_default();
    }

    /// Releases the functions of the top-level code, because the unit will not [run again](LinkedUnit::runs_again).
    pub fn runs_no_more(&self) {
        let mains = self.mains.take();
        drop(mains);
    }

    /// Lets a unit that is not kept go at the end of the request, because it holds functions of its own from now on.
    pub fn ends_with_request(self: &Rc<LinkedUnit>) {
        if !self.is_kept.get() {
            OF_REQUEST.with_borrow_mut(|units| units.push(self.clone()));
        }
    }

    /// Whether the top-level code has no variables and does nothing but declare classes, functions and constants, and return a
    /// constant, as most files do that autoloaders load: it can neither see nor change the variables of the code that includes it.
    pub fn only_declares(&self) -> bool {
        *self.declares.get_or_init(|| {
            let main = &self.unit.funcs[0];
            let declares = |instr: &Instr| {
                matches!(
                    instr,
                    Instr::Nop {}
                        | Instr::DefCls { .. }
                        | Instr::DefFunc { .. }
                        | Instr::DefCns { .. }
                        | Instr::Null {}
                        | Instr::True {}
                        | Instr::False {}
                        | Instr::Int { .. }
                        | Instr::Double { .. }
                        | Instr::String { .. }
                        | Instr::Array { .. }
                        | Instr::PopC {}
                        | Instr::RetC {}
                )
            };
            main.locals.is_empty() && main.code.iter().all(declares)
        })
    }

    /// The string with this id.
    #[inline]
    pub fn str(&self, id: StrId) -> &PhpStr {
        &self.strings[id.index()]
    }

    /// The declarations that the running request has found.
    fn found(&self, vm: &Vm) -> RefMut<'_, Found> {
        let mut found = self.found.borrow_mut();
        let request = vm.request_number.get();
        if found.request != request {
            *found = Found { request, ..Found::default() };
        }
        found
    }

    /// The class that a literal name means; it is looked up (and autoloaded) until it is found once in a request.
    #[inline]
    pub fn class_named(&self, vm: &Vm, id: StrId) -> PhpResult<ClassRef> {
        if let Some(class) = self.found(vm).classes.get(&id) {
            return Ok(class.clone());
        }
        let class = vm.require_class(self.str(id))?;
        Ok(self.found(vm).classes.entry(id).or_insert(class).clone())
    }

    /// The function that a literal name means, or that the fallback name means.
    #[inline]
    pub fn func_named(&self, vm: &Vm, id: StrId, fallback: Option<StrId>) -> Option<Rc<crate::func::Func>> {
        if let Some(func) = self.found(vm).functions.get(&id) {
            return Some(func.clone());
        }
        let func = vm.find_function(self.str(id)).or_else(|| vm.find_function(self.str(fallback?)))?;
        Some(self.found(vm).functions.entry(id).or_insert(func).clone())
    }

    /// The type with this id.
    #[inline]
    pub fn ty(&self, id: TypeId) -> &Rc<TypeSpec> {
        &self.types[id.index()]
    }

    /// The value of a literal.
    pub fn literal(&self, literal: Literal) -> Val {
        match literal {
            Literal::Null => Val::NULL,
            Literal::Bool(b) => Val::bool(b),
            Literal::Int(i) => Val::int(i),
            Literal::Double(d) => Val::double(d.get()),
            Literal::Str(s) => self.str(s).into(),
            Literal::Array(a) => self.array(a).into(),
        }
    }

    /// The scalar array with this id, which is built once and shared as a static array.
    pub fn array(&self, id: ArrayId) -> PhpArr {
        self.arrays[id.index()]
            .get_or_init(|| {
                let entries = &self.unit.arrays[id.index()].entries;
                let mut array = PhpArr::with_capacity(entries.len());
                for (key, value) in entries {
                    let value = self.literal(*value);
                    match key {
                        UnitKey::Int(i) => array.insert(Key::Int(*i), value),
                        UnitKey::Str(s) => array.insert(Key::Str(self.str(*s)), value),
                    };
                }
                array.into_static()
            })
            .clone()
    }
}
