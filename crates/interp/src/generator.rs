//! Generators: a suspended body is a copy of its frame; it runs on the stack like any other.

use crate::calls;
use crate::context::{Ip, Run};
use crate::frame::{CELL, FLAG_ENTRY, FLAG_FROM_NATIVE, FLAG_GENERATOR, Frame};
use crate::{iterator, leave, run_frames, view};
use phlox_lower::{Live, OpCode};
use phlox_oracle::generators::{self, Body, Resume};
use phlox_oracle::machine::Exit;
use phlox_runtime::{Frame as FrameView, Locals, PhpObj, PhpResult, Val, Vm};
use phlox_value::raw;
use std::rc::Rc;

/// The frame of a suspended body.
struct Suspended {
    frame: *mut Frame,
    bytes: usize,
}

/// The innermost frame becomes the body of a Generator object; what it held has moved.
///
/// # Safety
/// The innermost frame runs CreateGenerator at `ip`, with nothing in its temporaries.
pub unsafe fn create(run: &mut Run, ip: Ip) -> PhpResult<PhpObj> {
    // SAFETY: by the caller.
    unsafe {
        let frame = run.frame;
        let code = &*(*frame).code;
        (*frame).ip = ip.add(1);
        let body = Suspended::copy_of(frame);
        generators::create(run.vm, Box::new(body), code.func().returns_by_ref())
    }
}

impl Suspended {
    /// Moves a frame off the stack.
    unsafe fn copy_of(frame: *mut Frame) -> Suspended {
        // SAFETY: the frame is alive; it is moved whole.
        unsafe {
            let bytes = (*(*frame).code).frame_bytes.get() as usize;
            let copy = raw::allocate(bytes);
            std::ptr::copy_nonoverlapping(frame.cast::<u8>(), copy, bytes);
            let copy = copy.cast::<Frame>();
            (*copy).flags = FLAG_ENTRY | FLAG_GENERATOR;
            (*copy).prev = std::ptr::null_mut();
            moved(copy);
            Suspended { frame: copy, bytes }
        }
    }

    /// Forgets the copy, whose contents live elsewhere.
    unsafe fn free(self) {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: allocated with this size.
        unsafe { raw::free(this.frame.cast(), this.bytes) }
    }

    unsafe fn live(&self) -> impl Iterator<Item = &Live> {
        // SAFETY: the frame's position is after the suspending opline, or the first one.
        unsafe {
            let code = &*(*self.frame).code;
            let position = (*self.frame).ip;
            let started = code.index_of(position) > 0 && code.meta(position.sub(1)).op != OpCode::CreateGenerator;
            let live = if started { code.live(code.meta(position.sub(1)).live) } else { &[] };
            live.iter()
        }
    }
}

/// Things that point into the frame follow it.
unsafe fn moved(frame: *mut Frame) {
    // SAFETY: the frame is whole at its new place.
    unsafe {
        let Some(env) = (*frame).env.as_mut() else { return };
        if let Some(view) = &env.view
            && let Locals::Borrowed(slots) = &view.locals
        {
            slots.moved(Frame::local(frame, 0).cast_const().cast());
        }
        if let Some(symbols) = &mut env.symbols {
            for (index, variable, _) in &symbols.attached {
                variable.relocate(Frame::local(frame, *index).cast_const().cast());
            }
        }
    }
}

impl Body for Suspended {
    fn frame(&self) -> Rc<FrameView> {
        // SAFETY: the frame is alive and its position saved.
        unsafe { view::of(self.frame) }
    }

    fn known_frame(&self) -> Option<Rc<FrameView>> {
        // SAFETY: as above.
        unsafe { (*self.frame).env.as_ref()?.view.clone() }
    }

    fn pc(&self) -> u32 {
        // SAFETY: as above.
        unsafe {
            let code = &*(*self.frame).code;
            code.meta((*self.frame).ip.sub(1)).pc
        }
    }

    fn trace(&self, visit: &mut dyn FnMut(&Val)) {
        // SAFETY: as above; nothing runs meanwhile.
        unsafe {
            let frame = self.frame;
            let code = &*(*frame).code;
            for index in 0..code.locals {
                visit(&*Frame::local(frame, index));
            }
            for index in 0..code.iters {
                iterator::trace(Frame::iter(frame, index), visit);
            }
            for live in self.live() {
                match live {
                    Live::Value(number) => visit(&*Frame::tmp(frame, *number)),
                    Live::Call(number) => trace_header(Frame::tmp(frame, *number).cast(), visit),
                }
            }
            trace_header(frame, visit);
        }
    }

    fn resume(self: Box<Self>, vm: &Vm, how: Resume, fresh: bool) -> (PhpResult<Exit>, Option<Box<dyn Body>>) {
        let _ = vm;
        // SAFETY: the body's frame moves to the top of the stack, where it is the first of a run.
        unsafe {
            let bytes = self.bytes;
            let mut body = Some(self);
            run_frames(|run, frame| {
                if let Err(throw) = calls::reserve(run, frame.cast::<u8>().add(bytes)) {
                    return (Err(throw), body.take().map(|body| -> Box<dyn Body> { body }));
                }
                let Some(body) = body.take() else { unreachable!("a body is resumed once") };
                std::ptr::copy_nonoverlapping(body.frame.cast::<u8>(), frame.cast(), bytes);
                (*body).free();
                moved(frame);
                run.frame = frame;
                let outcome = start(run, frame, how, fresh);
                let body: Option<Box<dyn Body>> = match outcome {
                    Ok(Exit::Yield { .. } | Exit::Delegate(_)) => {
                        (*frame).ip = (*frame).ip.add(1);
                        Some(Box::new(Suspended::copy_of(frame)))
                    }
                    _ => None,
                };
                (outcome, body)
            })
        }
    }
}

pub unsafe fn trace_header(header: *const Frame, visit: &mut dyn FnMut(&Val)) {
    // SAFETY: the header holds these.
    unsafe {
        for payload in [(*header).this, (*header).closure] {
            if payload != 0 {
                let value = std::mem::ManuallyDrop::new(raw::value(payload, raw::TI_OBJ));
                visit(&value);
            }
        }
        // The frame's other form has counts of its own; whoever else has it shows them.
        let view = (*header).env.as_ref().and_then(|env| env.view.as_ref());
        if let Some(view) = view.filter(|view| Rc::strong_count(view) == 1) {
            view.trace_handles(visit);
        }
    }
    const { assert!(CELL == 16) };
}

unsafe fn start(run: &mut Run, frame: *mut Frame, how: Resume, fresh: bool) -> PhpResult<Exit> {
    // SAFETY: the frame is the innermost; its position is where it goes on.
    unsafe {
        (*frame).flags &= !FLAG_FROM_NATIVE;
        let position = (*frame).ip;
        match how {
            Resume::Send(value) => {
                if fresh {
                    drop(value);
                } else {
                    let suspended = position.sub(1);
                    raw::put(crate::context::cell(frame.cast(), (*suspended).c), value);
                }
                run.execute(position)
            }
            Resume::Throw(throw) => {
                // The exception comes from the suspending opline.
                (*frame).ip = if fresh { position } else { position.sub(1) };
                let raise = run.raise(throw);
                run.execute(raise)
            }
        }
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        // SAFETY: the frame is whole, and nobody else has it.
        unsafe {
            let frame = self.frame;
            let live: Vec<Live> = self.live().copied().collect();
            for live in live {
                match live {
                    Live::Value(number) => drop(raw::take(Frame::tmp(frame, number))),
                    Live::Call(number) => leave::release_header(Frame::tmp(frame, number).cast()),
                }
            }
            leave::release_frame(frame);
            raw::free(frame.cast(), self.bytes);
        }
    }
}
