//! HAVAL with three to five passes (Zheng, Pieprzyk, Seberry 1992).

use crate::blocks::Block;

const WORDS: usize = 32;

/// The digits of pi after the point: what a digest starts from.
#[rustfmt::skip]
const START: [u32; 8] = [
    0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344, 0xa409_3822, 0x299f_31d0, 0x082e_fa98, 0xec4e_6c89,
];

/// The digits that follow: what the words of each pass after the first are added to.
#[rustfmt::skip]
const ADDED: [[u32; WORDS]; 4] = [
    [
        0x4528_21e6, 0x38d0_1377, 0xbe54_66cf, 0x34e9_0c6c, 0xc0ac_29b7, 0xc97c_50dd, 0x3f84_d5b5, 0xb547_0917,
        0x9216_d5d9, 0x8979_fb1b, 0xd131_0ba6, 0x98df_b5ac, 0x2ffd_72db, 0xd01a_dfb7, 0xb8e1_afed, 0x6a26_7e96,
        0xba7c_9045, 0xf12c_7f99, 0x24a1_9947, 0xb391_6cf7, 0x0801_f2e2, 0x858e_fc16, 0x6369_20d8, 0x7157_4e69,
        0xa458_fea3, 0xf493_3d7e, 0x0d95_748f, 0x728e_b658, 0x718b_cd58, 0x8215_4aee, 0x7b54_a41d, 0xc25a_59b5,
    ],
    [
        0x9c30_d539, 0x2af2_6013, 0xc5d1_b023, 0x2860_85f0, 0xca41_7918, 0xb8db_38ef, 0x8e79_dcb0, 0x603a_180e,
        0x6c9e_0e8b, 0xb01e_8a3e, 0xd715_77c1, 0xbd31_4b27, 0x78af_2fda, 0x5560_5c60, 0xe655_25f3, 0xaa55_ab94,
        0x5748_9862, 0x63e8_1440, 0x55ca_396a, 0x2aab_10b6, 0xb4cc_5c34, 0x1141_e8ce, 0xa154_86af, 0x7c72_e993,
        0xb3ee_1411, 0x636f_bc2a, 0x2ba9_c55d, 0x7418_31f6, 0xce5c_3e16, 0x9b87_931e, 0xafd6_ba33, 0x6c24_cf5c,
    ],
    [
        0x7a32_5381, 0x2895_8677, 0x3b8f_4898, 0x6b4b_b9af, 0xc4bf_e81b, 0x6628_2193, 0x61d8_09cc, 0xfb21_a991,
        0x487c_ac60, 0x5dec_8032, 0xef84_5d5d, 0xe985_75b1, 0xdc26_2302, 0xeb65_1b88, 0x2389_3e81, 0xd396_acc5,
        0x0f6d_6ff3, 0x83f4_4239, 0x2e0b_4482, 0xa484_2004, 0x69c8_f04a, 0x9e1f_9b5e, 0x21c6_6842, 0xf6e9_6c9a,
        0x670c_9c61, 0xabd3_88f0, 0x6a51_a0d2, 0xd854_2f68, 0x960f_a728, 0xab51_33a3, 0x6eef_0b6c, 0x137a_3be4,
    ],
    [
        0xba3b_f050, 0x7efb_2a98, 0xa1f1_651d, 0x39af_0176, 0x66ca_593e, 0x8243_0e88, 0x8cee_8619, 0x456f_9fb4,
        0x7d84_a5c3, 0x3b8b_5ebe, 0xe06f_75d8, 0x85c1_2073, 0x401a_449f, 0x56c1_6aa6, 0x4ed3_aa62, 0x363f_7706,
        0x1bfe_df72, 0x429b_023d, 0x37d0_d724, 0xd00a_1248, 0xdb0f_ead3, 0x49f1_c09b, 0x0753_72c9, 0x8099_1b7b,
        0x25d4_79d8, 0xf6e8_def7, 0xe3fe_501a, 0xb679_4c3b, 0x976c_e0bd, 0x04c0_06ba, 0xc1a9_4fb6, 0x409f_60c4,
    ],
];

/// The order in which each pass after the first takes the words of a block.
#[rustfmt::skip]
const ORDER: [[u8; WORDS]; 4] = [
    [5, 14, 26, 18, 11, 28, 7, 16, 0, 23, 20, 22, 1, 10, 4, 8, 30, 3, 21, 9, 17, 24, 29, 6, 19, 12, 15, 13, 2, 25, 31, 27],
    [19, 9, 4, 20, 28, 17, 8, 22, 29, 14, 25, 12, 24, 30, 16, 26, 31, 15, 7, 3, 1, 0, 18, 27, 13, 6, 21, 10, 23, 11, 5, 2],
    [24, 4, 0, 14, 2, 7, 28, 23, 26, 6, 30, 20, 18, 25, 19, 3, 22, 11, 31, 21, 8, 27, 12, 9, 1, 29, 5, 15, 17, 10, 16, 13],
    [27, 3, 21, 26, 17, 11, 20, 29, 19, 0, 12, 7, 13, 8, 31, 10, 5, 9, 14, 30, 18, 6, 28, 24, 2, 23, 16, 22, 4, 1, 25, 15],
];

/// Which words of the state are x6, x5, .. x0 of a pass's function, for each number of passes.
const PLACES: [&[[u8; 7]]; 3] = [
    &[[1, 0, 3, 5, 6, 2, 4], [4, 2, 1, 0, 5, 3, 6], [6, 1, 2, 3, 4, 5, 0]],
    &[[2, 6, 1, 4, 5, 3, 0], [3, 5, 2, 0, 1, 6, 4], [1, 4, 3, 6, 0, 2, 5], [6, 4, 0, 5, 2, 1, 3]],
    &[
        [3, 4, 1, 0, 5, 2, 6],
        [6, 2, 1, 0, 3, 4, 5],
        [2, 6, 0, 4, 3, 1, 5],
        [1, 5, 3, 2, 0, 4, 6],
        [2, 5, 0, 6, 4, 3, 1],
    ],
];

/// The function of each pass.
fn mixed(pass: usize, [x6, x5, x4, x3, x2, x1, x0]: [u32; 7]) -> u32 {
    match pass {
        0 => x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x1 ^ x0,
        1 => x1 & x2 & x3 ^ x2 & x4 & x5 ^ x1 & x2 ^ x1 & x4 ^ x2 & x6 ^ x3 & x5 ^ x4 & x5 ^ x0 & x2 ^ x0,
        2 => x1 & x2 & x3 ^ x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x3 ^ x0,
        3 => {
            let triples = x1 & x2 & x3 ^ x2 & x4 & x5 ^ x3 & x4 & x6;
            triples ^ x1 & x4 ^ x2 & x6 ^ x3 & x4 ^ x3 & x5 ^ x3 & x6 ^ x4 & x5 ^ x4 & x6 ^ x0 & x4 ^ x0
        }
        _ => x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x1 & x2 & x3 ^ x0 & x5 ^ x0,
    }
}

/// A digest of `BITS` bits with `PASSES` passes.
#[derive(Clone)]
pub struct Haval<const BITS: u32, const PASSES: usize> {
    state: [u32; 8],
}

impl<const BITS: u32, const PASSES: usize> Default for Haval<BITS, PASSES> {
    fn default() -> Self {
        Haval { state: START }
    }
}

impl<const BITS: u32, const PASSES: usize> Block for Haval<BITS, PASSES> {
    fn words(&self) -> Vec<u8> {
        self.state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn set_words(&mut self, words: &[u8]) -> bool {
        crate::blocks::numbers(&mut self.state, words, u32::from_le_bytes)
    }

    const BYTES: usize = 4 * WORDS;

    fn take(&mut self, block: &[u8]) {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut mix = self.state;
        for (pass, places) in PLACES[PASSES - 3].iter().enumerate() {
            for step in 0..WORDS {
                let at = |place: usize| (place + 8 - step % 8) % 8;
                let value = mixed(pass, places.map(|place| mix[at(place.into())]));
                let word = match pass {
                    0 => words[step],
                    _ => words[usize::from(ORDER[pass - 1][step])].wrapping_add(ADDED[pass - 1][step]),
                };
                let last = mix[at(7)].rotate_right(11);
                mix[at(7)] = value.rotate_right(7).wrapping_add(last).wrapping_add(word);
            }
        }
        for (old, new) in self.state.iter_mut().zip(mix) {
            *old = old.wrapping_add(new);
        }
    }

    /// A one bit from below, zeros, version 1 with passes and length, and the number of bits.
    fn padding(length: u64) -> Vec<u8> {
        let gap = (118 + Self::BYTES - (length as usize + 1) % Self::BYTES) % Self::BYTES;
        let mut tail = vec![1];
        tail.resize(1 + gap, 0);
        tail.extend([1 | (PASSES as u8) << 3 | ((BITS & 3) as u8) << 6, (BITS >> 2) as u8]);
        tail.extend((length << 3).to_le_bytes());
        tail
    }

    fn digest(self) -> Vec<u8> {
        let words = folded::<BITS>(self.state);
        words.iter().flat_map(|word| word.to_le_bytes()).take(BITS as usize / 8).collect()
    }
}

/// Adds parts of the words that a shorter digest leaves out to the others.
fn folded<const BITS: u32>(mut state: [u32; 8]) -> [u32; 8] {
    let [_, _, _, _, w4, w5, w6, w7] = state;
    let parts: &[u32] = match BITS {
        128 => {
            let mask = [0xff, 0xff00, 0xff_0000, 0xff00_0000];
            let turned = |turn: usize| {
                let of = |word: u32, index: usize| word & mask[(index + 4 - turn) % 4];
                of(w4, 0) | of(w5, 1) | of(w6, 2) | of(w7, 3)
            };
            &[turned(3).rotate_right(8), turned(2).rotate_right(16), turned(1).rotate_right(24), turned(0)]
        }
        160 => &[
            (w7 & 0x3f | w6 & 0xfe00_0000 | w5 & 0x01f8_0000).rotate_right(19),
            (w7 & 0xfc0 | w6 & 0x3f | w5 & 0xfe00_0000).rotate_right(25),
            w7 & 0x7_f000 | w6 & 0xfc0 | w5 & 0x3f,
            (w7 & 0x01f8_0000 | w6 & 0x7_f000 | w5 & 0xfc0) >> 6,
            (w7 & 0xfe00_0000 | w6 & 0x01f8_0000 | w5 & 0x7_f000) >> 12,
        ],
        192 => &[
            (w7 & 0x1f | w6 & 0xfc00_0000).rotate_right(26),
            w7 & 0x3e0 | w6 & 0x1f,
            (w7 & 0xfc00 | w6 & 0x3e0) >> 5,
            (w7 & 0x1f_0000 | w6 & 0xfc00) >> 10,
            (w7 & 0x03e0_0000 | w6 & 0x1f_0000) >> 16,
            (w7 & 0xfc00_0000 | w6 & 0x03e0_0000) >> 21,
        ],
        224 => &[
            w7 >> 27 & 0x1f,
            w7 >> 22 & 0x1f,
            w7 >> 18 & 0xf,
            w7 >> 13 & 0x1f,
            w7 >> 9 & 0xf,
            w7 >> 4 & 0x1f,
            w7 & 0xf,
        ],
        _ => &[],
    };
    for (word, part) in state.iter_mut().zip(parts) {
        *word = word.wrapping_add(*part);
    }
    state
}
