//! Writing the binary form.

use super::fields::Binary;
use super::{MAGIC, SECTIONS, VERSION, checksum};
use crate::unit::Unit;
use std::fmt;

/// A unit that has no binary form: a branch leads outside its function's code, or a table is too large. No verified
/// unit is such a one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeError(pub String);

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EncodeError {}

/// The unit as bytes; [`super::decode`] gives the same unit back.
pub fn encode(unit: &Unit) -> Result<Vec<u8>, EncodeError> {
    let mut out = Writer::default();
    let sections: [&dyn Fn(&mut Writer); SECTIONS.len()] = [
        &|out| {
            unit.filename.write(out);
            unit.strict_types.write(out);
            unit.halt_offset.write(out);
            unit.hoisted.write(out);
            unit.notices.write(out);
        },
        &|out| unit.strings.write(out),
        &|out| unit.arrays.write(out),
        &|out| unit.types.write(out),
        &|out| unit.funcs.write(out),
        &|out| unit.classes.write(out),
    ];
    for (tag, section) in sections.iter().enumerate() {
        let mut contents = Writer::default();
        section(&mut contents);
        out.bytes.push(tag as u8);
        let Ok(len) = u32::try_from(contents.bytes.len()) else {
            return Err(EncodeError(format!("the {} section is larger than 4 GiB", SECTIONS[tag])));
        };
        out.bytes.extend_from_slice(&len.to_le_bytes());
        out.bytes.extend_from_slice(&contents.bytes);
        out.failed = out.failed.or(contents.failed);
    }
    if let Some(message) = out.failed {
        return Err(EncodeError(message));
    }
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&checksum(&out.bytes).to_le_bytes());
    file.extend_from_slice(&out.bytes);
    Ok(file)
}

/// Bytes being written, and the reason why the unit cannot be written, if there is one.
#[derive(Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
    failed: Option<String>,
}

impl Writer {
    /// Records why the unit cannot be written; the first reason stays.
    pub fn fail(&mut self, message: String) {
        self.failed.get_or_insert(message);
    }

    /// Appends a part that was written separately, after its length in bytes.
    pub fn append(&mut self, mut part: Writer) {
        self.unsigned(part.bytes.len() as u64);
        self.bytes.append(&mut part.bytes);
        self.failed = self.failed.take().or(part.failed);
    }

    /// Writes an unsigned LEB128 number.
    pub fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes a signed LEB128 number.
    pub fn signed(&mut self, mut value: i64) {
        loop {
            let byte = value as u8 & 0x7f;
            value >>= 7;
            let sign = byte & 0x40 != 0;
            if (value == 0 && !sign) || (value == -1 && sign) {
                self.bytes.push(byte);
                return;
            }
            self.bytes.push(byte | 0x80);
        }
    }
}
