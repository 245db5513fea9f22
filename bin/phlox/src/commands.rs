//! One module per kind of command: php's modes, and what only `phlox` has.

mod about;
mod cgi;
pub mod fpm;
mod help;
mod lines;
mod reflection;
mod scripts;
mod server;
mod shell;
mod tools;

use crate::args::{self, Invocation, Mode, Refusal, Word};
use phlox_engine::{Configuration, Options};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// Executes a command line; gives the exit status.
pub fn run(words: &[Word]) -> i32 {
    let (program, words) = words.split_first().map_or((&b"phlox"[..], words), |(name, rest)| (name.as_slice(), rest));
    if cgi::is_name(program) {
        return cgi::run(words);
    }
    if let Some(tool) = tools::named(words) {
        return tool(&words[1..]);
    }
    match args::parse(words) {
        Ok(invocation) => dispatch(&invocation),
        Err(Refusal::Help) => {
            say!("{}", help::text(program));
            0
        }
        Err(Refusal::Usage(message)) => {
            eprintln!("{message}");
            say!("{}", help::text(program));
            1
        }
        Err(Refusal::Conflict(message)) => {
            say!("{message}");
            1
        }
    }
}

fn dispatch(invocation: &Invocation) -> i32 {
    let read = match invocation.mode {
        Mode::Server(_) => Configuration::server,
        _ => Configuration::command_line,
    };
    let configuration = read(invocation.ini_path.as_deref(), invocation.ignore_ini, &invocation.defines);
    for problem in &configuration.problems {
        eprintln!("PHP:  {problem}");
    }
    for name in &invocation.zend_extensions {
        let name = String::from_utf8_lossy(name);
        eprintln!("Failed loading {name}:  Phlox does not load Zend extensions");
    }
    match &invocation.mode {
        Mode::Script => scripts::run(invocation, &configuration),
        Mode::Direct(code) => scripts::direct(code, invocation, &configuration),
        Mode::Lint => scripts::lint(invocation, &configuration),
        Mode::Highlight => scripts::show(scripts::Show::Highlighted, invocation, &configuration),
        Mode::Strip => scripts::show(scripts::Show::Stripped, invocation, &configuration),
        Mode::Lines { begin, run, end } => {
            let codes = lines::Codes { begin: begin.as_deref(), each: run.as_deref(), end: end.as_deref() };
            lines::run(&codes, invocation, &configuration)
        }
        Mode::Interactive => shell::run(invocation, &configuration),
        Mode::Version => about::version(),
        Mode::Modules => about::modules(),
        Mode::Info => about::info(invocation, &configuration),
        Mode::ShowIni => about::ini(&configuration),
        Mode::Reflect(what, name) => reflection::show(*what, name, &configuration),
        Mode::Server(address) => server::run(address, invocation, &configuration),
    }
}

/// `$argv` with this first element.
fn options(first: &[u8], invocation: &Invocation, configuration: &Configuration) -> Options {
    let argv = std::iter::once(first.to_vec()).chain(invocation.rest.iter().cloned()).collect();
    Options { ini: configuration.settings.clone(), argv, stats: invocation.stats }
}

fn path(word: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(word.to_vec()))
}
