//! Comparisons, alone and with a branch; type tests.
//!
//! The contract of handlers ([`super`]) holds here: `ip` is an opline of the innermost frame `fp`; its sources `a` and `b` are
//! cells of that frame or literals. A `Compare` or a test has its destination in `c`; a branch has the offset of its target in `d`.

use super::{
    Handler, IN_FRAME, LITERAL, doubles, is_literal, jump, next, numbered_cache, numbered_site, release_next,
    second_site, site, slow, slow_handler, source,
};
use crate::code::{Kind, Meta, Site};
use crate::context::{Fp, Ip, Run, cell, literal};
use crate::megamorphic_cache;
use crate::named_sites::{self, Held};
use phlox_hhbc::TypeTest;
use phlox_lower::{Comparison, Literal, Lowered, OpCode, Operand, Opline};
use phlox_runtime::{ObjExt, PhpResult, Val, Vm, compare, convert};
use phlox_value::raw;
use std::rc::Rc;

pub(super) const SAME: u8 = Comparison::Same as u8;
pub(super) const NSAME: u8 = Comparison::NSame as u8;
pub(super) const EQ: u8 = Comparison::Eq as u8;
pub(super) const NEQ: u8 = Comparison::Neq as u8;
pub(super) const LT: u8 = Comparison::Lt as u8;
pub(super) const LTE: u8 = Comparison::Lte as u8;
pub(super) const GT: u8 = Comparison::Gt as u8;
pub(super) const GTE: u8 = Comparison::Gte as u8;

/// The handler of a comparison, or of a branch on one; `back`: the branch goes backwards.
pub fn select(opline: &Opline, back: bool, lowered: &Lowered) -> Handler {
    if let Some(handler) = select_text(opline, back, lowered) {
        return handler;
    }
    macro_rules! kinds {
        ($name:ident, $op:ident $(, $more:expr)*) => {
            match (is_literal(opline.a), is_literal(opline.b)) {
                (true, _) => $name::<$op, LITERAL, IN_FRAME $(, $more)*>,
                (_, true) => $name::<$op, IN_FRAME, LITERAL $(, $more)*>,
                _ => $name::<$op, IN_FRAME, IN_FRAME $(, $more)*>,
            }
        };
    }
    macro_rules! any {
        ($op:ident) => {
            match (opline.op, back) {
                (OpCode::Compare, _) => kinds!(result, $op),
                (OpCode::JmpIf, true) => kinds!(branch, $op, true, true),
                (OpCode::JmpIf, false) => kinds!(branch, $op, true, false),
                (_, true) => kinds!(branch, $op, false, true),
                (_, false) => kinds!(branch, $op, false, false),
            }
        };
    }
    match Comparison::ALL.get(opline.n as usize) {
        Some(Comparison::Same) => any!(SAME),
        Some(Comparison::NSame) => any!(NSAME),
        Some(Comparison::Eq) => any!(EQ),
        Some(Comparison::Neq) => any!(NEQ),
        Some(Comparison::Lt) => any!(LT),
        Some(Comparison::Lte) => any!(LTE),
        Some(Comparison::Gt) => any!(GT),
        Some(Comparison::Gte) => any!(GTE),
        _ => three_way,
    }
}

/// The handler of a branch on `===` or `!==` of an operand in the frame and a literal string.
fn select_text(opline: &Opline, back: bool, lowered: &Lowered) -> Option<Handler> {
    let is_text = matches!(opline.b, Operand::Lit(at) if matches!(lowered.literals[at as usize], Literal::Str(_)));
    if !is_text || opline.op == OpCode::Compare {
        return None;
    }
    macro_rules! text {
        ($op:ident, $temporary:literal) => {
            match (opline.op == OpCode::JmpIf, back) {
                (false, false) => branch_text::<$op, $temporary, false, false>,
                (false, true) => branch_text::<$op, $temporary, false, true>,
                (true, false) => branch_text::<$op, $temporary, true, false>,
                (true, true) => branch_text::<$op, $temporary, true, true>,
            }
        };
    }
    Some(match (Comparison::ALL.get(opline.n as usize)?, opline.a) {
        (Comparison::Same, Operand::Local(_)) => text!(SAME, false),
        (Comparison::Same, Operand::Tmp(_)) => text!(SAME, true),
        (Comparison::NSame, Operand::Local(_)) => text!(NSAME, false),
        (Comparison::NSame, Operand::Tmp(_)) => text!(NSAME, true),
        _ => return None,
    })
}

/// The answer of a comparison for two values of one ordered type; `===` and `!==` compare like `==` and `!=`.
#[inline(always)]
pub(super) fn ordered<const OP: u8, T: PartialOrd>(x: T, y: T) -> bool {
    match OP {
        SAME | EQ => x == y,
        NSAME | NEQ => x != y,
        LT => x < y,
        LTE => x <= y,
        GT => x > y,
        _ => x >= y,
    }
}

/// The answer for two numbers, or for values that their tags tell apart; `None`: only the slow path can tell.
#[inline(always)]
fn fast_path<const OP: u8>(a: u64, ta: u32, b: u64, tb: u32) -> Option<bool> {
    if ta == raw::TI_INT && tb == raw::TI_INT {
        return Some(ordered::<OP, i64>(a as i64, b as i64));
    }
    if OP == SAME || OP == NSAME {
        if ta == raw::TI_DOUBLE && tb == raw::TI_DOUBLE {
            return Some(ordered::<OP, f64>(f64::from_bits(a), f64::from_bits(b)));
        }
        let kinds = (ta & 0xff, tb & 0xff);
        // Undefined and reference operands need the slow path.
        let plain = |kind: u32| kind != raw::TI_UNDEF && kind < raw::TI_REF & 0xff;
        if plain(kinds.0) && plain(kinds.1) {
            if kinds.0 != kinds.1 {
                return Some(OP == NSAME);
            }
            if kinds.0 <= raw::TI_TRUE || (a == b && kinds.0 != raw::TI_ARR_STATIC) {
                return Some(OP == SAME);
            }
            if kinds.0 == raw::TI_OBJ & 0xff {
                return Some(OP == NSAME);
            }
        }
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
    Some(ordered::<OP, f64>(x, y))
}

/// Is one of the two tags that of a counted value, so that a temporary has to be released?
#[inline(always)]
fn counted(ta: u32, tb: u32) -> bool {
    (ta | tb) & raw::COUNTED != 0
}

/// In `d` of a `Compare`, and as 1 in `c` of a branch: an operand is a temporary.
pub const HAS_TEMPORARY: i32 = 1 << 8;

/// `Compare` where tags, lengths and first bytes decide.
unsafe extern "C-unwind" fn result<const OP: u8, const A: u8, const B: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Compare`: `a` and `b` are sources of the kinds `A` and `B`, `c` is an empty temporary.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let (ta, tb) = (raw::tag(a), raw::tag(b));
        if counted(ta, tb) && (*ip).d & HAS_TEMPORARY != 0 {
            return result_temporaries::<OP, A, B>(ip, fp, run);
        }
        let answer = match both_strings(ta, tb) {
            true => quick_strings::<OP>(a, b),
            false => fast_path::<OP>(raw::payload(a), ta, raw::payload(b), tb),
        };
        match answer {
            Some(answer) => {
                raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
                next!(ip, fp, run)
            }
            None => slow!(result_slow::<OP, A, B>, ip, fp, run),
        }
    }
}

/// `Compare` where an operand is a temporary that has to be released.
#[inline(never)]
unsafe extern "C-unwind" fn result_temporaries<const OP: u8, const A: u8, const B: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `Compare`, whose temporaries are released once.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let answer = any_quick::<OP>(a, b).filter(|_| give_up_temporaries(a, b, (*run).meta(ip)));
        let Some(answer) = answer else { slow!(result_slow::<OP, A, B>, ip, fp, run) };
        raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
        next!(ip, fp, run)
    }
}

/// The answer for two operands that needs no PHP code and no comparison of long texts or arrays. `None`: only the slow path can
/// tell.
#[inline(always)]
unsafe fn any_quick<const OP: u8>(a: *const Val, b: *const Val) -> Option<bool> {
    // SAFETY: the callers pass the cells of two operands.
    unsafe {
        let (ta, tb) = (raw::tag(a), raw::tag(b));
        if both_strings(ta, tb) {
            return texts::<OP>(a, b);
        }
        if matches!(OP, SAME | NSAME) && ta & 0xff == raw::TI_ARR_STATIC && tb & 0xff == raw::TI_ARR_STATIC {
            let (count, other) = (raw::array_at(a).len(), raw::array_at(b).len());
            return if count != other { Some(OP == NSAME) } else { (count == 0).then_some(OP == SAME) };
        }
        fast_path::<OP>(raw::payload(a), ta, raw::payload(b), tb)
    }
}

/// Releases the operands that are temporaries, if none of them is an array or object that would be freed. False: nothing was
/// changed.
#[inline(always)]
unsafe fn give_up_temporaries(a: *const Val, b: *const Val, meta: &Meta) -> bool {
    // SAFETY: `a` and `b` are the operands that `meta` describes; a temporary is consumed by this alone.
    unsafe {
        let ((pa, ta), (pb, tb)) = ((raw::payload(a), raw::tag(a)), (raw::payload(b), raw::tag(b)));
        let gives_up_a = meta.a == Kind::Tmp && ta & raw::COUNTED != 0;
        let gives_up_b = meta.b == Kind::Tmp && tb & raw::COUNTED != 0;
        if gives_up_a && ta != raw::TI_STR && !raw::release_shared(pa, ta) {
            return false;
        }
        if gives_up_b && tb != raw::TI_STR && !raw::release_shared(pb, tb) {
            if gives_up_a && ta != raw::TI_STR {
                raw::retain(pa, ta);
            }
            return false;
        }
        if gives_up_a && ta == raw::TI_STR {
            raw::release(pa, ta);
        }
        if gives_up_b && tb == raw::TI_STR {
            raw::release(pb, tb);
        }
        true
    }
}

/// `Compare` of all values.
#[inline(never)]
unsafe fn result_slow<const OP: u8, const A: u8, const B: u8>(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `Compare`, which are consumed once; `store` writes the destination.
    unsafe {
        if let Some(answer) = strings_in_place::<OP, A, B>(ip, fp, run, (*ip).d & HAS_TEMPORARY != 0) {
            raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
            return ip.add(1);
        }
        let answer = decide(ip, run);
        let result = answer.and_then(|answer| run.store(ip, Val::bool(answer)));
        run.finish(ip, result)
    }
}

/// May a string be numeric? Its first byte tells that most strings are not.
#[inline(always)]
fn number_like(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b' ' | b'.' | b'+' | b'-' | 9..=13))
}

/// Are both tags those of strings?
#[inline(always)]
fn both_strings(ta: u32, tb: u32) -> bool {
    ta & 0xff == raw::TI_STR_STATIC && tb & 0xff == raw::TI_STR_STATIC
}

/// The answer for two strings that identity, lengths and first bytes give; `None`: they do not decide.
#[inline(always)]
unsafe fn quick_strings<const OP: u8>(a: *const Val, b: *const Val) -> Option<bool> {
    // SAFETY: the callers have seen the tags of strings in both cells.
    unsafe {
        if !matches!(OP, SAME | NSAME | EQ | NEQ) {
            // Only two numeric strings are compared as numbers.
            let (x, y) = (raw::string_at(a).as_bytes(), raw::string_at(b).as_bytes());
            let (first, other) = (x.first()?, y.first()?);
            let settled = first != other || (x.len() == 1 && y.len() == 1);
            return (settled && !(number_like(x) && number_like(y))).then(|| ordered::<OP, u8>(*first, *other));
        }
        let equal = matches!(OP, SAME | EQ);
        if raw::payload(a) == raw::payload(b) {
            return Some(equal);
        }
        let (x, y) = (raw::string_at(a).as_bytes(), raw::string_at(b).as_bytes());
        if matches!(OP, EQ | NEQ) && number_like(x) && number_like(y) {
            return None;
        }
        if x.len() != y.len() {
            return Some(!equal);
        }
        match (x.first(), y.first()) {
            (Some(first), Some(other)) if first != other => Some(!equal),
            (Some(_), _) if x.len() == 1 => Some(equal),
            _ => None,
        }
    }
}

/// The answer for two strings, where [`quick_strings`] does not decide and they are short: all their bytes are compared.
#[inline(always)]
unsafe fn texts<const OP: u8>(a: *const Val, b: *const Val) -> Option<bool> {
    // SAFETY: the callers have seen the tags of strings in both cells.
    unsafe {
        let answer = quick_strings::<OP>(a, b);
        if answer.is_some() || !matches!(OP, SAME | NSAME | EQ | NEQ) {
            return answer;
        }
        let (x, y) = (raw::string_at(a).as_bytes(), raw::string_at(b).as_bytes());
        if matches!(OP, EQ | NEQ) && number_like(x) && number_like(y) {
            return None;
        }
        // Both strings have the same length here: two words that may overlap cover all bytes.
        let same = match x.len() {
            0 => true,
            2..=3 => x.first_chunk::<2>() == y.first_chunk::<2>() && x.last() == y.last(),
            4..=7 => x.first_chunk::<4>() == y.first_chunk::<4>() && x.last_chunk::<4>() == y.last_chunk::<4>(),
            8..=16 => x.first_chunk::<8>() == y.first_chunk::<8>() && x.last_chunk::<8>() == y.last_chunk::<8>(),
            _ => return None,
        };
        Some(same == matches!(OP, SAME | EQ))
    }
}

/// Are two byte strings equal? Most that differ do so in length or in the first byte.
#[inline(always)]
fn equal_bytes(x: &[u8], y: &[u8]) -> bool {
    x.len() == y.len() && (x.is_empty() || (x[0] == y[0] && (x.len() == 1 || x == y)))
}

/// The answer for two strings without copies; temporaries are released if `may_free`. `None`: nothing was changed.
#[inline(always)]
unsafe fn strings_in_place<const OP: u8, const A: u8, const B: u8>(
    ip: Ip,
    fp: Fp,
    run: &mut Run,
    may_free: bool,
) -> Option<bool> {
    // SAFETY: operands of a comparison, of the kinds `A` and `B`; temporaries are taken once.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let (a, b) = (raw::look_through(a), raw::look_through(b));
        if raw::tag(a) & 0xff != raw::TI_STR_STATIC || raw::tag(b) & 0xff != raw::TI_STR_STATIC {
            return None;
        }
        let (x, y) = (raw::string_at(a).as_bytes(), raw::string_at(b).as_bytes());
        let same = raw::payload(a) == raw::payload(b);
        if OP != SAME && OP != NSAME && !same && number_like(x) && number_like(y) {
            return None;
        }
        let answer = match OP {
            SAME | EQ => same || equal_bytes(x, y),
            NSAME | NEQ => !same && !equal_bytes(x, y),
            _ => ordered::<OP, &[u8]>(x, y),
        };
        if may_free {
            let meta = run.meta(ip);
            for (offset, kind) in [((*ip).a, meta.a), ((*ip).b, meta.b)] {
                if kind == Kind::Tmp {
                    drop(raw::take(cell(fp, offset)));
                }
            }
        }
        Some(answer)
    }
}

/// The answer of a comparison for all values; the operands are consumed.
unsafe fn decide(ip: Ip, run: &mut Run) -> PhpResult<bool> {
    // SAFETY: `ip` is a comparison of the innermost frame, whose operands `fetch_both` consumes.
    let (a, b) = unsafe { run.fetch_both(ip)? };
    let vm = run.vm;
    let answer = match Comparison::ALL.get(run.meta(ip).n as usize) {
        Some(Comparison::Same) => Ok(compare::identical(&a, &b)),
        Some(Comparison::NSame) => Ok(!compare::identical(&a, &b)),
        Some(Comparison::Eq) => compare::loose_eq(vm, &a, &b),
        Some(Comparison::Neq) => compare::loose_eq(vm, &a, &b).map(|equal| !equal),
        Some(Comparison::Lt) => compare::less(vm, &a, &b),
        Some(Comparison::Lte) => compare::less_equal(vm, &a, &b),
        Some(Comparison::Gt) => compare::less(vm, &b, &a),
        _ => compare::less_equal(vm, &b, &a),
    };
    // The left operand is released first, which decides the order in which object ids become free.
    drop(a);
    drop(b);
    answer
}

/// `JmpIf` and `JmpIfNot` on two integers; jumps when the answer is `WHEN`.
pub(super) unsafe extern "C-unwind" fn branch<
    const OP: u8,
    const A: u8,
    const B: u8,
    const WHEN: bool,
    const BACK: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch on a comparison: sources of the kinds `A` and `B`; `d` leads to the target.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if raw::tag(a) == raw::TI_INT && raw::tag(b) == raw::TI_INT {
            if ordered::<OP, i64>(raw::payload(a) as i64, raw::payload(b) as i64) == WHEN {
                jump!(ip, fp, run, BACK)
            }
            next!(ip, fp, run)
        }
        branch_uncommon::<OP, A, B, WHEN, BACK>(ip, fp, run)
    }
}

/// `JmpIf` and `JmpIfNot` on `===` or `!==` of a string in the frame and a literal string. `TEMPORARY`: the operand is a
/// temporary, so that only a literal's string, which needs no release, takes this path.
unsafe extern "C-unwind" fn branch_text<const OP: u8, const TEMPORARY: bool, const WHEN: bool, const BACK: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: `select_text` chose this handler: `a` is a cell of the frame, `b` a literal string, and `d` leads to the target.
    unsafe {
        let (a, b) = (cell(fp, (*ip).a), literal(ip, (*ip).b));
        let kind = if TEMPORARY { raw::tag(a) } else { raw::tag(a) & 0xff };
        if kind == raw::TI_STR_STATIC
            && let Some(answer) = quick_strings::<OP>(a, b)
        {
            if answer == WHEN {
                jump!(ip, fp, run, BACK)
            }
            next!(ip, fp, run)
        }
        branch_uncommon::<OP, IN_FRAME, LITERAL, WHEN, BACK>(ip, fp, run)
    }
}

/// `JmpIf` and `JmpIfNot` on other operands than two integers.
#[inline(never)]
unsafe extern "C-unwind" fn branch_uncommon<
    const OP: u8,
    const A: u8,
    const B: u8,
    const WHEN: bool,
    const BACK: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch on a comparison, as `branch` passed them on.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let (ta, tb) = (raw::tag(a), raw::tag(b));
        if !matches!(OP, SAME | NSAME)
            && let Some(pair) = doubles::pair::<A, B>(a, b)
        {
            doubles::prefer_branch::<OP, A, B, WHEN, BACK>(ip, fp);
            if doubles::compared::<OP>(pair) == WHEN {
                jump!(ip, fp, run, BACK)
            }
            next!(ip, fp, run)
        }
        if counted(ta, tb) && (*ip).c != 0 {
            return branch_temporaries::<OP, A, B, WHEN, BACK>(ip, fp, run);
        }
        let answer = match both_strings(ta, tb) {
            true => texts::<OP>(a, b),
            false => fast_path::<OP>(raw::payload(a), ta, raw::payload(b), tb),
        };
        match answer {
            Some(answer) if answer == WHEN => jump!(ip, fp, run, BACK),
            Some(_) => next!(ip, fp, run),
            None => branch_seldom::<OP, A, B, WHEN, BACK>(ip, fp, run),
        }
    }
}

/// `JmpIf` and `JmpIfNot` on values behind references, and on arrays.
#[inline(never)]
unsafe extern "C-unwind" fn branch_seldom<
    const OP: u8,
    const A: u8,
    const B: u8,
    const WHEN: bool,
    const BACK: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch on a comparison; a temporary among them is not counted, so it needs no release.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        match any_quick::<OP>(raw::look_through(a), raw::look_through(b)) {
            Some(answer) if answer == WHEN => jump!(ip, fp, run, BACK),
            Some(_) => next!(ip, fp, run),
            None => slow!(branch_slow::<OP, A, B, WHEN>, ip, fp, run),
        }
    }
}

/// `JmpIf` and `JmpIfNot` where an operand is a temporary that has to be released: done here if others hold it, too, or if it is a
/// string.
#[inline(never)]
unsafe extern "C-unwind" fn branch_temporaries<
    const OP: u8,
    const A: u8,
    const B: u8,
    const WHEN: bool,
    const BACK: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: operands of a branch on a comparison; `give_up_temporaries` consumes the temporaries.
    unsafe {
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        let meta = (*run).meta(ip);
        // A temporary is never a reference.
        let through = |place: *mut Val, kind: Kind| if kind == Kind::Local { raw::look_through(place) } else { place };
        let answer =
            any_quick::<OP>(through(a, meta.a), through(b, meta.b)).filter(|_| give_up_temporaries(a, b, meta));
        let Some(answer) = answer else { slow!(branch_slow::<OP, A, B, WHEN>, ip, fp, run) };
        if answer == WHEN {
            jump!(ip, fp, run, BACK)
        }
        next!(ip, fp, run)
    }
}

/// `JmpIf` and `JmpIfNot` on all values.
#[inline(never)]
unsafe fn branch_slow<const OP: u8, const A: u8, const B: u8, const WHEN: bool>(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of a branch on a comparison, which are consumed once.
    unsafe {
        if let Some(answer) = strings_in_place::<OP, A, B>(ip, fp, run, (*ip).c != 0) {
            return super::control::branch_to(run, ip, answer == WHEN);
        }
        let (a, b) = (source::<A>(ip, fp, (*ip).a), source::<B>(ip, fp, (*ip).b));
        if let Some(answer) = fast_path::<OP>(raw::payload(a), raw::tag(a), raw::payload(b), raw::tag(b)) {
            // The fast path has failed only because temporaries have to be released.
            let meta = run.meta(ip);
            let a = (meta.a == Kind::Tmp).then(|| raw::take(a));
            let b = (meta.b == Kind::Tmp).then(|| raw::take(b));
            drop((a, b));
            return super::control::finish_branch(run, ip, Ok(()), answer == WHEN);
        }
        let (answer, result) = match decide(ip, run) {
            Ok(answer) => (answer, Ok(())),
            Err(throw) => (false, Err(throw)),
        };
        super::control::finish_branch(run, ip, result, answer == WHEN)
    }
}

/// `<=>` of two integers or two floats.
unsafe extern "C-unwind" fn three_way(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of a `Compare`, whose flags in `d` say which of them are literals; `c` is an empty temporary.
    unsafe {
        let (a, b) =
            (any_source(ip, fp, (*ip).a, (*ip).d & A_LITERAL), any_source(ip, fp, (*ip).b, (*ip).d & B_LITERAL));
        let order = match (raw::tag(a), raw::tag(b)) {
            (raw::TI_INT, raw::TI_INT) => (raw::payload(a) as i64).cmp(&(raw::payload(b) as i64)) as i64,
            (raw::TI_DOUBLE, raw::TI_DOUBLE) => {
                let (x, y) = (f64::from_bits(raw::payload(a)), f64::from_bits(raw::payload(b)));
                // NAN is not ordered and counts as greater.
                if x == y {
                    0
                } else if x < y {
                    -1
                } else {
                    1
                }
            }
            _ => slow!(three_way_slow, ip, fp, run),
        };
        raw::write(cell(fp, (*ip).c), order as u64, raw::TI_INT);
        next!(ip, fp, run)
    }
}

/// In `d` of a `Compare`: operand `a` is a literal.
pub const A_LITERAL: i32 = 1 << 9;
/// In `d` of a `Compare`: operand `b` is a literal.
pub const B_LITERAL: i32 = 1 << 10;

/// The cell of a source, which is a literal or in the frame; `is_literal` is not 0 for a literal.
#[inline(always)]
unsafe fn any_source(ip: Ip, fp: Fp, offset: u32, is_literal: i32) -> *mut Val {
    // SAFETY: `offset` is an operand of the opline, and the flag in `d` says where it is.
    unsafe { if is_literal != 0 { literal(ip, offset) } else { cell(fp, offset) } }
}

/// `<=>` of all values.
#[inline(never)]
unsafe fn three_way_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of a `Compare`, which `fetch_both` consumes unless they stay where they are.
    unsafe {
        let a = raw::look_through(any_source(ip, fp, (*ip).a, (*ip).d & A_LITERAL));
        let b = raw::look_through(any_source(ip, fp, (*ip).b, (*ip).d & B_LITERAL));
        let stay = (*ip).d & HAS_TEMPORARY == 0 || !counted(raw::tag(a), raw::tag(b));
        if stay && both_strings(raw::tag(a), raw::tag(b)) {
            let order = compare::compare(run.vm, &*a, &*b);
            let result = order.and_then(|order| run.store(ip, Val::int(order)));
            return run.finish(ip, result);
        }
        let order = run.fetch_both(ip).and_then(|operands| compare::compare(run.vm, &operands.0, &operands.1));
        let result = order.and_then(|order| run.store(ip, Val::int(order)));
        run.finish(ip, result)
    }
}

/// The handler of a test: `instanceof`, a type test, `isset` or `empty` of a local.
pub fn select_test(opline: &Opline) -> Handler {
    match opline.op {
        OpCode::InstanceOf if matches!(opline.a, Operand::Tmp(_)) => instance_of::<true>,
        OpCode::InstanceOf if matches!(opline.a, Operand::Local(_)) => instance_of::<false>,
        OpCode::InstanceOf => instance_of_any,
        OpCode::IssetLocal => isset_local,
        OpCode::EmptyLocal => empty_local,
        _ if matches!(opline.a, Operand::Lit(_)) => is_type_slow_handler,
        _ if matches!(opline.a, Operand::Tmp(_)) => is_type::<true>,
        _ => is_type::<false>,
    }
}

/// `IssetLocal`.
unsafe extern "C-unwind" fn isset_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `IssetLocal` is a local, `c` an empty temporary.
    unsafe {
        let tag = raw::tag(raw::look_through(cell(fp, (*ip).a)));
        raw::write_tag(cell(fp, (*ip).c), if tag <= raw::TI_NULL { raw::TI_FALSE } else { raw::TI_TRUE });
        next!(ip, fp, run)
    }
}

/// `EmptyLocal` of values that need no conversion.
unsafe extern "C-unwind" fn empty_local(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: `a` of `EmptyLocal` is a local, `c` an empty temporary.
    unsafe {
        let place = raw::look_through(cell(fp, (*ip).a));
        let empty = match raw::tag(place) {
            raw::TI_UNDEF | raw::TI_NULL | raw::TI_FALSE => true,
            raw::TI_TRUE => false,
            raw::TI_INT => raw::payload(place) == 0,
            raw::TI_ARR | raw::TI_ARR_STATIC => raw::array_at(place).is_empty(),
            _ => slow!(empty_slow, ip, fp, run),
        };
        raw::write_tag(cell(fp, (*ip).c), if empty { raw::TI_TRUE } else { raw::TI_FALSE });
        next!(ip, fp, run)
    }
}

/// `EmptyLocal` of all values.
#[inline(never)]
unsafe fn empty_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` of `EmptyLocal` is a local, whose value is copied before PHP code runs; `c` is an empty temporary.
    unsafe {
        let value = (*raw::look_through(cell(fp, (*ip).a))).clone();
        let empty = !convert::to_bool(&value);
        drop(value);
        raw::write_tag(cell(fp, (*ip).c), if empty { raw::TI_TRUE } else { raw::TI_FALSE });
        run.finish(ip, Ok(()))
    }
}

/// The bit of a tag's type.
const fn kind(tag: u32) -> u32 {
    1 << (tag & 0xff)
}

/// The types that a test accepts, as bits of their tags; a resource cannot be told by its tag.
const fn kinds_of(test: TypeTest) -> u32 {
    match test {
        TypeTest::Null => kind(raw::TI_NULL),
        TypeTest::Bool => kind(raw::TI_FALSE) | kind(raw::TI_TRUE),
        TypeTest::Int => kind(raw::TI_INT),
        TypeTest::Dbl => kind(raw::TI_DOUBLE),
        TypeTest::Str => kind(raw::TI_STR),
        TypeTest::Arr => kind(raw::TI_ARR),
        TypeTest::Obj => kind(raw::TI_OBJ),
        TypeTest::Res => 0,
        TypeTest::Scalar => {
            kind(raw::TI_FALSE) | kind(raw::TI_TRUE) | kind(raw::TI_INT) | kind(raw::TI_DOUBLE) | kind(raw::TI_STR)
        }
        TypeTest::Numeric => kind(raw::TI_INT) | kind(raw::TI_DOUBLE),
    }
}

/// `IsType` where the tag decides. `MOVES`: the operand is a temporary.
unsafe extern "C-unwind" fn is_type<const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `IsType`: `a` is a cell of the frame, `c` an empty temporary.
    unsafe {
        let own = cell(fp, (*ip).a);
        let place = if MOVES { own } else { raw::look_through(own) };
        let tag = raw::tag(place);
        let test = TypeTest::ALL[(*ip).d as usize];
        let simple = !matches!(test, TypeTest::Res | TypeTest::Numeric);
        if !simple || tag == raw::TI_UNDEF || tag == raw::TI_REF || (MOVES && tag & raw::COUNTED != 0) {
            slow!(is_type_slow, ip, fp, run)
        }
        let answer = kinds_of(test) >> (tag & 0xff) & 1 != 0;
        raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
        next!(ip, fp, run)
    }
}

slow_handler!(is_type_slow_handler, is_type_slow);

/// `IsType` of all values; also executed for compiled code.
#[inline(never)]
pub(super) unsafe fn is_type_slow(ip: Ip, _fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: `a` is the source of `IsType`, which `fetch` consumes; `store` writes the destination.
    unsafe {
        let meta = run.meta(ip);
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|value| {
            let answer = phlox_oracle::is_type(&value, TypeTest::ALL[meta.n as usize]);
            drop(value);
            run.store(ip, Val::bool(answer))
        });
        run.finish(ip, result)
    }
}

/// `InstanceOf` a class that is named. `MOVES`: the operand is a temporary, which is released.
#[inline(never)]
pub(super) unsafe extern "C-unwind" fn instance_of<const MOVES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: operands of `InstanceOf`: `a` is a cell of the frame, `c` an empty temporary; `d` is the offset of the inline cache.
    unsafe {
        let own = cell(fp, (*ip).a);
        let place = if MOVES { own } else { raw::look_through(own) };
        let (payload, tag) = (raw::payload(place), raw::tag(place));
        let answer = if tag == raw::TI_OBJ {
            known_instance(ip, raw::class_of(payload) as u64, (*run).vm)
        } else if tag == raw::TI_UNDEF || tag == raw::TI_REF {
            None
        } else {
            Some(false)
        };
        let Some(answer) = answer else { slow!(instance_of_slow, ip, fp, run) };
        raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
        if MOVES {
            release_next!(payload, tag, ip, fp, run)
        }
        next!(ip, fp, run)
    }
}

/// In the key of an `instanceof` cache: there was no class of the name when as many classes were declared as the cache's value
/// says.
const UNKNOWN_CLASS: u64 = 1;

/// Whether objects of a class are instances of the class that an `InstanceOf` names, if a cache knows.
#[inline(always)]
unsafe fn known_instance(ip: Ip, class: u64, vm: &Vm) -> Option<bool> {
    // SAFETY: `ip` is an `InstanceOf`, which has an inline cache at `d`; both sites are only read.
    unsafe {
        let (cache, second) = (site(ip), second_site(ip));
        if cache.key == class {
            return Some(cache.value != 0);
        }
        if second.key == class {
            return Some(second.value != 0);
        }
        if cache.key == UNKNOWN_CLASS {
            return (cache.value == vm.class_count() as u64).then_some(false);
        }
        if cache.class == 0 {
            return None;
        }
        megamorphic_cache::find(megamorphic_cache::Key::of_classes(class, cache.class)).map(|answer| answer != 0)
    }
}

slow_handler!(instance_of_any, instance_of_slow);

/// `InstanceOf`, executed for compiled code: by the caches first.
pub(super) unsafe fn instance_of_alone_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InstanceOf`; a temporary is released once, after the destination is written.
    unsafe {
        let meta = run.meta(ip);
        let own = cell(fp, (*ip).a);
        let place = if meta.a == Kind::Local { raw::look_through(own) } else { own };
        let known = matches!(meta.a, Kind::Local | Kind::Tmp) && raw::tag(place) == raw::TI_OBJ;
        let class = if known { raw::class_of(raw::payload(place)) as u64 } else { 0 };
        let Some(answer) = known.then(|| known_instance(ip, class, run.vm)).flatten() else {
            return instance_of_slow(ip, fp, run);
        };
        raw::write_tag(cell(fp, (*ip).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
        if meta.a == Kind::Tmp {
            raw::release(raw::payload(place), raw::TI_OBJ);
            return run.finish(ip, Ok(()));
        }
        ip.add(1)
    }
}

/// `InstanceOf` of all values: looks the class up and fills the caches.
#[inline(never)]
pub(super) unsafe fn instance_of_slow(ip: Ip, fp: Fp, run: &mut Run) -> Ip {
    // SAFETY: operands of `InstanceOf`: `fetch` consumes `a`, `b` is a literal string; a cached class lives as long as the
    // request.
    unsafe {
        let meta = run.meta(ip);
        let cache = numbered_site(fp, meta.site);
        if cache.key == UNKNOWN_CLASS {
            *cache = Site::default();
        }
        let result = run.fetch(ip, (*ip).a, meta.a).and_then(|value| {
            let mut answer = false;
            if let Some(object) = value.as_obj() {
                let class = raw::class_of(raw::payload(&raw const value)) as u64;
                // The class that the name stands for is kept in the cache, once it is known: classes live as long as the request.
                let known = cache.class as *const phlox_value::ClassHeader;
                let named = match known.is_null() {
                    true => run.vm.find_class_literal(raw::string_at(literal(ip, (*ip).b))),
                    false => crate::calls::class_ref(known),
                };
                match named {
                    Some(named) => {
                        named_sites::note(numbered_cache(fp, meta.site), Held::Addresses);
                        answer = object.is_a(&named);
                        let filled = Site { key: class, value: answer as u64, class: Rc::as_ptr(&named) as u64 };
                        super::fill_site(numbered_cache(fp, meta.site), filled);
                        megamorphic_cache::remember(
                            megamorphic_cache::Key::of_classes(class, filled.class),
                            filled.value,
                        );
                    }
                    None => {
                        named_sites::note(cache, Held::Addresses);
                        *cache = Site { key: UNKNOWN_CLASS, value: run.vm.class_count() as u64, class: 0 };
                    }
                }
            }
            drop(value);
            run.store(ip, Val::bool(answer))
        });
        run.finish(ip, result)
    }
}
