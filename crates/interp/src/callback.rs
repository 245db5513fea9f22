//! Calls of PHP functions from builtin code, the short way: the frame goes above the innermost one, and that run goes on
//! with it.

use crate::code::FuncCode;
use crate::context::{Ip, Run};
use crate::frame::{FLAG_ENTRY, FLAG_FROM_NATIVE, Frame};
use crate::jit::{self, Direct};
use crate::{INNERMOST, calls, returned};
use phlox_runtime::{CalleeRef, Val, Vm};
use phlox_value::raw::{self, Words};
use std::rc::Rc;

/// Calls a function that needs nothing special, with its arguments moved out of where they are. Undefined as
/// [`phlox_runtime::Executor::call_at_once`] says.
#[inline]
pub fn call(vm: &Vm, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
    let run = INNERMOST.get().cast_mut();
    let argc = args.len() as u32;
    // SAFETY: the innermost run and its frames are alive; whoever called out of it finds it as it was. A function's code
    // lives as long as the process.
    unsafe {
        if run.is_null() || (*run).frame.is_null() || (*run).is_stepping || !vm.frames.ends_with_segment(run.cast()) {
            return Words::UNDEF;
        }
        let code = &*FuncCode::of(callee.func);
        // A function that nobody else holds may be freed while its code runs. Classes hold theirs as long as the request.
        let held = callee.closure.is_some() || callee.static_class.is_some() || Rc::strong_count(callee.func) > 1;
        if !held || !code.is_simple.get() || code.has_by_ref || argc < code.required || argc > code.params {
            return Words::UNDEF;
        }
        let below = (*run).frame;
        let outer_floor = (*run).floor;
        let frame = Frame::end(below).max(outer_floor).cast::<Frame>();
        if frame.cast::<u8>().add(code.frame_bytes.get() as usize) > (*run).limit {
            return Words::UNDEF;
        }
        match jit::call_directly(run, code, callee, args, frame) {
            None => {}
            Some(Direct::Returned(words)) => {
                // Most are held by others, too.
                for value in args {
                    let from = std::ptr::from_mut(value);
                    let (payload, tag) = (raw::payload(from), raw::tag(from));
                    raw::write_tag(from, raw::TI_UNDEF);
                    if !raw::release_shared(payload, tag) {
                        raw::release(payload, tag);
                    }
                }
                return words;
            }
            Some(Direct::Left(next)) => {
                (*run).floor = std::ptr::null_mut();
                return run_on(vm, run, below, outer_floor, next);
            }
        }
        Frame::prepare(frame, code);
        calls::fill_scope(frame, callee);
        (*frame).prev = below;
        (*frame).flags = FLAG_ENTRY | FLAG_FROM_NATIVE;
        (*frame).argc = argc;
        for (index, value) in args.iter_mut().enumerate() {
            let from = std::ptr::from_mut(value);
            let (payload, tag) = (raw::payload(from), raw::tag(from));
            let to = Frame::local(frame, index as u32);
            if tag == raw::TI_REF {
                raw::put(to, value.take().into_deref());
            } else {
                raw::write(to, payload, tag);
                raw::write_tag(from, raw::TI_UNDEF);
            }
        }
        calls::clear_from(frame, argc);
        let entry = *code.entries.get().add((argc - code.required) as usize);
        (*frame).ip = entry;
        (*run).floor = std::ptr::null_mut();
        (*run).frame = frame;
        if code.has_captures {
            calls::bind_captures(frame);
        }
        run_on(vm, run, below, outer_floor, entry)
    }
}

/// Runs the callback's frame, which is the innermost one or below that, to its end.
#[inline(always)]
unsafe fn run_on(vm: &Vm, run: *mut Run, below: *mut Frame, outer_floor: *mut u8, ip: Ip) -> Words {
    // SAFETY: by the caller.
    unsafe {
        Run::run_callback(run, ip);
        (*run).frame = below;
        (*run).floor = outer_floor;
        match (*run).returned.take() {
            Some((payload, tag)) => Words::new(payload, tag),
            None => how_it_ended(vm, run),
        }
    }
}

/// A callback returned no plain value.
#[inline(never)]
unsafe fn how_it_ended(vm: &Vm, run: *mut Run) -> Words {
    // SAFETY: called with the run of a callback that has ended.
    match returned(unsafe { (*run).take_exit() }) {
        Ok(value) => Words::of(value.or_null()),
        Err(throw) => {
            vm.failed.set(Some(throw));
            Words::UNDEF
        }
    }
}
