//! Handlers that do two oplines which often follow each other ([`phlox_lower::pair`]).
//!
//! The second opline is where it always is, and is done here as long as it has the handler that was expected: not while
//! something counts it or looks at it for the compiler of machine code. What is not of the commonest kinds is left to the
//! handlers of the two; nothing has happened then.

use super::arith::{ADD, AND, MUL, OR, SUB, XOR, binary, of_doubles, of_integers, step_reference};
use super::compare::{EQ, GT, GTE, LT, LTE, NEQ, NSAME, SAME, branch, ordered};
use super::elements::{self, NORMAL, array_of, list_element};
use super::props::{self, THIS};
use super::{Handler, IN_FRAME, LITERAL, go, is_backward, is_literal, jump, next, source};
use crate::context::{Fp, Ip, Run, cell};
use phlox_hhbc::SetOp;
use phlox_lower::{Comparison, Lowered, OpCode, Operand, Pair, pair};
use phlox_runtime::Val;
use phlox_value::raw;

/// The handler of a pair whose first opline is at a position.
pub fn select(at: usize, lowered: &Lowered) -> Option<Handler> {
    // Where oplines are counted, each is one.
    if cfg!(feature = "count-oplines") {
        return None;
    }
    let pair = pair(&lowered.ops, at)?;
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
        // Where a literal is the key, what is compared is mostly no number.
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
    })
}

/// Has an opline the handler that it was lowered for?
#[inline(always)]
unsafe fn is(ip: Ip, handler: Handler) -> bool {
    // SAFETY: called with the opline behind a handler's own.
    unsafe { std::ptr::fn_addr_eq((*ip).handler, handler) }
}

/// `++` or `--`, and a branch back.
unsafe extern "C-unwind" fn step_branch<const BY: i64, const OP: u8, const B: u8>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: handlers are entered with an opline of the innermost frame.
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

/// The element of a list that a local holds.
#[inline(always)]
unsafe fn element_of_local<const KEY: u8>(ip: Ip, fp: Fp) -> Option<*mut Val> {
    // SAFETY: called by handlers with an opline that reads an element of a local.
    unsafe {
        let array = array_of::<false>(cell(fp, (*ip).a))?;
        let key = source::<KEY>(ip, fp, (*ip).b);
        if raw::tag(key) == raw::TI_INT { list_element(array, raw::payload(key)) } else { None }
    }
}

/// An element as the right operand.
unsafe extern "C-unwind" fn elem_binary<const OP: u8, const KEY: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: as `step_branch`.
    unsafe {
        let second = ip.add(1);
        if let Some(element) = element_of_local::<KEY>(ip, fp)
            && is(second, binary::<OP, IN_FRAME, IN_FRAME, TO_LOCAL>)
        {
            let a = cell(fp, (*second).a);
            let to = cell(fp, (*second).c);
            if of_integers::<OP, TO_LOCAL>(a, element, to) || of_doubles::<OP, TO_LOCAL>(a, element, to) {
                next!(second, fp, run)
            }
        }
        elements::get::<KEY, false, NORMAL, false>(ip, fp, run)
    }
}

/// An integer element compared with an integer; `RIGHT`: it is the right operand.
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
    // SAFETY: as `step_branch`.
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

/// An element of the array that a cell holds goes to where the second opline wants it. False: nothing happened.
#[inline(always)]
unsafe fn give_inner<const KEY: u8, const TO_LOCAL: bool>(second: Ip, fp: Fp, array: *const Val) -> bool {
    // SAFETY: called by handlers with their second opline.
    unsafe {
        let (key, to) = (source::<KEY>(second, fp, (*second).b), cell(fp, (*second).c));
        if raw::tag(array) & 0xff != raw::TI_ARR_STATIC || (TO_LOCAL && raw::tag(to) & raw::COUNTED != 0) {
            return false;
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
        let Some(element) = element else { return false };
        let element = raw::look_through(element);
        let (payload, tag) = (raw::payload(element), raw::tag(element));
        raw::retain(payload, tag);
        raw::write(to, payload, tag);
        true
    }
}

/// An element of an element: the array between is not counted for a moment.
unsafe extern "C-unwind" fn elem_elem<const OUTER: u8, const KEY: u8, const TO_LOCAL: bool>(
    ip: Ip,
    fp: Fp,
    run: *mut Run,
) {
    // SAFETY: as `step_branch`.
    unsafe {
        let second = ip.add(1);
        if let Some(array) = element_of_local::<OUTER>(ip, fp)
            && is(second, elements::get::<KEY, true, NORMAL, TO_LOCAL>)
            && give_inner::<KEY, TO_LOCAL>(second, fp, array)
        {
            next!(second, fp, run)
        }
        elements::get::<OUTER, false, NORMAL, false>(ip, fp, run)
    }
}

/// An element of a property of `$this`, or a byte of a string that one is.
unsafe extern "C-unwind" fn prop_elem<const KEY: u8, const TO_LOCAL: bool>(ip: Ip, fp: Fp, run: *mut Run) {
    // SAFETY: as `step_branch`.
    unsafe {
        let second = ip.add(1);
        let base = props::cached_place::<THIS>(ip, fp);
        if !base.is_null() && is(second, elements::get::<KEY, true, NORMAL, TO_LOCAL>) {
            if give_inner::<KEY, TO_LOCAL>(second, fp, base) {
                next!(second, fp, run)
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
