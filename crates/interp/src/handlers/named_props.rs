//! Properties whose names are values, `$object->$name`; and properties by a literal name for compiled code, which does not use the
//! handlers' inline caches.
//!
//! The megamorphic cache knows where the properties are, if the name is an interned string, as most are. The reference interpreter
//! does the rest.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`. In `GetPropNamed` and
//! `SetPropNamed` `c` is the object and `b` the name, both cells of that frame or `$this`; the inputs start at temporary `a`,
//! where the result goes.

use super::props::{place_in_class, remember_dynamic, set_known};
use super::{Handler, misc, props as own_props, slow_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::{CELL, Frame};
use crate::megamorphic_cache;
use phlox_lower::{OpCode, Opline};
use phlox_runtime::props::{self, ReadMode};
use phlox_runtime::{Class, ClassExt, PhpObj, PhpStr, Val};
use phlox_value::raw;

/// The handler of a `GetPropNamed` or `SetPropNamed`.
pub fn select(opline: &Opline) -> Handler {
    if opline.op == OpCode::GetPropNamed { get } else { set }
}

slow_handler!(get, get_slow);
slow_handler!(set, set_slow);

/// The payload of the object and the name, borrowed. `None`: `c` is no object, or `b` is no string, or a reference to one.
unsafe fn operands<'a>(ip: Ip, fp: Fp, run: &Run) -> Option<(u64, &'a PhpStr)> {
    // SAFETY: `b` and `c` are cells of the frame; the caller uses the name only until it takes the operand.
    unsafe {
        let meta = run.meta(ip);
        let object = match meta.c {
            Kind::This => (*run.frame).this,
            _ => {
                let place = raw::look_through(cell(fp, (*ip).c));
                if raw::tag(place) == raw::TI_OBJ { raw::payload(place) } else { 0 }
            }
        };
        let name = cell(fp, (*ip).b);
        if object == 0 || raw::tag(name) & 0xff != raw::TI_STR_STATIC {
            return None;
        }
        Some((object, raw::string_at(name)))
    }
}

/// What the megamorphic cache says about a property; if it says nothing yet, the property is looked up and remembered.
unsafe fn find(run: &Run, object: u64, name: &PhpStr, writes: bool) -> Option<u64> {
    // SAFETY: the callers pass the payload of a live object, whose handle has the same bits.
    unsafe {
        if !name.is_interned() {
            return None;
        }
        let (class, access) = (raw::class_of(object) as u64, run.access());
        let kind = if writes { megamorphic_cache::SETTABLE } else { megamorphic_cache::PROPERTY };
        let key = megamorphic_cache::Key::new(class | kind, name, access.scope);
        if let Some(found) = megamorphic_cache::find(key) {
            return Some(found);
        }
        let handle = &*(&raw const object).cast::<PhpObj>();
        let own: &Class = handle.class_header().class();
        match place_in_class(own, class, name, access, writes) {
            Some(found) => megamorphic_cache::remember(key, if writes { found.value } else { found.value & 0xffff }),
            None => remember_dynamic(own, class, name, access, writes),
        }
        megamorphic_cache::find(key)
    }
}

/// `GetPropNamed`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn get_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetPropNamed`; a remembered slot is one of the class, and a temporary name is taken once.
    unsafe {
        let Some((object, name)) = operands(ip, fp, run) else { return misc::step_alone(ip, fp, run) };
        let takes_name = run.meta(ip).b == Kind::Tmp;
        let place = match find(run, object, name, false) {
            Some(megamorphic_cache::DYNAMIC) => raw::dynamic_property(object, name),
            Some(slot) => raw::property(object, slot as usize),
            None => std::ptr::null_mut(),
        };
        if !place.is_null() && raw::tag(raw::look_through(place)) != raw::TI_UNDEF {
            let place = raw::look_through(place);
            let (payload, tag) = (raw::payload(place), raw::tag(place));
            raw::retain(payload, tag);
            if takes_name {
                raw::release(raw::payload(cell(fp, (*ip).b)), raw::tag(cell(fp, (*ip).b)));
            }
            raw::write(cell(fp, (*ip).a), payload, tag);
            return ip.add(1);
        }
        let (object, name) = ((*(&raw const object).cast::<PhpObj>()).clone(), name.clone());
        if takes_name {
            drop(raw::take(cell(fp, (*ip).b)));
        }
        let result = props::read(run.vm, &object, &name, run.access(), ReadMode::Warn);
        run.finish(ip, result.map(|value| raw::put(cell(fp, (*ip).a), value)))
    }
}

/// `SetPropNamed`; also executed for compiled code. The value is the last of the `n` inputs that start at `a`, and a copy of it is
/// the result.
#[inline(never)]
pub(super) unsafe fn set_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetPropNamed`: the value's count moves into the property, and a temporary name is taken once.
    unsafe {
        let meta = run.meta(ip);
        let value = cell(fp, (*ip).a + (meta.n - 1) * CELL);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        let known = operands(ip, fp, run)
            .filter(|_| tag != raw::TI_UNDEF && tag != raw::TI_REF)
            .and_then(|(object, name)| set_known(find(run, object, name, true)?, object, name, (payload, tag)));
        let Some((old, old_tag)) = known else { return misc::step_alone(ip, fp, run) };
        raw::retain(payload, tag);
        if meta.b == Kind::Tmp {
            drop(raw::take(cell(fp, (*ip).b)));
        }
        raw::put(cell(fp, (*ip).a), raw::value(payload, tag));
        raw::release(old, old_tag);
        run.finish(ip, Ok(()))
    }
}

/// The payload of the object whose property an opline is about, if it is in a local or a temporary, or `$this`.
unsafe fn object_of(ip: Ip, fp: Fp, run: &Run) -> Option<u64> {
    // SAFETY: `a` is an operand of `ip`, an opline of the innermost frame.
    unsafe {
        let base = match run.meta(ip).a {
            Kind::This => return Some((*fp.cast::<Frame>()).this).filter(|&this| this != 0),
            Kind::Local => raw::look_through(cell(fp, (*ip).a)),
            Kind::Tmp => cell(fp, (*ip).a),
            _ => return None,
        };
        (raw::tag(base) == raw::TI_OBJ).then(|| raw::payload(base))
    }
}

/// `GetProp`, executed for compiled code, which has no use for the inline caches of handlers.
pub(super) unsafe fn get_literal_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `GetProp`: a temporary `a` is taken once; `store` writes `c`.
    unsafe {
        let Some(value) = read_known(ip, fp, run) else { return own_props::get_alone_slow(ip, fp, run) };
        if run.meta(ip).a == Kind::Tmp {
            drop(raw::take(cell(fp, (*ip).a)));
        }
        let result = run.store(ip, value);
        run.finish(ip, result)
    }
}

/// `SetProp`, executed for compiled code, which has no use for the inline caches of handlers.
pub(super) unsafe fn set_literal_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `SetProp`, which one of the two paths consumes.
    unsafe {
        match assign_known(ip, fp, run) {
            true => run.finish(ip, Ok(())),
            false => own_props::set_alone_slow(ip, fp, run),
        }
    }
}

/// The value of a property by its literal name, if the megamorphic cache knows where it is.
unsafe fn read_known(ip: Ip, fp: Fp, run: &Run) -> Option<Val> {
    // SAFETY: `b` of a `GetProp` is a literal string, and a remembered slot is one of the object's class.
    unsafe {
        let (object, name) = (object_of(ip, fp, run)?, raw::string_at(literal(ip, (*ip).b)));
        let place = match find(run, object, name, false)? {
            megamorphic_cache::DYNAMIC => raw::dynamic_property(object, name),
            slot => raw::property(object, slot as usize),
        };
        if place.is_null() {
            return None;
        }
        let place = raw::look_through(place);
        (raw::tag(place) != raw::TI_UNDEF).then(|| (*place).clone())
    }
}

/// Assigns to a property by its literal name, if the megamorphic cache knows where it is. False: nothing was assigned.
unsafe fn assign_known(ip: Ip, fp: Fp, run: &Run) -> bool {
    // SAFETY: operands of `SetProp`: a retained value moves into the property, and a temporary `c` is taken once.
    unsafe {
        let meta = run.meta(ip);
        let from = match meta.c {
            Kind::Lit => literal(ip, (*ip).c),
            Kind::Local => raw::look_through(cell(fp, (*ip).c)),
            Kind::Tmp => cell(fp, (*ip).c),
            _ => return false,
        };
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        if meta.a == Kind::Tmp || tag == raw::TI_UNDEF || tag == raw::TI_REF {
            return false;
        }
        let Some(object) = object_of(ip, fp, run) else { return false };
        let name = raw::string_at(literal(ip, (*ip).b));
        let Some(found) = find(run, object, name, true) else { return false };
        raw::retain(payload, tag);
        let Some((old, old_tag)) = set_known(found, object, name, (payload, tag)) else {
            raw::release(payload, tag);
            return false;
        };
        if meta.c == Kind::Tmp {
            drop(raw::take(from));
        }
        raw::release(old, old_tag);
        true
    }
}
