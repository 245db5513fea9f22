//! Finds libxml2 and compiles `src/shim.c` against its headers.
//!
//! libxml2 becomes part of the program where its archives are: loading it, and the libraries that it needs itself, would
//! take a third of the time in which a short script is done.

use std::path::{Path, PathBuf};

/// What libxml2's archive needs, after it in the order of linking.
const ARCHIVES: [&str; 4] = ["xml2", "icuuc", "icudata", "lzma"];

fn main() {
    println!("cargo:rerun-if-changed=src/shim.c");
    let probe =
        |metadata| pkg_config::Config::new().atleast_version("2.9").cargo_metadata(metadata).probe("libxml-2.0");
    let library = match probe(false) {
        Ok(library) => library,
        Err(error) => {
            eprintln!("libxml2's headers are needed (Debian: apt-get install libxml2-dev): {error}");
            std::process::exit(1);
        }
    };
    let mut build = cc::Build::new();
    build.file("src/shim.c").includes(&library.include_paths).warnings(false).compile("phlox_libxml_shim");
    match (directory_of_archives(), file_named("libstdc++.a")) {
        (Some(archives), Some(standard)) => {
            println!("cargo:rustc-link-search=native={}", archives.display());
            println!("cargo:rustc-link-search=native={}", standard.parent().unwrap_or(Path::new("/")).display());
            for name in ARCHIVES.iter().chain(&["stdc++"]) {
                println!("cargo:rustc-link-lib=static:-bundle={name}");
            }
            println!("cargo:rustc-link-lib=z");
        }
        _ => drop(probe(true)),
    }
}

/// The directory that contains all archives, if one does.
fn directory_of_archives() -> Option<PathBuf> {
    let directory = file_named("libxml2.a")?.parent()?.to_path_buf();
    ARCHIVES.iter().all(|name| directory.join(format!("lib{name}.a")).is_file()).then_some(directory)
}

/// The path at which the C compiler finds a library's file.
fn file_named(name: &str) -> Option<PathBuf> {
    let mut command = cc::Build::new().get_compiler().to_command();
    let output = command.arg(format!("-print-file-name={name}")).output().ok()?;
    let path = std::fs::canonicalize(String::from_utf8(output.stdout).ok()?.trim()).ok()?;
    path.is_file().then_some(path)
}
