//! When loops are compiled, and how compiled code is entered and left.
//!
//! The first opline of each loop gets a handler that counts; when it has counted enough, the loop is compiled with the
//! types that are in the frame at that moment, and the handler becomes one that enters the code. Code that is left early
//! too often is made again with other types, or given up: the opline gets its own handler back.

use crate::code::{FuncCode, Op};
use crate::context::{Fp, Ip, Run};
use crate::frame::Frame;
use crate::handlers::Handler;
use phlox_hhbc::SwitchTable;
use phlox_jit::worker::{self, Answer, Compiled};
use phlox_jit::{Code, Context, FrameShape, HeaderShape, Region, Switch, build, fingerprint, layout, loop_headers};
use phlox_lower::{FALLS_THROUGH, ITER_CELLS, Lowered};
use phlox_runtime::{PhpStr, Val};
use phlox_value::{interrupt, raw};
use std::cell::{Cell, RefCell};
use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How often the head of a loop is reached before it is compiled; 0: never.
static THRESHOLD: AtomicU32 = AtomicU32::new(0);
static SHOWS_STATS: AtomicU32 = AtomicU32::new(0);
/// The running script waits for its code.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Versions of one loop, each made because the one before did not fit.
const MOST_COMPILES: u32 = 4;
/// Early ends of a loop's code after which it is judged, and the trips that there should be between two of them.
const JUDGED_AFTER: u32 = 40;
const WORTH_WHILE: u64 = 24;
/// Until another version is made, and between two looks whether it is there.
const PAUSE: u32 = 20;

/// How the compiler is used.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often a loop runs before it is compiled; 0: never.
    pub threshold: u32,
    /// The script waits for the code, for tests.
    pub waits: bool,
    /// 1: tells what is compiled, 2: and shows it.
    pub stats: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threshold: 1000, waits: false, stats: 0 }
    }
}

/// Sets how functions that are lowered from now on are compiled.
pub fn configure(settings: Settings) {
    THRESHOLD.store(settings.threshold, Ordering::Relaxed);
    SHOWS_STATS.store(settings.stats, Ordering::Relaxed);
    WAITS.store(settings.waits, Ordering::Relaxed);
}

/// The head of a loop.
pub struct LoopSite {
    /// What the opline does.
    original: Handler,
    /// Times that are still counted.
    left: Cell<u32>,
    code: Cell<Option<Code>>,
    /// Code that is being made.
    answer: RefCell<Option<Arc<Answer>>>,
    /// What the last code was made from.
    fingerprint: Cell<u64>,
    context: *mut Context,
    header: u32,
    compiles: Cell<u32>,
    /// Early ends since the code was last judged, and trips through loops.
    exits: Cell<u32>,
    trips: Cell<u64>,
}

thread_local! {
    static CONTEXT: *mut Context =
        Box::into_raw(Box::new(Context { interrupt: interrupt::word(), trips: 0 }));
}

/// Puts counting handlers at the heads of a function's loops. Gives the loops, and tells `note` the number of each.
///
/// # Safety
/// `ops` are the function's oplines, which nobody runs yet.
pub unsafe fn watch(lowered: &Lowered, ops: *mut Op, mut note: impl FnMut(u32, u32)) -> Box<[LoopSite]> {
    let threshold = THRESHOLD.load(Ordering::Relaxed);
    if threshold == 0 {
        return Box::default();
    }
    let context = CONTEXT.with(|context| *context);
    let sites = loop_headers(lowered).into_iter().enumerate().map(|(number, header)| {
        // SAFETY: by the caller; the index of one of them.
        let op = unsafe { &mut *ops.add(header as usize) };
        let original = std::mem::replace(&mut op.handler, count as Handler);
        note(header, number as u32);
        LoopSite {
            original,
            left: Cell::new(threshold),
            code: Cell::new(None),
            answer: RefCell::new(None),
            fingerprint: Cell::new(0),
            context,
            header,
            compiles: Cell::new(0),
            exits: Cell::new(0),
            trips: Cell::new(0),
        }
    });
    sites.collect()
}

/// # Safety
/// `ip` is the head of a loop, an opline of the frame's function.
#[inline(always)]
unsafe fn site<'a>(ip: Ip, fp: Fp) -> &'a LoopSite {
    // SAFETY: by the caller; functions outlive their frames.
    unsafe {
        let code = &*(*fp.cast::<Frame>()).code;
        &*code.loops().add(code.meta(ip).loop_site as usize)
    }
}

/// Counts, and then does what the opline does.
unsafe extern "C-unwind" fn count(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        let site = site(ip, fp);
        let left = site.left.get();
        if left > 1 {
            site.left.set(left - 1);
            return (site.original)(ip, fp, run);
        }
        let handler = compile(ip, fp);
        handler(ip, fp, run)
    }
}

/// Runs the code of a loop.
unsafe extern "C-unwind" fn enter(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; the code is of this loop.
    unsafe {
        let site = site(ip, fp);
        let Some(code) = site.code.get() else { return (site.original)(ip, fp, run) };
        let position = code(fp, site.context);
        let next = (position & !1) as Ip;
        if position & 1 != 0 {
            left_early(ip, fp, site);
        }
        if next == ip {
            return (site.original)(ip, fp, run);
        }
        crate::handlers::go!(next, fp, run)
    }
}

fn set_handler(ip: Ip, handler: Handler) {
    // SAFETY: oplines lie in memory of their own, which only this thread runs.
    unsafe { (*ip.cast_mut()).handler = handler }
}

/// Judges code that was left before its end.
#[inline(never)]
unsafe fn left_early(ip: Ip, _fp: Fp, site: &LoopSite) {
    // SAFETY: the context is this thread's.
    let trips = site.trips.get() + unsafe { (*site.context).trips };
    let exits = site.exits.get() + 1;
    if exits < JUDGED_AFTER {
        site.exits.set(exits);
        site.trips.set(trips);
        return;
    }
    site.exits.set(0);
    site.trips.set(0);
    if trips / u64::from(exits) >= WORTH_WHILE {
        return;
    }
    if site.compiles.get() < MOST_COMPILES {
        site.answer.replace(None);
        site.left.set(PAUSE);
        set_handler(ip, count);
    } else {
        report(site, "given up: left too often");
        set_handler(ip, site.original);
    }
}

/// Compiles a loop, or looks whether its code is there; the handler that the opline has from now on.
#[inline(never)]
unsafe fn compile(ip: Ip, fp: Fp) -> Handler {
    // SAFETY: called by a handler with its opline.
    let site = unsafe { site(ip, fp) };
    let answer = site.answer.borrow().clone();
    let finished = match answer {
        Some(answer) => answer.get().map(|compiled| finish(site, compiled)),
        // SAFETY: the frame stands at the loop's head.
        None => match unsafe { unit_of(site, fp.cast()) } {
            Ok((unit, shape)) if WAITS.load(Ordering::Relaxed) => Some(finish(site, &worker::compile(unit, shape))),
            Ok((unit, shape)) => {
                site.answer.replace(Some(worker::request(unit, shape)));
                None
            }
            Err(refusal) => {
                report(site, &format!("refused: {refusal}"));
                Some(site.original)
            }
        },
    };
    let Some(handler) = finished else {
        site.left.set(PAUSE);
        return site.original;
    };
    set_handler(ip, handler);
    handler
}

/// Takes the code that was made.
fn finish(site: &LoopSite, compiled: &Compiled) -> Handler {
    match &compiled.code {
        Ok(code) => {
            site.code.set(Some(*code));
            report(site, &format!("compiled in {} us", compiled.time.as_micros()));
            enter as Handler
        }
        Err(refusal) => {
            report(site, &format!("refused: {refusal}"));
            site.original
        }
    }
}

/// The unit of a loop, if it is another one than before.
unsafe fn unit_of(site: &LoopSite, frame: *mut Frame) -> Result<(phlox_hhir::Unit, FrameShape), String> {
    site.compiles.set(site.compiles.get() + 1);
    // SAFETY: by the caller.
    let (unit, shape) = unsafe { build_loop(&*(*frame).code, frame, site.header)? };
    let fingerprint = fingerprint(&unit);
    if site.fingerprint.replace(fingerprint) == fingerprint {
        return Err("the same code as before".to_owned());
    }
    if SHOWS_STATS.load(Ordering::Relaxed) > 1 {
        eprintln!("{unit}");
    }
    Ok((unit, shape))
}

#[cold]
fn report(site: &LoopSite, what: &str) {
    if SHOWS_STATS.load(Ordering::Relaxed) != 0 {
        eprintln!("jit: loop at opline {}, version {}: {what}", site.header, site.compiles.get());
    }
}

unsafe fn build_loop(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
) -> Result<(phlox_hhir::Unit, FrameShape), String> {
    let lowered = &code.body().lowered;
    let builtin = |at: u32| {
        let site = lowered.ops[at as usize].site;
        // SAFETY: the number of a cache of this function; its key is a function that lives as long as the request.
        let callee = unsafe { ((*code.sites.get().add(site as usize)).key as *const FuncCode).as_ref() }?;
        let plain = callee.is_native && !callee.has_by_ref;
        plain.then(|| (std::ptr::from_ref(callee) as u64, callee.func().name.as_bytes().to_vec()))
    };
    let switch = |at: u32| {
        let op = &lowered.ops[at as usize];
        let table = code.func().code().switches.get((op.n & !FALLS_THROUGH) as usize)?;
        let place = |target: &phlox_hhbc::Target| lowered.entries[target.index()];
        match table {
            SwitchTable::Int { base, targets, default } => {
                let keys = (0..).map(|at| base.wrapping_add(at));
                let cases = keys.zip(targets.iter().map(place)).filter(|case| case.1 != place(default));
                let cases: Vec<(i64, u32)> = cases.collect();
                cases.is_sorted_by_key(|case| case.0).then(|| Switch::Int(cases, place(default)))
            }
            SwitchTable::Str { cases, .. } => {
                let payload = |text: &PhpStr| {
                    let value = Val::from(text);
                    // SAFETY: a live value; names of a unit are never freed.
                    unsafe { raw::payload(&raw const value) }
                };
                let cases = cases.iter().map(|(text, target)| {
                    let text = code.func().unit.str(*text);
                    (text.as_bytes().into(), payload(text), place(target))
                });
                Some(Switch::Str(cases.collect()))
            }
        }
    };
    let shape = FrameShape {
        before_tmps: code.locals + code.iters * ITER_CELLS,
        oplines: code.ops.get() as u64,
        opline_bytes: crate::code::OP_BYTES as u32,
        header: HeaderShape {
            callee: offset_of!(Frame, code) as u32,
            empty: [
                offset_of!(Frame, this) as u32,
                offset_of!(Frame, static_class) as u32,
                offset_of!(Frame, closure) as u32,
                offset_of!(Frame, env) as u32,
            ],
            flags: offset_of!(Frame, flags) as u32,
        },
        bytes: layout::byte_strings() as u64,
    };
    let region = Region {
        lowered,
        locals: code.locals,
        iters: code.iters,
        header,
        shape,
        // SAFETY: locals follow the header.
        cells: unsafe { Frame::local(frame, 0) },
        builtin: &builtin,
        switch: &switch,
        literals: code.literal(0),
    };
    Ok((build(&region)?, shape))
}
