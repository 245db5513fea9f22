//! `phlox cgi`, or the program under the name `php-cgi`: answers one request of a web server (RFC 3875).
//!
//! The request is in the environment and on standard input, the script is the command line's or the request's.

use super::scripts::load;
use crate::args::{self, Invocation, Refusal, Word};
use phlox_engine::{Configuration, Options};
use std::io::Write;
use std::os::unix::ffi::OsStringExt;

/// Is this what the program was called as?
pub fn is_name(program: &[u8]) -> bool {
    let name = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    matches!(name, b"php-cgi" | b"phlox-cgi")
}

/// Answers the request.
pub fn run(words: &[Word]) -> i32 {
    let invocation = match args::parse(words) {
        Ok(invocation) => invocation,
        Err(Refusal::Usage(message)) => {
            eprintln!("{message}");
            return 1;
        }
        Err(_) => return 1,
    };
    let Some(script) = script(&invocation) else { return no_input_file() };
    let Some(program) = load(&script) else { return no_input_file() };
    let configuration =
        Configuration::server(invocation.ini_path.as_deref(), invocation.ignore_ini, &invocation.defines);
    let options = Options { ini: configuration.settings.clone(), argv: vec![script], stats: invocation.stats };
    phlox_engine::answer_cgi(&program, &options)
}

/// The script's path; `None`: there is no such file.
fn script(invocation: &Invocation) -> Option<Word> {
    let from_request = || {
        let names = ["PATH_TRANSLATED", "SCRIPT_FILENAME"];
        names.iter().find_map(|name| std::env::var_os(name)).map(OsStringExt::into_vec)
    };
    let script = invocation.script.clone().or_else(from_request)?;
    super::path(&script).is_file().then_some(script)
}

fn no_input_file() -> i32 {
    let answer = "Status: 404 Not Found\r\nContent-type: text/html; charset=UTF-8\r\n\r\nNo input file specified.\n";
    // A server that has gone away hears nothing.
    let _ = std::io::stdout().write_all(answer.as_bytes());
    255
}
