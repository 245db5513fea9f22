//! The handlers: one function for each opcode and combination of operand kinds.
//!
//! A handler ends in a tail call of the next opline's handler, which compiles to a jump. A handler therefore has no local with a
//! destructor and does not pass on the address of a local. Whatever is not short is a slow path: a separate function that returns
//! the opline to go on with.
//!
//! # The contract of handlers
//!
//! A handler is entered with `(ip, fp, run)` under the conditions below. The previous handler's jump keeps them; the notes on
//! unsafe code in these files name the condition that they rely on.
//! - Frame: `run` is the running interpreter, `fp` is `run.frame`, its innermost frame, which is alive and does not move.
//! - Opline: `ip` is an opline of that frame's function, and [`select`] chose this handler for its opcode and the kinds of its
//!   operands. ([`THROW_PENDING`] is entered with `Run::throw_op`, which belongs to no function.)
//! - Operands: `a`, `b` and `c` are the offset from `fp` of a cell of the frame, or the offset from `ip` of a literal's cell. 0
//!   means that there is no operand. A local's cell always holds something: a value, "undefined" or a reference. A temporary that
//!   is read holds a value and is consumed, unless the opcode's row says that it stays. A destination is a temporary that is empty
//!   once the sources are consumed (it may have been one of them), or a local whose old value is released.
//! - Cache: an opline with an inline cache has a pair of them. `d` is the offset from `ip` of the pair, unless `d` is a jump;
//!   `Meta::site` numbers it.
//! - Pending call: the operand that names a pending call is the offset of a call header, a [`Frame`] that lies among the
//!   temporaries; its arguments follow it.
//! - Successor: the offset of a jump leads to an opline of the function, and an opline from which control falls through is not the
//!   last one.
//!
//! A slow path is called under the contract of its handler, after the frame's position was set to `ip`, and has `run` for itself.
//! Slow paths are also called from compiled code, for an opline of the innermost frame ([`single_step`]).

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
mod plain_elements;
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
        // `Frame::ip` keeps the last position that was saved. Every opline that can fail has to save its own position. Builds with
        // assertions clear the position, so that they find the opline that forgets to do so.
        #[cfg(debug_assertions)]
        {
            let fp: crate::context::Fp = $fp;
            (*fp.cast::<crate::frame::Frame>()).ip = std::ptr::null();
        }
        crate::handlers::go!($ip.add(1), $fp, $run)
    }};
}

/// Leaves the rest to a slow path that stays in the frame: jumps to a function that calls the slow path, so that the handler needs
/// no stack frame.
macro_rules! slow {
    ($path:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let entry = crate::handlers::slow_entry(|ip, fp, run| $path(ip, fp, run));
        return entry($ip, $fp, $run);
    }};
}

/// Leaves the rest to a slow path after which another frame may be the innermost; the slow path returns null where the run ends.
macro_rules! slow_switch {
    ($path:expr, $ip:expr, $fp:expr, $run:expr) => {{
        let entry = crate::handlers::slow_switch_entry(|ip, fp, run| $path(ip, fp, run));
        return entry($ip, $fp, $run);
    }};
}

/// Releases a value that was taken out of its cell, and goes on with the next opline.
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

/// Jumps by the opline's displacement; a backward jump passes a safe point first.
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
            // SAFETY: the contract of handlers, which the slow path shares; `Frame::ip` is written to the innermost frame.
            unsafe {
                (*fp.cast::<crate::frame::Frame>()).ip = ip;
                let ip = $path(ip, fp, &mut *run);
                crate::handlers::go!(ip, fp, run)
            }
        }
    };
}

/// Defines a handler that only has a slow path, after which another frame may be the innermost.
macro_rules! switch_handler {
    ($name:ident, $path:expr) => {
        pub unsafe extern "C-unwind" fn $name(
            ip: crate::context::Ip,
            fp: crate::context::Fp,
            run: *mut crate::context::Run,
        ) {
            // SAFETY: the contract of handlers, which the slow path shares; afterwards the frame is read from `run` again.
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

/// Saves the frame's position, calls the slow path `P`, and goes on in the same frame.
#[inline(never)]
unsafe extern "C-unwind" fn enter_slow<P: Fn(Ip, Fp, &mut Run) -> Ip>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract of handlers, which the slow path shares; `P` has no bytes, so a dangling pointer to it is valid.
    unsafe {
        let path = std::ptr::NonNull::<P>::dangling().as_ref();
        (*fp.cast::<crate::frame::Frame>()).ip = ip;
        #[cfg(feature = "count-oplines")]
        crate::stats::counts::slow((*run).meta(ip).op);
        let ip = path(ip, fp, &mut *run);
        go!(ip, fp, run)
    }
}

/// The handler that calls a slow path after which another frame may be the innermost; see `slow_switch!`.
#[inline(always)]
pub(crate) fn slow_switch_entry<P: Fn(Ip, Fp, &mut Run) -> Ip>(_: P) -> Handler {
    const { assert!(size_of::<P>() == 0) };
    enter_slow_switch::<P>
}

/// Saves the frame's position, calls the slow path `P`, and goes on in the frame that is the innermost one then.
#[inline(never)]
unsafe extern "C-unwind" fn enter_slow_switch<P: Fn(Ip, Fp, &mut Run) -> Ip>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract of handlers, which the slow path shares; `P` has no bytes; afterwards the frame is read from `run`
    // again.
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

/// Releases [`Run::dying`], which may run a destructor, and goes on with the next opline.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn release_and_next(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract of handlers; `Run::dying` was taken out of its cell by the handler that jumped here.
    unsafe {
        if !release_dying(ip, fp, run) {
            slow!(finish_only, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Releases [`Run::dying`]; false: a destructor threw.
#[inline(always)]
unsafe fn release_dying(ip: Ip, fp: Fp, run: *mut Run) -> bool {
    // SAFETY: `fp` is the innermost frame and `ip` its opline; `Run::dying` is the only owner of its count.
    unsafe {
        (*fp.cast::<Frame>()).ip = ip;
        let (payload, tag) = (*run).dying;
        phlox_value::raw::release(payload, tag);
        !(*(*run).has_pending).get()
    }
}

/// Releases [`Run::dying`], which may run a destructor, and then jumps backwards by the opline's displacement.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn release_and_jump_back(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract of handlers for an opline with a jump; `Run::dying` was taken out of its cell.
    unsafe {
        if !release_dying(ip, fp, run) {
            slow!(finish_only, ip, fp, run)
        }
        jump!(ip, fp, run, true)
    }
}

/// The slow path of an opline whose work is done: reports what a destructor threw, or goes on.
#[inline(never)]
pub(crate) unsafe fn finish_only(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `ip` is an opline of the innermost frame, and not its function's last one.
    unsafe { run.finish(ip, Ok(())) }
}

/// Ends the run: [`Run::execute`] returns.
#[cold]
pub(crate) fn stop(run: *mut Run) {
    #[cfg(feature = "loop-dispatch")]
    // SAFETY: handlers and slow paths call this with the run that executes them.
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

/// Where a handler finds a source: in the frame, at an offset from `fp`.
pub const IN_FRAME: u8 = 0;
/// Where a handler finds a source: among the literals, at an offset from `ip`.
pub const LITERAL: u8 = 1;

/// The cell of a source.
///
/// # Safety
/// `offset` is an operand of `ip`, an opline of the frame `fp`: a literal if `KIND` is [`LITERAL`], else a cell of the frame.
#[inline(always)]
pub unsafe fn source<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> *mut phlox_runtime::Val {
    // SAFETY: `offset` is a literal's offset from `ip` or a cell's offset from `fp`, as `KIND` says.
    unsafe { if KIND == LITERAL { crate::context::literal(ip, offset) } else { crate::context::cell(fp, offset) } }
}

/// The first inline cache of an opline, found by the offset in `d`. The second one, for another class, lies behind it.
///
/// # Safety
/// `ip` is an opline whose `d` is the offset of its inline caches.
#[inline(always)]
pub unsafe fn cache_of(ip: Ip) -> *mut Site {
    // SAFETY: `d` is the offset of a cache in the block of the function's code, which lives as long as the process.
    unsafe { ip.byte_offset((*ip).d as isize).cast::<Site>().cast_mut() }
}

/// The first inline cache of an opline.
///
/// # Safety
/// `ip` is an opline whose `d` is the offset of its inline caches, to which no other reference is in use.
#[inline(always)]
pub unsafe fn site<'a>(ip: Ip) -> &'a mut Site {
    // SAFETY: the opline has a cache at `d`, and the caller uses no other reference to it.
    unsafe { &mut *cache_of(ip) }
}

/// The second inline cache of an opline, for objects of another class.
///
/// # Safety
/// `ip` is an opline whose `d` is the offset of its inline caches, to which no other reference is in use.
#[inline(always)]
pub unsafe fn second_site<'a>(ip: Ip) -> &'a mut Site {
    // SAFETY: the opline has a cache at `d`; caches are laid out in pairs.
    unsafe { &mut *cache_of(ip).add(1) }
}

/// The inline cache with a number ([`Meta::site`](crate::code::Meta)), for oplines whose `d` is a jump or a number.
///
/// # Safety
/// `fp` is a live frame, and `number` is that of a cache of its function.
#[inline(always)]
pub unsafe fn numbered_cache(fp: Fp, number: u32) -> *mut Site {
    // SAFETY: a live frame's function is lowered, and `number` is that of one of its caches.
    unsafe { (*(*fp.cast::<Frame>()).code).site(number) }
}

/// The inline cache with a number, by reference.
///
/// # Safety
/// `fp` is a live frame, `number` is that of a cache of its function, and no other reference to the cache is in use.
#[inline(always)]
pub unsafe fn numbered_site<'a>(fp: Fp, number: u32) -> &'a mut Site {
    // SAFETY: `number` is that of a cache of the frame's function, and the caller uses no other reference to it.
    unsafe { &mut *numbered_cache(fp, number) }
}

/// Fills the first cache of an opline; its old content, if it is for another key, moves to the second one.
///
/// # Safety
/// `cache` is the first inline cache of an opline, to which no reference is in use.
#[inline(never)]
pub unsafe fn fill_site(cache: *mut Site, filled: Site) {
    // SAFETY: `cache` is the first of a pair, so that `cache + 1` is a cache, too.
    unsafe {
        let first = &mut *cache;
        if first.key != 0 && first.key != filled.key {
            *cache.add(1) = *first;
        }
        *first = filled;
    }
}

/// Is the operand a literal?
fn is_literal(operand: Operand) -> bool {
    matches!(operand, Operand::Lit(_))
}

/// Does the opline at a position jump backwards?
fn is_backward(at: usize, lowered: &Lowered) -> bool {
    // The target of a backward jump is not behind the jump, and does not stand for a later instruction.
    let opline = &lowered.ops[at];
    opline.target != NO_TARGET
        && lowered
            .ops
            .get(opline.target as usize)
            .is_some_and(|target| (opline.target as usize) <= at && target.pc <= opline.pc)
}

/// The handler of the opline at a position: a superinstruction, which executes the next opline, too, if there is one for the two.
pub fn select(at: usize, lowered: &Lowered) -> Handler {
    superinstructions::select(at, lowered).unwrap_or_else(|| select_single(at, lowered))
}

/// The handler that executes the opline at a position alone.
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
