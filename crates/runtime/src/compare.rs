//! `===`, `==`, `<`, `<=>`.
//!
//! Comparisons give -1, 0 or 1; 1 also stands for "uncomparable", as PHP's operators expect.

use crate::class::{CastTo, ClassExt, ObjExt};
use crate::closure::ClosureData;
use crate::convert::{self, to_bool};
use crate::error::PhpResult;
use crate::lazy;
use crate::number::{self, Number};
use crate::vm::Vm;
use phlox_value::{PhpArr, PhpObj, PhpStr, Slot, Val, View};
use std::cmp::Ordering;

/// The result for operands that have no order.
pub const UNCOMPARABLE: i64 = 1;

/// Comparisons of nested arrays and objects stop at this depth.
const DEPTH_MAX: u32 = 10_000;

/// `===`
pub fn identical(a: &Val, b: &Val) -> bool {
    identical_at(a, b, 0)
}

fn identical_at(a: &Val, b: &Val, depth: u32) -> bool {
    match (a.view(), b.view()) {
        (View::Ref(r), _) => identical_at(&r.get(), b, depth),
        (_, View::Ref(r)) => identical_at(a, &r.get(), depth),
        (View::Undef | View::Null, View::Undef | View::Null) => true,
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Int(a), View::Int(b)) => a == b,
        (View::Double(a), View::Double(b)) => a == b,
        (View::Str(a), View::Str(b)) => a == b,
        (View::Obj(a), View::Obj(b)) => a.ptr_eq(b),
        (View::Res(a), View::Res(b)) => a.ptr_eq(b),
        (View::Arr(a), View::Arr(b)) => a.ptr_eq(b) || identical_arrays(a, b, depth),
        _ => false,
    }
}

fn identical_arrays(a: &PhpArr, b: &PhpArr, depth: u32) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if depth > DEPTH_MAX || !a.protect() {
        // `===` has no way to fail, so the error waits for the next safe point.
        if let Some(vm) = Vm::current() {
            vm.set_pending(too_deep(vm));
        }
        return false;
    }
    let equal = a.iter().zip(b.iter()).all(|((ka, va), (kb, vb))| ka == kb && identical_at(va, vb, depth + 1));
    a.unprotect();
    equal
}

/// `==`
pub fn loose_eq(vm: &Vm, a: &Val, b: &Val) -> PhpResult<bool> {
    Ok(match (a.view(), b.view()) {
        (View::Int(a), View::Int(b)) => a == b,
        (View::Double(a), View::Double(b)) => a == b,
        (View::Str(a), View::Str(b)) => equal_strings(a, b),
        _ => compare(vm, a, b)? == 0,
    })
}

/// `<`
pub fn less(vm: &Vm, a: &Val, b: &Val) -> PhpResult<bool> {
    Ok(match (a.view(), b.view()) {
        (View::Int(a), View::Int(b)) => a < b,
        (View::Double(a), View::Double(b)) => a < b,
        _ => compare(vm, a, b)? < 0,
    })
}

/// `<=`
pub fn less_equal(vm: &Vm, a: &Val, b: &Val) -> PhpResult<bool> {
    Ok(match (a.view(), b.view()) {
        (View::Int(a), View::Int(b)) => a <= b,
        (View::Double(a), View::Double(b)) => a <= b,
        _ => compare(vm, a, b)? <= 0,
    })
}

/// `<=>`
pub fn compare(vm: &Vm, a: &Val, b: &Val) -> PhpResult<i64> {
    compare_at(vm, a, b, 0)
}

/// The order of two strings; numeric strings are compared as numbers.
pub fn compare_strings(a: &[u8], b: &[u8]) -> i64 {
    smart_compare(a, b)
}

fn sign(ordering: Ordering) -> i64 {
    ordering as i64
}

fn compare_doubles(a: f64, b: f64) -> i64 {
    if a == b {
        0
    } else if a < b {
        -1
    } else {
        1
    }
}

fn compare_at(vm: &Vm, a: &Val, b: &Val, depth: u32) -> PhpResult<i64> {
    Ok(match (a.view(), b.view()) {
        (View::Int(a), View::Int(b)) => sign(a.cmp(&b)),
        (View::Int(a), View::Double(b)) => compare_doubles(a as f64, b),
        (View::Double(a), View::Int(b)) => compare_doubles(a, b as f64),
        (View::Double(a), View::Double(b)) => compare_doubles(a, b),
        (View::Ref(r), _) => return compare_at(vm, &r.get(), b, depth),
        (_, View::Ref(r)) => return compare_at(vm, a, &r.get(), depth),
        (View::Arr(a), View::Arr(b)) => return compare_arrays(vm, a, b, depth),
        (View::Str(a), View::Str(b)) => smart_compare(a, b),
        (View::Undef | View::Null, View::Str(s)) => -i64::from(!s.is_empty()),
        (View::Str(s), View::Undef | View::Null) => i64::from(!s.is_empty()),
        (View::Int(i), View::Str(s)) => compare_int_to_string(i, s),
        (View::Str(s), View::Int(i)) => -compare_int_to_string(i, s),
        (View::Double(d), View::Str(s)) => compare_double_to_string(vm, d, s),
        (View::Str(_), View::Double(d)) if d.is_nan() => 1,
        (View::Str(s), View::Double(d)) => -compare_double_to_string(vm, d, s),
        (View::Obj(_), View::Undef | View::Null) => 1,
        (View::Undef | View::Null, View::Obj(_)) => -1,
        (View::Obj(x), View::Obj(y)) => return compare_objects(vm, x, y, depth),
        (View::Obj(object), _) => return compare_object_to(vm, object, b, true, depth),
        (_, View::Obj(object)) => return compare_object_to(vm, object, a, false, depth),
        (View::Undef | View::Null | View::Bool(_), _) | (_, View::Undef | View::Null | View::Bool(_)) => {
            i64::from(to_bool(a)) - i64::from(to_bool(b))
        }
        (View::Arr(_), _) => 1,
        (_, View::Arr(_)) => -1,
        // The remaining combinations are a resource and a scalar, or two resources.
        _ => match (convert::to_number(vm, a)?, convert::to_number(vm, b)?) {
            (Number::Int(a), Number::Int(b)) => sign(a.cmp(&b)),
            (a, b) => compare_doubles(a.as_f64(), b.as_f64()),
        },
    })
}

fn equal_strings(a: &PhpStr, b: &PhpStr) -> bool {
    if a == b {
        return true;
    }
    // Strings with different bytes can be equal only if both look like numbers.
    let numeric_start = |s: &PhpStr| s.first().is_some_and(|&b| b <= b'9');
    numeric_start(a) && numeric_start(b) && smart_compare(a, b) == 0
}

fn compare_bytes(a: &[u8], b: &[u8]) -> i64 {
    sign(a.cmp(b))
}

fn smart_compare(a: &[u8], b: &[u8]) -> i64 {
    let may_be_number =
        |text: &[u8]| text.first().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b' ' | b'.' | b'+' | b'-' | 9..=13));
    if !may_be_number(a) || !may_be_number(b) {
        return compare_bytes(a, b);
    }
    let whole = |text| number::numeric_prefix(text).filter(|n| !n.trailing);
    let (Some(x), Some(y)) = (whole(a), whole(b)) else { return compare_bytes(a, b) };
    match (x.number, y.number) {
        (Number::Int(x), Number::Int(y)) => sign(x.cmp(&y)),
        // Both integers overflowed to the same side, and the floats may have lost the difference.
        (Number::Double(p), Number::Double(q)) if x.overflow != 0 && x.overflow == y.overflow && p - q == 0.0 => {
            compare_bytes(a, b)
        }
        (Number::Double(p), Number::Double(q)) if p == q && !p.is_finite() => compare_bytes(a, b),
        (Number::Int(_), Number::Double(_)) if y.overflow != 0 => -i64::from(y.overflow),
        (Number::Double(_), Number::Int(_)) if x.overflow != 0 => i64::from(x.overflow),
        (p, q) => compare_doubles(p.as_f64() - q.as_f64(), 0.0),
    }
}

fn compare_int_to_string(int: i64, text: &PhpStr) -> i64 {
    match number::numeric(text) {
        Some(Number::Int(other)) => sign(int.cmp(&other)),
        Some(Number::Double(other)) => compare_doubles(int as f64, other),
        None => compare_bytes(&convert::int_to_str(int), text),
    }
}

fn compare_double_to_string(vm: &Vm, double: f64, text: &PhpStr) -> i64 {
    if double.is_nan() {
        return 1;
    }
    match number::numeric(text) {
        Some(other) => compare_doubles(double, other.as_f64()),
        None => compare_bytes(&number::double_to_string(double, vm.ini.get(&crate::settings::PRECISION)), text),
    }
}

fn too_deep(vm: &Vm) -> crate::Throw {
    vm.throw_error(b"Nesting level too deep - recursive dependency?")
}

fn compare_arrays(vm: &Vm, a: &PhpArr, b: &PhpArr, depth: u32) -> PhpResult<i64> {
    if a.ptr_eq(b) {
        return Ok(0);
    }
    if a.len() != b.len() {
        return Ok(sign(a.len().cmp(&b.len())));
    }
    if depth > DEPTH_MAX || !a.protect() {
        return Err(too_deep(vm));
    }
    let result = compare_tables(vm, a, b, depth + 1);
    a.unprotect();
    result
}

/// Compares element by element in the order of `a`; a key that `b` lacks makes the arrays uncomparable.
fn compare_tables(vm: &Vm, a: &PhpArr, b: &PhpArr, depth: u32) -> PhpResult<i64> {
    if a.len() != b.len() {
        return Ok(sign(a.len().cmp(&b.len())));
    }
    for (key, x) in a.iter() {
        let Some(y) = b.get(key) else { return Ok(UNCOMPARABLE) };
        match compare_at(vm, x, y, depth)? {
            0 => {}
            order => return Ok(order),
        }
    }
    Ok(0)
}

/// Compares an object with another kind of value, to whose type the object is cast if possible.
fn compare_object_to(vm: &Vm, object: &PhpObj, value: &Val, object_first: bool, depth: u32) -> PhpResult<i64> {
    let uncastable = Ok(if object_first { 1 } else { -1 });
    if object.class().is_enum() {
        return Ok(UNCOMPARABLE);
    }
    if let Some(hook) = object.class().native.compare_with
        && let Some(order) = hook(vm, object, value)?
    {
        return Ok(order.map_or(UNCOMPARABLE, |order| sign(if object_first { order } else { order.reverse() })));
    }
    let cast = match value.view() {
        View::Bool(_) => Some(convert::native_cast(vm, object, CastTo::Bool)?.unwrap_or(Val::TRUE)),
        View::Int(_) => Some(cast_to_number(vm, object, CastTo::Int, "int", Val::int(1))?),
        View::Double(_) => Some(cast_to_number(vm, object, CastTo::Float, "float", Val::double(1.0))?),
        View::Str(_) => convert::object_to_str(vm, object)?.map(Val::from),
        _ => None,
    };
    match cast {
        None => uncastable,
        Some(cast) if object_first => compare_at(vm, &cast, value, depth + 1),
        Some(cast) => compare_at(vm, value, &cast, depth + 1),
    }
}

fn cast_to_number(vm: &Vm, object: &PhpObj, target: CastTo, name: &str, fallback: Val) -> PhpResult<Val> {
    if let Some(cast) = convert::native_cast(vm, object, target)? {
        return Ok(cast);
    }
    let class = convert::printable_name(object.class_name());
    vm.notice(&[b"Object of class ", class, b" could not be converted to ", name.as_bytes()].concat())?;
    Ok(fallback)
}

fn compare_objects(vm: &Vm, a: &PhpObj, b: &PhpObj, depth: u32) -> PhpResult<i64> {
    if a.ptr_eq(b) {
        return Ok(0);
    }
    if a.class().is_enum() {
        return Ok(UNCOMPARABLE);
    }
    // A hook that only one of the classes has could not interpret the other object.
    let shared = |hook| b.class().native.compare.is_some_and(|other| std::ptr::fn_addr_eq(hook, other));
    if let Some(hook) = a.class().native.compare.filter(|&hook| shared(hook)) {
        return Ok(hook(vm, a, b)?.map_or(UNCOMPARABLE, sign));
    }
    // A class that compares its objects with all kinds of values has a word about other objects, too.
    for (object, other, object_first) in [(a, b, true), (b, a, false)] {
        if let Some(hook) = object.class().native.compare_with
            && let Some(order) = hook(vm, object, &other.clone().into())?
        {
            return Ok(order.map_or(UNCOMPARABLE, |order| sign(if object_first { order } else { order.reverse() })));
        }
    }
    if a.class_header().id() != b.class_header().id() {
        return Ok(UNCOMPARABLE);
    }
    if let (Some(x), Some(y)) = (a.native::<ClosureData>(), b.native::<ClosureData>()) {
        return Ok(if same_closure(x, y) { 0 } else { UNCOMPARABLE });
    }
    let (a, b) = (&lazy::real(vm, a)?, &lazy::real(vm, b)?);
    if a.ptr_eq(b) {
        return Ok(0);
    }
    if depth > DEPTH_MAX || !a.protect() {
        return Err(too_deep(vm));
    }
    let result = match (a.dynamic(), b.dynamic()) {
        (None, None) => compare_slots(vm, a.slots(), b.slots(), depth + 1),
        _ => compare_tables(vm, &convert::object_properties(a), &convert::object_properties(b), depth + 1),
    };
    a.unprotect();
    result
}

fn compare_slots(vm: &Vm, a: &[Slot], b: &[Slot], depth: u32) -> PhpResult<i64> {
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x.get(), y.get());
        match (x.is_undef(), y.is_undef()) {
            (true, true) => {}
            (false, false) => match compare_at(vm, &x, &y, depth)? {
                0 => {}
                order => return Ok(order),
            },
            _ => return Ok(UNCOMPARABLE),
        }
    }
    Ok(0)
}

/// Whether two closures were made of one function or method for one object; only then are they equal.
fn same_closure(a: &ClosureData, b: &ClosureData) -> bool {
    let same_this = match (a.this.get().into_obj(), b.this.get().into_obj()) {
        (Some(x), Some(y)) => x.ptr_eq(&y),
        (None, None) => true,
        _ => false,
    };
    let class_id = |data: &ClosureData| data.called_scope.as_ref().map(|class| class.id());
    let scope_id = |data: &ClosureData| data.func.scope.get().map(|class| class.class().handle().id());
    a.is_fake
        && b.is_fake
        && same_this
        && class_id(a) == class_id(b)
        && scope_id(a) == scope_id(b)
        && a.func.name == b.func.name
        && a.magic_name == b.magic_name
}
