//! Compiles PHP files (or the FILE section of phpt tests) and shows what came of it.
//!
//! `emit [--dis] [--quiet] FILE...`: diagnostics in PHP's format, verifier errors, and the code with `--dis`.

use std::io::Write;

use phlox_emit::{EmitOptions, emit};
use phlox_syntax::diagnostic::Severity;
use phlox_syntax::{ParseOptions, parse};

fn main() {
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    let worker = stack.spawn(run).expect("a thread can be started");
    let _ = worker.join();
}

fn run() {
    let mut show_code = false;
    let mut quiet = false;
    let mut time = false;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--dis" => show_code = true,
            "--quiet" => quiet = true,
            "--time" => time = true,
            path if time => measure(path),
            path => compile(path, show_code, quiet),
        }
    }
}

/// The FILE section of a phpt test, or the whole file.
fn script(path: &str) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap_or_default();
    if !path.ends_with(".phpt") {
        return bytes;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(start) = text.find("--FILE--\n") else { return Vec::new() };
    let body = &bytes[start + 9..];
    let end = section_end(body);
    body[..end].to_vec()
}

/// Where the next `--SECTION--` line starts.
fn section_end(body: &[u8]) -> usize {
    let mut at = 0;
    for line in body.split_inclusive(|&b| b == b'\n') {
        let name = line.strip_suffix(b"\n").unwrap_or(line);
        let is_header = name.len() > 4
            && name.starts_with(b"--")
            && name.ends_with(b"--")
            && name[2..name.len() - 2].iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
        if is_header {
            return at;
        }
        at += line.len();
    }
    body.len()
}

fn compile(path: &str, show_code: bool, quiet: bool) {
    let source = script(path);
    let arena = bumpalo::Bump::new();
    let parsed = parse(&arena, &source, &ParseOptions::default());
    let mut out = std::io::stdout().lock();
    let mut diagnostics = parsed.diagnostics;
    let failed = diagnostics.iter().any(|d| d.severity.is_error());
    let mut unit = None;
    if !failed {
        let options = EmitOptions { filename: path.as_bytes(), is_eval: false, assertions: true, knows_builtins: true };
        let result = emit(&parsed.program, &source, &options);
        let ok = !result.failed();
        diagnostics.extend(result.diagnostics);
        unit = ok.then_some(result.unit);
    }
    for d in &diagnostics {
        let kind = match d.severity {
            Severity::ParseError => "Parse error",
            Severity::CompileError | Severity::FatalError => "Fatal error",
            Severity::Warning | Severity::CompileWarning => "Warning",
            Severity::Notice => "Notice",
            Severity::Deprecated => "Deprecated",
        };
        let _ = write!(out, "{kind}: ");
        let _ = out.write_all(&d.message);
        let _ = writeln!(out, " in {path} on line {}", d.span.line);
    }
    let Some(unit) = unit else { return };
    if show_code {
        let _ = writeln!(out, "{}", phlox_hhbc::disassemble(&unit));
    }
    match phlox_hhbc::verify::check(&unit) {
        Ok(_) if quiet => {}
        Ok(_) => {
            let _ = writeln!(out, "verified: {path}");
        }
        Err(error) => {
            let _ = writeln!(out, "REFUSED {path}: {error}");
        }
    }
}

/// Parse, emit and verify times, the best of several runs.
fn measure(path: &str) {
    let source = script(path);
    let lines = source.iter().filter(|&&b| b == b'\n').count().max(1);
    let mut best = [f64::MAX; 3];
    for _ in 0..20 {
        let arena = bumpalo::Bump::new();
        let start = std::time::Instant::now();
        let parsed = parse(&arena, &source, &ParseOptions::default());
        let parse_time = start.elapsed().as_secs_f64();
        let options = EmitOptions { filename: path.as_bytes(), is_eval: false, assertions: true, knows_builtins: true };
        let start = std::time::Instant::now();
        let result = emit(&parsed.program, &source, &options);
        let emit_time = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let _ = phlox_hhbc::verify::check(&result.unit);
        let verify_time = start.elapsed().as_secs_f64();
        for (slot, value) in best.iter_mut().zip([parse_time, emit_time, verify_time]) {
            *slot = slot.min(value);
        }
    }
    let per_line = best.map(|t| t * 1e9 / lines as f64);
    println!(
        "{path}: {lines} lines, ns/line parse {:.0} emit {:.0} verify {:.0}",
        per_line[0], per_line[1], per_line[2]
    );
}
