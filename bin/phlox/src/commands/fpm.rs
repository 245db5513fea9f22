//! `phlox fpm`, or the program under the name `php-fpm`: answers a web server's requests over FastCGI with a pool of processes.

mod application;
mod bind;
mod options;
mod paths;
mod user_ini;

use super::{about, cgi};
use crate::args::{Invocation, Mode, Word};
use application::Php;
use options::{Command, Parsed};
use phlox_engine::ini_file::{Context, parse};
use phlox_engine::{Configuration, settings};
use phlox_fpm::Program;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;

/// The status of a process that was called wrongly.
const EXIT_USAGE: i32 = 64;

/// The words behind the program's name, if the command line asks for this command.
pub fn words(command_line: &[Word]) -> Option<&[Word]> {
    let (program, words) = command_line.split_first()?;
    let name = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    if is_name(name) {
        return Some(words);
    }
    let (first, rest) = words.split_first()?;
    // A file of this name is a script.
    (first == b"fpm" && !super::path(first).exists()).then_some(rest)
}

/// Is the program's name `php-fpm` or `phlox-fpm`, maybe with a version behind it?
fn is_name(name: &[u8]) -> bool {
    [&b"php-fpm"[..], b"phlox-fpm"].iter().any(|known| {
        name.strip_prefix(*known).is_some_and(|rest| rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
    })
}

/// Serves without a configuration file, if the command line asks for that (`phlox cgi -b`); gives the exit status.
pub fn bind(command_line: &[Word]) -> Option<i32> {
    let (address, rest) = bind::words(command_line)?;
    Some(bind::run(command_line, &address, &rest))
}

/// Executes the command on the process's main thread, which starts the others where they are needed; gives the exit status.
pub fn run(command_line: &[Word], words: &[Word]) -> i32 {
    let parsed = match options::parse(words) {
        Ok(parsed) => parsed,
        Err(options::Wrong) => {
            say!("{}", options::help(command_line));
            return EXIT_USAGE;
        }
    };
    match parsed.command {
        Command::Help => {
            say!("{}", options::help(command_line));
            0
        }
        Command::Version => about::version_of("fpm-fcgi"),
        Command::Modules => about::modules(),
        Command::Info => phlox_engine::run_to_exit(move || about::info(&invocation(&parsed), &configuration(&parsed))),
        Command::Serve => serve(command_line, parsed),
    }
}

fn serve(command_line: &[Word], parsed: Parsed) -> i32 {
    let configuration = Arc::new(configuration(&parsed));
    let mut options = parsed.options;
    if options.file.is_none() {
        // php.ini may name the file.
        options.file = configuration.text("fpm.config").map(|file| String::from_utf8_lossy(file).into_owned());
    }
    let program = Program {
        make: Arc::new(move |setup| Box::new(Php::start(&configuration, setup, true))),
        launch: |work| phlox_engine::run_to_exit(work),
        read_value,
    };
    phlox_fpm::run(options, command_line.to_vec(), program)
}

fn configuration(parsed: &Parsed) -> Configuration {
    Configuration::server(parsed.ini_path.as_deref(), parsed.ignore_ini, &parsed.defines)
}

fn invocation(parsed: &Parsed) -> Invocation {
    Invocation {
        mode: Mode::Info,
        script: None,
        rest: Vec::new(),
        ini_path: parsed.ini_path.clone(),
        ignore_ini: parsed.ignore_ini,
        no_headers: false,
        defines: parsed.defines.clone(),
        stats: false,
        root: None,
        zend_extensions: Vec::new(),
    }
}

/// Reads the settings in a text as those of php.ini are read; the second is false if it makes no sense from some line on.
fn read_settings(text: &[u8]) -> (Vec<(String, Vec<u8>)>, bool) {
    let environment = |name: &str| std::env::var_os(name).map(OsString::into_vec);
    let (settings, error) = parse(text, &Context { constant: &settings::constant, environment: &environment });
    (settings, error.is_none())
}

/// Reads the text behind a sign of equality.
fn read_value(text: &[u8]) -> Option<Vec<u8>> {
    match read_settings(&[b"value =", text].concat()) {
        (settings, true) => settings.into_iter().next().map(|(_, value)| value),
        (_, false) => None,
    }
}
