//! Functions that are compiled as a whole: their calls are counted, and their code is entered.

use super::compile_budget::{FUNCTIONS_CREDIT, Pace, TICKS};
use super::entry::{Callable, Entrance, Registers, Taken};
use super::specializations::{self, Variant, compiled, install, start_session, was_left};
use super::type_feedback::{self, OBSERVED_FOR};
use super::{Deferral, PAUSE, THRESHOLD, context, destruct_before, give_room, input, resume, set_handler};
use crate::code::FuncCode;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_BORROWS_THIS, FLAG_GENERATOR, FLAG_MAGIC, FLAGS_SPECIAL, Frame};
use crate::handlers::Handler;
use phlox_hhir::types::{self as hhir, Bits};
use phlox_jit::code::Returned;
use phlox_jit::layout::{MAX_INTS, TAGS_END};
use phlox_jit::{Context, ObservedType, Specialization, This};
use phlox_value::raw;
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// The start of a function.
pub struct FuncSite {
    original: Handler,
    /// The function's first opline for calls with all arguments.
    start: Ip,
    /// Calls that are still counted: all, or once there is code those that none is made for.
    left: Cell<u32>,
    pace: Pace,
    /// How often looking for code was of no use.
    idle: Cell<u32>,
    /// Code for different kinds of arguments.
    variants: RefCell<Vec<Rc<Variant>>>,
    /// Whether calls are looked at: they are shortly before it is time, not while code is being made.
    observes: Cell<bool>,
    /// The types of arguments that calls had.
    observed: RefCell<Vec<Vec<Bits>>>,
    /// Code that can be called without a frame.
    callable: Cell<Option<Callable>>,
    /// Code that the interpreter runs.
    entrances: RefCell<Vec<Entrance>>,
}

/// Time in which a function that is hot has had its first calls, in nanoseconds: 20 microseconds for each.
const FAST: u64 = 40_000_000 * TICKS;

/// Kinds of arguments that are noted before the first code is made.
const MAX_OBSERVED: usize = 4;

impl FuncSite {
    /// The opline that counts calls.
    pub fn start(&self) -> Ip {
        self.start
    }

    /// Code that can be called without a frame.
    #[inline(always)]
    pub fn callable(&self) -> Option<Callable> {
        self.callable.get()
    }

    /// How many calls more there have to be before the function is compiled for the first time.
    fn times_to_wait(&self, oplines: u32) -> Option<u32> {
        let is_first = self.variants.borrow().is_empty();
        let often = THRESHOLD.load(Ordering::Relaxed).div_ceil(4);
        is_first.then(|| self.pace.times_to_wait(often, oplines)).flatten()
    }

    pub(super) fn variants(&self) -> &RefCell<Vec<Rc<Variant>>> {
        &self.variants
    }

    /// Whether calls with these kinds of arguments were seen.
    pub(super) fn has_observed(&self, args: &[Bits]) -> bool {
        self.observed.borrow().iter().any(|seen| seen == args)
    }

    /// So many more calls until code is made again.
    pub(super) fn wait_for(&self, calls: u32) {
        self.left.set(calls);
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.left.get() > PAUSE
    }

    /// What is done when the function is called: code is entered if there is some that is worth it, calls are counted if there may
    /// be more.
    pub(super) fn choose_handler(&self) {
        let variants = self.variants.borrow();
        self.callable.set(variants.iter().find_map(|variant| variant.callable()));
        self.entrances.replace(variants.iter().filter_map(Variant::entrance).collect());
        let handler = if variants.is_empty() {
            count
        } else if !self.entrances.borrow().is_empty() {
            enter
        } else if variants.iter().any(|variant| variant.is_open()) {
            count
        } else {
            self.original
        };
        set_handler(self.start, handler);
    }

    /// Puts a counting handler at a function's start. `None`: the function is not watched.
    ///
    /// # Safety
    /// `start` is an opline of the function, which nobody runs yet and which is no head of a loop.
    pub unsafe fn watch(start: Ip) -> Option<FuncSite> {
        let threshold = THRESHOLD.load(Ordering::Relaxed);
        if threshold == 0 {
            return None;
        }
        // SAFETY: by the caller.
        let original = unsafe { (*start).handler };
        set_handler(start, count);
        Some(FuncSite {
            original,
            start,
            left: Cell::new(threshold.div_ceil(4)),
            pace: Pace::new(FAST, FUNCTIONS_CREDIT),
            idle: Cell::new(0),
            variants: RefCell::default(),
            observes: Cell::new(threshold.div_ceil(4) < OBSERVED_FOR),
            observed: RefCell::default(),
            callable: Cell::new(None),
            entrances: RefCell::default(),
        })
    }
}

/// Counts, and then does what the opline does.
unsafe extern "C-unwind" fn count(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; only watched functions have this one.
    unsafe {
        let Some(site) = (*(*fp.cast::<Frame>()).code).func_site() else { return };
        let left = site.left.get();
        if left <= OBSERVED_FOR {
            return count_last(ip, fp, run);
        }
        site.left.set(left - 1);
        (site.original)(ip, fp, run)
    }
}

/// The same for the last times. A function of its own, so that counting keeps no registers.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn count_last(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `count`.
    unsafe {
        let Some(site) = (*(*fp.cast::<Frame>()).code).func_site() else { return };
        tick(site, fp.cast());
        (site.original)(ip, fp, run)
    }
}

/// A call was made for which there is no code.
#[inline(always)]
unsafe fn tick(site: &FuncSite, frame: *mut Frame) {
    let left = site.left.get();
    // SAFETY: by the caller.
    unsafe {
        if left > OBSERVED_FOR {
            site.left.set(left - 1);
        } else if left > 1 {
            if left == OBSERVED_FOR
                && let Some(times) = site.times_to_wait((*(*frame).code).body().lowered.ops.len() as u32)
            {
                site.left.set(OBSERVED_FOR + times);
                return;
            }
            site.left.set(left - 1);
            if left == OBSERVED_FOR || site.observes.get() {
                observe(frame, site, left == OBSERVED_FOR);
            }
        } else {
            site.left.set(PAUSE);
            compile(frame);
        }
    }
}

/// Notes what a function is called with.
#[cold]
#[inline(never)]
unsafe fn observe(frame: *mut Frame, site: &FuncSite, starts: bool) {
    // SAFETY: called by a handler with its frame.
    let (code, wanted) = unsafe { (&*(*frame).code, wanted_of(frame, &*(*frame).code)) };
    if starts {
        site.observes.set(true);
        // SAFETY: all oplines of the function that runs.
        unsafe { type_feedback::start(code, 0, code.body().lowered.ops.len() as u32 - 1) };
    }
    if let Some(wanted) = wanted {
        note_arguments(site, &wanted);
    }
}

fn note_arguments(site: &FuncSite, wanted: &Specialization) {
    if !site.has_observed(&wanted.args) && site.observed.borrow().len() < MAX_OBSERVED {
        site.observed.borrow_mut().push(wanted.args.clone());
    }
}

/// Compiles a function for the arguments in a frame, or looks whether its code is there.
#[inline(never)]
unsafe fn compile(frame: *mut Frame) {
    // SAFETY: called by a handler with its frame.
    unsafe {
        install();
        let code = &*(*frame).code;
        let Some(site) = code.func_site() else { return };
        type_feedback::stop(code);
        site.observes.set(false);
        let wanted = wanted_of(frame, code);
        if let Some(wanted) = &wanted {
            note_arguments(site, wanted);
            if !specializations::is_made(site, wanted) {
                start_session();
                compiled(wanted);
                site.choose_handler();
            }
        }
        if !wanted.is_some_and(|wanted| specializations::is_on_its_way(site, &wanted)) {
            // Not for each call again.
            let idle = site.idle.get() + 1;
            site.idle.set(idle);
            site.left.set(site.left.get().max(OBSERVED_FOR + (PAUSE << idle.min(20))));
        }
    }
}

/// The arguments in a frame that has just started.
pub(super) unsafe fn wanted_of(frame: *mut Frame, code: &FuncCode) -> Option<Specialization> {
    // SAFETY: by the caller.
    unsafe {
        if !is_complete(frame, code) || !is_plain(frame) {
            return None;
        }
        let samples: Vec<Option<ObservedType>> =
            (0..given(code)?).map(|index| ObservedType::loosely(Frame::local(frame, index))).collect();
        let args = samples.iter().map(|seen| seen.map(|seen| seen.bits)).collect::<Option<Vec<Bits>>>()?;
        let this = match input::this_of(code) {
            This::None => None,
            This::Class => Some(hhir::CLS),
            This::Object if (*frame).this == 0 => return None,
            This::Object => Some(hhir::OBJ),
        };
        let this_sample = match ((*frame).this, (*frame).static_class as u64) {
            (0, 0) => None,
            (0, payload) => Some(ObservedType { bits: hhir::CLS, payload }),
            (payload, _) => Some(ObservedType { bits: hhir::OBJ, payload }),
        };
        Some(Specialization { func: (*frame).code as u64, this, this_sample, args, samples })
    }
}

/// Whether each parameter has its argument, or a default that the function has evaluated, and there is nothing beyond. What counts
/// its arguments has them all.
unsafe fn is_complete(frame: *const Frame, code: &FuncCode) -> bool {
    // SAFETY: by the caller.
    let argc = unsafe { (*frame).argc };
    argc == code.params || argc < code.params && !code.counts_own_arguments()
}

/// Is it a frame that compiled code can run in?
unsafe fn is_plain(frame: *const Frame) -> bool {
    const SPECIAL: u32 = FLAG_GENERATOR | FLAG_MAGIC;
    // SAFETY: by the caller.
    unsafe { (*frame).flags & SPECIAL == 0 && (*frame).env.is_null() }
}

/// How many variables have values when a function starts: its parameters, and what a closure has captured, if that
/// follows them.
pub(super) fn given(code: &FuncCode) -> Option<u32> {
    let captures = &code.func().code().captures;
    let follow = captures.iter().zip(code.params..).all(|((local, _), number)| local.0 == number);
    follow.then_some(code.params + captures.len() as u32)
}

/// Runs the code of a function.
unsafe extern "C-unwind" fn enter(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; only watched functions have this one.
    unsafe {
        let frame = fp.cast::<Frame>();
        let Some(site) = (*(*frame).code).func_site() else { return };
        let context = context();
        let Some(next) = call(site, frame, context, run) else { return (site.original)(ip, fp, run) };
        if next.is_null() {
            return crate::handlers::stop(run);
        }
        if next == ip && (*run).frame == frame {
            return (site.original)(ip, fp, run);
        }
        let fp: Fp = (*run).frame.cast();
        crate::handlers::go!(next, fp, run)
    }
}

/// The words of an argument and its number.
type HeldArgument = (u64, u32, u32);

/// Counted arguments, which the frame holds: so many of them are there.
struct Held {
    arguments: [MaybeUninit<HeldArgument>; MAX_INTS],
    count: usize,
}

impl Held {
    #[inline(always)]
    fn none() -> Held {
        Held { arguments: [MaybeUninit::uninit(); MAX_INTS], count: 0 }
    }

    /// Notes those of a frame.
    ///
    /// # Safety
    /// The frame has so many arguments, no more of them counted than there are registers.
    #[inline(always)]
    unsafe fn note(&mut self, frame: *mut Frame, args: u32) {
        for number in 0..args {
            // SAFETY: by the caller.
            let (tag, payload) = unsafe {
                let place = Frame::local(frame, number);
                (raw::tag(place), raw::payload(place))
            };
            if tag & raw::COUNTED != 0 {
                self.arguments[self.count].write((payload, tag, number));
                self.count += 1;
            }
        }
    }

    #[inline(always)]
    fn all(&self) -> &[HeldArgument] {
        // SAFETY: so many of them were written.
        unsafe { std::slice::from_raw_parts(self.arguments.as_ptr().cast(), self.count) }
    }
}

/// Calls the code; where to go on. `None`: there is none for what is in the frame.
#[inline(never)]
unsafe fn call(site: &FuncSite, frame: *mut Frame, context: *mut Context, run: *mut Run) -> Option<Ip> {
    // SAFETY: by the caller; the code takes what was fetched.
    unsafe {
        let entrances = site.entrances.borrow();
        if is_complete(frame, &*(*frame).code) && is_plain(frame) {
            for entrance in entrances.iter() {
                if !entrance.takes().is_small() {
                    if let Some(taken) = entrance.fetch(Registers::many(), frame) {
                        drop(entrances);
                        return Some(call_with_many(&taken, frame, context, run));
                    }
                } else if let Some(taken) = entrance.fetch(Registers::few(), frame) {
                    drop(entrances);
                    return Some(run_code(&taken, frame, context, run, || {
                        taken.registers.call_small(taken.address, frame)
                    }));
                }
            }
        }
        drop(entrances);
        tick(site, frame);
        None
    }
}

/// As [`call`], of code that takes much.
#[inline(never)]
unsafe fn call_with_many(taken: &Taken, frame: *mut Frame, context: *mut Context, run: *mut Run) -> Ip {
    // SAFETY: by the caller.
    unsafe { run_code(taken, frame, context, run, || taken.registers.call(taken.address, frame)) }
}

/// Runs code on a frame that has just started; where to go on.
#[inline(always)]
unsafe fn run_code<const COUNT: usize>(
    taken: &Taken<COUNT>,
    frame: *mut Frame,
    context: *mut Context,
    run: *mut Run,
    code: impl FnOnce() -> Returned,
) -> Ip {
    // SAFETY: by the caller.
    unsafe {
        give_room(context, run);
        let mut held = Held::none();
        held.note(frame, taken.args);
        let deferral = Deferral::begin();
        let returned = code();
        deferral.end();
        if returned.status < TAGS_END {
            if taken.needs_frame {
                // Calls on the way may have been made from a frame above.
                (*run).frame = frame;
                forget_variables(frame, held.all());
            }
            let next = leave(run, frame, returned.payload, returned.status as u32, held.all().len());
            return destruct_before(run, next);
        }
        super::unwind_on();
        let (next, innermost, own) = resume(context, returned.status, run);
        // The code has written them once more, with counts of their own, or others in their places.
        for &(payload, tag, _) in held.all() {
            if !raw::release_shared(payload, tag) {
                raw::release(payload, tag);
            }
        }
        if returned.status & 1 != 0 {
            super::note_left(next, innermost);
            was_left(own, (next, innermost));
        }
        destruct_before(run, next)
    }
}

/// The code has shown its variables in the frame, which holds nothing but the arguments.
unsafe fn forget_variables(frame: *mut Frame, held: &[HeldArgument]) {
    // SAFETY: the frame is the innermost one; its code has returned.
    unsafe {
        let code = &*(*frame).code;
        for index in 0..code.locals {
            raw::write_tag(Frame::local(frame, index), raw::TI_UNDEF);
        }
        for index in 0..code.iters {
            crate::iterator::clear(Frame::iter(frame, index));
        }
        for &(payload, tag, index) in held {
            raw::write(Frame::local(frame, index), payload, tag);
        }
    }
}

/// The frame returns.
#[inline(always)]
unsafe fn leave(run: *mut Run, frame: *mut Frame, payload: u64, tag: u32, counted: usize) -> Ip {
    // SAFETY: the frame is the innermost one and plain; its locals beyond the arguments are undefined.
    unsafe {
        let borrows = (*frame).this == 0 || (*frame).flags & FLAG_BORROWS_THIS != 0;
        if counted > 0 || !borrows || (*frame).flags & FLAGS_SPECIAL != 0 || (*frame).closure != 0 {
            return crate::handlers::leave_with(&mut *run, raw::value(payload, tag));
        }
        let caller = (*frame).prev;
        (*run).frame = caller;
        let call = (*caller).ip;
        let to = (*call).c;
        match to {
            0 => raw::release(payload, tag),
            to => raw::write(cell(caller.cast(), to), payload, tag),
        }
        call.add(1)
    }
}
