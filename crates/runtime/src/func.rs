//! Functions at run time: user functions of a unit and builtin ones, behind one description.

use crate::call::Call;
use crate::class::ClassRef;
use crate::error::PhpResult;
use crate::types::TypeSpec;
use crate::unit::LinkedUnit;
use phlox_hhbc::{self as hhbc, FuncFlags, FuncId, Init, TypeMask};
use phlox_value::{PhpStr, Slot, Val, View};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// The body of a builtin function. Arguments are checked and coerced by its declaration before it runs.
pub type NativeFn = fn(&mut Call<'_>) -> PhpResult<Val>;

/// What runs when the function is called.
#[derive(Clone, Copy)]
pub enum FuncBody {
    /// The unit's code.
    User,
    Native(NativeFn),
    /// Declared by a stub, but not implemented: calling it throws an Error that says so.
    Missing,
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    pub name: PhpStr,
    pub ty: Option<Rc<TypeSpec>>,
    pub by_ref: bool,
    /// By reference if the argument can be, by value if not (`array_multisort`).
    pub prefer_ref: bool,
    pub variadic: bool,
    pub promoted: bool,
    pub default: Option<Init>,
    /// A builtin function's stream: declared without a type, for there is no name for that of resources.
    pub resource: bool,
    /// Of a builtin function, variadic: named arguments that no parameter has go there, too.
    pub any_name: bool,
}

impl Param {
    /// Is the value of the declared type, as far as that can be told from its kind?
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
    /// Parameters before the first optional one's position: how many arguments must be passed.
    pub required: usize,
    /// How many arguments a builtin function wants: its variadic parameter may need some. Reflection does not say so.
    pub needed: usize,
    /// Parameters that are not variadic.
    pub declared: usize,
    pub return_type: Option<Rc<TypeSpec>>,
    pub body: FuncBody,
    /// The class whose scope it runs in (for a trait's method: the using class).
    pub scope: OnceCell<ClassRef>,
    /// The static variables, made on first use.
    pub statics: RefCell<Option<Rc<StaticVars>>>,
    /// For a method: the class, interface or trait that first declared it.
    pub prototype: RefCell<Option<Rc<Func>>>,
    /// Evaluated constant defaults of a builtin function's parameters.
    pub(crate) default_cache: RefCell<Vec<Option<Val>>>,
    /// Name under which a trait's method was imported, when it differs; else `name`.
    pub alias_of: Option<PhpStr>,
    /// The trait a method came from.
    pub from_trait: Option<ClassRef>,
    /// `#[Deprecated]`: every call is reported.
    pub deprecated: Cell<bool>,
    /// Some parameters have attributes, of which `#[SensitiveParameter]` hides arguments from traces.
    pub has_marked_params: bool,
    /// The body may change the variable of its variadic parameter: what was passed is kept beside, for `func_get_args` and
    /// traces.
    pub changes_rest: bool,
    /// A builtin function's short way; see `FnDef::fast_path`.
    pub fast_path: Option<crate::extension::FastPathFn>,
    /// What an engine made of the code.
    pub prepared: OnceCell<Box<dyn std::any::Any>>,
}

/// Static variables of one function (or one closure object).
pub struct StaticVars {
    /// Parallel to the unit function's `statics`: the variable's box and whether its initialiser ran.
    pub vars: Vec<(Slot, Cell<bool>)>,
}

impl Func {
    /// The unit's description of the function.
    #[inline]
    pub fn code(&self) -> &hhbc::Func {
        &self.unit.unit.funcs[self.id.index()]
    }

    #[inline]
    pub fn has(&self, flag: u32) -> bool {
        self.flags.has(flag)
    }

    #[inline]
    pub fn is_static(&self) -> bool {
        self.has(FuncFlags::STATIC)
    }

    #[inline]
    pub fn is_abstract(&self) -> bool {
        self.has(FuncFlags::ABSTRACT)
    }

    #[inline]
    pub fn is_generator(&self) -> bool {
        self.has(FuncFlags::GENERATOR)
    }

    #[inline]
    pub fn is_closure(&self) -> bool {
        self.has(FuncFlags::CLOSURE)
    }

    #[inline]
    pub fn is_private(&self) -> bool {
        self.has(FuncFlags::PRIVATE)
    }

    #[inline]
    pub fn is_protected(&self) -> bool {
        self.has(FuncFlags::PROTECTED)
    }

    #[inline]
    pub fn is_public(&self) -> bool {
        !self.is_private() && !self.is_protected()
    }

    #[inline]
    pub fn is_variadic(&self) -> bool {
        self.has(FuncFlags::VARIADIC)
    }

    #[inline]
    pub fn returns_by_ref(&self) -> bool {
        self.has(FuncFlags::BY_REF_RETURN)
    }

    #[inline]
    pub fn strict_types(&self) -> bool {
        self.unit.unit.strict_types
    }

    /// Is it a builtin function?
    #[inline]
    pub fn is_native(&self) -> bool {
        !matches!(self.body, FuncBody::User)
    }

    /// The parameter that receives argument `index`, counting a variadic one for all that follow.
    #[inline]
    pub fn param_for(&self, index: usize) -> Option<&Param> {
        self.params.get(index).or_else(|| self.params.last().filter(|p| p.variadic))
    }

    /// The place of the parameter that receives a named argument: the variadic one, if none has the name.
    pub fn place_of_name(&self, name: &PhpStr) -> Option<usize> {
        let variadic = || self.params.len().checked_sub(1).filter(|_| self.is_variadic());
        self.params.iter().position(|param| param.name == *name && !param.variadic).or_else(variadic)
    }

    /// A parameter's type as declared. Some builtin functions check something else than they declare ([`Param::ty`]).
    pub fn declared_type(&self, index: usize) -> Option<&Rc<TypeSpec>> {
        if !self.unit.internal {
            return self.params.get(index)?.ty.as_ref();
        }
        Some(self.unit.ty(self.code().params.get(index)?.ty?))
    }

    /// Is argument `index` passed by reference?
    #[inline]
    pub fn is_by_ref(&self, index: usize) -> bool {
        self.param_for(index).is_some_and(|p| p.by_ref)
    }

    /// Is the value for parameter `index` of a builtin function of the declared type already?
    #[inline]
    pub fn takes_as_is(&self, index: usize, value: &Val) -> bool {
        match self.param_for(index) {
            Some(param) => !param.by_ref && param.accepts(value),
            None => true,
        }
    }

    /// `C::m`, `f`, `{closure:...}`: as messages and traces name it.
    #[inline]
    pub fn display_name(&self) -> Vec<u8> {
        use crate::class::ClassExt;
        match self.scope.get() {
            Some(class) => [crate::convert::printable_name(&class.class().name), b"::", &self.name].concat(),
            _ => self.name.to_vec(),
        }
    }

    /// A copy with another class scope (or none): static variables start afresh.
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
            prepared: OnceCell::new(),
        }
    }

    /// A method that no declaration describes; it borrows a unit to belong to.
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

    /// A builtin function without parameters that no script can name, as if it were declared in a unit.
    pub fn hidden(unit: &Rc<LinkedUnit>, name: PhpStr, body: NativeFn) -> Func {
        Func {
            name,
            flags: FuncFlags(FuncFlags::PUBLIC),
            body: FuncBody::Native(body),
            ..Func::from_unit(unit, FuncId(0), FuncBody::User)
        }
    }

    /// A runtime function for row `id` of a unit's function table, not bound to a class.
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
            prepared: OnceCell::new(),
            params,
        }
    }
}

/// May the code do something else with the variable of its variadic parameter than read it?
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

/// What a parameter takes. Some builtin functions say in their declaration something else than what they check.
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

/// Does a builtin function's declaration mark the parameter? Names of marks are resolved like those of classes.
fn marked(unit: &LinkedUnit, param: &hhbc::Param, mark: &[u8]) -> bool {
    let is_mark = |name: &PhpStr| name.as_bytes().rsplit(|&byte| byte == b'\\').next() == Some(mark);
    unit.internal && param.attributes.iter().any(|attribute| is_mark(unit.str(attribute.name)))
}

impl LinkedUnit {
    /// The shared runtime function of a row that is not a method (functions, closures, thunks).
    #[inline]
    pub fn func(self: &Rc<LinkedUnit>, id: FuncId) -> Rc<Func> {
        self.funcs[id.index()].get_or_init(|| Rc::new(Func::from_unit(self, id, FuncBody::User))).clone()
    }

    /// The function of the code outside of all functions, in the scope of a class if it is included there. The unit does not hold it,
    /// unless it [runs again](LinkedUnit::runs_again): code that is evaluated once is freed with the last function that is left of it.
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

/// Whether a body is empty: nothing but checks of the signature and the implicit `return null`. A stub declares native methods so.
pub fn is_empty_body(code: &hhbc::Func) -> bool {
    use phlox_hhbc::Instr::{Nop, Null, RetC, VerifyParamType, VerifyRetTypeC};
    let body = code.code.get(code.main_entry.0 as usize..).unwrap_or(&[]);
    body.iter()
        .all(|i| matches!(i, Nop {} | Null { .. } | RetC { .. } | VerifyParamType { .. } | VerifyRetTypeC { .. }))
}
