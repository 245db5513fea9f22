//! Calls of PHP functions from builtin code by the fast path: the callback's frame goes above the innermost one, in the same run,
//! which goes on with it.

use crate::code::FuncCode;
use crate::context::{Ip, Run};
use crate::frame::{FLAG_ENTRY, FLAG_FROM_NATIVE, Frame};
use crate::tier::{self, Direct};
use crate::{INNERMOST, calls, returned};
use phlox_lower::facts::Runs;
use phlox_runtime::{Callee, CalleeRef, Val, Vm};
use phlox_value::raw::{self, Prepared, Words};
use std::rc::Rc;

/// Calls a function that needs nothing special; its arguments are moved out of `args`. Undefined if it cannot be called this way,
/// or has thrown: see [`phlox_runtime::Executor::call_at_once`].
#[inline]
pub fn call(vm: &Vm, callee: CalleeRef<'_>, args: &mut [Val]) -> Words {
    let run = INNERMOST.get().cast_mut();
    let argc = args.len() as u32;
    // SAFETY: the innermost run and its frames are alive; the caller finds the run as it was. A function's code lives as long as
    // the process.
    unsafe {
        if run.is_null() || (*run).frame.is_null() || (*run).is_stepping || !vm.frames.ends_with_segment(run.cast()) {
            return Words::UNDEF;
        }
        (*run).check_row(Runs::UserCode);
        let Some((code, frame)) = place(run, callee) else { return Words::UNDEF };
        if argc < code.required || argc > code.params || code.has_by_ref && !gives_references(code, args) {
            return Words::UNDEF;
        }
        let (below, outer_floor) = ((*run).frame, (*run).floor);
        let Some(captured) = tier::captured_by(code, callee.closure) else { return Words::UNDEF };
        let captured = (captured.len(), captured.as_ptr().cast());
        let from = (args.len(), |number| args.as_ptr().add(number));
        match tier::call_directly(run, code, own(callee), from, captured, frame, || callee) {
            None => {}
            Some(Direct::Returned(words)) => {
                // Most arguments have other owners, too: those are released without a check for destructors.
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
            if tag == raw::TI_REF && !(code.has_by_ref && code.func().is_by_ref(index)) {
                raw::put(to, value.take().into_deref());
            } else {
                raw::write(to, payload, tag);
                raw::write_tag(from, raw::TI_UNDEF);
            }
        }
        start(vm, run, code, (frame, argc), below, outer_floor)
    }
}

/// The code of a function that the fast path can call, and where its frame would lie, for which there is room.
///
/// # Safety
/// `run` is the innermost run, which has a frame.
#[inline(always)]
unsafe fn place<'a>(run: *mut Run, callee: CalleeRef<'_>) -> Option<(&'a FuncCode, *mut Frame)> {
    // SAFETY: the caller says that the run is the innermost one; a function's code lives as long as the process.
    unsafe {
        let code = &*FuncCode::of(callee.func);
        // A function that nobody else holds may be freed while its code runs. Classes hold their methods as long as the request.
        let held = callee.closure.is_some() || callee.static_class.is_some() || Rc::strong_count(callee.func) > 1;
        if !held || !code.is_simple.get() {
            return None;
        }
        let frame = Frame::end((*run).frame).max((*run).floor).cast::<Frame>();
        let fits = frame.cast::<u8>().add(code.frame_bytes.get() as usize) <= (*run).limit;
        fits.then_some((code, frame))
    }
}

/// Whether all arguments for by-reference parameters are references. The slow path reports a value in such a place.
fn gives_references(code: &FuncCode, args: &[Val]) -> bool {
    args.iter().enumerate().all(|(index, value)| value.is_ref() || !code.func().is_by_ref(index))
}

/// The payloads of the object and the class of a call; 0: there is none.
fn own(callee: CalleeRef<'_>) -> (u64, u64) {
    let this = callee.this.map_or(0, |this| this.address() as u64);
    (this, callee.static_class.map_or(0, |class| Rc::as_ptr(class) as u64))
}

/// Looks up what a callback needs that is called many times; see [`phlox_runtime::Executor::prepare`].
pub fn prepare<'a>(vm: &Vm, callee: CalleeRef<'a>) -> Option<Prepared<'a>> {
    let run = INNERMOST.get().cast_mut();
    // SAFETY: the innermost run and its frames are alive; the words are what `call_prepared` takes, and the closure owns its
    // captured variables.
    unsafe {
        if run.is_null() || (*run).frame.is_null() || (*run).is_stepping || !vm.frames.ends_with_segment(run.cast()) {
            return None;
        }
        let (code, frame) = place(run, callee).filter(|(code, _)| !code.has_by_ref)?;
        let captured = tier::captured_by(code, callee.closure)?;
        let (this, class) = own(callee);
        Some(Prepared::new([
            run as usize,
            (*run).frame as usize,
            std::ptr::from_ref(code) as usize,
            frame as usize,
            captured.as_ptr() as usize,
            captured.len(),
            this as usize,
            class as usize,
        ]))
    }
}

/// Calls a callback that was [prepared](prepare); see [`phlox_runtime::Executor::call_prepared`].
#[inline]
pub fn call_prepared(vm: &Vm, prepared: &Prepared<'_>, callee: &Callee, args: &[&Val]) -> Words {
    let [run, below, code, frame, captured, count, this, class] = *prepared.words();
    let (run, below, frame) = (run as *mut Run, below as *mut Frame, frame as *mut Frame);
    if !std::ptr::eq(INNERMOST.get(), run) {
        return Words::NOT_TRIED;
    }
    // SAFETY: `prepare` has made the words. What they say is still true if the frame above which the call is made is the innermost
    // one again.
    unsafe {
        if (*run).frame != below {
            return Words::NOT_TRIED;
        }
        let code = &*(code as *const FuncCode);
        let from = (args.len(), |number| std::ptr::from_ref(*args.get_unchecked(number)));
        let captured = (count, captured as *const Val);
        let own = (this as u64, class as u64);
        match tier::call_directly(run, code, own, from, captured, frame, || crate::parts_of(callee)) {
            None => enter_prepared(vm, run, code, frame, callee, args),
            Some(Direct::Returned(words)) => words,
            Some(Direct::Left(next)) => {
                let outer_floor = std::mem::replace(&mut (*run).floor, std::ptr::null_mut());
                run_on(vm, run, below, outer_floor, next)
            }
        }
    }
}

/// Makes the call of [`call_prepared`] without machine code: the arguments are copied into the frame.
#[inline(never)]
unsafe fn enter_prepared(
    vm: &Vm,
    run: *mut Run,
    code: &FuncCode,
    frame: *mut Frame,
    callee: &Callee,
    args: &[&Val],
) -> Words {
    // SAFETY: `call_prepared` passes the words that `prepare` made, so there is room for the frame.
    unsafe {
        let argc = args.len() as u32;
        if argc < code.required || argc > code.params {
            return Words::NOT_TRIED;
        }
        let (below, outer_floor) = ((*run).frame, (*run).floor);
        Frame::prepare(frame, code);
        calls::fill_scope(frame, crate::parts_of(callee));
        (*frame).prev = below;
        (*frame).flags = FLAG_ENTRY | FLAG_FROM_NATIVE;
        (*frame).argc = argc;
        for (index, value) in args.iter().enumerate() {
            let from = raw::look_through(std::ptr::from_ref(*value).cast_mut());
            let (payload, tag) = (raw::payload(from), raw::tag(from));
            raw::retain(payload, tag);
            raw::write(Frame::local(frame, index as u32), payload, tag);
        }
        start(vm, run, code, (frame, argc), below, outer_floor)
    }
}

/// Starts a callback whose header and arguments are in its frame, and runs it to its end.
#[inline(always)]
unsafe fn start(
    vm: &Vm,
    run: *mut Run,
    code: &FuncCode,
    (frame, argc): (*mut Frame, u32),
    below: *mut Frame,
    outer_floor: *mut u8,
) -> Words {
    // SAFETY: the callers pass the innermost run and a frame above `below` with its header and `argc` arguments.
    unsafe {
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

/// Executes oplines from `ip` on, in the innermost frame, until the callback's frame above `below` has ended.
#[inline(always)]
unsafe fn run_on(vm: &Vm, run: *mut Run, below: *mut Frame, outer_floor: *mut u8, ip: Ip) -> Words {
    // SAFETY: the callers pass the innermost run, whose innermost frame is the callback's or above that.
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

/// The result of a callback that has not returned normally.
#[inline(never)]
unsafe fn how_it_ended(vm: &Vm, run: *mut Run) -> Words {
    // SAFETY: `run_on` passes the run of a callback that has ended, which is alive.
    match returned(unsafe { (*run).take_exit() }) {
        Ok(value) => Words::of(value.or_null()),
        Err(throw) => {
            vm.failed.set(Some(throw));
            Words::UNDEF
        }
    }
}
