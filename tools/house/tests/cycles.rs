//! The largest cycle of modules of each crate may shrink, and does not grow.

use phlox_house::graph::Graph;
use phlox_house::workspace::Workspace;
use std::path::Path;

/// The share of a crate's lines in its largest cycle of modules, in percent and rounded up; a crate that is not listed has none.
const BOUNDS: &[(&str, u32)] = &[
    ("phlox", 44),
    ("phlox-curl", 45),
    ("phlox-emit", 30),
    ("phlox-engine", 20),
    ("phlox-ext-core", 17),
    ("phlox-ext-curl", 60),
    ("phlox-ext-date", 10),
    ("phlox-ext-dom", 56),
    ("phlox-ext-hash", 72),
    ("phlox-ext-iconv", 40),
    ("phlox-ext-json", 95),
    ("phlox-ext-mbstring", 61),
    ("phlox-ext-openssl", 22),
    ("phlox-ext-pcntl", 84),
    ("phlox-ext-pcre", 29),
    ("phlox-ext-pdo", 86),
    ("phlox-ext-phar", 25),
    ("phlox-ext-posix", 100),
    ("phlox-ext-readline", 100),
    ("phlox-ext-reflection", 59),
    ("phlox-ext-session", 21),
    ("phlox-ext-spl", 27),
    ("phlox-ext-sqlite3", 95),
    ("phlox-ext-standard", 12),
    ("phlox-ext-standard-file", 47),
    ("phlox-ext-xmlreader", 100),
    ("phlox-ext-xmlwriter", 100),
    ("phlox-hhbc", 25),
    ("phlox-hhir", 36),
    ("phlox-interp", 99),
    ("phlox-jit", 9),
    ("phlox-libxml", 7),
    ("phlox-lower", 0),
    ("phlox-openssl", 15),
    ("phlox-oracle", 19),
    ("phlox-process", 29),
    ("phlox-runtime", 85),
    ("phlox-sqlite", 91),
    ("phlox-syntax", 9),
    ("phlox-value", 82),
];

#[test]
fn cycles_of_modules_do_not_grow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = Workspace::load(&root).unwrap_or_else(|error| panic!("{error}"));
    assert!(BOUNDS.is_sorted_by_key(|row| row.0));
    for (name, _) in BOUNDS {
        assert!(workspace.crates.iter().any(|krate| krate.name == *name), "there is no crate {name}");
    }
    let mut wrong = Vec::new();
    for krate in &workspace.crates {
        let graph = Graph::of(krate);
        let share = graph.share_of(&graph.largest_cycle());
        let bound = BOUNDS.iter().find(|row| row.0 == krate.name).map_or(0, |row| row.1);
        if let Some(advice) = advice(&krate.name, share, bound) {
            wrong.push(advice);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Comments and files elsewhere move a share a little: so much is no growth.
const TOLERANCE: f64 = 1.0;

/// What is wrong with a bound, if anything is.
fn advice(name: &str, share: f64, bound: u32) -> Option<String> {
    if share > f64::from(bound) + TOLERANCE {
        return Some(format!(
            "{name}: its largest cycle of modules has {share:.1} % of its lines, which was at most {bound} %: see what it is made of \
             with `cargo run -p phlox-house -- --cycle {name}`"
        ));
    }
    let lower = share.ceil() as u32;
    (share + 2.0 * TOLERANCE < f64::from(bound)).then(|| {
        format!(
            "{name}: its largest cycle of modules has shrunk to {share:.1} %: lower its figure from {bound} to {lower}"
        )
    })
}

#[test]
fn a_bound_is_kept_or_to_be_lowered() {
    assert_eq!(advice("phlox", 55.3, 56), None);
    assert_eq!(advice("phlox", 0.0, 0), None);
    assert!(advice("phlox", 57.1, 56).is_some_and(|text| text.contains("at most 56")));
    assert!(advice("phlox", 40.2, 56).is_some_and(|text| text.contains("from 56 to 41")));
}
