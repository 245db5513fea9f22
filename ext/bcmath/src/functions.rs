//! The functions `bc*`.

use crate::decimal::{Decimal, PowModError, Rounding};
use phlox_runtime::ini::{IniAccess, IniQuantity};
use phlox_runtime::{Call, FnDef, PhpArr, PhpObj, PhpResult, PhpStr, Throw, Thrown, Val, Vm, enums};

/// How many digits behind the point results have, where nobody says it.
pub static SCALE: IniQuantity = IniQuantity::new("bcmath.scale", "0", IniAccess::All).within(0, i32::MAX as i64);

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("bcadd(string $num1, string $num2, ?int $scale = null): string", bcadd),
    FnDef::new("bcsub(string $num1, string $num2, ?int $scale = null): string", bcsub),
    FnDef::new("bcmul(string $num1, string $num2, ?int $scale = null): string", bcmul),
    FnDef::new("bcdiv(string $num1, string $num2, ?int $scale = null): string", bcdiv),
    FnDef::new("bcmod(string $num1, string $num2, ?int $scale = null): string", bcmod),
    FnDef::new("bcdivmod(string $num1, string $num2, ?int $scale = null): array", bcdivmod),
    FnDef::new("bcpowmod(string $num, string $exponent, string $modulus, ?int $scale = null): string", bcpowmod),
    FnDef::new("bcpow(string $num, string $exponent, ?int $scale = null): string", bcpow),
    FnDef::new("bcsqrt(string $num, ?int $scale = null): string", bcsqrt),
    FnDef::new("bccomp(string $num1, string $num2, ?int $scale = null): int", bccomp),
    FnDef::new("bcscale(?int $scale = null): int", bcscale),
    FnDef::new("bcfloor(string $num): string", bcfloor),
    FnDef::new("bcceil(string $num): string", bcceil),
    FnDef::new(
        "bcround(string $num, int $precision = 0, RoundingMode $mode = RoundingMode::HalfAwayFromZero): string",
        bcround,
    ),
];

fn default_scale(vm: &Vm) -> usize {
    usize::try_from(vm.ini.get(&SCALE)).unwrap_or(0)
}

/// A scale given as an argument.
pub fn checked_scale(call: &Call<'_>, index: usize) -> PhpResult<Option<usize>> {
    match call.opt_int(index) {
        None => Ok(None),
        Some(scale) if (0..=i32::MAX as i64).contains(&scale) => Ok(Some(scale as usize)),
        Some(_) => Err(call.value_error(index, &format!("must be between 0 and {}", i32::MAX))),
    }
}

fn scale(call: &Call<'_>, index: usize) -> PhpResult<usize> {
    Ok(checked_scale(call, index)?.unwrap_or_else(|| default_scale(call.vm)))
}

fn number(call: &Call<'_>, index: usize) -> PhpResult<Decimal> {
    match Decimal::parse(&call.str(index)) {
        Some((number, _)) => Ok(number),
        None => Err(call.value_error(index, "is not well-formed")),
    }
}

pub fn division_by_zero(vm: &Vm, message: &str) -> Throw {
    vm.throw(Thrown::DivisionByZeroError, message.as_bytes())
}

fn shown(number: &Decimal, scale: usize) -> Val {
    number.to_text(scale).into()
}

fn bcadd(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    Ok(shown(&number(call, 0)?.add(&number(call, 1)?), scale))
}

fn bcsub(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    Ok(shown(&number(call, 0)?.sub(&number(call, 1)?), scale))
}

fn bcmul(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    Ok(shown(&number(call, 0)?.mul(&number(call, 1)?), scale))
}

fn bcdiv(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    let (one, two) = (number(call, 0)?, number(call, 1)?);
    let quotient = one.div(&two, scale).ok_or_else(|| division_by_zero(call.vm, "Division by zero"))?;
    Ok(shown(&quotient, scale))
}

fn bcmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    let (one, two) = (number(call, 0)?, number(call, 1)?);
    let (_, rest) = one.div_rem(&two).ok_or_else(|| division_by_zero(call.vm, "Modulo by zero"))?;
    Ok(shown(&rest, scale))
}

fn bcdivmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    let (one, two) = (number(call, 0)?, number(call, 1)?);
    let (quotient, rest) = one.div_rem(&two).ok_or_else(|| division_by_zero(call.vm, "Division by zero"))?;
    Ok(PhpArr::from_vec(vec![shown(&quotient, 0), shown(&rest, scale)]).into())
}

fn bcpowmod(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 3)?;
    let (base, exponent, modulus) = (number(call, 0)?, number(call, 1)?, number(call, 2)?);
    let problem = match base.pow_mod(&exponent, &modulus) {
        Ok(power) => return Ok(shown(&power, scale)),
        Err(problem) => problem,
    };
    Err(match problem {
        PowModError::BaseHasFraction => call.value_error(0, "cannot have a fractional part"),
        PowModError::ExponentHasFraction => call.value_error(1, "cannot have a fractional part"),
        PowModError::NegativeExponent => call.value_error(1, "must be greater than or equal to 0"),
        PowModError::ModulusHasFraction => call.value_error(2, "cannot have a fractional part"),
        PowModError::ZeroModulus => division_by_zero(call.vm, "Modulo by zero"),
    })
}

fn bcpow(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    let (base, exponent) = (number(call, 0)?, number(call, 1)?);
    if exponent.scale > 0 {
        return Err(call.value_error(1, "cannot have a fractional part"));
    }
    // The least integer has no positive counterpart.
    let Some(exponent) = exponent.to_int().filter(|&exponent| exponent != i64::MIN) else {
        return Err(call.value_error(1, "is too large"));
    };
    let power = base.pow(exponent, scale).ok_or_else(|| division_by_zero(call.vm, "Negative power of zero"))?;
    Ok(shown(&power, scale))
}

fn bcsqrt(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 1)?;
    match number(call, 0)?.sqrt(scale) {
        Some(root) => Ok(shown(&root, scale)),
        None => Err(call.value_error(0, "must be greater than or equal to 0")),
    }
}

fn bccomp(call: &mut Call<'_>) -> PhpResult<Val> {
    let scale = scale(call, 2)?;
    Ok(Val::int(number(call, 0)?.compare(&number(call, 1)?, scale) as i64))
}

fn bcscale(call: &mut Call<'_>) -> PhpResult<Val> {
    let old = default_scale(call.vm);
    if let Some(scale) = checked_scale(call, 0)? {
        call.vm.ini.put(&SCALE, PhpStr::from(scale.to_string().as_str()));
    }
    Ok(Val::int(old as i64))
}

fn bcfloor(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(shown(&number(call, 0)?.round(0, Rounding::NegativeInfinity), 0))
}

fn bcceil(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(shown(&number(call, 0)?.round(0, Rounding::PositiveInfinity), 0))
}

/// A case of `RoundingMode`.
pub fn rounding_mode(case: Option<PhpObj>) -> Rounding {
    match case.map(|case| enums::case_name(&case)).as_ref().map_or(&b""[..], |name| name.as_bytes()) {
        b"HalfTowardsZero" => Rounding::HalfTowardsZero,
        b"HalfEven" => Rounding::HalfEven,
        b"HalfOdd" => Rounding::HalfOdd,
        b"TowardsZero" => Rounding::TowardsZero,
        b"AwayFromZero" => Rounding::AwayFromZero,
        b"NegativeInfinity" => Rounding::NegativeInfinity,
        b"PositiveInfinity" => Rounding::PositiveInfinity,
        _ => Rounding::HalfAwayFromZero,
    }
}

/// A precision given as an argument.
pub fn checked_precision(call: &Call<'_>, index: usize) -> PhpResult<i64> {
    let precision = call.int(index);
    if precision > i32::MAX as i64 {
        return Err(call.value_error(index, &format!("must be between {} and {}", i64::MIN, i32::MAX)));
    }
    Ok(precision)
}

fn bcround(call: &mut Call<'_>) -> PhpResult<Val> {
    let precision = checked_precision(call, 1)?;
    let rounded = number(call, 0)?.round(precision, rounding_mode(call.opt_obj(2)));
    let scale = usize::try_from(precision).unwrap_or(0);
    Ok(shown(&rounded, scale))
}
