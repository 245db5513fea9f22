//! How the executable is linked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Functions that the recorded profile calls hot lie together, and those it calls cold apart
    // (docs/decisions/0026-recorded-profile.md). Linkers that do not know the option ignore it.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
    // Functions that run when a program starts come first, in the order of `profile/order`.
    let order = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../profile/order.txt");
    println!("cargo::rerun-if-changed={}", order.display());
    if links_with_lld() {
        println!("cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}", order.display());
        // Names in the list may be gone since the profile was recorded; that is no reason for a warning.
        println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
    }
}

/// Whether the linker is the one that comes with Rust, as it is on Linux since 1.90. Others end at a word that they do not know.
fn links_with_lld() -> bool {
    let (Ok(rustc), Ok(target)) = (env::var("RUSTC"), env::var("TARGET")) else { return false };
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output();
    let Ok(sysroot) = sysroot.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()) else {
        return false;
    };
    let linker = PathBuf::from(sysroot).join("lib/rustlib").join(&target).join("bin/gcc-ld/ld.lld");
    target == "x86_64-unknown-linux-gnu" && linker.exists()
}
