//! The compiler thread, one for the process. It gets units, which are plain data, and gives back code; it never looks at values
//! of the running script. A program may make its first thread the compiler thread ([`Server`]): a thread that the script's
//! thread starts may have to wait for milliseconds where both share a processor.
//!
//! Small units are compiled first: the code of a loop is there in a millisecond even if a function that takes a hundred was
//! requested before it. The thread has a lower priority than scripts, so it gives way where all cores are busy.
//!
//! What is worth compiling, and when answers are collected, is decided by the interpreter's tier (`crates/interp/src/tier`).

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

/// A requested unit's result, once there is one.
#[derive(Default)]
pub struct Answer {
    result: OnceLock<Compiled>,
}

/// What became of a unit: the address of its code, or why there is none, with statistics.
pub struct Compiled {
    /// The address of the code, or why there is none.
    pub code: Result<u64, Refusal>,
    /// How long compiling has taken.
    pub time: Duration,
    /// The number of instructions of the unit after all passes.
    pub instructions: usize,
    /// The number of these instructions that call functions of the engine.
    pub calls: usize,
    /// The size of the code in bytes.
    pub bytes: usize,
}

impl Compiled {
    /// A description of the compilation for messages.
    pub fn told(&self) -> String {
        let (time, size, calls) = (self.time.as_micros(), self.instructions, self.calls);
        format!("compiled in {time} us, {size} instructions, {calls} calls")
    }
}

impl Answer {
    /// The result; `None` if the unit has not been compiled yet.
    pub fn get(&self) -> Option<&Compiled> {
        self.result.get()
    }
}

struct Job {
    /// The order of compilation: small units first, and of equally large ones the one that was requested first.
    rank: Reverse<(usize, u64)>,
    unit: Unit,
    shape: FrameShape,
    taken: Option<Signature>,
    answer: Arc<Answer>,
    /// A word that tells the requesting thread that there is an answer, and the bit to be set in it.
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

/// The requests that wait for the thread, and the number of all requests so far.
#[derive(Default)]
struct Jobs {
    waiting: Mutex<(BinaryHeap<Job>, u64)>,
    asked: Condvar,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, (BinaryHeap<Job>, u64)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next request; waits for one if there is none.
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

/// The size of the compiler thread's native stack.
const STACK_BYTES: usize = 8 << 20;

/// The thread's niceness, with which it gets about a third of the time that a script gets.
const NICENESS: i32 = 5;

thread_local! {
    /// Whether this thread is the compiler thread.
    static COMPILES: Cell<bool> = const { Cell::new(false) };
}

/// Silences panics of the compiler thread: a fault of the compiler costs one unit, which does not concern who runs a script.
/// Where units are verified the panics are shown.
fn keep_faults_quiet() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if show::verifies() || !COMPILES.get() {
            others(info);
        }
    }));
}

/// The number of requests that the thread has answered.
static FINISHED: AtomicUsize = AtomicUsize::new(0);
/// The number of requests.
static ASKED: AtomicUsize = AtomicUsize::new(0);
/// The nanoseconds that the answered requests have taken. Waiting for the processor counts, too: where it is short, less should
/// be compiled.
static SPENT: AtomicU64 = AtomicU64::new(0);

/// The estimated time for a unit before the first one is finished, in nanoseconds.
const USUAL: u64 = 1_500_000;

/// The number of requests that the thread has answered. As long as it does not change, there is no new code to collect.
#[inline(always)]
pub fn finished() -> usize {
    FINISHED.load(atomic::Ordering::Acquire)
}

/// An estimate in nanoseconds of the time that the thread has needed since the process began, and will need for the requests
/// that wait.
pub fn spent() -> u64 {
    let (finished, asked) = (finished(), ASKED.load(atomic::Ordering::Relaxed));
    let spent = SPENT.load(atomic::Ordering::Relaxed);
    let mean = spent.checked_div(finished as u64).unwrap_or(USUAL);
    spent + mean * asked.saturating_sub(finished) as u64
}

/// A value that each process has one of, and never frees. After a fork the child has none at first: the parent's threads do not
/// exist in it, and the parent's code lies in memory that both share.
struct OfProcess<T>(AtomicPtr<(u32, T)>);

impl<T: Sync> OfProcess<T> {
    const fn new() -> OfProcess<T> {
        OfProcess(AtomicPtr::new(std::ptr::null_mut()))
    }

    fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null, or points to a box that `set` has leaked.
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

/// The requests for the compiler thread.
static JOBS: OfProcess<Jobs> = OfProcess::new();
/// The compiler; it holds `None` if there is no compiler for this machine.
static ASSEMBLER: OfProcess<Mutex<Option<Assembler>>> = OfProcess::new();

/// The requests for the compiler thread, which is started if it does not run. `None`: the thread cannot be started.
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

/// A thread that is going to be the compiler thread.
pub struct Server(&'static Jobs);

impl Server {
    /// Makes requests wait for [`Server::serve`] from now on. `None`: the calling thread, the process's first one, has too small
    /// a stack.
    pub fn announce() -> Option<Server> {
        let room = getrlimit(Resource::Stack).current;
        room.is_none_or(|bytes| bytes >= STACK_BYTES as u64).then(|| Server(JOBS.set(Jobs::default())))
    }

    /// Answers requests until the process ends.
    pub fn serve(self) -> ! {
        work(self.0)
    }
}

/// Answers the requests of a process.
fn work(jobs: &'static Jobs) -> ! {
    let mut gives_way = false;
    loop {
        let job = jobs.next();
        if !std::mem::replace(&mut gives_way, true) {
            // On Linux each thread has a niceness of its own. Without permission to lower it the thread keeps its priority.
            let _ = rustix::process::nice(NICENESS);
            keep_faults_quiet();
            COMPILES.set(true);
            phlox_process::Arena::begin();
        }
        // A panic in a pass costs one unit, not the thread.
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

/// The message of a panic.
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

/// Runs the passes over a unit and compiles it, on the calling thread.
pub fn compile(mut unit: Unit, shape: FrameShape, taken: Option<&Signature>) -> Compiled {
    let start = Instant::now();
    let mut broken = None;
    let mut passes_left = limits::passes();
    if show::shown() == Some(&Stage::HhirBuilt) {
        eprintln!("{unit}");
    }
    if passes_left == 0 {
        // No pass runs: the unit stays as the translation made it.
    } else if shape.fails_every > 0 || show::verifies() {
        // Stress mode verifies the unit after each pass.
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
            // A panic of the code generator costs one unit, not the script.
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

/// Requests that the compiler thread compiles a unit; without such a thread the caller compiles it here. When there is an
/// answer, the thread sets the bit of `told` in its word.
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
