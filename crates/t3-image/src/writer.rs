//! The little-endian fields that the assembler writes.

use crate::DataHolder;

/// Bytes under construction.
#[derive(Default)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Writes one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes two bytes, the lower first.
    pub fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes four bytes, the lowest first.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Writes a data holder.
    pub fn holder(&mut self, value: DataHolder) {
        self.u8(value.kind);
        self.u32(value.raw);
    }

    /// A name behind a one-byte length; longer ones are cut.
    pub fn short_name(&mut self, name: &str) {
        let bytes = &name.as_bytes()[..name.len().min(255)];
        self.u8(bytes.len() as u8);
        self.bytes.extend_from_slice(bytes);
    }

    /// A block with its header.
    pub fn block(&mut self, id: &[u8; 4], data: &[u8]) {
        self.bytes.extend_from_slice(id);
        self.u32(data.len() as u32);
        self.u16(1);
        self.bytes.extend_from_slice(data);
    }
}
