//! The code of functions, for each combination of kinds of arguments that calls have: made, judged, made again, given up.

use super::entry::{Callable, Entrance, Takes};
use super::functions::{FuncSite, given};
use super::type_feedback::{self, OBSERVED_FOR};
use super::{PAUSE, input, stats, waits};
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

/// Versions of one function for the same kinds of arguments.
const MAX_COMPILES: u32 = 8;
/// The same for units of so many instructions, each of which takes the compiler long.
const MAX_LARGE: u32 = 3;
const LARGE: usize = 1000;
/// Times that it is tried to no effect, each after twice as many calls.
const MAX_REFUSALS: u32 = 10;
/// Exits after which a function's code is judged, and the calls that there should be for each.
const JUDGED_AFTER: u64 = 32;
const WORTH_WHILE: u64 = 16;
/// What an exit is taken to cost, with what the interpreter does then instead of the code; nothing waits for more exits than these.
const MICROS_FOR_EXIT: u64 = 10;
const MAX_PATIENCE: u64 = 1000;
/// The same for code that there will be no better version of.
const WORTH_KEEPING: u64 = 4;
/// After so many exits, which have taken as much time as another version takes to compile, there should be more.
const MAX_EXITS: u64 = 5000;
const WORTH_MUCH: u64 = 100;
/// Functions whose compilation waits for that of others they call.
const DEEPEST: u32 = 4;
/// Combinations of kinds that a function has code for, and those that callers have asked for.
const MAX_VARIANTS: usize = 4;
const MAX_PROMISES: usize = 12;

/// A function for one combination of kinds of arguments.
pub struct Variant {
    /// The types alone.
    wanted: Specialization,
    /// The arguments, for who has them in cells; none if not all kinds show there.
    takes: Option<Takes>,
    /// What the code that is there frees and shows; see [`phlox_jit::Built`].
    may_free: Cell<bool>,
    needs_frame: Cell<bool>,
    /// The current version's; each lives for ever, because its address is part of the code of callers.
    entry: Cell<&'static Entry>,
    /// The one before, whose code those go on with who were compiled when it was the current one.
    before: Cell<Option<&'static Entry>>,
    /// Whether callers rely on the entry, and what it frees and shows: all, or what was found.
    promised: Cell<Option<bool>>,
    /// What the code behind the entry may do at most for those who call it: free things, show its frame.
    relied: Cell<(bool, bool)>,
    compiles: Cell<u32>,
    /// Exits of good code.
    worn: Cell<u64>,
    is_large: Cell<bool>,
    /// Another version would be the same: nothing is learned from what it is left for.
    is_final: Cell<bool>,
    /// How often its code is left before it is judged.
    patience: Cell<u64>,
    /// How often nothing came of it.
    refusals: Cell<u32>,
    /// Tells the last unit that was compiled.
    fingerprint: Cell<u64>,
    /// `None`: there is no code yet.
    made: RefCell<Option<Made>>,
    is_refused: Cell<bool>,
}

struct Made {
    result: Option<Bits>,
    /// See [`phlox_jit::Built`].
    may_free: bool,
    needs_frame: bool,
    /// What one of its results was, and the session that has looked at it; values may be gone after that.
    sample: (u64, Option<ObservedType>),
    /// It is not worth entering it from the interpreter.
    is_short: bool,
    /// Code that is on its way.
    answer: Option<Arc<Answer>>,
}

thread_local! {
    /// Counts times between which values live on.
    static SESSION: Cell<u64> = const { Cell::new(1) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// What the compiler's thread was done with when its code was taken last.
    static INSTALLED: Cell<usize> = const { Cell::new(0) };
    /// Functions whose code is on its way.
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

    /// Who calls the code that is there goes on with it, as long as it is not left often.
    fn renew_entry(&self) {
        let before = self.before.replace(Some(self.entry.replace(Box::leak(Box::default()))));
        if let Some(before) = before {
            before.code.set(0);
        }
        self.relied.set((true, true));
    }

    fn is_for(&self, wanted: &Specialization) -> bool {
        self.wanted.args == wanted.args && self.wanted.this == wanted.this
    }

    pub fn code(&self) -> u64 {
        self.entry.get().code.get()
    }

    /// The code, if the interpreter runs it. What does so little that entering it takes longer is for compiled callers.
    pub fn entrance(self: &Rc<Variant>) -> Option<Entrance> {
        let is_worth = |made: &Made| !made.is_short || waits();
        let is_entered = self.code() != 0 && self.made.borrow().as_ref().is_some_and(is_worth);
        let takes = self.takes.clone().filter(|_| is_entered)?;
        Some(Entrance::new(self.clone(), takes, self.entry.get(), (self.may_free.get(), self.needs_frame.get())))
    }

    /// The code, if it looks at no frame.
    pub fn callable(&self) -> Option<Callable> {
        let is_there = self.code() != 0 && !self.needs_frame.get() && self.made.borrow().is_some();
        Callable::of(self.entry.get(), self.takes.as_ref().filter(|_| is_there)?, self.may_free.get())
    }

    /// Whether there may be code that is not there yet.
    pub fn is_open(&self) -> bool {
        !self.is_refused.get() && (self.code() == 0 || self.made.borrow().is_none())
    }

    /// The code was made before there were destructors, and does not look whether one is to run: it never runs again.
    pub fn outdate(&self) {
        self.entry.get().code.set(0);
        self.made.replace(None);
    }

    /// Whether another version may be made.
    fn may_change(&self) -> bool {
        self.compiles.get() < if self.is_large.get() { MAX_LARGE } else { MAX_COMPILES }
    }

    fn has_run(&self) -> bool {
        self.made.borrow().is_some() || self.compiles.get() + self.refusals.get() > 0
    }
}

/// The variant for calls like this one, if there can be one.
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

/// Whether there is code for calls like this one, or on its way, or will never be.
pub fn is_made(site: &FuncSite, wanted: &Specialization) -> bool {
    let variants = site.variants().borrow();
    let own = variants.iter().find(|variant| variant.is_for(wanted));
    own.is_some_and(|variant| variant.is_refused.get() || variant.made.borrow().is_some())
}

/// From here on, values that were looked at before may be gone.
pub fn start_session() {
    SESSION.set(SESSION.get() + 1);
}

/// A number that tells sessions apart.
pub fn session() -> u64 {
    SESSION.get()
}

/// Whether calls with these kinds of arguments have been seen, so that the function knows of its types.
pub fn is_known(site: &FuncSite, args: &[Bits]) -> bool {
    let has_code = |variant: &Rc<Variant>| variant.wanted.args == args && variant.has_run();
    waits() || site.has_observed(args) || site.variants().borrow().iter().any(has_code)
}

/// Whether code for calls like this one is being made.
pub fn is_on_its_way(site: &FuncSite, wanted: &Specialization) -> bool {
    let variants = site.variants().borrow();
    let own = variants.iter().find(|variant| variant.is_for(wanted));
    own.is_some_and(|variant| variant.made.borrow().as_ref().is_some_and(|made| made.answer.is_some()))
}

/// The code of a function for calls like this one, which is made if there is none.
pub fn compiled(wanted: &Specialization) -> Option<Compiled> {
    // SAFETY: functions live as long as the request.
    let code = unsafe { &*(wanted.func as *const FuncCode) };
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
        // What has not run often knows nothing of its types yet, and who calls it may take a way that is never gone.
        let others = site.variants().borrow().iter().filter(|other| other.has_run() && !other.is_for(wanted)).count();
        let is_cold = others >= MAX_VARIANTS || !waits() && !site.has_observed(&wanted.args);
        // What references hold shows in a sample only.
        let mut args = wanted.args.iter().zip(&wanted.samples);
        let is_cold = is_cold || args.any(|(&bits, sample)| bits == hhir::BOXED && sample.is_none());
        if is_cold || DEPTH.get() >= DEEPEST || !make(code, site, &variant, wanted) {
            return promise(code, &variant);
        }
    }
    let made = variant.made.borrow();
    let made = made.as_ref()?;
    // Until that is there, code of before may run.
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

/// There is no code yet: it is called through the entry that its code will have, and until then the interpreter makes the calls.
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

/// The types alone.
fn without_samples(wanted: &Specialization) -> Specialization {
    Specialization { samples: Vec::new(), this_sample: None, ..wanted.clone() }
}

/// Makes the code of a function, or has it made; false: it is refused.
fn make(code: &FuncCode, site: &FuncSite, variant: &Rc<Variant>, wanted: &Specialization) -> bool {
    variant.compiles.set(variant.compiles.get() + 1);
    type_feedback::stop(code);
    // Who calls code of before goes on only if that is the same to it.
    let mut same = variant.promised.get() == Some(true);
    if !same && variant.promised.get().is_some() {
        variant.renew_entry();
    }
    // Calls of itself find what it is made for.
    variant.made.replace(Some(Made {
        result: None,
        // For others that it calls, as long as it is not known.
        may_free: !raw::frees_run_code(),
        needs_frame: true,
        sample: (0, None),
        is_short: false,
        answer: None,
    }));
    DEPTH.set(DEPTH.get() + 1);
    // SAFETY: the opline is one of the function's.
    let header = unsafe { code.index_of(site.start()) } as u32;
    let build = || {
        let built = input::of_function(code, header, wanted, false);
        match built.as_ref().is_ok_and(|(built, _)| built.needs_frame && built.calls_itself) {
            true => input::of_function(code, header, wanted, true),
            false => built,
        }
    };
    let mut built = build();
    // Some rely on less than all, though more was promised to others.
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
        // Who was promised less counts on it as long as the entry is the same.
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

/// Takes code that was made; false: it is refused.
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

/// How often code that took so long to compile is left before it is judged: the next version takes as long, and the more is noted
/// before, the fewer versions follow it.
fn patience(time: Duration) -> u64 {
    if waits() {
        return JUDGED_AFTER;
    }
    (time.as_micros() as u64 / MICROS_FOR_EXIT).clamp(JUDGED_AFTER, MAX_PATIENCE)
}

fn refuse(code: &FuncCode, site: &FuncSite, variant: &Variant, refusal: &str) {
    report(code, variant, &format!("refused: {refusal}"));
    variant.made.replace(None);
    let times = variant.refusals.get() + 1;
    variant.refusals.set(times);
    variant.compiles.set(variant.compiles.get().saturating_sub(1));
    if waits() || times >= MAX_REFUSALS {
        variant.is_refused.set(true);
    } else {
        // Later, more may be known: of what it calls, too.
        site.wait_for(OBSERVED_FOR + (PAUSE << times));
    }
    site.choose_handler();
}

/// Takes the code that has been made meanwhile.
pub fn install() {
    let finished = worker::finished();
    if INSTALLED.replace(finished) == finished {
        return;
    }
    for (code, variant) in PENDING.take() {
        // SAFETY: functions live as long as the request, and pending ones are of this one.
        let Some(site) = (unsafe { (*code).func_site() }) else { continue };
        let answer = variant.made.borrow().as_ref().and_then(|made| made.answer.clone());
        let Some(answer) = answer else { continue };
        match answer.get() {
            Some(compiled) => {
                // SAFETY: as above.
                finish(unsafe { &*code }, site, &variant, compiled);
            }
            None => PENDING.with_borrow_mut(|pending| pending.push((code, variant))),
        }
    }
}

#[cold]
fn report(code: &FuncCode, variant: &Variant, what: &str) {
    if stats() != 0 {
        eprintln!("jit: {}: {what}", named(code, variant));
    }
}

fn named(code: &FuncCode, variant: &Variant) -> String {
    let name = code.func().display_name();
    format!("{}(), version {}", String::from_utf8_lossy(&name), variant.compiles.get())
}

/// Judges the function whose code was left in this frame. The interpreter goes on with an opline of the innermost one.
#[inline(always)]
pub unsafe fn was_left(frame: *mut Frame, left_for: (Ip, *mut Frame)) {
    if PENDING.with_borrow(|pending| !pending.is_empty()) {
        install();
    }
    // SAFETY: the frame is the innermost one, or is below those of inlined functions.
    let Some(site) = (unsafe { (*(*frame).code).func_site() }) else { return };
    let left = |variant: &&Rc<Variant>| {
        if let Some(before) = variant.before.get().filter(|before| before.exits.get() >= JUDGED_AFTER) {
            // Its callers are left from now on, and made anew.
            before.code.set(0);
            variant.before.set(None);
        }
        variant.entry.get().exits.get() >= variant.patience.get()
    };
    let found = site.variants().borrow().iter().find(left).cloned();
    if let Some(variant) = found {
        // SAFETY: as above.
        unsafe { judge(&*(*frame).code, site, &variant, frame, left_for) };
    }
}

/// Makes another version for the calls of before. What the arguments are like is seen in a frame that was left.
unsafe fn make_again(code: &FuncCode, site: &FuncSite, variant: &Rc<Variant>, frame: *mut Frame) {
    let before = variant.wanted.clone();
    // SAFETY: by the caller; the frame is one of the function.
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
    // Other code is on its way.
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
    // SAFETY: by the caller.
    unsafe { super::note_unfit(left_for.0, left_for.1) };
    if stats() != 0 {
        let exits = super::most_exits(code);
        report(code, variant, &format!("left {exits}"));
    }
    if variant.made.replace(None).is_none() && !is_last {
        // Only compiled code calls it, so that no call is counted.
        // SAFETY: by the caller.
        unsafe { make_again(code, site, variant, frame) };
        return;
    }
    if !is_last {
        // Who calls the code from compiled code goes on with it until there is another one.
        site.wait_for(OBSERVED_FOR + (PAUSE << variant.compiles.get().min(8)));
    } else {
        report(code, variant, "given up: left too often");
        entry.code.set(0);
        variant.is_refused.set(true);
    }
    site.choose_handler();
}
