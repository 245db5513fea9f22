//! Which functions are inlined into compiled code.

use super::functions::given;
use super::specializations::{is_known, session};
use super::{input, waits};
use crate::code::FuncCode;
use phlox_hhbc::FuncFlags;
use phlox_hhir::types::{self as hhir, Bits};
use phlox_hhir::{ClassId, FuncId};
use phlox_jit::{Inlined, Specialization};
use std::cell::RefCell;

/// Oplines of an inlined function at most, and depth of inlined functions inside each other.
const MAX_OPLINES: usize = 40;
const DEEPEST: usize = 3;

/// The function, the type of its object or class, and the argument types of a call.
type Kinds = (FuncId, Option<Bits>, Vec<Bits>);

thread_local! {
    /// Functions that are being inlined into each other at the moment, outermost first.
    static OPEN: RefCell<Vec<FuncId>> = const { RefCell::new(Vec::new()) };
    /// Calls that were found not to be inlinable, and the session they were found in.
    static REFUSED: RefCell<(u64, Vec<Kinds>)> = const { RefCell::new((0, Vec::new())) };
}

/// Builds the function of `wanted` for inlining into `into`; `None`: it is called instead. `own`: the code that is compiled is the
/// specialisation for this very call (recursion), and whether that one needs a frame.
pub fn inlined(
    into: &FuncCode,
    wanted: &Specialization,
    classes: &[Option<ClassId>],
    own: Option<bool>,
) -> Option<Inlined> {
    // SAFETY: functions live as long as the request.
    let code = unsafe { &*(wanted.func.0 as *const FuncCode) };
    if !is_small(code) || code.params as usize != wanted.args.len() {
        return None;
    }
    // A recursive function is inlined into itself once: that removes half of its calls, or more.
    let is_recursive = std::ptr::eq(into, code);
    let is_open = OPEN.with_borrow(|open| {
        let is_inside = is_recursive && (own.is_none() || !open.is_empty());
        open.len() >= DEEPEST || open.contains(&wanted.func) || is_inside
    });
    let site = code.func_site()?;
    let counted: Vec<Bits> = wanted.args.iter().map(|&bits| counted(bits)).collect();
    // A function that is in its loop most of the time gains little from inlining.
    let loops = !waits() && code.has_hot_loop();
    if is_open || loops || !is_known(site, &counted) {
        return None;
    }
    let kinds: Kinds = (wanted.func, wanted.this, wanted.args.clone());
    let is_refused = REFUSED.with_borrow_mut(|(of, refused)| {
        if std::mem::replace(of, session()) != session() {
            refused.clear();
        }
        refused.contains(&kinds)
    });
    if is_refused {
        return None;
    }
    // SAFETY: the function's start is one of its oplines.
    let header = unsafe { code.index_of(site.start()) } as u32;
    OPEN.with_borrow_mut(|open| open.push(wanted.func));
    let built = input::of_inlined(code, header, wanted, classes, own);
    OPEN.with_borrow_mut(|open| open.pop());
    match built {
        Ok(built) if !built.needs_frame => Some(Inlined { built, oplines: code.ops.get() as u64 }),
        _ => {
            REFUSED.with_borrow_mut(|(_, refused)| refused.push(kinds));
            None
        }
    }
}

/// Whether the function is small and simple enough to be inlined.
fn is_small(code: &FuncCode) -> bool {
    let is_plain = !code.is_native && code.is_simple.get() && !code.has_by_ref && !code.has_captures;
    is_plain
        && given(code) == Some(code.params)
        && !code.func().has(FuncFlags::GENERATOR)
        && code.func().code().eh.is_empty()
        && code.body().lowered.ops.len() <= MAX_OPLINES
}

/// The type under which a literal string is passed: a refcounted string.
fn counted(bits: Bits) -> Bits {
    if bits & hhir::STATIC_STR == 0 { bits } else { bits & !hhir::STATIC_STR | hhir::COUNTED_STR }
}
