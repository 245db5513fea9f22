//! What an archive says of an entry: its local header and its record in the central directory.

use super::bytes::{Bytes, Put};
use super::error::{Code, Detail, Result, ZipError};
use super::extra::{self, Field};
use super::text::{Encoding, Text};
use super::time::{self, DosTime};
use std::rc::Rc;

pub const LOCAL_MAGIC: &[u8; 4] = b"PK\x03\x04";
pub const CENTRAL_MAGIC: &[u8; 4] = b"PK\x01\x02";
pub const DESCRIPTOR_MAGIC: &[u8; 4] = b"PK\x07\x08";

/// Bytes of a local header before the name.
pub const LOCAL_SIZE: usize = 30;
/// Bytes of a record of the central directory before the name.
pub const CENTRAL_SIZE: usize = 46;

/// Methods of compression, by number.
pub mod method {
    /// Compressed unless that makes it larger.
    pub const DEFAULT: i32 = -1;
    pub const STORE: i32 = 0;
    pub const DEFLATE: i32 = 8;
    pub const BZIP2: i32 = 12;
    pub const LZMA: i32 = 14;
    pub const ZSTD: i32 = 93;
    pub const XZ: i32 = 95;
    /// Encrypted by WinZip's AES; an extra field has the method.
    pub const WINZIP_AES: i32 = 99;
}

/// Methods of encryption, by number.
pub mod encryption {
    pub const NONE: u16 = 0;
    pub const PKWARE: u16 = 1;
    pub const AES_128: u16 = 0x101;
    pub const AES_192: u16 = 0x102;
    pub const AES_256: u16 = 0x103;
    pub const UNKNOWN: u16 = 0xffff;
}

/// General purpose bits.
pub mod bit {
    pub const ENCRYPTED: u16 = 1;
    /// Sizes and checksum follow the data.
    pub const DESCRIPTOR: u16 = 8;
    pub const STRONG_ENCRYPTION: u16 = 0x40;
    pub const UTF_8: u16 = 0x800;
    /// What those may set that compress: how, and that the name is in UTF-8.
    pub const OF_SOURCE: u16 = 0x83e;
    /// How well the data is compressed.
    pub const LEVEL: u16 = 6;
}

/// The system that writes: Unix.
pub const OPSYS_DEFAULT: u8 = 3;
/// The attributes of a file that anyone may write.
pub const FILE_ATTRIBUTES: u32 = 0o100_666 << 16;
/// The attributes of a folder.
pub const FOLDER_ATTRIBUTES: u32 = 0o040_777 << 16;

/// The version of the format that is written.
const FORMAT: u16 = 63;

/// What an archive says of an entry.
#[derive(Clone, Debug)]
pub struct Header {
    pub version_made_by: u16,
    pub version_needed: u16,
    pub bits: u16,
    pub method: i32,
    /// How much is done for small data; 0: what the method does by itself.
    pub level: u16,
    pub time: DosTime,
    /// The time that a script gave, in seconds since 1970, which may be odd.
    pub exact_time: Option<i64>,
    pub crc: u32,
    pub has_crc: bool,
    pub stored_size: u64,
    pub size: u64,
    pub name: Option<Text>,
    pub fields: Vec<Field>,
    /// Are the fields of the local header among the fields?
    pub has_local_fields: bool,
    pub comment: Option<Text>,
    pub disk: u32,
    pub internal: u16,
    pub attributes: u32,
    /// Where the local header is.
    pub offset: u64,
    pub encryption: u16,
    pub password: Option<Rc<[u8]>>,
}

impl Default for Header {
    fn default() -> Header {
        Header {
            version_made_by: FORMAT | u16::from(OPSYS_DEFAULT) << 8,
            version_needed: 10,
            bits: 0,
            method: method::DEFAULT,
            level: 0,
            time: DosTime::default(),
            exact_time: None,
            crc: 0,
            has_crc: true,
            stored_size: 0,
            size: 0,
            name: None,
            fields: Vec::new(),
            has_local_fields: false,
            comment: None,
            disk: 0,
            internal: 0,
            attributes: FILE_ATTRIBUTES,
            offset: 0,
            encryption: encryption::NONE,
            password: None,
        }
    }
}

/// Sizes of what follows a header: name, extra fields, comment.
struct Sizes {
    name: usize,
    fields: usize,
    comment: usize,
}

impl Header {
    /// The fixed part of a record of the central directory, or of a local header.
    fn read_fixed(bytes: &mut Bytes<'_>, is_local: bool) -> (Header, Sizes) {
        let version_made_by = if is_local { 0 } else { bytes.short() };
        let (version_needed, bits, method) = (bytes.short(), bytes.short(), i32::from(bytes.short()));
        let time = DosTime { time: bytes.short(), date: bytes.short() };
        let (crc, stored_size, size) = (bytes.long(), u64::from(bytes.long()), u64::from(bytes.long()));
        let (name, fields) = (usize::from(bytes.short()), usize::from(bytes.short()));
        let encryption = match (bits & bit::ENCRYPTED != 0, bits & bit::STRONG_ENCRYPTION != 0) {
            (true, true) => encryption::UNKNOWN,
            (true, false) => encryption::PKWARE,
            _ => encryption::NONE,
        };
        let mut header = Header {
            version_made_by,
            version_needed,
            bits,
            method,
            time,
            crc,
            stored_size,
            size,
            encryption,
            attributes: 0,
            ..Header::default()
        };
        let mut comment = 0;
        if !is_local {
            comment = usize::from(bytes.short());
            header.disk = u32::from(bytes.short());
            (header.internal, header.attributes, header.offset) =
                (bytes.short(), bytes.long(), u64::from(bytes.long()));
        }
        (header, Sizes { name, fields, comment })
    }

    /// Reads a record of the central directory; gives its size as well.
    ///
    /// # Errors
    /// `NoZip` if there is none, an inconsistency if it is damaged.
    pub fn read_central(data: &[u8], checks: bool) -> Result<(Header, usize)> {
        if data.len() < CENTRAL_SIZE || &data[..4] != CENTRAL_MAGIC {
            return Err(Code::NoZip.into());
        }
        let mut bytes = Bytes::new(data);
        bytes.go_to(4);
        let (mut header, sizes) = Header::read_fixed(&mut bytes, false);
        let size = CENTRAL_SIZE + sizes.name + sizes.fields + sizes.comment;
        if data.len() < size {
            return Err(Detail::VariableSize.into());
        }
        header.read_rest(&mut bytes, &sizes, false, checks)?;
        header.check_offset()?;
        header.find_aes()?;
        extra::drop_internal(&mut header.fields);
        Ok((header, size))
    }

    /// Reads a local header for comparison with the central directory; also gives where its data starts. `descriptor` reads what
    /// follows the data.
    pub fn read_local(
        fixed: &[u8],
        read: impl Fn(usize, usize) -> Result<Vec<u8>>,
        stored_size: u64,
        read_descriptor: impl FnOnce(u64) -> Result<Vec<u8>>,
    ) -> Result<Header> {
        if fixed.len() < LOCAL_SIZE || &fixed[..4] != LOCAL_MAGIC {
            return Err(Code::NoZip.into());
        }
        let mut bytes = Bytes::new(fixed);
        bytes.go_to(4);
        let (mut header, sizes) = Header::read_fixed(&mut bytes, true);
        let rest = read(LOCAL_SIZE, sizes.name + sizes.fields)?;
        header.has_local_fields = sizes.fields > 0;
        let is_zip64 = header.read_rest(&mut Bytes::new(&rest), &sizes, true, true)?;
        if header.bits & bit::DESCRIPTOR != 0 {
            let start = (LOCAL_SIZE + sizes.name + sizes.fields) as u64;
            header.read_descriptor(&read_descriptor(start.saturating_add(stored_size))?, is_zip64)?;
        }
        header.find_aes()?;
        extra::drop_internal(&mut header.fields);
        Ok(header)
    }

    /// Reads name, fields and comment, and sizes of 64 bits. Are there such sizes?
    fn read_rest(&mut self, bytes: &mut Bytes<'_>, sizes: &Sizes, is_local: bool, checks: bool) -> Result<bool> {
        let is_utf8 = self.bits & bit::UTF_8 != 0;
        // Names end at a zero byte, so none is kept.
        let name: Vec<u8> =
            bytes.take(sizes.name).unwrap_or_default().iter().map(|&b| if b == 0 { b' ' } else { b }).collect();
        self.name = Text::found(&name);
        if is_utf8 && self.name.as_mut().is_some_and(|name| !name.must_be_utf8()) {
            return Err(Detail::FilenameUtf8.into());
        }
        let place = if is_local { extra::LOCAL } else { extra::CENTRAL };
        self.fields = extra::parse(bytes.take(sizes.fields).unwrap_or_default(), place)?;
        self.comment = Text::found(bytes.take(sizes.comment).unwrap_or_default());
        if is_utf8 && self.comment.as_mut().is_some_and(|comment| !comment.must_be_utf8()) {
            return Err(Detail::CommentUtf8.into());
        }
        let name = self.name.take();
        self.name = self.utf8_field(extra::UTF_8_NAME, name, checks).ok_or(Detail::FilenameMismatch)?;
        if !is_local {
            let comment = self.comment.take();
            self.comment = self.utf8_field(extra::UTF_8_COMMENT, comment, checks).ok_or(Detail::CommentMismatch)?;
        }
        let most = u64::from(u32::MAX);
        let is_zip64 = self.size == most || self.stored_size == most || self.offset == most;
        if is_zip64 && let Some(data) = extra::find(&self.fields, extra::ZIP64).map(<[u8]>::to_vec) {
            self.read_zip64(&data, is_local)?;
        }
        Ok(is_zip64)
    }

    /// The text, or that of the field with the text in UTF-8 if the field is about the text. The outer `None`: the two differ although
    /// they must not.
    fn utf8_field(&self, id: u16, text: Option<Text>, checks: bool) -> Option<Option<Text>> {
        let Some(data) = extra::find(&self.fields, id).filter(|data| data.len() >= 5 && data[0] == 1) else {
            return Some(text);
        };
        let mut bytes = Bytes::new(&data[1..]);
        let raw = text.as_ref().map_or(&[][..], |text| &text.raw);
        if crc32fast::hash(raw) != bytes.long() {
            return Some(text);
        }
        let Some(mut other) = Text::found(bytes.take(bytes.left()).unwrap_or_default()) else { return Some(text) };
        if !other.must_be_utf8() {
            return Some(text);
        }
        if checks && other.raw.is_ascii() && raw != other.raw {
            return text.is_none().then_some(None);
        }
        Some(Some(other))
    }

    fn read_zip64(&mut self, data: &[u8], is_local: bool) -> Result<()> {
        let mut bytes = Bytes::new(data);
        let most = u64::from(u32::MAX);
        if self.size == most {
            self.size = bytes.quad();
        } else if is_local {
            // A local header has both sizes.
            bytes.quad();
        }
        if self.stored_size == most {
            self.stored_size = bytes.quad();
        }
        if !is_local {
            if self.offset == most {
                self.offset = bytes.quad();
            }
            if self.disk == u32::from(u16::MAX) {
                self.disk = bytes.long();
            }
        }
        if bytes.is_at_end() {
            return Ok(());
        }
        // More than is needed is accepted if it is right.
        let mut all = Bytes::new(data);
        let is_right = matches!(data.len(), 24 | 28)
            && all.quad() == self.size
            && all.quad() == self.stored_size
            && all.quad() == self.offset
            && (data.len() == 24 || all.long() == self.disk);
        if is_right { Ok(()) } else { Err(Detail::Zip64Field.into()) }
    }

    fn read_descriptor(&mut self, data: &[u8], is_zip64: bool) -> Result<()> {
        let mut bytes = Bytes::new(data);
        if data.starts_with(DESCRIPTOR_MAGIC) {
            bytes.go_to(4);
        }
        let crc = bytes.long();
        let mut size = || if is_zip64 { bytes.quad() } else { u64::from(bytes.long()) };
        let (stored_size, size) = (size(), size());
        if !bytes.is_whole {
            return Err(Code::Internal.into());
        }
        let differs = |known: u64, found: u64| known != 0 && known != found;
        if differs(self.crc.into(), crc.into()) || differs(self.stored_size, stored_size) || differs(self.size, size) {
            return Err(Detail::DescriptorMismatch.into());
        }
        (self.crc, self.stored_size, self.size) = (crc, stored_size, size);
        Ok(())
    }

    fn check_offset(&self) -> Result<()> {
        if self.offset > i64::MAX as u64 { Err(ZipError::too_far()) } else { Ok(()) }
    }

    /// Reads the field about AES, if the entry is encrypted so.
    fn find_aes(&mut self) -> Result<()> {
        if self.method != method::WINZIP_AES {
            return Ok(());
        }
        let data = extra::find(&self.fields, extra::WINZIP_AES).filter(|data| data.len() >= 7);
        let data = data.ok_or(Detail::AesField)?;
        let mut bytes = Bytes::new(data);
        let has_crc = match bytes.short() {
            1 => true,
            2 => false,
            _ => return Err(Code::EncrNotSupp.into()),
        };
        let vendor = bytes.take(2);
        let encryption = match bytes.byte() {
            _ if vendor != Some(b"AE") => return Err(Code::EncrNotSupp.into()),
            1 => encryption::AES_128,
            2 => encryption::AES_192,
            3 => encryption::AES_256,
            _ => return Err(Code::EncrNotSupp.into()),
        };
        if data.len() != 7 {
            return Err(Detail::AesField.into());
        }
        let method = i32::from(bytes.short());
        (self.has_crc, self.encryption, self.method) = (has_crc, encryption, method);
        Ok(())
    }

    /// Do a record of the central directory and a local header say the same?
    pub fn agrees_with(&self, local: &Header) -> bool {
        let raw = |header: &Header| header.name.as_ref().map(|name| name.raw.clone());
        if self.version_needed < local.version_needed
            || self.method != local.method
            || self.time != local.time
            || raw(self) != raw(local)
        {
            return false;
        }
        let pairs = [
            (u64::from(self.crc), u64::from(local.crc)),
            (self.stored_size, local.stored_size),
            (self.size, local.size),
        ];
        let has_descriptor = local.bits & bit::DESCRIPTOR != 0;
        pairs.iter().all(|(central, local)| central == local || (has_descriptor && *local == 0))
    }

    /// What is wrong with the sizes of data that is not compressed, if something is.
    pub fn check_stored_size(&self) -> Option<Detail> {
        if self.method != method::STORE {
            return None;
        }
        let more = match self.encryption {
            encryption::NONE => 0,
            encryption::PKWARE => 12,
            encryption::AES_128 => 20,
            encryption::AES_192 => 24,
            encryption::AES_256 => 28,
            _ => return None,
        };
        (self.size.checked_add(more) != Some(self.stored_size)).then_some(Detail::StoredSize)
    }

    /// The time of the entry, in seconds since 1970.
    pub fn unix_time(&self) -> i64 {
        self.exact_time.unwrap_or_else(|| self.time.to_unix())
    }

    /// Is the entry encrypted by AES?
    pub fn is_aes(&self) -> bool {
        matches!(self.encryption, encryption::AES_128 | encryption::AES_192 | encryption::AES_256)
    }

    /// Do the sizes, or the offset where it is written, need 64 bits?
    pub fn needs_zip64(&self, with_offset: bool) -> bool {
        let most = u64::from(u32::MAX);
        self.size >= most || self.stored_size >= most || (with_offset && self.offset >= most)
    }

    /// Sets the version that a reader needs.
    pub fn set_version_needed(&mut self, forces_zip64: bool, of_method: u16) {
        let version = if self.method == method::LZMA {
            63
        } else if self.is_aes() {
            51
        } else if self.method == method::BZIP2 {
            46
        } else if forces_zip64 || self.needs_zip64(false) {
            45
        } else if self.method == method::DEFLATE || self.encryption == encryption::PKWARE {
            20
        } else if self.name.as_ref().is_some_and(|name| name.raw.ends_with(b"/")) {
            20
        } else {
            10
        };
        self.version_needed = version.max(of_method);
    }

    /// Sets the system that made the entry, and the version of the format.
    pub fn set_made_by(&mut self, system: Option<u8>) {
        let system = system.map_or(self.version_made_by & 0xff00, |system| u16::from(system) << 8);
        self.version_made_by = FORMAT | system;
    }

    /// Sets what torrentzip prescribes.
    pub fn normalize_for_torrentzip(&mut self) {
        self.version_made_by = 0;
        self.version_needed = 20;
        self.bits = 2;
        self.method = method::DEFLATE;
        self.level = u16::MAX;
        (self.disk, self.internal, self.attributes) = (0, 0, 0);
        self.time = time::TORRENTZIP;
    }
}

/// How a header is written.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub is_local: bool,
    /// A local header has sizes of 64 bits even if they are not needed.
    pub forces_zip64: bool,
    pub is_torrentzip: bool,
}

fn utf8_field(text: &Text) -> Result<Vec<u8>> {
    if text.raw.len() + 5 > usize::from(u16::MAX) {
        return Err(Code::Invalid.into());
    }
    let mut data = vec![1];
    data.put_32(crc32fast::hash(&text.raw));
    data.extend_from_slice(&text.raw);
    Ok(data)
}

/// The fields that a writer makes itself.
fn made_fields(header: &mut Header, form: Form) -> Result<(Vec<Field>, bool)> {
    let mut fields = Vec::new();
    let known = |text: &Option<Text>| text.as_ref().map_or(Encoding::Ascii, |text| text.encoding);
    let (name, comment) = (known(&header.name), known(&header.comment));
    let utf8 = |encoding| matches!(encoding, Encoding::Utf8);
    let (fits, any) = (|encoding| matches!(encoding, Encoding::Utf8 | Encoding::Ascii), utf8(name) || utf8(comment));
    if fits(name) && fits(comment) && any {
        header.bits |= bit::UTF_8;
    } else {
        header.bits &= !bit::UTF_8;
        if let Some(text) = header.name.as_ref().filter(|_| utf8(name)) {
            fields.push(Field { id: extra::UTF_8_NAME, data: utf8_field(text)?, places: extra::BOTH });
        }
        if let Some(text) = header.comment.as_ref().filter(|_| !form.is_local && utf8(comment)) {
            fields.insert(0, Field { id: extra::UTF_8_COMMENT, data: utf8_field(text)?, places: extra::BOTH });
        }
    }
    let is_zip64 = (form.is_local && form.forces_zip64) || header.needs_zip64(!form.is_local);
    if is_zip64 {
        let (most, mut data) = (u64::from(u32::MAX), Vec::new());
        if form.is_local {
            data.put_64(header.size);
            data.put_64(header.stored_size);
        } else {
            for number in [header.size, header.stored_size, header.offset] {
                if number >= most {
                    data.put_64(number);
                }
            }
        }
        fields.insert(0, Field { id: extra::ZIP64, data, places: extra::BOTH });
    }
    if header.is_aes() {
        let mut data = vec![2, 0, b'A', b'E', header.encryption as u8];
        data.put_16(header.method as u16);
        fields.insert(0, Field { id: extra::WINZIP_AES, data, places: extra::BOTH });
    }
    Ok((fields, is_zip64))
}

impl Header {
    /// Appends the header; tells whether it has sizes of 64 bits.
    ///
    /// # Errors
    /// `Invalid` if the fields are too large.
    pub fn write(&mut self, form: Form, out: &mut Vec<u8>) -> Result<bool> {
        let (made, is_zip64) = made_fields(self, form)?;
        let is_encrypted = self.encryption != encryption::NONE;
        self.bits = if is_encrypted { self.bits | bit::ENCRYPTED } else { self.bits & !bit::ENCRYPTED };
        let place = if form.is_local { extra::LOCAL } else { extra::CENTRAL };
        let mut fields = Vec::new();
        extra::write(&made, extra::BOTH, &mut fields);
        if !form.is_torrentzip {
            extra::write(&self.fields, place, &mut fields);
        }
        let fields_size = u16::try_from(fields.len()).map_err(|_| ZipError::from(Code::Invalid))?;
        let raw = |text: &Option<Text>| text.as_ref().map_or_else(Vec::new, |text| text.raw.clone());
        let name = raw(&self.name);
        let comment = if form.is_torrentzip { Vec::new() } else { raw(&self.comment) };
        out.extend_from_slice(if form.is_local { LOCAL_MAGIC } else { CENTRAL_MAGIC });
        if !form.is_local {
            out.put_16(self.version_made_by);
        }
        out.put_16(self.version_needed.max(if self.needs_zip64(!form.is_local) { 45 } else { 0 }));
        out.put_16(self.bits);
        let method = if self.method == method::DEFAULT { method::DEFLATE } else { self.method };
        out.put_16(if self.is_aes() { method::WINZIP_AES } else { method } as u16);
        let time = if form.is_torrentzip { time::TORRENTZIP } else { self.time };
        out.put_16(time.time);
        out.put_16(time.date);
        // The checksum of few bytes would tell what they are.
        out.put_32(if self.is_aes() && self.size < 20 { 0 } else { self.crc });
        let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let hides = form.is_local && self.needs_zip64(false);
        out.put_32(if hides { u32::MAX } else { short(self.stored_size) });
        out.put_32(if hides { u32::MAX } else { short(self.size) });
        out.put_16(name.len() as u16);
        out.put_16(fields_size);
        if !form.is_local {
            out.put_16(comment.len() as u16);
            out.put_16(self.disk as u16);
            out.put_16(self.internal);
            out.put_32(self.attributes);
            out.put_32(short(self.offset));
        }
        out.extend_from_slice(&name);
        out.extend_from_slice(&fields);
        if !form.is_local {
            out.extend_from_slice(&comment);
        }
        Ok(is_zip64)
    }

    /// Appends what follows the data of an entry whose header could not have the sizes.
    pub fn write_descriptor(&self, is_zip64: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(DESCRIPTOR_MAGIC);
        out.put_32(self.crc);
        for size in [self.stored_size, self.size] {
            if is_zip64 { out.put_64(size) } else { out.put_32(size as u32) }
        }
    }
}
