//! The handlers: one function for each opcode and combination of operand kinds.
//!
//! A handler ends in a jump to the next one. So it has no local with a destructor and takes no address of a
//! local; whatever is not short is a slow path: a function of its own that says where to go on.

pub mod arith;
mod building;
mod builtins;
pub mod call_user_func;
mod calls;
mod casts;
mod classes;
pub mod compare;
mod control;
mod double_chains;
mod doubles;
pub mod dynamic;
pub mod elements;
mod isset;
mod iterate;
mod misc;
mod moves;
mod named_calls;
mod named_props;
mod params;
mod path_fast;
pub mod path_slow;
mod props;
mod references;
pub mod returns;
pub mod single_step;
mod static_calls;
mod superinstructions;

use crate::code::{Op, Site};
use crate::context::{Fp, Ip, Run};
use crate::frame::Frame;
use phlox_lower::{Lowered, NO_TARGET, OpCode, Operand};

/// Executes one opline and goes on with the next.
pub type Handler = unsafe extern "C-unwind" fn(ip: *const Op, fp: Fp, run: *mut Run);

/// Goes on with the opline `$ip` in frame `$fp`.
#[cfg(not(feature = "loop-dispatch"))]
macro_rules! go {
    ($ip:expr, $fp:expr, $run:expr) => {{
        let ip: crate::context::Ip = $ip;
        return ((*ip).handler)(ip, $fp, $run);
    }};
}

#[cfg(feature = "loop-dispatch")]
macro_rules! go {
    ($ip:expr, $fp:expr, $run:expr) => {{
        (*$run).ip = $ip;
        let _: crate::context::Fp = $fp;
        return;
    }};
}

/// Goes on with the next opline.
macro_rules! next {
    ($ip:expr, $fp:expr, $run:expr) => {{
        // The position in a frame is what its last opline has saved. One that can fail has to save its own: where it forgets that,
        // a build with assertions finds out.
        #[cfg(debug_assertions)]
        {
            let fp: crate::context::Fp = $fp;
            (*fp.cast::<crate::frame::Frame>()).ip = std::ptr::null();
        }
        crate::handlers::go!($ip.add(1), $fp, $run)
    }};
}

/// Leaves the rest to a slow path that stays in the frame: jumps to a function that calls it, so that the handler needs
/// no stack frame of its own.
macro_rules! slow {
    ($path:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let entry = crate::handlers::slow_entry(|ip, fp, run| $path(ip, fp, run));
        return entry($ip, $fp, $run);
    }};
}

/// As `slow!`, for a path after which another frame may be the innermost.
macro_rules! slow_switch {
    ($path:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let entry = crate::handlers::slow_switch_entry(|ip, fp, run| $path(ip, fp, run));
        return entry($ip, $fp, $run);
    }};
}

/// Gives up a value that was taken out of its place, and goes on with the next opline.
macro_rules! release_next {
    ($payload:expr, $tag:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let (payload, tag) = ($payload, $tag);
        if phlox_value::raw::release_shared(payload, tag) {
            crate::handlers::next!($ip, $fp, $run)
        }
        (*$run).dying = (payload, tag);
        return crate::handlers::release_and_next($ip, $fp, $run);
    }};
}

/// Jumps by the opline's displacement; backwards only past a safe point.
macro_rules! jump {
    ($ip:expr, $fp:expr, $run:expr, $back:expr) => {{
        if $back && (*(*$run).interrupt).load(std::sync::atomic::Ordering::Relaxed) != 0 {
            crate::handlers::slow!(crate::handlers::control::interrupted, $ip, $fp, $run)
        }
        crate::handlers::go!($ip.byte_offset((*$ip).d as isize), $fp, $run)
    }};
}

/// Defines a handler that only has a slow path.
macro_rules! slow_handler {
    ($name:ident, $path:expr) => {
        pub unsafe extern "C-unwind" fn $name(
            ip: crate::context::Ip,
            fp: crate::context::Fp,
            run: *mut crate::context::Run,
        ) {
            // SAFETY: handlers are entered with an opline of the innermost frame.
            unsafe {
                (*fp.cast::<crate::frame::Frame>()).ip = ip;
                let ip = $path(ip, fp, &mut *run);
                crate::handlers::go!(ip, fp, run)
            }
        }
    };
}

/// As `slow_handler!`, for paths after which another frame may be the innermost.
macro_rules! switch_handler {
    ($name:ident, $path:expr) => {
        pub unsafe extern "C-unwind" fn $name(
            ip: crate::context::Ip,
            fp: crate::context::Fp,
            run: *mut crate::context::Run,
        ) {
            // SAFETY: handlers are entered with an opline of the innermost frame.
            unsafe {
                (*fp.cast::<crate::frame::Frame>()).ip = ip;
                let ip = $path(ip, fp, &mut *run);
                if ip.is_null() {
                    return crate::handlers::stop(run);
                }
                let fp: crate::context::Fp = (*run).frame.cast();
                crate::handlers::go!(ip, fp, run)
            }
        }
    };
}

/// The handler that calls a slow path, which is a function without state.
#[inline(always)]
pub(crate) fn slow_entry<P: Fn(Ip, Fp, &mut Run) -> Ip>(_: P) -> Handler {
    const { assert!(size_of::<P>() == 0) };
    enter_slow::<P>
}

#[inline(never)]
unsafe extern "C-unwind" fn enter_slow<P: Fn(Ip, Fp, &mut Run) -> Ip>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; a function without state has no bytes.
    unsafe {
        let path = std::ptr::NonNull::<P>::dangling().as_ref();
        (*fp.cast::<crate::frame::Frame>()).ip = ip;
        #[cfg(feature = "count-oplines")]
        crate::stats::counts::slow((*run).meta(ip).op);
        let ip = path(ip, fp, &mut *run);
        go!(ip, fp, run)
    }
}

/// As [`slow_entry`], for `slow_switch!`.
#[inline(always)]
pub(crate) fn slow_switch_entry<P: Fn(Ip, Fp, &mut Run) -> Ip>(_: P) -> Handler {
    const { assert!(size_of::<P>() == 0) };
    enter_slow_switch::<P>
}

#[inline(never)]
unsafe extern "C-unwind" fn enter_slow_switch<P: Fn(Ip, Fp, &mut Run) -> Ip>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `enter_slow`.
    unsafe {
        let path = std::ptr::NonNull::<P>::dangling().as_ref();
        (*fp.cast::<crate::frame::Frame>()).ip = ip;
        #[cfg(feature = "count-oplines")]
        crate::stats::counts::slow((*run).meta(ip).op);
        let ip = path(ip, fp, &mut *run);
        if ip.is_null() {
            return stop(run);
        }
        let fp: Fp = (*run).frame.cast();
        go!(ip, fp, run)
    }
}

pub(crate) use {go, jump, next, release_next, slow, slow_handler, slow_switch, switch_handler};

/// Gives up [`Run::dying`], which may run a destructor, and goes on.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn release_and_next(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if !release_dying(ip, fp, run) {
            slow!(finish_only, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Gives up [`Run::dying`]; false: a destructor threw.
#[inline(always)]
unsafe fn release_dying(ip: Ip, fp: Fp, run: *mut Run) -> bool {
    // SAFETY: called with the opline of the innermost frame; the value is nobody else's.
    unsafe {
        (*fp.cast::<Frame>()).ip = ip;
        let (payload, tag) = (*run).dying;
        phlox_value::raw::release(payload, tag);
        !(*(*run).has_pending).get()
    }
}

/// As [`release_and_next`], for an opline that then jumps backwards.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn release_and_jump_back(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `release_and_next`.
    unsafe {
        if !release_dying(ip, fp, run) {
            slow!(finish_only, ip, fp, run)
        }
        jump!(ip, fp, run, true)
    }
}

#[inline(never)]
pub(crate) unsafe fn finish_only(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe { run.finish(ip, Ok(())) }
}

/// The run ends.
#[cold]
pub(crate) fn stop(run: *mut Run) {
    #[cfg(feature = "loop-dispatch")]
    // SAFETY: the run is alive.
    unsafe {
        (*run).is_running = false;
    }
    let _ = run;
}

pub use control::safe_point;
pub use iterate::{deliver, stepped};
pub use props::{cached_constant, place_in_class};
pub use returns::leave_with;

/// The handler of [`Run::throw_op`].
pub const THROW_PENDING: Handler = control::throw_pending;

/// How a hot handler finds a source: in the frame, or beside the code.
pub const IN_FRAME: u8 = 0;
pub const LITERAL: u8 = 1;

/// A source's cell.
///
/// # Safety
/// `offset` is an operand of `ip` of this kind.
#[inline(always)]
pub unsafe fn source<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> *mut phlox_runtime::Val {
    // SAFETY: by the caller.
    unsafe { if KIND == LITERAL { crate::context::literal(ip, offset) } else { crate::context::cell(fp, offset) } }
}

/// Where an opline has its inline cache: so far behind it as its `d` says. A second cache, for another class, lies behind that.
///
/// # Safety
/// The opline has one.
#[inline(always)]
pub unsafe fn cache_of(ip: Ip) -> *mut Site {
    // SAFETY: by the caller.
    unsafe { ip.byte_offset((*ip).d as isize).cast::<Site>().cast_mut() }
}

/// An opline's inline cache.
///
/// # Safety
/// As [`cache_of`].
#[inline(always)]
pub unsafe fn site<'a>(ip: Ip) -> &'a mut Site {
    // SAFETY: by the caller.
    unsafe { &mut *cache_of(ip) }
}

/// The second cache of an opline, for objects of another class.
///
/// # Safety
/// As [`cache_of`].
#[inline(always)]
pub unsafe fn second_site<'a>(ip: Ip) -> &'a mut Site {
    // SAFETY: by the caller; caches lie in pairs.
    unsafe { &mut *cache_of(ip).add(1) }
}

/// The inline cache with this number, for oplines whose `d` says something else.
///
/// # Safety
/// It is one of the frame's function.
#[inline(always)]
pub unsafe fn numbered_cache(fp: Fp, number: u32) -> *mut Site {
    // SAFETY: by the caller.
    unsafe { (*(*fp.cast::<Frame>()).code).site(number) }
}

/// As [`numbered_cache`].
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn numbered_site<'a>(fp: Fp, number: u32) -> &'a mut Site {
    // SAFETY: by the caller.
    unsafe { &mut *numbered_cache(fp, number) }
}

/// Fills a cache for a class; what it held becomes the second one.
///
/// # Safety
/// It is the first cache of an opline.
#[inline(never)]
pub unsafe fn fill_site(cache: *mut Site, filled: Site) {
    // SAFETY: by the caller; caches lie in pairs.
    unsafe {
        let first = &mut *cache;
        if first.key != 0 && first.key != filled.key {
            *cache.add(1) = *first;
        }
        *first = filled;
    }
}

fn is_literal(operand: Operand) -> bool {
    matches!(operand, Operand::Lit(_))
}

/// Does the opline at a position jump backwards?
fn is_backward(at: usize, lowered: &Lowered) -> bool {
    // Positions are compared by the instructions they stand for: oplines are in the same order.
    let opline = &lowered.ops[at];
    opline.target != NO_TARGET
        && lowered
            .ops
            .get(opline.target as usize)
            .is_some_and(|target| (opline.target as usize) <= at && target.pc <= opline.pc)
}

/// The handler of the opline at a position, perhaps one that does the next one, too.
pub fn select(at: usize, lowered: &Lowered) -> Handler {
    superinstructions::select(at, lowered).unwrap_or_else(|| select_single(at, lowered))
}

/// The handler of the opline alone.
fn select_single(at: usize, lowered: &Lowered) -> Handler {
    let opline = &lowered.ops[at];
    let back = is_backward(at, lowered);
    match opline.op {
        OpCode::Nop => moves::nop,
        OpCode::Copy | OpCode::CopyQuiet | OpCode::Assign | OpCode::AssignResult | OpCode::UnsetLocal => {
            moves::select(opline)
        }
        OpCode::This | OpCode::Free | OpCode::Dup | OpCode::Deref => moves::select(opline),
        OpCode::Binary | OpCode::AssignOp | OpCode::IncDec | OpCode::Unary | OpCode::ConcatN => arith::select(opline),
        OpCode::Compare | OpCode::JmpIf | OpCode::JmpIfNot => compare::select(opline, back, lowered),
        OpCode::InstanceOf | OpCode::IsType | OpCode::IssetLocal | OpCode::EmptyLocal => compare::select_test(opline),
        OpCode::Jmp
        | OpCode::JmpZ
        | OpCode::JmpNZ
        | OpCode::JmpNull
        | OpCode::JmpNotNull
        | OpCode::JmpDefined
        | OpCode::JmpByValue
        | OpCode::Switch
        | OpCode::Throw
        | OpCode::Catch
        | OpCode::Unwind => control::select(opline, back),
        OpCode::Ret
        | OpCode::RetRef
        | OpCode::InitFunc
        | OpCode::InitMethod
        | OpCode::InitStatic
        | OpCode::InitNew
        | OpCode::InitDynamic
        | OpCode::InitSlow
        | OpCode::InitUser
        | OpCode::SendLocal
        | OpCode::SendSlow
        | OpCode::SendValue
        | OpCode::Call
        | OpCode::CallRef
        | OpCode::CallSlow
        | OpCode::CallNamed
        | OpCode::Callable
        | OpCode::VerifyParam => calls::select(opline),
        OpCode::GetElem
        | OpCode::GetElemList
        | OpCode::GetElemQuiet
        | OpCode::IssetElem
        | OpCode::SetElem
        | OpCode::Append
        | OpCode::NewTuple
        | OpCode::AddNewElem
        | OpCode::AddElem => elements::select(opline),
        OpCode::GetProp
        | OpCode::GetPropQuiet
        | OpCode::IssetProp
        | OpCode::SetProp
        | OpCode::GetStatic
        | OpCode::ClassConst
        | OpCode::Const => props::select(opline),
        OpCode::SetPath
        | OpCode::SetOpPath
        | OpCode::IncDecPath
        | OpCode::UnsetPath
        | OpCode::RefPath
        | OpCode::BindPath => path_slow::select(opline, lowered),
        OpCode::GetPropNamed | OpCode::SetPropNamed => named_props::select(opline),
        OpCode::Clone | OpCode::Closure | OpCode::ClassName => classes::select(opline),
        OpCode::RefLocal => references::ref_local,
        OpCode::RefGlobal => references::ref_global,
        OpCode::BindLocal => references::bind_local,
        OpCode::StaticLocal => misc::static_local,
        OpCode::InitStaticLocal => misc::init_static_local,
        OpCode::IterInit | OpCode::IterInitRef | OpCode::IterNext | OpCode::IterFree => iterate::select(opline),
        OpCode::Echo
        | OpCode::SilenceBegin
        | OpCode::SilenceEnd
        | OpCode::Step
        | OpCode::StepValue
        | OpCode::VerifyReturn
        | OpCode::UnpackLocal
        | OpCode::CreateGenerator
        | OpCode::Yield
        | OpCode::YieldFrom => misc::select(opline),
    }
}
