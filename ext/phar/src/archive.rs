//! Archives, read from any of the three formats into one structure.
//!
//! Contents stay in the file's bytes until they are needed. All offsets come from the file, so each is checked.

use crate::{tar, zip};
use flate2::read::{DeflateDecoder, GzDecoder};
use indexmap::IndexMap;
use phlox_openssl::Digest;
use std::io::Read;
use std::rc::Rc;

/// How an archive is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Phar,
    Tar,
    Zip,
}

/// Bits of an entry's flags.
pub const COMPRESSED_GZ: u32 = 0x1000;
pub const COMPRESSED_BZ2: u32 = 0x2000;
pub const COMPRESSED: u32 = 0xf000;
pub const PERMISSIONS: u32 = 0o777;
/// The bit of the archive's flags that says that it is signed.
pub const SIGNED: u32 = 0x1_0000;

/// Uncompressed sizes above this are refused.
const LARGEST: u64 = 1 << 31;

/// The contents of an entry.
#[derive(Clone)]
pub enum Content {
    /// Bytes of the archive's file.
    Stored { start: usize, size: usize },
    /// New bytes, not compressed.
    New(Rc<[u8]>),
}

#[derive(Clone)]
pub struct Entry {
    pub content: Content,
    /// The uncompressed size.
    pub size: u32,
    pub time: u32,
    pub crc: u32,
    pub flags: u32,
    pub metadata: Vec<u8>,
    pub is_dir: bool,
}

/// An archive's signature: PHP's number of the algorithm, and the bytes.
#[derive(Clone)]
pub struct Signature {
    pub kind: u32,
    pub bytes: Vec<u8>,
}

#[derive(Clone)]
pub struct Archive {
    pub path: Vec<u8>,
    pub alias: Option<Vec<u8>>,
    pub format: Format,
    /// The bytes of the file, after decompression if the whole file is compressed.
    pub data: Rc<[u8]>,
    pub stub: Vec<u8>,
    pub entries: IndexMap<Vec<u8>, Entry>,
    pub metadata: Vec<u8>,
    pub signature: Option<Signature>,
    /// Two bytes of the version of the format.
    pub version: u16,
    /// The compression of the whole file, as a bit of flags.
    pub compression: u32,
}

pub const HALT: &[u8] = b"__HALT_COMPILER();";
pub const VERSION: u16 = 0x1110;

/// Bytes with a place in them.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(size)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.number()? as usize;
        self.take(size)
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// The message about a corrupt file.
fn corrupt(path: &[u8], why: &str) -> String {
    format!("internal corruption of phar \"{}\" ({why})", phlox_runtime::shown(path))
}

impl Archive {
    /// An empty archive.
    pub fn new(path: &[u8], format: Format) -> Archive {
        Archive {
            path: path.to_vec(),
            alias: None,
            format,
            data: Rc::from(&[][..]),
            stub: Vec::new(),
            entries: IndexMap::new(),
            metadata: Vec::new(),
            signature: None,
            version: VERSION,
            compression: 0,
        }
    }

    /// Reads an archive. The error says what is wrong; it is empty if the file is no archive at all.
    pub fn read(path: &[u8], bytes: Vec<u8>) -> Result<Archive, String> {
        let mut compression = 0;
        let mut bytes = bytes;
        if bytes.starts_with(b"\x1f\x8b\x08") {
            let mut plain = Vec::new();
            let limited = GzDecoder::new(&bytes[..]).take(LARGEST).read_to_end(&mut plain);
            limited
                .map_err(|_| format!("unable to decompress gzipped phar archive \"{}\"", phlox_runtime::shown(path)))?;
            bytes = plain;
            compression = COMPRESSED_GZ;
        }
        let data: Rc<[u8]> = bytes.into();
        let mut archive = if data.starts_with(b"PK\x03\x04") || data.starts_with(b"PK\x05\x06") {
            zip::read(path, &data)?
        } else if tar::is_tar(&data) {
            tar::read(path, &data)?
        } else {
            read_phar(path, &data)?
        };
        archive.data = data;
        archive.compression = compression;
        Ok(archive)
    }

    /// The bytes of an entry, decompressed and checked.
    pub fn content(&self, name: &[u8]) -> Result<Vec<u8>, String> {
        let Some(entry) = self.entries.get(name) else { return Err(String::new()) };
        let shown = phlox_runtime::shown(&self.path).into_owned();
        let name = phlox_runtime::shown(name).into_owned();
        let (start, size) = match &entry.content {
            Content::New(bytes) => return Ok(bytes.to_vec()),
            Content::Stored { start, size } => (*start, *size),
        };
        let raw = start.checked_add(size).and_then(|end| self.data.get(start..end));
        let Some(raw) = raw else { return Err(corrupt(&self.path, &format!("truncated entry \"{name}\""))) };
        let bytes = match entry.flags & COMPRESSED {
            0 => raw.to_vec(),
            COMPRESSED_GZ => {
                let mut plain = Vec::new();
                let limit = u64::from(entry.size) + 1;
                let result = DeflateDecoder::new(raw).take(limit).read_to_end(&mut plain);
                if result.is_err() || plain.len() != entry.size as usize {
                    let why = format!("actual filesize mismatch on file \"{name}\"");
                    return Err(format!("phar error: internal corruption of phar \"{shown}\" ({why})"));
                }
                plain
            }
            _ => {
                return Err(format!(
                    "phar error: unable to read phar \"{shown}\" (cannot create bzip2 decompression filter, the bz2 \
                     extension is not enabled)"
                ));
            }
        };
        if self.format != Format::Tar && crc32fast::hash(&bytes) != entry.crc {
            let why = format!("crc32 mismatch on file \"{name}\"");
            return Err(format!("phar error: internal corruption of phar \"{shown}\" ({why})"));
        }
        Ok(bytes)
    }

    /// Are there entries below a name?
    pub fn is_dir(&self, name: &[u8]) -> bool {
        if name.is_empty() {
            return true;
        }
        if let Some(entry) = self.entries.get(name) {
            return entry.is_dir;
        }
        self.entries.keys().any(|key| key.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"/")))
    }

    /// The names directly below a directory, in order, without the archive's own files.
    pub fn names_in(&self, dir: &[u8]) -> Vec<Vec<u8>> {
        let mut names: Vec<Vec<u8>> = Vec::new();
        for key in self.entries.keys() {
            let below =
                if dir.is_empty() { Some(&key[..]) } else { key.strip_prefix(dir).and_then(|r| r.strip_prefix(b"/")) };
            let Some(below) = below.filter(|below| !below.is_empty()) else { continue };
            let name = below.split(|&byte| byte == b'/').next().unwrap_or(below);
            if dir.is_empty() && name == b".phar" {
                continue;
            }
            names.push(name.to_vec());
        }
        names.sort();
        names.dedup();
        names
    }

    /// Adds or replaces a file.
    pub fn put(&mut self, name: &[u8], bytes: &[u8], time: u32) {
        let before = self.entries.get(name);
        let (flags, metadata) =
            before.map_or((0o666, Vec::new()), |entry| (entry.flags & PERMISSIONS, entry.metadata.clone()));
        let entry = Entry {
            content: Content::New(Rc::from(bytes)),
            size: bytes.len() as u32,
            time,
            crc: crc32fast::hash(bytes),
            flags,
            metadata,
            is_dir: false,
        };
        self.entries.insert(name.to_vec(), entry);
    }

    /// Adds an empty directory, or replaces the entry of that name.
    pub fn put_dir(&mut self, name: &[u8], time: u32) {
        let content = Content::New(Rc::from(&[][..]));
        let entry = Entry { content, size: 0, time, crc: 0, flags: 0o777, metadata: Vec::new(), is_dir: true };
        self.entries.insert(name.to_vec(), entry);
    }
}

/// Where the manifest begins, after the end of the stub.
fn manifest_start(data: &[u8]) -> Option<usize> {
    let mut at = find(data, HALT)? + HALT.len();
    let rest = &data[at..];
    if rest.starts_with(b" ?>") || rest.starts_with(b"\n?>") {
        at += 3;
        if data[at..].starts_with(b"\r\n") {
            at += 2;
        } else if data[at..].starts_with(b"\n") {
            at += 1;
        }
    }
    Some(at)
}

fn read_phar(path: &[u8], data: &Rc<[u8]>) -> Result<Archive, String> {
    let Some(start) = manifest_start(data) else { return Err(String::new()) };
    let mut archive = Archive::new(path, Format::Phar);
    archive.stub = data[..start].to_vec();
    let mut outer = Reader { bytes: data, at: start };
    let manifest = outer.text().ok_or_else(|| corrupt(path, "truncated manifest header"))?;
    let contents = outer.at;
    let mut reader = Reader { bytes: manifest, at: 0 };
    let truncated = || corrupt(path, "truncated manifest header");
    let count = reader.number().ok_or_else(truncated)?;
    let version = reader.take(2).ok_or_else(truncated)?;
    archive.version = u16::from_be_bytes([version[0], version[1]]);
    let flags = reader.number().ok_or_else(truncated)?;
    let alias = reader.text().ok_or_else(truncated)?;
    archive.alias = (!alias.is_empty()).then(|| alias.to_vec());
    archive.metadata = reader.text().ok_or_else(truncated)?.to_vec();
    // An entry takes at least 24 bytes and a name.
    if count as usize > manifest.len() / 25 {
        return Err(corrupt(path, "too many manifest entries for size of manifest"));
    }
    let mut at = contents;
    for _ in 0..count {
        let entry = read_entry(&mut reader, &mut at).ok_or_else(|| corrupt(path, "truncated manifest entry"))?;
        let (name, entry) = entry;
        if at > data.len() {
            return Err(corrupt(path, "compressed and uncompressed size does not match for uncompressed entry"));
        }
        archive.entries.insert(name, entry);
    }
    if flags & SIGNED != 0 {
        archive.signature = Some(read_signature(path, data)?);
    }
    Ok(archive)
}

fn read_entry(reader: &mut Reader<'_>, at: &mut usize) -> Option<(Vec<u8>, Entry)> {
    let name = reader.text()?;
    let (size, time, stored) = (reader.number()?, reader.number()?, reader.number()?);
    let (crc, flags) = (reader.number()?, reader.number()?);
    let metadata = reader.text()?.to_vec();
    let start = *at;
    *at = start.checked_add(stored as usize)?;
    let is_dir = name.ends_with(b"/");
    let name = name.strip_suffix(b"/").unwrap_or(name).to_vec();
    let content = Content::Stored { start, size: stored as usize };
    Some((name, Entry { content, size, time, crc, flags, metadata, is_dir }))
}

/// The digests that sign archives, by PHP's numbers.
pub const DIGESTS: [(u32, &str, &str); 7] = [
    (1, "MD5", "md5"),
    (2, "SHA-1", "sha1"),
    (3, "SHA-256", "sha256"),
    (4, "SHA-512", "sha512"),
    (0x10, "OpenSSL", "sha1"),
    (0x11, "OpenSSL_SHA256", "sha256"),
    (0x12, "OpenSSL_SHA512", "sha512"),
];

fn read_signature(path: &[u8], data: &[u8]) -> Result<Signature, String> {
    let broken = || format!("phar \"{}\" has a broken signature", phlox_runtime::shown(path));
    let end = data.len().checked_sub(8).filter(|&end| data[end + 4..] == *b"GBMB").ok_or_else(broken)?;
    let mut reader = Reader { bytes: data, at: end };
    let kind = reader.number().ok_or_else(broken)?;
    let Some((_, _, digest)) = DIGESTS.iter().find(|(known, _, _)| *known == kind) else {
        return Err(format!("phar \"{}\" has a broken or unsupported signature", phlox_runtime::shown(path)));
    };
    let digest = Digest::named(digest.as_bytes()).ok_or_else(broken)?;
    if kind >= 0x10 {
        let mut reader = Reader { bytes: data, at: end.checked_sub(4).ok_or_else(broken)? };
        let size = reader.number().ok_or_else(broken)? as usize;
        let start = end.checked_sub(4).and_then(|end| end.checked_sub(size)).ok_or_else(broken)?;
        let bytes = data[start..end - 4].to_vec();
        verify_with_key(path, &data[..start], digest, &bytes)?;
        return Ok(Signature { kind, bytes });
    }
    let start = end.checked_sub(digest.size()).ok_or_else(broken)?;
    let bytes = data[start..end].to_vec();
    let found = digest.digest(&data[..start]).map_err(|_| broken())?;
    if found != bytes { Err(broken()) } else { Ok(Signature { kind, bytes }) }
}

/// A signature by a key needs the public key beside the archive.
fn verify_with_key(path: &[u8], signed: &[u8], digest: Digest, signature: &[u8]) -> Result<(), String> {
    use std::os::unix::ffi::OsStrExt;
    let shown = phlox_runtime::shown(path).into_owned();
    let key_path = [path, b".pubkey"].concat();
    let pem = std::fs::read(std::ffi::OsStr::from_bytes(&key_path));
    let pem = pem.map_err(|_| format!("phar \"{shown}\" openssl public key could not be read"))?;
    let key = phlox_openssl::Bio::reader(&pem).and_then(|bio| phlox_openssl::Key::read_public(&bio));
    let key = key.map_err(|_| format!("phar \"{shown}\" openssl signature could not be processed"))?;
    let good = key.verify(Some(digest), signature, signed) == 1;
    // The library's errors about a bad signature must not show up in later calls.
    phlox_openssl::take_errors();
    if good { Ok(()) } else { Err(format!("phar \"{shown}\" openssl signature could not be verified")) }
}

/// A path without `.`, `..`, and slashes at its ends.
pub fn normal(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join(&b'/')
}
