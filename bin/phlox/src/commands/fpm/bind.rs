//! `phlox cgi -b ADDRESS`, or `php-cgi -b ADDRESS`: a pool without a configuration file, by variables of the environment.

use super::application::Php;
use super::{cgi, read_value};
use crate::args::{self, Word};
use phlox_engine::Configuration;
use phlox_fpm::config::value::Manager;
use phlox_fpm::{Pool, Program};
use std::sync::Arc;

/// The address, and the other words behind the program's name, if the command line asks for this.
pub fn words(command_line: &[Word]) -> Option<(Word, Vec<Word>)> {
    let (program, words) = command_line.split_first()?;
    let words = match words.split_first() {
        _ if cgi::is_name(program) => words,
        Some((first, rest)) if first == b"cgi" => rest,
        _ => return None,
    };
    let at = words.iter().position(|word| word.starts_with(b"-b") || word == b"--bindpath")?;
    // What stands before it must be options, too: a script has options of its own.
    if words[..at].iter().any(|word| !word.starts_with(b"-")) {
        return None;
    }
    let mut rest = words.to_vec();
    let word = rest.remove(at);
    let address = match word.strip_prefix(b"-b") {
        Some(address) if !address.is_empty() => address.to_vec(),
        _ if at < rest.len() => rest.remove(at),
        _ => Vec::new(),
    };
    Some((address, rest))
}

/// A number of the environment; `None` if it makes no sense.
fn number(name: &str, default: i32, least: i32) -> Option<i32> {
    match std::env::var(name) {
        Ok(text) => text.trim().parse().ok().filter(|number| *number >= least),
        Err(_) => Some(default),
    }
}

/// Serves; gives the exit status.
pub fn run(command_line: &[Word], address: &[u8], words: &[Word]) -> i32 {
    let Ok(invocation) = args::parse(words) else {
        eprintln!("Usage: php-cgi -b <address:port>|<socket> [-n] [-c <path>|<file>] [-d foo[=bar]]");
        return 1;
    };
    if address.is_empty() {
        eprintln!("-b needs an address: a path, a port, or <address:port>");
        return 1;
    }
    let settings = [
        ("PHP_FCGI_CHILDREN", number("PHP_FCGI_CHILDREN", 0, 0)),
        ("PHP_FCGI_MAX_REQUESTS", number("PHP_FCGI_MAX_REQUESTS", 500, 0)),
        ("PHP_FCGI_BACKLOG", number("PHP_FCGI_BACKLOG", 128, -1)),
    ];
    for (name, value) in settings {
        if value.is_none() {
            eprintln!("{name} is not valid");
            return 1;
        }
    }
    let [children, requests, backlog] = settings.map(|(_, value)| value.unwrap_or_default());
    let configuration =
        Configuration::server(invocation.ini_path.as_deref(), invocation.ignore_ini, &invocation.defines);
    let pool = Pool {
        listen: Some(String::from_utf8_lossy(address).into_owned()),
        listen_backlog: backlog,
        listen_mode: Some("0777".to_owned()),
        listen_allowed_clients: std::env::var("FCGI_WEB_SERVER_ADDRS").ok(),
        manager: Manager::Static,
        max_children: children.max(1),
        max_requests: requests,
        clear_env: false,
        limit_extensions: Some(String::new()),
        ..Pool::named("cgi")
    };
    let program = Program {
        make: Arc::new(move |setup| Box::new(Php::start(&configuration, setup, false))),
        launch: |work| phlox_engine::run_to_exit(work),
        read_value,
    };
    phlox_fpm::run_pool(pool, command_line.to_vec(), program)
}
