//! The table of algorithms, and what can be done with any of them.

use crate::blocks::{Block, Blocks};
use crate::haval::Haval;
use crate::murmur::{Murmur3a, Murmur3c, Murmur3f};
use crate::snefru::Snefru;
use crate::tiger::Tiger4;
use crate::xxhash::{Xxh3, Xxh32, Xxh64, Xxh128, xxh3_state};
use digest::DynDigest;

/// A running digest.
pub trait Hasher {
    fn update(&mut self, data: &[u8]);
    fn finish(self: Box<Self>) -> Vec<u8>;
    fn copy(&self) -> Box<dyn Hasher>;
}

/// An algorithm by PHP's name.
pub struct Algorithm {
    pub name: &'static str,
    /// Bytes of a block, for HMAC.
    pub block: usize,
    /// May it be used with HMAC?
    pub cryptographic: bool,
    make: fn(&Options) -> Box<dyn Hasher>,
    /// What of the options it looks at.
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

/// What callers can choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub seed: u64,
    pub secret: Option<Vec<u8>>,
}

impl Algorithm {
    pub fn start(&self) -> Box<dyn Hasher> {
        self.start_with(&Options::default())
    }

    pub fn start_with(&self, options: &Options) -> Box<dyn Hasher> {
        (self.make)(options)
    }

    pub fn digest(&self, data: &[u8]) -> Vec<u8> {
        self.digest_with(&Options::default(), data)
    }

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

struct Crypto(Box<dyn DynDigest>);

impl Hasher for Crypto {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Crypto(self.0.box_clone()))
    }
}

fn crypto<D: DynDigest + Default + 'static>(_: &Options) -> Box<dyn Hasher> {
    Box::new(Crypto(Box::new(D::default())))
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
}

fn tiger<const LENGTH: usize>(options: &Options) -> Box<dyn Hasher> {
    Box::new(Truncated(crypto::<::tiger::Tiger>(options), LENGTH))
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
    crypto_row("md2", 16, crypto::<md2::Md2>),
    crypto_row("md4", 64, crypto::<md4::Md4>),
    crypto_row("md5", 64, crypto::<md5::Md5>),
    crypto_row("sha1", 64, crypto::<sha1::Sha1>),
    crypto_row("sha224", 64, crypto::<sha2::Sha224>),
    crypto_row("sha256", 64, crypto::<sha2::Sha256>),
    crypto_row("sha384", 128, crypto::<sha2::Sha384>),
    crypto_row("sha512/224", 128, crypto::<sha2::Sha512_224>),
    crypto_row("sha512/256", 128, crypto::<sha2::Sha512_256>),
    crypto_row("sha512", 128, crypto::<sha2::Sha512>),
    crypto_row("sha3-224", 144, crypto::<sha3::Sha3_224>),
    crypto_row("sha3-256", 136, crypto::<sha3::Sha3_256>),
    crypto_row("sha3-384", 104, crypto::<sha3::Sha3_384>),
    crypto_row("sha3-512", 72, crypto::<sha3::Sha3_512>),
    crypto_row("ripemd128", 64, crypto::<ripemd::Ripemd128>),
    crypto_row("ripemd160", 64, crypto::<ripemd::Ripemd160>),
    crypto_row("ripemd256", 64, crypto::<ripemd::Ripemd256>),
    crypto_row("ripemd320", 64, crypto::<ripemd::Ripemd320>),
    crypto_row("whirlpool", 64, crypto::<whirlpool::Whirlpool>),
    crypto_row("tiger128,3", 64, tiger::<16>),
    crypto_row("tiger160,3", 64, tiger::<20>),
    crypto_row("tiger192,3", 64, tiger::<24>),
    crypto_row("tiger128,4", 64, blocks::<Tiger4<16>>),
    crypto_row("tiger160,4", 64, blocks::<Tiger4<20>>),
    crypto_row("tiger192,4", 64, blocks::<Tiger4<24>>),
    crypto_row("snefru", 32, blocks::<Snefru>),
    crypto_row("snefru256", 32, blocks::<Snefru>),
    crypto_row("gost", 32, crypto::<gost94::Gost94Test>),
    crypto_row("gost-crypto", 32, crypto::<gost94::Gost94CryptoPro>),
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
    seeded_row("xxh32", Takes::Seed, |options| Box::new(Xxh32(xxhash_rust::xxh32::Xxh32::new(options.seed as u32)))),
    seeded_row("xxh64", Takes::Seed, |options| Box::new(Xxh64(xxhash_rust::xxh64::Xxh64::new(options.seed)))),
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
