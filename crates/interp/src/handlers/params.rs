//! Checks of parameters against their declared types.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `VerifyParam` of the innermost frame `fp`. `a` is the parameter's
//! local, `b` has the types that need no further check as bits of their tags, and the inline cache knows classes whose objects the
//! declared type takes.

use super::{Handler, cache_of, fill_site, go, next, second_site, site, slow};
use crate::code::Site;
use crate::context::{Fp, Ip, Run, cell};
use crate::{megamorphic_cache, view};
use phlox_hhbc::TypeMask;
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{ClassRef, TypeSpec, Val, coerce};
use phlox_value::raw;
use std::rc::Rc;

/// `VerifyParam` of this and the following parameters, as long as each is of an expected type or of the cached class.
pub(super) unsafe extern "C-unwind" fn verify_param(mut ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `VerifyParam` is a local; the opline is never the last one, and its successor is checked before it is
    // executed.
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

/// `VerifyParam` of a value behind a reference, or of an object of a class that is not in the first cache.
#[inline(never)]
unsafe extern "C-unwind" fn verify_uncommon(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `VerifyParam`, as `verify_param` passed them on.
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
/// `ip` is an opline whose `d` is the offset of its inline caches, and `place` holds an object.
#[inline(always)]
pub(super) unsafe fn takes_class(ip: Ip, place: *const Val) -> bool {
    // SAFETY: `place` holds an object, and `ip` has a pair of caches at `d`.
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

/// Remembers that a declared type has taken objects of a class. The type's meaning must not depend on the call.
///
/// # Safety
/// `cache` is the first inline cache of the opline that checks this type.
pub(super) unsafe fn remember_class(cache: *mut Site, class: u64, declared: &Rc<TypeSpec>, scope: Option<&ClassRef>) {
    // SAFETY: `cache` is the first of a pair, to which no reference is in use.
    unsafe {
        let (ty, scope) = (Rc::as_ptr(declared) as u64, scope.map_or(0, |scope| Rc::as_ptr(scope) as u64));
        if (*cache).value != ty {
            // The type is kept for ever, so that no other type gets its address.
            std::mem::forget(Rc::clone(declared));
        }
        fill_site(cache, Site { key: class, value: ty, class: scope });
        megamorphic_cache::remember(megamorphic_cache::Key::of_type(class, ty, scope), 1);
    }
}

/// `VerifyParam` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn verify_param_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `VerifyParam` is a local, the parameter with the number that its offset gives.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        let index = ((*ip).a - crate::frame::HEADER) / crate::frame::CELL;
        let func = run.code().func();
        let param = &func.params[index as usize];
        if raw::tag(place) == raw::TI_OBJ
            && let Some(ty) = param.ty.as_ref().filter(|_| !param.variadic)
            && let Ok(true) = coerce::matches(run.vm, ty, &*place, func.scope.get(), None)
        {
            // `static` depends on the call; whether other objects than closures are callable depends on who asks.
            let is_closure = || (*place).as_obj().is_some_and(|object| object.native::<ClosureData>().is_some());
            let depends = ty.has(TypeMask::STATIC) || ty.has(TypeMask::CALLABLE) && !is_closure();
            if !depends {
                remember_class(cache_of(ip), raw::class_of(raw::payload(place)) as u64, ty, func.scope.get());
            }
            return run.finish(ip, Ok(()));
        }
        if !param.variadic
            && raw::tag(cell(fp, (*ip).a)) == raw::TI_INT
            && let Some(ty) = &param.ty
            && ty.has(TypeMask::FLOAT)
            && !ty.has(TypeMask::INT)
        {
            // The conversion that strict types allow, too.
            let number = raw::payload(place) as i64 as f64;
            raw::write(place, number.to_bits(), raw::TI_DOUBLE);
            return run.finish(ip, Ok(()));
        }
        if param.variadic
            && let Some(ty) = &param.ty
            && let Some(rest) = (*place).as_arr()
            && rest.iter().all(|(_, value)| !value.is_ref() && coerce::quick_match(ty, value))
        {
            return run.finish(ip, Ok(()));
        }
        let view = view::of(run.frame);
        let result = run.machine.verify_param(&view, phlox_hhbc::LocalId(index));
        run.finish(ip, result)
    }
}
