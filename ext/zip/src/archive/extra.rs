//! Extra fields of entries: numbered pieces of data in local headers, in the central directory, or in both.

use super::bytes::{Bytes, Put};
use super::error::{Detail, Result};

/// The field is in the local header.
pub const LOCAL: u8 = 1;
/// The field is in the central directory.
pub const CENTRAL: u8 = 2;
pub const BOTH: u8 = LOCAL | CENTRAL;

/// Sizes and offsets of 64 bits.
pub const ZIP64: u16 = 1;
/// How the entry is encrypted by WinZip's AES.
pub const WINZIP_AES: u16 = 0x9901;
/// The comment in UTF-8.
pub const UTF_8_COMMENT: u16 = 0x6375;
/// The name in UTF-8.
pub const UTF_8_NAME: u16 = 0x7075;

/// A field of the part of a header that programs extend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub id: u16,
    pub data: Vec<u8>,
    pub places: u8,
}

/// Reads the fields of a header. Up to three zero bytes may follow them, which align the data of Android's packages.
pub fn parse(data: &[u8], place: u8) -> Result<Vec<Field>> {
    let (mut fields, mut bytes) = (Vec::new(), Bytes::new(data));
    while bytes.left() >= 4 {
        let (id, size) = (bytes.short(), usize::from(bytes.short()));
        let data = bytes.take(size).ok_or(Detail::FieldLength)?;
        fields.push(Field { id, data: data.to_vec(), places: place });
    }
    let rest = bytes.take(bytes.left()).unwrap_or_default();
    if rest.iter().any(|&byte| byte != 0) {
        return Err(Detail::FieldGarbage.into());
    }
    Ok(fields)
}

/// The data of the first field with this number.
pub fn find(fields: &[Field], id: u16) -> Option<&[u8]> {
    fields.iter().find(|field| field.id == id).map(|field| &field.data[..])
}

/// Drops the fields that a writer makes itself.
pub fn drop_internal(fields: &mut Vec<Field>) {
    fields.retain(|field| !matches!(field.id, ZIP64 | WINZIP_AES | UTF_8_COMMENT | UTF_8_NAME));
}

/// Adds fields of the other header; equal ones are one field in both places.
pub fn merge(fields: &mut Vec<Field>, more: Vec<Field>) {
    for field in more {
        match fields.iter_mut().find(|known| known.id == field.id && known.data == field.data) {
            Some(known) => known.places |= field.places,
            None => fields.push(field),
        }
    }
}

/// Appends the fields of a place.
pub fn write(fields: &[Field], place: u8, out: &mut Vec<u8>) {
    for field in fields.iter().filter(|field| field.places & place != 0) {
        out.put_16(field.id);
        out.put_16(field.data.len() as u16);
        out.extend_from_slice(&field.data);
    }
}
