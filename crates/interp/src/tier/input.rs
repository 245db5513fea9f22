//! The compiler's input: a function's oplines, the frame that runs them, and the layout of frames.

use super::host::{Host, step_at};
use super::runtime_calls;
use crate::code::{FuncCode, OP_BYTES};
use crate::frame::{
    FLAG_BORROWS_THIS, FLAG_CONSTRUCTOR, FLAG_DISCARDS, FLAG_GENERATOR, FLAG_GUARDED, FLAG_INLINE, FLAG_MAGIC,
    FLAG_TO_BOOL, Frame,
};
use crate::generator::{self, ResumeStatus};
use phlox_hhbc::{EhKind, FuncFlags, Instr};
use phlox_hhir::types as hhir;
use phlox_jit::{Built, CompileInput, FrameShape, HeaderShape, ObservedType, Specialization, Start, This, build};
use phlox_lower::{ITER_CELLS, OpCode, Operand};
use phlox_value::raw;
use std::mem::offset_of;
use std::ops::RangeInclusive;

/// Builds the unit of a loop. The error says why the compiler refuses.
///
/// # Safety
/// `frame` is the innermost frame, stands at the loop's head and runs `code`.
pub unsafe fn of_loop(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    is_lazy: bool,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: the caller says that the frame is the innermost one and runs `code`.
    unsafe { build_region(code, frame, header, Start::Loop, is_lazy, None, None) }
}

/// Builds the unit of a generator's body that is suspended in front of `header`. `sent`: a sample of what the `yield` is about to
/// give. The error says why the compiler refuses.
///
/// # Safety
/// `frame` is the body's frame, on the stack or in the generator's own block, and runs `code`.
pub unsafe fn of_body(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    is_lazy: bool,
    sent: Option<ObservedType>,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: the caller says that the frame is the body's and runs `code`.
    let (built, shape) = unsafe { build_region(code, frame, header, Start::Body, is_lazy, sent, None)? };
    Ok((built, FrameShape { is_body: true, ..shape }))
}

/// Builds the unit of a function, for calls that begin at `header` with as many arguments as it has parameters. The error says why
/// the compiler refuses.
pub fn of_function(
    code: &FuncCode,
    header: u32,
    wanted: &Specialization,
    needs_frame: bool,
) -> Result<(Built, FrameShape), String> {
    // SAFETY: a region that starts at a function's start does not look at a frame, so null will do.
    unsafe { build_region(code, std::ptr::null_mut(), header, Start::Function(wanted), needs_frame, None, None) }
}

/// Builds a function for inlining; `classes`: the likely classes of the object and the arguments. `own`: the function is inlined
/// into itself, and whether it needs a frame.
pub fn of_inlined(
    code: &FuncCode,
    header: u32,
    wanted: &Specialization,
    classes: &[Option<phlox_hhir::ClassId>],
    own: Option<bool>,
) -> Result<Built, String> {
    let (start, needs_frame) = (Start::Function(wanted), own.unwrap_or_default());
    let inlined = Some((classes, own.is_some()));
    // SAFETY: a region that starts at a function's start does not look at a frame, so null will do.
    unsafe { build_region(code, std::ptr::null_mut(), header, start, needs_frame, None, inlined) }.map(|built| built.0)
}

/// Whether some of the oplines iterate over a generator, or resume one by a method, whose body is about to be compiled.
///
/// # Safety
/// The frame runs `code`.
pub unsafe fn awaits_body(code: &FuncCode, frame: *mut Frame, oplines: RangeInclusive<u32>) -> bool {
    let ops = &code.body().lowered.ops;
    let mut walks = ops[*oplines.start() as usize..=*oplines.end() as usize].iter();
    // SAFETY: the caller says that the frame runs `code`, so `op.n` is one of its iterators.
    let awaits = walks.any(|op| unsafe {
        op.op == OpCode::IterNext && generator::resume_status(Frame::iter(frame, op.n)) == ResumeStatus::Awaited
    });
    // SAFETY: the caller says that the frame runs `code`.
    awaits || oplines.into_iter().any(|at| unsafe { resume_status_of_method(code, frame, at) } == ResumeStatus::Awaited)
}

/// The status of the generator in the variable that an opline calls `send()` or `next()` on, also if the variable was copied to a
/// temporary just before.
///
/// # Safety
/// The frame runs `code`.
unsafe fn resume_status_of_method(code: &FuncCode, frame: *mut Frame, at: u32) -> ResumeStatus {
    let ops = &code.body().lowered.ops[..=at as usize];
    let (op, before) = (&ops[at as usize], &ops[at.saturating_sub(1) as usize]);
    let operand = if before.op == OpCode::Copy && before.c == op.b { before.a } else { op.b };
    let (Some(_), Operand::Local(local)) = (step_at(code, at), operand) else { return ResumeStatus::Nothing };
    // SAFETY: the caller says that the frame runs `code`, so the local is one of its variables.
    let object = unsafe { (*raw::look_through(Frame::local(frame, local.0))).as_obj() };
    generator::resume_status_of(object.and_then(|object| object.native()))
}

/// What a function has besides arguments: `$this`, a class, or nothing.
pub fn this_of(code: &FuncCode) -> This {
    let func = code.func();
    match func.scope.get() {
        None => This::None,
        Some(_) if func.is_static() => This::Class,
        Some(_) => This::Object,
    }
}

/// What a frame of a function has besides arguments, for code of the kind of frame that is seen (null for code of the whole function):
/// a closure that is bound to a class but to no object has neither `$this` nor, for compiled code, a class.
///
/// # Safety
/// The frame is null or alive.
unsafe fn this_in(code: &FuncCode, frame: *const Frame) -> This {
    match this_of(code) {
        // SAFETY: the caller says that the frame is alive.
        This::Object if !frame.is_null() && unsafe { (*frame).this } == 0 => This::None,
        this => this,
    }
}

/// The layout of a function's frames and oplines, and the addresses that compiled code needs.
pub fn shape_of(code: &FuncCode) -> FrameShape {
    FrameShape {
        before_tmps: code.locals + code.iters * ITER_CELLS,
        oplines: code.ops.get() as u64,
        opline_bytes: OP_BYTES as u32,
        context: super::context() as u64,
        header: HeaderShape {
            callee: offset_of!(Frame, code) as u32,
            empty: [
                offset_of!(Frame, this) as u32,
                offset_of!(Frame, static_class) as u32,
                offset_of!(Frame, closure) as u32,
                offset_of!(Frame, env) as u32,
            ],
            flags: offset_of!(Frame, flags) as u32,
            borrows_this: FLAG_BORROWS_THIS,
            constructor: FLAG_CONSTRUCTOR,
            magic: FLAG_MAGIC,
            name: offset_of!(Frame, extra) as u32,
            guarded: FLAG_GUARDED,
            discards: FLAG_DISCARDS,
            to_bool: FLAG_TO_BOOL,
            ip: offset_of!(Frame, ip) as u32,
            prev: offset_of!(Frame, prev) as u32,
            argc: offset_of!(Frame, argc) as u32,
            this: offset_of!(Frame, this) as u32,
            by_ref: offset_of!(FuncCode, has_by_ref) as u32,
            static_class: offset_of!(Frame, static_class) as u32,
            closure: offset_of!(Frame, closure) as u32,
        },
        helpers: runtime_calls::HELPERS,
        interrupt: std::ptr::from_ref(phlox_value::interrupt::word()) as u64,
        bytes: raw::byte_string(0),
        fails_every: super::fails_every(),
        is_body: false,
        has_destructors: raw::frees_run_code(),
    }
}

/// Builds what [`of_loop`], [`of_body`], [`of_function`] and [`of_inlined`] build. `frame` is null for a function. `is_special`: of
/// a function, that it needs a frame; of others, that they were compiled before.
unsafe fn build_region(
    code: &FuncCode,
    frame: *mut Frame,
    header: u32,
    start: Start<'_>,
    is_special: bool,
    sent: Option<ObservedType>,
    inlined: Option<(&[Option<phlox_hhir::ClassId>], bool)>,
) -> Result<(Built, FrameShape), String> {
    if !super::is_wanted(code) {
        return Err("not wanted".to_owned());
    }
    let is_function = matches!(start, Start::Function(_));
    let this_sample = match &start {
        Start::Function(wanted) => wanted.this_sample,
        // SAFETY: the callers of `of_loop` and `of_body` pass a live frame.
        Start::Loop | Start::Body => match unsafe { ((*frame).this, (*frame).static_class as u64) } {
            (0, 0) => None,
            (0, payload) => Some(ObservedType { bits: hhir::CLS, payload }),
            (payload, _) => Some(ObservedType { bits: hhir::OBJ, payload }),
        },
    };
    let shape = shape_of(code);
    // SAFETY: a frame that is not null is alive.
    let is_shared =
        !frame.is_null() && unsafe { !(*frame).env.is_null() || (*frame).flags & (FLAG_GENERATOR | FLAG_INLINE) != 0 };
    let host = Host { code, frame, header };
    let input = CompileInput {
        host: &host,
        lowered: &code.body().lowered,
        locals: code.locals,
        params: code.params,
        iters: code.iters,
        header,
        shape,
        sent,
        // SAFETY: the locals of a live frame follow its header.
        cells: if frame.is_null() { std::ptr::null() } else { unsafe { Frame::local(frame, 0) } },
        literals: code.literal(0),
        start,
        inlined: inlined.map(|row| row.0),
        is_recursive: inlined.is_some_and(|row| row.1),
        // SAFETY: the frame of a loop or body is alive; a function has none here.
        this: unsafe { this_in(code, frame) },
        has_no_handlers: has_no_handlers(code),
        owns_variables: !is_shared && !code.func().has(FuncFlags::PSEUDO_MAIN),
        needs_frame: is_special && is_function,
        is_lazy: is_special && !is_function,
        func: phlox_hhir::FuncId(std::ptr::from_ref(code) as u64),
        this_sample,
    };
    Ok((build(&input)?, shape))
}

/// Whether all exception handlers of the function do nothing but free iterators of loops.
fn has_no_handlers(code: &FuncCode) -> bool {
    let body = code.func().code();
    body.eh.iter().all(|entry| match entry.kind {
        EhKind::Catch(_) => false,
        EhKind::Fault(funclet) => {
            let mut instructions = body.code[funclet.index()..].iter();
            let end = instructions.find(|instr| !matches!(instr, Instr::IterFree { .. } | Instr::MIterFree { .. }));
            matches!(end, Some(Instr::Unwind {}))
        }
    })
}
