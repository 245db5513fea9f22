//! How the executable is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Functions that the recorded profile calls hot lie together, and those it calls cold apart
    // (docs/decisions/0026-recorded-profile.md). Linkers that do not know the word skip it.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,keep-text-section-prefix");
}
