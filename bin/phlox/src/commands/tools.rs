//! Commands that only `phlox` has: showing programs and bytecode, and converting one into the other.
//!
//! php's meaning comes first: where a file of a command's name exists, the word means the file.

use super::path;
use super::scripts::real_path;
use crate::args::Word;
use phlox_engine::{Checked, CompileRequest, Stage};
use phlox_hhbc::verify::verify;
use phlox_hhbc::{Unit, assemble, decode, disassemble, encode};
use phlox_syntax::ParseOptions;
use phlox_syntax::render::render;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

type Tool = fn(&[Word]) -> i32;

const TOOLS: &[(&str, Tool)] = &[
    ("check", check),
    ("dump", dump),
    ("compile", compile),
    ("asm", asm),
    ("dis", dis),
    ("verify", verify_file),
    ("hhir", hhir),
    ("repeat", repeat),
    ("cgi", super::cgi::run),
];

/// Exit status for a wrong use of a command.
const USAGE_ERROR: i32 = 2;

/// The command that the first word names.
pub fn named(words: &[Word]) -> Option<Tool> {
    let word = words.first()?;
    let (_, tool) = TOOLS.iter().find(|(name, _)| name.as_bytes() == word)?;
    (!path(word).exists()).then_some(*tool)
}

/// `phlox check FILE...`
fn check(files: &[Word]) -> i32 {
    if files.is_empty() {
        return usage("check <file>...");
    }
    let mut status = 0;
    for file in files {
        let Some(source) = read(file) else {
            status = 1;
            continue;
        };
        let Checked { unit, diagnostics } = phlox_engine::check(&request(file, &source));
        let name = String::from_utf8_lossy(file);
        for diagnostic in &diagnostics {
            say!("{}", render(diagnostic, &name, &source));
        }
        if unit.is_none() {
            status = 255;
        }
    }
    status
}

/// `phlox repeat COUNT [OPTIONS] FILE [ARGUMENTS]`: answers several requests for a script in one process, as a web server's process
/// does, and prints a line behind each answer. The answers of equal requests are equal, or something of a request stays for the
/// next one.
fn repeat(words: &[Word]) -> i32 {
    const USAGE: &str = "repeat <count> [options] <file> [<argument>...]";
    let count = words.first().and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
    let Some((count, Ok(invocation))) = count.map(|count| (count, crate::args::parse(&words[1..]))) else {
        return usage(USAGE);
    };
    let Some(file) = &invocation.script else { return usage(USAGE) };
    if !path(file).is_file() {
        eprintln!("Could not open input file: {}", String::from_utf8_lossy(file));
        return 1;
    }
    let configuration = phlox_engine::Configuration::command_line(
        invocation.ini_path.as_deref(),
        invocation.ignore_ini,
        &invocation.defines,
    );
    let argv = std::iter::once(file.clone()).chain(invocation.rest.iter().cloned()).collect();
    let options = phlox_engine::Options { ini: configuration.settings, argv, stats: false };
    phlox_engine::repeat(&real_path(file), count, &options)
}

const DUMP: &str = "dump --ast|--hhbc|--oplines|--hhir[=pass]|--clif[=legalised]|--asm <file>";

/// `phlox dump STAGE FILE`
fn dump(words: &[Word]) -> i32 {
    let [stage, file] = words else { return usage(DUMP) };
    let Some(source) = read(file) else { return 1 };
    match stage.as_slice() {
        b"--ast" => {
            let arena = bumpalo::Bump::new();
            let options = ParseOptions { short_open_tag: false, ..ParseOptions::default() };
            let parsed = phlox_syntax::parse(&arena, &source, &options);
            let name = String::from_utf8_lossy(file);
            for diagnostic in &parsed.diagnostics {
                eprint!("{}", render(diagnostic, &name, &source));
            }
            write(None, &phlox_syntax::dump::dump(&parsed.program))
        }
        b"--hhbc" => match front_end(file, &source) {
            Some(unit) => write(None, disassemble(&unit).as_bytes()),
            None => 255,
        },
        b"--oplines" => match front_end(file, &source) {
            Some(unit) => write(None, phlox_lower::print_unit(&unit).as_bytes()),
            None => 255,
        },
        _ => match stage.strip_prefix(b"--").map(String::from_utf8_lossy) {
            Some(stage) if stage.starts_with("clif") || stage == "asm" || stage.starts_with("hhir") => {
                dump_compiled(&stage, file)
            }
            _ => usage(DUMP),
        },
    }
}

/// `dump` of compiled code. What is compiled depends on type feedback, so the program runs in a process of its own,
/// whose output is not shown.
fn dump_compiled(stage: &str, file: &[u8]) -> i32 {
    if let Err(message) = Stage::parse(stage) {
        eprintln!("phlox: {message}");
        return 2;
    }
    let Ok(program) = std::env::current_exe() else { return 1 };
    let status = std::process::Command::new(program)
        .args(["-n", "-d", "display_errors=0", "-f"])
        .arg(OsStr::from_bytes(file))
        .envs([("PHLOX_JIT", "sync"), ("PHLOX_JIT_HOT", "2"), ("PHLOX_JIT_SHOW", stage)])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::io::stdout())
        .status();
    match status {
        Ok(status) => status.code().unwrap_or(255),
        Err(error) => {
            eprintln!("phlox: {error}");
            1
        }
    }
}

/// `phlox hhir FILE [PASS...]`: a unit in HHIR's text form, as `dump --hhir` prints it, is verified, changed by the passes and
/// printed. `none` is no pass.
fn hhir(words: &[Word]) -> i32 {
    let Some((file, passes)) = words.split_first() else { return usage("hhir <text.hhir> [<pass>...]") };
    let Some(text) = read(file) else { return 1 };
    match optimised(&String::from_utf8_lossy(&text), passes) {
        Ok(unit) => write(None, unit.to_string().as_bytes()),
        Err(message) => {
            eprintln!("phlox: {}: {message}", String::from_utf8_lossy(file));
            255
        }
    }
}

/// A unit after passes, which is verified before and after each.
fn optimised(text: &str, passes: &[Word]) -> Result<phlox_hhir::Unit, String> {
    let mut unit = phlox_hhir::parse(text)?;
    phlox_hhir::verify(&unit)?;
    let named: Vec<String> = passes.iter().map(|pass| String::from_utf8_lossy(pass).into_owned()).collect();
    let names: Vec<&str> = match &named[..] {
        [] => phlox_hhir::passes::PIPELINE.to_vec(),
        [none] if none == "none" => Vec::new(),
        named => named.iter().map(String::as_str).collect(),
    };
    for name in names {
        let pass = phlox_hhir::passes::find(name).ok_or_else(|| format!("there is no pass {name}"))?;
        pass.run(&mut unit);
        phlox_hhir::verify(&unit).map_err(|error| format!("after {name}: {error}"))?;
    }
    Ok(unit)
}

/// `phlox compile FILE [-o UNIT]`
fn compile(words: &[Word]) -> i32 {
    let Some((file, output)) = file_and_output(words) else { return usage("compile <file> [-o <unit.phbc>]") };
    let Some(source) = read(file) else { return 1 };
    let Some(unit) = front_end(file, &source) else { return 255 };
    let output = output.map_or_else(|| with_extension(file, "phbc"), <[u8]>::to_vec);
    write_unit(unit, file, &output)
}

/// `phlox asm TEXT [-o UNIT]`
fn asm(words: &[Word]) -> i32 {
    let Some((file, output)) = file_and_output(words) else { return usage("asm <text.phas> [-o <unit.phbc>]") };
    let Some(text) = read(file) else { return 1 };
    let Some(unit) = assemble_text(file, &text) else { return 255 };
    let output = output.map_or_else(|| with_extension(file, "phbc"), <[u8]>::to_vec);
    write_unit(unit, file, &output)
}

/// `phlox dis UNIT [-o TEXT]`
fn dis(words: &[Word]) -> i32 {
    let Some((file, output)) = file_and_output(words) else { return usage("dis <unit.phbc> [-o <text.phas>]") };
    let Some(bytes) = read(file) else { return 1 };
    match decode(&bytes) {
        Ok(unit) => write(output, disassemble(&unit).as_bytes()),
        Err(error) => refuse(file, &error.to_string()),
    }
}

/// `phlox verify UNIT...`
fn verify_file(files: &[Word]) -> i32 {
    if files.is_empty() {
        return usage("verify <unit>...");
    }
    let mut status = 0;
    for file in files {
        let Some(bytes) = read(file) else {
            status = 1;
            continue;
        };
        let unit = if bytes.starts_with(&phlox_hhbc::binary::MAGIC) {
            decode_verified(file, &bytes)
        } else {
            assemble_verified(file, &bytes)
        };
        match unit {
            Some(unit) => {
                let (functions, classes) = (unit.funcs.len(), unit.classes.len());
                say_line!("{}: {functions} functions, {classes} classes, verified", String::from_utf8_lossy(file));
            }
            None => status = 255,
        }
    }
    status
}

/// Decodes and verifies a unit; errors are printed.
pub fn decode_verified(file: &[u8], bytes: &[u8]) -> Option<Unit> {
    match decode(bytes) {
        Ok(unit) => verified(file, unit),
        Err(error) => {
            refuse(file, &error.to_string());
            None
        }
    }
}

/// Assembles and verifies a unit; errors are printed.
pub fn assemble_verified(file: &[u8], text: &[u8]) -> Option<Unit> {
    assemble_text(file, text).and_then(|unit| verified(file, unit))
}

fn verified(file: &[u8], unit: Unit) -> Option<Unit> {
    match verify(unit) {
        Ok(verified) => Some(verified.into_parts().0),
        Err(error) => {
            refuse(file, &error.to_string());
            None
        }
    }
}

fn assemble_text(file: &[u8], text: &[u8]) -> Option<Unit> {
    let Ok(text) = std::str::from_utf8(text) else {
        refuse(file, "not UTF-8 text");
        return None;
    };
    match assemble(text) {
        Ok(unit) => Some(unit),
        Err(error) => {
            refuse(file, &error.to_string());
            None
        }
    }
}

/// Compiles a source for the file's real path; diagnostics are printed.
fn front_end(file: &[u8], source: &[u8]) -> Option<Unit> {
    let Checked { unit, diagnostics } = phlox_engine::check(&request(&real_path(file), source));
    for diagnostic in &diagnostics {
        eprint!("{}", render(diagnostic, &String::from_utf8_lossy(file), source));
    }
    unit
}

fn request<'a>(filename: &'a [u8], source: &'a [u8]) -> CompileRequest<'a> {
    CompileRequest {
        source,
        filename,
        is_eval: false,
        short_open_tag: false,
        assertions: true,
        knows_builtins: true,
        multibyte: false,
    }
}

fn write_unit(unit: Unit, file: &[u8], output: &[u8]) -> i32 {
    let Some(unit) = verified(file, unit) else { return 255 };
    match encode(&unit) {
        Ok(bytes) => write(Some(output), &bytes),
        Err(error) => refuse(file, &error.to_string()),
    }
}

/// `FILE [-o OUTPUT]` in either order.
fn file_and_output(words: &[Word]) -> Option<(&[u8], Option<&[u8]>)> {
    match words {
        [file] => Some((file, None)),
        [file, option, output] if option == b"-o" => Some((file, Some(output))),
        [option, output, file] if option == b"-o" => Some((file, Some(output))),
        _ => None,
    }
}

fn with_extension(file: &[u8], extension: &str) -> Word {
    path(file).with_extension(extension).into_os_string().into_encoded_bytes()
}

fn read(file: &[u8]) -> Option<Vec<u8>> {
    let bytes = fs::read(path(file));
    if bytes.is_err() {
        eprintln!("Could not open input file: {}", String::from_utf8_lossy(file));
    }
    bytes.ok()
}

/// Writes a file, or standard output.
fn write(output: Option<&[u8]>, bytes: &[u8]) -> i32 {
    let result = match output {
        Some(file) => fs::write(path(file), bytes),
        None => std::io::stdout().write_all(bytes),
    };
    match result {
        Ok(()) => 0,
        Err(error) => {
            let name = String::from_utf8_lossy(output.unwrap_or(b"standard output")).into_owned();
            eprintln!("Could not write {name}: {error}");
            1
        }
    }
}

fn refuse(file: &[u8], why: &str) -> i32 {
    eprintln!("{}: refused: {why}", String::from_utf8_lossy(file));
    255
}

fn usage(what: &str) -> i32 {
    eprintln!("usage: phlox {what}");
    USAGE_ERROR
}
