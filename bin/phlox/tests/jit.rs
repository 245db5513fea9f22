//! From oplines to HHIR, and from HHIR to machine code: beside each `tests/jit/NAME.php` lie the units that are made of it as the
//! translation leaves them (`NAME.hhir`, before all passes) and what Cranelift gets of them (`NAME.clif`).
//!
//! Addresses differ from run to run: they are numbered in the order in which they appear. `PHLOX_BLESS=1` accepts what comes out.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/jit");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "php"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn dump(stage: &str, program: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_phlox")).args(["dump", stage]).arg(program).output().unwrap();
    assert!(output.status.success(), "{}: {output:?}", program.display());
    number_addresses(&String::from_utf8_lossy(&output.stdout))
}

/// Numbers that are taken for addresses, with flags in their highest bits perhaps: large, and neither powers of two nor just below.
/// Releases lie at fixed, low addresses.
fn is_address(number: u64) -> bool {
    number >= 1 << 21
        && !number.is_power_of_two()
        && !number.wrapping_add(1).is_power_of_two()
        && number & 0xffff_ffff != 0
}

/// The halves of an address may be the numbers `low,high` of an instruction.
fn is_upper_half(number: u64) -> bool {
    number == 0 || (0x5500..0x8000).contains(&number)
}

/// The text with addresses as `@1`, `@2` and so on.
fn number_addresses(text: &str) -> String {
    let (mut names, mut result, mut rest) = (HashMap::new(), String::new(), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        result += before;
        let (word, mut number) = first_number(from);
        let mut length = word.len();
        if let Some(behind) = from[length..].strip_prefix(',').filter(|_| before.ends_with('<')) {
            let (upper, high) = first_number(behind);
            if is_upper_half(high) && (high != 0 || is_address(number)) {
                number |= high << 32;
                length += 1 + upper.len();
            }
        }
        if is_address(number) {
            let next = names.len() + 1;
            result += &format!("@{}", names.entry(number).or_insert(next));
        } else {
            result += &from[..length];
        }
        rest = &from[length..];
    }
    result + rest
}

/// The number that a text begins with, decimal or hexadecimal, and how it is written; 0 if it is none.
fn first_number(text: &str) -> (&str, u64) {
    let hex_end = |hex: &str| hex.find(|c: char| !c.is_ascii_hexdigit() && c != '_').unwrap_or(hex.len());
    match text.strip_prefix("0x") {
        Some(hex) => {
            let digits = &hex[..hex_end(hex)];
            (&text[..2 + digits.len()], u64::from_str_radix(&digits.replace('_', ""), 16).unwrap_or(0))
        }
        None => {
            let digits = &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())];
            (digits, digits.parse().unwrap_or(0))
        }
    }
}

#[test]
fn compiled_code_is_what_the_data_says() {
    let mut failures = Vec::new();
    for program in programs() {
        for (stage, extension) in [("--hhir=built", "hhir"), ("--clif", "clif")] {
            let (text, expected) = (dump(stage, &program), program.with_extension(extension));
            if std::env::var_os("PHLOX_BLESS").is_some() {
                std::fs::write(expected, text).unwrap();
            } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
                failures.push(expected.display().to_string());
            }
        }
    }
    assert!(failures.is_empty(), "differences (PHLOX_BLESS=1 accepts them):\n{}", failures.join("\n"));
}
