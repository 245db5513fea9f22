//! `array_sum`, `array_product`, `min`, `max`, `array_unique`.

use crate::hybrid_sort;
use crate::lookup::copied;
use crate::order;
use phlox_runtime::{Call, FnDef, ObjExt, PhpArr, PhpResult, Throw, Val, View, arith, convert};
use std::collections::HashSet;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("array_sum(array $array): int|float", array_sum),
    FnDef::new("array_product(array $array): int|float", array_product),
    FnDef::new("min(mixed $value, mixed ...$values): mixed", min).quick(|args| match args {
        [x, y] => match (x.as_int(), y.as_int(), x.as_double(), y.as_double()) {
            (Some(a), Some(b), ..) => Some(Val::int(if a <= b { a } else { b })),
            (.., Some(a), Some(b)) if !a.is_nan() && !b.is_nan() => Some(Val::double(if a <= b { a } else { b })),
            _ => None,
        },
        _ => None,
    }),
    FnDef::new("max(mixed $value, mixed ...$values): mixed", max).quick(|args| match args {
        [x, y] => match (x.as_int(), y.as_int(), x.as_double(), y.as_double()) {
            (Some(a), Some(b), ..) => Some(Val::int(if a >= b { a } else { b })),
            (.., Some(a), Some(b)) if !a.is_nan() && !b.is_nan() => Some(Val::double(if a >= b { a } else { b })),
            _ => None,
        },
        _ => None,
    }),
    FnDef::new("array_unique(array $array, int $flags = SORT_STRING): array", array_unique),
];

type Operator = fn(&phlox_runtime::Vm, &Val, &Val) -> PhpResult<Val>;

/// Folds the elements with an operator; what it refuses warns and counts as PHP's casts say.
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

/// The candidate that `better` (given a candidate's order against the best so far) prefers over all before it.
fn extreme(call: &Call<'_>, better: fn(i32) -> bool) -> PhpResult<Val> {
    let candidates: Vec<Val> = if call.passed == 1 {
        let value = call.arg(0);
        let Some(array) = value.as_arr() else {
            let text = format!("must be of type array, {} given", convert::value_name(&value));
            return Err(call.type_error(0, &text));
        };
        array.values().map(Val::deref).collect()
    } else {
        call.args.iter().map(Val::deref).collect()
    };
    let mut candidates = candidates.into_iter();
    let Some(mut best) = candidates.next() else {
        return Err(call.value_error(0, "must contain at least one element"));
    };
    for candidate in candidates {
        if better(order::regular(call.vm, &candidate, &best)?) {
            best = candidate;
        }
    }
    Ok(best)
}

fn min(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.passed == 2 {
        // PHP compiles calls with two arguments to a function of their own, which prefers the second of equals.
        let (left, right) = (call.arg(0), call.arg(1));
        return Ok(if order::regular(call.vm, &left, &right)? < 0 { left } else { right }.into_deref());
    }
    extreme(call, |order| order < 0)
}

fn max(call: &mut Call<'_>) -> PhpResult<Val> {
    extreme(call, |order| order > 0)
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
    let mut entries = crate::sort::entries(&array);
    hybrid_sort::sort(&mut entries, &mut |a, b| Ok(order::values(vm, flags, &a.value, &b.value)? > 0))?;
    let mut unique = array.clone();
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
