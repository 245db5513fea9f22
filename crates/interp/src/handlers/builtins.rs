//! Calls of builtin functions: type tests, fast paths, and the functions themselves.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `Call` of the innermost frame `fp`. `a` is the offset of the pending
//! call's header, behind which `b` arguments lie in a row; `c` is the destination, 0 if the result is not used.

use super::calls::call_other;
use super::{next, release_next, site, slow, slow_switch};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_MAGIC, Frame};
use crate::native;
use phlox_hhbc::FuncFlags;
use phlox_runtime::Val;
use phlox_runtime::extension::FastPathFn;
use phlox_value::raw;
use std::sync::atomic::Ordering;

/// Calls a builtin function: by a type test, by its fast path, or by its body.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn call_native(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call` jumps here if the pending call's header at `a` names a builtin function.
    unsafe {
        let callee = cell(fp, (*ip).a).cast::<Frame>();
        let code = (*callee).code;
        let argc = (*ip).b;
        (*fp.cast::<Frame>()).ip = ip;
        if (*code).tested_kinds != 0 && argc == 1 {
            let place = callee.add(1).cast::<Val>();
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            if tag != raw::TI_UNDEF && tag != raw::TI_REF {
                let answer = (*code).tested_kinds >> (tag & 0xff) & 1 != 0;
                if (*ip).c != 0 {
                    raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
                }
                release_next!(payload, tag, ip, fp, run)
            }
        }
        if (*code).counts_arguments && argc == 0 && !(*(*fp.cast::<Frame>()).code).func().has(FuncFlags::PSEUDO_MAIN) {
            if (*ip).c != 0 {
                raw::write(cell(fp, (*ip).c), u64::from((*fp.cast::<Frame>()).argc), raw::TI_INT);
            }
            next!(ip, fp, run)
        }
        if (*code).fast_path.is_some() && argc >= (*code).required && argc <= (*code).most {
            return call_fast_path(ip, fp, run);
        }
        if (*code).passes_on {
            return super::call_user_func::call_passing(ip, fp, run);
        }
        let is_plain = (*code).native.is_some()
            && (*callee).flags & FLAG_MAGIC == 0
            && (*(*run).interrupt).load(Ordering::Relaxed) == 0;
        if is_plain {
            return native::call_in_place(ip, fp, run);
        }
        slow_switch!(call_other, ip, fp, run)
    }
}

/// Calls the fast path of a builtin function, or its body where the fast path has no answer. `$is_named`: the function was found
/// by a name that can be no other's; PHP compiles `count` to an instruction then, so that a countable object's method runs without
/// a frame of `count`.
macro_rules! fast_path_call {
    ($fast_path:expr, $is_named:expr, $ip:ident, $fp:ident, $run:ident) => {{
        let header = cell($fp, (*$ip).a).cast::<Frame>();
        let argc = (*$ip).b as usize;
        let answer = native::fast_path_answer($fast_path, header, argc);
        if answer.is_undef() {
            if $is_named && (*(*header).code).counts && argc == 1 {
                slow_switch!(native::count_object, $ip, $fp, $run)
            }
            if (*(*header).code).native.is_some() && (*(*$run).interrupt).load(Ordering::Relaxed) == 0 {
                return native::call_in_place($ip, $fp, $run);
            }
            slow_switch!(call_other, $ip, $fp, $run)
        }
        let (payload, tag) = answer.into_parts();
        let mut place = header.add(1).cast::<Val>();
        let end = place.add(argc);
        while place < end {
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            if !raw::release_passed(payload, tag) {
                raw::release_counted(payload, tag);
            }
            place = place.add(1);
        }
        match (*$ip).c {
            0 => raw::release(payload, tag),
            to => raw::write(cell($fp, to), payload, tag),
        }
        if (*(*$run).has_pending).get() {
            slow!(super::finish_only, $ip, $fp, $run)
        }
        next!($ip, $fp, $run)
    }};
}

/// Calls a builtin function that is known since the code was lowered: the inline cache holds its fast path.
pub(super) unsafe extern "C-unwind" fn call_builtin(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: a `Call` with an inline cache has the address of a `FastPathFn` in it since the function was lowered; its arguments are
    // in place.
    unsafe {
        (*fp.cast::<Frame>()).ip = ip;
        let fast_path = std::mem::transmute::<u64, FastPathFn>(site(ip).value);
        fast_path_call!(fast_path, true, ip, fp, run)
    }
}

/// Calls the fast path of the builtin function that the pending call's header names.
#[inline(never)]
unsafe extern "C-unwind" fn call_fast_path(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call_native` jumps here if the function at the pending call's header has a fast path.
    unsafe {
        let fast_path = (*(*cell(fp, (*ip).a).cast::<Frame>()).code).fast_path.unwrap_unchecked();
        fast_path_call!(fast_path, false, ip, fp, run)
    }
}
