//! Time of the builtins that programs call most, of this engine and of real PHP (`PHP84`) by turns:
//! `cargo bench -p phlox --bench builtins [NAME..]`. What counts is the ratio of the last column and its mean.

use std::path::Path;
use std::process::{Command, exit};

/// Each engine runs the script this often; the best time of a function counts.
const ROUNDS: usize = 5;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let Some(php) = phlox_testkit::reference_php() else {
        println!("PHP84 names no PHP to compare with");
        return;
    };
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        best_of(&mut theirs, run(&php, &names));
        best_of(&mut ours, run(Path::new(env!("CARGO_BIN_EXE_phlox")), &names));
    }
    println!("{:<24}{:>12}{:>12}{:>8}", "ns per call", "PHP", "Phlox", "times");
    let mut logarithms = 0.0;
    for ((name, php), (_, phlox)) in theirs.iter().zip(&ours) {
        println!("{name:<24}{php:>12.1}{phlox:>12.1}{:>8.2}", php / phlox);
        logarithms += (php / phlox).ln();
    }
    println!("{:<48}{:>8.2}", "geometric mean", (logarithms / ours.len().max(1) as f64).exp());
}

/// Name and nanoseconds of each function.
fn run(engine: &Path, names: &[String]) -> Vec<(String, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/builtins.php");
    let output = Command::new(engine).arg(script).args(names).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let row = |line: &str| line.split_once(' ').and_then(|(name, time)| Some((name.to_string(), time.parse().ok()?)));
    match text.lines().map(row).collect() {
        Some(rows) => rows,
        None => {
            eprintln!("{}: {text}", engine.display());
            exit(1)
        }
    }
}

fn best_of(best: &mut Vec<(String, f64)>, round: Vec<(String, f64)>) {
    if best.is_empty() {
        return *best = round;
    }
    for ((_, best), (_, time)) in best.iter_mut().zip(round) {
        *best = best.min(time);
    }
}
