//! Variables that become references, and variables that references are bound to: `&$a`, `$a = &...`, `global $a`.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; its operands are cells of that
//! frame or literals.

use super::{next, release_next, slow, slow_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell, literal};
use phlox_value::raw;

/// `RefLocal` of a local that is a reference already, as it mostly is from the second time on.
pub unsafe extern "C-unwind" fn ref_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `RefLocal`: `a` is a local, `c` an empty temporary.
    unsafe {
        let local = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(local), raw::tag(local));
        if tag != raw::TI_REF {
            slow!(ref_local_slow, ip, fp, run)
        }
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

/// `RefLocal` of a local that is no reference yet.
#[inline(never)]
unsafe fn ref_local_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `RefLocal`: `a` is a local, which becomes a reference; `store` writes `c`.
    unsafe {
        let reference = (*cell(fp, (*ip).a)).make_ref();
        let result = run.store(ip, reference.into());
        run.finish(ip, result)
    }
}

slow_handler!(ref_global, ref_global_slow);

/// `RefGlobal`.
#[inline(never)]
unsafe fn ref_global_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `RefGlobal`: `a` is a literal string, `c` the destination.
    unsafe {
        let reference = run.vm.globals.reference(raw::string_at(literal(ip, (*ip).a)));
        if run.meta(ip).c == Kind::Tmp {
            raw::put(cell(fp, (*ip).c), reference.into());
            return ip.add(1);
        }
        let result = run.store(ip, reference.into());
        run.finish(ip, result)
    }
}

/// `BindLocal`: the local becomes the reference in a temporary.
pub unsafe extern "C-unwind" fn bind_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `BindLocal`: `a` is a local, `b` a full temporary that holds a reference, whose count moves.
    unsafe {
        let (local, from) = (cell(fp, (*ip).a), cell(fp, (*ip).b));
        let (old, old_tag) = (raw::payload(local), raw::tag(local));
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        if (*ip).c != 0 {
            raw::retain(payload, tag);
            raw::write(cell(fp, (*ip).c), payload, tag);
        }
        raw::write(local, payload, tag);
        if old_tag & raw::COUNTED == 0 {
            next!(ip, fp, run)
        }
        release_next!(old, old_tag, ip, fp, run)
    }
}
