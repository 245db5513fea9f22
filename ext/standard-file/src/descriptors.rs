//! The descriptors of a program that `proc_open` starts, and the ends that stay here.

use crate::sockets;
use crate::stream::Stream;
use crate::stream::open;
use crate::stream::plain::{FileSource, error_text};
use phlox_runtime::{Call, PhpArr, PhpRes, PhpResult, PhpStr, Val, View, convert};
use rustix::fs::{Mode, OFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

/// The program's descriptors and the ends that stay here, by number.
#[derive(Default)]
pub struct Descriptors {
    pub theirs: Vec<(i32, OwnedFd)>,
    pub ours: Vec<(i32, PhpRes)>,
    /// Both ends of the pseudo-terminal, which all descriptors of that kind share.
    terminal: Option<(OwnedFd, OwnedFd)>,
}

/// An end for the program, and one that stays here.
type Ends = (OwnedFd, Option<PhpRes>);

impl Descriptors {
    /// Adds the descriptor of a specification; false, with a warning, if that fails.
    pub fn add(&mut self, call: &Call<'_>, number: i32, spec: &Val) -> PhpResult<bool> {
        let Some((theirs, ours)) = self.connect(call, spec)? else { return Ok(false) };
        self.theirs.push((number, theirs));
        self.ours.extend(ours.map(|ours| (number, ours)));
        Ok(true)
    }

    fn connect(&mut self, call: &Call<'_>, spec: &Val) -> PhpResult<Option<Ends>> {
        if let Some(resource) = spec.as_res() {
            let Some(stream) = open::stream_of(resource) else {
                return Err(call.vm.throw_type_error(b"proc_open(): supplied resource is not a valid stream resource"));
            };
            stream.flush(call.vm, false)?;
            if stream.is_filtered() {
                crate::stream::user::warn_of_filters(call.vm)?;
                return Ok(None);
            }
            return Ok(stream.duplicate_file().map(|file| (file.into(), None)));
        }
        let View::Arr(spec) = spec.view() else {
            return Err(call.value_error(1, "must only contain arrays and streams"));
        };
        let kind = part(call, spec, 0, "Missing handle qualifier")?;
        match kind.as_bytes() {
            b"pipe" => pipe(call, &part(call, spec, 1, "Missing mode parameter for 'pipe'")?),
            b"socket" => socket(call),
            b"file" => file(call, spec),
            b"redirect" => self.redirect(call, spec),
            b"null" => complain(
                call,
                "Failed to open /dev/null: ",
                rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()),
            )
            .map(|null| null.map(|null| (null, None))),
            b"pty" => self.terminal(call),
            _ => {
                call.warning(&format!("{kind} is not a valid descriptor spec/mode"))?;
                Ok(None)
            }
        }
    }

    /// `redirect`: a duplicate of a descriptor given before, or of one of this program's three.
    fn redirect(&self, call: &Call<'_>, spec: &PhpArr) -> PhpResult<Option<Ends>> {
        let Some(target) = spec.get_int(1).map(Val::deref) else {
            return Err(call.vm.throw_value_error(b"Missing redirection target"));
        };
        let Some(target) = target.as_int() else {
            let text = format!("Redirection target must be of type int, {} given", convert::value_name(&target));
            return Err(call.vm.throw_value_error(text.as_bytes()));
        };
        let known = self.theirs.iter().find(|(number, _)| i64::from(*number) == target);
        let copy = match (known, target) {
            (Some((_, theirs)), _) => theirs.try_clone(),
            (None, 0) => std::io::stdin().as_fd().try_clone_to_owned(),
            (None, 1) => std::io::stdout().as_fd().try_clone_to_owned(),
            (None, 2) => std::io::stderr().as_fd().try_clone_to_owned(),
            _ => {
                call.warning(&format!("Redirection target {target} not found"))?;
                return Ok(None);
            }
        };
        match copy {
            Ok(copy) => Ok(Some((copy, None))),
            Err(error) => {
                call.warning(&format!("Failed to dup() for descriptor {target}: {}", error_text(&error)))?;
                Ok(None)
            }
        }
    }

    fn terminal(&mut self, call: &Call<'_>) -> PhpResult<Option<Ends>> {
        if self.terminal.is_none() {
            match nix::pty::openpty(None, None) {
                Ok(pair) => self.terminal = Some((pair.master, pair.slave)),
                Err(error) => {
                    let text = error_text(&error.into());
                    call.warning(&format!("Could not open PTY (pseudoterminal): {text}"))?;
                    return Ok(None);
                }
            }
        }
        let ends = self.terminal.as_ref().and_then(|(master, slave)| {
            let ours = FileSource::new(File::from(master.try_clone().ok()?));
            Some((slave.try_clone().ok()?, Some(resource(Stream::new(Box::new(ours), "r+")))))
        });
        Ok(ends)
    }
}

fn resource(stream: Stream) -> PhpRes {
    open::resource(Rc::new(stream))
}

/// A text in a specification.
fn part(call: &Call<'_>, spec: &PhpArr, index: i64, missing: &str) -> PhpResult<PhpStr> {
    match spec.get_int(index) {
        Some(value) => convert::to_str(call.vm, &value.deref()),
        None => Err(call.vm.throw_value_error(missing.as_bytes())),
    }
}

/// The result of a system call; `None`, with a warning, if it failed.
fn complain<T>(call: &Call<'_>, what: &str, result: rustix::io::Result<T>) -> PhpResult<Option<T>> {
    match result {
        Ok(made) => Ok(Some(made)),
        Err(error) => {
            call.warning(&format!("{what}{}", error_text(&error.into())))?;
            Ok(None)
        }
    }
}

/// A pipe; the mode is the program's.
fn pipe(call: &Call<'_>, mode: &[u8]) -> PhpResult<Option<Ends>> {
    let made = complain(call, "Unable to create pipe ", rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC))?;
    Ok(made.map(|(reader, writer)| {
        let (theirs, ours, mode) = if mode.starts_with(b"w") { (writer, reader, "r") } else { (reader, writer, "w") };
        (theirs, Some(resource(Stream::new(Box::new(FileSource::new(File::from(ours))), mode))))
    }))
}

fn socket(call: &Call<'_>) -> PhpResult<Option<Ends>> {
    let made = rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    Ok(complain(call, "Unable to create socket pair: ", made)?
        .map(|(theirs, ours)| (theirs, Some(resource(sockets::generic(call.vm, ours))))))
}

fn file(call: &Call<'_>, spec: &PhpArr) -> PhpResult<Option<Ends>> {
    let path = part(call, spec, 1, "Missing file name parameter for 'file'")?;
    let mode = part(call, spec, 2, "Missing mode parameter for 'file'")?;
    let stream = open::open(call.vm, &path, &phlox_runtime::shown(&mode), &open::Options::default())?;
    Ok(stream.and_then(|stream| stream.duplicate_file()).map(|file| (file.into(), None)))
}
