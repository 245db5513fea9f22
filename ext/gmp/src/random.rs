//! The random numbers of GMP: a Mersenne Twister whose state is made of a seed of any size.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

/// Words of the state.
const WORDS: usize = 624;
const MIDDLE: usize = 397;
/// Bits of the state that count.
const BITS: u64 = 19937;
/// Numbers that are left out at the start.
const WARM_UP: usize = 2000;
/// Tries to find a number below a limit, after which the limit is taken off.
const TRIES: usize = 80;

/// A generator.
pub struct Random {
    state: Box<[u32; WORDS]>,
    next: usize,
}

/// A seed to the power of 1074888996 modulo 2^19937 − 20023, which is a permutation of the seeds.
fn mangled(seed: &BigUint) -> BigUint {
    const EXPONENT: u32 = 1_074_888_996;
    let modulus = (BigUint::from(1u8) << BITS) - 20023u32;
    seed.modpow(&EXPONENT.into(), &modulus)
}

impl Random {
    /// A generator of a seed, whose sign counts only as a remainder shows it.
    pub fn new(seed: &BigInt) -> Random {
        let modulus = (BigInt::from(1u8) << BITS) - 20027u32;
        let seed = (seed.mod_floor(&modulus) + 2u8).magnitude().clone();
        let mut seed = mangled(&seed);
        let mut state = Box::new([0u32; WORDS]);
        state[0] = u32::from(seed.bit(BITS - 1)) << 31;
        seed.set_bit(BITS - 1, false);
        for (place, digit) in state[1..].iter_mut().zip(seed.iter_u32_digits()) {
            *place = digit;
        }
        let mut random = Random { state, next: WARM_UP % WORDS };
        for _ in 0..WARM_UP / WORDS {
            random.refill();
        }
        random
    }

    fn refill(&mut self) {
        for index in 0..WORDS {
            let word = self.state[index] & 0x8000_0000 | self.state[(index + 1) % WORDS] & 0x7fff_ffff;
            let odd = if word & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + MIDDLE) % WORDS] ^ word >> 1 ^ odd;
        }
    }

    fn word(&mut self) -> u32 {
        if self.next >= WORDS {
            self.refill();
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// A number of at most so many bits.
    pub fn bits(&mut self, count: u64) -> BigUint {
        let words = count.div_ceil(32);
        let mut digits: Vec<u32> = (0..words).map(|_| self.word()).collect();
        if let Some(last) = digits.last_mut().filter(|_| count % 32 > 0) {
            *last &= u32::MAX >> (32 - count % 32);
        }
        BigUint::new(digits)
    }

    /// A number from 0 to below a limit, which is above 0.
    pub fn below(&mut self, limit: &BigInt) -> BigInt {
        let limit = limit.magnitude();
        let is_power = limit.count_ones() == 1;
        let bits = limit.bits() - u64::from(is_power);
        if bits == 0 || limit.is_zero() {
            return BigInt::zero();
        }
        let mut number = BigUint::zero();
        for _ in 0..TRIES {
            number = self.bits(bits);
            if number < *limit {
                return number.into();
            }
        }
        (BigInt::from(number) - BigInt::from(limit.clone())).abs()
    }
}
