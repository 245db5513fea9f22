//! Functions at run time: functions of units and builtin ones, behind one description.

use crate::call::Call;
use crate::class::ClassRef;
use crate::error::PhpResult;
use crate::strmap::lower_str;
use crate::types::TypeSpec;
use crate::unit::LinkedUnit;
use phlox_hhbc::{self as hhbc, FuncFlags, FuncId, Init, TypeMask};
use phlox_value::{PhpStr, Slot, Val, View};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The body of a builtin function. Arguments are checked and coerced by its declaration before it runs.
pub type NativeFn = fn(&mut Call<'_>) -> PhpResult<Val>;

/// The code that a call runs.
#[derive(Clone, Copy)]
pub enum FuncBody {
    /// The unit's code.
    User,
    Native(NativeFn),
    /// The function is declared by a stub but not implemented: a call throws an Error.
    Missing,
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    pub name: PhpStr,
    pub ty: Option<Rc<TypeSpec>>,
    pub by_ref: bool,
    /// The argument is passed by reference if possible, else by value (`array_multisort`).
    pub prefer_ref: bool,
    pub variadic: bool,
    pub promoted: bool,
    pub default: Option<Init>,
    /// For a builtin function: the parameter takes a resource, a type that has no name in PHP and is not declared.
    pub resource: bool,
    /// For a builtin function's variadic parameter: it also takes unknown named arguments.
    pub any_name: bool,
}

impl Param {
    /// Whether the kind of the value alone shows that it is of the declared type.
    #[inline]
    pub fn accepts(&self, value: &Val) -> bool {
        let mask = crate::coerce::kind_mask(value);
        match &self.ty {
            Some(ty) => ty.has(mask | phlox_hhbc::TypeMask::MIXED) && !value.is_undef(),
            None if self.resource => matches!(value.view(), View::Res(_)),
            None => !value.is_undef(),
        }
    }
}

/// A function, method, closure body, hook or thunk.
pub struct Func {
    pub name: PhpStr,
    pub unit: Rc<LinkedUnit>,
    pub id: FuncId,
    pub flags: FuncFlags,
    pub params: Vec<Param>,
    /// Number of arguments that must be passed: one more than the index of the last parameter without a default.
    pub required: usize,
    /// Number of arguments that a builtin function needs, with those for its variadic parameter. Reflection shows `required`.
    pub needed: usize,
    /// Number of parameters that are not variadic.
    pub declared: usize,
    pub return_type: Option<Rc<TypeSpec>>,
    pub body: FuncBody,
    /// The class in whose scope the function runs (for a trait's method: the using class).
    pub scope: OnceCell<ClassRef>,
    /// The static variables, made on first use.
    pub statics: RefCell<Option<Rc<StaticVars>>>,
    /// For a method: the class, interface or trait that first declared it.
    pub prototype: RefCell<Option<Rc<Func>>>,
    /// The values of constant defaults of a builtin function's parameters, once evaluated.
    pub(crate) default_cache: RefCell<Vec<Option<Val>>>,
    /// The method's name in its trait, if the class imported it under another name.
    pub alias_of: Option<PhpStr>,
    /// The trait that a method came from.
    pub from_trait: Option<ClassRef>,
    /// Whether the function has `#[Deprecated]`: every call is reported.
    pub deprecated: Cell<bool>,
    /// Whether some parameters have attributes, of which `#[SensitiveParameter]` hides arguments from traces.
    pub has_marked_params: bool,
    /// Whether the body may change the variable of its variadic parameter: the passed arguments are then kept separately, for
    /// `func_get_args` and traces.
    pub changes_rest: bool,
    /// A builtin function's fast path; see `FnDef::fast_path`.
    pub fast_path: Option<crate::extension::FastPathFn>,
    /// The name in lower case, made on first use.
    pub(crate) key: OnceCell<PhpStr>,
    /// Data that an engine made of the code.
    pub prepared: OnceCell<Box<dyn std::any::Any>>,
}

/// The static variables of one function or one closure object.
pub struct StaticVars {
    /// The variable's place and whether its initialiser ran, parallel to the unit function's `statics`.
    pub vars: Vec<(Slot, Cell<bool>)>,
}

impl Func {
    /// The unit's description of the function.
    #[inline]
    pub fn code(&self) -> &hhbc::Func {
        &self.unit.unit.funcs[self.id.index()]
    }

    /// The key of the function in the function table: its name in lower case.
    pub fn key(&self) -> &PhpStr {
        self.key.get_or_init(|| lower_str(&self.name))
    }

    /// Whether the function has this flag.
    #[inline]
    pub fn has(&self, flag: u32) -> bool {
        self.flags.has(flag)
    }

    /// Whether the method is static.
    #[inline]
    pub fn is_static(&self) -> bool {
        self.has(FuncFlags::STATIC)
    }

    /// Whether the method is abstract.
    #[inline]
    pub fn is_abstract(&self) -> bool {
        self.has(FuncFlags::ABSTRACT)
    }

    /// Whether the function is a generator.
    #[inline]
    pub fn is_generator(&self) -> bool {
        self.has(FuncFlags::GENERATOR)
    }

    /// Whether the function is a closure's body.
    #[inline]
    pub fn is_closure(&self) -> bool {
        self.has(FuncFlags::CLOSURE)
    }

    /// Whether the method is private.
    #[inline]
    pub fn is_private(&self) -> bool {
        self.has(FuncFlags::PRIVATE)
    }

    /// Whether the method is protected.
    #[inline]
    pub fn is_protected(&self) -> bool {
        self.has(FuncFlags::PROTECTED)
    }

    /// Whether the method is public.
    #[inline]
    pub fn is_public(&self) -> bool {
        !self.is_private() && !self.is_protected()
    }

    /// Whether the last parameter is variadic.
    #[inline]
    pub fn is_variadic(&self) -> bool {
        self.has(FuncFlags::VARIADIC)
    }

    /// Whether the function returns by reference.
    #[inline]
    pub fn returns_by_ref(&self) -> bool {
        self.has(FuncFlags::BY_REF_RETURN)
    }

    /// Whether the function's file declares strict types.
    #[inline]
    pub fn strict_types(&self) -> bool {
        self.unit.unit.strict_types
    }

    /// Whether the function is builtin.
    #[inline]
    pub fn is_native(&self) -> bool {
        !matches!(self.body, FuncBody::User)
    }

    /// The parameter that receives argument `index`; a variadic one receives all further arguments.
    #[inline]
    pub fn param_for(&self, index: usize) -> Option<&Param> {
        self.params.get(index).or_else(|| self.params.last().filter(|p| p.variadic))
    }

    /// The index of the parameter that receives a named argument, which is the variadic one if none has the name.
    pub fn place_of_name(&self, name: &PhpStr) -> Option<usize> {
        let variadic = || self.params.len().checked_sub(1).filter(|_| self.is_variadic());
        self.params.iter().position(|param| param.name == *name && !param.variadic).or_else(variadic)
    }

    /// The declared type of a parameter. Some builtin functions check another type than they declare ([`Param::ty`]).
    pub fn declared_type(&self, index: usize) -> Option<&Rc<TypeSpec>> {
        if !self.unit.internal {
            return self.params.get(index)?.ty.as_ref();
        }
        Some(self.unit.ty(self.code().params.get(index)?.ty?))
    }

    /// Whether argument `index` is passed by reference.
    #[inline]
    pub fn is_by_ref(&self, index: usize) -> bool {
        self.param_for(index).is_some_and(|p| p.by_ref)
    }

    /// Whether any argument behind the first `passed` ones is taken by reference.
    pub fn takes_references_behind(&self, passed: usize) -> bool {
        // The last parameter may be variadic.
        let first = passed.min(self.params.len().saturating_sub(1));
        self.params[first..].iter().any(|param| param.by_ref)
    }

    /// Whether the value for parameter `index` of a builtin function needs no coercion.
    #[inline]
    pub fn takes_as_is(&self, index: usize, value: &Val) -> bool {
        match self.param_for(index) {
            Some(param) => !param.by_ref && param.accepts(value),
            None => true,
        }
    }

    /// The function's name in messages and traces: `C::m`, `f`, `{closure:...}`.
    #[inline]
    pub fn display_name(&self) -> Vec<u8> {
        use crate::class::ClassExt;
        match self.scope.get() {
            Some(class) => [crate::convert::printable_name(&class.class().name), b"::", &self.name].concat(),
            _ => self.name.to_vec(),
        }
    }

    /// A copy in another class scope (or none), with new static variables.
    pub fn with_scope(&self, scope: Option<ClassRef>) -> Func {
        Func {
            name: self.name.clone(),
            unit: self.unit.clone(),
            id: self.id,
            flags: self.flags,
            params: self.params.clone(),
            required: self.required,
            needed: self.needed,
            declared: self.declared,
            return_type: self.return_type.clone(),
            body: self.body,
            scope: scope.map_or_else(OnceCell::new, OnceCell::from),
            statics: RefCell::new(None),
            prototype: RefCell::new(None),
            default_cache: RefCell::new(vec![None; self.params.len()]),
            alias_of: self.alias_of.clone(),
            from_trait: self.from_trait.clone(),
            deprecated: self.deprecated.clone(),
            has_marked_params: self.has_marked_params,
            changes_rest: self.changes_rest,
            fast_path: self.fast_path,
            key: OnceCell::new(),
            prepared: OnceCell::new(),
        }
    }

    /// A builtin method without a declaration, which belongs to the given unit.
    pub(crate) fn native_stand_in(
        unit: &Rc<LinkedUnit>,
        name: PhpStr,
        params: Vec<Param>,
        body: NativeFn,
        scope: ClassRef,
    ) -> Func {
        Func {
            name,
            flags: FuncFlags(FuncFlags::PUBLIC | FuncFlags::HOOK),
            required: params.len(),
            needed: params.len(),
            declared: params.len(),
            default_cache: RefCell::new(vec![None; params.len()]),
            params,
            return_type: None,
            body: FuncBody::Native(body),
            scope: OnceCell::from(scope),
            ..Func::from_unit(unit, FuncId(0), FuncBody::User)
        }
    }

    /// A builtin function without parameters that no script can name, which belongs to the given unit.
    pub fn hidden(unit: &Rc<LinkedUnit>, name: PhpStr, body: NativeFn) -> Func {
        Func {
            name,
            flags: FuncFlags(FuncFlags::PUBLIC),
            body: FuncBody::Native(body),
            ..Func::from_unit(unit, FuncId(0), FuncBody::User)
        }
    }

    /// A runtime function for row `id` of a unit's function table; it is not bound to a class.
    pub fn from_unit(unit: &Rc<LinkedUnit>, id: FuncId, body: FuncBody) -> Func {
        let code = &unit.unit.funcs[id.index()];
        let params: Vec<Param> = code
            .params
            .iter()
            .map(|p| Param {
                name: unit.str(p.name).clone(),
                ty: param_type(unit, p),
                by_ref: p.by_ref,
                prefer_ref: p.by_ref && marked(unit, p, b"prefer_ref"),
                variadic: p.variadic,
                promoted: p.promoted,
                default: p.default,
                resource: marked(unit, p, b"resource")
                    || unit.internal
                        && p.ty.is_none()
                        && p.default.is_none()
                        && !p.by_ref
                        && !p.variadic
                        && !marked(unit, p, b"unchecked")
                        && unit.str(p.name).as_bytes() == b"stream",
                any_name: p.variadic && marked(unit, p, b"any_name"),
            })
            .collect();
        let required = params.iter().rposition(|p| p.default.is_none() && !p.variadic).map_or(0, |last| last + 1);
        let needs = |mark: &[u8]| code.params.last().is_some_and(|param| marked(unit, param, mark));
        let in_rest = if needs(b"two_at_least") { 2 } else { usize::from(needs(b"one_at_least")) };
        Func {
            name: unit.str(code.name).clone(),
            unit: unit.clone(),
            id,
            flags: code.flags,
            required,
            needed: required + in_rest,
            declared: params.iter().filter(|p| !p.variadic).count(),
            return_type: code.return_type.map(|ty| unit.ty(ty).clone()),
            body,
            scope: OnceCell::new(),
            statics: RefCell::new(None),
            prototype: RefCell::new(None),
            default_cache: RefCell::new(vec![None; params.len()]),
            alias_of: None,
            from_trait: None,
            deprecated: Cell::new(code.flags.has(FuncFlags::DEPRECATED)),
            has_marked_params: code.params.iter().any(|param| !param.attributes.is_empty()),
            changes_rest: changes_rest(code),
            fast_path: None,
            key: OnceCell::new(),
            prepared: OnceCell::new(),
            params,
        }
    }
}

/// Whether the code may do anything but read the variable of its variadic parameter.
fn changes_rest(code: &hhbc::Func) -> bool {
    use hhbc::Opcode as Op;
    let Some(rest) = code.params.iter().position(|param| param.variadic) else { return false };
    let rest = hhbc::LocalId(rest as u32);
    code.code.iter().any(|instr| {
        let (mut names_it, mut goes_into_it) = (false, false);
        instr.for_each_imm(|imm| match imm {
            hhbc::imm::Imm::Local(local) => names_it |= local == rest,
            hhbc::imm::Imm::Vector(vector) => {
                goes_into_it |= matches!(code.vectors[vector.index()].base, hhbc::Base::L(local) if local == rest);
            }
            _ => {}
        });
        match instr.opcode() {
            Op::CGetL | Op::CGetL2 | Op::CGetL3 | Op::CGetQuietL | Op::CUGetL | Op::IssetL | Op::EmptyL => false,
            Op::IsTypeL | Op::AssertRATL | Op::UnpackArgsL => false,
            Op::CGetM | Op::CGetQuietM | Op::CGetListM | Op::IssetM | Op::EmptyM => false,
            Op::VGetN | Op::SetN | Op::SetOpN | Op::IncDecN | Op::BindN | Op::UnsetN | Op::FPassN => true,
            Op::Incl | Op::InclOnce | Op::Eval => true,
            _ => names_it || goes_into_it,
        }
    })
}

/// The type that a parameter is checked against. Some builtin functions declare another type than they check.
fn param_type(unit: &LinkedUnit, param: &hhbc::Param) -> Option<Rc<TypeSpec>> {
    let mut ty = unit.ty(param.ty?).clone();
    if marked(unit, param, b"unchecked") {
        return None;
    }
    if marked(unit, param, b"number") {
        Rc::make_mut(&mut ty).mask |= TypeMask::INT;
    }
    if marked(unit, param, b"not_null") {
        Rc::make_mut(&mut ty).mask &= !TypeMask::NULL;
    }
    Some(ty)
}

/// Whether a builtin function's declaration marks the parameter. Names of marks are resolved like names of classes.
fn marked(unit: &LinkedUnit, param: &hhbc::Param, mark: &[u8]) -> bool {
    let is_mark = |name: &PhpStr| name.as_bytes().rsplit(|&byte| byte == b'\\').next() == Some(mark);
    unit.internal && param.attributes.iter().any(|attribute| is_mark(unit.str(attribute.name)))
}

impl LinkedUnit {
    /// The shared runtime function of a row that is no method (functions, closures, thunks).
    #[inline]
    pub fn func(self: &Rc<LinkedUnit>, id: FuncId) -> Rc<Func> {
        let place = &self.funcs[id.index()];
        let func = place.take().unwrap_or_else(|| {
            self.ends_with_request();
            Rc::new(Func::from_unit(self, id, FuncBody::User))
        });
        place.set(Some(func.clone()));
        func
    }

    /// A function of the unit in the scope of a class. A kept unit keeps it, too; otherwise it is a new one each time.
    pub fn func_in(self: &Rc<LinkedUnit>, id: FuncId, scope: &ClassRef) -> Rc<Func> {
        let make = || {
            let func = Func::from_unit(self, id, FuncBody::User);
            let _ = func.scope.set(scope.clone());
            Rc::new(func)
        };
        if !self.is_kept.get() {
            return make();
        }
        let name = self.str(self.unit.funcs[id.index()].name).clone();
        let key = (id, name, Some(Rc::as_ptr(scope).cast::<u8>() as usize));
        self.scoped.borrow_mut().entry(key).or_insert_with(make).clone()
    }

    /// The function of a unit's top-level code, in the scope of the class that includes it, if any. The unit keeps the function
    /// only if the unit [runs again](LinkedUnit::runs_again), so that code that is evaluated once is freed with the last of its
    /// functions.
    pub fn main(self: &Rc<LinkedUnit>, scope: Option<&ClassRef>) -> Rc<Func> {
        const MOST: usize = 16;
        let is_same = |main: &&Rc<Func>| main.scope.get().map(Rc::as_ptr) == scope.map(Rc::as_ptr);
        let kept = self.mains.borrow().as_ref().and_then(|mains| mains.iter().find(is_same).cloned());
        if let Some(main) = kept {
            return main;
        }
        let main = Rc::new(Func::from_unit(self, FuncId(0), FuncBody::User));
        if let Some(class) = scope {
            let _ = main.scope.set(class.clone());
        }
        if let Some(mains) = self.mains.borrow_mut().as_mut().filter(|mains| mains.len() < MOST) {
            mains.push(main.clone());
        }
        main
    }
}

/// Whether a body is empty except for checks of the signature and the implicit `return null`, as stubs declare native methods.
pub fn is_empty_body(code: &hhbc::Func) -> bool {
    use phlox_hhbc::Instr::{Nop, Null, RetC, VerifyParamType, VerifyRetTypeC};
    let body = code.code.get(code.main_entry.0 as usize..).unwrap_or(&[]);
    body.iter()
        .all(|i| matches!(i, Nop {} | Null { .. } | RetC { .. } | VerifyParamType { .. } | VerifyRetTypeC { .. }))
}
