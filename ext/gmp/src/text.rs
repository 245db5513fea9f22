//! Numbers as texts, in the bases and by the rules of GMP.

use num_bigint::{BigInt, Sign};

/// The largest base.
pub const LARGEST_BASE: u32 = 62;
/// The largest base whose digits do not tell capital letters from small ones.
const LARGEST_FOLDED: u32 = 36;

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The value of a digit: above base 36, capital letters come before small ones.
fn digit(byte: u8, base: u32) -> Option<u32> {
    let value = match byte {
        b'0'..=b'9' => byte - b'0',
        b'A'..=b'Z' => byte - b'A' + 10,
        b'a'..=b'z' if base > LARGEST_FOLDED => byte - b'a' + 36,
        b'a'..=b'z' => byte - b'a' + 10,
        _ => return None,
    };
    Some(u32::from(value)).filter(|value| *value < base)
}

/// The number that digits of a base are.
fn from_digits(digits: &[u8], base: u32) -> BigInt {
    if let Some(number) = BigInt::from_radix_be(Sign::Plus, digits, base) {
        return number;
    }
    digits.iter().fold(BigInt::ZERO, |number, &digit| number * base + digit)
}

/// Reads digits after PHP's prefixes: white space is skipped wherever it stands, and base 0 asks the beginning (`0x`, `0b`, `0`).
fn read(text: &[u8], base: u32) -> Option<BigInt> {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let mut rest = &text[..end];
    while let [first, after @ ..] = rest
        && is_space(*first)
    {
        rest = after;
    }
    let negative = rest.first() == Some(&b'-');
    if negative {
        rest = &rest[1..];
    }
    let first = *rest.first()?;
    digit(first, if base == 0 { 10 } else { base })?;
    let mut base = base;
    if base == 0 {
        base = match (first, rest.get(1)) {
            (b'0', Some(b'x' | b'X')) => 16,
            (b'0', Some(b'b' | b'B')) => 2,
            (b'0', _) => 8,
            _ => 10,
        };
        rest = match base {
            16 | 2 => &rest[2..],
            8 => &rest[1..],
            _ => rest,
        };
    }
    let digits = rest.iter().filter(|&&byte| !is_space(byte)).map(|&byte| digit(byte, base).map(|digit| digit as u8));
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    let number = from_digits(&digits, base);
    Some(if negative { -number } else { number })
}

/// Reads a number as PHP does: `0x`, `0o` and `0b` may come before the digits of their bases, and tell the base if it is 0.
pub fn parse(text: &[u8], base: u32) -> Option<BigInt> {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let text = &text[start..];
    let prefixed = match text {
        [b'0', b'x' | b'X', ..] if matches!(base, 0 | 16) => Some(16),
        [b'0', b'o' | b'O', ..] if matches!(base, 0 | 8) => Some(8),
        [b'0', b'b' | b'B', ..] if matches!(base, 0 | 2) => Some(2),
        _ => None,
    };
    match prefixed {
        Some(base) => read(&text[2..], base),
        None => read(text, base),
    }
}

/// A number in a base; letters are small, or capital in negative bases. Above base 36, capital letters come before small ones.
pub fn to_text(number: &BigInt, base: i64) -> Vec<u8> {
    let radix = base.unsigned_abs().clamp(2, u64::from(LARGEST_BASE)) as u32;
    let letter = |digit: u8| match digit {
        0..=9 => b'0' + digit,
        10..=35 if base > 0 && radix <= LARGEST_FOLDED => b'a' + digit - 10,
        10..=35 => b'A' + digit - 10,
        _ => b'a' + digit - 36,
    };
    let (sign, digits) = number.to_radix_be(radix);
    let minus = if sign == Sign::Minus { Some(b'-') } else { None };
    minus.into_iter().chain(digits.into_iter().map(letter)).collect()
}
