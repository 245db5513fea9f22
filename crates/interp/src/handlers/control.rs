//! Jumps, switches and exceptions.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; `a` is the source that decides,
//! and `d` is the offset in bytes to the target's opline. A switch has its table in place of operand `c` and of `d`.

use super::{Handler, go, jump, next, slow, slow_handler, switch_handler};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use crate::switch::SwitchMap;
use crate::tier;
use crate::unwind;
use phlox_lower::{ANY_PARAMETER, FALLS_THROUGH, OpCode, Operand, Opline};
use phlox_runtime::{ObjExt, PhpResult, Val, View, convert};
use phlox_value::{interrupt, raw};

/// The handler of a jump, switch, throw or catch; `back`: the jump goes backwards.
pub fn select(opline: &Opline, back: bool) -> Handler {
    let in_frame = matches!(opline.a, Operand::Tmp(_) | Operand::Local(_));
    match (opline.op, back) {
        (OpCode::Jmp, true) => jmp::<true>,
        (OpCode::Jmp, false) => jmp::<false>,
        (OpCode::JmpZ, _) if !in_frame => test_slow_handler::<false>,
        (OpCode::JmpNZ, _) if !in_frame => test_slow_handler::<true>,
        (OpCode::JmpZ, true) => test::<false, true>,
        (OpCode::JmpZ, false) => test::<false, false>,
        (OpCode::JmpNZ, true) => test::<true, true>,
        (OpCode::JmpNZ, false) => test::<true, false>,
        (OpCode::JmpNull, _) => jmp_null,
        (OpCode::JmpNotNull, _) => jmp_not_null,
        (OpCode::JmpDefined, _) => jmp_defined,
        (OpCode::JmpByValue, _) => jmp_by_value,
        (OpCode::Switch, _) if matches!(opline.a, Operand::Local(_)) => switch,
        (OpCode::Switch, _) => switch_slow_handler,
        (OpCode::Throw, _) => throw,
        (OpCode::Catch, _) => catch,
        _ => unwind_op,
    }
}

/// Serves the interrupt that a backward jump found, and goes on with the jump's target.
///
/// # Safety
/// `ip` is a jump, an opline of the innermost frame.
#[inline(never)]
pub unsafe fn interrupted(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `ip` is a jump: `d` leads to an opline of the same function.
    unsafe {
        match safe_point(run) {
            Ok(()) => ip.byte_offset((*ip).d as isize),
            Err(throw) => run.raise(throw),
        }
    }
}

/// Serves what the interrupt word asks for, such as a cycle collection or the time limit; an error is to be raised.
pub fn safe_point(run: &mut Run) -> PhpResult<()> {
    let requests = interrupt::take();
    if requests & interrupt::DESTRUCT != 0 {
        phlox_value::run_deferred_destructors();
        run.vm.check_pending()?;
    }
    if phlox_runtime::gc_should_run() {
        phlox_runtime::collect_when_due();
        run.vm.check_pending()?;
    }
    if requests & interrupt::COMPILED != 0 {
        tier::take_awaited();
    }
    if requests & interrupt::MEMORY != 0 {
        phlox_value::outside::check();
    }
    if requests & interrupt::TIMEOUT != 0 {
        run.vm.check_deadline()?;
    }
    if requests & interrupt::SIGNAL != 0 {
        run.vm.handle_signals()?;
    }
    Ok(())
}

/// `Jmp`; `BACK`: to an opline before it.
unsafe extern "C-unwind" fn jmp<const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `Jmp` has the offset of its target in `d`.
    unsafe { jump!(ip, fp, run, BACK) }
}

/// `JmpZ` and `JmpNZ` of a simple value in the frame; jumps when it is `WHEN`.
pub(super) unsafe extern "C-unwind" fn test<const WHEN: bool, const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `JmpZ` and `JmpNZ` is a cell of the frame here, and `d` leads to the target.
    unsafe {
        let place = cell(fp, (*ip).a);
        let answer = match raw::tag(place) {
            raw::TI_TRUE => true,
            raw::TI_FALSE | raw::TI_NULL => false,
            raw::TI_INT => raw::payload(place) != 0,
            _ => return test_uncommon::<WHEN, BACK>(ip, fp, run),
        };
        if answer == WHEN {
            jump!(ip, fp, run, BACK)
        }
        next!(ip, fp, run)
    }
}

/// `JmpZ` and `JmpNZ` of floats, strings, arrays and objects, and of values behind a reference.
#[inline(never)]
unsafe extern "C-unwind" fn test_uncommon<const WHEN: bool, const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` is a cell of the frame, which is consumed once if it is a temporary.
    unsafe {
        let (own, kind) = (cell(fp, (*ip).a), (*run).meta(ip).a);
        let place = if kind == Kind::Local { raw::look_through(own) } else { own };
        let Some(answer) = truth(place).filter(|_| give_up(own, kind)) else { slow!(test_slow::<WHEN>, ip, fp, run) };
        if answer == WHEN {
            jump!(ip, fp, run, BACK)
        }
        next!(ip, fp, run)
    }
}

/// The truth of a value. `None`: the value is undefined, a reference or a resource, or an object whose class decides.
#[inline(never)]
pub(super) unsafe fn truth(place: *const Val) -> Option<bool> {
    // SAFETY: the callers pass a live cell, which nothing changes meanwhile.
    let value = unsafe { &*place };
    match value.view() {
        View::Obj(object) if object.class().native.cast.is_none() => Some(true),
        View::Null | View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_) | View::Arr(_) => {
            Some(convert::to_bool(value))
        }
        _ => None,
    }
}

/// Releases an operand if it is a temporary. False: nothing was done, because an array or object that would be freed may run PHP
/// code.
#[inline(always)]
pub(super) unsafe fn give_up(operand: *const Val, kind: Kind) -> bool {
    // SAFETY: `operand` is an operand of the opline at hand; a temporary is consumed by this alone.
    unsafe {
        let (payload, tag) = (raw::payload(operand), raw::tag(operand));
        if kind != Kind::Tmp || raw::release_shared(payload, tag) {
            return true;
        }
        if tag != raw::TI_STR && raw::count(payload) == 1 {
            return false;
        }
        raw::release_counted(payload, tag);
        true
    }
}

/// `JmpZ` and `JmpNZ` of a literal or `$this`.
unsafe extern "C-unwind" fn test_slow_handler<const WHEN: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the slow path has the same contract as this handler of `JmpZ` and `JmpNZ`.
    unsafe { slow!(test_slow::<WHEN>, ip, fp, run) }
}

/// `JmpZ` and `JmpNZ` of all values.
#[inline(never)]
unsafe fn test_slow<const WHEN: bool>(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `JmpZ` or `JmpNZ`, which `fetch` consumes.
    unsafe {
        let (answer, result) = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => (convert::to_bool(&value), Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        finish_branch(run, ip, result, answer == WHEN)
    }
}

/// Finishes the slow path of a branch: raises an error, or returns the opline to go on with.
///
/// # Safety
/// `ip` is a branch, an opline of the innermost frame.
pub unsafe fn finish_branch(run: &mut Run, ip: Ip, result: PhpResult<()>, taken: bool) -> Ip {
    // SAFETY: `ip` is a branch, as `branch_to` requires.
    unsafe {
        match result.and_then(|()| run.vm.check_pending()) {
            Err(throw) => run.raise(throw),
            Ok(()) => branch_to(run, ip, taken),
        }
    }
}

/// The opline after a branch; a backward one passes a safe point first.
///
/// # Safety
/// `ip` is a branch, an opline of the innermost frame.
#[inline(always)]
pub unsafe fn branch_to(run: &mut Run, ip: Ip, taken: bool) -> Ip {
    // SAFETY: a branch is not the last opline, and `d` leads to an opline of the same function.
    unsafe {
        let asked = || (*run.interrupt).load(std::sync::atomic::Ordering::Relaxed) != 0;
        if !taken {
            ip.add(1)
        } else if (*ip).d <= 0 && asked() {
            interrupted(ip, std::ptr::null_mut(), run)
        } else {
            ip.byte_offset((*ip).d as isize)
        }
    }
}

/// `JmpNull`: the temporary stays.
unsafe extern "C-unwind" fn jmp_null(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `JmpNull` is a full temporary, and `d` leads to the target.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) <= raw::TI_NULL {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `JmpNotNull`: the temporary stays.
unsafe extern "C-unwind" fn jmp_not_null(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `JmpNotNull` is a full temporary, and `d` leads to the target.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) > raw::TI_NULL {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `JmpDefined`: skips the default value of a parameter that was passed.
unsafe extern "C-unwind" fn jmp_defined(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `JmpDefined` is a local, and `d` leads to the target.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) != raw::TI_UNDEF {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

/// `JmpByValue`: skips the oplines that pass an argument by reference, if the pending call takes it by value.
unsafe extern "C-unwind" fn jmp_by_value(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `JmpByValue` is a filled header, and `d` leads to the target.
    unsafe {
        let callee = cell(fp, (*ip).a).cast::<Frame>();
        let by_ref = match (*run).meta(ip).n {
            ANY_PARAMETER => crate::calls::takes_references(callee),
            param => crate::calls::passes_by_ref(callee, param),
        };
        if by_ref {
            next!(ip, fp, run)
        }
        go!(ip.byte_offset((*ip).d as isize), fp, run)
    }
}

/// `Switch` on a local: integers whose cases are close together are found by one access to a table.
unsafe extern "C-unwind" fn switch(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` is a local; the opline was given its table when the function was lowered, which lives as long as the code.
    unsafe {
        let value = cell(fp, (*ip).a);
        if let SwitchMap::Dense { base, targets, default } = &*(*ip).switch_map()
            && raw::tag(value) == raw::TI_INT
        {
            let place = (raw::payload(value) as i64).wrapping_sub(*base) as usize;
            let target = if place < targets.len() { *targets.get_unchecked(place) } else { *default };
            go!(target, fp, run)
        }
        switch_uncommon(ip, fp, run)
    }
}

/// `Switch` on a local for all other values and tables.
#[inline(never)]
unsafe extern "C-unwind" fn switch_uncommon(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `Switch` is a local; the table's targets are oplines of this function.
    unsafe {
        let value = raw::look_through(cell(fp, (*ip).a));
        if raw::tag(value) == raw::TI_UNDEF {
            slow!(switch_slow, ip, fp, run)
        }
        let map = &*(*ip).switch_map();
        if (*ip).b != 0 && !map.fits(&*value) {
            next!(ip, fp, run)
        }
        go!(map.target(&*value), fp, run)
    }
}

slow_handler!(switch_slow_handler, switch_slow);

/// `Switch` on a temporary or literal, or on an undefined local.
#[inline(never)]
unsafe fn switch_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `Switch`, which `fetch` consumes; a switch is not the last opline.
    unsafe {
        let meta = run.meta(ip);
        let is_test = meta.n & FALLS_THROUGH != 0 && meta.a == Kind::Local;
        if is_test && raw::tag(raw::look_through(cell(run.frame.cast(), (*ip).a))) == raw::TI_UNDEF {
            return ip.add(1);
        }
        let value = match run.fetch(ip, (*ip).a, meta.a) {
            Ok(value) => value,
            Err(throw) => return run.raise(throw),
        };
        let map = &run.code().body().switches[(meta.n & !FALLS_THROUGH) as usize];
        let target = match meta.n & FALLS_THROUGH != 0 && !map.fits(&value) {
            true => ip.add(1),
            false => map.target(&value),
        };
        drop(value);
        match run.vm.check_pending() {
            Ok(()) => target,
            Err(throw) => run.raise(throw),
        }
    }
}

slow_handler!(throw, throw_slow);

/// `Throw`.
#[inline(never)]
unsafe fn throw_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `Throw`, which `fetch` consumes.
    unsafe {
        let throw = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => run.machine.throw_value(value),
            Err(throw) => throw,
        };
        run.raise(throw)
    }
}

slow_handler!(catch, catch_slow);

/// `Catch`: puts the exception that unwinding found into the destination.
#[inline(never)]
unsafe fn catch_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `c` of `Catch` is an empty temporary.
    unsafe {
        let caught = run.caught.take();
        raw::put(cell(fp, (*ip).c), caught.map_or(Val::NULL, Val::from));
        ip.add(1)
    }
}

switch_handler!(unwind_op, unwind_slow);

/// `Unwind`: ends a fault funclet and goes on unwinding.
#[inline(never)]
unsafe fn unwind_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: the innermost frame is at the `Unwind` that ends a fault funclet.
    unsafe { unwind::end_cleanup(run).unwrap_or_else(|| ip.add(1)) }
}

/// Raises [`Run::thrown`]. The innermost frame's saved position is where it was thrown. Never inlined: the build's profile shows
/// the compiler that the handler of `Throw` jumps here, and that handler would need a stack frame with this function inlined.
#[inline(never)]
pub unsafe extern "C-unwind" fn throw_pending(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ip` is `Run::throw_op`, not an opline of the frame, so the saved position is left alone; unwinding returns an
    // opline of `run.frame`.
    unsafe {
        let _ = (ip, fp);
        let next = unwind::start(&mut *run);
        if next.is_null() {
            return super::stop(run);
        }
        let fp: Fp = (*run).frame.cast();
        go!(next, fp, run)
    }
}
