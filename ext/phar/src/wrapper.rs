//! `phar://`: archives of the request, by path and alias, as streams and directories.

use crate::archive::{Archive, normal};
use crate::statics::{default_stub, format_of};
use crate::write::{Signing, bytes};
use phlox_ext_standard_file::stat::Stat;
use phlox_ext_standard_file::stream::memory::MemorySource;
use phlox_ext_standard_file::stream::open::{Change, NativeWrapper, Options, os};
use phlox_ext_standard_file::stream::{Read, Source, Stream};
use phlox_runtime::{PhpResult, Vm};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "phar", is_url: false, open, stat: Some(stat), list: Some(list), change: Some(change) };

/// The message where archives are read-only.
const READ_ONLY: &str = "phar error: write operations disabled by the php.ini setting phar.readonly";

/// An archive that is open, and how it is written.
pub struct Opened {
    pub archive: RefCell<Archive>,
    pub signing: RefCell<Signing>,
    /// Changes are buffered until `stopBuffering()`.
    pub buffers: std::cell::Cell<bool>,
}

/// The archives of the request.
#[derive(Default)]
pub struct Archives {
    by_path: RefCell<HashMap<Vec<u8>, Rc<Opened>>>,
    aliases: RefCell<HashMap<Vec<u8>, Vec<u8>>>,
    /// Archives that were reached by URLs.
    by_url: RefCell<HashSet<Vec<u8>>>,
    /// The archives of objects, by their numbers.
    pub objects: RefCell<HashMap<u32, Rc<Opened>>>,
}

/// The archives that the request has opened.
pub fn archives(vm: &Vm) -> Rc<Archives> {
    vm.data::<Archives>("phar archives")
}

/// Does `open_basedir` permit the archive's file? Checked wherever an archive is read or written, because archives are
/// opened without the streams that check it.
pub fn is_allowed(path: &[u8]) -> bool {
    Vm::current().is_none_or(|vm| phlox_runtime::basedir::allows_quietly(vm, path))
}

/// The absolute path of a file, with links resolved if the file exists.
pub fn canonical(path: &[u8]) -> Vec<u8> {
    phlox_ext_standard_file::path::canonical(path).unwrap_or_else(|| phlox_runtime::basedir::absolute(path, None))
}

impl Archives {
    /// The archive of a file; read when it is first asked for.
    pub fn load(&self, path: &[u8]) -> Result<Rc<Opened>, String> {
        let path = canonical(path);
        let missing = || format!("invalid url or non-existent phar \"{}\"", phlox_runtime::shown(&path));
        if !is_allowed(&path) {
            return Err(missing());
        }
        if let Some(found) = self.by_path.borrow().get(&path) {
            return Ok(found.clone());
        }
        let bytes = std::fs::read(os(&path)).map_err(|_| missing())?;
        let archive = Archive::read(&path, bytes)?;
        Ok(self.add(archive))
    }

    /// Enters an archive by its path and alias, in place of one with that path.
    pub fn add(&self, archive: Archive) -> Rc<Opened> {
        let path = archive.path.clone();
        if let Some(alias) = &archive.alias {
            self.aliases.borrow_mut().insert(alias.clone(), path.clone());
        }
        // SHA-256 is what PHP signs with.
        let kind = archive.signature.as_ref().map_or(3, |signature| signature.kind);
        let signing = RefCell::new(Signing { kind, key: None });
        let opened = Rc::new(Opened { archive: RefCell::new(archive), signing, buffers: Default::default() });
        self.by_path.borrow_mut().insert(path, opened.clone());
        opened
    }

    /// Makes the alias stand for the archive with this path.
    pub fn set_alias(&self, alias: &[u8], path: &[u8]) {
        self.aliases.borrow_mut().insert(alias.to_vec(), path.to_vec());
    }

    /// Removes the archive and its aliases from the tables.
    pub fn forget(&self, path: &[u8]) {
        self.by_path.borrow_mut().remove(path);
        self.aliases.borrow_mut().retain(|_, other| other != path);
    }

    /// Is an archive in use: by an object, or because its URL was?
    pub fn is_held(&self, path: &[u8]) -> bool {
        let is_it = |opened: &Rc<Opened>| opened.archive.borrow().path == path;
        self.by_url.borrow().contains(path) || self.objects.borrow().values().any(is_it)
    }

    /// Is the path that of an open archive or of a file?
    fn is_archive(&self, path: &[u8]) -> bool {
        let is_there = || self.by_path.borrow().contains_key(&canonical(path)) || os(path).is_file();
        is_allowed(&canonical(path)) && is_there()
    }

    /// The archive that a URL names, and the path inside of it.
    pub fn resolve(&self, url: &[u8]) -> Result<(Rc<Opened>, Vec<u8>), String> {
        let (opened, name) = self.located(url)?;
        self.by_url.borrow_mut().insert(opened.archive.borrow().path.clone());
        Ok((opened, name))
    }

    fn located(&self, url: &[u8]) -> Result<(Rc<Opened>, Vec<u8>), String> {
        let rest = url.get(7..).filter(|_| url[..7].eq_ignore_ascii_case(b"phar://")).unwrap_or(url);
        let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
        let path = self.aliases.borrow().get(&rest[..end]).cloned();
        if let Some(path) = path {
            return Ok((self.load(&path)?, normal(&rest[end..])));
        }
        let ends = (1..rest.len()).filter(|&at| rest[at] == b'/').chain([rest.len()]);
        for end in ends {
            if self.is_archive(&rest[..end]) {
                return Ok((self.load(&rest[..end])?, normal(&rest[end..])));
            }
        }
        Err(format!("phar error: invalid url or non-existent phar \"{}\"", phlox_runtime::shown(url)))
    }
}

impl Archives {
    /// A new archive that is created by writing its first file. Its format follows from its name.
    fn create(&self, url: &[u8]) -> Option<(Rc<Opened>, Vec<u8>)> {
        let rest = url.get(7..)?;
        let end = (1..rest.len()).find(|&at| rest[at] == b'/' && is_executable(&rest[..at]))?;
        let path = canonical(&rest[..end]);
        let mut archive = Archive::new(&path, format_of(&path, true).filter(|_| is_allowed(&path))?);
        archive.stub = default_stub(b"index.php", b"index.php");
        Some((self.add(archive), normal(&rest[end..])))
    }
}

/// Writes a changed archive. The error says why that failed.
pub fn save(opened: &Opened) -> Result<(), String> {
    let mut archive = opened.archive.borrow_mut();
    let (bytes, signature) = bytes(&archive, &opened.signing.borrow())?;
    let path = archive.path.clone();
    let shown = phlox_runtime::shown(&path).into_owned();
    if !is_allowed(&path) {
        return Err(format!("unable to open new phar \"{shown}\" for writing: Operation not permitted"));
    }
    std::fs::write(os(&path), &bytes)
        .map_err(|error| format!("unable to open new phar \"{shown}\" for writing: {error}"))?;
    // Contents are read from the new file from here on.
    let mut again = Archive::read(&path, bytes)?;
    again.signature = signature.or(again.signature);
    *archive = again;
    Ok(())
}

/// Whether `phar.readonly` is set.
pub fn is_read_only(vm: &Vm) -> bool {
    vm.ini.get(&crate::settings::READONLY)
}

/// A file's URL with the whole path of its archive. `None`: there is no such file.
pub fn full_name(vm: &Vm, url: &[u8]) -> Option<Vec<u8>> {
    let (opened, name) = archives(vm).resolve(url).ok()?;
    let archive = opened.archive.borrow();
    archive.entries.get(&name).filter(|entry| !entry.is_dir)?;
    Some([b"phar://", &archive.path[..], b"/", &name].concat())
}

fn open(vm: &Vm, url: &[u8], mode: &str, _options: &Options) -> PhpResult<Result<Stream, String>> {
    let archives = archives(vm);
    let writes = mode.contains(['w', 'a', 'x', 'c', '+']);
    if mode.contains('a') {
        return Ok(Err("phar error: open mode append not supported".into()));
    }
    let found = archives.resolve(url).or_else(|reason| match writes && !is_read_only(vm) {
        true => archives.create(url).ok_or(reason),
        false => Err(reason),
    });
    let (opened, name) = match found {
        Ok(found) => found,
        Err(reason) => return Ok(Err(if reason.is_empty() { "not a phar archive".into() } else { reason })),
    };
    if writes {
        if is_read_only(vm) {
            return Ok(Err(READ_ONLY.into()));
        }
        if let Err(reason) = check_executable(&opened) {
            return Ok(Err(reason));
        }
        let keeps = mode.starts_with('r');
        let data = if keeps { opened.archive.borrow().content(&name).unwrap_or_default() } else { Vec::new() };
        let memory = MemorySource::new(data, "phar stream", mode);
        let source = WritingSource { memory, opened, name };
        return Ok(Ok(Stream::new(Box::new(source), mode)));
    }
    let archive = opened.archive.borrow();
    let shown = phlox_runtime::shown(&archive.path).into_owned();
    let asked = phlox_runtime::shown(&name).into_owned();
    match archive.entries.get(&name).filter(|entry| !entry.is_dir) {
        Some(_) => match archive.content(&name) {
            Ok(data) => Ok(Ok(Stream::new(Box::new(MemorySource::new(data, "phar stream", "rb")), mode))),
            Err(reason) => Ok(Err(reason)),
        },
        None if name == b".phar/stub.php" && !archive.stub.is_empty() => {
            let data = archive.stub.clone();
            Ok(Ok(Stream::new(Box::new(MemorySource::new(data, "phar stream", "rb")), mode)))
        }
        None => Ok(Err(format!("phar error: \"{asked}\" is not a file in phar \"{shown}\""))),
    }
}

/// A file of an archive that is written when it is closed.
struct WritingSource {
    memory: MemorySource,
    opened: Rc<Opened>,
    name: Vec<u8>,
}

impl Source for WritingSource {
    fn read(&mut self, vm: &Vm, size: usize) -> PhpResult<Read> {
        self.memory.read(vm, size)
    }

    fn write(&mut self, vm: &Vm, data: &[u8]) -> PhpResult<Option<usize>> {
        self.memory.write(vm, data)
    }

    fn seek(&mut self, vm: &Vm, offset: i64, whence: i64) -> PhpResult<Option<i64>> {
        self.memory.seek(vm, offset, whence)
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn close(&mut self, vm: &Vm) -> PhpResult<()> {
        self.opened.archive.borrow_mut().put(&self.name, &self.memory.data, now());
        if !self.opened.buffers.get()
            && let Err(reason) = save(&self.opened)
        {
            vm.warning(reason.as_bytes())?;
        }
        Ok(())
    }

    fn kind(&self) -> &'static str {
        "phar stream"
    }
}

/// Refuses archives whose name does not contain `.phar`: only executable archives can be written through their URLs.
fn check_executable(opened: &Opened) -> Result<(), String> {
    let archive = opened.archive.borrow();
    if is_executable(&archive.path) {
        return Ok(());
    }
    Err(format!(
        "Cannot create phar '{}', file extension (or combination) not recognised or the directory does not exist",
        phlox_runtime::shown(&archive.path)
    ))
}

/// Does a file's name have `.phar` in it, as a whole part?
pub fn is_executable(path: &[u8]) -> bool {
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    file.split(|&byte| byte == b'.').skip(1).any(|part| part == b"phar")
}

fn change(vm: &Vm, url: &[u8], change: Change<'_>) -> PhpResult<Result<(), String>> {
    let changed = match change {
        Change::Unlink => unlink(vm, url),
        Change::Rename(target) => rename(vm, url, target),
        Change::MakeDir => make_dir(vm, url),
        Change::RemoveDir => remove_dir(vm, url),
    };
    Ok(changed)
}

/// Writes the archive after a change of names, unless changes are buffered.
fn keep(opened: &Opened) -> Result<(), String> {
    if opened.buffers.get() { Ok(()) } else { save(opened) }
}

fn unlink(vm: &Vm, url: &[u8]) -> Result<(), String> {
    let shown = phlox_runtime::shown(url).into_owned();
    let (opened, name) =
        archives(vm).resolve(url).map_err(|_| format!("unlink of \"{shown}\" failed, file does not exist"))?;
    if is_read_only(vm) && is_executable(&opened.archive.borrow().path) {
        return Err(READ_ONLY.into());
    }
    {
        let mut archive = opened.archive.borrow_mut();
        if archive.is_dir(&name) && !name.is_empty() {
            let name = phlox_runtime::shown(&name).into_owned();
            return Err(format!("unlink of \"{shown}\" failed: phar error: path \"{name}\" is a directory"));
        }
        if archive.entries.shift_remove(&name).is_none() {
            return Err(format!("unlink of \"{shown}\" failed, file does not exist"));
        }
    }
    keep(&opened)
}

fn rename(vm: &Vm, from: &[u8], to: &[u8]) -> Result<(), String> {
    let archives = archives(vm);
    let both =
        format!("phar error: cannot rename \"{}\" to \"{}\"", phlox_runtime::shown(from), phlox_runtime::shown(to));
    let unusable = |url: &[u8]| format!("{both}: invalid or non-writable url \"{}\"", phlox_runtime::shown(url));
    let usable = |url: &[u8]| {
        let found = archives.resolve(url).ok();
        let found = found.filter(|(opened, _)| !is_read_only(vm) && is_executable(&opened.archive.borrow().path));
        found.ok_or_else(|| unusable(url))
    };
    let ((opened, source), (other, target)) = (usable(from)?, usable(to)?);
    if !Rc::ptr_eq(&opened, &other) {
        return Err(format!("{both}, not within the same phar archive"));
    }
    {
        let mut archive = opened.archive.borrow_mut();
        let below = |name: &[u8]| {
            let rest = name.strip_prefix(&source[..])?;
            (rest.is_empty() || rest.starts_with(b"/")).then(|| [&target[..], rest].concat())
        };
        if source.is_empty() || !archive.entries.keys().any(|name| below(name).is_some()) {
            return Err(format!("{both} from extracted phar archive, source does not exist"));
        }
        let entries = std::mem::take(&mut archive.entries);
        let (moved, stay): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(name, _)| below(name).is_some());
        archive.entries = stay.into_iter().collect();
        archive.entries.extend(moved.into_iter().filter_map(|(name, entry)| Some((below(&name)?, entry))));
    }
    keep(&opened)
}

fn make_dir(vm: &Vm, url: &[u8]) -> Result<(), String> {
    let (opened, name) = archives(vm).resolve(url)?;
    if is_read_only(vm) {
        return Err(READ_ONLY.into());
    }
    check_executable(&opened)?;
    {
        let mut archive = opened.archive.borrow_mut();
        let shown = phlox_runtime::shown(&name).into_owned();
        let refused = format!(
            "phar error: cannot create directory \"{shown}\" in phar \"{}\"",
            phlox_runtime::shown(&archive.path)
        );
        if archive.is_dir(&name) {
            return Err(format!("{refused}, directory already exists"));
        }
        if archive.entries.contains_key(&name) {
            return Err(format!("{refused}, phar error: path \"{shown}\" exists and is a not a directory"));
        }
        archive.put_dir(&name, now());
    }
    keep(&opened)
}

fn remove_dir(vm: &Vm, url: &[u8]) -> Result<(), String> {
    let (opened, name) = archives(vm).resolve(url)?;
    if is_read_only(vm) {
        return Err(READ_ONLY.into());
    }
    check_executable(&opened)?;
    {
        let mut archive = opened.archive.borrow_mut();
        if !archive.is_dir(&name) || name.is_empty() {
            let (name, path) = (phlox_runtime::shown(&name), phlox_runtime::shown(&archive.path));
            return Err(format!(
                "phar error: cannot remove directory \"{name}\" in phar \"{path}\", directory does not exist"
            ));
        }
        let below = |key: &[u8]| key.strip_prefix(&name[..]).is_some_and(|rest| rest.starts_with(b"/"));
        if archive.entries.keys().any(|key| below(key)) {
            return Err("phar error: Directory not empty".into());
        }
        archive.entries.shift_remove(&name);
    }
    keep(&opened)
}

/// Seconds since 1970.
pub fn now() -> u32 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as u32)
}

fn stat(vm: &Vm, url: &[u8]) -> PhpResult<Option<Stat>> {
    const DIRECTORY: u32 = 0o040_000;
    const FILE: u32 = 0o100_000;
    let Ok((opened, name)) = archives(vm).resolve(url) else { return Ok(None) };
    let archive = opened.archive.borrow();
    let entry = archive.entries.get(&name);
    let time = entry.map_or(0, |entry| entry.time as i64);
    let (mode, size) = match entry {
        Some(entry) if !entry.is_dir => (FILE | entry.flags & crate::archive::PERMISSIONS, entry.size as u64),
        _ if archive.is_dir(&name) => (DIRECTORY | 0o777, 0),
        _ => return Ok(None),
    };
    let stat = Stat { mode, size, nlink: 1, mtime: time, atime: time, ctime: time, rdev: -1, ..Stat::default() };
    Ok(Some(stat))
}

fn list(vm: &Vm, url: &[u8]) -> PhpResult<Result<Vec<Vec<u8>>, String>> {
    // Objects of archives list directories through this function, too.
    let (opened, name) = match archives(vm).located(url) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let archive = opened.archive.borrow();
    if archive.is_dir(&name) { Ok(Ok(archive.names_in(&name))) } else { Ok(Err("operation failed".into())) }
}
