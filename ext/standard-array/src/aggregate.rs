//! `array_sum`, `array_product`, `min`, `max`, `array_unique`.

use crate::hybrid_sort;
use crate::lookup::copied;
use crate::order;
use phlox_runtime::{Call, FnDef, Key, ObjExt, PhpArr, PhpResult, Throw, Val, View, arith, convert, number};
use std::cmp::Ordering;
use std::collections::HashSet;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_sum(array $array): int|float", array_sum)
        .fast_path(|args| fold_numbers(args.first()?.as_arr()?, 0, i64::checked_add, |a, b| a + b)),
    FnDef::new("array_product(array $array): int|float", array_product)
        .fast_path(|args| fold_numbers(args.first()?.as_arr()?, 1, i64::checked_mul, |a, b| a * b)),
    FnDef::new("min(mixed $value, mixed ...$values): mixed", min).fast_path(|args| match args {
        [x, y] => match (x.as_int(), y.as_int(), x.as_double(), y.as_double()) {
            (Some(a), Some(b), ..) => Some(Val::int(if a <= b { a } else { b })),
            (.., Some(a), Some(b)) if a < b => Some(Val::double(a)),
            (.., Some(a), Some(b)) if a > b || a.to_bits() == b.to_bits() => Some(Val::double(b)),
            _ => None,
        },
        _ => extreme_number(args, |new, best| new < best, |new, best| new < best),
    }),
    FnDef::new("max(mixed $value, mixed ...$values): mixed", max).fast_path(|args| match args {
        [x, y] => match (x.as_int(), y.as_int(), x.as_double(), y.as_double()) {
            (Some(a), Some(b), ..) => Some(Val::int(if a >= b { a } else { b })),
            (.., Some(a), Some(b)) if !a.is_nan() && !b.is_nan() => Some(Val::double(if a >= b { a } else { b })),
            _ => None,
        },
        _ => extreme_number(args, |new, best| new > best, |new, best| new > best),
    }),
    FnDef::new("array_unique(array $array, int $flags = SORT_STRING): array", array_unique).fast_path(
        |args| match args {
            [array] => unique_scalars(array.as_arr()?),
            _ => None,
        },
    ),
];

/// Folds integers and floats; `None` if there are other values.
fn fold_numbers(
    array: &PhpArr,
    initial: i64,
    exact: fn(i64, i64) -> Option<i64>,
    inexact: fn(f64, f64) -> f64,
) -> Option<Val> {
    let mut total = initial;
    let mut values = array.values();
    let mut wide = loop {
        let Some(value) = values.next() else { return Some(Val::int(total)) };
        match value.view() {
            View::Int(int) => match exact(total, int) {
                Some(result) => total = result,
                None => break inexact(total as f64, int as f64),
            },
            View::Double(double) => break inexact(total as f64, double),
            _ => return None,
        }
    };
    for value in values {
        match value.view() {
            View::Int(int) => wide = inexact(wide, int as f64),
            View::Double(double) => wide = inexact(wide, double),
            _ => return None,
        }
    }
    Some(Val::double(wide))
}

/// The least or greatest of integers, or of floats, in one array or given one by one.
fn extreme_number(args: &[Val], int: fn(i64, i64) -> bool, double: fn(f64, f64) -> bool) -> Option<Val> {
    match args {
        [array] => extreme_of(array.as_arr()?.values(), int, double),
        _ => extreme_of(args.iter(), int, double),
    }
}

fn extreme_of<'a>(
    mut values: impl Iterator<Item = &'a Val>,
    int: fn(i64, i64) -> bool,
    double: fn(f64, f64) -> bool,
) -> Option<Val> {
    match values.next()?.view() {
        View::Int(first) => {
            let best =
                values.try_fold(first, |best, value| value.as_int().map(|new| if int(new, best) { new } else { best }));
            best.map(Val::int)
        }
        View::Double(first) if !first.is_nan() => {
            let best = values.try_fold(first, |best, value| {
                let new = value.as_double().filter(|new| !new.is_nan())?;
                Some(if double(new, best) { new } else { best })
            });
            best.map(Val::double)
        }
        _ => None,
    }
}

/// `array_unique` of strings and integers, which are equal if they are equal as keys; `None` if there are other values.
fn unique_scalars(array: &PhpArr) -> Option<Val> {
    if array.len() <= 1 {
        return Some(array.into());
    }
    let mut seen = PhpArr::with_hash_capacity(array.len());
    let mut unique = PhpArr::with_room_for(array);
    for (key, value) in array {
        let text = match value.view() {
            View::Int(int) => Key::Int(int),
            View::Str(text) => Key::from_str(text),
            _ => return None,
        };
        if !seen.contains(text) {
            seen.add_new(text, Val::NULL);
            unique.add_new(key, value.clone());
        }
    }
    Some(unique.into())
}

type Operator = fn(&phlox_runtime::Vm, &Val, &Val) -> PhpResult<Val>;

/// Folds the elements with an operator. A value that the operator refuses raises a warning and is cast as PHP does.
fn fold(call: &Call<'_>, name: &str, operator: Operator, initial: i64) -> PhpResult<Val> {
    let (vm, array) = (call.vm, call.arr(0));
    let mut total = Val::int(initial);
    for value in array.values() {
        let value = value.deref();
        let unsupported = || {
            format!(
                "{name} is not supported on type {}",
                if value.as_obj().is_some() { convert::debug_type(&value) } else { convert::type_name(&value) }
            )
        };
        if let View::Obj(object) = value.view() {
            let cast = object.class().native.cast;
            let number = match cast {
                Some(cast) => cast(vm, object, phlox_runtime::class::CastTo::Int)?,
                None => None,
            };
            match number {
                Some(number) => total = operator(vm, &total, &number)?,
                None => call.warning(&unsupported())?,
            }
            continue;
        }
        match operator(vm, &total, &value) {
            Ok(result) => total = result,
            Err(Throw::Exception(_)) => {
                match value.view() {
                    View::Res(resource) => total = operator(vm, &total, &Val::int(resource.id()))?,
                    View::Str(_) => total = operator(vm, &total, &Val::int(0))?,
                    _ => {}
                }
                call.warning(&unsupported())?;
            }
            Err(throw) => return Err(throw),
        }
    }
    Ok(total)
}

fn array_sum(call: &mut Call<'_>) -> PhpResult<Val> {
    fold(call, "Addition", |vm, a, b| arith::binary(vm, arith::BinOp::Add, a, b), 0)
}

fn array_product(call: &mut Call<'_>) -> PhpResult<Val> {
    fold(call, "Multiplication", |vm, a, b| arith::binary(vm, arith::BinOp::Mul, a, b), 1)
}

/// Two numbers that PHP compares as floats: integers among them are exact as such.
fn as_floats(a: &Val, b: &Val) -> Option<(f64, f64)> {
    let exact = |value: &Val| match value.view() {
        View::Double(double) => Some(double),
        View::Int(int) => Some(int as f64).filter(|&float| number::double_to_int(float) == int),
        _ => None,
    };
    let any = matches!(a.view(), View::Double(_)) || matches!(b.view(), View::Double(_));
    exact(a).zip(exact(b)).filter(|_| any)
}

/// The least or greatest element of an array.
fn extreme_of_array(call: &Call<'_>, replaces: fn(i32) -> bool) -> PhpResult<Val> {
    let value = call.arg(0);
    let Some(array) = value.as_arr() else {
        let text = format!("must be of type array, {} given", convert::value_name(&value));
        return Err(call.type_error(0, &text));
    };
    let mut elements = array.values().map(Val::deref);
    let Some(mut best) = elements.next() else {
        return Err(call.value_error(0, "must contain at least one element"));
    };
    for element in elements {
        if replaces(order::regular(call.vm, &best, &element)?) {
            best = element;
        }
    }
    Ok(best)
}

/// The least or greatest argument. Numbers are compared as numbers until something else comes; both ways differ for
/// NAN only.
fn extreme(call: &Call<'_>, floats: fn(f64, f64) -> bool, replaces: fn(i32) -> bool) -> PhpResult<Val> {
    let mut arguments = call.args.iter().map(Val::deref);
    let mut best = arguments.next().unwrap_or_default();
    let mut are_numbers = true;
    for argument in arguments {
        let numbers = as_floats(&best, &argument).filter(|_| are_numbers);
        are_numbers &= numbers.is_some() || best.as_int().is_some() && argument.as_int().is_some();
        let is_better = match numbers {
            Some((best, argument)) => floats(best, argument),
            None => replaces(order::regular(call.vm, &argument, &best)?),
        };
        if is_better {
            best = argument;
        }
    }
    Ok(best)
}

/// The less or the greater one of two arguments. Where none is, PHP's function takes the first, and what PHP calls without a frame
/// is another function: it takes the second of equal ones as the less, and the second where there is a NAN.
fn extreme_of_two(call: &Call<'_>, is_min: bool) -> PhpResult<Val> {
    let (left, right) = (call.arg(0).into_deref(), call.arg(1).into_deref());
    // Arrays and NAN may be neither less nor greater, nor equal, so it matters which value is compared with the other.
    let is_partial = |value: &Val| value.as_arr().is_some() || value.as_double().is_some_and(f64::is_nan);
    if (is_partial(&left) || is_partial(&right)) && !call.vm.runs_without_frame() {
        return match is_min {
            true => extreme(call, |best, argument| best > argument, |order| order < 0),
            false => extreme(call, |best, argument| best < argument, |order| order > 0),
        };
    }
    let order = match as_floats(&left, &right) {
        Some((left, right)) => left.partial_cmp(&right),
        None => Some(order::regular(call.vm, &left, &right)?.cmp(&0)),
    };
    let is_left = match order {
        Some(Ordering::Less) => is_min,
        Some(Ordering::Greater) => !is_min,
        Some(Ordering::Equal) => !is_min || !call.vm.runs_without_frame(),
        None => false,
    };
    Ok(if is_left { left } else { right })
}

fn min(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.passed {
        1 => extreme_of_array(call, |order| order > 0),
        2 => extreme_of_two(call, true),
        _ => extreme(call, |best, argument| best > argument, |order| order < 0),
    }
}

fn max(call: &mut Call<'_>) -> PhpResult<Val> {
    match call.passed {
        1 => extreme_of_array(call, |order| order < 0),
        2 => extreme_of_two(call, false),
        _ => extreme(call, |best, argument| best < argument, |order| order > 0),
    }
}

fn array_unique(call: &mut Call<'_>) -> PhpResult<Val> {
    let (vm, array, flags) = (call.vm, call.arr(0), call.int(1));
    if array.len() <= 1 {
        return Ok(array.into());
    }
    if flags == order::STRING {
        let mut seen = HashSet::new();
        let mut unique = PhpArr::with_capacity(0);
        for (key, value) in &array {
            if seen.insert(convert::to_str(vm, &value.deref())?) {
                unique.insert(key, copied(value));
            }
        }
        return Ok(unique.into());
    }
    // References are copied before `entries` holds them, too, which would make them look shared.
    let references = array.iter().filter(|(_, value)| value.is_ref());
    let values: Vec<_> = references.map(|(key, value)| (key.to_owned(), copied(value))).collect();
    let mut entries = crate::sort::entries(&array);
    hybrid_sort::sort(&mut entries, &mut |a, b| Ok(order::values(vm, flags, &a.value, &b.value)? > 0))?;
    let mut unique = array.as_new();
    for (key, value) in values {
        drop(unique.insert(key.as_key(), value));
    }
    let mut entries = entries.into_iter();
    let Some(mut kept) = entries.next() else { return Ok(unique.into()) };
    for entry in entries {
        if order::values(vm, flags, &kept.value, &entry.value)? != 0 {
            kept = entry;
        } else if kept.position > entry.position {
            drop(unique.remove(kept.key.as_key()));
            kept = entry;
        } else {
            drop(unique.remove(entry.key.as_key()));
        }
    }
    Ok(unique.into())
}
