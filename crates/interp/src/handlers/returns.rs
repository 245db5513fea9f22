//! Returns, and checks of what is returned.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is a `Ret` or `RetRef` of the innermost frame `fp`, and `a` is the source
//! of the result. Afterwards the caller's frame `prev` is the innermost one; its saved position is its call, whose operand `c`
//! gets the result. A run's first frame (`FLAG_ENTRY`) ends the run.

use super::call_user_func;
use super::params::{remember_class, takes_class};
use super::{
    Handler, LITERAL, go, is_literal, next, numbered_cache, release_next, site, slow, slow_switch, source,
    switch_handler,
};
use crate::code::{Kind, STATIC_RESULT};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::{
    FLAG_ANSWERS, FLAG_BORROWS_THIS, FLAG_DISCARDS, FLAG_ENTRY, FLAG_GENERATOR, FLAG_GUARDED, FLAG_INLINE, FLAG_MIDWAY,
    FLAG_TO_BOOL, FLAGS_SPECIAL, Frame,
};
use crate::{implicit_calls, iterator, leave};
use phlox_lower::{ITER_CELLS, OpCode, Operand, Opline};
use phlox_oracle::machine::Exit;
use phlox_runtime::{Val, coerce, convert};
use phlox_value::raw;

/// The handler of a return. `iterates`: the function has iterators.
pub fn select(opline: &Opline, iterates: bool) -> Handler {
    let typed = opline.n == 1;
    match opline.op {
        OpCode::Ret if iterates => match (opline.a, typed) {
            (Operand::Lit(_), true) => ret_uncommon::<LITERAL, false, true>,
            (Operand::Lit(_), false) => ret_uncommon::<LITERAL, false, false>,
            (Operand::Local(_), true) => ret_uncommon::<0, true, true>,
            (Operand::Local(_), false) => ret_uncommon::<0, true, false>,
            (Operand::Tmp(_), true) => ret_uncommon::<0, false, true>,
            (Operand::Tmp(_), false) => ret_uncommon::<0, false, false>,
            _ => ret_slow_handler,
        },
        OpCode::Ret if is_literal(opline.a) && typed => ret::<LITERAL, false, true>,
        OpCode::Ret if is_literal(opline.a) => ret::<LITERAL, false, false>,
        OpCode::Ret if matches!(opline.a, Operand::Local(_)) && typed => ret::<0, true, true>,
        OpCode::Ret if matches!(opline.a, Operand::Local(_)) => ret::<0, true, false>,
        OpCode::Ret if matches!(opline.a, Operand::Tmp(_)) && typed => ret::<0, false, true>,
        OpCode::Ret if matches!(opline.a, Operand::Tmp(_)) => ret::<0, false, false>,
        OpCode::RetRef => ret_ref,
        _ => ret_slow_handler,
    }
}

/// `Ret` to the caller in the same run, if nothing that the frame holds is freed with it, as most calls end.
unsafe extern "C-unwind" fn ret<const KIND: u8, const LOCAL: bool, const TYPED: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Ret`: `a` is a source of the kind `KIND`.
    unsafe { ret_shared::<KIND, LOCAL, TYPED, false>(ip, fp, run) }
}

/// `Ret` for callbacks, closures and functions with iterators, too.
#[inline(never)]
unsafe extern "C-unwind" fn ret_uncommon<const KIND: u8, const LOCAL: bool, const TYPED: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Ret`, of which `ret_shared` reads the source.
    unsafe { ret_shared::<KIND, LOCAL, TYPED, true>(ip, fp, run) }
}

/// `Ret` of an object of a class that is not in the first cache: looks into the other caches, and returns the object without
/// another check.
#[inline(never)]
unsafe extern "C-unwind" fn ret_checked<const KIND: u8, const LOCAL: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ret_shared` jumps here if the source of `Ret` is an object.
    unsafe {
        if takes_object::<true>(ip, fp, source::<KIND>(ip, fp, (*ip).a)) {
            return ret::<KIND, LOCAL, false>(ip, fp, run);
        }
        slow_switch!(ret_slow, ip, fp, run)
    }
}

/// `Ret` of a local that is a reference. The local, which ends, gets the value of the reference.
#[inline(never)]
unsafe extern "C-unwind" fn ret_reference<const TYPED: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ret_shared` jumps here if local `a` is a reference; the value is retained before the reference is released.
    unsafe {
        let local = cell(fp, (*ip).a);
        let reference = raw::payload(local);
        let place = raw::ref_place(reference);
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        if tag == raw::TI_UNDEF {
            slow_switch!(ret_slow, ip, fp, run)
        }
        raw::retain(payload, tag);
        raw::write(local, payload, tag);
        // A value that would be freed with the reference is held by the local now.
        if !raw::release_shared(reference, raw::TI_REF) {
            raw::release_counted(reference, raw::TI_REF);
        }
        ret::<0, true, TYPED>(ip, fp, run)
    }
}

/// `Ret` while others hold everything that the frame releases. `OTHERS`: it serves [`ret_uncommon`].
#[inline(always)]
unsafe fn ret_shared<const KIND: u8, const LOCAL: bool, const TYPED: bool, const OTHERS: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Ret`; the caller of a frame without `FLAG_ENTRY` is a frame of this run, which stands at its call.
    unsafe {
        let frame = fp.cast::<Frame>();
        let from = source::<KIND>(ip, fp, (*ip).a);
        let (payload, mut tag) = (raw::payload(from), raw::tag(from));
        let typed_ok =
            !TYPED || (*ip).b >> (tag & 0xff) & 1 != 0 || (tag == raw::TI_OBJ && takes_object::<OTHERS>(ip, fp, from));
        let (flags, closure) = ((*frame).flags, (*frame).closure);
        let special = flags & if OTHERS { FLAGS_SPECIAL & !FLAG_ENTRY } else { FLAGS_SPECIAL } != 0
            || (*frame).env as u64 | if OTHERS { 0 } else { closure } != 0
            || !typed_ok
            || (LOCAL && (tag == raw::TI_REF || tag == raw::TI_UNDEF));
        if !OTHERS && special {
            if LOCAL && tag == raw::TI_REF {
                return ret_reference::<TYPED>(ip, fp, run);
            }
            if !typed_ok && tag == raw::TI_OBJ {
                return ret_checked::<KIND, LOCAL>(ip, fp, run);
            }
            return ret_uncommon::<KIND, LOCAL, TYPED>(ip, fp, run);
        }
        if OTHERS && (special || iterates(frame) || (flags & FLAG_ENTRY != 0 && (*(*run).has_pending).get())) {
            return ret_full::<KIND, LOCAL, TYPED>(ip, fp, run);
        }
        if LOCAL {
            // The value moves. If the frame holds something that would be freed, the local gets the value back, where `ret_full`
            // expects it.
            raw::write_tag(from, raw::TI_UNDEF);
        }
        if !release_held::<OTHERS>(frame) {
            if LOCAL {
                raw::write_tag(from, tag);
            }
            return ret_full::<KIND, LOCAL, TYPED>(ip, fp, run);
        }
        if tag == raw::TI_UNDEF {
            tag = raw::TI_NULL;
        }
        let caller = (*frame).prev;
        (*run).frame = caller;
        if OTHERS && flags & FLAG_ENTRY != 0 {
            (*run).returned = Some((payload, tag));
            return crate::handlers::stop(run);
        }
        let call = (*caller).ip;
        let to = (*call).c;
        if to != 0 {
            raw::write(cell(caller.cast(), to), payload, tag);
            next!(call, caller.cast(), run)
        }
        release_next!(payload, tag, call, caller.cast::<u8>(), run)
    }
}

/// Is the object of a class that the function returned before, or of the late static binding class if the type is `static`?
/// Without `LOOKS` only the first cache is asked.
#[inline(always)]
unsafe fn takes_object<const LOOKS: bool>(ip: Ip, fp: Fp, from: *const Val) -> bool {
    // SAFETY: `ip` is a checked `Ret`, which has an inline cache at `d`, and `from` holds an object.
    unsafe {
        let class = raw::class_of(raw::payload(from));
        let is_static = (*ip).b & STATIC_RESULT != 0 && class == (*fp.cast::<Frame>()).static_class;
        is_static || site(ip).key == class as u64 || LOOKS && takes_class(ip, from)
    }
}

/// Releases what a frame holds, as long as others hold it, too. False: something would be freed; what was released before is
/// marked as such.
#[inline(always)]
unsafe fn release_held<const CLOSURES: bool>(frame: *mut Frame) -> bool {
    // SAFETY: the frame is the innermost one, which returns; each count is released once, since its cell is marked.
    unsafe {
        let mut local = Frame::local(frame, 0);
        let end = local.add((*(*frame).code).locals as usize);
        while local < end {
            let held = raw::tag(local);
            if held & raw::COUNTED != 0 {
                if !raw::release_shared(raw::payload(local), held) {
                    return false;
                }
                raw::write_tag(local, raw::TI_UNDEF);
            }
            local = local.add(1);
        }
        let closure = (*frame).closure;
        if CLOSURES && closure != 0 {
            if !raw::release_shared(closure, raw::TI_OBJ) {
                return false;
            }
            (*frame).closure = 0;
        }
        let this = (*frame).this;
        this == 0 || (*frame).flags & FLAG_BORROWS_THIS != 0 || raw::release_shared(this, raw::TI_OBJ)
    }
}

/// `Ret` for frames with values that are freed, iterators or special flags.
#[inline(never)]
unsafe extern "C-unwind" fn ret_full<const KIND: u8, const LOCAL: bool, const TYPED: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Ret`; frames of destructors start above `run.floor` while this one, which is not the innermost any
    // more, is read.
    unsafe {
        let frame = fp.cast::<Frame>();
        let from = source::<KIND>(ip, fp, (*ip).a);
        let (payload, mut tag) = (raw::payload(from), raw::tag(from));
        let typed_ok =
            !TYPED || (*ip).b >> (tag & 0xff) & 1 != 0 || (tag == raw::TI_OBJ && takes_object::<true>(ip, fp, from));
        let flags = (*frame).flags;
        let has_extra = leave::has_only_extra_arguments(frame);
        let special = flags & FLAG_GENERATOR != 0
            || !(*frame).env.is_null() && !has_extra
            || !typed_ok
            || (LOCAL && (tag == raw::TI_UNDEF || tag == raw::TI_REF));
        if special {
            slow_switch!(ret_slow, ip, fp, run)
        }
        let code = (*frame).code;
        let caller = (*frame).prev;
        if flags & FLAGS_SPECIAL == 0 && (*(*caller).ip).c == 0 {
            // The call does not use the result: a temporary is released before the locals, and a local in its turn.
            if !LOCAL && KIND != LITERAL && tag & raw::COUNTED != 0 {
                (*frame).ip = ip;
                raw::write_tag(from, raw::TI_UNDEF);
                raw::release(payload, tag);
            }
            tag = raw::TI_NULL;
        } else if LOCAL {
            // The local ends: its value moves.
            raw::write_tag(from, raw::TI_UNDEF);
        }
        if tag == raw::TI_UNDEF {
            tag = raw::TI_NULL;
        }
        (*run).frame = caller;
        (*run).floor = fp.add((*code).frame_bytes.get() as usize);
        let mut local = Frame::local(frame, 0);
        let end = local.add((*code).locals as usize);
        while local < end {
            let tag = raw::tag(local);
            if tag & raw::COUNTED != 0 {
                raw::write_tag(local, raw::TI_UNDEF);
                if !raw::release_shared(raw::payload(local), tag) {
                    raw::release_counted(raw::payload(local), tag);
                }
            }
            local = local.add(1);
        }
        if iterates(frame) {
            free_iterators(frame);
        }
        if has_extra {
            leave::release_env(frame);
        }
        let (this, closure) = ((*frame).this, (*frame).closure);
        if this != 0 && flags & FLAG_BORROWS_THIS == 0 && !raw::release_shared(this, raw::TI_OBJ) {
            raw::release_counted(this, raw::TI_OBJ);
        }
        if closure != 0 && !raw::release_shared(closure, raw::TI_OBJ) {
            raw::release_counted(closure, raw::TI_OBJ);
        }
        (*run).floor = std::ptr::null_mut();
        if flags & FLAGS_SPECIAL != 0 && flags & FLAG_ENTRY == 0 {
            if flags & FLAG_ANSWERS != 0 {
                (*run).dying = (payload, tag);
                return call_user_func::answer(ip, caller.cast(), run);
            }
            let call = (*caller).ip;
            let is_bool = tag == raw::TI_FALSE || tag == raw::TI_TRUE;
            let is_final = flags & FLAG_MIDWAY == 0 && !(*(*run).has_pending).get();
            let is_wanted = flags & FLAG_DISCARDS == 0;
            let is_plain = match is_wanted {
                true => {
                    tag != raw::TI_REF && (is_bool || flags & FLAG_TO_BOOL == 0) && (*run).meta(call).c == Kind::Tmp
                }
                false => tag & raw::COUNTED == 0,
            };
            if !is_final || !is_plain {
                (*run).dying = (payload, tag);
                return give_above(ip, fp, run);
            }
            if flags & FLAG_GUARDED != 0 {
                (*run).vm.guards.end();
            }
            if is_wanted {
                raw::write(cell(caller.cast(), (*call).c), payload, tag);
            }
            // The guard may have been the last holder of the object.
            if (*(*run).has_pending).get() {
                let (ip, fp) = (call, caller.cast::<u8>());
                if is_wanted {
                    slow!(pending, ip, fp, run)
                }
                slow!(crate::handlers::finish_only, ip, fp, run)
            }
            next!(call, caller.cast(), run)
        }
        if flags & FLAG_ENTRY != 0 {
            (*run).returned = Some((payload, tag));
            if (*(*run).has_pending).get() {
                fail_entry(run);
            }
            return crate::handlers::stop(run);
        }
        let call = (*caller).ip;
        let to = (*call).c;
        if to != 0 {
            raw::write(cell(caller.cast(), to), payload, tag);
        } else {
            raw::release(payload, tag);
        }
        if (*(*run).has_pending).get() {
            let (ip, fp) = (call, caller.cast::<u8>());
            slow!(pending, ip, fp, run)
        }
        next!(call, caller.cast(), run)
    }
}

/// Does an iterator of the frame hold something?
#[inline(always)]
unsafe fn iterates(frame: *mut Frame) -> bool {
    // SAFETY: the callers pass a live frame, whose function says how many iterators it has.
    unsafe {
        let mut iter = Frame::iter(frame, 0);
        let end = Frame::iter(frame, (*(*frame).code).iters);
        while iter < end {
            if raw::tag(iter) != raw::TI_UNDEF {
                return true;
            }
            iter = iter.add(ITER_CELLS as usize);
        }
        false
    }
}

/// Frees the iterators of a frame that ends.
#[inline(never)]
unsafe fn free_iterators(frame: *mut Frame) {
    // SAFETY: the frame is still in memory, and each iterator is freed once.
    unsafe {
        for index in 0..(*(*frame).code).iters {
            iterator::free(Frame::iter(frame, index));
        }
    }
}

/// A destructor threw while the run's first frame ended: the run ends with that exception.
#[cold]
#[inline(never)]
unsafe fn fail_entry(run: *mut Run) {
    // SAFETY: `ret_full` passes the run that ends; `Run::returned` owns the value, which is released once.
    unsafe {
        let run = &mut *run;
        if let Err(throw) = run.vm.check_pending() {
            drop(run.returned.take().map(|(payload, tag)| raw::value(payload, tag)));
            run.exit = Some(Err(throw));
        }
    }
}

/// A destructor threw while a frame ended: the call's result, which is in its place, is released.
#[inline(never)]
unsafe fn pending(call: Ip, caller: Fp, run: &mut Run) -> Ip {
    // SAFETY: `ret_full` passes the caller's frame and its call, whose result is in place if it is used.
    unsafe {
        match run.vm.check_pending() {
            Ok(()) => call.add(1),
            Err(throw) => {
                if (*call).c != 0 {
                    drop(raw::take(cell(caller, (*call).c)));
                }
                run.raise(throw)
            }
        }
    }
}

switch_handler!(ret_slow_handler, ret_slow);

/// `Ret` of all values: checks or converts the result, and ends the frame.
#[inline(never)]
unsafe fn ret_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `fetch` consumes the source of `Ret`; `site` numbers a cache of the function.
    unsafe {
        let meta = run.meta(ip);
        let func = run.code().func();
        let value = match meta.a {
            // The literal that stands for `return;` stays undefined, so that the check can tell it from null.
            Kind::Lit if raw::tag(literal(ip, (*ip).a)) == raw::TI_UNDEF => Ok(Val::UNDEF),
            kind => run.fetch(ip, (*ip).a, kind),
        };
        let value = value.and_then(|value| match (&func.return_type, meta.n) {
            (Some(ty), 1) if !coerce::quick_match(ty, &value) => {
                let value = coerce::return_value(run.vm, func, ty, value)?;
                let depends = ty.has(phlox_hhbc::TypeMask::STATIC | phlox_hhbc::TypeMask::CALLABLE);
                if !depends && value.as_obj().is_some() {
                    let class = raw::class_of(raw::payload(&raw const value)) as u64;
                    remember_class(numbered_cache(fp, meta.site), class, ty, func.scope.get());
                }
                Ok(value)
            }
            _ => Ok(value.or_null()),
        });
        match value {
            Ok(value) => leave_with(run, value),
            Err(throw) => run.raise(throw),
        }
    }
}

/// Ends the innermost frame with a value; returns the opline to go on with, or null if the run ends.
///
/// # Safety
/// The innermost frame is that of a PHP function whose live temporaries have been consumed.
pub unsafe fn leave_with(run: &mut Run, value: Val) -> Ip {
    // SAFETY: the innermost frame returns; its caller is a frame of this run, or it has `FLAG_ENTRY`.
    unsafe {
        let frame = run.frame;
        let flags = (*frame).flags;
        let caller = (*frame).prev;
        if flags & FLAG_INLINE != 0 {
            crate::generator::leave_inline(run, frame);
            return crate::generator::returned_inline(run, frame, value);
        }
        // The call does not use the result, which is released before the locals.
        let is_plain = flags & (FLAGS_SPECIAL | FLAG_GENERATOR) == 0;
        let value = match is_plain && (*(*caller).ip).c == 0 {
            true => {
                drop(value);
                Val::NULL
            }
            false => value,
        };
        leave::leave_frame(run, frame);
        if flags & FLAG_ANSWERS != 0 {
            return call_user_func::answer_with(run, value);
        }
        if flags & FLAG_ENTRY != 0 {
            run.exit = Some(match run.vm.check_pending() {
                Ok(()) => Ok(Exit::Return(value)),
                Err(throw) => Err(throw),
            });
            return std::ptr::null();
        }
        returned_above(run, caller, flags, value)
    }
}

/// Passes [`Run::dying`], the result of a frame that has ended, to the opline of the frame below.
#[inline(never)]
unsafe extern "C-unwind" fn give_above(_: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `ret_full` jumps here; nothing has overwritten the header of the frame that ended.
    unsafe {
        let next = give_dying(&mut *run, fp.cast());
        go!(next, (*run).frame.cast(), run)
    }
}

/// Passes [`Run::dying`] to the opline of the frame below the one that has ended.
#[inline(never)]
unsafe fn give_dying(run: &mut Run, frame: *mut Frame) -> Ip {
    // SAFETY: nothing has overwritten the header of the frame that ended; `Run::dying` owns the value.
    unsafe {
        let (payload, tag) = run.dying;
        returned_above(run, (*frame).prev, (*frame).flags, raw::value(payload, tag))
    }
}

/// The result as a call gets it: without its reference, unless the call's opcode keeps references.
pub fn as_wanted(call: OpCode, value: Val) -> Val {
    if call.keeps_reference() { value } else { value.into_deref() }
}

/// Passes the result of a frame that has ended, and had these flags, to the opline of the frame below.
#[inline(never)]
unsafe fn returned_above(run: &mut Run, caller: *mut Frame, flags: u32, value: Val) -> Ip {
    // SAFETY: `caller` is the innermost frame, and its saved position is the opline that called.
    unsafe {
        let call = (*caller).ip;
        if flags & FLAG_MIDWAY != 0 {
            return implicit_calls::go_on(run, call, value);
        }
        if flags & FLAG_GUARDED != 0 {
            run.vm.guards.end();
        }
        if flags & FLAG_DISCARDS != 0 {
            drop(value);
            return run.finish(call, Ok(()));
        }
        let value = match flags & FLAG_TO_BOOL != 0 {
            true => Val::bool(convert::to_bool(&value.into_deref())),
            false => value,
        };
        let result = run.store(call, as_wanted(run.meta(call).op, value));
        let next = run.finish(call, result);
        if run.thrown.is_some() && (*call).c != 0 {
            drop(raw::take(cell(caller.cast(), (*call).c)));
        }
        next
    }
}

switch_handler!(ret_ref, ret_ref_slow);

/// `RetRef`.
#[inline(never)]
unsafe fn ret_ref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `RetRef` is a full temporary, which is taken.
    unsafe {
        let value = raw::take(cell(fp, (*ip).a));
        leave_with(run, value)
    }
}
