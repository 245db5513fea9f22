//! The thread that compiles, one for the process. It gets units, which are plain data, and gives back code; it never
//! looks at values of the running script. It is the one that has nothing else to do, if the program says so ([`Server`]): a new
//! thread may have to wait for milliseconds where the script has the processor that it is given.
//!
//! Small units come first: a loop's code is there in a millisecond, though a function that takes a hundred was asked for
//! before. And the thread gives way: where all cores are busy, the scripts come first.
//!
//! Not here: which loops and functions are worth it, and looking for answers, which is the interpreter's business.

use crate::backend::assembler::Assembler;
use crate::backend::limits;
use crate::backend::show::{self, Stage};
use crate::codegen::Refusal;
use crate::layout::{FrameShape, Signature};
use phlox_hhir::Op;
use phlox_hhir::{Unit, passes, verify};
use rustix::process::{Resource, getrlimit};
use std::any::Any;
use std::cell::Cell;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{self, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What becomes of a unit.
#[derive(Default)]
pub struct Answer {
    result: OnceLock<Compiled>,
}

/// The address of code, or why there is none, and how long it took.
pub struct Compiled {
    pub code: Result<u64, Refusal>,
    pub time: Duration,
    /// Instructions of the unit when its passes have run, and calls of functions of the engine among them.
    pub instructions: usize,
    pub calls: usize,
    /// How long the code is.
    pub bytes: usize,
}

impl Compiled {
    /// What is told of a unit.
    pub fn told(&self) -> String {
        let (time, size, calls) = (self.time.as_micros(), self.instructions, self.calls);
        format!("compiled in {time} us, {size} instructions, {calls} calls")
    }
}

impl Answer {
    /// `None`: not yet.
    pub fn get(&self) -> Option<&Compiled> {
        self.result.get()
    }
}

struct Job {
    /// What is to be done first: small units, and of two of a size the one that was asked for before.
    rank: Reverse<(usize, u64)>,
    unit: Unit,
    shape: FrameShape,
    taken: Option<Signature>,
    answer: Arc<Answer>,
    /// The word in which it is said that the answer is there, and the bit.
    told: Option<(&'static AtomicU32, u32)>,
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Job {}

/// What waits for the thread, and how much has ever done so.
#[derive(Default)]
struct Jobs {
    waiting: Mutex<(BinaryHeap<Job>, u64)>,
    asked: Condvar,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, (BinaryHeap<Job>, u64)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next one; waits until there is one.
    fn next(&self) -> Job {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.0.pop() {
                return job;
            }
            waiting = self.asked.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Native stack that compiling may take.
const STACK_BYTES: usize = 8 << 20;

/// How much the thread gives way to others, as by `nice`: it gets about a third of what a script gets.
const NICENESS: i32 = 5;

thread_local! {
    /// Whether this thread compiles for others.
    static COMPILES: Cell<bool> = const { Cell::new(false) };
}

/// A fault of the compiler costs a unit, which is no news for who runs a script, but for those who ask.
fn keep_faults_quiet() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if show::verifies() || !COMPILES.get() {
            others(info);
        }
    }));
}

/// Counts the units that the thread is done with.
static FINISHED: AtomicUsize = AtomicUsize::new(0);
/// Counts those that it was asked for.
static ASKED: AtomicUsize = AtomicUsize::new(0);
/// Nanoseconds that it has taken for them. Where others have the processor meanwhile, these count: then there is the less to spare.
static SPENT: AtomicU64 = AtomicU64::new(0);

/// What a unit is taken to need before one is done, in nanoseconds.
const USUAL: u64 = 1_500_000;

/// How many units the thread is done with: as long as it is the same number, nothing new is there to be taken.
#[inline(always)]
pub fn finished() -> usize {
    FINISHED.load(atomic::Ordering::Acquire)
}

/// How long the thread has worked since the process began, and what it is likely to need for what waits for it, in nanoseconds.
pub fn spent() -> u64 {
    let (finished, asked) = (finished(), ASKED.load(atomic::Ordering::Relaxed));
    let spent = SPENT.load(atomic::Ordering::Relaxed);
    let mean = spent.checked_div(finished as u64).unwrap_or(USUAL);
    spent + mean * asked.saturating_sub(finished) as u64
}

/// Something that each process has one of, for ever. One that was split off another has none yet: that one's threads are not there, and
/// its code lies in memory that both share.
struct OfProcess<T>(AtomicPtr<(u32, T)>);

impl<T: Sync> OfProcess<T> {
    const fn new() -> OfProcess<T> {
        OfProcess(AtomicPtr::new(std::ptr::null_mut()))
    }

    fn get(&self) -> Option<&'static T> {
        // SAFETY: null, or what `set` has leaked.
        let known = unsafe { self.0.load(atomic::Ordering::Acquire).as_ref() }?;
        (known.0 == std::process::id()).then_some(&known.1)
    }

    fn set(&self, value: T) -> &'static T {
        let own: &'static mut (u32, T) = Box::leak(Box::new((std::process::id(), value)));
        self.0.store(own, atomic::Ordering::Release);
        &own.1
    }

    fn forget(&self) {
        self.0.store(std::ptr::null_mut(), atomic::Ordering::Release);
    }
}

/// The thread's work.
static JOBS: OfProcess<Jobs> = OfProcess::new();
/// The compiler; without one there is no code for this machine.
static ASSEMBLER: OfProcess<Mutex<Option<Assembler>>> = OfProcess::new();

/// The thread's work; `None`: there is no thread.
fn jobs() -> Option<&'static Jobs> {
    if let Some(jobs) = JOBS.get() {
        return Some(jobs);
    }
    let thread = std::thread::Builder::new().name("phlox-jit".to_owned()).stack_size(STACK_BYTES);
    let jobs = JOBS.set(Jobs::default());
    let started = thread.spawn(move || work(jobs)).is_ok();
    if !started {
        JOBS.forget();
    }
    started.then_some(jobs)
}

fn assembler() -> &'static Mutex<Option<Assembler>> {
    ASSEMBLER.get().unwrap_or_else(|| ASSEMBLER.set(Mutex::new(Assembler::new())))
}

/// A thread that is going to compile.
pub struct Server(&'static Jobs);

impl Server {
    /// Whoever wants something compiled from now on waits for [`Server::serve`]. `None`: the process's first thread has less of a stack
    /// than compiling may take.
    pub fn announce() -> Option<Server> {
        let room = getrlimit(Resource::Stack).current;
        room.is_none_or(|bytes| bytes >= STACK_BYTES as u64).then(|| Server(JOBS.set(Jobs::default())))
    }

    /// Compiles, until the process ends.
    pub fn serve(self) -> ! {
        work(self.0)
    }
}

/// Compiles whatever is asked for.
fn work(jobs: &'static Jobs) -> ! {
    let mut gives_way = false;
    loop {
        let job = jobs.next();
        if !std::mem::replace(&mut gives_way, true) {
            // A niceness is a thread's on Linux. If it cannot be had, the thread has what others have.
            let _ = rustix::process::nice(NICENESS);
            keep_faults_quiet();
            COMPILES.set(true);
            phlox_process::Arena::begin();
        }
        // A fault of a pass costs a unit, not the thread.
        let compiled = catch_unwind(AssertUnwindSafe(|| compile(job.unit, job.shape, job.taken.as_ref())));
        let failed = |_| Compiled {
            code: Err("the compiler has failed".to_owned()),
            time: Duration::ZERO,
            instructions: 0,
            calls: 0,
            bytes: 0,
        };
        let compiled = compiled.unwrap_or_else(failed);
        SPENT.fetch_add(compiled.time.as_nanos() as u64, atomic::Ordering::Relaxed);
        let _ = job.answer.result.set(compiled);
        FINISHED.fetch_add(1, atomic::Ordering::Release);
        if let Some((word, bit)) = job.told {
            word.fetch_or(bit, atomic::Ordering::Release);
        }
    }
}

/// What a panic says.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default()
}

/// Whether an instruction calls a function of the engine, or has the interpreter do something.
fn calls_engine(op: Op) -> bool {
    matches!(
        op,
        Op::CallHelper
            | Op::CallHelperTake
            | Op::CallHelperMem
            | Op::CallOpline
            | Op::CallInterp
            | Op::NewObj
            | Op::AssignLocMem
            | Op::ContNext
            | Op::ContSend
    )
}

/// Compiles a unit on the calling thread.
pub fn compile(mut unit: Unit, shape: FrameShape, taken: Option<&Signature>) -> Compiled {
    let start = Instant::now();
    let mut broken = None;
    let mut passes_left = limits::passes();
    if show::shown() == Some(&Stage::HhirBuilt) {
        eprintln!("{unit}");
    }
    if passes_left == 0 {
        // As it comes from the oplines.
    } else if shape.fails_every > 0 || show::verifies() {
        // Stress mode trusts nothing.
        broken = verify(&unit).err();
        passes::optimize_with(&mut unit, |name, unit| {
            broken = broken.take().or_else(|| verify(unit).err().map(|error| format!("after {name}: {error}")));
            passes_left -= 1;
            broken.is_none() && passes_left > 0
        });
    } else {
        passes::optimize_with(&mut unit, |name, unit| {
            if show::shown() == Some(&Stage::HhirAfter(name)) {
                eprintln!("{unit}");
            }
            passes_left -= 1;
            passes_left > 0
        });
    }
    if show::shown() == Some(&Stage::Hhir) {
        eprintln!("{unit}");
    }
    let mut bytes = 0;
    let code = match assembler().lock() {
        _ if broken.is_some() => Err(format!("broken: {}", broken.unwrap_or_default())),
        Ok(mut assembler) => match assembler.as_mut() {
            // A fault of the code generator costs a unit, not the script.
            Some(assembler) => {
                let before = assembler.code_bytes();
                let made = catch_unwind(AssertUnwindSafe(|| assembler.assemble(&unit, shape, taken)))
                    .unwrap_or_else(|payload| Err(format!("the code generator has failed: {}", message(&*payload))));
                bytes = assembler.code_bytes() - before;
                made
            }
            None => Err("no code for this machine".to_owned()),
        },
        Err(_) => Err("the compiler has failed before".to_owned()),
    };
    let kept = || unit.blocks.iter().flat_map(|block| &block.insts).map(|&id| unit.inst(id).op);
    let calls = kept().filter(|&op| calls_engine(op)).count();
    Compiled { code, time: start.elapsed(), instructions: kept().count(), calls, bytes }
}

/// Has a unit compiled by the thread, or by the caller if there is no thread. When the answer is there, the thread may say so in a
/// word.
pub fn request(
    unit: Unit,
    shape: FrameShape,
    taken: Option<Signature>,
    told: Option<(&'static AtomicU32, u32)>,
) -> Arc<Answer> {
    let answer = Arc::new(Answer::default());
    match jobs() {
        Some(jobs) => {
            let mut waiting = jobs.lock();
            waiting.1 += 1;
            ASKED.fetch_add(1, atomic::Ordering::Relaxed);
            let rank = Reverse((crate::size(&unit), waiting.1));
            waiting.0.push(Job { rank, unit, shape, taken, answer: answer.clone(), told });
            jobs.asked.notify_one();
        }
        None => {
            let _ = answer.result.set(compile(unit, shape, taken.as_ref()));
            if let Some((word, bit)) = told {
                word.fetch_or(bit, atomic::Ordering::Release);
            }
        }
    }
    answer
}
