//! Types of values and conversions between them; `var_dump` and its relatives.

use phlox_runtime::class::ObjExt;
use phlox_runtime::closure::ClosureData;
use phlox_runtime::{ByBytes, Call, FnDef, PhpResult, PhpStr, Val, View, Vm, convert, dump, number};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("var_dump(mixed $value, mixed ...$values): void", var_dump),
    FnDef::new("debug_zval_dump(mixed $value, mixed ...$values): void", debug_zval_dump),
    FnDef::new("print_r(mixed $value, bool $return = false): string|true", print_r),
    FnDef::new("var_export(mixed $value, bool $return = false): ?string", var_export),
    FnDef::new("gettype(mixed $value): string", gettype).fast_path(|args| match args.first()?.view() {
        View::Ref(_) | View::Res(_) => None,
        _ => Some(convert::gettype(args.first()?).into()),
    }),
    FnDef::new("get_debug_type(mixed $value): string", get_debug_type),
    FnDef::new("settype(mixed &$var, string $type): bool", settype),
    FnDef::new("intval(mixed $value, int $base = 10): int", intval).fast_path(|args| match args {
        [value] => match value.view() {
            View::Int(int) => Some(Val::int(int)),
            View::Double(double) => Some(Val::int(number::double_to_int(double))),
            View::Str(text) => Some(Val::int(number::string_to_int(text))),
            View::Bool(bool) => Some(Val::int(bool.into())),
            _ => None,
        },
        _ => None,
    }),
    FnDef::new("doubleval(mixed $value): float", floatval).fast_path(floatval_quick),
    FnDef::new("floatval(mixed $value): float", floatval).fast_path(floatval_quick),
    FnDef::new("boolval(mixed $value): bool", boolval)
        .fast_path(|args| Some(Val::bool(convert::to_bool(args.first()?)))),
    FnDef::new("strval(mixed $value): string", strval).fast_path(|args| match args.first()?.view() {
        View::Str(text) => Some(text.into()),
        View::Int(int) => Some(convert::int_to_str(int).into()),
        _ => None,
    }),
    FnDef::new("is_null(mixed $value): bool", is_null)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Null))),
    FnDef::new("is_resource(mixed $value): bool", is_resource).fast_path(|args| match args.first()?.view() {
        View::Res(resource) => Some(Val::bool(!resource.is_closed())),
        View::Ref(_) => None,
        _ => Some(Val::FALSE),
    }),
    FnDef::new("is_bool(mixed $value): bool", is_bool)
        .fast_path(|args| Some(Val::bool(args.first()?.as_bool().is_some()))),
    FnDef::new("is_int(mixed $value): bool", is_int)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Int))),
    FnDef::new("is_integer(mixed $value): bool", is_int)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Int))),
    FnDef::new("is_long(mixed $value): bool", is_int)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Int))),
    FnDef::new("is_float(mixed $value): bool", is_float)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Double))),
    FnDef::new("is_double(mixed $value): bool", is_float)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Double))),
    FnDef::new("is_numeric(mixed $value): bool", is_numeric)
        .fast_path(|args| Some(Val::bool(is_numeric_value(args.first()?)))),
    FnDef::new("is_string(mixed $value): bool", is_string)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Str))),
    FnDef::new("is_array(mixed $value): bool", is_array)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Arr))),
    FnDef::new("is_object(mixed $value): bool", is_object)
        .fast_path(|args| Some(Val::bool(args.first()?.kind() == phlox_runtime::Kind::Obj))),
    FnDef::new("is_scalar(mixed $value): bool", is_scalar).fast_path(|args| match args.first()?.view() {
        View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_) => Some(Val::TRUE),
        View::Null | View::Arr(_) | View::Obj(_) => Some(Val::FALSE),
        _ => None,
    }),
    FnDef::new("is_callable(mixed $value, bool $syntax_only = false, &$callable_name = null): bool", is_callable)
        .fast_path(is_callable_quick),
    FnDef::new("is_iterable(mixed $value): bool", is_iterable),
    FnDef::new("is_countable(mixed $value): bool", is_countable),
];

fn var_dump(call: &mut Call<'_>) -> PhpResult<Val> {
    for value in call.rest(0) {
        dump::var_dump(call.vm, value)?;
    }
    Ok(Val::NULL)
}

fn debug_zval_dump(call: &mut Call<'_>) -> PhpResult<Val> {
    for value in call.rest(0) {
        dump::debug_zval(call.vm, value, call.held())?;
    }
    Ok(Val::NULL)
}

fn print_r(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = dump::print_r(call.vm, &call.arg(0))?;
    if call.bool(1) {
        return Ok(text.into());
    }
    call.vm.echo(&text);
    Ok(Val::TRUE)
}

fn var_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = dump::var_export(call.vm, &call.arg(0))?;
    if call.bool(1) {
        return Ok(text.into());
    }
    call.vm.echo(&text);
    Ok(Val::NULL)
}

fn gettype(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(convert::gettype(&call.arg(0)).into())
}

fn get_debug_type(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(convert::debug_type(&call.arg(0)).into_owned().into())
}

fn settype(call: &mut Call<'_>) -> PhpResult<Val> {
    let vm = call.vm;
    let value = call.arg(0);
    let converted = match call.str(1).to_ascii_lowercase().as_slice() {
        b"integer" | b"int" => convert::to_int(vm, &value)?.into(),
        b"float" | b"double" => convert::to_double(vm, &value)?.into(),
        b"string" => convert::to_str(vm, &value)?.into(),
        b"array" => convert::to_array(vm, value)?.into(),
        b"object" => convert::to_object(vm, value)?.into(),
        b"bool" | b"boolean" => convert::to_bool(&value).into(),
        b"null" => Val::NULL,
        b"resource" => {
            return Err(vm.throw_value_error(b"Cannot convert to resource type"));
        }
        _ => return Err(call.value_error(1, "must be a valid type")),
    };
    call.assign(0, converted)?;
    Ok(Val::TRUE)
}

fn intval(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    let base = call.int(1);
    match value.view() {
        View::Str(text) if base != 10 => Ok(Val::int(parse_int(text, base))),
        _ => Ok(Val::int(convert::to_int(call.vm, &value)?)),
    }
}

/// C's `strtol` with PHP's `0b` and `0o` prefixes, limited to the integer range.
pub fn parse_int(text: &[u8], base: i64) -> i64 {
    let start = text.iter().position(|&b| !number::is_numeric_space(b)).unwrap_or(text.len());
    let (negative, digits) = match &text[start..] {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let (base, digits) = match (base, digits) {
        (0 | 16, [b'0', b'x' | b'X', rest @ ..]) => (16, rest),
        (0 | 8, [b'0', b'o' | b'O', rest @ ..]) => (8, rest),
        (0 | 2, [b'0', b'b' | b'B', rest @ ..]) => (2, rest),
        (0, [b'0', ..]) => (8, digits),
        (0, _) => (10, digits),
        (2..=36, _) => (base as u32, digits),
        _ => return 0,
    };
    let limit = if negative { i64::MIN.unsigned_abs() } else { i64::MAX as u64 };
    let mut value = 0u64;
    for digit in digits.iter().map_while(|&b| (b as char).to_digit(base)) {
        value = value.saturating_mul(base.into()).saturating_add(digit.into()).min(limit);
    }
    if negative { (value as i64).wrapping_neg() } else { value as i64 }
}

fn floatval_quick(args: &[Val]) -> Option<Val> {
    match args.first()?.view() {
        View::Int(int) => Some(Val::double(int as f64)),
        View::Double(double) => Some(Val::double(double)),
        View::Str(text) => Some(Val::double(number::string_to_double(text))),
        _ => None,
    }
}

fn floatval(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(convert::to_double(call.vm, &call.arg(0))?))
}

fn boolval(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(convert::to_bool(&call.arg(0))))
}

fn strval(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(convert::to_str(call.vm, &call.arg(0))?.into())
}

fn is_null(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.is_null(0).into())
}

fn is_resource(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.opt_res(0).is_some_and(|resource| !resource.is_closed()).into())
}

fn is_bool(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_bool().is_some().into())
}

fn is_int(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_int().is_some().into())
}

fn is_float(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_double().is_some().into())
}

fn is_numeric(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::bool(is_numeric_value(&call.arg(0))))
}

fn is_numeric_value(value: &Val) -> bool {
    match value.view() {
        View::Int(_) | View::Double(_) => true,
        View::Str(text) => number::is_numeric(text),
        View::Ref(reference) => is_numeric_value(&reference.get()),
        _ => false,
    }
}

fn is_string(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_str().is_some().into())
}

fn is_array(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_arr().is_some().into())
}

fn is_object(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.arg(0).as_obj().is_some().into())
}

fn is_scalar(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(matches!(call.arg(0).view(), View::Bool(_) | View::Int(_) | View::Double(_) | View::Str(_)).into())
}

fn is_iterable(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    Ok(Val::bool(match value.view() {
        View::Arr(_) => true,
        View::Obj(object) => call.vm.find_class_no_autoload(b"traversable").is_some_and(|class| object.is_a(&class)),
        _ => false,
    }))
}

fn is_countable(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    Ok(Val::bool(match value.view() {
        View::Arr(_) => true,
        View::Obj(object) => {
            object.class().native.count.is_some()
                || call.vm.find_class_no_autoload(b"countable").is_some_and(|class| object.is_a(&class))
        }
        _ => false,
    }))
}

/// Fast path of `is_callable`: closures, names of functions, and public methods of objects by their lower-case names are
/// callable from every scope.
fn is_callable_quick(args: &[Val]) -> Option<Val> {
    let [value] = args else { return None };
    let is_callable = match value.view() {
        View::Obj(object) => object.native::<ClosureData>().is_some() || object.class().magic.invoke.is_some(),
        View::Str(name) => !name.contains(&b':') && Vm::current()?.find_function(name).is_some(),
        View::Arr(pair) if pair.len() == 2 => match (pair.get_int(0)?.view(), pair.get_int(1)?.view()) {
            (View::Obj(object), View::Str(name)) => {
                object.class().methods.get(&ByBytes(name)).is_some_and(|method| method.is_public())
            }
            _ => false,
        },
        _ => false,
    };
    is_callable.then_some(Val::TRUE)
}

fn is_callable(call: &mut Call<'_>) -> PhpResult<Val> {
    let value = call.arg(0);
    if call.was_passed(2) {
        let name = callable_name(call, &value)?;
        call.assign(2, name.into())?;
    }
    if call.bool(1) {
        return Ok(looks_callable(&value).into());
    }
    let is_callable = call.vm.resolve_callable(&value)?.is_ok();
    let object = value.as_arr().and_then(|pair| pair.get_int(0)).map(Val::deref).and_then(Val::into_obj);
    // Some classes throw when they are asked whether a method is callable.
    if let (false, Some(object)) = (is_callable, object)
        && let Some(missing) = object.class().native.missing_method
    {
        return Err(missing(call.vm, &object));
    }
    Ok(is_callable.into())
}

/// Has the value the form of a callable, whether or not it names something?
fn looks_callable(value: &Val) -> bool {
    match value.view() {
        View::Str(_) => true,
        View::Arr(pair) => match (pair.get_int(0).map(Val::deref), pair.get_int(1).map(Val::deref)) {
            (Some(target), Some(method)) if pair.len() == 2 => {
                (target.as_str().is_some() || target.as_obj().is_some()) && method.as_str().is_some()
            }
            _ => false,
        },
        View::Obj(object) => object.native::<ClosureData>().is_some() || object.class().magic.invoke.is_some(),
        _ => false,
    }
}

/// The name of a callable as error messages show it.
pub fn callable_name(call: &Call<'_>, value: &Val) -> PhpResult<PhpStr> {
    match value.view() {
        View::Arr(pair) if pair.len() == 2 => {
            let (Some(target), Some(method)) = (pair.get_int(0).map(Val::deref), pair.get_int(1).map(Val::deref))
            else {
                return Ok(PhpStr::new(b"Array"));
            };
            let class = match target.view() {
                View::Obj(object) => object.class_name().clone(),
                View::Str(class) => class.clone(),
                _ => return Ok(PhpStr::new(b"Array")),
            };
            match method.view() {
                View::Str(method) => Ok(PhpStr::concat(&[&class, b"::", method])),
                _ => Ok(PhpStr::new(b"Array")),
            }
        }
        View::Arr(_) => Ok(PhpStr::new(b"Array")),
        View::Obj(object) => Ok(PhpStr::concat(&[object.class_name(), b"::__invoke"])),
        _ => convert::to_str(call.vm, value),
    }
}
