//! Constant folding, with exactly PHP's results.

use crate::ops::Op;
use crate::types::*;
use crate::unit::{Const, Inst, Literal, Unit};

/// The constant that an instruction computes, if it does nothing else.
pub(crate) fn fold(unit: &Unit, inst: &Inst) -> Option<Const> {
    let srcs = unit.srcs(inst);
    let ty = |at: usize| srcs.get(at).map(|&value| unit.ty(value));
    match inst.op {
        Op::IsType | Op::IsNType => {
            let value = ty(0)?;
            let answer = if value.le(inst.ty) {
                true
            } else if value.meet(inst.ty).is_bottom() {
                false
            } else {
                return None;
            };
            return Some(Const::Bool(answer == (inst.op == Op::IsType)));
        }
        Op::IsScalarType => {
            let scalar = BOOL | NUM | STR;
            let bits = ty(0)?.bits();
            return match (bits & scalar != 0, bits & !scalar != 0) {
                (true, false) => Some(Const::Bool(true)),
                (false, true) => Some(Const::Bool(false)),
                _ => None,
            };
        }
        Op::LdStrLen => {
            let Spec::Lit(lit) = ty(0)?.spec() else { return None };
            return match unit.literals.get(lit.at())? {
                Literal::Str { bytes, .. } => Some(Const::Int(bytes.len() as i64)),
                Literal::Arr { .. } => None,
            };
        }
        Op::CountArray | Op::CountArrayFast => {
            let Spec::Lit(lit) = ty(0)?.spec() else { return None };
            return match unit.literals.get(lit.at())? {
                Literal::Arr { count, .. } => Some(Const::Int(i64::from(*count))),
                Literal::Str { .. } => None,
            };
        }
        Op::InstanceOf | Op::ExtendsClass | Op::EqCls => {
            let (Spec::Exact(class), Spec::Exact(other)) = (ty(0)?.spec(), ty(1)?.spec()) else { return None };
            return match (inst.op, class == other) {
                (Op::EqCls, same) => Some(Const::Bool(same)),
                (_, true) => Some(Const::Bool(true)),
                _ => None,
            };
        }
        _ => {}
    }
    match srcs.len() {
        1 => unary(inst.op, ty(0)?),
        2 => binary(inst.op, ty(0)?, ty(1)?),
        _ => None,
    }
}

fn unary(op: Op, value: Type) -> Option<Const> {
    let int = value.as_int();
    let dbl = value.as_dbl();
    Some(match op {
        Op::ConvIntToDbl => float(int? as f64),
        Op::ConvBoolToDbl => float(f64::from(u8::from(value.as_bool()?))),
        Op::ConvBoolToInt => Const::Int(i64::from(value.as_bool()?)),
        Op::ConvDblToInt => Const::Int(dbl_to_int(dbl?)),
        Op::ConvDblToIntO => Const::Int(exact_int(dbl?)?),
        Op::ConvIntToBool => Const::Bool(int? != 0),
        Op::ConvDblToBool => Const::Bool(dbl? != 0.0),
        Op::Floor => float(dbl?.floor()),
        Op::Ceil => float(dbl?.ceil()),
        Op::AbsDbl => float(dbl?.abs()),
        Op::Sqrt => float(dbl?.sqrt()),
        Op::NegDbl => float(-dbl?),
        _ => return None,
    })
}

fn binary(op: Op, a: Type, b: Type) -> Option<Const> {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        return int_int(op, a, b);
    }
    if let (Some(a), Some(b)) = (a.as_dbl(), b.as_dbl()) {
        return dbl_dbl(op, a, b);
    }
    let (a, b) = (a.as_bool()?, b.as_bool()?);
    Some(match op {
        Op::XorBool | Op::NeqBool => Const::Bool(a != b),
        Op::EqBool => Const::Bool(a == b),
        Op::LtBool => Const::Bool(!a & b),
        Op::LteBool => Const::Bool(a <= b),
        Op::GtBool => Const::Bool(a & !b),
        Op::GteBool => Const::Bool(a >= b),
        Op::CmpBool => Const::Int(i64::from(a) - i64::from(b)),
        _ => return None,
    })
}

fn int_int(op: Op, a: i64, b: i64) -> Option<Const> {
    let int = match op {
        Op::AddInt => a.wrapping_add(b),
        Op::SubInt => a.wrapping_sub(b),
        Op::MulInt => a.wrapping_mul(b),
        // An overflow is not folded: the instruction stays and takes its side exit.
        Op::AddIntO => a.checked_add(b)?,
        Op::SubIntO => a.checked_sub(b)?,
        Op::MulIntO => a.checked_mul(b)?,
        Op::DivInt | Op::DivIntO => {
            if b == 0 || a.checked_rem(b)? != 0 {
                return None;
            }
            a.checked_div(b)?
        }
        Op::Mod | Op::ModO => {
            if b == 0 {
                return None;
            }
            a.wrapping_rem(b)
        }
        Op::AndInt => a & b,
        Op::OrInt => a | b,
        Op::XorInt => a ^ b,
        Op::Shl | Op::ShlO => match b {
            0..=63 => a << b,
            64.. if op == Op::ShlO => 0,
            _ => return None,
        },
        Op::Shr | Op::ShrO => match b {
            0..=63 => a >> b,
            64.. if op == Op::ShrO => a >> 63,
            _ => return None,
        },
        Op::MinInt => a.min(b),
        Op::MaxInt => a.max(b),
        Op::CmpInt => a.cmp(&b) as i64,
        _ => {
            return Some(Const::Bool(match op {
                Op::EqInt => a == b,
                Op::NeqInt => a != b,
                Op::LtInt => a < b,
                Op::LteInt => a <= b,
                Op::GtInt => a > b,
                Op::GteInt => a >= b,
                Op::CheckRange => 0 <= a && a < b,
                _ => return None,
            }));
        }
    };
    Some(Const::Int(int))
}

fn dbl_dbl(op: Op, a: f64, b: f64) -> Option<Const> {
    Some(match op {
        Op::AddDbl => float(a + b),
        Op::SubDbl => float(a - b),
        Op::MulDbl => float(a * b),
        Op::DivDbl => float(a / b),
        Op::EqDbl => Const::Bool(a == b),
        Op::NeqDbl => Const::Bool(a != b),
        Op::LtDbl => Const::Bool(a < b),
        Op::LteDbl => Const::Bool(a <= b),
        Op::GtDbl => Const::Bool(a > b),
        Op::GteDbl => Const::Bool(a >= b),
        Op::CmpDbl => Const::Int(cmp_dbl(a, b)),
        _ => return None,
    })
}

fn float(value: f64) -> Const {
    Const::Dbl(value.to_bits())
}

/// `<=>` of floats: 1 if an operand is NaN.
pub(crate) fn cmp_dbl(a: f64, b: f64) -> i64 {
    a.partial_cmp(&b).map_or(1, |order| order as i64)
}

/// PHP's conversion of a float to an integer: towards zero, modulo 2 to the 64th.
pub fn dbl_to_int(value: f64) -> i64 {
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    if !value.is_finite() {
        return 0;
    }
    let whole = value.trunc();
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole) {
        return whole as i64;
    }
    let rest = whole % TWO_TO_64;
    let positive = if rest < 0.0 { rest + TWO_TO_64 } else { rest };
    positive as u64 as i64
}

/// The integer that a float is; `None` for fractions, floats out of range, and negative zero.
pub(crate) fn exact_int(value: f64) -> Option<i64> {
    let int = value as i64;
    let exact =
        int as f64 == value && value < 9_223_372_036_854_775_808.0 && !(value == 0.0 && value.is_sign_negative());
    exact.then_some(int)
}
