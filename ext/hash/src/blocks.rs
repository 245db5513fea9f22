//! Digests that take their data in blocks of one size.

use crate::algorithm::Hasher;
use crate::saved::Raw;

/// The computation of one kind of digest, block by block.
pub trait Block: Clone + Default {
    /// Bytes of a block.
    const BYTES: usize;

    /// Takes a whole block in.
    fn take(&mut self, block: &[u8]);

    /// The padding behind `length` bytes of data, which fills the last block, or further ones.
    fn padding(length: u64) -> Vec<u8>;

    fn digest(self) -> Vec<u8>;

    /// The chained words, least significant byte first.
    fn words(&self) -> Vec<u8>;

    /// Restores the chained words; false if their number is wrong.
    fn set_words(&mut self, words: &[u8]) -> bool;
}

/// Numbers of `SIZE` bytes out of their bytes.
pub fn numbers<T, const SIZE: usize>(to: &mut [T], bytes: &[u8], number: fn([u8; SIZE]) -> T) -> bool {
    let parts = bytes.as_chunks::<SIZE>().0;
    to.iter_mut().zip(parts).for_each(|(to, part)| *to = number(*part));
    to.len() * SIZE == bytes.len()
}

/// A running digest: the bytes that are no whole block yet, and the length so far.
#[derive(Clone, Default)]
pub struct Blocks<B> {
    state: B,
    rest: Vec<u8>,
    length: u64,
}

impl<B: Block> Blocks<B> {
    fn feed(&mut self, mut data: &[u8]) {
        if !self.rest.is_empty() {
            let missing = (B::BYTES - self.rest.len()).min(data.len());
            let (head, tail) = data.split_at(missing);
            self.rest.extend_from_slice(head);
            data = tail;
            if self.rest.len() < B::BYTES {
                return;
            }
            self.state.take(&self.rest);
            self.rest.clear();
        }
        let blocks = data.chunks_exact(B::BYTES);
        self.rest.extend_from_slice(blocks.remainder());
        blocks.for_each(|block| self.state.take(block));
    }
}

impl<B: Block + 'static> Hasher for Blocks<B> {
    fn update(&mut self, data: &[u8]) {
        self.length = self.length.wrapping_add(data.len() as u64);
        self.feed(data);
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        let padding = B::padding(self.length);
        self.feed(&padding);
        self.state.digest()
    }

    fn copy(&self) -> Box<dyn Hasher> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<Raw> {
        let blocks = self.length / B::BYTES as u64;
        Some(Raw { state: self.state.words(), blocks, rest: self.rest.clone() })
    }

    fn load(&mut self, raw: &Raw) -> bool {
        self.rest = raw.rest.clone();
        self.length = raw.blocks.wrapping_mul(B::BYTES as u64).wrapping_add(raw.rest.len() as u64);
        self.rest.len() < B::BYTES && self.state.set_words(&raw.state)
    }
}
