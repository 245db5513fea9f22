//! Programs from files, the command line or standard input: run, checked, shown.

use super::{options, path};
use crate::args::{Invocation, Word};
use phlox_engine::{Configuration, Options, Program};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;

pub use phlox_engine::STANDARD_INPUT;

/// Runs the script, or standard input.
pub fn run(invocation: &Invocation, configuration: &Configuration) -> i32 {
    let (first, program) = match &invocation.script {
        Some(file) => (file.as_slice(), load(file)),
        None => (STANDARD_INPUT, Some(read_standard_input())),
    };
    let Some(program) = program else { return 1 };
    // The file stays open as long as it runs, as it does with PHP: descriptors have the same numbers then.
    let _open = invocation.script.as_ref().map(|file| fs::File::open(path(file)));
    phlox_engine::run(&program, &options(first, invocation, configuration))
}

/// `-r`
pub fn direct(code: &[u8], invocation: &Invocation, configuration: &Configuration) -> i32 {
    let program = code_program(b"Command line code", code);
    phlox_engine::run(&program, &options(STANDARD_INPUT, invocation, configuration))
}

/// Code without an opening tag.
pub fn code_program(name: &[u8], code: &[u8]) -> Program {
    Program::Code { name: name.to_vec(), source: [b"<?php ", code].concat() }
}

/// Reads a program: PHP source, a compiled unit, or assembly (by its name, `.phas`). Says so if it cannot.
pub fn load(file: &[u8]) -> Option<Program> {
    let Ok(source) = fs::read(path(file)) else {
        eprintln!("Could not open input file: {}", String::from_utf8_lossy(file));
        return None;
    };
    if source.starts_with(&phlox_hhbc::binary::MAGIC) {
        return super::tools::decode_verified(file, &source).map(|unit| Program::Unit(Box::new(unit)));
    }
    if path(file).extension().is_some_and(|extension| extension == "phas") {
        return super::tools::assemble_verified(file, &source).map(|unit| Program::Unit(Box::new(unit)));
    }
    Some(Program::File { path: real_path(file), source })
}

/// Loads a program for a process of several requests, which keeps the units of sources.
pub fn load_kept(file: &[u8]) -> Option<Program> {
    let is_source = |start: &[u8]| !start.starts_with(&phlox_hhbc::binary::MAGIC);
    let mut start = [0; phlox_hhbc::binary::MAGIC.len()];
    let opened = fs::File::open(path(file)).and_then(|mut file| file.read(&mut start)).is_ok();
    let is_assembly = path(file).extension().is_some_and(|extension| extension == "phas");
    if opened && is_source(&start) && !is_assembly { Some(Program::Path(real_path(file))) } else { load(file) }
}

/// The path that messages and `__FILE__` show.
pub fn real_path(file: &[u8]) -> Word {
    fs::canonicalize(path(file)).map_or_else(|_| file.to_vec(), |path| path.into_os_string().into_vec())
}

fn read_standard_input() -> Program {
    let mut source = Vec::new();
    // The part that could be read is the program, as with a pipe that breaks.
    let _ = std::io::stdin().read_to_end(&mut source);
    Program::Code { name: STANDARD_INPUT.to_vec(), source }
}

/// `-l`: every file on the command line.
pub fn lint(invocation: &Invocation, configuration: &Configuration) -> i32 {
    let Some(first) = &invocation.script else {
        let Program::Code { name, source } = read_standard_input() else { return 1 };
        return i32::from(!lint_one(&name, &source, configuration)) * 255;
    };
    let mut status = 0;
    for file in std::iter::once(first).chain(&invocation.rest) {
        match fs::read(path(file)) {
            Ok(source) if lint_one(file, &source, configuration) => {}
            Ok(_) => status = 255,
            Err(_) => {
                eprintln!("Could not open input file: {}", String::from_utf8_lossy(file));
                status = 1;
            }
        }
    }
    status
}

fn lint_one(file: &[u8], source: &[u8], configuration: &Configuration) -> bool {
    let options = Options { ini: configuration.settings.clone(), argv: vec![file.to_vec()], ..Options::default() };
    let mut good = false;
    phlox_engine::session(&options, |session| {
        good = session.lint(file, source);
        let verdict: &[u8] = if good { b"No syntax errors detected in " } else { b"Errors parsing " };
        session.echo(&[verdict, file, b"\n"].concat());
    });
    good
}

/// How a file is shown.
#[derive(Clone, Copy)]
pub enum Show {
    Highlighted,
    Stripped,
}

/// `-s` and `-w`: PHP functions do the work.
pub fn show(how: Show, invocation: &Invocation, configuration: &Configuration) -> i32 {
    let (function, code) = match how {
        Show::Highlighted => ("highlight_file", "highlight_file($argv[0]);"),
        Show::Stripped => ("php_strip_whitespace", "echo php_strip_whitespace($argv[0]);"),
    };
    if !super::about::has_function(function) {
        eprintln!("{function}() is not built in yet.");
        return 1;
    }
    let file = invocation.script.as_deref().unwrap_or(b"php://stdin");
    if invocation.script.is_some() && !path(file).is_file() {
        eprintln!("Could not open input file: {}", String::from_utf8_lossy(file));
        return 1;
    }
    let program = code_program(b"Command line code", code.as_bytes());
    phlox_engine::run(&program, &options(file, invocation, configuration))
}
