//! Where the data of new entries comes from.

use super::error::{Code, Result, ZipError};
use super::header::OPSYS_DEFAULT;
use super::time;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::rc::Rc;

/// A path's bytes as the system takes them.
pub fn os(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// The length of a part that reaches to the end of the file as it is when it is added.
pub const TO_END: i64 = 0;
/// The length of a part that reaches to the end of the file as it is when it is read.
pub const UNCHECKED: i64 = -2;

/// Attributes that a source gives its entry.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    pub system: u8,
    pub external: u32,
}

/// The data of a new entry.
#[derive(Clone, Debug)]
pub enum Source {
    Memory { data: Rc<[u8]>, time: i64 },
    File(Rc<FilePart>),
}

/// A file, or a part of it.
#[derive(Debug)]
pub struct FilePart {
    path: Vec<u8>,
    /// The file, if it was opened when it was added.
    open: Option<File>,
    start: u64,
    /// Its size, if it is known before it is read.
    pub size: Option<u64>,
    time: i64,
    attributes: Attributes,
}

impl Source {
    /// Bytes in memory.
    pub fn memory(data: &[u8]) -> Source {
        Source::Memory { data: Rc::from(data), time: time::now() }
    }

    /// A part of a file. `length` is a number of bytes, [`TO_END`], or [`UNCHECKED`].
    ///
    /// # Errors
    /// `Invalid` if the file does not have the part, `Read` if the system does not say.
    pub fn file(path: &[u8], open: Option<File>, start: i64, length: i64) -> Result<Source> {
        let invalid = || ZipError::from(Code::Invalid);
        if length < UNCHECKED {
            return Err(invalid());
        }
        let wanted = u64::try_from(length).unwrap_or(0);
        let start = u64::try_from(start).map_err(|_| invalid())?;
        let end = start.checked_add(wanted).ok_or_else(invalid)?;
        let meta = match &open {
            Some(file) => file.metadata(),
            None => std::fs::metadata(os(path)),
        };
        let meta: Metadata = meta.map_err(|error| ZipError::system(Code::Read, &error))?;
        let mut size = (wanted > 0).then_some(wanted);
        if meta.is_file() {
            if end > meta.len() {
                return Err(invalid());
            }
            if wanted == 0 && length != UNCHECKED {
                size = Some(meta.len() - start);
            }
        }
        let read_only = u32::from(meta.mode() & 0o200 == 0);
        let attributes = Attributes { system: OPSYS_DEFAULT, external: meta.mode() << 16 | read_only };
        let time = meta.mtime();
        Ok(Source::File(Rc::new(FilePart { path: path.to_vec(), open, start, size, time, attributes })))
    }

    /// The size, if it is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::Memory { data, .. } => Some(data.len() as u64),
            Source::File(part) => part.size,
        }
    }

    /// When the data was made, in seconds since 1970.
    pub fn time(&self) -> i64 {
        match self {
            Source::Memory { time, .. } => *time,
            Source::File(part) => part.time,
        }
    }

    /// The attributes of a file.
    pub fn attributes(&self) -> Option<Attributes> {
        match self {
            Source::Memory { .. } => None,
            Source::File(part) => Some(part.attributes),
        }
    }

    /// Opens the data for reading.
    ///
    /// # Errors
    /// `Open` if the file is not there any more.
    pub fn open(&self) -> Result<OpenSource> {
        let place = match self {
            Source::Memory { data, .. } => Place::Memory(data.clone()),
            Source::File(part) => {
                let file = match &part.open {
                    Some(file) => file.try_clone(),
                    None => File::open(os(&part.path)),
                };
                Place::File(file.map_err(|error| ZipError::system(Code::Open, &error))?, part.start)
            }
        };
        Ok(OpenSource { place, size: self.size() })
    }
}

enum Place {
    Memory(Rc<[u8]>),
    File(File, u64),
}

/// Data that is open for reading at any place.
pub struct OpenSource {
    place: Place,
    size: Option<u64>,
}

impl OpenSource {
    /// Reads at a place in the data; 0 at its end.
    pub fn read_at(&self, buffer: &mut [u8], at: u64) -> Result<usize> {
        let left = self.size.filter(|&size| size > 0).map_or(u64::MAX, |size| size.saturating_sub(at));
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        match &self.place {
            Place::Memory(data) => {
                let rest = data.get(usize::try_from(at).unwrap_or(usize::MAX)..).unwrap_or_default();
                let count = rest.len().min(most);
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
            Place::File(file, start) => read_file(file, &mut buffer[..most], start.saturating_add(at))
                .map_err(|error| ZipError::system(Code::Read, &error)),
        }
    }
}

/// Reads a file at a place; what has no places is read on.
fn read_file(mut file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    const ESPIPE: i32 = 29;
    loop {
        match file.read_at(buffer, at) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.raw_os_error() == Some(ESPIPE) => return io::Read::read(&mut file, buffer),
            result => return result,
        }
    }
}
