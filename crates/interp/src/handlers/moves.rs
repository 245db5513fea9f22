//! Copies, assignments to locals, and the like.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; its operands are cells of that
//! frame, literals or `$this`. `a` is the source, `c` the destination.

use super::{Handler, LITERAL, is_literal, next, release_next, slow, source};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use phlox_lower::{OpCode, Operand, Opline};
use phlox_value::raw;

/// The handler of a copy, an assignment to a local, or what else moves a value.
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

/// `Nop`.
pub unsafe extern "C-unwind" fn nop(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: a `Nop` is never the last opline of its function.
    unsafe { next!(ip, fp, run) }
}

/// `Copy` of a literal.
unsafe extern "C-unwind" fn copy_literal(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Copy`: `a` is a literal, which is not counted, `c` an empty temporary.
    unsafe {
        let from = source::<LITERAL>(ip, fp, (*ip).a);
        raw::write(cell(fp, (*ip).c), raw::payload(from), raw::tag(from));
        next!(ip, fp, run)
    }
}

/// `Copy` of a temporary, which is empty afterwards.
unsafe extern "C-unwind" fn move_temporary(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Copy`: `a` is a full temporary, whose count moves to the empty temporary `c`.
    unsafe {
        let from = cell(fp, (*ip).a);
        raw::write(cell(fp, (*ip).c), raw::payload(from), raw::tag(from));
        next!(ip, fp, run)
    }
}

/// `Copy` of a local.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn copy_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Copy`: `a` is a local, `c` an empty temporary.
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

/// `Copy` of an undefined local: warns and gives null.
#[inline(never)]
unsafe fn fetch_to_result(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Copy`, which `fetch` reads and `store` writes.
    unsafe {
        let value = run.fetch(ip, (*ip).a, run.meta(ip).a);
        let result = value.and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

/// `CopyQuiet`.
unsafe extern "C-unwind" fn copy_quiet(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `CopyQuiet`: `a` is a local, `c` an empty temporary.
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

/// `Assign` to a local that is no reference. `MOVES`: the source is a temporary.
unsafe extern "C-unwind" fn assign<const KIND: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Assign`: `a` is a source of the kind `KIND`, `c` a local, whose old value is released last.
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

/// `Assign` where the source or the destination is a local that holds a reference.
#[inline(never)]
unsafe extern "C-unwind" fn assign_through<const KIND: u8, const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Assign`; a local with the tag of a reference holds a live one.
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

/// `Assign` of all values.
#[inline(never)]
unsafe fn assign_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Assign`, of which `fetch` consumes the source; no borrow of the local lives while PHP code runs.
    unsafe {
        let result = match run.fetch(ip, (*ip).a, run.meta(ip).a) {
            Ok(value) => run.assign(cell(fp, (*ip).c), value),
            Err(throw) => Err(throw),
        };
        run.finish(ip, result)
    }
}

/// `AssignResult` where nothing is converted and no value is freed.
unsafe extern "C-unwind" fn assign_result(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `AssignResult`: `a` is a source, `b` an empty temporary, `c` a local.
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

/// `AssignResult` of all values.
#[inline(never)]
unsafe fn assign_result_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `AssignResult`; the result is written before a destructor of the old value can run.
    unsafe {
        let to = cell(fp, (*ip).c);
        let result = run.fetch(ip, (*ip).a, run.meta(ip).a).and_then(|value| {
            // The result is the value that is stored, whatever a destructor of the old value does to the local.
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

/// `UnsetLocal`.
unsafe extern "C-unwind" fn unset_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` is a local, which is undefined before its old value is released.
    unsafe {
        let local = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(local), raw::tag(local));
        raw::write_tag(local, raw::TI_UNDEF);
        release_next!(payload, tag, ip, fp, run)
    }
}

/// `This`.
unsafe extern "C-unwind" fn this(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the frame's header has the payload of `$this` or 0; `c` is an empty temporary.
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

/// `This` where there is no `$this`.
#[inline(never)]
unsafe fn no_this(_ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    let throw = run.vm.throw_error(b"Using $this when not in object context");
    run.raise(throw)
}

/// `Free`.
unsafe extern "C-unwind" fn free(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `Free` is a full temporary, which is consumed.
    unsafe {
        let place = cell(fp, (*ip).a);
        let tag = raw::tag(place);
        release_next!(raw::payload(place), tag, ip, fp, run)
    }
}

/// `Dup`.
unsafe extern "C-unwind" fn dup(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `Dup` is a full temporary that stays, `c` an empty one.
    unsafe {
        let from = cell(fp, (*ip).a);
        let (payload, tag) = (raw::payload(from), raw::tag(from));
        raw::retain(payload, tag);
        raw::write(cell(fp, (*ip).c), payload, tag);
        next!(ip, fp, run)
    }
}

/// `Deref` of a value that is no reference.
unsafe extern "C-unwind" fn deref(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `Deref` is a full temporary that stays.
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

/// `Deref` of a reference.
#[inline(never)]
unsafe fn deref_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `Deref` is a full temporary, which is taken and filled again.
    unsafe {
        let place = cell(fp, (*ip).a);
        let value = raw::take(place).into_deref().or_null();
        raw::put(place, value);
        run.finish(ip, Ok(()))
    }
}
