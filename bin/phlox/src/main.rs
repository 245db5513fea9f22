//! `phlox`: the command line. [`args`] reads php's flags, [`commands`] executes them.
#![forbid(unsafe_code)]

/// Prints formatted text on standard output. Unlike `print!` it does not panic if standard output is closed: the text is
/// lost then, as with php.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout(), $($text)*);
    }};
}

/// Prints formatted text and the end of a line on standard output; failures are ignored.
macro_rules! say_line {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod args;
mod commands;

use std::os::unix::ffi::OsStringExt;

/// The allocator that gives the compiler's thread memory of its own.
#[global_allocator]
static ALLOCATOR: phlox_engine::Arena = phlox_engine::Arena;

fn main() {
    let words: Vec<Vec<u8>> = std::env::args_os().map(OsStringExt::into_vec).collect();
    // The process manager forks its workers before there is a second thread.
    if let Some(rest) = commands::fpm::words(&words) {
        std::process::exit(commands::fpm::run(&words, rest))
    }
    if let Some(status) = commands::fpm::bind(&words) {
        std::process::exit(status)
    }
    phlox_engine::run_to_exit(move || commands::run(&words))
}
