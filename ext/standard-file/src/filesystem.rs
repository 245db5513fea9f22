//! Changing the file system: making, removing, renaming, copying, permissions, times.

use crate::context;
use crate::stream::open::{self, Change, NativeWrapper, Options, Wrapper, os, warn_about};
use crate::stream::plain::error_text;
use crate::stream::user::call_wrapper;
use phlox_runtime::basedir::{self, allows};
use phlox_runtime::ini::{IniAccess, IniString, not_empty};
use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val, View, convert};
use rustix::fs::{AtFlags, CWD, Gid, Mode, Timespec, Timestamps, Uid};
use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

pub static SYS_TEMP_DIR: IniString = IniString::unset("sys_temp_dir", IniAccess::System).on_change(not_empty);

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new(
        "mkdir(string $directory, #[written(\"0777\")] int $permissions = 0777, bool $recursive = false, $context = null): bool",
        mkdir,
    ),
    FnDef::new("rmdir(string $directory, $context = null): bool", rmdir),
    FnDef::new("unlink(string $filename, $context = null): bool", unlink),
    FnDef::new("rename(string $from, string $to, $context = null): bool", rename),
    FnDef::new("copy(string $from, string $to, $context = null): bool", copy),
    FnDef::new("touch(string $filename, ?int $mtime = null, ?int $atime = null): bool", touch),
    FnDef::new("chmod(string $filename, int $permissions): bool", chmod),
    FnDef::new("chown(string $filename, string|int $user): bool", chown),
    FnDef::new("chgrp(string $filename, string|int $group): bool", chgrp),
    FnDef::new("lchown(string $filename, string|int $user): bool", lchown),
    FnDef::new("lchgrp(string $filename, string|int $group): bool", lchgrp),
    FnDef::new("symlink(string $target, string $link): bool", symlink),
    FnDef::new("link(string $target, string $link): bool", link),
    FnDef::new("readlink(string $path): string|false", readlink),
    FnDef::new("linkinfo(string $path): int|false", linkinfo),
    FnDef::new("tempnam(string $directory, string $prefix): string|false", tempnam),
    FnDef::new("sys_get_temp_dir(): string", sys_get_temp_dir),
    FnDef::new("umask(?int $mask = null): int", umask),
    FnDef::new("disk_total_space(string $directory): float|false", disk_total_space),
    FnDef::new("disk_free_space(string $directory): float|false", disk_free_space),
    FnDef::new("diskfreespace(string $directory): float|false", disk_free_space),
    FnDef::new("is_uploaded_file(string $filename): bool", is_uploaded_file),
    FnDef::new("move_uploaded_file(string $from, string $to): bool", move_uploaded_file),
];

/// Reports an outcome: `f(): reason` on failure.
fn outcome(call: &Call<'_>, result: std::io::Result<()>) -> PhpResult<Val> {
    match result {
        Ok(()) => Ok(Val::TRUE),
        Err(error) => {
            call.warning(&error_text(&error))?;
            Ok(Val::FALSE)
        }
    }
}

/// Reports an outcome with the path: `f(path): reason` on failure.
fn outcome_about(call: &Call<'_>, path: &[u8], result: std::io::Result<()>) -> PhpResult<Val> {
    match result {
        Ok(()) => Ok(Val::TRUE),
        Err(error) => {
            warn_about(call.vm, path, &error_text(&error))?;
            Ok(Val::FALSE)
        }
    }
}

/// A path to work on, or the result of the user wrapper that has done the work.
enum Served {
    Plain(Vec<u8>),
    Done(Val),
}

fn serve(call: &Call<'_>, path: &[u8], context: &Val, method: &str, args: Vec<Val>, verb: &str) -> PhpResult<Served> {
    let Some((wrapper, target)) = open::locate(call.vm, path, true)? else { return Ok(Served::Done(Val::FALSE)) };
    match wrapper {
        Wrapper::Plain if !allows(call.vm, target)? => Ok(Served::Done(Val::FALSE)),
        Wrapper::Plain => Ok(Served::Plain(target.to_vec())),
        Wrapper::User { class, .. } => {
            let object = open::wrapper_object(call.vm, &class, &context::or_default(call.vm, context))?;
            match call_wrapper(call.vm, &object, method, args)? {
                Some(result) => Ok(Served::Done(Val::bool(convert::to_bool(&result)))),
                None => {
                    let name = phlox_runtime::ObjExt::class_name(&object).clone();
                    call.warning(&format!("{name}::{method} is not implemented!"))?;
                    Ok(Served::Done(Val::FALSE))
                }
            }
        }
        Wrapper::Native(NativeWrapper { change: Some(change), .. }) if verb != "metadata" => {
            let target = args.get(1).and_then(Val::as_str).cloned().unwrap_or_else(PhpStr::empty);
            let wanted = match method {
                "rename" => Change::Rename(&target),
                "mkdir" => Change::MakeDir,
                "rmdir" => Change::RemoveDir,
                _ => Change::Unlink,
            };
            match change(call.vm, path, wanted)? {
                Ok(()) => Ok(Served::Done(Val::TRUE)),
                Err(reason) => {
                    call.warning(&reason)?;
                    Ok(Served::Done(Val::FALSE))
                }
            }
        }
        other => refuse(call, path, other.name(), verb).map(Served::Done),
    }
}

/// Raises PHP's warning about an operation that a wrapper does not support.
fn refuse(call: &Call<'_>, path: &[u8], wrapper: &str, verb: &str) -> PhpResult<Val> {
    match verb {
        // PHP refuses making and removing directories without a warning.
        "mkdir" | "rmdir" => {}
        "renaming" => call.warning(&format!("{wrapper} wrapper does not support {verb}"))?,
        // `touch` creates the file if the wrapper can open it for writing.
        "metadata" if call.func.name.as_bytes() == b"touch" => {
            let Some(stream) = open::open(call.vm, path, "c", &open::Options::default())? else {
                return Ok(Val::FALSE);
            };
            stream.close(call.vm)?;
            return Ok(Val::TRUE);
        }
        "metadata" => {
            let name = call.func.display_name();
            call.warning(&format!("Cannot call {}() for a non-standard stream", phlox_runtime::shown(&name)))?;
        }
        _ => call.warning(&format!("{wrapper} does not allow {verb}"))?,
    }
    Ok(Val::FALSE)
}

/// The option by which a wrapper's method is told to report errors.
const REPORT_ERRORS: i64 = 8;

fn mkdir(call: &mut Call<'_>) -> PhpResult<Val> {
    const RECURSIVE: i64 = 1;
    let (path, mode, recursive) = (call.path(0)?, call.int(1), call.bool(2));
    let context = context::argument(call, 3)?;
    let args = vec![(&path).into(), Val::int(mode), Val::int(REPORT_ERRORS | if recursive { RECURSIVE } else { 0 })];
    match serve(call, &path, &context, "mkdir", args, "mkdir")? {
        Served::Done(result) => Ok(result),
        Served::Plain(target) => {
            let path = os(&target);
            let mut builder = std::fs::DirBuilder::new();
            builder.mode(mode as u32 & 0o7777).recursive(recursive);
            let exists = recursive && path.symlink_metadata().is_ok();
            let result = if exists { Err(std::io::Error::from_raw_os_error(17)) } else { builder.create(path) };
            outcome(call, result)
        }
    }
}

fn rmdir(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    // What is known of paths may change.
    call.vm.path_cache.clear();
    let context = context::argument(call, 1)?;
    match serve(call, &path, &context, "rmdir", vec![(&path).into(), Val::int(REPORT_ERRORS)], "rmdir")? {
        Served::Done(result) => Ok(result),
        Served::Plain(target) => outcome_about(call, &path, std::fs::remove_dir(os(&target))),
    }
}

fn unlink(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    match open::os(&path) {
        named if named.is_absolute() => call.vm.path_cache.forget(named),
        _ => call.vm.path_cache.clear(),
    }
    let context = context::argument(call, 1)?;
    match serve(call, &path, &context, "unlink", vec![(&path).into()], "unlinking")? {
        Served::Done(result) => Ok(result),
        Served::Plain(target) => outcome_about(call, &path, rustix::fs::unlink(os(&target)).map_err(Into::into)),
    }
}

fn rename(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (call.path(0)?, call.path(1)?);
    // What is known of paths may change.
    call.vm.path_cache.clear();
    let context = context::argument(call, 2)?;
    if let Some((Wrapper::User { class, .. }, _)) = open::locate(call.vm, &from, false)? {
        let target = open::locate(call.vm, &to, false)?;
        if !matches!(target, Some((Wrapper::User { class: other, .. }, _)) if std::rc::Rc::ptr_eq(&class, &other)) {
            call.warning("Cannot rename a file across wrapper types")?;
            return Ok(Val::FALSE);
        }
    }
    match serve(call, &from, &context, "rename", vec![(&from).into(), (&to).into()], "renaming")? {
        Served::Done(result) => Ok(result),
        Served::Plain(source) => {
            let Some((Wrapper::Plain, target)) = open::locate(call.vm, &to, true)? else {
                call.warning("Cannot rename a file across wrapper types")?;
                return Ok(Val::FALSE);
            };
            if !allows(call.vm, target)? {
                return Ok(Val::FALSE);
            }
            let both = PhpStr::concat(&[&from, b",", &to]);
            outcome_about(call, &both, std::fs::rename(os(&source), os(target)))
        }
    }
}

fn copy(call: &mut Call<'_>) -> PhpResult<Val> {
    let (from, to) = (call.path(0)?, call.path(1)?);
    let options = Options { context: context::argument(call, 2)?, ..Options::default() };
    if open::scheme(&from).is_none() && !allows(call.vm, &from)? {
        return Ok(Val::FALSE);
    }
    let is_dir = |path: &[u8]| open::scheme(path).is_none() && os(path).is_dir();
    if is_dir(&from) {
        call.warning("The first argument to copy() function cannot be a directory")?;
        return Ok(Val::FALSE);
    }
    if is_dir(&to) && os(&from).exists() && basedir::allows_quietly(call.vm, &to) {
        call.warning("The second argument to copy() function cannot be a directory")?;
        return Ok(Val::FALSE);
    }
    let same = crate::path::canonical(&from).is_some_and(|path| Some(path) == crate::path::canonical(&to));
    if same {
        return Ok(Val::FALSE);
    }
    if let Some((Wrapper::User { class, .. }, _)) = open::locate(call.vm, &from, false)? {
        crate::stat::of_user(call.vm, &class, &from, 0)?;
    }
    let Some(source) = open::open(call.vm, &from, "rb", &options)? else { return Ok(Val::FALSE) };
    let Some(target) = open::open(call.vm, &to, "wb", &options)? else { return Ok(Val::FALSE) };
    let copied = source.copy_to(call.vm, &target, None).map(|size| size.is_some());
    let copied = source.close_after(call.vm, copied);
    Ok(Val::bool(target.close_after(call.vm, copied)?))
}

/// Calls a user wrapper's `stream_metadata`. `None`: the path is a plain one.
fn metadata(call: &Call<'_>, path: &[u8], option: i64, value: Val) -> PhpResult<Option<Val>> {
    let args = vec![Val::str(path), Val::int(option), value];
    match open::locate(call.vm, path, true)? {
        Some((Wrapper::Plain, _)) => Ok(None),
        _ => match serve(call, path, &Val::NULL, "stream_metadata", args, "metadata")? {
            Served::Done(result) => Ok(Some(result)),
            Served::Plain(_) => Ok(None),
        },
    }
}

fn touch(call: &mut Call<'_>) -> PhpResult<Val> {
    const STREAM_META_TOUCH: i64 = 1;
    let path = call.path(0)?;
    if path.is_empty() {
        return Ok(Val::FALSE);
    }
    let (mtime, atime) = (call.opt_int(1), call.opt_int(2));
    if mtime.is_none() && atime.is_some() {
        return Err(call.value_error(1, "cannot be null when argument #3 ($atime) is an integer"));
    }
    let times: Vec<Val> = match mtime {
        Some(mtime) => vec![Val::int(mtime), Val::int(atime.unwrap_or(mtime))],
        None => Vec::new(),
    };
    if let Some(result) = metadata(call, &path, STREAM_META_TOUCH, phlox_runtime::PhpArr::from_vec(times).into())? {
        return Ok(result);
    }
    if !allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    let target = path.strip_prefix(b"file://").unwrap_or(&path);
    if !os(target).exists() {
        if let Err(error) = File::create(os(target)) {
            call.warning(&format!("Unable to create file {path} because {}", error_text(&error)))?;
            return Ok(Val::FALSE);
        }
    }
    let now = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs() as i64)
    };
    let stamp = |seconds| Timespec { tv_sec: seconds, tv_nsec: 0 };
    let mtime = mtime.unwrap_or_else(now);
    let times = Timestamps { last_access: stamp(atime.unwrap_or(mtime)), last_modification: stamp(mtime) };
    let result = rustix::fs::utimensat(CWD, os(target), &times, AtFlags::empty());
    match result {
        Ok(()) => Ok(Val::TRUE),
        Err(error) => {
            call.warning(&format!("Utime failed: {}", error_text(&error.into())))?;
            Ok(Val::FALSE)
        }
    }
}

fn chmod(call: &mut Call<'_>) -> PhpResult<Val> {
    const STREAM_META_ACCESS: i64 = 6;
    let (path, mode) = (call.path(0)?, call.int(1));
    if let Some(result) = metadata(call, &path, STREAM_META_ACCESS, Val::int(mode))? {
        return Ok(result);
    }
    if !allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    let target = path.strip_prefix(b"file://").unwrap_or(&path);
    outcome(call, std::fs::set_permissions(os(target), std::fs::Permissions::from_mode(mode as u32 & 0o7777)))
}

/// The numeric id of a user or group that may be given by name.
fn numeric_id(call: &Call<'_>, database: &str, kind: &str) -> PhpResult<Option<u32>> {
    let value = call.arg(1);
    match value.view() {
        View::Int(id) => Ok(Some(id as u32)),
        _ => {
            let name = call.str(1);
            let listing = std::fs::read_to_string(database).unwrap_or_default();
            let found = listing.lines().find_map(|line| {
                let mut fields = line.split(':');
                (fields.next()?.as_bytes() == name.as_bytes()).then(|| fields.nth(1)?.parse().ok())?
            });
            if found.is_none() {
                call.warning(&format!("Unable to find {kind} for {name}"))?;
            }
            Ok(found)
        }
    }
}

fn change_owner(call: &Call<'_>, follow: bool, of_group: bool) -> PhpResult<Val> {
    let path = call.path(0)?;
    let (database, kind) = if of_group { ("/etc/group", "gid") } else { ("/etc/passwd", "uid") };
    // A wrapper gets a name unchanged; the option says whether it is a name or a number.
    let option = if of_group { 5 } else { 3 } - i64::from(call.arg(1).as_int().is_none());
    if let Some(result) = metadata(call, &path, option, call.arg(1))? {
        return Ok(result);
    }
    let Some(id) = numeric_id(call, database, kind)? else { return Ok(Val::FALSE) };
    if !allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    let flags = if follow { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    // The number -1 leaves the owner unchanged.
    let owner = Some(id).filter(|&id| id != u32::MAX);
    let (user, group) = if of_group { (None, owner.map(Gid::from_raw)) } else { (owner.map(Uid::from_raw), None) };
    outcome(call, rustix::fs::chownat(CWD, os(&path), user, group, flags).map_err(Into::into))
}

fn chown(call: &mut Call<'_>) -> PhpResult<Val> {
    change_owner(call, true, false)
}

fn chgrp(call: &mut Call<'_>) -> PhpResult<Val> {
    change_owner(call, true, true)
}

fn lchown(call: &mut Call<'_>) -> PhpResult<Val> {
    change_owner(call, false, false)
}

fn lchgrp(call: &mut Call<'_>) -> PhpResult<Val> {
    change_owner(call, false, true)
}

/// The two paths of a link as `open_basedir` sees them: absolute, the target seen from the link.
fn link_paths(target: &[u8], link: &[u8]) -> [Vec<u8>; 2] {
    let link = basedir::absolute(link, None);
    let directory = &link[..link.iter().rposition(|&byte| byte == b'/').unwrap_or(0)];
    [basedir::absolute(target, Some(directory)), link.clone()]
}

fn symlink(call: &mut Call<'_>) -> PhpResult<Val> {
    let (target, link) = (call.path(0)?, call.path(1)?);
    // What is known of paths may change.
    call.vm.path_cache.clear();
    for path in link_paths(&target, &link) {
        if !allows(call.vm, &path)? {
            return Ok(Val::FALSE);
        }
    }
    outcome(call, std::os::unix::fs::symlink(os(&target), os(&link)))
}

fn link(call: &mut Call<'_>) -> PhpResult<Val> {
    let (target, link) = (call.path(0)?, call.path(1)?);
    for path in [&target, &link] {
        if !allows(call.vm, &basedir::absolute(path, None))? {
            return Ok(Val::FALSE);
        }
    }
    outcome(call, std::fs::hard_link(os(&target), os(&link)))
}

fn readlink(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if !allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    match std::fs::read_link(os(&path)) {
        Ok(target) => Ok(target.into_os_string().into_encoded_bytes().into()),
        Err(error) => outcome(call, Err(error)),
    }
}

fn linkinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    // For a link, `open_basedir` checks the folder that it is in and not its target.
    let folder = path.iter().rposition(|&byte| byte == b'/').map_or(&b"."[..], |at| &path[..at.max(1)]);
    if !basedir::allows(call.vm, folder)? {
        return Ok(Val::FALSE);
    }
    match std::fs::symlink_metadata(os(&path)) {
        Ok(meta) => Ok(Val::int(meta.dev() as i64)),
        Err(error) => {
            outcome(call, Err(error))?;
            Ok(Val::int(-1))
        }
    }
}

/// Creates a new file with a random name; only its owner may use it.
pub fn create_unique(directory: &Path, prefix: &[u8]) -> Option<(File, PathBuf)> {
    use std::os::unix::fs::OpenOptionsExt;
    const SYMBOLS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos() as u64;
    seed ^= (std::process::id() as u64) << 32;
    for _ in 0..100 {
        let mut name = prefix.to_vec();
        for place in 0..19 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Thirteen digits to base 32, then what mkstemp() writes.
            let symbols = if place < 13 { b"0123456789abcdefghijklmnopqrstuv" } else { SYMBOLS };
            name.push(symbols[(seed >> 33) as usize % symbols.len()]);
        }
        let path = directory.join(os(&name));
        let file = File::options().read(true).write(true).create_new(true).mode(0o600).open(&path);
        match file {
            Ok(file) => return Some((file, path)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
    None
}

fn tempnam(call: &mut Call<'_>) -> PhpResult<Val> {
    const PREFIX_MAX: usize = 63;
    let (directory, prefix) = (call.path(0)?, call.path(1)?);
    let prefix = crate::path::basename(&prefix, b"");
    let prefix = &prefix[..prefix.len().min(PREFIX_MAX)];
    if !directory.is_empty() && !allows(call.vm, &directory)? {
        return Ok(Val::FALSE);
    }
    let resolved = crate::path::canonical(&directory).filter(|_| !directory.is_empty());
    if let Some((_, path)) = resolved.and_then(|directory| create_unique(os(&directory), prefix)) {
        return Ok(path.into_os_string().into_encoded_bytes().into());
    }
    let temporary = std::env::temp_dir();
    if !allows(call.vm, temporary.as_os_str().as_encoded_bytes())? {
        return Ok(Val::FALSE);
    }
    match create_unique(&temporary, prefix) {
        Some((_, path)) => {
            if !directory.is_empty() {
                call.raise(phlox_runtime::Level::Notice, b"file created in the system's temporary directory")?;
            }
            Ok(path.into_os_string().into_encoded_bytes().into())
        }
        None => Ok(Val::FALSE),
    }
}

fn sys_get_temp_dir(call: &mut Call<'_>) -> PhpResult<Val> {
    let configured = call.vm.ini.get(&SYS_TEMP_DIR);
    if !configured.is_empty() {
        return Ok(configured.into());
    }
    let path = std::env::temp_dir().into_os_string().into_encoded_bytes();
    Ok(Val::str(if path.len() > 1 { path.strip_suffix(b"/").unwrap_or(&path) } else { &path }))
}

fn umask(call: &mut Call<'_>) -> PhpResult<Val> {
    let old = rustix::process::umask(Mode::from_raw_mode(0o77));
    let new = call.opt_int(0).map_or(old, |mask| Mode::from_raw_mode(mask as u32 & 0o777));
    rustix::process::umask(new);
    call.vm.before_change("umask", || Box::new(move || _ = rustix::process::umask(old)));
    Ok(Val::int(old.as_raw_mode() as i64))
}

fn disk_space(call: &Call<'_>, count: fn(&rustix::fs::StatVfs) -> u64) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() || !allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    match rustix::fs::statvfs(os(&path)) {
        Ok(stat) => Ok(Val::double((count(&stat) as f64) * stat.f_frsize as f64)),
        Err(error) => outcome(call, Err(error.into())),
    }
}

fn disk_total_space(call: &mut Call<'_>) -> PhpResult<Val> {
    disk_space(call, |stat| stat.f_blocks)
}

fn disk_free_space(call: &mut Call<'_>) -> PhpResult<Val> {
    disk_space(call, |stat| stat.f_bavail)
}

fn is_uploaded_file(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    Ok(crate::sapi::request(call.vm).uploads.borrow().contains(&path[..]).into())
}

/// `move_uploaded_file()`: renames an upload, which is none from then on. Other files are refused.
fn move_uploaded_file(call: &mut Call<'_>) -> PhpResult<Val> {
    use std::os::unix::ffi::OsStrExt;
    let (from, to) = (call.str(0), call.path(1)?);
    let request = crate::sapi::request(call.vm);
    if !request.uploads.borrow().contains(&from[..]) {
        return Ok(Val::FALSE);
    }
    let path = |name: &[u8]| std::path::PathBuf::from(std::ffi::OsStr::from_bytes(name));
    let (source, target) = (path(&from), path(&to));
    // Across file systems the file is copied.
    let moved = std::fs::rename(&source, &target)
        .or_else(|_| std::fs::copy(&source, &target).and_then(|_| std::fs::remove_file(&source)));
    if moved.is_ok() {
        request.uploads.borrow_mut().remove(&from[..]);
        return Ok(Val::TRUE);
    }
    call.warning(&format!("Unable to move \"{from}\" to \"{to}\""))?;
    Ok(Val::FALSE)
}
