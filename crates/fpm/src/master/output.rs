//! What workers write on their standard output and error: lines of the log.

use super::state::{Child, Failed, Master, Pipes, Source};
use crate::log::stream::Stream;
use crate::system_error;
use rustix::event::epoll::{self, EventFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const READ_BYTES: usize = 1023;
/// What a worker writes after each request: a line that has no end yet, ends.
const FLUSH_LINES: &[u8] = b"\0fscf\0";

impl Pipes {
    /// Pipes for a worker: the master's ends, and the worker's.
    pub fn new(is_caught: bool) -> Result<(Pipes, Option<(OwnedFd, OwnedFd)>), Failed> {
        if !is_caught {
            return Ok((Pipes::default(), None));
        }
        let make = |name: &str| {
            let pipe = pipe_with(PipeFlags::CLOEXEC).map_err(|failure| {
                system_error!(failure, "failed to prepare the {name} pipe");
                Failed
            })?;
            rustix::io::ioctl_fionbio(&pipe.0, true).map_err(|failure| {
                system_error!(failure, "failed to unblock pipes");
                Failed
            })?;
            Ok(pipe)
        };
        let (output, error) = (make("stdout")?, make("stderr")?);
        let near = Pipes { output: Some(output.0), error: Some(error.0), mark: 0 };
        Ok((near, Some((output.1, error.1))))
    }
}

impl Master {
    /// Waits for what a worker writes.
    pub fn watch_output(&self, child: &Child) {
        for (pipe, is_output) in [(&child.pipes.output, true), (&child.pipes.error, false)] {
            let Some(pipe) = pipe else { continue };
            let source = Source::Output(child.number, is_output).encode();
            if let Err(failure) = epoll::add(&self.events, pipe, source, EventFlags::IN) {
                system_error!(failure, "epoll: unable to add a worker's pipe");
            }
        }
    }

    /// Keeps a worker that has ended until its last words have come.
    pub fn depart(&mut self, mut child: Child, time: Duration) {
        let pool = &self.pools[child.pool];
        let config = &self.configuration.pools[pool.number];
        for is_output in [true, false] {
            read(&mut child, is_output, &config.name, config.decorate_workers_output);
        }
        if child.pipes.output.is_some() || child.pipes.error.is_some() {
            self.departed.push((child, Instant::now() + time));
        } else if let Some(stream) = &mut child.stream {
            stream.finish(b"");
        }
    }

    /// A worker has written something.
    pub fn on_output(&mut self, number: u32, is_output: bool) {
        let living = self.pools.iter_mut().flat_map(|pool| &mut pool.children);
        let departed = self.departed.iter_mut().map(|(child, _)| child);
        let Some(child) = living.chain(departed).find(|child| child.number == number) else { return };
        let config = &self.configuration.pools[child.pool];
        read(child, is_output, &config.name, config.decorate_workers_output);
    }
}

/// Reads what there is of a worker's output.
fn read(child: &mut Child, is_output: bool, pool: &str, decorates: bool) {
    let pipe = if is_output { &child.pipes.output } else { &child.pipes.error };
    let Some(pipe) = pipe else { return };
    let is_new = child.stream.is_none();
    let stream = child.stream.get_or_insert_with(|| Stream::new(pool, decorates, child.process, is_output));
    stream.set_source(pool, child.process, is_output);
    let mut buffer = [0; READ_BYTES];
    let mut mark = if is_output { 0 } else { child.pipes.mark };
    let end = loop {
        match rustix::io::read(pipe, &mut buffer) {
            Ok(0) => break Some(None),
            Ok(count) => mark = add(stream, &buffer[..count], mark),
            Err(Errno::AGAIN | Errno::INTR) => break None,
            Err(failure) => break Some(Some(failure)),
        }
    };
    if is_output {
        // The mark comes on standard error only.
        stream.text(&FLUSH_LINES[..mark]);
    } else {
        child.pipes.mark = mark;
    }
    let Some(failure) = end else { return };
    if is_new {
        stream.finish(b", pipe is closed");
    }
    if let Some(failure) = failure {
        let name = if is_output { "stdout" } else { "stderr" };
        system_error!(failure, "unable to read what child {} said into {name}", child.process);
    }
    // Closing the pipe ends the waiting for it.
    if is_output {
        child.pipes.output = None;
    } else {
        child.pipes.error = None;
    }
}

/// Adds output to the lines. `mark`: how much of [`FLUSH_LINES`] stood at the end of what came before; gives how much stands at the end
/// now.
fn add(stream: &mut Stream, bytes: &[u8], mark: usize) -> usize {
    let mut rest = bytes;
    if mark > 0 {
        match rest.strip_prefix(&FLUSH_LINES[mark..]) {
            Some(behind) => {
                stream.finish(b"");
                rest = behind;
            }
            None => stream.text(&FLUSH_LINES[..mark]),
        }
    }
    let mut start = 0;
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            b'\n' => {
                stream.text(&rest[start..at]);
                stream.finish(b"");
                at += 1;
                start = at;
            }
            0 if rest[at..].starts_with(FLUSH_LINES) => {
                stream.text(&rest[start..at]);
                stream.finish(b"");
                at += FLUSH_LINES.len();
                start = at;
            }
            0 if FLUSH_LINES.starts_with(&rest[at..]) => {
                stream.text(&rest[start..at]);
                return rest.len() - at;
            }
            _ => at += 1,
        }
    }
    stream.text(&rest[start..]);
    0
}
