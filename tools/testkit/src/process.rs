//! Runs one program with a time-out and collects what it prints.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program to run.
#[derive(Clone, Debug)]
pub struct Run {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub stdin: Vec<u8>,
    pub env: Vec<(OsString, OsString)>,
    pub folder: PathBuf,
    pub timeout: Duration,
}

/// What a program did.
#[derive(Debug)]
pub struct Finished {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Exit status; 128 + signal number when a signal ended it, as shells report it.
    pub status: i32,
    pub timed_out: bool,
}

impl Finished {
    /// Ended by the system (a signal) or by our own panic.
    pub fn crashed(&self) -> bool {
        self.status > 128 && self.status < 160 || self.stderr.windows(9).any(|w| w == b"panicked ")
    }
}

impl Run {
    /// A run of `program` without arguments and input, in the current folder, with 30 seconds of time.
    pub fn new(program: impl Into<PathBuf>) -> Run {
        Run {
            program: program.into(),
            args: Vec::new(),
            stdin: Vec::new(),
            // Tests leave nothing in the user's cache, and nothing there changes them.
            env: vec![("PHLOX_CACHE_DIR".into(), "".into())],
            folder: PathBuf::from("."),
            timeout: Duration::from_secs(30),
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Run {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Run {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the folder to run in.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Run {
        self.folder = folder.into();
        self
    }

    /// Sets the standard input.
    pub fn stdin(mut self, stdin: impl Into<Vec<u8>>) -> Run {
        self.stdin = stdin.into();
        self
    }

    /// Sets how long the program may run.
    pub fn timeout(mut self, timeout: Duration) -> Run {
        self.timeout = timeout;
        self
    }

    /// Runs to the end or to the time-out, then kills.
    pub fn run(&self) -> Result<Finished, String> {
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", self.program.display()))?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let stdin = child.stdin.take();
        let input = self.stdin.clone();
        // A program may end without reading its input; the broken pipe is no failure of the test.
        let writer = thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&input)));
        let (status, timed_out) = wait(&mut child, self.timeout)?;
        drop(writer);
        let stdout = stdout.join().unwrap_or_default();
        let stderr = stderr.join().unwrap_or_default();
        Ok(Finished { stdout, stderr, status, timed_out })
    }
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // The bytes that were read before an error are still output of the program.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait(child: &mut Child, timeout: Duration) -> Result<(i32, bool), String> {
    let end = Instant::now() + timeout;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok((exit_code(status), false));
        }
        if Instant::now() >= end {
            child.kill().map_err(|error| error.to_string())?;
            let status = child.wait().map_err(|error| error.to_string())?;
            return Ok((exit_code(status), true));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

#[cfg(unix)]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

#[cfg(not(unix))]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}
