//! The interpreter's side of the compiler: when loops and functions are compiled, and how compiled code is entered and left.
//!
//! The first opline of each loop and of each function gets a handler that counts. When it has counted far enough, code is compiled
//! for the types that the frame's cells have at that moment, and the handler becomes one that enters the code. Code that leaves by
//! side exits too often is compiled again with the type feedback collected by then; code that cannot be made better is abandoned,
//! and the opline gets its own handler back.

mod compile_budget;
mod entry;
mod functions;
pub mod generators;
mod host;
mod inline_policy;
mod input;
mod loops;
mod property_layouts;
mod reentry;
mod runtime_calls;
mod specializations;
mod type_feedback;

pub use entry::{Direct, call_directly, captured_by};
pub use functions::FuncSite;
pub use loops::{LoopSite, take_awaited, watch};
pub use type_feedback::{Observed, kind_bit};

use crate::code::FuncCode;
use crate::context::{Ip, Run};
use crate::frame::Frame;
use crate::handlers::Handler;
use crate::named_sites;
pub use phlox_jit::worker::Server;
use phlox_jit::{Context, settle};
pub use phlox_jit::{limits, perf_map, show};
use phlox_lower::facts::{Heap, OperandAccess};
use phlox_lower::{OpCode, Operand};
use phlox_runtime::Func;
use phlox_value::{interrupt, raw};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How often the head of a loop is reached before the loop is compiled; 0: never.
static THRESHOLD: AtomicU32 = AtomicU32::new(0);
/// What is written to standard error: see [`Settings::stats`].
static SHOWS_STATS: AtomicU32 = AtomicU32::new(0);
/// The running script waits until requested code is compiled.
static WAITS: AtomicBool = AtomicBool::new(false);
/// Stress mode: one of so many guards fails although its assumption holds; 0: none does.
static FAILS_EVERY: AtomicU32 = AtomicU32::new(0);

/// Part of the names of the functions that are compiled, if not all are.
static ONLY: OnceLock<Option<&'static str>> = OnceLock::new();

/// Whether [`Settings::only`] lets a function, and the loops in it, be compiled.
fn is_wanted(code: &FuncCode) -> bool {
    let only = ONLY.get().copied().flatten();
    only.is_none_or(|part| String::from_utf8_lossy(&code.func().display_name()).contains(part))
}

/// Times that a site counts down before code is requested again, and before it is looked whether the code is ready.
const PAUSE: u32 = 20;

/// Bytes of native stack that compiled functions may use, from where the interpreter enters them.
const NATIVE_STACK: usize = 256 << 10;
/// How far below its limit compiled code may be entered that belongs to that limit: more than the frames between the check of a
/// re-entry and the code that is entered then.
const NATIVE_SLACK: usize = 64 << 10;

/// The settings of the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often a loop's head is reached before the loop is compiled; 0: never.
    pub threshold: u32,
    /// The script waits for its code, so that tests are reproducible.
    pub waits: bool,
    /// 1: what is compiled is reported, 2: its oplines and units are printed, too.
    pub stats: u32,
    /// Stress mode: one of so many guards fails for no reason; 0: none does.
    pub fails_every: u32,
    /// For bisecting: only functions whose names contain this, and their loops, are compiled.
    pub only: Option<&'static str>,
}

impl Default for Settings {
    fn default() -> Settings {
        // Compiling an opline takes as long as interpreting it some ten thousand times. Real programs of a tenth of a second reach
        // a thousand iterations in hundreds of loops that are never run again, and spent two thirds of their time on compiling
        // them.
        Settings { threshold: 8000, waits: false, stats: 0, fails_every: 0, only: None }
    }
}

/// Sets how functions that are lowered from now on are compiled.
pub fn configure(settings: Settings) {
    THRESHOLD.store(settings.threshold, Ordering::Relaxed);
    SHOWS_STATS.store(settings.stats, Ordering::Relaxed);
    WAITS.store(settings.waits, Ordering::Relaxed);
    FAILS_EVERY.store(settings.fails_every, Ordering::Relaxed);
    let _ = ONLY.set(settings.only);
    if settings.stats > 0 {
        show::verify();
    }
}

/// Starts the budget of a request, and installs the code that was made since the last one ended: what the compiler's thread has
/// told meanwhile was not heard.
pub fn begin_request() {
    compile_budget::begin_request();
    specializations::install();
    loops::take_awaited();
}

/// Ends a request whose code is kept: what samples point to is freed.
pub fn end_request() {
    compile_budget::end_request();
    specializations::start_session();
}

/// Whether the oplines of a function are watched. In a process of several requests, the functions of files that are not kept end
/// with the request, and their code would have been made for nothing.
pub fn is_watched(func: &Func) -> bool {
    !named_sites::are_kept() || func.unit.is_kept.get()
}

fn fails_every() -> u32 {
    FAILS_EVERY.load(Ordering::Relaxed)
}

fn waits() -> bool {
    WAITS.load(Ordering::Relaxed)
}

/// The detail of the reports; see [`Settings::stats`].
fn stats() -> u32 {
    SHOWS_STATS.load(Ordering::Relaxed)
}

/// This thread's context for compiled code, which is never freed.
fn context() -> *mut Context {
    thread_local! {
        static CONTEXT: *mut Context = Box::into_raw(Box::new(Context {
            interrupt: interrupt::word(),
            frame: std::ptr::null_mut(),
            outermost: std::ptr::null_mut(),
            limit: std::ptr::null(),
            native_limit: std::ptr::null(),
            run: std::ptr::null_mut(),
            scratch: [0; 2],
            key: [0; 2],
            inlined: 0,
            until_failure: 0,
        }));
    }
    CONTEXT.with(|context| *context)
}

/// Tells compiled code through the context how much room the PHP stack and the native stack have.
///
/// # Safety
/// The context is this thread's, the run the innermost one.
#[inline(always)]
unsafe fn give_room(context: *mut Context, run: *mut Run) {
    let here = 0u8;
    // SAFETY: the caller says that the context is this thread's and the run the innermost one.
    unsafe {
        (*context).limit = (*run).limit;
        (*context).run = run.cast();
        // Code that is entered from other compiled code shares the native stack limit of that code, also a little below it: what
        // re-enters the interpreter has passed its check above the limit, and enters code below it. A new limit there would let
        // recursion go on without end.
        let here = &raw const here as usize;
        let limit = (*context).native_limit as usize;
        if here.wrapping_sub(limit.wrapping_sub(NATIVE_SLACK)) > NATIVE_STACK + NATIVE_SLACK {
            (*context).native_limit = here.saturating_sub(NATIVE_STACK) as *const u8;
        }
    }
}

/// Defers destructors while compiled code runs: until the code ends, or calls something that runs PHP code.
#[must_use]
pub struct Deferral(bool);

impl Deferral {
    /// Starts to defer destructors.
    #[inline(always)]
    pub fn begin() -> Deferral {
        Deferral(phlox_value::defer_destructors(raw::frees_run_code()))
    }

    /// Compiled code has ended: destructors are deferred or run as before [`Deferral::begin`].
    #[inline(always)]
    pub fn end(self) {
        phlox_value::defer_destructors(self.0);
    }
}

/// Runs the destructors that were deferred while compiled code ran, which has ended in front of the opline `next` of the innermost
/// frame. Gives the opline to go on with: `next`, or the handler's if a destructor has thrown.
///
/// # Safety
/// `run` is the innermost run, and `next` is an opline of its innermost frame, or what [`Run::raise`] gave.
#[inline(always)]
pub unsafe fn destruct_before(run: *mut Run, next: Ip) -> Ip {
    // SAFETY: the caller says that the run is the innermost one and `next` the opline to go on with.
    unsafe { if destructors_wait(run) { destruct_now(run, next) } else { next } }
}

/// Whether a deferred destructor is to run.
///
/// # Safety
/// The run is the innermost one.
#[inline(always)]
unsafe fn destructors_wait(run: *mut Run) -> bool {
    // SAFETY: the caller says that the run is alive; the interrupt word is never freed.
    unsafe { (*(*run).interrupt).load(Ordering::Relaxed) & interrupt::DESTRUCT != 0 }
}

#[cold]
#[inline(never)]
unsafe fn destruct_now(run: *mut Run, next: Ip) -> Ip {
    // SAFETY: the run is the innermost one (`destruct_before`); where `next` is no opline of its frame, a throwable is being
    // unwound.
    unsafe {
        let run = &mut *run;
        let frame = run.frame;
        // Builtin code that has made a call asks for exceptions of its callback's destructors by itself.
        let goes_on = frame.as_ref().and_then(|frame| frame.code.as_ref()).filter(|code| !code.is_native);
        let at = goes_on.and_then(|code| place_in(code, next));
        // The destructor is called on the line of the opline that freed the object: the one before, unless that has jumped.
        if at.is_some_and(|at| at > 0) {
            (*frame).ip = next.sub(1);
        }
        // A destructor is a callback, too, and would overwrite how this callback has ended.
        let ended = (run.returned.take(), run.exit.take());
        phlox_value::run_deferred_destructors();
        (run.returned, run.exit) = ended;
        run.frame = frame;
        if at.is_none() {
            return next;
        }
        match run.vm.check_pending() {
            Ok(()) => next,
            Err(throw) => run.raise(throw),
        }
    }
}

/// Reads where compiled code has ended: the opline to go on with, whose frame becomes the run's innermost one. The lowest bit of
/// `position` is set if the code has left by a side exit. Gives the opline, its frame, and the frame whose function's code was
/// running, which lies below the frames that a side exit has materialised for inlined functions.
///
/// # Safety
/// `position` is what compiled code has just returned for this context and run.
#[inline(always)]
unsafe fn resume(context: *mut Context, position: u64, run: *mut Run) -> (Ip, *mut Frame, *mut Frame) {
    // SAFETY: a side exit writes all frames from the code's own up to the innermost one, and counts the inlined ones.
    unsafe {
        let position = settle(context, position);
        let frame = (*context).frame.cast::<Frame>();
        (*run).frame = frame;
        let mut own = frame;
        for _ in 0..std::mem::take(&mut (*context).inlined) {
            own = (*own).prev;
        }
        ((position & !1) as Ip, frame, own)
    }
}

thread_local! {
    /// The payload of a Rust panic that has unwound out of a runtime call of compiled code; it is resumed where the code was
    /// entered.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Resumes the unwinding of a panic that was caught before it reached compiled code.
#[inline(always)]
fn unwind_on() {
    #[cold]
    fn unwind() {
        if let Some(payload) = PANIC.take() {
            std::panic::resume_unwind(payload);
        }
    }
    if PANIC.with_borrow(Option::is_some) {
        unwind();
    }
}

thread_local! {
    /// How many side exits there were in front of each opline, by function and index; counted if statistics are reported.
    static EXITS: RefCell<HashMap<(usize, usize), u32>> = RefCell::default();
}

thread_local! {
    /// Side exits of all functions, by the function's name, the opline's index and its opcode.
    static ALL_EXITS: RefCell<HashMap<String, u64>> = RefCell::default();
}

/// Lines of [`left_for`].
const MAX_TOLD: usize = 40;

/// The oplines with the most side exits, if they have been counted: a line for each.
pub fn left_for() -> String {
    let mut rows: Vec<(String, u64)> = ALL_EXITS.take().into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows.iter().take(MAX_TOLD).map(|(place, count)| format!("left for {place:<60} {count}\n")).collect()
}

/// The oplines of a function with the most side exits, for reports. Their counts start again at 0.
fn most_exits(code: &FuncCode) -> String {
    let own = std::ptr::from_ref(code) as usize;
    let mut rows: Vec<(usize, u32)> = EXITS
        .with_borrow_mut(|exits| exits.extract_if(|key, _| key.0 == own).map(|(key, count)| (key.1, count)).collect());
    rows.sort_by_key(|row| std::cmp::Reverse(row.1));
    let ops = &code.body().lowered.ops;
    let text = |&(at, count): &(usize, u32)| format!("{} at {at} ({count})", ops[at].op.name());
    rows.iter().take(5).map(text).collect::<Vec<_>>().join(", ")
}

/// The index of an opline, if it is one of the function's.
fn place_in(code: &FuncCode, opline: Ip) -> Option<usize> {
    let (first, count) = (code.ops.get(), code.body().lowered.ops.len());
    // SAFETY: the function has `count` oplines from `first` on.
    unsafe { (first..first.add(count)).contains(&opline).then(|| code.index_of(opline)) }
}

/// Whether type feedback is collected at a site's side exit number `times`: after many, little is new.
fn is_looked_at(times: u32) -> bool {
    times < 200 || times.is_multiple_of(16)
}

/// Side exits of a function after which an unboxed list gets cells: the code may have been compiled for lists that have cells.
const EXITS_UNBOXED: u32 = 16;

/// Collects type feedback where compiled code has left by a side exit, because a guard failed in front of `next`.
///
/// # Safety
/// The interpreter goes on with `next` in this frame.
#[inline(never)]
unsafe fn note_left(next: Ip, frame: *mut Frame) {
    // SAFETY: the caller says that the interpreter goes on with `next` in this frame, so its cells are alive.
    unsafe {
        let code = &*(*frame).code;
        let Some(at) = place_in(code, next) else { return };
        if stats() != 0 {
            let key = (std::ptr::from_ref(code) as usize, at);
            EXITS.with_borrow_mut(|exits| *exits.entry(key).or_default() += 1);
            let name = String::from_utf8_lossy(&code.func().display_name()).into_owned();
            let place = format!("{name}() {at} {}", code.body().lowered.ops[at].op.name());
            ALL_EXITS.with_borrow_mut(|exits| *exits.entry(place).or_default() += 1);
        }
        let times = code.exits.get().saturating_add(1);
        code.exits.set(times);
        if !is_looked_at(times) {
            return;
        }
        type_feedback::look(code, at, frame, |at, tag| {
            // The layout of an array is no type that was missing.
            if !matches!(tag, phlox_jit::READ_LIST | phlox_jit::READ_TABLE) {
                code.note(at, tag);
            }
        });
        if times >= EXITS_UNBOXED {
            type_feedback::give_cells(code, at, frame);
        }
        // The guard on the callee has failed, or the callee has no code any more.
        let op = code.body().lowered.ops[at].op;
        if op == OpCode::InitDynamic || op.makes_call() {
            code.note(at as u32, raw::TI_UNDEF);
        }
    }
}

/// Adjusts type feedback after too many side exits: code that was specialised for the shape of the arrays on a path, or for a
/// builtin function's fast path, is compiled without that the next time. A list may also have been without room for another
/// element.
///
/// # Safety
/// The interpreter goes on with `next` in this frame.
unsafe fn note_unfit(next: Ip, frame: *const Frame) {
    // SAFETY: the caller says that the interpreter goes on with `next` in this frame, so its cells are alive.
    unsafe {
        let code = &*(*frame).code;
        let Some(at) = place_in(code, next) else { return };
        let was_noted = code.noted(at as u32) >> raw::TI_UNDEF & 1 != 0;
        let op = &code.body().lowered.ops[at];
        let facts = op.op.facts();
        if op.op.makes_call() {
            code.note(at as u32, phlox_jit::REFUSED);
        } else if facts.heap == Heap::ChangesArrays {
            let is_dense = facts.a.access == OperandAccess::Mutate && (was_noted || is_table(code, op.a, frame));
            code.note(at as u32, if is_dense { raw::TI_NULL } else { raw::TI_UNDEF });
        }
    }
}

/// Whether a variable of the frame holds a hash table.
///
/// # Safety
/// The frame runs `code`.
unsafe fn is_table(code: &FuncCode, operand: Operand, frame: *const Frame) -> bool {
    let Operand::Local(_) = operand else { return false };
    // SAFETY: the operand is a local of the frame's function; an array's payload points to a live array.
    unsafe {
        let place = raw::look_through(crate::context::cell(frame.cast_mut().cast(), code.offset(operand)));
        raw::tag(place) == raw::TI_ARR && raw::is_table(raw::payload(place))
    }
}

/// Replaces the handler of an opline.
fn set_handler(ip: Ip, handler: Handler) {
    // SAFETY: oplines lie in memory of their own, outside of any borrow, which only this thread runs.
    unsafe { (*ip.cast_mut()).handler = handler }
}
