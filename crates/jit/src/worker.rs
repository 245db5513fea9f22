//! The thread that compiles, one for the process. It gets units, which are plain data, and gives back code; it never
//! looks at values of the running script.
//!
//! Not here: which loops and functions are worth it, and looking for answers, which is the interpreter's business.

use crate::code::Assembler;
use crate::layout::{FrameShape, Signature};
use crate::limits;
use crate::native::Refusal;
use crate::show::{self, Stage};
use phlox_hhir::{Unit, passes, verify};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
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
}

impl Answer {
    /// `None`: not yet.
    pub fn get(&self) -> Option<&Compiled> {
        self.result.get()
    }
}

struct Job {
    unit: Unit,
    shape: FrameShape,
    taken: Option<Signature>,
    answer: Arc<Answer>,
}

/// The compiler of this process. Without one there is no code for this machine.
fn assembler() -> &'static Mutex<Option<Assembler>> {
    static ASSEMBLER: OnceLock<Mutex<Option<Assembler>>> = OnceLock::new();
    ASSEMBLER.get_or_init(|| Mutex::new(Assembler::new()))
}

/// Compiles a unit on the calling thread.
pub fn compile(mut unit: Unit, shape: FrameShape, taken: Option<&Signature>) -> Compiled {
    let start = Instant::now();
    let mut broken = None;
    let mut passes_left = limits::passes();
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
    let code = match assembler().lock() {
        _ if broken.is_some() => Err(format!("broken: {}", broken.unwrap_or_default())),
        Ok(mut assembler) => match assembler.as_mut() {
            // A fault of the code generator costs a unit, not the script.
            Some(assembler) => catch_unwind(AssertUnwindSafe(|| assembler.assemble(&unit, shape, taken)))
                .unwrap_or_else(|_| Err("the code generator has failed".to_owned())),
            None => Err("no code for this machine".to_owned()),
        },
        Err(_) => Err("the compiler has failed before".to_owned()),
    };
    Compiled { code, time: start.elapsed() }
}

/// Has a unit compiled by the thread, or by the caller if there is no thread.
pub fn request(unit: Unit, shape: FrameShape, taken: Option<Signature>) -> Arc<Answer> {
    static JOBS: OnceLock<Option<Sender<Job>>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (sender, receiver) = channel::<Job>();
        let work = move || {
            for job in receiver {
                let compiled = compile(job.unit, job.shape, job.taken.as_ref());
                let _ = job.answer.result.set(compiled);
            }
        };
        std::thread::Builder::new().name("phlox-jit".to_owned()).stack_size(8 << 20).spawn(work).ok().map(|_| sender)
    });
    let answer = Arc::new(Answer::default());
    let job = Job { unit, shape, taken, answer: answer.clone() };
    let left = match jobs {
        Some(jobs) => jobs.send(job).err().map(|unsent| unsent.0),
        None => Some(job),
    };
    if let Some(job) = left {
        let _ = job.answer.result.set(compile(job.unit, job.shape, job.taken.as_ref()));
    }
    answer
}
