//! Finding and reading the central directory of an archive.

use super::bytes::Bytes;
use super::error::{Code, Detail, Result, ZipError};
use super::extra;
use super::flags::open::CHECKCONS;
use super::header::{CENTRAL_MAGIC, CENTRAL_SIZE, Header, LOCAL_MAGIC, LOCAL_SIZE};
use super::input::Input;
use super::text::Text;

const END_MAGIC: &[u8; 4] = b"PK\x05\x06";
const END64_MAGIC: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_MAGIC: &[u8; 4] = b"PK\x06\x07";
/// Bytes of the end record without its comment.
const END_SIZE: usize = 22;
const END64_SIZE: usize = 56;
const LOCATOR_SIZE: usize = 20;
/// Where the end record can be: its comment has up to 65,535 bytes, and the locator is before it.
const TAIL_SIZE: u64 = (0xffff + END_SIZE + LOCATOR_SIZE) as u64;
/// Entries by which a directory may have more than its count says, because some writers count modulo 65,536.
const COUNT_CYCLE: u64 = 0x1_0000;
/// The longest data descriptor.
const DESCRIPTOR_SIZE: usize = 24;

const SIGNATURE: &[u8] = b"TORRENTZIPPED-";

/// A central directory.
#[derive(Default)]
pub struct Directory {
    pub headers: Vec<Header>,
    pub comment: Option<Text>,
    /// Is it as torrentzip prescribes, by the checksum in the comment?
    pub is_torrentzip: bool,
}

/// The end record, with the values of the 64-bit one if there is one.
#[derive(Clone, Copy, Default)]
struct End {
    disk: u32,
    first_disk: u32,
    disk_entries: u64,
    entries: u64,
    size: u64,
    offset: u64,
    is_64: bool,
}

/// The last bytes of an archive, and where they start.
struct Tail<'a> {
    input: &'a Input,
    data: Vec<u8>,
    start: u64,
    checks: bool,
}

/// What bytes that look like an end record are.
enum Candidate {
    /// No end record of this archive; the search goes on.
    None(Option<ZipError>),
    Found(Result<Directory>),
}

impl From<ZipError> for Candidate {
    fn from(error: ZipError) -> Candidate {
        Candidate::Found(Err(error))
    }
}

/// Reads the central directory of an archive.
///
/// # Errors
/// `NoZip` if the file is no archive, `TruncatedZip` if it starts as one, an inconsistency if the directory is damaged.
pub fn directory(input: &Input, flags: u32) -> Result<Directory> {
    let found = find(input, flags & CHECKCONS != 0);
    match found {
        Err(error) if error.code == Code::NoZip && input.read(0, 4).is_ok_and(|magic| magic == LOCAL_MAGIC) => {
            Err(Code::TruncatedZip.into())
        }
        found => found,
    }
}

fn find(input: &Input, checks: bool) -> Result<Directory> {
    if input.size < END_SIZE as u64 {
        return Err(Code::NoZip.into());
    }
    let size = input.size.min(TAIL_SIZE);
    let start = input.size - size;
    let tail = Tail { input, data: input.read(start, size as usize)?, start, checks };
    let (mut error, mut end) = (ZipError::from(Code::NoZip), tail.data.len());
    while let Some(at) = tail.data[..end].windows(4).rposition(|window| window == END_MAGIC) {
        match tail.candidate(at) {
            Candidate::Found(result) => return result,
            Candidate::None(reason) => error = reason.unwrap_or(error),
        }
        end = at + 3;
    }
    Err(error)
}

impl Tail<'_> {
    /// Do these bytes stand at a place in the file?
    fn has_magic(&self, at: u64, magic: &[u8; 4]) -> bool {
        self.bytes_at(at, 4).is_ok_and(|bytes| bytes == magic)
    }

    /// Bytes of the file, from the tail if they are there.
    fn bytes_at(&self, at: u64, size: usize) -> Result<Vec<u8>> {
        let inside = at.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        match inside {
            Some(from) => {
                let end = from.checked_add(size).ok_or(ZipError::from(Code::Eof))?;
                self.data.get(from..end).map(<[u8]>::to_vec).ok_or(Code::Eof.into())
            }
            None => self.input.read(at, size),
        }
    }

    fn candidate(&self, at: usize) -> Candidate {
        if self.data.len() - at < END_SIZE {
            return Candidate::None(Some(Detail::EndLength.into()));
        }
        let mut bytes = Bytes::new(&self.data[at + 4..]);
        let mut end = End {
            disk: bytes.short().into(),
            first_disk: bytes.short().into(),
            disk_entries: bytes.short().into(),
            entries: bytes.short().into(),
            size: bytes.long().into(),
            offset: bytes.long().into(),
            is_64: false,
        };
        let comment_size = usize::from(bytes.short());
        let end_offset = self.start + at as u64;
        let locator = at.checked_sub(LOCATOR_SIZE).filter(|&from| self.data[from..].starts_with(LOCATOR_MAGIC));
        if let Some(from) = locator {
            match self.read_end64(end, from) {
                Ok(Some(end64)) => end = end64,
                Ok(None) => return Candidate::None(None),
                Err(error) => return error.into(),
            }
        } else if !self.is_plausible(&end, end_offset) {
            return Candidate::None(None);
        }
        if let Err(error) = self.check_end(&end, end_offset) {
            return error.into();
        }
        let comment = match self.comment(at, comment_size) {
            Ok(comment) => comment,
            Err(error) => return error.into(),
        };
        Candidate::Found(self.read_directory(&end, comment))
    }

    /// Can an end record without a 64-bit one be right?
    fn is_plausible(&self, end: &End, end_offset: u64) -> bool {
        let other_disk = (end.disk != 0 || end.first_disk != 0) && end.disk != end.first_disk;
        if other_disk && (end.disk < end.first_disk || end.size <= end_offset) {
            return false;
        }
        let is_empty = end.disk == 0 && end.first_disk == 0 && end_offset == 0 && end.offset == 0 && end.entries == 0;
        is_empty || self.has_magic(end.offset, CENTRAL_MAGIC)
    }

    /// The end record with 64 bits that a locator names; `None`: there is none.
    fn read_end64(&self, end: End, locator: usize) -> Result<Option<End>> {
        let mut bytes = Bytes::new(&self.data[locator + 4..]);
        let (first_disk, offset, disks) = (bytes.long(), bytes.quad(), bytes.long());
        if !self.has_magic(offset, END64_MAGIC) {
            return Ok(None);
        }
        if disks != 1 {
            return Err(Code::MultiDisk.into());
        }
        if offset > i64::MAX as u64 {
            return Err(ZipError::too_far());
        }
        let locator_offset = self.start + locator as u64;
        if offset + END64_SIZE as u64 > locator_offset {
            return Err(Detail::End64OverlapsEnd.into());
        }
        let data = self.bytes_at(offset, END64_SIZE)?;
        let mut bytes = Bytes::new(&data[4..]);
        let own_size = bytes.quad();
        if self.checks && own_size.checked_add(offset + 12) != Some(locator_offset) {
            return Err(Detail::End64OverlapsEnd.into());
        }
        bytes.long();
        let disk = bytes.long();
        if bytes.long() != first_disk {
            return Err(Detail::LocatorMismatch.into());
        }
        let (disk_entries, entries, size, start) = (bytes.quad(), bytes.quad(), bytes.quad(), bytes.quad());
        if disk_entries != entries {
            return Err(Code::MultiDisk.into());
        }
        if start > i64::MAX as u64 || start.checked_add(size).is_none() {
            return Err(ZipError::too_far());
        }
        if entries > size / CENTRAL_SIZE as u64 {
            return Err(Detail::DirectoryValue.into());
        }
        let differs = |known: u64, unknown: u64, found: u64| known != unknown && known != found;
        let (short, long) = (u64::from(u16::MAX), u64::from(u32::MAX));
        if differs(end.size, long, size)
            || differs(end.offset, long, start)
            || differs(end.entries, short, entries)
            || differs(end.disk_entries, short, disk_entries)
            || differs(end.disk.into(), short, disk.into())
            || differs(end.first_disk.into(), short, first_disk.into())
        {
            return Err(Detail::End64Mismatch.into());
        }
        Ok(Some(End { disk, first_disk, disk_entries, entries, size, offset: start, is_64: true }))
    }

    fn check_end(&self, end: &End, end_offset: u64) -> Result<()> {
        if end.disk_entries != end.entries || end.disk != 0 || end.first_disk != 0 {
            return Err(Code::MultiDisk.into());
        }
        match end.offset.checked_add(end.size) {
            None => Err(ZipError::too_far()),
            Some(behind) if behind > end_offset => Err(Detail::DirectoryOverlapsEnd.into()),
            Some(_) => Ok(()),
        }
    }

    fn comment(&self, at: usize, size: usize) -> Result<Option<Text>> {
        let rest = &self.data[at + END_SIZE..];
        if self.checks && rest.len() != size {
            return Err(Detail::CommentLength.into());
        }
        Ok(Text::found(&rest[..size.min(rest.len())]))
    }

    fn read_directory(&self, end: &End, comment: Option<Text>) -> Result<Directory> {
        let size = usize::try_from(end.size).map_err(|_| ZipError::too_far())?;
        let data = self.bytes_at(end.offset, size)?;
        let headers = self.read_headers(end, &data)?;
        let mut directory = Directory { headers, comment, is_torrentzip: false };
        if self.checks {
            self.check_headers(&mut directory, end)?;
        }
        directory.is_torrentzip = directory.comment.as_ref().is_some_and(|comment| is_signature(&comment.raw, &data));
        Ok(directory)
    }

    fn read_headers(&self, end: &End, data: &[u8]) -> Result<Vec<Header>> {
        let (mut headers, mut rest, mut expected, mut grown) = (Vec::new(), data, end.entries, false);
        while !rest.is_empty() {
            if headers.len() as u64 == expected {
                if end.is_64 || rest.len() < CENTRAL_SIZE {
                    break;
                }
                expected += COUNT_CYCLE;
                grown = true;
            }
            match Header::read_central(rest, self.checks) {
                Ok((header, size)) => {
                    headers.push(header);
                    rest = &rest[size..];
                }
                Err(error) if error.code == Code::NoZip && grown => {
                    return Err(ZipError::of_entry(Detail::DirectoryEntry, Some(headers.len())));
                }
                Err(error) => return Err(error.at_entry(headers.len())),
            }
        }
        if headers.len() as u64 != expected || !rest.is_empty() {
            return Err(Detail::EntryCount.into());
        }
        Ok(headers)
    }

    /// Compares the directory with the local headers.
    fn check_headers(&self, directory: &mut Directory, end: &End) -> Result<()> {
        let no_zip = || ZipError::from(Code::NoZip);
        for (index, header) in directory.headers.iter_mut().enumerate() {
            let name = header.name.as_ref().map_or(0, |name| name.raw.len());
            let behind = header.offset.checked_add((name + LOCAL_SIZE) as u64);
            let behind = behind.and_then(|behind| behind.checked_add(header.stored_size)).ok_or_else(no_zip)?;
            if behind > end.offset {
                return Err(no_zip());
            }
            let fixed = self.input.read(header.offset, LOCAL_SIZE)?;
            let read = |from: usize, size: usize| self.input.read(header.offset + from as u64, size);
            let descriptor = |from: u64| self.input.read(header.offset.saturating_add(from), DESCRIPTOR_SIZE);
            let local = Header::read_local(&fixed, read, header.stored_size, descriptor);
            let local = local.map_err(|error| error.at_entry(index))?;
            if !header.agrees_with(&local) {
                return Err(ZipError::of_entry(Detail::HeaderMismatch, Some(index)));
            }
            extra::merge(&mut header.fields, local.fields);
            header.has_local_fields = true;
            if let Some(detail) = header.check_stored_size() {
                return Err(ZipError::of_entry(detail, Some(index)));
            }
        }
        Ok(())
    }
}

/// Is a comment torrentzip's, with the checksum of the directory?
fn is_signature(comment: &[u8], directory: &[u8]) -> bool {
    let Some(digits) = comment.strip_prefix(SIGNATURE).filter(|digits| digits.len() == 8) else { return false };
    let is_upper = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    is_upper && digits == format!("{:08X}", crc32fast::hash(directory)).as_bytes()
}

/// The comment of a torrentzip archive with this directory.
pub fn signature(checksum: u32) -> Vec<u8> {
    [SIGNATURE, format!("{checksum:08X}").as_bytes()].concat()
}
