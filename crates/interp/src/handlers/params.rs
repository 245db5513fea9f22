//! Checks of parameters.

use super::{Handler, cache_of, fill_site, go, next, second_site, site, slow};
use crate::code::Site;
use crate::context::{Fp, Ip, Run, cell};
use crate::{megamorphic_cache, view};
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{ClassRef, TypeSpec, Val, coerce};
use phlox_value::raw;
use std::rc::Rc;

/// The parameter, and those of the oplines behind it.
pub(super) unsafe extern "C-unwind" fn verify_param(mut ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        loop {
            let place = cell(fp, (*ip).a);
            let tag = raw::tag(place);
            let fits = (*ip).b >> (tag & 0xff) & 1 != 0
                || tag == raw::TI_OBJ && site(ip).key == raw::class_of(raw::payload(place)) as u64;
            if !fits {
                return verify_uncommon(ip, fp, run);
            }
            ip = ip.add(1);
            if !std::ptr::fn_addr_eq((*ip).handler, verify_param as Handler) {
                go!(ip, fp, run)
            }
        }
    }
}

/// As [`verify_param`], for what references hold, and objects of further classes.
#[inline(never)]
unsafe extern "C-unwind" fn verify_uncommon(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `verify_param`.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        let tag = raw::tag(place);
        if (*ip).b >> (tag & 0xff) & 1 != 0 || tag == raw::TI_OBJ && takes_class(ip, place) {
            next!(ip, fp, run)
        }
        slow!(verify_param_slow, ip, fp, run)
    }
}

/// Has the declared type of a parameter or result taken objects of this class before?
///
/// # Safety
/// As for [`site`]; the cell holds an object.
#[inline(always)]
pub(super) unsafe fn takes_class(ip: Ip, place: *const Val) -> bool {
    // SAFETY: by the caller.
    unsafe {
        let class = raw::class_of(raw::payload(place)) as u64;
        let cache = site(ip);
        if cache.key == class || second_site(ip).key == class {
            return true;
        }
        cache.value != 0
            && megamorphic_cache::find(megamorphic_cache::Key::of_type(class, cache.value, cache.class)).is_some()
    }
}

/// Remembers that a declared type has taken objects of a class: what it says does not depend on the call.
///
/// # Safety
/// The first cache of an opline is that of the type.
pub(super) unsafe fn remember_class(cache: *mut Site, class: u64, declared: &Rc<TypeSpec>, scope: Option<&ClassRef>) {
    // SAFETY: by the caller.
    unsafe {
        let (ty, scope) = (Rc::as_ptr(declared) as u64, scope.map_or(0, |scope| Rc::as_ptr(scope) as u64));
        if (*cache).value != ty {
            // The address stays that of this type.
            std::mem::forget(Rc::clone(declared));
        }
        fill_site(cache, Site { key: class, value: ty, class: scope });
        megamorphic_cache::remember(megamorphic_cache::Key::of_type(class, ty, scope), 1);
    }
}

#[inline(never)]
pub(super) unsafe fn verify_param_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        let index = ((*ip).a - crate::frame::HEADER) / crate::frame::CELL;
        let func = run.code().func();
        let param = &func.params[index as usize];
        if raw::tag(place) == raw::TI_OBJ
            && let Some(ty) = param.ty.as_ref().filter(|_| !param.variadic)
            && let Ok(true) = coerce::matches(run.vm, ty, &*place, func.scope.get(), None)
        {
            // `static` depends on the call, whether other objects can be called on who asks.
            let is_closure = || (*place).as_obj().is_some_and(|object| object.native::<ClosureData>().is_some());
            let depends =
                ty.has(phlox_hhbc::TypeMask::STATIC) || ty.has(phlox_hhbc::TypeMask::CALLABLE) && !is_closure();
            if !depends {
                remember_class(cache_of(ip), raw::class_of(raw::payload(place)) as u64, ty, func.scope.get());
            }
            return run.finish(ip, Ok(()));
        }
        let view = view::of(run.frame);
        let result = run.machine.verify_param(&view, phlox_hhbc::LocalId(index));
        run.finish(ip, result)
    }
}
