//! Which types are represented as tagged values: those whose tag word the type does not determine.

use phlox_hhir::types::{self as hhir, Type};
use phlox_hhir::unit::Unit;

/// Whether values of a type are tagged values.
pub(crate) fn is_tagged(ty: Type) -> bool {
    let is_any_array = ty.is(hhir::ARR) && !ty.is(hhir::COUNTED_ARR) && !ty.is(hhir::STATIC_ARR);
    is_any_array || (ty.is(hhir::INIT_CELL) && !ty.is_unboxed() && !ty.is(hhir::NULL))
}

/// The type of a tagged value that may be of any of these types, if there is one. Such a type includes both counted and
/// uncounted arrays, but only counted strings, and both booleans.
pub(crate) fn tagged_type(kinds: hhir::Bits) -> Option<Type> {
    const KINDS: hhir::Bits = hhir::INIT_NULL | hhir::BOOL | hhir::NUM | hhir::STR | hhir::ARR | hhir::OBJ;
    if kinds & !KINDS != 0 {
        return None;
    }
    let strings = if kinds & hhir::STR != 0 { hhir::COUNTED_STR } else { 0 };
    let arrays = if kinds & hhir::ARR != 0 { hhir::ARR } else { 0 };
    let truths = if kinds & hhir::BOOL != 0 { hhir::BOOL } else { 0 };
    let bits = kinds & !(hhir::STR | hhir::ARR | hhir::BOOL) | strings | arrays | truths;
    let ty = Type::of(bits);
    (is_tagged(ty) && Unit::const_of_type(ty).is_none()).then_some(ty)
}
