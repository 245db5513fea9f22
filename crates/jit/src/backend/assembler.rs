//! Cranelift as Phlox uses it: its settings, its scratch memory, and the memory that machine code goes to.

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

/// The compiled code of a loop. Returns the address of the opline with which the interpreter goes on; the lowest bit is set if
/// that is because of a side exit.
pub type Code = unsafe extern "C" fn(frame: *mut u8) -> usize;

/// The code of a loop at an address.
///
/// # Safety
/// [`Assembler::assemble`] has returned the address for a unit of a loop.
pub unsafe fn loop_code(address: u64) -> Code {
    // SAFETY: the caller passes the address of a loop's code, which is never unmapped (SAFETY.md, 1).
    unsafe { std::mem::transmute::<*const u8, Code>(address as *const u8) }
}

/// The compiled code of a generator's body, from a resume point on. It works on the frame where that is kept while the body is
/// suspended. Temporaries, and frames of functions that the body calls, are on the stack, as if the frame were at `stack`.
/// Returns the address of the opline with which the interpreter goes on, as [`Code`] does, when the frame is on the stack; or
/// the address of the resume point at which the body has yielded, with [`HAS_YIELDED`](crate::layout::HAS_YIELDED), when the
/// context holds the yielded value.
pub type BodyCode = unsafe extern "C" fn(frame: *mut u8, stack: *mut u8) -> usize;

/// The code of a generator's body at an address.
///
/// # Safety
/// [`Assembler::assemble`] has returned the address for a unit of a body.
pub unsafe fn body_code(address: u64) -> BodyCode {
    // SAFETY: the caller passes the address of a body's code, which is never unmapped (SAFETY.md, 1).
    unsafe { std::mem::transmute::<*const u8, BodyCode>(address as *const u8) }
}

/// The compiled code of a whole function. It reads as many of the integers and floats as its specialisation has, and returns the
/// tag and the payload of its result, or the address of the opline with which the interpreter goes on.
#[rustfmt::skip]
pub type FuncCode = unsafe extern "C" fn(
    frame: *mut u8, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, f64, f64, f64, f64, f64, f64, f64, f64,
) -> Returned;

/// What a [`FuncCode`] returns.
#[repr(C)]
pub struct Returned {
    /// A tag, or an address from [`TAGS_END`](crate::layout::TAGS_END) on.
    pub status: u64,
    /// The payload of the result, if `status` is a tag.
    pub payload: u64,
}

/// The code of a whole function at an address.
///
/// # Safety
/// [`Assembler::assemble`] has returned the address for a unit of a function.
pub unsafe fn function_code(address: u64) -> FuncCode {
    // SAFETY: the caller passes the address of a function's code, which is never unmapped (SAFETY.md, 1). The calling convention
    // passes integers and floats in separate registers, so a function may take fewer of either than are passed.
    unsafe { std::mem::transmute::<*const u8, FuncCode>(address as *const u8) }
}

/// Turns units into machine code; see the module.
pub struct Assembler {
    isa: OwnedTargetIsa,
    /// Settings for large units, whose registers are allocated in a single pass. That takes a third less time, and large units
    /// spend much of their time in functions of the engine anyway.
    single_pass: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    scratch: FunctionBuilderContext,
    memory: CodeMemory,
}

/// The number of instructions from which on a unit's registers are allocated in a single pass.
const HUGE: usize = 1500;

/// Cranelift's settings for this processor, with a register allocation algorithm; `None` if the processor lacks an instruction
/// that the code needs. Cranelift's own optimisations are off: they find next to nothing after HHIR's passes, and would take a
/// seventh of the compile time.
fn target(registers: &str) -> Option<OwnedTargetIsa> {
    let mut flags = settings::builder();
    flags.set("opt_level", "none").ok()?;
    flags.set("regalloc_algorithm", registers).ok()?;
    let verifies = cfg!(debug_assertions) || show::verifies();
    flags.set("enable_verifier", if verifies { "true" } else { "false" }).ok()?;
    let mut isa = isa::lookup_by_name("x86_64-unknown-linux-gnu").ok()?;
    #[cfg(target_arch = "x86_64")]
    {
        // Rounding a float is one instruction only from SSE 4.1 on; without it no code is compiled.
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

/// The number of bytes of machine code that a process may have.
const CODE_LIMIT: usize = 64 << 20;

impl Assembler {
    /// A compiler for this machine; `None` if there is none, or no memory for code.
    pub fn new() -> Option<Assembler> {
        if !(cfg!(target_arch = "x86_64") && cfg!(target_os = "linux")) {
            return None;
        }
        Some(Assembler {
            isa: target("backtracking")?,
            single_pass: target("single_pass")?,
            context: cranelift_codegen::Context::new(),
            scratch: FunctionBuilderContext::new(),
            memory: CodeMemory::new(CODE_LIMIT.min(limits::code_bytes()))?,
        })
    }

    /// Translates a unit to Cranelift's IR, in the context's function.
    fn translate(&mut self, unit: &Unit, shape: FrameShape, taken: Option<&Signature>) -> Result<(), Refusal> {
        self.context.clear();
        let (target, func) = (self.isa.frontend_config(), &mut self.context.func);
        let translated = translate(unit, shape, taken, target, func, &mut self.scratch);
        if translated.is_err() {
            self.scratch = FunctionBuilderContext::new();
        }
        translated
    }

    /// Compiles a unit to machine code, and gives the address of the code.
    ///
    /// # Errors
    /// Why the unit cannot be compiled.
    pub fn assemble(&mut self, unit: &Unit, shape: FrameShape, taken: Option<&Signature>) -> Result<u64, Refusal> {
        self.translate(unit, shape, taken)?;
        if show::shown() == Some(&Stage::Clif) {
            eprintln!("{}", self.context.func.display());
        }
        self.context.set_disasm(show::shown() == Some(&Stage::Asm));
        let isa = if unit.insts.len() > HUGE { &self.single_pass } else { &self.isa };
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

    /// The number of bytes of machine code so far.
    pub fn code_bytes(&self) -> usize {
        self.memory.used()
    }
}
