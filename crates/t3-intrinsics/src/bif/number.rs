//! Conversions between numbers and text, as functions.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// An integer in any base from 2 to 36.
pub(crate) fn in_radix(mut number: u32, radix: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % radix, radix).unwrap_or('0').to_ascii_uppercase());
        number /= radix;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

fn radix_arg(vm: &Vm, args: Args) -> Run<u32> {
    match args.count {
        0 | 1 => Ok(10),
        _ => match vm.number_of(args.get(vm, 1))? {
            radix @ 2..=36 => Ok(radix as u32),
            _ => fail(error::BAD_VAL_BIF),
        },
    }
}

pub(crate) fn to_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let radix = radix_arg(vm, args)?;
    let signed = match (args.count, args.get(vm, 2)) {
        (3, Value::Nil) => false,
        (3, Value::True) => true,
        (3, _) => return fail(error::BAD_TYPE_BIF),
        _ => radix == 10,
    };
    let value = args.get(vm, 0);
    let text = match value {
        Value::Int(number) if radix != 10 || !signed => {
            let sign = if signed && number < 0 { "-" } else { "" };
            let amount = if signed { number.unsigned_abs() } else { number as u32 };
            Text::from(format!("{sign}{}", in_radix(amount, radix)))
        }
        _ if radix != 10 && vm.heap.sequence(value).is_some() => Text::from(list_in_radix(vm, value, radix, 0)?),
        _ => match vm.big_to_radix(value, radix) {
            Some(text) => Text::from(text),
            None => vm.display_text(value)?,
        },
    };
    Ok(vm.heap.new_text(text))
}

/// The elements of a list, numbers in the given base.
fn list_in_radix(vm: &mut Vm, list: Value, radix: u32, depth: usize) -> Run<String> {
    if depth > 100 {
        return fail(error::TREE_TOO_DEEP_EQ);
    }
    let items = vm.heap.sequence(list).unwrap_or_default().to_vec();
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        parts.push(match item {
            Value::Int(number) => in_radix(number as u32, radix),
            item if vm.heap.sequence(item).is_some() => list_in_radix(vm, item, radix, depth + 1)?,
            item => vm.display_text(item)?.to_string(),
        });
    }
    Ok(parts.join(","))
}

pub(crate) fn to_integer(vm: &mut Vm, args: Args) -> Run<Value> {
    convert(vm, args, true)
}

pub(crate) fn to_number(vm: &mut Vm, args: Args) -> Run<Value> {
    convert(vm, args, false)
}

fn convert(vm: &mut Vm, args: Args, integer: bool) -> Run<Value> {
    let value = args.get(vm, 0);
    match value {
        Value::Int(_) => return Ok(value),
        Value::Nil => return Ok(Value::Int(0)),
        Value::True => return Ok(Value::Int(1)),
        _ => {}
    }
    if vm.big(value).is_some() {
        return if integer { vm.big_to_int(value).map(Value::Int) } else { Ok(value) };
    }
    let text = vm.want_text(value)?;
    let radix = radix_arg(vm, args)?;
    let trimmed = text.trim();
    match trimmed {
        "nil" => return Ok(Value::Int(0)),
        "true" => return Ok(Value::Int(1)),
        _ => {}
    }
    vm.parse_number(trimmed, radix, integer)
}

pub(crate) fn abs(vm: &mut Vm, args: Args) -> Run<Value> {
    match args.get(vm, 0) {
        // The least integer has no positive counterpart and stays.
        Value::Int(number) => Ok(Value::Int(number.wrapping_abs())),
        value => vm.big_abs(value),
    }
}

pub(crate) fn sgn(vm: &mut Vm, args: Args) -> Run<Value> {
    match args.get(vm, 0) {
        Value::Int(number) => Ok(Value::Int(number.signum())),
        value => vm.big_sign(value).map(Value::Int),
    }
}
