//! Damaged texts: any text is a unit or an error, and the passes take any unit that the verifier accepts.

mod common;

use common::Random;
use phlox_hhir::passes::PASSES;
use phlox_hhir::{parse, verify};
use std::path::Path;

fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhir");
    let mut texts = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let parts = text.split(['\n']).collect::<Vec<_>>();
            // Each part that starts with a line `...:` and holds a unit.
            for part in parts.split(|line| ["before:", "after:", "callee:"].contains(line)).skip(1) {
                texts.push(part.join("\n"));
            }
        }
    }
    texts.sort();
    texts
}

/// Changes words, numbers and lines.
fn damage(random: &mut Random, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(6) {
            0 => lines.swap(at, other),
            1 => lines[at] = lines[other].clone(),
            2 => {
                lines.remove(at);
            }
            _ => {
                let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                let others: Vec<&str> = lines[other].split(' ').collect();
                let word = random.below(words.len());
                words[word] = match random.below(3) {
                    0 => others[random.below(others.len())].to_owned(),
                    1 => words[word].replace(|c: char| c.is_ascii_digit(), &random.below(12).to_string()),
                    _ => words[random.below(words.len())].clone(),
                };
                lines[at] = words.join(" ");
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_units_are_refused_or_run_through_the_passes() {
    let count = std::env::var("PHLOX_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(3000);
    let texts = texts();
    let mut random = Random(0x5eed);
    let mut accepted = 0;
    for _ in 0..count {
        let which = random.below(texts.len());
        let text = damage(&mut random, &texts[which]);
        let Ok(unit) = parse(&text) else { continue };
        if verify(&unit).is_err() {
            continue;
        }
        accepted += 1;
        for pass in PASSES {
            let mut unit = unit.clone();
            pass.run(&mut unit);
            if let Err(error) = verify(&unit) {
                panic!("{}: {error}\n{text}\n{unit}", pass.name);
            }
        }
    }
    assert!(accepted * 20 > count, "only {accepted} of {count} are units");
}
