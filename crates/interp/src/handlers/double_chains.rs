//! Superinstructions for floats: two oplines of which the second uses the result of the first, as in `$a * $b + $c` and in the
//! branch on `$a + $b < $c`. The temporary between them is not written.
//!
//! Only a run shows which oplines have floats. So the first opline gets its superinstruction when the second one gets its handler
//! for floats. The second opline and its handler stay as they are, because a jump may lead there.
//!
//! The contract of handlers ([`super`]) holds here for both oplines: `ip` is the first one, an opline of the innermost frame `fp`,
//! and `ip + 1` is the second.

use super::arith::{self, ADD, MUL, SUB, double_result};
use super::doubles::{self, binary};
use super::{IN_FRAME, LITERAL, jump, next};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::Frame;
use phlox_value::raw;

/// A source as a float. `None`: it is none. A literal is a float or an integer here.
#[inline(always)]
unsafe fn operand<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> Option<f64> {
    // SAFETY: `offset` is an operand of the opline, of the kind `KIND`; a literal is a number.
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

/// `Binary` of two floats whose result is an operand of the next `Binary`. `RIGHT`: it is the right operand.
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
    // SAFETY: `chain_binary` chose this handler, for a `Binary` with another one behind it.
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
        // Nothing has been changed.
        match (A, B) {
            (IN_FRAME, IN_FRAME) => binary::<OP, IN_FRAME, IN_FRAME, false>(ip, fp, run),
            (IN_FRAME, _) => arith::binary::<OP, IN_FRAME, LITERAL, false>(ip, fp, run),
            _ => arith::binary::<OP, LITERAL, IN_FRAME, false>(ip, fp, run),
        }
    }
}

/// The sum of two floats, and a branch on a comparison of it with a float.
unsafe extern "C-unwind" fn sum_branch<const OP: u8, const OTHER: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: `chain_branch` chose this handler, for a `Binary` with a branch behind it.
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

/// The opline before `ip`, if its result is the operand at this offset and it is arithmetic of this kind with a handler for
/// floats.
#[inline(always)]
unsafe fn before<const OP: u8, const A: u8, const B: u8>(ip: Ip, fp: Fp, operand: u32) -> Option<Ip> {
    // SAFETY: the callers pass an opline of the innermost frame's function; only one with an index above 0 has an opline before
    // it.
    unsafe {
        let code = &*(*fp.cast::<Frame>()).code;
        let first = (code.index_of(ip) > 0).then(|| ip.sub(1))?;
        ((*first).c == operand && doubles::has::<OP, A, B>((*first).handler)).then_some(first)
    }
}

/// Gives the opline before an opline of arithmetic a superinstruction for both, if it has floats, too.
///
/// # Safety
/// `ip` is a `Binary` of the innermost frame `fp`, with operands of the kinds `A` and `B`, which has a handler for floats.
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
    // Where oplines are counted, each is counted alone.
    if cfg!(feature = "count-oplines") {
        return;
    }
    // SAFETY: `before` gives an opline of the function, whose handler is replaced by one that is right for it and the next one.
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

/// Gives the opline before a branch a superinstruction for both, if it adds two floats.
///
/// # Safety
/// `ip` is a branch on a comparison of the innermost frame `fp`, with operands of the kinds `A` and `B`, which has a handler for
/// floats.
#[cold]
#[inline(never)]
pub(super) unsafe fn chain_branch<const OP: u8, const A: u8, const B: u8, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
) {
    if A != IN_FRAME || cfg!(feature = "count-oplines") {
        return;
    }
    // SAFETY: `before` gives an opline of the function, whose handler is replaced by one that is right for it and the branch.
    unsafe {
        let Some(first) = before::<ADD, IN_FRAME, IN_FRAME>(ip, fp, (*ip).a) else { return };
        (*first.cast_mut()).handler = sum_branch::<OP, B, WHEN, BACK>;
    }
}
