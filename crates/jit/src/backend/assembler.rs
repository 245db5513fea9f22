//! The compiler as a whole: Cranelift's settings and scratch memory, and the memory that code goes to.

use crate::backend::limits;
use crate::backend::memory::CodeMemory;
use crate::backend::show::{self, Stage};
use crate::codegen::{Refusal, translate};
use crate::layout::{FrameShape, Signature};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable, Flags};
use cranelift_frontend::FunctionBuilderContext;
use phlox_hhir::Unit;

/// Compiled code: returns the address of the opline that the interpreter goes on with. The lowest bit of it is set if
/// the code was left before its end.
pub type Code = unsafe extern "C" fn(frame: *mut u8) -> usize;

/// Code at an address.
///
/// # Safety
/// [`Assembler::assemble`] gave the address for a unit of a loop.
pub unsafe fn loop_code(address: u64) -> Code {
    // SAFETY: by the caller; code stays.
    unsafe { std::mem::transmute::<*const u8, Code>(address as *const u8) }
}

/// Compiled code of a generator's body, from a resume point on. It works on the frame where that is kept while the body is
/// suspended; temporaries, and the frames of functions that it calls, are on the stack, as if the frame were at `stack`.
/// Returns where the interpreter goes on, as [`Code`] does, with the frame on the stack; or the address of the resume point at
/// which it has yielded, with [`HAS_YIELDED`](crate::layout::HAS_YIELDED): then the context has what it yielded.
pub type BodyCode = unsafe extern "C" fn(frame: *mut u8, stack: *mut u8) -> usize;

/// Code at an address.
///
/// # Safety
/// [`Assembler::assemble`] gave the address for a unit of a body.
pub unsafe fn body_code(address: u64) -> BodyCode {
    // SAFETY: by the caller; code stays.
    unsafe { std::mem::transmute::<*const u8, BodyCode>(address as *const u8) }
}

/// Compiled code of a whole function. It looks at as many of the integers and floats as it takes, and gives back the tag and
/// the payload of its result, or where to go on.
#[rustfmt::skip]
pub type FuncCode = unsafe extern "C" fn(
    frame: *mut u8, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, f64, f64, f64, f64, f64, f64, f64, f64,
) -> Returned;

/// See [`FuncCode`].
#[repr(C)]
pub struct Returned {
    pub status: u64,
    pub payload: u64,
}

/// Code at an address.
///
/// # Safety
/// [`Assembler::assemble`] gave the address for a unit of a function.
pub unsafe fn function_code(address: u64) -> FuncCode {
    // SAFETY: by the caller; code stays. Integers and floats are in registers of their own, at most as many as here.
    unsafe { std::mem::transmute::<*const u8, FuncCode>(address as *const u8) }
}

/// See the module.
pub struct Assembler {
    isa: OwnedTargetIsa,
    /// For units that are so large that registers are given away in one pass, which takes a third of the time off: much of what they
    /// do is done by functions of the engine.
    quick: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    scratch: FunctionBuilderContext,
    memory: CodeMemory,
}

/// Instructions from which on a unit's registers are given away in one pass.
const HUGE: usize = 1500;

/// What code is made for; `None`: there is none for this processor. Cranelift's own optimisations find next to nothing in what has
/// been through HHIR's passes, and would take a seventh of the compiler's time.
fn target(registers: &str) -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    flags.set("opt_level", "none").ok()?;
    flags.set("regalloc_algorithm", registers).ok()?;
    let verifies = cfg!(debug_assertions) || show::verifies();
    flags.set("enable_verifier", if verifies { "true" } else { "false" }).ok()?;
    let mut isa = isa::lookup_by_name("x86_64-unknown-linux-gnu").ok()?;
    #[cfg(target_arch = "x86_64")]
    {
        // Rounding is an instruction since SSE 4.1; without it there is no code at all.
        if !std::arch::is_x86_feature_detected!("sse4.1") {
            return None;
        }
        for feature in ["has_sse3", "has_ssse3", "has_sse41"] {
            isa.enable(feature).ok()?;
        }
        for (feature, there) in [
            ("has_sse42", std::arch::is_x86_feature_detected!("sse4.2")),
            ("has_popcnt", std::arch::is_x86_feature_detected!("popcnt")),
            ("has_avx", std::arch::is_x86_feature_detected!("avx")),
            ("has_bmi1", std::arch::is_x86_feature_detected!("bmi1")),
            ("has_bmi2", std::arch::is_x86_feature_detected!("bmi2")),
            ("has_lzcnt", std::arch::is_x86_feature_detected!("lzcnt")),
        ] {
            if there {
                isa.enable(feature).ok()?;
            }
        }
    }
    isa.finish(Flags::new(flags)).ok()
}

/// Most bytes of code of a process.
const CODE_LIMIT: usize = 64 << 20;

impl Assembler {
    /// `None`: there is no code for this machine.
    pub fn new() -> Option<Assembler> {
        if !(cfg!(target_arch = "x86_64") && cfg!(target_os = "linux")) {
            return None;
        }
        Some(Assembler {
            isa: target("backtracking")?,
            quick: target("single_pass")?,
            context: cranelift_codegen::Context::new(),
            scratch: FunctionBuilderContext::new(),
            memory: CodeMemory::new(CODE_LIMIT.min(limits::code_bytes()))?,
        })
    }

    /// Translates a unit into the context's function.
    fn translate(&mut self, unit: &Unit, shape: FrameShape, taken: Option<&Signature>) -> Result<(), Refusal> {
        self.context.clear();
        let (target, func) = (self.isa.frontend_config(), &mut self.context.func);
        let translated = translate(unit, shape, taken, target, func, &mut self.scratch);
        if translated.is_err() {
            self.scratch = FunctionBuilderContext::new();
        }
        translated
    }

    /// Makes code of a unit.
    ///
    /// # Errors
    /// Why there is none.
    pub fn assemble(&mut self, unit: &Unit, shape: FrameShape, taken: Option<&Signature>) -> Result<u64, Refusal> {
        self.translate(unit, shape, taken)?;
        if show::shown() == Some(&Stage::Clif) {
            eprintln!("{}", self.context.func.display());
        }
        self.context.set_disasm(show::shown() == Some(&Stage::Asm));
        let isa = if unit.insts.len() > HUGE { &self.quick } else { &self.isa };
        let compiled = self.context.compile(&**isa, &mut ControlPlane::default());
        let compiled = compiled.map_err(|error| format!("Cranelift: {:?}", error.inner))?;
        if let Some(text) = &compiled.vcode {
            eprintln!("{text}");
        }
        if !compiled.buffer.relocs().is_empty() {
            return Err("code with relocations".to_owned());
        }
        let address = self.memory.add(compiled.code_buffer()).ok_or("the memory for code is full")?;
        if show::shown() == Some(&Stage::ClifLegalised) {
            eprintln!("{}", self.context.func.display());
        }
        Ok(address as u64)
    }

    /// Bytes of code made.
    pub fn code_bytes(&self) -> usize {
        self.memory.used()
    }
}
