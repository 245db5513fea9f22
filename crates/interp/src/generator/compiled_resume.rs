//! Bodies of generators that run in compiled code, which works on the frame in the body's block, without a frame on the stack. See
//! `tier::generators`.

use super::{Suspended, data_of, handle};
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{CELL, FLAG_GENERATOR, FLAG_INLINE, Frame, HEADER};
use crate::tier::generators::{self, BodySite};
use crate::tier::{Deferral, destruct_before};
use crate::{handlers, iterator};
use phlox_jit::Context;
use phlox_jit::code::BodyCode;
use phlox_jit::layout::{HAS_KEY, HAS_YIELDED};
use phlox_oracle::generators::GeneratorData;
use phlox_runtime::Val;
use phlox_value::raw;

/// A suspended body that has compiled code from its resume point on.
struct Ready<'a> {
    body: &'a Suspended,
    point: &'a BodySite,
    code: BodyCode,
}

/// The body of a generator, if it has compiled code from its resume point on.
///
/// # Safety
/// The data is that of a generator which stays alive for `'a`; bodies do not move.
#[inline(always)]
unsafe fn ready<'a>(data: &GeneratorData) -> Option<Ready<'a>> {
    // SAFETY: the caller says that the generator stays alive.
    unsafe {
        let (body, point) = body_at(data)?;
        Some(Ready { body, point, code: point.code()? })
    }
}

/// [`ready`], but has the body compiled from its resume point on if it is time for that. `sent`: what the `yield` is about to give.
/// Not for calls from compiled code, through which nothing may unwind.
///
/// # Safety
/// The generator stays alive for `'a`, and `sent` is a live value.
#[inline(always)]
unsafe fn ready_or_prepare<'a>(data: &GeneratorData, sent: *const Val) -> Option<Ready<'a>> {
    // SAFETY: the caller says that the generator stays alive and that `sent` is a live value.
    unsafe {
        let (body, point) = body_at(data)?;
        if !point.has_code() {
            if !point.count() {
                return None;
            }
            point.prepare(body.frame, sent);
        }
        Some(Ready { body, point, code: point.code()? })
    }
}

/// The body of a generator and its resume point, if it is suspended at one, and compiled code can run in its frame.
///
/// # Safety
/// The generator stays alive for `'a`.
#[inline(always)]
unsafe fn body_at<'a>(data: &GeneratorData) -> Option<(&'a Suspended, &'a BodySite)> {
    // SAFETY: bodies are `Suspended`; a function's resume points live as long as the function, which the body holds.
    unsafe {
        let body = &*data.suspended_body()?.cast::<Suspended>();
        let point = body.point.get().as_ref()?;
        (*body.frame).env.is_null().then_some((body, point))
    }
}

/// Whether the body of a generator has compiled code from its resume point on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResumeStatus {
    /// There is code.
    Code,
    /// Code is being made, or may still be.
    Awaited,
    /// There is no code, and none will be made.
    Nothing,
}

/// The status of the generator that an iterator iterates over.
///
/// # Safety
/// `iterator` is the first cell of an iterator of a frame.
pub unsafe fn resume_status(iterator: *const Val) -> ResumeStatus {
    // SAFETY: the caller says that this is an iterator, which holds what its tag says.
    unsafe { resume_status_of(iterator::generator(iterator).map(|generator| data_of(generator))) }
}

/// The status of a generator; [`ResumeStatus::Nothing`] without one.
pub fn resume_status_of(generator: Option<&GeneratorData>) -> ResumeStatus {
    // SAFETY: the generator is alive; its body is a `Suspended`, and resume points live as long as the function.
    unsafe {
        let body = generator.and_then(GeneratorData::suspended_body);
        let Some(point) = body.and_then(|body| (*body.cast::<Suspended>()).point.get().as_ref()) else {
            return ResumeStatus::Nothing;
        };
        match point.has_code() {
            true => ResumeStatus::Code,
            false if point.is_counting() => ResumeStatus::Awaited,
            false => ResumeStatus::Nothing,
        }
    }
}

/// Runs the body to its next `yield`; the generator's data has what it yielded then. The error is where the code has left by a side
/// exit.
///
/// # Safety
/// `below` is the frame that resumes the generator, or its place on the stack, which is free from `end` on. The context says which
/// run it is, and how much room there is.
#[inline(always)]
unsafe fn run_to_yield(
    ready: Ready<'_>,
    context: *mut Context,
    generator: u64,
    data: &GeneratorData,
    sent: Val,
    (below, end): (*mut Frame, *mut u8),
) -> Result<(), u64> {
    // SAFETY: the caller says that the stack is free from `end` on; the body's frame is complete in its block, for which the code
    // was compiled.
    unsafe {
        let Ready { body, point, code } = ready;
        let frame = body.frame;
        (*frame).prev = below;
        (*frame).extra = std::ptr::from_ref(body) as u64;
        (*frame).generator = generator;
        match (*(*frame).ip.sub(1)).c {
            0 => drop(sent),
            // What is sent goes to a temporary, and temporaries are on the stack.
            to => raw::put(cell(end, to), sent),
        }
        data.note_running();
        let status = code(frame.cast(), end) as u64;
        if status & HAS_YIELDED == 0 {
            return Err(status);
        }
        point.note_yield();
        let next = (status & !(HAS_YIELDED | HAS_KEY)) as *const BodySite;
        (*frame).ip = (*next).position();
        (*frame).prev = std::ptr::null_mut();
        body.point.set(next);
        let taken = |words: &[u64; 2]| raw::value(words[0], words[1] as u32);
        let value = taken(&(*context).scratch);
        if status & HAS_KEY == 0 {
            data.yielded_value(value);
        } else {
            data.yielded(Some(taken(&(*context).key)), value);
        }
        Ok(())
    }
}

/// Resumes a generator for the innermost frame, if its body has compiled code: gives the opline to go on with, of that frame or of
/// the body. The error gives `sent` back: there is no code, or no room.
///
/// # Safety
/// The innermost frame's position is saved, and it holds the generator, which does not delegate.
pub(super) unsafe fn resume(run: &mut Run, generator: u64, data: &GeneratorData, sent: Val) -> Result<Ip, Val> {
    // SAFETY: the caller says that the innermost frame holds the generator, so its data stays alive.
    unsafe {
        let Some(ready) = ready_or_prepare(data, &raw const sent) else { return Err(sent) };
        let (below, end) = (run.frame, Frame::end(run.frame).max(run.floor));
        if end.add(ready.body.bytes) > run.limit {
            return Err(sent);
        }
        let context = generators::enter(run);
        let deferral = Deferral::begin();
        let done = run_to_yield(ready, context, generator, data, sent, (below, end));
        deferral.end();
        match done {
            Ok(()) => {
                let next = handlers::deliver(run, data);
                Ok(destruct_before(run, next))
            }
            Err(position) => Ok(generators::was_left(run, position)),
        }
    }
}

/// [`resume_at_once`](super::resume_at_once) for a body that has compiled code.
///
/// # Safety
/// The innermost frame is at `fp`, and the iterator of the opline `ip` holds the generator, which does not delegate.
#[inline(never)]
pub(super) unsafe fn resume_for_loop(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: the caller says that the iterator of the opline holds the generator.
    unsafe {
        let generator = raw::payload(cell(fp, (*ip).a));
        (*fp.cast::<Frame>()).ip = ip;
        let data = &*std::ptr::from_ref(data_of(handle(&generator)));
        resume(&mut *run, generator, data, Val::NULL).unwrap_or(std::ptr::null())
    }
}

/// Resumes a generator for compiled code that iterates over it or calls its method, if its body has compiled code, too: gives its
/// data, which has what it yielded, or where its code has left by a side exit.
///
/// # Safety
/// The payload is that of a live Generator object; `below` is the place of the compiled code's frame on the stack, and `end` its
/// end.
#[inline(always)]
pub unsafe fn next_by_code<'a>(
    context: *mut Context,
    generator: u64,
    sent: Val,
    below: *mut Frame,
    end: *mut u8,
) -> Option<Result<&'a GeneratorData, u64>> {
    // SAFETY: the caller says that the generator is alive and that the stack is free from `end` on.
    unsafe {
        let data = &*std::ptr::from_ref(data_of(handle(&generator)));
        let ready = ready(data)?;
        if end.add(ready.body.bytes).cast_const() > (*context).limit {
            return None;
        }
        Some(run_to_yield(ready, context, generator, data, sent, (below, end)).map(|()| data))
    }
}

/// Copies the frame of a body, except for temporaries, to its place on the stack, where the interpreter goes on with it.
///
/// # Safety
/// Code of the body was entered with this frame and place.
pub unsafe fn materialize(frame: *mut Frame, stack: *mut Frame) {
    // SAFETY: the caller says that the code was entered with this frame, so `extra` is its block; there is room for the frame at
    // `stack`.
    unsafe {
        let body = (*frame).extra as *const Suspended;
        let bytes = HEADER as usize + (*body).cells as usize * CELL as usize;
        std::ptr::copy_nonoverlapping(frame.cast::<u8>(), stack.cast(), bytes);
        (*stack).flags = FLAG_GENERATOR | FLAG_INLINE;
        (*body).moved_to.set(stack);
    }
}

/// Counts a side exit of a body's code before a `yield`; the body's frame is on the stack.
///
/// # Safety
/// `frame` is the live frame of a generator's body that runs inline.
pub unsafe fn note_left_early(frame: *mut Frame) {
    // SAFETY: the caller says that the frame is that of a body, so `extra` is its block.
    unsafe {
        let body = (*frame).extra as *const Suspended;
        if let Some(point) = (*body).point.get().as_ref() {
            point.left_early(&*(*frame).code);
        }
    }
}
