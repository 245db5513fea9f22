//! `phlox`: the command line. [`args`] reads php's flags, [`commands`] does what they say.
#![forbid(unsafe_code)]

mod args;
mod commands;

use std::os::unix::ffi::OsStringExt;

fn main() {
    let words: Vec<Vec<u8>> = std::env::args_os().map(OsStringExt::into_vec).collect();
    let status = phlox_engine::with_big_stack(move || commands::run(&words)).unwrap_or(255);
    std::process::exit(status);
}
