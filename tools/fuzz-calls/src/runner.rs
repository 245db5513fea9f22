//! Runs batches by several engines, and goes on behind what ends one.

use crate::catalogue::{self, Catalogue};
use crate::{Subject, batch, forbidden};
use phlox_fuzz_units::run::{DIFFERENCE, End, Ran, disagreement, process};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Cases in one file.
const BATCH: u64 = 120;
/// Seconds that a file may take before the engine itself ends it.
const SECONDS: u32 = 1;
/// How often the first engine is run again where another engine's output differs.
const REPEATS: usize = 6;
/// The number that marks the end of the last case.
const END: u64 = i64::MAX as u64;

/// An engine: a program with options, and what stands in its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    pub program: String,
    pub options: Vec<String>,
    pub variables: Vec<(String, String)>,
}

impl Engine {
    /// Reads `NAME=value... PROGRAM OPTION...`.
    pub fn parse(text: &str) -> Engine {
        let mut words = text.split_whitespace().peekable();
        let mut variables = Vec::new();
        while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
            variables.push((name.to_owned(), value.to_owned()));
            words.next();
        }
        let program = words.next().unwrap_or_default().to_owned();
        Engine { program, options: words.map(str::to_owned).collect(), variables }
    }

    /// What the engine has.
    pub fn catalogue(&self, folder: &Path) -> io::Result<Catalogue> {
        fs::create_dir_all(folder)?;
        let file = folder.join("catalogue.php");
        fs::write(&file, catalogue::SCRIPT)?;
        Ok(Catalogue::parse(&process(&self.program, &self.options, &[], &file)?.output))
    }

    /// Runs a text as a script in a folder that is made anew.
    pub fn run(&self, text: &str, folder: &Path) -> io::Result<Ran> {
        make_folder(folder)?;
        let file = folder.join("case.php");
        fs::write(&file, text)?;
        let mut options = self.options.clone();
        let settings = [
            "memory_limit=64M".to_owned(),
            format!("max_execution_time={SECONDS}"),
            "hard_timeout=1".to_owned(),
            "display_errors=1".to_owned(),
            "log_errors=0".to_owned(),
            "date.timezone=UTC".to_owned(),
            "phar.readonly=0".to_owned(),
            format!("open_basedir={}", folder.display()),
            format!("disable_functions={}", forbidden::disabled()),
        ];
        for setting in settings {
            options.extend(["-d".to_owned(), setting]);
        }
        let variables: Vec<_> = self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        process(&self.program, &options, &variables, &file)
    }
}

/// A folder with the files that scripts know of, and nothing else.
///
/// The folder of the run before is kept until the next run, because the file system would give the numbers of its inodes
/// to the new files: results that name them would repeat, and look as if they depended on the engine.
fn make_folder(folder: &Path) -> io::Result<()> {
    let before = before(folder);
    let _ = fs::remove_dir_all(&before);
    let _ = fs::rename(folder, &before);
    fs::create_dir_all(folder.join("d/e"))?;
    fs::write(folder.join("a.txt"), "line one\nline two\n\nlast")?;
    fs::write(folder.join("b.csv"), "a,b\n1,\"x \"\"y\"\"\"\n")?;
    fs::write(folder.join("x.xml"), "<a><b>c</b></a>")?;
    fs::write(folder.join("d/f.txt"), "f")
}

/// Where the folder of the run before is kept.
fn before(folder: &Path) -> PathBuf {
    folder.with_extension("before")
}

/// Removes the folder of the last run, and the one before.
pub fn remove_folders(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    let _ = fs::remove_dir_all(before(folder));
}

/// What was found in one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A signal, a panic or a report of a fault in the engine.
    Fault(String),
    /// The case does not end by itself, or it exceeds its time in the middle of a builtin function.
    Hang,
    /// The outputs differ; the first lines that do.
    Difference(String),
}

/// A finding, and the case that it is about, in the batch that begins with `first`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub seed: u64,
    pub first: u64,
    pub engine: usize,
    pub finding: Finding,
}

/// Runs one program by all engines and gives what is wrong, if anything is.
pub fn check(text: &str, engines: &[Engine], folder: &Path) -> io::Result<Option<String>> {
    let ends: Vec<End> = engines.iter().map(|engine| Ok(engine.run(text, folder)?.end())).collect::<io::Result<_>>()?;
    let found = disagreement(&ends);
    // Output that varies between runs of one engine is no difference.
    let steady = match &found {
        Some(found) if found.starts_with(DIFFERENCE) => {
            let again: Vec<End> =
                (0..REPEATS).map(|_| Ok(engines[0].run(text, folder)?.end())).collect::<io::Result<_>>()?;
            again.iter().all(|again| *again == ends[0])
        }
        _ => true,
    };
    remove_folders(folder);
    Ok(found.filter(|_| steady))
}

/// How many cases ran to their ends in all engines, and what was found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub ended: u64,
    pub reports: Vec<Report>,
}

/// Runs the cases of these seeds by all engines.
pub fn compare(
    subject: Subject,
    catalogue: &Catalogue,
    engines: &[Engine],
    seeds: std::ops::Range<u64>,
    folder: &Path,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut start = seeds.start;
    while start < seeds.end {
        // A batch that goes on after a fault ends where it would have ended without it, so that every case keeps the
        // cases before it.
        let end = (start - (start - seeds.start) % BATCH + BATCH).min(seeds.end);
        let text = batch(subject, catalogue, start..end);
        let ran: Vec<Ran> = engines.iter().map(|engine| engine.run(&text, folder)).collect::<io::Result<_>>()?;
        let parts: Vec<Parts> = ran.iter().map(|ran| parts(&ran.output)).collect();
        for (engine, (ran, parts)) in ran.iter().zip(&parts).enumerate() {
            let seed = parts.keys().next_back().copied().unwrap_or(start);
            if let Some(finding) = own_finding(ran) {
                summary.reports.push(Report { seed, first: start, engine, finding });
            }
        }
        // The case during which an engine ended is not compared.
        let reached = parts.iter().map(|parts| parts.keys().next_back().copied().unwrap_or(start)).min().unwrap_or(END);
        let different = differences(&parts, reached);
        if !different.is_empty() {
            // Output that the first engine does not repeat depends on chance or time, so differences there do not count.
            let again: Vec<Ran> = (0..REPEATS).map(|_| engines[0].run(&text, folder)).collect::<io::Result<_>>()?;
            let again: Vec<Parts> = again.iter().map(|ran| self::parts(&ran.output)).collect();
            let is_steady = |seed: &u64| again.iter().all(|again| again.get(seed) == parts[0].get(seed));
            for (seed, engine, lines) in different.into_iter().filter(|(seed, ..)| is_steady(seed)) {
                summary.reports.push(Report { seed, first: start, engine, finding: Finding::Difference(lines) });
            }
        }
        summary.ended += reached.min(end) - start;
        start = if reached == END { end } else { reached + 1 };
    }
    remove_folders(folder);
    Ok(summary)
}

type Parts<'a> = BTreeMap<u64, &'a str>;

fn parts(output: &str) -> Parts<'_> {
    phlox_fuzz_programs::parts(output).into_iter().collect()
}

fn own_finding(ran: &Ran) -> Option<Finding> {
    if ran.is_fault() {
        let all = format!("{}\n{}", ran.errors, ran.output);
        let line = all.lines().find(|line| line.contains("panicked at") || line.contains("Internal engine error"));
        let status = ran.status.map_or(String::new(), |status| status.to_string());
        return Some(Finding::Fault(format!("{status} {}", line.unwrap_or_default())));
    }
    if parts(&ran.output).is_empty() {
        return Some(Finding::Fault(format!("no case is reached: {}", ran.output)));
    }
    let is_stopped = ran.errors.contains("(terminated)") || ran.output.contains("(terminated)");
    (ran.status.is_none() || is_stopped).then_some(Finding::Hang)
}

/// Cases before `reached` in which the output of an engine differs from that of the first one.
fn differences(parts: &[Parts<'_>], reached: u64) -> Vec<(u64, usize, String)> {
    let Some((first, others)) = parts.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for (seed, text) in first.range(..reached) {
        let other = others.iter().position(|other| other.get(seed) != Some(text));
        if let Some(at) = other {
            let lines = first_difference(text, others[at].get(seed).copied().unwrap_or_default());
            found.push((*seed, at + 1, lines));
        }
    }
    found
}

fn first_difference(one: &str, other: &str) -> String {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return String::new(),
            (a, b) if a != b => {
                return format!("\n    {}\n    {}", a.unwrap_or("(ends)"), b.unwrap_or("(ends)"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn no_inode_is_used_in_two_runs_one_after_the_other() {
        let folder = std::env::temp_dir().join(format!("phlox-inodes-{}", std::process::id()));
        let inode = || {
            make_folder(&folder).expect("the folder can be made");
            fs::metadata(folder.join("a.txt")).expect("the file is there").ino()
        };
        let (first, second) = (inode(), inode());
        remove_folders(&folder);
        assert_ne!(first, second);
    }

    #[test]
    fn engines_are_read() {
        let engine = Engine::parse("A=1 B=2 program -n");
        assert_eq!((engine.program.as_str(), engine.options.len()), ("program", 1));
        assert_eq!(engine.variables.len(), 2);
    }

    #[test]
    fn differences_are_found_before_the_end() {
        let parts = [parts("\n#1\na\n#2\nb\n#3\nc"), parts("\n#1\na\n#2\nx\n#3\ny")];
        assert_eq!(differences(&parts, 3), [(2, 1, "\n    b\n    x".to_owned())]);
    }
}
