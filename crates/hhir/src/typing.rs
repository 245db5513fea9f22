//! The type of an instruction's result, from its row in the table and the types of its operands.

use crate::ids::ValueId;
use crate::ops::{Dst, Op};
use crate::types::*;
use crate::unit::{Inst, Unit};

/// The type of an instruction's result; `None` if it has none.
pub fn result_type(unit: &Unit, inst: &Inst) -> Option<Type> {
    let srcs = unit.srcs(inst);
    let src = |at: u8| srcs.get(usize::from(at)).map_or(Type::TOP, |&value| unit.ty(value));
    let ty = match inst.op.info().dst {
        Dst::ND => return None,
        Dst::D(bits) => special(unit, inst.op, srcs).unwrap_or(Type::of(bits)),
        Dst::DArr(kind) => Type::arr(kind),
        Dst::DRefineArr(at) => {
            let kind = ArrKind::ALL.get(inst.imm[0] as usize).copied().unwrap_or(ArrKind::Packed);
            src(at).meet(Type::arr(kind))
        }
        Dst::DofS(at) => src(at),
        Dst::DRefineS(at) => src(at).meet(inst.ty),
        Dst::DParam(bound) => inst.ty.only(bound),
        Dst::DSubtract(at, bits) => src(at).without(bits),
        Dst::DUnion(one, other) => src(one).union(src(other)),
        Dst::DArrElem(at) => src(at).elem().union(Type::INIT_NULL),
        Dst::DParamPtr(place) => Type::ptr(place, inst.ty.bits() & GEN),
        Dst::DAllocObj(at) => src(at).exact_class().map_or(Type::OBJ, Type::exact),
        Dst::DLoadCls(at) => class_of(src(at)),
    };
    Some(ty)
}

/// The type of the class of an object or context.
fn class_of(object: Type) -> Type {
    match object.spec() {
        spec @ (Spec::Exact(_) | Spec::Sub(_)) if object.is(OBJ) => Type::with(CLS, spec),
        _ => Type::of(CLS),
    }
}

/// The types of results that depend on ranges and constants.
fn special(unit: &Unit, op: Op, srcs: &[ValueId]) -> Option<Type> {
    let range = |at: usize| unit.ty(srcs[at]).int_range();
    let ty = match op {
        Op::AddIntO | Op::SubIntO | Op::MulIntO => {
            let (lo, hi) = interval(op, range(0), range(1));
            Type::range(clamp(lo), clamp(hi))
        }
        Op::AddInt | Op::SubInt | Op::MulInt => {
            let (lo, hi) = interval(op, range(0), range(1));
            if fits(lo) && fits(hi) { Type::range(lo as i64, hi as i64) } else { Type::INT }
        }
        Op::AndInt => and_range(range(0), range(1)),
        Op::OrInt | Op::XorInt => or_range(range(0), range(1)),
        Op::Shr | Op::ShrO => shr_range(range(0), range(1)),
        Op::Shl => shl_range(range(0), range(1)),
        Op::Mod | Op::ModO => mod_range(range(0), range(1)),
        Op::MinInt => {
            let (a, b) = (range(0), range(1));
            Type::range(a.0.min(b.0), a.1.min(b.1))
        }
        Op::MaxInt => {
            let (a, b) = (range(0), range(1));
            Type::range(a.0.max(b.0), a.1.max(b.1))
        }
        Op::ConvBoolToInt => Type::range(0, 1),
        Op::CmpInt | Op::CmpDbl | Op::CmpBool | Op::CmpStr | Op::CmpStrInt | Op::CmpArr | Op::CmpObj | Op::CmpRes => {
            Type::range(-1, 1)
        }
        Op::OrdStr | Op::OrdStrIdx | Op::LdStrByte => Type::range(0, 255),
        Op::LdStrLen => Type::range(0, i64::MAX >> 1),
        Op::CountArray | Op::CountArrayFast | Op::LdPackedSize | Op::LdARNumParams | Op::LdFuncNumParams => {
            Type::range(0, i64::from(u32::MAX))
        }
        Op::ReservePackedArrayDataNewElem | Op::NextTableElem | Op::NextListElem => Type::range(0, i64::from(u32::MAX)),
        Op::Count => Type::range(0, i64::MAX),
        _ => return None,
    };
    Some(ty)
}

/// The exact bounds of a sum, difference or product.
pub(crate) fn interval(op: Op, a: (i64, i64), b: (i64, i64)) -> (i128, i128) {
    let wide = |(lo, hi): (i64, i64)| (i128::from(lo), i128::from(hi));
    let ((a, b), (c, d)) = (wide(a), wide(b));
    match op {
        Op::AddInt | Op::AddIntO => (a + c, b + d),
        Op::SubInt | Op::SubIntO => (a - d, b - c),
        _ => {
            let products = [a * c, a * d, b * c, b * d];
            (*products.iter().min().unwrap_or(&0), *products.iter().max().unwrap_or(&0))
        }
    }
}

pub(crate) fn fits(value: i128) -> bool {
    i64::try_from(value).is_ok()
}

fn clamp(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn and_range(a: (i64, i64), b: (i64, i64)) -> Type {
    // One operand that is never negative bounds the result on both sides.
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => Type::range(0, a.1.min(b.1)),
        (true, false) => Type::range(0, a.1),
        (false, true) => Type::range(0, b.1),
        (false, false) => Type::INT,
    }
}

fn or_range(a: (i64, i64), b: (i64, i64)) -> Type {
    if a.0 < 0 || b.0 < 0 {
        return Type::INT;
    }
    // All bits up to the highest one of either operand may be set.
    let top = a.1 | b.1;
    let bits = 64 - top.leading_zeros();
    Type::range(0, if bits >= 63 { i64::MAX } else { (1 << bits) - 1 })
}

fn shr_range(a: (i64, i64), by: (i64, i64)) -> Type {
    let (least, most) = (by.0.clamp(0, 63), by.1.clamp(0, 63));
    let lo = if a.0 < 0 { a.0 >> least } else { a.0 >> most };
    let hi = if a.1 < 0 { a.1 >> most } else { a.1 >> least };
    Type::range(lo, hi)
}

fn shl_range(a: (i64, i64), by: (i64, i64)) -> Type {
    if by.0 != by.1 || !(0..=62).contains(&by.0) {
        return Type::INT;
    }
    let (lo, hi) = (i128::from(a.0) << by.0, i128::from(a.1) << by.0);
    if fits(lo) && fits(hi) { Type::range(lo as i64, hi as i64) } else { Type::INT }
}

fn mod_range(a: (i64, i64), b: (i64, i64)) -> Type {
    // The remainder is smaller than the divisor and has the dividend's sign.
    let most = b.0.unsigned_abs().max(b.1.unsigned_abs()).saturating_sub(1).min(i64::MAX as u64) as i64;
    let lo = if a.0 >= 0 { 0 } else { (-most).max(a.0) };
    let hi = if a.1 <= 0 { 0 } else { most.min(a.1) };
    Type::range(lo, hi)
}
