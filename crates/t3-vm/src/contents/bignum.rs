//! Arithmetic on decimal numbers, and their form in saved games.

use num_bigint::BigInt;
use phlox_t3_library::bignum::{BigNum, Special};

use crate::code::inst::BinOp;
use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

/// The precision of an integer that is the second operand of a BigNumber, or an argument for one.
pub const INT_PRECISION: usize = 32;

impl Vm {
    /// A BigNumber.
    pub fn big(&self, value: Value) -> Option<&BigNum> {
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Big(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// A BigNumber, or one made of an integer.
    pub fn as_big(&self, value: Value) -> Option<BigNum> {
        match value {
            Value::Int(number) => Some(BigNum::from_int(number.into())),
            value => self.big(value).cloned(),
        }
    }

    /// A new BigNumber object.
    pub fn new_big(&mut self, number: BigNum) -> Value {
        self.heap.allocated += number.precision / 64;
        Value::Obj(self.heap.alloc(Obj::Big(Box::new(number))))
    }

    /// Arithmetic with a BigNumber on either side; `None` if neither is one.
    pub fn big_binary(&mut self, op: BinOp, a: Value, b: Value) -> Run<Option<Value>> {
        if self.big(a).is_none() && self.big(b).is_none() {
            return Ok(None);
        }
        let (Some(x), Some(mut y)) = (self.as_big(a), self.as_big(b)) else {
            return match op {
                BinOp::Sub if self.big(a).is_some() => fail(error::BAD_TYPE_SUB),
                BinOp::Add | BinOp::Mul | BinOp::Div if self.big(a).is_some() => fail(error::BAD_TYPE_ADD),
                _ => Ok(None),
            };
        };
        if let Value::Int(_) = b {
            y = y.with_precision(INT_PRECISION);
        }
        let result = match op {
            BinOp::Add => x.add(&y),
            BinOp::Sub => x.sub(&y),
            BinOp::Mul => x.mul(&y),
            BinOp::Div => match x.div(&y) {
                Some(result) => result,
                None => return fail(error::DIVIDE_BY_ZERO),
            },
            _ => return Ok(None),
        };
        if i16::try_from(result.scale()).is_err() {
            return fail(error::NUM_OVERFLOW);
        }
        Ok(Some(self.new_big(result)))
    }

    /// What an operation on integers gives that does not fit an integer.
    pub fn overflowed(&mut self, op: BinOp, a: i32, b: i32) -> Run<Value> {
        // The exact result has at most twenty digits.
        let exact = |number: i32| BigNum::from_int(number.into()).with_precision(20);
        let (x, y) = (exact(a), exact(b));
        let result = match op {
            BinOp::Add => x.add(&y),
            BinOp::Sub => x.sub(&y),
            BinOp::Mul => x.mul(&y),
            BinOp::Div => match x.div(&y) {
                Some(result) => result,
                None => return fail(error::DIVIDE_BY_ZERO),
            },
            _ => return fail(error::NUM_OVERFLOW),
        };
        Ok(self.new_big(result))
    }

    /// The nearest integer.
    pub fn big_to_int(&self, value: Value) -> Run<i32> {
        match self.big(value) {
            Some(number) => number.to_int().ok_or_else(|| error::error(error::NUM_OVERFLOW)),
            None => fail(error::NUM_VAL_REQD),
        }
    }

    /// The text in another base than ten.
    pub fn big_to_radix(&self, value: Value, radix: u32) -> Option<String> {
        let number = self.big(value)?;
        (radix != 10).then(|| number.in_radix(radix))
    }

    /// A number of a text that is no integer of the machine.
    pub fn parse_big(&mut self, text: &str, radix: u32, integer: bool) -> Run<Value> {
        let number = if radix == 10 {
            BigNum::parse(text, None)
        } else {
            let end = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
            let digits = BigInt::parse_bytes(&text.as_bytes()[..end], radix).unwrap_or_default();
            let precision = digits.to_string().len();
            BigNum::new(digits, 0, precision)
        };
        if integer {
            return match number.whole().to_int() {
                Some(number) => Ok(Value::Int(number)),
                None => fail(error::NUM_OVERFLOW),
            };
        }
        if number.exponent >= 0
            && !text.contains(['.', 'e', 'E'])
            && let Some(small) = number.to_int()
        {
            return Ok(Value::Int(small));
        }
        Ok(self.new_big(number))
    }

    /// The absolute value of a BigNumber.
    pub fn big_abs(&mut self, value: Value) -> Run<Value> {
        match self.big(value).map(BigNum::mantissa_abs) {
            Some(number) => Ok(self.new_big(number)),
            None => fail(error::BAD_TYPE_BIF),
        }
    }

    /// The sign of a BigNumber as -1, 0 or 1.
    pub fn big_sign(&self, value: Value) -> Run<i32> {
        self.big(value).map(BigNum::signum).ok_or_else(|| error::error(error::BAD_TYPE_BIF))
    }
}

/// A number as images and saved games have it.
pub fn save(number: &BigNum, out: &mut Vec<u8>) {
    let digits = number.digits();
    let special = match number.special {
        Special::Finite => 0,
        Special::NotANumber => 2,
        Special::Infinite => 4,
    };
    let flags = u8::from(number.is_negative()) | special | if number.is_zero() { 8 } else { 0 };
    out.extend((number.precision as u16).to_le_bytes());
    out.extend((number.scale() as i16).to_le_bytes());
    out.push(flags);
    let mut padded = digits.into_bytes();
    padded.resize(number.precision.next_multiple_of(2), b'0');
    out.extend(padded.chunks(2).map(|pair| (pair[0] - b'0') << 4 | (pair[1] - b'0')));
}

impl Vm {
    /// The number that a text begins with; 0 if none.
    pub fn parse_number(&mut self, text: &str, radix: u32, integer: bool) -> Run<Value> {
        let (negative, digits) = match text.as_bytes().first() {
            Some(b'-') => (true, text[1..].trim_start()),
            Some(b'+') => (false, text[1..].trim_start()),
            _ => (false, text),
        };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let exponent = |rest: &str| {
            rest.strip_prefix(['e', 'E'])
                .map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest))
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_real = radix == 10 && (digits[end..].starts_with('.') || exponent(&digits[end..]));
        if !is_real || integer && !digits[end..].starts_with(['e', 'E']) {
            let value = digits[..end].chars().try_fold(0i64, |sum, c| {
                let sum = sum * i64::from(radix) + i64::from(c.to_digit(radix).unwrap_or(0));
                (sum <= 1 << 40).then_some(sum)
            });
            if let Some(value) = value {
                let value = if negative { -value } else { value };
                // Other bases than ten may use all 32 bits.
                if radix != 10 && !negative && value > i64::from(i32::MAX) && value <= i64::from(u32::MAX) {
                    return Ok(Value::Int(value as u32 as i32));
                }
                if let Ok(value) = i32::try_from(value) {
                    return Ok(Value::Int(value));
                }
            }
            if integer {
                return fail(error::NUM_OVERFLOW);
            }
        }
        self.parse_big(text, radix, integer)
    }
}
