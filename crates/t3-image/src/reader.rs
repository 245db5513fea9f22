//! A cursor over bytes that never reads past their end.

use crate::{DataHolder, ImageError};

/// The mark of a count that does not fit into two bytes.
pub const WIDE: u16 = 0xffff;

/// Reads little-endian fields from a slice; `base` is the slice's offset in the file, for messages.
#[derive(Clone)]
pub struct Reader<'a> {
    data: &'a [u8],
    pos: usize,
    base: usize,
    block: &'a str,
}

impl<'a> Reader<'a> {
    /// A reader of `data`, which stands at `base` in the file, inside the block called `block`.
    pub fn new(block: &'a str, data: &'a [u8], base: usize) -> Reader<'a> {
        Reader { data, pos: 0, base, block }
    }

    /// The offset in the file of the next byte.
    pub fn offset(&self) -> usize {
        self.base + self.pos
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.data.len() - self.pos
    }

    /// Where the next byte is, from the start of the slice.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// An error at the current place.
    pub fn error(&self, message: impl Into<String>) -> ImageError {
        ImageError::new(self.block, self.offset(), message)
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], ImageError> {
        if count > self.left() {
            return Err(self.error(format!("{count} bytes needed, {} left", self.left())));
        }
        let bytes = &self.data[self.pos..self.pos + count];
        self.pos += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ImageError> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(N)?);
        Ok(out)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Result<u8, ImageError> {
        Ok(self.array::<1>()?[0])
    }

    /// The next UINT2.
    pub fn u16(&mut self) -> Result<u16, ImageError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next UINT4.
    pub fn u32(&mut self) -> Result<u32, ImageError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next INT4.
    pub fn i32(&mut self) -> Result<i32, ImageError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// The next INT2.
    pub fn i16(&mut self) -> Result<i16, ImageError> {
        Ok(i16::from_le_bytes(self.array()?))
    }

    /// The next data holder: a type byte and four bytes of value.
    pub fn holder(&mut self) -> Result<DataHolder, ImageError> {
        Ok(DataHolder { kind: self.u8()?, raw: self.u32()? })
    }

    /// A name behind a one-byte length.
    pub fn short_name(&mut self) -> Result<String, ImageError> {
        let length = self.u8()? as usize;
        Ok(String::from_utf8_lossy(self.bytes(length)?).into_owned())
    }

    /// A two-byte count, or a four-byte one behind [`WIDE`], which stands where the reference never has so many.
    pub fn wide_count(&mut self) -> Result<usize, ImageError> {
        match self.u16()? {
            WIDE => Ok(self.u32()? as usize),
            count => Ok(usize::from(count)),
        }
    }

    /// A name behind its length.
    pub fn long_name(&mut self) -> Result<String, ImageError> {
        let length = self.wide_count()?;
        Ok(String::from_utf8_lossy(self.bytes(length)?).into_owned())
    }

    /// Leaves `count` bytes out.
    pub fn skip(&mut self, count: usize) -> Result<(), ImageError> {
        self.bytes(count).map(|_| ())
    }
}
