//! Shell patterns: `fnmatch` and `glob`.

use crate::stream::open::os;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};
use std::os::unix::ffi::OsStrExt;

pub const FUNCTIONS: &[FnDef] = &[FnDef::new("glob(string $pattern, int $flags = 0): array|false", glob)];

pub const FNM_NOESCAPE: i64 = 2;
pub const FNM_PATHNAME: i64 = 1;
pub const FNM_PERIOD: i64 = 4;
pub const FNM_CASEFOLD: i64 = 16;

pub const GLOB_ERR: i64 = 1;
pub const GLOB_MARK: i64 = 2;
pub const GLOB_NOSORT: i64 = 4;
pub const GLOB_NOCHECK: i64 = 16;
pub const GLOB_NOESCAPE: i64 = 64;
pub const GLOB_BRACE: i64 = 1024;
pub const GLOB_ONLYDIR: i64 = 8192;

/// Does the text match the pattern?
pub fn fnmatch(pattern: &[u8], text: &[u8], flags: i64) -> bool {
    matches_at(pattern, text, flags, true, 0)
}

/// Patterns with more stars than this are refused, because each multiplies the work.
const STARS_MAX: usize = 64;

fn matches_at(pattern: &[u8], text: &[u8], flags: i64, at_start: bool, stars: usize) -> bool {
    let fold = |byte: u8| if flags & FNM_CASEFOLD != 0 { byte.to_ascii_lowercase() } else { byte };
    let (mut pattern, mut text, mut at_start) = (pattern, text, at_start);
    loop {
        let Some((&symbol, rest)) = pattern.split_first() else { return text.is_empty() };
        let hidden = flags & FNM_PERIOD != 0 && at_start && text.first() == Some(&b'.');
        match symbol {
            b'*' => {
                if hidden || stars >= STARS_MAX {
                    return false;
                }
                let rest = &rest[rest.iter().take_while(|&&b| b == b'*').count()..];
                for skip in 0..=text.len() {
                    if matches_at(rest, &text[skip..], flags, at_start && skip == 0, stars + 1) {
                        return true;
                    }
                    if flags & FNM_PATHNAME != 0 && text.get(skip) == Some(&b'/') {
                        return false;
                    }
                }
                return false;
            }
            b'?' => match text.split_first() {
                Some((&byte, after)) if !(hidden || flags & FNM_PATHNAME != 0 && byte == b'/') => {
                    (pattern, text) = (rest, after);
                }
                _ => return false,
            },
            b'[' => {
                let Some((&byte, after)) = text.split_first() else { return false };
                if hidden || (flags & FNM_PATHNAME != 0 && byte == b'/') {
                    return false;
                }
                match class_matches(rest, byte, flags) {
                    Some((true, used)) => (pattern, text) = (&rest[used..], after),
                    Some((false, _)) => return false,
                    None if byte == b'[' => (pattern, text) = (rest, after),
                    None => return false,
                }
            }
            _ => {
                let (symbol, rest) = match rest.split_first() {
                    Some((&escaped, rest)) if symbol == b'\\' && flags & FNM_NOESCAPE == 0 => (escaped, rest),
                    _ => (symbol, rest),
                };
                match text.split_first() {
                    Some((&byte, after)) if fold(byte) == fold(symbol) => (pattern, text) = (rest, after),
                    _ => return false,
                }
                at_start = flags & FNM_PATHNAME != 0 && symbol == b'/';
                continue;
            }
        }
        at_start = false;
    }
}

/// Matches a byte against a bracket expression (after its `[`); tells how many pattern bytes it has.
fn class_matches(class: &[u8], byte: u8, flags: i64) -> Option<(bool, usize)> {
    let fold = |byte: u8| if flags & FNM_CASEFOLD != 0 { byte.to_ascii_lowercase() } else { byte };
    let negated = matches!(class.first(), Some(b'!' | b'^'));
    let mut at = negated as usize;
    let mut found = false;
    let mut first = true;
    let byte = fold(byte);
    loop {
        let mut low = *class.get(at)?;
        if low == b']' && !first {
            return Some((found != negated, at + 1));
        }
        first = false;
        if low == b'[' && class.get(at + 1) == Some(&b':') {
            if let Some(end) = class[at + 2..].windows(2).position(|pair| pair == b":]") {
                found |= named_class(&class[at + 2..at + 2 + end], byte);
                at += end + 4;
                continue;
            }
        }
        if low == b'\\' && flags & FNM_NOESCAPE == 0 {
            at += 1;
            low = *class.get(at)?;
        }
        at += 1;
        let mut high = low;
        if class.get(at) == Some(&b'-') && class.get(at + 1).is_some_and(|&b| b != b']') {
            high = *class.get(at + 1)?;
            at += 2;
            if high == b'\\' && flags & FNM_NOESCAPE == 0 {
                high = *class.get(at)?;
                at += 1;
            }
        }
        found |= (fold(low)..=fold(high)).contains(&byte);
    }
}

fn named_class(name: &[u8], byte: u8) -> bool {
    match name {
        b"alpha" => byte.is_ascii_alphabetic(),
        b"digit" => byte.is_ascii_digit(),
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"upper" => byte.is_ascii_uppercase(),
        b"lower" => byte.is_ascii_lowercase(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"punct" => byte.is_ascii_punctuation(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        b"cntrl" => byte.is_ascii_control(),
        b"print" => (0x20..0x7f).contains(&byte),
        b"graph" => (0x21..0x7f).contains(&byte),
        _ => false,
    }
}

/// Expands `{a,b}` groups.
fn expand_braces(pattern: &[u8]) -> Vec<Vec<u8>> {
    let Some(open) = pattern.iter().position(|&b| b == b'{').filter(|&at| !pattern[at..].starts_with(b"{}")) else {
        return vec![pattern.to_vec()];
    };
    let (mut depth, mut parts, mut start) = (0, Vec::new(), open + 1);
    for at in open..pattern.len() {
        match pattern[at] {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                parts.push(&pattern[start..at]);
                start = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(&pattern[start..at]);
                    let (head, tail) = (&pattern[..open], &pattern[at + 1..]);
                    return parts.iter().flat_map(|part| expand_braces(&[head, part, tail].concat())).collect();
                }
            }
            _ => {}
        }
    }
    vec![pattern.to_vec()]
}

fn has_wildcard(part: &[u8]) -> bool {
    part.iter().any(|b| matches!(b, b'*' | b'?' | b'['))
}

fn unescape(part: &[u8], flags: i64) -> Vec<u8> {
    if flags & GLOB_NOESCAPE != 0 {
        return part.to_vec();
    }
    let mut text = Vec::new();
    let mut bytes = part.iter();
    while let Some(&byte) = bytes.next() {
        text.push(if byte == b'\\' { bytes.next().copied().unwrap_or(b'\\') } else { byte });
    }
    text
}

/// The paths that match a pattern, sorted unless the flags say not to.
pub fn matches(pattern: &[u8], flags: i64) -> Vec<Vec<u8>> {
    let patterns = if flags & GLOB_BRACE != 0 { expand_braces(pattern) } else { vec![pattern.to_vec()] };
    let mut found = Vec::new();
    for pattern in patterns {
        let mut some = Vec::new();
        let (root, rest): (&[u8], &[u8]) =
            if pattern.starts_with(b"/") { (b"/", &pattern[1..]) } else { (b"", &pattern) };
        walk(root.to_vec(), rest, flags, &mut some);
        if flags & GLOB_NOSORT == 0 {
            some.sort();
        }
        found.extend(some);
    }
    if flags & GLOB_ONLYDIR != 0 {
        found.retain(|path| os(path).is_dir());
    }
    if flags & GLOB_MARK != 0 {
        for path in &mut found {
            if os(path).is_dir() && !path.ends_with(b"/") {
                path.push(b'/');
            }
        }
    }
    if found.is_empty() && flags & GLOB_NOCHECK != 0 {
        found.push(pattern.to_vec());
    }
    found
}

fn walk(base: Vec<u8>, pattern: &[u8], flags: i64, found: &mut Vec<Vec<u8>>) {
    let slash = pattern.iter().position(|&b| b == b'/');
    let (part, rest) = match slash {
        Some(at) => (&pattern[..at], Some(&pattern[at + 1..])),
        None => (pattern, None),
    };
    let mut step = |name: &[u8]| {
        let path = [&base[..], name].concat();
        match rest {
            None => {
                if std::fs::symlink_metadata(os(if path.is_empty() { b"." } else { &path })).is_ok() {
                    found.push(path);
                }
            }
            Some(rest) => walk([&path[..], b"/"].concat(), rest, flags, found),
        }
    };
    if !has_wildcard(part) {
        return step(&unescape(part, flags));
    }
    let directory = if base.is_empty() { b".".to_vec() } else { base.clone() };
    let Ok(entries) = std::fs::read_dir(os(&directory)) else { return };
    let mut names: Vec<Vec<u8>> = entries.flatten().map(|entry| entry.file_name().as_bytes().to_vec()).collect();
    if part.starts_with(b".") {
        names.extend([b".".to_vec(), b"..".to_vec()]);
    }
    let matching = FNM_PERIOD | if flags & GLOB_NOESCAPE != 0 { FNM_NOESCAPE } else { 0 };
    for name in names {
        if fnmatch(part, &name, matching) {
            step(&name);
        }
    }
}

/// Patterns are shorter than paths may be.
const LONGEST_PATTERN: usize = 4096;

fn glob(call: &mut Call<'_>) -> PhpResult<Val> {
    const KNOWN: i64 = GLOB_BRACE | GLOB_MARK | GLOB_NOSORT | GLOB_NOCHECK | GLOB_NOESCAPE | GLOB_ERR | GLOB_ONLYDIR;
    let (pattern, flags) = (call.path(0)?, call.int(1));
    if flags & !KNOWN != 0 {
        call.warning("At least one of the passed flags is invalid or not supported on this platform")?;
        return Ok(Val::FALSE);
    }
    if pattern.len() >= LONGEST_PATTERN {
        call.warning(&format!("Pattern exceeds the maximum allowed length of {LONGEST_PATTERN} characters"))?;
        return Ok(Val::FALSE);
    }
    let found = matches(&pattern, flags);
    let any = !found.is_empty();
    let paths: Vec<_> =
        found.into_iter().filter(|path| phlox_runtime::basedir::allows_quietly(call.vm, path)).collect();
    if any && paths.is_empty() {
        return Ok(Val::FALSE);
    }
    Ok(PhpArr::from_vec(paths.into_iter().map(Val::from).collect()).into())
}
