//! Re-entry: what compiled code has the interpreter execute in the middle of its own work, which are oplines, calls, and the rest
//! of a callee that has left its code by a side exit. All of it runs in frames above the code's frame, and may run PHP code.

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

/// Executes an opline whose sources are in the frame. Gives what [`go_on`] gives. `path`: the function of `single_step` for it.
pub extern "C" fn step(context: *mut Context, fp: *mut u8, position: u64, path: u64, flags: u64) -> u64 {
    // SAFETY: compiled code has written the cells of its frame that the opline reads; `path` is one of the functions of
    // `single_step`.
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

/// The state of compiled code when it called something that may run PHP code: its limit of the native stack, and whether it defers
/// destructors, and so checks for them.
struct Entered {
    native_limit: *const u8,
    defers: bool,
}

/// Restores the state of compiled code, and says how it goes on: [`CALLED`], [`CALLED_LAST`] (it must leave behind this opline), or
/// the opline that the interpreter goes on with, as a side exit gives it.
unsafe fn go_on(
    context: *mut Context,
    run: &mut Run,
    frame: *mut Frame,
    ip: Ip,
    entered: Entered,
    done: std::thread::Result<Ip>,
    flushed: bool,
) -> u64 {
    // SAFETY: the callers pass the context and run of this thread, and the frame whose code has made the call.
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
            // An exception is no reason to judge the code: the mark of a side exit is not set.
            let is_thrown = std::ptr::eq(next, &raw const run.throw_op);
            return next as u64 | u64::from(!is_thrown);
        }
        // The frame has been captured and must not stay in registers, or a destructor was declared while the code runs that does
        // not check for destructors.
        let is_last = (!flushed && leave::is_watched(frame)) || (raw::frees_run_code() && !entered.defers);
        if is_last { CALLED_LAST } else { CALLED }
    }
}

/// The answer of the fast path of a builtin function, if it has one that answers; the arguments have been released then.
unsafe fn quick_result(run: &Run, header: *mut Frame, argc: u32) -> Option<Val> {
    // SAFETY: compiled code has written the header and `argc` arguments behind it.
    unsafe {
        let code = (*header).code.as_ref()?;
        let fast_path = code.fast_path.filter(|_| (code.required..=code.most).contains(&argc))?;
        let asked = (*run.interrupt).load(std::sync::atomic::Ordering::Relaxed) != 0;
        if asked || (*header).flags & FLAG_MAGIC != 0 || (*header).closure != 0 || (*header).this != 0 {
            return None;
        }
        let answer = native::fast_path_answer(fast_path, header, argc as usize);
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

/// Makes a call for compiled code: the callee's frame, or a builtin function, runs above the code's frame. The result goes to
/// `out`.
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
                    // A body that yields does not end a run that began with the call.
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

/// Runs a callee to its end that has left its code by a side exit, so that its compiled callers need not leave theirs.
pub extern "C" fn conclude(context: *mut Context, fp: *mut u8, header: *mut u8, status: u64, flags: u64) -> u64 {
    // SAFETY: compiled code has written its frame and the callee's header, which borrows its object or closure; the side exit of
    // the callee has written everything else.
    unsafe {
        let run = &mut *(*context).run.cast::<Run>();
        let here = 0u8;
        // An exception that is being unwound is caught in a frame below, or nowhere.
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

/// Whether somebody else can reach the frame's variables; see [`leave::is_watched`].
pub extern "C" fn is_watched(frame: *mut u8) -> u64 {
    // SAFETY: compiled code passes its frame, which is alive.
    unsafe { leave::is_watched(frame.cast()).into() }
}

/// Moves the frame of a generator's body from its own block to `stack`; see [`generator::materialize`].
pub extern "C" fn materialize(frame: *mut u8, stack: *mut u8) {
    // SAFETY: compiled code of a generator's body passes its frame and the place on the stack where the frame is to lie.
    unsafe { generator::materialize(frame.cast(), stack.cast()) }
}

/// Resumes a generator that a loop iterates over by its compiled code. [`YIELDED`]: the element, and the key if wanted, are in the
/// context. [`NOT_CALLED`]: the interpreter has to resume it. Otherwise where the body has left its code.
pub extern "C" fn next_element(
    context: *mut Context,
    iterator: *mut Val,
    below: *mut u8,
    end: *mut u8,
    wants_key: u64,
) -> u64 {
    // SAFETY: compiled code passes an iterator of its frame, and places on the stack above that frame.
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

/// Resumes a generator for `send()`, or for `next()` if `sent` is null, by its compiled code. Gives what [`next_element`] gives.
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

/// Whether a destructor may run when something is freed, although the code that runs does not check for that.
fn frees_unseen() -> bool {
    raw::frees_run_code() && !phlox_value::defers_destructors()
}

/// Copies what a generator has yielded to a place in the context, with a reference of its own.
unsafe fn shown(slot: &phlox_value::Slot, place: &mut [u64; 2]) {
    let cell = std::ptr::from_ref(slot).cast::<Val>();
    // SAFETY: a slot has the layout of a cell, and the generator's is alive.
    unsafe {
        let (payload, tag) = (raw::payload(cell), raw::tag(cell));
        raw::retain(payload, tag);
        *place = [payload, tag.into()];
    }
}
