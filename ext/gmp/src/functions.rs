//! Arithmetic.

use crate::number::{argument, division_by_zero, held, initial, object, power, require_bits, store, to_int};
use crate::text::{self, LARGEST_BASE};
use crate::theory;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use phlox_runtime::room::require_room;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

/// The functions for making and showing numbers, and for arithmetic.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("gmp_init(int|string $num, int $base = 0): GMP", |call| object(call.vm, initial(call)?)),
    FnDef::new(
        "gmp_import(string $data, int $word_size = 1, int $flags = GMP_MSW_FIRST | GMP_NATIVE_ENDIAN): GMP",
        gmp_import,
    ),
    FnDef::new(
        "gmp_export(#[unchecked] GMP|int|string $num, int $word_size = 1, \
         int $flags = GMP_MSW_FIRST | GMP_NATIVE_ENDIAN): string",
        gmp_export,
    ),
    FnDef::new("gmp_intval(#[unchecked] GMP|int|string $num): int", |call| Ok(Val::int(to_int(&argument(call, 0)?)))),
    FnDef::new("gmp_strval(#[unchecked] GMP|int|string $num, int $base = 10): string", gmp_strval),
    FnDef::new("gmp_add(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one + two)
    }),
    FnDef::new("gmp_sub(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one - two)
    }),
    FnDef::new("gmp_mul(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one * two)
    }),
    FnDef::new(
        "gmp_div_qr(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2, \
         int $rounding_mode = GMP_ROUND_ZERO): array",
        gmp_div_qr,
    ),
    FnDef::new(
        "gmp_div_q(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2, \
         int $rounding_mode = GMP_ROUND_ZERO): GMP",
        gmp_div_q,
    ),
    FnDef::new(
        "gmp_div_r(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2, \
         int $rounding_mode = GMP_ROUND_ZERO): GMP",
        gmp_div_r,
    ),
    FnDef::new(
        "gmp_div(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2, \
         int $rounding_mode = GMP_ROUND_ZERO): GMP",
        gmp_div_q,
    ),
    FnDef::new("gmp_mod(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", gmp_mod),
    FnDef::new("gmp_divexact(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        let (one, two) = (argument(call, 0)?, divisor(call, "Division by zero")?);
        object(call.vm, one / two)
    }),
    FnDef::new("gmp_neg(#[unchecked] GMP|int|string $num): GMP", |call| unary(call, |number| -number)),
    FnDef::new("gmp_abs(#[unchecked] GMP|int|string $num): GMP", |call| unary(call, |number| number.abs())),
    FnDef::new("gmp_fact(#[unchecked] GMP|int|string $num): GMP", gmp_fact),
    FnDef::new("gmp_sqrt(#[unchecked] GMP|int|string $num): GMP", |call| {
        let number = not_negative(call, 0)?;
        object(call.vm, number.sqrt())
    }),
    FnDef::new("gmp_sqrtrem(#[unchecked] GMP|int|string $num): array", |call| {
        let number = not_negative(call, 0)?;
        let root = number.sqrt();
        let rest = number - &root * &root;
        pair(call, root, rest)
    }),
    FnDef::new("gmp_root(#[unchecked] GMP|int|string $num, int $nth): GMP", |call| {
        let (number, nth) = root_arguments(call, "must be greater than 0")?;
        object(call.vm, theory::root(&number, nth))
    }),
    FnDef::new("gmp_rootrem(#[unchecked] GMP|int|string $num, int $nth): array", |call| {
        let (number, nth) = root_arguments(call, "must be greater than or equal to 1")?;
        let root = theory::root(&number, nth);
        let rest = number - power(&root, nth);
        pair(call, root, rest)
    }),
    FnDef::new("gmp_pow(#[unchecked] GMP|int|string $num, int $exponent): GMP", gmp_pow),
    FnDef::new(
        "gmp_powm(#[unchecked] GMP|int|string $num, #[unchecked] GMP|int|string $exponent, \
         #[unchecked] GMP|int|string $modulus): GMP",
        gmp_powm,
    ),
    FnDef::new("gmp_perfect_square(#[unchecked] GMP|int|string $num): bool", |call| {
        Ok(Val::bool(theory::is_square(&argument(call, 0)?)))
    }),
    FnDef::new("gmp_perfect_power(#[unchecked] GMP|int|string $num): bool", |call| {
        Ok(Val::bool(theory::is_power(&argument(call, 0)?)))
    }),
    FnDef::new("gmp_prob_prime(#[unchecked] GMP|int|string $num, int $repetitions = 10): int", |call| {
        Ok(Val::int(theory::primality(&argument(call, 0)?, call.int(1)) as i64))
    }),
    FnDef::new("gmp_gcd(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one.gcd(&two))
    }),
    FnDef::new("gmp_gcdext(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): array", gmp_gcdext),
    FnDef::new("gmp_lcm(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| if one.is_zero() || two.is_zero() { BigInt::zero() } else { one.lcm(&two) })
    }),
    FnDef::new(
        "gmp_invert(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP|false",
        gmp_invert,
    ),
    FnDef::new("gmp_jacobi(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): int", symbol),
    FnDef::new("gmp_legendre(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): int", symbol),
    FnDef::new("gmp_kronecker(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): int", symbol),
    FnDef::new("gmp_cmp(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): int", |call| {
        compare(call)
    }),
    FnDef::new("gmp_sign(#[unchecked] GMP|int|string $num): int", |call| {
        Ok(Val::int(argument(call, 0)?.signum().to_i64().unwrap_or(0)))
    }),
];

/// The functions for bits, which come behind those for random numbers.
pub const BITS: &[FnDef] = &[
    FnDef::new("gmp_and(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one & two)
    }),
    FnDef::new("gmp_or(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one | two)
    }),
    FnDef::new("gmp_com(#[unchecked] GMP|int|string $num): GMP", |call| unary(call, |number| !number)),
    FnDef::new("gmp_xor(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): GMP", |call| {
        binary(call, |one, two| one ^ two)
    }),
    FnDef::new("gmp_setbit(GMP $num, int $index, bool $value = true): void", gmp_setbit),
    FnDef::new("gmp_clrbit(GMP $num, int $index): void", gmp_clrbit),
    FnDef::new("gmp_testbit(#[unchecked] GMP|int|string $num, int $index): bool", |call| {
        let index = start(call, 1)?;
        Ok(Val::bool(argument(call, 0)?.bit(index)))
    }),
    FnDef::new("gmp_scan0(#[unchecked] GMP|int|string $num1, int $start): int", |call| scan(call, false)),
    FnDef::new("gmp_scan1(#[unchecked] GMP|int|string $num1, int $start): int", |call| scan(call, true)),
    FnDef::new("gmp_popcount(#[unchecked] GMP|int|string $num): int", |call| Ok(Val::int(ones(&argument(call, 0)?)))),
    FnDef::new("gmp_hamdist(#[unchecked] GMP|int|string $num1, #[unchecked] GMP|int|string $num2): int", |call| {
        Ok(Val::int(ones(&(argument(call, 0)? ^ argument(call, 1)?))))
    }),
    FnDef::new("gmp_nextprime(#[unchecked] GMP|int|string $num): GMP", |call| {
        unary(call, |number| theory::next_prime(&number))
    }),
    FnDef::new("gmp_binomial(#[unchecked] GMP|int|string $n, int $k): GMP", gmp_binomial),
];

pub const ROUND_ZERO: i64 = 0;
pub const ROUND_PLUS: i64 = 1;
pub const ROUND_MINUS: i64 = 2;
pub const MOST_FIRST: i64 = 1;
pub const LEAST_FIRST: i64 = 2;
pub const LITTLE_ENDIAN: i64 = 4;
pub const BIG_ENDIAN: i64 = 8;
pub const NATIVE_ENDIAN: i64 = 16;

/// Compares two numbers. With an integer of PHP the result is how many words one has more, if that differs.
fn compare(call: &Call<'_>) -> PhpResult<Val> {
    const WORD_BITS: u64 = 64;
    let (one, two) = (argument(call, 0)?, argument(call, 1)?);
    let words = |number: &BigInt| {
        let count = number.bits().div_ceil(WORD_BITS) as i64;
        if number.is_negative() { -count } else { count }
    };
    let difference = words(&one) - words(&two);
    if call.arg(1).as_int().is_some() && difference != 0 {
        return Ok(Val::int(difference));
    }
    Ok(Val::int(one.cmp(&two) as i64))
}

fn unary(call: &Call<'_>, operation: fn(BigInt) -> BigInt) -> PhpResult<Val> {
    object(call.vm, operation(argument(call, 0)?))
}

fn binary(call: &Call<'_>, operation: fn(BigInt, BigInt) -> BigInt) -> PhpResult<Val> {
    object(call.vm, operation(argument(call, 0)?, argument(call, 1)?))
}

fn pair(call: &Call<'_>, one: BigInt, two: BigInt) -> PhpResult<Val> {
    Ok(PhpArr::from_vec(vec![object(call.vm, one)?, object(call.vm, two)?]).into())
}

/// The second argument, which may not be zero.
fn divisor(call: &Call<'_>, message: &str) -> PhpResult<BigInt> {
    let number = argument(call, 1)?;
    if number.is_zero() { Err(division_by_zero(call.vm, message)) } else { Ok(number) }
}

fn not_negative(call: &Call<'_>, index: usize) -> PhpResult<BigInt> {
    let number = argument(call, index)?;
    if number.is_negative() {
        return Err(call.value_error(index, "must be greater than or equal to 0"));
    }
    Ok(number)
}

/// An integer argument that counts.
fn start(call: &Call<'_>, index: usize) -> PhpResult<u64> {
    u64::try_from(call.int(index)).map_err(|_| call.value_error(index, "must be greater than or equal to 0"))
}

/// The order of words, and of the bytes in them: is the most significant one first?
fn word_order(call: &Call<'_>) -> PhpResult<(usize, bool, bool)> {
    let Some(size) = usize::try_from(call.int(1)).ok().filter(|size| *size > 0) else {
        return Err(call.value_error(1, "must be greater than or equal to 1"));
    };
    let flags = call.int(2);
    let words = match flags & (MOST_FIRST | LEAST_FIRST) {
        LEAST_FIRST => false,
        MOST_FIRST | 0 => true,
        _ => return Err(call.value_error(2, "cannot use multiple word order options")),
    };
    let bytes = match flags & (LITTLE_ENDIAN | BIG_ENDIAN | NATIVE_ENDIAN) {
        BIG_ENDIAN => true,
        LITTLE_ENDIAN => false,
        NATIVE_ENDIAN | 0 => cfg!(target_endian = "big"),
        _ => return Err(call.value_error(2, "cannot use multiple endian options")),
    };
    Ok((size, words, bytes))
}

/// Brings words from, or into, the order in which everything most significant comes first.
fn reordered(data: &[u8], size: usize, words: bool, bytes: bool) -> Vec<u8> {
    let mut result = data.to_vec();
    if !words {
        result.reverse();
    }
    if words != bytes {
        result.chunks_mut(size).for_each(<[u8]>::reverse);
    }
    result
}

fn gmp_import(call: &mut Call<'_>) -> PhpResult<Val> {
    let (size, words, bytes) = word_order(call)?;
    let data = call.str(0);
    if data.len() % size != 0 {
        return Err(call.value_error(0, "must be a multiple of argument #2 ($word_size)"));
    }
    let data = reordered(&data, size, words, bytes);
    object(call.vm, BigInt::from_bytes_be(num_bigint::Sign::Plus, &data))
}

fn gmp_export(call: &mut Call<'_>) -> PhpResult<Val> {
    let (size, words, bytes) = word_order(call)?;
    let number = argument(call, 0)?;
    if number.is_zero() {
        return Ok("".into());
    }
    if size > i64::MAX as usize / 4 {
        return Err(call.value_error(1, "is too large for argument #1 ($num)"));
    }
    let digits = number.magnitude().to_bytes_be();
    let length = digits.len().div_ceil(size) * size;
    require_room(length);
    let mut data = vec![0; length - digits.len()];
    data.extend_from_slice(&digits);
    Ok(reordered(&data, size, words, bytes).into())
}

fn gmp_strval(call: &mut Call<'_>) -> PhpResult<Val> {
    let base = call.int(1);
    if !(2..=i64::from(LARGEST_BASE)).contains(&base) && !(-36..=-2).contains(&base) {
        return Err(call.value_error(1, &format!("must be between 2 and {LARGEST_BASE}, or -2 and -36")));
    }
    Ok(text::to_text(&argument(call, 0)?, base).into())
}

/// Quotient and rest, rounded as the third argument asks.
fn divided(call: &Call<'_>) -> PhpResult<(BigInt, BigInt)> {
    let mode = call.int(2);
    if !matches!(mode, ROUND_ZERO | ROUND_PLUS | ROUND_MINUS) {
        let text = "must be one of GMP_ROUND_ZERO, GMP_ROUND_PLUSINF, or GMP_ROUND_MINUSINF";
        return Err(call.value_error(2, text));
    }
    let (one, two) = (argument(call, 0)?, divisor(call, "Division by zero")?);
    Ok(match mode {
        ROUND_ZERO => one.div_rem(&two),
        ROUND_MINUS => one.div_mod_floor(&two),
        _ => {
            let quotient = one.div_ceil(&two);
            let rest = one - &quotient * two;
            (quotient, rest)
        }
    })
}

fn gmp_div_qr(call: &mut Call<'_>) -> PhpResult<Val> {
    let (quotient, rest) = divided(call)?;
    pair(call, quotient, rest)
}

fn gmp_div_q(call: &mut Call<'_>) -> PhpResult<Val> {
    object(call.vm, divided(call)?.0)
}

fn gmp_div_r(call: &mut Call<'_>) -> PhpResult<Val> {
    object(call.vm, divided(call)?.1)
}

fn gmp_mod(call: &mut Call<'_>) -> PhpResult<Val> {
    let (one, two) = (argument(call, 0)?, divisor(call, "Modulo by zero")?);
    object(call.vm, one.mod_floor(&two.abs()))
}

fn gmp_fact(call: &mut Call<'_>) -> PhpResult<Val> {
    let number = not_negative(call, 0)?;
    let number = to_int(&number).unsigned_abs();
    // The logarithm of a factorial is above this estimate.
    let bits = (u64::BITS - number.leading_zeros()).saturating_sub(2);
    require_bits(number.saturating_mul(u64::from(bits)));
    object(call.vm, theory::factorial(number).into())
}

fn root_arguments(call: &Call<'_>, message: &str) -> PhpResult<(BigInt, u64)> {
    let Some(nth) = u64::try_from(call.int(1)).ok().filter(|nth| *nth > 0) else {
        return Err(call.value_error(1, message));
    };
    let number = argument(call, 0)?;
    if nth % 2 == 0 && number.is_negative() {
        return Err(call.value_error(1, "must be odd if argument #1 ($a) is negative"));
    }
    Ok((number, nth))
}

fn gmp_pow(call: &mut Call<'_>) -> PhpResult<Val> {
    let exponent = start(call, 1)?;
    object(call.vm, power(&argument(call, 0)?, exponent))
}

fn gmp_powm(call: &mut Call<'_>) -> PhpResult<Val> {
    let (base, exponent) = (argument(call, 0)?, not_negative(call, 1)?);
    let modulus = argument(call, 2)?;
    if modulus.is_zero() {
        return Err(division_by_zero(call.vm, "Modulo by zero"));
    }
    object(call.vm, theory::power_modulo(&base, &exponent, &modulus))
}

fn gmp_gcdext(call: &mut Call<'_>) -> PhpResult<Val> {
    let (divisor, one, two) = theory::extended_gcd(&argument(call, 0)?, &argument(call, 1)?);
    let mut result = PhpArr::new();
    result.set_bytes(b"g", object(call.vm, divisor)?);
    result.set_bytes(b"s", object(call.vm, one)?);
    result.set_bytes(b"t", object(call.vm, two)?);
    Ok(result.into())
}

fn gmp_invert(call: &mut Call<'_>) -> PhpResult<Val> {
    if call.arg(1).as_int() == Some(0) {
        return Err(division_by_zero(call.vm, "Division by zero"));
    }
    let (number, modulus) = (argument(call, 0)?, divisor(call, "Division by zero")?);
    theory::inverse(&number, &modulus).map_or(Ok(Val::FALSE), |inverse| object(call.vm, inverse))
}

fn symbol(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(theory::kronecker(&argument(call, 0)?, &argument(call, 1)?)))
}

fn gmp_setbit(call: &mut Call<'_>) -> PhpResult<Val> {
    const WORD_BITS: i64 = 64;
    let index = start(call, 1)?;
    if call.int(1) / WORD_BITS >= i64::from(i32::MAX) {
        return Err(call.value_error(1, &format!("must be less than {} * {WORD_BITS}", i32::MAX)));
    }
    change_bit(call, index, call.bool(2));
    Ok(Val::NULL)
}

fn gmp_clrbit(call: &mut Call<'_>) -> PhpResult<Val> {
    let index = start(call, 1)?;
    change_bit(call, index, false);
    Ok(Val::NULL)
}

fn change_bit(call: &Call<'_>, index: u64, value: bool) {
    let Some(object) = call.opt_obj(0) else { return };
    let mut number = held(&object);
    if number.bit(index) == value {
        return;
    }
    require_bits(index);
    number.set_bit(index, value);
    store(&object, number);
}

/// The index of the first bit of a value from an index on; -1: there is none.
fn scan(call: &Call<'_>, value: bool) -> PhpResult<Val> {
    let start = start(call, 1)?;
    let number = argument(call, 0)?;
    if start >= number.bits() {
        // Only the sign is there.
        let found = number.is_negative() == value;
        return Ok(Val::int(if found { start as i64 } else { -1 }));
    }
    let last = number.bits();
    let found = (start..=last).find(|&index| number.bit(index) == value);
    Ok(Val::int(found.map_or(-1, |index| index as i64)))
}

/// The number of ones; -1 for negative numbers, which have no end of them.
fn ones(number: &BigInt) -> i64 {
    if number.is_negative() { -1 } else { number.magnitude().count_ones() as i64 }
}

fn gmp_binomial(call: &mut Call<'_>) -> PhpResult<Val> {
    let count = start(call, 1)?;
    let number = argument(call, 0)?;
    // The smaller of the two counts is what the result grows with.
    let left = (&number - count).to_u64().unwrap_or(u64::MAX);
    require_bits(count.min(left));
    object(call.vm, theory::binomial(&number, count))
}
