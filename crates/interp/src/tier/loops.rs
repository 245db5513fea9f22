//! Loops that are compiled by themselves (on-stack replacement): their iterations are counted, and their code is entered.

use super::compile_budget::{LOOPS_CREDIT, Pace, TICKS, now};
use super::generators::MAX_WAITS;
use super::type_feedback::{self, OBSERVED_FOR};
use super::{
    Deferral, PAUSE, THRESHOLD, context, destruct_before, give_room, input, resume, set_handler, stats, waits,
};
use crate::code::{FuncCode, Op};
use crate::context::{Fp, Ip, Run};
use crate::frame::Frame;
use crate::handlers::Handler;
use phlox_jit::code::loop_code;
use phlox_jit::perf_map;
use phlox_jit::worker::{self, Answer, Compiled};
use phlox_jit::{Code, Context, FrameShape, fingerprint, loop_headers, size};
use phlox_lower::{Lowered, OpCode};
use phlox_value::{interrupt, raw};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How often one loop is compiled at most; each time because side exits of the code before were too frequent.
const MAX_COMPILES: u32 = 5;
/// How often a loop is compiled at most if its unit has more than [`LARGE`] instructions, each of which takes the compiler long.
const MAX_LARGE: u32 = 4;
const LARGE: usize = 1000;
/// How often the compiler may refuse a loop before it is no longer tried.
const MAX_REFUSALS: u32 = 3;
/// Side exits of a loop's code after which it is judged (doubled for each compilation), and the nanoseconds that it should have run
/// between two of them. A side exit takes some 150, with the way back, measured on one program whose loop left its code in each
/// iteration; what the code does is assumed to take the interpreter twice as long or longer.
const JUDGED_AFTER: u32 = 40;
const WORTH_WHILE: u64 = 120;
/// After so many side exits, which have taken as much time as compiling again takes, the code should run for longer between two.
const MAX_EXITS: u32 = 5000;
const WORTH_MUCH: u64 = 500;

/// A loop is compiled together with a loop around it that has at most [`MAX_AROUND`] oplines and has made at least [`LEAST_AROUND`]
/// iterations, if it makes at most [`SOON`] iterations for each of the outer loop's.
const MAX_AROUND: u32 = 60;
const LEAST_AROUND: u32 = 32;
const SOON: u32 = 64;

/// Time in which a hot loop has made its first iterations, as `now` counts it: 12 microseconds for each.
const FAST: u64 = 100_000_000 * TICKS;

/// What is known of a loop for compiling it, and the handler at its head.
pub struct LoopSite {
    /// The handler of the opline at the loop's head.
    original: Handler,
    /// Iterations that are still counted before the loop is compiled.
    left: Cell<u32>,
    pace: Pace,
    code: Cell<Option<Code>>,
    /// Whether the code may free values without checking for destructors; see [`phlox_jit::Built::may_free`].
    may_free: Cell<bool>,
    /// The request to the compiler's thread, while code is being made.
    answer: RefCell<Option<Arc<Answer>>>,
    /// The fingerprint of the unit that was compiled last.
    fingerprint: Cell<u64>,
    context: *mut Context,
    /// The function that the loop is in; null until the loop is compiled for the first time.
    function: Cell<*const FuncCode>,
    header: u32,
    compiles: Cell<u32>,
    refusals: Cell<u32>,
    is_large: Cell<bool>,
    /// Whether the next code is compiled without hoisted guards; see [`phlox_hhir::Unit::no_hoisted_guards`].
    no_hoisted_guards: Cell<bool>,
    /// How often it waited for other code: of generators, or of the loop around it.
    waited: Cell<u32>,
    /// Side exits since the code was last judged, and the time that the code has run since then, as [`now`] counts.
    exits: Cell<u32>,
    worked: Cell<u64>,
    /// Side exits of code that was judged good.
    worn: Cell<u32>,
    /// How often the guards at the entry failed on what was in the frame.
    misfits: Cell<u32>,
}

impl LoopSite {
    /// Whether the loop has made enough iterations to be compiled by itself.
    pub fn is_hot(&self) -> bool {
        self.compiles.get() > 0
    }

    /// Whether the loop's first code is being made.
    fn is_awaited(&self) -> bool {
        self.code.get().is_none() && self.answer.borrow().is_some()
    }
}

/// Puts counting handlers at the heads of a function's loops. Gives the loops, and passes the index of each head and the loop's
/// number to `note`.
///
/// # Safety
/// `ops` are the function's oplines, which nobody runs yet.
pub unsafe fn watch(lowered: &Lowered, ops: *mut Op, mut note: impl FnMut(u32, u32)) -> Box<[LoopSite]> {
    let threshold = THRESHOLD.load(Ordering::Relaxed);
    if threshold == 0 {
        return Box::default();
    }
    let context = context();
    let sites = loop_headers(lowered).into_iter().enumerate().map(|(number, header)| {
        // SAFETY: the caller says that `ops` are the function's oplines, and `header` is the index of one.
        let op = unsafe { &mut *ops.add(header as usize) };
        let original = std::mem::replace(&mut op.handler, count as Handler);
        note(header, number as u32);
        LoopSite {
            original,
            left: Cell::new(threshold),
            pace: Pace::new(FAST, LOOPS_CREDIT),
            code: Cell::new(None),
            may_free: Cell::new(false),
            answer: RefCell::new(None),
            fingerprint: Cell::new(0),
            context,
            function: Cell::new(std::ptr::null()),
            header,
            compiles: Cell::new(0),
            refusals: Cell::new(0),
            is_large: Cell::new(false),
            no_hoisted_guards: Cell::new(false),
            waited: Cell::new(0),
            exits: Cell::new(0),
            worn: Cell::new(0),
            misfits: Cell::new(0),
            worked: Cell::new(0),
        }
    });
    sites.collect()
}

/// The loop that starts at an opline.
///
/// # Safety
/// `ip` is the head of a loop, an opline of the frame's function.
#[inline(always)]
unsafe fn site<'a>(ip: Ip, fp: Fp) -> &'a LoopSite {
    // SAFETY: the caller says that `ip` is a loop's head in the frame's function; functions outlive their frames.
    unsafe {
        let code = &*(*fp.cast::<Frame>()).code;
        &*code.loops().add(code.meta(ip).loop_site as usize)
    }
}

/// Handler at a loop's head that counts the iteration, and then executes the opline.
unsafe extern "C-unwind" fn count(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is an opline of the innermost frame `fp`, and a loop's head, since only those have this handler.
    unsafe {
        let site = site(ip, fp);
        let left = site.left.get();
        if left <= OBSERVED_FOR {
            return count_last(ip, fp, run);
        }
        site.left.set(left - 1);
        (site.original)(ip, fp, run)
    }
}

/// Counts the last [`OBSERVED_FOR`] iterations before the loop is compiled. Out of line, so that `count` saves no registers.
#[cold]
#[inline(never)]
unsafe extern "C-unwind" fn count_last(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `count` passes on its opline, frame and run.
    unsafe {
        let site = site(ip, fp);
        let left = site.left.get();
        let threshold = THRESHOLD.load(Ordering::Relaxed);
        if left == OBSERVED_FOR
            && let Some(times) = times_to_wait(site, &*(*fp.cast::<Frame>()).code, threshold)
        {
            site.left.set(OBSERVED_FOR + times);
            return (site.original)(ip, fp, run);
        }
        if left == OBSERVED_FOR && around(site, &*(*fp.cast::<Frame>()).code, threshold) {
            site.left.set(threshold);
            return (site.original)(ip, fp, run);
        }
        if left > 1 {
            site.left.set(left - 1);
            if left == OBSERVED_FOR.min(threshold) {
                observe(site, fp.cast());
            }
            return (site.original)(ip, fp, run);
        }
        let handler = compile(ip, fp);
        handler(ip, fp, run)
    }
}

thread_local! {
    /// Loops that wait for their code. Nothing counts their iterations meanwhile: the compiler's thread sets a bit of the interrupt
    /// word.
    static AWAITED: RefCell<Vec<*const LoopSite>> = const { RefCell::new(Vec::new()) };
}

/// Installs the code that has been made for waiting loops.
pub fn take_awaited() {
    for site in AWAITED.take() {
        // SAFETY: a dropped loop takes itself off the list, and the function owns its loops.
        let (site, code) = unsafe { (&*site, &*(*site).function.get()) };
        let Some(answer) = site.answer.borrow().clone() else { continue };
        match answer.get() {
            // SAFETY: the loop's head is one of the function's oplines.
            Some(compiled) => set_handler(unsafe { code.ops.get().add(site.header as usize) }, finish(site, compiled)),
            None => AWAITED.with_borrow_mut(|awaited| awaited.push(site)),
        }
    }
}

impl Drop for LoopSite {
    fn drop(&mut self) {
        if self.answer.get_mut().is_some() {
            let _ = AWAITED.try_with(|awaited| awaited.borrow_mut().retain(|&site| !std::ptr::eq(site, self)));
        }
    }
}

/// How many more iterations there have to be before the loop is compiled. `None`: it is compiled now.
fn times_to_wait(site: &LoopSite, code: &FuncCode, threshold: u32) -> Option<u32> {
    let oplines = phlox_jit::loop_end(&code.body().lowered, site.header) - site.header;
    match site.compiles.get() + site.refusals.get() {
        0 => site.pace.times_to_wait(threshold, oplines),
        _ => site.pace.more_to_wait(threshold, oplines),
    }
}

/// Whether the loop waits for a loop around it, to be compiled as a part of that one. A loop of few iterations that is run again
/// and again would be entered all the time if it were compiled alone, and the loops around it would ask for code of their own while
/// its code is made.
fn around(site: &LoopSite, code: &FuncCode, threshold: u32) -> bool {
    let lowered = &code.body().lowered;
    let end_of = |site: &LoopSite| phlox_jit::loop_end(lowered, site.header);
    let has_asked = |site: &LoopSite| site.compiles.get() + site.refusals.get() > 0;
    let (mut inner, mut trips) = (site, threshold.saturating_sub(OBSERVED_FOR));
    // Loops with a greater header index start behind this loop's head and cannot be around it.
    for outer in code.watched_loops().iter().rev().filter(|outer| outer.header < site.header) {
        let end = end_of(outer);
        if end < end_of(inner) {
            continue;
        }
        if outer.is_awaited() {
            return site.waited.replace(site.waited.get() + 1) < MAX_WAITS;
        }
        // An outer loop to which the compiling was left before, and which has not been compiled since, is in its last iteration, or
        // in a long one.
        let is_left_to = outer.left.get() <= OBSERVED_FOR;
        let made = threshold.saturating_sub(outer.left.get());
        let is_worth_it = end - outer.header <= MAX_AROUND && made >= LEAST_AROUND && trips / made <= SOON;
        if has_asked(outer) || is_left_to || !is_worth_it {
            break;
        }
        (inner, trips) = (outer, made);
    }
    let waits = !std::ptr::eq(inner, site) && !has_asked(site);
    if waits {
        // The outer loop is compiled after a quarter more iterations than it has made.
        inner.left.set((trips / 4).min(OBSERVED_FOR - 1));
        // SAFETY: the function of a frame that runs is lowered, and the loop is one of it.
        unsafe { type_feedback::start(code, inner.header, end_of(inner)) };
    }
    waits
}

/// Collects type feedback for the loop's oplines from now on.
#[cold]
#[inline(never)]
unsafe fn observe(site: &LoopSite, frame: *const Frame) {
    // SAFETY: `count_last` passes the innermost frame, which stands at this loop's head.
    unsafe {
        let code = &*(*frame).code;
        let last = phlox_jit::loop_end(&code.body().lowered, site.header);
        type_feedback::start(code, site.header, last);
    }
}

/// Handler at a loop's head that runs the loop's code.
unsafe extern "C-unwind" fn enter(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is an opline of the innermost frame `fp`, and a loop's head, since only those have this handler.
    unsafe {
        let next = run_code(ip, fp, run);
        if next == ip && (*run).frame.cast() == fp {
            return (site(ip, fp).original)(ip, fp, run);
        }
        let fp: Fp = (*run).frame.cast();
        crate::handlers::go!(next, fp, run)
    }
}

/// Runs the code of the loop at `ip`, and gives the opline to go on with, in the frame that is the innermost one then. Out of line:
/// a function that passes addresses of its variables on cannot end in a jump to the next handler, so the native stack would grow
/// with each entry.
#[inline(never)]
unsafe fn run_code(ip: Ip, fp: Fp, run: *mut Run) -> Ip {
    // SAFETY: `enter` passes its opline and frame; the code was compiled for this loop and this frame's function.
    unsafe {
        let site = site(ip, fp);
        let Some(code) = site.code.get() else { return ip };
        if site.may_free.get() && phlox_value::raw::frees_run_code() {
            // The code does not check for pending destructors. It is compiled again with such checks.
            site.code.set(None);
            site.left.set(PAUSE);
            set_handler(ip, count);
            return ip;
        }
        give_room(site.context, run);
        let deferral = Deferral::begin();
        let begun = now();
        let position = code(fp) as u64;
        site.worked.set(site.worked.get() + (now() - begun));
        deferral.end();
        super::unwind_on();
        let (next, frame, own) = resume(site.context, position, run);
        if position & 1 != 0 {
            // A side exit out of another function's code, which this loop's code has called, is judged with that function.
            if own.cast() == fp {
                left_early(ip, site, next, frame);
            }
            super::note_left(next, frame);
            super::specializations::was_left(own, (next, frame));
        }
        destruct_before(run, next)
    }
}

/// Counts a side exit of the loop's code, and judges the code after enough of them.
#[inline(never)]
unsafe fn left_early(ip: Ip, site: &LoopSite, next: Ip, frame: *const Frame) {
    let worked = site.worked.get() / TICKS;
    let exits = site.exits.get() + 1;
    if next == ip {
        site.misfits.set(site.misfits.get().saturating_add(1));
        if super::is_looked_at(site.misfits.get()) {
            // SAFETY: the frame stands at the loop's head.
            unsafe { note_entry(site, frame) };
        }
    }
    if exits < JUDGED_AFTER << site.compiles.get().min(8) {
        site.exits.set(exits);
        return;
    }
    site.exits.set(0);
    site.worked.set(0);
    let most = if site.is_large.get() { MAX_LARGE } else { MAX_COMPILES };
    let worn = site.worn.get() + exits;
    let may_improve = site.compiles.get() < most;
    let wanted = if may_improve && worn >= MAX_EXITS { WORTH_MUCH } else { WORTH_WHILE };
    let is_good = worked / u64::from(exits) >= wanted;
    site.worn.set(if is_good { worn } else { 0 });
    if is_good || super::fails_every() > 0 {
        return;
    }
    // A side exit at the entry may come from a hoisted guard that only later iterations need: hoisting is switched off before type
    // feedback is changed.
    if next != ip || site.no_hoisted_guards.replace(true) {
        // SAFETY: the interpreter goes on with `next` in this frame.
        unsafe { super::note_unfit(next, frame) };
    }
    if stats() > 0 {
        // SAFETY: `next` is an opline of the live frame's function.
        let (code, at) = unsafe { (&*(*frame).code, (*(*frame).code).index_of(next)) };
        let most = super::most_exits(code);
        report(site, &format!("left after {} ns, at last before opline {at}; {most}", worked / u64::from(exits)));
    }
    // Code that was compiled again would exit at a `yield` as often; the generator's body has code of its own.
    // SAFETY: the frame is alive, and so is its function.
    let code = unsafe { &*(*frame).code };
    let yields = super::place_in(code, next).is_some_and(|at| code.body().lowered.ops[at].op == OpCode::Yield);
    if site.compiles.get() < most && !yields {
        site.left.set(PAUSE << site.compiles.get().min(10));
        set_handler(ip, count);
    } else {
        report(site, "given up: left too often");
        set_handler(ip, site.original);
    }
}

/// Records the types of the frame's variables, which the code's entry does not fit.
unsafe fn note_entry(site: &LoopSite, frame: *const Frame) {
    // SAFETY: `left_early` passes the live frame that stands at the loop's head.
    unsafe {
        let code = &*(*frame).code;
        let local = |index| raw::tag(Frame::local(frame.cast_mut(), index));
        code.note_entry(site.header, (0..code.locals).map(local));
    }
}

/// Has the loop at `ip` compiled, and gives the handler that its head has from now on.
#[inline(never)]
unsafe fn compile(ip: Ip, fp: Fp) -> Handler {
    // SAFETY: `count_last` passes a loop's head of the innermost frame's function.
    let site = unsafe { site(ip, fp) };
    // SAFETY: the frame is alive, and so is its function.
    site.function.set(unsafe { (*fp.cast::<Frame>()).code });
    // SAFETY: the frame stands at the loop's head.
    if unsafe { awaits_body(site, fp.cast()) } {
        site.left.set(OBSERVED_FOR + (PAUSE << 4));
        return site.original;
    }
    // The loop's function is kept, because the list of waiting loops and the code itself point to it.
    // SAFETY: the frame is alive, and so is its function.
    if !super::host::retain(unsafe { &*site.function.get() }) {
        return site.original;
    }
    // SAFETY: the frame stands at the loop's head.
    let handler = match unsafe { unit_of(site, fp.cast()) } {
        // The unit is unchanged: the side exits were in callees, which may be compiled again.
        Ok(None) if site.code.get().is_some() => enter as Handler,
        Ok(None) => {
            report(site, "refused: the same code as before");
            site.original
        }
        Ok(Some((unit, shape))) if waits() => finish(site, &worker::compile(unit, shape, None)),
        Ok(Some((unit, shape))) => {
            let told = (interrupt::word(), interrupt::COMPILED);
            site.answer.replace(Some(worker::request(unit, shape, None, Some(told))));
            AWAITED.with_borrow_mut(|awaited| awaited.push(site));
            site.original
        }
        Err(refusal) => {
            report(site, &format!("refused: {refusal}"));
            site.refusals.set(site.refusals.get() + 1);
            site.compiles.set(site.compiles.get() - 1);
            if site.refusals.get() <= MAX_REFUSALS && !waits() {
                // Later, more type feedback may be there, and variables may hold other types.
                site.left.set(OBSERVED_FOR + (PAUSE << (2 * site.refusals.get())));
                return site.original;
            }
            site.original
        }
    };
    set_handler(ip, handler);
    handler
}

/// Whether the loop waits for the code of generators that it iterates over.
unsafe fn awaits_body(site: &LoopSite, frame: *mut Frame) -> bool {
    // SAFETY: `compile` passes the innermost frame, which stands at the loop's head.
    unsafe {
        let code = &*(*frame).code;
        let last = phlox_jit::loop_end(&code.body().lowered, site.header);
        let awaits = input::awaits_body(code, frame, site.header..=last);
        awaits && site.waited.replace(site.waited.get() + 1) < MAX_WAITS
    }
}

/// The values that the frame's variables have now, as samples; see [`phlox_hhir::Unit::samples`].
unsafe fn samples(frame: *mut Frame) -> Vec<(u32, i64)> {
    // SAFETY: `unit_of` passes a live frame; an array's payload points to a live array.
    unsafe {
        let locals = (0..(*(*frame).code).locals).filter_map(|index| {
            let cell = raw::look_through(Frame::local(frame, index));
            let sample = match raw::tag(cell) {
                raw::TI_INT => raw::payload(cell) as i64,
                raw::TI_ARR | raw::TI_ARR_STATIC => raw::array_at(cell).len() as i64,
                _ => return None,
            };
            Some((index, sample))
        });
        locals.collect()
    }
}

/// Installs compiled code, and gives the handler that the loop's head has from now on.
fn finish(site: &LoopSite, compiled: &Compiled) -> Handler {
    site.answer.replace(None);
    super::specializations::install();
    perf_map::note(compiled, || named(site));
    match &compiled.code {
        Ok(code) => {
            // SAFETY: the code was compiled for a loop.
            site.code.set(Some(unsafe { loop_code(*code) }));
            report(site, &compiled.told());
            enter as Handler
        }
        Err(refusal) => {
            report(site, &format!("refused: {refusal}"));
            site.original
        }
    }
}

/// Builds the unit of a loop; `None` if it is the one that was compiled last. The error says why the loop is refused.
unsafe fn unit_of(site: &LoopSite, frame: *mut Frame) -> Result<Option<(phlox_hhir::Unit, FrameShape)>, String> {
    site.compiles.set(site.compiles.get() + 1);
    super::specializations::start_session();
    // SAFETY: `compile` passes the innermost frame, which stands at the loop's head; functions outlive their frames.
    type_feedback::stop(unsafe { &*(*frame).code });
    // SAFETY: `compile` passes the innermost frame, which stands at the loop's head.
    let (built, shape) = unsafe { input::of_loop(&*(*frame).code, frame, site.header, site.compiles.get() > 1)? };
    let mut unit = built.unit;
    unit.no_hoisted_guards = site.no_hoisted_guards.get();
    // SAFETY: `compile` passes the innermost frame, whose cells are alive.
    unit.samples = unsafe { samples(frame) };
    let fingerprint = fingerprint(&unit);
    if site.fingerprint.replace(fingerprint) == fingerprint {
        return Ok(None);
    }
    if stats() > 1 {
        report(site, &format!("\n{unit}"));
    }
    site.may_free.set(built.may_free);
    site.is_large.set(size(&unit) > LARGE);
    Ok(Some((unit, shape)))
}

/// Writes a line about the loop to standard error, if statistics are reported.
#[cold]
fn report(site: &LoopSite, what: &str) {
    if stats() != 0 {
        eprintln!("jit: {}: {what}", named(site));
    }
}

/// The loop's function, the index of its head and the number of the compilation, for reports.
fn named(site: &LoopSite) -> String {
    // SAFETY: functions live as long as their oplines.
    let code = unsafe { site.function.get().as_ref() };
    let name = code.map_or_else(String::new, |code| String::from_utf8_lossy(&code.func().display_name()).into_owned());
    format!("{name}() at opline {}, version {}", site.header, site.compiles.get())
}
