//! Time per instruction of the verifier and of both forms: `cargo bench -p phlox-hhbc [FILE..]` with `.phbc` or
//! `.phas` files, or on the units of `tests/hhbc/valid` repeated until they are as large as a real file.

use phlox_hhbc::verify::check;
use phlox_hhbc::{FuncFlags, Unit, assemble, decode, disassemble, encode};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).map(PathBuf::from).collect();
    let units: Vec<Unit> = if files.is_empty() {
        sample().iter().map(repeated).collect()
    } else {
        files.iter().map(|file| load(file)).collect()
    };
    let instructions: usize = units.iter().flat_map(|unit| &unit.funcs).map(|func| func.code.len()).sum();
    println!("{instructions} instructions in {} units", units.len());
    let binary: Vec<Vec<u8>> = units.iter().map(|unit| encode(unit).unwrap()).collect();
    let text: Vec<String> = units.iter().map(disassemble).collect();
    measure("verify", instructions, || units.iter().for_each(|unit| drop(black_box(check(unit).unwrap()))));
    measure("encode", instructions, || units.iter().for_each(|unit| drop(black_box(encode(unit).unwrap()))));
    measure("decode", instructions, || binary.iter().for_each(|bytes| drop(black_box(decode(bytes).unwrap()))));
    measure("print", instructions, || units.iter().for_each(|unit| drop(black_box(disassemble(unit)))));
    measure("assemble", instructions, || text.iter().for_each(|text| drop(black_box(assemble(text).unwrap()))));
}

/// Prints the shortest time of many runs, per instruction.
fn measure(name: &str, instructions: usize, mut run: impl FnMut()) {
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    while begin.elapsed().as_millis() < 500 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<10}{:8.1} ns per instruction", best * 1e9 / instructions as f64);
}

fn load(path: &Path) -> Unit {
    let bytes = std::fs::read(path).unwrap();
    match path.extension().is_some_and(|ext| ext == "phas") {
        true => assemble(&String::from_utf8(bytes).unwrap()).unwrap(),
        false => decode(&bytes).unwrap(),
    }
}

fn sample() -> Vec<Unit> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhbc/valid");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ext| ext == "phas")).map(|path| load(&path)).collect()
}

/// The unit with its functions many times over.
fn repeated(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    let funcs = unit.funcs.clone();
    for _ in 0..100 {
        unit.funcs.extend(funcs.iter().filter(|func| !func.flags.has(FuncFlags::PSEUDO_MAIN)).cloned());
    }
    unit
}
