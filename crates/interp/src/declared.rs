//! What declarations say: which functions exist, and which types parameters, results and properties accept.

use crate::named_sites;
use phlox_hhbc::{FuncFlags, StrId, TypeMask};
use phlox_lower::{ByRef, Hints, Literal};
use phlox_runtime::{Func, FuncBody, Vm};
use phlox_value::raw;
use std::rc::Rc;

/// The functions that are declared when a function is lowered.
pub(crate) struct Declared<'a> {
    pub vm: &'a Vm,
    pub func: &'a Func,
}

impl Declared<'_> {
    /// The function that a name means whenever the code runs. If the code is kept for other requests, a function of another file
    /// may be missing there.
    fn lasting(&self, name: StrId) -> Option<Rc<Func>> {
        let func = self.vm.find_function(self.func.unit.str(name))?;
        (func.unit.internal || !named_sites::are_kept()).then_some(func)
    }
}

impl Hints for Declared<'_> {
    fn function(&self, name: StrId) -> Option<ByRef> {
        let func = self.lasting(name)?;
        Some(if func.params.iter().any(|p| p.by_ref) { ByRef::Some } else { ByRef::None })
    }

    fn has_fast_path(&self, name: StrId, args: u32) -> bool {
        let Some(func) = self.vm.find_function(self.func.unit.str(name)) else { return false };
        let most = if func.is_variadic() { u32::MAX } else { func.declared as u32 };
        func.fast_path.is_some() && (func.required as u32..=most).contains(&args)
    }

    fn constant(&self, name: StrId, args: u32) -> Option<Literal> {
        const SPECIAL: u32 =
            FuncFlags::BY_REF_RETURN | FuncFlags::VARIADIC | FuncFlags::GENERATOR | FuncFlags::DYNAMIC_VARS;
        let func = self.lasting(name)?;
        let is_plain = matches!(func.body, FuncBody::User) && !func.flags.has(SPECIAL) && !func.deprecated.get();
        let takes_all = func.params.iter().all(|param| !param.by_ref && param.ty.is_none());
        if !is_plain || !takes_all || func.return_type.is_some() || (args as usize) < func.declared {
            return None;
        }
        phlox_lower::returned_at_once(&func.code().code)
    }
}

/// The arguments that a function takes by reference, as bits of their numbers modulo 64.
pub(crate) fn by_ref_bits(func: &Func) -> u64 {
    let most = u64::BITS as usize + func.params.len();
    (0..most).filter(|&index| func.is_by_ref(index)).fold(0, |bits, index| bits | 1 << (index as u32 % u64::BITS))
}

/// A bit among the types that a parameter takes: it takes a reference to such a value.
pub(crate) const IN_REFERENCE: u32 = 1 << 31;

/// The types that each parameter of a builtin function takes without a conversion; several copies of a variadic one's.
pub(crate) fn all_taken_kinds(func: &Func) -> Box<[u32]> {
    const MANY: usize = 16;
    let mut all: Vec<u32> = func.params.iter().map(taken_kinds).collect();
    if let (true, Some(&last)) = (func.is_variadic(), all.last()) {
        all.resize(all.len().max(MANY), last);
    }
    all.into()
}

/// The types that a builtin function's parameter takes without a conversion.
fn taken_kinds(param: &phlox_runtime::Param) -> u32 {
    match (param.by_ref, &param.ty) {
        (true, None) if !param.prefer_ref => 1 << (raw::TI_REF & 0xff),
        (true, Some(ty)) if !param.prefer_ref => kinds_of(Some(ty)) & !(1 << raw::TI_UNDEF) | IN_REFERENCE,
        (true, _) => 0,
        (false, None) if param.resource => 1 << phlox_runtime::Kind::Res as u32,
        (false, None) => !(1 << raw::TI_UNDEF | 1 << (raw::TI_REF & 0xff) | IN_REFERENCE),
        (false, Some(ty)) => kinds_of(Some(ty)) & !(1 << raw::TI_UNDEF),
    }
}

/// The types that a declared type accepts without a conversion, as bits of their tags; 0: there is no declared type.
pub(crate) fn kinds_of(ty: Option<&phlox_runtime::TypeSpec>) -> u32 {
    let Some(ty) = ty else { return 0 };
    let pairs = [
        (TypeMask::VOID, raw::TI_UNDEF),
        (TypeMask::NULL, raw::TI_NULL),
        (TypeMask::FALSE, raw::TI_FALSE),
        (TypeMask::TRUE, raw::TI_TRUE),
        (TypeMask::INT, raw::TI_INT),
        (TypeMask::FLOAT, raw::TI_DOUBLE),
        (TypeMask::STRING, raw::TI_STR_STATIC),
        (TypeMask::ARRAY, raw::TI_ARR_STATIC),
        (TypeMask::OBJECT, raw::TI_OBJ & 0xff),
    ];
    let accepted = pairs.iter().filter(|(mask, kind)| ty.has(*mask) || (ty.is_mixed() && *kind != raw::TI_UNDEF));
    accepted.fold(0, |bits, (_, kind)| bits | 1 << kind)
}

/// The types that a property accepts without a conversion, as bits of their tags: all if it is untyped.
pub(crate) fn property_kinds(ty: Option<&phlox_runtime::TypeSpec>) -> u32 {
    match ty {
        Some(_) => kinds_of(ty) & !(1 << raw::TI_UNDEF),
        None => u32::MAX,
    }
}
