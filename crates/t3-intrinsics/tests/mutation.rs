//! Damaged images and saved games are refused or run into errors; nothing panics or hangs. More of them with
//! `PHLOX_T3_MUTATIONS`.

mod common;

use std::path::Path;

use phlox_t3_image::Image;
use phlox_t3_intrinsics::machine;
use phlox_t3_vm::io::{Access, Buffer};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::{Options, save};

/// As in the command; machines are made and dropped by the thousand here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

/// The original with a few bytes changed, behind its first `head` bytes.
fn mutated(original: &[u8], seed: u64, head: usize) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(8) {
        let at = head + random.below(bytes.len().saturating_sub(head));
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            3 => drop(bytes.remove(at)),
            4 => bytes.insert(at, random.below(256) as u8),
            _ if random.below(4) == 0 => bytes.truncate(at.max(100)),
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
        if bytes.len() < 100 {
            break;
        }
    }
    bytes
}

/// The numbers of the mutations: `PHLOX_T3_MUTATIONS` is how many, or from which one to which, as in `1000-2000`.
fn numbers() -> std::ops::Range<u64> {
    let text = std::env::var("PHLOX_T3_MUTATIONS").unwrap_or_default();
    let number = |text: &str| text.parse().ok();
    match text.split_once('-') {
        Some((from, to)) => number(from).unwrap_or(0)..number(to).unwrap_or(0),
        None => 0..number(&text).unwrap_or(150),
    }
}

/// Says how far a long run has come.
fn report(name: &str, seed: u64) {
    if seed % 50_000 == 49_999 {
        println!("{name}: {seed}");
    }
}

/// What is damaged: programs of few instructions that use most intrinsic classes.
const IMAGES: [&str; 11] = [
    "p01_arith",
    "p03_collections",
    "p05_undo",
    "p07_bignum",
    "p09_grammar",
    "p11_date",
    "p13_file",
    "p15_closures",
    "p21_strbuf",
    "p23_dynfunc",
    "p25_pack",
];

#[test]
fn damaged_images_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3/programs");
    for name in IMAGES {
        let original = std::fs::read(folder.join(name).with_extension("t3")).expect("the image");
        common::with_stack(move || {
            for seed in numbers() {
                let options = Options {
                    fuel: 20_000,
                    stack: 1 << 12,
                    max_length: 1 << 14,
                    max_objects: 200_000,
                    read: Access::Nothing,
                    write: Access::Nothing,
                    ..Options::default()
                };
                // The head of the file has only the signature and the date.
                let bytes = mutated(&original, seed, 69);
                report(name, seed);
                let result = std::panic::catch_unwind(|| common::run(bytes, "one\ntwo\n", options));
                assert!(result.is_ok(), "{name}, mutation {seed}");
            }
        });
    }
}

/// After how many saved games there is a new machine, and how many of them are played.
const FRESH: u64 = 32;
const PLAYED: u64 = 4;

/// Where the body of a saved game begins, and where in it the image's date ends.
const SAVED_HEAD: usize = 25;
const DATE: usize = 24;

#[test]
fn damaged_saved_games_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/t3/programs");
    for name in ["p03_collections", "p05_undo", "p09_grammar", "p15_closures"] {
        let image = std::fs::read(folder.join(name).with_extension("t3")).expect("the image");
        common::with_stack(move || {
            let machine = || {
                let image = Image::load(image.clone()).expect("an image");
                let options = Options { max_objects: 1 << 20, fuel: 1 << 18, ..Options::default() };
                let mut vm = machine(image, options, Box::new(Buffer::default())).expect("a machine");
                vm.run_program();
                vm
            };
            let mut vm = machine();
            let saved = vm.saved_game(Value::Nil).expect("a saved game");
            assert!(vm.restore_state(&saved).is_ok(), "{name} restores what it saved");
            for seed in numbers() {
                if seed % FRESH == 0 {
                    vm = machine();
                }
                report(name, seed);
                let file = save::sealed(&mutated(&saved[SAVED_HEAD..], seed, DATE));
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    // A refusal is as good as an odd game, in which everything is looked at once and which goes on.
                    if vm.restore_state(&file).is_ok() {
                        let _ = (vm.collect().is_ok(), vm.saved_game(Value::Nil).is_ok());
                        if seed % PLAYED == 0 {
                            vm.run_program();
                        }
                    }
                }));
                assert!(result.is_ok(), "{name}, mutation {seed}");
            }
        });
    }
}
