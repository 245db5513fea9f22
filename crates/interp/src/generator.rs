//! Generators: a suspended body is a copy of its frame; it runs on the stack like any other.

use crate::calls;
use crate::context::{Ip, Run};
use crate::frame::{CELL, FLAG_BORROWS_THIS, FLAG_ENTRY, FLAG_FROM_NATIVE, FLAG_GENERATOR, FLAG_INLINE, Frame, object};
use crate::{handlers, iterator, leave, run_frames, view};
use phlox_lower::{Live, OpCode};
use phlox_oracle::generators::{self, Body, GeneratorData, Resume};
use phlox_oracle::machine::Exit;
use phlox_runtime::{Frame as FrameView, Func, Locals, PhpObj, PhpResult, Val, Vm};
use phlox_value::raw;
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// The frame of a suspended body.
struct Suspended {
    frame: *mut Frame,
    bytes: usize,
    /// While the body runs inline: its generator's data, which the object in the frame's header keeps.
    data: *const GeneratorData,
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
        if (*frame).flags & FLAG_BORROWS_THIS != 0 {
            raw::retain((*frame).this, raw::TI_OBJ);
        }
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
            let body = Suspended { frame: raw::allocate(bytes).cast(), bytes, data: std::ptr::null() };
            body.take_over(frame);
            body
        }
    }

    /// Moves a frame off the stack, into the block that is there for it.
    unsafe fn take_over(&self, frame: *mut Frame) {
        // SAFETY: the frame is alive and of this size; it is moved whole.
        unsafe {
            std::ptr::copy_nonoverlapping(frame.cast::<u8>(), self.frame.cast(), self.bytes);
            (*self.frame).flags = FLAG_ENTRY | FLAG_GENERATOR;
            (*self.frame).prev = std::ptr::null_mut();
            if !(*self.frame).env.is_null() {
                moved(self.frame);
            }
        }
    }

    /// Forgets the copy, whose contents live elsewhere.
    unsafe fn free(self: Box<Self>) {
        let (frame, bytes) = (self.frame, self.bytes);
        std::mem::forget(*self);
        // SAFETY: allocated with this size.
        unsafe { raw::free(frame.cast(), bytes) }
    }

    unsafe fn live(&self) -> Vec<Live> {
        // SAFETY: the frame's position is after the suspending opline, or the first one.
        unsafe {
            let code = &*(*self.frame).code;
            let position = (*self.frame).ip;
            let started = code.index_of(position) > 0 && code.meta(position.sub(1)).op != OpCode::CreateGenerator;
            if started { code.live(code.meta(position.sub(1)).live) } else { Vec::new() }
        }
    }
}

/// Runs the body of a generator above the innermost frame, if that is possible; gives where it goes on. When the body
/// suspends or ends, [`handlers::stepped`] goes on below. `sent`: what the `yield` gives.
///
/// # Safety
/// The innermost frame's position is saved.
pub unsafe fn resume_inline(run: &mut Run, generator: &PhpObj, data: &GeneratorData, sent: Val) -> Option<Ip> {
    let (body, fresh) = data.begin()?;
    // SAFETY: one engine makes a process's generators, so that every body is one of ours.
    let mut body = unsafe { Box::from_raw(Box::into_raw(body).cast::<Suspended>()) };
    body.data = data;
    // SAFETY: by the caller; the block of the body keeps its size, but not its contents, while the body runs.
    unsafe {
        let below = run.frame;
        let frame = Frame::end(below).max(run.floor).cast::<Frame>();
        if let Err(throw) = calls::reserve(run, frame.cast::<u8>().add(body.bytes)) {
            data.give_back(body, fresh);
            return Some(run.raise(throw));
        }
        std::ptr::copy_nonoverlapping(body.frame.cast::<u8>(), frame.cast(), body.bytes);
        if !(*frame).env.is_null() {
            moved(frame);
            if let Some(view) = &(*(*frame).env).view {
                data.note_frame(view);
            }
        }
        (*frame).flags = FLAG_GENERATOR | FLAG_INLINE;
        (*frame).prev = below;
        (*frame).extra = Box::into_raw(body) as u64;
        (*frame).generator = payload_of(generator);
        run.frame = frame;
        let position = (*frame).ip;
        match fresh {
            true => drop(sent),
            false => raw::put(crate::context::cell(frame.cast(), (*position.sub(1)).c), sent),
        }
        Some(position)
    }
}

/// The Generator object of a body that runs inline. What resumed it, a loop or a method's frame, holds it.
unsafe fn generator_of(frame: *mut Frame) -> ManuallyDrop<PhpObj> {
    // SAFETY: the frame runs inline.
    unsafe {
        let generator = raw::value((*frame).generator, raw::TI_OBJ).into_obj();
        ManuallyDrop::new(generator.unwrap_or_else(|| unreachable!("a body belongs to a generator")))
    }
}

/// The payload of an object, which keeps its count.
fn payload_of(object: &PhpObj) -> u64 {
    // SAFETY: an object handle is its payload.
    unsafe { *std::ptr::from_ref(object).cast::<u64>() }
}

fn data_of(generator: &PhpObj) -> &GeneratorData {
    generator.native().unwrap_or_else(|| unreachable!("a body belongs to a generator"))
}

/// The innermost frame, which runs inline, yields.
///
/// # Safety
/// As says; `ip` is its Yield.
pub unsafe fn yield_inline(run: &mut Run, ip: Ip, key: Option<Val>, value: Val) -> Ip {
    // SAFETY: by the caller; the frame moves back to its block.
    unsafe {
        let frame = run.frame;
        let data = (*((*frame).extra as *const Suspended)).data;
        if (*data).is_closing() {
            drop((key, value));
            let text: &[u8] = b"Cannot yield from finally in a force-closed generator";
            let throw = run.vm.throw_error(text);
            return run.raise(throw);
        }
        (*frame).ip = ip.add(1);
        let generator = generator_of(frame);
        let body = Box::from_raw((*frame).extra as *mut Suspended);
        body.take_over(frame);
        run.frame = (*frame).prev;
        (*data).yielded(body, key, value);
        handlers::stepped(run, &generator)
    }
}

/// The innermost frame, which runs inline, delegates to a value.
///
/// # Safety
/// As says; `ip` is its YieldFrom.
pub unsafe fn delegate_inline(run: &mut Run, ip: Ip, source: Val) -> Ip {
    // SAFETY: by the caller; the frame moves back to its block.
    unsafe {
        let frame = run.frame;
        (*frame).ip = ip.add(1);
        let generator = generator_of(frame);
        let body = Box::from_raw((*frame).extra as *mut Suspended);
        body.take_over(frame);
        run.frame = (*frame).prev;
        match generators::delegate(run.vm, &generator, body, &source) {
            Ok(()) => {
                drop(source);
                handlers::stepped(run, &generator)
            }
            Err(throw) => run.raise(throw),
        }
    }
}

/// A frame that ran inline has been left: with a value, or (`None`) by an exception.
///
/// # Safety
/// `frame` was left a moment ago; its header is still there.
pub unsafe fn ended_inline(frame: *mut Frame, result: Option<Val>) -> ManuallyDrop<PhpObj> {
    // SAFETY: by the caller; what the block held has been released.
    unsafe {
        let generator = generator_of(frame);
        let body = Box::from_raw((*frame).extra as *mut Suspended);
        body.free();
        data_of(&generator).ended(result);
        generator
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

    fn func(&self) -> Rc<Func> {
        // SAFETY: the frame is alive.
        unsafe { (*(*self.frame).code).func_rc() }
    }

    fn closure(&self) -> Option<PhpObj> {
        // SAFETY: as above.
        unsafe { object((*self.frame).closure) }
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
                    Live::Value(number) => visit(&*Frame::tmp(frame, number)),
                    Live::Call(number) => trace_header(Frame::tmp(frame, number).cast(), visit),
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
            run_frames(|run, frame, below| {
                if let Err(throw) = calls::reserve(run, frame.cast::<u8>().add(bytes)) {
                    return (Err(throw), body.take().map(|body| -> Box<dyn Body> { body }));
                }
                let Some(body) = body.take() else { unreachable!("a body is resumed once") };
                std::ptr::copy_nonoverlapping(body.frame.cast::<u8>(), frame.cast(), bytes);
                body.free();
                moved(frame);
                (*frame).prev = below;
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
        let this = if (*header).flags & FLAG_BORROWS_THIS == 0 { (*header).this } else { 0 };
        for payload in [this, (*header).closure] {
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
            for live in self.live() {
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
