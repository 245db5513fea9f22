//! Bodies of generators: when they are compiled, from which `yield` on, and how their code is entered.
//!
//! The code works on the frame where it is kept while the body is suspended, and calls compiled code only, so nobody looks for the
//! frame meanwhile. When the code leaves by a side exit, the frame moves onto the stack, and the interpreter goes on with the body.

use super::{PAUSE, THRESHOLD, context, give_room, input, specializations, stats, waits};
use crate::code::{FuncCode, Op};
use crate::context::{Ip, Run};
use crate::frame::Frame;
use phlox_hhbc::FuncFlags;
use phlox_jit::code::{BodyCode, body_code};
use phlox_jit::perf_map;
use phlox_jit::worker::{self, Answer, Compiled};
use phlox_jit::{ObservedType, fingerprint};
use phlox_lower::{Lowered, OpCode, Operand};
use phlox_runtime::{Func, Val};
use phlox_value::raw;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How often the code from one resume point is compiled at most.
const MAX_COMPILES: u32 = 5;
/// How often the compiler may refuse the code before it is no longer tried.
const MAX_REFUSALS: u32 = 3;
/// The value of [`BodySite::left`] when it is time to compile, or to look for the code.
const DUE: u32 = 1;
/// How often it waits for the code of generators that it iterates over.
pub const MAX_WAITS: u32 = 200;
/// Side exits after which code is judged (doubled for each compilation), and the `yield`s that there should be for each side exit.
const JUDGED_AFTER: u32 = 40;
const WORTH_WHILE: u64 = 4;

/// A resume point: where a body goes on behind a `yield`. Compiled code contains its address, with flags in the lowest bits.
#[repr(align(8))]
pub struct BodySite {
    code: Cell<Option<BodyCode>>,
    /// One more than the resumptions until the body is compiled, or until it is looked whether the code is ready. 0: neither is to
    /// happen.
    left: Cell<u32>,
    /// The opline that the body goes on with.
    position: Ip,
    /// Whether the code may free values without checking for destructors; see [`phlox_jit::Built::may_free`].
    may_free: Cell<bool>,
    /// The request to the compiler's thread, while code is being made, and until the code is made again.
    answer: RefCell<Option<Arc<Answer>>>,
    fingerprint: Cell<u64>,
    header: u32,
    compiles: Cell<u32>,
    refusals: Cell<u32>,
    waited: Cell<u32>,
    exits: Cell<u32>,
    yields: Cell<u64>,
}

/// Makes the resume points of a generator's body, one behind each `yield` with no full temporaries. Passes the index of the `yield`
/// and the number of the point to `note`.
///
/// # Safety
/// `ops` are the function's oplines, as many as `lowered` has.
pub unsafe fn watch(func: &Func, lowered: &Lowered, ops: *const Op, mut note: impl FnMut(u32, u32)) -> Box<[BodySite]> {
    let threshold = THRESHOLD.load(Ordering::Relaxed);
    if threshold == 0 || !func.has(FuncFlags::GENERATOR) || func.returns_by_ref() {
        return Box::default();
    }
    let is_point = |op: &phlox_lower::Opline| op.op == OpCode::Yield && op.live == 0;
    let yields = lowered.ops.iter().enumerate().filter(|(_, op)| is_point(op));
    let sites = yields.enumerate().map(|(number, (at, _))| {
        let header = at as u32 + 1;
        note(at as u32, number as u32);
        BodySite {
            code: Cell::new(None),
            left: Cell::new(threshold),
            // SAFETY: a function ends with a return, so an opline follows each `yield`.
            position: unsafe { ops.add(header as usize) },
            may_free: Cell::new(false),
            answer: RefCell::new(None),
            fingerprint: Cell::new(0),
            header,
            compiles: Cell::new(0),
            refusals: Cell::new(0),
            waited: Cell::new(0),
            exits: Cell::new(0),
            yields: Cell::new(0),
        }
    });
    sites.collect()
}

/// The context for the code of a body that the run is about to enter.
///
/// # Safety
/// The run is the innermost one.
#[inline(always)]
pub unsafe fn enter(run: *mut Run) -> *mut phlox_jit::Context {
    let context = context();
    // SAFETY: the caller says that the run is the innermost one; the context is this thread's.
    unsafe { give_room(context, run) };
    context
}

/// Handles a side exit of a body's code; gives the opline that the interpreter goes on with, in the frame that is the innermost one
/// from then on.
///
/// # Safety
/// `position` is what the code of a body has just returned in this run.
#[cold]
#[inline(never)]
pub unsafe fn was_left(run: *mut Run, position: u64) -> Ip {
    // SAFETY: the caller says that the code has returned `position`, so it has written its frames.
    unsafe {
        super::unwind_on();
        let (next, frame, own) = super::resume(context(), position, run);
        if position & 1 != 0 {
            if (*frame).flags & crate::frame::FLAG_GENERATOR != 0 {
                crate::generator::note_left_early(frame);
            }
            super::note_left(next, frame);
            specializations::was_left(own, (next, frame));
        }
        super::destruct_before(run, next)
    }
}

impl BodySite {
    /// Whether this is the resume point behind the Yield at an opline.
    pub fn follows(&self, at: u32) -> bool {
        self.header == at + 1
    }

    /// The opline that the body goes on with.
    pub fn position(&self) -> Ip {
        self.position
    }

    /// Whether there is code.
    #[inline(always)]
    pub fn has_code(&self) -> bool {
        self.code.get().is_some()
    }

    /// Whether the resume point may still get code.
    pub fn is_counting(&self) -> bool {
        self.left.get() != 0
    }

    /// Counts a resumption without code; true: it is time for [`BodySite::prepare`].
    #[inline(always)]
    pub fn count(&self) -> bool {
        let left = self.left.get();
        if left > DUE {
            self.left.set(left - 1);
        }
        left == DUE
    }

    /// The code, if there is some that may run.
    #[inline(always)]
    pub fn code(&self) -> Option<BodyCode> {
        let code = self.code.get()?;
        if self.may_free.get() && raw::frees_run_code() {
            // The code does not check for pending destructors. It is compiled again with such checks.
            self.code.set(None);
            self.answer.replace(None);
            self.left.set(PAUSE);
            return None;
        }
        Some(code)
    }

    /// Counts a `yield` that the code has reached.
    #[inline(always)]
    pub fn note_yield(&self) {
        self.yields.set(self.yields.get() + 1);
    }

    /// Compiles the body from this resume point on, or looks whether that has been done.
    ///
    /// # Safety
    /// `frame` is that of a body that is suspended here, and is not on the stack; `sent` is a live value: what the `yield` is about
    /// to give.
    #[cold]
    #[inline(never)]
    pub unsafe fn prepare(&self, frame: *mut Frame, sent: *const Val) {
        // SAFETY: the caller says that the frame is alive; functions outlive their frames.
        let code = unsafe { &*(*frame).code };
        self.left.set(PAUSE);
        let answer = self.answer.borrow().clone();
        if let Some(answer) = answer {
            if let Some(compiled) = answer.get() {
                self.finish(code, compiled);
            }
            return;
        }
        // SAFETY: the caller says that the frame is one of this function.
        if unsafe { input::awaits_body(code, frame, 0..=code.body().lowered.ops.len() as u32 - 1) }
            && self.waited.replace(self.waited.get() + 1) < MAX_WAITS
        {
            self.left.set(PAUSE << 4);
            return;
        }
        // SAFETY: the caller says that the frame is suspended here and `sent` is alive.
        match unsafe { self.unit(code, frame, sent) } {
            Ok(None) => {
                self.report(code, "refused: the same code as before");
                self.left.set(0);
            }
            Ok(Some((unit, shape))) if waits() => self.finish(code, &worker::compile(unit, shape, None)),
            Ok(Some((unit, shape))) => drop(self.answer.replace(Some(worker::request(unit, shape, None, None)))),
            Err(refusal) => {
                self.report(code, &format!("refused: {refusal}"));
                self.compiles.set(self.compiles.get() - 1);
                self.refusals.set(self.refusals.get() + 1);
                let again = self.refusals.get() <= MAX_REFUSALS && !waits();
                self.left.set(if again { PAUSE << (2 * self.refusals.get()) } else { 0 });
            }
        }
    }

    /// Builds the unit of the body from this resume point on; `None` if it is the one that was compiled last. The error says why it
    /// is refused.
    unsafe fn unit(
        &self,
        code: &FuncCode,
        frame: *mut Frame,
        sent: *const Val,
    ) -> Result<Option<(phlox_hhir::Unit, phlox_jit::FrameShape)>, String> {
        self.compiles.set(self.compiles.get() + 1);
        specializations::start_session();
        let suspended = &code.body().lowered.ops[self.header as usize - 1];
        // SAFETY: the caller of `prepare` says that `sent` is a live value.
        let sent = unsafe { matches!(suspended.c, Operand::Tmp(_)).then(|| ObservedType::loosely(sent)).flatten() };
        // SAFETY: the caller of `prepare` says that the frame is suspended here and runs `code`.
        let (mut built, shape) = unsafe { input::of_body(code, frame, self.header, self.compiles.get() > 1, sent)? };
        built.unit.no_hoisted_guards = self.compiles.get() > 1;
        let fingerprint = fingerprint(&built.unit);
        if self.fingerprint.replace(fingerprint) == fingerprint {
            return Ok(None);
        }
        if stats() > 1 {
            eprintln!("{}", built.unit);
        }
        self.may_free.set(built.may_free);
        Ok(Some((built.unit, shape)))
    }

    /// Takes over compiled code, or its refusal.
    fn finish(&self, code: &FuncCode, compiled: &Compiled) {
        specializations::install();
        self.left.set(0);
        perf_map::note(compiled, || self.named(code));
        match &compiled.code {
            Ok(address) => {
                // SAFETY: the code was compiled for this resume point.
                self.code.set(Some(unsafe { body_code(*address) }));
                self.report(code, &compiled.told());
            }
            Err(refusal) => self.report(code, &format!("refused: {refusal}")),
        }
    }

    /// Counts a side exit of the code before a `yield`, and judges the code after enough of them.
    #[inline(never)]
    pub fn left_early(&self, code: &FuncCode) {
        let exits = self.exits.get() + 1;
        self.exits.set(exits);
        if exits < JUDGED_AFTER << self.compiles.get().min(8) {
            return;
        }
        let yields = self.yields.replace(0);
        self.exits.set(0);
        if yields / u64::from(exits) >= WORTH_WHILE || super::fails_every() > 0 {
            return;
        }
        self.report(code, &format!("left {exits} times for {yields} yields; {}", super::most_exits(code)));
        self.code.set(None);
        self.answer.replace(None);
        let again = self.compiles.get() < MAX_COMPILES;
        self.left.set(if again { PAUSE << self.compiles.get() } else { 0 });
    }

    #[cold]
    fn report(&self, code: &FuncCode, what: &str) {
        if stats() != 0 {
            eprintln!("jit: {}: {what}", self.named(code));
        }
    }

    /// The function's name, the index of the opline and the number of the compilation, for reports.
    fn named(&self, code: &FuncCode) -> String {
        let name = code.func().display_name();
        let (name, compiles) = (String::from_utf8_lossy(&name), self.compiles.get());
        format!("{name}() resumed at opline {}, version {compiles}", self.header)
    }
}
