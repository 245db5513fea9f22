//! The table of algorithms, and what can be done with any of them.

use crate::blocks::{Block, Blocks};
use crate::haval::Haval;
use crate::murmur::{Murmur3a, Murmur3c, Murmur3f};
use crate::saved::Raw;
use crate::snefru::Snefru;
use crate::tiger::Tiger4;
use crate::xxhash::{Xxh3, Xxh32, Xxh64, Xxh128, xxh3_state};
use digest::Digest;
use digest::common::hazmat::{SerializableState, SerializedState};

/// A running digest.
pub trait Hasher {
    fn update(&mut self, data: &[u8]);
    fn finish(self: Box<Self>) -> Vec<u8>;
    fn copy(&self) -> Box<dyn Hasher>;

    /// The state of the computation; `None` if the library does not show it.
    fn save(&self) -> Option<Raw> {
        None
    }

    /// Restores a state; false if that is impossible.
    fn load(&mut self, raw: &Raw) -> bool {
        let _ = raw;
        false
    }
}

/// An algorithm by PHP's name.
pub struct Algorithm {
    pub name: &'static str,
    /// Bytes of a block, for HMAC.
    pub block: usize,
    /// May it be used with HMAC?
    pub cryptographic: bool,
    make: fn(&Options) -> Box<dyn Hasher>,
    /// The options that the algorithm uses.
    pub takes: Takes,
}

/// Which options an algorithm has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    Seed,
    /// A seed or a secret.
    Secret,
}

/// The options that callers can choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub seed: u64,
    pub secret: Option<Vec<u8>>,
}

impl Algorithm {
    /// A new computation with the default options.
    pub fn start(&self) -> Box<dyn Hasher> {
        self.start_with(&Options::default())
    }

    /// A new computation with these options, such as a seed.
    pub fn start_with(&self, options: &Options) -> Box<dyn Hasher> {
        (self.make)(options)
    }

    /// The digest of the data.
    pub fn digest(&self, data: &[u8]) -> Vec<u8> {
        self.digest_with(&Options::default(), data)
    }

    /// The digest of the data, computed with these options.
    pub fn digest_with(&self, options: &Options, data: &[u8]) -> Vec<u8> {
        let mut hasher = self.start_with(options);
        hasher.update(data);
        hasher.finish()
    }

    /// HMAC (RFC 2104).
    pub fn hmac(&self, key: &[u8], data: &[u8]) -> Vec<u8> {
        let (inner, outer) = self.hmac_pads(key);
        let mut hasher = self.start();
        hasher.update(&inner);
        hasher.update(data);
        self.digest(&[outer, hasher.finish()].concat())
    }

    /// The inner and outer padded keys.
    pub fn hmac_pads(&self, key: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut block = if key.len() > self.block { self.digest(key) } else { key.to_vec() };
        block.resize(self.block, 0);
        (block.iter().map(|b| b ^ 0x36).collect(), block.iter().map(|b| b ^ 0x5c).collect())
    }
}

/// A library's digest with blocks of `BLOCK` bytes, which counts them in `COUNT` bytes.
struct Crypto<D, const BLOCK: usize, const COUNT: usize>(D);

impl<D, const BLOCK: usize, const COUNT: usize> Hasher for Crypto<D, BLOCK, COUNT>
where
    D: Digest + SerializableState + Clone + 'static,
{
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Crypto::<D, BLOCK, COUNT>(self.0.clone()))
    }

    /// The libraries write the state, the number of blocks, how full the buffer is, and the buffer.
    fn save(&self) -> Option<Raw> {
        let bytes = self.0.serialize();
        let (head, buffer) = bytes.split_at_checked(bytes.len().checked_sub(BLOCK)?)?;
        let (state, count) = head.split_at_checked(head.len().checked_sub(COUNT)?)?;
        let blocks = count.iter().take(8).rev().fold(0, |blocks, &byte| blocks << 8 | u64::from(byte));
        let (&full, rest) = buffer.split_first()?;
        Some(Raw { state: state.to_vec(), blocks, rest: rest.get(..full.into())?.to_vec() })
    }

    fn load(&mut self, raw: &Raw) -> bool {
        let mut bytes = SerializedState::<D>::default();
        let Ok(full) = u8::try_from(raw.rest.len()) else { return false };
        let count = u128::from(raw.blocks).to_le_bytes();
        let mut written = [&raw.state[..], &count[..COUNT], &[full], &raw.rest].concat();
        if raw.state.len() + COUNT + BLOCK != bytes.len() || raw.rest.len() >= BLOCK {
            return false;
        }
        written.resize(bytes.len(), 0);
        bytes.copy_from_slice(&written);
        match D::deserialize(&bytes) {
            Ok(digest) => {
                self.0 = digest;
                true
            }
            Err(_) => false,
        }
    }
}

fn crypto<D, const BLOCK: usize, const COUNT: usize>(_: &Options) -> Box<dyn Hasher>
where
    D: Digest + SerializableState + Clone + 'static,
{
    Box::new(Crypto::<D, BLOCK, COUNT>(D::new()))
}

/// The first bytes of another digest.
struct Truncated(Box<dyn Hasher>, usize);

impl Hasher for Truncated {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut digest = self.0.finish();
        digest.truncate(self.1);
        digest
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Truncated(self.0.copy(), self.1))
    }

    fn save(&self) -> Option<Raw> {
        self.0.save()
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.0.load(raw)
    }
}

fn tiger<const LENGTH: usize>(options: &Options) -> Box<dyn Hasher> {
    Box::new(Truncated(crypto::<::tiger::Tiger, 64, 8>(options), LENGTH))
}

fn blocks<B: Block + 'static>(_: &Options) -> Box<dyn Hasher> {
    Box::new(Blocks::<B>::default())
}

/// A checksum whose whole state is one integer; `step` takes a byte in, `bytes` shows it.
#[derive(Clone)]
struct Sum {
    state: u64,
    step: fn(u64, u8) -> u64,
    bytes: fn(u64) -> Vec<u8>,
}

impl Hasher for Sum {
    fn update(&mut self, data: &[u8]) {
        self.state = data.iter().fold(self.state, |state, &byte| (self.step)(state, byte));
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        (self.bytes)(self.state)
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        let width = (self.bytes)(self.state).len();
        Some(Raw { state: self.state.to_le_bytes()[..width].to_vec(), ..Raw::default() })
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.state = raw.state.iter().rev().fold(0, |state, &byte| state << 8 | u64::from(byte));
        true
    }
}

#[derive(Clone)]
struct Crc32b(crc32fast::Hasher);

impl Hasher for Crc32b {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        let state = !self.0.clone().finalize();
        Some(Raw { state: state.to_le_bytes().to_vec(), ..Raw::default() })
    }

    fn load(&mut self, raw: &Raw) -> bool {
        let Ok(state) = raw.state[..].try_into() else { return false };
        self.0 = crc32fast::Hasher::new_with_initial(!u32::from_le_bytes(state));
        true
    }
}

fn be32(state: u64) -> Vec<u8> {
    (state as u32).to_be_bytes().to_vec()
}

fn be64(state: u64) -> Vec<u8> {
    state.to_be_bytes().to_vec()
}

fn adler_step(state: u64, byte: u8) -> u64 {
    let a = ((state & 0xffff) + byte as u64) % 65521;
    let b = ((state >> 16) + a) % 65521;
    b << 16 | a
}

/// Bit by bit, most significant bit first.
fn crc_msb_step(state: u64, byte: u8) -> u64 {
    let start = (state as u32) ^ u32::from(byte) << 24;
    u64::from((0..8).fold(start, |crc, _| if crc & 1 << 31 != 0 { crc << 1 ^ 0x04c1_1db7 } else { crc << 1 }))
}

/// Bit by bit, least significant bit first, with Castagnoli's polynomial.
fn castagnoli_step(state: u64, byte: u8) -> u64 {
    let start = (state as u32) ^ u32::from(byte);
    u64::from((0..8).fold(start, |crc, _| if crc & 1 != 0 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 }))
}

fn inverted_be32(state: u64) -> Vec<u8> {
    (!(state as u32)).to_be_bytes().to_vec()
}

fn inverted_le32(state: u64) -> Vec<u8> {
    (!(state as u32)).to_le_bytes().to_vec()
}

const FNV32: u64 = 0x0100_0193;
const FNV64: u64 = 0x0100_0000_01b3;

const fn crypto_row(name: &'static str, block: usize, make: fn(&Options) -> Box<dyn Hasher>) -> Algorithm {
    Algorithm { name, block, cryptographic: true, make, takes: Takes::Nothing }
}

const fn sum_row(name: &'static str, make: fn(&Options) -> Box<dyn Hasher>) -> Algorithm {
    Algorithm { name, block: 4, cryptographic: false, make, takes: Takes::Nothing }
}

const fn seeded_row(name: &'static str, takes: Takes, make: fn(&Options) -> Box<dyn Hasher>) -> Algorithm {
    Algorithm { name, block: 4, cryptographic: false, make, takes }
}

/// All algorithms, in the order of `hash_algos()`.
pub static ALGORITHMS: &[Algorithm] = &[
    crypto_row("md2", 16, crypto::<md2::Md2, 16, 0>),
    crypto_row("md4", 64, crypto::<md4::Md4, 64, 8>),
    crypto_row("md5", 64, crypto::<md5::Md5, 64, 8>),
    crypto_row("sha1", 64, crypto::<sha1::Sha1, 64, 8>),
    crypto_row("sha224", 64, crypto::<sha2::Sha224, 64, 8>),
    crypto_row("sha256", 64, crypto::<sha2::Sha256, 64, 8>),
    crypto_row("sha384", 128, crypto::<sha2::Sha384, 128, 16>),
    crypto_row("sha512/224", 128, crypto::<sha2::Sha512_224, 128, 16>),
    crypto_row("sha512/256", 128, crypto::<sha2::Sha512_256, 128, 16>),
    crypto_row("sha512", 128, crypto::<sha2::Sha512, 128, 16>),
    crypto_row("sha3-224", 144, crypto::<sha3::Sha3_224, 144, 0>),
    crypto_row("sha3-256", 136, crypto::<sha3::Sha3_256, 136, 0>),
    crypto_row("sha3-384", 104, crypto::<sha3::Sha3_384, 104, 0>),
    crypto_row("sha3-512", 72, crypto::<sha3::Sha3_512, 72, 0>),
    crypto_row("ripemd128", 64, crypto::<ripemd::Ripemd128, 64, 8>),
    crypto_row("ripemd160", 64, crypto::<ripemd::Ripemd160, 64, 8>),
    crypto_row("ripemd256", 64, crypto::<ripemd::Ripemd256, 64, 8>),
    crypto_row("ripemd320", 64, crypto::<ripemd::Ripemd320, 64, 8>),
    crypto_row("whirlpool", 64, crypto::<whirlpool::Whirlpool, 64, 8>),
    crypto_row("tiger128,3", 64, tiger::<16>),
    crypto_row("tiger160,3", 64, tiger::<20>),
    crypto_row("tiger192,3", 64, tiger::<24>),
    crypto_row("tiger128,4", 64, blocks::<Tiger4<16>>),
    crypto_row("tiger160,4", 64, blocks::<Tiger4<20>>),
    crypto_row("tiger192,4", 64, blocks::<Tiger4<24>>),
    crypto_row("snefru", 32, blocks::<Snefru>),
    crypto_row("snefru256", 32, blocks::<Snefru>),
    crypto_row("gost", 32, crypto::<gost94::Gost94Test, 32, 0>),
    crypto_row("gost-crypto", 32, crypto::<gost94::Gost94CryptoPro, 32, 0>),
    sum_row("adler32", |_| Box::new(Sum { state: 1, step: adler_step, bytes: be32 })),
    sum_row("crc32", |_| Box::new(Sum { state: 0xffff_ffff, step: crc_msb_step, bytes: inverted_le32 })),
    sum_row("crc32b", |_| Box::new(Crc32b(crc32fast::Hasher::new()))),
    sum_row("crc32c", |_| Box::new(Sum { state: 0xffff_ffff, step: castagnoli_step, bytes: inverted_be32 })),
    sum_row("fnv132", |_| {
        let step = |state: u64, byte: u8| (state.wrapping_mul(FNV32) & 0xffff_ffff) ^ byte as u64;
        Box::new(Sum { state: 0x811c_9dc5, step, bytes: be32 })
    }),
    sum_row("fnv1a32", |_| {
        let step = |state: u64, byte: u8| (state ^ byte as u64).wrapping_mul(FNV32) & 0xffff_ffff;
        Box::new(Sum { state: 0x811c_9dc5, step, bytes: be32 })
    }),
    sum_row("fnv164", |_| {
        let step = |state: u64, byte: u8| state.wrapping_mul(FNV64) ^ byte as u64;
        Box::new(Sum { state: 0xcbf2_9ce4_8422_2325, step, bytes: be64 })
    }),
    sum_row("fnv1a64", |_| {
        let step = |state: u64, byte: u8| (state ^ byte as u64).wrapping_mul(FNV64);
        Box::new(Sum { state: 0xcbf2_9ce4_8422_2325, step, bytes: be64 })
    }),
    sum_row("joaat", |_| {
        let step = |state: u64, byte: u8| {
            let mixed = (state as u32).wrapping_add(byte as u32);
            let mixed = mixed.wrapping_add(mixed << 10);
            (mixed ^ mixed >> 6) as u64
        };
        let bytes = |state: u64| {
            let mixed = (state as u32).wrapping_add((state as u32) << 3);
            let mixed = mixed ^ mixed >> 11;
            mixed.wrapping_add(mixed << 15).to_be_bytes().to_vec()
        };
        Box::new(Sum { state: 0, step, bytes })
    }),
    seeded_row("murmur3a", Takes::Seed, |options| Box::new(Murmur3a::new(options.seed as u32))),
    seeded_row("murmur3c", Takes::Seed, |options| Box::new(Murmur3c::new(options.seed as u32))),
    seeded_row("murmur3f", Takes::Seed, |options| Box::new(Murmur3f::new(options.seed as u32))),
    seeded_row("xxh32", Takes::Seed, |options| Box::new(Xxh32::new(options.seed as u32))),
    seeded_row("xxh64", Takes::Seed, |options| Box::new(Xxh64::new(options.seed))),
    seeded_row("xxh3", Takes::Secret, |options| Box::new(Xxh3(xxh3_state(options)))),
    seeded_row("xxh128", Takes::Secret, |options| Box::new(Xxh128(xxh3_state(options)))),
    crypto_row("haval128,3", 128, blocks::<Haval<128, 3>>),
    crypto_row("haval160,3", 128, blocks::<Haval<160, 3>>),
    crypto_row("haval192,3", 128, blocks::<Haval<192, 3>>),
    crypto_row("haval224,3", 128, blocks::<Haval<224, 3>>),
    crypto_row("haval256,3", 128, blocks::<Haval<256, 3>>),
    crypto_row("haval128,4", 128, blocks::<Haval<128, 4>>),
    crypto_row("haval160,4", 128, blocks::<Haval<160, 4>>),
    crypto_row("haval192,4", 128, blocks::<Haval<192, 4>>),
    crypto_row("haval224,4", 128, blocks::<Haval<224, 4>>),
    crypto_row("haval256,4", 128, blocks::<Haval<256, 4>>),
    crypto_row("haval128,5", 128, blocks::<Haval<128, 5>>),
    crypto_row("haval160,5", 128, blocks::<Haval<160, 5>>),
    crypto_row("haval192,5", 128, blocks::<Haval<192, 5>>),
    crypto_row("haval224,5", 128, blocks::<Haval<224, 5>>),
    crypto_row("haval256,5", 128, blocks::<Haval<256, 5>>),
];

/// An algorithm by name in any case.
pub fn find(name: &[u8]) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name.as_bytes().eq_ignore_ascii_case(name))
}
