//! Information about the engine: `-v -m -i --ini`.

use super::{options, scripts};
use crate::args::Invocation;
use phlox_engine::{Configuration, EXTENSIONS, settings};
use std::path::Path;

/// The release of Phlox itself.
const PHLOX_VERSION: &str = env!("CARGO_PKG_VERSION");

/// A builtin constant's text.
fn constant(name: &str) -> String {
    let value = settings::constant(name).unwrap_or_default();
    String::from_utf8_lossy(&value).into_owned()
}

/// Is there a builtin function of this (lower-case) name?
pub fn has_function(name: &str) -> bool {
    EXTENSIONS.iter().flat_map(|extension| extension.functions.iter().copied().flatten()).any(|row| row.name() == name)
}

/// `-v`
pub fn version() -> i32 {
    version_of("cli")
}

/// `-v` of the program that serves in this way.
pub fn version_of(sapi: &str) -> i32 {
    let php = constant("PHP_VERSION");
    say_line!("PHP {php} ({sapi}) (Phlox {PHLOX_VERSION}) (NTS)");
    say_line!("Phlox {PHLOX_VERSION}, a PHP engine written in Rust");
    0
}

/// `-m`
pub fn modules() -> i32 {
    say_line!("[PHP Modules]");
    for name in module_names() {
        say_line!("{name}");
    }
    say_line!("\n[Zend Modules]\n");
    0
}

fn module_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = EXTENSIONS.iter().map(|extension| extension.name).collect();
    names.sort_by_key(|name| name.to_ascii_lowercase());
    names.dedup();
    names
}

/// `-i`: phpinfo()'s text form.
pub fn info(invocation: &Invocation, configuration: &Configuration) -> i32 {
    phlox_engine::session(&options(scripts::STANDARD_INPUT, invocation, configuration), |session| {
        session.print_info();
    })
}

/// `--ini`
pub fn ini(configuration: &Configuration) -> i32 {
    let scan_path = configuration.scan_path.as_deref().map(Path::new);
    let scanned: Vec<String> = configuration.scanned.iter().map(|file| file.display().to_string()).collect();
    let scanned = if scanned.is_empty() { "(none)".to_owned() } else { scanned.join(",\n") };
    say_line!("Configuration File (php.ini) Path: {}", settings::CONFIG_FILE_PATH);
    say_line!("Loaded Configuration File:         {}", shown(configuration.loaded.as_deref()));
    say_line!("Scan for additional .ini files in: {}", shown(scan_path));
    say_line!("Additional .ini files parsed:      {scanned}");
    0
}

fn shown(path: Option<&Path>) -> String {
    path.map_or_else(|| "(none)".to_owned(), |path| path.display().to_string())
}
