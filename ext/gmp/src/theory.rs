//! What GMP computes of numbers, beyond arithmetic.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The product of the integers from `low` to `high`, in halves, so that factors are of like size.
fn product(low: u64, high: u64) -> BigUint {
    if low > high {
        return BigUint::one();
    }
    if high - low < 16 {
        return (low..=high).fold(BigUint::one(), |product, factor| product * factor);
    }
    let middle = low + (high - low) / 2;
    product(low, middle) * product(middle + 1, high)
}

/// `number!`
pub fn factorial(number: u64) -> BigUint {
    product(2, number)
}

/// The number of ways to choose `count` of `number` things; negative numbers as the formula has it.
pub fn binomial(number: &BigInt, count: u64) -> BigInt {
    if number.is_negative() {
        let result = binomial(&(BigInt::from(count) - number - 1), count);
        return if count % 2 == 1 { -result } else { result };
    }
    let Some(left) = (number - count).to_biguint() else { return BigInt::zero() };
    let count = left.to_u64().map_or(count, |left| left.min(count));
    let mut result = BigInt::one();
    for step in 1..=count {
        result = result * (number - (count - step)) / step;
    }
    result
}

/// The largest number whose power is not beyond the given one, towards zero. Even roots of negative numbers are not asked for.
pub fn root(number: &BigInt, nth: u64) -> BigInt {
    if number.bits() <= nth {
        // Only the signs are left.
        return number.signum();
    }
    number.nth_root(nth.min(u64::from(u32::MAX)) as u32)
}

/// Is a number the square of another?
pub fn is_square(number: &BigInt) -> bool {
    if number.is_negative() {
        return false;
    }
    let root = number.sqrt();
    &root * &root == *number
}

/// Is a number a power, with an exponent of at least 2, of another?
pub fn is_power(number: &BigInt) -> bool {
    let size = number.abs();
    if size <= BigInt::one() {
        return true;
    }
    (2..=size.bits()).filter(|exponent| is_small_prime(*exponent)).any(|exponent| {
        if number.is_negative() && exponent == 2 {
            return false;
        }
        let root = root(&size, exponent);
        root.pow(exponent as u32) == size
    })
}

fn is_small_prime(number: u64) -> bool {
    number >= 2 && (2..).take_while(|divisor| divisor * divisor <= number).all(|divisor| number % divisor != 0)
}

/// The greatest common divisor, and factors of the two numbers that add up to it, as small as they can be.
pub fn extended_gcd(one: &BigInt, two: &BigInt) -> (BigInt, BigInt, BigInt) {
    let divisor = one.gcd(two);
    if divisor.is_zero() {
        return (divisor, BigInt::zero(), BigInt::zero());
    }
    let (one_size, two_size, double) = (one.abs(), two.abs(), &divisor * 2);
    let rest = |factor: &BigInt| (&divisor - factor * one) / two;
    // Where the second number divides the first, the first one is not needed.
    if two_size == divisor {
        return (divisor, BigInt::zero(), two.signum());
    }
    if two.is_zero() || one_size == divisor {
        return (divisor, one.signum(), BigInt::zero());
    }
    if two_size == double {
        let factor = one.signum();
        let other = rest(&factor);
        return (divisor, factor, other);
    }
    if one_size == double {
        let other = two.signum();
        let factor = (&divisor - &other * two) / one;
        return (divisor, factor, other);
    }
    let modulus = &two_size / &divisor;
    let mut factor = (one / &divisor).extended_gcd(&modulus).x.mod_floor(&modulus);
    if &factor * 2 > modulus {
        factor -= &modulus;
    }
    let other = rest(&factor);
    (divisor, factor, other)
}

/// The inverse of a number for a modulus; `None`: it has none.
pub fn inverse(number: &BigInt, modulus: &BigInt) -> Option<BigInt> {
    let (divisor, factor, _) = extended_gcd(number, modulus);
    divisor.is_one().then(|| if factor.is_negative() { factor + modulus.abs() } else { factor })
}

/// A power for a modulus, which is not zero; the result is not negative.
pub fn power_modulo(base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> BigInt {
    let modulus = modulus.abs();
    base.mod_floor(&modulus).modpow(exponent, &modulus)
}

/// The Kronecker symbol.
pub fn kronecker(one: &BigInt, two: &BigInt) -> i64 {
    if two.is_zero() {
        return i64::from(one.abs().is_one());
    }
    if one.is_even() && two.is_even() {
        return 0;
    }
    let (mut above, mut below, mut sign) = (one.clone(), two.clone(), 1);
    let twos = below.trailing_zeros().unwrap_or(0);
    below >>= twos;
    if twos % 2 == 1 && is_three_or_five(&above) {
        sign = -sign;
    }
    if below.is_negative() {
        below = -below;
        if above.is_negative() {
            sign = -sign;
        }
    }
    above = above.mod_floor(&below);
    while !above.is_zero() {
        let twos = above.trailing_zeros().unwrap_or(0);
        above >>= twos;
        if twos % 2 == 1 && is_three_or_five(&below) {
            sign = -sign;
        }
        if low_bits(&above, 3) == 3 && low_bits(&below, 3) == 3 {
            sign = -sign;
        }
        let rest = below.mod_floor(&above);
        below = std::mem::replace(&mut above, rest);
    }
    if below.is_one() { sign } else { 0 }
}

fn low_bits(number: &BigInt, mask: u8) -> u8 {
    (number & BigInt::from(mask)).to_u8().unwrap_or(0)
}

/// Is a number 3 or 5 modulo 8?
fn is_three_or_five(number: &BigInt) -> bool {
    matches!(low_bits(number, 7), 3 | 5)
}

/// How sure it is that a number is prime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primality {
    Composite = 0,
    Probable = 1,
    Prime = 2,
}

/// Divisors that are tried first, and bases of Miller and Rabin's test, the first twelve of which leave no doubt below 2^64.
const SMALL_PRIMES: [u32; 25] =
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97];
const BASES: usize = 12;

/// Is a number prime, whatever its sign? `rounds` asks for more tests of large numbers.
pub fn primality(number: &BigInt, rounds: i64) -> Primality {
    /// Rounds that the fixed tests stand for.
    const FIXED: i64 = 24;
    /// The test of GMP makes no mistakes below this number.
    const SURE: u64 = 35 << 46;
    /// Further rounds that are made at most.
    const MOST: i64 = 200;
    let number = number.magnitude();
    if *number < BigUint::from(2u8) {
        return Primality::Composite;
    }
    for prime in SMALL_PRIMES {
        if (number % prime).is_zero() {
            return if *number == BigUint::from(prime) { Primality::Prime } else { Primality::Composite };
        }
    }
    if number.bits() <= 64 {
        let passes = SMALL_PRIMES[..BASES].iter().all(|&base| passes(number, &base.into()));
        // GMP is not sure of larger numbers.
        return match (passes, number.to_u64().is_some_and(|number| number < SURE)) {
            (false, _) => Primality::Composite,
            (true, true) => Primality::Prime,
            (true, false) => Primality::Probable,
        };
    }
    if !passes(number, &2u8.into()) || !passes_lucas(number) {
        return Primality::Composite;
    }
    let mut base = BigUint::from(3u8);
    for _ in 0..(rounds.saturating_sub(FIXED)).clamp(0, MOST) {
        if !passes(number, &base) {
            return Primality::Composite;
        }
        base = &base * &base + 5u8;
        base %= number;
    }
    Primality::Probable
}

/// Miller and Rabin's test of an odd number with a base.
fn passes(number: &BigUint, base: &BigUint) -> bool {
    let less = number - 1u8;
    let twos = less.trailing_zeros().unwrap_or(0);
    let mut power = base.modpow(&(&less >> twos), number);
    if power.is_one() || power == less || base.is_zero() {
        return true;
    }
    for _ in 1..twos {
        power = &power * &power % number;
        if power == less {
            return true;
        }
    }
    false
}

/// The strong test of Lucas with Selfridge's parameters, of an odd number.
fn passes_lucas(number: &BigUint) -> bool {
    let modulus = BigInt::from(number.clone());
    if is_square(&modulus) {
        return false;
    }
    let mut candidate = 5i64;
    let discriminant = loop {
        match kronecker(&BigInt::from(candidate), &modulus) {
            -1 => break candidate,
            0 if BigInt::from(candidate).abs() != modulus => return false,
            _ => candidate = if candidate > 0 { -candidate - 2 } else { -candidate + 2 },
        }
    };
    let q = BigInt::from((1 - discriminant) / 4);
    let halve = |value: BigInt| if value.is_odd() { (value + &modulus) >> 1 } else { value >> 1 };
    let order: BigInt = &modulus + 1;
    let twos = order.trailing_zeros().unwrap_or(0);
    let odd: BigInt = &order >> twos;
    // U, V and Q to the power of the bits of the exponent that were read.
    let (mut u, mut v, mut power) = (BigInt::one(), BigInt::one(), q.clone());
    for bit in (0..odd.bits() - 1).rev() {
        u = BigInt::mod_floor(&(&u * &v), &modulus);
        v = BigInt::mod_floor(&(&v * &v - &power * 2), &modulus);
        power = BigInt::mod_floor(&(&power * &power), &modulus);
        if odd.bit(bit) {
            let next = halve(BigInt::mod_floor(&(&u + &v), &modulus));
            v = halve(BigInt::mod_floor(&(&u * discriminant + &v), &modulus));
            u = next;
            power = BigInt::mod_floor(&(power * &q), &modulus);
        }
    }
    if u.is_zero() || v.is_zero() {
        return true;
    }
    for _ in 1..twos {
        v = BigInt::mod_floor(&(&v * &v - &power * 2), &modulus);
        if v.is_zero() {
            return true;
        }
        power = BigInt::mod_floor(&(&power * &power), &modulus);
    }
    false
}

/// The smallest prime above a number.
pub fn next_prime(number: &BigInt) -> BigInt {
    const ROUNDS: i64 = 25;
    if number.sign() != Sign::Plus || number.is_one() {
        return 2.into();
    }
    let mut candidate: BigInt = number + 1;
    if candidate.is_even() {
        candidate += 1;
    }
    while primality(&candidate, ROUNDS) == Primality::Composite {
        candidate += 2;
    }
    candidate
}
