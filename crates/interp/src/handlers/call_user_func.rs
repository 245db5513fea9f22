//! `call_user_func` as a function of its own, as code in a namespace calls it: the closure that it is given runs above its frame,
//! in the same run, and what it returns is the function's result.

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
    // SAFETY: jumped to by `call_native`, for the header of the function.
    unsafe { slow_switch!(pass, ip, fp, run) }
}

#[inline(never)]
unsafe fn pass(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        enter(run, header, (*ip).b).unwrap_or_else(|| calls::call(run, ip, header, (*ip).b))
    }
}

/// As [`pass`] for a call that compiled code has prepared: all of it is over when this returns. `None`: nothing was done; it is
/// another function, or the call needs more.
///
/// # Safety
/// The header is that of a pending call above the innermost frame, whose opline is `ip`.
pub unsafe fn pass_to_end(run: &mut Run, ip: Ip, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: by the caller; what ends the run leaves the function's frame as the innermost one.
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

/// Puts the closure's frame above the header; where it starts.
unsafe fn enter(run: &mut Run, header: *mut Frame, argc: u32) -> Option<Ip> {
    // SAFETY: called with a pending call above the innermost frame.
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

/// The frame of the closure that is the first argument, above that of the call, with its arguments. `None`: it is no closure, or
/// calling it needs more than that.
unsafe fn open(run: &Run, header: *mut Frame, argc: u32) -> Option<*mut Frame> {
    // SAFETY: called with a pending call whose arguments are in place.
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

/// The closure has returned [`Run::dying`]: the function returns it.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn answer(_: Ip, _: Fp, run: *mut Run) {
    // SAFETY: jumped to when the closure's frame was left: the innermost frame is that of the function.
    unsafe {
        let next = answer_dying(&mut *run);
        go!(next, (*run).frame.cast(), run)
    }
}

#[inline(never)]
unsafe fn answer_dying(run: &mut Run) -> Ip {
    // SAFETY: as `answer`.
    unsafe {
        let (payload, tag) = run.dying;
        answer_with(run, raw::value(payload, tag))
    }
}

/// The function, whose frame is the innermost one, returns a value.
///
/// # Safety
/// As says.
pub(super) unsafe fn answer_with(run: &mut Run, value: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe { native::return_above(run, value.into_deref()) }
}
