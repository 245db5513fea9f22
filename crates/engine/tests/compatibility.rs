//! Compares the builtins with those of PHP 8.4's usual extensions and keeps the list in `docs/compatibility.md`.
//!
//! What the page says is there must be there. `PHLOX_BLESS=1` brings the page up to date.

use phlox_engine::WORKER_EXTENSIONS;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

/// `extension kind name` lines: the names that PHP 8.4 defines.
const NAMES: &str = include_str!("php-8.4-names.txt");
/// `extension passed all` lines: tests of PHP's own suite, those of them that real PHP passes on the same machine.
const RATES: &str = include_str!("suite-rates.txt");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/compatibility.md");
const START: &str = "<!-- From here on written by PHLOX_BLESS=1 cargo test -p phlox-engine --test compatibility -->\n";

/// Lower-case names of what is built in, with their kind.
fn built_in() -> BTreeSet<(&'static str, String)> {
    let mut names = BTreeSet::new();
    for extension in WORKER_EXTENSIONS {
        let functions = extension.functions.iter().copied().flatten();
        names.extend(functions.map(|row| ("function", row.name().to_ascii_lowercase())));
        let classes = extension.classes.iter().copied().flatten();
        names.extend(classes.map(|class| ("class", class.name.to_ascii_lowercase())));
    }
    names
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    NAMES.lines().filter_map(|line| {
        let (extension, rest) = line.split_once(' ')?;
        let (kind, name) = rest.split_once(' ')?;
        Some((extension, kind, name))
    })
}

/// Per extension: how much is there, and what is missing.
fn page(built_in: &BTreeSet<(&'static str, String)>) -> String {
    let mut extensions: Vec<&str> = Vec::new();
    for (extension, ..) in rows() {
        if !extensions.contains(&extension) {
            extensions.push(extension);
        }
    }
    let mut table = "| extension | functions | classes | tests of its suite |\n|---|---|---|---|\n".to_owned();
    let mut lists = String::new();
    for extension in extensions {
        let mut cells = Vec::new();
        for kind in ["function", "class"] {
            let all: Vec<&str> = rows().filter(|row| row.0 == extension && row.1 == kind).map(|row| row.2).collect();
            let is_missing = |name: &&str| !built_in.contains(&(kind, name.to_ascii_lowercase()));
            let missing: Vec<&str> = all.iter().copied().filter(is_missing).collect();
            cells.push(format!("{} of {}", all.len() - missing.len(), all.len()));
            if !missing.is_empty() {
                let plural = if kind == "class" { "classes" } else { "functions" };
                writeln!(lists, "\n### {extension}: missing {plural}\n").expect("a string");
                for line in wrap(&missing) {
                    writeln!(lists, "{line}").expect("a string");
                }
            }
        }
        let rate = rate(extension).unwrap_or_default();
        writeln!(table, "| {extension} | {} | {} | {rate} |", cells[0], cells[1]).expect("a string");
    }
    format!("\n{table}{lists}")
}

/// Passed tests of an extension's folder, where there is one.
fn rate(extension: &str) -> Option<String> {
    let line = RATES.lines().find(|line| line.split(' ').next() == Some(&extension.to_ascii_lowercase()))?;
    let mut words = line.split(' ').skip(1);
    Some(format!("{} of {}", words.next()?, words.next()?))
}

/// Names in lines of at most 118 columns.
fn wrap(names: &[&str]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for name in names {
        let line = lines.last_mut().expect("never empty");
        if line.is_empty() {
            line.push_str(name);
        } else if line.len() + name.len() + 2 <= 118 {
            line.push_str(", ");
            line.push_str(name);
        } else {
            line.push(',');
            lines.push((*name).to_owned());
        }
    }
    lines
}

#[test]
fn what_the_page_says_is_there_is_there() {
    let text = fs::read_to_string(PAGE).expect("docs/compatibility.md");
    let (head, old) = text.split_once(START).expect("the marker of the generated part");
    let built_in = built_in();
    let new = page(&built_in);
    if std::env::var_os("PHLOX_BLESS").is_some_and(|value| value == "1") {
        fs::write(PAGE, format!("{head}{START}{new}")).expect("writable");
        return;
    }
    let missing_before: BTreeSet<&str> = listed(old);
    let missing_now: BTreeSet<&str> = listed(&new);
    let gone: Vec<_> = missing_now.difference(&missing_before).collect();
    assert!(gone.is_empty(), "no longer there: {gone:?}");
}

/// The names in the lists of what is missing.
fn listed(page: &str) -> BTreeSet<&str> {
    let lines = page.lines().filter(|line| !line.starts_with(['|', '#']));
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|name| !name.is_empty()).collect()
}
