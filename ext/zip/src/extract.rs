//! `extractTo()`. Names of entries cannot lead out of the folder.

use crate::archive::{Content, Stat, flags, source::os};
use crate::object::{attempt, require_open, with_archive};
use phlox_ext_standard_file::stream::Stream;
use phlox_ext_standard_file::stream::open::{self, Options, Wrapper};
use phlox_ext_standard_file::{filesystem, path, stat};
use phlox_runtime::{Call, Level, PhpResult, Val, View, basedir, until_nul};

/// The system's limit of paths, with the byte for their end.
const LONGEST_PATH: usize = 4096;
/// Bytes that are written at a time.
const PIECE: usize = 8192;

/// `extractTo()`.
pub fn extract_to(call: &mut Call<'_>) -> PhpResult<Val> {
    let folder = call.path(0)?;
    require_open(call)?;
    if folder.is_empty() {
        return Ok(Val::FALSE);
    }
    if !is_there(call, &folder)? && !make_folder(call, &folder, false)? {
        return Ok(Val::FALSE);
    }
    let wanted = call.arg(1);
    let done = match wanted.view() {
        View::Str(name) => extract_named(call, &folder, name)?,
        View::Arr(names) => {
            let mut done = !names.is_empty();
            for number in 0..names.len() as i64 {
                let name = names.get_int(number).map(Val::deref).and_then(Val::into_str);
                done = done && name.map_or(Ok(true), |name| extract_named(call, &folder, &name))?;
            }
            done
        }
        _ => extract_all(call, &folder)?,
    };
    Ok(Val::bool(done))
}

fn extract_named(call: &Call<'_>, folder: &[u8], name: &[u8]) -> PhpResult<bool> {
    let name = until_nul(name);
    match with_archive(call, |archive| archive.locate(name, 0))? {
        Some(index) => extract(call, folder, name, index),
        None => Ok(false),
    }
}

fn extract_all(call: &Call<'_>, folder: &[u8]) -> PhpResult<bool> {
    for index in 0..with_archive(call, |archive| archive.len())? {
        let name = attempt(call, |archive| archive.name(index, flags::UNCHANGED).map(|name| name.into_owned()))?;
        let Some(name) = name else { return Ok(false) };
        if !extract(call, folder, until_nul(&name), index)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A path without `.`, double slashes, and `..` with what is before it. Those that lead out of a relative path stay in front.
fn expanded(name: &[u8]) -> Vec<u8> {
    let is_absolute = name.starts_with(b"/");
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in name.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if parts.last().is_some_and(|last| *last != b"..") => drop(parts.pop()),
            b".." if is_absolute => {}
            part => parts.push(part),
        }
    }
    let mut path = parts.join(&b'/');
    if is_absolute {
        path.insert(0, b'/');
    }
    if name.ends_with(b"/") && !path.is_empty() && !path.ends_with(b"/") {
        path.push(b'/');
    }
    path
}

/// The path of an entry below the folder; `None`: its name has none.
fn relative(name: &[u8]) -> Option<Vec<u8>> {
    let path = expanded(name);
    if path.is_empty() {
        return None;
    }
    if let Some(rest) = path.strip_prefix(b"/") {
        return Some(rest.to_vec());
    }
    // What follows the last `..`, and as PHP does it, any other part that ends with a dot.
    let start = (2..path.len()).rev().find(|&at| path[at] == b'/' && path[at - 1] == b'.');
    Some(path[start.map_or(0, |at| at + 1)..].to_vec())
}

/// Writes an entry to its place below the folder. Did that succeed?
fn extract(call: &Call<'_>, folder: &[u8], name: &[u8], index: usize) -> PhpResult<bool> {
    let Some(clean) = relative(name) else { return Ok(false) };
    if clean.len() >= LONGEST_PATH {
        return Ok(false);
    }
    let Some(stat) = attempt(call, |archive| archive.stat(index, 0))? else { return Ok(false) };
    let is_folder = clean.len() > 1 && clean.ends_with(b"/");
    let parent = if is_folder {
        [folder, b"/", &clean].concat()
    } else {
        let inner = path::dirname(&clean);
        let is_here = inner.is_empty() || inner == b"." || !clean.contains(&b'/');
        let parent = if is_here { folder.to_vec() } else { [folder, b"/", inner].concat() };
        if !basedir::allows(call.vm, &parent)? {
            return Ok(false);
        }
        parent
    };
    if !is_there(call, &parent)? && !make_folder(call, &parent, true)? {
        return Ok(false);
    }
    if is_folder {
        return Ok(true);
    }
    let target = [&parent[..], b"/", path::basename(&clean, b"")].concat();
    if target.len() > LONGEST_PATH {
        call.warning(&format!("Full extraction path exceed MAXPATHLEN ({LONGEST_PATH})"))?;
        return Ok(false);
    }
    if !basedir::allows(call.vm, &target)? {
        return Ok(false);
    }
    let Some(content) = attempt(call, |archive| archive.content(index, 0))? else { return Ok(false) };
    write(call, &target, content, &stat, name)
}

fn write(call: &Call<'_>, target: &[u8], mut content: Content, stat: &Stat, name: &[u8]) -> PhpResult<bool> {
    let Some(stream) = open::open(call.vm, target, "w+b", &Options::default())? else { return Ok(false) };
    let written = copy(call, &stream, &mut content, name);
    let is_whole = stream.close_after(call.vm, written)?;
    touch(call, target, stat.time)?;
    Ok(is_whole)
}

/// Copies the data; false: it is damaged, and what could be read is written.
fn copy(call: &Call<'_>, stream: &Stream, content: &mut Content, name: &[u8]) -> PhpResult<bool> {
    let mut piece = [0; PIECE];
    loop {
        match content.read(&mut piece) {
            Ok(0) => return Ok(true),
            Ok(count) => drop(stream.write(call.vm, &piece[..count])?),
            Err(error) => {
                let text = [b"Cannot extract \"", name, b"\": \"", error.message().as_bytes(), b"\""].concat();
                call.raise(Level::Warning, &text)?;
                return Ok(false);
            }
        }
    }
}

/// Calls the body of a function for files in the name of this method.
fn call_file_function(call: &Call<'_>, name: &str, args: &[Val]) -> PhpResult<Val> {
    let Some(row) = filesystem::FUNCTIONS.iter().find(|row| row.name() == name) else { return Ok(Val::FALSE) };
    let (vm, func, passed) = (call.vm, call.func, args.len());
    (row.body)(&mut Call { vm, func, object: None, static_class: None, args, passed, unusual: None })
}

fn touch(call: &Call<'_>, target: &[u8], time: i64) -> PhpResult<()> {
    call_file_function(call, "touch", &[Val::str(target), Val::int(time), Val::int(time)]).map(drop)
}

fn is_there(call: &Call<'_>, path: &[u8]) -> PhpResult<bool> {
    if open::scheme(path).is_none() && !basedir::allows_quietly(call.vm, path) {
        return Ok(false);
    }
    Ok(stat::of(call, path, false, true)?.is_some())
}

/// Makes a folder and those above it.
fn make_folder(call: &Call<'_>, path: &[u8], reports: bool) -> PhpResult<bool> {
    const MODE: i64 = 0o777;
    let is_plain = matches!(open::locate(call.vm, path, false)?, Some((Wrapper::Plain, _)));
    if is_plain && !reports {
        return Ok(basedir::allows(call.vm, path)? && std::fs::create_dir_all(os(path)).is_ok());
    }
    let args = [Val::str(path), Val::int(MODE), Val::TRUE, Val::NULL];
    Ok(call_file_function(call, "mkdir", &args)?.as_bool() == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for (name, path) in [
            ("a/b", "a/b"),
            ("/etc/passwd", "etc/passwd"),
            ("../../a/b", "a/b"),
            ("a/../../b", "b"),
            ("a/./b//c", "a/b/c"),
            ("/../../x", "x"),
            ("a/b/", "a/b/"),
            ("..", ".."),
            ("../", ""),
        ] {
            assert_eq!(relative(name.as_bytes()).as_deref(), Some(path.as_bytes()), "{name}");
        }
        assert_eq!(relative(b"."), None);
    }
}
