//! How long the passes take: each unit of `tests/hhir/pipeline` (or of the files named as arguments), many times.
//!
//! `cargo run --release -p phlox-hhir --example compile_time`

use phlox_hhir::passes::{PIPELINE, find};
use phlox_hhir::unit::{Hint, Hold, Slot, SnapEntry};
use phlox_hhir::{Builder, FrameId, FuncId, Op, Type, Unit, ValueId, parse};
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
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        measure(&name, &parse(before)?);
    }
    for oplines in [30, 100, 300, 1000] {
        let mut build = Duration::MAX;
        for _ in 0..100 {
            let start = Instant::now();
            std::hint::black_box(synthetic(oplines));
            build = build.min(start.elapsed());
        }
        measure(&format!("synthetic, {oplines} oplines, built in {:.1} us", micros(build)), &synthetic(oplines));
    }
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

/// Loops of ten guarded oplines over ten locals, one after the other.
fn synthetic(oplines: u32) -> Unit {
    const LOCALS: u32 = 10;
    let mut builder = Builder::new(FuncId(1), 0);
    let frame = builder.frame_ptr();
    let snap = builder.snap(FrameId(0), 0, Vec::new(), None);
    let mut values: Vec<ValueId> = Vec::new();
    for local in 0..LOCALS {
        builder.check_loc(frame, local, Type::INT, snap);
        values.push(builder.ld_loc(frame, local, Type::INT));
    }
    let snapshot = |builder: &mut Builder, values: &[ValueId], opline: u32| {
        let entry =
            |(local, &value): (usize, &ValueId)| SnapEntry { slot: Slot::Local(local as u32), value, hold: Hold::Move };
        let entries = values.iter().enumerate().map(entry).collect();
        builder.snap(FrameId(0), opline, entries, None)
    };
    for first in (0..oplines).step_by(10) {
        let (head, body, after) =
            (builder.new_block(Hint::Neutral), builder.new_block(Hint::Likely), builder.new_block(Hint::Neutral));
        let exit = snapshot(&mut builder, &values, first);
        builder.exit_placeholder(exit);
        builder.jmp(head, &values);
        builder.switch_to(head);
        values = (0..LOCALS).map(|_| builder.unit.add_param(head, Type::INT)).collect();
        let more = builder.op(Op::LtInt, &[values[0], values[1]]);
        builder.branch(more, body, after);
        let outside = values.clone();
        builder.switch_to(body);
        for opline in first..first + 10 {
            builder.at(FrameId(0), opline);
            let exit = snapshot(&mut builder, &values, opline);
            let (a, b) = ((opline % LOCALS) as usize, ((opline + 3) % LOCALS) as usize);
            let (x, y) =
                (builder.check_type(values[a], Type::INT, exit), builder.check_type(values[b], Type::INT, exit));
            let op = [Op::AddIntO, Op::SubIntO, Op::AndInt, Op::MulIntO][opline as usize % 4];
            values[a] = builder.op_or(op, &[x, y], exit);
        }
        builder.jmp(head, &values);
        builder.switch_to(after);
        values = outside;
    }
    let exit = snapshot(&mut builder, &values, oplines);
    builder.exit(exit);
    builder.finish()
}

fn measure(name: &str, unit: &Unit) {
    let mut best = vec![Duration::MAX; PIPELINE.len()];
    let mut total = Duration::MAX;
    for _ in 0..ROUNDS.min(200_000 / unit.insts.len()) {
        let mut unit = unit.clone();
        let start = Instant::now();
        for (best, name) in best.iter_mut().zip(PIPELINE) {
            let start = Instant::now();
            if let Some(pass) = find(name) {
                pass.run(&mut unit);
            }
            *best = (*best).min(start.elapsed());
        }
        total = total.min(start.elapsed());
    }
    println!("{name}: {} instructions, {:.1} us", unit.insts.len(), micros(total));
    let passes: Vec<String> =
        PIPELINE.iter().zip(&best).map(|(name, time)| format!("{name} {:.1}", micros(*time))).collect();
    println!("    {}", passes.join(", "));
}
