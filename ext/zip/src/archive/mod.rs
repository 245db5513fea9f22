//! Zip archives that can be changed. Changes are kept in memory and written when the archive is closed; indexes of entries stay what
//! they are until then. The behaviour, with its errors, is that of libzip 1.11.3, which PHP's extension is a layer over.

mod bytes;
mod change;
mod cipher;
mod codec;
mod content;
pub mod error;
mod extra;
pub mod flags;
pub mod header;
mod input;
#[cfg(test)]
mod mutation;
mod open;
pub mod source;
pub mod text;
mod time;
mod write;

pub use cipher::is_supported as is_encryption_supported;
pub use codec::is_supported as is_method_supported;
pub use content::Content;
pub use error::{Code, Result, ZipError};
pub use source::Source;
pub use write::Progress;

use flags::{archive, open as opening};
use header::{Header, encryption, method};
use input::Input;
use source::os;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::rc::Rc;
use text::Text;

/// What was changed of a header.
mod changed {
    pub const METHOD: u32 = 1;
    pub const NAME: u32 = 2;
    pub const COMMENT: u32 = 4;
    pub const FIELDS: u32 = 8;
    pub const ATTRIBUTES: u32 = 16;
    pub const ENCRYPTION: u32 = 32;
    pub const PASSWORD: u32 = 64;
    pub const TIME: u32 = 128;
}

/// A header as it will be written.
#[derive(Clone, Debug, Default)]
struct Changes {
    header: Header,
    /// Bits of [`changed`].
    what: u32,
}

/// An entry of an archive.
#[derive(Debug, Default)]
struct Entry {
    /// As the archive has it.
    original: Option<Header>,
    changes: Option<Box<Changes>>,
    /// New data.
    source: Option<Source>,
    is_deleted: bool,
}

impl Entry {
    fn changed(&self, what: u32) -> bool {
        self.changes.as_ref().is_some_and(|changes| changes.what & what != 0)
    }

    fn has_changes(&self) -> bool {
        self.source.is_some() || self.is_deleted || self.changed(u32::MAX)
    }
}

/// Which entries have a name: when the archive was opened, and now.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    original: Option<usize>,
    current: Option<usize>,
}

/// Entries by name.
#[derive(Debug, Default)]
struct Names(HashMap<Vec<u8>, Place>);

impl Names {
    /// Gives an entry of the opened archive its name. False: another one has it.
    fn add_original(&mut self, name: &[u8], index: usize) -> bool {
        let place = self.0.entry(name.to_vec()).or_default();
        let is_free = place.original.is_none() && place.current.is_none();
        if is_free {
            *place = Place { original: Some(index), current: Some(index) };
        }
        is_free
    }

    fn add(&mut self, name: &[u8], index: usize) -> Result<()> {
        let place = self.0.entry(name.to_vec()).or_default();
        if place.current.is_some() {
            return Err(Code::Exists.into());
        }
        place.current = Some(index);
        Ok(())
    }

    fn remove(&mut self, name: &[u8]) -> Result<()> {
        let place = self.0.get_mut(name).ok_or(ZipError::from(Code::NoEntry))?;
        place.current = None;
        if place.original.is_none() {
            self.0.remove(name);
        }
        Ok(())
    }

    fn find(&self, name: &[u8], of_original: bool) -> Option<usize> {
        let place = self.0.get(name)?;
        if of_original { place.original } else { place.current }
    }

    fn revert(&mut self) {
        self.0.retain(|_, place| {
            place.current = place.original;
            place.original.is_some()
        });
    }
}

/// What is known of an entry. Sizes and methods that are not known yet are 0.
#[derive(Clone, Debug)]
pub struct Stat {
    pub name: Vec<u8>,
    pub index: usize,
    pub crc: u32,
    pub size: u64,
    pub time: i64,
    pub stored_size: u64,
    pub method: u16,
    pub encryption: u16,
    has_crc: bool,
}

/// A zip archive.
#[derive(Debug)]
pub struct Archive {
    path: Vec<u8>,
    input: Option<Rc<Input>>,
    /// What the archive was opened with.
    opened_with: u32,
    /// Properties of the archive when it was opened.
    flags: u32,
    /// Its properties now.
    new_flags: u32,
    comment: Option<Text>,
    /// The new comment, if it was changed.
    new_comment: Option<Option<Text>>,
    entries: Vec<Entry>,
    names: Names,
    password: Option<Rc<[u8]>>,
    /// The last error, which lookups leave behind as well.
    pub error: ZipError,
}

impl Archive {
    /// Opens an archive, or makes one that is written when it is closed.
    ///
    /// # Errors
    /// Whatever is wrong with the file: it is missing, it exists although it must not, it is no archive.
    pub fn open(path: &[u8], flags: i64) -> Result<Archive> {
        let flags = u32::try_from(flags as i32).map_err(|_| ZipError::from(Code::Invalid))?;
        let meta = match std::fs::metadata(os(path)) {
            Ok(meta) => Some(meta),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(ZipError::system(Code::Read, &error)),
        };
        if meta.as_ref().is_some_and(|meta| !meta.is_file()) {
            return Err(Code::OpNotSupp.into());
        }
        if flags & opening::RDONLY != 0 && flags & opening::TRUNCATE != 0 {
            return Err(Code::ReadOnly.into());
        }
        let Some(meta) = meta else {
            let creates = flags & opening::CREATE != 0;
            return if creates { Ok(Archive::new(path, flags)) } else { Err(Code::NoEntry.into()) };
        };
        if flags & opening::EXCL != 0 {
            return Err(Code::Exists.into());
        }
        let file = File::open(os(path)).map_err(|error| ZipError::system(Code::Open, &error))?;
        let mut archive = Archive::new(path, flags);
        if flags & opening::TRUNCATE == 0 {
            archive.read(Input::new(file, meta.len()))?;
        }
        Ok(archive)
    }

    fn new(path: &[u8], opened_with: u32) -> Archive {
        let flags = if opened_with & opening::RDONLY != 0 { archive::RDONLY } else { 0 };
        Archive {
            path: path.to_vec(),
            input: None,
            opened_with,
            flags,
            new_flags: flags,
            comment: None,
            new_comment: None,
            entries: Vec::new(),
            names: Names::default(),
            password: None,
            error: ZipError::default(),
        }
    }

    fn read(&mut self, input: Input) -> Result<()> {
        let directory = open::directory(&input, self.opened_with)?;
        self.input = Some(Rc::new(input));
        if directory.is_torrentzip {
            self.flags |= archive::IS_TORRENTZIP;
        } else {
            self.comment = directory.comment;
        }
        self.new_flags = self.flags;
        for (index, header) in directory.headers.into_iter().enumerate() {
            let is_new = self.names.add_original(&text::shown(header.name.as_ref(), 0), index);
            if !is_new {
                self.error = Code::Exists.into();
                if self.opened_with & opening::CHECKCONS != 0 {
                    return Err(Code::Exists.into());
                }
            }
            self.entries.push(Entry { original: Some(header), ..Entry::default() });
        }
        Ok(())
    }

    /// Number of entries, those that are deleted included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Keeps the error of a call as the archive's last one.
    pub fn note<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.error = error).ok()
    }

    fn is_read_only(&self) -> bool {
        self.new_flags & archive::RDONLY != 0
    }

    fn wants_torrentzip(&self) -> bool {
        self.new_flags & archive::WANT_TORRENTZIP != 0
    }

    /// The header of an entry: the changed one unless the flags ask for the archive's.
    fn header(&self, index: usize, flags: u32) -> Result<&Header> {
        let entry = self.entries.get(index).ok_or(ZipError::from(Code::Invalid))?;
        match &entry.changes {
            Some(changes) if flags & flags::UNCHANGED == 0 => Ok(&changes.header),
            _ => {
                let original = entry.original.as_ref().ok_or(ZipError::from(Code::Invalid))?;
                if entry.is_deleted && flags & flags::UNCHANGED == 0 {
                    return Err(Code::Deleted.into());
                }
                Ok(original)
            }
        }
    }

    /// The name of an entry.
    pub fn name(&self, index: usize, flags: u32) -> Result<Cow<'_, [u8]>> {
        Ok(text::shown(self.header(index, flags)?.name.as_ref(), flags))
    }

    /// The comment of an entry.
    pub fn entry_comment(&self, index: usize, flags: u32) -> Result<Cow<'_, [u8]>> {
        Ok(text::shown(self.header(index, flags)?.comment.as_ref(), flags))
    }

    /// The comment of the archive.
    pub fn comment(&self, flags: u32) -> Cow<'_, [u8]> {
        let new = self.new_comment.as_ref().and_then(Option::as_ref).filter(|_| flags & flags::UNCHANGED == 0);
        text::shown(new.or(self.comment.as_ref()), flags)
    }

    /// System and attributes of an entry.
    pub fn attributes(&self, index: usize, flags: u32) -> Result<(u8, u32)> {
        let header = self.header(index, flags)?;
        Ok(((header.version_made_by >> 8) as u8, header.attributes))
    }

    /// Is a property set?
    pub fn flag(&self, flag: u32, flags: u32) -> bool {
        let all = if flags & flags::UNCHANGED != 0 { self.flags } else { self.new_flags };
        all & flag != 0
    }

    /// The index of the entry with a name; an error is kept as the archive's last one.
    pub fn locate(&mut self, name: &[u8], flags: u32) -> Option<usize> {
        let found = self.find(name, flags);
        if found.is_ok() && flags & (flags::NOCASE | flags::NODIR | flags::ENC_RAW | flags::ENC_STRICT) != 0 {
            self.error = ZipError::default();
        }
        self.note(found)
    }

    fn find(&self, name: &[u8], flags: u32) -> Result<usize> {
        if name.len() > usize::from(u16::MAX) {
            return Err(Code::Invalid.into());
        }
        let given = if flags & (flags::ENC_UTF_8 | flags::ENC_RAW) == 0 { Text::given(name, flags)? } else { None };
        let name = given.as_ref().map_or(Cow::Borrowed(name), |text| text.get(0));
        if flags & (flags::NOCASE | flags::NODIR | flags::ENC_RAW | flags::ENC_STRICT) == 0 {
            let found = self.names.find(&name, flags & flags::UNCHANGED != 0);
            return found.ok_or(Code::NoEntry.into());
        }
        let matches = |index: usize| {
            let Ok(known) = self.name(index, flags) else { return false };
            let start = known.iter().rposition(|&byte| byte == b'/').filter(|_| flags & flags::NODIR != 0);
            let known = &known[start.map_or(0, |at| at + 1)..];
            if flags & flags::NOCASE != 0 { known.eq_ignore_ascii_case(&name) } else { *known == *name }
        };
        (0..self.entries.len()).find(|&index| matches(index)).ok_or(Code::NoEntry.into())
    }

    /// What is known of an entry.
    pub fn stat(&self, index: usize, flags: u32) -> Result<Stat> {
        let header = self.header(index, flags)?;
        let entry = &self.entries[index];
        let name = text::shown(header.name.as_ref(), flags).into_owned();
        let mut stat = match entry.source.as_ref().filter(|_| flags & flags::UNCHANGED == 0) {
            Some(source) => {
                let is_stored = header.method == method::STORE;
                let size = source.size();
                Stat {
                    name,
                    index,
                    crc: 0,
                    size: size.unwrap_or(0),
                    time: if entry.changed(changed::TIME) { header.unix_time() } else { source.time() },
                    stored_size: size.filter(|_| is_stored).unwrap_or(0),
                    method: if header.method == method::DEFAULT { 0 } else { header.method as u16 },
                    encryption: encryption::NONE,
                    has_crc: false,
                }
            }
            None => Stat {
                name,
                index,
                crc: header.crc,
                size: header.size,
                time: header.unix_time(),
                stored_size: header.stored_size,
                method: header.method as u16,
                encryption: header.encryption,
                has_crc: header.has_crc,
            },
        };
        if self.wants_torrentzip() && flags & flags::UNCHANGED == 0 {
            stat.method = method::DEFLATE as u16;
            stat.time = time::TORRENTZIP.to_unix();
        }
        Ok(stat)
    }

    /// Where the data of an entry of the opened archive starts.
    fn data_offset(&self, index: usize) -> Result<u64> {
        let entry = self.entries.get(index).and_then(|entry| entry.original.as_ref());
        let (Some(header), Some(input)) = (entry, &self.input) else { return Err(Code::Internal.into()) };
        let from = header.offset.checked_add(26).ok_or(ZipError::too_far())?;
        if header.offset > input.size || from > input.size {
            return Err(Code::Invalid.into());
        }
        let sizes = input.read(from, 4)?;
        let mut sizes = bytes::Bytes::new(&sizes);
        let size = header::LOCAL_SIZE as u64 + u64::from(sizes.short()) + u64::from(sizes.short());
        header.offset.checked_add(size).filter(|&at| at <= i64::MAX as u64).ok_or(ZipError::too_far())
    }

    /// Forbids reading further from entries that are open.
    fn invalidate(&self) {
        if let Some(input) = &self.input {
            input.is_closed.set(true);
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        self.invalidate();
    }
}
