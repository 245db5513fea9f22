//! Snefru with eight passes and 256 bits (Merkle 1990). Its boxes are random numbers: `snefru.txt`, one box after the
//! other.

use crate::blocks::Block;
use std::sync::LazyLock;

const PASSES: usize = 8;

static BOXES: LazyLock<Vec<[u32; 256]>> = LazyLock::new(|| {
    let words = include_str!("snefru.txt").split_ascii_whitespace();
    let words: Vec<u32> = words.map(|word| u32::from_str_radix(word, 16).unwrap_or_default()).collect();
    words.as_chunks().0.to_vec()
});

/// The chained digest, which is mixed with a block of data.
#[derive(Clone, Default)]
pub struct Snefru {
    state: [u32; 8],
}

impl Snefru {
    fn mix(&mut self, block: [u32; 8]) {
        let mut words = [0; 16];
        words[..8].copy_from_slice(&self.state);
        words[8..].copy_from_slice(&block);
        for boxes in BOXES.as_chunks::<2>().0.iter().take(PASSES) {
            for turn in [16, 8, 16, 24] {
                for at in 0..16 {
                    let entry = boxes[at / 2 % 2][(words[at] & 0xff) as usize];
                    words[(at + 15) % 16] ^= entry;
                    words[(at + 1) % 16] ^= entry;
                }
                words = words.map(|word| word.rotate_right(turn));
            }
        }
        for (old, new) in self.state.iter_mut().zip(words.iter().rev()) {
            *old ^= new;
        }
    }
}

impl Block for Snefru {
    fn words(&self) -> Vec<u8> {
        self.state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn set_words(&mut self, words: &[u8]) -> bool {
        crate::blocks::numbers(&mut self.state, words, u32::from_le_bytes)
    }

    const BYTES: usize = 32;

    fn take(&mut self, block: &[u8]) {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        self.mix(words);
    }

    /// Zeros up to a block, and a block that ends in the number of bits.
    fn padding(length: u64) -> Vec<u8> {
        let gap = (length as usize).wrapping_neg() % Self::BYTES;
        let mut tail = vec![0; gap + Self::BYTES - 8];
        tail.extend((length << 3).to_be_bytes());
        tail
    }

    fn digest(self) -> Vec<u8> {
        self.state.iter().flat_map(|word| word.to_be_bytes()).collect()
    }
}
