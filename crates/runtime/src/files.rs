//! Finding and reading source files for `include` and `require`.

use crate::error::PhpResult;
use crate::ini::{IniAccess, IniString, not_empty};
use crate::vm::Vm;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The directories in which files to include are searched, separated by colons.
pub static INCLUDE_PATH: IniString =
    IniString::new("include_path", ".:/usr/share/php", IniAccess::All).on_change(not_empty);

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Directories that files were included from, with their canonical names. The cache lives for a request, like PHP's `realpath`
/// cache, because a program that loads many files looks up a few directories again and again.
#[derive(Default)]
struct Folders {
    names: RefCell<HashMap<PathBuf, PathBuf>>,
    /// The file that was found last with its metadata, so that an include of it needs no second system call.
    last: RefCell<Option<(PathBuf, Metadata)>>,
}

impl Folders {
    fn resolve(&self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.names.borrow().get(folder) {
            return Some(known.clone());
        }
        let resolved = std::fs::canonicalize(folder).ok()?;
        self.names.borrow_mut().insert(folder.to_owned(), resolved.clone());
        Some(resolved)
    }
}

/// Forgets the canonical names of directories, for `clearstatcache(true)`.
pub fn forget_folders(vm: &Vm) {
    vm.data::<Folders>("include folders").names.borrow_mut().clear();
}

/// The canonical name of a file; `None` if there is no such file.
fn canonical(vm: &Vm, path: &Path) -> Option<Vec<u8>> {
    let folders = vm.data::<Folders>("include folders");
    // Metadata from an earlier lookup may be out of date.
    folders.last.take();
    let known = path.is_absolute().then(|| {
        let found = folders.resolve(path.parent()?)?.join(path.file_name()?);
        let metadata = std::fs::symlink_metadata(&found).ok().filter(Metadata::is_file)?;
        folders.last.replace(Some((found.clone(), metadata)));
        Some(found)
    });
    let resolved = known.flatten().or_else(|| std::fs::canonicalize(path).ok().filter(|found| found.is_file()))?;
    Some(resolved.into_os_string().into_vec())
}

/// The metadata of a file, if it is the one that was found last.
pub fn take_found(vm: &Vm, path: &[u8]) -> Option<Metadata> {
    let last = vm.data::<Folders>("include folders").last.take();
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
