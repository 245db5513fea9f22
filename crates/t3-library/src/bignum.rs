//! Decimal numbers of any precision: an integer times a power of ten, kept without trailing zeros.
//!
//! `precision` is how many digits results are rounded to; ties go to the even digit. Functions that have no exact
//! result compute with fixed-point integers and a few digits to spare.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The largest precision.
pub const MAX_PRECISION: usize = 65_535;
/// Digits beyond the precision that computations carry.
const SPARE: usize = 12;
/// Exponents beyond this are out of range.
const MAX_EXPONENT: i64 = 32_767;

/// Values that are no finite numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Special {
    /// An ordinary number.
    #[default]
    Finite,
    /// Not a number.
    NotANumber,
    /// Infinity, with the sign of the mantissa.
    Infinite,
}

/// A decimal number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BigNum {
    /// The digits, with the sign.
    pub mantissa: BigInt,
    /// The power of ten that they are multiplied with.
    pub exponent: i64,
    /// Digits to round results to.
    pub precision: usize,
    /// Whether it is a number at all.
    pub special: Special,
}

fn ten_to(power: usize) -> BigInt {
    BigInt::from(10u8).pow(power as u32)
}

/// The quotient, rounded to the nearest integer, ties to even.
fn divide_rounded(number: &BigInt, by: &BigInt) -> BigInt {
    let quotient = number / by;
    let rest = number - &quotient * by;
    let twice = rest.abs() * 2u8;
    let up = match twice.cmp(&by.abs()) {
        Ordering::Greater => true,
        Ordering::Equal => (&quotient % 2u8) != BigInt::zero(),
        Ordering::Less => false,
    };
    if !up {
        return quotient;
    }
    if number.is_negative() == by.is_negative() { quotient + 1u8 } else { quotient - 1u8 }
}

fn count_digits(number: &BigInt) -> usize {
    if number.is_zero() { 1 } else { number.magnitude().to_string().len() }
}

impl BigNum {
    /// A number from digits and exponent, rounded to the precision.
    pub fn new(mantissa: BigInt, exponent: i64, precision: usize) -> BigNum {
        let mut number =
            BigNum { mantissa, exponent, precision: precision.clamp(1, MAX_PRECISION), special: Special::Finite };
        number.round_digits(number.precision);
        number
    }

    /// An integer, with ten digits as the machine's integers have.
    pub fn from_int(number: i64) -> BigNum {
        BigNum::new(BigInt::from(number), 0, 10)
    }

    /// Reads a number; what does not belong to it ends it. The precision is the number of digits if not given.
    pub fn parse(text: &str, precision: Option<usize>) -> BigNum {
        let text = text.trim_start();
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let mut digits = String::new();
        let (mut exponent, mut point) = (0i64, false);
        let mut rest = text.char_indices().peekable();
        while let Some((_, c)) = rest.peek().copied() {
            match c {
                '0'..='9' => {
                    digits.push(c);
                    exponent -= i64::from(point);
                }
                '.' if !point => point = true,
                _ => break,
            }
            rest.next();
        }
        if let Some((at, 'e' | 'E')) = rest.peek().copied() {
            let tail = &text[at + 1..];
            let end = tail.char_indices().find(|(n, c)| !(c.is_ascii_digit() || *n == 0 && matches!(c, '+' | '-')));
            let tail = &tail[..end.map_or(tail.len(), |(at, _)| at)];
            exponent += tail.parse::<i64>().unwrap_or(0).clamp(-MAX_EXPONENT, MAX_EXPONENT);
        }
        let significant = digits.trim_start_matches('0').len();
        let mantissa: BigInt = digits.parse().unwrap_or_default();
        let mantissa = if negative { -mantissa } else { mantissa };
        BigNum::new(mantissa, exponent, precision.unwrap_or(significant.max(1)))
    }

    /// Rounds to a number of significant digits and drops zeros at the end.
    fn round_digits(&mut self, digits: usize) {
        let have = count_digits(&self.mantissa);
        if have > digits {
            let drop = have - digits;
            self.mantissa = divide_rounded(&self.mantissa, &ten_to(drop));
            self.exponent += drop as i64;
        }
        self.strip();
    }

    fn strip(&mut self) {
        if self.mantissa.is_zero() {
            self.exponent = 0;
            return;
        }
        let text = self.mantissa.magnitude().to_string();
        let zeros = text.len() - text.trim_end_matches('0').len();
        if zeros > 0 {
            self.mantissa /= ten_to(zeros);
            self.exponent += zeros as i64;
        }
    }

    /// Digits before the decimal point; negative for zeros behind it.
    pub fn scale(&self) -> i64 {
        if self.mantissa.is_zero() { 0 } else { count_digits(&self.mantissa) as i64 + self.exponent }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// This value, rounded to another precision.
    pub fn with_precision(&self, precision: usize) -> BigNum {
        BigNum { special: self.special, ..BigNum::new(self.mantissa.clone(), self.exponent, precision) }
    }

    fn aligned(&self, other: &BigNum) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let raise = |number: &BigNum| &number.mantissa * ten_to((number.exponent - exponent) as usize);
        (raise(self), raise(other), exponent)
    }

    /// Numbers so far apart that the smaller cannot matter are not aligned digit by digit.
    fn is_negligible(&self, other: &BigNum) -> bool {
        other.is_zero() || !self.is_zero() && self.scale() - other.scale() > 2 * MAX_PRECISION as i64
    }

    /// Sum.
    pub fn add(&self, other: &BigNum) -> BigNum {
        let precision = self.precision.max(other.precision);
        if self.is_negligible(other) {
            return self.with_precision(precision);
        }
        if other.is_negligible(self) {
            return other.with_precision(precision);
        }
        let (a, b, exponent) = self.aligned(other);
        BigNum::new(a + b, exponent, precision)
    }

    /// The number with the other sign.
    pub fn negate(&self) -> BigNum {
        BigNum { mantissa: -&self.mantissa, ..self.clone() }
    }

    /// Difference.
    pub fn sub(&self, other: &BigNum) -> BigNum {
        self.add(&other.negate())
    }

    /// Product.
    pub fn mul(&self, other: &BigNum) -> BigNum {
        let precision = self.precision.max(other.precision);
        BigNum::new(&self.mantissa * &other.mantissa, self.exponent + other.exponent, precision)
    }

    /// Quotient; `None` for division by zero.
    pub fn div(&self, other: &BigNum) -> Option<BigNum> {
        if other.is_zero() {
            return None;
        }
        let precision = self.precision.max(other.precision);
        let digits = count_digits(&other.mantissa) + precision + 3;
        // One more digit than needed, made odd if something is left, so that rounding sees it.
        let raised = &self.mantissa * ten_to(digits);
        let mut quotient = &raised / &other.mantissa;
        let exact = &quotient * &other.mantissa == raised;
        quotient *= 10u8;
        if !exact {
            quotient += if raised.is_negative() == other.mantissa.is_negative() { 1 } else { -1 };
        }
        Some(BigNum::new(quotient, self.exponent - other.exponent - digits as i64 - 1, precision))
    }

    /// Whole quotient and remainder; the quotient goes towards zero.
    pub fn div_rem(&self, other: &BigNum) -> Option<(BigNum, BigNum)> {
        if other.is_zero() {
            return None;
        }
        let precision = self.precision.max(other.precision);
        let (a, b, exponent) = self.aligned(other);
        let quotient = &a / &b;
        let rest = a - &quotient * &b;
        // A quotient with more digits than there is room for is cut off, and the remainder is what that leaves.
        let surplus = count_digits(&quotient).saturating_sub(precision);
        let (quotient, rest) = match surplus {
            0 => (quotient, rest),
            _ => {
                let cut = &quotient / ten_to(surplus) * ten_to(surplus);
                let rest = rest + (quotient - &cut) * b;
                (cut, rest)
            }
        };
        Some((BigNum::new(quotient, 0, precision), BigNum::new(rest, exponent, precision)))
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &BigNum) -> Ordering {
        let signs = self.mantissa.sign().cmp(&other.mantissa.sign());
        if signs.is_ne() || self.is_zero() {
            return signs;
        }
        let scales = self.scale().cmp(&other.scale());
        if scales.is_ne() {
            return if self.is_negative() { scales.reverse() } else { scales };
        }
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }

    /// Rounds to places behind the decimal point; negative places are before it.
    pub fn round_to(&self, places: i64) -> BigNum {
        let drop = -places - self.exponent;
        if drop <= 0 {
            return self.clone();
        }
        if drop > count_digits(&self.mantissa) as i64 + 1 {
            return BigNum::new(BigInt::zero(), 0, self.precision);
        }
        let mantissa = divide_rounded(&self.mantissa, &ten_to(drop as usize));
        BigNum::new(mantissa, self.exponent + drop, self.precision.max(1))
    }

    /// The part before the decimal point.
    pub fn whole(&self) -> BigNum {
        if self.exponent >= 0 {
            return self.clone();
        }
        let drop = (-self.exponent) as usize;
        if drop > count_digits(&self.mantissa) {
            return BigNum::new(BigInt::zero(), 0, self.precision);
        }
        BigNum::new(&self.mantissa / ten_to(drop), 0, self.precision)
    }

    /// The part behind the decimal point.
    pub fn fraction(&self) -> BigNum {
        self.sub(&self.whole())
    }

    /// The next whole number up or down.
    pub fn round_towards(&self, up: bool) -> BigNum {
        let whole = self.whole();
        if whole.compare(self).is_eq() || self.is_negative() == up {
            return whole;
        }
        let step = BigNum::new(BigInt::from(if up { 1 } else { -1 }), 0, self.precision);
        whole.add(&step)
    }

    /// The nearest integer of the machine.
    pub fn to_int(&self) -> Option<i32> {
        if self.scale() > 11 {
            return None;
        }
        let rounded = self.round_to(0);
        (rounded.mantissa * ten_to(rounded.exponent.max(0) as usize)).to_i32()
    }

    /// The number cut off to a 64-bit integer, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        let whole = self.whole();
        if whole.scale() > 20 {
            return None;
        }
        (whole.mantissa * ten_to(whole.exponent.max(0) as usize)).to_i64()
    }

    // ---- functions, by fixed-point computation

    /// The value times ten to the `digits`, as an integer.
    fn fixed(&self, digits: usize) -> BigInt {
        let shift = self.exponent + digits as i64;
        if shift >= 0 {
            &self.mantissa * ten_to(shift as usize)
        } else if -shift > count_digits(&self.mantissa) as i64 {
            BigInt::zero()
        } else {
            &self.mantissa / ten_to((-shift) as usize)
        }
    }

    fn from_fixed(value: BigInt, digits: usize, precision: usize) -> BigNum {
        BigNum::new(value, -(digits as i64), precision)
    }

    /// Digits to compute with for a result of about this many digits before the point.
    fn working_digits(&self, before: i64) -> usize {
        self.precision + SPARE + before.unsigned_abs().min(400) as usize
    }

    /// Square root; `None` of a negative number.
    pub fn sqrt(&self) -> Option<BigNum> {
        if self.is_negative() {
            return None;
        }
        let digits = self.working_digits(self.scale());
        let root = self.fixed(2 * digits).sqrt();
        Some(BigNum::from_fixed(root, digits, self.precision))
    }

    /// e to this power; `None` if the result is out of range.
    pub fn exp(&self) -> Option<BigNum> {
        if self.scale() > 5 {
            return None;
        }
        let power = self.to_int()?;
        // The result has about power / ln 10 digits before the point.
        let before = i64::from(power) * 10 / 23;
        let digits = self.precision + SPARE + before.max(0) as usize + self.scale().max(0) as usize;
        let extra = if before < 0 { before.unsigned_abs() as usize } else { 0 };
        let digits = digits + extra;
        Some(BigNum::from_fixed(exp_fixed(&self.fixed(digits), digits), digits, self.precision))
    }

    /// Natural logarithm; `None` of zero and negative numbers.
    pub fn ln(&self) -> Option<BigNum> {
        if self.is_negative() || self.is_zero() {
            return None;
        }
        let digits = self.working_digits(8);
        // x = m * 10^scale with m between 0.1 and 1.
        let scale = self.scale();
        let part = BigNum { exponent: self.exponent - scale, ..self.clone() };
        let ten = ln_fixed(&(ten_to(digits) * 10u8), digits);
        let value = ln_fixed(&part.fixed(digits), digits) + ten * scale;
        Some(BigNum::from_fixed(value, digits, self.precision))
    }

    /// Common logarithm.
    pub fn log10(&self) -> Option<BigNum> {
        let wide = self.with_precision(self.precision + SPARE);
        let ten = BigNum::new(BigInt::from(10), 0, self.precision + SPARE);
        Some(wide.ln()?.div(&ten.ln()?)?.with_precision(self.precision))
    }

    /// This number to a power; `None` if there is no real result.
    pub fn power(&self, power: &BigNum) -> Option<BigNum> {
        let precision = self.precision.max(power.precision);
        if power.exponent >= 0
            && let Some(count) = power.to_int()
            && count.unsigned_abs() < 100_000
        {
            return self.whole_power(count, precision);
        }
        if self.is_zero() {
            return (!power.is_negative()).then(|| self.clone());
        }
        let wide = self.with_precision(precision + SPARE).ln()?;
        Some(wide.mul(&power.with_precision(precision + SPARE)).exp()?.with_precision(precision))
    }

    fn whole_power(&self, count: i32, precision: usize) -> Option<BigNum> {
        let wide = precision + SPARE;
        let mut result = BigNum::new(BigInt::one(), 0, wide);
        let mut base = self.with_precision(wide);
        let mut left = count.unsigned_abs();
        while left > 0 {
            if left & 1 == 1 {
                result = result.mul(&base);
            }
            base = base.mul(&base);
            left >>= 1;
            if result.scale().abs() > MAX_EXPONENT {
                return None;
            }
        }
        if count < 0 {
            result = BigNum::new(BigInt::one(), 0, wide).div(&result)?;
        }
        Some(result.with_precision(precision))
    }

    /// Sine and cosine, reduced to one turn first.
    pub fn sin_cos(&self) -> (BigNum, BigNum) {
        let digits = self.working_digits(self.scale().max(0)) + 8;
        let turn = pi_fixed(digits) * 2u8;
        let x = self.fixed(digits) % turn;
        let (sin, cos) = sin_cos_fixed(&x, digits);
        let make = |value| BigNum::from_fixed(value, digits, self.precision);
        (make(sin), make(cos))
    }

    /// Arc tangent.
    pub fn atan(&self) -> BigNum {
        let digits = self.working_digits(self.scale());
        BigNum::from_fixed(atan_fixed(&self.fixed(digits), digits), digits, self.precision)
    }

    /// Arc sine; `None` outside of -1 to 1.
    pub fn asin(&self) -> Option<BigNum> {
        let one = BigNum::new(BigInt::one(), 0, self.precision);
        let digits = self.working_digits(4) * 2;
        let x = self.fixed(digits);
        let unit = ten_to(digits);
        match self.mantissa_abs().compare(&one) {
            Ordering::Greater => None,
            Ordering::Equal => {
                let half = pi_fixed(digits) / 2u8;
                let half = if self.is_negative() { -half } else { half };
                Some(BigNum::from_fixed(half, digits, self.precision))
            }
            Ordering::Less => {
                let cos = (&unit * &unit - &x * &x).sqrt();
                let tan = x * &unit / cos;
                Some(BigNum::from_fixed(atan_fixed(&tan, digits), digits, self.precision))
            }
        }
    }

    /// Arc cosine.
    pub fn acos(&self) -> Option<BigNum> {
        let wide = self.with_precision(self.precision + SPARE);
        let half = BigNum::pi(self.precision + SPARE).div(&BigNum::from_int(2))?;
        Some(half.sub(&wide.asin()?).with_precision(self.precision))
    }

    /// Without the sign.
    pub fn mantissa_abs(&self) -> BigNum {
        BigNum { mantissa: self.mantissa.abs(), ..self.clone() }
    }

    /// The ratio of a circle's circumference to its diameter.
    pub fn pi(precision: usize) -> BigNum {
        let digits = precision + SPARE;
        BigNum::from_fixed(pi_fixed(digits), digits, precision)
    }

    // ---- text

    /// The digits of the absolute value.
    pub fn digits(&self) -> String {
        self.mantissa.magnitude().to_string()
    }

    /// A whole number's text in another base.
    pub fn in_radix(&self, radix: u32) -> String {
        let whole = self.whole();
        let number = whole.mantissa * ten_to(whole.exponent.max(0) as usize);
        number.to_str_radix(radix).to_uppercase()
    }

    /// The sign as -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.mantissa.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }
}

fn exp_fixed(x: &BigInt, digits: usize) -> BigInt {
    let unit = ten_to(digits);
    // Halve until the series is quick, then square back.
    let mut halvings = 0u32;
    let mut small = x.clone();
    while small.abs() > &unit / 64u8 {
        small /= 2u8;
        halvings += 1;
        if halvings > 64 {
            break;
        }
    }
    let spare = 20;
    let unit = unit * ten_to(spare);
    let small = (x * ten_to(spare)) >> halvings as usize;
    let mut sum = unit.clone();
    let mut term = unit.clone();
    let mut n = 1u32;
    loop {
        term = term * &small / &unit / n;
        if term.is_zero() || n > 100_000 {
            break;
        }
        sum += &term;
        n += 1;
    }
    for _ in 0..halvings {
        sum = &sum * &sum / &unit;
    }
    sum / ten_to(spare)
}

fn ln_fixed(x: &BigInt, digits: usize) -> BigInt {
    let spare = 20;
    let unit = ten_to(digits + spare);
    let mut y = x * ten_to(spare);
    let mut roots = 0usize;
    while (&y - &unit).abs() > &unit / 100u8 && roots < 64 {
        y = (y * &unit).sqrt();
        roots += 1;
    }
    // ln y = 2 atanh((y - 1) / (y + 1))
    let z = (&y - &unit) * &unit / (&y + &unit);
    let square = &z * &z / &unit;
    let mut term = z.clone();
    let mut sum = z;
    let mut n = 3u32;
    loop {
        term = term * &square / &unit;
        let part = &term / n;
        if part.is_zero() || n > 100_000 {
            break;
        }
        sum += part;
        n += 2;
    }
    (sum << (roots + 1)) / ten_to(spare)
}

/// Machin's formula.
fn pi_fixed(digits: usize) -> BigInt {
    let unit = ten_to(digits + 5);
    let arctan_inverse = |x: u32| {
        let mut term = &unit / x;
        let mut sum = term.clone();
        let square = x * x;
        let mut n = 3u32;
        let mut minus = true;
        while !term.is_zero() {
            term /= square;
            let part = &term / n;
            sum = if minus { sum - part } else { sum + part };
            minus = !minus;
            n += 2;
        }
        sum
    };
    (arctan_inverse(5) * 16u8 - arctan_inverse(239) * 4u8) / ten_to(5)
}

fn sin_cos_fixed(x: &BigInt, digits: usize) -> (BigInt, BigInt) {
    let unit = ten_to(digits);
    let square = x * x / &unit;
    let series = |first: BigInt, start: u32| {
        let mut term = first.clone();
        let mut sum = first;
        let mut n = start;
        loop {
            term = -(term * &square / &unit) / (n * (n + 1));
            if term.is_zero() || n > 100_000 {
                return sum;
            }
            sum += &term;
            n += 2;
        }
    };
    (series(x.clone(), 2), series(unit.clone(), 1))
}

fn atan_fixed(x: &BigInt, digits: usize) -> BigInt {
    let spare = 10;
    let unit = ten_to(digits + spare);
    let mut y = x * ten_to(spare);
    let mut halvings = 0usize;
    while y.abs() > &unit / 8u8 && halvings < 200 {
        // atan y = 2 atan(y / (1 + sqrt(1 + y^2)))
        let root = (&unit * &unit + &y * &y).sqrt();
        y = y * &unit / (&unit + root);
        halvings += 1;
    }
    let square = &y * &y / &unit;
    let mut term = y.clone();
    let mut sum = y;
    let mut n = 3u32;
    loop {
        term = -(term * &square / &unit);
        let part = &term / n;
        if part.is_zero() || n > 100_000 {
            break;
        }
        sum += part;
        n += 2;
    }
    (sum << halvings) / ten_to(spare)
}
