//! MurmurHash 3: 32 bits, and 128 bits for machines of 32 and of 64 bits.

use crate::algorithm::Hasher;
use crate::blocks::numbers;
use crate::saved::Raw;

/// Bytes that wait for a full block.
#[derive(Clone, Default)]
pub struct Pending {
    pub bytes: Vec<u8>,
    pub length: u64,
}

impl Pending {
    /// Gives `block` all full blocks of a size.
    pub fn feed(&mut self, data: &[u8], size: usize, mut block: impl FnMut(&[u8])) {
        self.length += data.len() as u64;
        self.bytes.extend_from_slice(data);
        let full = self.bytes.len() / size * size;
        self.bytes[..full].chunks_exact(size).for_each(&mut block);
        self.bytes.drain(..full);
    }

    /// The state in the form that serialisation uses; `size` is the length of a block.
    pub fn raw(&self, state: Vec<u8>, size: u64) -> Raw {
        Raw { state, blocks: self.length / size, rest: self.bytes.clone() }
    }

    /// The waiting bytes and the total length from a serialised state; `size` is the length of a block.
    pub fn restored(raw: &Raw, size: u64) -> Pending {
        Pending { bytes: raw.rest.clone(), length: raw.blocks.wrapping_mul(size).wrapping_add(raw.rest.len() as u64) }
    }
}

fn word32(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

fn word64(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn mix32(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

fn mix64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[derive(Clone)]
pub struct Murmur3a {
    hash: u32,
    pending: Pending,
}

impl Murmur3a {
    /// A computation that begins with the seed.
    pub fn new(seed: u32) -> Murmur3a {
        Murmur3a { hash: seed, pending: Pending::default() }
    }

    fn scramble(word: u32) -> u32 {
        word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
    }
}

impl Hasher for Murmur3a {
    fn update(&mut self, data: &[u8]) {
        let hash = &mut self.hash;
        self.pending.feed(data, 4, |block| {
            *hash ^= Murmur3a::scramble(word32(block));
            *hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
        });
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let tail = Murmur3a::scramble(word32(&self.pending.bytes));
        mix32(self.hash ^ tail ^ self.pending.length as u32).to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        Some(self.pending.raw(self.hash.to_le_bytes().to_vec(), 4))
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.pending = Pending::restored(raw, 4);
        numbers(std::slice::from_mut(&mut self.hash), &raw.state, u32::from_le_bytes)
    }
}

#[derive(Clone)]
pub struct Murmur3c {
    hash: [u32; 4],
    pending: Pending,
}

/// Multiplier before, rotation and multiplier after, of each lane.
const LANES32: [(u32, u32, u32); 4] = [
    (0x239b_961b, 15, 0xab0e_9789),
    (0xab0e_9789, 16, 0x38b3_4ae5),
    (0x38b3_4ae5, 17, 0xa1e3_8b93),
    (0xa1e3_8b93, 18, 0x239b_961b),
];
/// Rotation and addend of each lane after a block.
const STEPS32: [(u32, u32); 4] = [(19, 0x561c_cd1b), (17, 0x0bca_a747), (15, 0x96cd_1c35), (13, 0x32ac_3b17)];

impl Murmur3c {
    /// A computation that begins with the seed in all its words.
    pub fn new(seed: u32) -> Murmur3c {
        Murmur3c { hash: [seed; 4], pending: Pending::default() }
    }

    fn scramble(word: u32, lane: usize) -> u32 {
        let (before, turn, after) = LANES32[lane];
        word.wrapping_mul(before).rotate_left(turn).wrapping_mul(after)
    }
}

fn spread32(hash: &mut [u32; 4]) {
    hash[0] = hash[0].wrapping_add(hash[1]).wrapping_add(hash[2]).wrapping_add(hash[3]);
    let first = hash[0];
    hash[1..].iter_mut().for_each(|lane| *lane = lane.wrapping_add(first));
}

impl Hasher for Murmur3c {
    fn update(&mut self, data: &[u8]) {
        let hash = &mut self.hash;
        self.pending.feed(data, 16, |block| {
            for lane in 0..4 {
                hash[lane] ^= Murmur3c::scramble(word32(&block[lane * 4..lane * 4 + 4]), lane);
                let (turn, addend) = STEPS32[lane];
                let next = hash[(lane + 1) % 4];
                hash[lane] = hash[lane].rotate_left(turn).wrapping_add(next).wrapping_mul(5).wrapping_add(addend);
            }
        });
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut hash = self.hash;
        for (lane, part) in self.pending.bytes.chunks(4).enumerate() {
            hash[lane] ^= Murmur3c::scramble(word32(part), lane);
        }
        hash.iter_mut().for_each(|lane| *lane ^= self.pending.length as u32);
        spread32(&mut hash);
        hash = hash.map(mix32);
        spread32(&mut hash);
        hash.iter().flat_map(|lane| lane.to_be_bytes()).collect()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        Some(self.pending.raw(self.hash.iter().flat_map(|lane| lane.to_le_bytes()).collect(), 16))
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.pending = Pending::restored(raw, 16);
        numbers(&mut self.hash, &raw.state, u32::from_le_bytes)
    }
}

#[derive(Clone)]
pub struct Murmur3f {
    hash: [u64; 2],
    pending: Pending,
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

impl Murmur3f {
    /// A computation that begins with the seed in both its words.
    pub fn new(seed: u32) -> Murmur3f {
        Murmur3f { hash: [seed.into(); 2], pending: Pending::default() }
    }

    fn first(word: u64) -> u64 {
        word.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
    }

    fn second(word: u64) -> u64 {
        word.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
    }
}

impl Hasher for Murmur3f {
    fn update(&mut self, data: &[u8]) {
        let [one, two] = &mut self.hash;
        self.pending.feed(data, 16, |block| {
            *one ^= Murmur3f::first(word64(&block[..8]));
            *one = one.rotate_left(27).wrapping_add(*two).wrapping_mul(5).wrapping_add(0x52dc_e729);
            *two ^= Murmur3f::second(word64(&block[8..]));
            *two = two.rotate_left(31).wrapping_add(*one).wrapping_mul(5).wrapping_add(0x3849_5ab5);
        });
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let [mut one, mut two] = self.hash;
        let tail = &self.pending.bytes;
        if tail.len() > 8 {
            two ^= Murmur3f::second(word64(&tail[8..]));
        }
        one ^= Murmur3f::first(word64(&tail[..tail.len().min(8)]));
        one ^= self.pending.length;
        two ^= self.pending.length;
        one = one.wrapping_add(two);
        two = two.wrapping_add(one);
        (one, two) = (mix64(one), mix64(two));
        one = one.wrapping_add(two);
        two = two.wrapping_add(one);
        [one.to_be_bytes(), two.to_be_bytes()].concat()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        Some(self.pending.raw(self.hash.iter().flat_map(|lane| lane.to_le_bytes()).collect(), 16))
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.pending = Pending::restored(raw, 16);
        numbers(&mut self.hash, &raw.state, u64::from_le_bytes)
    }
}
