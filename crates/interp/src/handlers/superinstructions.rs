//! Superinstructions: handlers that execute an opline and the next one (of [`phlox_lower::pair`]).
//!
//! The second opline stays in its place. The superinstruction executes it only while it has the handler that lowering gave it: a
//! counting handler, or one that records type feedback, has to see its own opline. Where values are not of the commonest types, the
//! superinstruction jumps to the usual handler of an opline of which nothing has been done yet.
//!
//! The contract of handlers ([`super`]) holds here for both oplines: `ip` is the first one, an opline of the innermost frame `fp`,
//! and `ip + 1` is the second one, since lowering found the pair. Their operands are cells of that frame, literals or `$this`. A
//! temporary that only passes a value from the first to the second one is not written.

use super::arith::{ADD, AND, DIV, MUL, OR, SUB, XOR, binary, of_integers, step_reference};
use super::compare::{EQ, GT, GTE, LT, LTE, NEQ, NSAME, SAME, branch, ordered};
use super::elements::{self, NORMAL, QUIET, array_of, list_element};
use super::props::{self, LOCAL, THIS};
use super::{
    Handler, IN_FRAME, LITERAL, builtins, calls, compare, control, doubles, go, is_backward, is_literal, isset, jump,
    moves, next, release_next, second_site, site, slow, source,
};
use crate::code::FuncCode;
use crate::context::{Fp, Ip, Run, cell};
use crate::frame::Frame;
use crate::native;
use phlox_hhbc::SetOp;
use phlox_lower::{Comparison, Lowered, NO_SITE, OpCode, Operand, Pair, pair};
use phlox_runtime::Val;
use phlox_value::raw;

/// The handler of a pair of oplines whose first one is at a position; `None`: there is no superinstruction for the two.
pub fn select(at: usize, lowered: &Lowered) -> Option<Handler> {
    // Where oplines are counted, each is counted alone.
    if cfg!(feature = "count-oplines") {
        return None;
    }
    let pair = pair(lowered, at)?;
    let (first, second) = (&lowered.ops[at], &lowered.ops[at + 1]);
    let back = is_backward(at + 1, lowered);
    let comparison = Comparison::ALL.get(second.n as usize).copied();
    let to_local = matches!(second.c, Operand::Local(_));
    let (key, second_key) = (is_literal(first.b), is_literal(second.b));
    macro_rules! step_branch {
        ($by:expr, $op:ident) => {
            match is_literal(second.b) {
                true => step_branch::<$by, $op, LITERAL>,
                false => step_branch::<$by, $op, IN_FRAME>,
            }
        };
    }
    macro_rules! elem_binary {
        ($op:ident) => {
            match (key, to_local) {
                (true, true) => elem_binary::<$op, LITERAL, true>,
                (true, false) => elem_binary::<$op, LITERAL, false>,
                (false, true) => elem_binary::<$op, IN_FRAME, true>,
                (false, false) => elem_binary::<$op, IN_FRAME, false>,
            }
        };
    }
    macro_rules! elem_branch {
        ($op:ident) => {
            match (second.b == first.c, second_key) {
                (true, _) => elem_branch!($op, true, IN_FRAME),
                (_, true) => elem_branch!($op, false, LITERAL),
                (_, false) => elem_branch!($op, false, IN_FRAME),
            }
        };
        ($op:ident, $right:literal, $other:ident) => {
            match (second.op == OpCode::JmpIf, back) {
                (false, false) => elem_branch::<$op, $right, $other, false, false>,
                (false, true) => elem_branch::<$op, $right, $other, false, true>,
                (true, false) => elem_branch::<$op, $right, $other, true, false>,
                (true, true) => elem_branch::<$op, $right, $other, true, true>,
            }
        };
    }
    macro_rules! prop_binary {
        ($op:ident) => {
            match (first.a == Operand::This, is_literal(second.a), to_local) {
                (true, true, true) => prop_binary::<THIS, $op, LITERAL, true>,
                (true, true, false) => prop_binary::<THIS, $op, LITERAL, false>,
                (true, false, true) => prop_binary::<THIS, $op, IN_FRAME, true>,
                (true, false, false) => prop_binary::<THIS, $op, IN_FRAME, false>,
                (false, true, true) => prop_binary::<LOCAL, $op, LITERAL, true>,
                (false, true, false) => prop_binary::<LOCAL, $op, LITERAL, false>,
                (false, false, true) => prop_binary::<LOCAL, $op, IN_FRAME, true>,
                (false, false, false) => prop_binary::<LOCAL, $op, IN_FRAME, false>,
            }
        };
    }
    macro_rules! inner {
        ($name:ident $(, $given:expr)*) => {
            match (second_key, to_local) {
                (true, true) => $name::<$($given,)* LITERAL, true>,
                (true, false) => $name::<$($given,)* LITERAL, false>,
                (false, true) => $name::<$($given,)* IN_FRAME, true>,
                (false, false) => $name::<$($given,)* IN_FRAME, false>,
            }
        };
    }
    Some(match pair {
        Pair::StepBranch if !back => return None,
        Pair::StepBranch => match comparison? {
            Comparison::Lt => step_branch!(1, LT),
            Comparison::Lte => step_branch!(1, LTE),
            Comparison::Gt => step_branch!(-1, GT),
            Comparison::Gte => step_branch!(-1, GTE),
            _ => return None,
        },
        Pair::ElemBinary => match SetOp::ALL.get(second.n as usize)? {
            SetOp::Add => elem_binary!(ADD),
            SetOp::Sub => elem_binary!(SUB),
            SetOp::Mul => elem_binary!(MUL),
            SetOp::BitAnd => elem_binary!(AND),
            SetOp::BitOr => elem_binary!(OR),
            SetOp::BitXor => elem_binary!(XOR),
            _ => return None,
        },
        // With a literal key the element is mostly no number.
        Pair::ElemBranch if key => return None,
        Pair::ElemBranch => match comparison? {
            Comparison::Same => elem_branch!(SAME),
            Comparison::NSame => elem_branch!(NSAME),
            Comparison::Eq => elem_branch!(EQ),
            Comparison::Neq => elem_branch!(NEQ),
            Comparison::Lt => elem_branch!(LT),
            Comparison::Lte => elem_branch!(LTE),
            Comparison::Gt => elem_branch!(GT),
            Comparison::Gte => elem_branch!(GTE),
            Comparison::Cmp => return None,
        },
        Pair::ElemElem if key => inner!(elem_elem, LITERAL),
        Pair::ElemElem => inner!(elem_elem, IN_FRAME),
        Pair::PropElem => inner!(prop_elem),
        Pair::QuietElem => inner!(quiet_elem),
        Pair::IssetElem if second_key => isset_elem::<LITERAL>,
        Pair::IssetElem => isset_elem::<IN_FRAME>,
        Pair::PropBinary => match SetOp::ALL.get(second.n as usize)? {
            SetOp::Add => prop_binary!(ADD),
            SetOp::Sub => prop_binary!(SUB),
            SetOp::Mul => prop_binary!(MUL),
            _ => return None,
        },
        Pair::LocalMethod => local_method,
        Pair::LiteralSend => literal_send,
        Pair::LocalTest => match (second.op == OpCode::Copy, lowered.ops[at + 2].site != NO_SITE) {
            (false, false) => local_test::<false, false>,
            (false, true) => local_test::<false, true>,
            (true, false) => local_test::<true, false>,
            (true, true) => local_test::<true, true>,
        },
        Pair::PropTest if second.op == OpCode::JmpZ => prop_test::<false>,
        Pair::PropTest => prop_test::<true>,
        Pair::InstanceBranch => match second.op {
            OpCode::JmpZ => instance_branch::<false, false>,
            OpCode::JmpNZ => instance_branch::<true, false>,
            OpCode::JmpIfNot => instance_branch::<false, true>,
            _ => instance_branch::<true, true>,
        },
        Pair::ConstBranch => {
            let is_temporary = matches!(second.a, Operand::Tmp(_));
            match (comparison?, second.op == OpCode::JmpIf, is_temporary) {
                (Comparison::Same, false, false) => const_branch::<SAME, false, false>,
                (Comparison::Same, false, true) => const_branch::<SAME, false, true>,
                (Comparison::Same, true, false) => const_branch::<SAME, true, false>,
                (Comparison::Same, true, true) => const_branch::<SAME, true, true>,
                (_, false, false) => const_branch::<NSAME, false, false>,
                (_, false, true) => const_branch::<NSAME, false, true>,
                (_, true, false) => const_branch::<NSAME, true, false>,
                (_, true, true) => const_branch::<NSAME, true, true>,
            }
        }
    })
}

/// Has an opline the handler that lowering gave it?
#[inline(always)]
unsafe fn is(ip: Ip, handler: Handler) -> bool {
    // SAFETY: the callers pass an opline behind their own, which the pair has.
    unsafe { std::ptr::fn_addr_eq((*ip).handler, handler) }
}

/// Has an opline of arithmetic the handler that lowering gave it, or the one for floats that replaces it?
#[inline(always)]
unsafe fn is_binary<const OP: u8, const A: u8, const TO_LOCAL: bool>(ip: Ip) -> bool {
    // SAFETY: the callers pass the second opline of their pair.
    unsafe {
        is(ip, binary::<OP, A, IN_FRAME, TO_LOCAL>) || OP <= DIV && doubles::is_binary::<OP, A, TO_LOCAL>((*ip).handler)
    }
}

/// Writes the result of two integers or two floats. False: nothing was changed.
#[inline(always)]
unsafe fn of_numbers<const OP: u8, const A: u8, const TO_LOCAL: bool>(
    a: *const Val,
    b: *const Val,
    to: *mut Val,
) -> bool {
    // SAFETY: `a`, `b` and `to` are cells of the frame, literals or elements; nothing else borrows them.
    unsafe {
        of_integers::<OP, TO_LOCAL>(a, b, to)
            || OP <= DIV
                && doubles::pair::<A, IN_FRAME>(a, b).is_some_and(|(x, y)| doubles::write::<OP, TO_LOCAL>(x, y, to))
    }
}

/// `IncDec` of an integer, and a branch backwards that compares it.
unsafe extern "C-unwind" fn step_branch<const BY: i64, const OP: u8, const B: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for an `IncDec` of a local and the `JmpIf` behind it.
    unsafe {
        let place = cell(fp, (*ip).a);
        let Some(new) = (raw::payload(place) as i64).checked_add(BY) else {
            return step_reference::<BY, false, false>(ip, fp, run);
        };
        if raw::tag(place) != raw::TI_INT {
            return step_reference::<BY, false, false>(ip, fp, run);
        }
        raw::write_payload(place, new as u64);
        let second = ip.add(1);
        let limit = source::<B>(second, fp, (*second).b);
        if raw::tag(limit) == raw::TI_INT && is(second, branch::<OP, IN_FRAME, B, true, true>) {
            if ordered::<OP, i64>(new, raw::payload(limit) as i64) {
                jump!(second, fp, run, true)
            }
            next!(second, fp, run)
        }
        go!(second, fp, run)
    }
}

/// The element of the packed array that a local holds, by the integer key of the opline.
#[inline(always)]
unsafe fn element_of_local<const KEY: u8>(ip: Ip, fp: Fp) -> Option<*mut Val> {
    // SAFETY: the callers pass a `GetElem` of a local, whose key is of the kind `KEY`.
    unsafe {
        let array = array_of::<false>(cell(fp, (*ip).a))?;
        let key = source::<KEY>(ip, fp, (*ip).b);
        if raw::tag(key) == raw::TI_INT { list_element(array, raw::payload(key)) } else { None }
    }
}

/// `GetElem` of a local, whose result is the right operand of the `Binary` behind it.
unsafe extern "C-unwind" fn elem_binary<const OP: u8, const KEY: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: the contract holds for a `GetElem` and the `Binary` behind it; the element is used before anything can change it.
    unsafe {
        let second = ip.add(1);
        if let Some(element) = element_of_local::<KEY>(ip, fp)
            && is_binary::<OP, IN_FRAME, TO_LOCAL>(second)
            && of_numbers::<OP, IN_FRAME, TO_LOCAL>(cell(fp, (*second).a), element, cell(fp, (*second).c))
        {
            next!(second, fp, run)
        }
        elements::get::<KEY, false, NORMAL, false>(ip, fp, run)
    }
}

/// `GetElem` of a local, whose result, an integer, is compared by the branch behind it. `RIGHT`: the element is the right operand.
unsafe extern "C-unwind" fn elem_branch<
    const OP: u8,
    const RIGHT: bool,
    const OTHER: u8,
    const WHEN: bool,
    const BACK: bool,
>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: the contract holds for a `GetElem` and the branch on a comparison behind it.
    unsafe {
        let second = ip.add(1);
        let other = source::<OTHER>(second, fp, if RIGHT { (*second).a } else { (*second).b });
        if let Some(element) = element_of_local::<IN_FRAME>(ip, fp)
            && raw::tag(element) == raw::TI_INT
            && raw::tag(other) == raw::TI_INT
            && is(second, branch::<OP, IN_FRAME, OTHER, WHEN, BACK>)
        {
            let (x, y) = (raw::payload(element) as i64, raw::payload(other) as i64);
            if if RIGHT { ordered::<OP, i64>(y, x) } else { ordered::<OP, i64>(x, y) } == WHEN {
                jump!(second, fp, run, BACK)
            }
            next!(second, fp, run)
        }
        elements::get::<IN_FRAME, false, NORMAL, false>(ip, fp, run)
    }
}

/// Writes an element of an array to the destination of the second opline; returns payload and tag of the value to release
/// afterwards. `None`: nothing was changed.
#[inline(always)]
unsafe fn give_inner<const KEY: u8, const TO_LOCAL: bool>(second: Ip, fp: Fp, array: *const Val) -> Option<(u64, u32)> {
    // SAFETY: `second` reads an element into `c` by the key `b`; the array stays alive while it is read, and the element is
    // retained.
    unsafe {
        let (key, to) = (source::<KEY>(second, fp, (*second).b), cell(fp, (*second).c));
        if raw::tag(array) & 0xff != raw::TI_ARR_STATIC || (TO_LOCAL && raw::tag(to) == raw::TI_REF) {
            return None;
        }
        let element = if raw::tag(key) == raw::TI_INT {
            list_element(raw::payload(array), raw::payload(key))
        } else if KEY == LITERAL && raw::tag(key) == raw::TI_STR_STATIC {
            let name = raw::string_at(key);
            match name.first() {
                Some(byte) if *byte > b'9' => {
                    raw::find_literal(raw::payload(array), name).filter(|element| !element.is_null())
                }
                _ => None,
            }
        } else {
            None
        };
        let element = raw::look_through(element?);
        let (payload, tag) = (raw::payload(element), raw::tag(element));
        let gone = if TO_LOCAL { (raw::payload(to), raw::tag(to)) } else { (0, raw::TI_UNDEF) };
        raw::retain(payload, tag);
        raw::write(to, payload, tag);
        Some(gone)
    }
}

/// `GetElem` of a local, and of the array that this gives. The array in between is not retained: nothing runs in between.
unsafe extern "C-unwind" fn elem_elem<const OUTER: u8, const KEY: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: the contract holds for a `GetElem` and the `GetElem` behind it, which would consume the array in between.
    unsafe {
        let second = ip.add(1);
        if let Some(array) = element_of_local::<OUTER>(ip, fp)
            && is(second, elements::get::<KEY, true, NORMAL, TO_LOCAL>)
            && let Some((gone, tag)) = give_inner::<KEY, TO_LOCAL>(second, fp, array)
        {
            release_next!(gone, tag, second, fp, run)
        }
        elements::get::<OUTER, false, NORMAL, false>(ip, fp, run)
    }
}

/// `GetProp` of `$this`, and an element or a byte of the array or string that this gives.
unsafe extern "C-unwind" fn prop_elem<const KEY: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `GetProp` and the `GetElem` behind it; the property keeps its value alive.
    unsafe {
        let second = ip.add(1);
        let base = props::cached_place::<THIS>(ip, fp);
        if !base.is_null() && is(second, elements::get::<KEY, true, NORMAL, TO_LOCAL>) {
            if let Some((gone, tag)) = give_inner::<KEY, TO_LOCAL>(second, fp, base) {
                release_next!(gone, tag, second, fp, run)
            }
            let (key, to) = (source::<KEY>(second, fp, (*second).b), cell(fp, (*second).c));
            if raw::tag(base) & 0xff == raw::TI_STR_STATIC
                && raw::tag(key) == raw::TI_INT
                && (!TO_LOCAL || raw::tag(to) & raw::COUNTED == 0)
            {
                let bytes = raw::string_at(base).as_bytes();
                let index = raw::payload(key) as usize;
                if index < bytes.len() {
                    raw::write(to, raw::byte_string(bytes[index]), raw::TI_STR_STATIC);
                    next!(second, fp, run)
                }
            }
        }
        props::get::<THIS>(ip, fp, run)
    }
}

/// Is the key an integer or a string, which needs no conversion?
#[inline(always)]
unsafe fn is_plain(key: *const Val) -> bool {
    // SAFETY: the callers pass the cell of a source.
    unsafe { raw::tag(key) == raw::TI_INT || raw::tag(key) & 0xff == raw::TI_STR_STATIC }
}

/// `$this->a[$b] ?? null`: `GetPropQuiet` and `GetElemQuiet`.
unsafe extern "C-unwind" fn quiet_elem<const KEY: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `GetPropQuiet` and the `GetElemQuiet` behind it; the property keeps its value alive.
    unsafe {
        let second = ip.add(1);
        let array = props::cached_place::<THIS>(ip, fp);
        let (key, to) = (source::<KEY>(second, fp, (*second).b), cell(fp, (*second).c));
        if !array.is_null()
            && raw::tag(array) & 0xff == raw::TI_ARR_STATIC
            && is_plain(key)
            && (!TO_LOCAL || raw::tag(to) & raw::COUNTED == 0)
            && is(second, elements::get::<KEY, true, QUIET, TO_LOCAL>)
        {
            let element = if KEY == LITERAL { elements::find_literal(array, key) } else { elements::find(array, key) };
            if element.is_null() {
                raw::write_tag(to, raw::TI_NULL);
                next!(second, fp, run)
            }
            let element = raw::look_through(element.cast_mut());
            let (payload, tag) = (raw::payload(element), raw::tag(element));
            raw::retain(payload, tag);
            raw::write(to, payload, tag);
            next!(second, fp, run)
        }
        props::get_quiet_quick::<THIS>(ip, fp, run)
    }
}

/// `isset($this->a[$b])`: `GetPropQuiet` and `IssetElem`.
unsafe extern "C-unwind" fn isset_elem<const KEY: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `GetPropQuiet` and the `IssetElem` behind it; the property keeps its value alive.
    unsafe {
        let second = ip.add(1);
        let array = props::cached_place::<THIS>(ip, fp);
        let key = source::<KEY>(second, fp, (*second).b);
        if !array.is_null()
            && raw::tag(array) & 0xff == raw::TI_ARR_STATIC
            && is_plain(key)
            && is(second, isset::isset_quick::<KEY, true>)
        {
            let element = if KEY == LITERAL { elements::find_literal(array, key) } else { elements::find(array, key) };
            let set = !element.is_null() && raw::tag(raw::look_through(element.cast_mut())) > raw::TI_NULL;
            raw::write_tag(cell(fp, (*second).c), if set { raw::TI_TRUE } else { raw::TI_FALSE });
            next!(second, fp, run)
        }
        props::get_quiet_quick::<THIS>(ip, fp, run)
    }
}

/// `GetProp`, whose result is the right operand of the `Binary` behind it.
unsafe extern "C-unwind" fn prop_binary<const KIND: u8, const OP: u8, const A: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: the contract holds for a `GetProp` and the `Binary` behind it; the property's value is only read.
    unsafe {
        let second = ip.add(1);
        let b = props::cached_place::<KIND>(ip, fp);
        if !b.is_null()
            && is_binary::<OP, A, TO_LOCAL>(second)
            && of_numbers::<OP, A, TO_LOCAL>(source::<A>(second, fp, (*second).a), b, cell(fp, (*second).c))
        {
            next!(second, fp, run)
        }
        props::get::<KIND>(ip, fp, run)
    }
}

/// `Copy` of a local, and a pending call of a method of the object in it.
unsafe extern "C-unwind" fn local_method(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `Copy` and the `InitMethod` behind it; the header takes over the count of the copy.
    unsafe {
        let second = ip.add(1);
        let place = cell(fp, (*ip).a);
        if raw::tag(place) == raw::TI_OBJ && is(second, calls::init_method::<{ calls::TMP }>) {
            let object = raw::payload(place);
            let class = raw::class_of(object);
            let mut cache = site(second);
            if cache.key != class as u64 {
                cache = second_site(second);
            }
            if cache.key == class as u64 {
                raw::retain(object, raw::TI_OBJ);
                let header = cell(fp, (*second).a).cast::<Frame>();
                Frame::prepare(header, cache.value as *const crate::code::FuncCode);
                (*header).this = object;
                (*header).static_class = class;
                next!(second, fp, run)
            }
        }
        moves::copy_local(ip, fp, run)
    }
}

/// `Copy` of a literal to the location of an argument, whose function takes no references.
unsafe extern "C-unwind" fn literal_send(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `Copy` and the `SendValue` behind it; a literal is not counted.
    unsafe {
        let second = ip.add(1);
        let from = source::<LITERAL>(ip, fp, (*ip).a);
        raw::write(cell(fp, (*ip).c), raw::payload(from), raw::tag(from));
        let header = cell(fp, (*second).a).cast::<Frame>();
        if is(second, calls::send_value) && !crate::calls::takes_references(header) {
            next!(second, fp, run)
        }
        go!(second, fp, run)
    }
}

/// `GetProp` of `$this` that gives a boolean, null or an integer, and a branch on it.
unsafe extern "C-unwind" fn prop_test<const WHEN: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for a `GetProp` and the `JmpZ` or `JmpNZ` behind it.
    unsafe {
        let second = ip.add(1);
        let place = props::cached_place::<THIS>(ip, fp);
        if !place.is_null() && is(second, control::test::<WHEN, false>) {
            let answer = match raw::tag(place) {
                raw::TI_TRUE => true,
                raw::TI_FALSE | raw::TI_NULL => false,
                raw::TI_INT => raw::payload(place) != 0,
                _ => return props::get::<THIS>(ip, fp, run),
            };
            if answer == WHEN {
                jump!(second, fp, run, false)
            }
            next!(second, fp, run)
        }
        props::get::<THIS>(ip, fp, run)
    }
}

/// `InstanceOf` of an object of a class that an inline cache knows, and a branch on it. `COMPARES`: the branch compares the answer
/// with `true`.
unsafe extern "C-unwind" fn instance_branch<const WHEN: bool, const COMPARES: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for an `InstanceOf`, which has an inline cache at `d`, and the branch behind it.
    unsafe {
        let second = ip.add(1);
        let expected: Handler =
            if COMPARES { branch::<SAME, LITERAL, IN_FRAME, WHEN, false> } else { control::test::<WHEN, false> };
        let place = cell(fp, (*ip).a);
        if raw::tag(place) == raw::TI_OBJ && is(second, expected) {
            let class = raw::class_of(raw::payload(place)) as u64;
            let mut cache = site(ip);
            if cache.key != class {
                cache = second_site(ip);
            }
            if cache.key == class {
                if (cache.value != 0) == WHEN {
                    jump!(second, fp, run, false)
                }
                next!(second, fp, run)
            }
        }
        compare::instance_of::<false>(ip, fp, run)
    }
}

/// `InitFunc`, an argument that is a local, and `Call` of a builtin function: type tests without a call, others by their fast
/// path, which reads the local in its place. `COPIES`: the argument is known to be passed by value. `KNOWN`: the call is known to
/// be one of a builtin function.
unsafe extern "C-unwind" fn local_test<const COPIES: bool, const KNOWN: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: the contract holds for an `InitFunc`, which has an inline cache at `d`, and the two oplines behind it.
    unsafe {
        let (send, call) = (ip.add(1), ip.add(2));
        let sends: Handler = if COPIES { moves::copy_local } else { calls::send_local };
        let calls: Handler = if KNOWN { builtins::call_builtin } else { calls::call::<false> };
        let code = site(ip).key as *const FuncCode;
        let is_short =
            !code.is_null() && ((*code).tested_kinds != 0 || (*code).fast_path.is_some() && !(*code).has_by_ref);
        if is_short && is(send, sends) && is(call, calls) {
            let place = raw::look_through(cell(fp, if COPIES { (*send).a } else { (*send).b }));
            let tag = raw::tag(place);
            if tag != raw::TI_UNDEF && (*code).tested_kinds != 0 {
                if (*call).c != 0 {
                    let answer = (*code).tested_kinds >> (tag & 0xff) & 1 != 0;
                    raw::write_tag(cell(fp, (*call).c), if answer { raw::TI_TRUE } else { raw::TI_FALSE });
                }
                next!(call, fp, run)
            }
            if let Some(length) = (*code).measures.and_then(|measure| measure.of(place)) {
                if (*call).c != 0 {
                    raw::write(cell(fp, (*call).c), length as u64, raw::TI_INT);
                }
                next!(call, fp, run)
            }
            if tag != raw::TI_UNDEF && (*code).required <= 1 && (*code).most >= 1 {
                (*fp.cast::<Frame>()).ip = call;
                let (payload, tag) =
                    native::fast_path_answer_of((*code).fast_path.unwrap_unchecked(), place).into_parts();
                if tag != raw::TI_UNDEF {
                    match (*call).c {
                        0 => raw::release(payload, tag),
                        to => raw::write(cell(fp, to), payload, tag),
                    }
                    if (*(*run).has_pending).get() {
                        slow!(super::finish_only, call, fp, run)
                    }
                    next!(call, fp, run)
                }
            }
        }
        calls::init_func(ip, fp, run)
    }
}

/// `ClassConst`, and a branch that compares an object or an integer with it. The constant is not retained: nothing runs in
/// between. `GIVES_UP`: the operand is a temporary, which is released.
unsafe extern "C-unwind" fn const_branch<const OP: u8, const WHEN: bool, const GIVES_UP: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: the contract holds for a `ClassConst` and the branch on a comparison behind it; the cache keeps the constant alive.
    unsafe {
        let second = ip.add(1);
        let place = cell(fp, (*second).a);
        if let Some((constant, tag)) = props::quick_constant(ip, fp)
            && tag == raw::tag(place)
            && (tag == raw::TI_OBJ || tag == raw::TI_INT)
            && is(second, branch::<OP, IN_FRAME, IN_FRAME, WHEN, false>)
        {
            let own = raw::payload(place);
            if !GIVES_UP || raw::release_shared(own, tag) {
                if ((own == constant) == (OP == SAME)) == WHEN {
                    jump!(second, fp, run, false)
                }
                next!(second, fp, run)
            }
        }
        props::class_constant(ip, fp, run)
    }
}
