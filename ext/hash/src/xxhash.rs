//! The xxHash family as hashers.

use crate::algorithm::{Hasher, Options};
use xxhash_rust::xxh3::Xxh3 as State;

pub struct Xxh32(pub xxhash_rust::xxh32::Xxh32);
pub struct Xxh64(pub xxhash_rust::xxh64::Xxh64);
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

impl Hasher for Xxh32 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.digest().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Xxh32(self.0.clone()))
    }
}

impl Hasher for Xxh64 {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.digest().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(Xxh64(self.0.clone()))
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
