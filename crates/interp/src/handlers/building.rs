//! Making arrays of their elements.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`, and its operands are cells of
//! that frame or literals. `a` of `AddNewElem` and `AddElem` is the temporary with the array that is being made; it stays, but is
//! released if the opline throws.

use super::elements::{literal_key, plain_key, value_operand};
use super::{LITERAL, next, slow, slow_handler, source};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use phlox_runtime::{PhpArr, PhpResult, Val, convert};
use phlox_value::raw;

slow_handler!(new_tuple, new_tuple_slow);

/// `NewTuple`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn new_tuple_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `NewTuple` has `d` full temporaries in a row from `a` on, which move into the array, and `c` is an empty temporary.
    unsafe {
        let count = (*ip).d as usize;
        let first = cell(fp, (*ip).a);
        let array = raw::list_of(first, count);
        raw::put(cell(fp, (*ip).c), array.into());
        run.finish(ip, Ok(()))
    }
}

slow_handler!(add_new, add_new_slow);

/// `AddNewElem`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn add_new_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `AddNewElem`: `a` is the array's temporary, `b` a source.
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

/// `AddElem` under a literal name; `COPIES`: the value is a local's and is retained.
pub(super) unsafe extern "C-unwind" fn add_quick<const VALUE: u8, const COPIES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `AddElem`: `a` is the array's temporary, `b` a literal, `c` a source.
    unsafe {
        let array = cell(fp, (*ip).a);
        let key = source::<LITERAL>(ip, fp, (*ip).b);
        let value = source::<VALUE>(ip, fp, (*ip).c);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        // An allocation may exceed the memory limit: the error needs the position.
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

/// `AddElem` for all keys and values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn add_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `AddElem`; the temporaries among `b` and `c` are consumed once.
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

/// Whether a cell holds an array. The compiler's bytecode only adds to arrays; other bytecode may not.
#[inline(always)]
unsafe fn is_array(cell: *const Val) -> bool {
    // SAFETY: the callers pass the cell of a full temporary.
    unsafe { raw::tag(cell) & 0xff == raw::TI_ARR_STATIC }
}

/// The array that an opline adds to.
unsafe fn array_in_making<'a>(ip: Ip, fp: Fp, run: &Run) -> PhpResult<&'a mut PhpArr> {
    // SAFETY: `a` is a temporary of the innermost frame, whose tag says that it holds an array.
    unsafe {
        let place = cell(fp, (*ip).a);
        if is_array(place) { Ok(raw::array_at_mut(place)) } else { Err(run.vm.not_an_array()) }
    }
}

/// `AddElem` of a value that is neither undefined nor a reference, under a literal string key. `None`: nothing was changed.
#[inline(always)]
unsafe fn add_literal(ip: Ip, fp: Fp, run: &mut Run) -> Option<Ip> {
    // SAFETY: operands of `AddElem`; each cell's tag is read before its payload is used.
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

/// Finishes an opline that adds to an array; if it throws, the array in `a` is released.
unsafe fn consume_on_failure(ip: Ip, fp: Fp, run: &mut Run, result: PhpResult<()>) -> Ip {
    // SAFETY: `a` is the array's temporary, full until it is taken here.
    unsafe {
        let next = run.finish(ip, result);
        if run.thrown.is_some() {
            drop(raw::take(cell(fp, (*ip).a)));
        }
        next
    }
}
