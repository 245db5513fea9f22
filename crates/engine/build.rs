//! Names the compiler: `PHLOX_COMPILER_ID` is a hash of everything that decides what a source compiles to, so that
//! bytecode on disk is used only by the compiler that wrote it.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files that the hash covers, relative to this crate's folder.
const COMPILER: &[&str] = &["../syntax/src", "../hhbc/src", "../emit/src", "src/compile.rs", "src/cache.rs"];

fn main() {
    let mut files = Vec::new();
    for place in COMPILER {
        println!("cargo::rerun-if-changed={place}");
        collect(Path::new(place), &mut files);
    }
    files.sort();
    // FNV-1a over names and contents.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in &files {
        let contents = fs::read(file).unwrap_or_default();
        for byte in file.to_string_lossy().bytes().chain(contents) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=PHLOX_COMPILER_ID={hash:016x}");
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(place) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(place.to_path_buf()),
    }
}
