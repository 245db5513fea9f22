//! Properties whose names are values: `$object->$name`; and those by their literal names where there is no inline cache.
//!
//! Where they are is in the global cache, if the name is an interned string, as most are. Everything else is the plain
//! interpreter's.

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

pub fn select(opline: &Opline) -> Handler {
    if opline.op == OpCode::GetPropNamed { get } else { set }
}

slow_handler!(get, get_slow);
slow_handler!(set, set_slow);

/// The object and the name; `None`: they are no such things, or a reference holds the name.
unsafe fn operands<'a>(ip: Ip, fp: Fp, run: &Run) -> Option<(u64, &'a PhpStr)> {
    // SAFETY: called by handlers with their opline; the name is there until they take it.
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

/// What the global cache says about a property; it is looked up if it is not there.
unsafe fn find(run: &Run, object: u64, name: &PhpStr, writes: bool) -> Option<u64> {
    // SAFETY: called with an object, whose handle is its payload.
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

#[inline(never)]
pub(super) unsafe fn get_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; a remembered slot is one of the class.
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

/// The value lies behind the name, if that is a temporary, and leaves a copy as the result.
#[inline(never)]
pub(super) unsafe fn set_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; its inputs are consumed.
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

/// The object whose property an opline is about, if that is in a variable or a temporary, or `$this`.
unsafe fn object_of(ip: Ip, fp: Fp, run: &Run) -> Option<u64> {
    // SAFETY: called with an opline of the innermost frame.
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

/// Reads a property by its literal name for compiled code, which has no use for the inline caches of handlers.
pub(super) unsafe fn get_literal_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called with an opline that reads a property.
    unsafe {
        let Some(value) = read_known(ip, fp, run) else { return own_props::get_alone_slow(ip, fp, run) };
        if run.meta(ip).a == Kind::Tmp {
            drop(raw::take(cell(fp, (*ip).a)));
        }
        let result = run.store(ip, value);
        run.finish(ip, result)
    }
}

/// Assigns to one, as [`get_literal_slow`].
pub(super) unsafe fn set_literal_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called with an opline that assigns to a property.
    unsafe {
        match assign_known(ip, fp, run) {
            true => run.finish(ip, Ok(())),
            false => own_props::set_alone_slow(ip, fp, run),
        }
    }
}

/// What a property by its literal name holds, if the global cache knows where that is.
unsafe fn read_known(ip: Ip, fp: Fp, run: &Run) -> Option<Val> {
    // SAFETY: called with an opline that reads a property; a remembered slot is one of the class.
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

/// Assigns to a property by its literal name, as [`read_known`]. False: nothing happened.
unsafe fn assign_known(ip: Ip, fp: Fp, run: &Run) -> bool {
    // SAFETY: called with an opline that assigns to a property; a temporary is given up.
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
