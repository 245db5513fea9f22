//! The end of frames, and of calls that are not made.

use crate::context::Run;
use crate::frame::{Env, FLAG_BORROWS_THIS, Frame, Symbols};
use crate::iterator;
use phlox_runtime::Locals;
use phlox_value::raw;
use std::rc::Rc;

/// Releases everything that the innermost frame holds: locals in order, iterators, `$this`, the rest. Destructors that run
/// meanwhile see the caller as the innermost frame, as in PHP.
///
/// # Safety
/// `frame` is the innermost frame of the run; it is not used again.
pub unsafe fn leave_frame(run: &mut Run, frame: *mut Frame) {
    // SAFETY: the caller says that the frame is the innermost one and not used again; nested runs start above its end.
    unsafe {
        let floor = std::mem::replace(&mut run.floor, Frame::end(frame));
        run.frame = (*frame).prev;
        release_frame(frame);
        run.floor = floor;
    }
}

/// [`leave_frame`] for a frame that is in no run.
///
/// # Safety
/// `frame` is a frame of a PHP function, and is not used again.
pub unsafe fn release_frame(frame: *mut Frame) {
    // SAFETY: the caller says that the frame is not used again. Destructors that run meanwhile see freed locals as undefined.
    unsafe {
        let code = &*(*frame).code;
        if !(*frame).env.is_null() {
            detach(frame);
        }
        for index in 0..code.locals {
            let local = Frame::local(frame, index);
            if raw::tag(local) & raw::COUNTED != 0 {
                drop((*local).take());
            }
        }
        for index in 0..code.iters {
            iterator::free(Frame::iter(frame, index));
        }
        release_header(frame);
    }
}

/// Releases the arguments of a builtin function's frame.
///
/// # Safety
/// `frame` is that of a builtin function; its arguments are not used again.
pub unsafe fn release_arguments(frame: *mut Frame) {
    // SAFETY: the caller says that this is a builtin function's frame: the arguments, with defaults for what was not passed, follow
    // the header.
    unsafe {
        for index in 0..(*frame).argc.max((*(*frame).code).params) {
            let place = Frame::local(frame, index);
            raw::release(raw::payload(place), raw::tag(place));
            raw::write_tag(place, raw::TI_UNDEF);
        }
    }
}

/// Releases the rare parts of a frame, its view among them.
///
/// # Safety
/// `env` of the frame is not null; the frame's rare parts are not used again.
#[cold]
#[inline(never)]
pub unsafe fn release_env(frame: *mut Frame) {
    // SAFETY: the caller says that there are rare parts, which the header owns.
    let env: Box<Env> = unsafe { Box::from_raw((*frame).env) };
    // SAFETY: the frame is alive; its rare parts were just taken.
    unsafe { (*frame).env = std::ptr::null_mut() };
    end_view(&env);
    env.end();
}

/// Whether the rare parts of a frame are arguments beyond the declared ones, and nothing else.
///
/// # Safety
/// The frame is alive.
pub unsafe fn has_only_extra_arguments(frame: *const Frame) -> bool {
    // SAFETY: the caller says that the frame is alive; it owns its rare parts.
    unsafe { (*frame).env.as_ref().is_some_and(Env::has_only_extra_arguments) }
}

/// Releases what a header holds.
///
/// # Safety
/// `frame` is a frame or the header of a pending call; it is not used again.
pub unsafe fn release_header(frame: *mut Frame) {
    // SAFETY: the caller says that the header is filled in and not used again; it owns what is released.
    unsafe {
        if !(*frame).env.is_null() {
            release_env(frame);
        }
        drop(Frame::take_magic_name(frame));
        if (*frame).this != 0 {
            let this = (*frame).this;
            (*frame).this = 0;
            if (*frame).flags & FLAG_BORROWS_THIS == 0 {
                raw::release(this, raw::TI_OBJ);
            }
        }
        if (*frame).closure != 0 {
            let closure = (*frame).closure;
            (*frame).closure = 0;
            raw::release(closure, raw::TI_OBJ);
        }
    }
}

/// Frees a frame's view and its other rare parts, if nobody else holds the view and the frame does not need the other parts.
///
/// # Safety
/// The frame is alive.
pub unsafe fn forget_view(frame: *mut Frame) {
    // SAFETY: the caller says that the frame is alive; it owns its rare parts.
    unsafe {
        let Some(env) = (*frame).env.as_ref() else { return };
        let is_seen = env.view.as_ref().is_some_and(|view| Rc::strong_count(view) > 1);
        let is_needed = env.symbols.is_some() || env.unwinding.is_some() || !env.extra_args.is_empty();
        if is_seen || is_needed || !env.names.is_empty() || env.next_name.is_some() {
            return;
        }
        let env: Box<Env> = Box::from_raw((*frame).env);
        (*frame).env = std::ptr::null_mut();
        end_view(&env);
        drop(env);
    }
}

/// Whether somebody else holds the view of a frame, or its variables are attached to a symbol table.
///
/// # Safety
/// The frame is alive.
pub unsafe fn is_watched(frame: *mut Frame) -> bool {
    // SAFETY: the caller says that the frame is alive.
    unsafe {
        forget_view(frame);
        let is_held = |view: &Rc<_>| Rc::strong_count(view) > 1;
        (*frame).env.as_ref().is_some_and(|env| env.symbols.is_some() || env.view.as_ref().is_some_and(is_held))
    }
}

/// Detaches the variables of symbol tables from the frames of a run that a panic has unwound.
///
/// # Safety
/// `frame` is the innermost frame of a run, or null; none of the run's frames is used again.
pub unsafe fn give_variables_back(mut frame: *mut Frame) {
    // SAFETY: the caller says that these are the run's frames, which are alive and not used again.
    unsafe {
        while !frame.is_null() {
            if !(*frame).env.is_null() {
                detach(frame);
            }
            frame = (*frame).prev;
        }
    }
}

/// Detaches the variables of a symbol table from a frame.
unsafe fn detach(frame: *mut Frame) {
    // SAFETY: the frame is alive; each variable goes back to where it was before it was attached.
    unsafe {
        let Some(Symbols { table, attached }) = (*(*frame).env).symbols.take() else { return };
        for (_, variable, before) in attached {
            variable.detach(before);
        }
        drop(table);
    }
}

/// Ends the borrow of a frame's locals by its view: the view has no locals from then on.
fn end_view(env: &Env) {
    if let Some(view) = &env.view
        && let Locals::Borrowed(slots) = &view.locals
    {
        slots.end();
    }
}
