//! When loops and functions are compiled, and how compiled code is entered and left.
//!
//! The first opline of each loop and of each function gets a handler that counts; when it has counted enough, the code is
//! made for the types that are in the frame at that moment, and the handler becomes one that enters it. Code that is left
//! early too often is made again with other types, or given up: the opline gets its own handler back.

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

pub use compile_budget::begin_request;
pub use entry::{Direct, call_directly, captured_by};
pub use functions::FuncSite;
pub use loops::{LoopSite, take_awaited, watch};
pub use type_feedback::{Observed, kind_bit};

use crate::code::FuncCode;
use crate::context::{Ip, Run};
use crate::frame::Frame;
use crate::handlers::Handler;
pub use phlox_jit::worker::Server;
use phlox_jit::{Context, settle};
pub use phlox_jit::{limits, perf_map, show};
use phlox_lower::facts::{Heap, OperandAccess};
use phlox_lower::{OpCode, Operand};
use phlox_value::{interrupt, raw};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How often the head of a loop is reached before it is compiled; 0: never.
static THRESHOLD: AtomicU32 = AtomicU32::new(0);
static SHOWS_STATS: AtomicU32 = AtomicU32::new(0);
/// The running script waits for its code.
static WAITS: AtomicBool = AtomicBool::new(false);
/// Stress mode: so many checks of compiled code until one fails for no reason; 0: none does.
static FAILS_EVERY: AtomicU32 = AtomicU32::new(0);

/// Part of the names of functions that are compiled, if not all are.
static ONLY: OnceLock<Option<&'static str>> = OnceLock::new();

/// Is what is in a function compiled?
fn is_wanted(code: &FuncCode) -> bool {
    let only = ONLY.get().copied().flatten();
    only.is_none_or(|part| String::from_utf8_lossy(&code.func().display_name()).contains(part))
}

/// Until another version is made, and between two looks whether it is there.
const PAUSE: u32 = 20;

/// Native stack that compiled functions may use, from where the interpreter enters them.
const NATIVE_STACK: usize = 256 << 10;

/// How the compiler is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often a loop runs before it is compiled; 0: never.
    pub threshold: u32,
    /// The script waits for the code, for tests.
    pub waits: bool,
    /// 1: tells what is compiled, 2: and shows it.
    pub stats: u32,
    /// Stress mode: every so many checks one fails for no reason; 0: none does.
    pub fails_every: u32,
    /// For bisecting: only what is in functions with this in their names is compiled.
    pub only: Option<&'static str>,
}

impl Default for Settings {
    fn default() -> Settings {
        // Compiling an opline takes as long as interpreting it some ten thousand times. Real programs of a tenth of a second reach
        // a thousand trips in hundreds of places that are never of use again, and spent two thirds of their time on them.
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

fn fails_every() -> u32 {
    FAILS_EVERY.load(Ordering::Relaxed)
}

fn waits() -> bool {
    WAITS.load(Ordering::Relaxed)
}

/// Detail of what is told.
fn stats() -> u32 {
    SHOWS_STATS.load(Ordering::Relaxed)
}

/// This thread's context, which lives for ever.
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

/// Says how much room compiled code has.
///
/// # Safety
/// The context is this thread's, the run the innermost one.
#[inline(always)]
unsafe fn give_room(context: *mut Context, run: *mut Run) {
    let here = 0u8;
    // SAFETY: by the caller.
    unsafe {
        (*context).limit = (*run).limit;
        (*context).run = run.cast();
        // Code that was entered from compiled code shares what that one has.
        let here = &raw const here as usize;
        let limit = (*context).native_limit as usize;
        if limit > here || here - limit > NATIVE_STACK {
            (*context).native_limit = here.saturating_sub(NATIVE_STACK) as *const u8;
        }
    }
}

/// While compiled code runs, destructors wait: until the code is left, or calls something that runs PHP code.
#[must_use]
pub struct Deferral(bool);

impl Deferral {
    #[inline(always)]
    pub fn begin() -> Deferral {
        Deferral(phlox_value::defer_destructors(raw::frees_run_code()))
    }

    /// The code is done.
    #[inline(always)]
    pub fn end(self) {
        phlox_value::defer_destructors(self.0);
    }
}

/// Compiled code has ended in front of an opline of the innermost frame: destructors that had to wait run now. Where to go on.
///
/// # Safety
/// As says.
#[inline(always)]
pub unsafe fn destruct_before(run: *mut Run, next: Ip) -> Ip {
    // SAFETY: by the caller.
    unsafe { if destructors_wait(run) { destruct_now(run, next) } else { next } }
}

/// # Safety
/// The run is the innermost one.
#[inline(always)]
unsafe fn destructors_wait(run: *mut Run) -> bool {
    // SAFETY: by the caller; the word lives for ever.
    unsafe { (*(*run).interrupt).load(Ordering::Relaxed) & interrupt::DESTRUCT != 0 }
}

#[cold]
#[inline(never)]
unsafe fn destruct_now(run: *mut Run, next: Ip) -> Ip {
    // SAFETY: by the caller; a throwable is on its way where `next` is no opline of the frame.
    unsafe {
        let run = &mut *run;
        let frame = run.frame;
        // Builtin code that has called finds what its callback's destructors have thrown by itself.
        let goes_on = frame.as_ref().and_then(|frame| frame.code.as_ref()).filter(|code| !code.is_native);
        let at = goes_on.and_then(|code| place_in(code, next));
        // What was freed belongs to the opline before, unless that has jumped.
        if at.is_some_and(|at| at > 0) {
            (*frame).ip = next.sub(1);
        }
        // How the callback has ended; destructors are callbacks, too.
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

/// Where compiled code was left: the opline to go on with, in the frame that is the innermost one from now on. The lowest bit
/// of the position says that it was not the end. Also the frame whose function's code was left: it is below those of functions that
/// were inlined there.
///
/// # Safety
/// Code has just given back the position.
#[inline(always)]
unsafe fn resume(context: *mut Context, position: u64, run: *mut Run) -> (Ip, *mut Frame, *mut Frame) {
    // SAFETY: the code wrote all frames up to this one.
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
    /// What has unwound out of a call that compiled code made; it goes on where the code was entered.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = const { RefCell::new(None) };
}

/// Goes on with what has unwound through compiled code.
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
    /// How often compiled code was left for which opline of which function, if that is to be told.
    static EXITS: RefCell<HashMap<(usize, usize), u32>> = RefCell::default();
}

thread_local! {
    /// The same of all functions, by their names.
    static ALL_EXITS: RefCell<HashMap<String, u64>> = RefCell::default();
}

/// Lines told at the end.
const MAX_TOLD: usize = 40;

/// What compiled code was left for most often, if that has been counted: a line for each.
pub fn left_for() -> String {
    let mut rows: Vec<(String, u64)> = ALL_EXITS.take().into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows.iter().take(MAX_TOLD).map(|(place, count)| format!("left for {place:<60} {count}\n")).collect()
}

/// The oplines that the code of a function was left for most often, for what is told.
fn most_exits(code: &FuncCode) -> String {
    let own = std::ptr::from_ref(code) as usize;
    let mut rows: Vec<(usize, u32)> = EXITS
        .with_borrow_mut(|exits| exits.extract_if(|key, _| key.0 == own).map(|(key, count)| (key.1, count)).collect());
    rows.sort_by_key(|row| std::cmp::Reverse(row.1));
    let ops = &code.body().lowered.ops;
    let text = |&(at, count): &(usize, u32)| format!("{} at {at} ({count})", ops[at].op.name());
    rows.iter().take(5).map(text).collect::<Vec<_>>().join(", ")
}

/// The index of an opline, if it is one of a function.
fn place_in(code: &FuncCode, opline: Ip) -> Option<usize> {
    let (first, count) = (code.ops.get(), code.body().lowered.ops.len());
    // SAFETY: the function has so many oplines.
    unsafe { (first..first.add(count)).contains(&opline).then(|| code.index_of(opline)) }
}

/// Whether what is found is noted the so manieth time that code is left: after some times, little is new.
fn is_looked_at(times: u32) -> bool {
    times < 200 || times.is_multiple_of(16)
}

/// Where code has been left so often, lists without cells get some: it may have been made for such as have them.
const EXITS_UNBOXED: u32 = 16;

/// Compiled code was left for an opline that did not find what it expected: notes what it finds.
///
/// # Safety
/// The interpreter goes on with `next` in this frame.
#[inline(never)]
unsafe fn note_left(next: Ip, frame: *mut Frame) {
    // SAFETY: by the caller.
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
            // How arrays are laid out is no kind that was missing.
            if !matches!(tag, phlox_jit::READ_LIST | phlox_jit::READ_TABLE) {
                code.note(at, tag);
            }
        });
        if times >= EXITS_UNBOXED {
            type_feedback::give_cells(code, at, frame);
        }
        // Another function than the one that was expected, or one that has no code any more.
        let op = code.body().lowered.ops[at].op;
        if op == OpCode::InitDynamic || op.makes_call() {
            code.note(at as u32, raw::TI_UNDEF);
        }
    }
}

/// Code that was made for the shape of the arrays on a path, or for the short way of a builtin function, is left all the time: no
/// more of that. A list may have been without room for more.
///
/// # Safety
/// As [`note_left`].
unsafe fn note_unfit(next: Ip, frame: *const Frame) {
    // SAFETY: by the caller.
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

/// Whether a variable holds a hash table.
///
/// # Safety
/// The frame runs `code`.
unsafe fn is_table(code: &FuncCode, operand: Operand, frame: *const Frame) -> bool {
    let Operand::Local(_) = operand else { return false };
    // SAFETY: by the caller; an array's payload is that of a live one.
    unsafe {
        let place = raw::look_through(crate::context::cell(frame.cast_mut().cast(), code.offset(operand)));
        raw::tag(place) == raw::TI_ARR && raw::is_table(raw::payload(place))
    }
}

fn set_handler(ip: Ip, handler: Handler) {
    // SAFETY: oplines lie in memory of their own, which only this thread runs.
    unsafe { (*ip.cast_mut()).handler = handler }
}
