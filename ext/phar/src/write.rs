//! Writing archives, in the three formats.

use crate::archive::{
    Archive, COMPRESSED, COMPRESSED_GZ, DIGESTS, Entry, Format, HALT, PERMISSIONS, SIGNED, Signature, VERSION,
};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use phlox_openssl::{Digest, Key};
use std::io::Write;

/// How an archive is signed.
pub struct Signing {
    pub kind: u32,
    pub key: Option<Key>,
}

fn deflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn signature(signing: &Signing, signed: &[u8]) -> Option<Signature> {
    let (_, _, digest) = DIGESTS.iter().find(|(known, _, _)| *known == signing.kind)?;
    let digest = Digest::named(digest.as_bytes())?;
    let bytes = match &signing.key {
        Some(key) => key.sign(Some(digest), signed).ok()?,
        None => digest.digest(signed).ok()?,
    };
    Some(Signature { kind: signing.kind, bytes })
}

/// The bytes of the archive's file, and the signature in it.
pub fn bytes(archive: &Archive, signing: &Signing) -> Result<(Vec<u8>, Option<Signature>), String> {
    let (bytes, signature) = match archive.format {
        Format::Phar => phar(archive, signing)?,
        Format::Tar => (tar(archive)?, None),
        Format::Zip => (zip(archive)?, None),
    };
    if archive.compression & COMPRESSED_GZ == 0 {
        return Ok((bytes, signature));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
    packed.map(|bytes| (bytes, signature)).map_err(|error| error.to_string())
}

/// The bytes of an entry as they are stored, and the uncompressed bytes.
fn stored(archive: &Archive, name: &[u8], entry: &Entry) -> Result<(Vec<u8>, Vec<u8>), String> {
    if entry.is_dir {
        return Ok((Vec::new(), Vec::new()));
    }
    let plain = archive.content(name)?;
    let packed = if entry.flags & COMPRESSED_GZ != 0 { deflate(&plain).unwrap_or_default() } else { plain.clone() };
    Ok((packed, plain))
}

fn phar(archive: &Archive, signing: &Signing) -> Result<(Vec<u8>, Option<Signature>), String> {
    let mut entries = Vec::new();
    let mut contents = Vec::new();
    let mut compression = 0;
    for (name, entry) in &archive.entries {
        let (packed, plain) = stored(archive, name, entry)?;
        let shown = if entry.is_dir { [&name[..], b"/"].concat() } else { name.clone() };
        text(&mut entries, &shown);
        for number in [
            plain.len() as u32,
            entry.time,
            packed.len() as u32,
            crc32fast::hash(&plain),
            entry.flags & (COMPRESSED | PERMISSIONS),
        ] {
            entries.extend(number.to_le_bytes());
        }
        text(&mut entries, &entry.metadata);
        contents.extend(packed);
        compression |= entry.flags & COMPRESSED;
    }
    let mut manifest = Vec::new();
    manifest.extend((archive.entries.len() as u32).to_le_bytes());
    // Archives with entries for directories have the newer version of the format.
    let has_dirs = archive.entries.values().any(|entry| entry.is_dir);
    manifest.extend((if has_dirs { VERSION } else { VERSION & 0xff00 }).to_be_bytes());
    manifest.extend((SIGNED | compression).to_le_bytes());
    text(&mut manifest, archive.alias.as_deref().unwrap_or_default());
    text(&mut manifest, &archive.metadata);
    manifest.extend(entries);
    let mut out = archive.stub.clone();
    text(&mut out, &manifest);
    out.extend(contents);
    let signature = signature(signing, &out);
    let Some(made) = &signature else { return Err("unable to write signature".to_owned()) };
    out.extend_from_slice(&made.bytes);
    if made.kind >= 0x10 {
        out.extend((made.bytes.len() as u32).to_le_bytes());
    }
    out.extend(made.kind.to_le_bytes());
    out.extend_from_slice(b"GBMB");
    Ok((out, signature))
}

/// The archive's own files, in formats that have no place for them.
fn own_files(archive: &Archive) -> Vec<(&'static [u8], Vec<u8>)> {
    let mut files: Vec<(&'static [u8], Vec<u8>)> = Vec::new();
    if !archive.stub.is_empty() {
        files.push((b".phar/stub.php", archive.stub.clone()));
    }
    files.extend(archive.alias.clone().map(|alias| (&b".phar/alias.txt"[..], alias)));
    if !archive.metadata.is_empty() {
        files.push((b".phar/.metadata.bin", archive.metadata.clone()));
    }
    files
}

/// How many files of its own an archive counts among its entries: those that its format has no place for.
pub fn own_count(archive: &Archive) -> usize {
    let texts = [!archive.stub.is_empty(), archive.alias.is_some()].into_iter().filter(|is_there| *is_there).count();
    let described = archive.entries.values().filter(|entry| !entry.metadata.is_empty()).count();
    match archive.format {
        Format::Phar => 0,
        Format::Zip => texts,
        Format::Tar => texts + usize::from(!archive.metadata.is_empty()) + described,
    }
}

fn tar_header(name: &[u8], size: usize, time: u32, permissions: u32, is_dir: bool) -> Option<[u8; 512]> {
    let mut header = [0u8; 512];
    // A long name is cut at a slash.
    let (prefix, own) = if name.len() <= 100 {
        (&name[..0], name)
    } else {
        let cut = (0..name.len()).find(|&at| name[at] == b'/' && name.len() - at - 1 <= 100)?;
        (&name[..cut], &name[cut + 1..])
    };
    header.get_mut(..own.len())?.copy_from_slice(own);
    header[345..500].get_mut(..prefix.len())?.copy_from_slice(prefix);
    let mut put = |at: usize, text: String| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(100, format!("{permissions:07o}"));
    put(108, "0000000".into());
    put(116, "0000000".into());
    put(124, format!("{size:011o}"));
    put(136, format!("{time:011o}"));
    put(148, " ".repeat(8));
    put(156, if is_dir { "5" } else { "0" }.into());
    put(257, "ustar\x0000".into());
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(header)
}

fn tar(archive: &Archive) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut add = |name: &[u8], bytes: &[u8], time: u32, permissions: u32, is_dir: bool| {
        let header = tar_header(name, bytes.len(), time, permissions, is_dir);
        let header = header
            .ok_or_else(|| format!("filename \"{}\" is too long for tar file format", phlox_runtime::shown(name)))?;
        out.extend_from_slice(&header);
        out.extend_from_slice(bytes);
        out.resize(out.len().div_ceil(512) * 512, 0);
        Ok::<(), String>(())
    };
    for (name, bytes) in own_files(archive) {
        add(name, &bytes, 0, 0o644, false)?;
    }
    for (name, entry) in &archive.entries {
        let (_, plain) = stored(archive, name, entry)?;
        let name = if entry.is_dir { [&name[..], b"/"].concat() } else { name.clone() };
        add(&name, &plain, entry.time, entry.flags & PERMISSIONS, entry.is_dir)?;
        if !entry.metadata.is_empty() {
            let of = [b".phar/.metadata/", name.strip_suffix(b"/").unwrap_or(&name), b"/.metadata.bin"].concat();
            add(&of, &entry.metadata, entry.time, 0o644, false)?;
        }
    }
    out.resize(out.len() + 1024, 0);
    Ok(out)
}

fn zip(archive: &Archive) -> Result<Vec<u8>, String> {
    let (mut out, mut directory, mut count) = (Vec::new(), Vec::new(), 0u16);
    let mut add = |name: &[u8], packed: &[u8], plain: &[u8], method: u16, comment: &[u8]| {
        let start = out.len() as u32;
        let mut shared = Vec::new();
        shared.extend(20u16.to_le_bytes());
        shared.extend(0u16.to_le_bytes());
        shared.extend(method.to_le_bytes());
        // The first of January 1980.
        shared.extend(0u16.to_le_bytes());
        shared.extend(0x21u16.to_le_bytes());
        shared.extend(crc32fast::hash(plain).to_le_bytes());
        shared.extend((packed.len() as u32).to_le_bytes());
        shared.extend((plain.len() as u32).to_le_bytes());
        shared.extend((name.len() as u16).to_le_bytes());
        shared.extend(0u16.to_le_bytes());
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&shared);
        out.extend_from_slice(name);
        out.extend_from_slice(packed);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&shared);
        directory.extend((comment.len() as u16).to_le_bytes());
        directory.extend([0; 8]);
        directory.extend(start.to_le_bytes());
        directory.extend_from_slice(name);
        directory.extend_from_slice(comment);
        count += 1;
    };
    for (name, bytes) in own_files(archive) {
        add(name, &bytes, &bytes, 0, b"");
    }
    for (name, entry) in &archive.entries {
        let (packed, plain) = stored(archive, name, entry)?;
        let name = if entry.is_dir { [&name[..], b"/"].concat() } else { name.clone() };
        let method = if entry.flags & COMPRESSED_GZ != 0 { 8 } else { 0 };
        add(&name, &packed, &plain, method, &entry.metadata);
    }
    let start = out.len() as u32;
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    Ok(out)
}

/// A stub has to end where the data begins.
pub fn ended(stub: &[u8]) -> Option<Vec<u8>> {
    let lower = stub.to_ascii_lowercase();
    let halt = HALT.to_ascii_lowercase();
    let end = lower.windows(halt.len()).position(|window| window == halt)? + HALT.len();
    Some([&stub[..end], b" ?>\r\n"].concat())
}
