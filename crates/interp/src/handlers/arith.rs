//! Arithmetic, concatenation, `++` and `--`, casts.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`, and its operands are cells of
//! that frame or literals. `a` and `b` are sources, `c` is the destination (0 if the result is not used). In `AssignOp` and
//! `IncDec` `a` is the local that changes. A slow path has the same opline and consumes temporaries on every way out.

use super::{Handler, IN_FRAME, LITERAL, casts, doubles, is_literal, next, release_next, slow, slow_handler, source};
use crate::code::Kind;
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::frame::Frame;
use phlox_hhbc::{IncDec, SetOp};
use phlox_lower::{OpCode, Operand, Opline, Unary};
use phlox_runtime::{PhpResult, PhpStr, Val, arith, convert, variables};
use phlox_value::raw;

pub(super) const ADD: u8 = SetOp::Add as u8;
pub(super) const SUB: u8 = SetOp::Sub as u8;
pub(super) const MUL: u8 = SetOp::Mul as u8;
pub(super) const DIV: u8 = SetOp::Div as u8;
const MOD: u8 = SetOp::Mod as u8;
pub(super) const AND: u8 = SetOp::BitAnd as u8;
pub(super) const OR: u8 = SetOp::BitOr as u8;
pub(super) const XOR: u8 = SetOp::BitXor as u8;
const SHL: u8 = SetOp::Shl as u8;
const SHR: u8 = SetOp::Shr as u8;

/// The handler of an opline with an operator: `Binary`, `AssignOp`, `IncDec`, `Unary` or `ConcatN`.
pub fn select(opline: &Opline) -> Handler {
    macro_rules! binary {
        ($op:ident) => {
            match (is_literal(opline.a), is_literal(opline.b), matches!(opline.c, Operand::Local(_))) {
                (true, _, false) => binary::<$op, LITERAL, IN_FRAME, false>,
                (true, _, true) => binary::<$op, LITERAL, IN_FRAME, true>,
                (_, true, false) => binary::<$op, IN_FRAME, LITERAL, false>,
                (_, true, true) => binary::<$op, IN_FRAME, LITERAL, true>,
                (_, _, false) => binary::<$op, IN_FRAME, IN_FRAME, false>,
                (_, _, true) => binary::<$op, IN_FRAME, IN_FRAME, true>,
            }
        };
    }
    macro_rules! assign_op {
        ($op:ident) => {
            match (is_literal(opline.b), opline.c == Operand::None) {
                (true, true) => assign_op::<$op, LITERAL, false>,
                (true, false) => assign_op::<$op, LITERAL, true>,
                (false, true) => assign_op::<$op, IN_FRAME, false>,
                (false, false) => assign_op::<$op, IN_FRAME, true>,
            }
        };
    }
    let operator = SetOp::ALL.get(opline.n as usize).copied().unwrap_or(SetOp::Add);
    match opline.op {
        OpCode::Binary => match operator {
            SetOp::Add => binary!(ADD),
            SetOp::Sub => binary!(SUB),
            SetOp::Mul => binary!(MUL),
            SetOp::Div => binary!(DIV),
            SetOp::Mod => binary!(MOD),
            SetOp::BitAnd => binary!(AND),
            SetOp::BitOr => binary!(OR),
            SetOp::BitXor => binary!(XOR),
            SetOp::Shl => binary!(SHL),
            SetOp::Shr => binary!(SHR),
            SetOp::Concat => select_concat(opline),
            SetOp::Pow => binary_generic,
        },
        OpCode::AssignOp => match operator {
            SetOp::Add => assign_op!(ADD),
            SetOp::Sub => assign_op!(SUB),
            SetOp::Mul => assign_op!(MUL),
            SetOp::Div => assign_op!(DIV),
            SetOp::Mod => assign_op!(MOD),
            SetOp::BitAnd => assign_op!(AND),
            SetOp::BitOr => assign_op!(OR),
            SetOp::BitXor => assign_op!(XOR),
            SetOp::Shl => assign_op!(SHL),
            SetOp::Shr => assign_op!(SHR),
            SetOp::Concat => match opline.b {
                Operand::Lit(_) => append::<LITERAL, false>,
                Operand::Tmp(_) => append::<IN_FRAME, true>,
                _ => append::<IN_FRAME, false>,
            },
            SetOp::Pow => assign_generic,
        },
        OpCode::IncDec => match (opline.n, opline.c == Operand::None) {
            (0 | 2, true) => step::<1, false, false>,
            (1 | 3, true) => step::<-1, false, false>,
            (0, false) => step::<1, true, false>,
            (1, false) => step::<-1, true, false>,
            (2, false) => step::<1, true, true>,
            (_, _) => step::<-1, true, true>,
        },
        OpCode::Unary => match Unary::ALL.get(opline.n as usize) {
            Some(Unary::Not) if !is_literal(opline.a) => not,
            Some(Unary::CastString) if casts::has_fast_path(opline) => casts::cast::<{ casts::STRING }>,
            Some(Unary::CastInt) if casts::has_fast_path(opline) => casts::cast::<{ casts::INT }>,
            Some(Unary::CastBool) if casts::has_fast_path(opline) => casts::cast::<{ casts::BOOL }>,
            _ => unary,
        },
        _ => concat_n,
    }
}

/// The handler of a concatenation of two operands.
fn select_concat(opline: &Opline) -> Handler {
    macro_rules! concat {
        ($a:ident, $b:ident) => {
            if matches!(opline.c, Operand::Local(_)) { concat::<$a, $b, true> } else { concat::<$a, $b, false> }
        };
    }
    match (opline.a, opline.b, opline.c) {
        (_, _, Operand::None) => concat_generic,
        (Operand::Lit(_), Operand::Local(_), _) => concat!(TEXT_LITERAL, TEXT_LOCAL),
        (Operand::Lit(_), Operand::Tmp(_), _) => concat!(TEXT_LITERAL, TEXT_TMP),
        (Operand::Local(_), Operand::Lit(_), _) => concat!(TEXT_LOCAL, TEXT_LITERAL),
        (Operand::Local(_), Operand::Local(_), _) => concat!(TEXT_LOCAL, TEXT_LOCAL),
        (Operand::Local(_), Operand::Tmp(_), _) => concat!(TEXT_LOCAL, TEXT_TMP),
        (Operand::Tmp(_), Operand::Lit(_), _) => concat!(TEXT_TMP, TEXT_LITERAL),
        (Operand::Tmp(_), Operand::Local(_), _) => concat!(TEXT_TMP, TEXT_LOCAL),
        (Operand::Tmp(_), Operand::Tmp(_), _) => concat!(TEXT_TMP, TEXT_TMP),
        _ => concat_generic,
    }
}

/// Payload and tag of the result of two numbers, given as payload and tag each; `None`: only the slow path can tell.
#[inline(always)]
fn numbers<const OP: u8>(a: u64, ta: u32, b: u64, tb: u32) -> Option<(u64, u32)> {
    if ta == raw::TI_INT && tb == raw::TI_INT {
        return integers::<OP>(a as i64, b as i64);
    }
    if OP > DIV {
        return None;
    }
    let x = match ta {
        raw::TI_DOUBLE => f64::from_bits(a),
        raw::TI_INT => a as i64 as f64,
        _ => return None,
    };
    let y = match tb {
        raw::TI_DOUBLE => f64::from_bits(b),
        raw::TI_INT => b as i64 as f64,
        _ => return None,
    };
    let result = match OP {
        ADD => x + y,
        SUB => x - y,
        MUL => x * y,
        _ if y != 0.0 => x / y,
        _ => return None,
    };
    Some((result.to_bits(), raw::TI_DOUBLE))
}

/// The result of two integers if it is an integer, too.
#[inline(always)]
fn int_result<const OP: u8>(x: i64, y: i64) -> Option<i64> {
    match OP {
        ADD => x.checked_add(y),
        SUB => x.checked_sub(y),
        MUL => x.checked_mul(y),
        MOD => x.checked_rem(y),
        AND => Some(x & y),
        OR => Some(x | y),
        XOR => Some(x ^ y),
        SHL if (0..64).contains(&y) => Some(x << y),
        SHR if (0..64).contains(&y) => Some(x >> y),
        _ => None,
    }
}

/// Payload and tag of the result of two integers; `None`: only the slow path can tell.
#[inline(always)]
fn integers<const OP: u8>(x: i64, y: i64) -> Option<(u64, u32)> {
    let float = |value: f64| Some((value.to_bits(), raw::TI_DOUBLE));
    let result = match OP {
        ADD => match x.checked_add(y) {
            Some(sum) => sum,
            None => return float(x as f64 + y as f64),
        },
        SUB => match x.checked_sub(y) {
            Some(difference) => difference,
            None => return float(x as f64 - y as f64),
        },
        MUL => match x.checked_mul(y) {
            Some(product) => product,
            None => return float(x as f64 * y as f64),
        },
        DIV => match x.checked_rem(y) {
            Some(0) => x / y,
            Some(_) => return float(x as f64 / y as f64),
            None => return None,
        },
        MOD => x.checked_rem(y)?,
        AND => x & y,
        OR => x | y,
        XOR => x ^ y,
        SHL if (0..64).contains(&y) => x << y,
        SHR if (0..64).contains(&y) => x >> y,
        _ => return None,
    };
    Some((result as u64, raw::TI_INT))
}

/// The result of two floats; `None`: only the slow path can tell.
#[inline(always)]
pub(super) fn double_result<const OP: u8>(x: f64, y: f64) -> Option<f64> {
    match OP {
        ADD => Some(x + y),
        SUB => Some(x - y),
        MUL => Some(x * y),
        DIV if y != 0.0 => Some(x / y),
        _ => None,
    }
}

/// `Binary`. `A` and `B` say where the sources are; `TO_LOCAL`: `c` is a local.
pub(super) unsafe extern "C-unwind" fn binary<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Binary`: `a` and `b` are sources, `c` is the destination.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if of_integers::<OP, TO_LOCAL>(a, b, cell(fp, (*ip).c)) {
            next!(ip, fp, run)
        }
        binary_uncommon::<OP, A, B, TO_LOCAL>(ip, fp, run)
    }
}

/// Writes the result of two integers to `to`. False: nothing was changed.
#[inline(always)]
pub(super) unsafe fn of_integers<const OP: u8, const TO_LOCAL: bool>(
    a: *const Val,
    b: *const Val,
    to: *mut Val,
) -> bool {
    // SAFETY: `a`, `b` and `to` are cells of the frame or literals; nothing else borrows them.
    unsafe {
        if raw::tag(a) == raw::TI_INT
            && raw::tag(b) == raw::TI_INT
            && (!TO_LOCAL || raw::tag(to) & raw::COUNTED == 0)
            && let Some(result) = int_result::<OP>(raw::payload(a) as i64, raw::payload(b) as i64)
        {
            raw::write(to, result as u64, raw::TI_INT);
            return true;
        }
        false
    }
}

/// `Binary` for operands or results that are no integers.
#[inline(never)]
unsafe extern "C-unwind" fn binary_uncommon<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Binary`, as `binary` passed them on.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if OP <= DIV
            && let Some((x, y)) = doubles::pair::<A, B>(a, b)
            && doubles::write::<OP, TO_LOCAL>(x, y, cell(fp, (*ip).c))
        {
            doubles::prefer_binary::<OP, A, B, TO_LOCAL>(ip, fp);
            next!(ip, fp, run)
        }
        let result = numbers::<OP>(raw::payload(a), raw::tag(a), raw::payload(b), raw::tag(b));
        let to = cell(fp, (*ip).c);
        match result {
            Some((payload, tag)) if !TO_LOCAL || raw::tag(to) & raw::COUNTED == 0 => {
                raw::write(to, payload, tag);
                next!(ip, fp, run)
            }
            None if raw::tag(a) == raw::TI_REF || raw::tag(b) == raw::TI_REF => {
                binary_references::<OP, A, B, TO_LOCAL>(ip, fp, run)
            }
            Some(_) if raw::tag(to) == raw::TI_REF => binary_references::<OP, A, B, TO_LOCAL>(ip, fp, run),
            _ => slow!(binary_slow, ip, fp, run),
        }
    }
}

/// `Binary` of numbers where an operand, or the destination, is a local that holds a reference.
#[inline(never)]
unsafe extern "C-unwind" fn binary_references<const OP: u8, const A: u8, const B: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `Binary`; a cell with the tag of a reference holds a live reference.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let (to, meta) = (cell(fp, (*ip).c), (*run).meta(ip));
        let through = |place: *mut Val, kind: Kind| if kind == Kind::Local { raw::look_through(place) } else { place };
        let (x, y) = (through(a, meta.a), through(b, meta.b));
        // A reference that a typed property is bound to may refuse the result, or convert it: the slow path decides.
        let to = match TO_LOCAL && raw::tag(to) == raw::TI_REF && !raw::is_typed_ref(raw::payload(to)) {
            true => raw::ref_place(raw::payload(to)),
            false => to,
        };
        match numbers::<OP>(raw::payload(x), raw::tag(x), raw::payload(y), raw::tag(y)) {
            Some((payload, tag)) if !TO_LOCAL || raw::tag(to) & raw::COUNTED == 0 => {
                raw::write(to, payload, tag);
                next!(ip, fp, run)
            }
            _ => slow!(binary_slow, ip, fp, run),
        }
    }
}

slow_handler!(binary_generic, binary_slow);

/// `Binary` for all operands and operators; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn binary_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Binary`, which `fetch_both` consumes and `store` writes.
    unsafe {
        let operator = operator(run, ip);
        let result = run.fetch_both(ip).and_then(|(a, b)| {
            let value = arith::binary(run.vm, operator, &a, &b)?;
            drop((a, b));
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

/// The operator that an opline's number names.
fn operator(run: &Run, ip: Ip) -> SetOp {
    SetOp::ALL.get(run.meta(ip).n as usize).copied().unwrap_or(SetOp::Add)
}

/// `AssignOp` for two integers. `RESULT`: the result is used.
pub(super) unsafe extern "C-unwind" fn assign_op<const OP: u8, const B: u8, const RESULT: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `AssignOp`: `a` is a local, `b` a source, `c` an empty temporary if `RESULT`.
    unsafe {
        let (a, b) = (cell(fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        // The local holds an integer, which is not counted: its old value needs no release.
        if of_integers::<OP, false>(a, b, a) {
            if RESULT {
                raw::write(cell(fp, (*ip).c), raw::payload(a), raw::TI_INT);
            }
            next!(ip, fp, run)
        }
        assign_op_uncommon::<OP, B, RESULT>(ip, fp, run)
    }
}

/// `AssignOp` for operands or results that are no integers.
#[inline(never)]
unsafe extern "C-unwind" fn assign_op_uncommon<const OP: u8, const B: u8, const RESULT: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `AssignOp`, as `assign_op` passed them on.
    unsafe {
        let (own, b) = (cell(fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if OP <= DIV
            && let Some((x, y)) = doubles::pair::<IN_FRAME, B>(own, b)
            && doubles::write::<OP, false>(x, y, own)
        {
            doubles::prefer_assign_op::<OP, B, RESULT>(ip);
            if RESULT {
                raw::write(cell(fp, (*ip).c), raw::payload(own), raw::TI_DOUBLE);
            }
            next!(ip, fp, run)
        }
        let b = raw::look_through(b);
        let a = raw::look_through(own);
        // A reference may be typed; a type that accepts the old value accepts every value of the same kind.
        let takes = |tag: u32| raw::tag(own) != raw::TI_REF || tag == raw::tag(a);
        match numbers::<OP>(raw::payload(a), raw::tag(a), raw::payload(b), raw::tag(b)) {
            Some((payload, tag)) if takes(tag) => {
                raw::write(a, payload, tag);
                if RESULT {
                    raw::write(cell(fp, (*ip).c), payload, tag);
                }
                next!(ip, fp, run)
            }
            _ => slow!(assign_slow, ip, fp, run),
        }
    }
}

slow_handler!(assign_generic, assign_slow);

/// `AssignOp` for all operands and operators; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn assign_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `AssignOp`; no borrow of the local lives while PHP code runs.
    unsafe {
        let operator = operator(run, ip);
        let result = run.fetch(ip, (*ip).b, run.meta(ip).b).and_then(|operand| {
            if raw::tag(cell(fp, (*ip).a)) == raw::TI_UNDEF {
                run.undefined_local((*ip).a)?;
            }
            let local = crate::context::slot(cell(fp, (*ip).a));
            let strict = run.code().func().strict_types();
            let value = variables::set_op(run.vm, strict, local, operator, &operand)?;
            run.store(ip, value)
        });
        run.finish(ip, result)
    }
}

/// `$local .= b`, without a result. `TEMPORARY`: `b` is a temporary.
unsafe extern "C-unwind" fn append<const B: u8, const TEMPORARY: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of a `.=`: `a` is a local, `b` a source that is consumed if it is a temporary.
    unsafe {
        let (to, tail) = (cell(fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let (payload, tag) = (raw::payload(tail), raw::tag(tail));
        if raw::tag(to) == raw::TI_STR && tag & 0xff == raw::TI_STR_STATIC && (*ip).c == 0 {
            let bytes: *const [u8] = raw::string_at(tail).as_bytes();
            // `append_text` refuses a string that others share, which includes one that is appended to itself.
            if raw::append_text(to, &*bytes) {
                if TEMPORARY {
                    release_next!(payload, tag, ip, fp, run)
                }
                next!(ip, fp, run)
            }
            return append_growing::<B, TEMPORARY>(ip, fp, run);
        }
        slow!(append_slow, ip, fp, run)
    }
}

/// `$local .= b` of two strings, where the local's string is shared or has no room.
#[inline(never)]
unsafe extern "C-unwind" fn append_growing<const B: u8, const TEMPORARY: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `append` found strings in `a` and `b`; releasing a string runs no PHP code.
    unsafe {
        let (to, tail) = (cell(fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if raw::payload(to) == raw::payload(tail) {
            slow!(append_slow, ip, fp, run)
        }
        (*fp.cast::<Frame>()).ip = ip;
        let bytes: *const [u8] = raw::string_at(tail).as_bytes();
        let grown = raw::extended(raw::payload(to), &*bytes);
        raw::write_payload(to, grown);
        if TEMPORARY {
            raw::release(raw::payload(tail), raw::tag(tail));
        }
        next!(ip, fp, run)
    }
}

/// `$local .= b` where an operand is a reference or no string.
#[inline(never)]
unsafe fn append_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of a `.=`; each cell's tag is read before its payload is used.
    unsafe {
        let meta = run.meta(ip);
        let tail = match meta.b {
            Kind::Lit => literal(ip, (*ip).b),
            _ => raw::look_through(cell(fp, (*ip).b)),
        };
        let to = raw::look_through(cell(fp, (*ip).a));
        let direct = raw::tag(to) == raw::TI_STR && meta.c == Kind::None;
        if direct && raw::tag(tail) & 0xff == raw::TI_STR_STATIC && raw::payload(to) != raw::payload(tail) {
            let bytes: *const [u8] = raw::string_at(tail).as_bytes();
            (*to).append_bytes(&*bytes);
            if meta.b == Kind::Tmp {
                drop(raw::take(cell(fp, (*ip).b)));
            }
            return ip.add(1);
        }
        if direct && raw::tag(tail) == raw::TI_INT {
            let mut digits = [0u8; 20];
            let text = convert::int_digits(raw::payload(tail) as i64, &mut digits);
            (*to).append_bytes(text);
            return ip.add(1);
        }
        assign_slow(ip, fp, run)
    }
}

/// `IncDec` of an integer. `RESULT`: the result is used; `POST`: it is the old value.
unsafe extern "C-unwind" fn step<const BY: i64, const RESULT: bool, const POST: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IncDec`: `a` is a local, `c` an empty temporary if `RESULT`.
    unsafe {
        if step_int::<BY, RESULT, POST>(ip, fp, cell(fp, (*ip).a)) {
            next!(ip, fp, run)
        }
        step_reference::<BY, RESULT, POST>(ip, fp, run)
    }
}

/// `IncDec` of an integer that a reference holds. A typed reference that holds an integer accepts every integer.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn step_reference<const BY: i64, const RESULT: bool, const POST: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of `IncDec`; a local with the tag of a reference holds a live reference.
    unsafe {
        if step_int::<BY, RESULT, POST>(ip, fp, raw::look_through(cell(fp, (*ip).a))) {
            next!(ip, fp, run)
        }
        slow!(step_slow, ip, fp, run)
    }
}

/// Increments or decrements the integer in a cell, unless it would overflow. False: the cell holds no integer or its result is
/// none; nothing was changed.
#[inline(always)]
unsafe fn step_int<const BY: i64, const RESULT: bool, const POST: bool>(ip: Ip, fp: Fp, place: *mut Val) -> bool {
    // SAFETY: `place` is the local `a`, or the value of the reference in it; `c` is a destination if `RESULT`.
    unsafe {
        let old = raw::payload(place) as i64;
        if raw::tag(place) != raw::TI_INT {
            return false;
        }
        let Some(new) = old.checked_add(BY) else { return false };
        raw::write_payload(place, new as u64);
        if RESULT {
            raw::write(cell(fp, (*ip).c), if POST { old } else { new } as u64, raw::TI_INT);
        }
        true
    }
}

/// `IncDec` for all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn step_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `IncDec`, of which `store` writes the destination.
    unsafe {
        let operator = IncDec::ALL.get(run.meta(ip).n as usize).copied().unwrap_or(IncDec::PreInc);
        let result = step_place(ip, fp, run, operator).and_then(|value| run.store(ip, value));
        run.finish(ip, result)
    }
}

/// Increments or decrements local `a`; returns the result.
unsafe fn step_place(ip: Ip, fp: Fp, run: &mut Run, operator: IncDec) -> PhpResult<Val> {
    // SAFETY: `a` is a local of the innermost frame; no borrow of it lives while PHP code runs.
    unsafe {
        let place = cell(fp, (*ip).a);
        if raw::tag(place) == raw::TI_UNDEF {
            run.undefined_local((*ip).a)?;
        }
        let strict = run.code().func().strict_types();
        variables::inc_dec(run.vm, strict, crate::context::slot(place), operator)
    }
}

/// `!` of a boolean in the frame.
unsafe extern "C-unwind" fn not(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Unary`: `a` is a cell of the frame and holds a boolean when `c`, an empty temporary, is written.
    unsafe {
        let to = cell(fp, (*ip).c);
        match raw::tag(cell(fp, (*ip).a)) {
            raw::TI_TRUE => raw::write_tag(to, raw::TI_FALSE),
            raw::TI_FALSE => raw::write_tag(to, raw::TI_TRUE),
            _ => slow!(unary_slow, ip, fp, run),
        }
        next!(ip, fp, run)
    }
}

slow_handler!(unary, unary_slow);

/// `Unary` for all operands and operators; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn unary_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Unary`, which `fetch` consumes and `store` writes.
    unsafe {
        let meta = run.meta(ip);
        let operator = Unary::ALL.get(meta.n as usize).copied().unwrap_or(Unary::Not);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|value| {
            let vm = run.vm;
            let made: Val = match operator {
                Unary::Not => Val::bool(!convert::to_bool(&value)),
                Unary::CastBool => Val::bool(convert::to_bool(&value)),
                Unary::CastInt => Val::int(convert::to_int(vm, &value)?),
                Unary::CastDouble => Val::double(convert::to_double(vm, &value)?),
                Unary::CastString => convert::to_str(vm, &value)?.into(),
                Unary::BitNot => arith::bit_not(vm, &value)?,
            };
            drop(value);
            run.store(ip, made)
        });
        run.finish(ip, result)
    }
}

slow_handler!(concat_generic, concat_slow);

/// Where an operand of a concatenation is: among the literals.
const TEXT_LITERAL: u8 = 0;
/// Where an operand of a concatenation is: in a local, perhaps behind a reference.
const TEXT_LOCAL: u8 = 1;
/// Where an operand of a concatenation is: in a temporary, which is consumed.
const TEXT_TMP: u8 = 2;

/// The cell with the value of an operand of a concatenation.
#[inline(always)]
unsafe fn text_source<const KIND: u8>(ip: Ip, fp: Fp, offset: u32) -> *mut Val {
    // SAFETY: `offset` is an operand of the opline, of the kind that `KIND` says.
    unsafe {
        match KIND {
            TEXT_LITERAL => literal(ip, offset),
            TEXT_LOCAL => raw::look_through(cell(fp, offset)),
            _ => cell(fp, offset),
        }
    }
}

/// Joins two strings; a temporary that nobody else holds grows in place.
unsafe extern "C-unwind" fn concat<const A: u8, const B: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of a concatenation, whose tags say that they are strings; releasing a string runs no PHP code.
    unsafe {
        let (a, b) = (text_source::<A>(ip, fp, (*ip).a), text_source::<B>(ip, fp, (*ip).b));
        let (head, head_tag) = (raw::payload(a), raw::tag(a));
        let (tail, tail_tag) = (raw::payload(b), raw::tag(b));
        let to = cell(fp, (*ip).c);
        let old_tag = if TO_LOCAL { raw::tag(to) } else { raw::TI_UNDEF };
        if (head_tag & tail_tag) & 0xff != raw::TI_STR_STATIC
            || (head_tag | tail_tag) & 0xff != raw::TI_STR_STATIC
            || old_tag == raw::TI_REF
        {
            slow!(concat_slow, ip, fp, run)
        }
        // An allocation may exceed the memory limit: the error needs the position.
        (*fp.cast::<Frame>()).ip = ip;
        let bytes: *const [u8] = raw::string_at(b).as_bytes();
        if TO_LOCAL && A == TEXT_LOCAL && a == to && head_tag == raw::TI_STR && raw::count(head) == 1 && head != tail {
            let joined = raw::extended(head, &*bytes);
            raw::write_payload(to, joined);
            if B == TEXT_TMP {
                raw::release(tail, tail_tag);
            }
            next!(ip, fp, run)
        }
        let joined = if A == TEXT_TMP && head_tag == raw::TI_STR && raw::count(head) == 1 {
            raw::extended(head, &*bytes)
        } else {
            let joined = raw::joined(raw::string_at(a).as_bytes(), &*bytes);
            if A == TEXT_TMP {
                raw::release(head, head_tag);
            }
            joined
        };
        if B == TEXT_TMP {
            raw::release(tail, tail_tag);
        }
        if TO_LOCAL {
            let old = raw::payload(to);
            raw::write(to, joined, raw::TI_STR);
            release_next!(old, old_tag, ip, fp, run)
        }
        raw::write(to, joined, raw::TI_STR);
        next!(ip, fp, run)
    }
}

/// The bytes of a string, or the digits of an integer; `None` for other values. A reference is not looked through.
#[inline(always)]
unsafe fn text_of(place: *mut Val, digits: &mut [u8; 20]) -> Option<*const [u8]> {
    // SAFETY: `place` is a live cell; the caller uses the bytes only as long as the value is in it.
    unsafe {
        match raw::tag(place) {
            raw::TI_STR | raw::TI_STR_STATIC => Some(raw::string_at(place).as_bytes()),
            raw::TI_INT => Some(convert::int_digits(raw::payload(place) as i64, digits)),
            _ => None,
        }
    }
}

/// Joins strings and integers without copying the operands. False: an operand is something else; nothing was changed.
#[inline(always)]
unsafe fn concat_texts(ip: Ip, fp: Fp, run: &mut Run) -> bool {
    // SAFETY: operands of a concatenation; each cell's tag is read before its payload is used, and a temporary is taken once.
    unsafe {
        let meta = run.meta(ip);
        if meta.a == Kind::This || meta.b == Kind::This {
            return false;
        }
        let place = |offset: u32, kind: Kind| match kind {
            Kind::Lit => literal(ip, offset),
            Kind::Local => raw::look_through(cell(fp, offset)),
            _ => cell(fp, offset),
        };
        let (a, b, to) = (place((*ip).a, meta.a), place((*ip).b, meta.b), cell(fp, (*ip).c));
        let (mut a_digits, mut b_digits) = ([0u8; 20], [0u8; 20]);
        let Some(tail) = text_of(b, &mut b_digits) else { return false };
        if meta.c == Kind::Local && raw::tag(to) == raw::TI_REF {
            return false;
        }
        // A temporary string that nobody else holds grows in place.
        let grows = meta.a == Kind::Tmp && raw::tag(a) == raw::TI_STR && raw::count(raw::payload(a)) == 1;
        let joined: Val = if grows && raw::payload(a) != raw::payload(b) {
            let mut grown = raw::take(a);
            grown.append_bytes(&*tail);
            grown
        } else {
            let Some(head) = text_of(a, &mut a_digits) else { return false };
            let joined = PhpStr::concat(&[&*head, &*tail]);
            if meta.a == Kind::Tmp {
                drop(raw::take(a));
            }
            joined.into()
        };
        if meta.b == Kind::Tmp {
            drop(raw::take(b));
        }
        match meta.c {
            Kind::Local => drop((*to).replace(joined)),
            Kind::Tmp => raw::put(to, joined),
            _ => drop(joined),
        }
        true
    }
}

/// A concatenation of two operands of all types.
#[inline(never)]
unsafe fn concat_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of a concatenation, which are consumed once, and whose result `store` writes.
    unsafe {
        if concat_texts(ip, fp, run) {
            return run.finish(ip, Ok(()));
        }
        let result = run.fetch_both(ip).and_then(|(a, b)| {
            let joined = arith::concat(run.vm, &a, &b)?;
            // The left operand is released first, which decides the order in which object ids become free.
            drop(a);
            drop(b);
            run.store(ip, joined.into())
        });
        run.finish(ip, result)
    }
}

slow_handler!(concat_n, concat_n_slow);

/// `ConcatN`; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn concat_n_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `ConcatN` has `d` full temporaries in a row from `a` on, and `c` is its destination.
    unsafe {
        let count = (*ip).d as usize;
        let first = cell(fp, (*ip).a);
        let mut converted = Ok(());
        for index in 0..count {
            let part = first.add(index);
            if raw::tag(part) & 0xff != raw::TI_STR_STATIC && converted.is_ok() {
                // The temporary keeps its value while PHP code may run; the loop below releases all of them.
                converted = convert::to_str(run.vm, &*part).map(|text| (*part).set(text.into()));
            }
        }
        let made = converted.map(|()| raw::join_cells(first, count));
        for index in 0..count {
            raw::release(raw::payload(first.add(index)), raw::tag(first.add(index)));
        }
        let result = made.and_then(|text| run.store(ip, raw::value(text, raw::TI_STR)));
        run.finish(ip, result)
    }
}

/// Payload and tag of the result of two numbers, given as payload and tag each; `None`: an operand is no number, or the operator
/// has no fast path for them.
pub fn plain_numbers(operator: SetOp, (a, ta, b, tb): (u64, u32, u64, u32)) -> Option<(u64, u32)> {
    match operator {
        SetOp::Add => numbers::<ADD>(a, ta, b, tb),
        SetOp::Sub => numbers::<SUB>(a, ta, b, tb),
        SetOp::Mul => numbers::<MUL>(a, ta, b, tb),
        SetOp::Div => numbers::<DIV>(a, ta, b, tb),
        SetOp::Mod => numbers::<MOD>(a, ta, b, tb),
        SetOp::BitAnd => numbers::<AND>(a, ta, b, tb),
        SetOp::BitOr => numbers::<OR>(a, ta, b, tb),
        SetOp::BitXor => numbers::<XOR>(a, ta, b, tb),
        SetOp::Shl => numbers::<SHL>(a, ta, b, tb),
        SetOp::Shr => numbers::<SHR>(a, ta, b, tb),
        SetOp::Pow | SetOp::Concat => None,
    }
}
