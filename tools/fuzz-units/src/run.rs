//! Runs one file by one engine and gives the output and how the run ended.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A run that takes longer is taken for an endless loop.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Settings that keep mutants from harming the machine that they run on.
const SETTINGS: [&str; 9] = [
    "-n",
    "-d",
    "memory_limit=64M",
    "-d",
    "max_execution_time=2",
    "-d",
    "display_errors=1",
    "-d",
    "disable_functions=exec,shell_exec,system,passthru,proc_open,popen,unlink,rename,rmdir,mkdir,file_put_contents,fopen,mail,sleep,usleep,posix_kill,pcntl_fork",
];

/// How a file ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The run ended by itself, with this output.
    Output(String),
    /// The run took too long, or too much memory. Its output up to then depends on the engine.
    Limit,
    /// The run ended by a signal, a panic or a report of a fault in the engine.
    Fault(String),
}

/// How a process ended, and what it wrote.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The exit status; `None` if the process was killed because it took too long.
    pub status: Option<ExitStatus>,
    pub output: String,
    pub errors: String,
}

/// Runs a file, named by its whole path, by the engine `program` with these environment variables.
pub fn run(program: &str, variables: &[(&str, &str)], file: &Path) -> End {
    match process(program, &SETTINGS, variables, file) {
        Ok(ran) => ran.end(),
        Err(error) => End::Fault(error.to_string()),
    }
}

/// Runs a file in its folder by the engine `program` with these options and environment variables.
pub fn process(
    program: &str,
    options: &[impl AsRef<OsStr>],
    variables: &[(&str, &str)],
    file: &Path,
) -> std::io::Result<Ran> {
    let mut command = Command::new(program);
    command.args(options).arg(file).envs(variables.iter().copied()).env("PHLOX_CACHE_DIR", "");
    if let Some(folder) = file.parent() {
        command.current_dir(folder);
    }
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let readers = [
        child.stdout.take().map(|out| std::thread::spawn(move || contents(out))),
        child.stderr.take().map(|out| std::thread::spawn(move || contents(out))),
    ];
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() < TIMEOUT => std::thread::sleep(Duration::from_millis(1)),
            _ => break None,
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let [output, errors] = readers.map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
    Ok(Ran { status, output, errors })
}

fn contents(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Ran {
    /// Was the end a signal, a panic or a report of a fault in the engine?
    pub fn is_fault(&self) -> bool {
        let is_report = |text: &str| text.contains("panicked at") || text.contains("Internal engine error");
        self.status.is_some_and(|status| status.code().is_none()) || is_report(&self.output) || is_report(&self.errors)
    }

    /// Did the engine end the script because it took too much of something?
    pub fn is_limit(&self) -> bool {
        const LIMITS: [&str; 4] =
            ["Allowed memory size", "Maximum execution time", "Maximum call stack size", "Maximum function nesting"];
        LIMITS.iter().any(|limit| self.output.contains(limit) || self.errors.contains(limit))
    }

    /// The end, such that it can be compared.
    pub fn end(&self) -> End {
        let Ran { output, errors, .. } = self;
        match self.status {
            Some(status) if self.is_fault() => {
                let head = |text: &str| text.chars().take(400).collect::<String>();
                End::Fault(format!("{status}\n{}\n{}", head(output), head(errors)))
            }
            Some(status) if !self.is_limit() => {
                End::Output(format!("{output}\n{errors}\n{}", status.code().unwrap_or_default()))
            }
            _ => End::Limit,
        }
    }
}

/// How the text about outputs that differ begins.
pub const DIFFERENCE: &str = "outputs differ";

/// What is wrong with how engines ended on the same file: a fault of one, or outputs that differ.
pub fn disagreement(ends: &[End]) -> Option<String> {
    if let Some(End::Fault(text)) = ends.iter().find(|end| matches!(end, End::Fault(_))) {
        return Some(text.clone());
    }
    let outputs: Vec<&String> =
        ends.iter().filter_map(|end| if let End::Output(text) = end { Some(text) } else { None }).collect();
    let different = outputs.len() == ends.len() && outputs.iter().any(|output| *output != outputs[0]);
    if !different {
        return None;
    }
    let other = outputs.iter().find(|output| **output != outputs[0])?;
    let line = outputs[0].lines().zip(other.lines()).find(|(a, b)| a != b);
    Some(format!("{DIFFERENCE}: {line:?}"))
}
