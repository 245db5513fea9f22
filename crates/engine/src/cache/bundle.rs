//! The compiled files of a whole program in one file, so that a program that loads hundreds of them neither reads their sources
//! nor opens an entry for each.
//!
//! A bundle belongs to a main script. Its index describes each file as it was when it was compiled: device, inode, size,
//! and the times of its last changes. The unit of an unchanged file is taken from the bundle. Any other file is read and
//! hashed as without a bundle, and replaces its old entry when the request ends.
//!
//! The time of a file's last change of any kind (`ctime`) cannot be set by programs. But two changes within one tick of
//! the clock look the same, so a file that changed within [`SETTLED`] before the request began, or since then, is not
//! added.

use super::{Folder, write_whole};
use crate::stats;
use phlox_hhbc::Unit;
use phlox_hhbc::binary::Bytes;
use phlox_runtime::files::FileState;
use phlox_runtime::vm::CompileRequest;
use phlox_value::MappedFile;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The first bytes; the index's seal and length, the index and the entries follow.
const MAGIC: &[u8; 8] = b"PHLXBNDL";
const HEADER_LEN: usize = 24;
/// Seconds without a change after which a file's times tell whether it changed. The clocks of file systems have a finer
/// resolution than this.
const SETTLED: i64 = 2;
/// Fewest files of a program that gets a bundle.
const FEWEST_FILES: usize = 8;
/// Number of files from which on those that the request did not use are removed.
const MOST_FILES: usize = 4096;
const SEED: u64 = 0x6275_6e64;

fn state_of(filename: &[u8]) -> Option<FileState> {
    let metadata = fs::symlink_metadata(OsStr::from_bytes(filename)).ok().filter(fs::Metadata::is_file)?;
    Some(FileState::of(&metadata))
}

/// Whether a file's times tell its state at a time in seconds.
fn is_settled(state: &FileState, now: i64) -> bool {
    state.modified.0.max(state.changed.0) < now.saturating_sub(SETTLED)
}

/// A file whose unit is known.
struct File {
    identity: FileState,
    /// The settings of the compiler, as a number.
    settings: u64,
    /// The key of the entry, see [`super::key`].
    key: u128,
    /// The entry: its header and the unit's binary form.
    entry: Bytes,
    /// The request has used the file.
    used: Cell<bool>,
}

/// The units of a program's files.
pub struct Bundle {
    path: PathBuf,
    /// When the request began, in seconds.
    began: i64,
    files: RefCell<HashMap<Vec<u8>, File>>,
    /// The bundle on disk lacks files of this one.
    changed: Cell<bool>,
}

/// A part of a bundle.
struct Part(Arc<MappedFile>, Range<usize>);

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        (*self.0).as_ref().get(self.1.clone()).unwrap_or_default()
    }
}

impl Bundle {
    /// The bundle of a main script, read from the folder; an empty one if there is no valid bundle. `name`: its file
    /// name.
    pub fn open(folder: &Folder, name: &str) -> Bundle {
        let path = folder.path.join(name);
        let files = read(folder, &path).unwrap_or_default();
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        Bundle { path, began, files: files.into(), changed: Cell::new(false) }
    }

    /// The unit of a file that did not change since it was compiled.
    pub fn recall(&self, folder: &Folder, request: &CompileRequest<'_>, found: Option<fs::Metadata>) -> Option<Unit> {
        let files = self.files.borrow();
        let file = files.get(request.filename)?;
        if file.settings != settings(request) {
            return None;
        }
        let identity = found.as_ref().map(FileState::of).or_else(|| state_of(request.filename))?;
        if identity != file.identity {
            return None;
        }
        let unit = folder.unit(&file.entry, file.key, request.filename)?;
        file.used.set(true);
        stats::note_loaded();
        Some(unit)
    }

    /// Adds a file that was just compiled, or whose cache entry was just found.
    pub fn note(&self, request: &CompileRequest<'_>, key: u128, entry: Bytes) {
        let Some(identity) = state_of(request.filename) else { return };
        // A file that changed since it was read is not settled.
        if is_settled(&identity, self.began) && identity.size == request.source.len() as u64 {
            let file = File { identity, settings: settings(request), key, entry, used: Cell::new(true) };
            self.files.borrow_mut().insert(request.filename.to_vec(), file);
            self.changed.set(true);
        }
    }

    /// Writes the bundle for the next request of the program, unless the one on disk is complete. Failures to write are
    /// ignored.
    pub fn keep(&self, folder: &Folder) {
        let mut files = self.files.borrow_mut();
        if !self.changed.get() || files.len() < FEWEST_FILES {
            return;
        }
        if files.len() > MOST_FILES {
            files.retain(|_, file| file.used.get());
        }
        let _ = write_whole(&self.path, &write(folder, &files));
    }
}

fn settings(request: &CompileRequest<'_>) -> u64 {
    let flags = [request.short_open_tag, request.assertions, request.knows_builtins, request.multibyte];
    flags.iter().fold(0, |number, &flag| number << 1 | u64::from(flag))
}

/// The numbers of an index entry, whose name follows.
const NUMBERS: usize = 13;

fn write(folder: &Folder, files: &HashMap<Vec<u8>, File>) -> Vec<u8> {
    let (mut index, mut entries) = (Vec::new(), Vec::new());
    for (name, file) in files {
        let entry = (*file.entry).as_ref();
        let FileState { device, inode, size, modified, changed } = file.identity;
        let times = [modified.0, modified.1, changed.0, changed.1].map(|number| number as u64);
        let numbers: [u64; NUMBERS] = [
            name.len() as u64,
            entries.len() as u64,
            entry.len() as u64,
            file.settings,
            file.key as u64,
            (file.key >> 64) as u64,
            device,
            inode,
            size,
            times[0],
            times[1],
            times[2],
            times[3],
        ];
        numbers.iter().for_each(|number| index.extend(number.to_le_bytes()));
        index.extend(name);
        entries.extend(entry);
    }
    let seal = folder.seal(SEED, &index).to_le_bytes();
    [&MAGIC[..], &seal, &(index.len() as u64).to_le_bytes(), &index, &entries].concat()
}

/// The files of a bundle on disk; `None` if the bytes are no valid bundle with this folder's seal.
fn read(folder: &Folder, path: &Path) -> Option<HashMap<Vec<u8>, File>> {
    let whole = Arc::new(MappedFile::open(path).ok()?);
    let (header, rest) = (*whole).as_ref().split_at_checked(HEADER_LEN)?;
    let mut header = header.strip_prefix(MAGIC)?;
    let seal = number(&mut header)?;
    let (mut index, _) = rest.split_at_checked(usize::try_from(number(&mut header)?).ok()?)?;
    if seal != folder.seal(SEED, index) {
        return None;
    }
    let first = HEADER_LEN + index.len();
    let mut files = HashMap::new();
    while !index.is_empty() {
        let mut numbers = [0; NUMBERS];
        for place in &mut numbers {
            *place = number(&mut index)?;
        }
        let [name, start, len, settings, low, high, device, inode, size, times @ ..] = numbers;
        let (name, after) = index.split_at_checked(usize::try_from(name).ok()?)?;
        index = after;
        let start = first.checked_add(usize::try_from(start).ok()?)?;
        let part = Part(whole.clone(), start..start.checked_add(usize::try_from(len).ok()?)?);
        let [modified, modified_nanoseconds, changed, changed_nanoseconds] = times.map(|number| number as i64);
        let identity = FileState {
            device,
            inode,
            size,
            modified: (modified, modified_nanoseconds),
            changed: (changed, changed_nanoseconds),
        };
        let key = u128::from(high) << 64 | u128::from(low);
        files.insert(name.to_vec(), File { identity, settings, key, entry: Arc::new(part), used: Cell::new(false) });
    }
    Some(files)
}

fn number(from: &mut &[u8]) -> Option<u64> {
    let (bytes, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(u64::from_le_bytes(*bytes))
}
