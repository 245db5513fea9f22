//! Handlers that look for doubles first.
//!
//! An opline's first handler expects integers, and leaves all else to a second one that fetches the operands anew. Once that one has
//! met doubles, the opline gets a handler from here, which falls back on the first. What such a handler has to look at is known: a
//! literal's kind is part of the handler.

use super::arith::{self, double_result};
use super::compare::{self, ordered};
use super::double_chains::{chain_binary, chain_branch};
use super::{Handler, IN_FRAME, LITERAL, jump, next};
use crate::context::{Fp, Ip, Run, cell, literal};
use phlox_runtime::Val;
use phlox_value::raw;

/// An operand of a handler here that is a literal integer. One that is [`LITERAL`] is a double.
const INTEGER: u8 = 2;

/// Gives an opline that has `integers` for a handler this one for doubles; whether it did. One that is counted or looked at keeps what
/// it has.
///
/// # Safety
/// `ip` is an opline of a function that this thread runs, for which both handlers are good.
#[inline(always)]
unsafe fn prefer(ip: Ip, integers: Handler, doubles: Handler) -> bool {
    // SAFETY: by the caller; oplines lie in memory of their own.
    unsafe {
        let may = std::ptr::fn_addr_eq((*ip).handler, integers);
        if may {
            (*ip.cast_mut()).handler = doubles;
        }
        may
    }
}

/// The doubles that two operands are, of which one may be a literal integer. `None`: they are something else.
///
/// # Safety
/// The places are those of operands of these kinds.
#[inline(always)]
pub(super) unsafe fn pair<const A: u8, const B: u8>(a: *const Val, b: *const Val) -> Option<(f64, f64)> {
    // SAFETY: by the caller.
    unsafe { Some((number::<A>(a)?, number::<B>(b)?)) }
}

#[inline(always)]
unsafe fn number<const KIND: u8>(place: *const Val) -> Option<f64> {
    // SAFETY: by the caller of `pair`.
    unsafe {
        match raw::tag(place) {
            raw::TI_DOUBLE => Some(f64::from_bits(raw::payload(place))),
            raw::TI_INT if KIND == LITERAL => Some(raw::payload(place) as i64 as f64),
            _ => None,
        }
    }
}

/// An operand of a handler here. `None`: it is no double.
#[inline(always)]
unsafe fn operand<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> Option<f64> {
    // SAFETY: by the caller; a cell has a payload whatever it holds.
    unsafe {
        let place = if KIND == IN_FRAME { cell(fp, offset) } else { literal(ip, offset) };
        // Fetched before it is known to be a double: what follows waits for this, not for the tag.
        let payload = raw::payload(place);
        match KIND {
            INTEGER => Some(payload as i64 as f64),
            LITERAL => Some(f64::from_bits(payload)),
            _ => (raw::tag(place) == raw::TI_DOUBLE).then_some(f64::from_bits(payload)),
        }
    }
}

/// Writes the result of two doubles. False: nothing happened.
///
/// # Safety
/// The place is that of a handler's result.
#[inline(always)]
pub(super) unsafe fn write<const OP: u8, const TO_LOCAL: bool>(x: f64, y: f64, to: *mut Val) -> bool {
    // SAFETY: by the caller.
    unsafe {
        let tag = raw::tag(to);
        if (!TO_LOCAL || tag & raw::COUNTED == 0)
            && let Some(result) = double_result::<OP>(x, y)
        {
            // Volatile, so that this is not made one with the write of an integer, which would then go through a register for
            // doubles.
            to.cast::<f64>().write_volatile(result);
            // A tag that was not written need not be waited for when it is read soon after: a loop of doubles took up to twice as long.
            if tag != raw::TI_DOUBLE {
                raw::write_tag(to, raw::TI_DOUBLE);
            }
            return true;
        }
        false
    }
}

/// Whether a literal operand is an integer.
#[inline(always)]
unsafe fn is_integer(ip: Ip, offset: u32) -> bool {
    // SAFETY: by the caller.
    unsafe { raw::tag(literal(ip, offset)) == raw::TI_INT }
}

/// Arithmetic has had two doubles, or one and a literal.
///
/// # Safety
/// `ip` is an opline of the function that runs, with operands of these kinds.
#[inline(always)]
pub(super) unsafe fn prefer_binary<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp) {
    // SAFETY: by the caller.
    unsafe {
        let handler: Handler = match (A, B) {
            (LITERAL, _) if is_integer(ip, (*ip).a) => binary::<OP, INTEGER, IN_FRAME, TO_LOCAL>,
            (_, LITERAL) if is_integer(ip, (*ip).b) => binary::<OP, IN_FRAME, INTEGER, TO_LOCAL>,
            _ => binary::<OP, A, B, TO_LOCAL>,
        };
        if prefer(ip, arith::binary::<OP, A, B, TO_LOCAL>, handler) {
            chain_binary::<OP, A, B, TO_LOCAL>(ip, fp);
        }
    }
}

/// As [`arith::binary`].
pub(super) unsafe extern "C-unwind" fn binary<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if let (Some(x), Some(y)) = (operand::<A>(ip, fp, (*ip).a), operand::<B>(ip, fp, (*ip).b))
            && write::<OP, TO_LOCAL>(x, y, cell(fp, (*ip).c))
        {
            next!(ip, fp, run)
        }
        binary_first::<OP, A, B, TO_LOCAL>(ip, fp, run)
    }
}

/// Falls back on the first handler. A function of its own, so that the commonest way has no jumps.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn binary_first<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: as `binary`.
    unsafe {
        match (A, B) {
            (IN_FRAME, IN_FRAME) => arith::binary::<OP, IN_FRAME, IN_FRAME, TO_LOCAL>(ip, fp, run),
            (IN_FRAME, _) => arith::binary::<OP, IN_FRAME, LITERAL, TO_LOCAL>(ip, fp, run),
            _ => arith::binary::<OP, LITERAL, IN_FRAME, TO_LOCAL>(ip, fp, run),
        }
    }
}

/// Is this the handler that an opline of arithmetic has had doubles with?
#[inline(always)]
pub(super) fn is_binary<const OP: u8, const A: u8, const TO_LOCAL: bool>(handler: Handler) -> bool {
    let is = |doubles: Handler| std::ptr::fn_addr_eq(handler, doubles);
    is(binary::<OP, A, IN_FRAME, TO_LOCAL>) || A == LITERAL && is(binary::<OP, INTEGER, IN_FRAME, TO_LOCAL>)
}

/// Is this the handler that an opline of arithmetic with operands of these kinds, and a temporary for its result, has had doubles with?
#[inline(always)]
pub(super) fn has<const OP: u8, const A: u8, const B: u8>(handler: Handler) -> bool {
    let is = |doubles: Handler| std::ptr::fn_addr_eq(handler, doubles);
    match (A, B) {
        (LITERAL, _) => is(binary::<OP, LITERAL, IN_FRAME, false>) || is(binary::<OP, INTEGER, IN_FRAME, false>),
        (_, LITERAL) => is(binary::<OP, IN_FRAME, LITERAL, false>) || is(binary::<OP, IN_FRAME, INTEGER, false>),
        _ => is(binary::<OP, IN_FRAME, IN_FRAME, false>),
    }
}

/// As [`prefer_binary`], for an assignment with arithmetic.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn prefer_assign_op<const OP: u8, const B: u8, const RESULT: bool>(ip: Ip) {
    // SAFETY: by the caller.
    unsafe {
        let handler: Handler = match B {
            LITERAL if is_integer(ip, (*ip).b) => assign_op::<OP, INTEGER, RESULT>,
            _ => assign_op::<OP, B, RESULT>,
        };
        prefer(ip, arith::assign_op::<OP, B, RESULT>, handler);
    }
}

/// As [`arith::assign_op`].
unsafe extern "C-unwind" fn assign_op<const OP: u8, const B: u8, const RESULT: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let own = cell(fp, (*ip).a);
        if let (Some(x), Some(y)) = (operand::<IN_FRAME>(ip, fp, (*ip).a), operand::<B>(ip, fp, (*ip).b))
            && write::<OP, false>(x, y, own)
        {
            if RESULT {
                raw::write(cell(fp, (*ip).c), raw::payload(own), raw::TI_DOUBLE);
            }
            next!(ip, fp, run)
        }
        match B {
            IN_FRAME => arith::assign_op::<OP, IN_FRAME, RESULT>(ip, fp, run),
            _ => arith::assign_op::<OP, LITERAL, RESULT>(ip, fp, run),
        }
    }
}

/// What the comparison of two doubles says.
#[inline(always)]
pub(super) fn compared<const OP: u8>((x, y): (f64, f64)) -> bool {
    ordered::<OP, f64>(x, y)
}

/// As [`prefer_binary`], for a branch on a comparison that asks for the order or whether numbers are equal.
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn prefer_branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
) {
    // SAFETY: by the caller.
    unsafe {
        let handler: Handler = match (A, B) {
            (LITERAL, _) if is_integer(ip, (*ip).a) => branch::<OP, INTEGER, IN_FRAME, WHEN, BACK>,
            (_, LITERAL) if is_integer(ip, (*ip).b) => branch::<OP, IN_FRAME, INTEGER, WHEN, BACK>,
            _ => branch::<OP, A, B, WHEN, BACK>,
        };
        if prefer(ip, compare::branch::<OP, A, B, WHEN, BACK>, handler) {
            chain_branch::<OP, A, B, WHEN, BACK>(ip, fp);
        }
    }
}

/// As [`compare::branch`].
unsafe extern "C-unwind" fn branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if let (Some(x), Some(y)) = (operand::<A>(ip, fp, (*ip).a), operand::<B>(ip, fp, (*ip).b)) {
            if compared::<OP>((x, y)) == WHEN {
                jump!(ip, fp, run, BACK)
            }
            next!(ip, fp, run)
        }
        branch_first::<OP, A, B, WHEN, BACK>(ip, fp, run)
    }
}

/// As [`binary_first`].
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn branch_first<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: as `branch`.
    unsafe {
        match (A, B) {
            (IN_FRAME, IN_FRAME) => compare::branch::<OP, IN_FRAME, IN_FRAME, WHEN, BACK>(ip, fp, run),
            (IN_FRAME, _) => compare::branch::<OP, IN_FRAME, LITERAL, WHEN, BACK>(ip, fp, run),
            _ => compare::branch::<OP, LITERAL, IN_FRAME, WHEN, BACK>(ip, fp, run),
        }
    }
}
