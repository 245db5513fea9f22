//! `isset` and `empty` of an element.

use super::elements::{find, find_literal, quiet_base};
use super::{LITERAL, next, release_next, slow_switch, source, switch_handler};
use crate::context::{Fp, Ip, Run, cell};
use crate::implicit_calls;
use phlox_runtime::{Val, dims};
use phlox_value::raw;

/// The key, which is a literal or a local.
#[inline(always)]
unsafe fn key_of<const KEY: u8>(ip: Ip, fp: Fp) -> *mut Val {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let key = source::<KEY>(ip, fp, (*ip).b);
        if KEY == LITERAL { key } else { raw::look_through(key) }
    }
}

#[inline(never)]
pub(super) unsafe extern "C-unwind" fn isset_quick<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// As [`isset_quick`], of a byte of a string.
#[inline(never)]
unsafe extern "C-unwind" fn isset_byte<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `isset_quick`.
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

/// `empty($a[$b])` of an array.
pub(super) unsafe extern "C-unwind" fn empty_quick<const KEY: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// Is it false as a condition? `None`: its class has to be asked.
#[inline(always)]
unsafe fn is_falsy(value: *const Val) -> Option<bool> {
    // SAFETY: called with a live cell.
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

/// As [`isset_slow`]; what that runs is over when it returns.
pub(super) unsafe fn isset_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
unsafe fn isset_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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
