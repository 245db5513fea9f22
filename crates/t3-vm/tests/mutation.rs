//! Damaged images and saved games are refused or run into errors; nothing panics or hangs. More of them with
//! `PHLOX_T3_MUTATIONS`.

mod common;

use std::path::Path;

use phlox_t3_vm::Options;
use phlox_t3_vm::io::Access;

/// A small generator, so that a failure can be repeated from its number.
struct Random(u64);

impl Random {
    fn below(&mut self, range: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % range.max(1) as u64) as usize
    }
}

fn mutated(original: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(8) {
        // The head of the file has only the signature and the date.
        let at = 69 + random.below(bytes.len().saturating_sub(69));
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            3 => drop(bytes.remove(at)),
            4 => bytes.insert(at, random.below(256) as u8),
            _ => bytes.truncate(at.max(100)),
        }
        if bytes.len() < 100 {
            break;
        }
    }
    bytes
}

fn count() -> u64 {
    std::env::var("PHLOX_T3_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

#[test]
fn damaged_images_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3/programs");
    for name in ["p01_arith", "p05_undo", "p09_grammar", "p15_closures"] {
        let original = std::fs::read(folder.join(name).with_extension("t3")).expect("the image");
        common::with_stack(move || {
            for seed in 0..count() {
                let options = Options {
                    fuel: 20_000,
                    max_objects: 200_000,
                    read: Access::Nothing,
                    write: Access::Nothing,
                    ..Options::default()
                };
                let bytes = mutated(&original, seed);
                let result = std::panic::catch_unwind(|| common::run(bytes, "one\ntwo\n", options));
                assert!(result.is_ok(), "{name}, mutation {seed}");
            }
        });
    }
}
