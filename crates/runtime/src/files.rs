//! Finding and reading source files for `include` and `require`.

use crate::error::PhpResult;
use crate::ini::{IniAccess, IniQuantity, IniString, not_empty};
use crate::vm::Vm;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The directories in which files to include are searched, separated by colons.
pub static INCLUDE_PATH: IniString =
    IniString::new("include_path", ".:/usr/share/php", IniAccess::All).on_change(not_empty);

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// What tells one state of a file from the next. The time of its last change of any kind cannot be set by programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    pub device: u64,
    pub inode: u64,
    pub size: u64,
    /// Seconds and nanoseconds of Unix time.
    pub modified: (i64, i64),
    /// Seconds and nanoseconds of Unix time.
    pub changed: (i64, i64),
}

impl FileState {
    /// The state that metadata tell.
    pub fn of(metadata: &Metadata) -> FileState {
        FileState {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// The size of the cache of resolved paths in bytes.
pub static REALPATH_CACHE_SIZE: IniQuantity = IniQuantity::new("realpath_cache_size", "4096K", IniAccess::System);
/// How many seconds the entries of the cache of resolved paths are valid.
pub static REALPATH_CACHE_TTL: IniQuantity = IniQuantity::new("realpath_cache_ttl", "120", IniAccess::System);

/// An entry of the cache of resolved paths.
#[derive(Clone)]
pub struct Resolved {
    pub path: PathBuf,
    pub is_folder: bool,
    /// When the entry ends.
    pub expires: SystemTime,
}

/// Paths with their canonical names, like PHP's realpath cache: a program that loads many files looks up a few folders again and
/// again. Names of files are kept only in a process of several requests.
#[derive(Default)]
pub struct PathCache {
    /// By the bytes of the path: hashing it as a path would look at each of its parts.
    entries: RefCell<HashMap<Vec<u8>, Resolved, foldhash::fast::FixedState>>,
    bytes: Cell<usize>,
    /// The file that was found last with its metadata, so that an include of it needs no second system call.
    last: RefCell<Option<(PathBuf, Metadata)>>,
}

/// The bytes of an entry beside those of its names, which `realpath_cache_size()` counts.
const ENTRY_BYTES: usize = 56;

/// The bytes of an entry for a path.
fn entry_bytes(path: &Path, resolved: &Path) -> usize {
    ENTRY_BYTES + path.as_os_str().len() + resolved.as_os_str().len()
}

impl PathCache {
    fn find(&self, vm: &Vm, path: &Path) -> Option<PathBuf> {
        let entries = self.entries.borrow();
        entries
            .get(path.as_os_str().as_bytes())
            .filter(|entry| entry.expires > vm.started.get())
            .map(|entry| entry.path.clone())
    }

    fn keep(&self, vm: &Vm, path: &Path, resolved: &Path, is_folder: bool) {
        let seconds = u64::try_from(vm.ini.get(&REALPATH_CACHE_TTL)).unwrap_or(0);
        let most = usize::try_from(vm.ini.get(&REALPATH_CACHE_SIZE)).unwrap_or(0);
        let bytes = entry_bytes(path, resolved);
        if seconds == 0 || self.bytes.get() + bytes > most {
            return;
        }
        let expires = vm.started.get() + Duration::from_secs(seconds);
        let entry = Resolved { path: resolved.to_owned(), is_folder, expires };
        let before = self.entries.borrow_mut().insert(path.as_os_str().as_bytes().to_vec(), entry);
        let replaced = before.map_or(0, |before| entry_bytes(path, &before.path));
        self.bytes.set(self.bytes.get() + bytes - replaced);
    }

    fn resolve_folder(&self, vm: &Vm, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.find(vm, folder) {
            return Some(known);
        }
        let resolved = std::fs::canonicalize(folder).ok()?;
        self.keep(vm, folder, &resolved, true);
        Some(resolved)
    }

    /// The entries by path.
    pub fn all(&self) -> Vec<(Vec<u8>, Resolved)> {
        let mut all: Vec<_> = self.entries.borrow().iter().map(|(path, entry)| (path.clone(), entry.clone())).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    /// The bytes of all entries.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// Forgets the entry of a path.
    pub fn forget(&self, path: &Path) {
        if let Some(entry) = self.entries.borrow_mut().remove(path.as_os_str().as_bytes()) {
            self.bytes.set(self.bytes.get() - entry_bytes(path, &entry.path));
        }
    }

    /// Forgets everything (`clearstatcache(true)`).
    pub fn clear(&self) {
        self.entries.borrow_mut().clear();
        self.bytes.set(0);
        self.last.take();
    }
}

impl Vm {
    /// The canonical name of something in a folder whose canonical name is known, in a process of several requests. `None`: it must
    /// be found out otherwise, because it is a link, does not exist, or is not named plainly.
    pub fn resolve_in_known_folder(&self, path: &Path) -> Option<PathBuf> {
        if !self.keeps_units.get() || !path.is_absolute() || path.as_os_str().as_bytes().ends_with(b"/") {
            return None;
        }
        if let Some(known) = self.path_cache.find(self, path) {
            return Some(known);
        }
        let found = self.path_cache.resolve_folder(self, path.parent()?)?.join(path.file_name()?);
        let metadata = std::fs::symlink_metadata(&found).ok().filter(|metadata| !metadata.is_symlink())?;
        self.path_cache.keep(self, path, &found, metadata.is_dir());
        Some(found)
    }
}

/// The canonical name of a file; `None` if there is no such file.
fn canonical(vm: &Vm, path: &Path) -> Option<Vec<u8>> {
    let cache = &vm.path_cache;
    // Metadata from an earlier lookup may be out of date.
    cache.last.take();
    let keeps = vm.keeps_units.get() && path.is_absolute();
    if keeps && let Some(known) = cache.find(vm, path) {
        return Some(known.into_os_string().into_vec());
    }
    let known = path.is_absolute().then(|| {
        let found = cache.resolve_folder(vm, path.parent()?)?.join(path.file_name()?);
        let metadata = std::fs::symlink_metadata(&found).ok().filter(Metadata::is_file)?;
        cache.last.replace(Some((found.clone(), metadata)));
        Some(found)
    });
    let resolved = known.flatten().or_else(|| std::fs::canonicalize(path).ok().filter(|found| found.is_file()))?;
    if keeps {
        cache.keep(vm, path, &resolved, false);
    }
    Some(resolved.into_os_string().into_vec())
}

/// The metadata of a file, if it is the one that was found last.
pub fn take_found(vm: &Vm, path: &[u8]) -> Option<Metadata> {
    let last = vm.path_cache.last.take();
    last.filter(|(found, _)| found.as_os_str().as_bytes() == path).map(|row| row.1)
}

/// Reads a source through a stream wrapper; the last argument is `include` or another such word, for messages.
pub type StreamReader = fn(&Vm, &[u8], &'static str) -> PhpResult<Option<Vec<u8>>>;

/// The functions of the stream layer, if there is one.
#[derive(Default)]
struct Streams {
    reader: std::cell::Cell<Option<StreamReader>>,
    resolver: std::cell::Cell<Option<StreamResolver>>,
}

/// Finds the full name of a file inside another file (`phar://`); `None` if there is no such file.
pub type StreamResolver = fn(&Vm, &[u8]) -> Option<Vec<u8>>;

/// Lets relative paths, `include_path` and `__FILE__` work for files inside other files.
pub fn set_stream_resolver(vm: &Vm, resolver: StreamResolver) {
    vm.data::<Streams>("include streams").resolver.set(Some(resolver));
}

/// The full name of a file inside another file, if there is one.
fn resolve_inside(vm: &Vm, path: &[u8]) -> Option<Vec<u8>> {
    path.starts_with(b"phar://").then(|| vm.data::<Streams>("include streams").resolver.get()).flatten()?(vm, path)
}

/// The entries of `include_path`; the colon of a `phar://` URL does not separate entries.
fn entries(include_path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(include_path);
    std::iter::from_fn(move || {
        let text = rest?;
        let start = if text.starts_with(b"phar://") { 7 } else { 0 };
        let end = text[start..].iter().position(|&byte| byte == b':').map(|at| start + at);
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// Lets includes of URLs use the stream layer.
pub fn set_stream_reader(vm: &Vm, reader: StreamReader) {
    vm.data::<Streams>("include streams").reader.set(Some(reader));
}

fn stream_reader(vm: &Vm, path: &[u8]) -> Option<StreamReader> {
    let scheme = path.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    let is_url = scheme > 1 && (path[scheme..].starts_with(b"://") || path.starts_with(b"data:"));
    is_url.then(|| vm.data::<Streams>("include streams").reader.get()).flatten()
}

/// Whether the stream layer opens the path.
pub fn is_stream(vm: &Vm, path: &[u8]) -> bool {
    stream_reader(vm, path).is_some()
}

/// The file that an include path names: found by the path itself, then along `include_path`, then beside the including file.
pub fn resolve_include(vm: &Vm, path: &[u8]) -> Option<Vec<u8>> {
    if path.is_empty() || path.contains(&0) {
        return None;
    }
    if stream_reader(vm, path).is_some() {
        return Some(resolve_inside(vm, path).unwrap_or_else(|| path.to_vec()));
    }
    let target = as_path(path);
    if target.is_absolute() || path.starts_with(b"./") || path.starts_with(b"../") {
        return canonical(vm, target);
    }
    let include_path = vm.ini.get(&INCLUDE_PATH);
    // An empty entry is skipped: the working directory is tried last.
    for directory in entries(&include_path).filter(|entry| !entry.is_empty()) {
        let inside = || resolve_inside(vm, &[directory, b"/", path].concat());
        if let Some(found) = canonical(vm, &as_path(directory).join(target)).or_else(inside) {
            return Some(found);
        }
    }
    let (including, _) = vm.position();
    let beside = as_path(&including).parent().map(|folder| folder.join(target));
    let beside =
        beside.and_then(|beside| canonical(vm, &beside).or_else(|| resolve_inside(vm, beside.as_os_str().as_bytes())));
    // A file that was found nowhere is opened relative to the working directory.
    beside.or_else(|| canonical(vm, target))
}

/// The source of a file to include; `None` if it cannot be read.
pub fn read_included(vm: &Vm, path: &[u8], kind: &'static str) -> PhpResult<Option<Vec<u8>>> {
    match stream_reader(vm, path) {
        Some(reader) => reader(vm, path, kind),
        None => read_source(vm, path),
    }
}

/// The bytes of a source file; `None` if it cannot be read.
pub fn read_source(vm: &Vm, path: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    let _ = vm;
    Ok(std::fs::read(as_path(path)).ok())
}
