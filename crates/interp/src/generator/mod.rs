//! Generators: a suspended body is a copy of its frame; it runs on the stack like any other.

mod compiled_resume;
mod fast_resume;

pub use compiled_resume::{ResumeStatus, materialize, next_by_code, note_left_early, resume_status, resume_status_of};
pub use fast_resume::{resume_at_once, send_at_once, yield_at_once, yield_to_send};

use crate::calls;
use crate::context::{Ip, Run};
use crate::frame::{
    CELL, FLAG_BORROWS_THIS, FLAG_ENTRY, FLAG_FROM_NATIVE, FLAG_GENERATOR, FLAG_INLINE, Frame, HEADER, object,
};
use crate::tier::generators::BodySite;
use crate::{handlers, iterator, leave, run_frames, view};
use phlox_lower::{ITER_CELLS, Live, OpCode};
use phlox_oracle::generators::{self, Body, GeneratorData, Resume};
use phlox_oracle::machine::Exit;
use phlox_runtime::{Edges, Frame as FrameView, Locals, PhpObj, PhpResult, Throw, Val, Vm};
use phlox_value::raw;
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The frame of a suspended body.
struct Suspended {
    frame: *mut Frame,
    bytes: usize,
    /// The cells behind the header that are not temporaries.
    cells: u32,
    /// Temporaries are live where it is suspended. Headers of pending calls among them are not made of cells.
    has_live: Cell<bool>,
    /// Where the frame is on the stack, while it is: then the block is only a place for it to come back to.
    moved_to: Cell<*mut Frame>,
    /// Where it goes on, if there may be code for that.
    point: Cell<*const BodySite>,
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
        let body = Box::new(Suspended::start_of(frame));
        generators::create(run.vm, body, code.func_rc(), object((*frame).closure))
    }
}

impl Suspended {
    /// Moves a frame off the stack whose body has not begun: it holds arguments, and no iterator is in use.
    unsafe fn start_of(frame: *mut Frame) -> Suspended {
        // SAFETY: the frame is alive; what it has is copied field by field, for the reason of `copy_cells`.
        unsafe {
            let body = Suspended::block_for(frame);
            let to = body.frame;
            (*to).code = (*frame).code;
            (*to).ip = (*frame).ip;
            (*to).this = (*frame).this;
            (*to).static_class = (*frame).static_class;
            (*to).closure = (*frame).closure;
            (*to).env = (*frame).env;
            (*to).argc = (*frame).argc;
            body.copy_cells(frame, to);
            (0..(*(*frame).code).iters).for_each(|index| crate::iterator::clear(Frame::iter(to, index)));
            body.took_over();
            body
        }
    }

    /// Moves a frame off the stack.
    unsafe fn copy_of(frame: *mut Frame) -> Suspended {
        // SAFETY: the frame is alive; it is moved whole.
        unsafe {
            let body = Suspended::block_for(frame);
            std::ptr::copy_nonoverlapping(frame.cast::<u8>(), body.frame.cast(), body.bytes);
            body.took_over();
            body
        }
    }

    /// A place for a frame to move to from the stack.
    unsafe fn block_for(frame: *mut Frame) -> Suspended {
        // SAFETY: the frame is alive.
        unsafe {
            let code = &*(*frame).code;
            let bytes = code.frame_bytes.get() as usize;
            Suspended {
                frame: raw::allocate(bytes).cast(),
                bytes,
                cells: code.locals + code.iters * ITER_CELLS,
                has_live: Cell::new(code.meta((*frame).ip.sub(1)).live != 0),
                moved_to: Cell::new(std::ptr::null_mut()),
                point: Cell::new(code.body_site_of(code.meta((*frame).ip.sub(1)))),
            }
        }
    }

    /// Moves the frame that this block is there for off the stack: it is suspended at `ip`.
    #[inline(always)]
    unsafe fn take_over(&self, frame: *mut Frame, ip: Ip, has_live: bool) {
        // SAFETY: the frame is alive and of this size; the block still has what does not change while a body runs.
        unsafe {
            (*self.frame).ip = ip.add(1);
            (*self.frame).env = (*frame).env;
            let code = &*(*frame).code;
            self.point.set(code.body_site_of(code.meta(ip)));
            self.has_live.set(has_live);
            self.copy_cells(frame, self.frame);
            self.took_over();
        }
    }

    /// Copies the cells of a suspended frame that hold something. Words are read as they were written: a wider read of what
    /// was written in parts a moment ago waits until that is in memory.
    #[inline(always)]
    unsafe fn copy_cells(&self, from: *mut Frame, to: *mut Frame) {
        // SAFETY: by the caller; both places have room for the frame.
        unsafe {
            if self.has_live.get() {
                let bytes = self.bytes - HEADER as usize;
                let (from, to) = (Frame::local(from, 0), Frame::local(to, 0));
                return std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), bytes);
            }
            self.copy_locals(from, to);
        }
    }

    /// As [`Suspended::copy_cells`], if no temporary holds anything.
    #[inline(always)]
    unsafe fn copy_locals(&self, from: *mut Frame, to: *mut Frame) {
        // SAFETY: as there.
        unsafe {
            let (from, to) = (Frame::local(from, 0), Frame::local(to, 0));
            for index in 0..self.cells as usize {
                let cell = from.add(index);
                raw::write(to.add(index), raw::payload(cell), raw::tag(cell));
                // Iterators keep something there, too.
                raw::set_aux(to.add(index), raw::aux(cell));
            }
        }
    }

    /// The frame is in the block.
    #[inline(always)]
    unsafe fn took_over(&self) {
        // SAFETY: by the caller.
        unsafe {
            (*self.frame).flags = FLAG_ENTRY | FLAG_GENERATOR;
            (*self.frame).prev = std::ptr::null_mut();
            self.moved_to.set(std::ptr::null_mut());
            if !(*self.frame).env.is_null() {
                leave::forget_view(self.frame);
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

/// Runs the body of a generator, or of the one that it delegates to, above the innermost frame, if that is possible;
/// gives where it goes on. When the body suspends or ends, [`handlers::stepped`] or what else belongs to the frame below
/// goes on. `sent`: what the `yield` gives.
///
/// # Safety
/// The innermost frame's position is saved, and the generator is the one that [`consumed`] finds there.
#[inline(always)]
pub unsafe fn resume_inline(run: &mut Run, generator: &PhpObj, sent: Val) -> Option<Ip> {
    // SAFETY: by the caller.
    unsafe {
        let data = data_of(generator);
        match data.is_delegating() {
            false => match compiled_resume::resume(run, payload_of(generator), data, sent) {
                Ok(next) => Some(next),
                Err(sent) => enter(run, payload_of(generator), data, sent),
            },
            true => resume_innermost(run, generator, sent),
        }
    }
}

/// As [`resume_inline`], for a generator that delegates.
#[inline(never)]
unsafe fn resume_innermost(run: &mut Run, generator: &PhpObj, sent: Val) -> Option<Ip> {
    // SAFETY: by the caller; whoever resumes a generator holds it, which holds those that it delegates to.
    unsafe {
        let data = data_of(generator);
        data.note_resumed();
        let innermost = |line: &mut VecDeque<PhpObj>| line.back().map(payload_of);
        let mut leaf = data.with_line(innermost);
        if !leaf.as_ref().is_some_and(|leaf| is_innermost(leaf)) {
            data.find_line(generator);
            leaf = data.with_line(innermost);
        }
        let leaf = leaf?;
        enter(run, leaf, data_of(handle(&leaf)), sent)
    }
}

/// Can the body of the generator that somebody delegates to be resumed?
unsafe fn is_innermost(leaf: &u64) -> bool {
    // SAFETY: a live generator's payload.
    unsafe { data_of(handle(leaf)).is_resumable() }
}

/// Puts the body of a generator onto the stack; gives where it goes on.
#[inline(always)]
unsafe fn enter(run: &mut Run, generator: u64, data: &GeneratorData, sent: Val) -> Option<Ip> {
    let (body, fresh) = data.begin()?;
    // SAFETY: one engine makes a process's generators, so that every body is one of ours; it stays where it is, and is
    // marked as moved while its frame is on the stack.
    unsafe {
        let body = body.cast::<Suspended>();
        let below = run.frame;
        let frame = Frame::end(below).max(run.floor).cast::<Frame>();
        let end = frame.cast::<u8>().add((*body).bytes);
        if end > run.limit
            && let Err(throw) = calls::reserve(run, end)
        {
            data.did_not_begin(fresh);
            return Some(run.raise(throw));
        }
        let from = (*body).frame;
        (*frame).code = (*from).code;
        (*frame).ip = (*from).ip;
        (*frame).this = (*from).this;
        (*frame).static_class = (*from).static_class;
        (*frame).closure = (*from).closure;
        (*frame).env = (*from).env;
        (*frame).argc = (*from).argc;
        (*body).copy_cells(from, frame);
        (*body).moved_to.set(frame);
        if !(*frame).env.is_null() {
            moved(frame);
        }
        (*frame).flags = FLAG_GENERATOR | FLAG_INLINE;
        (*frame).prev = below;
        (*frame).extra = body as u64;
        (*frame).generator = generator;
        run.frame = frame;
        let position = (*frame).ip;
        match fresh {
            true => drop(sent),
            false => raw::put(crate::context::cell(frame.cast(), (*position.sub(1)).c), sent),
        }
        Some(position)
    }
}

/// The payload of an object, which keeps its count.
fn payload_of(object: &PhpObj) -> u64 {
    // SAFETY: an object handle is its payload.
    unsafe { *std::ptr::from_ref(object).cast::<u64>() }
}

/// The object with this payload, without a count of its own.
unsafe fn handle(payload: &u64) -> &PhpObj {
    // SAFETY: an object handle is its payload; by the caller the object lives.
    unsafe { &*std::ptr::from_ref(payload).cast::<PhpObj>() }
}

/// A generator's data.
///
/// # Safety
/// The object is a Generator.
pub unsafe fn data_of(generator: &PhpObj) -> &GeneratorData {
    // SAFETY: Generator objects are made with their data.
    unsafe { generator.native_unchecked() }
}

/// The generator that a frame below a running body has resumed: by a loop over it, or by a call of its method.
///
/// # Safety
/// `below` is such a frame.
pub unsafe fn consumed<'a>(below: *mut Frame) -> &'a PhpObj {
    // SAFETY: by the caller: the loop's iterator, or `$this` of the builtin method, is a generator.
    unsafe {
        let code = &*(*below).code;
        let payload = match code.is_native {
            true => &raw const (*below).this,
            false => Frame::iter(below, code.meta((*below).ip).n).cast::<u64>().cast_const(),
        };
        &*payload.cast::<PhpObj>()
    }
}

/// The innermost frame moves back to its block: its body suspends at `ip`.
#[inline(always)]
unsafe fn suspend<'a>(run: &mut Run, ip: Ip) -> &'a GeneratorData {
    // SAFETY: the frame runs inline; what resumed it holds the generator.
    unsafe {
        let frame = run.frame;
        let has_live = run.meta(ip).live != 0;
        let data = std::ptr::from_ref(data_of(handle(&(*frame).generator)));
        let body = (*frame).extra as *const Suspended;
        (*body).take_over(frame, ip, has_live);
        run.frame = (*frame).prev;
        &*data
    }
}

/// The innermost frame, which runs inline, yields a value that is no reference, without a key.
///
/// # Safety
/// As says; `ip` is its Yield.
#[inline(always)]
pub unsafe fn yield_value(run: &mut Run, ip: Ip, value: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe {
        if data_of(handle(&(*run.frame).generator)).is_closing() {
            return refuse_yield(run, None, value);
        }
        let data = suspend(run, ip);
        data.yielded_value(value);
        handlers::deliver(run, data)
    }
}

/// The innermost frame, which runs inline, yields.
///
/// # Safety
/// As says; `ip` is its Yield.
#[inline(always)]
pub unsafe fn yield_inline(run: &mut Run, ip: Ip, key: Option<Val>, value: Val) -> Ip {
    // SAFETY: by the caller.
    unsafe {
        if data_of(handle(&(*run.frame).generator)).is_closing() {
            return refuse_yield(run, key, value);
        }
        let data = suspend(run, ip);
        data.yielded(key, value);
        handlers::deliver(run, data)
    }
}

#[cold]
#[inline(never)]
fn refuse_yield(run: &mut Run, key: Option<Val>, value: Val) -> Ip {
    drop((key, value));
    let text: &[u8] = b"Cannot yield from finally in a force-closed generator";
    let throw = run.vm.throw_error(text);
    run.raise(throw)
}

/// The innermost frame, which runs inline, delegates to a value.
///
/// # Safety
/// As says; `ip` is its YieldFrom.
pub unsafe fn delegate_inline(run: &mut Run, ip: Ip, source: Val) -> Ip {
    // SAFETY: by the caller; the generator lives as long as what resumed it holds it.
    unsafe {
        let own = (*run.frame).generator;
        let generator = handle(&own);
        let data = suspend(run, ip);
        let outermost = consumed(run.frame);
        if let Some(inner) = source.as_obj()
            && !data.is_closing()
            && inner.native::<GeneratorData>().is_some_and(generators::is_untouched)
        {
            data.delegate_to(inner);
            let extended = data_of(outermost).with_line(|line| {
                let extended = line.back().unwrap_or(outermost).ptr_eq(generator);
                if extended {
                    line.push_back(inner.clone());
                }
                extended
            });
            if extended && let Some(next) = enter(run, payload_of(inner), data_of(inner), Val::NULL) {
                return next;
            }
            return go_on_slowly(run, outermost);
        }
        // The outermost one is what the caller sees; those between are not suspended at a `yield`.
        let Some(body) = data.take_body() else { unreachable!("a body that suspends is there") };
        match generators::delegate(run.vm, outermost, generator, body, &source) {
            Ok(()) => {
                drop(source);
                handlers::stepped(run, outermost)
            }
            Err(throw) => {
                drop(source);
                run.raise(throw)
            }
        }
    }
}

/// Resumes a generator in a nested run.
unsafe fn go_on_slowly(run: &mut Run, outermost: &PhpObj) -> Ip {
    // SAFETY: called for the generator that the innermost frame has resumed.
    unsafe {
        match generators::resume(run.vm, outermost, Resume::Send(Val::NULL)) {
            Ok(()) => handlers::stepped(run, outermost),
            Err(throw) => run.raise(throw),
        }
    }
}

/// A frame that ran inline has returned a value: goes on with the generator that delegates to it, or below.
///
/// # Safety
/// `frame` was left a moment ago; its header is still there.
#[inline(never)]
pub unsafe fn returned_inline(run: &mut Run, frame: *mut Frame, result: Val) -> Ip {
    // SAFETY: by the caller; what the block held has been released, and what resumed the generator holds it.
    unsafe {
        let own = (*frame).generator;
        let generator = handle(&own);
        let data = data_of(generator);
        data.ended(Some(result));
        generator.mark_destructed();
        let outermost = consumed(run.frame);
        if outermost.ptr_eq(generator) {
            return handlers::stepped(run, outermost);
        }
        let root = data_of(outermost);
        // The line's count keeps the generator until its result has been given away.
        let ended = root.with_line(|line| line.pop_back_if(|last| last.ptr_eq(generator)));
        if ended.is_none() {
            return go_on_slowly(run, outermost);
        }
        let outer = root.with_line(|line| line.back().map_or(payload_of(outermost), payload_of));
        let outer_data = data_of(handle(&outer));
        outer_data.end_delegation(data);
        match enter(run, outer, outer_data, data.result()) {
            Some(next) => next,
            None => go_on_slowly(run, outermost),
        }
    }
}

/// A frame that ran inline has been left by an exception. Gives where to go on if the generator that delegates to it
/// has caught that, else what is thrown below.
///
/// # Safety
/// As [`returned_inline`].
pub unsafe fn threw_inline(run: &mut Run, frame: *mut Frame, throw: Throw) -> Result<Ip, Throw> {
    // SAFETY: as `returned_inline`.
    unsafe {
        let own = (*frame).generator;
        let generator = handle(&own);
        data_of(generator).ended(None);
        generator.mark_destructed();
        let outermost = consumed(run.frame);
        if outermost.ptr_eq(generator) {
            return Err(throw);
        }
        generators::inner_threw(run.vm, outermost, throw)?;
        Ok(handlers::stepped(run, outermost))
    }
}

/// Frees everything that the innermost frame holds, which runs inline. Destructors that run meanwhile see the generators
/// that delegate to it as the innermost frames.
///
/// # Safety
/// As [`leave::leave_frame`].
#[inline(never)]
pub unsafe fn leave_inline(run: &mut Run, frame: *mut Frame) {
    // SAFETY: by the caller.
    unsafe {
        let locals = (0..(*(*frame).code).locals).map(|index| Frame::local(frame, index));
        let may_destruct = |local: *mut Val| {
            let tag = raw::tag(local);
            tag == raw::TI_OBJ || raw::is_unshared(raw::payload(local), tag)
        };
        let outer = match locals.into_iter().any(may_destruct) {
            true => Delegating::around(frame),
            false => None,
        };
        let is_shown = match outer.and_then(|outer| outer.outermost.native_counted::<GeneratorData>()) {
            Some(chain) => {
                run.vm.frames.push_segment(chain);
                true
            }
            None => false,
        };
        leave::leave_frame(run, frame);
        if is_shown {
            run.vm.frames.pop();
        }
    }
}

/// The generators that delegate, directly or not, to the one whose body is in a frame.
pub struct Delegating {
    outermost: PhpObj,
    /// How many of the outermost one's line there are.
    between: usize,
}

impl Delegating {
    /// `None`: nobody delegates to it, or it is no generator's.
    ///
    /// # Safety
    /// The frame is alive.
    #[inline]
    pub unsafe fn around(frame: *mut Frame) -> Option<Delegating> {
        // SAFETY: by the caller; what resumed the generator holds it.
        unsafe {
            if (*frame).flags & FLAG_INLINE == 0 {
                return None;
            }
            let own = (*frame).generator;
            let outermost = consumed((*frame).prev);
            if outermost.ptr_eq(handle(&own)) {
                return None;
            }
            let data = data_of(outermost);
            data.find_line(outermost);
            let between = data.with_line(|line| line.iter().rposition(|generator| generator.ptr_eq(handle(&own))));
            Some(Delegating { outermost: outermost.clone(), between: between.unwrap_or(0) })
        }
    }

    pub fn len(&self) -> usize {
        self.between + 1
    }

    /// The frame of the one that is so many steps around the innermost of them.
    pub fn frame(&self, steps: usize) -> Option<*mut Frame> {
        // SAFETY: they are generators; bodies that are suspended are ours, and stay while what resumed them runs.
        unsafe {
            let suspended = |generator: &PhpObj| {
                data_of(generator).with_body(|body| (*std::ptr::from_ref(body).cast::<Suspended>()).frame)
            };
            match self.between.checked_sub(steps)? {
                0 => suspended(&self.outermost),
                at => data_of(&self.outermost).with_line(|line| line.get(at - 1).and_then(suspended)),
            }
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
        // SAFETY: the frame is alive and its position saved, wherever it is.
        unsafe {
            match self.moved_to.get() {
                frame if frame.is_null() => view::of(self.frame),
                frame => view::of(frame),
            }
        }
    }

    fn pc(&self) -> u32 {
        // SAFETY: as above.
        unsafe {
            let code = &*(*self.frame).code;
            code.meta((*self.frame).ip.sub(1)).pc
        }
    }

    fn trace(&self, edges: &mut Edges) {
        // SAFETY: as above; nothing runs meanwhile.
        unsafe {
            let frame = self.frame;
            let code = &*(*frame).code;
            for index in 0..code.locals {
                edges.value(&*Frame::local(frame, index));
            }
            for index in 0..code.iters {
                iterator::trace(Frame::iter(frame, index), edges);
            }
            for live in self.live() {
                match live {
                    Live::Value(number) | Live::Arg(number) => edges.value(&*Frame::tmp(frame, number)),
                    Live::Call(number) => trace_header(Frame::tmp(frame, number).cast(), edges),
                }
            }
            trace_header(frame, edges);
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

pub unsafe fn trace_header(header: *const Frame, edges: &mut Edges) {
    // SAFETY: the header holds these.
    unsafe {
        let this = if (*header).flags & FLAG_BORROWS_THIS == 0 { (*header).this } else { 0 };
        for payload in [this, (*header).closure] {
            if payload != 0 {
                let value = std::mem::ManuallyDrop::new(raw::value(payload, raw::TI_OBJ));
                edges.value(&value);
            }
        }
        // The frame's other form has counts of its own; whoever else has it shows them.
        let view = (*header).env.as_ref().and_then(|env| env.view.as_ref());
        if let Some(view) = view.filter(|view| Rc::strong_count(view) == 1) {
            view.trace_handles(edges);
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
            if !self.moved_to.get().is_null() {
                return raw::free(frame.cast(), self.bytes);
            }
            for live in self.live() {
                match live {
                    Live::Value(number) | Live::Arg(number) => drop(raw::take(Frame::tmp(frame, number))),
                    Live::Call(number) => leave::release_header(Frame::tmp(frame, number).cast()),
                }
            }
            leave::release_frame(frame);
            raw::free(frame.cast(), self.bytes);
        }
    }
}
