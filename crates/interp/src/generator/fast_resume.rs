//! The fast paths of generators: a body that is suspended at a `yield` goes on, and yields, with nothing else to be done. Each
//! function gives null, and has changed nothing, where the slow path is needed.

use super::{Suspended, compiled_resume, data_of, handle};
use crate::calls::arguments;
use crate::code::GeneratorStep;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_BORROWS_THIS, FLAG_CONSTRUCTOR, FLAG_GENERATOR, FLAG_INLINE, FLAG_MAGIC, Frame};
use phlox_lower::OpCode;
use phlox_oracle::generators::GeneratorData;
use phlox_value::raw;
use std::ptr::null;
use std::sync::atomic::Ordering;

/// Resumes the body of a generator that is suspended at a `yield`, for the loop whose opline `ip` is; the `yield` gives null. Gives
/// the opline to go on with.
///
/// # Safety
/// The innermost frame is at `fp`, and the iterator of the opline holds the generator.
#[inline(always)]
pub unsafe fn resume_at_once(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: the caller says that the iterator holds a generator, whose body is a `Suspended` (see `enter`).
    unsafe {
        let generator = raw::payload(cell(fp, (*ip).a));
        let data = data_of(handle(&generator));
        let Some(body) = data.suspended_body() else { return null() };
        let body = body.cast::<Suspended>();
        let point = (*body).point.get();
        if !point.is_null() {
            if (*point).has_code() {
                return compiled_resume::resume_for_loop(ip, fp, run);
            }
            if (*point).count() {
                // The slow path has the body compiled.
                return null();
            }
        }
        let frame = Frame::end(fp.cast()).max((*run).floor).cast::<Frame>();
        if !fits(body, frame, run) {
            return null();
        }
        (*fp.cast::<Frame>()).ip = ip;
        let position = put(body, generator, (frame, fp.cast()), run);
        raw::write_tag(cell(frame.cast(), (*position.sub(1)).c), raw::TI_NULL);
        position
    }
}

/// Resumes the body of a generator for a call of `Generator::send()` or `next()`, whose opline `ip` is: the call's header becomes a
/// frame, above which the body runs.
///
/// # Safety
/// The innermost frame is at `fp`; the call is that of a method which resumes generators.
#[inline(always)]
pub unsafe fn send_at_once(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: the caller says that the callee is a method of Generator, so `this` is one or 0; arguments are cells behind the
    // header.
    unsafe {
        let header = cell(fp, (*ip).a).cast::<Frame>();
        let code = &*(*header).code;
        let (argc, generator) = ((*ip).b, (*header).this);
        if !is_plain(header) || argc != code.params || argc > 1 || generator == 0 {
            return null();
        }
        let (payload, tag) = match argc {
            0 => (0, raw::TI_NULL),
            _ => (raw::payload(arguments(header)), raw::tag(arguments(header))),
        };
        let data = data_of(handle(&generator));
        let Some(body) = data.suspended_body() else { return null() };
        let body = body.cast::<Suspended>();
        let point = (*body).point.get();
        if tag == raw::TI_REF || !point.is_null() && ((*point).has_code() || (*point).count()) {
            return null();
        }
        (*header).argc = argc;
        let frame = Frame::end(header).max((*run).floor).cast::<Frame>();
        let to = (*(*(*body).frame).ip.sub(1)).c;
        if !fits(body, frame, run) || to == 0 && tag & raw::COUNTED != 0 {
            return null();
        }
        (*fp.cast::<Frame>()).ip = ip;
        (*header).prev = fp.cast();
        (*header).ip = null();
        let position = put(body, generator, (frame, header), run);
        if to != 0 {
            raw::retain(payload, tag);
            raw::write(cell(frame.cast(), to), payload, tag);
        }
        position
    }
}

/// Whether the header of a method call holds nothing but the object and arguments.
#[inline(always)]
unsafe fn is_plain(header: *const Frame) -> bool {
    // SAFETY: the callers pass a filled-in header.
    unsafe {
        (*header).flags & (FLAG_MAGIC | FLAG_CONSTRUCTOR) == 0 && (*header).env.is_null() && (*header).closure == 0
    }
}

/// Whether a body can run at a place on the stack, and holds nothing but its header and variables.
#[inline(always)]
unsafe fn fits(body: *const Suspended, frame: *mut Frame, run: *mut Run) -> bool {
    // SAFETY: the callers pass the body of a live generator and the innermost run.
    unsafe {
        frame.cast::<u8>().add((*body).bytes) <= (*run).limit
            && !(*body).has_live.get()
            && (*(*body).frame).env.is_null()
    }
}

/// Moves a body that [`fits`] onto the stack, above the frame `below`; gives the opline to go on with.
#[inline(always)]
unsafe fn put(body: *const Suspended, generator: u64, (frame, below): (*mut Frame, *mut Frame), run: *mut Run) -> Ip {
    // SAFETY: the callers have checked with `fits` that there is room for the frame.
    unsafe {
        data_of(handle(&generator)).note_running();
        let from = (*body).frame;
        // Words that were written one by one are read one by one, for the reason that `copy_cells` gives.
        let position = (&raw const (*from).ip).read_volatile();
        (*frame).code = (*from).code;
        (*frame).ip = position;
        (*frame).this = (*from).this;
        (*frame).static_class = (&raw const (*from).static_class).read_volatile();
        (*frame).closure = (*from).closure;
        (*frame).env = std::ptr::null_mut();
        (*frame).argc = (*from).argc;
        (*body).copy_locals(from, frame);
        (*body).moved_to.set(frame);
        (*frame).flags = FLAG_GENERATOR | FLAG_INLINE;
        (*frame).prev = below;
        (*frame).extra = body as u64;
        (*frame).generator = generator;
        (*run).frame = frame;
        position
    }
}

/// Moves the frame at `fp` back to its block, for which [`can_go_back`] holds: the body is suspended at `ip`.
#[inline(always)]
unsafe fn take_back(ip: Ip, fp: Fp) {
    // SAFETY: the callers pass a frame that runs inline, so `extra` is its block.
    unsafe {
        let frame = fp.cast::<Frame>();
        let body = (*frame).extra as *const Suspended;
        (*(*body).frame).ip = ip.add(1);
        let code = &*(*frame).code;
        (*body).point.set(code.body_site_of(code.meta(ip)));
        (*body).has_live.set(false);
        (*body).copy_locals(frame, (*body).frame);
        (*body).moved_to.set(std::ptr::null_mut());
    }
}

/// Whether the body in a frame can be suspended at a `yield` with its variables alone, while no exception or interrupt is pending.
#[inline(always)]
unsafe fn can_go_back(ip: Ip, frame: *mut Frame, data: &GeneratorData, run: *mut Run) -> bool {
    // SAFETY: the callers pass the innermost frame and its Yield.
    unsafe {
        (*(*frame).code).meta(ip).live == 0
            && !data.is_closing()
            && !(*(*run).has_pending).get()
            && (*(*run).interrupt).load(Ordering::Relaxed) == 0
    }
}

/// Yields from the innermost frame, a body that a loop runs above its own frame: the loop goes on with the opline that is given,
/// unless the destructor of the value yielded before has thrown.
///
/// # Safety
/// The innermost frame is at `fp`; `ip` is its Yield, with a key if `KEYED`.
#[inline(always)]
pub unsafe fn yield_at_once<const KEYED: bool>(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: the caller says that `ip` is the innermost frame's Yield; the frame that has resumed the body holds the generator.
    unsafe {
        let frame = fp.cast::<Frame>();
        let value = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        let key = cell(fp, (*ip).b);
        let (key_payload, key_tag) = if KEYED { (raw::payload(key), raw::tag(key)) } else { (0, raw::TI_NULL) };
        let is_inline = (*frame).flags & FLAG_INLINE != 0 && (*frame).env.is_null() && key_tag != raw::TI_REF;
        if !is_inline || tag == raw::TI_REF {
            return null();
        }
        let data = data_of(handle(&(*frame).generator));
        let below = (*frame).prev;
        if (*(*below).code).is_native || !can_go_back(ip, frame, data, run) {
            return null();
        }
        let next = (*below).ip;
        if (*(*below).code).meta(next).op != OpCode::IterNext {
            return null();
        }
        let wants_key = (*next).c != 0;
        let (to, key_to) = (cell(below.cast(), (*next).b), cell(below.cast(), (*next).c));
        if (raw::tag(to) | if wants_key { raw::tag(key_to) } else { 0 }) & raw::COUNTED != 0 || to == key_to {
            return null();
        }
        take_back(ip, fp);
        (*run).frame = below;
        raw::retain(payload, tag);
        raw::write(to, payload, tag);
        if KEYED {
            if wants_key {
                raw::retain(key_payload, key_tag);
                raw::write(key_to, key_payload, key_tag);
            }
            data.yielded(Some(raw::value(key_payload, key_tag)), raw::value(payload, tag));
            return next;
        }
        let key = data.yielded_value(raw::value(payload, tag));
        if wants_key {
            raw::write(key_to, key as u64, raw::TI_INT);
        }
        next
    }
}

/// Yields without a key from the innermost frame, a body that `Generator::send()` or `next()` has resumed: the method returns.
/// Gives the opline of the call.
///
/// # Safety
/// The innermost frame is at `fp`; `ip` is its Yield without a key.
#[inline(always)]
pub unsafe fn yield_to_send(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: the caller says that `ip` is the innermost frame's Yield; the method's frame holds the generator.
    unsafe {
        let frame = fp.cast::<Frame>();
        let value = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(value), raw::tag(value));
        if (*frame).flags & FLAG_INLINE == 0 || !(*frame).env.is_null() || tag == raw::TI_REF {
            return null();
        }
        let (generator, header) = ((*frame).generator, (*frame).prev);
        let (code, data) = (&*(*header).code, data_of(handle(&generator)));
        let Some(step) = code.generator_step else { return null() };
        // A generator that another one delegates to is not the one that the method was called for.
        if generator != (*header).this || !is_plain(header) || !can_go_back(ip, frame, data, run) {
            return null();
        }
        let (caller, argc) = ((*header).prev, (*header).argc);
        let is_counted = argc > 0 && raw::tag(arguments(header)) & raw::COUNTED != 0;
        let call = (*caller).ip;
        let is_call = !(*(*caller).code).is_native && (*(*caller).code).meta(call).op == OpCode::Call;
        if !is_call || is_counted || argc > 1 {
            return null();
        }
        let borrows = (*header).flags & FLAG_BORROWS_THIS != 0;
        take_back(ip, fp);
        (*run).frame = caller;
        if (*call).c != 0 {
            match step {
                GeneratorStep::Send => {
                    raw::retain(payload, tag);
                    raw::write(cell(caller.cast(), (*call).c), payload, tag);
                }
                _ => raw::write_tag(cell(caller.cast(), (*call).c), raw::TI_NULL),
            }
        }
        data.yielded_value(raw::value(payload, tag));
        // The method's reference is released last: the destructor of the value yielded before may release all others.
        if !borrows && !raw::release_shared(generator, raw::TI_OBJ) {
            raw::release_counted(generator, raw::TI_OBJ);
        }
        call
    }
}
