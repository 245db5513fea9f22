//! Paths as text, and the include path.

use phlox_runtime::files::INCLUDE_PATH;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, Vm};
use std::os::unix::ffi::OsStrExt;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("basename(string $path, string $suffix = \"\"): string", php_basename),
    FnDef::new("dirname(string $path, int $levels = 1): string", php_dirname),
    FnDef::new("pathinfo(string $path, int $flags = PATHINFO_ALL): array|string", pathinfo),
    FnDef::new("fnmatch(string $pattern, string $filename, int $flags = 0): bool", fnmatch),
    FnDef::new("realpath(string $path): string|false", realpath),
    FnDef::new("set_include_path(string $include_path): string|false", set_include_path),
    FnDef::new("get_include_path(): string|false", get_include_path),
    FnDef::new("stream_resolve_include_path(string $filename): string|false", stream_resolve_include_path),
];

/// The last component without a suffix.
pub fn basename<'a>(path: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    let end = path.iter().rposition(|&b| b != b'/').map_or(0, |at| at + 1);
    let path = &path[..end];
    let start = path.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
    let base = &path[start..];
    if base.len() > suffix.len() { base.strip_suffix(suffix).unwrap_or(base) } else { base }
}

/// The parent directory; empty when there is no slash.
pub fn dirname(path: &[u8]) -> &[u8] {
    if path.is_empty() {
        return b"";
    }
    let without = |path: &[u8], slash: bool| path.iter().rposition(|&b| (b == b'/') != slash).map_or(0, |at| at + 1);
    let end = without(path, true);
    if end == 0 {
        return b"/";
    }
    let end = without(&path[..end], false);
    if end == 0 {
        return b".";
    }
    let end = without(&path[..end], true);
    if end == 0 { b"/" } else { &path[..end] }
}

fn php_basename(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(basename(&call.str(0), &call.str(1))))
}

fn php_dirname(call: &mut Call<'_>) -> PhpResult<Val> {
    let (path, levels) = (call.str(0), call.int(1));
    if levels < 1 {
        return Err(call.value_error(1, "must be greater than or equal to 1"));
    }
    let mut result = path.to_vec();
    for _ in 0..levels {
        let parent = dirname(&result).to_vec();
        if parent.len() >= result.len() && levels > 1 {
            return Ok(parent.into());
        }
        result = parent;
    }
    Ok(result.into())
}

fn pathinfo(call: &mut Call<'_>) -> PhpResult<Val> {
    const DIRNAME: i64 = 1;
    const BASENAME: i64 = 2;
    const EXTENSION: i64 = 4;
    const FILENAME: i64 = 8;
    const ALL: i64 = 15;
    let (path, flags) = (call.str(0), call.int(1));
    let mut info = PhpArr::new();
    let directory = dirname(&path);
    if flags & DIRNAME != 0 && !directory.is_empty() {
        info.set_bytes(b"dirname", Val::str(directory));
    }
    let base = basename(&path, b"");
    if flags & BASENAME != 0 {
        info.set_bytes(b"basename", Val::str(base));
    }
    let dot = base.iter().rposition(|&b| b == b'.');
    if let (true, Some(dot)) = (flags & EXTENSION != 0, dot) {
        info.set_bytes(b"extension", Val::str(&base[dot + 1..]));
    }
    if flags & FILENAME != 0 {
        info.set_bytes(b"filename", Val::str(&base[..dot.unwrap_or(base.len())]));
    }
    if flags == ALL {
        return Ok(info.into());
    }
    Ok(info.values().next().map_or_else(|| "".into(), Val::deref))
}

fn fnmatch(call: &mut Call<'_>) -> PhpResult<Val> {
    const LONGEST: usize = 4096;
    let (pattern, name) = (call.path(0)?, call.path(1)?);
    for (text, what) in [(&name, "Filename"), (&pattern, "Pattern")] {
        if text.len() >= LONGEST {
            call.warning(&format!("{what} exceeds the maximum allowed length of {LONGEST} characters"))?;
            return Ok(Val::FALSE);
        }
    }
    Ok(Val::bool(crate::glob::fnmatch(&pattern, &name, call.int(2))))
}

fn realpath(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    let Some(found) = canonical(&path) else { return Ok(Val::FALSE) };
    Ok(if phlox_runtime::basedir::allows(call.vm, &found)? { found.into() } else { Val::FALSE })
}

/// The resolved path of something that exists.
pub fn canonical(path: &[u8]) -> Option<Vec<u8>> {
    let path = if path.is_empty() { b"." } else { path };
    if path.contains(&0) {
        return None;
    }
    let named = crate::stream::open::os(path);
    let known = Vm::current().and_then(|vm| vm.resolve_in_known_folder(named));
    let resolved = known.or_else(|| std::fs::canonicalize(named).ok())?;
    // A trailing slash demands a directory.
    if path.ends_with(b"/") && !resolved.is_dir() {
        return None;
    }
    Some(resolved.into_os_string().into_encoded_bytes())
}

/// The file that `include` of a path means.
pub fn resolve_include(vm: &Vm, path: &[u8]) -> Option<Vec<u8>> {
    if path.is_empty() || path.contains(&0) {
        return None;
    }
    phlox_runtime::files::resolve_include(vm, path)
}

fn set_include_path(call: &mut Call<'_>) -> PhpResult<Val> {
    let (old, new) = (call.vm.ini.get(&INCLUDE_PATH), call.str(0));
    if !call.vm.ini.change(call.vm, &INCLUDE_PATH, "", new)? {
        return Ok(Val::FALSE);
    }
    Ok(old.into())
}

fn get_include_path(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(call.vm.ini.get(&INCLUDE_PATH).into())
}

fn stream_resolve_include_path(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    // An empty path means the working directory.
    let found = if path.is_empty() { canonical(&path) } else { resolve_include(call.vm, &path) };
    Ok(found.map_or(Val::FALSE, Val::from))
}

fn decode(text: &[u8], plus_is_space: bool) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let digit = |at: usize| text.get(at).and_then(|&b| (b as char).to_digit(16));
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', _, _) if plus_is_space => {
                decoded.push(b' ');
                at += 1;
            }
            (byte, _, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    decoded
}

/// `rawurldecode`
pub fn url_decode(text: &[u8]) -> Vec<u8> {
    decode(text, false)
}

/// `urldecode`
pub fn url_decode_plus(text: &[u8]) -> Vec<u8> {
    decode(text, true)
}

/// The working directory.
pub fn working_directory() -> Option<Vec<u8>> {
    std::env::current_dir().ok().map(|path| path.as_os_str().as_bytes().to_vec())
}
