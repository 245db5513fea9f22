//! Simplification of single instructions: constants, identities of arithmetic, checks that types decide.
//!
//! The builder simplifies every instruction that is added; `passes/simplify.rs` does so again when types are better known.
//! Nothing here looks further than at the definitions of the operands. Arithmetic and conversions of constants are in `fold.rs`.

use crate::fold;
use crate::ids::ValueId;
use crate::ops::Op;
use crate::types::*;
use crate::typing::{fits, interval};
use crate::unit::*;

/// What an instruction can be replaced by.
#[derive(Clone, Copy, Debug)]
pub enum Simplified {
    /// Nothing: the instruction cannot be simplified.
    Same,
    /// A value, without any instruction.
    Value(ValueId),
    /// No instruction; there is no result.
    Gone,
    /// Another instruction.
    Inst(Inst),
}

use Simplified::{Gone, Same, Value};

/// Simplifies an instruction; see the module.
pub fn simplify(unit: &mut Unit, inst: &Inst) -> Simplified {
    let simplified = answer(unit, inst);
    if !matches!(simplified, Same) {
        observe_operands(unit, inst);
    }
    simplified
}

/// Records that a decision rests on the types of the operands, and on those of the operands of their definitions.
fn observe_operands(unit: &mut Unit, inst: &Inst) {
    for at in 0..inst.srcs.len() {
        let src = unit.src(inst, at);
        unit.observe(src);
        if let Some(def) = unit.def_inst(src).copied() {
            for at in 0..def.srcs.len() {
                let src = unit.src(&def, at);
                unit.observe(src);
            }
        }
    }
}

fn answer(unit: &mut Unit, inst: &Inst) -> Simplified {
    if let Some(constant) = fold::fold(unit, inst) {
        return Value(unit.constant(constant));
    }
    match inst.op {
        Op::CheckType | Op::AssertType => check_type(unit, inst),
        Op::CheckArrKind => {
            let array = unit.src(inst, 0);
            let known = unit.ty(array).arr_kind().is_some_and(|kind| kind as u32 == inst.imm[0]);
            if known { Value(array) } else { Same }
        }
        Op::CheckInit => {
            if unit.ty(unit.src(inst, 0)).maybe(UNINIT) {
                Same
            } else {
                Gone
            }
        }
        Op::CheckNonNull | Op::AssertNonNull => {
            let value = unit.src(inst, 0);
            if unit.ty(value).maybe(NULLPTR) { Same } else { Value(value) }
        }
        Op::CheckCtxThis => {
            if unit.ty(unit.src(inst, 0)).is(OBJ) {
                Gone
            } else {
                Same
            }
        }
        Op::IncRef | Op::DecRef | Op::DecRefNZ => {
            if unit.ty(unit.src(inst, 0)).maybe_counted() {
                Same
            } else {
                Gone
            }
        }
        Op::Mov => Value(unit.src(inst, 0)),
        Op::Select => select(unit, inst),
        Op::JmpZero | Op::JmpNZero => jump(unit, inst),
        Op::AddInt | Op::SubInt | Op::MulInt | Op::AddIntO | Op::SubIntO | Op::MulIntO => int_arith(unit, inst),
        Op::AndInt | Op::OrInt | Op::XorInt | Op::Shl | Op::Shr | Op::ShlO | Op::ShrO => int_bits(unit, inst),
        Op::DivIntO | Op::ModO => int_div(unit, inst),
        Op::MinInt | Op::MaxInt => min_max(unit, inst),
        Op::XorBool => xor_bool(unit, inst),
        Op::EqBool | Op::NeqBool => eq_bool(unit, inst),
        Op::AddDbl | Op::SubDbl | Op::MulDbl | Op::DivDbl => dbl_arith(unit, inst),
        Op::EqInt | Op::NeqInt | Op::LtInt | Op::LteInt | Op::GtInt | Op::GteInt | Op::CheckRange => {
            compare(unit, inst)
        }
        Op::SameObj | Op::EqCls | Op::EqFunc | Op::EqStrPtr | Op::EqArrayDataPtr | Op::SameStr | Op::EqStr => {
            let same = unit.src(inst, 0) == unit.src(inst, 1);
            if same { Value(unit.bool(true)) } else { Same }
        }
        Op::NSameObj | Op::NSameStr | Op::NeqStr => {
            let same = unit.src(inst, 0) == unit.src(inst, 1);
            if same { Value(unit.bool(false)) } else { Same }
        }
        Op::ConvIntToBool => other(unit, inst, Op::NeqInt, Const::Int(0)),
        Op::ConvCellToBool | Op::ConvCellToInt | Op::ConvCellToDbl => conversion(unit, inst),
        Op::ConvDblToInt | Op::ConvDblToIntO => {
            let value = unit.src(inst, 0);
            match unit.def_inst(value) {
                // A small integer is the same after a conversion to a float and back.
                Some(from) if from.op == Op::ConvIntToDbl && small(unit.ty(unit.src(from, 0))) => {
                    Value(unit.src(from, 0))
                }
                _ => Same,
            }
        }
        _ => Same,
    }
}

/// Whether floats can represent all integers of a range.
fn small(ty: Type) -> bool {
    const LIMIT: i64 = 1 << 53;
    let (lo, hi) = ty.int_range();
    -LIMIT <= lo && hi <= LIMIT
}

/// The operation `op` on the instruction's first operand and a constant.
fn other(unit: &mut Unit, inst: &Inst, op: Op, second: Const) -> Simplified {
    let first = unit.src(inst, 0);
    let second = unit.constant(second);
    with(unit, inst, op, &[first, second])
}

/// The operation `op` on other operands, in place of the instruction.
fn with(unit: &mut Unit, inst: &Inst, op: Op, srcs: &[ValueId]) -> Simplified {
    let edge = if op.has(crate::ops::B | crate::ops::ER) { inst.edge } else { Edge::None };
    let new = Inst { op, srcs: unit.list(srcs), edge, ..*inst };
    match answer(unit, &new) {
        Same => Simplified::Inst(new),
        better => better,
    }
}

fn check_type(unit: &mut Unit, inst: &Inst) -> Simplified {
    let value = unit.src(inst, 0);
    let ty = unit.ty(value);
    if ty.le(inst.ty) {
        return Value(value);
    }
    // If the check leaves just one value, it still has to be made; its result is that constant.
    Same
}

fn select(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (condition, yes, no) = (unit.src(inst, 0), unit.src(inst, 1), unit.src(inst, 2));
    if yes == no {
        return Value(yes);
    }
    match truth(unit.ty(condition)) {
        Some(true) => return Value(yes),
        Some(false) => return Value(no),
        None => {}
    }
    let is_truth = unit.ty(condition).is(BOOL);
    match (unit.as_const(yes), unit.as_const(no)) {
        (Some(Const::Bool(true)), Some(Const::Bool(false))) if is_truth => Value(condition),
        (Some(Const::Int(1)), Some(Const::Int(0))) if is_truth => with(unit, inst, Op::ConvBoolToInt, &[condition]),
        _ => Same,
    }
}

/// The truth of a branch condition, which is a boolean or an integer.
fn truth(ty: Type) -> Option<bool> {
    let (lo, hi) = ty.int_range();
    match ty.bits() {
        BOOL | TRUE | FALSE => ty.as_bool(),
        INT if lo > 0 || hi < 0 => Some(true),
        INT if (lo, hi) == (0, 0) => Some(false),
        _ => None,
    }
}

fn jump(unit: &mut Unit, inst: &Inst) -> Simplified {
    let condition = unit.src(inst, 0);
    let jumps = truth(unit.ty(condition)).map(|truth| truth == (inst.op == Op::JmpNZero));
    match (jumps, inst.edge) {
        (Some(false), Edge::Exit(_)) => return Gone,
        (Some(true), Edge::Exit(_)) => {
            return Simplified::Inst(Inst { op: Op::ReqBindJmp, srcs: unit.list(&[]), ..*inst });
        }
        // The simplify pass handles branches to blocks, because it can change `next`.
        (Some(_), _) => return Same,
        (None, _) => {}
    }
    let Some(def) = unit.def_inst(condition).copied() else { return Same };
    let flipped = if inst.op == Op::JmpZero { Op::JmpNZero } else { Op::JmpZero };
    let zero = |unit: &Unit, at: usize| unit.ty(unit.src(&def, at)).as_int() == Some(0);
    match def.op {
        Op::XorBool if unit.ty(unit.src(&def, 1)).as_bool() == Some(true) => {
            let operand = unit.src(&def, 0);
            with(unit, inst, flipped, &[operand])
        }
        Op::NeqInt if zero(unit, 1) => {
            let operand = unit.src(&def, 0);
            with(unit, inst, inst.op, &[operand])
        }
        Op::EqInt if zero(unit, 1) => {
            let operand = unit.src(&def, 0);
            with(unit, inst, flipped, &[operand])
        }
        _ => Same,
    }
}

fn int_arith(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    let (known_a, known_b) = (unit.ty(a).as_int(), unit.ty(b).as_int());
    match (inst.op, known_a, known_b) {
        (Op::AddInt | Op::AddIntO | Op::SubInt | Op::SubIntO, _, Some(0)) => return Value(a),
        (Op::AddInt | Op::AddIntO, Some(0), _) => return Value(b),
        (Op::MulInt | Op::MulIntO, _, Some(1)) => return Value(a),
        (Op::MulInt | Op::MulIntO, Some(1), _) => return Value(b),
        (Op::MulInt | Op::MulIntO, _, Some(0)) => return Value(b),
        (Op::MulInt | Op::MulIntO, Some(0), _) => return Value(a),
        (Op::SubInt | Op::SubIntO, ..) if a == b => return Value(unit.int(0)),
        // Constants stand on the right.
        (Op::AddInt | Op::AddIntO | Op::MulInt | Op::MulIntO, Some(_), None) => {
            return with(unit, inst, inst.op, &[b, a]);
        }
        (Op::SubInt, None, Some(c)) if c != i64::MIN => return other(unit, inst, Op::AddInt, Const::Int(-c)),
        _ => {}
    }
    let plain = match inst.op {
        Op::AddIntO => Op::AddInt,
        Op::SubIntO => Op::SubInt,
        Op::MulIntO => Op::MulInt,
        _ => return Same,
    };
    let (lo, hi) = interval(inst.op, unit.ty(a).int_range(), unit.ty(b).int_range());
    if fits(lo) && fits(hi) { with(unit, inst, plain, &[a, b]) } else { Same }
}

fn int_bits(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    let (known_a, known_b) = (unit.ty(a).as_int(), unit.ty(b).as_int());
    let within = |value: ValueId| {
        let (lo, hi) = unit.ty(value).int_range();
        (lo, hi)
    };
    match (inst.op, known_a, known_b) {
        (Op::AndInt, _, Some(-1)) | (Op::OrInt | Op::XorInt, _, Some(0)) => Value(a),
        (Op::AndInt, Some(-1), _) | (Op::OrInt | Op::XorInt, Some(0), _) => Value(b),
        (Op::AndInt, _, Some(0)) | (Op::OrInt, _, Some(-1)) => Value(b),
        (Op::AndInt, Some(0), _) | (Op::OrInt, Some(-1), _) => Value(a),
        (Op::AndInt | Op::OrInt, ..) if a == b => Value(a),
        (Op::XorInt, ..) if a == b => Value(unit.int(0)),
        // The mask keeps all bits that may be set.
        (Op::AndInt, None, Some(mask))
            if mask > 0 && mask.wrapping_add(1) & mask == 0 && {
                let (lo, hi) = within(a);
                lo >= 0 && hi <= mask
            } =>
        {
            Value(a)
        }
        (Op::AndInt | Op::OrInt | Op::XorInt, Some(_), None) => with(unit, inst, inst.op, &[b, a]),
        (Op::Shl | Op::Shr | Op::ShlO | Op::ShrO, _, Some(0)) => Value(a),
        (Op::ShlO | Op::ShrO, ..) if within(b).0 >= 0 && within(b).1 <= 63 => {
            let plain = if inst.op == Op::ShlO { Op::Shl } else { Op::Shr };
            with(unit, inst, plain, &[a, b])
        }
        _ => Same,
    }
}

fn int_div(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    let (lo, hi) = unit.ty(b).int_range();
    match inst.op {
        Op::DivIntO if (lo, hi) == (1, 1) => Value(a),
        Op::ModO if (lo, hi) == (1, 1) || (lo, hi) == (-1, -1) => Value(unit.int(0)),
        Op::ModO if lo > 0 || hi < -1 => {
            // The remainder of a number that is not negative by a power of two is a mask.
            let positive = unit.ty(a).int_range().0 >= 0;
            if positive && lo == hi && lo > 0 && lo & (lo - 1) == 0 {
                return other(unit, inst, Op::AndInt, Const::Int(lo - 1));
            }
            with(unit, inst, Op::Mod, &[a, b])
        }
        _ => Same,
    }
}

fn min_max(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    let (range_a, range_b) = (unit.ty(a).int_range(), unit.ty(b).int_range());
    let (small, large) = if range_a.1 <= range_b.0 {
        (a, b)
    } else if range_b.1 <= range_a.0 {
        (b, a)
    } else if a == b {
        (a, a)
    } else {
        return Same;
    };
    Value(if inst.op == Op::MinInt { small } else { large })
}

fn xor_bool(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    match (unit.ty(a).as_bool(), unit.ty(b).as_bool()) {
        (Some(false), _) => return Value(b),
        (_, Some(false)) => return Value(a),
        (Some(true), None) => return with(unit, inst, Op::XorBool, &[b, a]),
        (_, Some(true)) => {}
        _ => return Same,
    }
    // The negation of a comparison is another comparison for integers, but not for floats, because of NaN.
    let Some(def) = unit.def_inst(a).copied() else { return Same };
    let negated = match def.op {
        Op::LtInt => Op::GteInt,
        Op::LteInt => Op::GtInt,
        Op::GtInt => Op::LteInt,
        Op::GteInt => Op::LtInt,
        Op::EqInt => Op::NeqInt,
        Op::NeqInt => Op::EqInt,
        Op::EqDbl => Op::NeqDbl,
        Op::NeqDbl => Op::EqDbl,
        Op::XorBool if unit.ty(unit.src(&def, 1)).as_bool() == Some(true) => return Value(unit.src(&def, 0)),
        _ => return Same,
    };
    let (x, y) = (unit.src(&def, 0), unit.src(&def, 1));
    with(unit, inst, negated, &[x, y])
}

fn eq_bool(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    match (inst.op, unit.ty(a).as_bool(), unit.ty(b).as_bool()) {
        (op, ..) if a == b => Value(unit.bool(op == Op::EqBool)),
        (Op::EqBool, _, Some(true)) | (Op::NeqBool, _, Some(false)) => Value(a),
        (Op::EqBool, Some(true), _) | (Op::NeqBool, Some(false), _) => Value(b),
        (_, _, Some(_)) => other(unit, inst, Op::XorBool, Const::Bool(true)),
        (_, Some(_), _) => {
            let yes = unit.bool(true);
            with(unit, inst, Op::XorBool, &[b, yes])
        }
        (Op::NeqBool, ..) => with(unit, inst, Op::XorBool, &[a, b]),
        _ => Same,
    }
}

/// Identities that hold for all floats, including signed zeros and NaN.
fn dbl_arith(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    let known = unit.ty(b).as_dbl();
    match (inst.op, known) {
        (Op::MulDbl | Op::DivDbl, Some(1.0)) => Value(a),
        (Op::SubDbl, Some(zero)) if zero == 0.0 && zero.is_sign_positive() => Value(a),
        (Op::AddDbl, Some(zero)) if zero == 0.0 && zero.is_sign_negative() => Value(a),
        (Op::MulDbl, Some(2.0)) => with(unit, inst, Op::AddDbl, &[a, a]),
        // Multiplication by the reciprocal of a power of two is exact.
        (Op::DivDbl, Some(by)) if exact_reciprocal(by) => {
            other(unit, inst, Op::MulDbl, Const::Dbl((1.0 / by).to_bits()))
        }
        _ => Same,
    }
}

fn exact_reciprocal(by: f64) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    by.is_normal() && by.to_bits() & MANTISSA == 0 && (1.0 / by).is_normal()
}

fn compare(unit: &mut Unit, inst: &Inst) -> Simplified {
    let (a, b) = (unit.src(inst, 0), unit.src(inst, 1));
    if let Some(answer) = decide(inst.op, unit.ty(a).int_range(), unit.ty(b).int_range(), a == b) {
        return Value(unit.bool(answer));
    }
    let constant_left = unit.as_const(a).is_some() && unit.as_const(b).is_none();
    match inst.op {
        // Constants stand on the right.
        Op::EqInt | Op::NeqInt if constant_left => with(unit, inst, inst.op, &[b, a]),
        Op::LtInt if constant_left => with(unit, inst, Op::GtInt, &[b, a]),
        Op::LteInt if constant_left => with(unit, inst, Op::GteInt, &[b, a]),
        Op::GtInt if constant_left => with(unit, inst, Op::LtInt, &[b, a]),
        Op::GteInt if constant_left => with(unit, inst, Op::LteInt, &[b, a]),
        Op::CheckRange if unit.ty(a).int_range().0 >= 0 => with(unit, inst, Op::LtInt, &[a, b]),
        Op::EqInt | Op::NeqInt if unit.ty(b).as_int() == Some(0) => {
            // The result of `<=>` is equal to zero exactly if the operands are equal.
            match unit.def_inst(a).copied() {
                Some(def) if def.op == Op::CmpInt => {
                    let (x, y) = (unit.src(&def, 0), unit.src(&def, 1));
                    with(unit, inst, inst.op, &[x, y])
                }
                _ => Same,
            }
        }
        _ => Same,
    }
}

/// The answer that the ranges of the operands give to a comparison.
pub(crate) fn decide(op: Op, a: (i64, i64), b: (i64, i64), same: bool) -> Option<bool> {
    let less = if a.1 < b.0 {
        Some(true)
    } else if a.0 >= b.1 || same {
        Some(false)
    } else {
        None
    };
    let less_or_equal = if a.1 <= b.0 || same {
        Some(true)
    } else if a.0 > b.1 {
        Some(false)
    } else {
        None
    };
    let equal = if same || (a.0 == a.1 && a == b) {
        Some(true)
    } else if a.1 < b.0 || b.1 < a.0 {
        Some(false)
    } else {
        None
    };
    match op {
        Op::LtInt => less,
        Op::LteInt => less_or_equal,
        Op::GtInt => less_or_equal.map(|answer| !answer),
        Op::GteInt => less.map(|answer| !answer),
        Op::EqInt => equal,
        Op::NeqInt => equal.map(|answer| !answer),
        Op::CheckRange if a.0 >= 0 => less,
        Op::CheckRange if a.1 < 0 || b.1 <= 0 => Some(false),
        _ => None,
    }
}

/// Conversions of any value, where the kind of the value is known.
fn conversion(unit: &mut Unit, inst: &Inst) -> Simplified {
    let value = unit.src(inst, 0);
    let ty = unit.ty(value);
    let op = match (inst.op, ty.bits()) {
        (Op::ConvCellToBool, bits) if bits & !BOOL == 0 => return Value(value),
        (Op::ConvCellToBool, bits) if bits & !NULL == 0 => return Value(unit.bool(false)),
        (Op::ConvCellToBool, INT) => Op::ConvIntToBool,
        (Op::ConvCellToBool, DBL) => Op::ConvDblToBool,
        (Op::ConvCellToBool, bits) if bits & !STR == 0 => Op::ConvStrToBool,
        (Op::ConvCellToBool, bits) if bits & !ARR == 0 => Op::ConvArrToBool,
        (Op::ConvCellToInt, INT) | (Op::ConvCellToDbl, DBL) => return Value(value),
        (Op::ConvCellToInt, bits) if bits & !NULL == 0 => return Value(unit.int(0)),
        (Op::ConvCellToInt, bits) if bits & !BOOL == 0 => Op::ConvBoolToInt,
        (Op::ConvCellToInt, DBL) => Op::ConvDblToInt,
        (Op::ConvCellToDbl, INT) => Op::ConvIntToDbl,
        (Op::ConvCellToDbl, bits) if bits & !BOOL == 0 => Op::ConvBoolToDbl,
        _ => return Same,
    };
    with(unit, inst, op, &[value])
}
