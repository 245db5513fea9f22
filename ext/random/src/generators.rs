//! The engines with 64-bit results: PCG and Xoshiro, and the state of any engine object.

use crate::engine::{Mt19937, MtMode, RandomEngine, Secure};
use phlox_runtime::{PhpResult, Vm};

const PCG_MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
const PCG_INCREMENT: u128 = 0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f;

/// PCG with 128 bits of state, XSL RR output.
#[derive(Clone)]
pub struct Pcg {
    pub state: u128,
}

impl Pcg {
    pub fn new(seed: u128) -> Pcg {
        let mut pcg = Pcg { state: 0 };
        pcg.step();
        pcg.state = pcg.state.wrapping_add(seed);
        pcg.step();
        pcg
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(PCG_MULTIPLIER).wrapping_add(PCG_INCREMENT);
    }

    pub fn next(&mut self) -> u64 {
        self.step();
        let (high, low) = ((self.state >> 64) as u64, self.state as u64);
        (high ^ low).rotate_right((high >> 58) as u32)
    }

    /// As `advance` steps, by squaring.
    pub fn jump(&mut self, advance: u64) {
        let (mut multiplier, mut increment) = (PCG_MULTIPLIER, PCG_INCREMENT);
        let (mut total_multiplier, mut total_increment) = (1u128, 0u128);
        let mut left = advance;
        while left > 0 {
            if left & 1 == 1 {
                total_multiplier = total_multiplier.wrapping_mul(multiplier);
                total_increment = total_increment.wrapping_mul(multiplier).wrapping_add(increment);
            }
            increment = multiplier.wrapping_add(1).wrapping_mul(increment);
            multiplier = multiplier.wrapping_mul(multiplier);
            left >>= 1;
        }
        self.state = total_multiplier.wrapping_mul(self.state).wrapping_add(total_increment);
    }
}

/// Xoshiro256**
#[derive(Clone)]
pub struct Xoshiro {
    pub state: [u64; 4],
}

const JUMP: [u64; 4] = [0x180e_c6d3_3cfd_0aba, 0xd5a6_1266_f0c9_392c, 0xa958_2618_e03f_c9aa, 0x39ab_dc45_29b1_661c];
const JUMP_LONG: [u64; 4] =
    [0x76e1_5d3e_fefd_cbbf, 0xc500_4e44_1c52_2fb3, 0x7771_0069_854e_e241, 0x3910_9bb0_2acb_e635];

impl Xoshiro {
    /// The state from an integer seed, by SplitMix64.
    pub fn from_int(seed: u64) -> Xoshiro {
        let mut seed = seed;
        let mut split = || {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = seed;
            mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        Xoshiro { state: [split(), split(), split(), split()] }
    }

    pub fn next(&mut self) -> u64 {
        let state = &mut self.state;
        let result = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        result
    }

    pub fn jump(&mut self, long: bool) {
        let mut sum = [0; 4];
        for word in if long { JUMP_LONG } else { JUMP } {
            for bit in 0..64 {
                if word >> bit & 1 == 1 {
                    for (total, part) in sum.iter_mut().zip(self.state) {
                        *total ^= part;
                    }
                }
                self.next();
            }
        }
        self.state = sum;
    }
}

/// The state of an engine object.
#[derive(Clone)]
pub enum Generator {
    Mt(Box<Mt19937>),
    Pcg(Pcg),
    Xoshiro(Xoshiro),
    Secure,
}

impl RandomEngine for Generator {
    fn generate(&mut self, vm: &Vm) -> PhpResult<(u64, usize)> {
        Ok(match self {
            Generator::Mt(engine) => (engine.next() as u64, 4),
            Generator::Pcg(engine) => (engine.next(), 8),
            Generator::Xoshiro(engine) => (engine.next(), 8),
            Generator::Secure => return Secure.generate(vm),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The integer that hexadecimal digits of little-endian bytes stand for.
fn unhex(text: &[u8], bytes: usize) -> Option<u64> {
    if text.len() != bytes * 2 {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let mut value = 0;
    for index in (0..bytes).rev() {
        value = value << 8 | u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()? as u64;
    }
    Some(value)
}

/// A part of a state as it is serialised.
pub enum StatePart {
    Text(String),
    Int(i64),
}

impl Generator {
    pub fn states(&self) -> Vec<StatePart> {
        match self {
            Generator::Mt(engine) => {
                let words = engine.state.iter().map(|word| StatePart::Text(hex(&word.to_le_bytes())));
                let mode = StatePart::Int((engine.mode == MtMode::Legacy) as i64);
                words.chain([StatePart::Int(engine.count as i64), mode]).collect()
            }
            Generator::Pcg(engine) => {
                let halves = [(engine.state >> 64) as u64, engine.state as u64];
                halves.iter().map(|half| StatePart::Text(hex(&half.to_le_bytes()))).collect()
            }
            Generator::Xoshiro(engine) => {
                engine.state.iter().map(|word| StatePart::Text(hex(&word.to_le_bytes()))).collect()
            }
            Generator::Secure => Vec::new(),
        }
    }

    /// Takes a state over; false: it does not fit.
    pub fn restore(&mut self, parts: &[StatePart]) -> bool {
        let word = |index: usize, bytes: usize| match parts.get(index) {
            Some(StatePart::Text(text)) => unhex(text.as_bytes(), bytes),
            _ => None,
        };
        let int = |index: usize| match parts.get(index) {
            Some(StatePart::Int(int)) => Some(*int),
            _ => None,
        };
        match self {
            Generator::Mt(engine) => {
                let words = engine.state.len();
                if parts.len() != words + 2 {
                    return false;
                }
                for index in 0..words {
                    let Some(value) = word(index, 4) else { return false };
                    engine.state[index] = value as u32;
                }
                let (Some(count), Some(mode)) = (int(words), int(words + 1)) else { return false };
                if !(0..=words as i64).contains(&count) || !(0..=1).contains(&mode) {
                    return false;
                }
                engine.count = count as usize;
                engine.mode = if mode == 1 { MtMode::Legacy } else { MtMode::Mt19937 };
                true
            }
            Generator::Pcg(engine) => match (parts.len(), word(0, 8), word(1, 8)) {
                (2, Some(high), Some(low)) => {
                    engine.state = (high as u128) << 64 | low as u128;
                    true
                }
                _ => false,
            },
            Generator::Xoshiro(engine) => {
                let words = [word(0, 8), word(1, 8), word(2, 8), word(3, 8)];
                let [Some(a), Some(b), Some(c), Some(d)] = words else { return false };
                engine.state = [a, b, c, d];
                parts.len() == 4 && engine.state != [0; 4]
            }
            Generator::Secure => false,
        }
    }
}
