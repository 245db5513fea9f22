//! Reading the binary form. Any bytes give a unit or an error: memory stays proportional to the input and nothing
//! recurses. A decoded unit need not be verifiable.

use super::fields::Binary;
use super::{HEADER_LEN, MAGIC, SECTIONS, VERSION, checksum};
use crate::unit::Unit;
use std::fmt;

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
    let mut reader = Reader { bytes, position: 0, end: bytes.len(), section: "header" };
    reader.header()?;
    let mut unit = Unit::default();
    for (tag, name) in SECTIONS.iter().enumerate() {
        reader.enter(tag as u8, name)?;
        match tag {
            0 => {
                unit.filename = Binary::read(&mut reader)?;
                unit.strict_types = Binary::read(&mut reader)?;
                unit.halt_offset = Binary::read(&mut reader)?;
                unit.hoisted = Binary::read(&mut reader)?;
                unit.notices = Binary::read(&mut reader)?;
            }
            1 => unit.strings = Binary::read(&mut reader)?,
            2 => unit.arrays = Binary::read(&mut reader)?,
            3 => unit.types = Binary::read(&mut reader)?,
            4 => unit.funcs = Binary::read(&mut reader)?,
            _ => unit.classes = Binary::read(&mut reader)?,
        }
        reader.leave()?;
    }
    reader.finish()?;
    Ok(unit)
}

/// Bytes being read, limited to the current section.
pub struct Reader<'b> {
    bytes: &'b [u8],
    position: usize,
    end: usize,
    section: &'static str,
}

impl<'b> Reader<'b> {
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

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn remaining(&self) -> usize {
        self.end - self.position
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, DecodeError> {
        self.error_at(self.position, message)
    }

    pub fn error_at<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, DecodeError> {
        Err(DecodeError { offset, section: self.section, message: message.into() })
    }

    pub fn take(&mut self, len: usize) -> Result<&'b [u8], DecodeError> {
        if len > self.remaining() {
            return self.error(format!("{len} bytes are needed, {} are left", self.remaining()));
        }
        let bytes = &self.bytes[self.position..self.position + len];
        self.position += len;
        Ok(bytes)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        self.array().map(|[byte]| byte)
    }

    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
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

    pub fn signed(&mut self) -> Result<i64, DecodeError> {
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
    pub fn len(&mut self) -> Result<usize, DecodeError> {
        let start = self.position;
        let len = self.unsigned()?;
        match usize::try_from(len).ok().filter(|&len| len <= self.remaining()) {
            Some(len) => Ok(len),
            None => self.error_at(start, format!("a list of {len} items in {} bytes", self.remaining())),
        }
    }
}
