//! Jumps, exceptions.

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

/// Something asked for attention at a backward jump, which follows.
#[inline(never)]
pub unsafe fn interrupted(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        match safe_point(run) {
            Ok(()) => ip.byte_offset((*ip).d as isize),
            Err(throw) => run.raise(throw),
        }
    }
}

/// Does what was asked for: a cycle collection, the end of the time limit.
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

unsafe extern "C-unwind" fn jmp<const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe { jump!(ip, fp, run, BACK) }
}

pub(super) unsafe extern "C-unwind" fn test<const WHEN: bool, const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// As [`test`], of strings, arrays and objects, and of what is behind a reference.
#[inline(never)]
unsafe extern "C-unwind" fn test_uncommon<const WHEN: bool, const BACK: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; a temporary is consumed.
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

/// What a value is as a condition. `None`: it is undefined, or its class decides.
#[inline(never)]
pub(super) unsafe fn truth(place: *const Val) -> Option<bool> {
    // SAFETY: called with a live value.
    let value = unsafe { &*place };
    match value.view() {
        View::Obj(object) if object.class().native.cast.is_none() => Some(true),
        View::Null | View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_) | View::Arr(_) => {
            Some(convert::to_bool(value))
        }
        _ => None,
    }
}

/// Gives up an operand if it is a temporary. False: nothing happened, as something that may run PHP code would die.
#[inline(always)]
pub(super) unsafe fn give_up(operand: *const Val, kind: Kind) -> bool {
    // SAFETY: called with an operand of an opline, which is used once.
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

unsafe extern "C-unwind" fn test_slow_handler<const WHEN: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe { slow!(test_slow::<WHEN>, ip, fp, run) }
}

#[inline(never)]
unsafe fn test_slow<const WHEN: bool>(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let (answer, result) = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => (convert::to_bool(&value), Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        finish_branch(run, ip, result, answer == WHEN)
    }
}

/// After the slow path of a branch.
///
/// # Safety
/// `ip` is the branch, an opline of the innermost frame.
pub unsafe fn finish_branch(run: &mut Run, ip: Ip, result: PhpResult<()>, taken: bool) -> Ip {
    // SAFETY: by the caller.
    unsafe {
        match result.and_then(|()| run.vm.check_pending()) {
            Err(throw) => run.raise(throw),
            Ok(()) => branch_to(run, ip, taken),
        }
    }
}

/// Where a branch goes; backwards only past a safe point.
///
/// # Safety
/// As [`finish_branch`].
#[inline(always)]
pub unsafe fn branch_to(run: &mut Run, ip: Ip, taken: bool) -> Ip {
    // SAFETY: by the caller.
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

unsafe extern "C-unwind" fn jmp_null(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) <= raw::TI_NULL {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

unsafe extern "C-unwind" fn jmp_not_null(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) > raw::TI_NULL {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

unsafe extern "C-unwind" fn jmp_defined(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe {
        if raw::tag(cell(fp, (*ip).a)) != raw::TI_UNDEF {
            go!(ip.byte_offset((*ip).d as isize), fp, run)
        }
        next!(ip, fp, run)
    }
}

/// Skips the oplines that pass an argument by reference, if the pending call takes it by value.
unsafe extern "C-unwind" fn jmp_by_value(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame; a pending call's header is at `a`.
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

/// Goes by what a variable holds: integers whose cases are near each other are told by one look into a table.
unsafe extern "C-unwind" fn switch(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame, which holds its table.
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

/// The same of anything else.
#[inline(never)]
unsafe extern "C-unwind" fn switch_uncommon(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `switch`.
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

#[inline(never)]
unsafe fn switch_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
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

#[inline(never)]
unsafe fn throw_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let throw = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => run.machine.throw_value(value),
            Err(throw) => throw,
        };
        run.raise(throw)
    }
}

slow_handler!(catch, catch_slow);

#[inline(never)]
unsafe fn catch_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let caught = run.caught.take();
        raw::put(cell(fp, (*ip).c), caught.map_or(Val::NULL, Val::from));
        ip.add(1)
    }
}

switch_handler!(unwind_op, unwind_slow);

#[inline(never)]
unsafe fn unwind_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe { unwind::end_cleanup(run).unwrap_or_else(|| ip.add(1)) }
}

/// Raises what [`Run::raise`] was given. The innermost frame's saved position is where it was thrown. Never inlined: the profile knows
/// where the handler of `throw` jumps to, which needs no room on the stack then.
#[inline(never)]
pub unsafe extern "C-unwind" fn throw_pending(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as other handlers; this one is no opline of the frame, so the position is left alone.
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
