//! Writing an archive when it is closed: to a file beside it, which then takes its place.

use super::bytes::Put;
use super::cipher::{self, Aes, Keys};
use super::codec::Encoder;
use super::content::Content;
use super::error::{Code, Result, ZipError};
use super::flags::{self, archive, open as opening};
use super::header::{Form, Header, bit, encryption, method};
use super::open::signature;
use super::source::{Attributes, OpenSource, Source, os};
use super::text;
use super::time::DosTime;
use super::{Archive, changed};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

/// Bytes that are copied at a time. What is smaller than this and does not shrink is stored.
const PIECE: usize = 8192;

/// Who is told how far writing is, from 0 to 1, and may cancel it.
pub trait Progress {
    fn tell(&mut self, state: f64);
    fn is_cancelled(&mut self) -> bool;
    /// The difference of two states that is not told.
    fn precision(&self) -> f64;
}

/// What has been told, and which part of the whole is being written.
struct Report<'a> {
    progress: &'a mut dyn Progress,
    last: f64,
    start: f64,
    end: f64,
}

impl Report<'_> {
    fn begin(&mut self) -> Result<()> {
        self.progress.tell(0.0);
        self.check()
    }

    fn check(&mut self) -> Result<()> {
        if self.progress.is_cancelled() { Err(Code::Cancelled.into()) } else { Ok(()) }
    }

    fn part(&mut self, start: f64, end: f64) -> Result<()> {
        (self.start, self.end) = (start, end);
        self.update(0.0)
    }

    fn update(&mut self, of_part: f64) -> Result<()> {
        let state = of_part.clamp(0.0, 1.0) * (self.end - self.start) + self.start;
        if state - self.last > self.progress.precision() || (self.last < 1.0 && state == 1.0) {
            self.progress.tell(state);
            self.last = state;
        }
        self.check()
    }
}

/// The file that is written, which goes away unless it takes the archive's place.
struct Output {
    file: BufWriter<File>,
    path: PathBuf,
    at: u64,
    is_kept: bool,
}

impl Output {
    /// A new file beside the archive, with the rights of the archive's.
    fn create(path: &[u8]) -> Result<Output> {
        let failed = |error: io::Error| ZipError::system(Code::TmpOpen, &error);
        let mode = std::fs::metadata(os(path)).ok().map(|meta| meta.mode() & 0o7777);
        loop {
            let mut random = [0; 4];
            getrandom::fill(&mut random).map_err(|_| ZipError::from(Code::Internal))?;
            let suffix = format!(".{:08x}", u32::from_le_bytes(random));
            let target = os(&[path, suffix.as_bytes()].concat()).to_path_buf();
            let mut how = OpenOptions::new();
            how.read(true).write(true).create_new(true).mode(mode.unwrap_or(0o666));
            match how.open(&target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
                Ok(file) => {
                    if let Some(mode) = mode {
                        // The file is ours and the mode is valid; what masks the mode when files are made does not matter here.
                        let _ = file.set_permissions(std::fs::Permissions::from_mode(mode));
                    }
                    return Ok(Output { file: BufWriter::new(file), path: target, at: 0, is_kept: false });
                }
            }
        }
    }

    fn write(&mut self, data: &[u8]) -> Result<()> {
        self.file.write_all(data).map_err(|error| ZipError::system(Code::Write, &error))?;
        self.at += data.len() as u64;
        Ok(())
    }

    /// Writes over what is at a place, and goes back to the end.
    fn patch(&mut self, at: u64, data: &[u8]) -> Result<()> {
        let seek = |file: &mut BufWriter<File>, at| {
            file.seek(SeekFrom::Start(at)).map(drop).map_err(|error| ZipError::system(Code::Seek, &error))
        };
        seek(&mut self.file, at)?;
        self.file.write_all(data).map_err(|error| ZipError::system(Code::Write, &error))?;
        seek(&mut self.file, self.at)
    }

    /// Puts the file in the archive's place.
    fn commit(mut self, path: &[u8]) -> Result<()> {
        self.file.flush().map_err(|error| ZipError::system(Code::Write, &error))?;
        std::fs::rename(&self.path, os(path)).map_err(|error| ZipError::system(Code::Rename, &error))?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.is_kept {
            // The error that ended writing is what matters.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Data that is written anew: from a source, or from the archive with another method.
enum Fresh {
    Source(OpenSource, u64),
    Content(Content),
}

impl Fresh {
    /// Reads a piece; fewer bytes only at the end.
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        match self {
            Fresh::Content(content) => content.read(out),
            Fresh::Source(source, at) => {
                let mut filled = 0;
                while filled < out.len() {
                    match source.read_at(&mut out[filled..], *at)? {
                        0 => break,
                        count => {
                            filled += count;
                            *at += count as u64;
                        }
                    }
                }
                Ok(filled)
            }
        }
    }
}

enum Cipher {
    None,
    Pkware(Keys),
    Aes(Box<Aes>),
}

impl Cipher {
    fn encrypt(&mut self, data: &mut [u8]) {
        match self {
            Cipher::None => {}
            Cipher::Pkware(keys) => keys.encrypt(data),
            Cipher::Aes(aes) => aes.encrypt(data),
        }
    }
}

/// Data on its way to the output: compressed, encrypted, counted.
struct Sink<'a> {
    output: &'a mut Output,
    cipher: Cipher,
}

impl Sink<'_> {
    fn write(&mut self, mut data: Vec<u8>) -> Result<()> {
        self.cipher.encrypt(&mut data);
        self.output.write(&data)
    }
}

impl Archive {
    /// Writes the changes. The archive can be dropped then.
    ///
    /// # Errors
    /// Of the system, of data that cannot be read, of passwords that are missing, or `Cancelled`. The archive's file is as it was.
    pub fn close(&mut self, progress: &mut dyn Progress) -> Result<()> {
        let is_changed = self.is_changed();
        let survivors: Vec<usize> = (0..self.entries.len()).filter(|&index| !self.entries[index].is_deleted).collect();
        if survivors.is_empty() && self.new_flags & archive::KEEP_EMPTY == 0 {
            if self.opened_with & opening::TRUNCATE != 0 || is_changed {
                return match std::fs::remove_file(os(&self.path)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        Err(ZipError::system(Code::Remove, &error))
                    }
                    _ => Ok(()),
                };
            }
            return Ok(());
        }
        if !is_changed && !survivors.is_empty() {
            return Ok(());
        }
        let result = self.write(survivors, &mut Report { progress, last: 0.0, start: 0.0, end: 1.0 });
        result.map_err(|error| {
            self.error = error;
            error
        })
    }

    fn write(&mut self, mut survivors: Vec<usize>, report: &mut Report<'_>) -> Result<()> {
        if self.wants_torrentzip() {
            let key = |index: &usize| self.name(*index, 0).unwrap_or_default().to_ascii_lowercase();
            survivors.sort_by_cached_key(key);
        }
        let mut output = Output::create(&self.path)?;
        report.begin()?;
        let count = survivors.len() as f64;
        for (number, &index) in survivors.iter().enumerate() {
            report.part(number as f64 / count, (number + 1) as f64 / count)?;
            self.write_entry(index, &mut output, report)?;
        }
        self.write_directory(&survivors, &mut output)?;
        output.commit(&self.path)?;
        // Nothing can be cancelled any more.
        let _ = report.update(1.0);
        Ok(())
    }

    fn form(&self, is_local: bool, forces_zip64: bool) -> Form {
        Form { is_local, forces_zip64, is_torrentzip: self.wants_torrentzip() }
    }

    fn write_entry(&mut self, index: usize, output: &mut Output, report: &mut Report<'_>) -> Result<()> {
        self.read_local_fields(index)?;
        let entry = &self.entries[index];
        let becomes_torrentzip = self.wants_torrentzip() && self.flags & archive::IS_TORRENTZIP == 0;
        let is_fresh =
            entry.source.is_some() || entry.changed(changed::METHOD | changed::ENCRYPTION) || becomes_torrentzip;
        let original = || entry.original.clone().unwrap_or_default();
        let (mut header, what) = match &entry.changes {
            Some(changes) => (changes.header.clone(), changes.what),
            None => (original(), 0),
        };
        if self.wants_torrentzip() {
            header.normalize_for_torrentzip();
        }
        header.offset = output.at;
        if is_fresh {
            self.write_fresh(index, &mut header, what, output, report)?;
        } else {
            self.copy(index, &mut header, output, report)?;
        }
        let mut changes = self.entries[index].changes.take().unwrap_or_default();
        changes.header = header;
        self.entries[index].changes = Some(changes);
        Ok(())
    }

    /// Copies the data of an entry as it is.
    fn copy(&self, index: usize, header: &mut Header, output: &mut Output, report: &mut Report<'_>) -> Result<()> {
        if header.encryption != encryption::PKWARE {
            header.bits &= !bit::DESCRIPTOR;
        }
        let mut bytes = Vec::new();
        header.write(self.form(true, false), &mut bytes)?;
        output.write(&bytes)?;
        let start = self.data_offset(index)?;
        let input = self.input.as_ref().ok_or(ZipError::from(Code::Internal))?;
        let (mut at, mut piece) = (0, [0; PIECE]);
        while at < header.stored_size {
            let wanted = (header.stored_size - at).min(PIECE as u64) as usize;
            let count = input.read_at(&mut piece[..wanted], start + at)?;
            if count < wanted {
                return Err(Code::Eof.into());
            }
            output.write(&piece[..count])?;
            at += count as u64;
            report.update(at as f64 / header.stored_size as f64)?;
        }
        if header.bits & bit::DESCRIPTOR != 0 {
            let mut bytes = Vec::new();
            header.write_descriptor(header.needs_zip64(false), &mut bytes);
            output.write(&bytes)?;
        }
        Ok(())
    }

    /// Writes data that is new or gets another method.
    fn write_fresh(
        &self,
        index: usize,
        header: &mut Header,
        what: u32,
        output: &mut Output,
        report: &mut Report<'_>,
    ) -> Result<()> {
        let source = self.entries[index].source.as_ref();
        let known_size = match source {
            Some(source) => source.size(),
            None => Some(header.size),
        };
        let mut data = match source {
            // A part of no bytes reads to the end of what is there.
            Some(source) => Fresh::Source(source.open()?, 0),
            None => Fresh::Content(self.content(index, flags::UNCHANGED)?),
        };
        header.bits &= !bit::DESCRIPTOR;
        header.size = known_size.unwrap_or(header.size);
        if what & changed::TIME == 0
            && let Some(source) = source
        {
            header.time = DosTime::from_unix(source.time()).ok_or(ZipError::with(Code::Invalid, 75))?;
        }
        let forces_zip64 = known_size.is_none_or(|size| most_compressed(header.method, size) > u64::from(u32::MAX));
        let attributes = self.source_attributes(index, source);
        let form = self.form(true, forces_zip64);
        let mut sink = self.sink(header, output)?;
        let mut bytes = Vec::new();
        let start = sink.output.at;
        let is_zip64 = header.write(form, &mut bytes)?;
        sink.output.write(&bytes)?;
        let data_start = sink.output.at;
        write_head(&mut sink, header, self.password_of(header))?;
        let made = encode(&mut data, header, &mut sink, known_size.filter(|&size| size > 0), report)?;
        if let Cipher::Aes(aes) = &sink.cipher {
            sink.output.write(&aes.code())?;
        }
        drop(sink);
        if known_size.is_some_and(|size| size != made.size) {
            return Err(Code::DataLength.into());
        }
        header.method = made.method;
        (header.crc, header.size, header.stored_size) = (made.crc, made.size, output.at - data_start);
        if !form.is_torrentzip {
            apply(header, &made, what, attributes, forces_zip64);
        }
        let mut bytes = Vec::new();
        if header.write(form, &mut bytes)? != is_zip64 {
            return Err(Code::Internal.into());
        }
        output.patch(start, &bytes)?;
        if header.bits & bit::DESCRIPTOR != 0 {
            let mut bytes = Vec::new();
            header.write_descriptor(is_zip64, &mut bytes);
            output.write(&bytes)?;
        }
        Ok(())
    }

    fn password_of<'a>(&'a self, header: &'a Header) -> Option<&'a [u8]> {
        header.password.as_deref().or(self.password.as_deref())
    }

    fn sink<'a>(&self, header: &mut Header, output: &'a mut Output) -> Result<Sink<'a>> {
        if header.encryption != encryption::NONE {
            if !cipher::is_supported(header.encryption) {
                return Err(Code::EncrNotSupp.into());
            }
            if self.password_of(header).is_none() {
                return Err(Code::Invalid.into());
            }
        }
        if header.encryption == encryption::PKWARE {
            header.bits |= bit::DESCRIPTOR;
        }
        Ok(Sink { output, cipher: Cipher::None })
    }

    /// The attributes that the data has by itself.
    fn source_attributes(&self, index: usize, source: Option<&Source>) -> Option<Attributes> {
        match (source, &self.entries[index].original) {
            (Some(source), _) => source.attributes(),
            (None, Some(header)) => {
                Some(Attributes { system: (header.version_made_by >> 8) as u8, external: header.attributes })
            }
            (None, None) => None,
        }
    }

    fn write_directory(&mut self, survivors: &[usize], output: &mut Output) -> Result<()> {
        let (start, form) = (output.at, self.form(false, false));
        let mut hasher = crc32fast::Hasher::new();
        for &index in survivors {
            let entry = &mut self.entries[index];
            let header = entry.changes.as_mut().map(|changes| &mut changes.header).or(entry.original.as_mut());
            let mut bytes = Vec::new();
            header.ok_or(ZipError::from(Code::Internal))?.write(form, &mut bytes)?;
            hasher.update(&bytes);
            output.write(&bytes)?;
        }
        let size = output.at - start;
        let mut end = Vec::new();
        let count = survivors.len() as u64;
        let (short, long) = (u64::from(u16::MAX), u64::from(u32::MAX));
        if count > short || start > long || size > long {
            put_end64(&mut end, count, size, start);
        }
        end.extend_from_slice(b"PK\x05\x06");
        end.put_32(0);
        for number in [count, count] {
            end.put_16(number.min(short) as u16);
        }
        for number in [size, start] {
            end.put_32(number.min(long) as u32);
        }
        let comment = if form.is_torrentzip {
            signature(hasher.finalize())
        } else {
            let comment = self.new_comment.as_ref().unwrap_or(&self.comment);
            text::shown(comment.as_ref(), flags::ENC_RAW).into_owned()
        };
        end.put_16(comment.len() as u16);
        end.extend_from_slice(&comment);
        output.write(&end)
    }
}

fn put_end64(end: &mut Vec<u8>, count: u64, size: u64, start: u64) {
    const VERSION: u16 = 45;
    end.extend_from_slice(b"PK\x06\x06");
    // The record's size, without its magic and this number.
    end.put_64(44);
    end.put_16(VERSION);
    end.put_16(VERSION);
    end.put_32(0);
    end.put_32(0);
    for number in [count, count, size, start] {
        end.put_64(number);
    }
    end.extend_from_slice(b"PK\x06\x07");
    end.put_32(0);
    end.put_64(start + size);
    end.put_32(1);
}

/// The most bytes that data of a size can become, by the libraries' own estimates.
fn most_compressed(method: i32, size: u64) -> u64 {
    match method {
        method::STORE => size,
        method::BZIP2 => ((size as f64) * 1.006).ceil() as u64,
        method::LZMA | method::XZ => ((size as f64) * 1.1) as u64 + 64 * 1024 + 13,
        method::ZSTD => size.saturating_add(size >> 8).saturating_add(64),
        _ => size.saturating_add(size.div_ceil(16384).saturating_mul(5)).saturating_add(6),
    }
}

/// Writes what is before encrypted data, and sets the cipher of the data.
fn write_head(sink: &mut Sink<'_>, header: &Header, password: Option<&[u8]>) -> Result<()> {
    let random = |bytes: &mut [u8]| getrandom::fill(bytes).map_err(|_| ZipError::from(Code::Internal));
    let password = password.unwrap_or_default();
    match header.encryption {
        encryption::NONE => Ok(()),
        encryption::PKWARE => {
            let mut head = vec![0; cipher::PKWARE_HEAD];
            random(&mut head)?;
            // The time is what readers check the password by.
            head[cipher::PKWARE_HEAD - 1] = (header.time.time >> 8) as u8;
            sink.cipher = Cipher::Pkware(Keys::new(password));
            sink.write(head)
        }
        method => {
            let mut salt = vec![0; cipher::salt_size(method)];
            random(&mut salt)?;
            let aes = Aes::new(method, password, &salt)?;
            sink.output.write(&salt)?;
            sink.output.write(&aes.check)?;
            sink.cipher = Cipher::Aes(Box::new(aes));
            Ok(())
        }
    }
}

/// What was written of an entry.
struct Made {
    method: i32,
    crc: u32,
    size: u64,
    /// The bits and the version of the method that compressed.
    bits: u16,
    version_needed: u16,
    is_compressed: bool,
}

/// Compresses the data and writes it.
fn encode(
    data: &mut Fresh,
    header: &Header,
    sink: &mut Sink<'_>,
    total: Option<u64>,
    report: &mut Report<'_>,
) -> Result<Made> {
    let wanted = header.method;
    let mut encoder = if wanted == method::STORE { None } else { Some(Encoder::new(wanted, header.level)?) };
    let (mut hasher, mut size, mut told) = (crc32fast::Hasher::new(), 0u64, 0);
    let mut piece = vec![0; PIECE];
    let mut count = data.read(&mut piece)?;
    let mut made = Vec::new();
    let mut is_first = true;
    let (bits, version_needed) = encoder.as_ref().map_or((0, 0), |encoder| (encoder.bits, encoder.version_needed));
    let is_compressed = encoder.is_some();
    let mut method = if wanted == method::DEFAULT { method::DEFLATE } else { wanted };
    loop {
        hasher.update(&piece[..count]);
        size += count as u64;
        let mut next = vec![0; PIECE];
        let more = data.read(&mut next)?;
        match &mut encoder {
            None => made.extend_from_slice(&piece[..count]),
            Some(encoder) => encoder.push(&piece[..count], more == 0, &mut made)?,
        }
        if wanted == method::DEFAULT && is_first && more == 0 && made.len() >= count && made.len() < PIECE {
            method = method::STORE;
            made = piece[..count].to_vec();
        }
        let written = made.len();
        sink.write(std::mem::take(&mut made))?;
        told += written;
        if told >= PIECE
            && let Some(total) = total
        {
            told %= PIECE;
            report.update(size as f64 / total as f64)?;
        }
        if more == 0 {
            break;
        }
        (piece, count, is_first) = (next, more, false);
    }
    let bits = if method == method::STORE { 0 } else { bits };
    Ok(Made { method, crc: hasher.finalize(), size, bits, version_needed, is_compressed })
}

/// Sets what the header says of how the entry was made.
fn apply(header: &mut Header, made: &Made, what: u32, attributes: Option<Attributes>, forces_zip64: bool) {
    let mut needed = made.version_needed;
    match header.encryption {
        // The cipher says which bits are its own, in place of the method of compression.
        encryption::PKWARE => needed = needed.max(20),
        _ if made.is_compressed => header.bits = header.bits & !bit::OF_SOURCE | made.bits & bit::OF_SOURCE,
        _ => {}
    }
    if what & changed::ATTRIBUTES == 0
        && let Some(attributes) = attributes
    {
        header.attributes = attributes.external;
    }
    if header.is_aes() {
        needed = needed.max(51);
    }
    header.set_version_needed(forces_zip64, needed);
    let keeps = what & changed::ATTRIBUTES != 0;
    header.set_made_by(attributes.filter(|_| !keeps).map(|attributes| attributes.system));
}
