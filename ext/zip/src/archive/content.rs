//! Reading the data of an entry: from the archive or from where new data comes from, decrypted, decompressed and checked.

use super::cipher::{self, Aes, Keys};
use super::codec::{Decoder, State};
use super::error::{Code, Detail, Result, ZipError};
use super::flags;
use super::header::{bit, encryption, method};
use super::input::Input;
use super::source::OpenSource;
use super::{Archive, Stat, time::DosTime};
use std::rc::Rc;

/// Bytes that a decoder gets at once.
const PIECE: usize = 8192;

/// A stage of reading. It gives what it can in one step.
trait Stage {
    fn step(&mut self, out: &mut [u8]) -> Result<usize>;

    /// Moves to a place, if the stage can be moved.
    fn seek(&mut self, _offset: i64, _whence: i64) -> Result<u64> {
        Err(Code::OpNotSupp.into())
    }

    fn is_seekable(&self) -> bool {
        false
    }
}

/// A stage that is read until as much is there as is wanted. An error is told by the read after the one that got some data.
struct Pipe {
    stage: Box<dyn Stage>,
    failed: Option<ZipError>,
    is_at_end: bool,
}

impl Pipe {
    fn new(stage: impl Stage + 'static) -> Pipe {
        Pipe { stage: Box::new(stage), failed: None, is_at_end: false }
    }

    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mut filled = 0;
        while filled < out.len() && !self.is_at_end {
            match self.stage.step(&mut out[filled..]) {
                Ok(0) => self.is_at_end = true,
                Ok(count) => filled += count,
                Err(error) => {
                    self.failed = Some(error);
                    if filled == 0 {
                        return Err(error);
                    }
                    break;
                }
            }
        }
        Ok(filled)
    }

    fn seek(&mut self, offset: i64, whence: i64) -> Result<u64> {
        let place = self.stage.seek(offset, whence)?;
        self.is_at_end = false;
        Ok(place)
    }
}

/// A part of an archive's file.
struct InArchive {
    input: Rc<Input>,
    start: u64,
    size: u64,
    at: u64,
}

/// The place that a seek goes to, which must be in the data or at its end.
fn target(at: u64, size: u64, offset: i64, whence: i64) -> Result<u64> {
    let base = match whence {
        0 => 0,
        1 => at,
        2 => size,
        _ => return Err(Code::Invalid.into()),
    };
    let place = i128::from(base) + i128::from(offset);
    u64::try_from(place).ok().filter(|&place| place <= size).ok_or(Code::Invalid.into())
}

impl Stage for InArchive {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        let wanted = (self.size - self.at).min(out.len() as u64) as usize;
        if wanted == 0 {
            return Ok(0);
        }
        let place = self.start.checked_add(self.at).ok_or(ZipError::from(Code::Invalid))?;
        match self.input.read_at(&mut out[..wanted], place)? {
            0 => Err(Code::Eof.into()),
            count => {
                self.at += count as u64;
                Ok(count)
            }
        }
    }

    fn seek(&mut self, offset: i64, whence: i64) -> Result<u64> {
        self.at = target(self.at, self.size, offset, whence)?;
        Ok(self.at)
    }

    fn is_seekable(&self) -> bool {
        true
    }
}

/// What an entry has in the place of compressed data if the archive says that there is none.
struct Missing;

impl Stage for Missing {
    fn step(&mut self, _out: &mut [u8]) -> Result<usize> {
        Err(Code::Eof.into())
    }
}

/// New data of an entry.
struct OfSource {
    source: OpenSource,
    size: Option<u64>,
    at: u64,
}

impl Stage for OfSource {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.source.read_at(out, self.at)?;
        self.at += count as u64;
        Ok(count)
    }

    fn seek(&mut self, offset: i64, whence: i64) -> Result<u64> {
        self.at = target(self.at, self.size.unwrap_or(u64::MAX), offset, whence)?;
        Ok(self.at)
    }

    fn is_seekable(&self) -> bool {
        self.size.is_some()
    }
}

struct OfPkware {
    inner: Pipe,
    keys: Keys,
}

impl OfPkware {
    /// Checks the password by the last byte of the head, which is of the time or of the checksum.
    fn new(mut inner: Pipe, password: &[u8], time: DosTime, crc: Option<u32>) -> Result<OfPkware> {
        let mut keys = Keys::new(password);
        let mut head = [0; cipher::PKWARE_HEAD];
        if inner.read(&mut head)? < head.len() {
            return Err(Code::Eof.into());
        }
        keys.decrypt(&mut head);
        let last = head[cipher::PKWARE_HEAD - 1];
        let is_right = crc.is_none_or(|crc| last == (time.time >> 8) as u8 || last == (crc >> 24) as u8);
        if is_right { Ok(OfPkware { inner, keys }) } else { Err(Code::WrongPassword.into()) }
    }
}

impl Stage for OfPkware {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        self.keys.decrypt(&mut out[..count]);
        Ok(count)
    }
}

struct OfAes {
    inner: Pipe,
    cipher: Aes,
    left: u64,
    is_checked: bool,
}

impl OfAes {
    fn new(mut inner: Pipe, method: u16, password: &[u8], size: u64) -> Result<OfAes> {
        let head = cipher::aes_head(method);
        let left = size.checked_sub((head + cipher::CODE_SIZE) as u64).ok_or(ZipError::from(Code::OpNotSupp))?;
        let mut start = vec![0; head];
        if inner.read(&mut start)? < head {
            return Err(Code::Eof.into());
        }
        let (salt, check) = start.split_at(cipher::salt_size(method));
        let cipher = Aes::new(method, password, salt)?;
        if cipher.check != *check {
            return Err(Code::WrongPassword.into());
        }
        Ok(OfAes { inner, cipher, left, is_checked: false })
    }

    fn check(&mut self) -> Result<usize> {
        if self.is_checked {
            return Ok(0);
        }
        let mut code = [0; cipher::CODE_SIZE];
        if self.inner.read(&mut code)? < code.len() {
            return Err(Code::Eof.into());
        }
        self.is_checked = true;
        if code == self.cipher.code() { Ok(0) } else { Err(Code::Crc.into()) }
    }
}

impl Stage for OfAes {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        let wanted = self.left.min(out.len() as u64) as usize;
        if wanted == 0 {
            return self.check();
        }
        let count = self.inner.read(&mut out[..wanted])?;
        self.left -= count as u64;
        self.cipher.decrypt(&mut out[..count]);
        Ok(count)
    }
}

struct Decompressing {
    inner: Pipe,
    decoder: Decoder,
    buffer: Vec<u8>,
    taken: usize,
    is_last: bool,
    has_ended: bool,
    failed: Option<ZipError>,
    /// Is it an error if something follows the compressed data?
    checks: bool,
}

impl Decompressing {
    fn new(inner: Pipe, decoder: Decoder, checks: bool) -> Decompressing {
        let (buffer, taken) = (Vec::new(), 0);
        Decompressing { inner, decoder, buffer, taken, is_last: false, has_ended: false, failed: None, checks }
    }

    fn refill(&mut self) -> Result<()> {
        self.buffer.resize(PIECE, 0);
        let count = self.inner.read(&mut self.buffer)?;
        self.buffer.truncate(count);
        self.taken = 0;
        self.is_last = count == 0;
        Ok(())
    }

    /// Decompresses into the output; gives how much, and how that ended.
    fn fill(&mut self, out: &mut [u8]) -> (usize, Result<()>) {
        let mut filled = 0;
        while filled < out.len() && !self.has_ended {
            let step = self.decoder.step(&self.buffer[self.taken..], &mut out[filled..], self.is_last);
            let step = match step {
                Ok(step) => step,
                Err(error) => return (filled, Err(error)),
            };
            self.taken += step.taken;
            filled += step.given;
            let is_stuck = step.taken == 0 && step.given == 0;
            match step.state {
                State::Ended => {
                    self.has_ended = true;
                    return (filled, self.check_rest());
                }
                State::GoesOn if !(is_stuck && self.taken == self.buffer.len()) => {}
                State::NeedsData if self.taken < self.buffer.len() => {}
                _ if self.is_last => break,
                _ => {
                    if let Err(error) = self.refill() {
                        return (filled, Err(error));
                    }
                }
            }
        }
        (filled, Ok(()))
    }

    /// Looks whether all of the data was used, and whether all of it can be read.
    fn check_rest(&mut self) -> Result<()> {
        let has_unread = !self.is_last && self.inner.read(&mut [0])? > 0;
        let has_more = has_unread || self.taken < self.buffer.len();
        if self.checks && has_more { Err(Detail::DataGarbage.into()) } else { Ok(()) }
    }
}

impl Stage for Decompressing {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let (filled, result) = self.fill(out);
        self.failed = result.err();
        match self.failed {
            Some(error) if filled == 0 => Err(error),
            _ => Ok(filled),
        }
    }
}

/// Compares size and checksum with what the header says, when the end is reached without a gap.
struct Checking {
    inner: Pipe,
    hasher: crc32fast::Hasher,
    at: u64,
    /// How far the checksum is of.
    hashed: u64,
    crc: u32,
    /// What is decompressed has the size that it has, whatever the header says; libzip holds Zstandard's data to it all the same.
    size: Option<u64>,
}

impl Stage for Checking {
    fn step(&mut self, out: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(out)?;
        if count == 0 && self.at == self.hashed {
            if self.hasher.clone().finalize() != self.crc {
                return Err(Code::Crc.into());
            }
            if self.size.is_some_and(|size| size != self.hashed) {
                return Err(ZipError::of_entry(Detail::FileLength, None));
            }
        }
        let behind = self.at + count as u64;
        if self.at <= self.hashed && self.hashed < behind {
            self.hasher.update(&out[(self.hashed - self.at) as usize..count]);
            self.hashed = behind;
        }
        self.at = behind;
        Ok(count)
    }

    fn seek(&mut self, offset: i64, whence: i64) -> Result<u64> {
        self.at = self.inner.seek(offset, whence)?;
        Ok(self.at)
    }

    fn is_seekable(&self) -> bool {
        self.inner.stage.is_seekable()
    }
}

/// The data of an entry, open for reading.
pub struct Content {
    pipe: Pipe,
    /// The archive's file, whose closing ends reading.
    archive: Option<Rc<Input>>,
    error: Option<ZipError>,
    at: u64,
}

impl Content {
    /// Reads up to the size of the buffer; fewer bytes only at the end or before an error.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let result = match &self.archive {
            Some(input) if input.is_closed.get() => Err(Code::ZipClosed.into()),
            _ => self.pipe.read(out),
        };
        match result {
            Ok(count) => self.at += count as u64,
            Err(error) => self.error = Some(error),
        }
        result
    }

    /// Can the place of reading be moved?
    pub fn is_seekable(&self) -> bool {
        self.pipe.stage.is_seekable()
    }

    /// Moves the place of reading, by the numbers of C's `fseek`.
    pub fn seek(&mut self, offset: i64, whence: i64) -> Result<u64> {
        let result = match self.error {
            Some(error) => Err(error),
            None => self.pipe.seek(offset, whence),
        };
        match result {
            Ok(place) => self.at = place,
            Err(error) => self.error = Some(error),
        }
        result
    }
}

impl Archive {
    /// Opens the data of an entry.
    ///
    /// # Errors
    /// What the flags do not allow, a password that is missing or wrong, methods that are not known, a damaged header.
    pub fn content(&self, index: usize, flags: u32) -> Result<Content> {
        let entry = self.entries.get(index).ok_or(ZipError::from(Code::Invalid))?;
        let is_raw = flags & (flags::COMPRESSED | flags::ENCRYPTED) != 0;
        let mut source = None;
        if flags & flags::UNCHANGED == 0 {
            source = entry.source.as_ref();
            if source.is_some() && is_raw || source.is_none() && entry.is_deleted {
                return Err(Code::Changed.into());
            }
        }
        let stat_flags = if source.is_some() { flags } else { flags | flags::UNCHANGED };
        let stat = self.stat(index, stat_flags).map_err(|_| ZipError::from(Code::Internal))?;
        match source {
            Some(source) => {
                let stage = OfSource { source: source.open()?, size: source.size(), at: 0 };
                Ok(self.whole(Pipe::new(stage)))
            }
            None => self.stored_content(&stat, flags, is_raw),
        }
    }

    fn whole(&self, pipe: Pipe) -> Content {
        Content { pipe, archive: self.input.clone(), error: None, at: 0 }
    }

    /// The data of an entry that is in the archive.
    fn stored_content(&self, stat: &Stat, flags: u32, is_raw: bool) -> Result<Content> {
        let index = stat.index;
        let header = self.entries[index].original.as_ref().ok_or(ZipError::from(Code::Invalid))?;
        let is_encrypted = stat.encryption != encryption::NONE;
        let decrypts = is_encrypted && flags & flags::ENCRYPTED == 0;
        let is_compressed = i32::from(stat.method) != method::STORE;
        let decompresses = is_compressed && !is_raw;
        if decrypts && self.password.is_none() {
            return Err(Code::NoPassword.into());
        }
        let decodes = decrypts || decompresses;
        let is_empty = if decodes { stat.stored_size == 0 } else { stat.size == 0 };
        if decrypts && !cipher::is_supported(stat.encryption) {
            return Err(Code::EncrNotSupp.into());
        }
        let hints_size = header.bits & bit::LEVEL == 0;
        let decoder = if decompresses {
            Some(Decoder::new(i32::from(stat.method), hints_size.then_some(stat.size))?)
        } else {
            None
        };
        let (start, size) = if is_empty { (0, 0) } else { (self.data_offset(index)?, stat.stored_size) };
        let input = self.input.clone().ok_or(ZipError::from(Code::Internal))?;
        let mut pipe = if is_empty && decompresses && !decrypts && stat.size > 0 {
            Pipe::new(Missing)
        } else {
            Pipe::new(InArchive { input, start, size, at: 0 })
        };
        if let Some(password) = self.password.as_ref().filter(|_| decrypts) {
            let crc = stat.has_crc.then_some(stat.crc);
            pipe = match stat.encryption {
                encryption::PKWARE => Pipe::new(OfPkware::new(pipe, password, header.time, crc)?),
                method => Pipe::new(OfAes::new(pipe, method, password, size)?),
            };
        }
        if let Some(decoder) = decoder {
            let checks = self.opened_with & flags::open::CHECKCONS != 0;
            pipe = Pipe::new(Decompressing::new(pipe, decoder, checks));
        }
        if (!is_raw || !is_compressed) && stat.has_crc {
            let hasher = crc32fast::Hasher::new();
            let has_size = !decompresses || i32::from(stat.method) == method::ZSTD;
            let (crc, size) = (stat.crc, has_size.then_some(stat.size));
            pipe = Pipe::new(Checking { inner: pipe, hasher, at: 0, hashed: 0, crc, size });
        }
        Ok(self.whole(pipe))
    }
}
