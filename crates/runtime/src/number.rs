//! Conversion between numbers and text (PHP's float formatting, numeric strings), and from float to integer.

use phlox_value::StrBuilder;
use std::fmt::Write;

/// An integer or a float: an operand of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    Double(f64),
}

impl Number {
    /// The number as a float.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(i) => i as f64,
            Number::Double(d) => d,
        }
    }
}

impl From<Number> for phlox_value::Val {
    fn from(number: Number) -> phlox_value::Val {
        match number {
            Number::Int(i) => phlox_value::Val::int(i),
            Number::Double(d) => phlox_value::Val::double(d),
        }
    }
}

/// The significant decimal digits of a finite float, without trailing zeros, and the position of the decimal point relative to
/// their start. Zero has the digit `0` and its point at 1.
pub struct Digits {
    pub digits: StrBuilder,
    pub point: i32,
}

/// The digits of `value.abs()`: correctly rounded to `count` significant digits, or the shortest digits that read back as the
/// value.
pub fn digits(value: f64, count: Option<usize>) -> Digits {
    if let Some(digits) = whole_digits(value.abs(), count) {
        return digits;
    }
    let mut text = StrBuilder::new();
    // Writing to memory does not fail.
    let _ = match count {
        Some(count) => write!(text, "{:.*e}", count.max(1) - 1, value.abs()),
        None => write!(text, "{:e}", value.abs()),
    };
    if count.is_none() {
        round_to_even(&mut text, value.abs());
    }
    let end = text.iter().rposition(|&byte| byte == b'e').unwrap_or(text.len());
    let exponent = parse_int(text.get(end + 1..).unwrap_or_default()).unwrap_or(0);
    // The point is behind the first digit.
    if end > 2 {
        text.copy_within(2..end, 1);
        text.truncate(end - 1);
    } else {
        text.truncate(1);
    }
    let zeros = text[1..].iter().rev().take_while(|&&byte| byte == b'0').count();
    let kept = text.len() - zeros;
    text.truncate(kept);
    Digits { digits: text, point: exponent as i32 + 1 }
}

/// The [`digits`] of a whole number below 10^15, which a float holds exactly: those of the integer.
fn whole_digits(value: f64, count: Option<usize>) -> Option<Digits> {
    let whole = value as u64;
    if !(1.0..1e15).contains(&value) || whole as f64 != value {
        return None;
    }
    let mut text = StrBuilder::new();
    let _ = write!(text, "{whole}");
    let point = text.len();
    if count.is_some_and(|count| point > count.max(1)) {
        return None;
    }
    let zeros = text.iter().rev().take_while(|&&byte| byte == b'0').count();
    text.truncate(point - zeros);
    Some(Digits { digits: text, point: point as i32 })
}

/// Chooses between two shortest texts that are equally near: PHP (David Gay's algorithm, mode 0) takes the one with an even last
/// digit.
fn round_to_even(text: &mut StrBuilder, value: f64) {
    let end = text.iter().position(|&byte| byte == b'e').unwrap_or(text.len());
    let places = end.saturating_sub(2);
    if places < 15 || text[end - 1].is_multiple_of(2) || !may_be_between(value) {
        return;
    }
    let exact = format!("{value:.40e}");
    let behind = &exact.as_bytes()[places + 2..];
    if behind[0] != b'5' || behind[1..].iter().take_while(|byte| byte.is_ascii_digit()).any(|&byte| byte != b'0') {
        return;
    }
    // The other candidate is one above or below.
    let is_below = exact.as_bytes()[end - 1] == text[end - 1];
    let other = if is_below { text[end - 1] + 1 } else { text[end - 1] - 1 };
    if !other.is_ascii_digit() {
        return;
    }
    let before = std::mem::replace(&mut text[end - 1], other);
    let reads_back = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()) == Some(value);
    if !reads_back {
        text[end - 1] = before;
    }
}

/// Whether a float may be exactly between two texts of 16 or 17 digits, so that it has one more digit at most.
fn may_be_between(value: f64) -> bool {
    const MOST: u128 = 1_000_000_000_000_000_000;
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let zeros = mantissa.trailing_zeros();
    // The value is an odd number times a power of two; with `places` binary places it has as many digits as that number times
    // five to the power of `places`.
    let places = 1075 - exponent.max(1) - zeros as i32;
    let Ok(places) = u32::try_from(places) else { return true };
    5u128
        .checked_pow(places)
        .and_then(|power| power.checked_mul(u128::from(mantissa >> zeros)))
        .is_some_and(|all| all < MOST)
}

/// A float as PHP prints it with a `precision` setting (-1: the shortest text that reads back as the float).
pub fn double_to_string(value: f64, precision: i64) -> StrBuilder {
    general_format(value, precision, b'.', b'E')
}

/// The largest precision; no float has more significant digits.
const PRECISION_MAX: i64 = 1100;

/// Formats like `%G`: fixed notation if the exponent is small enough for the precision, else scientific notation.
pub fn general_format(value: f64, precision: i64, decimal_point: u8, exponent_char: u8) -> StrBuilder {
    let mut text = StrBuilder::new();
    if let Some(name) = non_finite_name(value) {
        text.extend_from_slice(name);
        return text;
    }
    let shortest = precision < 0;
    let precision = if shortest { 17 } else { precision.clamp(1, PRECISION_MAX) };
    let Digits { digits, point } = digits(value, (!shortest).then_some(precision as usize));
    if value.is_sign_negative() {
        text.push(b'-');
    }
    if value == 0.0 {
        text.push(b'0');
    } else if point < -3 || i64::from(point) > precision {
        text.push(digits[0]);
        text.push(decimal_point);
        text.extend_from_slice(if digits.len() == 1 { b"0" } else { &digits[1..] });
        text.push(exponent_char);
        text.push(if point < 1 { b'-' } else { b'+' });
        text.extend_from_slice(crate::convert::int_digits((point - 1).unsigned_abs().into(), &mut [0; 20]));
    } else if point <= 0 {
        text.extend_from_slice(&[b'0', decimal_point]);
        text.push_times(b'0', point.unsigned_abs() as usize);
        text.extend_from_slice(&digits);
    } else {
        let whole = (point as usize).min(digits.len());
        text.extend_from_slice(&digits[..whole]);
        text.push_times(b'0', point as usize - whole);
        if whole < digits.len() {
            text.push(decimal_point);
            text.extend_from_slice(&digits[whole..]);
        }
    }
    text
}

/// A float as PHP prints it with a `precision` setting; a whole number ends in `.0`, so that it reads back as a float.
pub fn double_to_literal(value: f64, precision: i64) -> StrBuilder {
    let mut text = double_to_string(value, precision);
    if value.is_finite() && !text.iter().any(|b| matches!(b, b'.' | b'E')) {
        text.extend_from_slice(b".0");
    }
    text
}

fn non_finite_name(value: f64) -> Option<&'static [u8]> {
    if value.is_nan() {
        Some(b"NAN")
    } else if value.is_infinite() {
        Some(if value > 0.0 { b"INF" } else { b"-INF" })
    } else {
        None
    }
}

/// The number at the start of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numeric {
    pub number: Number,
    /// Whether anything but white space follows the number.
    pub trailing: bool,
    /// 1 for an integer too large for 64 bits, -1 for one too small, else 0.
    pub overflow: i8,
}

/// White space that may surround a numeric string.
pub fn is_numeric_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The length of the number (sign, digits, fraction, exponent) at the start of a text, and whether it is a float.
fn scan_number(text: &[u8]) -> Option<(usize, bool)> {
    let digits_from = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let start = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits_from(start);
    let mut end = start + whole;
    let mut is_float = false;
    if text.get(end) == Some(&b'.') {
        let fraction = digits_from(end + 1);
        if whole > 0 || fraction > 0 {
            end += 1 + fraction;
            is_float = true;
        }
    }
    if whole == 0 && !is_float {
        return None;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits_from(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
            is_float = true;
        }
    }
    Some((end, is_float))
}

/// The number at the start of a string (after white space). `None` if there is none.
pub fn numeric_prefix(text: &[u8]) -> Option<Numeric> {
    let start = text.iter().position(|&b| !is_numeric_space(b))?;
    let text = &text[start..];
    // Most strings that are tested are words.
    if !matches!(text[0], b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    let (end, is_float) = scan_number(text)?;
    let trailing = text[end..].iter().any(|&b| !is_numeric_space(b));
    let number = &text[..end];
    if !is_float {
        // PHP compares the digits of the smallest integer together with everything behind them in the string.
        let is_least = |value: i64| value == i64::MIN && end < text.len();
        if let Some(value) = parse_int(number).filter(|&value| !is_least(value)) {
            return Some(Numeric { number: Number::Int(value), trailing, overflow: 0 });
        }
        let overflow = if number[0] == b'-' { -1 } else { 1 };
        return Some(Numeric { number: Number::Double(parse_double(number)), trailing, overflow });
    }
    Some(Numeric { number: Number::Double(parse_double(number)), trailing, overflow: 0 })
}

/// Whether the whole string is a number.
pub fn is_numeric(text: &[u8]) -> bool {
    numeric(text).is_some()
}

/// The value of a string that is a number as a whole; white space around it is allowed.
pub fn numeric(text: &[u8]) -> Option<Number> {
    numeric_prefix(text).filter(|n| !n.trailing).map(|n| n.number)
}

fn parse_int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.len() < 19 {
        // So few digits cannot overflow.
        let value = digits.iter().fold(0i64, |value, b| value * 10 + i64::from(b - b'0'));
        return Some(if negative { -value } else { value });
    }
    digits.iter().try_fold(0i64, |value, b| {
        let digit = i64::from(b - b'0');
        let value = value.checked_mul(10)?;
        if negative { value.checked_sub(digit) } else { value.checked_add(digit) }
    })
}

fn parse_double(text: &[u8]) -> f64 {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// `(float)` of a string: the number at its start (after white space), else 0.
pub fn string_to_double(text: &[u8]) -> f64 {
    let Some(value) = numeric_prefix(text).map(|n| n.number.as_f64()) else { return 0.0 };
    let negative = text.iter().find(|&&b| !is_numeric_space(b)) == Some(&b'-');
    if value == 0.0 && negative { -0.0 } else { value }
}

/// `(int)` of a string: the number at its start, limited to the integer range.
pub fn string_to_int(text: &[u8]) -> i64 {
    match numeric_prefix(text).map(|n| n.number) {
        None => 0,
        Some(Number::Int(i)) => i,
        Some(Number::Double(d)) => double_to_int_saturating(d),
    }
}

/// Whether the float is inside the range of integers.
pub fn fits_int(value: f64) -> bool {
    // 2^63 is exact as a float; the largest integer is not.
    (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value)
}

/// `(int)` of a float: truncated, modulo 2^64 when out of range, 0 for NAN and infinities.
pub fn double_to_int(value: f64) -> i64 {
    const TWO_64: f64 = 18_446_744_073_709_551_616.0;
    if fits_int(value) {
        return value as i64;
    }
    if !value.is_finite() {
        return 0;
    }
    let remainder = value.trunc() % TWO_64;
    let wrapped = if remainder < 0.0 { remainder + TWO_64 } else { remainder };
    wrapped as u64 as i64
}

/// A float as an integer, truncated; a value out of range becomes the nearest integer, NAN and infinities become 0.
pub fn double_to_int_saturating(value: f64) -> i64 {
    if value.is_finite() { value as i64 } else { 0 }
}

/// Whether the float is a whole number in the range of integers, so that a conversion loses nothing.
pub fn is_int_compatible(value: f64) -> bool {
    fits_int(value) && value.trunc() == value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64, precision: i64) -> String {
        String::from_utf8_lossy(&double_to_string(value, precision)).into_owned()
    }

    #[test]
    fn floats_print_as_php_prints_them() {
        let rows = [
            (1e15, -1, "1000000000000000"),
            (1e17, -1, "1.0E+17"),
            (1e15, 14, "1.0E+15"),
            (123456789012345678.0, -1, "1.2345678901234568E+17"),
            (0.1 + 0.2, 14, "0.3"),
            (0.1 + 0.2, -1, "0.30000000000000004"),
            (0.0001, -1, "0.0001"),
            (0.00001, -1, "1.0E-5"),
            (-0.0, -1, "-0"),
            (1.5e-7, 17, "1.4999999999999999E-7"),
            (100000.0, 14, "100000"),
            (f64::NAN, 14, "NAN"),
            (f64::NEG_INFINITY, 14, "-INF"),
            (1.5, 0, "2"),
        ];
        for (value, precision, expected) in rows {
            assert_eq!(text(value, precision), expected, "{value} at {precision}");
        }
    }

    #[test]
    fn numeric_strings() {
        let int = |i| Some(Number::Int(i));
        let double = |d| Some(Number::Double(d));
        let rows: [(&str, Option<Number>); 14] = [
            ("12", int(12)),
            (" 12 ", int(12)),
            ("12x", None),
            ("+5", int(5)),
            ("--5", None),
            (".5", double(0.5)),
            ("1.", double(1.0)),
            (".", None),
            ("1e3", double(1000.0)),
            ("1e", None),
            ("", None),
            ("-9223372036854775808", int(i64::MIN)),
            ("9223372036854775808", double(9223372036854775808.0)),
            ("0x1A", None),
        ];
        for (source, expected) in rows {
            assert_eq!(numeric(source.as_bytes()), expected, "{source:?}");
        }
    }

    #[test]
    fn floats_become_integers_modulo_two_to_the_64() {
        assert_eq!(double_to_int(1e20), 7766279631452241920);
        assert_eq!(double_to_int(-1e20), -7766279631452241920);
        assert_eq!(double_to_int(f64::INFINITY), 0);
        assert_eq!(string_to_int(b"1e20"), i64::MAX);
        assert_eq!(string_to_int(b"1e1000"), 0);
    }
}
