//! Mathematical functions and number bases.

use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, ConstValue, FnDef, Level, NativeClass, PhpResult, Thrown, Val, View, arith, enums, number};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("abs(int|float $num): int|float", abs).fast_path(|args| match args.first()?.view() {
        View::Int(i) => i.checked_abs().map(Val::int),
        View::Double(d) => Some(Val::double(d.abs())),
        _ => None,
    }),
    FnDef::new("ceil(int|float $num): float", ceil).fast_path(|args| of_one(args, f64::ceil)),
    FnDef::new("floor(int|float $num): float", floor).fast_path(|args| of_one(args, f64::floor)),
    FnDef::new(
        "round(int|float $num, int $precision = 0, int|RoundingMode $mode = RoundingMode::HalfAwayFromZero): float",
        round,
    )
    .fast_path(|args| {
        let places = match args.get(1) {
            None => 0,
            Some(places) => places.as_int()?,
        };
        match args {
            [number] | [number, _] => rounded(number, places, Rounding::HalfUp),
            _ => None,
        }
    }),
    FnDef::new("sin(float $num): float", sin).fast_path(|args| of_one(args, f64::sin)),
    FnDef::new("cos(float $num): float", cos).fast_path(|args| of_one(args, f64::cos)),
    FnDef::new("tan(float $num): float", tan).fast_path(|args| of_one(args, f64::tan)),
    FnDef::new("asin(float $num): float", asin).fast_path(|args| of_one(args, f64::asin)),
    FnDef::new("acos(float $num): float", acos).fast_path(|args| of_one(args, f64::acos)),
    FnDef::new("atan(float $num): float", atan).fast_path(|args| of_one(args, f64::atan)),
    FnDef::new("atan2(float $y, float $x): float", atan2).fast_path(|args| of_two(args, f64::atan2)),
    FnDef::new("sinh(float $num): float", sinh).fast_path(|args| of_one(args, f64::sinh)),
    FnDef::new("cosh(float $num): float", cosh).fast_path(|args| of_one(args, f64::cosh)),
    FnDef::new("tanh(float $num): float", tanh).fast_path(|args| of_one(args, f64::tanh)),
    FnDef::new("asinh(float $num): float", asinh).fast_path(|args| of_one(args, libm::asinh)),
    FnDef::new("acosh(float $num): float", acosh).fast_path(|args| of_one(args, libm::acosh)),
    FnDef::new("atanh(float $num): float", atanh).fast_path(|args| of_one(args, libm::atanh)),
    FnDef::new("expm1(float $num): float", expm1).fast_path(|args| of_one(args, f64::exp_m1)),
    FnDef::new("log1p(float $num): float", log1p).fast_path(|args| of_one(args, f64::ln_1p)),
    FnDef::new("pi(): float", pi).fast_path(|_| Some(Val::double(std::f64::consts::PI))),
    FnDef::new("is_finite(float $num): bool", is_finite)
        .fast_path(|args| Some(Val::bool(float(args.first()?)?.is_finite()))),
    FnDef::new("is_nan(float $num): bool", is_nan).fast_path(|args| Some(Val::bool(float(args.first()?)?.is_nan()))),
    FnDef::new("intdiv(int $num1, int $num2): int", intdiv)
        .fast_path(|args| args.first()?.as_int()?.checked_div(args.get(1)?.as_int()?).map(Val::int)),
    FnDef::new("is_infinite(float $num): bool", is_infinite)
        .fast_path(|args| Some(Val::bool(float(args.first()?)?.is_infinite()))),
    FnDef::new("pow(mixed $num, mixed $exponent): int|float|object", pow).fast_path(|args| match args {
        [x, y] => match (x.as_int(), y.as_int(), x.as_double(), y.as_double()) {
            (Some(2), Some(power @ 0..62), ..) => Some(Val::int(1 << power)),
            (Some(base), Some(2), ..) => base.checked_mul(base).map(Val::int),
            (.., Some(base), Some(power)) if base != 0.0 => Some(Val::double(base.powf(power))),
            _ => None,
        },
        _ => None,
    }),
    FnDef::new("exp(float $num): float", exp).fast_path(|args| of_one(args, f64::exp)),
    FnDef::new("log(float $num, float $base = M_E): float", log)
        .fast_path(|args| if args.len() == 1 { of_one(args, f64::ln) } else { None }),
    FnDef::new("log10(float $num): float", log10).fast_path(|args| of_one(args, f64::log10)),
    FnDef::new("sqrt(float $num): float", sqrt).fast_path(|args| of_one(args, f64::sqrt)),
    FnDef::new("hypot(float $x, float $y): float", hypot).fast_path(|args| of_two(args, f64::hypot)),
    FnDef::new("deg2rad(float $num): float", deg2rad).fast_path(|args| of_one(args, degrees_to_radians)),
    FnDef::new("rad2deg(float $num): float", rad2deg).fast_path(|args| of_one(args, radians_to_degrees)),
    FnDef::new("bindec(string $binary_string): int|float", bindec)
        .fast_path(|args| plain_digits(args.first()?.as_str()?, 2)),
    FnDef::new("hexdec(string $hex_string): int|float", hexdec)
        .fast_path(|args| plain_digits(args.first()?.as_str()?, 16)),
    FnDef::new("octdec(string $octal_string): int|float", octdec)
        .fast_path(|args| plain_digits(args.first()?.as_str()?, 8)),
    FnDef::new("decbin(int $num): string", decbin).fast_path(|args| Some(in_base(args.first()?.as_int()?, 1))),
    FnDef::new("decoct(int $num): string", decoct).fast_path(|args| Some(in_base(args.first()?.as_int()?, 3))),
    FnDef::new("dechex(int $num): string", dechex).fast_path(|args| Some(in_base(args.first()?.as_int()?, 4))),
    FnDef::new("base_convert(string $num, int $from_base, int $to_base): string", base_convert),
    FnDef::new("fmod(float $num1, float $num2): float", fmod).fast_path(|args| of_two(args, |x, y| x % y)),
    FnDef::new("fdiv(float $num1, float $num2): float", fdiv).fast_path(|args| of_two(args, |x, y| x / y)),
    FnDef::new("fpow(float $num, float $exponent): float", fpow).fast_path(|args| of_two(args, f64::powf)),
];

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "RoundingMode",
    decl: include_str!("../stubs/RoundingMode.stub.php"),
    methods: &[],
    hooks: NativeHooks::NONE,
}];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("M_E", ConstValue::Double(std::f64::consts::E)),
    ("M_LOG2E", ConstValue::Double(std::f64::consts::LOG2_E)),
    ("M_LOG10E", ConstValue::Double(std::f64::consts::LOG10_E)),
    ("M_LN2", ConstValue::Double(std::f64::consts::LN_2)),
    ("M_LN10", ConstValue::Double(std::f64::consts::LN_10)),
    ("M_PI", ConstValue::Double(std::f64::consts::PI)),
    ("M_PI_2", ConstValue::Double(std::f64::consts::FRAC_PI_2)),
    ("M_PI_4", ConstValue::Double(std::f64::consts::FRAC_PI_4)),
    ("M_1_PI", ConstValue::Double(std::f64::consts::FRAC_1_PI)),
    ("M_2_PI", ConstValue::Double(std::f64::consts::FRAC_2_PI)),
    ("M_SQRTPI", ConstValue::Double(1.772_453_850_905_516)),
    ("M_2_SQRTPI", ConstValue::Double(std::f64::consts::FRAC_2_SQRT_PI)),
    ("M_LNPI", ConstValue::Double(1.144_729_885_849_400_2)),
    ("M_EULER", ConstValue::Double(0.577_215_664_901_532_9)),
    ("M_SQRT2", ConstValue::Double(std::f64::consts::SQRT_2)),
    ("M_SQRT1_2", ConstValue::Double(std::f64::consts::FRAC_1_SQRT_2)),
    ("M_SQRT3", ConstValue::Double(1.732_050_807_568_877_2)),
    ("INF", ConstValue::Double(f64::INFINITY)),
    ("NAN", ConstValue::Double(f64::NAN)),
    ("PHP_ROUND_HALF_UP", ConstValue::Int(1)),
    ("PHP_ROUND_HALF_DOWN", ConstValue::Int(2)),
    ("PHP_ROUND_HALF_EVEN", ConstValue::Int(3)),
    ("PHP_ROUND_HALF_ODD", ConstValue::Int(4)),
];

/// Functions of one float.
macro_rules! float_functions {
    ($($name:ident = $method:expr;)*) => { $(
        fn $name(call: &mut Call<'_>) -> PhpResult<Val> {
            let function: fn(f64) -> f64 = $method;
            Ok(Val::double(function(call.double(0))))
        }
    )* };
}

float_functions! {
    ceil = f64::ceil;
    floor = f64::floor;
    sin = f64::sin;
    cos = f64::cos;
    tan = f64::tan;
    asin = f64::asin;
    acos = f64::acos;
    atan = f64::atan;
    sinh = f64::sinh;
    cosh = f64::cosh;
    tanh = f64::tanh;
    asinh = libm::asinh;
    acosh = libm::acosh;
    atanh = libm::atanh;
    expm1 = f64::exp_m1;
    log1p = f64::ln_1p;
    exp = f64::exp;
    log10 = f64::log10;
    sqrt = f64::sqrt;
    deg2rad = degrees_to_radians;
    rad2deg = radians_to_degrees;
}

fn degrees_to_radians(degrees: f64) -> f64 {
    degrees / 180.0 * std::f64::consts::PI
}

fn radians_to_degrees(radians: f64) -> f64 {
    radians / std::f64::consts::PI * 180.0
}

/// An argument for a parameter that is a float.
fn float(value: &Val) -> Option<f64> {
    value.as_double().or_else(|| value.as_int().map(|int| int as f64))
}

fn of_one(args: &[Val], function: fn(f64) -> f64) -> Option<Val> {
    Some(Val::double(function(float(args.first()?)?)))
}

fn of_two(args: &[Val], function: fn(f64, f64) -> f64) -> Option<Val> {
    Some(Val::double(function(float(args.first()?)?, float(args.get(1)?)?)))
}

fn abs(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(match call.arg(0).as_int() {
        Some(int) => int.checked_abs().map_or(Val::double(-(int as f64)), Val::int),
        None => Val::double(call.double(0).abs()),
    })
}

/// How `round` treats what lies between two neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    HalfUp,
    HalfDown,
    HalfEven,
    HalfOdd,
    Ceiling,
    Floor,
    TowardZero,
    AwayFromZero,
}

impl Rounding {
    fn from_int(mode: i64) -> Option<Rounding> {
        use Rounding::*;
        let modes = [HalfUp, HalfDown, HalfEven, HalfOdd, Ceiling, Floor, TowardZero, AwayFromZero];
        modes.get(usize::try_from(mode.checked_sub(1)?).ok()?).copied()
    }

    fn from_case(name: &[u8]) -> Option<Rounding> {
        Some(match name {
            b"HalfAwayFromZero" => Rounding::HalfUp,
            b"HalfTowardsZero" => Rounding::HalfDown,
            b"HalfEven" => Rounding::HalfEven,
            b"HalfOdd" => Rounding::HalfOdd,
            b"TowardsZero" => Rounding::TowardZero,
            b"AwayFromZero" => Rounding::AwayFromZero,
            b"NegativeInfinity" => Rounding::Floor,
            b"PositiveInfinity" => Rounding::Ceiling,
            _ => return None,
        })
    }

    /// Does the value, whose part towards zero is `integral` (scaled), move on to the next one?
    fn moves_on(self, integral: f64, value: f64, unscale: impl Fn(f64) -> f64) -> bool {
        let magnitude = value.abs();
        let half = unscale(integral + 0.5f64.copysign(integral)).abs();
        let exact = unscale(integral).abs();
        // The integral part has less than seventeen digits, so the conversion is exact.
        let even = integral as i64 % 2 == 0;
        match self {
            Rounding::HalfUp => magnitude >= half,
            Rounding::HalfDown => magnitude > half,
            Rounding::HalfEven => magnitude > half || magnitude == half && !even,
            Rounding::HalfOdd => magnitude > half || magnitude == half && even,
            Rounding::Ceiling => value > 0.0 && magnitude > exact,
            Rounding::Floor => value < 0.0 && magnitude > exact,
            Rounding::TowardZero => false,
            Rounding::AwayFromZero => magnitude > exact,
        }
    }
}

/// Rounds to a number of decimal places, half away from zero.
pub fn round_half_up(value: f64, places: i32) -> f64 {
    round_to(value, places, Rounding::HalfUp)
}

fn round_to(value: f64, places: i32, mode: Rounding) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let power = power_of_ten(places.unsigned_abs());
    let scale = |x: f64| if places > 0 { x * power } else { x / power };
    let unscale = |x: f64| if places > 0 { x / power } else { x * power };
    let (mut integral, next) = if value >= 0.0 {
        let floor = scale(value).floor();
        (floor, floor + 1.0)
    } else {
        let ceil = scale(value).ceil();
        (ceil, ceil - 1.0)
    };
    // The scaled value may lie just below the whole number that it stands for.
    if unscale(next) == value {
        integral = next;
    }
    // Rounding beyond a float's precision changes nothing.
    if integral.abs() >= 1e16 {
        return value;
    }
    if mode.moves_on(integral, value, unscale) {
        integral += 1f64.copysign(if integral == 0.0 { value } else { integral });
    }
    if places.unsigned_abs() < 23 {
        return unscale(integral);
    }
    // Dividing by an inexact power would be wrong; the decimal text is exact.
    let text = format!("{integral}e{}", -i64::from(places));
    text.parse().ok().filter(|rounded: &f64| rounded.is_finite()).unwrap_or(value)
}

fn power_of_ten(exponent: u32) -> f64 {
    // Up to 10^22 the powers are exact.
    if exponent <= 22 { (0..exponent).fold(1.0, |power, _| power * 10.0) } else { 10f64.powf(exponent.into()) }
}

fn round(call: &mut Call<'_>) -> PhpResult<Val> {
    let mode = match call.arg(2).view() {
        View::Int(mode) => Rounding::from_int(mode),
        View::Obj(case) => Rounding::from_case(&enums::case_name(case)),
        _ => Some(Rounding::HalfUp),
    };
    let Some(mode) = mode else {
        return Err(call.value_error(2, "must be a valid rounding mode (RoundingMode::*)"));
    };
    Ok(rounded(&call.arg(0), call.int(1), mode).unwrap_or(Val::NULL))
}

/// `None`: the value is no number.
fn rounded(value: &Val, places: i64, mode: Rounding) -> Option<Val> {
    let places = places.clamp(-i64::from(i32::MAX), i32::MAX.into()) as i32;
    match value.as_int() {
        Some(int) if places >= 0 => Some(Val::double(int as f64)),
        _ => Some(Val::double(round_to(float(value)?, places, mode))),
    }
}

fn atan2(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(call.double(0).atan2(call.double(1))))
}

fn pi(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(std::f64::consts::PI))
}

fn is_finite(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.double(0).is_finite().into())
}

fn is_nan(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.double(0).is_nan().into())
}

fn is_infinite(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.double(0).is_infinite().into())
}

fn intdiv(call: &mut Call<'_>) -> PhpResult<Val> {
    let (dividend, divisor) = (call.int(0), call.int(1));
    if divisor == 0 {
        return Err(call.vm.throw(Thrown::DivisionByZeroError, b"Division by zero"));
    }
    match dividend.checked_div(divisor) {
        Some(quotient) => Ok(Val::int(quotient)),
        None => Err(call.vm.throw(Thrown::ArithmeticError, b"Division of PHP_INT_MIN by -1 is not an integer")),
    }
}

fn pow(call: &mut Call<'_>) -> PhpResult<Val> {
    arith::binary(call.vm, arith::BinOp::Pow, &call.arg(0), &call.arg(1))
}

fn fpow(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(call.double(0).powf(call.double(1))))
}

fn log(call: &mut Call<'_>) -> PhpResult<Val> {
    let number = call.double(0);
    if !call.was_passed(1) {
        return Ok(Val::double(number.ln()));
    }
    let base = call.double(1);
    if base == 2.0 {
        return Ok(Val::double(number.log2()));
    }
    if base == 10.0 {
        return Ok(Val::double(number.log10()));
    }
    if base == 1.0 {
        return Ok(Val::double(f64::NAN));
    }
    if base <= 0.0 {
        return Err(call.value_error(1, "must be greater than 0"));
    }
    Ok(Val::double(number.ln() / base.ln()))
}

fn hypot(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(call.double(0).hypot(call.double(1))))
}

fn fmod(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(call.double(0) % call.double(1)))
}

fn fdiv(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::double(call.double(0) / call.double(1)))
}

/// The number that a text in some base stands for; letters that are no digits are skipped with a deprecation.
fn from_base(call: &Call<'_>, text: &[u8], base: u32) -> PhpResult<number::Number> {
    let text = text.trim_ascii();
    let digits = match (base, text) {
        (16, [b'0', b'x' | b'X', rest @ ..])
        | (8, [b'0', b'o' | b'O', rest @ ..])
        | (2, [b'0', b'b' | b'B', rest @ ..]) => rest,
        _ => text,
    };
    let mut exact = Some(0i64);
    let mut wide = 0f64;
    let mut invalid = false;
    for &byte in digits {
        let Some(digit) = (byte as char).to_digit(base) else {
            invalid = true;
            continue;
        };
        let next = exact.and_then(|value| value.checked_mul(base.into())?.checked_add(digit.into()));
        if let (None, Some(value)) = (next, exact) {
            wide = value as f64;
        }
        if next.is_none() {
            wide = wide * f64::from(base) + f64::from(digit);
        }
        exact = next;
    }
    if invalid {
        call.vm
            .raise(Level::Deprecated, b"Invalid characters passed for attempted conversion, these have been ignored")?;
    }
    Ok(exact.map_or(number::Number::Double(wide), number::Number::Int))
}

fn bindec(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(from_base(call, &call.str(0), 2)?.into())
}

fn octdec(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(from_base(call, &call.str(0), 8)?.into())
}

fn hexdec(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(from_base(call, &call.str(0), 16)?.into())
}

/// An integer, as 64 bits without sign, in the base that a digit of so many bits makes.
fn in_base(int: i64, bits: u32) -> Val {
    Val::str(crate::format::power_digits(int as u64, bits, b"0123456789abcdef", &mut [0; 64]))
}

fn decbin(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(in_base(call.int(0), 1))
}

fn decoct(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(in_base(call.int(0), 3))
}

fn dechex(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(in_base(call.int(0), 4))
}

/// The integer that a few digits stand for, with nothing else around them.
fn plain_digits(text: &[u8], base: u32) -> Option<Val> {
    const FITS: usize = 15;
    if text.len() > FITS {
        return None;
    }
    let digits = text.iter().try_fold(0i64, |value, &byte| {
        let digit = (byte as char).to_digit(base)?;
        Some(value * i64::from(base) + i64::from(digit))
    });
    digits.map(Val::int)
}

fn base_convert(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (call.int(1), call.int(2));
    for (index, base) in [(1, from), (2, to)] {
        if !(2..=36).contains(&base) {
            return Err(call.value_error(index, "must be between 2 and 36 (inclusive)"));
        }
    }
    let digit = |value: u32| char::from_digit(value, to as u32).unwrap_or('0');
    let mut text = Vec::new();
    match from_base(call, &call.str(0), from as u32)? {
        number::Number::Int(int) => {
            let mut rest = int as u64;
            while rest > 0 || text.is_empty() {
                text.push(digit((rest % to as u64) as u32));
                rest /= to as u64;
            }
        }
        number::Number::Double(value) if value.is_infinite() => {
            let text = format!("An infinite value cannot be converted to base {to}");
            return Err(call.vm.throw_value_error(text.as_bytes()));
        }
        number::Number::Double(value) => {
            let mut rest = value.floor();
            while rest.abs() >= 1.0 || text.is_empty() {
                text.push(digit((rest % to as f64) as u32));
                rest = (rest / to as f64).floor();
            }
        }
    }
    Ok(text.iter().rev().collect::<String>().into())
}
