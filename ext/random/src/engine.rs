//! Random engines and drawing a uniform integer from one.

use phlox_runtime::{DataKey, PhpResult, PhpStr, Vm};
use std::cell::RefCell;

/// A generator: each step gives up to eight bytes.
pub trait RandomEngine {
    /// The next value and how many of its low bytes count.
    fn generate(&mut self, vm: &Vm) -> PhpResult<(u64, usize)>;
}

/// How Mt19937 scales and twists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MtMode {
    Mt19937,
    /// As PHP before 7.1, with its mistakes.
    Legacy,
}

const MT_N: usize = 624;
const MT_M: usize = 397;

/// The Mersenne Twister.
#[derive(Clone)]
pub struct Mt19937 {
    pub state: [u32; MT_N],
    pub count: usize,
    pub mode: MtMode,
}

impl Mt19937 {
    pub fn new(seed: u32, mode: MtMode) -> Mt19937 {
        let mut state = [0; MT_N];
        state[0] = seed;
        for at in 1..MT_N {
            let previous: u32 = state[at - 1];
            state[at] = 1_812_433_253u32.wrapping_mul(previous ^ previous >> 30).wrapping_add(at as u32);
        }
        let mut engine = Mt19937 { state, count: 0, mode };
        engine.reload();
        engine
    }

    fn reload(&mut self) {
        let twist = |mode, far: u32, u: u32, v: u32| {
            let mixed = (u & 0x8000_0000) | (v & 0x7fff_ffff);
            let low = if mode == MtMode::Mt19937 { v & 1 } else { u & 1 };
            far ^ mixed >> 1 ^ low.wrapping_neg() & 0x9908_b0df
        };
        for at in 0..MT_N {
            let (far, next) = ((at + MT_M) % MT_N, (at + 1) % MT_N);
            self.state[at] = twist(self.mode, self.state[far], self.state[at], self.state[next]);
        }
        self.count = 0;
    }

    /// The next 32 bits.
    pub fn next(&mut self) -> u32 {
        if self.count >= MT_N {
            self.reload();
        }
        let mut value = self.state[self.count];
        self.count += 1;
        value ^= value >> 11;
        value ^= value << 7 & 0x9d2c_5680;
        value ^= value << 15 & 0xefc6_0000;
        value ^ value >> 18
    }
}

impl RandomEngine for Mt19937 {
    fn generate(&mut self, _vm: &Vm) -> PhpResult<(u64, usize)> {
        Ok((self.next() as u64, 4))
    }
}

/// The operating system's generator.
pub struct Secure;

/// Fills a buffer from the operating system.
pub fn secure_bytes(vm: &Vm, buffer: &mut [u8]) -> PhpResult<()> {
    getrandom::fill(buffer)
        .map_err(|_| vm.throw_class(b"Random\\RandomException", b"Could not gather sufficient random data", 0))
}

/// A string of bytes from the operating system.
pub fn secure_string(vm: &Vm, length: usize) -> PhpResult<PhpStr> {
    let mut filled = Ok(());
    let text = PhpStr::build(length, |buffer| filled = secure_bytes(vm, buffer));
    filled.map(|()| text)
}

impl RandomEngine for Secure {
    fn generate(&mut self, vm: &Vm) -> PhpResult<(u64, usize)> {
        let mut bytes = [0; 8];
        secure_bytes(vm, &mut bytes)?;
        Ok((u64::from_le_bytes(bytes), 8))
    }
}

/// Draws that miss the even range this often mean that the engine is broken.
const ATTEMPTS_MAX: usize = 50;

fn draw(vm: &Vm, engine: &mut dyn RandomEngine, bytes: usize) -> PhpResult<u64> {
    let (mut value, mut size) = (0, 0);
    while size < bytes {
        let (part, part_size) = engine.generate(vm)?;
        value |= part << (size * 8);
        size += part_size.max(1);
    }
    Ok(value)
}

/// A uniform integer in `0..=max`, with rejection instead of a biased remainder.
pub fn uniform(vm: &Vm, engine: &mut dyn RandomEngine, max: u64) -> PhpResult<u64> {
    let (bytes, all) = if max > u32::MAX as u64 { (8, u64::MAX) } else { (4, u32::MAX as u64) };
    below(vm, engine, max, bytes, all)
}

fn below(vm: &Vm, engine: &mut dyn RandomEngine, max: u64, bytes: usize, all: u64) -> PhpResult<u64> {
    let mut value = draw(vm, engine, bytes)? & all;
    if max == all {
        return Ok(value);
    }
    let count = max + 1;
    if count.is_power_of_two() {
        return Ok(value & max);
    }
    let ceiling = all - all % count - 1;
    let mut attempts = 0;
    while value > ceiling {
        attempts += 1;
        if attempts > ATTEMPTS_MAX {
            let text = format!("Failed to generate an acceptable random number in {ATTEMPTS_MAX} attempts");
            return Err(vm.throw_class(b"Random\\BrokenRandomEngineError", text.as_bytes(), 0));
        }
        value = draw(vm, engine, bytes)? & all;
    }
    Ok(value % count)
}

/// 64 random bits.
pub fn uniform_bits(vm: &Vm, engine: &mut dyn RandomEngine) -> PhpResult<u64> {
    draw(vm, engine, 8)
}

/// As [`uniform`], always from 64 bits.
pub fn uniform_wide(vm: &Vm, engine: &mut dyn RandomEngine, max: u64) -> PhpResult<u64> {
    below(vm, engine, max, 8, u64::MAX)
}

/// An integer in `min..=max` as the functions of old scale one, whose share of 2^31 values is not even.
pub fn badly_scaled(value: u32, min: i64, max: i64) -> i64 {
    let scaled = (max as f64 - min as f64 + 1.0) * (f64::from(value >> 1) / (MT_RAND_MAX as f64 + 1.0));
    min.wrapping_add(scaled as u64 as i64)
}

/// The largest value of `mt_rand()`.
pub const MT_RAND_MAX: i64 = 0x7fff_ffff;

/// A uniform integer in `min..=max`.
pub fn range(vm: &Vm, engine: &mut dyn RandomEngine, min: i64, max: i64) -> PhpResult<i64> {
    let offset = uniform(vm, engine, max.wrapping_sub(min) as u64)?;
    Ok(min.wrapping_add(offset as i64))
}

/// The global generator, seeded on first use.
#[derive(Default)]
pub struct DefaultEngine(pub RefCell<Option<Box<Mt19937>>>);

static DEFAULT_ENGINE: DataKey<DefaultEngine> = DataKey::new();

/// A seed from the operating system.
pub fn random_seed() -> u32 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => std::process::id(),
    }
}

/// Lets `f` draw from the global generator.
pub fn with_default<R>(vm: &Vm, f: impl FnOnce(&mut Mt19937) -> R) -> R {
    let holder = vm.keyed(&DEFAULT_ENGINE);
    let fresh = || Box::new(Mt19937::new(random_seed(), MtMode::Mt19937));
    let mut engine = holder.0.borrow_mut().take().unwrap_or_else(fresh);
    let result = f(&mut engine);
    *holder.0.borrow_mut() = Some(engine);
    result
}

/// Seeds the global generator.
pub fn seed_default(vm: &Vm, seed: u32, mode: MtMode) {
    *vm.keyed(&DEFAULT_ENGINE).0.borrow_mut() = Some(Box::new(Mt19937::new(seed, mode)));
}

#[cfg(test)]
mod tests {
    use super::{Mt19937, MtMode};

    #[test]
    fn first_values_of_known_seeds() {
        assert_eq!(Mt19937::new(5489, MtMode::Mt19937).next(), 3_499_211_612);
        assert_eq!(Mt19937::new(1, MtMode::Mt19937).next() >> 1, 895_547_922);
    }
}
