//! `isset` and `empty` of an element.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an `IssetElem` of the innermost frame `fp`; the base `a` and the key
//! `b` are sources, and `c` is an empty temporary.

use super::elements::{find, find_literal, quiet_base};
use super::{LITERAL, next, release_next, slow_switch, source, switch_handler};
use crate::context::{Fp, Ip, Run, cell};
use crate::implicit_calls;
use phlox_runtime::{Val, dims};
use phlox_value::raw;

/// The cell of the key, which is a literal or a local.
#[inline(always)]
unsafe fn key_of<const KEY: u8>(ip: Ip, fp: Fp) -> *mut Val {
    // SAFETY: `b` of the opline is a literal or a local, as `KEY` says.
    unsafe {
        let key = source::<KEY>(ip, fp, (*ip).b);
        if KEY == LITERAL { key } else { raw::look_through(key) }
    }
}

/// `isset` of an element of an array. `MOVES`: the base is a temporary, which is released.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn isset_quick<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IssetElem`: `a` is a cell of the frame, `b` a literal or a local.
    unsafe {
        let own = cell(fp, (*ip).a);
        let base = if MOVES { own } else { raw::look_through(own) };
        let key = key_of::<KEY>(ip, fp);
        let plain_key = raw::tag(key) == raw::TI_INT || raw::tag(key) & 0xff == raw::TI_STR_STATIC;
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC || !plain_key {
            return isset_byte::<KEY, MOVES>(ip, fp, run);
        }
        let element = if KEY == LITERAL { find_literal(base, key) } else { find(base, key) };
        let set = !element.is_null() && raw::tag(raw::look_through(element.cast_mut())) > raw::TI_NULL;
        let (own_payload, own_tag) = (raw::payload(own), raw::tag(own));
        raw::write_tag(cell(fp, (*ip).c), if set { raw::TI_TRUE } else { raw::TI_FALSE });
        if MOVES {
            release_next!(own_payload, own_tag, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `isset` of a byte of a string.
#[inline(never)]
unsafe extern "C-unwind" fn isset_byte<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IssetElem`, as `isset_quick` passed them on.
    unsafe {
        let own = cell(fp, (*ip).a);
        let base = if MOVES { own } else { raw::look_through(own) };
        let key = key_of::<KEY>(ip, fp);
        let (offset, tag) = (raw::payload(key) as i64, raw::tag(key));
        if raw::tag(base) & 0xff != raw::TI_STR_STATIC || tag != raw::TI_INT || offset < 0 {
            slow_switch!(isset_slow, ip, fp, run)
        }
        let set = (offset as usize) < raw::string_at(base).as_bytes().len();
        let (own_payload, own_tag) = (raw::payload(own), raw::tag(own));
        raw::write_tag(cell(fp, (*ip).c), if set { raw::TI_TRUE } else { raw::TI_FALSE });
        if MOVES {
            release_next!(own_payload, own_tag, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `empty` of an element of an array. `MOVES`: the base is a temporary, which is released.
pub(super) unsafe extern "C-unwind" fn empty_quick<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IssetElem`; the base is released after the destination is written.
    unsafe {
        let own = cell(fp, (*ip).a);
        let base = if MOVES { own } else { raw::look_through(own) };
        let key = key_of::<KEY>(ip, fp);
        let plain_key = raw::tag(key) == raw::TI_INT || raw::tag(key) & 0xff == raw::TI_STR_STATIC;
        if raw::tag(base) & 0xff != raw::TI_ARR_STATIC || !plain_key {
            slow_switch!(isset_slow, ip, fp, run)
        }
        let element = if KEY == LITERAL { find_literal(base, key) } else { find(base, key) };
        let empty = if element.is_null() { Some(true) } else { is_falsy(raw::look_through(element.cast_mut())) };
        let Some(empty) = empty else { slow_switch!(isset_slow, ip, fp, run) };
        let (own_payload, own_tag) = (raw::payload(own), raw::tag(own));
        raw::write_tag(cell(fp, (*ip).c), if empty { raw::TI_TRUE } else { raw::TI_FALSE });
        if MOVES {
            release_next!(own_payload, own_tag, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Is a value false as a condition? `None`: its class decides, or it is a resource.
#[inline(always)]
unsafe fn is_falsy(value: *const Val) -> Option<bool> {
    // SAFETY: the caller passes a live cell that is no reference.
    unsafe {
        Some(match raw::tag(value) & 0xff {
            raw::TI_UNDEF | raw::TI_NULL | raw::TI_FALSE => true,
            raw::TI_TRUE => false,
            raw::TI_INT => raw::payload(value) == 0,
            raw::TI_DOUBLE => f64::from_bits(raw::payload(value)) == 0.0,
            raw::TI_STR_STATIC => matches!(raw::string_at(value).as_bytes(), [] | [b'0']),
            raw::TI_ARR_STATIC => raw::array_at(value).is_empty(),
            _ => return None,
        })
    }
}

/// `isset` or `empty` of an element of any value; PHP code that this runs has ended when it returns. Executed for compiled code.
pub(super) unsafe fn isset_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IssetElem`, which `quiet_base` consumes.
    unsafe {
        let empty = run.meta(ip).n == 1;
        let result = quiet_base(ip, fp, run).and_then(|(base, key)| {
            let set = if base.is_null() { false } else { dims::isset(run.vm, &base, &key, empty)? };
            drop((base, key));
            run.store(ip, Val::bool(set != empty))
        });
        run.finish(ip, result)
    }
}

switch_handler!(generic, isset_slow);

/// `isset` or `empty` of an element of any value; an `offsetExists` runs as an implicit call in a frame above this one.
#[inline(never)]
unsafe fn isset_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IssetElem`, which `quiet_base` consumes; the object is retained while its method runs.
    unsafe {
        let meta = run.meta(ip);
        let empty = meta.n == 1;
        let result = quiet_base(ip, fp, run).and_then(|(base, key)| {
            if !empty
                && let Some(object) = base.as_obj()
                && let Some(func) = implicit_calls::offset_checker(object)
            {
                return Ok(Some((func, object.clone(), key)));
            }
            let set = if base.is_null() { false } else { dims::isset(run.vm, &base, &key, empty)? };
            drop((base, key));
            run.store(ip, Val::bool(set != empty)).map(|()| None)
        });
        match result {
            Ok(Some((func, object, key))) => implicit_calls::isset_offset(run, &func, object, key),
            other => run.finish(ip, other.map(drop)),
        }
    }
}
