//! `call_user_func` as a function, as code in a namespace calls it: the closure that it is given runs in a frame above that of
//! `call_user_func`, in the same run, and its return value is the function's result.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `Call` of the innermost frame `fp`, `a` is the offset of the pending
//! call's header, and its arguments follow it. A closure's frame is built behind those arguments and becomes the innermost frame.

use super::{dynamic, go, slow_switch};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_ANSWERS, FLAG_CONSTRUCTOR, FLAG_ENTRY, FLAG_FROM_NATIVE, FLAG_MAGIC, Frame};
use crate::{calls, leave, native};
use phlox_oracle::machine::Exit;
use phlox_runtime::Val;
use phlox_value::raw;
use std::sync::atomic::Ordering;

/// Calls `call_user_func`.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn call_passing(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `call_native` jumps here if the pending call's header at `a` names `call_user_func`.
    unsafe { slow_switch!(pass, ip, fp, run) }
}

/// Enters the closure that `call_user_func` is given, or calls the function in the usual way.
#[inline(never)]
unsafe fn pass(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the header of a pending call with `b` arguments above the innermost frame.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        enter(run, header, (*ip).b).unwrap_or_else(|| calls::call(run, ip, header, (*ip).b))
    }
}

/// Runs a call of `call_user_func` that compiled code has prepared to its end. `None`: nothing was done, because the header is
/// another function's or the call needs more than a closure's frame.
///
/// # Safety
/// `header` is that of a pending call with `argc` arguments above the innermost frame, whose opline is `ip`.
pub unsafe fn pass_to_end(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: the header is a pending call's; the closure's frame is a run's first one (`FLAG_ENTRY`), so `execute` returns when
    // it ends.
    unsafe {
        let passes_on = (*header).code.as_ref().is_some_and(|code| code.passes_on);
        if !passes_on || (*run.interrupt).load(Ordering::Relaxed) != 0 {
            return None;
        }
        let entry = enter(run, header, argc)?;
        (*run.frame).flags = (*run.frame).flags & !FLAG_ANSWERS | FLAG_ENTRY;
        let result = run.execute(entry);
        run.frame = header;
        Some(match result {
            Ok(Exit::Return(value)) => answer_with(run, value),
            Ok(_) => answer_with(run, Val::NULL),
            Err(throw) => native::throw_above(run, ip, throw),
        })
    }
}

/// Builds the closure's frame above the header and makes it the innermost one; returns the opline where it starts. `None`: nothing
/// was done.
unsafe fn enter(run: &mut Run, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: `header` is a pending call's with its `argc` arguments in place; `open` returned a frame below the stack's limit.
    unsafe {
        let callee = open(run, header, argc)?;
        (*header).prev = run.frame;
        (*header).ip = std::ptr::null();
        (*header).argc = argc;
        let code = (*callee).code;
        let argc = (*callee).argc;
        Frame::undefine(callee, argc, (*code).cleared);
        run.frame = callee;
        let entry = *(*code).entries.get().add((argc - (*code).required) as usize);
        if (*code).has_captures {
            (*callee).ip = entry;
            calls::bind_captures(callee);
        }
        Some(entry)
    }
}

/// Builds the frame of the closure that is the first argument, with its arguments, behind those of the pending call. `None`: the
/// argument is no closure, or calling it needs more than this; nothing was done.
unsafe fn open(run: &Run, header: *mut Frame, argc: u32) -> Option<*mut Frame> {
    // SAFETY: `header` is a pending call's with `argc` arguments in place; the frame behind them fits below `run.limit`.
    unsafe {
        let first = calls::arguments(header);
        let is_plain = (*header).env.is_null() && (*header).flags & (FLAG_CONSTRUCTOR | FLAG_MAGIC) == 0;
        if !is_plain || argc == 0 || raw::tag(first) != raw::TI_OBJ {
            return None;
        }
        let passed = argc - 1;
        let end = first.add(argc as usize);
        let callee = end.cast::<u8>().max(run.floor).cast::<Frame>();
        if callee.add(1).cast::<u8>() > run.limit || !dynamic::open_closure(raw::payload(first), callee, false, true) {
            return None;
        }
        let code = &*(*callee).code;
        let fits = code.is_simple.get()
            && (code.required..=code.params).contains(&passed)
            && !code.func().is_generator()
            && callee.cast::<u8>().add(code.frame_bytes.get() as usize) <= run.limit;
        if !fits || (1..argc).any(|index| raw::tag(first.add(index as usize)) == raw::TI_REF) {
            leave::release_header(callee);
            return None;
        }
        for index in 0..passed {
            let from = first.add(index as usize + 1);
            raw::retain(raw::payload(from), raw::tag(from));
            raw::write(Frame::local(callee, index), raw::payload(from), raw::tag(from));
        }
        (*callee).prev = header;
        (*callee).argc = passed;
        (*callee).flags |= FLAG_FROM_NATIVE | FLAG_ANSWERS;
        Some(callee)
    }
}

/// The closure has returned [`Run::dying`], which `call_user_func` returns in turn.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn answer(_: Ip, _: Fp, run: *mut Run) {
    // SAFETY: a return from a frame with `FLAG_ANSWERS` jumps here; the innermost frame is that of `call_user_func`.
    unsafe {
        let next = answer_dying(&mut *run);
        go!(next, (*run).frame.cast(), run)
    }
}

/// `call_user_func` returns [`Run::dying`].
#[inline(never)]
unsafe fn answer_dying(run: &mut Run) -> Ip {
    // SAFETY: `Run::dying` owns the returned value; the innermost frame is that of `call_user_func`.
    unsafe {
        let (payload, tag) = run.dying;
        answer_with(run, raw::value(payload, tag))
    }
}

/// `call_user_func` returns a value.
///
/// # Safety
/// The innermost frame is that of `call_user_func`, and nothing lies above it.
pub(super) unsafe fn answer_with(run: &mut Run, value: Val) -> Ip {
    // SAFETY: the innermost frame is a builtin function's, as `return_above` requires.
    unsafe { native::return_above(run, value.into_deref()) }
}
