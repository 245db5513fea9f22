//! Reading the binary form. Any bytes give a unit or an error: memory stays proportional to the input and nothing
//! recurses. A decoded unit need not be verifiable.

use super::fields::Binary;
use super::lazy::Bytes;
use super::{HEADER_LEN, MAGIC, SECTIONS, VERSION, checksum};
use crate::unit::Unit;
use std::fmt;
use std::ops::Range;

/// Why bytes were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset in the file.
    pub offset: usize,
    /// The section being read, or `header`.
    pub section: &'static str,
    pub message: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} ({} section)", self.message, self.offset, self.section)
    }
}

impl std::error::Error for DecodeError {}

/// Reads a unit from its binary form.
pub fn decode(bytes: &[u8]) -> Result<Unit, DecodeError> {
    Reader::new(bytes, None).unit()
}

/// Reads a unit from the bytes behind the first `start`, but decodes the body of each function only when it is first
/// asked for. Only for units that were verified before they were written: a body that cannot be read becomes an empty
/// one.
pub fn decode_lazily(bytes: &Bytes, start: usize) -> Result<Unit, DecodeError> {
    let unit = (**bytes).as_ref().get(start..).unwrap_or_default();
    Reader::new(unit, Some(Source { bytes, start })).unit()
}

/// Bytes being read, limited to the current section.
pub struct Reader<'b> {
    bytes: &'b [u8],
    position: usize,
    end: usize,
    section: &'static str,
    source: Option<Source<'b>>,
}

/// The bytes from which bodies are decoded later.
#[derive(Clone, Copy)]
struct Source<'b> {
    bytes: &'b Bytes,
    /// Offset in `bytes` of the reader's position 0.
    start: usize,
}

impl<'b> Reader<'b> {
    fn new(bytes: &'b [u8], source: Option<Source<'b>>) -> Reader<'b> {
        Reader { bytes, position: 0, end: bytes.len(), section: "header", source }
    }

    /// Reads a value that must take up all of the bytes.
    pub fn all<T: Binary>(bytes: &'b [u8]) -> Result<T, DecodeError> {
        let mut reader = Reader::new(bytes, None);
        let item = T::read(&mut reader)?;
        reader.leave()?;
        Ok(item)
    }

    /// Reads a value that must take up all of the next `len` bytes.
    pub fn all_of_next<T: Binary>(&mut self, len: usize) -> Result<T, DecodeError> {
        let end = std::mem::replace(&mut self.end, self.position + len);
        let item = T::read(self)?;
        self.leave()?;
        self.end = end;
        Ok(item)
    }

    /// Skips the next `len` bytes and gives their place if they are decoded later; `None`, without skipping them,
    /// otherwise.
    pub fn later(&mut self, len: usize) -> Result<Option<(Bytes, Range<usize>)>, DecodeError> {
        let Some(Source { bytes, start }) = self.source else { return Ok(None) };
        let from = start + self.position;
        self.take(len)?;
        Ok(Some((bytes.clone(), from..from + len)))
    }

    fn unit(mut self) -> Result<Unit, DecodeError> {
        self.header()?;
        let mut unit = Unit::default();
        for (tag, name) in SECTIONS.iter().enumerate() {
            self.enter(tag as u8, name)?;
            match tag {
                0 => {
                    unit.filename = Binary::read(&mut self)?;
                    unit.strict_types = Binary::read(&mut self)?;
                    unit.halt_offset = Binary::read(&mut self)?;
                    unit.hoisted = Binary::read(&mut self)?;
                    unit.notices = Binary::read(&mut self)?;
                }
                1 => unit.strings = Binary::read(&mut self)?,
                2 => unit.arrays = Binary::read(&mut self)?,
                3 => unit.types = Binary::read(&mut self)?,
                4 => unit.funcs = Binary::read(&mut self)?,
                _ => unit.classes = Binary::read(&mut self)?,
            }
            self.leave()?;
        }
        self.finish()?;
        Ok(unit)
    }

    fn header(&mut self) -> Result<(), DecodeError> {
        if self.take(MAGIC.len())? != MAGIC {
            return self.error_at(0, "not a bytecode file");
        }
        let version = u16::from_le_bytes(self.array()?);
        if version != VERSION {
            return self.error_at(MAGIC.len(), format!("version {version} instead of {VERSION}"));
        }
        let expected = u64::from_le_bytes(self.array()?);
        if checksum(&self.bytes[HEADER_LEN..]) != expected {
            return self.error_at(HEADER_LEN, "the checksum does not match: the file is damaged");
        }
        Ok(())
    }

    fn enter(&mut self, tag: u8, name: &'static str) -> Result<(), DecodeError> {
        self.section = name;
        self.end = self.bytes.len();
        let found = self.byte()?;
        if found != tag {
            return self.error_at(self.position - 1, format!("section {found} instead of {tag}"));
        }
        let len = u32::from_le_bytes(self.array()?) as usize;
        if len > self.remaining() {
            return self.error(format!("the section claims {len} bytes of {}", self.remaining()));
        }
        self.end = self.position + len;
        Ok(())
    }

    fn leave(&self) -> Result<(), DecodeError> {
        if self.remaining() == 0 { Ok(()) } else { self.error(format!("{} bytes left over", self.remaining())) }
    }

    fn finish(&mut self) -> Result<(), DecodeError> {
        self.end = self.bytes.len();
        self.leave()
    }

    /// Offset of the next byte.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes left in the current section.
    pub fn remaining(&self) -> usize {
        self.end - self.position
    }

    /// Fails with an error at the next byte.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, DecodeError> {
        self.error_at(self.position, message)
    }

    /// Fails with an error at `offset`.
    pub fn error_at<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, DecodeError> {
        Err(DecodeError { offset, section: self.section, message: message.into() })
    }

    /// Reads `len` bytes, or fails if the section has fewer.
    pub fn take(&mut self, len: usize) -> Result<&'b [u8], DecodeError> {
        if len > self.remaining() {
            return self.error(format!("{len} bytes are needed, {} are left", self.remaining()));
        }
        let bytes = &self.bytes[self.position..self.position + len];
        self.position += len;
        Ok(bytes)
    }

    /// Reads `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        self.array().map(|[byte]| byte)
    }

    /// The next byte, if it is a number of one byte, as nearly all numbers are.
    #[inline(always)]
    fn short(&mut self) -> Option<u8> {
        let byte = *self.bytes[..self.end].get(self.position)?;
        if byte & 0x80 != 0 {
            return None;
        }
        self.position += 1;
        Some(byte)
    }

    /// Reads an unsigned LEB128 number.
    #[inline]
    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
        match self.short() {
            Some(byte) => Ok(byte.into()),
            None => self.long_unsigned(),
        }
    }

    #[inline(never)]
    fn long_unsigned(&mut self) -> Result<u64, DecodeError> {
        let start = self.position;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits || (byte == 0 && shift > 0) {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        self.error_at(start, "a number is too long")
    }

    /// Reads a signed LEB128 number.
    #[inline]
    pub fn signed(&mut self) -> Result<i64, DecodeError> {
        match self.short() {
            Some(byte) => Ok(i64::from((byte << 1) as i8 >> 1)),
            None => self.long_signed(),
        }
    }

    #[inline(never)]
    fn long_signed(&mut self) -> Result<i64, DecodeError> {
        let start = self.position;
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= i64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let unused = 64_u32.saturating_sub(shift + 7);
                return Ok(value << unused >> unused);
            }
        }
        self.error_at(start, "a number is too long")
    }

    /// A length of a list whose items take at least a byte each.
    #[inline]
    pub fn len(&mut self) -> Result<usize, DecodeError> {
        let start = self.position;
        let len = self.unsigned()?;
        match usize::try_from(len).ok().filter(|&len| len <= self.remaining()) {
            Some(len) => Ok(len),
            None => self.error_at(start, format!("a list of {len} items in {} bytes", self.remaining())),
        }
    }
}
