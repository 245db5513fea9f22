//! Memory-mapped files: the pages are the system's page cache, shared by every process that maps the file.

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::fs::File;
use std::io;
use std::path::Path;

/// A file that is mapped read-only. Only for files that are replaced as a whole and never changed in place: if a mapped file is
/// truncated, an access ends the process with a signal.
pub struct MappedFile {
    start: *const u8,
    len: usize,
}

// SAFETY: the mapping is read only and may be unmapped by any thread.
unsafe impl Send for MappedFile {}
// SAFETY: the mapping is never written to, so threads can read it together.
unsafe impl Sync for MappedFile {}

impl MappedFile {
    /// Maps the whole of a file.
    pub fn open(path: &Path) -> io::Result<MappedFile> {
        let file = File::open(path)?;
        let len = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        if len == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
        // SAFETY: the mapping is a new one at an address that the system chooses.
        let start = unsafe { mmap(std::ptr::null_mut(), len, ProtFlags::READ, flags, &file, 0)? };
        Ok(MappedFile { start: start.cast(), len })
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the mapping has this length and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: the mapping belongs to this value, which ends here.
        let unmapped = unsafe { munmap(self.start.cast_mut().cast(), self.len) };
        debug_assert!(unmapped.is_ok());
    }
}
