//! Every `tests/emit/NAME.php` has its bytecode beside it in `NAME.hhbc`; `tests/emit/errors.txt` lists programs about
//! which PHP's compiler raises diagnostics, each followed by these (`> ` lines).
//!
//! `PHLOX_BLESS=1` accepts what comes out.

use std::path::{Path, PathBuf};

use phlox_emit::{EmitOptions, EmitResult, emit};
use phlox_syntax::{ParseOptions, parse, render};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/emit")
}

/// The unit and the diagnostics of a program, the parser's included.
fn compile(source: &[u8], filename: &str) -> (EmitResult, Vec<String>) {
    let arena = bumpalo::Bump::new();
    let parsed = parse(&arena, source, &ParseOptions::default());
    let options = EmitOptions { filename: filename.as_bytes(), is_eval: false, assertions: true, knows_builtins: true };
    let result = emit(&parsed.program, source, &options);
    let said = parsed.diagnostics.iter().chain(&result.diagnostics);
    let said = said.map(|d| {
        let message = String::from_utf8_lossy(&d.message);
        format!("{}: {message} on line {}", render::severity(d.severity), d.span.line)
    });
    let said = said.collect();
    (result, said)
}

/// Compares with the expected file, or writes it.
fn check(path: &Path, actual: &str, failures: &mut Vec<String>) {
    if std::env::var_os("PHLOX_BLESS").is_some() {
        std::fs::write(path, actual).unwrap();
    } else if std::fs::read_to_string(path).unwrap_or_default() != actual {
        failures.push(path.display().to_string());
    }
}

#[test]
fn bytecode() {
    let mut failures = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "php"));
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let source = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (result, said) = compile(&source, &name);
        assert!(!result.failed(), "{name}: {said:?}");
        if let Err(error) = phlox_hhbc::verify::check(&result.unit) {
            panic!("{name}: {error}");
        }
        let said: String = said.iter().map(|line| format!("# {line}\n")).collect();
        let text = format!("{said}{}", phlox_hhbc::disassemble(&result.unit));
        check(&path.with_extension("hhbc"), &text, &mut failures);
    }
    assert!(failures.is_empty(), "differences (PHLOX_BLESS=1 accepts them):\n{}", failures.join("\n"));
}

#[test]
fn errors() {
    let path = folder().join("errors.txt");
    let cases = std::fs::read_to_string(&path).unwrap();
    let mut text = String::new();
    for case in cases.split("\n\n").map(str::trim).filter(|case| !case.is_empty()) {
        let source: Vec<&str> = case.lines().take_while(|line| !line.starts_with("> ")).collect();
        let source = source.join("\n");
        let (_, said) = compile(source.as_bytes(), "test.php");
        let said: String = said.iter().map(|line| format!("> {line}\n")).collect();
        text += &format!("{source}\n{said}\n");
    }
    let mut failures = Vec::new();
    check(&path, &text, &mut failures);
    assert!(failures.is_empty(), "differences (PHLOX_BLESS=1 accepts them):\n{text}");
}

/// Long chains are followed in loops, so the native stack does not grow with them.
#[test]
fn long_chains() {
    let repeat = |piece: &str, joint: &str| vec![piece; 20_000].join(joint);
    let programs = [
        format!("<?php $x = {};", repeat("f()", " . ")),
        format!("<?php $x = {};", repeat("'a'", " . ")),
        format!("<?php $x = $a{};", repeat("->b()", "")),
        format!("<?php $x = $a{};", repeat("?->b[0]", "")),
        format!("<?php if ({}) f();", repeat("$a", " && ")),
        format!("<?php class A {{ const X = {}; }}", repeat("B", " . ")),
    ];
    for program in programs {
        let (result, said) = compile(program.as_bytes(), "test.php");
        assert!(!result.failed(), "{said:?}");
        assert!(phlox_hhbc::verify::check(&result.unit).is_ok());
    }
}
