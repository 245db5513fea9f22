//! How long the passes take: each unit of `tests/hhir/pipeline` (or of the files named as arguments), many times.
//!
//! `cargo run --release -p phlox-hhir --example compile_time`

use phlox_hhir::passes::{PIPELINE, find};
use phlox_hhir::{Unit, parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const ROUNDS: usize = 2000;

fn main() -> Result<(), String> {
    let mut files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhir/pipeline");
        let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
        files = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
    }
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let before = text.split_once("before:\n").map_or(text.as_str(), |parts| parts.1);
        let before = before.split_once("after:\n").map_or(before, |parts| parts.0);
        measure(&file, &parse(before)?);
    }
    Ok(())
}

fn measure(file: &Path, unit: &Unit) {
    let mut best = vec![Duration::MAX; PIPELINE.len()];
    let mut total = Duration::MAX;
    for _ in 0..ROUNDS {
        let mut unit = unit.clone();
        let start = Instant::now();
        for (best, name) in best.iter_mut().zip(PIPELINE) {
            let start = Instant::now();
            find(name).map(|pass| (pass.run)(&mut unit));
            *best = (*best).min(start.elapsed());
        }
        total = total.min(start.elapsed());
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
    println!("{name}: {} instructions, {:.1} us", unit.insts.len(), micros(total));
    let passes: Vec<String> =
        PIPELINE.iter().zip(&best).map(|(name, time)| format!("{name} {:.1}", micros(*time))).collect();
    println!("    {}", passes.join(", "));
}
