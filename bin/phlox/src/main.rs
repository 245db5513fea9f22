//! `phlox`: the command line.
#![forbid(unsafe_code)]

use phlox_engine::{Options, Program};
use std::os::unix::ffi::OsStringExt;

fn main() {
    let args: Vec<Vec<u8>> = std::env::args_os().map(OsStringExt::into_vec).collect();
    let status = phlox_engine::with_big_stack(move || command(&args)).unwrap_or(255);
    std::process::exit(status);
}

fn command(args: &[Vec<u8>]) -> i32 {
    let mut options = Options::default();
    options.ini.push(("display_errors".into(), b"1".to_vec()));
    let mut rest = args[1..].iter();
    while let Some(arg) = rest.next() {
        match arg.as_slice() {
            b"-n" => {}
            b"-d" => {
                if let Some(setting) = rest.next() {
                    options.ini.push(setting_of(setting));
                }
            }
            [b'-', b'd', setting @ ..] => options.ini.push(setting_of(setting)),
            b"-r" => {
                let Some(code) = rest.next() else { return 1 };
                let source = [b"<?php ", code.as_slice()].concat();
                options.argv = std::iter::once(b"Standard input code".to_vec()).chain(rest.cloned()).collect();
                return phlox_engine::run(Program::Code { name: b"Command line code".to_vec(), source }, &options);
            }
            b"dump" => return dump(rest.map(Vec::as_slice).collect()),
            path => {
                let path = if path == b"-f" { rest.next().cloned().unwrap_or_default() } else { path.to_vec() };
                options.argv = std::iter::once(path.clone()).chain(rest.cloned()).collect();
                return run_file(&path, &options);
            }
        }
    }
    let mut source = Vec::new();
    let _ = std::io::Read::read_to_end(&mut std::io::stdin(), &mut source);
    options.argv = vec![b"-".to_vec()];
    phlox_engine::run(Program::Code { name: b"Standard input code".to_vec(), source }, &options)
}

fn setting_of(text: &[u8]) -> (String, Vec<u8>) {
    let (name, value) = match text.iter().position(|&b| b == b'=') {
        Some(at) => (&text[..at], text[at + 1..].to_vec()),
        None => (text, b"1".to_vec()),
    };
    (String::from_utf8_lossy(name).into_owned(), value)
}

fn run_file(path: &[u8], options: &Options) -> i32 {
    let os_path = std::ffi::OsString::from_vec(path.to_vec());
    match std::fs::read(&os_path) {
        Ok(source) => {
            let full = std::fs::canonicalize(&os_path).map_or(path.to_vec(), |full| full.into_os_string().into_vec());
            phlox_engine::run(Program::File { path: full, source }, options)
        }
        Err(_) => {
            println!("Could not open input file: {}", String::from_utf8_lossy(path));
            1
        }
    }
}

fn dump(args: Vec<&[u8]>) -> i32 {
    let [stage, path] = args[..] else { return 1 };
    let Ok(source) = std::fs::read(std::ffi::OsString::from_vec(path.to_vec())) else { return 1 };
    match stage {
        b"--hhbc" => match phlox_engine::compile_for_dump(&source, path) {
            Ok(unit) => println!("{}", phlox_hhbc::disassemble(&unit)),
            Err(diagnostics) => {
                for diagnostic in diagnostics {
                    println!("{:?}: {}", diagnostic.severity, String::from_utf8_lossy(&diagnostic.message));
                }
                return 255;
            }
        },
        _ => return 1,
    }
    0
}
