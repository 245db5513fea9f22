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

/// What is known of a function for compiling it, and the handler at its start.
pub struct FuncSite {
    original: Handler,
    /// The function's first opline for calls with all arguments.
    start: Ip,
    /// Calls until the function is compiled. Once it has code, only calls that no specialisation fits are counted.
    left: Cell<u32>,
    pace: Pace,
    /// How often there was nothing to compile for a call and no code on its way.
    idle: Cell<u32>,
    /// The specialisations: code for different types of arguments.
    variants: RefCell<Vec<Rc<Variant>>>,
    /// Whether calls collect type feedback: they do shortly before the function is compiled, not while its code is being made.
    observes: Cell<bool>,
    /// The combinations of argument types that calls had.
    observed: RefCell<Vec<Vec<Bits>>>,
    /// The code that builtin code calls without a frame.
    callable: Cell<Option<Callable>>,
    /// The code that the interpreter enters.
    entrances: RefCell<Vec<Entrance>>,
}

/// Time in which a hot function has had its first calls, as `now` counts it: 20 microseconds for each call.
const FAST: u64 = 40_000_000 * TICKS;

/// Combinations of argument types that are recorded before the first code is made.
const MAX_OBSERVED: usize = 4;

impl FuncSite {
    /// The opline that counts calls.
    pub fn start(&self) -> Ip {
        self.start
    }

    /// The code that can be called without a frame.
    #[inline(always)]
    pub fn callable(&self) -> Option<Callable> {
        self.callable.get()
    }

    /// How many more calls there have to be before the function is compiled for the first time.
    fn times_to_wait(&self, oplines: u32) -> Option<u32> {
        let is_first = self.variants.borrow().is_empty();
        let often = THRESHOLD.load(Ordering::Relaxed).div_ceil(4);
        is_first.then(|| self.pace.times_to_wait(often, oplines)).flatten()
    }

    /// The specialisations of the function.
    pub(super) fn variants(&self) -> &RefCell<Vec<Rc<Variant>>> {
        &self.variants
    }

    /// Whether a call with these argument types was recorded.
    pub(super) fn has_observed(&self, args: &[Bits]) -> bool {
        self.observed.borrow().iter().any(|seen| seen == args)
    }

    /// Sets how many more calls are counted before code is made again.
    pub(super) fn wait_for(&self, calls: u32) {
        self.left.set(calls);
    }

    /// Whether the function still counts calls before code is made again.
    pub(super) fn is_waiting(&self) -> bool {
        self.left.get() > PAUSE
    }

    /// Sets the handler at the function's start: it enters code if there is some that is worth entering, counts calls if there may
    /// be more code, and is the opline's own otherwise.
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
        // SAFETY: the caller says that `start` is an opline of the function.
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

/// Handler at the start of a function that counts the call, and then executes the opline.
unsafe extern "C-unwind" fn count(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is an opline of the innermost frame `fp`, whose function is watched, since only watched functions have this
    // handler.
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

/// Counts the last [`OBSERVED_FOR`] calls before the function is compiled. Out of line, so that `count` saves no registers.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn count_last(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `count` passes on its opline, frame and run.
    unsafe {
        let Some(site) = (*(*fp.cast::<Frame>()).code).func_site() else { return };
        tick(site, fp.cast());
        (site.original)(ip, fp, run)
    }
}

/// Counts a call for which there is no code, and compiles the function if it is time.
#[inline(always)]
unsafe fn tick(site: &FuncSite, frame: *mut Frame) {
    let left = site.left.get();
    // SAFETY: the callers pass the frame of a function that has just started and owns `site`.
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

/// Records the argument types of a call. `starts`: the oplines of the function collect type feedback from now on.
#[cold]
#[inline(never)]
unsafe fn observe(frame: *mut Frame, site: &FuncSite, starts: bool) {
    // SAFETY: `tick` passes the frame of the function that has just started.
    let (code, wanted) = unsafe { (&*(*frame).code, wanted_of(frame, &*(*frame).code)) };
    if starts {
        site.observes.set(true);
        // SAFETY: 0 to the last one are all oplines of the function, which is lowered because it runs.
        unsafe { type_feedback::start(code, 0, code.body().lowered.ops.len() as u32 - 1) };
    }
    if let Some(wanted) = wanted {
        note_arguments(site, &wanted);
    }
}

/// Records the argument types of a call, up to [`MAX_OBSERVED`] combinations.
fn note_arguments(site: &FuncSite, wanted: &Specialization) {
    if !site.has_observed(&wanted.args) && site.observed.borrow().len() < MAX_OBSERVED {
        site.observed.borrow_mut().push(wanted.args.clone());
    }
}

/// Compiles a function for the arguments in a frame, or installs code that has become ready.
#[inline(never)]
unsafe fn compile(frame: *mut Frame) {
    // SAFETY: `tick` passes the frame of the function that has just started.
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
            // Without code to wait for, the calls between two attempts double.
            let idle = site.idle.get() + 1;
            site.idle.set(idle);
            site.left.set(site.left.get().max(OBSERVED_FOR + (PAUSE << idle.min(20))));
        }
    }
}

/// The specialisation for the arguments in a frame that has just started. `None`: compiled code cannot run on such a frame.
pub(super) unsafe fn wanted_of(frame: *mut Frame, code: &FuncCode) -> Option<Specialization> {
    // SAFETY: the callers pass a frame that has just started, whose parameters are initialised.
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
        Some(Specialization { func: phlox_hhir::FuncId((*frame).code as u64), this, this_sample, args, samples })
    }
}

/// Whether each parameter has its argument, or a default that the function has evaluated, and there are no further arguments. A
/// function that reads its argument count (`func_num_args()`) needs all arguments.
unsafe fn is_complete(frame: *const Frame, code: &FuncCode) -> bool {
    // SAFETY: the callers pass a live frame.
    let argc = unsafe { (*frame).argc };
    argc == code.params || argc < code.params && !code.counts_own_arguments()
}

/// Whether compiled code can run on the frame: it is none of a generator or `__call`, and has no table of variables.
unsafe fn is_plain(frame: *const Frame) -> bool {
    const SPECIAL: u32 = FLAG_GENERATOR | FLAG_MAGIC;
    // SAFETY: the callers pass a live frame.
    unsafe { (*frame).flags & SPECIAL == 0 && (*frame).env.is_null() }
}

/// How many variables have values when a function starts: its parameters, and a closure's captured variables. `None`: the captured
/// variables do not follow the parameters directly.
pub(super) fn given(code: &FuncCode) -> Option<u32> {
    let captures = &code.func().code().captures;
    let follow = captures.iter().zip(code.params..).all(|((local, _), number)| local.0 == number);
    follow.then_some(code.params + captures.len() as u32)
}

/// Handler at the start of a function that runs its code.
unsafe extern "C-unwind" fn enter(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is an opline of the innermost frame `fp`, whose function is watched, since only watched functions have this
    // handler.
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

/// Payload, tag and number of an argument.
type HeldArgument = (u64, u32, u32);

/// The refcounted arguments of a frame, whose references are released when the function ends. The first `count` are initialised.
struct Held {
    arguments: [MaybeUninit<HeldArgument>; MAX_INTS],
    count: usize,
}

impl Held {
    #[inline(always)]
    fn none() -> Held {
        Held { arguments: [MaybeUninit::uninit(); MAX_INTS], count: 0 }
    }

    /// Records the refcounted arguments of a frame.
    ///
    /// # Safety
    /// The frame has `args` arguments, of which at most [`MAX_INTS`] are refcounted.
    #[inline(always)]
    unsafe fn note(&mut self, frame: *mut Frame, args: u32) {
        for number in 0..args {
            // SAFETY: the caller says that the frame has `args` arguments.
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
        // SAFETY: the first `count` elements were written by `note`.
        unsafe { std::slice::from_raw_parts(self.arguments.as_ptr().cast(), self.count) }
    }
}

/// Calls the specialisation that fits the frame, and gives the opline to go on with. `None`: there is none, and the call was
/// counted.
#[inline(never)]
unsafe fn call(site: &FuncSite, frame: *mut Frame, context: *mut Context, run: *mut Run) -> Option<Ip> {
    // SAFETY: the frame has just started and is the innermost one (`enter`); an entrance fetches exactly what its code takes.
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

/// Runs code that takes more arguments than [`Registers::few`] holds. Out of line, so that `call` has a small native frame.
#[inline(never)]
unsafe fn call_with_many(taken: &Taken, frame: *mut Frame, context: *mut Context, run: *mut Run) -> Ip {
    // SAFETY: `call` has fetched the arguments of this frame for this code.
    unsafe { run_code(taken, frame, context, run, || taken.registers.call(taken.address, frame)) }
}

/// Runs code on a frame that has just started, and gives the opline to go on with.
#[inline(always)]
unsafe fn run_code<const COUNT: usize>(
    taken: &Taken<COUNT>,
    frame: *mut Frame,
    context: *mut Context,
    run: *mut Run,
    code: impl FnOnce() -> Returned,
) -> Ip {
    // SAFETY: `call` has fetched the arguments of this frame, which is the innermost one, for this code.
    unsafe {
        give_room(context, run);
        let mut held = Held::none();
        held.note(frame, taken.args);
        let deferral = Deferral::begin();
        let returned = code();
        deferral.end();
        if returned.status < TAGS_END {
            if taken.needs_frame {
                // Calls within the code may have been made from the frame of an inlined function, which is above this one.
                (*run).frame = frame;
                forget_variables(frame, held.all());
            }
            let next = leave(run, frame, returned.payload, returned.status as u32, held.all().len());
            return destruct_before(run, next);
        }
        super::unwind_on();
        let (next, innermost, own) = resume(context, returned.status, run);
        // The side exit has written the arguments to the cells with references of their own, or has overwritten them.
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

/// Clears the variables of a frame that compiled code has spilled before it returned, so that the frame holds only its arguments.
unsafe fn forget_variables(frame: *mut Frame, held: &[HeldArgument]) {
    // SAFETY: the frame is the innermost one, and its code has returned, so that nothing owns what the cells still show.
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

/// Returns from the frame with the value that compiled code has given. Nothing but the arguments and the header holds references.
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
