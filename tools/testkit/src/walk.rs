//! Finds test files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// All files below `root` that end in `.extension`, sorted by path. A file is its own only element.
pub fn files(root: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    if root.is_file() {
        return Ok(vec![root.to_path_buf()]);
    }
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A test's name: its path below `root` without the extension.
pub fn name(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).with_extension("").to_string_lossy().into_owned()
}
