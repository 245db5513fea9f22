//! The table of algorithms, and what can be done with any of them.

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
    make: fn() -> Box<dyn Hasher>,
}

impl Algorithm {
    pub fn start(&self) -> Box<dyn Hasher> {
        (self.make)()
    }

    pub fn digest(&self, data: &[u8]) -> Vec<u8> {
        let mut hasher = self.start();
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

fn crypto<D: DynDigest + Default + 'static>() -> Box<dyn Hasher> {
    Box::new(Crypto(Box::new(D::default())))
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

const FNV32: u64 = 0x0100_0193;
const FNV64: u64 = 0x0100_0000_01b3;

const fn crypto_row(name: &'static str, block: usize, make: fn() -> Box<dyn Hasher>) -> Algorithm {
    Algorithm { name, block, cryptographic: true, make }
}

const fn sum_row(name: &'static str, make: fn() -> Box<dyn Hasher>) -> Algorithm {
    Algorithm { name, block: 4, cryptographic: false, make }
}

/// All algorithms, in the order of `hash_algos()`.
pub static ALGORITHMS: &[Algorithm] = &[
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
    sum_row("adler32", || Box::new(Sum { state: 1, step: adler_step, bytes: be32 })),
    sum_row("crc32b", || Box::new(Crc32b(crc32fast::Hasher::new()))),
    sum_row("fnv132", || {
        let step = |state: u64, byte: u8| (state.wrapping_mul(FNV32) & 0xffff_ffff) ^ byte as u64;
        Box::new(Sum { state: 0x811c_9dc5, step, bytes: be32 })
    }),
    sum_row("fnv1a32", || {
        let step = |state: u64, byte: u8| (state ^ byte as u64).wrapping_mul(FNV32) & 0xffff_ffff;
        Box::new(Sum { state: 0x811c_9dc5, step, bytes: be32 })
    }),
    sum_row("fnv164", || {
        let step = |state: u64, byte: u8| state.wrapping_mul(FNV64) ^ byte as u64;
        Box::new(Sum { state: 0xcbf2_9ce4_8422_2325, step, bytes: be64 })
    }),
    sum_row("fnv1a64", || {
        let step = |state: u64, byte: u8| (state ^ byte as u64).wrapping_mul(FNV64);
        Box::new(Sum { state: 0xcbf2_9ce4_8422_2325, step, bytes: be64 })
    }),
    sum_row("joaat", || {
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
];

/// An algorithm by name in any case.
pub fn find(name: &[u8]) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name.as_bytes().eq_ignore_ascii_case(name))
}
