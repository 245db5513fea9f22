//! Functions that are compiled as a whole.

use super::observe::{self, OBSERVED_FOR};
use super::{PAUSE, THRESHOLD, context, give_room, region, resume, set_handler, stats, waits};
use crate::code::FuncCode;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_BORROWS_THIS, FLAG_ENTRY, FLAG_MAGIC, FLAGS_SPECIAL, Frame};
use crate::handlers::Handler;
use phlox_hhir::types::{self as hhir, Bits};
use phlox_jit::code::{FuncCode as Native, function_code};
use phlox_jit::layout::{MOST_FLOATS, MOST_INTS, TAGS_END};
use phlox_jit::worker::{self, Answer};
use phlox_jit::{Compiled, Entry, Seen, Signature, This, Wanted};
use phlox_value::raw;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Versions of one function.
const MOST_COMPILES: u32 = 8;
/// Times that it is tried to no effect, each after twice as many calls.
const MOST_REFUSALS: u32 = 10;
/// Exits after which a function's code is judged, and the calls that there should be for each.
const JUDGED_AFTER: u64 = 32;
const WORTH_WHILE: u64 = 16;
/// Functions whose compilation waits for that of others they call.
const DEEPEST: u32 = 4;

/// The start of a function.
pub struct FuncSite {
    /// The current version's; each lives for ever, because its address is part of the code of callers.
    entry: Cell<&'static Entry>,
    /// What the code behind the entry takes, and whether it frees: callers rely on that.
    promised: RefCell<Option<(Wanted, bool)>>,
    original: Handler,
    /// The function's first opline for calls with all arguments.
    start: Ip,
    /// Times that are still counted.
    left: Cell<u32>,
    compiles: Cell<u32>,
    /// How often nothing came of it.
    refusals: Cell<u32>,
    /// What the code is made for; `None`: there is none yet.
    made: RefCell<Option<Made>>,
    /// The types of arguments that a call had, shortly before it is time.
    observed: RefCell<Option<Vec<Bits>>>,
    is_refused: Cell<bool>,
}

struct Made {
    wanted: Wanted,
    result: Option<Bits>,
    /// See [`phlox_jit::Built`].
    frees: bool,
    framed: bool,
    /// What one of its results was, and the session that has looked at it; values may be gone after that.
    sample: (u64, Option<Seen>),
    /// It is not worth entering it from the interpreter.
    is_short: bool,
    /// Code that is on its way.
    answer: Option<Arc<Answer>>,
}

thread_local! {
    /// Counts times between which values live on.
    static SESSION: Cell<u64> = const { Cell::new(1) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Functions whose code is on its way.
    static PENDING: RefCell<Vec<*const FuncCode>> = const { RefCell::new(Vec::new()) };
}

impl FuncSite {
    /// The opline that counts calls.
    pub fn start(&self) -> Ip {
        self.start
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
            entry: Cell::new(Box::leak(Box::default())),
            promised: RefCell::new(None),
            original,
            start,
            left: Cell::new(threshold.div_ceil(4)),
            compiles: Cell::new(0),
            refusals: Cell::new(0),
            made: RefCell::new(None),
            observed: RefCell::new(None),
            is_refused: Cell::new(false),
        })
    }
}

/// Counts, and then does what the opline does.
unsafe extern "C-unwind" fn count(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; only watched functions have this one.
    unsafe {
        let Some(site) = (*(*fp.cast::<Frame>()).code).func_site() else { return };
        let left = site.left.get();
        if left > 1 {
            site.left.set(left - 1);
            if left == OBSERVED_FOR {
                observe(fp.cast(), site);
            }
        } else {
            site.left.set(PAUSE);
            compile(fp.cast());
        }
        (site.original)(ip, fp, run)
    }
}

/// Notes what a function is called with.
#[cold]
#[inline(never)]
unsafe fn observe(frame: *mut Frame, site: &FuncSite) {
    // SAFETY: called by a handler with its frame.
    let (code, wanted) = unsafe { (&*(*frame).code, wanted_of(frame, &*(*frame).code)) };
    // SAFETY: all oplines of the function that runs.
    unsafe { observe::start(code, 0, code.body().lowered.ops.len() as u32 - 1) };
    site.observed.replace(wanted.map(|wanted| wanted.args));
}

/// Compiles a function for the arguments in a frame, or looks whether its code is there.
#[inline(never)]
unsafe fn compile(frame: *mut Frame) {
    // SAFETY: called by a handler with its frame.
    unsafe {
        install();
        let code = &*(*frame).code;
        let Some(site) = code.func_site() else { return };
        observe::stop(code);
        if site.made.borrow().is_some() {
            return;
        }
        let Some(wanted) = wanted_of(frame, code) else { return };
        site.observed.replace(Some(wanted.args.clone()));
        start_session();
        compiled(&wanted);
        if site.is_refused.get() {
            set_handler(site.start, site.original);
        }
    }
}

/// The arguments in a frame that has just started.
unsafe fn wanted_of(frame: *mut Frame, code: &FuncCode) -> Option<Wanted> {
    // SAFETY: by the caller.
    unsafe {
        if (*frame).argc != code.params || !is_plain(frame) {
            return None;
        }
        let samples: Vec<Option<Seen>> =
            (0..given(code)?).map(|index| Seen::loosely(Frame::local(frame, index))).collect();
        let args = samples.iter().map(|seen| seen.map(|seen| seen.bits)).collect::<Option<Vec<Bits>>>()?;
        let this = match region::this_of(code) {
            This::None => None,
            This::Class => Some(hhir::CLS),
            This::Object if (*frame).this == 0 => return None,
            This::Object => Some(hhir::OBJ),
        };
        let this_sample = match (*frame).this {
            0 => None,
            payload => Some(Seen { bits: hhir::OBJ, payload }),
        };
        Some(Wanted { func: (*frame).code as u64, this, this_sample, args, samples })
    }
}

/// Is it a frame that compiled code can run in?
unsafe fn is_plain(frame: *const Frame) -> bool {
    const SPECIAL: u32 = FLAGS_SPECIAL & !FLAG_ENTRY | FLAG_MAGIC;
    // SAFETY: by the caller.
    unsafe { (*frame).flags & SPECIAL == 0 && (*frame).env.is_null() }
}

/// How many variables have values when a function starts: its parameters, and what a closure has captured, if that
/// follows them.
fn given(code: &FuncCode) -> Option<u32> {
    let captures = &code.func().code().captures;
    let follow = captures.iter().zip(code.params..).all(|((local, _), number)| local.0 == number);
    follow.then_some(code.params + captures.len() as u32)
}

/// From here on, values that were looked at before may be gone.
pub fn start_session() {
    SESSION.set(SESSION.get() + 1);
}

/// The code of a function for calls like this one, which is made if there is none.
pub fn compiled(wanted: &Wanted) -> Option<Compiled> {
    // SAFETY: functions live as long as the request.
    let code = unsafe { &*(wanted.func as *const FuncCode) };
    let site = code.func_site()?;
    let fits = Some(wanted.args.len() as u32) == given(code)
        && wanted.args.iter().enumerate().all(|(at, &bits)| {
            let by_reference = (at as u32) < code.params && code.has_by_ref && code.func().is_by_ref(at);
            bits & hhir::UNINIT == 0 && (bits == hhir::BOXED) == by_reference
        })
        && !site.is_refused.get();
    if !fits {
        return None;
    }
    let waits_for_calls = site.made.borrow().is_none()
        && site.compiles.get() + site.refusals.get() > 0
        && site.left.get() > PAUSE
        && !waits();
    if waits_for_calls {
        return promise(code, site, wanted);
    }
    if site.made.borrow().is_none() {
        // What has not run often knows nothing of its types yet, and who calls it may take a way that is never gone.
        let is_cold = !waits() && site.observed.borrow().as_ref() != Some(&wanted.args);
        // What references hold shows in a sample only.
        let mut args = wanted.args.iter().zip(&wanted.samples);
        let is_cold = is_cold || args.any(|(&bits, sample)| bits == hhir::BOXED && sample.is_none());
        if is_cold || DEPTH.get() >= DEEPEST || !make(code, site, wanted) {
            return promise(code, site, wanted);
        }
    }
    let made = site.made.borrow();
    let made = made.as_ref()?;
    let same = made.wanted.args == wanted.args && made.wanted.this == wanted.this;
    let entry = std::ptr::from_ref(site.entry.get()) as u64;
    let sample = made.sample.1.filter(|_| made.sample.0 == SESSION.get());
    same.then(|| Compiled {
        entry,
        result: made.result,
        sample,
        frame_bytes: code.frame_bytes.get(),
        frees: made.frees,
        framed: made.framed,
    })
}

/// There is no code yet: if it will be for calls like this one, it is called through the same entry, and until then the
/// interpreter makes the calls.
fn promise(code: &FuncCode, site: &FuncSite, wanted: &Wanted) -> Option<Compiled> {
    if site.is_refused.get() || site.made.borrow().is_some() || waits() {
        return None;
    }
    let mut promised = site.promised.borrow_mut();
    match &*promised {
        Some((before, is_any)) if *is_any && before.args == wanted.args && before.this == wanted.this => {}
        Some(_) => return None,
        None => *promised = Some((without_samples(wanted), true)),
    }
    Some(Compiled {
        entry: std::ptr::from_ref(site.entry.get()) as u64,
        result: None,
        sample: None,
        frame_bytes: code.frame_bytes.get(),
        frees: true,
        framed: true,
    })
}

/// The types alone.
fn without_samples(wanted: &Wanted) -> Wanted {
    Wanted { samples: Vec::new(), this_sample: None, ..wanted.clone() }
}

/// Makes the code of a function, or has it made; false: it is refused.
fn make(code: &FuncCode, site: &FuncSite, wanted: &Wanted) -> bool {
    site.compiles.set(site.compiles.get() + 1);
    observe::stop(code);
    // Who calls code of before goes on only if that is the same to it.
    let same = site
        .promised
        .borrow()
        .as_ref()
        .is_some_and(|(before, frees)| *frees && before.args == wanted.args && before.this == wanted.this);
    if !same && site.promised.borrow().is_some() {
        site.entry.set(Box::leak(Box::default()));
    }
    // Calls of itself find what it is made for.
    site.made.replace(Some(Made {
        wanted: without_samples(wanted),
        result: None,
        // For others that it calls, as long as it is not known.
        frees: true,
        framed: true,
        sample: (0, None),
        is_short: false,
        answer: None,
    }));
    DEPTH.set(DEPTH.get() + 1);
    // SAFETY: the opline is one of the function's.
    let header = unsafe { code.index_of(site.start) } as u32;
    let mut built = region::of_function(code, header, wanted, false);
    if built.as_ref().is_ok_and(|(built, _)| built.framed && built.calls_itself) {
        built = region::of_function(code, header, wanted, true);
    }
    DEPTH.set(DEPTH.get() - 1);
    let (built, shape) = match built {
        Ok(built) => built,
        Err(refusal) => {
            refuse(code, site, &refusal);
            return false;
        }
    };
    if stats() > 1 {
        eprintln!("{}", built.unit);
    }
    let signature = Signature {
        context: context() as u64,
        entry: std::ptr::from_ref(site.entry.get()) as u64,
        this: wanted.this,
        args: wanted.args.clone(),
    };
    if let Some(made) = site.made.borrow_mut().as_mut() {
        made.result = built.result;
        made.frees = built.frees;
        made.framed = built.framed;
        // Who was promised less counts on it as long as the entry is the same.
        site.promised.replace(Some((made.wanted.clone(), same || (made.frees && made.framed))));
        made.sample = (SESSION.get(), built.sample);
        made.is_short = built.is_short;
    }
    if waits() {
        let compiled = worker::compile(built.unit, shape, Some(&signature));
        return finish(code, site, &compiled);
    }
    let answer = worker::request(built.unit, shape, Some(signature));
    if let Some(made) = site.made.borrow_mut().as_mut() {
        made.answer = Some(answer);
    }
    PENDING.with_borrow_mut(|pending| pending.push(code));
    true
}

/// Takes code that was made; false: it is refused.
fn finish(code: &FuncCode, site: &FuncSite, compiled: &worker::Compiled) -> bool {
    match &compiled.code {
        Ok(address) => {
            report(code, site, &format!("compiled in {} us", compiled.time.as_micros()));
            if let Some(made) = site.made.borrow_mut().as_mut() {
                made.answer = None;
            }
            let entry = site.entry.get();
            entry.code.set(*address);
            entry.calls.set(0);
            entry.exits.set(0);
            let is_short = site.made.borrow().as_ref().is_some_and(|made| made.is_short);
            set_handler(site.start, if is_short && !waits() { site.original } else { enter });
            true
        }
        Err(refusal) => {
            refuse(code, site, refusal);
            false
        }
    }
}

fn refuse(code: &FuncCode, site: &FuncSite, refusal: &str) {
    report(code, site, &format!("refused: {refusal}"));
    site.made.replace(None);
    let times = site.refusals.get() + 1;
    site.refusals.set(times);
    site.compiles.set(site.compiles.get().saturating_sub(1));
    if waits() || times >= MOST_REFUSALS {
        site.is_refused.set(true);
    } else {
        // Later, more may be known: of what it calls, too.
        site.left.set(OBSERVED_FOR + (PAUSE << times));
    }
}

/// Takes the code that has been made meanwhile.
pub fn install() {
    let pending = PENDING.take();
    for code in pending {
        // SAFETY: functions live as long as the request, and pending ones are of this one.
        let code = unsafe { &*code };
        let Some(site) = code.func_site() else { continue };
        let answer = site.made.borrow().as_ref().and_then(|made| made.answer.clone());
        let Some(answer) = answer else { continue };
        match answer.get() {
            Some(compiled) => {
                finish(code, site, compiled);
            }
            None => PENDING.with_borrow_mut(|pending| pending.push(code)),
        }
    }
}

#[cold]
fn report(code: &FuncCode, site: &FuncSite, what: &str) {
    if stats() != 0 {
        let name = String::from_utf8_lossy(&code.func().display_name()).into_owned();
        eprintln!("jit: {name}(), version {}: {what}", site.compiles.get());
    }
}

/// Registers for arguments.
#[derive(Default)]
struct Registers {
    ints: [u64; MOST_INTS],
    floats: [f64; MOST_FLOATS],
    int_count: usize,
    float_count: usize,
    /// Counted arguments, which the frame holds: their words and numbers.
    held: [(u64, u32, u32); MOST_INTS],
    counted: usize,
}

impl Registers {
    #[inline(always)]
    fn int(&mut self, value: u64) {
        self.ints[self.int_count] = value;
        self.int_count += 1;
    }
}

/// Fetches the arguments; `None`: they are not what the code is made for.
#[inline(always)]
unsafe fn arguments(frame: *mut Frame, wanted: &Wanted) -> Option<Registers> {
    // SAFETY: the frame has its arguments; the code takes no more than there are registers.
    unsafe {
        if (*frame).argc != (*(*frame).code).params || !is_plain(frame) {
            return None;
        }
        let mut registers = Registers::default();
        match wanted.this {
            None => {}
            Some(hhir::OBJ) if (*frame).this == 0 => return None,
            Some(hhir::OBJ) => registers.int((*frame).this),
            Some(_) => registers.int((*frame).static_class as u64),
        }
        for (index, &bits) in wanted.args.iter().enumerate() {
            let place = Frame::local(frame, index as u32);
            let seen = Seen::loosely(place)?;
            if seen.bits != bits {
                return None;
            }
            match bits {
                hhir::INIT_NULL => {}
                hhir::BOOL => registers.int(u64::from(raw::tag(place) == raw::TI_TRUE)),
                hhir::DBL => {
                    registers.floats[registers.float_count] = f64::from_bits(seen.payload);
                    registers.float_count += 1;
                }
                _ => registers.int(seen.payload),
            }
            if raw::tag(place) & raw::COUNTED != 0 {
                registers.held[registers.counted] = (seen.payload, raw::tag(place), index as u32);
                registers.counted += 1;
            }
        }
        Some(registers)
    }
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

/// Calls the code; where to go on. `None`: it does not fit.
#[inline(never)]
unsafe fn call(site: &FuncSite, frame: *mut Frame, context: *mut phlox_jit::Context, run: *mut Run) -> Option<Ip> {
    // SAFETY: by the caller; the code takes what was fetched.
    unsafe {
        let address = site.entry.get().code.get();
        if address == 0 {
            return None;
        }
        let (registers, framed) = {
            let made = site.made.borrow();
            let made = made.as_ref()?;
            if made.frees && raw::frees_run_code() {
                return None;
            }
            (arguments(frame, &made.wanted)?, made.framed)
        };
        give_room(context, run);
        let code: Native = function_code(address);
        let Registers { ints: i, floats: f, held, counted, .. } = registers;
        #[rustfmt::skip]
        let returned = code(
            frame.cast(), i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9],
            f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7],
        );
        if returned.status < TAGS_END {
            if framed {
                // Calls on the way may have been made from a frame above.
                (*run).frame = frame;
                forget_variables(frame, &held[..counted]);
            }
            return Some(leave(run, frame, returned.payload, returned.status as u32, counted));
        }
        super::unwind_on();
        let (next, innermost) = resume(context, returned.status, run);
        // The code has written them once more, with counts of their own, or others in their places.
        for &(payload, tag, _) in &held[..counted] {
            if !raw::release_shared(payload, tag) {
                raw::release(payload, tag);
            }
        }
        if returned.status & 1 != 0 {
            super::note_left(next, innermost);
            was_left(innermost);
        }
        Some(next)
    }
}

/// The code has shown its variables in the frame, which holds nothing but the arguments.
unsafe fn forget_variables(frame: *mut Frame, held: &[(u64, u32, u32)]) {
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
        if counted > 0 || !borrows || (*frame).flags & FLAG_ENTRY != 0 || (*frame).closure != 0 {
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

/// Judges the function whose code was left in this frame.
#[inline(always)]
pub unsafe fn was_left(frame: *mut Frame) {
    if PENDING.with_borrow(|pending| !pending.is_empty()) {
        install();
    }
    // SAFETY: the frame is the innermost one.
    let Some(site) = (unsafe { (*(*frame).code).func_site() }) else { return };
    if site.entry.get().exits.get() >= JUDGED_AFTER {
        // SAFETY: as above.
        unsafe { judge(&*(*frame).code, site, frame) };
    }
}

/// Makes another version for the calls of before. What the arguments are like is seen in a frame that was left.
unsafe fn make_again(code: &FuncCode, site: &FuncSite, frame: *mut Frame) {
    let Some((before, _)) = site.promised.borrow().clone() else { return };
    // SAFETY: by the caller; the frame is one of the function.
    let (samples, this) = unsafe {
        let sample = |(index, bits): (usize, &Bits)| {
            Seen::loosely(Frame::local(frame, index as u32)).filter(|seen| seen.bits == *bits)
        };
        (before.args.iter().enumerate().map(sample).collect(), (*frame).this)
    };
    let this_sample = (this != 0).then_some(Seen { bits: hhir::OBJ, payload: this });
    start_session();
    make(code, site, &Wanted { samples, this_sample, ..before });
}

#[cold]
#[inline(never)]
unsafe fn judge(code: &FuncCode, site: &FuncSite, frame: *mut Frame) {
    let entry = site.entry.get();
    let (calls, exits) = (entry.calls.replace(0), entry.exits.replace(0));
    // Other code is on its way.
    if site.made.borrow().as_ref().is_some_and(|made| made.answer.is_some()) {
        return;
    }
    if calls / exits >= WORTH_WHILE || super::fails_every() > 0 {
        return;
    }
    if stats() != 0 {
        let exits = super::most_exits(code);
        report(code, site, &format!("left {exits}"));
    }
    if site.made.replace(None).is_none() && site.compiles.get() < MOST_COMPILES {
        // Only compiled code calls it, so that no call is counted.
        // SAFETY: by the caller.
        unsafe { make_again(code, site, frame) };
        return;
    }
    if site.compiles.get() < MOST_COMPILES {
        // Who calls the code from compiled code goes on with it until there is another one.
        site.left.set(OBSERVED_FOR + (PAUSE << site.compiles.get().min(8)));
        set_handler(site.start, count);
    } else {
        report(code, site, "given up: left too often");
        entry.code.set(0);
        site.is_refused.set(true);
        set_handler(site.start, site.original);
    }
}
