//! Handlers for floats (doubles).
//!
//! The first handler of an opline expects integers and leaves everything else to a second one, which reads the operands again.
//! Once that one finds floats, the opline gets a handler from here, which falls back on the first one. A handler here knows
//! whether a literal is an integer or a float: that is part of its type.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; `a` and `b` are cells of that
//! frame or literal numbers, and `c` is the destination. Only this thread runs the function, so its oplines' handlers can be
//! replaced.

use super::arith::{self, double_result};
use super::compare::{self, ordered};
use super::double_chains::{chain_binary, chain_branch};
use super::{Handler, IN_FRAME, LITERAL, jump, next};
use crate::context::{Fp, Ip, Run, cell, literal};
use phlox_runtime::Val;
use phlox_value::raw;

/// The kind of a source here that is a literal integer; [`LITERAL`] stands for a literal float.
const INTEGER: u8 = 2;

/// Replaces the handler `integers` of an opline by `doubles`; returns whether it did. An opline with another handler, which counts
/// or records type feedback, keeps that.
///
/// # Safety
/// `ip` is an opline of a function that only this thread runs, and both handlers are right for its operands.
#[inline(always)]
unsafe fn prefer(ip: Ip, integers: Handler, doubles: Handler) -> bool {
    // SAFETY: `ip` is an opline of this thread's code, which lies in memory that is written to through raw pointers only.
    unsafe {
        let may = std::ptr::fn_addr_eq((*ip).handler, integers);
        if may {
            (*ip.cast_mut()).handler = doubles;
        }
        may
    }
}

/// The two operands as floats, of which one may be a literal integer. `None`: they are something else.
///
/// # Safety
/// `a` and `b` are the cells of operands of the kinds `A` and `B`.
#[inline(always)]
pub(super) unsafe fn pair<const A: u8, const B: u8>(a: *const Val, b: *const Val) -> Option<(f64, f64)> {
    // SAFETY: `a` and `b` are the live cells of two operands.
    unsafe { Some((number::<A>(a)?, number::<B>(b)?)) }
}

/// The operand as a float; `None`: it is neither a float nor a literal integer.
#[inline(always)]
unsafe fn number<const KIND: u8>(place: *const Val) -> Option<f64> {
    // SAFETY: `pair` passes the live cell of an operand.
    unsafe {
        match raw::tag(place) {
            raw::TI_DOUBLE => Some(f64::from_bits(raw::payload(place))),
            raw::TI_INT if KIND == LITERAL => Some(raw::payload(place) as i64 as f64),
            _ => None,
        }
    }
}

/// The operand of a handler here. `None`: it is no float.
#[inline(always)]
unsafe fn operand<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> Option<f64> {
    // SAFETY: `offset` is an operand of the opline, of the kind `KIND`; a cell has a payload whatever it holds.
    unsafe {
        let place = if KIND == IN_FRAME { cell(fp, offset) } else { literal(ip, offset) };
        // The payload is read before the tag is compared, so that the arithmetic waits for this load only.
        let payload = raw::payload(place);
        match KIND {
            INTEGER => Some(payload as i64 as f64),
            LITERAL => Some(f64::from_bits(payload)),
            _ => (raw::tag(place) == raw::TI_DOUBLE).then_some(f64::from_bits(payload)),
        }
    }
}

/// Writes the result of two floats. False: nothing was changed.
///
/// # Safety
/// `to` is the destination's cell: an empty temporary, a local if `TO_LOCAL`, or the cell of a number.
#[inline(always)]
pub(super) unsafe fn write<const OP: u8, const TO_LOCAL: bool>(x: f64, y: f64, to: *mut Val) -> bool {
    // SAFETY: `to` is a cell whose old value needs no release if its tag is not that of a counted value, or if it is no local.
    unsafe {
        let tag = raw::tag(to);
        if (!TO_LOCAL || tag & raw::COUNTED == 0)
            && let Some(result) = double_result::<OP>(x, y)
        {
            // A volatile write, so that the compiler does not merge this with the write of an integer, which would then pass the
            // integer through a floating-point register.
            to.cast::<f64>().write_volatile(result);
            // A tag that is not written does not delay a read of it soon after: loops with floats took up to twice as long with
            // the write.
            if tag != raw::TI_DOUBLE {
                raw::write_tag(to, raw::TI_DOUBLE);
            }
            return true;
        }
        false
    }
}

/// Is a literal operand an integer?
#[inline(always)]
unsafe fn is_integer(ip: Ip, offset: u32) -> bool {
    // SAFETY: the callers pass the offset of a literal operand of `ip`.
    unsafe { raw::tag(literal(ip, offset)) == raw::TI_INT }
}

/// Gives an opline of arithmetic its handler for floats, after it had two floats, or a float and a literal number.
///
/// # Safety
/// `ip` is a `Binary` of the innermost frame `fp`, with operands of the kinds `A` and `B`, which have just been numbers.
#[inline(always)]
pub(super) unsafe fn prefer_binary<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp) {
    // SAFETY: both handlers are right for the operands of `ip`, whose literals never change.
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

/// `Binary` of two floats.
pub(super) unsafe extern "C-unwind" fn binary<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Binary`; `prefer_binary` chose this handler, so a literal is a number of the kind that `A` and `B` say.
    unsafe {
        if let (Some(x), Some(y)) = (operand::<A>(ip, fp, (*ip).a), operand::<B>(ip, fp, (*ip).b))
            && write::<OP, TO_LOCAL>(x, y, cell(fp, (*ip).c))
        {
            next!(ip, fp, run)
        }
        binary_first::<OP, A, B, TO_LOCAL>(ip, fp, run)
    }
}

/// Falls back on the first handler of a `Binary`. A function of its own, so that the usual path of [`binary`] has no jumps.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn binary_first<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Binary`, as the handler for floats passed them on.
    unsafe {
        match (A, B) {
            (IN_FRAME, IN_FRAME) => arith::binary::<OP, IN_FRAME, IN_FRAME, TO_LOCAL>(ip, fp, run),
            (IN_FRAME, _) => arith::binary::<OP, IN_FRAME, LITERAL, TO_LOCAL>(ip, fp, run),
            _ => arith::binary::<OP, LITERAL, IN_FRAME, TO_LOCAL>(ip, fp, run),
        }
    }
}

/// Is this the handler for floats of a `Binary` with operands of these kinds?
#[inline(always)]
pub(super) fn is_binary<const OP: u8, const A: u8, const TO_LOCAL: bool>(handler: Handler) -> bool {
    let is = |doubles: Handler| std::ptr::fn_addr_eq(handler, doubles);
    is(binary::<OP, A, IN_FRAME, TO_LOCAL>) || A == LITERAL && is(binary::<OP, INTEGER, IN_FRAME, TO_LOCAL>)
}

/// Is this the handler for floats of a `Binary` with operands of these kinds and a temporary for its result?
#[inline(always)]
pub(super) fn has<const OP: u8, const A: u8, const B: u8>(handler: Handler) -> bool {
    let is = |doubles: Handler| std::ptr::fn_addr_eq(handler, doubles);
    match (A, B) {
        (LITERAL, _) => is(binary::<OP, LITERAL, IN_FRAME, false>) || is(binary::<OP, INTEGER, IN_FRAME, false>),
        (_, LITERAL) => is(binary::<OP, IN_FRAME, LITERAL, false>) || is(binary::<OP, IN_FRAME, INTEGER, false>),
        _ => is(binary::<OP, IN_FRAME, IN_FRAME, false>),
    }
}

/// Gives an assignment with arithmetic its handler for floats.
///
/// # Safety
/// `ip` is an `AssignOp` of the innermost frame with a `b` of the kind `B`, whose operands have just been numbers.
#[inline(always)]
pub(super) unsafe fn prefer_assign_op<const OP: u8, const B: u8, const RESULT: bool>(ip: Ip) {
    // SAFETY: both handlers are right for the operands of an `AssignOp`, whose literal never changes.
    unsafe {
        let handler: Handler = match B {
            LITERAL if is_integer(ip, (*ip).b) => assign_op::<OP, INTEGER, RESULT>,
            _ => assign_op::<OP, B, RESULT>,
        };
        prefer(ip, arith::assign_op::<OP, B, RESULT>, handler);
    }
}

/// `AssignOp` of two floats. `RESULT`: the result is used.
unsafe extern "C-unwind" fn assign_op<const OP: u8, const B: u8, const RESULT: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `AssignOp`: `a` is a local, and a literal `b` is a number of the kind that `B` says.
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

/// The answer of a comparison of two floats.
#[inline(always)]
pub(super) fn compared<const OP: u8>((x, y): (f64, f64)) -> bool {
    ordered::<OP, f64>(x, y)
}

/// Gives a branch on a comparison, other than an identity, its handler for floats.
///
/// # Safety
/// `ip` is such a branch of the innermost frame `fp`, with operands of the kinds `A` and `B`, which have just been numbers.
#[inline(always)]
pub(super) unsafe fn prefer_branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
) {
    // SAFETY: both handlers are right for the operands of the branch, whose literals never change.
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

/// `JmpIf` and `JmpIfNot` on two floats.
unsafe extern "C-unwind" fn branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch on a comparison; a literal is a number of the kind that `A` and `B` say.
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

/// Falls back on the first handler of a branch. A function of its own, so that the usual path of [`branch`] has no jumps.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn branch_first<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch, as the handler for floats passed them on.
    unsafe {
        match (A, B) {
            (IN_FRAME, IN_FRAME) => compare::branch::<OP, IN_FRAME, IN_FRAME, WHEN, BACK>(ip, fp, run),
            (IN_FRAME, _) => compare::branch::<OP, IN_FRAME, LITERAL, WHEN, BACK>(ip, fp, run),
            _ => compare::branch::<OP, LITERAL, IN_FRAME, WHEN, BACK>(ip, fp, run),
        }
    }
}
