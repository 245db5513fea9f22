//! Arithmetic, bitwise operators, concatenation, `++` and `--`.

use crate::class::ObjExt;
use crate::convert::{
    self, double_string_to_int_checked, double_to_int_checked, to_str, type_name, type_or_class_name, value_name,
};
use crate::error::{PhpResult, Throw, Thrown};
use crate::number::{self, Number};
use crate::vm::Vm;
pub use phlox_hhbc::SetOp as BinOp;
use phlox_value::{PhpArr, PhpStr, Val, View};

/// The operator as messages write it.
fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Mod => "%",
        BinOp::Pow => "**",
        BinOp::Concat => ".",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
    }
}

/// `a OP b`
pub fn binary(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<Val> {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Pow => arithmetic(vm, op, a, b),
        BinOp::Concat => concat(vm, a, b),
        BinOp::Mod | BinOp::Shl | BinOp::Shr => integral(vm, op, a, b),
        BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => bitwise(vm, op, a, b),
    }
}

/// The result of `lhs OP= rhs`; appends to a string and merges into an array in place when `lhs` is unshared.
pub fn set_op(vm: &Vm, op: BinOp, mut lhs: Val, rhs: &Val) -> PhpResult<Val> {
    match (op, rhs.view()) {
        (BinOp::Concat, _) if lhs.as_str().is_some() => {
            let tail = to_str(vm, rhs)?;
            if let Some(string) = lhs.as_str_mut() {
                string.append(&tail);
            }
            Ok(lhs)
        }
        (BinOp::Add, View::Arr(other)) if lhs.as_arr().is_some() => {
            if let Some(array) = lhs.as_arr_mut() {
                if !array.ptr_eq(other) {
                    array.separate();
                }
                merge(array, other);
            }
            Ok(lhs)
        }
        _ => binary(vm, op, &lhs, rhs),
    }
}

fn unsupported(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> Throw {
    let (left, right) = (type_or_class_name(a), type_or_class_name(b));
    let text = format!("Unsupported operand types: {left} {} {right}", symbol(op));
    vm.throw_type_error(text.as_bytes())
}

fn arithmetic(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<Val> {
    let (x, y) = match (a.view(), b.view()) {
        (View::Int(x), View::Int(y)) => (Number::Int(x), Number::Int(y)),
        (View::Double(x), View::Double(y)) => (Number::Double(x), Number::Double(y)),
        (View::Int(x), View::Double(y)) => (Number::Int(x), Number::Double(y)),
        (View::Double(x), View::Int(y)) => (Number::Double(x), Number::Int(y)),
        (View::Ref(r), _) => return arithmetic(vm, op, &r.get(), b),
        (_, View::Ref(r)) => return arithmetic(vm, op, a, &r.get()),
        (View::Arr(x), View::Arr(y)) if op == BinOp::Add => {
            let mut union = x.as_new();
            merge(&mut union, y);
            return Ok(union.into());
        }
        _ => {
            if let Some(result) = overloaded(vm, op, a, b)? {
                return Ok(result);
            }
            let Some(x) = operand(vm, a)? else { return Err(unsupported(vm, op, a, b)) };
            let Some(y) = operand(vm, b)? else { return Err(unsupported(vm, op, a, b)) };
            (x, y)
        }
    };
    calculate(vm, op, x, y)
}

/// The result of an operator that an operand's class overloads; `None` if none does.
fn overloaded(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<Option<Val>> {
    for value in [a, b] {
        let value = value.deref();
        if let Some(hook) = value.as_obj().and_then(|object| object.class().native.operate)
            && let Some(result) = hook(vm, op, &a.deref(), &b.deref())?
        {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

/// Adds the elements of `other` whose keys are missing.
fn merge(into: &mut PhpArr, other: &PhpArr) {
    if into.ptr_eq(other) {
        return;
    }
    // Sharing the other array would be right, unless the next index of either shows that elements were removed.
    if into.is_empty() && into.next_index() == Some(0) && other.is_numbered() && other.shows_no_copy() {
        *into = other.clone();
        return;
    }
    for (key, value) in other.iter() {
        if !into.contains(key) {
            into.insert(key, crate::dims::copied(value));
        }
    }
}

/// An operand as a number; `None` if its type does not support arithmetic.
fn operand(vm: &Vm, value: &Val) -> PhpResult<Option<Number>> {
    Ok(match value.view() {
        View::Undef | View::Null => Some(Number::Int(0)),
        View::Bool(b) => Some(Number::Int(b.into())),
        View::Int(i) => Some(Number::Int(i)),
        View::Double(d) => Some(Number::Double(d)),
        View::Str(text) => match number::numeric_prefix(text) {
            Some(numeric) => {
                if numeric.trailing {
                    vm.warning(b"A non-numeric value encountered")?;
                }
                Some(numeric.number)
            }
            None => None,
        },
        View::Obj(object) => match convert::native_cast(vm, object, crate::class::CastTo::Number)? {
            Some(cast) => return operand(vm, &cast),
            None => None,
        },
        View::Ref(r) => return operand(vm, &r.get()),
        View::Arr(_) | View::Res(_) | View::Class(_) => None,
    })
}

fn calculate(vm: &Vm, op: BinOp, a: Number, b: Number) -> PhpResult<Val> {
    let exact = match (op, a, b) {
        (BinOp::Add, Number::Int(x), Number::Int(y)) => x.checked_add(y),
        (BinOp::Sub, Number::Int(x), Number::Int(y)) => x.checked_sub(y),
        (BinOp::Mul, Number::Int(x), Number::Int(y)) => x.checked_mul(y),
        (BinOp::Div, Number::Int(x), Number::Int(y)) if y != 0 => {
            x.checked_rem(y).filter(|rest| *rest == 0).and_then(|_| x.checked_div(y))
        }
        (BinOp::Pow, Number::Int(x), Number::Int(y)) if y >= 0 => return Ok(int_power(x, y)),
        _ => None,
    };
    if let Some(result) = exact {
        return Ok(Val::int(result));
    }
    let (x, y) = (a.as_f64(), b.as_f64());
    Ok(Val::double(match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div if y == 0.0 => return Err(vm.throw(Thrown::DivisionByZeroError, b"Division by zero")),
        BinOp::Div => x / y,
        _ => {
            if x == 0.0 && y < 0.0 {
                vm.deprecated(b"Power of base 0 and negative exponent is deprecated")?;
            }
            x.powf(y)
        }
    }))
}

/// Integer power by squaring; continues with floats at the step that overflows, as PHP does (the last digits depend on it).
fn int_power(base: i64, exponent: i64) -> Val {
    let (mut result, mut square, mut rest) = (1i64, base, exponent);
    while rest >= 1 {
        if rest % 2 != 0 {
            rest -= 1;
            match result.checked_mul(square) {
                Some(product) => result = product,
                None => return Val::double(result as f64 * square as f64 * (square as f64).powf(rest as f64)),
            }
        } else {
            rest /= 2;
            match square.checked_mul(square) {
                Some(product) => square = product,
                None => {
                    let wide = square as f64 * square as f64;
                    return Val::double(result as f64 * wide.powf(rest as f64));
                }
            }
        }
    }
    Val::int(result)
}

/// An operand of `%`, a shift or a bitwise operator as an integer; `None` if its type is not supported.
fn int_operand(vm: &Vm, value: &Val) -> PhpResult<Option<i64>> {
    Ok(match value.view() {
        View::Int(i) => Some(i),
        View::Double(d) => Some(double_to_int_checked(vm, d)?),
        View::Str(text) => match number::numeric_prefix(text) {
            None => None,
            Some(numeric) => {
                if numeric.trailing {
                    vm.warning(b"A non-numeric value encountered")?;
                }
                match numeric.number {
                    Number::Int(i) => Some(i),
                    Number::Double(d) => Some(double_string_to_int_checked(vm, d, text)?),
                }
            }
        },
        View::Ref(r) => return int_operand(vm, &r.get()),
        _ => match operand(vm, value)? {
            Some(Number::Int(i)) => Some(i),
            Some(Number::Double(d)) => Some(number::double_to_int(d)),
            None => None,
        },
    })
}

fn int_operands(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<(i64, i64)> {
    let Some(x) = int_operand(vm, a)? else { return Err(unsupported(vm, op, a, b)) };
    let Some(y) = int_operand(vm, b)? else { return Err(unsupported(vm, op, a, b)) };
    Ok((x, y))
}

fn integral(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<Val> {
    if let Some(result) = overloaded(vm, op, a, b)? {
        return Ok(result);
    }
    let (x, y) = int_operands(vm, op, a, b)?;
    if op == BinOp::Mod {
        if y == 0 {
            return Err(vm.throw(Thrown::DivisionByZeroError, b"Modulo by zero"));
        }
        return Ok(Val::int(x.wrapping_rem(y)));
    }
    if y < 0 {
        return Err(vm.throw(Thrown::ArithmeticError, b"Bit shift by negative number"));
    }
    let count = u32::try_from(y).unwrap_or(u32::MAX);
    Ok(Val::int(match op {
        BinOp::Shl => x.checked_shl(count).unwrap_or(0),
        _ => x >> count.min(63),
    }))
}

fn bitwise(vm: &Vm, op: BinOp, a: &Val, b: &Val) -> PhpResult<Val> {
    if let Some(result) = overloaded(vm, op, a, b)? {
        return Ok(result);
    }
    match (a.view(), b.view()) {
        (View::Ref(r), _) => return bitwise(vm, op, &r.get(), b),
        (_, View::Ref(r)) => return bitwise(vm, op, a, &r.get()),
        (View::Str(x), View::Str(y)) => return Ok(bitwise_strings(op, x, y).into()),
        _ => {}
    }
    let (x, y) = int_operands(vm, op, a, b)?;
    Ok(Val::int(match op {
        BinOp::BitAnd => x & y,
        BinOp::BitOr => x | y,
        _ => x ^ y,
    }))
}

/// A bitwise operator on two strings, byte by byte; `|` keeps the rest of the longer string.
fn bitwise_strings(op: BinOp, a: &[u8], b: &[u8]) -> PhpStr {
    let pairs = a.iter().zip(b);
    let bytes: Vec<u8> = match op {
        BinOp::BitAnd => pairs.map(|(x, y)| x & y).collect(),
        BinOp::BitXor => pairs.map(|(x, y)| x ^ y).collect(),
        _ => {
            let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
            let mut bytes = long.to_vec();
            bytes.iter_mut().zip(short).for_each(|(x, y)| *x |= y);
            bytes
        }
    };
    bytes.into()
}

/// `~value`
pub fn bit_not(vm: &Vm, value: &Val) -> PhpResult<Val> {
    match value.view() {
        View::Int(i) => Ok(Val::int(!i)),
        View::Double(d) => Ok(Val::int(!double_to_int_checked(vm, d)?)),
        View::Str(text) => Ok(text.iter().map(|b| !b).collect::<Vec<u8>>().into()),
        View::Ref(r) => bit_not(vm, &r.get()),
        _ => {
            if let Some(object) = value.as_obj()
                && let Some(hook) = object.class().native.bit_not
            {
                return hook(vm, object);
            }
            let text = format!("Cannot perform bitwise not on {}", value_name(value));
            Err(vm.throw_type_error(text.as_bytes()))
        }
    }
}

/// `a . b`
pub fn concat(vm: &Vm, a: &Val, b: &Val) -> PhpResult<Val> {
    let head = to_str(vm, a)?;
    let tail = to_str(vm, b)?;
    if tail.is_empty() {
        return Ok(head.into());
    }
    if head.is_empty() {
        return Ok(tail.into());
    }
    Ok(PhpStr::concat(&[&head, &tail]).into())
}

/// `++value`
pub fn increment(vm: &Vm, value: &Val) -> PhpResult<Val> {
    Ok(match value.view() {
        View::Int(i) => add_one(Number::Int(i), 1),
        View::Double(d) => Val::double(d + 1.0),
        View::Undef | View::Null => Val::int(1),
        View::Bool(_) => {
            no_effect(vm, "Increment", value)?;
            value.clone()
        }
        View::Str(text) => match number::numeric(text) {
            Some(number) => add_one(number, 1),
            None => {
                if text.is_empty() || !text.iter().all(u8::is_ascii_alphanumeric) {
                    vm.deprecated(b"Increment on non-alphanumeric string is deprecated")?;
                }
                increment_string(text).into()
            }
        },
        View::Ref(r) => return increment(vm, &r.get()),
        _ => return step_object(vm, value, "increment", 1),
    })
}

/// `--value`
pub fn decrement(vm: &Vm, value: &Val) -> PhpResult<Val> {
    Ok(match value.view() {
        View::Int(i) => add_one(Number::Int(i), -1),
        View::Double(d) => Val::double(d - 1.0),
        View::Undef | View::Null => {
            no_effect(vm, "Decrement", value)?;
            Val::NULL
        }
        View::Bool(_) => {
            no_effect(vm, "Decrement", value)?;
            value.clone()
        }
        View::Str(text) if text.is_empty() => {
            vm.deprecated(b"Decrement on empty string is deprecated as non-numeric")?;
            Val::int(-1)
        }
        View::Str(text) => match number::numeric(text) {
            Some(number) => add_one(number, -1),
            None => {
                vm.deprecated(b"Decrement on non-numeric string has no effect and is deprecated")?;
                value.clone()
            }
        },
        View::Ref(r) => return decrement(vm, &r.get()),
        _ => return step_object(vm, value, "decrement", -1),
    })
}

fn add_one(number: Number, step: i64) -> Val {
    match number {
        Number::Int(i) => i.checked_add(step).map_or_else(|| Val::double(i as f64 + step as f64), Val::int),
        Number::Double(d) => Val::double(d + step as f64),
    }
}

fn no_effect(vm: &Vm, what: &str, value: &Val) -> PhpResult<()> {
    let text =
        format!("{what} on type {} has no effect, this will change in the next major version of PHP", type_name(value));
    vm.warning(text.as_bytes())
}

fn step_object(vm: &Vm, value: &Val, verb: &str, step: i64) -> PhpResult<Val> {
    if let Some(result) = overloaded(vm, BinOp::Add, value, &Val::int(step))? {
        return Ok(result);
    }
    if let View::Obj(_) = value.view()
        && let Some(number) = operand(vm, value)?
    {
        return Ok(add_one(number, step));
    }
    Err(vm.throw_type_error(format!("Cannot {verb} {}", value_name(value)).as_bytes()))
}

/// The alphanumeric successor: `a` to `b`, `Az` to `Ba`, `zz` to `aaa`, `a9` to `b0`. Any other byte ends the carry.
pub fn increment_string(text: &[u8]) -> PhpStr {
    if text.is_empty() {
        return PhpStr::new(b"1");
    }
    let mut bytes = text.to_vec();
    let mut carried = None;
    for byte in bytes.iter_mut().rev() {
        let (next, carry) = match *byte {
            b'z' => (b'a', Some(b'a')),
            b'Z' => (b'A', Some(b'A')),
            b'9' => (b'0', Some(b'1')),
            other if other.is_ascii_alphanumeric() => (other + 1, None),
            other => (other, None),
        };
        *byte = next;
        carried = carry;
        if carry.is_none() {
            break;
        }
    }
    if let Some(first) = carried {
        bytes.insert(0, first);
    }
    bytes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_increment_like_odometers() {
        for (text, next) in [
            ("a", "b"),
            ("Az", "Ba"),
            ("zz", "aaa"),
            ("a9", "b0"),
            ("Zz9", "AAa0"),
            ("", "1"),
            ("a-z", "a-a"),
            ("-", "-"),
        ] {
            assert_eq!(increment_string(text.as_bytes()).as_bytes(), next.as_bytes(), "{text}");
        }
    }

    #[test]
    fn integer_powers_overflow_into_floats() {
        assert_eq!(int_power(-2, 63).as_int(), Some(i64::MIN));
        assert_eq!(int_power(2, 63).as_double(), Some(9.223372036854775808e18));
        assert_eq!(int_power(0, 5).as_int(), Some(0));
    }
}
