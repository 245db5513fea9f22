//! The workspace's shape: who imports whom, who may be unsafe, which dependencies are explained.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose purpose is unsafe code, each with its invariants in `SAFETY.md`.
const UNSAFE_CRATES: &[&str] = &[
    "phlox-value",
    "phlox-coroutine",
    "phlox-process",
    "phlox-pcre",
    "phlox-sqlite",
    "phlox-libxml",
    "phlox-openssl",
    "phlox-curl",
    "phlox-zlib",
    "phlox-jit",
    "phlox-interp",
];

struct Crate {
    name: String,
    folder: PathBuf,
    /// Crates that the crate imports outside tests.
    imports: Vec<String>,
    /// All crates that the crate imports.
    dependencies: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn crates() -> Vec<Crate> {
    let mut crates = Vec::new();
    for group in ["crates", "ext", "bin", "tools"] {
        for entry in fs::read_dir(root().join(group)).expect("a folder of crates") {
            let folder = entry.expect("readable").path();
            if folder.join("Cargo.toml").is_file() {
                crates.push(manifest(folder));
            }
        }
    }
    crates
}

fn manifest(folder: PathBuf) -> Crate {
    let mut section = String::new();
    let mut manifest = Crate { name: String::new(), folder, imports: Vec::new(), dependencies: Vec::new() };
    for line in read(&manifest.folder.join("Cargo.toml")).lines() {
        if line.starts_with('[') {
            section = line.to_owned();
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim().trim_end_matches(".workspace").to_owned();
            if section == "[package]" && key == "name" {
                manifest.name = value.trim().trim_matches('"').to_owned();
            } else if section == "[dependencies]" {
                manifest.imports.push(key.clone());
                manifest.dependencies.push(key);
            } else if section.ends_with("dependencies]") {
                manifest.dependencies.push(key);
            }
        }
    }
    manifest
}

fn layers() -> Vec<String> {
    let text = read(&root().join("layers.toml"));
    let names = text.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    names.map(str::to_owned).collect()
}

#[test]
fn crates_import_only_what_is_above_them() {
    let layers = layers();
    let crates = crates();
    let names: BTreeSet<&str> = crates.iter().map(|c| c.name.as_str()).collect();
    let listed: BTreeSet<&str> = layers.iter().map(String::as_str).collect();
    assert_eq!(names, listed, "the crates, and those in layers.toml");
    let height = |name: &str| layers.iter().position(|layer| layer == name);
    for Crate { name, imports, .. } in &crates {
        for import in imports.iter().filter(|import| height(import).is_some()) {
            assert!(height(import) < height(name), "{name} imports {import}, which does not stand above it");
        }
    }
}

#[test]
fn unsafe_code_is_forbidden_outside_its_crates() {
    for Crate { name, folder, .. } in crates() {
        let file = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        let file = file.iter().find(|file| file.is_file()).expect("a crate has a root");
        let forbids = read(file).contains("#![forbid(unsafe_code)]");
        if UNSAFE_CRATES.contains(&name.as_str()) {
            assert!(folder.join("SAFETY.md").is_file(), "{name} has no SAFETY.md");
        } else {
            assert!(forbids, "{} does not forbid unsafe code", file.display());
        }
    }
}

#[test]
fn every_dependency_is_explained() {
    let page = read(&root().join("docs/decisions/dependencies.md"));
    for Crate { name, dependencies, .. } in crates() {
        for dependency in dependencies.iter().filter(|dependency| !dependency.starts_with("phlox")) {
            assert!(
                page.contains(&format!("`{dependency}`")),
                "{dependency}, used by {name}, is not in dependencies.md"
            );
        }
    }
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    pages.extend(phlox_testkit::walk::files(&root().join("docs"), "md").expect("docs"));
    for page in pages {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let file = page.parent().unwrap_or(Path::new(".")).join(target);
                assert!(file.exists(), "{}: {link} leads nowhere", page.display());
            }
        }
    }
}
