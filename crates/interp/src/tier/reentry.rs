//! What compiled code has the interpreter do in the middle of its own work: oplines, calls, and what is left of a callee that
//! has left its code. All of it runs above the code's frame, and may run PHP code.

use super::entry::Direct;
use super::specializations::was_left;
use super::{destruct_before, note_left, resume};
use crate::calls;
use crate::context::{Ip, Run, cell};
use crate::frame::{FLAG_ENTRY, FLAG_MAGIC, Frame};
use crate::handlers::returns::as_wanted;
use crate::handlers::{call_user_func, single_step};
use crate::{generator, leave, native};
use phlox_jit::Context;
use phlox_jit::layout::{ASSIGNS, CALLED, CALLED_LAST, IS_FLUSHED, NOT_CALLED, YIELDED};
use phlox_oracle::machine::Exit;
use phlox_runtime::Val;
use phlox_value::raw;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does an opline whose sources are in the frame.
pub extern "C" fn step(context: *mut Context, fp: *mut u8, position: u64, path: u64, flags: u64) -> u64 {
    // SAFETY: compiled code has written the frame; the path is one of `whole`.
    unsafe {
        let run = &mut *(*context).run.cast::<Run>();
        let (frame, ip) = (fp.cast::<Frame>(), position as Ip);
        (*frame).ip = ip;
        run.frame = frame;
        let path = std::mem::transmute::<u64, single_step::StepFn>(path);
        let native_limit = (*context).native_limit;
        let defers = phlox_value::defer_destructors(false);
        let done = catch_unwind(AssertUnwindSafe(|| path(ip, fp, run)));
        go_on(context, run, frame, ip, Entered { native_limit, defers }, done, flags & IS_FLUSHED != 0)
    }
}

/// What was so when compiled code called something that may run PHP code: how far the native stack goes, and whether the code
/// looks for destructors that wait.
struct Entered {
    native_limit: *const u8,
    defers: bool,
}

/// What compiled code is told after something else has run above it.
unsafe fn go_on(
    context: *mut Context,
    run: &mut Run,
    frame: *mut Frame,
    ip: Ip,
    entered: Entered,
    done: std::thread::Result<Ip>,
    flushed: bool,
) -> u64 {
    // SAFETY: by the caller.
    unsafe {
        (*context).run = std::ptr::from_mut(run).cast();
        (*context).native_limit = entered.native_limit;
        phlox_value::defer_destructors(entered.defers);
        (*context).limit = run.limit;
        let next = match done {
            Ok(next) => next,
            Err(payload) => {
                super::PANIC.set(Some(payload));
                return (&raw const run.throw_op) as u64;
            }
        };
        if next != ip.add(1) {
            // Exceptions are no fault of the code.
            let is_thrown = std::ptr::eq(next, &raw const run.throw_op);
            return next as u64 | u64::from(!is_thrown);
        }
        // Somebody holds on to the frame, or the code does not look for destructors, of which there were none when it was entered.
        let is_last = (!flushed && leave::is_watched(frame)) || (raw::frees_run_code() && !entered.defers);
        if is_last { CALLED_LAST } else { CALLED }
    }
}

/// What the short way of a builtin function answers, if there is one and it has an answer; the arguments are used up then.
unsafe fn quick_result(run: &Run, header: *mut Frame, argc: u32) -> Option<Val> {
    // SAFETY: by compiled code, which has written the header and the arguments.
    unsafe {
        let quick = (*header).code.as_ref()?.quick?;
        let asked = (*run.interrupt).load(std::sync::atomic::Ordering::Relaxed) != 0;
        if asked || (*header).flags & FLAG_MAGIC != 0 || (*header).closure != 0 || (*header).this != 0 {
            return None;
        }
        let answer = native::quick_answer(quick, header, argc as usize);
        if answer.is_undef() {
            return None;
        }
        let first = header.add(1).cast::<Val>();
        for index in 0..argc as usize {
            let place = first.add(index);
            raw::release(raw::payload(place), raw::tag(place));
        }
        let (payload, tag) = answer.into_parts();
        Some(raw::value(payload, tag))
    }
}

/// The call's frame, or what a builtin function does, runs above the compiled code.
pub extern "C" fn call(
    context: *mut Context,
    fp: *mut u8,
    header: *mut u8,
    argc: u64,
    position: u64,
    out: *mut Val,
) -> u64 {
    // SAFETY: compiled code has written the frame, the header and the arguments; the context says which run has entered it.
    unsafe {
        let run = &mut *(*context).run.cast::<Run>();
        let here = 0u8;
        if (&raw const here) < (*context).native_limit {
            return NOT_CALLED;
        }
        let (frame, ip) = (fp.cast::<Frame>(), position as Ip);
        let (assigns, flushed) = (argc & ASSIGNS != 0, argc & IS_FLUSHED != 0);
        (*frame).ip = ip;
        run.frame = frame;
        let native_limit = (*context).native_limit;
        let defers = phlox_value::defer_destructors(false);
        #[cfg(feature = "count-oplines")]
        let called = (*header.cast::<Frame>()).code;
        let done = catch_unwind(AssertUnwindSafe(|| {
            let done = match super::entry::call_prepared(run, header.cast(), argc as u32) {
                None => match quick_result(run, header.cast(), argc as u32) {
                    Some(value) => {
                        let stored = run.store(ip, value);
                        Err(run.finish(ip, stored))
                    }
                    // What the body of a generator yields would not end a run that began with the body.
                    None if native::steps_generator(header.cast()) => {
                        Err(native::call_to_end(run, ip, header.cast(), argc as u32))
                    }
                    None if let Some(next) = call_user_func::pass_to_end(run, ip, header.cast(), argc as u32) => {
                        Err(next)
                    }
                    None => {
                        let next = calls::call(run, ip, header.cast(), argc as u32);
                        if run.frame != frame {
                            (*run.frame).flags |= FLAG_ENTRY;
                        }
                        Err(next)
                    }
                },
                Some(Direct::Returned(words)) => Ok(words.into_val()),
                Some(Direct::Left(next)) => Err(next),
            };
            #[cfg(feature = "count-oplines")]
            crate::stats::counts::nested(called.as_ref(), if done.is_ok() { "by its code" } else { "interpreted" });
            let result = match done {
                Ok(value) => Ok(Exit::Return(value)),
                Err(next) if run.frame == frame => {
                    if (*ip).c == 0 {
                        raw::write_tag(out, raw::TI_NULL);
                    }
                    return next;
                }
                Err(next) => run.execute(next),
            };
            run.frame = frame;
            match result {
                Ok(Exit::Return(value)) if assigns => {
                    let assigned = run.assign(cell(fp, (*ip).c), value.into_deref());
                    run.finish(ip, assigned)
                }
                Ok(Exit::Return(value)) => {
                    let next = run.finish(ip, Ok(()));
                    if run.thrown.is_none() {
                        raw::put(out, as_wanted(run.meta(ip).op, value));
                    }
                    next
                }
                Ok(_) => ip.add(1),
                Err(throw) => run.raise(throw),
            }
        }));
        go_on(context, run, frame, ip, Entered { native_limit, defers }, done, flushed)
    }
}

/// What has left its code runs to its end, so that those below need not leave theirs.
pub extern "C" fn conclude(context: *mut Context, fp: *mut u8, header: *mut u8, status: u64, flags: u64) -> u64 {
    // SAFETY: compiled code has written its frame and the callee's header, which borrows its object or closure; the callee has
    // written all else.
    unsafe {
        let run = &mut *(*context).run.cast::<Run>();
        let here = 0u8;
        // What is thrown is caught somewhere below, or nowhere.
        if status == (&raw const run.throw_op) as u64 || (&raw const here) < (*context).native_limit {
            return NOT_CALLED;
        }
        let (frame, header) = (fp.cast::<Frame>(), header.cast::<Frame>());
        let ip = (*frame).ip;
        let closure = (*header).closure;
        if closure != 0 {
            raw::retain(closure, raw::TI_OBJ);
        }
        (*header).flags |= FLAG_ENTRY | flags as u32;
        let native_limit = (*context).native_limit;
        let defers = phlox_value::defer_destructors(false);
        let (next, innermost, own) = resume(context, status, run);
        let mut result = (0, raw::TI_NULL);
        let done = catch_unwind(AssertUnwindSafe(|| {
            if status & 1 != 0 {
                note_left(next, innermost);
                was_left(own, (next, innermost));
            }
            let next = destruct_before(run, next);
            let ended = run.execute(next);
            run.frame = frame;
            match ended {
                Ok(Exit::Return(value)) => {
                    let value = ManuallyDrop::new(as_wanted(run.meta(ip).op, value));
                    result = (raw::payload(&raw const *value), raw::tag(&raw const *value));
                    ip.add(1)
                }
                Ok(_) => ip.add(1),
                Err(throw) => run.raise(throw),
            }
        }));
        let entered = Entered { native_limit, defers };
        let ended = go_on(context, run, frame, ip, entered, done, flags & IS_FLUSHED != 0);
        (*context).scratch = [result.0, result.1.into()];
        ended
    }
}

pub extern "C" fn is_watched(frame: *mut u8) -> u64 {
    // SAFETY: compiled code passes its frame.
    unsafe { leave::is_watched(frame.cast()).into() }
}

pub extern "C" fn materialize(frame: *mut u8, stack: *mut u8) {
    // SAFETY: compiled code of a body passes its frame, and where that lies on the stack.
    unsafe { generator::materialize(frame.cast(), stack.cast()) }
}

pub extern "C" fn next_element(
    context: *mut Context,
    iterator: *mut Val,
    below: *mut u8,
    end: *mut u8,
    wants_key: u64,
) -> u64 {
    // SAFETY: compiled code passes an iterator of its frame.
    unsafe {
        let here = 0u8;
        let run = (*context).run.cast::<Run>();
        let too_deep = (&raw const here) < (*context).native_limit;
        if too_deep || !crate::iterator::walks_generator(iterator) || !(*run).floor.is_null() || frees_unseen() {
            return NOT_CALLED;
        }
        let generator = raw::payload(iterator);
        match generator::next_by_code(context, generator, Val::NULL, below.cast(), end) {
            None => NOT_CALLED,
            Some(Err(position)) => position,
            Some(Ok(data)) => {
                shown(data.value(), &mut (*context).scratch);
                if wants_key != 0 {
                    shown(data.key(), &mut (*context).key);
                }
                YIELDED
            }
        }
    }
}

pub extern "C" fn send(context: *mut Context, generator: u64, sent: *const Val, header: *mut u8, end: *mut u8) -> u64 {
    // SAFETY: compiled code passes a Generator object, a live value, and places of its frame on the stack.
    unsafe {
        let here = 0u8;
        let run = (*context).run.cast::<Run>();
        let too_deep = (&raw const here) < (*context).native_limit;
        if too_deep || !(*run).floor.is_null() || frees_unseen() {
            return NOT_CALLED;
        }
        let value = if sent.is_null() { Val::NULL } else { (*sent).clone() };
        match generator::next_by_code(context, generator, value, header.cast(), end) {
            None => NOT_CALLED,
            Some(Err(position)) => position,
            Some(Ok(data)) => {
                match sent.is_null() {
                    true => (*context).scratch = [0, raw::TI_NULL.into()],
                    false => shown(data.value(), &mut (*context).scratch),
                }
                YIELDED
            }
        }
    }
}

/// Whether PHP code may run when something is freed, and the code that runs does not look for that.
fn frees_unseen() -> bool {
    raw::frees_run_code() && !phlox_value::defers_destructors()
}

/// Shows compiled code what a generator has yielded, with a reference.
unsafe fn shown(slot: &phlox_value::Slot, place: &mut [u64; 2]) {
    let cell = std::ptr::from_ref(slot).cast::<Val>();
    // SAFETY: a slot is a cell.
    unsafe {
        let (payload, tag) = (raw::payload(cell), raw::tag(cell));
        raw::retain(payload, tag);
        *place = [payload, tag.into()];
    }
}
