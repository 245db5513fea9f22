//! The history: lines in order, and its file in libedit's form.

use crate::state;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, PhpStr, Val, basedir};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("readline_add_history(string $prompt): bool", readline_add_history),
    FnDef::new("readline_clear_history(): bool", readline_clear_history),
    FnDef::new("readline_list_history(): array", readline_list_history),
    FnDef::new("readline_read_history(?string $filename = null): bool", readline_read_history),
    FnDef::new("readline_write_history(?string $filename = null): bool", readline_write_history),
];

/// The first line of a file.
const MARK: &[u8] = b"_HiStOrY_V2_";

fn readline_add_history(call: &mut Call<'_>) -> PhpResult<Val> {
    state(call.vm).history.borrow_mut().push(call.str(0));
    Ok(Val::TRUE)
}

fn readline_clear_history(call: &mut Call<'_>) -> PhpResult<Val> {
    state(call.vm).history.borrow_mut().clear();
    Ok(Val::TRUE)
}

fn readline_list_history(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(state(call.vm).history.borrow().iter().map(Val::from).collect::<PhpArr>().into())
}

/// The file: the argument's, or `.history` at home. `None`: it may not be used.
fn file(call: &Call<'_>) -> PhpResult<Option<PathBuf>> {
    let Some(name) = call.opt_str(0) else {
        return Ok(std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".history")));
    };
    let path = call.path(0)?;
    Ok(basedir::allows(call.vm, &path)?.then(|| PathBuf::from(OsStr::from_bytes(&name))))
}

/// White space and backslashes as three octal digits.
fn encoded(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    for &byte in line {
        match byte {
            b' ' | b'\t' | b'\n' | b'\\' => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out
}

fn decoded(line: &[u8]) -> PhpStr {
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [byte, tail @ ..] = rest {
        match rest {
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..] => {
                out.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                rest = tail;
            }
            _ => {
                out.push(*byte);
                rest = tail;
            }
        }
    }
    PhpStr::new(&out)
}

fn readline_read_history(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(text) = file(call)?.and_then(|path| std::fs::read(path).ok()) else { return Ok(Val::FALSE) };
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).peekable();
    if lines.next_if(|line| *line == MARK).is_none() {
        return Ok(Val::FALSE);
    }
    state(call.vm).history.borrow_mut().extend(lines.map(decoded));
    Ok(Val::TRUE)
}

fn readline_write_history(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some(path) = file(call)? else { return Ok(Val::FALSE) };
    let mut text = [MARK, b"\n"].concat();
    for line in state(call.vm).history.borrow().iter() {
        text.extend(encoded(line));
        text.push(b'\n');
    }
    Ok(std::fs::write(path, text).is_ok().into())
}
