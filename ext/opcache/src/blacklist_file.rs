//! Reads the files that `opcache.blacklist_filename` names.

use crate::log;
use crate::settings::BLACKLIST_FILENAME;
use phlox_ext_standard_file::glob;
use phlox_runtime::{Vm, basedir};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Gives the store the patterns of the configured files, whose names may have wildcards.
pub fn load(vm: &Vm) {
    let names = vm.ini.get(&BLACKLIST_FILENAME);
    if names.is_empty() {
        return;
    }
    let files = glob::matches(&names, 0);
    if files.is_empty() {
        log::warn(vm, &format!("No blacklist file found matching: {}\n", String::from_utf8_lossy(&names)));
    }
    vm.unit_store.blacklist.set(files.iter().flat_map(|file| patterns(vm, file)).collect());
}

/// The patterns of a file, one a line: relative ones are of the file's folder, and lines that begin with `;` are comments.
fn patterns(vm: &Vm, file: &[u8]) -> Vec<Vec<u8>> {
    let path = Path::new(std::ffi::OsStr::from_bytes(file));
    let Ok(text) = std::fs::read(path) else {
        log::warn(vm, &format!("Cannot load blacklist file: {}\n", path.display()));
        return Vec::new();
    };
    let folder = path.canonicalize().ok().and_then(|path| Some(path.parent()?.as_os_str().to_owned().into_vec()));
    let lines = text.split(|&byte| byte == b'\n').map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = &line[line.iter().take_while(|&&byte| byte == b'\r').count()..];
        line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(line)
    });
    let named = lines.filter(|line| !line.is_empty() && line[0] != b';');
    named.map(|line| basedir::absolute(line, folder.as_deref())).collect()
}
