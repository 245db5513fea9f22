//! The comparisons that sorting and the functions on sets share: by the `SORT_*` flags, or by a callback.
//!
//! A comparison gives a sign. `1` also stands for "not comparable", as in Zend, where it makes the reverse
//! order differ from the order reversed.

use crate::natural;
use phlox_runtime::compare;
use phlox_runtime::convert;
use phlox_runtime::number::string_to_double;
use phlox_runtime::{ArrKey, Call, Callee, Level, ObjExt, PhpResult, PhpStr, Val, View, Vm};
use std::cmp::Ordering;

pub const REGULAR: i64 = 0;
pub const NUMERIC: i64 = 1;
pub const STRING: i64 = 2;
pub const DESC: i64 = 3;
pub const ASC: i64 = 4;
pub const LOCALE_STRING: i64 = 5;
pub const NATURAL: i64 = 6;
pub const FLAG_CASE: i64 = 8;

/// An element being sorted.
pub struct Entry {
    pub key: ArrKey,
    pub value: Val,
    /// The position before sorting, which decides between equal elements.
    pub position: usize,
}

/// The order as -1, 0 or 1.
pub fn sign(order: Ordering) -> i32 {
    order as i32
}

/// `$a <=> $b` as a sign.
pub fn regular(vm: &Vm, a: &Val, b: &Val) -> PhpResult<i32> {
    if let (View::Int(a), View::Int(b)) = (a.view(), b.view()) {
        return Ok(sign(a.cmp(&b)));
    }
    compare::compare(vm, a, b).map(|order| order as i32)
}

/// `$a <=> $b` as a sign, but enum cases, which do not compare, group by identity.
fn regular_value(vm: &Vm, a: &Val, b: &Val) -> PhpResult<i32> {
    let result = regular(vm, a, b)?;
    if result == 1 {
        if let View::Obj(right) = b.deref().view() {
            if right.class().is_enum() {
                return Ok(match a.deref().view() {
                    View::Obj(left) if left.class().is_enum() => sign(left.address().cmp(&right.address())),
                    _ => -1,
                });
            }
        }
    }
    Ok(result)
}

fn three_way(a: f64, b: f64) -> i32 {
    if a == b {
        0
    } else if a < b {
        -1
    } else {
        1
    }
}

/// Compares two strings with ASCII letters in lower case.
pub fn compare_folded(a: &[u8], b: &[u8]) -> i32 {
    let fold = |text: &[u8]| text.to_ascii_lowercase();
    sign(fold(a).cmp(&fold(b)))
}

/// Compares two values by a `SORT_*` type with its flags.
pub fn values(vm: &Vm, flags: i64, a: &Val, b: &Val) -> PhpResult<i32> {
    let fold_case = flags & FLAG_CASE != 0;
    let strings = || -> PhpResult<(PhpStr, PhpStr)> { Ok((convert::to_str(vm, a)?, convert::to_str(vm, b)?)) };
    Ok(match flags & !FLAG_CASE {
        NUMERIC => three_way(convert::to_double(vm, a)?, convert::to_double(vm, b)?),
        STRING | LOCALE_STRING => {
            let (a, b) = strings()?;
            if fold_case && flags & !FLAG_CASE == STRING { compare_folded(&a, &b) } else { sign(a.cmp(&b)) }
        }
        NATURAL => {
            let (a, b) = strings()?;
            sign(natural::compare(&a, &b, fold_case))
        }
        _ => return regular_value(vm, a, b),
    })
}

/// The key as a string.
pub fn key_text(key: &ArrKey) -> PhpStr {
    match key {
        ArrKey::Int(i) => PhpStr::from(i.to_string().as_str()),
        ArrKey::Str(s) => s.clone(),
    }
}

/// Compares two keys by a `SORT_*` type with its flags.
pub fn keys(vm: &Vm, flags: i64, a: &ArrKey, b: &ArrKey) -> PhpResult<i32> {
    let fold_case = flags & FLAG_CASE != 0;
    let kind = flags & !FLAG_CASE;
    if let (REGULAR, ArrKey::Str(a), ArrKey::Str(b)) = (kind, a, b) {
        return Ok(compare::compare_strings(a, b).signum() as i32);
    }
    if let (ArrKey::Int(a), ArrKey::Int(b)) = (a, b) {
        if !matches!(kind, STRING | LOCALE_STRING | NATURAL) {
            return Ok(sign(a.cmp(b)));
        }
    }
    Ok(match kind {
        NUMERIC => {
            let number = |key: &ArrKey| match key {
                ArrKey::Int(i) => *i as f64,
                ArrKey::Str(s) => string_to_double(s),
            };
            three_way(number(a), number(b))
        }
        STRING if fold_case => compare_folded(&key_text(a), &key_text(b)),
        STRING | LOCALE_STRING => sign(key_text(a).cmp(&key_text(b))),
        NATURAL => sign(natural::compare(&key_text(a), &key_text(b), fold_case)),
        _ => return regular(vm, &a.to_val(), &b.to_val()),
    })
}

/// A comparison callback, as `usort` and the `array_u*` functions take it.
pub struct UserOrder {
    pub callee: Callee,
}

impl UserOrder {
    /// An order by a callback; throws if the value cannot be called.
    pub fn new(call: &Call<'_>, callable: &Val) -> PhpResult<UserOrder> {
        Ok(UserOrder { callee: call.vm.require_callable(callable)? })
    }

    /// Calls the callback.
    pub fn ask(&self, vm: &Vm, a: &Val, b: &Val) -> PhpResult<i32> {
        sign_of(vm, &vm.call_moving(&self.callee, &mut [a.deref(), b.deref()])?)
    }

    /// Calls the callback for two elements that are sorted.
    pub fn ask_for_sort(&self, call: &Call<'_>, warned: &mut bool, a: &Val, b: &Val) -> PhpResult<i32> {
        sign_for_sort(call, warned, |a, b| call.vm.call_moving(&self.callee, &mut [a.deref(), b.deref()]), a, b)
    }
}

/// The sign of a callback's result.
#[inline(always)]
fn sign_of(vm: &Vm, result: &Val) -> PhpResult<i32> {
    match result.as_int() {
        Some(int) => Ok(int.signum() as i32),
        None => Ok(convert::to_int(vm, result)?.signum() as i32),
    }
}

/// The sign of the callback's result for two elements that are sorted. A boolean is deprecated, and after `false` the
/// callback is called with the elements exchanged.
#[inline(always)]
pub fn sign_for_sort(
    call: &Call<'_>,
    warned: &mut bool,
    ask: impl Fn(&Val, &Val) -> PhpResult<Val>,
    a: &Val,
    b: &Val,
) -> PhpResult<i32> {
    let result = ask(a, b)?;
    match result.as_bool() {
        None => sign_of(call.vm, &result),
        Some(answer) => {
            warn_of_bool(call, warned)?;
            match answer {
                true => Ok(1),
                false => Ok(-sign_of(call.vm, &ask(b, a)?)?),
            }
        }
    }
}

#[cold]
fn warn_of_bool(call: &Call<'_>, warned: &mut bool) -> PhpResult<()> {
    if std::mem::replace(warned, true) {
        return Ok(());
    }
    call.raise(
        Level::Deprecated,
        b"Returning bool from comparison function is deprecated, return an integer less than, equal to, or greater than zero",
    )
}
