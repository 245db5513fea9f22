//! Information about a page: its `<meta>` tags, and the headers of its response.

use crate::contents::options;
use crate::stream::open;
use phlox_runtime::{Call, FnDef, Key, PhpArr, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("get_meta_tags(string $filename, bool $use_include_path = false): array|false", get_meta_tags),
    FnDef::new("get_headers(string $url, bool $associative = false, $context = null): array|false", get_headers),
];

/// The tokens of a page that matter for finding its `<meta>` tags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Open,
    Close,
    Equals,
    Slash,
    Space,
    Word(&'t [u8]),
    /// What stands in quotes; a bracket ends it, too, for the quote may have been an apostrophe.
    Quoted(&'t [u8]),
    Other,
}

/// Takes the next token off a page; `None` at its end. Line ends and tabs are skipped.
fn token<'t>(page: &mut &'t [u8]) -> Option<Token<'t>> {
    loop {
        let (&byte, rest) = page.split_first().filter(|(byte, _)| **byte != 0)?;
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
        let mut length = 1;
        let token = match byte {
            b'<' => Token::Open,
            b'>' => Token::Close,
            b'=' => Token::Equals,
            b'/' => Token::Slash,
            b' ' => Token::Space,
            b'\n' | b'\r' | b'\t' => {
                *page = rest;
                continue;
            }
            b'"' | b'\'' => {
                let ends = |other: &u8| *other == byte || matches!(other, b'<' | b'>' | 0);
                let end = rest.iter().position(ends).unwrap_or(rest.len());
                length += end + usize::from(rest.get(end) == Some(&byte));
                Token::Quoted(&rest[..end])
            }
            _ if byte.is_ascii_alphanumeric() => {
                length = page.iter().take_while(|byte| word(byte)).count();
                Token::Word(&page[..length])
            }
            _ => Token::Other,
        };
        *page = &page[length..];
        return Some(token);
    }
}

/// Which attribute's value is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Name,
    Content,
}

/// The names and contents of a page's tags, up to the end of its head.
fn meta_tags(mut page: &[u8]) -> PhpArr {
    let mut tags = PhpArr::new();
    let (mut in_tag, mut in_meta) = (false, false);
    let (mut wanted, mut waits) = (None, false);
    let (mut name, mut content): (Option<&[u8]>, Option<&[u8]>) = (None, None);
    let mut last = Token::Other;
    while let Some(token) = token(&mut page) {
        match token {
            Token::Word(word) if last == Token::Open => in_meta = word.eq_ignore_ascii_case(b"meta"),
            Token::Word(word) if last == Token::Slash && in_tag => {
                if word.eq_ignore_ascii_case(b"head") {
                    break;
                }
            }
            Token::Word(value) | Token::Quoted(value) if last == Token::Equals && waits => {
                match wanted {
                    Some(Wanted::Name) => name = Some(value),
                    Some(Wanted::Content) => content = Some(value),
                    None => {}
                }
                waits = false;
            }
            Token::Word(word) if in_meta => {
                let attribute = if word.eq_ignore_ascii_case(b"name") {
                    Some(Wanted::Name)
                } else {
                    word.eq_ignore_ascii_case(b"content").then_some(Wanted::Content)
                };
                if attribute.is_some() {
                    (wanted, waits) = (attribute, true);
                }
            }
            Token::Open => {
                if waits {
                    (wanted, waits, name, content) = (None, false, None, None);
                }
                in_tag = true;
            }
            Token::Close => {
                if let Some(name) = name {
                    tags.set_bytes(&key(name), Val::str(content.unwrap_or_default()));
                }
                (in_tag, in_meta, wanted, waits, name, content) = (false, false, None, false, None, None);
            }
            _ => {}
        }
        last = token;
    }
    tags
}

/// A name as the key of an array.
fn key(name: &[u8]) -> Vec<u8> {
    let byte = |byte: &u8| if b".\\+*?[^]$() ".contains(byte) { b'_' } else { byte.to_ascii_lowercase() };
    name.iter().map(byte).collect()
}

fn get_meta_tags(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call, call.bool(1), usize::MAX)?;
    let Some(stream) = open::open(call.vm, &call.path(0)?, "rb", &options)? else { return Ok(Val::FALSE) };
    let page = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    Ok(meta_tags(&page).into())
}

fn get_headers(call: &mut Call<'_>) -> PhpResult<Val> {
    let options = options(call, false, 2)?;
    let url = call.path(0)?;
    if url.is_empty() {
        return Err(call.vm.throw_value_error(b"Path must not be empty"));
    }
    if open::scheme(&url).is_none() {
        call.warning("This function may only be used against URLs")?;
        return Ok(Val::FALSE);
    }
    let Some(stream) = open::open(call.vm, &url, "r", &options)? else { return Ok(Val::FALSE) };
    let lines = stream.wrapper_data().and_then(Val::into_arr);
    stream.close(call.vm)?;
    let Some(lines) = lines else { return Ok(Val::FALSE) };
    if !call.bool(1) {
        return Ok(lines.into());
    }
    let mut headers = PhpArr::new();
    for line in lines.values().filter_map(Val::as_str) {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            let _ = headers.push(line.into());
            continue;
        };
        let (name, value) = (PhpStr::new(&line[..colon]), Val::str(line[colon + 1..].trim_ascii_start()));
        // A repeated header becomes a list.
        let value = match headers.get(Key::Str(&name)).cloned() {
            None => value,
            Some(earlier) => {
                let mut list = earlier.as_arr().cloned().unwrap_or_else(|| PhpArr::from_vec(vec![earlier]));
                let _ = list.push(value);
                list.into()
            }
        };
        headers.insert(Key::Str(&name), value);
    }
    Ok(headers.into())
}
