//! `-B -R -F -E`: a program for each line of standard input.

use super::{options, scripts};
use crate::args::Invocation;
use phlox_engine::{Configuration, Program, Session, Val};
use std::io::BufRead;

/// Code before, for and after the lines.
pub struct Codes<'a> {
    pub begin: Option<&'a [u8]>,
    pub each: Option<&'a [u8]>,
    pub end: Option<&'a [u8]>,
}

/// Runs the programs in one request, with the line in `$argn` and its number in `$argi`.
pub fn run(codes: &Codes<'_>, invocation: &Invocation, configuration: &Configuration) -> i32 {
    let each = match (codes.each, &invocation.script) {
        (Some(code), _) => Some(scripts::code_program(b"Command line run code", code)),
        (None, Some(file)) => match scripts::load(file) {
            Some(program) => Some(program),
            None => return 1,
        },
        (None, None) => None,
    };
    let first = invocation.script.as_deref().unwrap_or(scripts::STANDARD_INPUT);
    phlox_engine::session(&options(first, invocation, configuration), |session| {
        if let Some(code) = codes.begin {
            session.execute(&scripts::code_program(b"Command line begin code", code));
        }
        each_line(session, each.as_ref());
        if let Some(code) = codes.end {
            session.execute(&scripts::code_program(b"Command line end code", code));
        }
    })
}

fn each_line(session: &Session, program: Option<&Program>) {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    let mut number = 0;
    while session.exit_status() == 0 {
        line.clear();
        if !matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
            return;
        }
        let end = line.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |at| at + 1);
        number += 1;
        // php leaves one NUL of an empty line.
        let line: &[u8] = if end == 0 { b"\0" } else { &line[..end] };
        session.set_global("argn", Val::str(line));
        session.set_global("argi", Val::int(number));
        if let Some(program) = program {
            session.execute(program);
        }
    }
}
