//! Files, pipes and the standard streams.

use super::{Read, SEEK_CUR, SEEK_END, SEEK_SET, Source, StreamOption};
use crate::{sapi, stat};
use phlox_process::Standard;
use phlox_runtime::{PhpArr, PhpResult, Vm};
use rustix::fs::FlockOperation;
use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek, SeekFrom, Write};
use std::process::Child;

/// An open file or pipe.
pub struct FileSource {
    pub file: File,
    pub seekable: bool,
    /// Deleted when closed (`tmpfile`).
    pub delete: Option<std::path::PathBuf>,
    /// The process at the other end (`popen`).
    pub child: Option<Child>,
    pub append: bool,
    /// The file may be where the script's output goes, so buffered output must be written before it.
    pub joins_output: bool,
    /// The standard descriptor of the process that is closed with the stream, for the constants `STDIN`, `STDOUT` and
    /// `STDERR`.
    pub standard: Option<Standard>,
}

impl FileSource {
    /// A source that is this file; whether it can seek depends on what it is.
    pub fn new(file: File) -> FileSource {
        let seekable = file.metadata().is_ok_and(|meta| meta.is_file() || meta.is_dir());
        FileSource { file, seekable, delete: None, child: None, append: false, joins_output: !seekable, standard: None }
    }
}

/// `Read of 8192 bytes failed with errno=21 Is a directory`
fn failure_notice(vm: &Vm, what: &str, size: usize, error: &std::io::Error) -> PhpResult<()> {
    let name = vm.frame().map(|frame| phlox_runtime::shown(&frame.func.display_name()).into_owned());
    let (number, text) = (error.raw_os_error().unwrap_or(0), error_text(error));
    let message = format!("{}(): {what} of {size} bytes failed with errno={number} {text}", name.unwrap_or_default());
    vm.notice(message.as_bytes())
}

/// `strerror` of an error.
pub fn error_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

impl Source for FileSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        let mut data = vec![0; size.min(1 << 20)];
        match self.file.read(&mut data) {
            Ok(count) => {
                data.truncate(count);
                Ok(Read { data, eof: count == 0, failed: false })
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(Read::default()),
            Err(error) => {
                failure_notice(vm, "Read", size, &error)?;
                const BAD_DESCRIPTOR: i32 = 9;
                let eof = error.raw_os_error() != Some(BAD_DESCRIPTOR);
                Ok(Read { data: Vec::new(), eof, failed: true })
            }
        }
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        if self.joins_output {
            vm.output.before_waiting();
        }
        match self.file.write(data) {
            Ok(count) => Ok(Some(count)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(Some(0)),
            Err(error) => {
                failure_notice(vm, "Write", data.len(), &error)?;
                Ok(None)
            }
        }
    }

    fn seek(&mut self, _vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        let target = match whence {
            SEEK_CUR => SeekFrom::Current(offset),
            SEEK_END => SeekFrom::End(offset),
            SEEK_SET => match u64::try_from(offset) {
                Ok(offset) => SeekFrom::Start(offset),
                Err(_) => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(self.file.seek(target).ok().map(|position| position as i64))
    }

    fn is_seekable(&self) -> bool {
        self.seekable
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        if let Some(path) = self.delete.take() {
            let _ = std::fs::remove_file(path);
        }
        // The standard descriptors of a web server's process stay open: the constants for them are gone before the script
        // begins. Those of the command line stay open for its next request.
        let stays = vm.is_clearing.get() || sapi::request(vm).is_cgi.get();
        if let Some(standard) = self.standard.take().filter(|_| !stays) {
            vm.output.before_waiting();
            phlox_process::close_standard(standard);
        }
        Ok(())
    }

    fn stat(&mut self, _vm: &Vm) -> PhpResult<Option<PhpArr>> {
        Ok(self.file.metadata().ok().map(|meta| stat::to_array(&stat::Stat::from(&meta))))
    }

    fn truncate(&mut self, _vm: &Vm, size: u64) -> PhpResult<Option<bool>> {
        if !self.seekable {
            return Ok(None);
        }
        Ok(Some(self.file.set_len(size).is_ok()))
    }

    fn lock(&mut self, _vm: &Vm, operation: i64) -> PhpResult<Option<(bool, bool)>> {
        const LOCK_NB: i64 = 4;
        let wait = operation & LOCK_NB == 0;
        let operation = match (operation & 3, wait) {
            (1, true) => FlockOperation::LockShared,
            (1, false) => FlockOperation::NonBlockingLockShared,
            (2, true) => FlockOperation::LockExclusive,
            (2, false) => FlockOperation::NonBlockingLockExclusive,
            _ => FlockOperation::Unlock,
        };
        match rustix::fs::flock(&self.file, operation) {
            Ok(()) => Ok(Some((true, false))),
            Err(error) => Ok(Some((false, error == rustix::io::Errno::WOULDBLOCK))),
        }
    }

    fn supports_lock(&self) -> bool {
        true
    }

    fn set_option(&mut self, _vm: &Vm, option: StreamOption) -> PhpResult<Option<bool>> {
        match option {
            StreamOption::Blocking(on) => {
                let Ok(flags) = rustix::fs::fcntl_getfl(&self.file) else { return Ok(Some(false)) };
                let flags =
                    if on { flags - rustix::fs::OFlags::NONBLOCK } else { flags | rustix::fs::OFlags::NONBLOCK };
                Ok(Some(rustix::fs::fcntl_setfl(&self.file, flags).is_ok()))
            }
            StreamOption::WriteBuffer(_) => Ok(Some(false)),
            StreamOption::ReadBuffer(_) | StreamOption::ForInclude => Ok(Some(true)),
            StreamOption::Timeout { .. } => Ok(None),
        }
    }

    fn is_terminal(&self) -> bool {
        use std::io::IsTerminal;
        self.file.is_terminal()
    }

    fn file(&self) -> Option<&File> {
        Some(&self.file)
    }

    fn kind(&self) -> &'static str {
        "STDIO"
    }

    fn reads_greedily(&self) -> bool {
        self.seekable && self.child.is_none()
    }
}

/// A copy of a standard descriptor with a high number, so that the descriptors that a script opens have the same numbers
/// as with PHP.
pub fn standard_aside(which: Standard) -> Option<File> {
    use rustix::io::fcntl_dupfd_cloexec;
    let aside = match which {
        Standard::Input => fcntl_dupfd_cloexec(std::io::stdin(), ASIDE),
        Standard::Output => fcntl_dupfd_cloexec(std::io::stdout(), ASIDE),
        Standard::Error => fcntl_dupfd_cloexec(std::io::stderr(), ASIDE),
    };
    aside.ok().map(File::from).or_else(|| standard(which))
}

/// The lowest number of copies that a script does not ask for. Linux has room for 64 descriptors in a process; for a
/// higher number it makes a larger table, and a process with threads waits for up to 20 ms until all processors have
/// seen that.
const ASIDE: i32 = 61;

/// A copy of a standard descriptor.
pub fn standard(which: Standard) -> Option<File> {
    use std::os::fd::AsFd;
    let descriptor = match which {
        Standard::Input => std::io::stdin().as_fd().try_clone_to_owned(),
        Standard::Output => std::io::stdout().as_fd().try_clone_to_owned(),
        Standard::Error => std::io::stderr().as_fd().try_clone_to_owned(),
    };
    descriptor.ok().map(File::from)
}
