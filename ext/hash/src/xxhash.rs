//! The xxHash family as hashers.

use crate::algorithm::{Hasher, Options};
use crate::blocks::numbers;
use crate::murmur::Pending;
use crate::saved::Raw;
use xxhash_rust::xxh3::Xxh3 as State;

pub struct Xxh3(pub Box<State>);
pub struct Xxh128(pub Box<State>);

/// A state with a seed or a secret of 136 to 256 bytes.
pub fn xxh3_state(options: &Options) -> Box<State> {
    use xxhash_rust::xxh3::Xxh3Builder;
    // The library has room for secrets of one length; others are repeated or cut to it.
    let builder = match &options.secret {
        None => Xxh3Builder::new().with_seed(options.seed),
        Some(secret) => {
            let mut fixed = [0; 192];
            fixed.iter_mut().zip(secret.iter().cycle()).for_each(|(to, from)| *to = *from);
            Xxh3Builder::new().with_secret(fixed)
        }
    };
    Box::new(builder.build())
}

/// The two older algorithms, whose state PHP serialises and the library does not show: four lanes that take in words.
macro_rules! lanes {
    ($name:ident, $word:ty, $primes:expr, $turns:expr) => {
        #[derive(Clone)]
        pub struct $name {
            lanes: [$word; 4],
            pending: Pending,
        }

        impl $name {
            const PRIMES: [$word; 5] = $primes;
            const SIZE: usize = size_of::<$word>();
            const BLOCK: usize = 4 * Self::SIZE;

            pub fn new(seed: $word) -> $name {
                let [first, second, ..] = Self::PRIMES;
                let lanes = [
                    seed.wrapping_add(first).wrapping_add(second),
                    seed.wrapping_add(second),
                    seed,
                    seed.wrapping_sub(first),
                ];
                $name { lanes, pending: Pending::default() }
            }

            fn word(bytes: &[u8]) -> $word {
                bytes.iter().rev().fold(0, |word, &byte| word << 8 | <$word>::from(byte))
            }

            fn round(lane: $word, word: $word) -> $word {
                let [first, second, ..] = Self::PRIMES;
                lane.wrapping_add(word.wrapping_mul(second)).rotate_left($turns).wrapping_mul(first)
            }

            /// The lanes combined, or the seed's value if there was no whole block.
            fn joined(&self) -> $word {
                if self.pending.length < Self::BLOCK as u64 {
                    // Without a block the third lane still is the seed.
                    return self.lanes[2].wrapping_add(Self::PRIMES[4]);
                }
                let turned = self.lanes.iter().zip([1, 7, 12, 18]).map(|(lane, turn)| lane.rotate_left(turn));
                turned.fold(0, <$word>::wrapping_add)
            }

            fn save_lanes(&self) -> Option<Raw> {
                let state = self.lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
                Some(self.pending.raw(state, Self::BLOCK as u64))
            }
        }

        impl Hasher for $name {
            fn update(&mut self, data: &[u8]) {
                let lanes = &mut self.lanes;
                self.pending.feed(data, Self::BLOCK, |block| {
                    for (lane, word) in lanes.iter_mut().zip(block.chunks_exact(Self::SIZE)) {
                        *lane = Self::round(*lane, Self::word(word));
                    }
                });
            }

            fn finish(self: Box<Self>) -> Vec<u8> {
                self.digest().to_be_bytes().to_vec()
            }

            fn copy(&self) -> Box<dyn Hasher> {
                Box::new(self.clone())
            }

            fn save(&self) -> Option<Raw> {
                self.save_lanes()
            }

            fn load(&mut self, raw: &Raw) -> bool {
                self.pending = Pending::restored(raw, Self::BLOCK as u64);
                numbers(&mut self.lanes, &raw.state, <$word>::from_le_bytes)
            }
        }
    };
}

lanes!(Xxh32, u32, [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1], 13);
lanes!(
    Xxh64,
    u64,
    [0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63, 0x27d4_eb2f_1656_67c5],
    31
);

impl Xxh32 {
    fn digest(&self) -> u32 {
        let [first, second, third, fourth, fifth] = Self::PRIMES;
        let mut hash = self.joined().wrapping_add(self.pending.length as u32);
        let words = self.pending.bytes.chunks_exact(4);
        let tail = words.remainder();
        for word in words {
            hash = hash.wrapping_add(Self::word(word).wrapping_mul(third)).rotate_left(17).wrapping_mul(fourth);
        }
        for &byte in tail {
            hash = hash.wrapping_add(u32::from(byte).wrapping_mul(fifth)).rotate_left(11).wrapping_mul(first);
        }
        hash = (hash ^ hash >> 15).wrapping_mul(second);
        hash = (hash ^ hash >> 13).wrapping_mul(third);
        hash ^ hash >> 16
    }
}

impl Xxh64 {
    fn digest(&self) -> u64 {
        let [first, second, third, fourth, fifth] = Self::PRIMES;
        let mut hash = self.joined();
        if self.pending.length >= Self::BLOCK as u64 {
            for &lane in &self.lanes {
                hash = (hash ^ Self::round(0, lane)).wrapping_mul(first).wrapping_add(fourth);
            }
        }
        hash = hash.wrapping_add(self.pending.length);
        let words = self.pending.bytes.chunks_exact(8);
        let mut tail = words.remainder();
        for word in words {
            hash = (hash ^ Self::round(0, Self::word(word))).rotate_left(27).wrapping_mul(first).wrapping_add(fourth);
        }
        if let Some((half, rest)) = tail.split_at_checked(4) {
            hash =
                (hash ^ Self::word(half).wrapping_mul(first)).rotate_left(23).wrapping_mul(second).wrapping_add(third);
            tail = rest;
        }
        for &byte in tail {
            hash = (hash ^ u64::from(byte).wrapping_mul(fifth)).rotate_left(11).wrapping_mul(first);
        }
        hash = (hash ^ hash >> 33).wrapping_mul(second);
        hash = (hash ^ hash >> 29).wrapping_mul(third);
        hash ^ hash >> 32
    }
}

impl Hasher for Xxh3 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.digest().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Xxh3(self.0.clone()))
    }
}

impl Hasher for Xxh128 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.digest128().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Xxh128(self.0.clone()))
    }
}
