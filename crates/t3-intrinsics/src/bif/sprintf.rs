//! sprintf

use std::iter::Peekable;
use std::str::Chars;

use phlox_t3_library::bignum::BigNum;
use phlox_t3_library::bignum_format::{Format, format};
use phlox_t3_library::roman::roman;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// One conversion.
#[derive(Default)]
struct Spec {
    position: Option<usize>,
    left: bool,
    plus: bool,
    space: bool,
    comma: bool,
    alternative: bool,
    fill: Option<char>,
    width: usize,
    precision: Option<usize>,
}

impl Spec {
    /// Reads what stands between the percent sign and the letter of a conversion.
    fn read(chars: &mut Peekable<Chars<'_>>) -> Spec {
        let mut spec = Spec::default();
        loop {
            match chars.peek() {
                Some('-') => spec.left = true,
                Some('+') => spec.plus = true,
                Some(' ') => spec.space = true,
                Some(',') => spec.comma = true,
                Some('#') => spec.alternative = true,
                Some('_') => {
                    chars.next();
                    spec.fill = chars.peek().copied();
                }
                Some('[') => {
                    chars.next();
                    let digits: String = chars.by_ref().take_while(|c| *c != ']').collect();
                    spec.position = digits.parse().ok();
                    continue;
                }
                _ => break,
            }
            chars.next();
        }
        // A zero before the width asks for leading zeros, which text at the left edge cannot have.
        if chars.peek() == Some(&'0') {
            chars.next();
            if !spec.left {
                spec.fill = Some('0');
            }
        }
        spec.read_sizes(chars);
        spec
    }

    /// Width and precision; sizes above 10,000 count as 10,000.
    fn read_sizes(&mut self, chars: &mut Peekable<Chars<'_>>) {
        let mut number = || {
            let mut value = None;
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                value = Some((value.unwrap_or(0usize) * 10 + digit as usize).min(10_000));
                chars.next();
            }
            value
        };
        self.width = number().unwrap_or(0);
        if chars.peek() == Some(&'.') {
            chars.next();
            let mut digits = String::new();
            while let Some(c) = chars.peek().filter(|c| c.is_ascii_digit()) {
                digits.push(*c);
                chars.next();
            }
            self.precision = Some(digits.parse::<usize>().unwrap_or(0).min(10_000));
        }
    }
}

pub(crate) fn sprintf(vm: &mut Vm, args: Args) -> Run<Value> {
    let template = vm.want_text(args.get(vm, 0))?;
    let mut chars = template.chars().peekable();
    let mut next = 1;
    let mut out = String::new();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let spec = Spec::read(&mut chars);
        let Some(code) = chars.next() else {
            out.push('%');
            break;
        };
        if code == '%' {
            out.push('%');
            continue;
        }
        let at = spec.position.unwrap_or(next);
        if spec.position.is_none() {
            next += 1;
        }
        let value = args.get(vm, at);
        match convert(vm, code, &spec, value)? {
            Some(text) => pad(&mut out, &text, &spec),
            None => out.extend(['%', code]),
        }
    }
    Ok(vm.heap.new_text(out))
}

fn pad(out: &mut String, text: &str, spec: &Spec) {
    let missing = spec.width.saturating_sub(text.chars().count());
    let fill = spec.fill.unwrap_or(' ');
    let filling: String = std::iter::repeat_n(fill, missing).collect();
    if spec.left {
        out.push_str(text);
        out.push_str(&filling);
    } else {
        out.push_str(&filling);
        out.push_str(text);
    }
}

/// A number in base 16, 8 or 2, with its prefix in the alternative form.
fn in_radix(code: char, number: &BigNum, spec: &Spec) -> String {
    let radix = match code {
        'o' => 8,
        'b' => 2,
        _ => 16,
    };
    let minus = if number.is_negative() { "-" } else { "" };
    let digits = whole_text(number, radix);
    let digits = if code == 'x' { digits.to_lowercase() } else { digits };
    let prefix = match code {
        _ if number.is_zero() => "",
        'x' | 'X' if spec.alternative => {
            if code == 'x' {
                "0x"
            } else {
                "0X"
            }
        }
        'o' if spec.alternative => "0",
        _ => "",
    };
    format!("{minus}{prefix}{}", with_zeros(digits, spec))
}

/// A number without its sign in the shorter of the forms of `%e` and `%f`.
fn shortest(number: &BigNum, spec: &Spec) -> String {
    let digits = spec.precision.unwrap_or(6).max(1) as i64;
    let exponent = number.scale() - 1;
    if !number.is_zero() && (exponent < -4 || exponent >= digits) {
        exponent_text(number, digits - 1, spec.alternative, !spec.alternative)
    } else {
        let rounded = number.round_to(digits - number.scale()).mantissa_abs();
        let flags = if spec.alternative { 0x18 } else { 0x08 };
        let fraction_digits = if spec.alternative { digits - number.scale().max(1) } else { -1 };
        format(&rounded, &Format { flags, fraction_digits, ..Format::plain(-1) })
    }
}

fn convert(vm: &mut Vm, code: char, spec: &Spec, value: Value) -> Run<Option<String>> {
    Ok(Some(match code {
        's' => {
            let text = vm.to_text(value)?;
            match spec.precision {
                Some(precision) => text.sub(0, precision).to_owned(),
                None => text.to_string(),
            }
        }
        'c' => match value {
            Value::Int(code) => char::from_u32(code as u32).map(String::from).unwrap_or_default(),
            value => match vm.heap.text(value) {
                Some(text) => text.chars().next().unwrap_or('\0').to_string(),
                None => match char::from_u32(amount(vm, value)?.to_int().unwrap_or(-1) as u32) {
                    Some(c) if u32::from(c) < 0x10000 => c.to_string(),
                    _ => return fail(error::NUM_OVERFLOW),
                },
            },
        },
        'd' | 'i' => {
            let number = amount(vm, value)?.round_to(0);
            signed(with_zeros(whole_text(&number, 10), spec), &number, spec)
        }
        'u' => {
            let number = unsigned(vm, value)?;
            signed(with_zeros(whole_text(&number, 10), spec), &number, spec)
        }
        'x' | 'X' | 'o' | 'b' => in_radix(code, &unsigned(vm, value)?, spec),
        'r' | 'R' => {
            let number = amount(vm, value)?.to_int().unwrap_or(0);
            let text = roman(number.into()).unwrap_or_else(|| number.to_string());
            if code == 'r' { text.to_lowercase() } else { text }
        }
        'f' => {
            let places = spec.precision.unwrap_or(6) as i64;
            let number = amount(vm, value)?.round_to(places);
            let flags = if spec.alternative { 0x18 } else { 0x08 };
            let text = format(&number.mantissa_abs(), &Format { flags, fraction_digits: places, ..Format::plain(-1) });
            signed(text, &number, spec)
        }
        'e' | 'E' => {
            let number = amount(vm, value)?;
            let text = exponent_text(&number, spec.precision.unwrap_or(6) as i64, spec.alternative, false);
            let text = if code == 'E' { text.to_uppercase() } else { text };
            signed(text, &number, spec)
        }
        'g' | 'G' => {
            let number = amount(vm, value)?;
            let text = shortest(&number, spec);
            let text = if code == 'G' { text.to_uppercase() } else { text };
            signed(text, &number, spec)
        }
        _ => return Ok(None),
    }))
}

fn amount(vm: &mut Vm, value: Value) -> Run<BigNum> {
    if let Some(number) = vm.as_big(value) {
        return Ok(number);
    }
    match value {
        Value::Nil => Ok(BigNum::from_int(0)),
        Value::True => Ok(BigNum::from_int(1)),
        value => match vm.heap.text(value) {
            Some(text) => Ok(BigNum::parse(text, None)),
            None => Err(error::error(error::NO_NUM_CONV)),
        },
    }
}

/// Integers as their 32 bits.
fn unsigned(vm: &mut Vm, value: Value) -> Run<BigNum> {
    match value {
        Value::Int(number) => Ok(BigNum::from_int((number as u32).into())),
        value => Ok(amount(vm, value)?.round_to(0)),
    }
}

fn whole_text(number: &BigNum, radix: u32) -> String {
    number.mantissa_abs().in_radix(radix)
}

/// The digits with zeros before them up to the precision.
fn with_zeros(digits: String, spec: &Spec) -> String {
    let missing = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    "0".repeat(missing) + &digits
}

fn signed(digits: String, number: &BigNum, spec: &Spec) -> String {
    let digits = if spec.comma { grouped(&digits) } else { digits };
    let sign = if number.is_negative() {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    format!("{sign}{digits}")
}

fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::new();
    for (at, c) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out + rest
}

/// One digit, the others behind a point, and an exponent of at least three digits.
fn exponent_text(number: &BigNum, places: i64, point: bool, strip: bool) -> String {
    let exponent = if number.is_zero() { 0 } else { number.scale() - 1 };
    let mut shown = BigNum { exponent: number.exponent - exponent, ..number.mantissa_abs() }.round_to(places);
    let mut exponent = exponent;
    if shown.scale() > 1 {
        shown.exponent -= 1;
        exponent += 1;
    }
    let fraction_digits = if strip { -1 } else { places };
    let flags = if point { 0x18 } else { 0x08 };
    let digits = format(&shown, &Format { flags, fraction_digits, ..Format::plain(-1) });
    format!("{digits}e{}{:03}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}
