//! Output, generators, and what the plain interpreter does for us.

use super::{Handler, slow_handler, switch_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::{FLAG_ENTRY, FLAG_INLINE, Frame};
use crate::{bridge, generator};
use phlox_lower::{OpCode, Opline};
use phlox_oracle::machine::Exit;
use phlox_runtime::{View, convert};
use phlox_value::raw;

pub fn select(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::Echo => echo,
        OpCode::CreateGenerator => create_generator,
        OpCode::Yield => suspend,
        OpCode::YieldFrom => delegate,
        _ => step,
    }
}

slow_handler!(echo, echo_slow);

#[inline(never)]
unsafe fn echo_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

slow_handler!(step, step_slow);

#[inline(never)]
unsafe fn step_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let meta = run.meta(ip);
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

switch_handler!(create_generator, create_generator_slow);

#[inline(never)]
unsafe fn create_generator_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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
        // The frame moved: the caller gets the object.
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

switch_handler!(suspend, suspend_slow);

#[inline(never)]
unsafe fn suspend_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline; only the body of a generator yields.
    unsafe {
        let meta = run.meta(ip);
        let key = match meta.b {
            Kind::None => None,
            _ => Some(raw::take(cell(run.frame.cast(), (*ip).b))),
        };
        let value = raw::take(cell(run.frame.cast(), (*ip).a));
        if (*run.frame).flags & FLAG_INLINE != 0 {
            return generator::yield_inline(run, ip, key, value);
        }
        run.exit = Some(Ok(Exit::Yield { key, value }));
        std::ptr::null()
    }
}

switch_handler!(delegate, delegate_slow);

#[inline(never)]
unsafe fn delegate_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: as `suspend_slow`.
    unsafe {
        let source = raw::take(cell(run.frame.cast(), (*ip).a));
        if (*run.frame).flags & FLAG_INLINE != 0 {
            return generator::delegate_inline(run, ip, source);
        }
        run.exit = Some(Ok(Exit::Delegate(source)));
        std::ptr::null()
    }
}
