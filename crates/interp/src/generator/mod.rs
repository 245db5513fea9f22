//! Generators: the frame of a suspended body is kept in a block of its own; the body runs on the stack like any other function.

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

/// A suspended body: the block that its frame is kept in.
struct Suspended {
    frame: *mut Frame,
    bytes: usize,
    /// The number of cells of locals and iterators, which lie behind the header.
    cells: u32,
    /// Some temporaries are full where the body is suspended. Headers of pending calls among them are not made of cells.
    has_live: Cell<bool>,
    /// The frame's place on the stack while it is there: then the block is only reserved for its return. Null otherwise.
    moved_to: Cell<*mut Frame>,
    /// The resume point where the body goes on, if that may be compiled; else null.
    point: Cell<*const BodySite>,
}

/// Turns the innermost frame into the body of a new Generator object; what the frame held has moved to the body.
///
/// # Safety
/// The innermost frame runs CreateGenerator at `ip`, and its temporaries are empty.
pub unsafe fn create(run: &mut Run, ip: Ip) -> PhpResult<PhpObj> {
    // SAFETY: the caller says that the innermost frame runs CreateGenerator, and holds only its arguments and header.
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
        // SAFETY: `create` passes a live frame; its header is copied field by field, for the reason that `copy_cells` gives.
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

    /// Moves a frame off the stack into a new block.
    unsafe fn copy_of(frame: *mut Frame) -> Suspended {
        // SAFETY: the caller passes a live frame, which is moved whole and not used again.
        unsafe {
            let body = Suspended::block_for(frame);
            std::ptr::copy_nonoverlapping(frame.cast::<u8>(), body.frame.cast(), body.bytes);
            body.took_over();
            body
        }
    }

    /// A block with room for a frame that is to move off the stack.
    unsafe fn block_for(frame: *mut Frame) -> Suspended {
        // SAFETY: the callers pass a live frame, whose position is behind an opline.
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

    /// Moves the frame that this block belongs to off the stack: the body is suspended at `ip`.
    #[inline(always)]
    unsafe fn take_over(&self, frame: *mut Frame, ip: Ip, has_live: bool) {
        // SAFETY: `suspend` passes the frame of this body; the block still has the parts of the header that do not change while a
        // body runs.
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

    /// Copies the full cells of a suspended frame. Words are read as they were written: a read that is wider than the writes of a
    /// moment ago waits until those have reached the cache.
    #[inline(always)]
    unsafe fn copy_cells(&self, from: *mut Frame, to: *mut Frame) {
        // SAFETY: the callers pass two places with room for this body's frame.
        unsafe {
            if self.has_live.get() {
                let bytes = self.bytes - HEADER as usize;
                let (from, to) = (Frame::local(from, 0), Frame::local(to, 0));
                return std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast(), bytes);
            }
            self.copy_locals(from, to);
        }
    }

    /// [`Suspended::copy_cells`], if no temporary is full.
    #[inline(always)]
    unsafe fn copy_locals(&self, from: *mut Frame, to: *mut Frame) {
        // SAFETY: the callers pass two places with room for this body's frame.
        unsafe {
            let (from, to) = (Frame::local(from, 0), Frame::local(to, 0));
            for index in 0..self.cells as usize {
                let cell = from.add(index);
                raw::write(to.add(index), raw::payload(cell), raw::tag(cell));
                // Iterators use this word of a cell, too.
                raw::set_aux(to.add(index), raw::aux(cell));
            }
        }
    }

    /// Completes the header of a frame that has moved into the block.
    #[inline(always)]
    unsafe fn took_over(&self) {
        // SAFETY: the callers have just filled the block's frame.
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

    /// Frees the block without what it held, which has moved elsewhere.
    unsafe fn free(self: Box<Self>) {
        let (frame, bytes) = (self.frame, self.bytes);
        std::mem::forget(*self);
        // SAFETY: the block was allocated with this size.
        unsafe { raw::free(frame.cast(), bytes) }
    }

    /// The temporaries that are full where the body is suspended.
    unsafe fn live(&self) -> Vec<Live> {
        // SAFETY: the frame's position is behind the suspending opline, or is the first one.
        unsafe {
            let code = &*(*self.frame).code;
            let position = (*self.frame).ip;
            let started = code.index_of(position) > 0 && code.meta(position.sub(1)).op != OpCode::CreateGenerator;
            if started { code.live(code.meta(position.sub(1)).live) } else { Vec::new() }
        }
    }
}

/// Runs the body of a generator, or of the one that it delegates to, above the innermost frame, if that is possible; gives the
/// opline to go on with. When the body suspends or ends, `handlers::stepped` or `handlers::deliver` goes on with the frame below.
/// `sent`: the value of the `yield`.
///
/// # Safety
/// The innermost frame's position is saved, and the generator is the one that [`consumed`] finds for that frame.
#[inline(always)]
pub unsafe fn resume_inline(run: &mut Run, generator: &PhpObj, sent: Val) -> Option<Ip> {
    // SAFETY: the caller says that the innermost frame holds the generator and its position is saved.
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

/// [`resume_inline`] for a generator that delegates.
#[inline(never)]
unsafe fn resume_innermost(run: &mut Run, generator: &PhpObj, sent: Val) -> Option<Ip> {
    // SAFETY: the innermost frame holds the generator, which holds those that it delegates to.
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

/// Whether the body of the generator that others delegate to can be resumed.
unsafe fn is_innermost(leaf: &u64) -> bool {
    // SAFETY: the caller passes the payload of a live generator.
    unsafe { data_of(handle(leaf)).is_resumable() }
}

/// Moves the body of a generator onto the stack; gives the opline to go on with. `None`: the body cannot be resumed.
#[inline(always)]
unsafe fn enter(run: &mut Run, generator: u64, data: &GeneratorData, sent: Val) -> Option<Ip> {
    let (body, fresh) = data.begin()?;
    // SAFETY: only this interpreter makes generators in a process, so the body is a `Suspended`. It does not move, and is marked as
    // moved while its frame is on the stack.
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

/// The payload of an object, which keeps its reference.
fn payload_of(object: &PhpObj) -> u64 {
    // SAFETY: an object handle has the layout of its payload.
    unsafe { *std::ptr::from_ref(object).cast::<u64>() }
}

/// The object with this payload, without a reference of its own.
unsafe fn handle(payload: &u64) -> &PhpObj {
    // SAFETY: an object handle has the layout of its payload; the callers pass the payload of a live object.
    unsafe { &*std::ptr::from_ref(payload).cast::<PhpObj>() }
}

/// The data of a generator.
///
/// # Safety
/// The object is a Generator.
pub unsafe fn data_of(generator: &PhpObj) -> &GeneratorData {
    // SAFETY: Generator objects are made with their data.
    unsafe { generator.native_unchecked() }
}

/// The generator that the frame below a running body has resumed: by a loop over it, or by a call of its method.
///
/// # Safety
/// `below` is a frame that has resumed a generator, and its position is saved.
pub unsafe fn consumed<'a>(below: *mut Frame) -> &'a PhpObj {
    // SAFETY: the caller says that the frame has resumed a generator: its loop's iterator, or `$this` of the builtin method, holds
    // it.
    unsafe {
        let code = &*(*below).code;
        let payload = match code.is_native {
            true => &raw const (*below).this,
            false => Frame::iter(below, code.meta((*below).ip).n).cast::<u64>().cast_const(),
        };
        &*payload.cast::<PhpObj>()
    }
}

/// Suspends the body of the innermost frame at `ip`: the frame moves back to its block.
#[inline(always)]
unsafe fn suspend<'a>(run: &mut Run, ip: Ip) -> &'a GeneratorData {
    // SAFETY: the callers' frame runs inline, so `extra` is its block; the frame that has resumed the generator holds it.
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

/// Yields a value that is no reference, without a key, from the innermost frame, which runs inline.
///
/// # Safety
/// The innermost frame has `FLAG_INLINE`; `ip` is its Yield.
#[inline(always)]
pub unsafe fn yield_value(run: &mut Run, ip: Ip, value: Val) -> Ip {
    // SAFETY: the caller says that the innermost frame runs inline, so `generator` is a live generator.
    unsafe {
        if data_of(handle(&(*run.frame).generator)).is_closing() {
            return refuse_yield(run, None, value);
        }
        let data = suspend(run, ip);
        data.yielded_value(value);
        handlers::deliver(run, data)
    }
}

/// Yields from the innermost frame, which runs inline.
///
/// # Safety
/// The innermost frame has `FLAG_INLINE`; `ip` is its Yield.
#[inline(always)]
pub unsafe fn yield_inline(run: &mut Run, ip: Ip, key: Option<Val>, value: Val) -> Ip {
    // SAFETY: the caller says that the innermost frame runs inline, so `generator` is a live generator.
    unsafe {
        if data_of(handle(&(*run.frame).generator)).is_closing() {
            return refuse_yield(run, key, value);
        }
        let data = suspend(run, ip);
        data.yielded(key, value);
        handlers::deliver(run, data)
    }
}

/// Raises the error of a `yield` in a generator that is being destroyed.
#[cold]
#[inline(never)]
fn refuse_yield(run: &mut Run, key: Option<Val>, value: Val) -> Ip {
    drop((key, value));
    let text: &[u8] = b"Cannot yield from finally in a force-closed generator";
    let throw = run.vm.throw_error(text);
    run.raise(throw)
}

/// Delegates from the innermost frame, which runs inline, to a value (`yield from`).
///
/// # Safety
/// The innermost frame has `FLAG_INLINE`; `ip` is its YieldFrom.
pub unsafe fn delegate_inline(run: &mut Run, ip: Ip, source: Val) -> Ip {
    // SAFETY: the caller says that the innermost frame runs inline; the frame that has resumed the generator holds it.
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
        // The caller sees the outermost generator; the generators between are not suspended at a `yield`.
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
    // SAFETY: the callers pass the generator that the innermost frame has resumed.
    unsafe {
        match generators::resume(run.vm, outermost, Resume::Send(Val::NULL)) {
            Ok(()) => handlers::stepped(run, outermost),
            Err(throw) => run.raise(throw),
        }
    }
}

/// Goes on after a frame that ran inline has returned a value: with the generator that delegates to its generator, or with the
/// frame below.
///
/// # Safety
/// `frame` has just been left, and its header is unchanged.
#[inline(never)]
pub unsafe fn returned_inline(run: &mut Run, frame: *mut Frame, result: Val) -> Ip {
    // SAFETY: the caller says that the header is unchanged; the frame's cells were released, and the frame that has resumed the
    // generator holds it.
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
        // The line's reference keeps the generator until its result has been taken.
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

/// Goes on after a frame that ran inline was left by an exception. Gives the opline to go on with if a generator that delegates to
/// it has caught the exception, and otherwise what is thrown in the frame below.
///
/// # Safety
/// `frame` has just been left, and its header is unchanged.
pub unsafe fn threw_inline(run: &mut Run, frame: *mut Frame, throw: Throw) -> Result<Ip, Throw> {
    // SAFETY: the caller says that the header is unchanged; the frame that has resumed the generator holds it.
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

/// Releases everything that the innermost frame holds, which runs inline. Destructors that run meanwhile see the frames of
/// generators that delegate to it as the innermost ones.
///
/// # Safety
/// `frame` is the innermost frame of the run, and is not used again.
#[inline(never)]
pub unsafe fn leave_inline(run: &mut Run, frame: *mut Frame) {
    // SAFETY: the caller says that the frame is the innermost one and not used again.
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
    /// How many generators of the outermost one's line are around the innermost one.
    between: usize,
}

impl Delegating {
    /// The generators that delegate to the one of a frame. `None`: nobody does, or the frame is not that of a generator.
    ///
    /// # Safety
    /// The frame is alive.
    #[inline]
    pub unsafe fn around(frame: *mut Frame) -> Option<Delegating> {
        // SAFETY: the caller says that the frame is alive; the frame below has resumed its generator, and holds it.
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

    /// How many generators there are; at least one.
    pub fn len(&self) -> usize {
        self.between + 1
    }

    /// The frame of the generator that is `steps` generators around the innermost of them.
    pub fn frame(&self, steps: usize) -> Option<*mut Frame> {
        // SAFETY: the line holds generators only; their suspended bodies are `Suspended`, and stay while the frame below runs.
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

/// Lets everything that points into a frame point to its new place.
unsafe fn moved(frame: *mut Frame) {
    // SAFETY: the callers pass a frame that is complete at its new place.
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
        // SAFETY: the frame is alive and its position saved, in the block or on the stack.
        unsafe {
            match self.moved_to.get() {
                frame if frame.is_null() => view::of(self.frame),
                frame => view::of(frame),
            }
        }
    }

    fn pc(&self) -> u32 {
        // SAFETY: the frame is alive and its position saved.
        unsafe {
            let code = &*(*self.frame).code;
            code.meta((*self.frame).ip.sub(1)).pc
        }
    }

    fn trace(&self, edges: &mut Edges) {
        // SAFETY: the frame is alive, and nothing runs while the collector traces.
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
        // SAFETY: the body's frame moves to the top of the stack, where it is the first of a run; everything that points into it
        // follows.
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

/// Shows the objects that a header owns to the cycle collector.
///
/// # Safety
/// `header` is a live frame or the filled-in header of a pending call.
pub unsafe fn trace_header(header: *const Frame, edges: &mut Edges) {
    // SAFETY: the caller says that the header is filled in, so these objects are alive.
    unsafe {
        let this = if (*header).flags & FLAG_BORROWS_THIS == 0 { (*header).this } else { 0 };
        for payload in [this, (*header).closure] {
            if payload != 0 {
                let value = std::mem::ManuallyDrop::new(raw::value(payload, raw::TI_OBJ));
                edges.value(&value);
            }
        }
        // The frame's view has references of its own. If somebody else holds the view, that one shows them.
        let view = (*header).env.as_ref().and_then(|env| env.view.as_ref());
        if let Some(view) = view.filter(|view| Rc::strong_count(view) == 1) {
            view.trace_handles(edges);
        }
    }
    const { assert!(CELL == 16) };
}

/// Lets a body go on that was moved to the stack.
unsafe fn start(run: &mut Run, frame: *mut Frame, how: Resume, fresh: bool) -> PhpResult<Exit> {
    // SAFETY: `resume` passes the innermost frame, whose position is where the body goes on.
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
                // PHP reports the suspending opline as the place of the exception.
                (*frame).ip = if fresh { position } else { position.sub(1) };
                let raise = run.raise(throw);
                run.execute(raise)
            }
        }
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        // SAFETY: the frame in the block is complete unless it has moved, and nobody else uses the block.
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
