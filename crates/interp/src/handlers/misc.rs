//! Output, generators, static variables, and instructions that the reference interpreter executes.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; its operands are cells of that
//! frame or literals.

use super::{Handler, dynamic, go, next, slow, slow_handler, slow_switch, switch_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_ENTRY, FLAG_INLINE, Frame};
use crate::{bridge, generator};
use phlox_hhbc::SilenceOp;
use phlox_lower::{OpCode, Operand, Opline};
use phlox_oracle::machine::Exit;
use phlox_runtime::closure;
use phlox_runtime::func::StaticVars;
use phlox_runtime::{PhpObj, Val, View, convert, unpack};
use phlox_value::raw;
use std::rc::Rc;

/// The handler of an opline for output, `@`, generators, or an instruction that the reference interpreter executes.
pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::Echo => match opline.a {
            Operand::Lit(_) => echo::<{ Kind::Lit as u8 }>,
            Operand::Local(_) => echo::<{ Kind::Local as u8 }>,
            Operand::Tmp(_) => echo::<{ Kind::Tmp as u8 }>,
            _ => echo_generic,
        },
        OpCode::SilenceBegin => silence_begin,
        OpCode::SilenceEnd => silence_end,
        OpCode::CreateGenerator => create_generator,
        OpCode::Yield if opline.b == Operand::None => suspend::<false>,
        OpCode::Yield => suspend::<true>,
        OpCode::YieldFrom => delegate,
        OpCode::UnpackLocal => unpack_local,
        OpCode::VerifyReturn => verify_return,
        _ => step,
    }
}

slow_handler!(echo_generic, echo_slow);

/// `Echo` of a string.
unsafe extern "C-unwind" fn echo<const KIND: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    const LITERAL: u8 = Kind::Lit as u8;
    const LOCAL: u8 = Kind::Local as u8;
    // SAFETY: `a` of `Echo` is a source of the kind `KIND`; a temporary's count moves to `write_text`.
    unsafe {
        let place = match KIND {
            LITERAL => crate::context::literal(ip, (*ip).a),
            LOCAL => raw::look_through(cell(fp, (*ip).a)),
            _ => cell(fp, (*ip).a),
        };
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        if tag & 0xff != raw::TI_STR_STATIC {
            slow!(echo_slow, ip, fp, run)
        }
        if KIND == LOCAL {
            // An output callback may change the local.
            raw::retain(payload, tag);
        }
        (*fp.cast::<Frame>()).ip = ip;
        write_text(run, payload, tag);
        if (*(*run).has_pending).get() {
            slow!(super::finish_only, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Outputs a string and releases it.
#[inline(never)]
unsafe fn write_text(run: *mut Run, payload: u64, tag: u32) {
    // SAFETY: `payload` and `tag` are those of a string, whose count the caller gives away.
    unsafe {
        let text = raw::value(payload, tag);
        if let Some(text) = text.as_str() {
            (*run).vm.echo(text);
        }
    }
}

/// `Echo` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn echo_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `Echo`, which `fetch` consumes.
    unsafe {
        let result = run.fetch(ip, (*ip).a, run.meta(ip).a).and_then(|value| {
            match value.view() {
                View::Str(text) => run.vm.echo(text),
                _ => run.vm.echo(&convert::to_str(run.vm, &value)?),
            }
            Ok(())
        });
        run.finish(ip, result)
    }
}

slow_handler!(silence_begin, silence_begin_slow);
slow_handler!(silence_end, silence_end_slow);

/// `SilenceBegin`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn silence_begin_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `SilenceBegin` is a local that only `@` uses.
    unsafe {
        phlox_oracle::silence(run.vm, crate::context::slot(cell(fp, (*ip).a)), SilenceOp::Start);
        ip.add(1)
    }
}

/// `SilenceEnd`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn silence_end_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `SilenceEnd` is a local that only `@` uses.
    unsafe {
        phlox_oracle::silence(run.vm, crate::context::slot(cell(fp, (*ip).a)), SilenceOp::End);
        ip.add(1)
    }
}

slow_handler!(step, step_slow);

/// `VerifyReturn` of a value of an expected type.
unsafe extern "C-unwind" fn verify_return(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `VerifyReturn` is a full temporary; `b` has the types that need no conversion, as bits of their tags.
    unsafe {
        if (*ip).b >> (raw::tag(cell(fp, (*ip).a)) & 0xff) & 1 != 0 {
            next!(ip, fp, run)
        }
        slow!(step_slow, ip, fp, run)
    }
}

/// Executes an instruction that is about no pending call by the reference interpreter; operands other than the inputs are not
/// looked at.
///
/// # Safety
/// `ip` is an opline of the innermost frame `fp`, whose `n` inputs are full temporaries from `a` on.
pub(super) unsafe fn step_alone(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the inputs are full temporaries from `a` on, which `bridge::step` takes.
    unsafe {
        let result = bridge::step(run, ip, cell(fp, (*ip).a), run.meta(ip).n as usize, None);
        run.finish(ip, result.map(drop))
    }
}

/// `Step`, `StepValue` and `VerifyReturn`: executes the instruction by the reference interpreter; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn step_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the `n` inputs are full temporaries from `a` on; `b`, if there is one, is a filled header.
    unsafe {
        let meta = run.meta(ip);
        if let Some(next) = dynamic::step_at_once(ip, fp, run, meta.pc) {
            return next;
        }
        let call = match meta.b {
            Kind::None => None,
            _ => Some(cell(fp, (*ip).b).cast::<Frame>()),
        };
        match bridge::step(run, ip, cell(fp, (*ip).a), meta.n as usize, call) {
            Ok(None) => run.finish(ip, Ok(())),
            Ok(Some(target)) => match run.vm.check_pending() {
                Ok(()) => run.code().entry(target),
                Err(throw) => run.raise(throw),
            },
            Err(throw) => run.finish(ip, Err(throw)),
        }
    }
}

slow_handler!(unpack_local, unpack_local_slow);

/// `UnpackLocal`: the first arguments of a pending call that are in an array.
#[inline(never)]
unsafe fn unpack_local_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `UnpackLocal`: `a` is the temporary with the list of arguments so far, `b` a filled header, `c` a local.
    unsafe {
        let (list, source) = (cell(fp, (*ip).a), raw::look_through(cell(fp, (*ip).c)));
        let code = (*cell(fp, (*ip).b).cast::<Frame>()).code;
        let is_array = |cell: *mut Val| raw::tag(cell) & 0xff == raw::TI_ARR_STATIC;
        let by_value = !code.is_null() && !(*code).has_by_ref;
        if by_value && is_array(list) && is_array(source) && raw::array_at(list).is_empty() {
            let arguments = raw::array_at(source);
            let plain = arguments.as_list().is_some_and(|values| !values.iter().any(Val::is_ref));
            if plain || unpack::are_arguments((*code).func(), 0, arguments) {
                let values = (*source).clone();
                drop((*list).replace(values));
                return ip.add(1);
            }
        }
        step_slow(ip, fp, run)
    }
}

slow_handler!(static_local, static_local_slow);

/// `StaticLocal`: binds a local to a static variable.
#[inline(never)]
unsafe fn static_local_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `StaticLocal`: `a` is a local, `c` the destination.
    unsafe {
        let meta = run.meta(ip);
        let reference = closure::static_var(run.code().func(), running_closure(run), meta.n as usize);
        let is_ready = reference.is_some();
        let place = cell(fp, (*ip).a);
        if raw::tag(place) & raw::COUNTED == 0 && meta.c == Kind::Tmp {
            if let Some(reference) = reference {
                raw::put(place, reference.into());
            }
            raw::write_tag(cell(fp, (*ip).c), if is_ready { raw::TI_TRUE } else { raw::TI_FALSE });
            return ip.add(1);
        }
        if let Some(reference) = reference {
            drop((*place).replace(reference.into()));
        }
        let result = run.store(ip, Val::bool(is_ready));
        run.finish(ip, result)
    }
}

slow_handler!(init_static_local, init_static_local_slow);

/// `InitStaticLocal`: gives a static variable its first value, and binds a local to it.
#[inline(never)]
unsafe fn init_static_local_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InitStaticLocal`: `a` is a local, `b` a source, which `fetch` consumes.
    unsafe {
        let meta = run.meta(ip);
        let result = run.fetch(ip, (*ip).b, meta.b).map(|value| {
            let variables = static_vars(run);
            let Some((slot, initialized)) = variables.vars.get(meta.n as usize) else { return };
            // The initialiser may have called this function, which has initialised the variable then.
            if !initialized.replace(true) {
                slot.set(value);
            }
            drop((*cell(fp, (*ip).a)).replace(slot.make_ref().into()));
        });
        run.finish(ip, result)
    }
}

/// The closure object that the innermost frame was called as.
unsafe fn running_closure<'a>(run: &Run) -> Option<&'a PhpObj> {
    // SAFETY: the innermost frame holds the closure, whose handle has the bits of its payload.
    unsafe {
        let closure = &raw const (*run.frame).closure;
        (*closure != 0).then(|| &*closure.cast::<PhpObj>())
    }
}

/// The static variables of the innermost frame.
unsafe fn static_vars(run: &Run) -> Rc<StaticVars> {
    // SAFETY: slow paths call this while the innermost frame is theirs.
    closure::static_vars(run.code().func(), unsafe { running_closure(run) })
}

switch_handler!(create_generator, create_generator_slow);

/// `CreateGenerator`: the frame moves into a Generator object, which is the call's result.
#[inline(never)]
unsafe fn create_generator_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the innermost frame moves as a whole; the caller is a frame of this run, or the frame has `FLAG_ENTRY`.
    unsafe {
        let frame = run.frame;
        let flags = (*frame).flags;
        let caller = (*frame).prev;
        let object = match generator::create(run, ip) {
            Ok(object) => object,
            Err(throw) if flags & FLAG_ENTRY != 0 => {
                run.exit = Some(Err(throw));
                return std::ptr::null();
            }
            Err(throw) => {
                run.frame = caller;
                return run.raise(throw);
            }
        };
        // The frame has moved: the caller gets the object.
        if flags & FLAG_ENTRY != 0 {
            run.exit = Some(Ok(Exit::Return(object.into())));
            return std::ptr::null();
        }
        run.frame = caller;
        let call = (*caller).ip;
        let result = run.store(call, object.into());
        run.finish(call, result)
    }
}

/// `Yield` to a loop that runs the body in a frame above its own.
unsafe extern "C-unwind" fn suspend<const KEYED: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Yield`: `a`, and `b` if `KEYED`, are sources; the position that is returned is the loop's `IterInit` or
    // `IterNext`.
    unsafe {
        let next = generator::yield_at_once::<KEYED>(ip, fp, run);
        if next.is_null() {
            return if KEYED { suspend_longer(ip, fp, run) } else { suspend_send(ip, fp, run) };
        }
        let fp: Fp = (*run).frame.cast();
        if (*(*run).has_pending).get() {
            slow_switch!(advanced, next, fp, run)
        }
        go!(next.byte_offset((*next).d as isize), fp, run)
    }
}

/// `Yield` to a call of `send()` or `next()`. A function of its own, so that the handler for loops stays short.
#[inline(never)]
unsafe extern "C-unwind" fn suspend_send(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `suspend` jumps here with a `Yield` without a key, nothing of which has been consumed.
    unsafe {
        let call = generator::yield_to_send(ip, fp, run);
        if call.is_null() {
            return suspend_longer(ip, fp, run);
        }
        let fp: Fp = (*run).frame.cast();
        if (*(*run).has_pending).get() {
            slow_switch!(super::finish_only, call, fp, run)
        }
        next!(call, fp, run)
    }
}

/// `Yield` where the fast paths bail out.
#[inline(never)]
unsafe extern "C-unwind" fn suspend_longer(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `suspend` and `suspend_send` jump here with a `Yield`, nothing of which has been consumed.
    unsafe { slow_switch!(suspend_slow, ip, fp, run) }
}

/// Finishes a loop's opline that has got its next value, when a destructor has thrown.
#[inline(never)]
unsafe fn advanced(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `suspend` passes the loop's opline, a branch of the innermost frame.
    unsafe { super::control::finish_branch(run, ip, Ok(()), true) }
}

/// `Yield` of all values, to whatever resumed the generator.
#[inline(never)]
unsafe fn suspend_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: only the body of a generator has a `Yield`; its sources are full temporaries, which are taken once.
    unsafe {
        let meta = run.meta(ip);
        let frame: Fp = run.frame.cast();
        let is_inline = (*run.frame).flags & FLAG_INLINE != 0;
        if is_inline && meta.b == Kind::None && raw::tag(cell(frame, (*ip).a)) != raw::TI_REF {
            return generator::yield_value(run, ip, raw::take(cell(frame, (*ip).a)));
        }
        let key = match meta.b {
            Kind::None => None,
            _ => Some(raw::take(cell(frame, (*ip).b))),
        };
        let value = raw::take(cell(frame, (*ip).a));
        if is_inline {
            return generator::yield_inline(run, ip, key, value);
        }
        run.exit = Some(Ok(Exit::Yield { key, value }));
        std::ptr::null()
    }
}

switch_handler!(delegate, delegate_slow);

/// `YieldFrom`.
#[inline(never)]
unsafe fn delegate_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: only the body of a generator has a `YieldFrom`; its source is a full temporary, which is taken.
    unsafe {
        let source = raw::take(cell(run.frame.cast(), (*ip).a));
        if (*run.frame).flags & FLAG_INLINE != 0 {
            return generator::delegate_inline(run, ip, source);
        }
        run.exit = Some(Ok(Exit::Delegate(source)));
        std::ptr::null()
    }
}
