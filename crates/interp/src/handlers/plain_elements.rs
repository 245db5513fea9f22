//! Elements that slow paths of [`super::elements`] read and assign without running PHP code: bytes of strings, elements of builtin
//! objects, elements that a destructuring assigns to references.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`. When an element is read, `a` is
//! the base and `b` the key, both sources, and `c` the destination; when one is assigned, `a` is the local with the container, `b`
//! the key and `c` the value.

use super::elements::find_literal;
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell, literal};
use phlox_runtime::class::{FastElements, Magic};
use phlox_runtime::{ObjExt, PhpObj, Val};
use phlox_value::raw;

/// The cell with the value of a source, behind a reference if it is that of a local; `None` for `$this`.
unsafe fn source_place(ip: Ip, fp: Fp, offset: u32, kind: Kind) -> Option<*mut Val> {
    // SAFETY: the callers pass a source of `ip`, an opline of the innermost frame `fp`.
    unsafe {
        match kind {
            Kind::Lit => Some(literal(ip, offset)),
            Kind::Local => Some(raw::look_through(cell(fp, offset))),
            Kind::Tmp => Some(cell(fp, offset)),
            Kind::None | Kind::This => None,
        }
    }
}

/// `SetElem` of a byte that exists in a string which nobody else holds: the string is not copied. False if nothing happened.
pub(super) unsafe fn set_byte(ip: Ip, fp: Fp, run: &mut Run) -> bool {
    // SAFETY: operands of `SetElem`; the byte is read before the string changes, which may be the same one.
    unsafe {
        let meta = run.meta(ip);
        let base = raw::look_through(cell(fp, (*ip).a));
        let (Some(key), Some(value)) = (source_place(ip, fp, (*ip).b, meta.b), source_place(ip, fp, (*ip).c, meta.c))
        else {
            return false;
        };
        let fits = raw::tag(base) == raw::TI_STR
            && raw::tag(key) == raw::TI_INT
            && raw::tag(value) & 0xff == raw::TI_STR_STATIC;
        if !fits {
            return false;
        }
        let &[byte] = raw::string_at(value).as_bytes() else { return false };
        let is_set = raw::set_byte(base, raw::payload(key) as usize, byte);
        if is_set && meta.c == Kind::Tmp {
            drop(raw::take(value));
        }
        is_set
    }
}

/// What a builtin class that stores elements itself has for reading or writing them without a call; `None`: the object is of
/// another kind, or PHP code stands in.
fn stored_elements(object: &PhpObj, written: impl Fn(&Magic) -> bool) -> Option<&'static FastElements> {
    let class = object.class();
    class.native.fast_elements.filter(|_| class.native.own_elements.is_none() && !written(&class.magic))
}

/// `SetElem` of an object of such a class. False if nothing happened.
pub(super) unsafe fn set_stored(ip: Ip, fp: Fp, run: &mut Run) -> bool {
    // SAFETY: operands of `SetElem`; nothing can change the variable before the old element is dropped.
    unsafe {
        let meta = run.meta(ip);
        let base = raw::look_through(cell(fp, (*ip).a));
        let Some(elements) =
            (*base).as_obj().and_then(|object| stored_elements(object, |own| own.offset_set.is_some()))
        else {
            return false;
        };
        let (Some(key), Some(value)) = (source_place(ip, fp, (*ip).b, meta.b), source_place(ip, fp, (*ip).c, meta.c))
        else {
            return false;
        };
        if raw::tag(key) == raw::TI_UNDEF || raw::tag(value) == raw::TI_UNDEF {
            return false;
        }
        // The destructor of the old element may drop the variable; the object goes after it.
        let Some(object) = (*base).as_obj().cloned() else { return false };
        let Some(old) = (elements.set)(&object, Some(&*key), &*value) else { return false };
        for (place, kind) in [(key, meta.b), (value, meta.c)] {
            if kind == Kind::Tmp {
                drop(raw::take(place));
            }
        }
        drop(old);
        drop(object);
        true
    }
}

/// `GetElem` of an object of a builtin class that stores elements itself. `None`: nothing happened.
pub(super) unsafe fn get_stored(ip: Ip, fp: Fp, run: &mut Run) -> Option<Ip> {
    // SAFETY: operands of `GetElem`; the value is taken before the temporaries are released.
    unsafe {
        let meta = run.meta(ip);
        let base = source_place(ip, fp, (*ip).a, meta.a)?;
        let object = (*base).as_obj()?;
        let elements = stored_elements(object, |own| own.offset_get.is_some())?;
        let key = source_place(ip, fp, (*ip).b, meta.b).filter(|&key| raw::tag(key) != raw::TI_UNDEF)?;
        let value = (elements.get)(object, &*key)?.into_deref();
        for (place, kind) in [(base, meta.a), (key, meta.b)] {
            if kind == Kind::Tmp {
                drop(raw::take(place));
            }
        }
        let result = run.store(ip, value);
        Some(run.finish(ip, result))
    }
}

/// The element of an array that a literal key of `GetElemList` names, if there is one.
pub(super) unsafe fn list_value(ip: Ip, fp: Fp, run: &Run) -> Option<Val> {
    // SAFETY: operands of `GetElemList`: `a` is a cell of the frame, `b` a source.
    unsafe {
        let meta = run.meta(ip);
        let base = source_place(ip, fp, (*ip).a, meta.a)?;
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC || meta.b != Kind::Lit {
            return None;
        }
        let key = literal(ip, (*ip).b);
        if raw::tag(key) == raw::TI_INT
            && let Some((payload, tag)) = raw::unboxed_at(raw::payload(base), raw::payload(key))
        {
            return Some(raw::value(payload, tag));
        }
        let element = find_literal(base, key);
        (!element.is_null()).then(|| (*raw::look_through(element.cast_mut())).clone())
    }
}
