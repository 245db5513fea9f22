//! `fuzz-programs print FROM [COUNT]` prints a batch; `fuzz-programs compare FROM COUNT ENGINE...` runs it by several
//! engines and names the seeds whose outputs differ. `pointers` in front makes programs about the internal pointers of
//! arrays instead. An ENGINE is a command line that the file's name is added to;
//! words `NAME=value` in front go to its environment.
#![forbid(unsafe_code)]

use phlox_fuzz_programs::{Subject, batch_about, parts};
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Programs in one file.
const BATCH: u64 = 200;
const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let subject = match words.first().is_some_and(|word| word == "pointers") {
        true => {
            words.remove(0);
            Subject::Pointers
        }
        false => Subject::Any,
    };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    match (words.first().map(String::as_str), number(1), number(2)) {
        (Some("print"), Some(from), count) => {
            print!("{}", batch_about(subject, from..from + count.unwrap_or(1)));
            ExitCode::SUCCESS
        }
        (Some("compare"), Some(from), Some(count)) if words.len() > 4 => compare(subject, from, count, &words[3..]),
        _ => {
            eprintln!("usage: fuzz-programs [pointers] print FROM [COUNT] | compare FROM COUNT ENGINE ENGINE...");
            ExitCode::from(2)
        }
    }
}

fn compare(subject: Subject, from: u64, count: u64, engines: &[String]) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("fuzz-programs-{}", std::process::id()));
    if let Err(error) = fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return ExitCode::from(2);
    }
    let mut different = 0;
    let mut start = from;
    while start < from + count {
        let seeds = start..(start + BATCH).min(from + count);
        start = seeds.end;
        let first = seeds.start;
        let file = folder.join("batch.php");
        if fs::write(&file, batch_about(subject, seeds.clone())).is_err() {
            return ExitCode::from(2);
        }
        let name = file.to_string_lossy();
        let outputs: Vec<String> = engines.iter().map(|engine| run(engine, &name)).collect();
        let tables: Vec<BTreeMap<u64, &str>> =
            outputs.iter().map(|output| parts(output).into_iter().collect()).collect();
        for seed in seeds {
            let found: Vec<Option<&&str>> = tables.iter().map(|table| table.get(&seed)).collect();
            if found.iter().any(|part| *part != found[0]) {
                different += 1;
                println!("seed {seed} of the batch from {first}:{}", first_difference(&found));
            }
            if found.iter().all(Option::is_none) {
                println!(
                    "seed {seed} of the batch from {first}: no output; the batch ended before it: {:?}",
                    last_line(&outputs[0])
                );
                break;
            }
        }
    }
    println!("{count} programs from seed {from}: {different} differ");
    let _ = fs::remove_dir_all(&folder);
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn last_line(output: &str) -> &str {
    output.trim_end().lines().last().unwrap_or("")
}

/// The first lines that are not the same everywhere.
fn first_difference(parts: &[Option<&&str>]) -> String {
    let lines: Vec<Vec<&str>> =
        parts.iter().map(|part| part.map_or_else(Vec::new, |text| text.lines().collect())).collect();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    let differs = |at: &usize| lines.iter().any(|each| each.get(*at) != lines[0].get(*at));
    let at = (0..longest).find(differs).unwrap_or(0);
    let shown = lines.iter().map(|each| format!("\n    {}", each.get(at).unwrap_or(&"(ends)")));
    shown.collect()
}

/// The output of an engine; what went wrong is part of it.
fn run(engine: &str, file: &str) -> String {
    let mut words = engine.split_whitespace().peekable();
    let mut variables = Vec::new();
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        variables.push((name, value));
        words.next();
    }
    let Some(program) = words.next() else { return String::new() };
    let output = std::env::temp_dir().join(format!("fuzz-programs-{}/output", std::process::id()));
    let Ok(sink) = fs::File::create(&output) else { return String::new() };
    let mut command = Command::new(program);
    command.args(words).arg(file).envs(variables).stdin(Stdio::null()).stderr(Stdio::null()).stdout(sink);
    let status = match command.spawn() {
        Ok(mut child) => {
            let started = Instant::now();
            loop {
                match child.try_wait() {
                    Ok(Some(status)) => break status.to_string(),
                    Ok(None) if started.elapsed() > TIMEOUT => {
                        let _ = child.kill();
                        let _ = child.wait();
                        break "timed out".to_owned();
                    }
                    _ => std::thread::sleep(Duration::from_millis(2)),
                }
            }
        }
        Err(error) => error.to_string(),
    };
    let text = fs::read(&output).unwrap_or_default();
    format!("{}\n#{}\n{status}\n", String::from_utf8_lossy(&text), u64::MAX)
}
