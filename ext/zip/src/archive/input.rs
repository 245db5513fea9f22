//! The file of an archive, read at places, also while the archive is changed or closed.

use super::error::{Code, Result, ZipError};
use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The file of an archive.
#[derive(Debug)]
pub struct Input {
    file: File,
    /// Its size when it was opened.
    pub size: u64,
    /// The archive was closed: entries cannot be read any more.
    pub is_closed: Cell<bool>,
}

impl Input {
    /// An open file whose size is known.
    pub fn new(file: File, size: u64) -> Input {
        Input { file, size, is_closed: Cell::new(false) }
    }

    /// Reads at a place; fewer bytes only at the end.
    ///
    /// # Errors
    /// `Invalid` if the place is behind the end, `Read` if the system fails.
    pub fn read_at(&self, buffer: &mut [u8], at: u64) -> Result<usize> {
        if at > self.size {
            return Err(Code::Invalid.into());
        }
        let mut filled = 0;
        while filled < buffer.len() {
            match self.file.read_at(&mut buffer[filled..], at + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ZipError::system(Code::Read, &error)),
            }
        }
        Ok(filled)
    }

    /// Reads bytes that must be there.
    ///
    /// # Errors
    /// `Eof` if they are not.
    pub fn read(&self, at: u64, size: usize) -> Result<Vec<u8>> {
        if at > self.size {
            return Err(Code::Invalid.into());
        }
        // A size that lies takes no memory.
        if size as u64 > self.size - at {
            return Err(Code::Eof.into());
        }
        phlox_runtime::room::require_room(size);
        let mut data = vec![0; size];
        if self.read_at(&mut data, at)? < size {
            return Err(Code::Eof.into());
        }
        Ok(data)
    }
}
