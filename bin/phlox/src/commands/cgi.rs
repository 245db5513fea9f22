//! `phlox cgi`, or the program under the name `php-cgi`: answers one request of a web server (RFC 3875).
//!
//! The request is in the environment and on standard input, the script is the command line's or the request's.

use super::scripts::load;
use crate::args::{self, Invocation, Refusal, Word};
use phlox_engine::{Configuration, Options, Paths, Rules};
use std::io::Write;
use std::os::unix::ffi::OsStringExt;

/// Is the program's name `php-cgi` or `phlox-cgi`?
pub fn is_name(program: &[u8]) -> bool {
    let name = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    matches!(name, b"php-cgi" | b"phlox-cgi")
}

/// Answers the request.
pub fn run(words: &[Word]) -> i32 {
    let query = std::env::var_os("QUERY_STRING").map(OsStringExt::into_vec).unwrap_or_default();
    let words = if is_command_line(&query) { &[] } else { words };
    let invocation = match args::parse(words) {
        Ok(invocation) => invocation,
        Err(Refusal::Usage(message)) => {
            eprintln!("{message}");
            return 1;
        }
        Err(_) => return 1,
    };
    let configuration =
        Configuration::server(invocation.ini_path.as_deref(), invocation.ignore_ini, &invocation.defines);
    if is_refused(&configuration) {
        return refuse();
    }
    let Some((script, paths)) = script(&invocation, &configuration) else { return no_input_file() };
    let Some(program) = load(&script) else { return no_input_file() };
    let options = Options { ini: configuration.settings.clone(), argv: vec![script], stats: invocation.stats };
    // A server always gets the headers.
    let has_head = !invocation.no_headers || is_called_by_server();
    phlox_engine::answer_cgi(&program, &options, &paths, has_head)
}

/// Does the query, which is no form, look like options? A server passes its words as arguments (RFC 3875, section 4.4): they
/// are the client's, so that nothing of the command line can be trusted (CVE-2012-1823).
fn is_command_line(query: &[u8]) -> bool {
    let mut text = query;
    while let Some(rest) = [b"+".as_slice(), b"%20", b" "].iter().find_map(|blank| text.strip_prefix(*blank)) {
        text = rest;
    }
    let dash = [b"-".as_slice(), b"%2d", b"%2D"];
    !query.contains(&b'=') && dash.iter().any(|dash| text.starts_with(dash))
}

/// Whether a web server has called the program, and not somebody at a terminal.
fn is_called_by_server() -> bool {
    let variables = ["SERVER_SOFTWARE", "SERVER_NAME", "GATEWAY_INTERFACE", "REQUEST_METHOD"];
    variables.iter().any(|name| std::env::var_os(name).is_some())
}

/// Must the request be refused because of `cgi.force_redirect`? With it, a client must not call the program directly,
/// but only through a redirection of the server, which sets a variable.
fn is_refused(configuration: &Configuration) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    if !is_called_by_server() || !configuration.is_on("cgi.force_redirect", true) {
        return false;
    }
    match configuration.text("cgi.redirect_status_env").filter(|name| !name.is_empty()) {
        Some(name) => !is_set(&String::from_utf8_lossy(name)),
        None => !is_set("REDIRECT_STATUS"),
    }
}

fn refuse() -> i32 {
    let answer = "Status: 400 Bad Request\r\nContent-type: text/html; charset=UTF-8\r\n\r\n<b>Security Alert!</b> \
                  This program cannot be accessed directly: the web server has to be set up to pass requests on to it, and \
                  to say so with the variable REDIRECT_STATUS, unless cgi.force_redirect is off.\n";
    // A server that has gone away hears nothing.
    let _ = std::io::stdout().write_all(answer.as_bytes());
    1
}

/// The script's path, for which the request has precedence over the command line, and the variables that change with it;
/// `None` if the file does not exist.
fn script(invocation: &Invocation, configuration: &Configuration) -> Option<(Word, Paths)> {
    let rules = Rules {
        fixes: configuration.is_on("cgi.fix_pathinfo", true),
        discards: configuration.is_on("cgi.discard_path", false),
    };
    let paths = Paths::find(&|name| std::env::var_os(name).map(OsStringExt::into_vec), rules);
    let script = match &paths.script {
        Some(script) => script.clone(),
        None if paths.changes.is_empty() => invocation.script.clone()?,
        None => return None,
    };
    super::path(&script).is_file().then_some((script, paths))
}

fn no_input_file() -> i32 {
    let answer = "Status: 404 Not Found\r\nContent-type: text/html; charset=UTF-8\r\n\r\nNo input file specified.\n";
    // A server that has gone away hears nothing.
    let _ = std::io::stdout().write_all(answer.as_bytes());
    255
}
