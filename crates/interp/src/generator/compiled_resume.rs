//! Bodies that their compiled code runs on: where they are kept, without a frame on the stack. See `tier::generators`.

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

/// A body that has code from where it is suspended.
struct Ready<'a> {
    body: &'a Suspended,
    point: &'a BodySite,
    code: BodyCode,
}

/// The body of a generator that has code from where it stands.
///
/// # Safety
/// Bodies stay where they are as long as their generators do.
#[inline(always)]
unsafe fn ready<'a>(data: &GeneratorData) -> Option<Ready<'a>> {
    // SAFETY: by the caller.
    unsafe {
        let (body, point) = body_at(data)?;
        Some(Ready { body, point, code: point.code()? })
    }
}

/// As [`ready`], but has the body compiled from where it stands, if it is time for that; `sent`: what the `yield` is about to
/// give. Not for calls from compiled code, through which nothing may unwind.
///
/// # Safety
/// As [`ready`].
#[inline(always)]
unsafe fn ready_or_prepare<'a>(data: &GeneratorData, sent: *const Val) -> Option<Ready<'a>> {
    // SAFETY: by the caller.
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

/// The body of a generator, and where it goes on, if that is a place from which there may be code, which can run in its frame.
///
/// # Safety
/// As [`ready`].
#[inline(always)]
unsafe fn body_at<'a>(data: &GeneratorData) -> Option<(&'a Suspended, &'a BodySite)> {
    // SAFETY: bodies are ours; a function's resume points stay as long as the function, which the body holds.
    unsafe {
        let body = &*data.suspended_body()?.cast::<Suspended>();
        let point = body.point.get().as_ref()?;
        (*body.frame).env.is_null().then_some((body, point))
    }
}

/// What there is for the body of a generator from where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResumeStatus {
    Code,
    /// Code that is being made, or will be.
    Awaited,
    Nothing,
}

/// What there is for the generator that an iterator goes over.
///
/// # Safety
/// It is an iterator of a frame.
pub unsafe fn resume_status(iterator: *const Val) -> ResumeStatus {
    // SAFETY: by the caller.
    unsafe { resume_status_of(iterator::generator(iterator).map(|generator| data_of(generator))) }
}

/// What there is for a generator, if it is one.
pub fn resume_status_of(generator: Option<&GeneratorData>) -> ResumeStatus {
    // SAFETY: as `ready`.
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

/// Runs the body to its next `yield`, which the generator's data shows then; else gives where the interpreter goes on with it.
///
/// # Safety
/// `below` is the frame that resumes the generator, or where that would lie on the stack, which is free behind `end`. The
/// context says which run it is, and how much room there is.
#[inline(always)]
unsafe fn run_to_yield(
    ready: Ready<'_>,
    context: *mut Context,
    generator: u64,
    data: &GeneratorData,
    sent: Val,
    (below, end): (*mut Frame, *mut u8),
) -> Result<(), u64> {
    // SAFETY: by the caller.
    unsafe {
        let Ready { body, point, code } = ready;
        let frame = body.frame;
        (*frame).prev = below;
        (*frame).extra = std::ptr::from_ref(body) as u64;
        (*frame).generator = generator;
        match (*(*frame).ip.sub(1)).c {
            0 => drop(sent),
            // What is sent goes to a temporary, and those are on the stack.
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

/// Resumes a generator for the innermost frame, if its body has code from where it stands: gives where that frame goes on, or
/// the body. Else gives back what was to be sent.
///
/// # Safety
/// As [`resume_inline`](super::resume_inline); the generator does not delegate.
pub(super) unsafe fn resume(run: &mut Run, generator: u64, data: &GeneratorData, sent: Val) -> Result<Ip, Val> {
    // SAFETY: by the caller; what resumes a generator holds it.
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

/// As [`resume_at_once`](super::resume_at_once), for a body that has code from where it stands.
///
/// # Safety
/// As there.
#[inline(never)]
pub(super) unsafe fn resume_for_loop(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: by the caller.
    unsafe {
        let generator = raw::payload(cell(fp, (*ip).a));
        (*fp.cast::<Frame>()).ip = ip;
        let data = &*std::ptr::from_ref(data_of(handle(&generator)));
        resume(&mut *run, generator, data, Val::NULL).unwrap_or(std::ptr::null())
    }
}

/// Resumes a generator that a frame of compiled code loops over, or one of whose methods it calls, if its body has code from where it stands: gives its data,
/// which shows what it yielded, or where the interpreter goes on.
///
/// # Safety
/// The payload is that of a Generator object, which somebody holds; `below` is where the frame lies on the stack, or would lie, and `end` its end.
#[inline(always)]
pub unsafe fn next_by_code<'a>(
    context: *mut Context,
    generator: u64,
    sent: Val,
    below: *mut Frame,
    end: *mut u8,
) -> Option<Result<&'a GeneratorData, u64>> {
    // SAFETY: by the caller.
    unsafe {
        let data = &*std::ptr::from_ref(data_of(handle(&generator)));
        let ready = ready(data)?;
        if end.add(ready.body.bytes).cast_const() > (*context).limit {
            return None;
        }
        Some(run_to_yield(ready, context, generator, data, sent, (below, end)).map(|()| data))
    }
}

/// Puts the frame of a body, but for its temporaries, where it lies on the stack while the interpreter runs it.
///
/// # Safety
/// Code of the body was entered with this frame and place.
pub unsafe fn materialize(frame: *mut Frame, stack: *mut Frame) {
    // SAFETY: by the caller; the header says whose frame it is.
    unsafe {
        let body = (*frame).extra as *const Suspended;
        let bytes = HEADER as usize + (*body).cells as usize * CELL as usize;
        std::ptr::copy_nonoverlapping(frame.cast::<u8>(), stack.cast(), bytes);
        (*stack).flags = FLAG_GENERATOR | FLAG_INLINE;
        (*body).moved_to.set(stack);
    }
}

/// The code of a body was left before a `yield`; its frame is on the stack.
///
/// # Safety
/// As says.
pub unsafe fn note_left_early(frame: *mut Frame) {
    // SAFETY: by the caller.
    unsafe {
        let body = (*frame).extra as *const Suspended;
        if let Some(point) = (*body).point.get().as_ref() {
            point.left_early(&*(*frame).code);
        }
    }
}
