//! `phlox`: the command line. [`args`] reads php's flags, [`commands`] does what they say.
#![forbid(unsafe_code)]

/// `print!`, but that nobody reads any more is no panic: what is printed is lost then, as with php.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout(), $($text)*);
    }};
}

/// As `say!`, with the end of a line.
macro_rules! say_line {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

mod args;
mod commands;

use std::os::unix::ffi::OsStringExt;

/// The compiler's thread has memory of its own.
#[global_allocator]
static ALLOCATOR: phlox_engine::Arena = phlox_engine::Arena;

fn main() {
    let words: Vec<Vec<u8>> = std::env::args_os().map(OsStringExt::into_vec).collect();
    phlox_engine::run_to_exit(move || commands::run(&words))
}
