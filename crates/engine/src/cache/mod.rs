//! Compiled files on disk, so that a source is compiled once and not in every process.
//!
//! An entry's name is a hash of everything that decides its contents: the source, its path, the settings of the compiler
//! and the compiler itself. So a changed source has another entry, and no entry is ever out of date. An entry is written
//! under a temporary name and renamed, so readers see a whole entry or none. Entries are not trusted: a unit passes the
//! verifier before it is written, and has a checksum and a seal, which cannot be made without the folder's secret. The
//! source of an entry without these is compiled again, and the entry is replaced.
//!
//! Programs of many files have them all in one [bundle](bundle), where a file that did not change is found without reading it.
//!
//! The cache never makes a program fail: if its folder cannot be used, nothing is cached.

mod bundle;

use crate::compile::compile;
use crate::settings::Setting;
use crate::stats;
use bundle::Bundle;
use foldhash::quality::FixedState;
use phlox_hhbc::binary::{self, Bytes};
use phlox_hhbc::{Unit, verify};
use phlox_runtime::vm::{CompileRequest, Compiled, Compiler};
use phlox_value::MappedFile;
use std::cell::OnceCell;
use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sources shorter than this compile faster than an entry of their own is found.
const SHORTEST_SOURCE: usize = 1 << 10;
/// Entries of one compiler before old ones are removed.
const MOST_ENTRIES: usize = 1 << 14;
/// One in so many new entries looks whether there are too many.
const SWEEP_INTERVAL: u128 = 256;
/// A hash of the compiler's sources, which decide an entry's contents together with the request.
const COMPILER_ID: &str = env!("PHLOX_COMPILER_ID");
/// The first bytes of an entry; its key, its seal and the unit's binary form follow.
const MAGIC: &[u8; 8] = b"PHLXUNIT";
const HEADER_LEN: usize = 32;
/// The name of the file with the folder's secret, and the secret's length.
const SECRET_FILE: &str = "secret";
const SECRET_LEN: usize = 16;

/// Where the configuration wants the cache; `None`: nowhere. The setting `phlox.cache_dir`, else `PHLOX_CACHE_DIR`,
/// else the user's folder for caches.
pub fn folder(settings: &[Setting]) -> Option<PathBuf> {
    let setting = settings.iter().rev().find(|(name, _)| name == "phlox.cache_dir");
    let chosen = setting.map(|(_, value)| PathBuf::from(std::ffi::OsString::from_vec(value.clone())));
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let users = || {
        let base = variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        // Services may have no `HOME` in their environment; the system's user database has the folder then.
        let home = || std::env::home_dir().filter(|path| path.is_absolute());
        let base = base.or_else(|| home().map(|home| home.join(".cache")));
        base.map_or_else(PathBuf::new, |base| base.join("phlox"))
    };
    let folder = chosen.or_else(|| variable("PHLOX_CACHE_DIR")).unwrap_or_else(users);
    (!folder.as_os_str().is_empty()).then_some(folder)
}

/// A compiler that keeps the units it makes in a folder.
pub struct Cache {
    root: Option<PathBuf>,
    /// The folder of this compiler's entries, made on first use; `None`: it cannot be used.
    folder: OnceCell<Option<Folder>>,
    /// The files of the main script, which is the first that is compiled.
    bundle: OnceCell<Bundle>,
}

/// A folder of entries.
struct Folder {
    path: PathBuf,
    /// What seals are made with.
    secret: [u8; SECRET_LEN],
}

impl Cache {
    /// `root`: the folder of all compilers' entries; `None`: nothing is kept.
    pub fn new(root: Option<PathBuf>) -> Cache {
        Cache { root, folder: OnceCell::new(), bundle: OnceCell::new() }
    }

    fn folder(&self) -> Option<&Folder> {
        self.folder.get_or_init(|| prepare(self.root.as_deref()?).ok()).as_ref()
    }

    /// Writes the program's bundle for the next request. To be called at the end of a request.
    pub fn keep(&self) {
        if let (Some(bundle), Some(folder)) = (self.bundle.get(), self.folder()) {
            bundle.keep(folder);
        }
    }

    /// The bundle that a file belongs to, unless it is the main script.
    fn bundle_for(&self, folder: &Folder, request: &CompileRequest<'_>) -> Option<&Bundle> {
        let known = self.bundle.get();
        if known.is_none() {
            let name = format!("{:032x}.phbundle", key(&CompileRequest { source: b"", ..*request }));
            self.bundle.get_or_init(|| Bundle::open(folder, &name));
        }
        known
    }
}

impl Compiler for Cache {
    /// Takes the unit from a valid cache entry if there is one; otherwise compiles the source.
    fn compile(&self, request: &CompileRequest<'_>) -> Compiled {
        phlox_process::note_growth();
        if !request.filename.starts_with(b"/") || request.is_eval {
            return compile(request);
        }
        let Some(folder) = self.folder() else { return compile(request) };
        let bundle = self.bundle_for(folder, request);
        let key = key(request);
        if request.source.len() < SHORTEST_SOURCE {
            let compiled = compile(request);
            // In a bundle it is found without being read.
            if let (Compiled::Unit(unit), Some(bundle)) = (&compiled, bundle)
                && let Ok(entry) = folder.entry(key, unit)
            {
                bundle.note(request, key, entry);
            }
            return compiled;
        }
        let path = folder.path.join(format!("{key:032x}.phbc"));
        if let Some((unit, entry)) = folder.load(&path, key, request.filename) {
            stats::note_loaded();
            bundle.inspect(|bundle| bundle.note(request, key, entry));
            return Compiled::Unit(unit);
        }
        let compiled = compile(request);
        if let Compiled::Unit(unit) = &compiled {
            // A cache that cannot be written to is none.
            if let (Ok(entry), Some(bundle)) = (folder.store(&path, key, unit), bundle) {
                bundle.note(request, key, entry);
            }
            if key % SWEEP_INTERVAL == 0 {
                let _ = sweep(&folder.path);
            }
        }
        compiled
    }

    fn recall(&self, request: &CompileRequest<'_>, found: Option<std::fs::Metadata>) -> Option<Unit> {
        phlox_process::note_growth();
        self.bundle.get()?.recall(self.folder()?, request, found)
    }
}

/// The key of an entry: a hash of everything that the compiled unit depends on.
fn key(request: &CompileRequest<'_>) -> u128 {
    let CompileRequest { source, filename, is_eval, short_open_tag, assertions, knows_builtins, multibyte } = *request;
    let half = |seed| {
        let mut hasher = FixedState::with_seed(seed).build_hasher();
        hasher.write(COMPILER_ID.as_bytes());
        hasher.write(&[is_eval, short_open_tag, assertions, knows_builtins, multibyte].map(u8::from));
        for part in [filename, source] {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
        u128::from(hasher.finish())
    };
    half(0x5048_4c4f_585f_3031) << 64 | half(0x9e37_79b9_7f4a_7c15)
}

impl Folder {
    /// A valid entry and its unit.
    fn load(&self, path: &Path, key: u128, filename: &[u8]) -> Option<(Unit, Bytes)> {
        let entry: Bytes = Arc::new(MappedFile::open(path).ok()?);
        Some((self.unit(&entry, key, filename)?, entry))
    }

    /// The unit of an entry, if the entry is valid.
    fn unit(&self, entry: &Bytes, key: u128, filename: &[u8]) -> Option<Unit> {
        let (header, unit) = (**entry).as_ref().split_at_checked(HEADER_LEN)?;
        if header != self.header(key, unit)? {
            return None;
        }
        let unit = binary::decode_lazily(entry, HEADER_LEN).ok()?;
        debug_assert!(verify::check(&unit).is_ok());
        (unit.filename == filename).then_some(unit)
    }

    /// Writes an entry, and gives it. Of several processes the last one wins, which is harmless because all write the
    /// same bytes.
    fn store(&self, path: &Path, key: u128, unit: &Unit) -> io::Result<Bytes> {
        let entry = self.entry(key, unit)?;
        write_whole(path, (*entry).as_ref())?;
        Ok(entry)
    }

    /// Makes an entry.
    fn entry(&self, key: u128, unit: &Unit) -> io::Result<Bytes> {
        verify::check(unit).map_err(|_| io::Error::other("the unit does not obey the rules"))?;
        let bytes = binary::encode(unit).map_err(|error| io::Error::other(error.to_string()))?;
        let header = self.header(key, &bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Arc::new([&header[..], &bytes].concat()))
    }

    /// The header that precedes a unit's binary form; `None` if the bytes are no such form.
    fn header(&self, key: u128, unit: &[u8]) -> Option<[u8; HEADER_LEN]> {
        let mut header = [0; HEADER_LEN];
        header[..8].copy_from_slice(MAGIC);
        header[8..24].copy_from_slice(&key.to_le_bytes());
        // The unit's own header has the checksum of the rest.
        let seal = self.seal(0x7365_616c ^ unit.len() as u64, unit.get(..binary::HEADER_LEN)?);
        header[24..].copy_from_slice(&seal.to_le_bytes());
        Some(header)
    }

    /// The seal of an entry, which cannot be computed without the folder's secret.
    fn seal(&self, seed: u64, bytes: &[u8]) -> u64 {
        let mut seal = FixedState::with_seed(seed).build_hasher();
        seal.write(&self.secret);
        seal.write_usize(bytes.len());
        seal.write(bytes);
        seal.finish()
    }
}

/// Writes a file under a name of its own, then renames it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    let write = || {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        file.write_all(bytes)?;
        drop(file);
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// The folder's secret, made if there is none. When several processes make one, the last one's stays, and entries with
/// other seals are made anew.
fn secret(folder: &Path) -> io::Result<[u8; SECRET_LEN]> {
    let path = folder.join(SECRET_FILE);
    if let Ok(known) = fs::read(&path).map(<[u8; SECRET_LEN]>::try_from)
        && let Ok(secret) = known
    {
        return Ok(secret);
    }
    let mut secret = [0; SECRET_LEN];
    getrandom::fill(&mut secret).map_err(|error| io::Error::other(error.to_string()))?;
    write_whole(&path, &secret)?;
    Ok(secret)
}

/// The folder of this compiler's entries. Others than the user must not be able to write there.
fn prepare(root: &Path) -> io::Result<Folder> {
    let folder = root.join(COMPILER_ID);
    if !folder.is_dir() {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        drop_other_compilers(root, &folder)?;
    }
    for place in [root, &folder] {
        let metadata = fs::metadata(place)?;
        if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
    }
    Ok(Folder { secret: secret(&folder)?, path: folder })
}

/// Removes the entries of compilers that wrote none for a month.
fn drop_other_compilers(root: &Path, own: &Path) -> io::Result<()> {
    const UNUSED: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);
    for other in fs::read_dir(root)?.flatten() {
        let name = other.file_name();
        let is_compiler = name.len() == COMPILER_ID.len() && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
        let idle = other.metadata()?.modified()?.elapsed().unwrap_or_default();
        if is_compiler && other.path() != own && idle > UNUSED {
            fs::remove_dir_all(other.path())?;
        }
    }
    Ok(())
}

/// Removes the older half of too many entries.
fn sweep(folder: &Path) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?
        .flatten()
        .filter(|entry| entry.file_name() != SECRET_FILE)
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if entries.len() <= MOST_ENTRIES {
        return Ok(());
    }
    entries.sort();
    for (_, entry) in &entries[..entries.len() / 2] {
        fs::remove_file(entry)?;
    }
    Ok(())
}
