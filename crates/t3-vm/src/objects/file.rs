//! Open files.

use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use phlox_t3_library::charset::CharacterSet;

/// Modes, with the numbers that programs see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Text = 1,
    Data = 2,
    Raw = 3,
}

/// What reads and writes go to.
#[derive(Debug)]
pub enum Source {
    Disk(std::fs::File),
    /// A resource of the image.
    Memory(std::io::Cursor<Vec<u8>>),
    Closed,
}

/// The state of an open file.
#[derive(Debug)]
pub struct Open {
    /// What reads and writes go to.
    pub source: Source,
    /// Whether it was opened for text, data or bytes.
    pub mode: Mode,
    /// The character set of text.
    pub set: CharacterSet,
    /// Whether it was opened for reading.
    pub readable: bool,
    /// Whether it was opened for writing.
    pub writable: bool,
}

/// An open file, shared by all copies of its object.
#[derive(Debug, Clone)]
pub struct FileHandle(pub Rc<RefCell<Open>>);

impl Source {
    /// Reads until the buffer is full or the file ends; the number of bytes that were read.
    pub fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            let count = match self {
                Source::Disk(file) => file.read(&mut buffer[done..])?,
                Source::Memory(cursor) => cursor.read(&mut buffer[done..])?,
                Source::Closed => 0,
            };
            if count == 0 {
                break;
            }
            done += count;
        }
        Ok(done)
    }

    /// Writes all bytes; only files on disk can be written.
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        match self {
            Source::Disk(file) => file.write_all(bytes),
            Source::Memory(_) | Source::Closed => Err(std::io::ErrorKind::PermissionDenied.into()),
        }
    }

    /// Goes to a place; the new position.
    pub fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        match self {
            Source::Disk(file) => file.seek(to),
            Source::Memory(cursor) => cursor.seek(to),
            Source::Closed => Ok(0),
        }
    }

    /// The size in bytes; the position stays.
    pub fn size(&mut self) -> std::io::Result<u64> {
        let here = self.seek(SeekFrom::Current(0))?;
        let size = self.seek(SeekFrom::End(0))?;
        self.seek(SeekFrom::Start(here))?;
        Ok(size)
    }
}
