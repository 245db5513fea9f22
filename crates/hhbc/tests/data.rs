//! Runs the units in `tests/hhbc`: those in `valid` pass the verifier and survive both forms, those in `invalid` are
//! refused with the message on their first line. `PHLOX_BLESS=1` rewrites that line.

use phlox_hhbc::verify::{Rule, verify};
use phlox_hhbc::{Unit, assemble, decode, disassemble, encode};
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hhbc").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "phas"));
    files.sort();
    assert!(!files.is_empty());
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn survives_both_forms(unit: &Unit, path: &Path) {
    let text = disassemble(unit);
    let again = assemble(&text).unwrap_or_else(|e| panic!("{}: {e} of\n{text}", path.display()));
    assert_eq!(&again, unit, "{}: text form\n{text}", path.display());
    assert_eq!(disassemble(&again), text, "{}", path.display());
    let bytes = encode(unit).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let again = decode(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(&again, unit, "{}: binary form", path.display());
}

#[test]
fn valid_units_pass_and_survive_both_forms() {
    for path in files("valid") {
        let unit = assemble(&read(&path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        survives_both_forms(&unit, &path);
        verify(unit).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

fn refusal(text: &str) -> Result<(), String> {
    let unit = assemble(text).map_err(|e| e.to_string())?;
    verify(unit).map_err(|e| e.to_string()).map(|_| ())
}

#[test]
fn invalid_units_are_refused_with_the_expected_message() {
    let bless = std::env::var_os("PHLOX_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files("invalid") {
        let text = read(&path);
        let expected = text.lines().next().unwrap_or_default();
        let found = match refusal(&text) {
            Ok(()) => "# accepted".to_owned(),
            Err(message) => format!("# {message}"),
        };
        if found == expected {
            continue;
        }
        if bless && found != "# accepted" {
            let rest = text.strip_prefix("# ").and_then(|t| t.split_once('\n')).map_or(&*text, |(_, rest)| rest);
            fs::write(&path, format!("{found}\n{rest}")).unwrap();
        } else {
            wrong.push(format!("{}\n  expected {expected}\n  found    {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rule X10 only says that the other rules hold in unreachable code too; what breaks X13 is too large for a file and
/// is in `limits.rs`.
#[test]
fn every_rule_has_a_unit_that_breaks_it() {
    let messages: Vec<String> =
        files("invalid").iter().map(|path| read(path).lines().next().unwrap_or_default().to_owned()).collect();
    for rule in Rule::ALL.iter().filter(|rule| ![Rule::X10, Rule::X13].contains(rule)) {
        let wanted = format!("rule {}:", rule.number());
        assert!(messages.iter().any(|message| message.contains(&wanted)), "no unit breaks {wanted}");
    }
}
