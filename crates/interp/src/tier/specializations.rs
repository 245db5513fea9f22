//! The specialisations of functions, one for each combination of argument types that calls have: how their code is made, judged,
//! made again and abandoned.

use super::entry::{Callable, Entrance, Takes};
use super::functions::{FuncSite, given};
use super::type_feedback::{self, OBSERVED_FOR};
use super::{PAUSE, host, input, stats, waits};
use crate::code::FuncCode;
use crate::context::Ip;
use crate::frame::Frame;
use phlox_hhir::types::{self as hhir, Bits};
use phlox_jit::perf_map;
use phlox_jit::worker::{self, Answer};
use phlox_jit::{Compiled, Entry, ObservedType, Signature, Specialization, fingerprint, size};
use phlox_value::raw;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// How often one specialisation is compiled at most.
const MAX_COMPILES: u32 = 8;
/// How often a specialisation is compiled at most if its unit has more than [`LARGE`] instructions, each of which takes the
/// compiler long.
const MAX_LARGE: u32 = 3;
const LARGE: usize = 1000;
/// How often the compiler may refuse a specialisation, each time after twice as many calls, before it is no longer tried.
const MAX_REFUSALS: u32 = 10;
/// Side exits after which a function's code is judged, and the calls that there should be for each side exit.
const JUDGED_AFTER: u64 = 32;
const WORTH_WHILE: u64 = 16;
/// What a side exit is taken to cost in microseconds, with what the interpreter then executes instead of the code; and the most
/// side exits that are waited for before code is judged.
const MICROS_FOR_EXIT: u64 = 10;
const MAX_PATIENCE: u64 = 1000;
/// Calls for each side exit that code should have which is not compiled again.
const WORTH_KEEPING: u64 = 8;
/// After so many side exits, which have taken as much time as compiling again takes, there should be more calls for each.
const MAX_EXITS: u64 = 5000;
const WORTH_MUCH: u64 = 100;
/// How many functions may be compiled inside each other, because each calls the next.
const DEEPEST: u32 = 4;
/// Combinations of argument types that a function is compiled for, and combinations that compiled callers may have asked for.
const MAX_VARIANTS: usize = 4;
const MAX_PROMISES: usize = 12;

/// The code of a function for one combination of argument types: a specialisation.
pub struct Variant {
    /// The function and the types, without samples.
    wanted: Specialization,
    /// How the arguments are fetched from cells; none if a cell does not show some of the types.
    takes: Option<Takes>,
    /// Whether the current code may free values and needs a frame; see [`phlox_jit::Built`].
    may_free: Cell<bool>,
    needs_frame: Cell<bool>,
    /// The entry of the current code. Entries are never freed, because their addresses are part of callers' code.
    entry: Cell<&'static Entry>,
    /// The entry before this one; callers that were compiled while it was the current one still call its code.
    before: Cell<Option<&'static Entry>>,
    /// `None`: no code has been promised or made yet. `Some(true)`: callers may have been compiled for code of any properties, so
    /// any later code may be called through the entry. `Some(false)`: callers rely on what was found of the current code.
    promised: Cell<Option<bool>>,
    /// Whether code behind the entry may free values, and whether it may need a frame: false once a caller was compiled for code
    /// that does not.
    relied: Cell<(bool, bool)>,
    compiles: Cell<u32>,
    /// Side exits of code that was judged good.
    worn: Cell<u64>,
    is_large: Cell<bool>,
    /// Compiling again would give the same code: no type feedback changes it any more.
    is_final: Cell<bool>,
    /// Side exits after which its code is judged.
    patience: Cell<u64>,
    /// How often the compiler has refused it.
    refusals: Cell<u32>,
    /// The fingerprint of the last unit that was compiled.
    fingerprint: Cell<u64>,
    /// What compiled callers are told of the code. `None`: there is no code yet.
    made: RefCell<Option<Made>>,
    is_refused: Cell<bool>,
}

/// What is known of code that is compiled or being compiled.
struct Made {
    result: Option<Bits>,
    /// Whether the code may free values without checking for destructors, and needs a frame; see [`phlox_jit::Built`].
    may_free: bool,
    needs_frame: bool,
    /// A sample of its results, and the session in which it was taken; the value may have been freed since.
    sample: (u64, Option<ObservedType>),
    /// The code does so little that entering it from the interpreter takes longer.
    is_short: bool,
    /// The request to the compiler's thread, while code is being made.
    answer: Option<Arc<Answer>>,
}

thread_local! {
    /// Counts sessions: within one session, values that samples point to are alive.
    static SESSION: Cell<u64> = const { Cell::new(1) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// How many requests the compiler's thread had finished when its code was installed last.
    static INSTALLED: Cell<usize> = const { Cell::new(0) };
    /// Functions whose code is being made.
    static PENDING: RefCell<Vec<(*const FuncCode, Rc<Variant>)>> = const { RefCell::new(Vec::new()) };
}

impl Variant {
    fn new(wanted: &Specialization) -> Variant {
        Variant {
            wanted: without_samples(wanted),
            takes: Takes::of(wanted.this, &wanted.args),
            may_free: Cell::new(true),
            needs_frame: Cell::new(true),
            entry: Cell::new(Box::leak(Box::default())),
            before: Cell::new(None),
            promised: Cell::new(None),
            relied: Cell::new((true, true)),
            compiles: Cell::new(0),
            worn: Cell::new(0),
            is_large: Cell::new(false),
            is_final: Cell::new(false),
            patience: Cell::new(JUDGED_AFTER),
            refusals: Cell::new(0),
            fingerprint: Cell::new(0),
            made: RefCell::new(None),
            is_refused: Cell::new(false),
        }
    }

    /// Gives the specialisation a new entry. Callers of the code that is there keep the old entry and its code, as long as that
    /// code has few side exits.
    fn renew_entry(&self) {
        let before = self.before.replace(Some(self.entry.replace(Box::leak(Box::default()))));
        if let Some(before) = before {
            before.code.set(0);
        }
        self.relied.set((true, true));
    }

    /// Whether this is the specialisation for these types.
    fn is_for(&self, wanted: &Specialization) -> bool {
        self.wanted.args == wanted.args && self.wanted.this == wanted.this
    }

    /// The address of the current code; 0: there is none.
    pub fn code(&self) -> u64 {
        self.entry.get().code.get()
    }

    /// The code for the interpreter to enter, if that is worth it. Code that does so little that entering it takes longer is for
    /// compiled callers only.
    pub fn entrance(self: &Rc<Variant>) -> Option<Entrance> {
        let is_worth = |made: &Made| !made.is_short || waits();
        let is_entered = self.code() != 0 && self.made.borrow().as_ref().is_some_and(is_worth);
        let takes = self.takes.clone().filter(|_| is_entered)?;
        Some(Entrance::new(self.clone(), takes, self.entry.get(), (self.may_free.get(), self.needs_frame.get())))
    }

    /// The code for calls from builtin code, if it needs no frame.
    pub fn callable(&self) -> Option<Callable> {
        let is_there = self.code() != 0 && !self.needs_frame.get() && self.made.borrow().is_some();
        Callable::of(self.entry.get(), self.takes.as_ref().filter(|_| is_there)?, self.may_free.get())
    }

    /// Whether code may still come: it was not refused, and is not there yet.
    pub fn is_open(&self) -> bool {
        !self.is_refused.get() && (self.code() == 0 || self.made.borrow().is_none())
    }

    /// Discards code that was compiled before there were destructors and does not check whether one is to run: it must never run
    /// again.
    pub fn outdate(&self) {
        self.entry.get().code.set(0);
        self.made.replace(None);
    }

    /// Whether the specialisation may be compiled again.
    fn may_change(&self) -> bool {
        self.compiles.get() < if self.is_large.get() { MAX_LARGE } else { MAX_COMPILES }
    }

    /// Whether code was made for it, or tried to be made.
    fn has_run(&self) -> bool {
        self.made.borrow().is_some() || self.compiles.get() + self.refusals.get() > 0
    }
}

/// The specialisation for the types of `wanted`, which is added if there is none. `None`: the function has too many.
fn variant(site: &FuncSite, wanted: &Specialization) -> Option<Rc<Variant>> {
    let mut variants = site.variants().borrow_mut();
    if let Some(variant) = variants.iter().find(|variant| variant.is_for(wanted)) {
        return Some(variant.clone());
    }
    if variants.len() >= MAX_PROMISES {
        return None;
    }
    let made = Rc::new(Variant::new(wanted));
    variants.push(made.clone());
    Some(made)
}

/// Whether there is code for these types, or code is being made, or there will never be any.
pub fn is_made(site: &FuncSite, wanted: &Specialization) -> bool {
    let variants = site.variants().borrow();
    let own = variants.iter().find(|variant| variant.is_for(wanted));
    own.is_some_and(|variant| variant.is_refused.get() || variant.made.borrow().is_some())
}

/// Starts a session: samples that were taken before may have been freed.
pub fn start_session() {
    SESSION.set(SESSION.get() + 1);
}

/// The number of the current session.
pub fn session() -> u64 {
    SESSION.get()
}

/// Whether calls with these argument types have been recorded, so that the function's oplines have type feedback for them.
pub fn is_known(site: &FuncSite, args: &[Bits]) -> bool {
    let has_code = |variant: &Rc<Variant>| variant.wanted.args == args && variant.has_run();
    waits() || site.has_observed(args) || site.variants().borrow().iter().any(has_code)
}

/// Whether code for these types is being made.
pub fn is_on_its_way(site: &FuncSite, wanted: &Specialization) -> bool {
    let variants = site.variants().borrow();
    let own = variants.iter().find(|variant| variant.is_for(wanted));
    own.is_some_and(|variant| variant.made.borrow().as_ref().is_some_and(|made| made.answer.is_some()))
}

/// The code of a function for the types of `wanted`, for a compiled caller; it is compiled if there is none. `None`: the caller has
/// to make an ordinary call.
pub fn compiled(wanted: &Specialization) -> Option<Compiled> {
    // SAFETY: functions live as long as the request.
    let code = unsafe { &*(wanted.func.0 as *const FuncCode) };
    let site = code.func_site()?;
    let fits = Some(wanted.args.len() as u32) == given(code)
        && wanted.args.iter().enumerate().all(|(at, &bits)| {
            let by_reference = match at.checked_sub(code.params as usize) {
                None => code.has_by_ref && code.func().is_by_ref(at),
                Some(captured) => {
                    code.func().code().captures.get(captured).is_some_and(|&(_, by_reference)| by_reference)
                }
            };
            bits & hhir::UNINIT == 0 && (bits == hhir::BOXED) == by_reference
        });
    if !fits {
        return None;
    }
    let variant = variant(site, wanted).filter(|variant| !variant.is_refused.get())?;
    if variant.made.borrow().as_ref().is_some_and(|made| made.may_free && raw::frees_run_code()) {
        variant.outdate();
    }
    let waits_for_calls = variant.made.borrow().is_none()
        && variant.compiles.get() + variant.refusals.get() > 0
        && site.is_waiting()
        && !waits();
    if waits_for_calls {
        return promise(code, &variant);
    }
    if variant.made.borrow().is_none() {
        // A function that has not run often has no type feedback for its oplines yet, and its caller may never make this call.
        let others = site.variants().borrow().iter().filter(|other| other.has_run() && !other.is_for(wanted)).count();
        let is_cold = others >= MAX_VARIANTS || !waits() && !site.has_observed(&wanted.args);
        // What a reference holds is known from a sample only.
        let mut args = wanted.args.iter().zip(&wanted.samples);
        let is_cold = is_cold || args.any(|(&bits, sample)| bits == hhir::BOXED && sample.is_none());
        if is_cold || DEPTH.get() >= DEEPEST || !make(code, site, &variant, wanted) {
            return promise(code, &variant);
        }
    }
    let made = variant.made.borrow();
    let made = made.as_ref()?;
    // Until new code is installed, the code before it may run.
    let is_there = variant.code() != 0;
    let does = (
        made.may_free || is_there && variant.may_free.get(),
        made.needs_frame || is_there && variant.needs_frame.get(),
    );
    let (frees, needs_frame) = variant.relied.get();
    variant.relied.set((frees && does.0, needs_frame && does.1));
    Some(Compiled {
        entry: std::ptr::from_ref(variant.entry.get()) as u64,
        result: made.result,
        sample: made.sample.1.filter(|_| made.sample.0 == SESSION.get()),
        frame_bytes: code.frame_bytes.get(),
        may_free: does.0,
        needs_frame: does.1,
    })
}

/// Lets a caller call a function that has no code yet through the entry that the code will have; until then the interpreter makes
/// the calls. `None`: there will be no code, or none for callers that expect nothing of it.
fn promise(code: &FuncCode, variant: &Variant) -> Option<Compiled> {
    if variant.is_refused.get() || variant.made.borrow().is_some() || waits() || variant.promised.get() == Some(false) {
        return None;
    }
    variant.promised.set(Some(true));
    Some(Compiled {
        entry: std::ptr::from_ref(variant.entry.get()) as u64,
        result: None,
        sample: None,
        frame_bytes: code.frame_bytes.get(),
        may_free: true,
        needs_frame: true,
    })
}

/// The types without samples.
fn without_samples(wanted: &Specialization) -> Specialization {
    Specialization { samples: Vec::new(), this_sample: None, ..wanted.clone() }
}

/// Makes the code of a function, or requests it; false: it is refused.
fn make(code: &FuncCode, site: &FuncSite, variant: &Rc<Variant>, wanted: &Specialization) -> bool {
    if !host::retain(code) {
        variant.is_refused.set(true);
        return false;
    }
    variant.compiles.set(variant.compiles.get() + 1);
    type_feedback::stop(code);
    // Callers of the old code may keep the entry only if they were compiled for code of any properties.
    let mut same = variant.promised.get() == Some(true);
    if !same && variant.promised.get().is_some() {
        variant.renew_entry();
    }
    // Recursive calls find the code that is being made.
    variant.made.replace(Some(Made {
        result: None,
        // What other functions that are compiled meanwhile may assume of it, as long as it is not known.
        may_free: !raw::frees_run_code(),
        needs_frame: true,
        sample: (0, None),
        is_short: false,
        answer: None,
    }));
    DEPTH.set(DEPTH.get() + 1);
    // SAFETY: the function's start is one of its oplines.
    let header = unsafe { code.index_of(site.start()) } as u32;
    let build = || {
        let built = input::of_function(code, header, wanted, false);
        match built.as_ref().is_ok_and(|(built, _)| built.needs_frame && built.calls_itself) {
            true => input::of_function(code, header, wanted, true),
            false => built,
        }
    };
    let mut built = build();
    // Some callers rely on the code freeing nothing or needing no frame, although others were told that it may.
    let (frees, needs_frame) = variant.relied.get();
    if same && built.as_ref().is_ok_and(|(built, _)| built.may_free && !frees || built.needs_frame && !needs_frame) {
        same = false;
        variant.renew_entry();
        built = build();
    }
    DEPTH.set(DEPTH.get() - 1);
    if stats() > 1 && variant.compiles.get() <= 1 {
        let (func, lowered) = (code.func(), &code.body().lowered);
        let name = String::from_utf8_lossy(&func.display_name()).into_owned();
        eprintln!("# {name}(), oplines\n{}", phlox_lower::print(&func.unit.unit, func.code(), lowered));
    }
    let (mut built, shape) = match built {
        Ok(built) => built,
        Err(refusal) => {
            refuse(code, site, variant, &refusal);
            return false;
        }
    };
    built.unit.no_hoisted_guards = variant.compiles.get() > 1 && !code.watched_loops().is_empty();
    let fingerprint = fingerprint(&built.unit);
    let is_known = same && variant.code() != 0 && variant.fingerprint.get() == fingerprint;
    variant.is_final.set(is_known);
    variant.fingerprint.set(fingerprint);
    if stats() > 1 {
        let name = String::from_utf8_lossy(&code.func().display_name()).into_owned();
        eprintln!("# {name}(), version {}\n{}", variant.compiles.get(), built.unit);
    }
    variant.is_large.set(size(&built.unit) > LARGE);
    let signature = Signature {
        entry: std::ptr::from_ref(variant.entry.get()) as u64,
        this: wanted.this,
        args: wanted.args.clone(),
    };
    if let Some(made) = variant.made.borrow_mut().as_mut() {
        made.result = built.result;
        made.may_free = built.may_free;
        made.needs_frame = built.needs_frame;
        // Callers that were told of fewer properties rely on them as long as the entry is the same.
        variant.promised.set(Some(same || (made.may_free && made.needs_frame)));
        made.sample = (SESSION.get(), built.sample);
        made.is_short = built.is_short;
    }
    if is_known {
        report(code, variant, "the same code as before is kept");
        site.choose_handler();
        return true;
    }
    if waits() {
        let compiled = worker::compile(built.unit, shape, Some(&signature));
        return finish(code, site, variant, &compiled);
    }
    let answer = worker::request(built.unit, shape, Some(signature), None);
    if let Some(made) = variant.made.borrow_mut().as_mut() {
        made.answer = Some(answer);
    }
    PENDING.with_borrow_mut(|pending| pending.push((code, variant.clone())));
    true
}

/// Installs code that was made; false: it is refused.
fn finish(code: &FuncCode, site: &FuncSite, variant: &Variant, compiled: &worker::Compiled) -> bool {
    perf_map::note(compiled, || named(code, variant));
    match &compiled.code {
        Ok(address) => {
            report(code, variant, &compiled.told());
            variant.patience.set(patience(compiled.time));
            if variant.made.borrow().as_ref().is_some_and(|made| made.may_free && raw::frees_run_code()) {
                refuse(code, site, variant, "made before there were destructors");
                return false;
            }
            if let Some(made) = variant.made.borrow_mut().as_mut() {
                made.answer = None;
                variant.may_free.set(made.may_free);
                variant.needs_frame.set(made.needs_frame);
            }
            let entry = variant.entry.get();
            entry.code.set(*address);
            entry.calls.set(0);
            entry.exits.set(0);
            site.choose_handler();
            true
        }
        Err(refusal) => {
            refuse(code, site, variant, refusal);
            false
        }
    }
}

/// Side exits to wait for before code that took so long to compile is judged. Compiling again takes as long, and the more type
/// feedback there is, the fewer compilations follow.
fn patience(time: Duration) -> u64 {
    if waits() {
        return JUDGED_AFTER;
    }
    (time.as_micros() as u64 / MICROS_FOR_EXIT).clamp(JUDGED_AFTER, MAX_PATIENCE)
}

/// Handles a refusal by the compiler: the specialisation is tried again after more calls, or never.
fn refuse(code: &FuncCode, site: &FuncSite, variant: &Variant, refusal: &str) {
    report(code, variant, &format!("refused: {refusal}"));
    variant.made.replace(None);
    let times = variant.refusals.get() + 1;
    variant.refusals.set(times);
    variant.compiles.set(variant.compiles.get().saturating_sub(1));
    if waits() || times >= MAX_REFUSALS {
        variant.is_refused.set(true);
    } else {
        // Later, more type feedback may be there, also of the functions that it calls.
        site.wait_for(OBSERVED_FOR + (PAUSE << times));
    }
    site.choose_handler();
}

/// Installs the code that has been made meanwhile.
pub fn install() {
    let finished = worker::finished();
    if INSTALLED.replace(finished) == finished {
        return;
    }
    for (code, variant) in PENDING.take() {
        // SAFETY: functions live as long as the request, and pending ones are of this request.
        let Some(site) = (unsafe { (*code).func_site() }) else { continue };
        let answer = variant.made.borrow().as_ref().and_then(|made| made.answer.clone());
        let Some(answer) = answer else { continue };
        match answer.get() {
            Some(compiled) => {
                // SAFETY: functions live as long as the request, and pending ones are of this request.
                finish(unsafe { &*code }, site, &variant, compiled);
            }
            None => PENDING.with_borrow_mut(|pending| pending.push((code, variant))),
        }
    }
}

/// Writes a line about the specialisation to standard error, if statistics are reported.
#[cold]
fn report(code: &FuncCode, variant: &Variant, what: &str) {
    if stats() != 0 {
        eprintln!("jit: {}: {what}", named(code, variant));
    }
}

/// The function's name and the number of the compilation, for reports.
fn named(code: &FuncCode, variant: &Variant) -> String {
    let name = code.func().display_name();
    format!("{}(), version {}", String::from_utf8_lossy(&name), variant.compiles.get())
}

/// Judges the function whose code has left by a side exit in `frame`. `left_for`: the opline that the interpreter goes on with, and
/// its frame, which is the innermost one.
#[inline(always)]
pub unsafe fn was_left(frame: *mut Frame, left_for: (Ip, *mut Frame)) {
    if PENDING.with_borrow(|pending| !pending.is_empty()) {
        install();
    }
    // SAFETY: the frame is the innermost one, or lies below the frames materialised for inlined functions; it is alive, and so is
    // its function.
    let Some(site) = (unsafe { (*(*frame).code).func_site() }) else { return };
    let left = |variant: &&Rc<Variant>| {
        if let Some(before) = variant.before.get().filter(|before| before.exits.get() >= JUDGED_AFTER) {
            // The entry before the current one is closed: its callers leave by a side exit from now on and are compiled again.
            before.code.set(0);
            variant.before.set(None);
        }
        variant.entry.get().exits.get() >= variant.patience.get()
    };
    let found = site.variants().borrow().iter().find(left).cloned();
    if let Some(variant) = found {
        // SAFETY: the frame and its function are alive, and `left_for` is the innermost frame with its opline.
        unsafe { judge(&*(*frame).code, site, &variant, frame, left_for) };
    }
}

/// Compiles a specialisation again. Samples of its arguments are taken from the frame of a call that has left by a side exit.
unsafe fn make_again(code: &FuncCode, site: &FuncSite, variant: &Rc<Variant>, frame: *mut Frame) {
    let before = variant.wanted.clone();
    // SAFETY: `judge` passes a live frame of the function, whose first locals are the arguments.
    let (samples, this) = unsafe {
        let sample = |(index, bits): (usize, &Bits)| {
            ObservedType::loosely(Frame::local(frame, index as u32)).filter(|seen| seen.bits == *bits)
        };
        (before.args.iter().enumerate().map(sample).collect(), (*frame).this)
    };
    let this_sample = (this != 0).then_some(ObservedType { bits: hhir::OBJ, payload: this });
    start_session();
    make(code, site, variant, &Specialization { samples, this_sample, ..before });
}

/// Decides after [`Variant::patience`] side exits whether the code stays, is compiled again, or is abandoned.
#[cold]
#[inline(never)]
unsafe fn judge(
    code: &FuncCode,
    site: &FuncSite,
    variant: &Rc<Variant>,
    frame: *mut Frame,
    left_for: (Ip, *mut Frame),
) {
    let entry = variant.entry.get();
    let (calls, exits) = (entry.calls.replace(0), entry.exits.replace(0));
    // New code is being made already.
    if variant.is_refused.get() || variant.made.borrow().as_ref().is_some_and(|made| made.answer.is_some()) {
        return;
    }
    let worn = variant.worn.get() + exits;
    let is_last = variant.is_final.get() || !variant.may_change();
    let wanted = match is_last {
        true => WORTH_KEEPING,
        false if worn < MAX_EXITS => WORTH_WHILE,
        false => WORTH_MUCH,
    };
    let is_good = calls / exits >= wanted;
    variant.worn.set(if is_good { worn } else { 0 });
    if is_good || super::fails_every() > 0 {
        return;
    }
    // SAFETY: `was_left` passes the innermost frame and the opline that the interpreter goes on with.
    unsafe { super::note_unfit(left_for.0, left_for.1) };
    if stats() != 0 {
        let exits = super::most_exits(code);
        report(code, variant, &format!("left {exits}"));
    }
    if variant.made.replace(None).is_none() && !is_last {
        // Only compiled code calls the function, so no call is counted that would request code.
        // SAFETY: `was_left` passes a live frame of the function.
        unsafe { make_again(code, site, variant, frame) };
        return;
    }
    if !is_last {
        // Compiled callers keep calling the current code until there is new code.
        site.wait_for(OBSERVED_FOR + (PAUSE << variant.compiles.get().min(8)));
    } else {
        report(code, variant, "given up: left too often");
        entry.code.set(0);
        variant.is_refused.set(true);
    }
    site.choose_handler();
}
