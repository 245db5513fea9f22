//! bignumber

use num_bigint::BigInt;
use phlox_t3_library::bignum::{BigNum, MAX_PRECISION, Special};
use phlox_t3_library::bignum_format::{Format, format};
use phlox_t3_vm::contents::bignum::INT_PRECISION;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

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

fn format_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let number = this(vm, args)?;
    let int = |n: usize| match args.given(vm, n) {
        Some(value) => vm.want_int(value).map(i64::from),
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

/// `new BigNumber(value, precision?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 || args.count > 2 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let value = args.get(vm, 0);
    if vm.heap.text(value).is_none() && vm.as_big(value).is_none() {
        return fail(error::NUM_VAL_REQD);
    }
    let precision = match args.count {
        1 => None,
        _ => {
            let precision = vm.want_int(args.get(vm, 1))?;
            if precision < 1 || precision as usize > MAX_PRECISION {
                return fail(error::BAD_VAL_BIF);
            }
            Some(precision as usize)
        }
    };
    let number = match vm.heap.text(value) {
        Some(text) => BigNum::parse(text, precision),
        None => match vm.as_big(value) {
            Some(number) => {
                let precision = precision.unwrap_or(match value {
                    Value::Int(_) => INT_PRECISION,
                    _ => number.precision,
                });
                number.with_precision(precision)
            }
            None => return fail(error::NUM_VAL_REQD),
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

fn this(vm: &Vm, args: Args) -> Run<BigNum> {
    vm.big(args.this).cloned().ok_or_else(|| error::error(error::NUM_VAL_REQD))
}

/// The argument as a BigNumber.
fn other(vm: &Vm, args: Args) -> Run<BigNum> {
    let value = args.get(vm, 0);
    let number = vm.as_big(value).ok_or_else(|| error::error(error::BAD_TYPE_BIF))?;
    Ok(if let Value::Int(_) = value { number.with_precision(INT_PRECISION) } else { number })
}

/// A method without arguments that gives a number or is out of range.
fn map(vm: &mut Vm, args: Args, function: impl FnOnce(&BigNum) -> Option<BigNum>) -> Run<Value> {
    match function(&this(vm, args)?) {
        Some(number) => Ok(vm.new_big(number)),
        None => fail(error::OUT_OF_RANGE),
    }
}

fn equal_round(vm: &mut Vm, args: Args) -> Run<Value> {
    let (a, Ok(b)) = (this(vm, args)?, other(vm, args)) else { return Ok(Value::Nil) };
    let precision = a.precision.min(b.precision);
    Ok(Value::truth(a.with_precision(precision).compare(&b.with_precision(precision)).is_eq()))
}

fn get_precision(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::Int(this(vm, args)?.precision as i32))
}

fn set_precision(vm: &mut Vm, args: Args) -> Run<Value> {
    let precision = vm.want_int(args.get(vm, 0))?;
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
    let places = i64::from(vm.want_int(args.get(vm, 0))?);
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
    let by = i64::from(vm.want_int(args.get(vm, 0))?);
    // The reference keeps sixteen bits of the exponent.
    map(vm, args, |number| {
        let scale = i64::from((number.scale() + by) as i16);
        Some(BigNum { exponent: number.exponent + scale - number.scale(), ..number.clone() })
    })
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
    overflowing(vm, args, BigNum::exp)
}

fn log10(vm: &mut Vm, args: Args) -> Run<Value> {
    map(vm, args, BigNum::log10)
}

fn raise(vm: &mut Vm, args: Args) -> Run<Value> {
    let power = other(vm, args)?;
    if this(vm, args)?.is_zero() && power.is_negative() {
        return fail(error::DIVIDE_BY_ZERO);
    }
    let number = this(vm, args)?;
    if number.is_zero() && power.is_zero() || number.is_negative() && number.power(&power).is_none() {
        return fail(error::OUT_OF_RANGE);
    }
    overflowing(vm, args, |number| number.power(&power))
}

/// e^x and e^-x with digits to spare.
fn exponentials(number: &BigNum) -> Option<(BigNum, BigNum)> {
    let wide = number.with_precision(number.precision + 10);
    Some((wide.exp()?, wide.negate().exp()?))
}

/// A method whose result may be too large.
fn overflowing(vm: &mut Vm, args: Args, function: impl FnOnce(&BigNum) -> Option<BigNum>) -> Run<Value> {
    match function(&this(vm, args)?) {
        Some(number) => Ok(vm.new_big(number)),
        None => fail(error::NUM_OVERFLOW),
    }
}

fn sinh(vm: &mut Vm, args: Args) -> Run<Value> {
    overflowing(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.sub(&down).div(&BigNum::from_int(2))?.with_precision(number.precision))
    })
}

fn cosh(vm: &mut Vm, args: Args) -> Run<Value> {
    overflowing(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.add(&down).div(&BigNum::from_int(2))?.with_precision(number.precision))
    })
}

fn tanh(vm: &mut Vm, args: Args) -> Run<Value> {
    overflowing(vm, args, |number| {
        let (up, down) = exponentials(number)?;
        Some(up.sub(&down).div(&up.add(&down))?.with_precision(number.precision))
    })
}

fn constant_precision(vm: &Vm, args: Args) -> Run<usize> {
    match usize::try_from(vm.want_int(args.get(vm, 0))?) {
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
        // A number, or zero.
        (Special::Finite, _) => {
            if number.is_zero() {
                17
            } else {
                1
            }
        }
        (Special::NotANumber, _) => 2,
        (Special::Infinite, false) => 4,
        (Special::Infinite, true) => 8,
    }))
}
