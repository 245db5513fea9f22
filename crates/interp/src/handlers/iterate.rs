//! `foreach`.

use super::{Handler, jump, slow, slow_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{CELL, Frame};
use crate::iterator;
use phlox_lower::{OpCode, Opline};
use phlox_oracle::iterators::{self, Iter};
use phlox_runtime::{PhpResult, Val};
use phlox_value::raw;

pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::IterInit => init,
        OpCode::IterInitRef => init_ref,
        OpCode::IterNext => advance,
        _ => free,
    }
}

slow_handler!(init, init_slow);

#[inline(never)]
unsafe fn init_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let meta = run.meta(ip);
        let iter = Frame::iter(run.frame, meta.n);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|subject| {
            let subject = subject.into_deref();
            if subject.as_arr().is_some() {
                iterator::set_array(iter, subject);
                let found = step_array(ip, fp, run, iter)?;
                if !found {
                    iterator::free(iter);
                }
                return Ok(found);
            }
            let Some(started) = iterators::start(run.vm, run.access(), &subject)? else { return Ok(false) };
            drop(subject);
            first(ip, fp, run, started)
        });
        finish_init(run, ip, result)
    }
}

slow_handler!(init_ref, init_ref_slow);

#[inline(never)]
unsafe fn init_ref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let meta = run.meta(ip);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|subject| {
            let Some(reference) = subject.as_ref() else { return Ok(false) };
            match iterators::start_by_reference(run.vm, run.access(), reference)? {
                Some(started) => first(ip, fp, run, started),
                None => Ok(false),
            }
        });
        finish_init(run, ip, result)
    }
}

/// The loop is entered when there is an element, else it is jumped over.
unsafe fn finish_init(run: &mut Run, ip: Ip, result: PhpResult<bool>) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let (found, result) = match result {
            Ok(found) => (found, Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, !found)
    }
}

unsafe fn first(ip: Ip, fp: Fp, run: &mut Run, mut started: Iter) -> PhpResult<bool> {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let iter = Frame::iter(run.frame, run.meta(ip).n);
        let wants_key = run.meta(ip).c != Kind::None;
        match started.fetch(run.vm, run.access(), wants_key)? {
            None => Ok(false),
            Some((key, value)) => {
                iterator::set_boxed(iter, Box::new(started));
                assign_element(ip, fp, run, key, value)?;
                Ok(true)
            }
        }
    }
}

unsafe fn assign_element(ip: Ip, fp: Fp, run: &mut Run, key: Val, value: Val) -> PhpResult<()> {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let place = cell(fp, (*ip).b);
        if value.is_ref() {
            drop((*place).replace(value));
        } else {
            run.assign(place, value)?;
        }
        if (*ip).c != 0 {
            run.assign(cell(fp, (*ip).c), key)?;
        }
        Ok(())
    }
}

/// The next position of the array with an element: its cell and key words; null at the end.
#[inline(always)]
unsafe fn next_element(iter: *mut Val) -> (*mut Val, u64, u64) {
    // SAFETY: the iterator walks an array, which it holds.
    unsafe {
        let (data, stride, used) = raw::positions(raw::payload(iter));
        let mut position = raw::payload(iter.add(1)) as u32;
        while position < used {
            let bucket = data.add(position as usize * stride);
            let element = bucket.cast::<Val>();
            position += 1;
            if raw::tag(element) != raw::TI_UNDEF {
                raw::write(iter.add(1), position as u64, raw::TI_INT);
                let (hash, key) = match stride == CELL as usize {
                    true => (position as u64 - 1, 0),
                    false => raw::bucket_key(bucket),
                };
                return (element, hash, key);
            }
        }
        (std::ptr::null_mut(), 0, 0)
    }
}

/// Moves on over an array; false at its end.
unsafe fn step_array(ip: Ip, fp: Fp, run: &mut Run, iter: *mut Val) -> PhpResult<bool> {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let (element, hash, key) = next_element(iter);
        if element.is_null() {
            return Ok(false);
        }
        let value = (*raw::look_through(element)).clone();
        let key = if (*ip).c == 0 { Val::NULL } else { key_value(hash, key) };
        assign_element(ip, fp, run, key, value)?;
        Ok(true)
    }
}

/// The key as a value.
unsafe fn key_value(hash: u64, key: u64) -> Val {
    if key == 0 {
        return Val::int(hash as i64);
    }
    // SAFETY: a bucket's key is a live string handle.
    unsafe { (*(&raw const key).cast::<phlox_runtime::PhpStr>()).clone() }.into()
}

unsafe extern "C-unwind" fn advance(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let iter = cell(fp, (*ip).a);
        let to = cell(fp, (*ip).b);
        let simple = raw::tag(iter) & 0xff == raw::TI_ARR_STATIC && raw::tag(to) & raw::COUNTED == 0;
        if !simple || ((*ip).c != 0 && raw::tag(cell(fp, (*ip).c)) & raw::COUNTED != 0) {
            slow!(advance_slow, ip, fp, run)
        }
        let (element, hash, key) = next_element(iter);
        if element.is_null() {
            slow!(end_slow, ip, fp, run)
        }
        let element = raw::look_through(element);
        let (payload, tag) = (raw::payload(element), raw::tag(element));
        raw::retain(payload, tag);
        raw::write(to, payload, tag);
        if (*ip).c != 0 {
            let to = cell(fp, (*ip).c);
            if key == 0 {
                raw::write(to, hash, raw::TI_INT);
            } else {
                raw::put(to, key_value(hash, key));
            }
        }
        jump!(ip, fp, run, true)
    }
}

#[inline(never)]
unsafe fn end_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        iterator::free(cell(fp, (*ip).a));
        run.finish(ip, Ok(()))
    }
}

#[inline(never)]
unsafe fn advance_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let iter = cell(fp, (*ip).a);
        let result = match iterator::take_boxed(iter) {
            Some(mut running) => {
                let wants_key = (*ip).c != 0;
                let element = running.advance(run.vm).and_then(|()| running.fetch(run.vm, run.access(), wants_key));
                if !matches!(element, Ok(None)) {
                    iterator::set_boxed(iter, running);
                }
                element.and_then(|element| match element {
                    None => Ok(false),
                    Some((key, value)) => assign_element(ip, fp, run, key, value).map(|()| true),
                })
            }
            None if raw::tag(iter) & 0xff == raw::TI_ARR_STATIC => match step_array(ip, fp, run, iter) {
                Ok(false) => return end_slow(ip, fp, run),
                other => other,
            },
            None => Ok(false),
        };
        let (found, result) = match result {
            Ok(found) => (found, Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, found)
    }
}

slow_handler!(free, free_slow);

#[inline(never)]
unsafe fn free_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        iterator::free(cell(fp, (*ip).a));
        run.finish(ip, Ok(()))
    }
}
