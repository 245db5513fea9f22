//! Casts that need no conversion.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `Unary` of the innermost frame `fp`; `a` is a local or a temporary,
//! which is consumed, and `c` is an empty temporary.

use super::arith::unary_slow;
use super::control::{give_up, truth};
use super::{next, slow};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use phlox_lower::{Operand, Opline, Unary};
use phlox_value::raw;

pub(super) const BOOL: u8 = Unary::CastBool as u8;
pub(super) const INT: u8 = Unary::CastInt as u8;
pub(super) const STRING: u8 = Unary::CastString as u8;

/// Is it a cast of a local or a temporary to a temporary? Other casts have no fast path.
pub(super) fn has_fast_path(opline: &Opline) -> bool {
    matches!(opline.a, Operand::Local(_) | Operand::Tmp(_)) && matches!(opline.c, Operand::Tmp(_))
}

/// Casts values that are of the type already, and to bool whatever needs no PHP code.
pub(super) unsafe extern "C-unwind" fn cast<const OP: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `has_fast_path` chose this handler: `a` is a local or a temporary, `c` an empty temporary.
    unsafe {
        let (own, to, kind) = (cell(fp, (*ip).a), cell(fp, (*ip).c), (*run).meta(ip).a);
        let place = if kind == Kind::Local { raw::look_through(own) } else { own };
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        if OP == BOOL {
            if let Some(answer) = truth(place).filter(|_| give_up(own, kind)) {
                raw::write_tag(to, if answer { raw::TI_TRUE } else { raw::TI_FALSE });
                next!(ip, fp, run)
            }
        } else if OP == INT && tag == raw::TI_INT {
            raw::write(to, payload, tag);
            next!(ip, fp, run)
        } else if OP == STRING && tag & 0xff == raw::TI_STR_STATIC {
            if kind == Kind::Local {
                raw::retain(payload, tag);
            }
            raw::write(to, payload, tag);
            next!(ip, fp, run)
        }
        slow!(unary_slow, ip, fp, run)
    }
}
