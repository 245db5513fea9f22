//! Two oplines with doubles of which the second takes what the first gives: `$a * $b + $c`, `$a + $b < $c`. One handler does both, and
//! what is between them is never written.
//!
//! Which oplines have doubles is only known when they have run. So the first one gets its handler when the second one gets its own for
//! doubles; that one's place in the function, and its handler, stay what they are: something else may jump there.

use super::arith::{self, ADD, MUL, SUB, double_result};
use super::doubles::{self, binary};
use super::{IN_FRAME, LITERAL, jump, next};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::Frame;
use phlox_value::raw;

/// An operand. `None`: it is no double. A literal may be an integer.
#[inline(always)]
unsafe fn operand<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> Option<f64> {
    // SAFETY: by the caller.
    unsafe {
        let place = if KIND == IN_FRAME { cell(fp, offset) } else { literal(ip, offset) };
        let payload = raw::payload(place);
        match raw::tag(place) {
            raw::TI_DOUBLE => Some(f64::from_bits(payload)),
            _ if KIND == LITERAL => Some(payload as i64 as f64),
            _ => None,
        }
    }
}

/// Arithmetic whose result is an operand of the next opline, and that.
///
/// `RIGHT`: it is the right one.
unsafe extern "C-unwind" fn chain<
    const OP: u8,
    const A: u8,
    const B: u8,
    const NEXT: u8,
    const OTHER: u8,
    const RIGHT: bool,
    const TO_LOCAL: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: handlers are entered with an opline of the innermost frame; this one has another one behind it.
    unsafe {
        let second = ip.add(1);
        let other = if RIGHT { (*second).a } else { (*second).b };
        if let (Some(x), Some(y)) = (operand::<A>(ip, fp, (*ip).a), operand::<B>(ip, fp, (*ip).b))
            && let (Some(between), Some(other)) = (double_result::<OP>(x, y), operand::<OTHER>(second, fp, other))
        {
            let (x, y) = if RIGHT { (other, between) } else { (between, other) };
            if doubles::write::<NEXT, TO_LOCAL>(x, y, cell(fp, (*second).c)) {
                next!(second, fp, run)
            }
        }
        // Nothing has happened.
        match (A, B) {
            (IN_FRAME, IN_FRAME) => binary::<OP, IN_FRAME, IN_FRAME, false>(ip, fp, run),
            (IN_FRAME, _) => arith::binary::<OP, IN_FRAME, LITERAL, false>(ip, fp, run),
            _ => arith::binary::<OP, LITERAL, IN_FRAME, false>(ip, fp, run),
        }
    }
}

/// A sum, and a branch on how it compares with something.
unsafe extern "C-unwind" fn sum_branch<const OP: u8, const OTHER: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: as `chain`.
    unsafe {
        let second = ip.add(1);
        if let (Some(x), Some(y)) = (operand::<IN_FRAME>(ip, fp, (*ip).a), operand::<IN_FRAME>(ip, fp, (*ip).b))
            && let Some(other) = operand::<OTHER>(second, fp, (*second).b)
        {
            if doubles::compared::<OP>((x + y, other)) == WHEN {
                jump!(second, fp, run, BACK)
            }
            next!(second, fp, run)
        }
        binary::<ADD, IN_FRAME, IN_FRAME, false>(ip, fp, run)
    }
}

/// The opline before one, if it gives the operand at an offset by arithmetic of this kind.
#[inline(always)]
unsafe fn before<const OP: u8, const A: u8, const B: u8>(ip: Ip, fp: Fp, operand: u32) -> Option<Ip> {
    // SAFETY: by the caller, `ip` is an opline of the function that runs.
    unsafe {
        let code = &*(*fp.cast::<Frame>()).code;
        let first = (code.index_of(ip) > 0).then(|| ip.sub(1))?;
        ((*first).c == operand && doubles::has::<OP, A, B>((*first).handler)).then_some(first)
    }
}

/// Arithmetic has got a handler for doubles: so may what is before it.
///
/// # Safety
/// `ip` is an opline of the function that runs, with operands of these kinds.
#[cold]
#[inline(never)]
pub(super) unsafe fn chain_binary<const NEXT: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp) {
    macro_rules! behind {
        ($operand:expr, $other:ident, $right:literal, $([$op:ident $a:ident $b:ident])*) => {
            { $(if let Some(first) = before::<$op, $a, $b>(ip, fp, $operand) {
                (*first.cast_mut()).handler = chain::<$op, $a, $b, NEXT, $other, $right, TO_LOCAL>;
                return;
            })* }
        };
        ($operand:expr, $other:ident, $right:literal) => {
            behind!($operand, $other, $right,
                [ADD IN_FRAME IN_FRAME] [ADD LITERAL IN_FRAME] [ADD IN_FRAME LITERAL]
                [SUB IN_FRAME IN_FRAME] [SUB LITERAL IN_FRAME] [SUB IN_FRAME LITERAL]
                [MUL IN_FRAME IN_FRAME] [MUL LITERAL IN_FRAME] [MUL IN_FRAME LITERAL])
        };
    }
    // Where oplines are counted, each is one.
    if cfg!(feature = "count-oplines") {
        return;
    }
    // SAFETY: by the caller; oplines lie in memory of their own.
    unsafe {
        match (A, B) {
            (IN_FRAME, IN_FRAME) => {
                behind!((*ip).a, IN_FRAME, false);
                behind!((*ip).b, IN_FRAME, true);
            }
            (IN_FRAME, LITERAL) => behind!((*ip).a, LITERAL, false),
            _ => {}
        }
    }
}

/// The same for a branch.
///
/// # Safety
/// As [`chain_binary`].
#[cold]
#[inline(never)]
pub(super) unsafe fn chain_branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
) {
    if A != IN_FRAME || cfg!(feature = "count-oplines") {
        return;
    }
    // SAFETY: by the caller; oplines lie in memory of their own.
    unsafe {
        let Some(first) = before::<ADD, IN_FRAME, IN_FRAME>(ip, fp, (*ip).a) else { return };
        (*first.cast_mut()).handler = sum_branch::<OP, B, WHEN, BACK>;
    }
}
