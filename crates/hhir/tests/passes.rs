//! Runs the IR files of `tests/hhir`: the unit under `before:` through the pass that the folder is named after gives
//! the unit under `after:`. `PHLOX_BLESS=1` writes what comes out. The folder `pipeline` runs all passes.

use phlox_hhir::passes::{find, optimize};
use phlox_hhir::{Unit, parse, verify};
use std::fs;
use std::path::{Path, PathBuf};

fn files() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhir");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        let folder = folder.unwrap().path();
        let pass = folder.file_name().unwrap().to_string_lossy().into_owned();
        for file in fs::read_dir(&folder).unwrap() {
            files.push((pass.clone(), file.unwrap().path()));
        }
    }
    files.sort();
    files
}

fn checked(text: &str) -> Result<Unit, String> {
    let unit = parse(text).map_err(|error| format!("before: {error}"))?;
    verify(&unit).map_err(|error| format!("before: {error}"))?;
    Ok(unit)
}

/// What the pass makes of the first part of a file.
fn run(pass: &str, before: &str) -> Result<String, String> {
    let mut unit = checked(before)?;
    match find(pass) {
        Some(pass) => pass.run(&mut unit),
        None if pass == "pipeline" => optimize(&mut unit),
        None => return Err(format!("there is no pass {pass}")),
    }
    verify(&unit).map_err(|error| format!("after: {error}\n{unit}"))?;
    Ok(unit.to_string())
}

#[test]
fn passes_do_what_the_files_say() {
    let bless = std::env::var_os("PHLOX_BLESS").is_some();
    let mut failures = Vec::new();
    for (pass, path) in files() {
        let text = fs::read_to_string(&path).unwrap();
        let (head, rest) = text.split_once("before:\n").expect("a part `before:`");
        let (before, after) = rest.split_once("after:\n").unwrap_or((rest, ""));
        match run(&pass, before) {
            Err(error) => failures.push(format!("{}: {error}", path.display())),
            Ok(found) if found == after => {}
            Ok(found) if bless => {
                let before = before.trim_end();
                fs::write(&path, format!("{head}before:\n{before}\n\nafter:\n{found}")).unwrap();
            }
            Ok(found) => failures.push(format!("{}:\n{found}", path.display())),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
