//! Every `tests/syntax/**/NAME.php` has its tree and its diagnostics beside it in `NAME.ast`; those
//! in a folder `print` also have what the printer makes of them in `NAME.printed`, those in `errors`
//! the first diagnostic as people see it in `NAME.rendered`.
//!
//! `PHLOX_BLESS=1` accepts what comes out.

use phlox_syntax::diagnostic::Diagnostic;
use phlox_syntax::{ParseOptions, dump, parse, print, render};
use std::path::{Path, PathBuf};

#[test]
fn trees_and_diagnostics() {
    let mut failures = Vec::new();
    let sources = sources(&root());
    assert!(!sources.is_empty());
    for path in sources {
        let source = std::fs::read(&path).unwrap();
        let arena = bumpalo::Bump::new();
        let result = parse(&arena, &source, &ParseOptions::default());
        let mut tree: Vec<u8> =
            result.diagnostics.iter().flat_map(|diagnostic| line(diagnostic).into_bytes()).collect();
        tree.extend(dump::dump(&result.program));
        check(&path.with_extension("ast"), &tree, &mut failures);
        if path.parent().is_some_and(|folder| folder.ends_with("print")) {
            let printed = print::print_stmts(result.program.stmts);
            check(&path.with_extension("printed"), &printed, &mut failures);
        }
        if path.parent().is_some_and(|folder| folder.ends_with("errors")) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let rendered = render::render(&result.diagnostics[0], &file, &source);
            check(&path.with_extension("rendered"), rendered.as_bytes(), &mut failures);
        }
    }
    assert!(failures.is_empty(), "differences (PHLOX_BLESS=1 accepts them):\n{}", failures.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/syntax")
}

/// All `.php` files below `folder`, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
    let mut found: Vec<PathBuf> =
        files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "php")).collect();
    found.extend(folders.iter().flat_map(|folder| sources(folder)));
    found
}

fn line(diagnostic: &Diagnostic) -> String {
    let message = diagnostic.message.escape_ascii();
    format!("{}: {message} on line {}\n", render::severity(diagnostic.severity), diagnostic.span.line)
}

/// Compares with the expected file, or writes it.
fn check(expected: &Path, actual: &[u8], failures: &mut Vec<String>) {
    if std::env::var_os("PHLOX_BLESS").is_some() {
        return std::fs::write(expected, actual).unwrap();
    }
    let wanted = std::fs::read(expected).unwrap_or_default();
    if wanted != actual {
        let (wanted, actual) = (String::from_utf8_lossy(&wanted), String::from_utf8_lossy(actual));
        let row = wanted.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
        let (wanted, actual) = (wanted.lines().nth(row), actual.lines().nth(row));
        failures.push(format!("{}:{}\n  expected {wanted:?}\n  found    {actual:?}", expected.display(), row + 1));
    }
}
