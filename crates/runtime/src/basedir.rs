//! `open_basedir`: the directories that scripts may access files in.

use crate::error::PhpResult;
use crate::ini::{IniAccess, IniChange, IniStage, IniString};
use crate::vm::Vm;
use phlox_value::PhpStr;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

fn os(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// The system's limit of a path's length, with the NUL behind it.
const PATH_MAX: usize = 4096;

/// Whether a script may use this path; a warning is raised if it may not.
pub fn allows(vm: &Vm, path: &[u8]) -> PhpResult<bool> {
    let setting = setting(vm);
    if setting.is_empty() {
        return Ok(true);
    }
    if path.len() >= PATH_MAX {
        let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
        let limit =
            format!("(): File name is longer than the maximum allowed path length on this platform ({PATH_MAX}): ");
        vm.warning(&[&name[..], limit.as_bytes(), path].concat())?;
        return Ok(false);
    }
    if is_inside(path, &setting) {
        return Ok(true);
    }
    vm.warning(&complaint(vm, path))?;
    Ok(false)
}

/// Whether a script may include this path; a warning that names `kind` (`include`, for instance) is raised if it may not.
pub fn allows_including(vm: &Vm, path: &[u8], kind: &'static str) -> PhpResult<bool> {
    if allows_quietly(vm, path) {
        return Ok(true);
    }
    vm.warning(&complaint_by(vm, kind.as_bytes(), path))?;
    Ok(false)
}

/// The warning about a path that may not be used, naming the running function.
pub fn complaint(vm: &Vm, path: &[u8]) -> Vec<u8> {
    let name = vm.frame().map(|frame| frame.func.display_name()).unwrap_or_default();
    complaint_by(vm, &name, path)
}

fn complaint_by(vm: &Vm, name: &[u8], path: &[u8]) -> Vec<u8> {
    let setting = setting(vm);
    let parts: [&[u8]; 6] = [
        name,
        b"(): open_basedir restriction in effect. File(",
        path,
        b") is not within the allowed path(s): (",
        &setting,
        b")",
    ];
    parts.concat()
}

/// Whether a script may use this path; no warning is raised.
pub fn allows_quietly(vm: &Vm, path: &[u8]) -> bool {
    let setting = setting(vm);
    setting.is_empty() || is_inside(path, &setting)
}

/// The value that a script set, with directories made absolute at that time, so that a later `chdir` permits nothing more.
#[derive(Default)]
struct Resolved(RefCell<Option<PhpStr>>);

fn setting(vm: &Vm) -> PhpStr {
    let given = vm.ini.get(&OPEN_BASEDIR);
    if given.is_empty() {
        return given;
    }
    let resolved = vm.data::<Resolved>("open_basedir").0.borrow().clone();
    resolved.unwrap_or(given)
}

/// The permitted directories, separated by colons; without a value, all directories are permitted.
pub static OPEN_BASEDIR: IniString = IniString::unset("open_basedir", IniAccess::All).on_change(change);

/// Validates a change. A script may only restrict the setting: each new directory must be inside the old ones.
fn change(change: &IniChange<'_>) -> PhpResult<bool> {
    let (vm, new) = (change.vm, change.text());
    if change.stage != IniStage::Runtime {
        vm.data::<Resolved>("open_basedir").0.take();
        return Ok(true);
    }
    let old = setting(vm);
    let directories: Vec<_> = new.split(|&byte| byte == b':').map(|part| absolute(part, None)).collect();
    if new.is_empty() || !old.is_empty() && !directories.iter().all(|directory| is_inside(directory, &old)) {
        return Ok(false);
    }
    *vm.data::<Resolved>("open_basedir").0.borrow_mut() = Some(PhpStr::new(&directories.join(&b':')));
    Ok(true)
}

fn is_inside(path: &[u8], setting: &[u8]) -> bool {
    let path = real(path);
    setting.split(|&byte| byte == b':').filter(|allowed| !allowed.is_empty()).any(|allowed| {
        let allowed = real(allowed);
        path.strip_prefix(&allowed[..])
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/") || allowed.ends_with(b"/"))
    })
}

/// The absolute path, without `.` and `..`; a relative path is resolved from `from`, or from the working directory.
pub fn absolute(path: &[u8], from: Option<&[u8]>) -> Vec<u8> {
    let mut absolute = match (path.first(), from) {
        (Some(b'/'), _) => Vec::new(),
        (_, Some(from)) => from.to_vec(),
        _ => std::env::current_dir().map(|dir| dir.into_os_string().into_vec()).unwrap_or_default(),
    };
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => absolute.truncate(absolute.iter().rposition(|&byte| byte == b'/').unwrap_or(0)),
            part => {
                absolute.push(b'/');
                absolute.extend_from_slice(part);
            }
        }
    }
    if absolute.is_empty() { b"/".to_vec() } else { absolute }
}

/// The absolute path with symbolic links resolved, as far as the path exists.
fn real(path: &[u8]) -> Vec<u8> {
    let absolute = absolute(path.strip_prefix(b"file://").unwrap_or(path), None);
    let mut existing = absolute.len();
    while existing > 0 {
        if let Ok(found) = std::fs::canonicalize(os(&absolute[..existing])) {
            return [&found.into_os_string().into_vec()[..], &absolute[existing..]].concat();
        }
        existing = absolute[..existing].iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    }
    absolute
}
