//! The decisions say when they were taken and whether they stand, and their index says so, too. `PHLOX_BLESS=1` rewrites it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const START: &str = "<!-- decisions -->\n";
const END: &str = "<!-- end -->";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decisions")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the decisions' files in the order of their numbers.
fn decisions() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("decisions").map(|entry| entry.expect("readable").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with('0'));
    names.sort();
    names
}

/// The title, the status and the date of a decision, from its first and third line.
fn head(name: &str) -> (String, String, String) {
    let text = read(&folder().join(name));
    let mut lines = text.lines();
    let title = lines.next().and_then(|line| line.strip_prefix("# ")).unwrap_or_else(|| panic!("{name} has no title"));
    let number: u32 = name[..4].parse().unwrap_or_else(|_| panic!("{name} has no number"));
    let title = title.strip_prefix(&format!("{number}. ")).unwrap_or_else(|| panic!("{name} has another number"));
    let status = lines.nth(1).and_then(|line| line.strip_prefix("Status: "));
    let (status, date) =
        status.and_then(|line| line.split_once(" · ")).unwrap_or_else(|| panic!("{name} has no status"));
    assert!(status == "standing" || status.starts_with("superseded"), "{name}: {status}");
    (title.to_owned(), status.to_owned(), date.to_owned())
}

#[test]
fn the_index_lists_the_decisions() {
    let mut table = String::from("| | title | date | status |\n|---|---|---|---|\n");
    for name in decisions() {
        let (title, status, date) = head(&name);
        writeln!(table, "| {} | [{title}]({name}) | {date} | {status} |", name[..4].trim_start_matches('0')).unwrap();
    }
    let path = folder().join("README.md");
    let found = read(&path);
    let (before, rest) = found.split_once(START).expect("the index has a place for the table");
    let (_, after) = rest.split_once(END).expect("the table ends");
    let expected = format!("{before}{START}{table}{END}{after}");
    if std::env::var_os("PHLOX_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    } else {
        assert!(found == expected, "docs/decisions/README.md is out of date: run with PHLOX_BLESS=1");
    }
}

#[test]
fn numbers_that_are_missing_are_named() {
    let index = read(&folder().join("README.md"));
    let numbers: Vec<u32> = decisions().iter().filter_map(|name| name[..4].parse().ok()).collect();
    for number in 1..=numbers.last().copied().unwrap_or(0) {
        let named = index.contains(&format!("There is no decision {number}:"));
        assert_eq!(numbers.contains(&number), !named, "decision {number}");
    }
}

/// What is open belongs into one list, where it is found when it is done.
#[test]
fn what_is_open_is_in_one_list() {
    for name in decisions() {
        assert!(!read(&folder().join(&name)).contains("**Not yet"), "{name}: what is open goes to docs/open-ends.md");
    }
}
