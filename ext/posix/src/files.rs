//! Files, terminals and the descriptors that name them.
use crate::{answer, done, remember};
use nix::errno::Errno;
use nix::sys::stat::{self, Mode, SFlag};
use nix::unistd::{self, AccessFlags};
use phlox_ext_standard_file::stream::open;
use phlox_runtime::{Call, PhpResult, Val, basedir, convert, number};
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

/// What an argument that is a stream or a number names.
pub enum Descriptor {
    File(File),
    Number(i64),
    /// A stream that no file is behind, which was reported.
    Unusable,
    /// Neither; says what is wrong with it.
    Mistyped(String),
}

impl Descriptor {
    /// The file behind a descriptor's number.
    pub fn open(number: i64) -> nix::Result<File> {
        let copy = match number {
            0 => std::io::stdin().as_fd().try_clone_to_owned(),
            1 => std::io::stdout().as_fd().try_clone_to_owned(),
            2 => std::io::stderr().as_fd().try_clone_to_owned(),
            _ => {
                return File::open(format!("/proc/self/fd/{number}")).map_err(|error| match error.raw_os_error() {
                    // A socket cannot be opened by name; it is no terminal.
                    Some(code) if code == Errno::ENXIO as i32 => Errno::ENOTTY,
                    _ => Errno::EBADF,
                });
            }
        };
        copy.map(File::from).map_err(|_| Errno::EBADF)
    }
}

pub fn descriptor(call: &Call<'_>, index: usize) -> PhpResult<Descriptor> {
    let value = call.arg(index).deref();
    if let Some(resource) = value.as_res() {
        let Some(stream) = open::stream_of(resource) else {
            let name = call.func.display_name();
            let text = [&name[..], b"(): supplied resource is not a valid stream resource"].concat();
            return Err(call.vm.throw_type_error(&text));
        };
        return Ok(match stream.cast_file() {
            Some(file) => Descriptor::File(file),
            None => {
                call.warning(&format!("Could not use stream of type '{}'", stream.kind()))?;
                Descriptor::Unusable
            }
        });
    }
    let numeric = match value.as_str() {
        Some(text) => number::is_numeric(text),
        None => value.as_arr().is_none() && value.as_obj().is_none() && !value.is_null(),
    };
    if !numeric {
        return Ok(Descriptor::Mistyped(format!(
            "must be of type int|resource, {} given",
            convert::value_name(&value)
        )));
    }
    Ok(Descriptor::Number(convert::to_int(call.vm, &value)?))
}

pub fn posix_ctermid(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(b"/dev/tty"))
}

pub fn posix_ttyname(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = match descriptor(call, 0)? {
        Descriptor::File(file) => Ok(file),
        Descriptor::Unusable => return Ok(Val::FALSE),
        Descriptor::Number(number) if i32::try_from(number).is_ok_and(|number| number >= 0) => Descriptor::open(number),
        Descriptor::Number(_) => {
            call.warning("Argument #1 ($file_descriptor) must be between 0 and 2147483647")?;
            return Ok(Val::FALSE);
        }
        Descriptor::Mistyped(message) => {
            call.warning(&format!("Argument #1 ($file_descriptor) {message}"))?;
            Descriptor::open(convert::to_int(call.vm, &call.arg(0))?)
        }
    };
    answer(call, file.and_then(unistd::ttyname), |name| Val::str(name.as_os_str().as_bytes()))
}

pub fn posix_isatty(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = match descriptor(call, 0)? {
        Descriptor::File(file) => Ok(file),
        Descriptor::Unusable => return Ok(Val::FALSE),
        Descriptor::Number(number) => Descriptor::open(number),
        Descriptor::Mistyped(message) => {
            call.warning(&format!("Argument #1 ($file_descriptor) {message}"))?;
            return Ok(Val::FALSE);
        }
    };
    let terminal = file.and_then(|file| if unistd::isatty(file)? { Ok(()) } else { Err(Errno::ENOTTY) });
    done(call, terminal)
}

pub fn posix_getcwd(call: &mut Call<'_>) -> PhpResult<Val> {
    answer(call, unistd::getcwd(), |path| Val::str(path.as_os_str().as_bytes()))
}

fn mode(call: &Call<'_>, index: usize) -> Mode {
    Mode::from_bits_truncate(call.int(index) as u32)
}

pub fn posix_mkfifo(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if !basedir::allows_quietly(call.vm, &path) {
        return Ok(Val::FALSE);
    }
    done(call, unistd::mkfifo(&path[..], mode(call, 1)))
}

pub fn posix_mknod(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if !basedir::allows_quietly(call.vm, &path) {
        return Ok(Val::FALSE);
    }
    let kind = SFlag::from_bits_truncate(call.int(1) as u32 & SFlag::S_IFMT.bits());
    let mut device = 0;
    if kind.intersects(SFlag::S_IFCHR | SFlag::S_IFBLK) {
        if call.int(2) == 0 {
            return Err(call.value_error(2, "cannot be 0 for the POSIX_S_IFCHR and POSIX_S_IFBLK modes"));
        }
        device = stat::makedev(call.int(2) as u64, call.int(3) as u64);
    }
    done(call, stat::mknod(&path[..], kind, mode(call, 1), device))
}

pub fn posix_access(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() || path.len() >= 4096 {
        remember(call, Errno::EIO);
        return Ok(Val::FALSE);
    }
    if !basedir::allows_quietly(call.vm, &path) {
        remember(call, Errno::EPERM);
        return Ok(Val::FALSE);
    }
    done(call, unistd::access(&path[..], AccessFlags::from_bits_truncate(call.int(1) as i32)))
}

pub fn posix_eaccess(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    // A path that is too long is reported like one that is empty.
    if path.is_empty() || path.len() >= 4096 {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !basedir::allows_quietly(call.vm, &path) {
        remember(call, Errno::EPERM);
        return Ok(Val::FALSE);
    }
    done(call, unistd::eaccess(&path[..], AccessFlags::from_bits_truncate(call.int(1) as i32)))
}
