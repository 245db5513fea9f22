//! Decimal numbers of any size: an integer and how many of its digits are behind the point.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use phlox_runtime::room::require_room;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: BigInt,
    /// Digits behind the point, without zeros at the end.
    pub scale: usize,
}

/// Where halves and other fractions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    HalfAwayFromZero,
    HalfTowardsZero,
    HalfEven,
    HalfOdd,
    TowardsZero,
    AwayFromZero,
    NegativeInfinity,
    PositiveInfinity,
}

/// Why a power modulo a number does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowModError {
    BaseHasFraction,
    ExponentHasFraction,
    NegativeExponent,
    ModulusHasFraction,
    ZeroModulus,
}

/// Bytes of an integer of so many decimal digits, at most.
fn bytes_of_digits(digits: usize) -> usize {
    digits / 2
}

fn ten_to(exponent: usize) -> BigInt {
    require_room(bytes_of_digits(exponent));
    BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

impl Decimal {
    fn new(digits: BigInt, scale: usize) -> Decimal {
        Decimal { digits, scale }.trimmed()
    }

    /// Without zeros at the end of the fraction.
    fn trimmed(mut self) -> Decimal {
        if self.digits.is_zero() {
            self.scale = 0;
        }
        // What ends with so many zeros is even as often: where it is not, nothing needs to be divided.
        let twos = |digits: &BigInt| usize::try_from(digits.trailing_zeros().unwrap_or(0)).unwrap_or(usize::MAX);
        let mut step = self.scale.min(twos(&self.digits));
        while step > 0 {
            let (quotient, rest) = self.digits.div_rem(&ten_to(step));
            if rest.is_zero() {
                self.digits = quotient;
                self.scale -= step;
                step = step.min(self.scale).min(twos(&self.digits));
            } else {
                step /= 2;
            }
        }
        self
    }

    pub fn from_int(value: i64) -> Decimal {
        Decimal { digits: value.into(), scale: 0 }
    }

    /// A number and the digits behind the point that the text has; `None`: it is no number.
    pub fn parse(text: &[u8]) -> Option<(Decimal, usize)> {
        let (negative, rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let point = rest.iter().position(|&byte| byte == b'.').unwrap_or(rest.len());
        let (whole, fraction) = (&rest[..point], rest.get(point + 1..).unwrap_or_default());
        if !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
            return None;
        }
        let kept = fraction.iter().rposition(|&byte| byte != b'0').map_or(0, |last| last + 1);
        let digits = [whole, &fraction[..kept]].concat();
        let digits = if digits.is_empty() { BigInt::zero() } else { BigInt::parse_bytes(&digits, 10)? };
        let digits = if negative { -digits } else { digits };
        Some((Decimal { digits, scale: kept }.trimmed(), fraction.len()))
    }

    pub fn is_zero(&self) -> bool {
        self.digits.is_zero()
    }

    pub fn is_negative(&self) -> bool {
        self.digits.is_negative()
    }

    /// The digits as an integer at a scale; further ones are dropped.
    fn at_scale(&self, scale: usize) -> BigInt {
        match scale >= self.scale {
            true => &self.digits * ten_to(scale - self.scale),
            false => &self.digits / ten_to(self.scale - scale),
        }
    }

    pub fn truncated(&self, scale: usize) -> Decimal {
        if scale >= self.scale { self.clone() } else { Decimal::new(self.at_scale(scale), scale) }
    }

    /// The number with exactly so many digits behind the point.
    pub fn to_text(&self, scale: usize) -> String {
        let shown = self.truncated(scale);
        let digits = shown.digits.magnitude().to_string();
        let whole = digits.len().saturating_sub(shown.scale);
        require_room(digits.len() + scale);
        let mut text = String::with_capacity(whole + scale + 3);
        if shown.digits.is_negative() {
            text.push('-');
        }
        text.push_str(if whole == 0 { "0" } else { &digits[..whole] });
        if scale > 0 {
            let zeros = |count| std::iter::repeat_n('0', count);
            text.push('.');
            text.extend(zeros(shown.scale.saturating_sub(digits.len())));
            text.push_str(&digits[whole..]);
            text.extend(zeros(scale - shown.scale));
        }
        text
    }

    pub fn add(&self, other: &Decimal) -> Decimal {
        let scale = self.scale.max(other.scale);
        Decimal::new(self.at_scale(scale) + other.at_scale(scale), scale)
    }

    pub fn sub(&self, other: &Decimal) -> Decimal {
        let scale = self.scale.max(other.scale);
        Decimal::new(self.at_scale(scale) - other.at_scale(scale), scale)
    }

    pub fn mul(&self, other: &Decimal) -> Decimal {
        Decimal::new(&self.digits * &other.digits, self.scale + other.scale)
    }

    /// The quotient, cut off after `scale` digits; `None`: the divisor is zero.
    pub fn div(&self, other: &Decimal, scale: usize) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        // digits·10^(scale + other.scale) / (other.digits·10^self.scale)
        let up = scale + other.scale;
        let (numerator, denominator) = match up >= self.scale {
            true => (&self.digits * ten_to(up - self.scale), other.digits.clone()),
            false => (self.digits.clone(), &other.digits * ten_to(self.scale - up)),
        };
        Some(Decimal::new(numerator / denominator, scale))
    }

    /// Whole quotient and exact rest with the sign of the dividend.
    pub fn div_rem(&self, other: &Decimal) -> Option<(Decimal, Decimal)> {
        let quotient = self.div(other, 0)?;
        let rest = self.sub(&quotient.mul(other));
        Some((quotient, rest))
    }

    /// The exponent as a machine integer, where it is whole and fits.
    pub fn to_int(&self) -> Option<i64> {
        if self.scale > 0 { None } else { i64::try_from(&self.digits).ok() }
    }

    /// A power, cut off after `scale` digits; `None`: a negative power of zero.
    pub fn pow(&self, exponent: i64, scale: usize) -> Option<Decimal> {
        let size = u32::try_from(exponent.unsigned_abs()).unwrap_or(u32::MAX);
        // At least so many; the powers of 0 and 1 need none.
        let bits = self.digits.bits().saturating_sub(1).saturating_mul(size.into());
        require_room(usize::try_from(bits / 8).unwrap_or(usize::MAX));
        let power = Decimal::new(self.digits.pow(size), self.scale * size as usize);
        match exponent < 0 {
            true => Decimal::from_int(1).div(&power, scale),
            false => Some(power.truncated(scale)),
        }
    }

    pub fn pow_mod(&self, exponent: &Decimal, modulus: &Decimal) -> Result<Decimal, PowModError> {
        match () {
            () if self.scale > 0 => return Err(PowModError::BaseHasFraction),
            () if exponent.scale > 0 => return Err(PowModError::ExponentHasFraction),
            () if exponent.is_negative() => return Err(PowModError::NegativeExponent),
            () if modulus.scale > 0 => return Err(PowModError::ModulusHasFraction),
            () if modulus.is_zero() => return Err(PowModError::ZeroModulus),
            () => {}
        }
        let magnitude = self.digits.abs().modpow(&exponent.digits, &modulus.digits.abs());
        let negative = self.is_negative() && exponent.digits.is_odd();
        Ok(Decimal::new(if negative { -magnitude } else { magnitude }, 0))
    }

    /// The square root, cut off after `scale` digits; `None`: the number is negative.
    pub fn sqrt(&self, scale: usize) -> Option<Decimal> {
        if self.is_negative() {
            return None;
        }
        let scale = scale.max(self.scale);
        Some(Decimal::new(self.at_scale(2 * scale).sqrt(), scale))
    }

    /// To `precision` digits behind the point, or with a negative one before it.
    pub fn round(&self, precision: i64, mode: Rounding) -> Decimal {
        let precision = precision.max(-(1 << 30));
        if precision >= self.scale as i64 {
            return self.clone();
        }
        let dropped = (self.scale as i64 - precision) as usize;
        // What is less than half of the unit needs no exact arithmetic.
        if dropped > self.digits.magnitude().to_string().len() + 1 {
            let away = match mode {
                Rounding::AwayFromZero => !self.is_zero(),
                Rounding::PositiveInfinity => self.digits.is_positive(),
                Rounding::NegativeInfinity => self.is_negative(),
                _ => false,
            };
            let sign = if self.is_negative() { -1 } else { 1 };
            let unit = if away { BigInt::from(sign) } else { BigInt::zero() };
            return Decimal::shifted(unit, precision);
        }
        let unit = ten_to(dropped);
        let (quotient, rest) = self.digits.div_rem(&unit);
        let twice = (&rest * 2i32).abs();
        let negative = self.is_negative();
        let away = match mode {
            _ if rest.is_zero() => false,
            Rounding::TowardsZero => false,
            Rounding::AwayFromZero => true,
            Rounding::NegativeInfinity => negative,
            Rounding::PositiveInfinity => !negative,
            _ if twice != unit => twice > unit,
            Rounding::HalfAwayFromZero => true,
            Rounding::HalfTowardsZero => false,
            Rounding::HalfEven => quotient.is_odd(),
            Rounding::HalfOdd => quotient.is_even(),
        };
        let step = BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, One::one());
        let rounded = if away { quotient + step } else { quotient };
        Decimal::shifted(rounded, precision)
    }

    /// `digits / 10^precision`
    fn shifted(digits: BigInt, precision: i64) -> Decimal {
        match usize::try_from(precision) {
            Ok(scale) => Decimal::new(digits, scale),
            Err(_) if digits.is_zero() => Decimal::from_int(0),
            Err(_) => Decimal::new(digits * ten_to(precision.unsigned_abs() as usize), 0),
        }
    }

    /// Comparison of the digits up to a scale.
    pub fn compare(&self, other: &Decimal, scale: usize) -> std::cmp::Ordering {
        let scale = scale.min(self.scale.max(other.scale));
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, Rounding};

    fn number(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).expect("a number").0
    }

    #[test]
    fn results_are_cut_off() {
        assert_eq!(number("2").div(&number("3"), 5).expect("a quotient").to_text(5), "0.66666");
        assert_eq!(number("-0.001").to_text(2), "0.00");
        assert_eq!(number("2").sqrt(3).expect("a root").to_text(3), "1.414");
        assert_eq!(number("1.5").pow(3, 2).expect("a power").to_text(2), "3.37");
        assert_eq!(number("-7").div_rem(&number("2")).expect("a rest").1.to_text(0), "-1");
    }

    #[test]
    fn rounding() {
        let cases = [("2.5", 0, "3"), ("-2.5", 0, "-3"), ("1250", -2, "1300"), ("0.05", 1, "0.1"), ("4", -3, "0")];
        for (text, precision, expected) in cases {
            let rounded = number(text).round(precision, Rounding::HalfAwayFromZero);
            assert_eq!(rounded.to_text(rounded.scale), expected, "{text}");
        }
    }
}
