//! Copies, assignments to locals, and the like.

use super::{Handler, LITERAL, is_literal, next, release_next, slow, source};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw;

pub fn select(opline: &Opline) -> Handler {
    let temporary = matches!(opline.a, Operand::Tmp(_));
    match opline.op {
        OpCode::Copy if is_literal(opline.a) => copy_literal,
        OpCode::Copy if temporary => move_temporary,
        OpCode::Copy => copy_local,
        OpCode::CopyQuiet => copy_quiet,
        OpCode::Assign if is_literal(opline.a) => assign::<LITERAL, false>,
        OpCode::Assign if temporary => assign::<0, true>,
        OpCode::Assign => assign::<0, false>,
        OpCode::AssignResult => assign_result,
        OpCode::UnsetLocal => unset_local,
        OpCode::This => this,
        OpCode::Free => free,
        OpCode::Dup => dup,
        _ => deref,
    }
}

pub unsafe extern "C-unwind" fn nop(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
    unsafe { next!(ip, fp, run) }
}

unsafe extern "C-unwind" fn copy_literal(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`; literals are not counted.
    unsafe {
        let from = source::<LITERAL>(ip, fp, (*ip).a);
        raw::write(cell(fp, (*ip).c), raw::payload(from), raw::tag(from));
        next!(ip, fp, run)
    }
}

unsafe extern "C-unwind" fn move_temporary(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = cell(fp, (*ip).a);
        raw::write(cell(fp, (*ip).c), raw::payload(from), raw::tag(from));
        next!(ip, fp, run)
    }
}

#[inline(never)]
pub(super) unsafe extern "C-unwind" fn copy_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = raw::look_through(cell(fp, (*ip).a));
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        if tag == raw::TI_UNDEF {
            slow!(fetch_to_result, ip, fp, run)
        }
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

#[inline(never)]
unsafe fn fetch_to_result(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let value = run.fetch(ip, (*ip).a, run.meta(ip).a);
        let result = value.and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

unsafe extern "C-unwind" fn copy_quiet(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = raw::look_through(cell(fp, (*ip).a));
        let (payload, mut tag) = (raw::payload(from), raw::tag(from));
        if tag == raw::TI_UNDEF && (*ip).d == 0 {
            tag = raw::TI_NULL;
        }
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

unsafe extern "C-unwind" fn assign<const KIND: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = source::<KIND>(ip, fp, (*ip).a);
        let to = cell(fp, (*ip).c);
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        let old = raw::tag(to);
        if old == raw::TI_REF || (!MOVES && (tag == raw::TI_UNDEF || tag == raw::TI_REF)) {
            return assign_through::<KIND, MOVES>(ip, fp, run);
        }
        if !MOVES && KIND != LITERAL {
            raw::retain(payload, tag);
        }
        if old & raw::COUNTED != 0 {
            let old_payload = raw::payload(to);
            raw::write(to, payload, tag);
            release_next!(old_payload, old, ip, fp, run)
        }
        raw::write(to, payload, tag);
        next!(ip, fp, run)
    }
}

/// As [`assign`], where a local is a reference.
#[inline(never)]
unsafe extern "C-unwind" fn assign_through<const KIND: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = source::<KIND>(ip, fp, (*ip).a);
        let from = if MOVES { from } else { raw::look_through(from) };
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        let own = cell(fp, (*ip).c);
        let is_typed = raw::tag(own) == raw::TI_REF && raw::is_typed_ref(raw::payload(own));
        if is_typed || tag == raw::TI_UNDEF || tag == raw::TI_REF {
            slow!(assign_slow, ip, fp, run)
        }
        if !MOVES && KIND != LITERAL {
            raw::retain(payload, tag);
        }
        let to = raw::look_through(own);
        let (before, old) = (raw::payload(to), raw::tag(to));
        raw::write(to, payload, tag);
        release_next!(before, old, ip, fp, run)
    }
}

#[inline(never)]
unsafe fn assign_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let result = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => run.assign(cell(fp, (*ip).c), value),
            Err(throw) => Err(throw),
        };
        run.finish(ip, result)
    }
}

/// Assigns to a local and gives the value, where nothing is converted and nothing dies.
unsafe extern "C-unwind" fn assign_result(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let to = cell(fp, (*ip).c);
        let kind = (*run).meta(ip).a;
        let from = if kind == Kind::Lit { source::<LITERAL>(ip, fp, (*ip).a) } else { cell(fp, (*ip).a) };
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        let (before, old) = (raw::payload(to), raw::tag(to));
        let is_plain = old != raw::TI_REF && tag != raw::TI_UNDEF && tag != raw::TI_REF && kind != Kind::This;
        if !is_plain || !raw::release_shared(before, old) {
            slow!(assign_result_slow, ip, fp, run)
        }
        raw::retain(payload, tag);
        if kind == Kind::Local {
            raw::retain(payload, tag);
        }
        raw::write(to, payload, tag);
        raw::write(cell(fp, (*ip).b), payload, tag);
        next!(ip, fp, run)
    }
}

#[inline(never)]
unsafe fn assign_result_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let to = cell(fp, (*ip).c);
        let result = run.fetch(ip, (*ip).a, run.meta(ip).a).and_then(|value| {
            // The result is what is stored, whatever a destructor of the old value does to the variable.
            let value = match (*to).as_ref() {
                Some(reference) => {
                    let strict = run.code().func().strict_types();
                    phlox_runtime::coerce::reference_value(run.vm, &reference.clone(), value, strict)?
                }
                None => value,
            };
            let to = raw::look_through(to);
            raw::put(cell(fp, (*ip).b), value.clone());
            drop((*to).replace(value));
            Ok(())
        });
        let has_result = result.is_ok();
        let next = run.finish(ip, result);
        if has_result && run.thrown.is_some() {
            drop(raw::take(cell(fp, (*ip).b)));
        }
        next
    }
}

unsafe extern "C-unwind" fn unset_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`; the value is given up once the variable is undefined.
    unsafe {
        let local = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(local), raw::tag(local));
        raw::write_tag(local, raw::TI_UNDEF);
        release_next!(payload, tag, ip, fp, run)
    }
}

unsafe extern "C-unwind" fn this(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let payload = (*fp.cast::<Frame>()).this;
        let to = cell(fp, (*ip).c);
        if payload == 0 {
            if (*ip).d == 1 {
                raw::write_tag(to, raw::TI_NULL);
                next!(ip, fp, run)
            }
            slow!(no_this, ip, fp, run)
        }
        raw::retain(payload, raw::TI_OBJ);
        raw::write(to, payload, raw::TI_OBJ);
        next!(ip, fp, run)
    }
}

#[inline(never)]
unsafe fn no_this(_ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    let throw = run.vm.throw_error(b"Using $this when not in object context");
    run.raise(throw)
}

unsafe extern "C-unwind" fn free(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let place = cell(fp, (*ip).a);
        let tag = raw::tag(place);
        release_next!(raw::payload(place), tag, ip, fp, run)
    }
}

unsafe extern "C-unwind" fn dup(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let from = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

unsafe extern "C-unwind" fn deref(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `nop`.
    unsafe {
        let place = cell(fp, (*ip).a);
        match raw::tag(place) {
            raw::TI_REF => slow!(deref_slow, ip, fp, run),
            raw::TI_UNDEF => raw::write_tag(place, raw::TI_NULL),
            _ => {}
        }
        next!(ip, fp, run)
    }
}

#[inline(never)]
unsafe fn deref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: called by handlers with their opline.
    unsafe {
        let place = cell(fp, (*ip).a);
        let value = raw::take(place).into_deref().or_null();
        raw::put(place, value);
        run.finish(ip, Ok(()))
    }
}
