//! `phar://`: archives of the request, by path and alias, as streams and directories.

use crate::archive::{Archive, normal};
use crate::write::{Signing, bytes};
use phlox_ext_standard_file::stat::Stat;
use phlox_ext_standard_file::stream::memory::MemorySource;
use phlox_ext_standard_file::stream::open::{NativeWrapper, Options, os};
use phlox_ext_standard_file::stream::{Read, Source, Stream};
use phlox_runtime::{PhpResult, Vm};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

pub const WRAPPER: NativeWrapper =
    NativeWrapper { name: "phar", is_url: false, open, stat: Some(stat), list: Some(list) };

/// An archive that is open, and how it is written.
pub struct Opened {
    pub archive: RefCell<Archive>,
    pub signing: RefCell<Signing>,
    /// Changes wait until they are asked for.
    pub buffers: std::cell::Cell<bool>,
}

/// The archives of the request.
#[derive(Default)]
pub struct Archives {
    by_path: RefCell<HashMap<Vec<u8>, Rc<Opened>>>,
    aliases: RefCell<HashMap<Vec<u8>, Vec<u8>>>,
    /// The archives of objects, by their numbers.
    pub objects: RefCell<HashMap<u32, Rc<Opened>>>,
}

pub fn archives(vm: &Vm) -> Rc<Archives> {
    vm.data::<Archives>("phar archives")
}

pub fn canonical(path: &[u8]) -> Vec<u8> {
    phlox_ext_standard_file::path::canonical(path).unwrap_or_else(|| phlox_runtime::basedir::absolute(path, None))
}

impl Archives {
    /// The archive of a file; read when it is first asked for.
    pub fn load(&self, path: &[u8]) -> Result<Rc<Opened>, String> {
        let path = canonical(path);
        if let Some(found) = self.by_path.borrow().get(&path) {
            return Ok(found.clone());
        }
        let missing = || format!("invalid url or non-existent phar \"{}\"", phlox_runtime::shown(&path));
        let bytes = std::fs::read(os(&path)).map_err(|_| missing())?;
        let archive = Archive::read(&path, bytes)?;
        Ok(self.add(archive))
    }

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

    pub fn set_alias(&self, alias: &[u8], path: &[u8]) {
        self.aliases.borrow_mut().insert(alias.to_vec(), path.to_vec());
    }

    pub fn forget(&self, path: &[u8]) {
        self.by_path.borrow_mut().remove(path);
        self.aliases.borrow_mut().retain(|_, other| other != path);
    }

    /// Is it known, or a file?
    fn is_archive(&self, path: &[u8]) -> bool {
        self.by_path.borrow().contains_key(&canonical(path)) || os(path).is_file()
    }

    /// The archive that a URL names, and the path inside of it.
    pub fn resolve(&self, url: &[u8]) -> Result<(Rc<Opened>, Vec<u8>), String> {
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

/// Writes an archive that changed. The error says why it cannot be.
pub fn save(opened: &Opened) -> Result<(), String> {
    let mut archive = opened.archive.borrow_mut();
    let (bytes, signature) = bytes(&archive, &opened.signing.borrow())?;
    let path = archive.path.clone();
    let shown = phlox_runtime::shown(&path).into_owned();
    std::fs::write(os(&path), &bytes)
        .map_err(|error| format!("unable to open new phar \"{shown}\" for writing: {error}"))?;
    // From here on contents are read from what was written.
    let mut again = Archive::read(&path, bytes)?;
    again.signature = signature.or(again.signature);
    *archive = again;
    Ok(())
}

pub fn is_read_only(vm: &Vm) -> bool {
    vm.ini.bool("phar.readonly")
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
    let (opened, name) = match archives.resolve(url) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(if reason.is_empty() { "not a phar archive".into() } else { reason })),
    };
    let writes = mode.contains(['w', 'a', 'x', 'c', '+']);
    if writes {
        if is_read_only(vm) {
            return Ok(Err("phar error: write operations disabled by the php.ini setting phar.readonly".into()));
        }
        let keeps = mode.contains('a') || mode.starts_with('r');
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
    let (opened, name) = match archives(vm).resolve(url) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let archive = opened.archive.borrow();
    if archive.is_dir(&name) { Ok(Ok(archive.names_in(&name))) } else { Ok(Err("operation failed".into())) }
}
