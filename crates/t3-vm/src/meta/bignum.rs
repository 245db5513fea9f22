//! bignumber

use num_bigint::BigInt;

use super::{Meta, Method, methods};
use crate::bignum::{BigNum, MAX_PRECISION, Special};
use crate::call::Args;
use crate::code::inst::BinOp;
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::value::Value;
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    formatString 1 6 => format_string,
    equalRound 1 1 => equal_round,
    getPrecision 0 0 => get_precision,
    setPrecision 1 1 => set_precision,
    getFraction 0 0 => get_fraction,
    getWhole 0 0 => get_whole,
    roundToDecimal 1 1 => round_to_decimal,
    getAbs 0 0 => get_abs,
    getCeil 0 0 => get_ceil,
    getFloor 0 0 => get_floor,
    getScale 0 0 => get_scale,
    scaleTen 1 1 => scale_ten,
    negate 0 0 => negate,
    copySignFrom 1 1 => copy_sign,
    isNegative 0 0 => is_negative,
    divideBy 1 1 => divide_by,
    sine 0 0 => sine,
    cosine 0 0 => cosine,
    tangent 0 0 => tangent,
    degreesToRadians 0 0 => to_radians,
    radiansToDegrees 0 0 => to_degrees,
    arcsine 0 0 => arcsine,
    arccosine 0 0 => arccosine,
    arctangent 0 0 => arctangent,
    sqrt 0 0 => sqrt,
    logE 0 0 => log_e,
    expE 0 0 => exp_e,
    log10 0 0 => log10,
    raiseToPower 1 1 => raise,
    sinh 0 0 => sinh,
    cosh 0 0 => cosh,
    tanh 0 0 => tanh,
    getPi 1 1 => get_pi,
    getE 1 1 => get_e,
    numType 0 0 => num_type,
};

// ---- text

/// The precision of an integer that is given for a BigNumber.
const INT_ARGUMENT_PRECISION: usize = 32;

/// formatString: a sign also before positive numbers.
const SIGN: i32 = 0x01;
/// Exponent form always.
const EXPONENT: i32 = 0x02;
/// A sign before the exponent too.
const EXPONENT_SIGN: i32 = 0x04;
/// A zero before the decimal point.
const LEADING_ZERO: i32 = 0x08;
/// A decimal point always.
const POINT: i32 = 0x10;
/// Separators between thousands.
const COMMAS: i32 = 0x20;
/// A blank before positive numbers.
const POSITIVE_SPACE: i32 = 0x40;
/// Points and commas change places.
const EURO: i32 = 0x80;
/// The shorter of the two forms.
const COMPACT: i32 = 0x100;
/// The limit counts significant digits only.
const SIGNIFICANT: i32 = 0x200;
/// Zeros at the end stay.
const KEEP_ZEROS: i32 = 0x400;

/// How to write a number; -1 leaves a choice open.
pub(crate) struct Format {
    pub max_digits: i64,
    pub flags: i32,
    pub whole_places: i64,
    pub fraction_digits: i64,
    pub exponent_digits: i64,
    pub lead_fill: String,
}

impl Format {
    /// Up to so many digits, nothing special.
    pub fn plain(max_digits: i64) -> Format {
        Format {
            max_digits,
            flags: 0,
            whole_places: -1,
            fraction_digits: -1,
            exponent_digits: -1,
            lead_fill: " ".to_owned(),
        }
    }
}

/// The text of a number.
pub(crate) fn format(number: &BigNum, format: &Format) -> String {
    let plain = round_for(number, format, false);
    let exponential = format.flags & EXPONENT != 0
        || format.max_digits >= 0
            && (plain.scale().max(0) + format.fraction_digits.max(0) > format.max_digits
                || number.scale() < -format.max_digits * 2)
        || format.flags & COMPACT != 0 && !(-4..=format.max_digits.max(1)).contains(&(number.scale() - 1));
    let exponential = exponential && (!number.is_zero() || format.flags & EXPONENT != 0);
    let (shown, exponent) = if exponential {
        let exponent = if number.is_zero() { 0 } else { number.scale() - 1 };
        (BigNum { exponent: number.exponent - exponent, ..number.clone() }, exponent)
    } else {
        (number.clone(), 0)
    };
    let rounded = round_for(&shown, format, exponential);
    // Rounding up may have given one more digit before the point.
    let (rounded, exponent) = if exponential && rounded.scale() > 1 {
        (BigNum { exponent: rounded.exponent - 1, ..rounded }, exponent + 1)
    } else {
        (rounded, exponent)
    };
    let (whole, mut fraction) = split_digits(&rounded);
    if format.fraction_digits >= 0 {
        while (fraction.len() as i64) < format.fraction_digits {
            fraction.push('0');
        }
    } else if format.flags & KEEP_ZEROS != 0 && format.max_digits >= 0 {
        while ((whole.len() + fraction.len()) as i64) < format.max_digits {
            fraction.push('0');
        }
    }
    let mut out = sign_text(number, &rounded, format.flags).to_owned();
    let mut body = whole;
    if body.is_empty() && (format.flags & LEADING_ZERO != 0 || fraction.is_empty() || exponential) {
        body.push('0');
    }
    if format.flags & COMMAS != 0 {
        body = with_commas(&body, if format.flags & EURO != 0 { '.' } else { ',' });
    }
    let commas = if format.flags & COMMAS != 0 { (format.whole_places - 1).max(0) / 3 } else { 0 };
    let width = format.whole_places + commas - body.chars().count() as i64;
    let fill: String = format.lead_fill.chars().cycle().take(width.clamp(0, 10_000) as usize).collect();
    out = if format.lead_fill == " " { format!("{fill}{out}") } else { format!("{out}{fill}") };
    out.push_str(&body);
    if !fraction.is_empty() || format.flags & POINT != 0 {
        out.push(if format.flags & EURO != 0 { ',' } else { '.' });
        out.push_str(&fraction);
    }
    if exponential {
        let sign = if exponent < 0 {
            "-"
        } else if format.flags & EXPONENT_SIGN != 0 {
            "+"
        } else {
            ""
        };
        let digits = format.exponent_digits.clamp(0, 20) as usize;
        out.push_str(&format!("e{sign}{:0digits$}", exponent.abs()));
    }
    out
}

fn round_for(number: &BigNum, format: &Format, exponential: bool) -> BigNum {
    let mut number = number.clone();
    if format.max_digits >= 0 {
        let significant = format.flags & SIGNIFICANT != 0 || exponential || number.scale() > 0;
        number = if significant {
            let places = format.max_digits - number.scale();
            number.round_to(places)
        } else {
            number.round_to(format.max_digits)
        };
    }
    if format.fraction_digits >= 0 {
        number = number.round_to(format.fraction_digits);
    }
    number
}

/// Digits before and behind the point.
fn split_digits(number: &BigNum) -> (String, String) {
    if number.is_zero() {
        return (String::new(), String::new());
    }
    let digits = number.digits();
    let scale = digits.len() as i64 + number.exponent;
    if scale <= 0 {
        return (String::new(), "0".repeat((-scale) as usize) + &digits);
    }
    if scale as usize >= digits.len() {
        return (format!("{digits}{}", "0".repeat(scale as usize - digits.len())), String::new());
    }
    let (whole, fraction) = digits.split_at(scale as usize);
    (whole.to_owned(), fraction.to_owned())
}

fn sign_text(number: &BigNum, rounded: &BigNum, flags: i32) -> &'static str {
    if number.is_negative() && !rounded.is_zero() {
        "-"
    } else if flags & SIGN != 0 {
        "+"
    } else if flags & POSITIVE_SPACE != 0 {
        " "
    } else {
        ""
    }
}

fn with_commas(digits: &str, comma: char) -> String {
    let mut out = String::new();
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(comma);
        }
        out.push(c);
    }
    out
}

fn format_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let number = this(vm, args)?;
    let int = |n: usize| match args.given(vm, n) {
        Some(value) => vm.number_arg(value).map(i64::from),
        None => Ok(-1),
    };
    let lead_fill = match args.given(vm, 5) {
        Some(value) => vm.want_text(value)?.to_string(),
        None => " ".to_owned(),
    };
    let spec = Format {
        max_digits: int(0)?,
        flags: int(1)?.max(0) as i32,
        whole_places: int(2)?,
        fraction_digits: int(3)?,
        exponent_digits: int(4)?,
        lead_fill,
    };
    let limit = MAX_PRECISION as i64;
    if [spec.max_digits, spec.whole_places, spec.fraction_digits].iter().any(|value| *value > limit) {
        return fail(error::BAD_VAL_BIF);
    }
    // The filler counts the sign as one of the whole places.
    let spec = Format { whole_places: spec.whole_places.min(limit), ..spec };
    let text = format(&number, &spec);
    Ok(vm.heap.new_text(text))
}

// ---- the machine's side

impl Vm {
    /// A BigNumber.
    pub(crate) fn big(&self, value: Value) -> Option<&BigNum> {
        match value {
            Value::Obj(id) => match self.heap.get(id) {
                Obj::Big(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// A BigNumber, or one made of an integer.
    pub(crate) fn as_big(&self, value: Value) -> Option<BigNum> {
        match value {
            Value::Int(number) => Some(BigNum::from_int(number.into())),
            value => self.big(value).cloned(),
        }
    }

    /// A new BigNumber object.
    pub(crate) fn new_big(&mut self, number: BigNum) -> Value {
        self.heap.allocated += number.precision / 64;
        Value::Obj(self.heap.alloc(Obj::Big(Box::new(number))))
    }

    /// Arithmetic with a BigNumber on either side; `None` if neither is one.
    pub(crate) fn big_binary(&mut self, op: BinOp, a: Value, b: Value) -> Run<Option<Value>> {
        if self.big(a).is_none() && self.big(b).is_none() {
            return Ok(None);
        }
        let (Some(x), Some(y)) = (self.as_big(a), self.as_big(b)) else {
            return if self.big(a).is_some() { fail(error::NUM_VAL_REQD) } else { Ok(None) };
        };
        let result = match op {
            BinOp::Add => x.add(&y),
            BinOp::Sub => x.sub(&y),
            BinOp::Mul => x.mul(&y),
            BinOp::Div => match x.div(&y) {
                Some(result) => result,
                None => return fail(error::DIVIDE_BY_ZERO),
            },
            BinOp::Mod if self.big(a).is_none() => match x.div_rem(&y) {
                Some((_, rest)) => rest,
                None => return fail(error::DIVIDE_BY_ZERO),
            },
            _ => return Ok(None),
        };
        Ok(Some(self.new_big(result)))
    }

    /// What an operation on integers gives that does not fit an integer.
    pub(crate) fn overflowed(&mut self, op: BinOp, a: i32, b: i32) -> Run<Value> {
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
    pub(crate) fn big_to_int(&self, value: Value) -> Run<i32> {
        match self.big(value) {
            Some(number) => number.to_int().ok_or_else(|| error::error(error::NUM_OVERFLOW)),
            None => fail(error::NUM_VAL_REQD),
        }
    }

    /// The text in another base than ten.
    pub(crate) fn big_to_radix(&self, value: Value, radix: u32) -> Option<String> {
        let number = self.big(value)?;
        (radix != 10).then(|| number.in_radix(radix))
    }

    /// A number of a text that is no integer of the machine.
    pub(crate) fn parse_big(&mut self, text: &str, radix: u32, integer: bool) -> Run<Value> {
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

    pub(crate) fn big_abs(&mut self, value: Value) -> Run<Value> {
        match self.big(value).map(BigNum::mantissa_abs) {
            Some(number) => Ok(self.new_big(number)),
            None => fail(error::NUM_VAL_REQD),
        }
    }

    pub(crate) fn big_sign(&self, value: Value) -> Run<i32> {
        self.big(value).map(BigNum::signum).ok_or_else(|| error::error(error::NUM_VAL_REQD))
    }
}

/// `new BigNumber(value, precision?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 || args.count > 2 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let precision = match args.given(vm, 1) {
        Some(value) => {
            let precision = vm.number_arg(value)?;
            if precision < 1 || precision as usize > MAX_PRECISION {
                return fail(error::BAD_VAL_BIF);
            }
            Some(precision as usize)
        }
        None => None,
    };
    let value = args.get(vm, 0);
    let number = match vm.heap.text(value) {
        Some(text) => BigNum::parse(text, precision),
        None => match vm.as_big(value) {
            Some(number) => {
                let precision = precision.unwrap_or(match value {
                    Value::Int(_) => 32,
                    _ => number.precision,
                });
                number.with_precision(precision)
            }
            None => match value {
                Value::Obj(id) if matches!(vm.heap.get(id), Obj::Bytes(_)) => BigNum::new(BigInt::default(), 0, 1),
                _ => return fail(error::BAD_TYPE_BIF),
            },
        },
    };
    Ok(vm.new_big(number))
}

/// From an image: precision, exponent, flags, packed digits.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let precision = usize::from(loader.data.u16()?);
    let exponent = loader.data.i16()?;
    let flags = loader.data.u8()?;
    let packed = loader.data.bytes(precision.div_ceil(2).min(loader.data.left()))?;
    let digits: String = packed
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .take(precision)
        .map(|digit| char::from(b'0' + digit.min(9)))
        .collect();
    let mantissa: BigInt = digits.parse().unwrap_or_default();
    let mantissa = if flags & 1 != 0 { -mantissa } else { mantissa };
    let mut number = BigNum::new(mantissa, i64::from(exponent) - digits.len() as i64, precision);
    number.special = match flags & 6 {
        2 => Special::NotANumber,
        4 => Special::Infinite,
        _ => Special::Finite,
    };
    Ok(Obj::Big(Box::new(number)))
}

/// A number as images and saved games have it.
pub(crate) fn save(number: &BigNum, out: &mut Vec<u8>) {
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

fn this(vm: &Vm, args: Args) -> Run<BigNum> {
    vm.big(args.this).cloned().ok_or_else(|| error::error(error::NUM_VAL_REQD))
}

fn other(vm: &Vm, args: Args) -> Run<BigNum> {
    vm.as_big(args.get(vm, 0)).ok_or_else(|| error::error(error::NUM_VAL_REQD))
}

/// A method without arguments that gives a number or is out of range.
fn map(vm: &mut Vm, args: Args, function: impl FnOnce(&BigNum) -> Option<BigNum>) -> Run<Value> {
    match function(&this(vm, args)?) {
        Some(number) => Ok(vm.new_big(number)),
        None => fail(error::OUT_OF_RANGE),
    }
}

fn equal_round(vm: &mut Vm, args: Args) -> Run<Value> {
    let (a, b) = (this(vm, args)?, other(vm, args)?);
    let precision = a.precision.min(b.precision);
    Ok(Value::truth(a.with_precision(precision).compare(&b.with_precision(precision)).is_eq()))
}

fn get_precision(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(this(vm, args)?.precision as i32))
}

fn set_precision(vm: &mut Vm, args: Args) -> Run<Value> {
    let precision = vm.number_arg(args.get(vm, 0))?;
    if precision < 1 || precision as usize > MAX_PRECISION {
        return fail(error::BAD_VAL_BIF);
    }
    map(vm, args, |number| Some(number.with_precision(precision as usize)))
}

fn get_fraction(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.fraction()))
}

fn get_whole(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.whole()))
}

fn round_to_decimal(vm: &mut Vm, args: Args) -> Run<Value> {
    let places = i64::from(vm.number_arg(args.get(vm, 0))?);
    map(vm, args, |number| Some(number.round_to(places)))
}

fn get_abs(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.mantissa_abs()))
}

fn get_ceil(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.round_towards(true)))
}

fn get_floor(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.round_towards(false)))
}

fn get_scale(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(this(vm, args)?.scale() as i32))
}

fn scale_ten(vm: &mut Vm, args: Args) -> Run<Value> {
    let by = i64::from(vm.number_arg(args.get(vm, 0))?);
    map(vm, args, |number| Some(BigNum { exponent: number.exponent + by, ..number.clone() }))
}

fn negate(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.negate()))
}

fn copy_sign(vm: &mut Vm, args: Args) -> Run<Value> {
    let negative = other(vm, args)?.is_negative();
    map(vm, args, |number| Some(if number.is_negative() == negative { number.clone() } else { number.negate() }))
}

fn is_negative(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::truth(this(vm, args)?.is_negative()))
}

fn divide_by(vm: &mut Vm, args: Args) -> Run<Value> {
    let (a, b) = (this(vm, args)?, other(vm, args)?);
    let Some((quotient, rest)) = a.div_rem(&b) else { return fail(error::DIVIDE_BY_ZERO) };
    let items = vec![vm.new_big(quotient), vm.new_big(rest)];
    Ok(vm.heap.new_list(items))
}

fn sine(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.sin_cos().0))
}

fn cosine(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.sin_cos().1))
}

fn tangent(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (sin, cos) = number.with_precision(number.precision + 10).sin_cos();
        Some(sin.div(&cos)?.with_precision(number.precision))
    })
}

fn half_turn(number: &BigNum) -> (BigNum, BigNum) {
    let precision = number.precision + 10;
    (BigNum::pi(precision), BigNum::new(BigInt::from(180), 0, precision))
}

fn to_radians(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (pi, degrees) = half_turn(number);
        Some(number.mul(&pi).div(&degrees)?.with_precision(number.precision))
    })
}

fn to_degrees(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (pi, degrees) = half_turn(number);
        Some(number.mul(&degrees).div(&pi)?.with_precision(number.precision))
    })
}

fn arcsine(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::asin)
}

fn arccosine(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::acos)
}

fn arctangent(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| Some(number.atan()))
}

fn sqrt(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::sqrt)
}

fn log_e(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::ln)
}

fn exp_e(vm: &mut Vm, args: Args) -> Run<Value> {
    match this(vm, args)?.exp() {
        Some(number) => Ok(vm.new_big(number)),
        None => fail(error::NUM_OVERFLOW),
    }
}

fn log10(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::log10)
}

fn raise(vm: &mut Vm, args: Args) -> Run<Value> {
    let power = match args.get(vm, 0) {
        Value::Int(number) => BigNum::from_int(number.into()).with_precision(INT_ARGUMENT_PRECISION),
        _ => other(vm, args)?,
    };
    if this(vm, args)?.is_zero() && power.is_negative() {
        return fail(error::DIVIDE_BY_ZERO);
    }
    map(vm, args, |number| number.power(&power).filter(|_| !(number.is_zero() && power.is_zero())))
}

/// e^x and e^-x with digits to spare.
fn exponentials(number: &BigNum) -> Option<(BigNum, BigNum)> {
    let wide = number.with_precision(number.precision + 10);
    Some((wide.exp()?, wide.negate().exp()?))
}

fn sinh(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.sub(&down).div(&BigNum::from_int(2))?.with_precision(number.precision))
    })
}

fn cosh(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.add(&down).div(&BigNum::from_int(2))?.with_precision(number.precision))
    })
}

fn tanh(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.sub(&down).div(&up.add(&down))?.with_precision(number.precision))
    })
}

fn constant_precision(vm: &Vm, args: Args) -> Run<usize> {
    match usize::try_from(vm.number_arg(args.get(vm, 0))?) {
        Ok(precision @ 1..=10_000) => Ok(precision),
        _ => fail(error::BAD_VAL_BIF),
    }
}

fn get_pi(vm: &mut Vm, args: Args) -> Run<Value> {
    let number = BigNum::pi(constant_precision(vm, args)?);
    Ok(vm.new_big(number))
}

fn get_e(vm: &mut Vm, args: Args) -> Run<Value> {
    let one = BigNum::new(BigInt::from(1), 0, constant_precision(vm, args)?);
    match one.exp() {
        Some(number) => Ok(vm.new_big(number)),
        None => fail(error::NUM_OVERFLOW),
    }
}

fn num_type(vm: &mut Vm, args: Args) -> Run<Value> {
    let number = this(vm, args)?;
    Ok(Value::Int(match (number.special, number.is_negative()) {
        (Special::Finite, _) => 1,
        (Special::NotANumber, _) => 2,
        (Special::Infinite, false) => 4,
        (Special::Infinite, true) => 8,
    }))
}
