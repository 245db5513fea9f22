//! Tiger with four passes (Anderson, Biham 1996); the one with three is a library's. The boxes are made as the authors
//! made them: by the digest itself, from their paper's title.

use crate::blocks::Block;
use std::sync::LazyLock;

type State = [u64; 3];
type Boxes = [[u64; 256]; 4];

const START: State = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xf096_a5b4_c3b2_e187];
const TITLE: &[u8; 64] = b"Tiger - A Fast New Hash Function, by Ross Anderson and Eli Biham";

static BOXES: LazyLock<Box<Boxes>> = LazyLock::new(|| {
    const ROUNDS: usize = 5;
    let mut boxes = Box::new([std::array::from_fn(|entry| u64::from_ne_bytes([entry as u8; 8])); 4]);
    let (mut state, mut word) = (START, 2);
    for _ in 0..ROUNDS {
        for entry in 0..256 {
            for table in 0..4 {
                word += 1;
                if word == 3 {
                    word = 0;
                    state = compressed(&boxes, state, words(TITLE), 3);
                }
                for (column, other) in state[word].to_le_bytes().into_iter().enumerate() {
                    swap_bytes(&mut boxes[table], entry, other.into(), 8 * column);
                }
            }
        }
    }
    boxes
});

fn swap_bytes(table: &mut [u64; 256], a: usize, b: usize, shift: usize) {
    let difference = (table[a] ^ table[b]) & 0xff << shift;
    table[a] ^= difference;
    table[b] ^= difference;
}

fn words(block: &[u8]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// One pass over a block; the three words take turns, beginning with `first`.
fn pass(boxes: &Boxes, state: &mut State, first: usize, key: &[u64; 8], factor: u64) {
    for (step, word) in key.iter().enumerate() {
        let [a, b, c] = [0, 1, 2].map(|place| (first + step + place) % 3);
        state[c] ^= word;
        let bytes = state[c].to_le_bytes().map(usize::from);
        let even = boxes[0][bytes[0]] ^ boxes[1][bytes[2]] ^ boxes[2][bytes[4]] ^ boxes[3][bytes[6]];
        let odd = boxes[3][bytes[1]] ^ boxes[2][bytes[3]] ^ boxes[1][bytes[5]] ^ boxes[0][bytes[7]];
        state[a] = state[a].wrapping_sub(even);
        state[b] = state[b].wrapping_add(odd).wrapping_mul(factor);
    }
}

/// The words of the next pass.
fn next_key([x0, x1, x2, x3, x4, x5, x6, x7]: [u64; 8]) -> [u64; 8] {
    let x0 = x0.wrapping_sub(x7 ^ 0xa5a5_a5a5_a5a5_a5a5);
    let x1 = x1 ^ x0;
    let x2 = x2.wrapping_add(x1);
    let x3 = x3.wrapping_sub(x2 ^ !x1 << 19);
    let x4 = x4 ^ x3;
    let x5 = x5.wrapping_add(x4);
    let x6 = x6.wrapping_sub(x5 ^ !x4 >> 23);
    let x7 = x7 ^ x6;
    let x0 = x0.wrapping_add(x7);
    let x1 = x1.wrapping_sub(x0 ^ !x7 << 19);
    let x2 = x2 ^ x1;
    let x3 = x3.wrapping_add(x2);
    let x4 = x4.wrapping_sub(x3 ^ !x2 >> 23);
    let x5 = x5 ^ x4;
    let x6 = x6.wrapping_add(x5);
    [x0, x1, x2, x3, x4, x5, x6, x7.wrapping_sub(x6 ^ 0x0123_4567_89ab_cdef)]
}

fn compressed(boxes: &Boxes, old: State, mut key: [u64; 8], passes: usize) -> State {
    let mut state = old;
    for number in 0..passes {
        if number > 0 {
            key = next_key(key);
        }
        // Each pass begins one word earlier than the one before.
        pass(boxes, &mut state, (3 - number % 3) % 3, &key, [5, 7, 9, 9][number.min(3)]);
    }
    let turned = |place: usize| state[(place + 6 - passes.saturating_sub(3)) % 3];
    [turned(0) ^ old[0], turned(1).wrapping_sub(old[1]), turned(2).wrapping_add(old[2])]
}

/// Tiger whose digest has `BYTES` bytes, with a fourth pass.
#[derive(Clone)]
pub struct Tiger4<const BYTES: usize> {
    state: State,
}

impl<const BYTES: usize> Default for Tiger4<BYTES> {
    fn default() -> Self {
        Tiger4 { state: START }
    }
}

impl<const BYTES: usize> Block for Tiger4<BYTES> {
    fn words(&self) -> Vec<u8> {
        self.state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn set_words(&mut self, words: &[u8]) -> bool {
        crate::blocks::numbers(&mut self.state, words, u64::from_le_bytes)
    }

    const BYTES: usize = 64;

    fn take(&mut self, block: &[u8]) {
        self.state = compressed(&BOXES, self.state, words(block), 4);
    }

    /// A one bit from below, zeros, and the number of bits.
    fn padding(length: u64) -> Vec<u8> {
        let gap = (56 + 64 - (length as usize + 1) % 64) % 64;
        let mut tail = vec![1];
        tail.resize(1 + gap, 0);
        tail.extend((length << 3).to_le_bytes());
        tail
    }

    fn digest(self) -> Vec<u8> {
        self.state.iter().flat_map(|word| word.to_le_bytes()).take(BYTES).collect()
    }
}
