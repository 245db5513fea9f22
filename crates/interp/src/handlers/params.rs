//! Checks of parameters.

use super::{Handler, fill_site, go, next, second_site, site, slow};
use crate::code::Site;
use crate::context::{Fp, Ip, Run, cell};
use crate::view;
use phlox_runtime::closure::ClosureData;
use phlox_runtime::coerce;
use phlox_value::raw;

/// The parameter, and those of the oplines behind it.
pub(super) unsafe extern "C-unwind" fn verify_param(mut ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        loop {
            let place = cell(fp, (*ip).a);
            let tag = raw::tag(place);
            let fits = (*ip).b >> (tag & 0xff) & 1 != 0
                || tag == raw::TI_OBJ && site(fp, (*ip).d).key == raw::class_of(raw::payload(place)) as u64;
            if !fits {
                return verify_others(ip, fp, run);
            }
            ip = ip.add(1);
            if !std::ptr::fn_addr_eq((*ip).handler, verify_param as Handler) {
                go!(ip, fp, run)
            }
        }
    }
}

/// As [`verify_param`], for what references hold.
#[inline(never)]
unsafe extern "C-unwind" fn verify_others(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `verify_param`.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        if (*ip).b >> (raw::tag(place) & 0xff) & 1 != 0 {
            next!(ip, fp, run)
        }
        slow!(verify_param_slow, ip, fp, run)
    }
}

#[inline(never)]
unsafe fn verify_param_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        if raw::tag(place) == raw::TI_OBJ {
            let class = raw::class_of(raw::payload(place)) as u64;
            if site(fp, (*ip).d).key == class || second_site(fp, (*ip).d).key == class {
                return ip.add(1);
            }
        }
        let index = ((*ip).a - crate::frame::HEADER) / crate::frame::CELL;
        let func = run.code().func();
        let param = &func.params[index as usize];
        if raw::tag(place) == raw::TI_OBJ
            && let Some(ty) = param.ty.as_deref().filter(|_| !param.variadic)
            && let Ok(true) = coerce::matches(run.vm, ty, &*place, func.scope.get(), None)
        {
            // `static` depends on the call, whether other objects can be called on who asks.
            let is_closure = || (*place).as_obj().is_some_and(|object| object.native::<ClosureData>().is_some());
            let depends =
                ty.has(phlox_hhbc::TypeMask::STATIC) || ty.has(phlox_hhbc::TypeMask::CALLABLE) && !is_closure();
            if !depends {
                fill_site(fp, (*ip).d, Site { key: raw::class_of(raw::payload(place)) as u64, ..Site::default() });
            }
            return run.finish(ip, Ok(()));
        }
        let view = view::of(run.frame);
        let result = run.machine.verify_param(&view, phlox_hhbc::LocalId(index));
        run.finish(ip, result)
    }
}
