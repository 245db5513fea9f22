//! `stat` and what is read from it.

use crate::stream::open::{self, Wrapper, os};
use crate::stream::user::call_wrapper;
use phlox_runtime::{Call, ClassRef, FnDef, Key, PhpArr, PhpResult, Val, Vm};
use rustix::fs::Access;
use std::cell::RefCell;
use std::os::unix::fs::MetadataExt;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("stat(string $filename): array|false", php_stat),
    FnDef::new("lstat(string $filename): array|false", php_lstat),
    FnDef::new("fileatime(string $filename): int|false", fileatime),
    FnDef::new("filectime(string $filename): int|false", filectime),
    FnDef::new("filemtime(string $filename): int|false", filemtime),
    FnDef::new("filegroup(string $filename): int|false", filegroup),
    FnDef::new("fileowner(string $filename): int|false", fileowner),
    FnDef::new("fileinode(string $filename): int|false", fileinode),
    FnDef::new("fileperms(string $filename): int|false", fileperms),
    FnDef::new("filesize(string $filename): int|false", filesize),
    FnDef::new("filetype(string $filename): string|false", filetype),
    FnDef::new("file_exists(string $filename): bool", file_exists),
    FnDef::new("is_writable(string $filename): bool", is_writable),
    FnDef::new("is_writeable(string $filename): bool", is_writable),
    FnDef::new("is_readable(string $filename): bool", is_readable),
    FnDef::new("is_executable(string $filename): bool", is_executable),
    FnDef::new("is_file(string $filename): bool", is_file),
    FnDef::new("is_dir(string $filename): bool", is_dir),
    FnDef::new("is_link(string $filename): bool", is_link),
    FnDef::new("clearstatcache(bool $clear_realpath_cache = false, string $filename = \"\"): void", clearstatcache),
    FnDef::new("realpath_cache_size(): int", realpath_cache_size),
    FnDef::new("realpath_cache_get(): array", realpath_cache_get),
];

/// The fields of `stat`, in PHP's order.
#[derive(Clone, Debug, Default)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    pub mode: u32,
    pub nlink: u64,
    pub uid: u32,
    pub gid: u32,
    pub rdev: i64,
    pub size: u64,
    pub atime: i64,
    pub mtime: i64,
    pub ctime: i64,
    pub blksize: i64,
    pub blocks: i64,
}

const NAMES: [&[u8]; 13] = [
    b"dev", b"ino", b"mode", b"nlink", b"uid", b"gid", b"rdev", b"size", b"atime", b"mtime", b"ctime", b"blksize",
    b"blocks",
];

impl From<&std::fs::Metadata> for Stat {
    fn from(meta: &std::fs::Metadata) -> Stat {
        Stat {
            dev: meta.dev(),
            ino: meta.ino(),
            mode: meta.mode(),
            nlink: meta.nlink(),
            uid: meta.uid(),
            gid: meta.gid(),
            rdev: meta.rdev() as i64,
            size: meta.size(),
            atime: meta.atime(),
            mtime: meta.mtime(),
            ctime: meta.ctime(),
            blksize: meta.blksize() as i64,
            blocks: meta.blocks() as i64,
        }
    }
}

impl Stat {
    fn fields(&self) -> [i64; 13] {
        [
            self.dev as i64,
            self.ino as i64,
            self.mode as i64,
            self.nlink as i64,
            self.uid as i64,
            self.gid as i64,
            self.rdev,
            self.size as i64,
            self.atime,
            self.mtime,
            self.ctime,
            self.blksize,
            self.blocks,
        ]
    }

    /// Reads the array that a user wrapper gave.
    pub fn from_user(array: &PhpArr) -> Stat {
        let field = |index: usize| {
            let value = array.get_bytes(NAMES[index]).map(Val::deref);
            value.and_then(|value| value.as_int()).unwrap_or(0)
        };
        Stat {
            dev: field(0) as u64,
            ino: field(1) as u64,
            mode: field(2) as u32,
            nlink: field(3) as u64,
            uid: field(4) as u32,
            gid: field(5) as u32,
            rdev: field(6),
            size: field(7) as u64,
            atime: field(8),
            mtime: field(9),
            ctime: field(10),
            blksize: field(11),
            blocks: field(12),
        }
    }

    const TYPE_MASK: u32 = 0o170_000;

    /// Whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.mode & Stat::TYPE_MASK == 0o040_000
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.mode & Stat::TYPE_MASK == 0o100_000
    }

    /// Whether it is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.mode & Stat::TYPE_MASK == 0o120_000
    }

    /// The type's name as `filetype()` gives it.
    pub fn type_name(&self) -> &'static str {
        match self.mode & Stat::TYPE_MASK {
            0o010_000 => "fifo",
            0o020_000 => "char",
            0o040_000 => "dir",
            0o060_000 => "block",
            0o100_000 => "file",
            0o120_000 => "link",
            0o140_000 => "socket",
            _ => "unknown",
        }
    }
}

/// The array of `stat`: by number, then by name.
pub fn to_array(stat: &Stat) -> PhpArr {
    let fields = stat.fields();
    let mut array = PhpArr::with_capacity(0);
    for (index, field) in fields.iter().enumerate() {
        array.insert(Key::Int(index as i64), Val::int(*field));
    }
    for (name, field) in NAMES.iter().zip(fields) {
        array.set_bytes(name, Val::int(field));
    }
    array
}

/// The file's data, through its wrapper. `None`: there is no such file.
pub fn of(call: &Call<'_>, path: &[u8], link: bool, quiet: bool) -> PhpResult<Option<Stat>> {
    const URL_STAT_LINK: i64 = 1;
    const URL_STAT_QUIET: i64 = 2;
    const IGNORE_OPEN_BASEDIR: i64 = 4;
    if path.is_empty() || path.contains(&0) {
        return Ok(None);
    }
    let Some((wrapper, target)) = open::locate(call.vm, path, !quiet)? else { return Ok(None) };
    match wrapper {
        Wrapper::Plain if !phlox_runtime::basedir::allows(call.vm, target)? => Ok(None),
        Wrapper::Plain => {
            let meta = if link { std::fs::symlink_metadata(os(target)) } else { std::fs::metadata(os(target)) };
            Ok(meta.ok().map(|meta| Stat::from(&meta)))
        }
        Wrapper::User { class, .. } => {
            let known = call.vm.data::<LastStats>(LAST_STATS);
            let last = &known[usize::from(link)];
            if let Some((_, stat)) = last.borrow().as_ref().filter(|(known, _)| known == path) {
                return Ok(Some(stat.clone()));
            }
            let flags = if link { URL_STAT_LINK } else { 0 } | if quiet { URL_STAT_QUIET } else { 0 };
            let stat = of_user(call.vm, &class, target, flags | IGNORE_OPEN_BASEDIR)?;
            if let Some(stat) = &stat {
                *last.borrow_mut() = Some((path.to_vec(), stat.clone()));
            }
            Ok(stat)
        }
        Wrapper::Native(open::NativeWrapper { stat: Some(stat), .. }) => stat(call.vm, target),
        Wrapper::Php | Wrapper::Data | Wrapper::Glob | Wrapper::Native(_) => Ok(None),
    }
}

/// The last path of a user wrapper that `stat` was called for, and the result: for `stat`, and for `lstat`.
type LastStats = [RefCell<Option<(Vec<u8>, Stat)>>; 2];

const LAST_STATS: &str = "last stats of user wrappers";

/// The result of a user wrapper's `url_stat`.
pub fn of_user(vm: &Vm, class: &ClassRef, path: &[u8], flags: i64) -> PhpResult<Option<Stat>> {
    let object = open::wrapper_object(vm, class, &Val::NULL)?;
    match call_wrapper(vm, &object, "url_stat", vec![Val::str(path), Val::int(flags)])? {
        Some(result) => Ok(result.as_arr().map(Stat::from_user)),
        None => {
            let name = phlox_runtime::ObjExt::class_name(&object).clone();
            open::warn(vm, format!("{name}::url_stat is not implemented!").as_bytes())?;
            Ok(None)
        }
    }
}

/// The data of the file that the first argument names; `None`, with a warning, when there is no such file.
fn required(call: &Call<'_>, link: bool) -> PhpResult<Option<Stat>> {
    let path = call.str(0);
    if path.contains(&0) {
        call.warning("Filename contains null byte")?;
        return Ok(None);
    }
    let stat = of(call, &path, link, false)?;
    // A path that open_basedir forbids was reported already.
    let reported = !phlox_runtime::basedir::allows_quietly(call.vm, &path);
    if stat.is_none() && !path.is_empty() && !reported {
        let kind = if link { "Lstat" } else { "stat" };
        call.warning(&format!("{kind} failed for {path}"))?;
    }
    Ok(stat)
}

fn field(call: &Call<'_>, link: bool, get: fn(&Stat) -> Val) -> PhpResult<Val> {
    Ok(required(call, link)?.map_or(Val::FALSE, |stat| get(&stat)))
}

fn php_stat(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| to_array(stat).into())
}

fn php_lstat(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, true, |stat| to_array(stat).into())
}

fn fileatime(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.atime))
}

fn filectime(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.ctime))
}

fn filemtime(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.mtime))
}

fn filegroup(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.gid as i64))
}

fn fileowner(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.uid as i64))
}

fn fileinode(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.ino as i64))
}

fn fileperms(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.mode as i64))
}

fn filesize(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, false, |stat| Val::int(stat.size as i64))
}

fn filetype(call: &mut Call<'_>) -> PhpResult<Val> {
    field(call, true, |stat| stat.type_name().into())
}

fn test(call: &Call<'_>, link: bool, test: fn(&Stat) -> bool) -> PhpResult<Val> {
    Ok(Val::bool(of(call, &call.str(0), link, true)?.is_some_and(|stat| test(&stat))))
}

fn file_exists(call: &mut Call<'_>) -> PhpResult<Val> {
    test(call, false, |_| true)
}

fn is_file(call: &mut Call<'_>) -> PhpResult<Val> {
    test(call, false, Stat::is_file)
}

fn is_dir(call: &mut Call<'_>) -> PhpResult<Val> {
    test(call, false, Stat::is_dir)
}

fn is_link(call: &mut Call<'_>) -> PhpResult<Val> {
    test(call, true, Stat::is_link)
}

/// Checks access to plain files by a system call, and to files of wrappers by their mode bits.
fn accessible(call: &Call<'_>, access: Access, bits: u32) -> PhpResult<Val> {
    let path = call.str(0);
    if path.is_empty() || path.contains(&0) {
        return Ok(Val::FALSE);
    }
    match open::locate(call.vm, &path, false)? {
        Some((Wrapper::Plain, target)) => {
            let allowed = phlox_runtime::basedir::allows(call.vm, target)?;
            Ok(Val::bool(allowed && rustix::fs::access(os(target), access).is_ok()))
        }
        _ => Ok(Val::bool(of(call, &path, false, true)?.is_some_and(|stat| stat.mode & bits != 0))),
    }
}

fn is_writable(call: &mut Call<'_>) -> PhpResult<Val> {
    accessible(call, Access::WRITE_OK, 0o222)
}

fn is_readable(call: &mut Call<'_>) -> PhpResult<Val> {
    accessible(call, Access::READ_OK, 0o444)
}

fn is_executable(call: &mut Call<'_>) -> PhpResult<Val> {
    accessible(call, Access::EXEC_OK, 0o111)
}

/// `clearstatcache()`: only the results of user wrappers are cached.
fn clearstatcache(call: &mut Call<'_>) -> PhpResult<Val> {
    call.vm.data::<LastStats>(LAST_STATS).iter().for_each(|last| drop(last.take()));
    if call.bool(0) {
        call.vm.path_cache.clear();
    }
    Ok(Val::NULL)
}

fn realpath_cache_size(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(call.vm.path_cache.bytes() as i64))
}

fn realpath_cache_get(call: &mut Call<'_>) -> PhpResult<Val> {
    use std::os::unix::ffi::OsStrExt;
    let mut all = PhpArr::new();
    for (path, entry) in call.vm.path_cache.all() {
        let expires = entry.expires.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mut row = PhpArr::new();
        row.set_bytes(b"key", Val::int(phlox_runtime::PhpStr::new(&path).hash() as i64));
        row.set_bytes(b"is_dir", Val::bool(entry.is_folder));
        row.set_bytes(b"realpath", Val::str(entry.path.as_os_str().as_bytes()));
        row.set_bytes(b"expires", Val::int(expires.as_secs() as i64));
        all.set_bytes(&path, row.into());
    }
    Ok(all.into())
}
