//! Making arrays of their elements.

use super::elements::{literal_key, plain_key, value_operand};
use super::{LITERAL, next, slow, slow_handler, source};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use phlox_runtime::{PhpArr, PhpResult, Val, convert};
use phlox_value::raw;

slow_handler!(new_tuple, new_tuple_slow);

#[inline(never)]
pub(super) unsafe fn new_tuple_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; the values are temporaries in a row.
    unsafe {
        let count = (*ip).d as usize;
        let first = cell(fp, (*ip).a);
        let array = raw::list_of(first, count);
        raw::put(cell(fp, (*ip).c), array.into());
        run.finish(ip, Ok(()))
    }
}

slow_handler!(add_new, add_new_slow);

#[inline(never)]
pub(super) unsafe fn add_new_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let result =
            run.fetch(ip, (*ip).b, run.meta(ip).b).and_then(|value| match array_in_making(ip, fp, run)?.push(value) {
                Ok(()) => Ok(()),
                Err(_) => {
                    Err(run.vm.throw_error(b"Cannot add element to the array as the next element is already occupied"))
                }
            });
        consume_on_failure(ip, fp, run, result)
    }
}

slow_handler!(add, add_slow);

/// Adds an element under a literal name to an array that is being made; `COPIES`: the value is a local's.
pub(super) unsafe extern "C-unwind" fn add_quick<const VALUE: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let array = cell(fp, (*ip).a);
        let key = source::<LITERAL>(ip, fp, (*ip).b);
        let value = source::<VALUE>(ip, fp, (*ip).c);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        // Memory may run out.
        (*fp.cast::<Frame>()).ip = ip;
        if tag != raw::TI_UNDEF
            && tag != raw::TI_REF
            && is_array(array)
            && raw::tag(key) == raw::TI_STR_STATIC
            && raw::string_at(key).first().is_some_and(|byte| *byte > b'9')
            && raw::add_name(array, raw::string_at(key), payload, tag)
        {
            if COPIES {
                raw::retain(payload, tag);
            }
            next!(ip, fp, run)
        }
        slow!(add_slow, ip, fp, run)
    }
}

#[inline(never)]
pub(super) unsafe fn add_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let meta = run.meta(ip);
        if let Some(next) = add_literal(ip, fp, run) {
            return next;
        }
        let value = match value_operand(ip, run) {
            Ok(value) => value,
            Err(throw) => {
                if meta.b == Kind::Tmp {
                    drop(raw::take(cell(fp, (*ip).b)));
                }
                return consume_on_failure(ip, fp, run, Err(throw));
            }
        };
        let result = run.fetch(ip, (*ip).b, meta.b).and_then(|key| {
            if let Some(key) = plain_key(&key) {
                drop(array_in_making(ip, fp, run)?.insert(key, value));
                return Ok(());
            }
            let key = convert::to_key(run.vm, &key, convert::OffsetUse::Write)?;
            drop(array_in_making(ip, fp, run)?.insert(key.as_key(), value));
            Ok(())
        });
        consume_on_failure(ip, fp, run, result)
    }
}

/// Whether a cell holds an array. What is built on is one, but for bytecode that no compiler has made.
#[inline(always)]
unsafe fn is_array(cell: *const Val) -> bool {
    // SAFETY: called with a live cell.
    unsafe { raw::tag(cell) & 0xff == raw::TI_ARR_STATIC }
}

/// The array that an opline adds to.
unsafe fn array_in_making<'a>(ip: Ip, fp: Fp, run: &Run) -> PhpResult<&'a mut PhpArr> {
    // SAFETY: called with the opline of the innermost frame; the tag is looked at.
    unsafe {
        let place = cell(fp, (*ip).a);
        if is_array(place) { Ok(raw::array_at_mut(place)) } else { Err(run.vm.not_an_array()) }
    }
}

/// Adds a value that needs no look under a literal string key.
#[inline(always)]
unsafe fn add_literal(ip: Ip, fp: Fp, run: &mut Run) -> Option<Ip> {
    // SAFETY: called with the opline of the innermost frame.
    unsafe {
        let meta = run.meta(ip);
        if meta.b != Kind::Lit || meta.c == Kind::This || !is_array(cell(fp, (*ip).a)) {
            return None;
        }
        let key = source::<LITERAL>(ip, fp, (*ip).b);
        let value = if meta.c == Kind::Lit { source::<LITERAL>(ip, fp, (*ip).c) } else { cell(fp, (*ip).c) };
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        if raw::tag(key) != raw::TI_STR_STATIC || tag == raw::TI_UNDEF || tag == raw::TI_REF {
            return None;
        }
        if meta.c == Kind::Local {
            raw::retain(payload, tag);
        }
        let place = raw::array_at_mut(cell(fp, (*ip).a)).entry(literal_key(raw::string_at(key))).0;
        let old = place.replace(raw::value(payload, tag));
        drop(old);
        Some(run.finish(ip, Ok(())))
    }
}

/// The array under construction is an operand, too: it goes away when the opline throws.
unsafe fn consume_on_failure(ip: Ip, fp: Fp, run: &mut Run, result: PhpResult<()>) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let next = run.finish(ip, result);
        if run.thrown.is_some() {
            drop(raw::take(cell(fp, (*ip).a)));
        }
        next
    }
}
