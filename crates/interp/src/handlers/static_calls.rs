//! Static calls: `A::f()`, `self::f()`, `parent::f()`, `static::f()`.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an `InitStatic` of the innermost frame `fp`. `a` is the place of the
//! header in that frame, `b` the literal name of the class if it is named, and `c` that of the method. The header may borrow the
//! frame's `$this`.

use super::calls::{class_of, finish_init};
use super::{next, numbered_site, site, slow};
use crate::code::{FuncCode, Site};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::{FLAG_BORROWS_THIS, Frame};
use crate::named_sites::{self, Held};
use crate::{calls, view};
use phlox_lower::{ClassBy, FORWARDS};
use phlox_runtime::{Callee, ClassExt, ClassRef, ObjExt, PhpResult, dynamic_call};
use phlox_value::raw;
use std::rc::Rc;

/// In the key of a static call's cache: the callee does not depend on the late static binding class.
const ANY_CLASS: u64 = 1;
/// In the value of a static call's cache: the method is called on `$this`.
const ON_THIS: u64 = 1;

/// `InitStatic` of a method that the inline cache knows.
pub unsafe extern "C-unwind" fn init_static(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `InitStatic`, which has an inline cache at `d`; the frame holds `$this` longer than the header borrows
    // it.
    unsafe {
        let frame = fp.cast::<Frame>();
        let cache = site(ip);
        let known = cache.key == ANY_CLASS || (cache.key != 0 && cache.key == (*frame).static_class as u64);
        let this = (*frame).this;
        let on_this = cache.value & ON_THIS != 0;
        if !known || (on_this && this == 0) {
            slow!(init_static_slow, ip, fp, run)
        }
        let header = cell(fp, (*ip).a).cast::<Frame>();
        Frame::prepare(header, (cache.value & !ON_THIS) as *const FuncCode);
        if on_this {
            (*header).flags = FLAG_BORROWS_THIS;
            (*header).this = this;
            (*header).static_class = raw::class_of(this);
        } else {
            (*header).static_class = cache.class as *const phlox_value::ClassHeader;
        }
        next!(ip, fp, run)
    }
}

/// `InitStatic` of all methods; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn init_static_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitStatic`: `c`, and `b` if the class is named, are literal strings; `a` is the location of the header.
    unsafe {
        let meta = run.meta(ip);
        let by = ClassBy::of(meta.n);
        if let Some(next) = init_static_magic(ip, fp, meta) {
            return next;
        }
        let result = class_of(run, ip, (*ip).b, by).and_then(|class| {
            let name = raw::string_at(literal(ip, (*ip).c)).clone();
            let forward = meta.n & FORWARDS != 0;
            let callee = static_callee(run, &class, &name, forward)?;
            if let (ClassBy::Name, false, 0, None, Some(class)) =
                (by, forward, (*run.frame).this, &callee.this, &callee.static_class)
                && callee.magic_name.as_ref() == Some(&name)
                && !class.class().is_trait()
            {
                let value = FuncCode::of(&callee.func) as u64;
                named_sites::note(super::numbered_cache(fp, meta.site), Held::Addresses);
                *numbered_site(fp, meta.site) = Site { key: MAGIC_STATIC, value, class: Rc::as_ptr(class) as u64 };
            }
            if callee.magic_name.is_none() && callee.closure.is_none() && !class.class().is_trait() {
                if by == ClassBy::Name {
                    named_sites::note(super::numbered_cache(fp, meta.site), Held::Addresses);
                }
                remember_static(numbered_site(fp, meta.site), run, by, forward, &callee);
            }
            calls::set_header(cell(fp, (*ip).a).cast(), callee);
            Ok(())
        });
        finish_init(run, ip, fp, result)
    }
}

/// In the key of a static call's cache: the value is `__callStatic` of the class.
const MAGIC_STATIC: u64 = 3;

/// Opens a static call of a method that `__callStatic` stands in for, by the inline cache. `None`: the cache is about something
/// else; nothing was done.
unsafe fn init_static_magic(ip: Ip, fp: Fp, meta: &crate::code::Meta) -> Option<Ip> {
    // SAFETY: operands of `InitStatic`; `meta` is its description, whose `site` numbers a cache of the function.
    unsafe {
        let cache = numbered_site(fp, meta.site);
        if cache.key != MAGIC_STATIC || (*fp.cast::<Frame>()).this != 0 {
            return None;
        }
        let header = cell(fp, (*ip).a).cast::<Frame>();
        calls::prepare_magic(header, cache.value, cache.class, raw::string_at(literal(ip, (*ip).c)));
        Some(ip.add(1))
    }
}

/// Fills the cache of a static call whose callee depends on nothing but the late static binding class.
unsafe fn remember_static(cache: &mut Site, run: &Run, by: ClassBy, forward: bool, callee: &Callee) {
    let code = FuncCode::of(&callee.func) as u64;
    // SAFETY: a slow path calls this while the innermost frame is the caller's.
    let late = unsafe { (*run.frame).static_class } as u64;
    match (&callee.this, &callee.static_class) {
        // A method of the scope's class or of its parent: `$this` is always an object of it.
        (Some(_), _) if matches!(by, ClassBy::SelfClass | ClassBy::Parent) => {
            *cache = Site { key: ANY_CLASS, value: code | ON_THIS, class: 0 };
        }
        (None, Some(class)) => {
            let key = if by == ClassBy::Name && !forward { ANY_CLASS } else { late };
            *cache = Site { key, value: code, class: Rc::as_ptr(class) as u64 };
        }
        _ => {}
    }
}

/// The method that a static call calls, with its `$this` or late static binding class.
unsafe fn static_callee(
    run: &mut Run,
    class: &ClassRef,
    name: &phlox_runtime::PhpStr,
    forward: bool,
) -> PhpResult<Callee> {
    // SAFETY: a slow path calls this while the innermost frame is the caller's, whose classes live as long as the request.
    unsafe {
        // Most calls need no view of the frame: those of a visible method of the class, or of `$this`'s class.
        let key = phlox_runtime::strmap::lower_str(name);
        let access = run.access();
        let target = class.class();
        let func = target.method(&key).filter(|func| run.vm.can_call(func, access.scope));
        if let Some(func) = func.filter(|func| !func.is_abstract() && !target.is_trait()) {
            if !func.is_static() {
                if let Some(this) = run.this().filter(|this| this.is_a(class)) {
                    return Ok(Callee::method(func.clone(), this.clone()));
                }
            } else {
                let late = calls::class_ref((*run.frame).static_class);
                let late = late.filter(|late| forward && late.class().is_a(class));
                return Ok(Callee::static_method(func.clone(), late.unwrap_or_else(|| class.clone())));
            }
        }
        let view = view::of(run.frame);
        dynamic_call::static_method(run.vm, &view, class, name, forward)
    }
}
